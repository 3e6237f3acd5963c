//! What a person reads in the terminal.
//!
//! [`summary`] is what a run prints when it is over, [`comparison`] what came of holding runs against their
//! baselines; [`plain`] prints any table. All return text that ends with a line break and leave the printing to
//! the caller, who knows how wide the terminal is and whether it shows colour.

mod changes;
mod comparison;
mod comparison_markdown;
mod contenders;
mod effects;
mod evidence;
mod exact;
mod exact_json;
mod field;
mod figures;
mod fraction;
mod matchups;
mod measured;
mod order_effects;
mod orders;
mod page;
mod plain;
mod score;
mod summary;
mod sweep;
mod tuning;
mod unit_pairs;
mod units;

pub use comparison::{Compared, comparison};
pub use comparison_markdown::comparison_markdown;
pub use effects::effects;
pub use evidence::evidence;
pub use exact::{Exactly, exact};
pub(crate) use figures::whole;
pub use page::Style;
pub use plain::plain;
pub use score::score;
pub use summary::summary;
pub use sweep::{Swept, sweep};
pub use tuning::{Tuning, tuning};

#[cfg(test)]
mod tests;
