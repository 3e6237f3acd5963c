//! Card files of the official game, in the shape of its `cards/get_details`.

use std::str::FromStr;

use serde::Deserialize;

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

#[derive(Deserialize)]
struct OfficialCard {
    id: u16,
    name: String,
    color: String,
    #[serde(rename = "type")]
    kind: CardKind,
    rarity: u8,
    stats: OfficialStats,
}

#[derive(Deserialize)]
struct OfficialStats {
    mana: ByLevel,
    attack: ByLevel,
    ranged: ByLevel,
    magic: ByLevel,
    armor: ByLevel,
    health: ByLevel,
    speed: ByLevel,
    /// A monster's: a list by level of what the level adds. A summoner's: one list.
    abilities: Option<Vec<serde_json::Value>>,
}

/// A number for every level, or one for all.
#[derive(Deserialize)]
#[serde(untagged)]
enum ByLevel {
    Same(i8),
    Each(Vec<i8>),
}

impl ByLevel {
    fn at(&self, level: usize) -> Option<i8> {
        match self {
            ByLevel::Same(value) => Some(*value),
            ByLevel::Each(values) => values.get(level).copied(),
        }
    }
}

/// Reads an official card file. A card that needs something we do not know is left out, never changed.
///
/// # Errors
/// When the file is not JSON of the official shape.
pub fn import(source: &Source) -> Result<Imported, Faults> {
    let cards: Vec<OfficialCard> = serde_json::from_str(source.inner()).map_err(|error| {
        let line = source.inner().split_inclusive('\n').take(error.line().saturating_sub(1));
        let at = line.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let at = at.min(source.inner().len());
        let remedy = "the file must have the shape of the official cards/get_details";
        Faults::one(source.name(), Fault::at(source, at..at, error.to_string(), remedy))
    })?;
    let mut imported = Imported { catalogue: Catalogue::default(), left_out: Vec::new() };
    for card in cards {
        let name = card.name.clone();
        match understood(card) {
            Ok(card) => imported.catalogue.cards.push(card),
            Err(reason) => imported.left_out.push((name, reason)),
        }
    }
    Ok(imported)
}

fn understood(card: OfficialCard) -> Result<Card, String> {
    let rarity = [Rarity::Common, Rarity::Rare, Rarity::Epic, Rarity::Legendary]
        .get(usize::from(card.rarity).wrapping_sub(1))
        .copied()
        .ok_or_else(|| format!("unknown rarity {}", card.rarity))?;
    let faction = match card.color.as_str() {
        "Red" => Faction::Fire,
        "Blue" => Faction::Water,
        "Green" => Faction::Earth,
        "White" => Faction::Life,
        "Black" => Faction::Death,
        "Gold" => Faction::Dragon,
        "Gray" => Faction::Neutral,
        other => return Err(format!("unknown color {other}")),
    };
    let levels = (0..usize::from(rarity.max_level()))
        .map(|at| level(&card, at))
        .collect::<Result<Vec<_>, _>>()?;
    let mana = card.stats.mana.at(0).filter(|&mana| mana >= 0).ok_or("no mana cost")?;
    let constant = (0..levels.len()).all(|at| card.stats.mana.at(at) == Some(mana));
    if !constant {
        return Err("its mana cost changes with its level".to_owned());
    }
    let OfficialCard { id, name, kind, .. } = card;
    Ok(Card { id, name, faction, kind, rarity, mana: mana as u8, levels })
}

fn level(card: &OfficialCard, at: usize) -> Result<Level, String> {
    let stats = &card.stats;
    let number =
        |values: &ByLevel| values.at(at).ok_or_else(|| format!("no numbers for level {}", at + 1));
    Ok(Level {
        stats: Stats {
            melee: number(&stats.attack)?,
            ranged: number(&stats.ranged)?,
            magic: number(&stats.magic)?,
            armor: number(&stats.armor)?,
            health: number(&stats.health)?,
            speed: number(&stats.speed)?,
        },
        abilities: abilities(card, at)?,
    })
}

/// All abilities at a level: those that this level and the ones before it add.
fn abilities(card: &OfficialCard, at: usize) -> Result<Abilities, String> {
    let mut abilities = Abilities::empty();
    let Some(lists) = &card.stats.abilities else { return Ok(abilities) };
    let up_to = match card.kind {
        CardKind::Monster => lists
            .iter()
            .take(at + 1)
            .flat_map(|list| list.as_array().into_iter().flatten())
            .collect(),
        CardKind::Summoner => lists.iter().collect::<Vec<_>>(),
    };
    for name in up_to {
        let name = name.as_str().ok_or("an ability that is not a word")?;
        abilities |= Ability::from_str(name).map_err(|_| format!("unknown ability {name}"))?;
    }
    Ok(abilities)
}
