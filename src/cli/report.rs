//! `evens report`: one HTML page of a folder of results; and `--report FILE` of the commands that make results.

use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum as _};

use super::keeping::Part;
use super::output::Outlet;
use super::printed::print_written;
use super::reading;
use super::terminal::{Terminal, say};
use super::{Exit, Failure, flags};
use crate::inputs;
use crate::report::html::{Draft, FORMAT, Notes, Report, ScenarioText, page};
use crate::scenario::{Fault, Faults, bundled};
use crate::shell;
use crate::studies::nightly::HISTORY;
use crate::studies::score::ScoreTable;
use crate::table::{Content, Provenance, ReadError, Results, Table, Target};

const EXAMPLES: &str = "\
Examples:
  evens run splinterlands/archetypes -o results
  evens report results -o report.html
  evens run my.toml --report report.html       both in one go

The page is one file without anything loaded from elsewhere: open it in any
browser, send it, print it.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A folder that `run`, `sweep`, `effects`, `exact`, `tune`, `best`, `worth`, `nightly`, `compare` or `merge` wrote
    /// with -o
    results: PathBuf,
    /// The HTML file to write
    #[arg(short, long, value_name = "FILE", value_parser = flags::file())]
    output: PathBuf,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
    /// Print one JSON object: the file that was written, or why it was not
    #[arg(long)]
    json: bool,
}

/// Where the HTML report of a command goes.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct ReportFile {
    /// Also write the results as one HTML page to this file: the answer, figures, and weights to play with
    #[arg(long = "report", value_name = "FILE", value_parser = flags::file(), help_heading = "What to write")]
    report: Option<PathBuf>,
}

impl ReportFile {
    pub(super) fn is_wanted(&self) -> bool {
        self.report.is_some()
    }

    /// Opens the file, if there is to be one. It must not be in the place of a table of the outlet.
    pub(super) fn open(&self, outlet: &Outlet) -> Result<Option<ReportTarget>, Failure> {
        let Some(path) = &self.report else { return Ok(None) };
        outlet.spare([("--report", path.as_path())])?;
        let target = Target::open(path, Content::Page)?;
        Ok(Some(ReportTarget { path: path.clone(), target }))
    }

    /// Refuses a report of a shard, which has no results to report.
    pub(super) fn refuse_shards(&self, part: Part) -> Result<(), Failure> {
        if self.is_wanted() && part.shard.is_some() {
            let remedy = "a shard is a part of the results: say --report where they are added up, `evens merge`";
            return Err(Failure::Usage(remedy.to_owned()));
        }
        Ok(())
    }
}

/// The file of a report, open.
#[derive(Debug)]
pub(super) struct ReportTarget {
    path: PathBuf,
    target: Target,
}

impl ReportTarget {
    /// Writes the report.
    pub(super) fn fill(
        self,
        provenance: &Provenance,
        draft: Draft,
        quiet: bool,
    ) -> Result<(), Failure> {
        let (notes, tables) = draft.into_tables();
        self.write(provenance, &notes, &tables, quiet)
    }

    fn write(
        self,
        provenance: &Provenance,
        notes: &Notes,
        tables: &[Table],
        quiet: bool,
    ) -> Result<(), Failure> {
        self.target.fill(&page(&Report { provenance, notes, tables }))?;
        if !quiet {
            say(&format!("wrote {}: open it in a browser\n", self.path.display()));
        }
        Ok(())
    }
}

/// The JSON text of notes, as they are kept beside tables.
pub(super) fn notes_text(notes: &Notes) -> String {
    let text = serde_json::to_string(notes).expect("notes are plain data");
    text + "\n"
}

/// The scenario's text, taken apart for reports with other weights.
pub(super) fn scenario_text(path: &Path) -> Option<ScenarioText> {
    let document = reading::document(path).ok()?;
    ScenarioText::of(document.source.name(), document.source.inner())
}

/// A command line that makes the same results again.
pub(super) struct Again {
    text: String,
}

impl Again {
    pub(super) fn new(command: &str, scenario: &str) -> Self {
        Self { text: shell::command_on(command, scenario) }
    }

    pub(super) fn flag(mut self, flag: &str, value: impl Display) -> Self {
        let _ = write!(self.text, " {}", shell::flag(flag, &value.to_string()));
        self
    }

    /// Flags with their values; those that have none have an empty one.
    pub(super) fn flags(self, flags: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        flags.into_iter().fold(self, |again, (flag, value)| match value.is_empty() {
            true => again.alone(flag),
            false => again.flag(flag, value),
        })
    }

    /// A flag without a value.
    pub(super) fn alone(mut self, flag: &str) -> Self {
        let _ = write!(self.text, " {flag}");
        self
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

pub(super) fn run(arguments: &Arguments, _: &Terminal) -> Result<Exit, Failure> {
    let folder = &arguments.results;
    let fault = |why: ReadError| {
        if let ReadError::Remote(error) = why {
            return Failure::Output(error.into());
        }
        if matches!(why, ReadError::NoNotes | ReadError::Several(_)) && is_history(folder) {
            return of_history(folder).into();
        }
        if matches!(why, ReadError::NoNotes) && is_scoring(folder) {
            return of_scoring(folder).into();
        }
        let remedy = why.remedy();
        Faults::one(folder.display().to_string(), Fault::new(why.to_string(), remedy)).into()
    };
    let misnamed = of_scenario(folder).or_else(|| of_file(folder, &arguments.output));
    if let Some(faults) = misnamed {
        return Err(faults.into());
    }
    let results = Results::open(folder).map_err(fault)?;
    let notes = read_notes(&results, folder).map_err(|error| match error {
        NotesError::Read(why) => fault(why),
        NotesError::Other(faults) => faults.into(),
    })?;
    let mut tables: Vec<Table> = Vec::new();
    for kept in &notes.tables {
        tables.extend(kept.table());
    }
    for figure in &notes.figures {
        if tables.iter().all(|table| table.name != figure.table) {
            tables.extend(results.table(&figure.table).map_err(fault)?);
        }
    }
    sound(&notes, &tables).map_err(|what| {
        let remedy = "run the command again";
        Faults::one(folder.display().to_string(), Fault::new(what, remedy))
    })?;
    // The results are of this scenario, which is not read again but must not be written over.
    inputs::note(Path::new(&results.provenance().scenario));
    let target = Target::open(&arguments.output, Content::Page)?;
    let target = ReportTarget { path: arguments.output.clone(), target };
    let is_silent = arguments.quiet || arguments.json;
    target.write(results.provenance(), &notes, &tables, is_silent)?;
    if arguments.json {
        print_written("report", &arguments.output)?;
    }
    Ok(Exit::Success)
}

/// The fault of naming a scenario, a file or a bundled one, instead of results.
fn of_scenario(path: &Path) -> Option<Faults> {
    let name = path.display().to_string();
    let is_bundled =
        || !path.exists() && (bundled::find(&name).is_some() || bundled::ending(&name).len() == 1);
    let is_toml = path.extension().is_some_and(|ending| ending == "toml") && path.is_file();
    if !is_toml && !is_bundled() {
        return None;
    }
    let run = shell::command_on("run", &name);
    let remedy = format!(
        "`{run} --report report.html` plays it and reports in one go; `{run} -o results` writes the results, of which `evens \
         report results -o report.html` makes the report"
    );
    let message = "it is a scenario, and a report is made of results";
    Some(Faults::one(name, Fault::new(message, remedy)))
}

/// The fault of naming a file, such as a table, instead of the folder that holds the results. None for the manifest of a run in
/// a folder that many share, which names that run.
fn of_file(path: &Path, output: &Path) -> Option<Faults> {
    let is_manifest = path.file_name().is_some_and(|name| name == "provenance.json");
    if !path.is_file() || (!is_manifest && Results::open(path).is_ok()) {
        return None;
    }
    let full = |path: &Path| path.canonicalize().ok();
    let lists_it = |folder: &&Path| {
        let results = Results::open(folder);
        results.is_ok_and(|results| results.files().any(|file| full(&file) == full(path)))
    };
    let here = Path::new(".");
    let mut around =
        path.ancestors().skip(1).map(|of| if of.as_os_str().is_empty() { here } else { of });
    let (message, remedy) = match around.find(lists_it) {
        Some(folder) => {
            let report = shell::command_on("report", &folder.display().to_string());
            let to = shell::argument(&output.display().to_string());
            let message = "it is a file, and a report is made of the folder that it is in";
            (message, format!("`{report} -o {to}` makes it"))
        }
        None => (
            "it is a file, and a report is made of a folder of results",
            ReadError::NoResults.remedy(),
        ),
    };
    Some(Faults::one(path.display().to_string(), Fault::new(message, remedy)))
}

/// Whether a folder, or one run in it, holds nothing but nights.
fn is_history(folder: &Path) -> bool {
    let is_night = |results: &Results| results.has(HISTORY);
    match Results::open(folder) {
        Ok(one) => is_night(&one),
        Err(_) => Results::of_every_run(folder)
            .is_ok_and(|runs| runs.iter().all(|(_, run)| run.as_ref().is_ok_and(is_night))),
    }
}

/// The fault of reporting a history: that is for another command, and a night is reported where it is compared.
fn of_history(folder: &Path) -> Faults {
    let name = folder.display().to_string();
    let remedy = "`evens trend` tells how they have gone; `evens nightly -o FOLDER` or `--report FILE` reports a night";
    Faults::one(
        name,
        Fault::new("it is a history of nights, and no report is made of that", remedy),
    )
}

/// Whether a folder holds what `evens score` writes.
fn is_scoring(folder: &Path) -> bool {
    let is_written = |results: &Results| {
        ScoreTable::value_variants().iter().any(|table| results.has(&table.to_string()))
    };
    Results::open(folder).is_ok_and(|results| is_written(&results))
}

/// The fault of reporting scores of forecasts, which only their own command tells.
fn of_scoring(folder: &Path) -> Faults {
    let message = "it holds scores of forecasts, and no report is made of those";
    let remedy =
        "`evens score` prints what they say; `--format markdown` writes its tables for people";
    Faults::one(folder.display().to_string(), Fault::new(message, remedy))
}

enum NotesError {
    Read(ReadError),
    Other(Faults),
}

fn read_notes(results: &Results, folder: &Path) -> Result<Notes, NotesError> {
    let text = results.notes().map_err(NotesError::Read)?;
    let fault = |what: String, remedy: &str| {
        let file = folder.join("report.json").display().to_string();
        NotesError::Other(Faults::one(file, Fault::new(what, remedy)))
    };
    let format = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|value| value.get("format")?.as_u64());
    match format {
        Some(format) if format > u64::from(FORMAT) => Err(fault(
            format!("it is of format {format}, and this version knows up to {FORMAT}"),
            "make the report with the version that wrote the results",
        )),
        _ => serde_json::from_str(&text).map_err(|error| {
            fault(format!("it is no note of ours: {error}"), "run the command again")
        }),
    }
}

/// Checks that every figure finds the columns and rows that it draws.
fn sound(notes: &Notes, tables: &[Table]) -> Result<(), String> {
    for figure in &notes.figures {
        let Some(table) = tables.iter().find(|table| table.name == figure.table) else { continue };
        let has = |name: &str| table.columns.iter().any(|column| column.name == name);
        if let Some(series) = figure.series.iter().find(|series| !has(&series.column)) {
            return Err(format!("the table {} has no column {}", table.name, series.column));
        }
        if let Some(mark) = figure.marks.iter().find(|mark| mark.row >= table.rows()) {
            return Err(format!("the table {} has no row {}", table.name, mark.row));
        }
    }
    Ok(())
}
