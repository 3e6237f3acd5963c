//! The smallest patch: which few numbers of cards must change, and by how little, so that everybody has the score that they
//! should have?
//!
//! [`candidates`] are the whole numbers that `[changes]` can change. The [`search`] plays variants of the scenario on
//! common random numbers and finds the best patch of every size. The results that are shown come from fresh battles:
//! the leads with these patches ([`confirm`]), and the other scores that the chosen one moves ([`side_effects`]).

mod candidates;
mod confirm;
mod goals;
mod headline;
mod json;
mod notes;
mod page;
mod play;
mod predict;
mod report;
mod screen;
mod search;
mod tables;
mod task;
#[cfg(test)]
mod tests;

pub use candidates::{Candidate, Limits, Patch, candidates, edits, means, price};
pub use confirm::{Confirmed, Nearer, SideEffect, confirm, side_effects};
pub use goals::{Goal, Subject, groups};
pub use json::json;
pub use notes::notes;
pub use page::{Patching, patching as page};
pub use play::{Appearances, Fared, Plan, VariantTally, appearances, play};
pub use report::report;
pub use search::search;
pub use tables::{TABLES, tables};
pub use task::{Build, Effects, Found, GoOn, Interrupted, Keepers, Point, Task};
