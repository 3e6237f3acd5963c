//! Variants of a scenario, compared with the first.
//!
//! 1. Variants that differ only in the odds of their conditions share one [`Arm`]: its battles serve all of them by
//!    reweighting, each stratum (match-up and condition) with each variant's own weight.
//! 2. The battles are allocated to strata beforehand ([`Design`]); battle `i` belongs to the same stratum for every
//!    number of threads. On request a quarter of them is a pilot for Neyman allocation ([`play_after_pilot`]).
//! 3. Every arm plays the same battles of the strata that it has, with common random numbers
//!    ([`Keyed`](crate::chance::Keyed), [`play`]), and each stratum counts the points of each side, and their products
//!    with the points in the first variant's arm ([`PairedTally`]). Arms without a common stratum play different
//!    battles.
//! 4. Win rates, and differences to the first variant, are computed from these counts ([`results`]).

mod common;
mod page;
mod report;
mod tables;

pub use page::{Swept, sweep as page};
pub use report::{Texts, live, report};
pub use tables::sweep as table;

mod design;
mod play;
mod results;
mod setups;

pub use design::{Arm, Design, Member, Uneven};
pub use play::{
    KeeperOf, PairedTally, Played, play, play_after_pilot, play_after_pilot_kept, play_kept,
};
pub use results::{Row, results};
pub use setups::Setups;
