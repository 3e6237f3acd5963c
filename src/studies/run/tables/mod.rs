//! The tables that a run fills.
//!
//! Only `battles` grows while battles are played: each range of battles fills a [`BattleRows`]. Every other table is
//! made from the [`Tally`] after the last merge, by [`build`].

mod battles;
mod field;
mod order_effects;
mod orders;
mod outcomes;
mod rulesets;
mod unit_pairs;
mod units;
mod units_by_matchup;

pub use battles::{BattleRows, BattleTexts};

pub(crate) use field::{Field, field, lead_in_words};
pub(crate) use order_effects::{OrderEffect, one_order_prevails, order_effects};
pub(crate) use orders::{OrderRow, Population, populations};
pub(crate) use outcomes::{length as mean_length, metric_mean};
pub(crate) use rulesets::{Change, changes, of_changes as table_of_changes};
pub(crate) use unit_pairs::{UnitPair, of_pairs as table_of_pairs, unit_pairs};
pub(crate) use units::{ENOUGH, UnitRow, differs, fought, units};
pub(crate) use units_by_matchup::{MatchupUnit, table as matchup_table, units_by_matchup};

use super::Analysis;
use crate::scenario::TableName;
use crate::table::Table;

/// Builds a result table from counts. None for `battles`, which [`BattleRows`] makes, for `activity`, which is
/// watched separately, for tables of factors when nothing is drawn before a battle, and for pairs of units where they
/// were not counted.
#[must_use]
pub fn build(name: TableName, analysis: &Analysis<'_>) -> Option<Table> {
    let Analysis { layout, tally, level, .. } = *analysis;
    match name {
        TableName::Outcomes => Some(outcomes::table(layout, tally, level)),
        TableName::Factors => rulesets::table(analysis),
        TableName::Orders => Some(orders::table(layout, tally, level)),
        TableName::OrderEffects => Some(order_effects::table(analysis)),
        TableName::Field => Some(field::table(layout, tally, level)),
        TableName::Units => Some(units::table(analysis)),
        TableName::UnitsByFactor => units::by_factor_table(layout, tally, level),
        TableName::UnitPairs => unit_pairs::table(analysis),
        TableName::UnitPairsByFactor => unit_pairs::by_factor_table(layout, tally, level),
        TableName::Battles | TableName::Activity => None,
    }
}

#[cfg(test)]
mod tests;
