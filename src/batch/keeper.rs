//! What plays know of being kept.

use std::ops::Range;

/// Keeps what a play has counted, and knows what was counted before.
pub trait Keeper<T> {
    /// What was counted before of the first `planned` battles, and which ones are to be played now. Where nothing was, the
    /// sum is `empty`.
    fn begin(&mut self, planned: u64, empty: T) -> Begun<T>;

    /// Whether the sum should be kept now. `over` is said after the last battle that is played.
    fn is_due(&mut self, over: bool) -> bool;

    /// Keeps the sum of everything before battle `end`.
    fn keep(&mut self, end: u64, sum: &T);
}

/// Where a play begins.
#[derive(Clone, Debug)]
pub struct Begun<T> {
    /// What was counted before.
    pub sum: T,
    /// How many battles that is.
    pub played: u64,
    /// The battles that are left.
    pub left: Range<u64>,
}

/// Keeps nothing and knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forgetful;

impl<T> Keeper<T> for Forgetful {
    fn begin(&mut self, planned: u64, empty: T) -> Begun<T> {
        Begun { sum: empty, played: 0, left: 0..planned }
    }

    fn is_due(&mut self, _over: bool) -> bool {
        false
    }

    fn keep(&mut self, _end: u64, _sum: &T) {}
}
