//! Counting: what a batch of battles adds up to.
//!
//! A [`Layout`] names everything that can be counted, a [`Record`] is one battle as it was counted, and a
//! [`Tally`] is the sum of many records. A tally holds whole numbers only and merges by addition, so any
//! number of threads, shards or machines, in any order, gives the same bytes. Ratios, intervals and tests
//! are computed from it afterwards, in [`statistics`](crate::statistics).

mod alike;
mod appeared;
mod by_matchup;
mod counts;
mod forfeits;
mod form;
mod items;
mod kept;
mod layout;
mod memory;
mod order_counts;
mod orders;
mod pairs;
mod record;
mod results;
mod sound;
mod strata;
mod together;
mod totals;
mod waiting;

pub use by_matchup::ByMatchup;
pub(crate) use by_matchup::Place;
pub use counts::{Appearances, Breakdown, Clustered, Count, Stratified, UnitCount};
pub use forfeits::Forfeits;
pub use form::TallyForm;
pub use items::Sequence;
pub use kept::{Kept, Sum};
pub use layout::{
    Assignment, Condition, Contenders, Decider, Fact, Layout, Matchup, Moment, Origin, Unit,
};
pub use memory::memory;
pub use orders::{Endings, Observation, OrderCount, Orders};
pub use pairs::{PairCount, Pairs};
pub use record::{FEW, Fighter, Fought, Measure, NotedOrder, Record, Recorder};
pub(crate) use record::{Memory, OrderKey};
pub use results::{OutcomeMeasure, Results};
pub use strata::Strata;
pub use totals::Tally;
pub use waiting::Waiting;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
