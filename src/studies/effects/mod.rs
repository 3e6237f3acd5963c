//! The effect of each ruleset (or whatever else a game draws for a battle), from paired battles with and without it.
//!
//! 1. A [`Design`] lists what is played: the neutral condition (in Splinterlands Standard), every factor that can be
//!    drawn alone, and every pair.
//! 2. Every battle is played under each of them with common random numbers ([`Keyed`](crate::chance::Keyed),
//!    [`play`]), so that most of the noise cancels.
//! 3. Whatever has a win rate is a subject: a side of a match-up, and where teams are drawn a unit. An [`EffectTally`] keeps
//!    sums of products of its appearances and wins under the conditions that are compared: whole numbers whose count
//!    does not depend on how much is played. Battles wait in one of three ways until they are added to it (`noted`): counts by
//!    ending (`counted`), sets of battles where there are pairs (`sets`), or one by one.
//! 4. Effects and interactions, with their covariances, are computed from these sums ([`results`]).
//!
//! That a ruleset changes which cards may be brought is part of its effect: teams are drawn under each condition.

pub mod order;
mod page;
mod report;
mod tables;

pub use page::effects as page;
pub use report::report;
pub use tables::{EffectsTable, ruleset_effects, unit_effects};

mod counted;
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
