//! Editions of the game.

use schemars::JsonSchema;
use serde::Deserialize;
use strum::{Display, EnumIter, EnumString, IntoStaticStr};

/// Which rulesets and abilities there are. What both editions have works alike in both.
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
    EnumString,
    EnumIter,
    IntoStaticStr,
)]
pub enum Edition {
    /// The guide's, of May 2020.
    #[default]
    #[serde(rename = "2020")]
    #[strum(serialize = "2020")]
    Guide,
    /// Of April 2022, as far as it is known here: six more rulesets and six more abilities.
    #[serde(rename = "2022")]
    #[strum(serialize = "2022")]
    Later,
}
