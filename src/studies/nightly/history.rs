//! Nights as they are kept for later: a row for each figure that was compared.

use super::Comparison;
use super::page::what;
use crate::table::{Column, Table};

/// The name of the table.
pub const HISTORY: &str = "history";

/// What a night is kept under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    /// What it is called: a commit, a day.
    pub name: String,
    /// When it was, as RFC 3339 has it: the same text is the same time, a later one sorts behind.
    pub time: String,
}

/// One pair of a night's comparison: one row for each figure that was compared. `speed` is in battles a second.
#[must_use]
pub fn history(comparison: &Comparison, pair: usize, night: &Night, speed: Option<f64>) -> Table {
    let changes: Vec<_> = comparison.changes.iter().filter(|change| change.pair == pair).collect();
    let rows = changes.len();
    let run = &comparison.pairs[pair].new;
    let mut columns = vec![
        Column::text("night", "what the night is called", vec![night.name.clone(); rows]),
        Column::text("time", "when it was (UTC)", vec![night.time.clone(); rows]),
        Column::text(
            "what",
            "what was compared",
            changes.iter().map(|change| what(change, comparison.limits)).collect(),
        ),
        Column::text(
            "unit",
            "rate: a probability, 0 to 1; mean: of a metric, in its own unit",
            changes
                .iter()
                .map(|change| if change.quantity.is_rate() { "rate" } else { "mean" }.to_owned())
                .collect(),
        ),
    ];
    let values: Vec<_> = changes.iter().map(|change| change.new).collect();
    columns.extend(Column::estimates("value", "what it was that night", &values));
    columns.extend([
        Column::number(
            "baseline",
            "what it was in the baseline of that night",
            changes.iter().map(|change| change.baseline.value).collect(),
        ),
        Column::flag(
            "counts",
            "whether the change since the baseline counted",
            changes.iter().map(|change| change.counts).collect(),
        ),
        Column::count(
            "battles",
            "battles of the scenario, but for those that were played again with the same dice",
            vec![run.battles_played; rows],
        ),
        Column::number(
            "battles_per_second",
            "how fast they were on the machine of that night; not known where it went on with battles of an earlier one",
            vec![speed.unwrap_or(f64::NAN); rows],
        ),
    ]);
    Table { name: HISTORY.to_owned(), columns }
}
