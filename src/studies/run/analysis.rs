//! What is concluded from a tally.

use std::cell::OnceCell;

use super::tables::{self, Change, MatchupUnit, OrderEffect, UnitPair, UnitRow};
use crate::statistics::{Estimate, Level, Scores};
use crate::tally::{Layout, Tally};

/// A tally, the names behind its numbers and the level of intervals, with what is concluded from them. Each comparison is
/// made when it is first asked for, and once: the page and the tables share it.
#[derive(Debug)]
pub struct Analysis<'t> {
    /// The names behind the numbers.
    pub layout: &'t Layout,
    /// What was counted.
    pub tally: &'t Tally,
    /// The level of intervals: the usual [`LEVEL`](crate::table::LEVEL), or that of the
    /// [rule](crate::batch::StoppingRule::level) that ended the run.
    pub level: Level,
    /// Side A's score over all match-ups with an interval that holds at the stop, where a test of it ended the run.
    pub tested: Option<Estimate>,
    scores: Scores,
    changes: OnceCell<Vec<Change>>,
    order_effects: OnceCell<Vec<OrderEffect>>,
    units: OnceCell<Vec<UnitRow<'t>>>,
    unit_pairs: OnceCell<Vec<UnitPair>>,
    units_by_matchup: OnceCell<Vec<MatchupUnit>>,
}

impl<'t> Analysis<'t> {
    /// Nothing is compared yet.
    #[must_use]
    pub fn new(layout: &'t Layout, tally: &'t Tally, level: Level) -> Self {
        Self {
            layout,
            tally,
            level,
            tested: None,
            scores: Scores::new(tally.measure(), level),
            changes: OnceCell::new(),
            order_effects: OnceCell::new(),
            units: OnceCell::new(),
            unit_pairs: OnceCell::new(),
            units_by_matchup: OnceCell::new(),
        }
    }

    /// Scores by the tally's measure.
    pub(super) fn scores(&self) -> &Scores {
        &self.scores
    }

    /// What every factor changes.
    pub(super) fn changes(&self) -> &[Change] {
        self.changes.get_or_init(|| tables::changes(self.layout, self.tally))
    }

    /// Which orders go with who wins, or decide it.
    pub(super) fn order_effects(&self) -> &[OrderEffect] {
        let compare = || tables::order_effects(self.layout, self.tally, self.level);
        self.order_effects.get_or_init(compare)
    }

    /// How every unit of a contender fared.
    pub(super) fn units(&self) -> &[UnitRow<'t>] {
        self.units.get_or_init(|| tables::units(self.layout, self.tally, self.level))
    }

    /// How every two units of one team fared.
    pub(super) fn unit_pairs(&self) -> &[UnitPair] {
        self.unit_pairs.get_or_init(|| tables::unit_pairs(self.layout, self.tally, self.level))
    }

    /// What every unit goes with in each match-up.
    pub(super) fn units_by_matchup(&self) -> &[MatchupUnit] {
        let compare = || tables::units_by_matchup(self.layout, self.tally, self.level);
        self.units_by_matchup.get_or_init(compare)
    }
}
