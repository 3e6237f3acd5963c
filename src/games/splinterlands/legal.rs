//! Which cards can be brought: rulesets, factions, mana, leagues (step 2).

use schemars::JsonSchema;
use serde::Deserialize;
use strum::{Display, EnumIter, IntoStaticStr};

use super::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity};
use super::ruleset::{Ruleset, Rulesets};
use super::setup::{CardAt, LineUp};

/// The factions of which a dragon summoner leads one.
pub const SPLINTERS: [Faction; 5] =
    [Faction::Fire, Faction::Water, Faction::Earth, Faction::Life, Faction::Death];

/// A league. It caps the level of summoners, and with it that of monsters.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Deserialize,
    JsonSchema,
    Display,
    EnumIter,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum League {
    /// Summoners at level 1.
    Novice,
    /// Summoners up to level 3, 2, 2, 1 by rarity.
    Bronze,
    /// Summoners up to level 5, 4, 3, 2 by rarity.
    Silver,
    /// Summoners up to level 8, 6, 5, 3 by rarity.
    Gold,
    /// No cap.
    Diamond,
    /// No cap.
    #[default]
    Champion,
}

impl League {
    /// The highest level of a summoner of this rarity (guide, Heavy Hitters; SP-86).
    #[must_use]
    pub fn summoner_cap(self, rarity: Rarity) -> u8 {
        let by_rarity = match self {
            League::Novice => [1, 1, 1, 1],
            League::Bronze => [3, 2, 2, 1],
            League::Silver => [5, 4, 3, 2],
            League::Gold => [8, 6, 5, 3],
            League::Diamond | League::Champion => [10, 8, 6, 4],
        };
        by_rarity[rarity as usize - 1]
    }
}

/// The highest level of a monster under a summoner: the same part of its rarity's levels, rounded to the
/// nearest level (half up), at least 1 (guide, Silenced Summoners, Heavy Hitters; SP-39, SP-86).
#[must_use]
pub fn monster_cap(summoner: &Card, level: u8, monster: Rarity) -> u8 {
    let of = u16::from(summoner.rarity.max_level());
    let part = u16::from(monster.max_level()) * u16::from(level);
    ((2 * part + of) / (2 * of)).max(1) as u8
}

/// The rulesets that forbid cards: conditions that have the same of these allow the same cards.
pub const SELECTION: Rulesets = enumset::enum_set!(
    Ruleset::BrokenArrows
        | Ruleset::KeepYourDistance
        | Ruleset::LostMagic
        | Ruleset::UpCloseAndPersonal
        | Ruleset::EvenStevens
        | Ruleset::OddOnesOut
        | Ruleset::LittleLeague
        | Ruleset::LostLegendaries
        | Ruleset::RiseOfTheCommons
        | Ruleset::TakingSides
);

/// The ruleset that forbids a monster at a level, if one does (guide, Secondary Rulesets; SP-93, SP-94, SP-95, SP-96,
/// SP-97, SP-98, SP-99, SP-102, SP-103, SP-104, SP-105).
#[must_use]
pub fn forbids_monster(rulesets: Rulesets, card: &Card, level: &Level) -> Option<Ruleset> {
    let stats = &level.stats;
    rulesets.iter().find(|ruleset| match ruleset {
        Ruleset::BrokenArrows => stats.ranged > 0,
        Ruleset::KeepYourDistance => stats.melee > 0,
        Ruleset::LostMagic => stats.magic > 0,
        Ruleset::UpCloseAndPersonal => stats.melee == 0,
        Ruleset::EvenStevens => !card.mana.is_multiple_of(2),
        Ruleset::OddOnesOut => card.mana.is_multiple_of(2),
        Ruleset::LittleLeague => card.mana > 4,
        Ruleset::LostLegendaries => card.rarity == Rarity::Legendary,
        Ruleset::RiseOfTheCommons => card.rarity > Rarity::Rare,
        Ruleset::TakingSides => card.faction == Faction::Neutral,
        Ruleset::AimTrue
        | Ruleset::ArmoredUp
        | Ruleset::BackToBasics
        | Ruleset::FogOfWar
        | Ruleset::SilencedSummoners
        | Ruleset::Standard
        | Ruleset::SuperSneak
        | Ruleset::TargetPractice
        | Ruleset::Unprotected
        | Ruleset::WeakMagic
        | Ruleset::CloseRange
        | Ruleset::Earthquake
        | Ruleset::Equalizer
        | Ruleset::HealedOut
        | Ruleset::HeavyHitters
        | Ruleset::ReverseSpeed
        | Ruleset::MeleeMayhem
        | Ruleset::EqualOpportunity
        | Ruleset::ExplosiveWeaponry
        | Ruleset::HolyProtection
        | Ruleset::NoxiousFumes
        | Ruleset::SpreadingFury
        | Ruleset::Stampede => false,
    })
}

/// The ruleset that forbids a summoner, if one does: only Little League (decision 8; SP-97, SP-98, SP-103).
#[must_use]
pub fn forbids_summoner(rulesets: Rulesets, card: &Card) -> Option<Ruleset> {
    (rulesets.contains(Ruleset::LittleLeague) && card.mana > 4).then_some(Ruleset::LittleLeague)
}

/// Whether a summoner leads monsters of this faction; a dragon summoner has chosen `splinter` besides.
#[must_use]
pub fn leads(summoner: Faction, splinter: Option<Faction>, monster: Faction) -> bool {
    monster == Faction::Neutral || monster == summoner || Some(monster) == splinter
}

/// Why a team is illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A card that is no summoner leads.
    #[error("`{0}` is not a summoner")]
    NotASummoner(String),
    /// A summoner among the monsters.
    #[error("`{0}` is not a monster")]
    NotAMonster(String),
    /// A card twice.
    #[error("`{0}` is in the team twice")]
    Twice(String),
    /// A monster of a faction that the summoner does not lead.
    #[error("`{monster}` ({faction}) cannot be led by `{summoner}`")]
    Faction {
        /// The monster.
        monster: String,
        /// Its faction.
        faction: Faction,
        /// The summoner.
        summoner: String,
    },
    /// A level that the league, or the summoner, does not allow.
    #[error("`{card}` can be at most level {cap} here, not {level}")]
    Level {
        /// The card.
        card: String,
        /// The level it has.
        level: u8,
        /// The highest it can have.
        cap: u8,
    },
    /// A card that a ruleset forbids.
    #[error("{ruleset} does not allow `{card}`")]
    Ruleset {
        /// The card.
        card: String,
        /// The ruleset.
        ruleset: Ruleset,
    },
    /// A team that costs too much.
    #[error("the team costs {cost} mana and the cap is {cap}")]
    Mana {
        /// What it costs.
        cost: u32,
        /// What it may cost.
        cap: u8,
    },
}

/// Everything that makes a team illegal whatever the rulesets and the mana cap, each with its place in the team (0 the
/// summoner, then the monsters).
#[must_use]
pub fn faults_of_team(
    catalogue: &Catalogue,
    team: &LineUp,
    league: League,
) -> Vec<(usize, Illegal)> {
    let leader = catalogue.card(team.summoner);
    let is_led = leader.kind == CardKind::Summoner;
    let mut faults = Vec::new();
    let cap = league.summoner_cap(leader.rarity);
    if !is_led {
        faults.push((0, Illegal::NotASummoner(leader.name.clone())));
    } else if team.summoner.level > cap {
        faults.push((0, too_high(leader, team.summoner.level, cap)));
    }
    let splinter = splinter_of(catalogue, team);
    for (at, &monster) in team.monsters.iter().enumerate() {
        let card = catalogue.card(monster);
        let mut fault = |illegal| faults.push((at + 1, illegal));
        if card.kind != CardKind::Monster {
            fault(Illegal::NotAMonster(card.name.clone()));
            continue;
        }
        if team.monsters[..at].iter().any(|other| other.card == monster.card) {
            fault(Illegal::Twice(card.name.clone()));
        }
        if !is_led {
            continue;
        }
        if !leads(leader.faction, splinter, card.faction) {
            fault(Illegal::Faction {
                monster: card.name.clone(),
                faction: card.faction,
                summoner: leader.name.clone(),
            });
        }
        let cap = monster_cap(leader, team.summoner.level, card.rarity);
        if monster.level > cap {
            fault(too_high(card, monster.level, cap));
        }
    }
    faults
}

/// The splinter that a dragon summoner leads: the faction of its foremost monster that belongs to one. None for other
/// summoners, and where there is no such monster.
fn splinter_of(catalogue: &Catalogue, team: &LineUp) -> Option<Faction> {
    if catalogue.card(team.summoner).faction != Faction::Dragon {
        return None;
    }
    let mut factions = team.monsters.iter().map(|&monster| catalogue.card(monster).faction);
    factions.find(|faction| SPLINTERS.contains(faction))
}

fn too_high(card: &Card, level: u8, cap: u8) -> Illegal {
    Illegal::Level { card: card.name.clone(), level, cap }
}

/// Why a team cannot be brought to a battle with these rulesets and this mana cap (guide, Silenced Summoners, Secondary
/// Rulesets; SP-39, SP-92).
#[must_use]
pub fn faults_in_battle(
    catalogue: &Catalogue,
    team: &LineUp,
    rulesets: Rulesets,
    mana_cap: u8,
) -> Vec<Illegal> {
    let leader = catalogue.card(team.summoner);
    let mut faults = Vec::new();
    let mut forbid = |card: &Card, ruleset: Option<Ruleset>| {
        if let Some(ruleset) = ruleset {
            faults.push(Illegal::Ruleset { card: card.name.clone(), ruleset });
        }
    };
    forbid(leader, forbids_summoner(rulesets, leader));
    for &monster in &team.monsters {
        let card = catalogue.card(monster);
        forbid(card, forbids_monster(rulesets, card, catalogue.level(monster)));
    }
    let cards: Vec<CardAt> = team.monsters.iter().copied().chain([team.summoner]).collect();
    let cost = cards.iter().map(|&card| u32::from(catalogue.card(card).mana)).sum();
    if cost > u32::from(mana_cap) {
        faults.push(Illegal::Mana { cost, cap: mana_cap });
    }
    faults
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::games::splinterlands::ruleset::Works;

    #[test]
    fn the_rulesets_that_forbid_cards_are_said_in_the_rows() {
        let bundled = crate::games::splinterlands::bundled();
        for ruleset in Ruleset::iter() {
            let selects = ruleset.facts().works == Works::Selection;
            assert_eq!(SELECTION.contains(ruleset), selects, "{ruleset}");
            let forbids = bundled.cards.iter().any(|card| match card.kind {
                CardKind::Summoner => forbids_summoner(ruleset.into(), card).is_some(),
                CardKind::Monster => {
                    let forbids = |level| forbids_monster(ruleset.into(), card, level).is_some();
                    card.levels.iter().any(forbids)
                }
            });
            assert_eq!(forbids, selects, "{ruleset}");
        }
    }
}
