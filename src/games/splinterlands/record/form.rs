//! The official shapes, as they are written. Keys that say nothing about the battle are passed over.

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::cards::Stats;

/// A battle: the top of a `battle/result`, or what a collection kept of it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct BattleForm {
    /// The official name of the battle.
    #[serde(default, alias = "battle_queue_id_1")]
    pub id: Option<String>,
    pub ruleset: String,
    pub mana_cap: u8,
    /// In collections without details; `battle/result` has the winner's name here.
    #[serde(default)]
    pub winner: Option<String>,
    #[serde(default)]
    pub team1: Option<TeamForm>,
    #[serde(default)]
    pub team2: Option<TeamForm>,
    #[serde(default, deserialize_with = "nested")]
    pub details: Option<DetailsForm>,
}

/// How it was fought.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct DetailsForm {
    #[serde(default)]
    pub seed: Option<String>,
    #[serde(default)]
    pub team1: Option<TeamForm>,
    #[serde(default)]
    pub team2: Option<TeamForm>,
    #[serde(default)]
    pub pre_battle: Vec<Action>,
    #[serde(default)]
    pub rounds: Option<Vec<RoundForm>>,
    #[serde(default)]
    pub winner: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RoundForm {
    pub num: u32,
    pub actions: Vec<Action>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct TeamForm {
    /// The player's name, which `winner` may repeat.
    #[serde(default)]
    pub player: Option<String>,
    pub summoner: CardForm,
    pub monsters: Vec<CardForm>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct CardForm {
    pub card_detail_id: u32,
    pub level: u8,
    #[serde(default)]
    pub stats: Option<[i8; 6]>,
    #[serde(default)]
    pub abilities: Vec<String>,
    #[serde(default)]
    pub state: Option<CardStateForm>,
}

/// A monster's numbers, or a summoner's numbers and abilities.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct CardStateForm {
    pub stats: [i8; 6],
    #[serde(default)]
    pub abilities: Vec<String>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Action {
    /// What: `melee attack`, `death`, `buff`, ...
    #[serde(rename = "type")]
    pub kind: String,
    /// Who did it: `team1.0`, `team2.summoner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initiator: Option<String>,
    /// To whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// `hit` or `miss`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The chance to hit, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit_chance: Option<f64>,
    /// The random number that was held against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit_val: Option<f64>,
    /// Damage dealt, or health or armor given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<i32>,
    /// The target afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<MonsterState>,
    /// What a buff is, or the end of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Change>,
    /// Everybody whom it changed, afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_state: Option<Vec<GroupState>>,
}

/// A buff or debuff.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Change {
    /// `Summoner`, or an ability.
    #[serde(default)]
    pub name: String,
}

/// A monster and what it is like after a change.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct GroupState {
    /// Which.
    pub monster: String,
    /// What it is like.
    pub state: MonsterState,
}

/// What a monster is like.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct MonsterState {
    /// Whether it lives.
    pub alive: bool,
    /// Melee, ranged, magic, armor, health, speed.
    pub stats: [i8; 6],
    /// The health it can be healed to.
    pub base_health: i8,
    /// What is on it, and how many times: `["Slow", 1]`.
    #[serde(default)]
    pub other: Vec<(String, i32)>,
}

/// Numbers in the order of the records.
pub(super) fn stats([melee, ranged, magic, armor, health, speed]: [i8; 6]) -> Stats {
    Stats { melee, ranged, magic, armor, health, speed }
}

/// An object, or the same as JSON in a string.
fn nested<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DetailsForm>, D::Error> {
    let value = match Option::<Value>::deserialize(deserializer)? {
        Some(Value::String(text)) => serde_json::from_str(&text)
            .map_err(|error| D::Error::custom(format!("in the string `details`: {error}")))?,
        Some(value) => value,
        None => return Ok(None),
    };
    serde_json::from_value(value)
        .map_err(|error| D::Error::custom(format!("in `details`: {error}")))
}
