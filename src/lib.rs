//! `evens`: Monte Carlo balance analysis for card-battle games.
//!
//! Dependencies point one way. A [`scenario`] becomes a setup that cannot be illegal; a [`batch`] plays its battles,
//! each a pure function of (setup, seed), with every die rolled through [`chance`]; every battle adds whole numbers to
//! a [`tally`]; and only after the last one come estimates with their intervals ([`statistics`]), a [`table`] for files
//! and a page for people ([`report`]). The questions that can be asked, from a plain run to tuning, are [`studies`]. The
//! rules of each game are under [`games`]; what every game must be able to do is in [`game`]; [`engine`] is the door
//! through which everything else meets them.
//!
//! ```
//! use evens::game::Outcome;
//! use evens::games::splinterlands::Splinterlands;
//! use evens::scenario::{Document, load};
//!
//! let document = Document::read("splinterlands/mirror").unwrap();
//! let scenario = load::<Splinterlands>(&document).unwrap();
//! let mut dice = evens::chance::Seeded::of_battle(scenario.common.seed, 0);
//! let stratum = evens::game::Stratum { matchup: 0, condition: 0 };
//! let ended = evens::game::play::<Splinterlands, _, _>(
//!     &scenario.setup,
//!     stratum,
//!     &mut dice,
//!     &mut evens::game::Unwatched,
//! );
//! assert!(matches!(ended.outcome, Outcome::Win(_) | Outcome::Draw));
//! ```

pub mod batch;
pub mod chance;
#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod game;
pub mod games;
pub mod report;
pub mod scenario;
pub mod statistics;
pub mod story;
pub mod studies;
pub mod table;
pub mod tally;
pub mod walk;

pub use engine::{Engine, Rules, Scenario};
pub use scenario::Faults;
