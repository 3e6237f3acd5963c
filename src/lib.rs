//! `evens`: Monte Carlo balance analysis for card-battle games.
//!
//! One direction, no way back: a [`scenario`] becomes a setup that cannot be illegal; a [`batch`] plays its
//! battles, each a pure function of (setup, seed), with all luck thrown through [`chance`]; every battle
//! adds whole numbers to a [`tally`]; and only after the last one come ratios and intervals ([`analysis`]),
//! [`tables`] for files and a [`report`] for people. What a run counted can be kept as a [`baseline`] that later
//! runs are held against, and what is expected of real battles is held against how those ended ([`score`]). The rules of each game are under [`games`]; what every game must be able to do is in
//! [`game`].
//!
//! ```
//! use evens::game::Outcome;
//! use evens::games::splinterlands::Splinterlands;
//! use evens::scenario::{Document, load};
//!
//! let document = Document::read("splinterlands/mirror").unwrap();
//! let scenario = load::<Splinterlands>(&document).unwrap();
//! let mut luck = evens::chance::Seeded::of_battle(scenario.common.seed, 0);
//! let stratum = evens::game::Stratum { matchup: 0, condition: 0 };
//! let ended = evens::game::play::<Splinterlands, _, _>(
//!     &scenario.setup,
//!     stratum,
//!     &mut luck,
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
