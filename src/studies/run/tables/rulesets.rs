//! The table `rulesets`: how often each ruleset (or other factor that a game draws) came up, and what it changed.

use crate::game::Side;
use crate::scenario::TableName;
use crate::statistics::{
    Estimate, Level, Scores, benjamini_hochberg, proportion, same_score, score, score_difference,
};
use crate::studies::run::Analysis;
use crate::table::{Coded, Column, Table, Values, Words};
use crate::tally::{Count, Layout, Matchup, OutcomeMeasure, Results, Tally};

/// The results of one side in one match-up with a factor and without it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    /// Index into the layout's factors.
    pub(crate) factor: usize,
    /// Index into the layout's match-ups.
    pub(crate) matchup: usize,
    /// The side whose results are compared.
    pub(crate) side: Side,
    /// The side's results with the factor.
    pub(crate) with: Results,
    /// The side's results without the factor.
    pub(crate) without: Results,
    /// The p-value of no difference, adjusted for all factors, match-ups and sides (Benjamini-Hochberg).
    pub(crate) p_adjusted: f64,
    /// The measure by which results are compared.
    pub(crate) measure: OutcomeMeasure,
}

impl Change {
    /// The side's score by the measure with the factor, less the score without it.
    pub(crate) fn effect(&self, level: Level) -> Estimate {
        score_difference(self.with, self.without, self.measure, level)
    }

    /// The same effect from precomputed scores, which must be of this change's measure.
    pub(crate) fn effect_of(&self, scores: &Scores) -> Estimate {
        scores.difference(self.with, self.without)
    }

    /// The side's score by the measure with the factor.
    pub(crate) fn score(&self, level: Level) -> Estimate {
        score(self.with, self.measure, level)
    }

    /// The share of battles that nobody won with the factor, less the share without it.
    pub(crate) fn of_draws(&self, level: Level) -> Estimate {
        let [with, without] = self.shared();
        score_difference(with, without, OutcomeMeasure::Wins, level)
    }

    /// The p-value for the hypothesis that nobody wins as often with the factor as without it.
    pub(crate) fn same_draws(&self) -> f64 {
        let [with, without] = self.shared();
        same_score(with, without, OutcomeMeasure::Wins)
    }

    /// The results with and without the factor, recoded so that battles that nobody won count as won.
    fn shared(&self) -> [Results; 2] {
        let shared =
            |of: Results| Results { won: of.shared, shared: 0, lost: of.won + of.lost, ..of };
        [self.with, self.without].map(shared)
    }

    /// The share of battles that have the factor.
    fn share(&self, level: Level) -> Estimate {
        let (with, without) = (self.with.battles(), self.without.battles());
        proportion(with, with + without, level)
    }

    fn p_value(&self) -> f64 {
        same_score(self.with, self.without, self.measure)
    }
}

/// The change that every factor makes, by factor, then match-up, then side.
pub(crate) fn changes(layout: &Layout, tally: &Tally) -> Vec<Change> {
    // In a round robin these take much of the memory: no room is reserved beyond their number.
    let mut changes =
        Vec::with_capacity(layout.matchups.len() * layout.sides * layout.factors.len());
    for matchup in 0..layout.matchups.len() {
        let whole = &tally.matchups[matchup];
        let mut by_factor = vec![Count::of_sides(layout.sides); layout.factors.len()];
        let conditions = layout.conditions.len();
        let strata = tally.strata.range(matchup * conditions..(matchup + 1) * conditions);
        for (condition, count) in layout.conditions.iter().zip(strata) {
            for &factor in &condition.factors {
                by_factor[usize::from(factor)].merge(count);
            }
        }
        for side in (0..layout.sides).map(|side| Side(side as u8)) {
            let all = whole.results(side);
            changes.extend(by_factor.iter().enumerate().map(|(factor, count)| {
                let with = count.results(side);
                let without = all.without(with);
                let (p_adjusted, measure) = (f64::NAN, tally.measure());
                Change { factor, matchup, side, with, without, p_adjusted, measure }
            }));
        }
    }
    // One list for all match-ups, because the page names the largest change of them all.
    let p_values: Vec<f64> = changes.iter().map(Change::p_value).collect();
    for (change, p_adjusted) in changes.iter_mut().zip(benjamini_hochberg(&p_values)) {
        change.p_adjusted = p_adjusted;
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

/// The table `rulesets`: one row per factor, match-up and side; None when the layout has no factors.
pub(super) fn table(analysis: &Analysis<'_>) -> Option<Table> {
    let is_drawn = !analysis.layout.factors.is_empty();
    is_drawn.then(|| of_changes(analysis, analysis.changes()))
}

/// The table `rulesets` with only these changes.
pub(crate) fn of_changes(analysis: &Analysis<'_>, rows: &[Change]) -> Table {
    let Analysis { layout, tally, level, .. } = *analysis;
    let noun = layout.factor_noun;
    let expected = expected(layout);
    let text =
        |name: &'static str, meaning: String, words: Vec<String>, of: fn(&Change) -> usize| {
            let codes = rows.iter().map(|row| of(row) as u32).collect();
            // Spelled out in every row, the texts of a round robin would be most of the table.
            let values = Values::Coded(Coded { words: Words::new(words), codes });
            Column { name: name.into(), meaning: meaning.into(), values }
        };
    let scores = analysis.scores();
    let estimates =
        |of: &dyn Fn(&Change) -> Estimate| -> Vec<Estimate> { rows.iter().map(of).collect() };
    let sides = (0..layout.sides).map(|side| Side(side as u8).to_string());
    let mut columns = vec![
        text(noun, format!("the {noun}"), layout.factors.clone(), |row| row.factor),
        text(
            "matchup",
            "who meets whom, side A first".to_owned(),
            layout.matchups.iter().map(Matchup::label).collect(),
            |row| row.matchup,
        ),
        text("side", "the side this row is about".to_owned(), sides.collect(), |row| {
            row.side.index()
        }),
        Column::count(
            "battles",
            format!("battles of this match-up with the {noun}"),
            rows.iter().map(|row| row.with.battles()).collect(),
        ),
    ];
    columns.extend(Column::estimates(
        "share",
        &format!("share of the battles of this match-up with the {noun}, 0 to 1"),
        &estimates(&|row| row.share(level)),
    ));
    columns.push(Column::number(
        "expected_share",
        format!("exact probability that a battle has the {noun}"),
        rows.iter().map(|row| expected[row.factor]).collect(),
    ));
    let measure = tally.measure();
    columns.extend(Column::estimates(
        measure.column(),
        &format!("this side with the {noun}: {}, 0 to 1", measure.meaning()),
        &estimates(&|row| scores.of(row.with)),
    ));
    columns.extend(Column::estimates(
        "effect",
        &format!("that less the same without the {noun}, -1 to 1"),
        &estimates(&|row| row.effect_of(scores)),
    ));
    columns.push(Column::number(
        "p_adjusted",
        format!("how likely an effect as large would be if there were none, adjusted for all {noun}s (Benjamini-Hochberg)"),
        rows.iter().map(|row| row.p_adjusted).collect(),
    ));
    columns.extend(Column::estimates(
        "draw_effect",
        &format!("share of battles that nobody won with the {noun}, less that without it, -1 to 1"),
        &estimates(&|row| row.of_draws(level)),
    ));
    Table { name: TableName::Factors.to_string(), columns }
}
