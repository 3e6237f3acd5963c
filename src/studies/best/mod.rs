//! Searches for the strongest line-ups, and for a mix of line-ups that nothing beats.
//!
//! A [`Question`] is answered by a search, whose battles only select line-ups, and by fresh battles, from which their
//! scores are reported ([`best`]). A [`metagame`] goes on until no line-up that a search finds gains anything against
//! the mix.

mod archive;
mod arena;
mod bounds;
mod metagame;
mod model;
mod page;
mod payoffs;
mod report;
mod results;
mod search;
mod tables;

pub use arena::{Arena, Ended, Field, Fixture, GoOn, Other, Points, Sharing};
pub use metagame::{Member, Metagame, Under, Wish, metagame};
pub use page::{Answer, best as page};
pub use report::best as report;
pub use results::{Best, Question, Team, best};
pub use search::{draw_keeping, keeps};
pub use tables::{BestTable, table};
