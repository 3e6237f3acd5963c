//! Effects of an order and what goes with it, estimated from the counts.

use super::super::results::tested;
use super::{Battles, Design, Played};
use crate::forcible::Otherwise;
use crate::statistics::{
    Comparison, Estimate, Level, clustered, contrast, difference_within, holm, proportion,
    score_sample,
};

/// What a side has of being the first.
#[derive(Clone, Debug, PartialEq)]
pub struct CausalEffect {
    /// Which battles it is about.
    pub of: Battles,
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
    /// The p-value, adjusted (Holm): those of all battles together for the sides, those of match-ups for all match-ups and sides,
    /// those of factors for all factors and sides.
    pub p_adjusted: f64,
    /// What goes with being the first by itself: the score of those battles less that of the others, within strata. Unknown
    /// where the rules always give it to the same side.
    pub association: Estimate,
}

/// The effect of an order on each side that can be the first: for all battles together, for each match-up where there are
/// several, and under each factor that not all battles are under.
///
/// In a duel that is scored, side B gains from being the first just what side A does: there is one hypothesis for both.
#[must_use]
pub fn results(design: &Design<'_>, played: &Played, level: Level) -> Vec<CausalEffect> {
    let layout = design.layout();
    let rows = |of: Vec<Battles>| {
        let rows = of.into_iter().flat_map(|of| (0..design.sides()).map(move |side| (of, side)));
        let rows = rows.map(|(of, side)| of_side(design, played, of, side, level));
        let mut rows: Vec<CausalEffect> = rows.collect();
        if rows.iter().any(|row| row.of != Battles::All) {
            rows.retain(|row| row.battles > 0);
        }
        adjust(design, &mut rows);
        rows
    };
    let matchups = if layout.matchups.len() > 1 { layout.matchups.len() } else { 0 };
    let mut all = rows(vec![Battles::All]);
    all.append(&mut rows((0..matchups).map(Battles::OfMatchup).collect()));
    // What all battles are under tells nothing that they do not.
    let is_apart = |at: &usize| {
        let mut conditions = layout.conditions.iter();
        conditions.any(|of| of.probability > 0.0 && !of.factors.contains(&(*at as u16)))
    };
    let apart = (0..layout.factors.len()).filter(is_apart);
    all.append(&mut rows(apart.map(Battles::WithFactor).collect()));
    all
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
    side == 0 || !design.measure.is_mirrored(design.layout().sides)
}

fn of_side(
    design: &Design<'_>,
    played: &Played,
    of: Battles,
    side: usize,
    level: Level,
) -> CausalEffect {
    let layout = design.layout();
    let sides = layout.sides;
    let tally = &played.tally;
    let allotted = played.battles.div_ceil(layout.matchups.len() as u64);
    let [battles, first] = tally.battles(layout, of, side);
    let joint = tally.effect(layout, of, side);
    let parts = tally.joint_parts(layout, of, side, allotted);
    let scores =
        tally.fared(layout, of, side, allotted).map(|fared| clustered(&fared, sides, level));
    let strata = tally
        .association(design, of, side)
        .into_iter()
        .map(|results| results.map(|results| score_sample(results, design.measure)));
    let association = match design.forcible.otherwise {
        Otherwise::Always(_) => Estimate::UNKNOWN,
        Otherwise::AsObserved(_) | Otherwise::AsDrawn(_) => {
            // Samples count a win as many times as there are sides.
            let apart = difference_within(strata, sides as f64, level);
            let [value, low, high] =
                [apart.value, apart.low, apart.high].map(|value| value / sides as f64);
            Estimate { value, low, high }
        }
    };
    CausalEffect {
        of,
        side,
        battles,
        share: proportion(first, battles, level),
        scores,
        effect: tested(contrast(&joint, &parts, [-1.0, 1.0], level), &joint.played),
        p_adjusted: f64::NAN,
        association,
    }
}
