//! How many ways there are for battles to begin, estimated before any is walked.

use num_rational::BigRational;
use num_traits::Zero;

use crate::chance::Descent;
use crate::game::{Game, Stratum, Unwatched};

/// Descents in all, and at least for each condition.
const DESCENTS: usize = 1_000;
const DESCENTS_OF_EACH: usize = 3;

/// In about how many ways the battles of a match-up can begin, over all conditions that can be drawn: a walk takes each of
/// them, so that it takes at least as many. Few descents of a large tree rather say too little than too much, and here
/// they are told by their geometric mean, which is less than their mean.
#[must_use]
pub fn beginnings<G: Game>(setup: &G::Setup, matchup: usize, drawn: &[BigRational]) -> f64 {
    let possible: Vec<usize> = (0..drawn.len()).filter(|&at| !drawn[at].is_zero()).collect();
    let each = (DESCENTS / possible.len().max(1)).max(DESCENTS_OF_EACH);
    let of = |&condition: &usize| {
        let stratum = Stratum { matchup: matchup as u32, condition: condition as u32 };
        let logarithms = (0..each as u64).map(|seed| {
            let mut descent = Descent::new(seed);
            G::start(setup, stratum, &mut descent, &mut Unwatched);
            descent.log_ways()
        });
        libm::exp(logarithms.sum::<f64>() / each as f64)
    };
    possible.iter().map(of).sum()
}
