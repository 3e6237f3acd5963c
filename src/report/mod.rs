//! The parts that the pages of all studies share: how numbers are formatted, how a page is laid out, any table as
//! text.
//!
//! Pages are text that ends with a line break. Printing is left to the caller, who knows how wide the terminal is and
//! whether it shows colour.

/// Adjusted p-values below this are reported as findings.
pub(crate) const ALARM: f64 = 0.05;
/// Said below lists in which some intervals are in parentheses and others in the brief form.
pub(crate) const INTERVALS: &str = "In parentheses, after ± or by - and +: 95% confidence intervals; about one in 20 misses the true value.";
/// Said below a list that shows the largest of several.
pub(crate) const CHOSEN: &str = "Intervals allow for the choice of the largest.";

pub mod battle;
pub(crate) mod figures;
mod forfeits;
mod header;
pub mod html;
mod markup;
pub(crate) mod page;
mod plain;
mod reference;
pub(crate) mod wrap;

#[cfg(feature = "cli")]
pub(crate) use figures::whole;
pub(crate) use forfeits::{Treatment, forfeited, forfeited_by, share_of_battles, treated};
use header::ended_early;
pub(crate) use header::header;
pub use page::Style;
pub use plain::plain;
pub(crate) use reference::{in_table, see_table};
