//! What a card is worth: what it adds to the score beside its team-mates, its opponents and the conditions; which
//! cards to change first; and how the same battles would have ended with another card in its place, or without one of
//! its abilities.
//!
//! 1. A [`Design`] says whose cards are counted. The first half of the battles ([`fit_kept`]) adds up, in whole
//!    numbers, the sums for a linear regression of the score on who brings what ([`FitTally`]).
//! 2. A [`Model`] is that regression, plain and shrunken ([`Ridge`](crate::statistics::Ridge)). What a ruleset or a
//!    mana cap does to a side as a whole is taken out of it first (`fixed.rs`), so that it is not mistaken for what a
//!    card does.
//! 3. The other half is fresh ([`test_kept`]): the model has not seen it. It shows how well the model predicts, how
//!    wide its intervals are, and what a card is worth under each ruleset and with each partner ([`FreshTally`]). The
//!    cards that head the impact list are replaced in it, battle by battle, with common random numbers.
//!
//! The cards that are studied more closely are chosen by the first half alone, so that the results shown for them are
//! not the ones for which they were chosen.

mod centred;
mod design;
mod field;
mod fixed;
mod lines;
mod model;
mod page;
mod play;
mod report;
mod results;
mod same_battles;
mod standing;
mod tables;
mod tally;

pub use design::{Design, NoWorth, Source, Target, Variant};
pub use model::Model;
pub use page::page;
pub use play::{Played, fit, fit_kept, test, test_kept};
pub use report::report;
pub use results::{Impact, Of, Replacement, Results, UnitWorth, results};
pub use tables::{WorthTable, impact, replacements, worth};
pub use tally::{FitTally, FreshTally};
