//! A second opinion on every game: its core once more, slow and plain, written from the rule texts alone and without
//! a look at the engine's rules. Random set-ups are played by both with the same dice, and after the start and after
//! every round both must say the same of every unit, of every die that was thrown with its odds, and of the outcome.
//!
//! `PROPTEST_CASES=5000 cargo test --test second_opinion` looks harder.

mod recorded;
mod splinterlands;
