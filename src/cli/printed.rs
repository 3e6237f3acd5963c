//! What `--json` prints: one object, the same in its head for every command.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Failure;
use super::terminal::print_json;
use crate::report::Style;
use crate::table::{Provenance, Table, Tables};

/// The version of the format. It rises where what is there changes; more may come beside it at any time.
const FORMAT: u32 = 1;

/// What `--json` prints. The commands that play battles give `provenance`, `page` and `tables`; `exact`, `plan` and `tune`
/// give their answer in keys of their own beside `format`, `command` and `version`; `trace` prints one object a line
/// instead, without this head.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it is there to be described")]
struct Printed {
    /// The version of this format.
    format: u32,
    /// The command that printed it.
    command: String,
    /// The version of the program.
    version: String,
    /// Where the results come from: `run`, `sweep`, `effects`, `score`, and `merge` of any of them.
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
    /// `replay`: each recorded battle.
    battles: Option<Vec<Replayed>>,
}

/// What was found in an input.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Checked {
    /// Its name.
    pub name: String,
    /// Whether it can be used.
    pub ok: bool,
    /// What is wrong with it.
    pub faults: Vec<Told>,
    /// What is probably not meant.
    pub warnings: Vec<Told>,
}

/// A fault or a warning.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Told {
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

/// A comparison with a baseline. Values are probabilities, or means of a metric.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Changed {
    /// The scenario.
    pub scenario: String,
    /// The match-up, contender or unit.
    pub subject: String,
    /// What of it: `score A`, `draws`, `undecided`, `score`, or the name of a metric.
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

/// The JSON Schema of all that.
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
            more: Map::new(),
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).expect("keys are text");
        print_json(&format!("{text}\n"))
    }
}

/// How wide a page within JSON is.
pub(super) const PAGE: Style = Style { width: 80, colour: false };

/// Prints results: where they come from, their page and their tables.
pub(super) fn print_results(
    command: &str,
    provenance: &Provenance,
    page: &str,
    tables: &[Table],
) -> Result<(), Failure> {
    let head = Head {
        provenance: Some(provenance),
        page: Some(page),
        tables: Some(Tables(tables)),
        ..Head::new(command)
    };
    head.print()
}

/// Prints tables that come from no battles.
pub(super) fn print_tables(command: &str, tables: &[Table]) -> Result<(), Failure> {
    Head { tables: Some(Tables(tables)), ..Head::new(command) }.print()
}

/// Prints whatever a command has to say.
pub(super) fn print_more(command: &str, more: &[(&str, Value)]) -> Result<(), Failure> {
    let more = more.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    Head { more, ..Head::new(command) }.print()
}

/// Prints a study's own object with the head before it.
pub(super) fn print_object(command: &str, object: &str) -> Result<(), Failure> {
    let Some((_, rest)) = object.split_once('{') else { return print_json(object) };
    let version = env!("CARGO_PKG_VERSION");
    print_json(&format!(
        "{{\n  \"format\": {FORMAT},\n  \"command\": \"{command}\",\n  \"version\": \"{version}\",{rest}"
    ))
}
