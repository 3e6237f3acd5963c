//! The questions that can be asked of a scenario. Each folder owns what is played for one, what came of it, its tables
//! and its page.
//!
//! | study | question |
//! |---|---|
//! | [`run`] | who wins, how sure is that, and what goes with it |
//! | [`sweep`] | what does each change of the scenario change |
//! | [`effects`] | what does each ruleset, and each pair, do |
//! | [`exact`] | what are the exact odds |
//! | [`tune`] | which weights make everybody even |
//! | [`nightly`] | is the balance still what it was |
//! | [`score`] | how good are forecasts of battles whose end is known |
//! | [`replay`] | are recorded battles reproduced |

pub mod effects;
pub mod exact;
pub mod nightly;
pub mod replay;
pub mod run;
pub mod score;
pub mod sweep;
pub mod tune;
