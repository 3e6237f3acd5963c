//! The table `rulesets`: how often each ruleset (or what else a game draws) came up, and what it changed.

use crate::game::Side;
use crate::scenario::TableName;
use crate::statistics::{Estimate, difference, proportion};
use crate::table::{Column, LEVEL, Table};
use crate::tally::{Layout, Tally};

/// How one side fared in one match-up with a factor and without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// Index into the layout's factors.
    pub(crate) factor: usize,
    /// Index into the layout's match-ups.
    pub(crate) matchup: usize,
    /// The side.
    pub(crate) side: Side,
    /// Its wins and the battles with the factor.
    pub(crate) with: (u64, u64),
    /// Its wins and the battles without it.
    pub(crate) without: (u64, u64),
}

impl Change {
    /// The win rate with the factor minus the win rate without it.
    pub(crate) fn effect(&self) -> Estimate {
        difference(self.with, self.without, LEVEL)
    }

    /// The win rate with the factor.
    pub(crate) fn win_rate(&self) -> Estimate {
        proportion(self.with.0, self.with.1, LEVEL)
    }

    /// How often the factor came up.
    fn share(&self) -> Estimate {
        proportion(self.with.1, self.with.1 + self.without.1, LEVEL)
    }
}

/// What every factor changes, by factor, then match-up, then side.
pub(crate) fn changes(layout: &Layout, tally: &Tally) -> Vec<Change> {
    let mut changes = Vec::new();
    for matchup in 0..layout.matchups.len() {
        let whole = &tally.matchups[matchup];
        let mut battles = vec![0; layout.factors.len()];
        let mut wins = vec![0; layout.factors.len() * layout.sides];
        let conditions = layout.conditions.len();
        let strata = tally.strata.range(matchup * conditions..(matchup + 1) * conditions);
        for (condition, count) in layout.conditions.iter().zip(strata) {
            for &factor in &condition.factors {
                let factor = usize::from(factor);
                battles[factor] += count.battles;
                for (side, won) in count.wins.iter().enumerate() {
                    wins[factor * layout.sides + side] += won;
                }
            }
        }
        for (factor, &with) in battles.iter().enumerate() {
            for (side, &all) in whole.wins.iter().enumerate() {
                let won = wins[factor * layout.sides + side];
                changes.push(Change {
                    factor,
                    matchup,
                    side: Side(side as u8),
                    with: (won, with),
                    without: (all - won, whole.battles - with),
                });
            }
        }
    }
    changes.sort_by_key(|change| (change.factor, change.matchup, change.side));
    changes
}

/// The probability that a battle has each factor.
fn expected(layout: &Layout) -> Vec<f64> {
    let mut expected = vec![0.0; layout.factors.len()];
    for condition in &layout.conditions {
        for &factor in &condition.factors {
            expected[usize::from(factor)] += condition.probability;
        }
    }
    expected
}

/// One row per factor, match-up and side; None when the layout has no factors.
pub(super) fn table(layout: &Layout, tally: &Tally) -> Option<Table> {
    if layout.factors.is_empty() {
        return None;
    }
    let noun = layout.factor_noun;
    let rows = changes(layout, tally);
    let expected = expected(layout);
    let text = |of: &dyn Fn(&Change) -> String| rows.iter().map(of).collect::<Vec<_>>();
    let estimates = |of: fn(&Change) -> Estimate| rows.iter().map(of).collect::<Vec<_>>();
    let mut columns = vec![
        Column::text(noun, format!("the {noun}"), text(&|row| layout.factors[row.factor].clone())),
        Column::text(
            "matchup",
            "who meets whom, side A first",
            text(&|row| layout.matchups[row.matchup].label()),
        ),
        Column::text("side", "the side this row is about", text(&|row| row.side.to_string())),
        Column::count(
            "battles",
            format!("battles of this match-up with the {noun}"),
            rows.iter().map(|row| row.with.1).collect(),
        ),
    ];
    columns.extend(Column::estimates(
        "share",
        &format!("share of the battles of this match-up with the {noun}, 0 to 1"),
        &estimates(Change::share),
    ));
    columns.push(Column::number(
        "expected_share",
        format!("exact probability that a battle has the {noun}"),
        rows.iter().map(|row| expected[row.factor]).collect(),
    ));
    columns.extend(Column::estimates(
        "win_rate",
        &format!("wins of this side per battle with the {noun}, 0 to 1"),
        &estimates(Change::win_rate),
    ));
    columns.extend(Column::estimates(
        "effect",
        "win rate with it minus win rate without it, -1 to 1",
        &estimates(Change::effect),
    ));
    Some(Table { name: TableName::Factors.to_string(), columns })
}
