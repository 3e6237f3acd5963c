//! `evens`: Monte Carlo balance analysis for card-battle games.
//!
//! ```
//! use evens::{Level, Scenario, proportion};
//!
//! let scenario = Scenario::read("solforge/dryad-and-patriarch")?;
//! let run = scenario.run();
//! let table = &run.tables()[0];
//!
//! // Whole numbers first, estimates after the last merge.
//! let count = run.tally().count(scenario.engine().layout(), |_, _| true);
//! let wins = proportion(count.wins[0], count.battles, Level::P95);
//! assert_eq!(table.name, "outcomes");
//! assert!(wins.low <= wins.value && wins.value <= wins.high);
//! # Ok::<(), evens::Faults>(())
//! ```
//!
//! Data flows in one direction only. A [`scenario`] is read and checked into an [`Engine`], one object for any game; a
//! [`batch`] plays its battles, each a pure function of (setup, seed, number), with every die thrown through
//! [`chance`]; each battle adds whole numbers to a [`tally`]; only after the last merge come estimates and tests
//! ([`statistics`]). A question about a scenario is a study ([`studies`]), which owns its results, its tables and its
//! page; [`table`] writes any table in any format. Exact odds come from walking all outcomes ([`mod@walk`]). The rules
//! are under [`games`]; what a game must be able to do is in [`game`], and `examples/toy_game` is one written from
//! outside.
//!
//! | example | shows |
//! |---|---|
//! | `examples/run.rs` | a run: tallies, estimates, tables |
//! | `examples/sweep.rs` | variants of a scenario on common random numbers |
//! | `examples/exact.rs` | exact odds as fractions |
//! | `examples/toy_game` | a game of one's own |
//!
//! Features: `cli` (the command line, default), `parquet` (Parquet tables through polars' writer, default),
//! `dataframes` (tables as polars data frames), `s3` (results in object stores). Without any the crate is a library
//! that writes CSV, JSON and Markdown to folders.

pub mod batch;
pub mod chance;
#[cfg(feature = "cli")]
pub mod cli;
mod digest;
pub mod engine;
pub mod forcible;
pub mod game;
pub mod games;
mod inputs;
mod json;
pub mod lineups;
mod numerals;
mod parallel;
pub mod partial;
pub mod recast;
pub mod remote;
pub mod report;
pub mod scenario;
mod shell;
mod sorting;
pub mod statistics;
pub mod story;
pub mod studies;
pub mod table;
pub mod tally;
mod visible;
pub mod walk;

pub use engine::{Engine, GAMES, Rules, Scenario};
pub use game::{Outcome, Side};
pub use scenario::{Document, Fault, Faults};
pub use statistics::{Estimate, Level, proportion};
pub use studies::run::Run;
pub use table::{Destination, Format, Table};
pub use tally::{Layout, Tally};
