//! The official shapes, as they are written in files. Keys that say nothing about the battle are passed over.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::Value;

use super::Unit;
use crate::games::splinterlands::cards::Stats;

/// A battle: the top of a `battle/result`, or what a collection kept of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "a battle, in braces")]
pub(super) struct BattleForm {
    /// The official name of the battle.
    #[serde(default)]
    pub id: Option<String>,
    /// The official name of the battle in a player's history.
    #[serde(default)]
    pub battle_queue_id_1: Option<String>,
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

/// How a battle was fought.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(expecting = "how a battle was fought, in braces")]
pub(super) struct DetailsForm {
    #[serde(default)]
    pub seed: Option<String>,
    #[serde(default)]
    pub team1: Option<TeamForm>,
    #[serde(default)]
    pub team2: Option<TeamForm>,
    /// `Surrender` where one side gave up before the battle.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    #[serde(default)]
    pub pre_battle: Vec<ActionForm>,
    #[serde(default)]
    pub rounds: Option<Vec<RoundForm>>,
    #[serde(default)]
    pub winner: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "a round of a battle, in braces")]
pub(super) struct RoundForm {
    pub num: u32,
    pub actions: Vec<ActionForm>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "a team, in braces")]
pub(super) struct TeamForm {
    /// The player's name, which `winner` may repeat.
    #[serde(default)]
    pub player: Option<String>,
    /// None in a team that was never sent.
    #[serde(default)]
    pub summoner: Option<CardForm>,
    #[serde(default)]
    pub monsters: Vec<CardForm>,
}

/// A team that was sent: with a summoner; a real one may have no monster.
#[derive(Clone, Debug)]
pub(super) struct CompleteTeam {
    pub player: Option<String>,
    pub summoner: CardForm,
    pub monsters: Vec<CardForm>,
}

impl TeamForm {
    pub fn complete(self) -> Option<CompleteTeam> {
        let Self { player, summoner, monsters } = self;
        Some(CompleteTeam { player, summoner: summoner?, monsters })
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "a card of a team, in braces")]
pub(super) struct CardForm {
    /// The name of this one card of its owner, by which actions refer to it.
    #[serde(default)]
    pub uid: Option<String>,
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
#[serde(expecting = "what a card is like, in braces")]
pub(super) struct CardStateForm {
    #[serde(default)]
    pub stats: Option<[i8; 6]>,
    #[serde(default)]
    pub abilities: Vec<String>,
}

/// One action, with its units named as they are in the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "an action, in braces")]
pub(super) struct ActionForm {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub initiator: Option<String>,
    #[serde(default)]
    pub target: Option<String>,
    #[serde(default)]
    pub result: Option<String>,
    #[serde(default)]
    pub hit_chance: Option<f64>,
    #[serde(default)]
    pub damage: Option<i32>,
    #[serde(default)]
    pub state: Option<MonsterState>,
    #[serde(default)]
    pub details: Option<Change>,
    #[serde(default)]
    pub group_state: Option<Vec<GroupStateForm>>,
}

/// A monster, named as it is in the file, and its state after a change.
#[derive(Clone, Debug, Deserialize)]
#[serde(expecting = "a monster and what it is like, in braces")]
pub(super) struct GroupStateForm {
    pub monster: String,
    pub state: MonsterState,
}

/// One recorded action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its kind: `melee attack`, `death`, `buff`, ...
    pub kind: Cow<'static, str>,
    /// Who did it.
    pub initiator: Option<Unit>,
    /// Whom it was done to.
    pub target: Option<Unit>,
    /// `hit` or `miss`.
    pub result: Option<Cow<'static, str>>,
    /// The chance to hit, from 0 to 1.
    pub hit_chance: Option<f64>,
    /// Damage dealt, or health or armor given.
    pub damage: Option<i32>,
    /// The target's state afterwards.
    pub state: Option<MonsterState>,
    /// Which buff begins or ends.
    pub details: Option<Change>,
    /// The states of all monsters that it changed, afterwards.
    pub group_state: Option<Vec<GroupState>>,
}

impl Action {
    /// An action of which nothing but the kind is known.
    pub(super) fn of(kind: Cow<'static, str>) -> Self {
        Self {
            kind,
            initiator: None,
            target: None,
            result: None,
            hit_chance: None,
            damage: None,
            state: None,
            details: None,
            group_state: None,
        }
    }
}

/// A buff or debuff.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(expecting = "a buff or debuff, in braces")]
pub struct Change {
    /// `Summoner`, or an ability.
    #[serde(default)]
    pub name: String,
}

/// A monster and its state after a change.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupState {
    /// The monster.
    pub monster: Unit,
    /// Its state.
    pub state: MonsterState,
}

/// A monster's state as recorded.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(expecting = "what a monster is like, in braces")]
pub struct MonsterState {
    /// Whether it lives.
    pub alive: bool,
    /// Melee, ranged, magic, armor, health, speed.
    pub stats: [i8; 6],
    /// The health it can be healed to.
    pub base_health: i8,
}

/// Stats from numbers in the order of the records.
pub(super) fn stats([melee, ranged, magic, armor, health, speed]: [i8; 6]) -> Stats {
    Stats { melee, ranged, magic, armor, health, speed }
}

/// Reads an object, or the same as JSON in a string; null or an empty string is None.
fn nested<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DetailsForm>, D::Error> {
    let value = match Option::<Value>::deserialize(deserializer)? {
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
        Some(Value::String(text)) => serde_json::from_str(&text)
            .map_err(|error| D::Error::custom(format!("in the string `details`: {error}")))?,
        Some(value) => value,
        None => return Ok(None),
    };
    serde_json::from_value(value)
        .map_err(|error| D::Error::custom(format!("in `details`: {error}")))
}
