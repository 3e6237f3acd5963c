//! Reading the syntax of a scenario, and what to say where it is none.

use std::path::Path;

use serde_json::Value;
use toml::Spanned;
use toml::de::DeTable;

use super::fault::{Fault, Faults, Source};
use super::shape;
use crate::shell::{STANDARD_INPUT, argument};

/// The most faults of syntax that are reported.
const MOST_ERRORS: usize = 1_000;

/// The fault of a table, such as a list of cards, that was taken for TOML; None for a file whose name does not say so.
fn of_csv(source: &Source) -> Option<Fault> {
    let path = Path::new(source.name());
    let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let first = source.inner().lines().next().filter(|first| is_csv && first.contains(','))?;
    let columns: Vec<&str> = first.split(',').map(str::trim).collect();
    let is_of_cards = ["name", "abilities"].iter().all(|column| columns.contains(column));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (message, remedy) = match is_of_cards {
        true => (
            "this is a list of cards and no scenario",
            format!(
                "put the line `cards = {}` before the first table of a scenario for Splinterlands in the same folder: `evens check` \
                 of that scenario checks the list as well; `evens new splinterlands` writes a scenario to start from",
                shape::quoted(&name)
            ),
        ),
        false => (
            "this is a table (CSV) and no scenario",
            "scenarios are TOML: `evens new splinterlands` writes one to start from".to_owned(),
        ),
    };
    Some(Fault::at(source, 0..first.len(), message, remedy))
}

/// The fault of JSON that was taken for TOML; None for anything else. A list in brackets begins as a table of TOML does, so that
/// it is read as a whole.
fn of_json(source: &Source) -> Option<Fault> {
    let (text, path) = (source.inner(), Path::new(source.name()));
    let begins = text.find(|letter: char| !letter.is_whitespace())?;
    let list = text[begins..].starts_with('[').then(|| serde_json::from_str::<Value>(text));
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    if !text[begins..].starts_with('{') && list.as_ref().is_none_or(|of| of.is_err() && !is_json) {
        return None;
    }
    let first = list.as_ref().and_then(|list| list.as_ref().ok()?.get(0));
    let is_of_cards = first
        .is_some_and(|card| ["name", "color", "stats"].iter().all(|key| card.get(key).is_some()));
    let (message, remedy) = match is_of_cards {
        true => {
            let cards = argument(source.name());
            let remedy = format!(
                "`evens import splinterlands {cards} -o cards.csv` makes a list of its cards, which a scenario names with \
                 `cards = \"cards.csv\"`; `evens new splinterlands` writes a scenario to start from"
            );
            ("this is an official card file (JSON) and no scenario", remedy)
        }
        false => (
            "this is JSON and no TOML",
            "scenarios and card files are TOML; baselines are read by `evens nightly` and `evens compare`, official card files by \
             `evens import`, and recorded battles by `evens replay` and `evens score`"
                .to_owned(),
        ),
    };
    Some(Fault::at(source, begins..begins + 1, message, remedy))
}

/// The fault of lines that end with carriage returns alone, as old editors and some spreadsheets write them; None where no
/// line does.
fn of_line_ends(source: &Source) -> Option<Fault> {
    let text = source.inner();
    let is_alone = |(at, _): &(usize, &str)| !text[at + 1..].starts_with('\n');
    let (at, _) = text.match_indices('\r').find(is_alone)?;
    let remedy = match source.name() {
        STANDARD_INPUT => "send it through `tr '\\r' '\\n'` first".to_owned(),
        name => {
            let name = argument(name);
            format!("`tr '\\r' '\\n' < {name} > NEW` writes it with line ends that are")
        }
    };
    Some(Fault::at(
        source,
        at..at + 1,
        "the lines end with carriage returns alone, which is no line end in TOML",
        remedy,
    ))
}

/// Parses a text as TOML.
///
/// # Errors
/// Every fault of its syntax.
pub(crate) fn tree(source: &Source) -> Result<Spanned<DeTable<'_>>, Faults> {
    let (tree, errors) = DeTable::parse_recoverable(source.inner());
    if errors.is_empty() {
        return Ok(tree);
    }
    if let Some(fault) = of_json(source).or_else(|| of_csv(source)).or_else(|| of_line_ends(source))
    {
        return Err(Faults::one(source.name(), fault));
    }
    // Where nothing can be read every line would have a fault.
    let most = if tree.get_ref().is_empty() { 1 } else { MOST_ERRORS };
    let omitted = errors.len().saturating_sub(most);
    let faults = errors
        .into_iter()
        .take(most)
        .map(|error| {
            let span = error.span().unwrap_or(0..0);
            let remedy = match error.message() {
                "duplicate key" => "leave one of the two out",
                _ => "see https://toml.io for how TOML is written",
            };
            Fault::at(source, span, error.message(), remedy)
        })
        .collect();
    Err(Faults::new(source.name(), faults).and_more(omitted))
}
