//! Effects of an order and the associations beside them, estimated from the counts.

use super::super::results::tested;
use super::observed::Observed;
use super::{Battles, Design, Played};
use crate::forcible::Otherwise;
use crate::statistics::{
    Comparison, Estimate, Level, clustered, contrast, difference_within, holm, proportion,
    score_sample,
};

/// The effect on a side of being first, with the association.
#[derive(Clone, Debug, PartialEq)]
pub struct CausalEffect {
    /// The battles that it is estimated from.
    pub of: Battles,
    /// The side.
    pub side: usize,
    /// Battles in which the order came up.
    pub battles: u64,
    /// The share of these in which the side is first by itself.
    pub share: Estimate,
    /// Its score in unforced battles, when it is first, and when another side is.
    pub scores: [Estimate; 3],
    /// The second score minus the third, from the same battles. No p-value below 100 battles.
    pub effect: Comparison,
    /// The adjusted p-value (Holm). The families are: all battles together, over sides; match-ups, over all match-ups
    /// and sides; factors, over all factors and sides.
    pub p_adjusted: f64,
    /// The association with being first by itself: the score in those battles minus that in the others, within strata.
    /// Unknown where the rules always make the same side first.
    pub association: Estimate,
}

/// The effect of an order on each side that can be the first: for all battles together, for each match-up where there are
/// several, and under each factor that not all battles are under.
///
/// In a duel that is scored, side B gains from being the first just what side A does: there is one hypothesis for both.
#[must_use]
pub fn results(design: &Design<'_>, played: &Played, level: Level) -> Vec<CausalEffect> {
    let layout = design.layout();
    let observed = Observed::new(design, &played.tally);
    let rows = |of: Vec<Battles>| {
        let rows = of.into_iter().flat_map(|of| (0..design.sides()).map(move |side| (of, side)));
        let rows = rows.map(|(of, side)| of_side(design, played, &observed, of, side, level));
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
    // A factor that all battles are under would repeat the row of all battles.
    let is_apart = |at: &usize| {
        let mut conditions = layout.conditions.iter();
        conditions.any(|of| of.probability > 0.0 && !of.factors.contains(&(*at as u16)))
    };
    let apart = (0..layout.factors.len()).filter(is_apart);
    let mut by_factor = rows(apart.map(Battles::WithFactor).collect());
    // Where the condition is nothing but the order, as who has the initiative, its battles are half of all, and no others.
    let is_condition = matches!(design.forcible.otherwise, Otherwise::AsDrawn(_));
    let says_who = |row: &CausalEffect| [0.0, 1.0].contains(&row.share.value);
    if !(is_condition && by_factor.iter().all(says_who)) {
        all.append(&mut by_factor);
    }
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

/// Whether a side's effect is a hypothesis of its own and not the same as that of the side before it.
pub(super) fn is_told(design: &Design<'_>, side: usize) -> bool {
    side == 0 || !design.measure.is_mirrored(design.layout().sides)
}

fn of_side(
    design: &Design<'_>,
    played: &Played,
    observed: &Observed<'_>,
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
    let strata = observed
        .strata(layout, of, side)
        .into_iter()
        .map(|results| results.map(|results| score_sample(results, design.measure)));
    let association = match design.forcible.otherwise {
        Otherwise::Always(_) => Estimate::UNKNOWN,
        Otherwise::AsObserved(_) | Otherwise::AsDrawn(_) => {
            // Samples count a win as as many points as there are sides.
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
