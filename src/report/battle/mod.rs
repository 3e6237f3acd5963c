//! A battle as one HTML page that steps through it: the board after every event, the dice with their odds, and the
//! whole story as a list.
//!
//! The page knows no game and no rule. The board of each step was read off the game's own state
//! ([`Board`](crate::story::Board)); the scripts beside this file only show it, and compare each board with the
//! previous one to mark what changed. Without scripts, and on paper, the story is there all the same. Nothing is
//! loaded from elsewhere. Names are never taken for HTML: they are escaped here, and set as text by the scripts.

mod data;
mod page;
mod story;

pub use page::{Fact, Shown, page};
