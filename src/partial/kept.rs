//! What plays know of being kept.

use std::ops::Range;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A sum of battles that a partial result can hold.
pub trait Kept: Clone {
    /// What is written of it.
    type Form: Serialize + DeserializeOwned;

    /// What is to be written: the same for equal sums.
    fn form(&self) -> Self::Form;

    /// What was written, as a sum of the same shape as this one; none where it has another shape.
    fn of_form(&self, form: Self::Form) -> Option<Self>;

    /// Adds the battles of another one.
    fn merge(&mut self, other: &Self);

    /// How many battles it has, where it knows that.
    fn battles(&self) -> Option<u64> {
        None
    }
}

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
