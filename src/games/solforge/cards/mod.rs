//! Cards: how they are written down, checked, and turned into what a battle reads.

mod compile;
mod futile;
mod names;
pub mod vocabulary;

pub use compile::{Entry, Finding, compile};
