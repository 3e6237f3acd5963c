//! Linear regression, by least squares and by ridge regression: what each of many columns (such as cards) adds to an
//! outcome besides all others.
//!
//! 1. `sums`: the sums of products that a regression is computed from, and the solution of their normal equations.
//! 2. `baseline`: what a coefficient is compared with, the mean of its group or the line of the group by cost, and the
//!    variance of that contrast.
//! 3. `fit`: the ridge regression itself, with the spread by which each group is shrunken, and the intervals, p-values
//!    and ranks of its contrasts.

mod baseline;
mod fit;
mod sums;
#[cfg(test)]
mod tests;

pub use baseline::Baseline;
pub use fit::{Contrast, Errors, Ridge};
pub use sums::Sums;
