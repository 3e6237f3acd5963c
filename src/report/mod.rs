//! What a person reads in the terminal.
//!
//! [`summary`] is what a run prints when it is over; [`plain`] prints any table. Both return text that
//! ends with a line break and leave the printing to the caller, who knows how wide the terminal is and
//! whether it shows colour.

mod changes;
mod contenders;
mod evidence;
mod field;
mod figures;
mod matchups;
mod measured;
mod order_effects;
mod orders;
mod page;
mod plain;
mod summary;
mod tuning;
mod units;

pub use evidence::evidence;
pub(crate) use figures::whole;
pub use page::Style;
pub use plain::plain;
pub use summary::summary;
pub use tuning::{Tuning, tuning};

#[cfg(test)]
mod tests;
