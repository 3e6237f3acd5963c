//! Changes that a scenario makes to cards of the catalogue.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use strum::IntoEnumIterator;

use super::{CARDS_LISTED, say_edition};
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::cards::{Card, CardKind, Catalogue, Stats};
use crate::games::splinterlands::edition::Edition;
use crate::numerals::counted;
use crate::scenario::{Checker, Number, Spot};

/// The highest cost of a card.
const MOST_MANA: i64 = 99;

/// What is other about a card. A number holds for every level: a whole number instead of the card's, or a string with a sign for
/// more (`"+1"`) or less (`"-1"`).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeForm {
    /// What it costs.
    pub mana: Option<Amount>,
    /// Its melee attack.
    pub melee: Option<Amount>,
    /// Its ranged attack.
    pub ranged: Option<Amount>,
    /// Its magic attack.
    pub magic: Option<Amount>,
    /// Its armor.
    pub armor: Option<Amount>,
    /// Its health.
    pub health: Option<Amount>,
    /// Its speed.
    pub speed: Option<Amount>,
    /// Its abilities at all levels, such as `["Sneak", "Thorns@5"]` (from level 5 on); or, each with a sign, what it gains
    /// and loses: `["+Thorns", "-Sneak"]`.
    #[serde(default)]
    pub abilities: Option<Vec<String>>,
}

impl ChangeForm {
    /// The numbers that it says, by their keys.
    pub(super) fn amounts(&self) -> impl Iterator<Item = (&'static str, &Amount)> {
        let Self { mana, melee, ranged, magic, armor, health, speed, abilities: _ } = self;
        let numbers = [
            ("mana", mana),
            ("melee", melee),
            ("ranged", ranged),
            ("magic", magic),
            ("armor", armor),
            ("health", health),
            ("speed", speed),
        ];
        numbers.into_iter().filter_map(|(key, amount)| Some((key, amount.as_ref()?)))
    }
}

/// A whole number instead of the card's, a list of one for each level, or a string with a sign for more (`"+1"`) or less
/// (`"-1"`).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Amount {
    /// Instead of the card's: 0 to 99 (health from 1) for a monster, -9 to 9 for a summoner.
    Exactly(i64),
    /// Instead of the card's, a number for each level.
    ByLevel(Vec<i64>),
    /// More than the card's with `+`, less with `-`.
    By(String),
}

impl Amount {
    /// Its text, if it is more or less than something else.
    pub(super) fn signed(&self) -> Option<&str> {
        match (Change::of(self), self) {
            (Some(Change::By(_)), Amount::By(text)) => Some(text.as_str()),
            _ => None,
        }
    }
}

/// A change of a number, read from an amount that makes sense.
#[derive(Clone)]
enum Change {
    To(i64),
    ByLevel(Vec<i64>),
    By(i64),
}

impl Change {
    fn of(amount: &Amount) -> Option<Self> {
        match amount {
            Amount::Exactly(number) => Some(Change::To(*number)),
            Amount::ByLevel(numbers) => Some(Change::ByLevel(numbers.clone())),
            Amount::By(text) => {
                let signed = text.starts_with(['+', '-']);
                let number: i64 = text.parse().ok()?;
                signed.then_some(Change::By(number))
            }
        }
    }

    /// The changed number at a level, counted from 0; `old` is the number before.
    fn applied(&self, old: i64, level: usize) -> i64 {
        match self {
            Change::To(number) => *number,
            Change::ByLevel(numbers) => numbers.get(level).copied().unwrap_or(old),
            Change::By(number) => old.saturating_add(*number),
        }
    }
}

/// A number of a card at one level.
type Field = fn(&mut Stats) -> &mut i8;

/// Changes the cards of the catalogue as the scenario says.
pub(super) fn apply(
    changes: &BTreeMap<String, ChangeForm>,
    edition: Edition,
    catalogue: &mut Catalogue,
    spot: &Spot,
    checker: &mut Checker<'_>,
) {
    for (name, form) in changes {
        let spot = spot.key(name);
        let Some(at) = catalogue.find(name) else {
            let names = catalogue.names(None);
            checker.unknown_key(&spot, "card", name, names, CARDS_LISTED);
            continue;
        };
        let card = Arc::make_mut(&mut catalogue.cards[usize::from(at)]);
        Bench { card, edition, spot: &spot, checker }.change_all(form);
    }
}

/// All numbers of cards that a change can reach: those of a monster by its levels, those of a summoner once.
pub(super) fn numbers(catalogue: &Catalogue) -> Vec<Number> {
    let mut found = Vec::new();
    for card in &catalogue.cards {
        let (noun, (low, high)) = match card.kind {
            CardKind::Monster => ("monster", card.kind.range()),
            CardKind::Summoner => ("summoner", card.kind.range()),
        };
        let mut add = |key: &str, values: Vec<i64>, low: i64, high: i64| {
            let (card, key) = (card.name.clone(), key.to_owned());
            found.push(Number { card, noun, key, values, possible: Some((low, high)) });
        };
        add("mana", vec![i64::from(card.mana)], 0, MOST_MANA);
        type Of = fn(&Stats) -> i8;
        let keys: [(&str, Of); 6] = [
            ("melee", |stats| stats.melee),
            ("ranged", |stats| stats.ranged),
            ("magic", |stats| stats.magic),
            ("armor", |stats| stats.armor),
            ("health", |stats| stats.health),
            ("speed", |stats| stats.speed),
        ];
        for (key, of) in keys {
            let mut values: Vec<i64> =
                card.levels.iter().map(|level| i64::from(of(&level.stats))).collect();
            if card.kind == CardKind::Summoner {
                values.truncate(1);
            }
            let least = match card.kind {
                CardKind::Monster if key == "health" => 1,
                CardKind::Monster | CardKind::Summoner => i64::from(low),
            };
            add(key, values, least, i64::from(high));
        }
    }
    found
}

/// A card that is being changed.
pub(super) struct Bench<'a, 'c, 't> {
    pub card: &'a mut Card,
    pub edition: Edition,
    pub spot: &'a Spot,
    pub checker: &'c mut Checker<'t>,
}

impl Bench<'_, '_, '_> {
    /// Changes the card as a form says.
    pub(super) fn change_all(&mut self, form: &ChangeForm) {
        let ChangeForm { mana, melee, ranged, magic, armor, health, speed, abilities } = form;
        self.mana(mana.as_ref());
        self.number("melee", melee.as_ref(), |stats| &mut stats.melee);
        self.number("ranged", ranged.as_ref(), |stats| &mut stats.ranged);
        self.number("magic", magic.as_ref(), |stats| &mut stats.magic);
        self.number("armor", armor.as_ref(), |stats| &mut stats.armor);
        self.number("health", health.as_ref(), |stats| &mut stats.health);
        self.number("speed", speed.as_ref(), |stats| &mut stats.speed);
        if let Some(abilities) = abilities {
            self.abilities(abilities);
        }
    }

    /// Sets abilities in place of the card's own; those with a sign are added or taken away instead.
    fn abilities(&mut self, written: &[String]) {
        let signed = written.iter().filter(|name| name.starts_with(['+', '-'])).count();
        let spot = self.spot.key("abilities");
        if signed > 0 && signed < written.len() {
            let remedy = "write all with a sign, for what is added and taken away, or none, for all that it has";
            return self.checker.fault(
                &spot,
                "some abilities have a sign and some have none",
                remedy,
            );
        }
        if signed == 0 {
            self.card.levels.iter_mut().for_each(|level| level.abilities = Abilities::empty());
        }
        let mut known: Vec<(Ability, bool)> = Vec::new();
        for (at, text) in written.iter().enumerate() {
            let spot = spot.index(at);
            let Some(change) = self.ability(text, &spot) else { continue };
            if known.contains(&change) {
                let message = format!("`{}` stands in this list already", change.0);
                self.checker.warn(&spot, message, "name it once: one of the two changes nothing");
            }
            known.push(change);
        }
    }

    /// Adds or takes away one ability, from a level on if that is said. Returns it, and whether it is lost; None where it is at
    /// fault.
    fn ability(&mut self, text: &str, spot: &Spot) -> Option<(Ability, bool)> {
        let (name, from) = match text.rsplit_once('@') {
            Some((name, level)) => (name.trim(), level.trim().parse().unwrap_or(0)),
            None => (text.trim(), 1),
        };
        let is_lost = name.starts_with('-');
        let name = name.trim_start_matches(['+', '-']).trim();
        let Ok(ability) = name.parse::<Ability>() else {
            let known = Ability::iter().filter(|ability| ability.edition() <= self.edition);
            let listing = "`evens list abilities` names them all";
            self.checker.unknown_name(spot, "ability", name, known.map(Into::into), listing);
            return None;
        };
        if ability.edition() > self.edition {
            let message = format!("{ability} is of the edition of {}", ability.edition());
            self.checker.fault(spot, message, say_edition(ability.edition()));
            return None;
        }
        let levels = self.card.levels.len();
        if !(1..=levels).contains(&from) {
            let message = format!("`{text}`: `{}` has levels 1 to {levels}", self.card.name);
            let remedy = "write `Thorns@5` for an ability from level 5 on";
            self.checker.fault(spot, message, remedy);
            return None;
        }
        for level in &mut self.card.levels[from - 1..] {
            if is_lost {
                level.abilities -= ability;
            } else {
                level.abilities |= ability;
            }
        }
        Some((ability, is_lost))
    }

    fn mana(&mut self, amount: Option<&Amount>) {
        let Some(change) = self.change("mana", amount) else { return };
        let mana = change.applied(i64::from(self.card.mana), 0);
        if (0..=MOST_MANA).contains(&mana) {
            self.card.mana = mana as u8;
        } else {
            let message = format!("`{}` would cost {mana} mana", self.card.name);
            self.checker.fault(
                &self.spot.key("mana"),
                message,
                format!("a card costs 0 to {MOST_MANA}"),
            );
        }
    }

    fn number(&mut self, name: &str, amount: Option<&Amount>, number: Field) {
        let Some(change) = self.change(name, amount) else { return };
        let kind = self.card.kind;
        let levels = self.card.levels.len();
        if let Change::ByLevel(numbers) = &change
            && (numbers.len() != levels || kind == CardKind::Summoner)
        {
            let [numbers, levels] = [(numbers.len(), "number"), (levels, "level")]
                .map(|(count, noun)| counted(count as u64, noun));
            let message = format!("{numbers} of {name} for {levels}");
            let remedy = "write one for each level, or a single one for all; summoners are the same at every level";
            return self.checker.fault(&self.spot.key(name), message, remedy);
        }
        let (low, high) = kind.range();
        let low = if kind == CardKind::Monster && name == "health" { 1 } else { i64::from(low) };
        let possible = low..=i64::from(high);
        for (at, level) in self.card.levels.iter_mut().enumerate() {
            let number = number(&mut level.stats);
            let changed = change.applied(i64::from(*number), at);
            if possible.contains(&changed) {
                *number = changed as i8;
                continue;
            }
            let at_level = match kind {
                CardKind::Monster => format!(" at level {}", at + 1),
                CardKind::Summoner => String::new(),
            };
            let message = format!("`{}` would have {changed} {name}{at_level}", self.card.name);
            let whose = if kind == CardKind::Monster { "a monster's" } else { "a summoner's" };
            let remedy = format!("{whose} {name} goes from {low} to {high}");
            return self.checker.fault(&self.spot.key(name), message, remedy);
        }
    }

    fn change(&mut self, name: &str, amount: Option<&Amount>) -> Option<Change> {
        let amount = amount?;
        let change = Change::of(amount);
        if let (None, Amount::By(text)) = (&change, amount) {
            let remedy =
                "write a whole number for all levels, or \"+1\" or \"-1\" for one more or less";
            let message = format!("`{text}` is not a change of {name}");
            self.checker.fault(&self.spot.key(name), message, remedy);
        }
        change
    }
}
