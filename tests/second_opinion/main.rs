//! A second opinion on every game: its core once more, slow and plain, written from the rule texts alone and without
//! a look at the engine's rules. Random set-ups are played by both with the same dice, and after the start and after
//! every round both must say the same of every unit, of every die that was thrown with its odds, and of the outcome.
//!
//! `PROPTEST_CASES=50000 cargo test --test second_opinion` looks harder.

mod eldertale;
mod recorded;
mod splinterlands;

use proptest::test_runner::Config;

/// As many cases as take some seconds, unless the environment says otherwise.
fn config() -> Config {
    let usual = Config { failure_persistence: None, ..Config::default() };
    let is_asked = std::env::var_os("PROPTEST_CASES").is_some();
    Config { cases: if is_asked { usual.cases } else { 2000 }, ..usual }
}
