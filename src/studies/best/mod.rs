//! What is the strongest line-up, and what holds against it?
//!
//! A [`Question`] is answered by a search whose battles decide whom to look at, and by fresh battles that decide what is said
//! of them ([`best`]). A [`metagame`] goes on until no line-up that the search finds gains anything against the mix.

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
