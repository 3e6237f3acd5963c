//! All integration tests in one binary, which is linked only once.
//!
//! | folder | what it holds |
//! |---|---|
//! | `rulebook` | the acceptance cases of every game: one case, one test, its id in the name |
//! | `reference` | the rules of every game once more, slow and plain, compared die by die; recorded battles |
//! | `laws` | what holds for every battle and every run: determinism, invariants, no allocation |
//! | `robustness` | broken and made-up inputs: a fault or a sound battle, never a panic |
//! | `made_up` | random sound scenarios of every game, for `robustness` and `reference` |
//! | `forms` | what a scenario or a card file can say, and what can be wrong with it |
//! | `stories` | how battles are told |
//! | `statistics` | how often intervals hold the truth |
//! | `cli` | the real binary, from end to end |
//! | `docs` | the blocks of code in the guides |

mod cli;
mod docs;
mod forms;
mod laws;
mod made_up;
mod reference;
mod robustness;
mod rulebook;
mod statistics;
mod stories;

/// The program that is tested: the one of this build, or the one that `EVENS_UNDER_TEST` names, such as a release.
fn program() -> std::path::PathBuf {
    let own = assert_cmd::cargo::cargo_bin!("evens");
    std::env::var_os("EVENS_UNDER_TEST")
        .map_or_else(|| own.to_owned(), |named| found_anywhere(named.as_ref()))
}

/// The path of a program that is named from the folder where the tests began: most tests start it in folders of their own.
fn found_anywhere(named: &std::path::Path) -> std::path::PathBuf {
    std::path::absolute(named).expect("a path, from a folder that is there")
}

#[test]
fn the_program_under_test_may_be_named_from_the_folder_of_the_tests() {
    let own = assert_cmd::cargo::cargo_bin!("evens");
    let here = std::env::current_dir().unwrap();
    assert_eq!(found_anywhere("target/release/evens".as_ref()), here.join("target/release/evens"));
    assert_eq!(found_anywhere(own), own, "an absolute path stays as it is");
}
