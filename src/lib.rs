//! `evens`: Monte Carlo balance analysis for card-battle games.

pub mod analysis;
pub mod chance;
pub mod exact;
pub mod game;
pub mod games;
pub mod report;
pub mod scenario;
pub mod story;
pub mod tables;
pub mod tally;
