//! What a run prints when it is over: [`summary`], and after a sequential run [`evidence`].

mod changes;
mod contenders;
mod evidence;
mod field;
mod idle;
mod matchups;
mod measured;
mod order_effects;
mod orders;
mod summary;
mod unit_pairs;
mod units;

pub use evidence::evidence;
pub use summary::summary;

#[cfg(test)]
mod tests;
