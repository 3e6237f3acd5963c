//! `evens check`: reports the faults of scenarios, and does nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::printed::{Checked, PrintedFault, print_more};
use super::terminal::{Terminal, print_line};
use super::{Exit, Failure};
use super::{output, reading};
use crate::engine::{Scenario, variants_of};
use crate::inputs::how_to_read;
use crate::partial::{Found, PartialError};
use crate::scenario::{Checker, Fault, Faults, tree};
use crate::shell::argument;
use crate::table::{Wrong, verify};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Scenario files, names of bundled scenarios, or folders of results or of partial results, whose files are checked
    /// against their hashes
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
    /// Print one JSON object instead: every fault with its file, line and remedy
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    if arguments.json {
        return run_json(arguments);
    }
    let mut faulty = Vec::new();
    for scenario in &arguments.scenarios {
        let name = scenario.display();
        if scenario.is_dir() {
            match check_results(scenario) {
                Ok(()) => print_line(&format!("{name}: ok\n"))?,
                Err(faults) => faulty.push(faults),
            }
            continue;
        }
        match check(scenario) {
            Ok(warnings) => {
                reading::warn(&warnings, terminal);
                print_line(&format!("{name}: ok\n"))?;
            }
            Err(Failure::Input(inputs)) => faulty.extend(inputs),
            Err(other) => return Err(other),
        }
    }
    if faulty.is_empty() { Ok(Exit::Success) } else { Err(Failure::Input(faulty)) }
}

/// Checks scenarios and folders and prints what was found as JSON. Faults are the answer here, so they go to standard
/// output and not to standard error.
fn run_json(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut inputs = Vec::new();
    for scenario in &arguments.scenarios {
        let name = scenario.display().to_string();
        let found = match scenario.is_dir() {
            true => check_results(scenario).map(|()| Vec::new()).map_err(|faults| vec![faults]),
            false => match check(scenario) {
                Ok(warnings) => Ok(warnings),
                Err(Failure::Input(inputs)) => Err(inputs),
                Err(other) => return Err(other),
            },
        };
        let printed = |faults: &[Fault]| faults.iter().map(PrintedFault::of).collect::<Vec<_>>();
        inputs.push(match found {
            Ok(warnings) => {
                Checked { name, ok: true, faults: Vec::new(), warnings: printed(&warnings) }
            }
            Err(faulty) => {
                let faults = faulty.iter().flat_map(PrintedFault::of_input).collect();
                Checked { name, ok: false, faults, warnings: Vec::new() }
            }
        });
    }
    print_more("check", None, &[("inputs", json!(inputs))])?;
    let all_well = inputs.iter().all(|input| input.ok);
    Ok(if all_well { Exit::Success } else { Exit::Faulty })
}

/// Checks that the files of a folder are just those that one command wrote there.
fn check_results(folder: &Path) -> Result<(), Faults> {
    let name = folder.display().to_string();
    if let Err(error) = fs::read_dir(folder) {
        let fault = Fault::new(format!("cannot read the folder: {error}"), how_to_read(&error));
        return Err(Faults::one(name, fault));
    }
    match Found::read(folder) {
        Ok(None) => {}
        Ok(Some(_)) => return Ok(()),
        Err(error) => return Err(Faults::one(name, of_part(&error))),
    }
    let Some(wrong) = verify(folder) else {
        if let Some(checked) = check_parts(folder) {
            return checked;
        }
        let message =
            "the folder has no provenance.json of ours, so nothing says what belongs to it";
        // A folder with scenarios in it was named because of these.
        let remedy = match has_scenarios(folder) {
            true => {
                format!("scenarios are checked by file: `evens check {}/*.toml`", argument(&name))
            }
            false => "name the folder that a command wrote with `-o FOLDER`, or write the results to another one".to_owned(),
        };
        return Err(Faults::one(name, Fault::new(message, remedy)));
    };
    if wrong.is_empty() {
        return Ok(());
    }
    let fault = |(file, why): (String, Wrong)| Fault::new(format!("{file}: {why}"), why.remedy());
    Err(Faults::new(name, wrong.into_iter().map(fault).collect()))
}

/// Checks the partial results in a folder, such as the shards of a run, and what else is there: other results and
/// scenarios. None when there are no partial results.
fn check_parts(folder: &Path) -> Option<Result<(), Faults>> {
    let parts = Found::places(folder).ok().filter(|parts| !parts.is_empty())?;
    let wrong = parts.iter().filter_map(|part| Found::read(part).err());
    let mut faults: Vec<Fault> = wrong.map(|error| of_part(&error)).collect();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut others: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| !parts.contains(path)).collect();
    others.sort();
    for path in others {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let named =
            |fault: &Fault| Fault::new(format!("{name}: {}", fault.message), fault.remedy.clone());
        if path.is_dir() {
            for (file, why) in verify(&path).unwrap_or_default() {
                faults.push(Fault::new(format!("{name}/{file}: {why}"), why.remedy()));
            }
        } else if path.extension().is_some_and(|end| end == "toml")
            && let Err(Failure::Input(inputs)) = check(&path)
        {
            faults.extend(inputs.iter().flat_map(|of| of.faults.iter().map(named)));
        }
    }
    let name = folder.display().to_string();
    Some(if faults.is_empty() { Ok(()) } else { Err(Faults::new(name, faults)) })
}

/// The fault that an error about a partial result is reported as.
fn of_part(error: &PartialError) -> Fault {
    let remedy = miette::Diagnostic::help(error).map(|help| help.to_string());
    Fault::new(error.to_string(), remedy.unwrap_or_default())
}

/// Whether there are TOML files in a folder.
fn has_scenarios(folder: &Path) -> bool {
    let is_toml = |path: PathBuf| path.extension().is_some_and(|end| end == "toml");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(is_toml)
}

/// Checks a scenario, every variant of it if it has a sweep, and the place that it names for its results. Returns the
/// warnings.
fn check(scenario: &Path) -> Result<Vec<Fault>, Failure> {
    let document = reading::document(scenario)?;
    let scenario = Scenario::of(&document)?;
    if scenario.common.sweep.is_some() {
        variants_of(&document, false, &mut drop).map_err(Failure::Input)?;
    }
    let mut checker = Checker::new(&document, tree(&document.source)?);
    output::check(&scenario.common.output, &mut checker);
    let (faults, warnings) = checker.finish();
    if !faults.is_empty() {
        return Err(Faults::new(document.source.name(), faults).into());
    }
    Ok([scenario.all_warnings(), warnings].concat())
}
