//! The questions that can be asked of a scenario. Each folder owns a study: its design, its results, its tables and its
//! page.
//!
//! | study | question |
//! |---|---|
//! | [`run`] | who wins, with what uncertainty, and what is associated with it |
//! | [`sweep`] | what difference does a change to the scenario make (common random numbers, reweighting) |
//! | [`effects`] | what is the effect of each ruleset, and the interaction of each pair |
//! | [`best`] | which line-ups are the strongest, and what holds against them |
//! | [`exact`] | what are the exact odds |
//! | [`plan`] | how many battles does a question take, and what can a given number of battles detect |
//! | [`tune`] | which ruleset weights make everybody even |
//! | [`worth`] | what is each card worth, which ones to change first, and how do the same battles go without them |
//! | [`nightly`] | has the balance changed since a baseline |
//! | [`score`] | how well do simulations forecast battles whose result is known |
//! | [`replay`] | do the rules reproduce recorded battles |
//!
//! [`evenness`] has the terms of what should be even, and of how far weights may move for it.
//! [`live`] holds the data, other than figures, that their HTML reports share: the strata, so that weights can be
//! changed in the page.

pub mod best;
pub mod effects;
pub mod evenness;
pub mod exact;
pub mod live;
pub mod nightly;
pub mod plan;
pub mod replay;
pub mod run;
pub mod score;
pub mod sweep;
pub mod tune;
pub mod worth;
