//! The questions that can be asked of a scenario. Each folder owns a study: its design, its results, its tables and its
//! page.
//!
//! | study | question |
//! |---|---|
//! | [`run`] | who wins, with what uncertainty, and what is associated with it |
//! | [`sweep`] | what does a change to the scenario change (common random numbers, reweighting) |
//! | [`effects`] | what is the effect of each ruleset, and the interaction of each pair |
//! | [`best`] | which line-ups are the strongest, and what holds against them |
//! | [`exact`] | what are the exact odds |
//! | [`plan`] | how many battles does a question take, and what can so many see |
//! | [`tune`] | which ruleset weights make everybody even |
//! | [`nightly`] | has the balance changed since a baseline |
//! | [`score`] | how well do simulations forecast battles whose result is known |
//! | [`replay`] | do the rules reproduce recorded battles |
//!
//! [`live`] is what their HTML reports share that is no figure: strata, for weights that are changed in the page.

pub mod best;
pub mod effects;
pub mod exact;
pub mod live;
pub mod nightly;
pub mod plan;
pub mod replay;
pub mod run;
pub mod score;
pub mod sweep;
pub mod tune;
