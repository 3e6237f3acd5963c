//! Card files of the official game, in the shape of its `cards/get_details`.

use std::str::FromStr;

use serde_json::Value;

use super::ability::{Abilities, Ability};
use super::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity, Stats};
use crate::scenario::{Fault, Faults, Source};

/// What came of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The cards that we can play.
    pub catalogue: Catalogue,
    /// The names of all others, and why we cannot.
    pub left_out: Vec<(String, String)>,
}

/// Reads an official card file. A card that needs something we do not know is left out, never changed.
///
/// # Errors
/// When the file is not a JSON list.
pub fn import(source: &Source) -> Result<Imported, Faults> {
    let cards: Vec<Value> = serde_json::from_str(source.inner()).map_err(|error| {
        let lines = source.inner().split_inclusive('\n').take(error.line().saturating_sub(1));
        let at = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let at = at.min(source.inner().len());
        let remedy = "the file must have the shape of the official cards/get_details";
        Faults::one(source.name(), Fault::at(source, at..at, error.to_string(), remedy))
    })?;
    let mut imported = Imported { catalogue: Catalogue::default(), left_out: Vec::new() };
    for (at, card) in cards.iter().enumerate() {
        let name = match card["name"].as_str() {
            Some(name) => name.to_owned(),
            None => format!("the card at place {} of the list", at + 1),
        };
        match understood(card) {
            Ok(card) if imported.catalogue.find(&card.name).is_some() => {
                imported.left_out.push((name, "there is another card of this name".to_owned()));
            }
            Ok(card) => imported.catalogue.cards.push(card),
            Err(reason) => imported.left_out.push((name, reason)),
        }
    }
    Ok(imported)
}

fn understood(card: &Value) -> Result<Card, String> {
    let word = |key: &str| card[key].as_str().ok_or_else(|| format!("it has no `{key}`"));
    let id = card["id"].as_u64().and_then(|id| u16::try_from(id).ok());
    let kind = word("type")?;
    let kind = CardKind::from_str(kind).map_err(|_| format!("unknown type {kind}"))?;
    let faction = match word("color")? {
        "Red" => Faction::Fire,
        "Blue" => Faction::Water,
        "Green" => Faction::Earth,
        "White" => Faction::Life,
        "Black" => Faction::Death,
        "Gold" => Faction::Dragon,
        "Gray" => Faction::Neutral,
        other => return Err(format!("unknown color {other}")),
    };
    let rarity = match card["rarity"].as_u64() {
        Some(1) => Rarity::Common,
        Some(2) => Rarity::Rare,
        Some(3) => Rarity::Epic,
        Some(4) => Rarity::Legendary,
        _ => return Err(format!("unknown rarity {}", card["rarity"])),
    };
    let stats = &card["stats"];
    let mana = number(stats, "mana", 0, 0, 99)?;
    let levels = 0..usize::from(rarity.max_level());
    for at in levels.clone() {
        if number(stats, "mana", at, 0, 99)? != mana {
            return Err("its mana cost changes with its level".to_owned());
        }
    }
    Ok(Card {
        id: id.ok_or("it has no `id`")?,
        name: word("name")?.to_owned(),
        faction,
        kind,
        rarity,
        mana: mana as u8,
        levels: levels.map(|at| level(stats, kind, at)).collect::<Result<_, _>>()?,
    })
}

fn level(stats: &Value, kind: CardKind, at: usize) -> Result<Level, String> {
    let (low, high) = kind.range();
    let stat = |key| number(stats, key, at, low, high);
    let health = stat("health")?;
    if kind == CardKind::Monster && health < 1 {
        return Err(format!("it has no health at level {}", at + 1));
    }
    Ok(Level {
        stats: Stats {
            melee: stat("attack")?,
            ranged: stat("ranged")?,
            magic: stat("magic")?,
            armor: stat("armor")?,
            health,
            speed: stat("speed")?,
        },
        abilities: abilities(&stats["abilities"], kind, at)?,
    })
}

/// A number at a level, counted from 0: of a list with one for each level, or of one for all.
fn number(stats: &Value, key: &str, at: usize, low: i8, high: i8) -> Result<i8, String> {
    let value = match &stats[key] {
        Value::Array(by_level) => by_level.get(at).unwrap_or(&Value::Null),
        value => value,
    };
    let number = value.as_i64().filter(|number| (low.into()..=high.into()).contains(number));
    number.map(|number| number as i8).ok_or_else(|| match value {
        Value::Null => format!("no `{key}` for level {}", at + 1),
        other => format!("`{key}` is {other} at level {}, not {low} to {high}", at + 1),
    })
}

/// All abilities at a level. A monster's are listed by level, each level with what it adds; a summoner's
/// are one list.
fn abilities(lists: &Value, kind: CardKind, at: usize) -> Result<Abilities, String> {
    let strange = || "its abilities are not listed as usual".to_owned();
    let lists = match lists {
        Value::Null => return Ok(Abilities::empty()),
        Value::Array(lists) => lists,
        _ => return Err(strange()),
    };
    let names: Vec<&Value> = match kind {
        CardKind::Summoner => lists.iter().collect(),
        CardKind::Monster => {
            let added = lists.iter().map(|list| list.as_array().ok_or_else(strange));
            let added = added.collect::<Result<Vec<_>, _>>()?;
            added.into_iter().take(at + 1).flatten().collect()
        }
    };
    let mut abilities = Abilities::empty();
    for name in names {
        let name = name.as_str().ok_or_else(strange)?;
        abilities |= Ability::from_str(name).map_err(|_| format!("unknown ability {name}"))?;
    }
    Ok(abilities)
}
