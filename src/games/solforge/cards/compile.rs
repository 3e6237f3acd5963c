//! Compiles written cards into the form that battles use: names are looked up, numbers settled level by level, and
//! everything that makes no sense is reported.

mod abilities;
mod effects;

use std::collections::BTreeSet;

use enumset::EnumSet;

use super::futile::{self, Bearer};
use super::names::{LEVELS, Names, kind_at, levels};
use super::vocabulary::{AbilityForm, ByLevel, CardForm, Kind, StaticForm, StaticWho, When};
use crate::games::solforge::ability::{ACTIVATED, Hook, Number, Static, TRIBES};
use crate::games::solforge::keyword::Keyword;
use crate::games::solforge::setup::{Card, Cards, FormData};
use crate::games::solforge::state::{FORMS, Form};
use crate::numerals::counted;
use crate::scenario::Spot;

/// How many abilities, and how many constant effects, all cards can have together.
const PLACES: usize = u16::MAX as usize;

/// A written card and where it stands in its file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The card.
    pub card: CardForm,
    /// Where it stands.
    pub spot: Spot,
}

/// Something in a card that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Index of the card's entry.
    pub entry: usize,
    /// Where in its file.
    pub spot: Spot,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

/// Compiles all written cards, and returns them with everything that is wrong with them.
#[must_use]
pub fn compile(entries: &[Entry]) -> (Cards, Vec<Finding>) {
    if let Some(finding) = too_many(entries) {
        return (Cards::default(), vec![finding]);
    }
    let names = Names::new(entries.iter().map(|entry| &entry.card));
    let mut cards = Cards { tribes: names.tribes.clone(), ..Cards::default() };
    let mut findings = Vec::new();
    let mut first = 0;
    for (at, entry) in entries.iter().enumerate() {
        let mut writer = Writer {
            names: &names,
            cards: &mut cards,
            findings: &mut findings,
            at,
            card: &entry.card,
            levels: levels(&entry.card),
            level: 1,
            form: Form(first),
        };
        writer.card(&entry.spot);
        first += u16::from(levels(&entry.card));
    }
    for (what, count) in
        [("abilities", cards.abilities.len()), ("constant effects", cards.statics.len())]
    {
        if count > PLACES {
            let message = format!("{count} {what} of cards and levels are more than {PLACES}");
            findings.extend(entries.last().map(|last| leave_out(entries, last, message)));
        }
    }
    // A mistake that is found at three levels is one mistake.
    let mut once: Vec<Finding> = Vec::new();
    for finding in findings {
        if !once.contains(&finding) {
            once.push(finding);
        }
    }
    (cards, once)
}

/// Reports more card forms or tribes than a battle can tell apart.
fn too_many(entries: &[Entry]) -> Option<Finding> {
    let last = entries.last()?;
    let forms: usize = entries.iter().map(|entry| usize::from(levels(&entry.card))).sum();
    let tribes: BTreeSet<&String> = entries.iter().flat_map(|entry| &entry.card.tribes).collect();
    let message = if forms > FORMS {
        format!("{forms} cards and levels are more than {FORMS}")
    } else if tribes.len() > TRIBES {
        format!("{} tribes are more than {TRIBES}", tribes.len())
    } else {
        return None;
    };
    Some(leave_out(entries, last, message))
}

/// The finding that all cards together have too much of something.
fn leave_out(entries: &[Entry], last: &Entry, message: String) -> Finding {
    let (entry, spot) = (entries.len() - 1, last.spot.clone());
    Finding { entry, spot, message, remedy: "leave out cards that nobody plays".to_owned() }
}

/// The place of the next of so many in a list. Where there are more than [`PLACES`], the cards are refused in the end.
fn place(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// Writes one card, level by level.
struct Writer<'w, 'f> {
    names: &'w Names<'f>,
    cards: &'w mut Cards,
    findings: &'w mut Vec<Finding>,
    at: usize,
    card: &'w CardForm,
    levels: u8,
    level: u8,
    form: Form,
}

impl Writer<'_, '_> {
    fn report(&mut self, spot: &Spot, message: impl Into<String>, remedy: impl Into<String>) {
        self.findings.push(Finding {
            entry: self.at,
            spot: spot.clone(),
            message: message.into(),
            remedy: remedy.into(),
        });
    }

    fn card(&mut self, spot: &Spot) {
        let card = self.card;
        self.check_numbers(spot);
        self.level_list(&card.spell_at, &spot.key("spell_at"));
        let start = self.form.0;
        self.cards.cards.push(Card {
            name: card.name.clone(),
            faction: card.faction,
            kind: kind_at(card, 1),
            token: card.token,
            forms: start..start + u16::from(self.levels),
        });
        self.level_list(&card.free, &spot.key("free"));
        for level in 1..=self.levels {
            self.level = level;
            self.form = Form(start + u16::from(level) - 1);
            self.form_data(self.kind_here(), spot);
        }
    }

    /// Creature or spell, at the level that is being written.
    fn kind_here(&self) -> Kind {
        kind_at(self.card, self.level)
    }

    fn check_numbers(&mut self, spot: &Spot) {
        let card = self.card;
        let (attack, health) = (card.attack.len(), card.health.len());
        if attack != health {
            let message =
                format!("{} for attack, {health} for health", counted(attack as u64, "number"));
            self.report(&spot.key("health"), message, "give one of each for every level");
        }
        if attack > usize::from(LEVELS) {
            let message = format!("{attack} levels");
            self.report(&spot.key("attack"), message, format!("a card has at most {LEVELS}"));
        }
    }

    fn form_data(&mut self, kind: Kind, spot: &Spot) {
        let card = self.card;
        let at = usize::from(self.level) - 1;
        if kind == Kind::Creature && card.levels.is_some() {
            let remedy = "the list of attacks says how many levels a creature has; take it out";
            self.report(&spot.key("levels"), "only a spell says how many levels it has", remedy);
        }
        if kind == Kind::Creature {
            self.body(at, spot);
        }
        let first = place(self.cards.abilities.len());
        let mut hooks = EnumSet::empty();
        let mut own = Vec::new();
        for (index, ability) in card.abilities.iter().enumerate() {
            let spot = spot.key("abilities").index(index);
            self.level_list(&ability.levels, &spot.key("levels"));
            if ability.levels.is_empty() || ability.levels.contains(&self.level) {
                self.fits_kind(ability, kind, &spot);
                let bearer = Bearer { kind, granted: false, remembers: false };
                let ability = self.ability(ability, bearer, &spot);
                hooks |= ability.trigger.hook();
                own.push(ability);
            }
        }
        let activated = own.iter().filter(|of| of.trigger.hook() == Hook::Activate).count();
        if activated > ACTIVATED {
            let message = format!("{activated} activated abilities");
            let remedy = format!("a creature has at most {ACTIVATED} at a level");
            self.report(&spot.key("abilities"), message, remedy);
        }
        // Granted abilities were added while the card's own were compiled; its own must be contiguous.
        let start = place(self.cards.abilities.len());
        debug_assert!(start >= first);
        self.cards.abilities.extend(own);
        let statics = place(self.cards.statics.len());
        let mut touches = EnumSet::empty();
        for (index, of) in card.statics.iter().enumerate() {
            let spot = spot.key("statics").index(index);
            self.level_list(&of.levels, &spot.key("levels"));
            if of.levels.is_empty() || of.levels.contains(&self.level) {
                let of = self.constant(of, &spot);
                touches |= of.touches();
                let lent = !matches!(of.who, StaticWho::Itself | StaticWho::You);
                self.cards.lends_health |= lent && of.touches().contains(Number::Health);
                self.cards.statics.push(of);
            }
        }
        let mut number = |of: &Option<ByLevel>, key: &str| {
            of.as_ref().map_or(0, |of| self.by_level(of, &spot.key(key)))
        };
        let (armor, mobility) = (number(&card.armor, "armor"), number(&card.mobility, "mobility"));
        let regenerate = number(&card.regenerate, "regenerate");
        let battles = number(&card.battles, "battles");
        let numbers = [
            (armor, "armor"),
            (mobility, "mobility"),
            (regenerate, "regenerate"),
            (battles, "battles"),
        ];
        for (number, key) in numbers.into_iter().filter(|&(number, _)| number < 0) {
            let message = format!("{number} is no {key}");
            self.report(&spot.key(key), message, "less than none does nothing; give 0 or more");
        }
        let mut keywords: EnumSet<Keyword> = card.keywords.iter().copied().collect();
        for (index, of) in card.keywords_at.iter().enumerate() {
            self.level_list(&of.levels, &spot.key("keywords_at").index(index).key("levels"));
            if of.levels.contains(&self.level) {
                keywords |= of.keyword;
            }
        }
        let tribes = card.tribes.iter().filter_map(|tribe| self.names.tribe(tribe));
        let tribes = tribes.fold(0, |all, tribe| all | tribe);
        let next = if self.level < self.levels { Form(self.form.0 + 1) } else { self.form };
        self.cards.forms.push(FormData {
            card: self.at as u16,
            level: self.level,
            kind,
            faction: card.faction,
            tribes,
            attack: card.attack.get(at).copied().unwrap_or(0),
            health: card.health.get(at).copied().unwrap_or(0),
            armor,
            mobility,
            regenerate,
            battles,
            keywords,
            free: card.free.contains(&self.level),
            levels_to: (!card.overload && !card.token).then_some(next),
            hooks,
            touches,
            abilities: start..place(self.cards.abilities.len()),
            statics: statics..place(self.cards.statics.len()),
        });
    }

    /// Reports a creature that cannot stand on the field with its numbers at this level.
    fn body(&mut self, at: usize, spot: &Spot) {
        let card = self.card;
        if let Some(&attack) = card.attack.get(at).filter(|&&attack| attack < 0) {
            let message = format!("`{}` has {attack} attack at level {}", card.name, self.level);
            let remedy = "a card's attack is 0 or more; what lowers it is an effect";
            self.report(&spot.key("attack").index(at), message, remedy);
        }
        // Such as Oros at level 4, who is as strong as his player's life (SF-42).
        let lives_by_itself = card.statics.iter().any(|of| {
            let is_own = matches!(of.who, StaticWho::Itself | StaticWho::Friends);
            let is_here = of.levels.is_empty() || of.levels.contains(&self.level);
            is_own && is_here && (of.plus_life || of.health.is_some())
        });
        let health = card.health.get(at).copied().unwrap_or(0);
        let is_written = card.health.len() > at;
        if is_written && (health < 0 || health == 0 && !lives_by_itself) {
            let message = format!("`{}` has {health} health at level {}", card.name, self.level);
            let remedy = "a creature without health dies as it arrives: give it 1 or more, or list the level in `spell_at`";
            self.report(&spot.key("health").index(at), message, remedy);
        }
    }

    fn fits_kind(&mut self, ability: &AbilityForm, kind: Kind, spot: &Spot) {
        let is_cast = ability.when == When::Cast;
        if is_cast && kind == Kind::Creature {
            let remedy = "`forge` is when a creature is played from the hand";
            self.report(&spot.key("when"), "only a spell has `cast`", remedy);
        }
        let of_spell = is_cast || ability.when == When::Forge;
        if !of_spell && kind == Kind::Spell {
            let remedy = "a spell has `cast`, and `forge` for what follows; give a creature attack and health";
            self.report(&spot.key("when"), "a spell does nothing but when it is played", remedy);
        }
    }

    fn level_list(&mut self, list: &[u8], spot: &Spot) {
        for (index, &level) in list.iter().enumerate() {
            if level == 0 || level > self.levels {
                let message = format!("there is no level {level}");
                let remedy = format!("`{}` has levels 1 to {}", self.card.name, self.levels);
                self.report(&spot.index(index), message, remedy);
            }
        }
    }

    /// The number that holds at this level.
    fn by_level(&mut self, of: &ByLevel, spot: &Spot) -> i16 {
        match of {
            ByLevel::Same(number) => *number,
            ByLevel::Each(list) => self.of_list(list, spot),
        }
    }

    fn of_list(&mut self, list: &[i16], spot: &Spot) -> i16 {
        if list.len() != usize::from(self.levels) {
            let message = format!(
                "{} for {}",
                counted(list.len() as u64, "number"),
                counted(self.levels.into(), "level")
            );
            self.report(spot, message, "give one number for every level, or a single one for all");
        }
        list.get(usize::from(self.level) - 1).copied().unwrap_or(0)
    }

    fn constant(&mut self, of: &StaticForm, spot: &Spot) -> Static {
        let mut number = |of: &Option<ByLevel>, key: &str| {
            of.as_ref().map_or(0, |of| self.by_level(of, &spot.key(key)))
        };
        let of = Static {
            who: of.who,
            in_center: of.in_center,
            attack: number(&of.attack, "attack"),
            health: number(&of.health, "health"),
            armor: number(&of.armor, "armor"),
            regenerate: number(&of.regenerate, "regenerate"),
            battles: number(&of.battles, "battles"),
            attack_is_health: of.attack_is_health,
            plus_life: of.plus_life,
        };
        if let Some((message, remedy)) = futile::constant(&of) {
            self.report(spot, message, remedy);
        }
        of
    }
}
