//! Numbers, by level or read off the game.

use schemars::JsonSchema;
use serde::Deserialize;

/// A whole number at every level, or one for each level.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ByLevel {
    /// The same at every level.
    Same(i16),
    /// One for each level, level 1 first.
    Each(Vec<i16>),
}

/// A number that an effect uses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AmountForm {
    /// The same at every level.
    Same(i16),
    /// One for each level, level 1 first.
    Each(Vec<i16>),
    /// Read off the game when the effect happens.
    Read(ReadForm),
}

/// A number read off the game when the effect happens.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadForm {
    /// What is read.
    pub of: Quantity,
    /// Whose it is. Left out: the creature that has the ability.
    #[serde(default)]
    pub whose: Whose,
    /// Times what; -1 takes it away, or nothing where it is below 0. Left out: 1.
    #[serde(default = "one")]
    pub times: i16,
    /// With `of = "random"`: the lowest it can be, by level.
    #[serde(default)]
    pub low: Option<ByLevel>,
    /// With `of = "random"`: the highest it can be, by level. All whole numbers between are equally likely.
    #[serde(default)]
    pub high: Option<ByLevel>,
}

fn one() -> i16 {
    1
}

/// Something that can be read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A creature's attack as it is now.
    Attack,
    /// A creature's health as it is now.
    Health,
    /// A creature's Poison.
    Poison,
    /// The life of the player whom `whose` belongs to, or of `you` or `opponent`.
    Life,
    /// The damage that set the ability off.
    Dealt,
    /// How many cards are in hand of the player whom `whose` belongs to, or of `you` or `opponent`.
    Hand,
    /// A whole number drawn between `low` and `high`.
    Random,
}

/// Whose number is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// The creature that has the ability.
    #[default]
    Itself,
    /// The creature on which the effect acts.
    Target,
    /// The creature that was chosen.
    Chosen,
    /// The player who has the ability.
    You,
    /// The other player.
    Opponent,
}
