//! How plays are saved and continued.

use std::ops::Range;

/// Saves what a play has counted, and knows what was saved before.
pub trait Keeper<T> {
    /// Returns what was counted before of the first `planned` battles, and which battles are to be played now. Where
    /// nothing was counted, the sum is `empty`.
    fn begin(&mut self, planned: u64, empty: T) -> Begun<T>;

    /// Whether the sum should be saved now. `over` is true after the last battle that is played.
    fn is_due(&mut self, over: bool) -> bool;

    /// Saves the sum of everything before battle `end`.
    fn keep(&mut self, end: u64, sum: &T);
}

/// Where a play begins: what was counted before, and what is left.
#[derive(Clone, Debug)]
pub struct Begun<T> {
    /// What was counted before.
    pub sum: T,
    /// How many battles that sum has.
    pub played: u64,
    /// The battles that are left.
    pub left: Range<u64>,
}

/// A keeper that saves nothing and knows nothing.
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
