//! Faces from random bits, for every source that has such bits.

use super::Odds;

/// Turns 64-bit random numbers into a face of a die. Without bias: numbers that would give some faces more than their
/// share are drawn again.
#[inline(always)]
pub(super) fn face(odds: Odds<'_>, next: impl FnMut() -> u64) -> u32 {
    match odds {
        Odds::Percent(percent) => u32::from(below(100, next) < percent),
        Odds::Even(faces) => below(faces, next),
        Odds::Weighted(weights) => weighted(weights, next),
        Odds::Cumulative(bounds) => {
            let drawn = below_wide(bounds[bounds.len() - 1], next);
            bounds.partition_point(|&bound| bound <= drawn) as u32
        }
    }
}

/// A whole number below `bound`, without bias (Lemire: "Fast random integer generation in an interval", 2019).
#[inline]
pub(super) fn below(bound: u32, mut next: impl FnMut() -> u64) -> u32 {
    let mut product = (next() >> 32) * u64::from(bound);
    if (product as u32) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u32) < threshold {
            product = (next() >> 32) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

/// Like [`below`] for bounds beyond 32 bits.
#[inline]
pub(super) fn below_wide(bound: u64, mut next: impl FnMut() -> u64) -> u64 {
    let multiply = |random: u64| u128::from(random) * u128::from(bound);
    let mut product = multiply(next());
    if (product as u64) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u64) < threshold {
            product = multiply(next());
        }
    }
    (product >> 64) as u64
}

#[inline]
fn weighted(weights: &[u64], next: impl FnMut() -> u64) -> u32 {
    let mut left = below_wide(weights.iter().sum(), next);
    // The draw is below the sum of the weights, so it falls on one of them.
    let fallen = weights.iter().position(|&weight| {
        let falls = left < weight;
        left = left.wrapping_sub(weight);
        falls
    });
    fallen.unwrap_or(weights.len() - 1) as u32
}
