//! How does the scenario come out? Plays its battles and counts.

mod page;
mod tables;

pub use page::{evidence, summary};
pub use tables::{BattleRows, build};
