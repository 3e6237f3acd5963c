//! Splinterlands: 6v6 auto-battles under drawn rulesets, as of May 2020.
//!
//! The rulebook in our words, with its sources, is in this folder's `README.md`.

pub mod ability;
pub mod cards;
pub mod ruleset;
pub mod setup;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Splinterlands;
