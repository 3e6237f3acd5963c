//! The conclusions drawn from a tally.

use std::cell::OnceCell;

use super::tables::{self, Change, MatchupUnit, OrderEffect, UnitPair, UnitRow};
use crate::report::{in_table, see_table};
use crate::scenario::{TableName, Watched};
use crate::statistics::{Estimate, Level, Scores};
use crate::tally::{Layout, Tally};

/// A tally, the names behind its numbers and the level of intervals, with the comparisons drawn from them. Each
/// comparison is made once, when it is first asked for; the page and the tables share it.
#[derive(Debug)]
pub struct Analysis<'t> {
    /// The layout of the tally: the names behind its numbers.
    pub layout: &'t Layout,
    /// The counts of the battles.
    pub tally: &'t Tally,
    /// The level of the intervals: the usual [`LEVEL`](crate::table::LEVEL), or the level of the
    /// [rule](crate::batch::StoppingRule::level) that ended the run.
    pub level: Level,
    /// Side A's score over all match-ups, with an interval that holds at the stop; only where a rule that looked at this
    /// score ended the run: a test, or confidence sequences of a single match-up.
    pub tested: Option<Estimate>,
    /// The tables that the run writes where it writes any: the page refers to them.
    pub tables: Vec<TableName>,
    scores: Scores,
    changes: OnceCell<Vec<Change>>,
    order_effects: OnceCell<Vec<OrderEffect>>,
    units: OnceCell<Vec<UnitRow<'t>>>,
    unit_pairs: OnceCell<Vec<UnitPair>>,
    units_by_matchup: OnceCell<Vec<MatchupUnit>>,
}

impl<'t> Analysis<'t> {
    /// An analysis in which no comparison has been made yet.
    #[must_use]
    pub fn new(layout: &'t Layout, tally: &'t Tally, level: Level) -> Self {
        Self {
            layout,
            tally,
            level,
            tested: None,
            tables: Watched::default().tables,
            scores: Scores::new(tally.measure(), level),
            changes: OnceCell::new(),
            order_effects: OnceCell::new(),
            units: OnceCell::new(),
            unit_pairs: OnceCell::new(),
            units_by_matchup: OnceCell::new(),
        }
    }

    /// The beginning of a sentence on where the rest of what the page shows is: that the table has it, or how to have that
    /// table written where others were asked for.
    pub(super) fn in_table(&self, table: TableName, has: &str) -> String {
        in_table(self.tables.contains(&table), table, has)
    }

    /// The same in parentheses.
    pub(super) fn see_table(&self, table: TableName) -> String {
        see_table(self.tables.contains(&table), table)
    }

    /// Turns results into scores by the tally's measure.
    pub(super) fn scores(&self) -> &Scores {
        &self.scores
    }

    /// The change that each factor makes for each side of each match-up.
    pub(super) fn changes(&self) -> &[Change] {
        self.changes.get_or_init(|| tables::changes(self.layout, self.tally))
    }

    /// How the orders of events are associated with who wins, or decide it.
    pub(super) fn order_effects(&self) -> &[OrderEffect] {
        let compare = || tables::order_effects(self.layout, self.tally, self.level);
        self.order_effects.get_or_init(compare)
    }

    /// How each unit of each contender fared.
    pub(super) fn units(&self) -> &[UnitRow<'t>] {
        self.units.get_or_init(|| tables::units(self.layout, self.tally, self.level))
    }

    /// How every pair of units that were in one team fared.
    pub(super) fn unit_pairs(&self) -> &[UnitPair] {
        self.unit_pairs.get_or_init(|| tables::unit_pairs(self.layout, self.tally, self.level))
    }

    /// How the presence of each unit is associated with its contender's score in each match-up.
    pub(super) fn units_by_matchup(&self) -> &[MatchupUnit] {
        let compare = || tables::units_by_matchup(self.layout, self.tally, self.level);
        self.units_by_matchup.get_or_init(compare)
    }
}
