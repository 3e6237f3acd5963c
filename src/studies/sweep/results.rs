//! Estimates from the counts of a sweep.

use super::play::Fared;
use super::{Design, Played};
use crate::statistics::{
    Comparison, Estimate, Level, Sample, ScorePair, ScorePart, holm, paired, reweighted, stratified,
};
use crate::tally::OutcomeMeasure;

/// The score of one side in one match-up of one variant, and its comparison with the first variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The variant's number, from 0.
    pub variant: usize,
    /// The match-up's number.
    pub matchup: usize,
    /// The side's number.
    pub side: usize,
    /// The number of battles that it is estimated from.
    pub battles: u64,
    /// The share of battles that are forfeits, 0 to 1, every condition with its odds in this variant; NaN without battles.
    pub forfeits: f64,
    /// Its score.
    pub score: Estimate,
    /// The difference of this variant to the first; None for the first itself.
    pub comparison: Option<Comparison>,
    /// The p-value of the comparison, adjusted for all comparisons of the sweep (Holm). In a duel one side's score
    /// rises by as much as the other's falls, which counts as one comparison.
    pub adjusted: f64,
}

/// One row for every variant, match-up and side, in this order of nesting.
#[must_use]
pub fn results(design: &Design<'_>, played: &Played, level: Level) -> Vec<Row> {
    let mut rows = Vec::new();
    for variant in 0..design.members.len() {
        for matchup in 0..design.matchups {
            for side in 0..design.sides {
                rows.push(row(design, played, [variant, matchup, side], level));
            }
        }
    }
    let p_value = |row: &Row| row.comparison.map_or(f64::NAN, |comparison| comparison.p_value);
    let told = rows.iter().filter(|row| is_told(row.side, design.sides, design.measure));
    let mut adjusted = holm(&told.map(p_value).collect::<Vec<_>>()).into_iter();
    let mut before = f64::NAN;
    for row in &mut rows {
        if is_told(row.side, design.sides, design.measure) {
            before = adjusted.next().unwrap_or(f64::NAN);
        }
        row.adjusted = before;
    }
    rows
}

/// Whether a side's row is reported: side A's always, another's unless it mirrors side A's, as in a duel, where one
/// side gains what the other loses.
pub(super) fn is_told(side: usize, sides: usize, measure: OutcomeMeasure) -> bool {
    side == 0 || !measure.is_mirrored(sides)
}

fn row(
    design: &Design<'_>,
    Played { tally, .. }: &Played,
    [variant, matchup, side]: [usize; 3],
    level: Level,
) -> Row {
    let member = &design.members[variant];
    let first = &design.members[0];
    let strata = || (0..design.conditions()).map(|at| (at, matchup * design.conditions() + at));
    let most = design.sides as u32;
    let of_stratum = |(condition, stratum): (usize, usize)| {
        let Fared { points, squares, .. } = tally.fared(member.arm, stratum, side);
        let (sum, squares) = (i128::from(points), i128::from(squares));
        let sample = Sample { count: tally.battles(stratum), sum, squares };
        ScorePart { weight: member.weights[condition], sample, most }
    };
    let pair = |(condition, stratum): (usize, usize)| {
        let [one, other] = [first.arm, member.arm].map(|arm| tally.fared(arm, stratum, side));
        ScorePair {
            weights: [first.weights[condition], member.weights[condition]],
            battles: tally.battles(stratum),
            points: [one.points, other.points],
            squares: [one.squares, other.squares],
            products: other.products,
            most,
        }
    };
    let comparison = (variant > 0).then(|| match member.arm == first.arm {
        true => reweighted(strata().map(pair), level),
        false => paired(strata().map(pair), level),
    });
    // By weight: those of forfeits, and all of them.
    let weighed =
        strata().filter(|&(_, stratum)| tally.battles(stratum) > 0).map(|(at, stratum)| {
            let unfought = tally.unfought(member.arm, stratum) as f64;
            (member.weights[at] * unfought / tally.battles(stratum) as f64, member.weights[at])
        });
    let (unfought, all) = weighed.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    let parts: Vec<ScorePart> = strata().map(of_stratum).filter(|part| part.weight > 0.0).collect();
    Row {
        variant,
        matchup,
        side,
        battles: parts.iter().map(|part| part.sample.count).sum(),
        forfeits: unfought / all,
        score: stratified(parts, level),
        comparison,
        adjusted: f64::NAN,
    }
}
