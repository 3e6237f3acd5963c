//! The part of a scenario that is the same for every game.

use std::num::NonZeroU64;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Sweep;
use crate::table::Format;

/// What every scenario says, whatever its game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// The rule system: `splinterlands`, `solforge`, `sanctum` or `eldertale`.
    pub game: String,
    /// The question this scenario answers, in one sentence. Printed above the results.
    #[serde(default)]
    pub question: Option<String>,
    /// The master seed. The same scenario and seed give the same results, byte for byte.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// How many battles to play.
    #[schemars(range(min = 1, max = 100_000_000_000_000_u64))]
    pub battles: u64,
    /// What to count.
    #[serde(default)]
    pub watch: Watched,
    /// Where results go. The command line has the last word.
    #[serde(default)]
    pub output: Output,
    /// What `evens sweep` varies. Other commands ignore it.
    #[serde(default)]
    pub sweep: Option<Sweep>,
}

impl Common {
    /// How many battles to play.
    ///
    /// # Panics
    /// Never for a scenario that was checked: it has at least one.
    #[must_use]
    pub fn battles(&self) -> NonZeroU64 {
        NonZeroU64::new(self.battles).expect("a scenario has at least one battle")
    }
}

/// Whether a key of a scenario is one of those that all games share.
pub(super) fn is_common(key: &str) -> bool {
    static SCHEMA: LazyLock<schemars::Schema> = LazyLock::new(|| schemars::schema_for!(Common));
    let keys = SCHEMA.get("properties").and_then(serde_json::Value::as_object);
    keys.is_some_and(|keys| keys.contains_key(key))
}

fn default_seed() -> u64 {
    1
}

/// What to count while playing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Watched {
    /// The tables to fill. Left out: `outcomes`, `rulesets`, `orders` and `units`.
    #[serde(default = "default_tables")]
    #[schemars(length(min = 1))]
    pub tables: Vec<TableName>,
}

impl Default for Watched {
    fn default() -> Self {
        Self { tables: default_tables() }
    }
}

fn default_tables() -> Vec<TableName> {
    vec![TableName::Outcomes, TableName::Factors, TableName::Orders, TableName::Units]
}

/// A result table.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema, strum::Display,
)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "cli", clap(rename_all = "snake_case"))]
pub enum TableName {
    /// Win rates by match-up and side.
    Outcomes,
    /// How often each ruleset came up, and the difference to battles without it.
    #[serde(rename = "rulesets")]
    #[strum(serialize = "rulesets")]
    #[cfg_attr(feature = "cli", clap(name = "rulesets"))]
    Factors,
    /// In which order things happened, how often, and who won then.
    Orders,
    /// Where the order of things decides who wins.
    OrderEffects,
    /// The round robin of contenders that all meet each other, and its mixed equilibrium.
    Field,
    /// How each card, summoner or minion fared.
    Units,
    /// How each of them fared under each ruleset.
    #[serde(rename = "units_by_ruleset")]
    #[strum(serialize = "units_by_ruleset")]
    #[cfg_attr(feature = "cli", clap(name = "units_by_ruleset"))]
    UnitsByFactor,
    /// Which of them do better or worse together than their odds ratios predict, where teams are drawn.
    UnitPairs,
    /// Which do so under each ruleset, beyond their odds ratios there.
    #[serde(rename = "unit_pairs_by_ruleset")]
    #[strum(serialize = "unit_pairs_by_ruleset")]
    #[cfg_attr(feature = "cli", clap(name = "unit_pairs_by_ruleset"))]
    UnitPairsByFactor,
    /// How often each ability, effect and card had an effect, in some of the battles.
    Activity,
    /// One row per battle.
    Battles,
}

/// Where results go.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The folder to write tables to, seen from where the program is started. Left out: nothing is
    /// written, the summary is printed.
    #[serde(default)]
    pub folder: Option<String>,
    /// The format of the tables. Left out: Parquet, or CSV where the program was built without Parquet.
    #[serde(default)]
    pub format: Option<Format>,
}
