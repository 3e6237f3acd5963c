//! Tables: one shape for everything that is written or printed.
//!
//! The way of a result from its counts to a file:
//! 1. [`Destination::open`] opens every file before the first battle, so that a bad path fails at once.
//! 2. Only the `battles` table grows while battles are played: each range of battles fills a
//!    [`BattleRows`], and its chunks go to [`Destination::write`] in the order of the battles.
//! 3. After the last merge [`build`] makes each other table from the [`Tally`], and
//!    [`Destination::write`] takes it whole.
//! 4. [`Destination::finish`] adds the [`Provenance`] and moves every file into its place.
//!
//! Whatever ends before step 4 leaves the results of an earlier run as they were.

mod battles;
mod csv;
mod destination;
mod effects;
mod exact;
mod field;
mod json;
mod markdown;
mod order_effects;
mod orders;
mod outcomes;
#[cfg(feature = "parquet")]
mod parquet;
mod provenance;
mod rulesets;
mod score;
mod sink;
mod sweep;
mod target;
mod unit_pairs;
mod units;

pub use battles::BattleRows;
pub use destination::{Destination, OutputError, Place, Written};
pub use effects::{ruleset_effects, unit_effects};
pub use exact::{exact, exact_orders};
pub use provenance::Provenance;
pub use score::score;
pub use sink::{Sink, sink};
pub use sweep::sweep;

pub(crate) use exact::{outcome_text, outcomes as every_outcome};
pub(crate) use field::{Field, field};
pub(crate) use markdown::escaped as markdown_text;
pub(crate) use order_effects::{OrderEffect, order_effects};
pub(crate) use orders::{OrderRow, order_text, rows as order_rows};
pub(crate) use outcomes::length as mean_length;
pub(crate) use rulesets::{Change, changes};
pub(crate) use target::Target;
pub(crate) use unit_pairs::{UnitPair, unit_pairs};

use std::borrow::Cow;

use crate::analysis::{Estimate, Level};
use crate::scenario::TableName;
use crate::tally::{Layout, Tally};

/// How sure the intervals in result tables are.
pub const LEVEL: Level = Level::P95;

/// A table of named, documented columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The table's name; a file's name without its ending.
    pub name: String,
    /// The columns, in order.
    pub columns: Vec<Column>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, in snake_case.
    pub name: Cow<'static, str>,
    /// What it says, with unit and range.
    pub meaning: Cow<'static, str>,
    /// Its values, one a row.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Words.
    Text(Vec<String>),
    /// Counts.
    Count(Vec<u64>),
    /// Numbers; NaN stands for "not known" and is written as an empty cell or null.
    Number(Vec<f64>),
}

impl Values {
    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Text(values) => values.len(),
            Values::Count(values) => values.len(),
            Values::Number(values) => values.len(),
        }
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Column {
    /// A column of words.
    pub fn text(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        values: Vec<String>,
    ) -> Self {
        Self { name: name.into(), meaning: meaning.into(), values: Values::Text(values) }
    }

    /// A column of counts.
    pub fn count(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        values: Vec<u64>,
    ) -> Self {
        Self { name: name.into(), meaning: meaning.into(), values: Values::Count(values) }
    }

    /// A column of numbers.
    pub fn number(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        values: Vec<f64>,
    ) -> Self {
        Self { name: name.into(), meaning: meaning.into(), values: Values::Number(values) }
    }

    /// Three columns for one list of estimates: the value as `name`, and the ends of its interval as
    /// `name_low` and `name_high`.
    pub fn estimates(name: &str, meaning: &str, estimates: &[Estimate]) -> [Self; 3] {
        let percent = 100.0 * LEVEL.confidence();
        let list = |pick: fn(&Estimate) -> f64| estimates.iter().map(pick).collect();
        [
            Self::number(name.to_owned(), meaning.to_owned(), list(|e| e.value)),
            Self::number(
                format!("{name}_low"),
                format!("lower end of the {percent}% interval of {name}"),
                list(|e| e.low),
            ),
            Self::number(
                format!("{name}_high"),
                format!("upper end of the {percent}% interval of {name}"),
                list(|e| e.high),
            ),
        ]
    }
}

impl Table {
    /// How many rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }
}

/// A result table made from counts. None for `battles`, which [`BattleRows`] makes, for the tables of rulesets when
/// nothing is drawn before a battle, and for those of other commands than `evens run`. The tables of pairs of units need
/// pairs to have been counted.
#[must_use]
pub fn build(name: TableName, layout: &Layout, tally: &Tally) -> Option<Table> {
    match name {
        TableName::Outcomes => Some(outcomes::table(layout, tally)),
        TableName::Rulesets => rulesets::table(layout, tally),
        TableName::Orders => Some(orders::table(layout, tally)),
        TableName::OrderEffects => Some(order_effects::table(layout, tally)),
        TableName::Field => Some(field::table(layout, tally)),
        TableName::Units => Some(units::table(layout, tally)),
        TableName::UnitsByRuleset => units::by_factor_table(layout, tally),
        TableName::UnitPairs => unit_pairs::table(layout, tally),
        TableName::UnitPairsByRuleset => unit_pairs::by_factor_table(layout, tally),
        TableName::Battles
        | TableName::Sweep
        | TableName::RulesetEffects
        | TableName::UnitEffects
        | TableName::Scores
        | TableName::Calibration
        | TableName::Forecasts
        | TableName::Exact
        | TableName::ExactOrders => None,
    }
}

/// A side's letter as a column name ends with it.
fn side_suffix(side: usize) -> char {
    char::from(b'a' + side as u8)
}

/// A label as a column name begins with it: lower case, words joined by underscores.
fn snake_case(label: &str) -> String {
    let mut name = String::with_capacity(label.len());
    for letter in label.chars() {
        if letter.is_alphanumeric() {
            name.extend(letter.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    name.truncate(name.trim_end_matches('_').len());
    name
}

#[cfg(test)]
mod tests;
