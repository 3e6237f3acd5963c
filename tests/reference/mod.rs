//! Independent reference implementations: the core of every game implemented a second time, slow and plain, from the
//! rule texts alone and without a look at the engine's rules. Both play random set-ups with the same dice, and after the
//! start and after every round they must agree on every unit, on every die that was rolled with its odds, and on the
//! outcome.
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

/// A configuration with this many set-ups, always the same ones, which take some seconds; or, where the environment
/// gives a number, with that many, different ones each time.
fn tries(usual: u32) -> Config {
    let config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return config;
    }
    Config { cases: usual, rng_seed: RngSeed::Fixed(1), ..config }
}
