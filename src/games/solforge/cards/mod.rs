//! Cards: how they are written down, checked, and compiled into the form that battles use.

mod compile;
mod futile;
mod names;
pub mod vocabulary;

pub use compile::{Entry, Finding, compile};
