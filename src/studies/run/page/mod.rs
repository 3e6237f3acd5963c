//! What a run prints when it is over: [`summary`], and after a sequential run [`evidence`].

mod changes;
mod contenders;
mod evidence;
mod field;
mod highlights;
mod idle;
mod matchups;
mod measured;
mod one_unit;
mod order_effects;
mod orders;
mod report;
mod seating;
mod sections;
mod summary;
mod unit_pairs;
mod units;
mod verdict;

pub use evidence::evidence;
pub(super) use evidence::sentences as evidence_in_sentences;
pub use report::{ReportExtras, report};
pub use sections::{Section, Sections};
pub use summary::{Summary, summary};

#[cfg(test)]
mod tests;
