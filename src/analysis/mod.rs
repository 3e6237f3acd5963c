//! What counts say about the odds behind them.
//!
//! Everything here is computed from whole numbers, after the last merge.

mod intervals;

pub use intervals::{Estimate, Level, difference, mean, proportion, quantile};
