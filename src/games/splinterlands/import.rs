//! Card files of the official game, in the shape of its `cards/get_details`.

use std::str::FromStr;
use std::sync::Arc;

use serde_json::Value;

use super::ability::{Abilities, Ability};
use super::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity, Stats};
use super::catalogue::too_many;
use super::edition::Edition;
use crate::scenario::{Fault, Faults, IN_ONE_LINE, Source, can_be_a_name};

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The cards that we can play.
    pub catalogue: Catalogue,
    /// The names of all other cards, each with the reason why we cannot play it.
    pub left_out: Vec<(String, String)>,
}

/// An ability that we do not know, and the card that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The card's place in the catalogue.
    pub card: u16,
    /// From which level on it has the ability.
    pub from_level: u8,
    /// The ability.
    pub ability: String,
}

/// Reads an official card file. A card that needs something the edition does not have, or we do not know, is left
/// out, never changed.
///
/// # Errors
/// When the file is not a JSON list.
pub fn import(source: &Source, edition: Edition) -> Result<Imported, Faults> {
    let is_whole = |(card, unknown): Understood| {
        if let Some((_, ability)) = unknown.first() {
            return Err(format!("unknown ability {ability}"));
        }
        match card.later_ability(edition) {
            Some(ability) => Err(format!("{ability} is of the edition of {}", ability.edition())),
            None => Ok(card),
        }
    };
    Ok(collected(read(source)?.map(|(name, card)| (name, card.and_then(is_whole)))))
}

/// Reads an official card file with every card that is written as usual, and says which of their abilities we do
/// not know: such a card can be played at the levels before them.
///
/// # Errors
/// When the file is not a JSON list.
pub fn import_all(source: &Source) -> Result<(Imported, Vec<Gap>), Faults> {
    let mut unknown_of = Vec::new();
    let imported = collected(read(source)?.map(|(name, card)| {
        let card = card.map(|(card, unknown)| {
            unknown_of.push((card.name.clone(), unknown));
            card
        });
        (name, card)
    }));
    let mut gaps = Vec::new();
    for (name, unknown) in unknown_of {
        let Some(card) = imported.catalogue.find(&name) else { continue };
        gaps.extend(unknown.into_iter().map(|(from_level, ability)| Gap {
            card,
            from_level,
            ability,
        }));
    }
    Ok((imported, gaps))
}

/// A card, and its abilities that we do not know with the levels from which on it has them.
type Understood = (Card, Vec<(u8, String)>);

/// The cards of an official file as we understand them, each with its name.
fn read(
    source: &Source,
) -> Result<impl Iterator<Item = (String, Result<Understood, String>)>, Faults> {
    let cards: Vec<Value> = serde_json::from_str(source.inner()).map_err(|error| {
        let lines = source.inner().split_inclusive('\n').take(error.line().saturating_sub(1));
        let at = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let at = at.min(source.inner().len());
        let remedy = "the file must have the shape of the official cards/get_details";
        let message = match error.is_data() {
            true => "this is no list of cards".to_owned(),
            false => error.to_string(),
        };
        Faults::one(source.name(), Fault::at(source, at..at, message, remedy))
    })?;
    if let Some(fault) = too_many(source, cards.len()) {
        return Err(Faults::one(source.name(), fault));
    }
    Ok(cards.into_iter().enumerate().map(|(at, card)| {
        let name = match card["name"].as_str().map(str::trim) {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("the card at place {} of the list", at + 1),
        };
        (name, understood(&card))
    }))
}

/// Collects the cards that we understand into a catalogue, each name once; all others are left out.
fn collected(cards: impl Iterator<Item = (String, Result<Card, String>)>) -> Imported {
    let mut imported = Imported { catalogue: Catalogue::default(), left_out: Vec::new() };
    for (name, card) in cards {
        match card {
            Ok(card) if imported.catalogue.find(&card.name).is_some() => {
                imported.left_out.push((name, "there is another card of this name".to_owned()));
            }
            Ok(card) => imported.catalogue.cards.push(Arc::new(card)),
            Err(reason) => imported.left_out.push((name, reason)),
        }
    }
    imported
}

fn understood(card: &Value) -> Result<Understood, String> {
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
    let abilities = abilities(&stats["abilities"], kind, levels.len())?;
    let known = levels
        .map(|at| Ok(Level { stats: numbers(stats, kind, at)?, abilities: abilities.known[at] }));
    // A catalogue does not keep space around names.
    let name = word("name")?.trim();
    if name.is_empty() {
        return Err("its name is empty".to_owned());
    }
    if !can_be_a_name(name) {
        return Err(IN_ONE_LINE.to_owned());
    }
    let card = Card {
        id: id.ok_or("it has no `id`")?,
        name: name.to_owned(),
        faction,
        kind,
        rarity,
        mana: mana as u8,
        levels: known.collect::<Result<_, String>>()?,
    };
    Ok((card, abilities.unknown))
}

fn numbers(stats: &Value, kind: CardKind, at: usize) -> Result<Stats, String> {
    let (low, high) = kind.range();
    let stat = |key| number(stats, key, at, low, high);
    let health = stat("health")?;
    if kind == CardKind::Monster && health < 1 {
        return Err(format!("it has no health at level {}", at + 1));
    }
    Ok(Stats {
        melee: stat("attack")?,
        ranged: stat("ranged")?,
        magic: stat("magic")?,
        armor: stat("armor")?,
        health,
        speed: stat("speed")?,
    })
}

/// A number at a level, counted from 0: from a list with one for each level, or from a single number for all.
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

/// A card's abilities.
struct Listed {
    /// The abilities that we know, by level.
    known: Vec<Abilities>,
    /// The abilities that we do not know, each with the level from which on the card has it.
    unknown: Vec<(u8, String)>,
}

/// A card's abilities at each of `levels` levels. A monster's are listed by level, each level with what it adds; a
/// summoner's are one list.
fn abilities(lists: &Value, kind: CardKind, levels: usize) -> Result<Listed, String> {
    let strange = || "its abilities are not listed as usual".to_owned();
    let lists: Vec<&Value> = match (lists, kind) {
        (Value::Null, _) => Vec::new(),
        (Value::Array(_), CardKind::Summoner) => vec![lists],
        (Value::Array(lists), CardKind::Monster) => lists.iter().collect(),
        _ => return Err(strange()),
    };
    let mut listed = Listed { known: Vec::new(), unknown: Vec::new() };
    let mut so_far = Abilities::empty();
    for at in 0..levels {
        if let Some(added) = lists.get(at) {
            for name in added.as_array().ok_or_else(strange)? {
                let name = name.as_str().ok_or_else(strange)?;
                match Ability::from_str(name) {
                    Ok(ability) => so_far |= ability,
                    Err(_) => listed.unknown.push((at as u8 + 1, name.to_owned())),
                }
            }
        }
        listed.known.push(so_far);
    }
    Ok(listed)
}
