//! `evens check`: looks for faults in scenarios, and does nothing else.

use super::args::Check;
use super::terminal::{Terminal, print};
use super::{Exit, Failure, read};
use crate::scenario::{Document, Fault, Form, load, variants};
use crate::with_game;

pub(super) fn run(arguments: &Check, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut faulty = Vec::new();
    for scenario in &arguments.scenarios {
        match check(scenario) {
            Ok(warnings) => {
                for warning in &warnings {
                    eprint!("{}", terminal.report(warning));
                }
                print(&format!("{scenario}: ok\n"))?;
            }
            Err(Failure::Input(inputs)) => faulty.extend(inputs),
            Err(other) => return Err(other),
        }
    }
    if faulty.is_empty() { Ok(Exit::Success) } else { Err(Failure::Input(faulty)) }
}

fn check(scenario: &str) -> Result<Vec<Fault>, Failure> {
    let (document, game) = read(scenario)?;
    with_game!(game.as_str(), G => check_game::<G>(&document)).expect("the game is known")
}

/// Checks a scenario, and every variant of it if it says what to sweep.
fn check_game<G: Form>(document: &Document) -> Result<Vec<Fault>, Failure> {
    let loaded = load::<G>(document)?;
    if loaded.common.sweep.is_some() {
        variants::<G>(document, false).map_err(Failure::Input)?;
    }
    Ok(loaded.warnings)
}
