//! What `evens list` can list: cards, abilities, rulesets, and the odds of a scenario's draw.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use strum::IntoEnumIterator;

use super::ability::Ability;
use super::cards::{Card, CardKind, Level, Stats};
use super::draw::appearance;
use super::ruleset::Ruleset;
use super::setup::{Setup, label_of};
use crate::table::{Column, Table};

/// The bundled cards at their highest level.
pub(super) fn cards() -> Table {
    let catalogue = super::bundled();
    let top = |card: &Card| *card.levels.last().expect("a card has levels");
    let text = |of: &dyn Fn(&Card) -> String| catalogue.iter().map(of).collect::<Vec<_>>();
    let signed = |card: &Card, value: i8| match card.kind {
        CardKind::Summoner if value == 0 => String::new(),
        CardKind::Summoner => format!("{value:+}"),
        CardKind::Monster => value.to_string(),
    };
    let attack = |card: &Card| {
        let Stats { melee, ranged, magic, .. } = top(card).stats;
        let parts = [("melee", melee), ("ranged", ranged), ("magic", magic)];
        let named = parts.into_iter().filter(|&(_, power)| power != 0);
        let told = named.map(|(kind, power)| format!("{kind} {}", signed(card, power)));
        told.collect::<Vec<_>>().join(", ")
    };
    let stat = |of: fn(&Stats) -> i8| text(&|card| signed(card, of(&top(card).stats)));
    let abilities = |card: &Card| {
        top(card).abilities.iter().map(|ability| ability.to_string()).collect::<Vec<_>>().join(", ")
    };
    Table {
        name: "cards".to_owned(),
        columns: vec![
            Column::text("card", "its name", text(&|card| card.name.clone())),
            Column::text("faction", "whose it is", text(&|card| card.faction.to_string())),
            Column::text("rarity", "how rare it is", text(&|card| card.rarity.to_string())),
            Column::count(
                "mana",
                "what it costs",
                catalogue.iter().map(|c| u64::from(c.mana)).collect(),
            ),
            Column::count(
                "highest_level",
                "its highest level, which what follows is of",
                catalogue.iter().map(|card| card.levels.len() as u64).collect(),
            ),
            Column::text("attack", "with what, at its highest level", text(&attack)),
            Column::text("armor", "at its highest level", stat(|stats| stats.armor)),
            Column::text("health", "at its highest level", stat(|stats| stats.health)),
            Column::text("speed", "at its highest level", stat(|stats| stats.speed)),
            Column::text("abilities", "at its highest level", text(&abilities)),
        ],
    }
}

/// All abilities, and how many cards have them at some level.
pub(super) fn abilities() -> Table {
    let catalogue = super::bundled();
    let has = |level: &Level, ability| level.abilities.contains(ability);
    let cards = |ability: Ability| {
        let having = |card: &&Card| card.levels.iter().any(|level| has(level, ability));
        catalogue.iter().filter(having).count() as u64
    };
    Table {
        name: "abilities".to_owned(),
        columns: vec![
            Column::text("ability", "its name", Ability::iter().map(|a| a.to_string()).collect()),
            Column::text(
                "edition",
                "since when there is it",
                Ability::iter().map(|ability| ability.edition().to_string()).collect(),
            ),
            Column::text(
                "meaning",
                "what it does",
                Ability::iter().map(|ability| ability.meaning().to_owned()).collect(),
            ),
            Column::count(
                "cards",
                "bundled cards that have it",
                Ability::iter().map(cards).collect(),
            ),
        ],
    }
}

/// All rulesets.
pub(super) fn rulesets() -> Table {
    let excluded = |ruleset: Ruleset| {
        let others = Ruleset::iter().filter(|&other| other != ruleset && !ruleset.goes_with(other));
        others.map(|other| other.to_string()).collect::<Vec<_>>().join(", ")
    };
    let text = |of: &dyn Fn(Ruleset) -> String| Ruleset::iter().map(of).collect::<Vec<_>>();
    Table {
        name: "rulesets".to_owned(),
        columns: vec![
            Column::text("ruleset", "its name", text(&|ruleset| ruleset.to_string())),
            Column::text(
                "type",
                "when it can be drawn",
                text(&|ruleset| ruleset.kind().to_string()),
            ),
            Column::text(
                "edition",
                "since when there is it",
                text(&|ruleset| ruleset.edition().to_string()),
            ),
            Column::text("meaning", "what it does", text(&|ruleset| ruleset.meaning().to_owned())),
            Column::text("excludes", "what it is never paired with", text(&excluded)),
        ],
    }
}

/// Every ruleset of a setup's draw with the exact probability that a battle has it, then every draw with its own.
pub(super) fn odds(setup: &Setup) -> Table {
    let singles = appearance(&setup.conditions);
    let draws = setup.conditions.iter().map(|(rulesets, odds)| ("draw", label_of(*rulesets), odds));
    let rows: Vec<(&str, String, &BigRational)> = singles
        .iter()
        .filter(|(_, odds)| *odds.numer() != 0.into())
        .map(|(ruleset, odds)| ("ruleset", ruleset.to_string(), odds))
        .chain(draws)
        .collect();
    Table {
        name: "odds".to_owned(),
        columns: vec![
            Column::text(
                "of",
                "a ruleset, alone or in a pair, or a whole draw",
                rows.iter().map(|row| row.0.to_owned()).collect(),
            ),
            Column::text("rulesets", "which", rows.iter().map(|row| row.1.clone()).collect()),
            Column::number(
                "percent",
                "how likely a battle has it",
                rows.iter().map(|row| 100.0 * row.2.to_f64().unwrap_or(f64::NAN)).collect(),
            ),
            Column::text(
                "exactly",
                "the same as a fraction",
                rows.iter().map(|row| row.2.to_string()).collect(),
            ),
        ],
    }
}
