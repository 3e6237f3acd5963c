//! Independent reference implementations: the core of every game once more, slow and plain, written from the rule texts
//! alone and without a look at the engine's rules. Random set-ups are played by both with the same dice, and after the start and after
//! every round both must say the same of every unit, of every die that was thrown with its odds, and of the outcome.
//!
//! `PROPTEST_CASES=50000 cargo test reference::` looks harder.

mod conformance;
mod eldertale;
mod recorded;
mod sanctum;
mod solforge;
mod splinterlands;
mod tape;

use proptest::test_runner::{Config, RngSeed};

/// So many set-ups, always the same ones, which take some seconds; or as many as the environment says, other ones each
/// time.
fn tries(usual: u32) -> Config {
    let config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return config;
    }
    Config { cases: usual, rng_seed: RngSeed::Fixed(1), ..config }
}
