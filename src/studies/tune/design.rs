//! Allocation of battles to the strata.

use crate::game::Side;
use crate::statistics::{DrawModel, share_out};
use crate::tally::{Layout, OutcomeMeasure, Tally};

/// The share of battles that each condition gets in the pilot, when nothing is known yet: half in proportion to the
/// scenario's odds and half the same for all, because the best odds may be far from the present ones (a defensive
/// mixture).
#[must_use]
pub fn exploration(model: &dyn DrawModel) -> Vec<f64> {
    let same = 1.0 / model.conditions() as f64;
    model.odds().into_iter().map(|odds| f64::midpoint(odds, same)).collect()
}

/// How many of `battles` each stratum gets after a pilot: Neyman allocation by the standard deviation of side A's score (J.
/// Neyman: "On the two different aspects of the representative method", 1934). For its standard deviation, and only for it,
/// half a win and half a loss are added to each stratum.
#[must_use]
pub fn remainder(
    layout: &Layout,
    pilot: &Tally,
    odds: &[f64],
    measure: OutcomeMeasure,
    battles: u64,
) -> Vec<u64> {
    let shared = OutcomeMeasure::even(layout.sides);
    let deviation = |at: usize| {
        let results = pilot.strata[at].results(Side::A).measured(measure);
        let trials = results.battles() as f64 + 1.0;
        let (won, drawn) = (results.won as f64 + 0.5, results.shared as f64);
        let mean = (won + shared * drawn) / trials;
        ((won + shared * shared * drawn) / trials - mean * mean).max(0.0).sqrt()
    };
    let scores: Vec<f64> = (0..pilot.strata.len())
        .zip(odds.iter().cycle())
        .map(|(at, odds)| odds * deviation(at))
        .collect();
    share_out(&scores, battles)
}
