//! Sums of battles, and those that can be written down and read again.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What battles add up to, in any order and grouping.
pub trait Sum: Clone {
    /// Adds the battles of another one.
    fn merge(&mut self, other: &Self);
}

/// A sum of battles that a partial result can hold.
pub trait Kept: Sum {
    /// What is written of it.
    type Form: Serialize + DeserializeOwned;

    /// What is to be written: the same for equal sums.
    fn form(&self) -> Self::Form;

    /// What was written, as a sum of the same shape as this one; none where it has another shape.
    fn of_form(&self, form: Self::Form) -> Option<Self>;

    /// How many battles it has, where it knows that.
    fn battles(&self) -> Option<u64> {
        None
    }
}
