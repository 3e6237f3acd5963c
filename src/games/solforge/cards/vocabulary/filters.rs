//! Which creatures are meant.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ByLevel, Faction};
use crate::games::solforge::keyword::Keyword;

/// Which creatures.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilterForm {
    /// Whose creatures. Left out: anybody's.
    #[serde(default)]
    pub side: SideForm,
    /// Whether the creature that has the ability is left out. Left out: true.
    #[serde(default = "yes")]
    pub other: bool,
    /// Whether what was chosen is left out.
    #[serde(default)]
    pub not_chosen: bool,
    /// Where, seen from the creature that has the ability.
    #[serde(default)]
    pub place: Place,
    /// Only with this much attack or less.
    #[serde(default)]
    pub attack_at_most: Option<ByLevel>,
    /// Only with this much attack or more.
    #[serde(default)]
    pub attack_at_least: Option<ByLevel>,
    /// Only in these lanes, 1 to 5 from left to right. Left out: in any.
    #[serde(default)]
    #[schemars(inner(range(min = 1, max = 5)))]
    pub lanes: Vec<u8>,
    /// Only up to this level.
    #[serde(default)]
    pub level_at_most: Option<ByLevel>,
    /// Only of this faction.
    #[serde(default)]
    pub faction: Option<Faction>,
    /// Only of other factions.
    #[serde(default)]
    pub not_faction: Option<Faction>,
    /// Only of this tribe.
    #[serde(default)]
    pub tribe: Option<String>,
    /// Only of other tribes.
    #[serde(default)]
    pub not_tribe: Option<String>,
    /// Only with this keyword.
    #[serde(default)]
    pub keyword: Option<Keyword>,
    /// Only Poisoned ones.
    #[serde(default)]
    pub poisoned: bool,
}

fn yes() -> bool {
    true
}

impl Default for FilterForm {
    /// The filter that is meant where nothing is said, as in `{}`.
    fn default() -> Self {
        Self {
            side: SideForm::default(),
            other: yes(),
            not_chosen: false,
            place: Place::default(),
            attack_at_most: None,
            attack_at_least: None,
            lanes: Vec::new(),
            level_at_most: None,
            faction: None,
            not_faction: None,
            tribe: None,
            not_tribe: None,
            keyword: None,
            poisoned: false,
        }
    }
}

/// Whose creatures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideForm {
    /// Anybody's.
    #[default]
    Any,
    /// Those of the player who has the ability.
    Friend,
    /// The other player's.
    Enemy,
}

/// Where a creature is, seen from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// In any lane.
    #[default]
    Anywhere,
    /// Next to it on its own side.
    Adjacent,
    /// In its lane on the other side.
    Opposite,
}
