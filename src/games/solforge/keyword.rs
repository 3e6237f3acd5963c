//! What a creature can do without being asked.

use enumset::EnumSetType;
use schemars::JsonSchema;
use serde::Deserialize;

/// A keyword without a number. Those with one (Armor, Mobility, Regenerate, Poison) are numbers of the
/// creature.
#[derive(EnumSetType, Debug, Hash, Deserialize, JsonSchema, strum::Display, strum::EnumIter)]
#[serde(rename_all = "lowercase")]
pub enum Keyword {
    /// On the offensive from the moment it enters.
    Aggressive,
    /// Never starts a battle.
    Defender,
    /// Battle damage beyond the blocker's health goes to the player, while it is on the offensive.
    Breakthrough,
}
