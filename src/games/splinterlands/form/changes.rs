//! Cards that are other than in the catalogue.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::CARDS_LISTED;
use crate::games::splinterlands::cards::{Card, CardKind, Catalogue, Stats};
use crate::scenario::{Checker, Spot};

/// The highest cost of a card.
const MOST_MANA: i32 = 99;

/// What is other about a card, at every level: a whole number instead of the card's, or a string with a sign for
/// more (`"+1"`) or less (`"-1"`).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangeForm {
    /// What it costs.
    mana: Option<Amount>,
    /// Its melee attack.
    melee: Option<Amount>,
    /// Its ranged attack.
    ranged: Option<Amount>,
    /// Its magic attack.
    magic: Option<Amount>,
    /// Its armor.
    armor: Option<Amount>,
    /// Its health.
    health: Option<Amount>,
    /// Its speed.
    speed: Option<Amount>,
}

/// A whole number instead of the card's, or a string with a sign for more (`"+1"`) or less (`"-1"`).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Amount {
    /// Instead of the card's.
    Exactly(i16),
    /// More than the card's with `+`, less with `-`.
    By(String),
}

/// An amount that makes sense.
#[derive(Clone, Copy)]
enum Change {
    To(i32),
    By(i32),
}

impl Change {
    fn of(amount: &Amount) -> Option<Self> {
        match amount {
            Amount::Exactly(number) => Some(Change::To(i32::from(*number))),
            Amount::By(text) => {
                let signed = text.starts_with(['+', '-']);
                let number: i16 = text.parse().ok()?;
                signed.then_some(Change::By(i32::from(number)))
            }
        }
    }

    fn applied(self, old: i32) -> i32 {
        match self {
            Change::To(number) => number,
            Change::By(number) => old + number,
        }
    }
}

/// A number of a card at one level.
type Number = fn(&mut Stats) -> &mut i8;

/// Changes the cards of the catalogue as the scenario says.
pub(super) fn apply(
    changes: &BTreeMap<String, ChangeForm>,
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
        let mut bench = Bench {
            card: Arc::make_mut(&mut catalogue.cards[usize::from(at)]),
            spot: &spot,
            checker,
        };
        bench.mana(form.mana.as_ref());
        let ChangeForm { mana: _, melee, ranged, magic, armor, health, speed } = form;
        bench.number("melee", melee.as_ref(), |stats| &mut stats.melee);
        bench.number("ranged", ranged.as_ref(), |stats| &mut stats.ranged);
        bench.number("magic", magic.as_ref(), |stats| &mut stats.magic);
        bench.number("armor", armor.as_ref(), |stats| &mut stats.armor);
        bench.number("health", health.as_ref(), |stats| &mut stats.health);
        bench.number("speed", speed.as_ref(), |stats| &mut stats.speed);
    }
}

/// A card that is being changed.
struct Bench<'a, 'c, 't> {
    card: &'a mut Card,
    spot: &'a Spot,
    checker: &'c mut Checker<'t>,
}

impl Bench<'_, '_, '_> {
    fn mana(&mut self, amount: Option<&Amount>) {
        let Some(change) = self.change("mana", amount) else { return };
        let mana = change.applied(i32::from(self.card.mana));
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

    fn number(&mut self, name: &str, amount: Option<&Amount>, number: Number) {
        let Some(change) = self.change(name, amount) else { return };
        let kind = self.card.kind;
        let (low, high) = kind.range();
        let low = if kind == CardKind::Monster && name == "health" { 1 } else { i32::from(low) };
        let possible = low..=i32::from(high);
        for (at, level) in self.card.levels.iter_mut().enumerate() {
            let number = number(&mut level.stats);
            let changed = change.applied(i32::from(*number));
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
        if let (None, Amount::By(text)) = (change, amount) {
            let remedy =
                "write a whole number for all levels, or \"+1\" or \"-1\" for one more or less";
            let message = format!("`{text}` is not a change of {name}");
            self.checker.fault(&self.spot.key(name), message, remedy);
        }
        change
    }
}
