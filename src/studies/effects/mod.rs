//! The effect of each ruleset (or whatever else a game draws for a battle), from paired battles with and without it.
//!
//! 1. A [`Design`] lists what is played: the neutral condition (in Splinterlands Standard), every factor that can be
//!    drawn alone, and every pair.
//! 2. Every battle is played under each of them with common random numbers ([`Keyed`](crate::chance::Keyed),
//!    [`play`]), so that most of the noise cancels.
//! 3. Everything whose score is measured is a subject: a side of a match-up, and where teams are drawn a unit. An
//!    [`EffectTally`] keeps sums of products of its appearances and wins under the conditions that are compared: a
//!    number of integers that does not depend on how many battles are played. Until battles are added to it they are
//!    buffered (`noted`): as sets of battles (`sets`), or one by one.
//! 4. Effects and interactions, with their covariances, are computed from these sums ([`results`]).
//!
//! Teams are drawn under each condition: which cards a ruleset lets teams bring is part of its effect.

pub mod order;
mod page;
mod report;
mod tables;

pub use page::effects as page;
pub use report::report;
pub use tables::{EffectsTable, ruleset_effects, unit_effects};

mod design;
mod noted;
mod play;
mod results;
mod sets;
mod tally;

pub use design::{Case, Design, NoEffects, Pair};
pub use play::{Played, play, play_kept};
pub use results::{Effect, Interaction, results};
pub use tally::{EffectTally, memory};
