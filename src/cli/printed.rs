//! What `--json` prints: one object, the same in its head for every command.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use miette::Diagnostic;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::terminal::print_json;
use super::{Exit, Failure};
use crate::parallel::locked;
use crate::report::Style;
use crate::scenario::{Fault, Faults};
use crate::table::{Provenance, Table, Tables};

/// The version of the format. It rises when something that exists changes; more may be added at any time.
const FORMAT: u32 = 1;

/// What `--json` prints. The commands that make tables give `provenance`, `page` and `tables`; `exact`, `plan` and `tune`
/// give their answer in keys of their own besides, most of which are not described here; `trace` prints one object a line
/// instead, without this head, unless it writes a page. A command that fails prints `exit_code` and `faults` instead of an
/// answer, on one line; `check` has the faults of inputs in `inputs`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it is there to be described")]
struct Printed {
    /// The version of this format.
    format: u32,
    /// The command that printed it.
    command: String,
    /// The version of the program.
    version: String,
    /// Where the results come from, of every command that makes tables. That of a `plan` is in `pilot`.
    provenance: Option<Provenance>,
    /// The page that is printed without `--json`, 80 columns wide.
    page: Option<String>,
    /// The tables by name, each a list of rows whose keys are its columns; null is not known. The tables of a run are those
    /// that it would write, but for `battles`. `list` gives the list that was asked for.
    tables: Option<BTreeMap<String, Vec<BTreeMap<String, Value>>>>,
    /// `check`: what was found in each input.
    inputs: Option<Vec<Checked>>,
    /// `compare`, `nightly`: every comparison, most of which changed nothing.
    changes: Option<Vec<Changed>>,
    /// `compare`, `nightly`: whether any change counts; the exit code is then 4.
    changed: Option<bool>,
    /// `compare`, `nightly`: what counts, put together by what goes with what.
    alarms: Option<Vec<Raised>>,
    /// `compare`, `nightly`: what the scenarios' files say otherwise than when their baselines were written.
    file_changes: Option<Vec<FileChanged>>,
    /// `compare` of two card files: the battles that were played with either, and the cards that differ; null otherwise.
    coverage: Option<Covered>,
    /// `replay`: each recorded battle. `plan`: how many battles it takes; null where no number suffices.
    battles: Option<Battles>,
    /// `report`, `trace --html`: the file that was written.
    written: Option<String>,
    /// What is probably not meant in the scenario; left out where there is nothing.
    warnings: Option<Vec<PrintedFault>>,
    /// Of a command that failed: the exit code.
    exit_code: Option<u8>,
    /// Of a command that failed: why, in the order of the file where one is to blame.
    faults: Option<Vec<PrintedFault>>,
    /// How many more faults there are, where there are so many.
    faults_omitted: Option<usize>,
}

/// What was found in an input.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Checked {
    /// Its name.
    pub name: String,
    /// Whether it can be used.
    pub ok: bool,
    /// What is wrong with it.
    pub faults: Vec<PrintedFault>,
    /// What is probably not meant.
    pub warnings: Vec<PrintedFault>,
}

/// A fault or a warning.
// The name in the schema stays: programs may hold code that was generated from it.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(rename = "Told")]
pub(super) struct PrintedFault {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
    /// The file, if any is to blame.
    pub file: Option<String>,
    /// The line in it, from 1.
    pub line: Option<usize>,
    /// The column in it, from 1, in characters.
    pub column: Option<usize>,
}

impl PrintedFault {
    /// A fault, with its place as line and column.
    pub(super) fn of(fault: &Fault) -> Self {
        let place = fault.place.as_ref().map(|(source, span)| {
            let before = &source.inner()[..span.start.min(source.inner().len())];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let line = before.matches('\n').count() + 1;
            (source.name().to_owned(), line, before[line_start..].chars().count() + 1)
        });
        Self {
            message: fault.message.clone(),
            remedy: fault.remedy.clone(),
            line: place.as_ref().map(|(_, line, _)| *line),
            column: place.as_ref().map(|(.., column)| *column),
            file: place.map(|(file, ..)| file),
        }
    }

    /// The faults of an input: one without a place in it has its name all the same.
    pub(super) fn of_input(faults: &Faults) -> impl Iterator<Item = Self> {
        let name = &faults.name;
        faults.faults.iter().map(Self::of).map(move |fault| match fault.file {
            Some(_) => fault,
            None => Self { file: Some(name.clone()), ..fault },
        })
    }

    /// An error that is no fault of an input: it has no place.
    pub(super) fn of_error(error: &dyn Diagnostic) -> Self {
        let remedy = error.help().map(|help| help.to_string());
        Self::of(&Fault::new(error.to_string(), remedy.unwrap_or_default()))
    }
}

/// A comparison with a baseline. Values are probabilities, or means of a metric.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Changed {
    /// The scenario.
    pub scenario: String,
    /// The match-up, contender or unit.
    pub subject: String,
    /// What of it: `score A`, `draws`, `undecided`, `score`, `rounds`, `order`, or the name of a metric.
    pub quantity: String,
    /// What it was.
    pub baseline: f64,
    /// What it is now.
    pub new: f64,
    /// How much more it is.
    pub difference: f64,
    /// The lower end of the 95% confidence interval of that.
    pub difference_low: f64,
    /// The upper end.
    pub difference_high: f64,
    /// The p-value, adjusted for all comparisons (Holm).
    pub p_adjusted: f64,
    /// Whether it is significant and larger than the tolerance.
    pub counts: bool,
    /// Where it counts: its place in `alarms`, from 0.
    pub alarm: Option<usize>,
    /// How many appearances in battles that were played in both with the same dice are part of the difference.
    pub paired: u64,
}

/// Changes that go with one another.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Raised {
    /// The scenario.
    pub scenario: String,
    /// The card, unit, contender or match-up that the others go with.
    pub leader: String,
    /// Whether it is a card that the scenario's files say is changed.
    pub is_changed_card: bool,
    /// The change that is shown for it: its place in `changes`, from 0.
    pub shown: usize,
    /// Those that go with it: their places in `changes`.
    pub with: Vec<usize>,
}

/// Something that a scenario's files say otherwise.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct FileChanged {
    /// The scenario.
    pub scenario: String,
    /// The card, where it is about one.
    pub card: Option<String>,
    /// What of it, from what to what.
    pub what: String,
}

/// What the battles with two card files cover.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Covered {
    /// The scenario whose battles were played.
    pub scenario: String,
    /// What its battles have, by name: `league`, `levels of monsters`, `mana caps`, `rulesets`, and the cards that the scenario
    /// itself changes or adds, where there are any.
    pub conditions: BTreeMap<String, String>,
    /// The cards that are other in the second file.
    pub cards: Vec<CardCovered>,
}

/// A card that is other in the second of two card files.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct CardCovered {
    /// Its name.
    pub card: String,
    /// `new`, `changed` or `gone`.
    pub fate: &'static str,
    /// What of it changed, from what to what; empty where it is new or gone.
    pub what: Vec<String>,
    /// The levels at which it is other.
    pub changed_levels: Vec<u8>,
    /// The levels at which the battles have it.
    pub played_levels: Vec<u8>,
    /// Whether the battles have it at any level that changed; otherwise nothing in the report is about the change.
    pub played: bool,
}

/// Recorded battles, or a number of them.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it is there to be described")]
enum Battles {
    /// `replay`.
    Recorded(Vec<Replayed>),
    /// `plan`.
    Planned(u64),
}

/// A recorded battle that was fought again.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Replayed {
    /// The file and the place in it.
    pub battle: String,
    /// `reproduced`, `differs`, `undecided` or `left out`.
    pub verdict: &'static str,
    /// Why, where it was not reproduced.
    pub why: Option<String>,
    /// How many actions were compared.
    pub actions: Option<usize>,
    /// Of how many rounds.
    pub rounds: Option<usize>,
    /// Who won.
    pub winner: Option<String>,
}

/// The JSON Schema of what `--json` prints.
pub(super) fn schema() -> Value {
    let mut schema = schemars::SchemaGenerator::default().root_schema_for::<Printed>().to_value();
    schema["title"] = "what `evens COMMAND --json` prints".into();
    schema
}

#[derive(Serialize)]
struct Head<'h> {
    format: u32,
    command: &'h str,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<&'h Provenance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'h str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<Tables<'h>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<PrintedFault>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

impl<'h> Head<'h> {
    fn new(command: &'h str) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self {
            format: FORMAT,
            command,
            version,
            provenance: None,
            page: None,
            tables: None,
            warnings: warned(),
            more: Map::new(),
        }
    }

    fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("keys are text")
    }

    fn print(&self) -> Result<(), Failure> {
        print_json(&format!("{}\n", self.text()))
    }
}

/// The warnings so far, for the JSON that is printed at the end.
static WARNED: Mutex<Vec<PrintedFault>> = Mutex::new(Vec::new());

/// Keeps a warning for what is printed at the end.
pub(super) fn note_warning(warning: &Fault) {
    locked(&WARNED).push(PrintedFault::of(warning));
}

fn warned() -> Vec<PrintedFault> {
    locked(&WARNED).clone()
}

/// The style of a page within JSON.
pub(super) const PAGE: Style = Style { width: 80, colour: false };

/// Prints results: where they come from, their page and their tables, and the keys that a command adds.
pub(super) fn print_results(
    command: &str,
    provenance: &Provenance,
    page: &str,
    tables: &[Table],
    more: &[(&str, Value)],
) -> Result<(), Failure> {
    let head = Head {
        provenance: Some(provenance),
        page: Some(page),
        tables: Some(Tables(tables)),
        more: owned(more),
        ..Head::new(command)
    };
    head.print()
}

/// The keys that a command adds, with their values.
fn owned(more: &[(&str, Value)]) -> Map<String, Value> {
    more.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
}

/// Prints tables that come from no battles.
pub(super) fn print_tables(command: &str, tables: &[Table]) -> Result<(), Failure> {
    Head { tables: Some(Tables(tables)), ..Head::new(command) }.print()
}

/// Prints the keys that a command adds, and its page if it has one.
pub(super) fn print_more(
    command: &str,
    page: Option<&str>,
    more: &[(&str, Value)],
) -> Result<(), Failure> {
    Head { page, more: owned(more), ..Head::new(command) }.print()
}

/// Prints the file that a command has written.
pub(super) fn print_written(command: &str, file: &Path) -> Result<(), Failure> {
    print_more(command, None, &[("written", file.display().to_string().into())])
}

/// Prints a study's own JSON object with the common head before it: the page and, if the study makes tables, these and
/// their provenance. The object stays the text that it is, because numbers would lose digits on the way.
pub(super) fn print_object(
    command: &str,
    object: &str,
    page: &str,
    made: Option<(&Provenance, &[Table])>,
) -> Result<(), Failure> {
    let Some((_, rest)) = object.split_once('{') else { return print_json(object) };
    let head = Head {
        provenance: made.map(|(provenance, _)| provenance),
        page: Some(page),
        tables: made.map(|(_, tables)| Tables(tables)),
        ..Head::new(command)
    };
    let head = head.text();
    let head = head.strip_suffix("\n}").expect("an object ends so");
    print_json(&format!("{head},{rest}"))
}

/// What a command that failed prints where `--json` was asked for.
#[derive(Serialize)]
struct Failed<'f> {
    format: u32,
    command: &'f str,
    version: &'static str,
    exit_code: u8,
    faults: &'f [PrintedFault],
    #[serde(skip_serializing_if = "Option::is_none")]
    faults_omitted: Option<usize>,
}

/// Prints why a command failed, on one line: `trace` prints lines. What cannot be printed is said on standard error anyway.
pub(super) fn print_failure(command: &str, exit: Exit, faults: &[PrintedFault], omitted: usize) {
    let failed = Failed {
        format: FORMAT,
        command,
        version: env!("CARGO_PKG_VERSION"),
        exit_code: exit as u8,
        faults,
        faults_omitted: (omitted > 0).then_some(omitted),
    };
    let text = serde_json::to_string(&failed).expect("keys are text");
    let _ = print_json(&format!("{text}\n"));
}
