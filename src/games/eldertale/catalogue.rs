//! Card catalogues: TOML files in the record shape of the game's own card list.

use std::sync::{Arc, LazyLock};

use miette::NamedSource;
use schemars::JsonSchema;
use serde::Deserialize;
use strum::IntoEnumIterator;

use super::cards::{Applies, Bearer, Card, CardType, Class, EFFECTS, Rarity, Targets, Trigger};
use super::effect::{Acts, Effect, Kind};
use super::form::is_plain;
use crate::scenario::{Checker, Faults, Source, Spot, can_be_a_name, part};

/// The text of the bundled catalogue: an example set of our own.
pub(super) const EXAMPLE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/eldertale/cards/example.toml"));

/// The bundled example set.
///
/// # Panics
/// Never: a test reads it.
#[must_use]
pub fn example() -> &'static [Card] {
    static CARDS: LazyLock<Vec<Card>> = LazyLock::new(|| {
        let source: Source = Arc::new(NamedSource::new("example cards", EXAMPLE.to_owned()));
        read(&source).expect("the bundled catalogue has no faults")
    });
    &CARDS
}

/// Reads a catalogue file.
///
/// # Errors
/// All faults found in the file.
pub fn read(source: &Source) -> Result<Vec<Card>, Faults> {
    let (file, mut checker) = part::<CatalogueFile>(source)?;
    let cards = check_cards(&file.cards, &mut checker);
    match checker.take_faults() {
        faults if faults.is_empty() => Ok(cards),
        faults => Err(Faults::new(source.name(), faults)),
    }
}

/// A catalogue file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CatalogueFile {
    /// The cards.
    #[schemars(length(min = 1))]
    cards: Vec<CardForm>,
}

/// A card.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CardForm {
    /// Its name.
    title: String,
    /// What it says, for people.
    #[serde(default)]
    description: String,
    /// Its type, which is also the deck it is dealt from.
    #[serde(rename = "type")]
    kind: CardType,
    /// Its rarity. Left out: Common.
    #[serde(default)]
    rarity: Rarity,
    /// The energy it costs.
    #[schemars(range(min = 1, max = 2))]
    cost: u8,
    /// The damage of each hit of an Attack card.
    #[serde(default)]
    #[schemars(range(min = 0, max = 99))]
    damage: u8,
    /// The guard of each hit of a Defense card.
    #[serde(default)]
    #[schemars(range(min = 0, max = 99))]
    defense: u8,
    /// How often damage or defense is computed. Left out: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    hits: Option<u8>,
    /// Whom it is played at. Left out: `one` for Attack cards, `self` for all others.
    #[serde(default)]
    targets: Option<Targets>,
    /// Whether a copy is used up when it is played. Left out: false.
    #[serde(default)]
    singleuse: bool,
    /// The classes it takes to bring the card. Left out: any.
    #[serde(default)]
    conceptrequirement: Vec<Requirement>,
    /// What it lays on characters, up to four effects.
    #[serde(default)]
    effects: Vec<EffectForm>,
}

/// A class that a card requires.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Requirement {
    /// The class.
    name: Class,
    /// In how many of a character's two places: 2 is for those who have it as primary and secondary class.
    /// Left out: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 2))]
    count: u8,
}

fn one() -> u8 {
    1
}

/// An effect of a card.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EffectForm {
    /// What it does; `evens list effects` tells.
    name: EffectName,
    /// When it starts. Left out: on activation.
    #[serde(default)]
    trigger: Trigger,
    /// Who bears it. Left out: `target` where the card is played at somebody, else `self`.
    #[serde(default)]
    to: Option<Bearer>,
    /// With Draw Up and Draw Down: which cards.
    #[serde(default)]
    deck: Option<DrawDeck>,
    /// How strong it is. Left out: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 99))]
    intensity: u8,
    /// How many hits it affects until it ends. Left out: it does not count hits.
    #[serde(default)]
    #[schemars(range(min = 1, max = 99))]
    hitduration: Option<u8>,
    /// How many times its bearer presses "done" until it ends. Left out: it does not count rounds.
    #[serde(default)]
    #[schemars(range(min = 1, max = 99))]
    roundduration: Option<u8>,
}

/// The name of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, strum::Display)]
enum EffectName {
    #[serde(rename = "Gain Defense")]
    #[strum(serialize = "Gain Defense")]
    GainDefense,
    #[serde(rename = "Start Guard")]
    #[strum(serialize = "Start Guard")]
    StartGuard,
    #[serde(rename = "Guard Up")]
    #[strum(serialize = "Guard Up")]
    GuardUp,
    #[serde(rename = "Guard Down")]
    #[strum(serialize = "Guard Down")]
    GuardDown,
    Power,
    Thorns,
    Doom,
    Heal,
    #[serde(rename = "Heal Over Time")]
    #[strum(serialize = "Heal Over Time")]
    HealOverTime,
    Poison,
    #[serde(rename = "Draw Up")]
    #[strum(serialize = "Draw Up")]
    DrawUp,
    #[serde(rename = "Draw Down")]
    #[strum(serialize = "Draw Down")]
    DrawDown,
}

/// The cards that Draw Up and Draw Down are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, strum::Display)]
enum DrawDeck {
    /// Utility cards.
    Utility,
    /// Defense cards.
    Defense,
    /// Attack cards.
    Attack,
    /// Each card from a deck drawn at random.
    Random,
}

/// Checks the cards under the key `cards` of the document. A faulty card is returned all the same, without its
/// faulty parts, so that the decks that hold it can be checked too.
pub(super) fn check_cards(forms: &[CardForm], checker: &mut Checker<'_>) -> Vec<Card> {
    let spot = Spot::top().key("cards");
    let titles = forms.iter().enumerate();
    let titles = titles.map(|(at, form)| (form.title.as_str(), spot.index(at).key("title")));
    checker.check_names("card", titles);
    let cards = forms.iter().enumerate().map(|(at, form)| {
        let spot = spot.index(at);
        if can_be_a_name(&form.title) && !is_plain(&form.title, &['*', '=', ',']) {
            let message = format!("`{}` cannot be a name", form.title);
            let remedy = "decks and scripts need a title without `*`, `=` and `,`, and without a blank at either end";
            checker.fault(&spot.key("title"), message, remedy);
        }
        CardCheck { form, spot, checker }.card()
    });
    cards.collect()
}

/// One card that is being checked.
struct CardCheck<'f, 'c, 't> {
    form: &'f CardForm,
    spot: Spot,
    checker: &'c mut Checker<'t>,
}

impl CardCheck<'_, '_, '_> {
    fn fault(&mut self, key: &str, message: String, remedy: &str) {
        self.checker.fault(&self.spot.key(key), message, remedy);
    }

    fn card(&mut self) -> Card {
        let form = self.form;
        self.numbers_fit();
        self.targets_fit();
        let targets = self.targets();
        let effects: Vec<Applies> = form
            .effects
            .iter()
            .enumerate()
            .filter_map(|(at, effect)| self.effect(effect, at, targets))
            .collect();
        if form.effects.len() > EFFECTS {
            let message = format!("{} effects on a card", form.effects.len());
            self.fault("effects", message, "a card has at most four");
        }
        let strength = form.damage.max(form.defense);
        Card {
            title: form.title.clone(),
            description: form.description.clone(),
            kind: form.kind,
            rarity: form.rarity,
            requires: form
                .conceptrequirement
                .iter()
                .map(|class| (class.name, class.count))
                .collect(),
            single_use: form.singleuse,
            cost: form.cost,
            damage: form.damage,
            defense: form.defense,
            hits: if strength == 0 { 0 } else { form.hits.unwrap_or(1) },
            targets,
            effects: effects.into_iter().take(EFFECTS).collect(),
        }
    }

    fn targets(&self) -> Targets {
        let usual = if self.form.kind == CardType::Attack { Targets::One } else { Targets::Player };
        self.form.targets.unwrap_or(usual)
    }

    /// Reports damage or defense on a card of another type, hits without either, and cards that do nothing.
    fn numbers_fit(&mut self) {
        let form = self.form;
        let misplaced = [
            ("damage", form.damage > 0 && form.kind != CardType::Attack, "Attack"),
            ("defense", form.defense > 0 && form.kind != CardType::Defense, "Defense"),
        ];
        for (key, wrong, owner) in misplaced {
            if wrong {
                let message = format!("{} cards have no `{key}`", form.kind);
                self.fault(key, message, &format!("only {owner} cards have it"));
            }
        }
        if form.damage > 0 || form.defense > 0 {
            return;
        }
        if form.hits.is_some() {
            let message = "hits without damage or defense".to_owned();
            self.fault("hits", message, "leave `hits` out, or say how strong each hit is");
        } else if form.effects.is_empty() {
            let message = format!("`{}` does nothing", form.title);
            self.fault("title", message, "give it `damage`, `defense` or `effects`");
        }
    }

    /// Reports targets that a card of this type cannot have.
    fn targets_fit(&mut self) {
        let possible: &[Targets] = match self.form.kind {
            CardType::Utility => &[Targets::Player, Targets::One],
            CardType::Defense => &[Targets::Player],
            CardType::Attack => &[Targets::One, Targets::Area, Targets::Random],
        };
        let targets = self.targets();
        if !possible.contains(&targets) {
            let message = format!("{} cards cannot be played at `{targets}`", self.form.kind);
            let words: Vec<String> = possible.iter().map(|word| format!("`{word}`")).collect();
            self.fault("targets", message, &format!("possible: {}", words.join(", ")));
        } else if targets.spreads() && self.form.damage == 0 {
            let message = format!("a card without hits cannot be played at `{targets}`");
            self.fault("targets", message, "it may name as many as it has hits: give it `damage`");
        }
    }

    fn effect(&mut self, form: &EffectForm, at: usize, targets: Targets) -> Option<Applies> {
        let spot = self.spot.key("effects").index(at);
        let kind = self.kind(form, &spot)?;
        let bearer = form.to.unwrap_or(match targets {
            Targets::Player => Bearer::Player,
            Targets::One | Targets::Area | Targets::Random => Bearer::Target,
        });
        let effect = Effect {
            kind,
            intensity: form.intensity,
            hits: form.hitduration.unwrap_or(0),
            rounds: form.roundduration.unwrap_or(0),
        };
        let applies = Applies { trigger: form.trigger, bearer, effect };
        let mut wrong = |key: &str, message: String, remedy: &str| {
            self.checker.fault(&spot.key(key), message, remedy);
        };
        if bearer == Bearer::Target && targets == Targets::Player {
            let message = "the card is played at nobody who could bear this".to_owned();
            wrong("to", message, "say `to = \"self\"`, or `targets = \"one\"` on the card");
            return None;
        }
        let name = kind.name();
        if effect.hits > 0 && !kind.affects_hits() {
            let message = format!("{name} affects no hits");
            wrong("hitduration", message, "say `roundduration`, or leave both out");
            return None;
        }
        if kind == Kind::Heal && effect.rounds > 0 {
            let message = "Heal acts at once and does not last".to_owned();
            wrong("roundduration", message, "take Heal Over Time");
            return None;
        }
        let endless =
            !effect.is_instant() && !kind.ticks() && effect.hits == 0 && effect.rounds == 0;
        if endless {
            let also = if kind.affects_hits() { " or `hitduration`" } else { "" };
            let message = format!("{name} would never end");
            wrong("name", message, &format!("give it a `roundduration`{also}"));
            return None;
        }
        if kind == Kind::GainDefense && effect.is_instant() && bearer == Bearer::Target {
            let message = "defense that is gained at once stands for the own turn only".to_owned();
            wrong("to", message, "say `to = \"self\"`, or give it a `roundduration`");
            return None;
        }
        let lands_elsewhere =
            self.form.kind == CardType::Attack && form.trigger == Trigger::Activation;
        if kind == Kind::GainDefense && effect.is_instant() && lands_elsewhere {
            let message =
                "an attack runs in another's turn, where its player has no defense".to_owned();
            wrong("trigger", message, "say `trigger = \"on play\"`, or give it a `roundduration`");
            return None;
        }
        self.warn_if_void(&applies, &spot);
        Some(applies)
    }

    /// Warns of an effect for one round that ends before it can act. Such an effect ends at its bearer's next
    /// "done" before anything can come of it, unless it acts at the start of "done", or starts after durations
    /// have fallen: with a Utility or Defense card of its bearer, or with an attack on it.
    fn warn_if_void(&mut self, applies: &Applies, spot: &Spot) {
        let Effect { kind, rounds, .. } = applies.effect;
        // Doom is still there when Heal Over Time acts.
        let acts_first = match kind.acts() {
            Acts::AtOnce
            | Acts::AtOnceOrAtDone
            | Acts::AtDone
            | Acts::AtDoneTicking
            | Acts::OnHealing => true,
            Acts::OnHits | Acts::AtDeal => false,
        };
        // Attacks land in others' turns, so Power still affects those on their way.
        let is_attack = self.form.kind == CardType::Attack;
        let in_time = match (applies.trigger, applies.bearer) {
            (Trigger::Play, Bearer::Player) => false,
            (Trigger::Play, Bearer::Target) => kind == Kind::Power,
            (Trigger::Activation, Bearer::Player) => !is_attack || kind == Kind::Power,
            (Trigger::Activation, Bearer::Target) => is_attack || kind == Kind::Power,
        };
        if rounds == 1 && !acts_first && !in_time {
            let message = format!("{} for one round ends before it can act", kind.name());
            let remedy = "round durations fall at the start of \"done\": say `roundduration = 2`";
            self.checker.warn(&spot.key("roundduration"), message, remedy);
        }
    }

    fn kind(&mut self, form: &EffectForm, spot: &Spot) -> Option<Kind> {
        let is_written = |kind: &Kind| written(*kind) == (form.name, form.deck);
        let found = Kind::iter().find(is_written);
        if found.is_none() {
            if form.deck.is_some() {
                let message = "only Draw Up and Draw Down are about a deck";
                self.checker.fault(&spot.key("deck"), message, "leave it out");
            } else {
                let remedy = "say `deck`: Utility, Defense, Attack or Random";
                self.checker.fault(spot, "which cards are drawn is not said", remedy);
            }
        }
        found
    }
}

/// The name of an effect as a card writes it, and the deck that the card must give with it, if any.
pub(super) fn name_and_deck(kind: Kind) -> (String, Option<String>) {
    let (name, deck) = written(kind);
    (name.to_string(), deck.map(|deck| deck.to_string()))
}

/// How a card writes each kind of effect: its name, and the deck where it needs one.
fn written(kind: Kind) -> (EffectName, Option<DrawDeck>) {
    use {DrawDeck as Deck, EffectName as Name};
    match kind {
        Kind::GainDefense => (Name::GainDefense, None),
        Kind::StartGuard => (Name::StartGuard, None),
        Kind::GuardUp => (Name::GuardUp, None),
        Kind::GuardDown => (Name::GuardDown, None),
        Kind::Power => (Name::Power, None),
        Kind::Thorns => (Name::Thorns, None),
        Kind::Doom => (Name::Doom, None),
        Kind::Heal => (Name::Heal, None),
        Kind::HealOverTime => (Name::HealOverTime, None),
        Kind::Poison => (Name::Poison, None),
        Kind::DrawUpUtility => (Name::DrawUp, Some(Deck::Utility)),
        Kind::DrawUpDefense => (Name::DrawUp, Some(Deck::Defense)),
        Kind::DrawUpAttack => (Name::DrawUp, Some(Deck::Attack)),
        Kind::DrawUpRandom => (Name::DrawUp, Some(Deck::Random)),
        Kind::DrawDownUtility => (Name::DrawDown, Some(Deck::Utility)),
        Kind::DrawDownDefense => (Name::DrawDown, Some(Deck::Defense)),
        Kind::DrawDownAttack => (Name::DrawDown, Some(Deck::Attack)),
        Kind::DrawDownRandom => (Name::DrawDown, Some(Deck::Random)),
    }
}
