//! `evens check`: reports the faults of scenarios, and does nothing else.

use std::path::{Path, PathBuf};

use clap::Args;

use super::job;
use super::terminal::{Terminal, print};
use super::{Exit, Failure};
use crate::engine::{Scenario, variants_of};
use crate::scenario::{Fault, Faults};
use crate::table::verify;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Scenario files, names of bundled scenarios, or folders of results, whose files are checked against their hashes
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut faulty = Vec::new();
    for scenario in &arguments.scenarios {
        let name = scenario.display();
        if scenario.is_dir() {
            match check_results(scenario) {
                Ok(()) => print(&format!("{name}: ok\n"))?,
                Err(faults) => faulty.push(faults),
            }
            continue;
        }
        match check(scenario) {
            Ok(warnings) => {
                job::warn(&warnings, terminal);
                print(&format!("{name}: ok\n"))?;
            }
            Err(Failure::Input(inputs)) => faulty.extend(inputs),
            Err(other) => return Err(other),
        }
    }
    if faulty.is_empty() { Ok(Exit::Success) } else { Err(Failure::Input(faulty)) }
}

/// Checks that the files of a folder are just those that one command wrote there.
fn check_results(folder: &Path) -> Result<(), Faults> {
    let name = folder.display().to_string();
    let remedy = "run the command again: its results take the place of these";
    let Some(wrong) = verify(folder) else {
        let message =
            "the folder has no provenance.json of ours, so nothing says what belongs to it";
        return Err(Faults::one(name, Fault::new(message, remedy)));
    };
    if wrong.is_empty() {
        return Ok(());
    }
    let fault = |(file, why): (String, &str)| Fault::new(format!("{file}: {why}"), remedy);
    Err(Faults::new(name, wrong.into_iter().map(fault).collect()))
}

/// Checks a scenario, and every variant of it if it says what to sweep.
fn check(scenario: &Path) -> Result<Vec<Fault>, Failure> {
    let document = job::document(scenario)?;
    let scenario = Scenario::of(&document)?;
    if scenario.common.sweep.is_some() {
        variants_of(&document, false, &mut drop).map_err(Failure::Input)?;
    }
    Ok(scenario.warnings)
}
