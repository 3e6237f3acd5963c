//! `evens check`: reports the faults of scenarios, and does nothing else.

use clap::Args;

use super::job;
use super::terminal::{Terminal, print};
use super::{Exit, Failure};
use crate::engine::{Scenario, variants_of};
use crate::scenario::{Document, Fault};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Scenario files, or names of bundled scenarios
    #[arg(required = true)]
    scenarios: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut faulty = Vec::new();
    for scenario in &arguments.scenarios {
        match check(scenario) {
            Ok(warnings) => {
                job::warn(&warnings, terminal);
                print(&format!("{scenario}: ok\n"))?;
            }
            Err(Failure::Input(inputs)) => faulty.extend(inputs),
            Err(other) => return Err(other),
        }
    }
    if faulty.is_empty() { Ok(Exit::Success) } else { Err(Failure::Input(faulty)) }
}

/// Checks a scenario, and every variant of it if it says what to sweep.
fn check(scenario: &str) -> Result<Vec<Fault>, Failure> {
    let document = Document::read(scenario)?;
    let scenario = Scenario::of(&document)?;
    if scenario.common.sweep.is_some() {
        variants_of(&document, false).map_err(Failure::Input)?;
    }
    Ok(scenario.warnings)
}
