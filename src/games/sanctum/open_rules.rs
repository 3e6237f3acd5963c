//! Rules that the page leaves open and that a scenario can switch, so that a designer sees whether a conclusion
//! depends on how they are read. The page's own reading, as far as it has one, is the default.

use schemars::JsonSchema;
use serde::Deserialize;

/// How open rules are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OpenRules {
    /// Whose attacks count when a minion estimates whom it could kill in this round.
    pub kill_estimate: KillEstimate,
    /// Whether "kills" effects happen, and an experience level is earned, when the dying was cancelled within Minion
    /// Death. Left out: only a burial is a kill.
    pub cancelled_kills: bool,
}

/// Whose attacks count when a minion estimates whom it and its "fellow group members" could kill in this round
/// (Choose Victims Wisely, 2; decision 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KillEstimate {
    /// Its own, and those of comrades whose victim that enemy is already.
    #[default]
    Chosen,
    /// Beside these, those of the group's shooters who have attacks left and no victim yet, as if all of them chose
    /// that enemy, too.
    ShootersTogether,
}
