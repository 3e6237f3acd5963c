//! Effects of an order and what goes with it, estimated from the counts.

use super::super::results::tested;
use super::{Design, Played};
use crate::forcible::Otherwise;
use crate::statistics::{
    Comparison, Estimate, Level, clustered, contrast, difference_within, holm, proportion,
    score_sample,
};
use crate::tally::OutcomeMeasure;

/// What a side has of being the first.
#[derive(Clone, Debug, PartialEq)]
pub struct CausalEffect {
    /// Index into the layout's match-ups; none for all together.
    pub matchup: Option<usize>,
    /// The side.
    pub side: usize,
    /// Battles in which the order came up.
    pub battles: u64,
    /// The share of them in which it is the first by itself.
    pub share: Estimate,
    /// Its score as the battles come, when it is the first, and when another side is.
    pub scores: [Estimate; 3],
    /// The second less the third, from the same battles. No p-value below 100 battles.
    pub effect: Comparison,
    /// The p-value, adjusted for all match-ups and sides (Holm); those of all match-ups together for the sides alone.
    pub p_adjusted: f64,
    /// What goes with being the first by itself: the score of those battles less that of the others, within strata. Unknown
    /// where the rules always give it to the same side.
    pub association: Estimate,
}

/// The effect of an order on each side that can be the first: for all match-ups together, and then for each.
///
/// In a duel that is scored, side B gains from being the first just what side A does: there is one hypothesis for both.
#[must_use]
pub fn results(design: &Design<'_>, played: &Played, level: Level) -> Vec<CausalEffect> {
    let matchups = design.layout().matchups.len();
    let of = |matchup: Option<usize>, side: usize| of_side(design, played, matchup, side, level);
    let mut whole: Vec<CausalEffect> = (0..design.sides()).map(|side| of(None, side)).collect();
    adjust(design, &mut whole);
    if matchups == 1 {
        whole.iter_mut().for_each(|row| row.matchup = Some(0));
        return whole;
    }
    let each = (0..matchups).flat_map(|at| (0..design.sides()).map(move |side| (at, side)));
    let each = each.map(|(at, side)| of(Some(at), side)).filter(|row| row.battles > 0);
    let mut each: Vec<CausalEffect> = each.collect();
    adjust(design, &mut each);
    whole.append(&mut each);
    whole
}

/// Adjusts the p-values of some rows together, one for each hypothesis.
fn adjust(design: &Design<'_>, rows: &mut [CausalEffect]) {
    let told = rows.iter().filter(|row| is_told(design, row.side));
    let mut adjusted = holm(&told.map(|row| row.effect.p_value).collect::<Vec<_>>()).into_iter();
    let mut before = f64::NAN;
    for row in rows {
        if is_told(design, row.side) {
            before = adjusted.next().unwrap_or(f64::NAN);
        }
        row.p_adjusted = before;
    }
}

/// Whether what a side gains is not the same as what the side before it does.
pub(super) fn is_told(design: &Design<'_>, side: usize) -> bool {
    side == 0 || design.layout().sides > 2 || design.measure != OutcomeMeasure::Score
}

fn of_side(
    design: &Design<'_>,
    Played { tally, .. }: &Played,
    matchup: Option<usize>,
    side: usize,
    level: Level,
) -> CausalEffect {
    let matchups = matchup.map_or(0..design.layout().matchups.len(), |at| at..at + 1);
    let sides = design.layout().sides;
    let [battles, first] = tally.battles(matchups.clone(), side);
    let joint = tally.effect(matchups.clone(), side);
    let scores = tally.fared(matchups.clone(), side).map(|fared| clustered(fared, sides, level));
    let strata = tally
        .association(&matchups, side)
        .into_iter()
        .map(|results| results.map(|results| score_sample(results, design.measure)));
    let association = match design.forcible.otherwise {
        Otherwise::Always(_) => Estimate::UNKNOWN,
        Otherwise::AsObserved(_) | Otherwise::AsDrawn(_) => {
            let of = difference_within(strata, level);
            // Samples count a win as many times as there are sides.
            let scaled = |value: f64| value / sides as f64;
            Estimate { value: scaled(of.value), low: scaled(of.low), high: scaled(of.high) }
        }
    };
    CausalEffect {
        matchup,
        side,
        battles,
        share: proportion(first, battles, level),
        scores,
        effect: tested(contrast(&joint, [-1.0, 1.0], level), &joint.played),
        p_adjusted: f64::NAN,
        association,
    }
}
