//! Traits of sums over battles, and of sums that can be written down and read again.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A sum over battles that does not depend on their order and grouping.
pub trait Sum: Clone {
    /// Adds the battles of another one.
    fn merge(&mut self, other: &Self);
}

/// A sum of battles that a partial result can hold.
pub trait Kept: Sum {
    /// The form in which it is written.
    type Form: Serialize + DeserializeOwned;

    /// Returns the form to be written, which is the same for equal sums.
    fn form(&self) -> Self::Form;

    /// Reads a form back as a sum of the same shape as this one; none where it has another shape.
    fn of_form(&self, form: Self::Form) -> Option<Self>;

    /// How many battles it has, where it knows that.
    fn battles(&self) -> Option<u64> {
        None
    }
}
