//! The history: nights kept for later, as a row for each figure that was compared.

use super::page::what;
use super::{Change, Comparison};
use crate::statistics::Estimate;
use crate::table::{Column, Table};

/// The name of the table of the history.
pub const HISTORY: &str = "history";

/// What the column `value` holds. Where battles of the baseline were played again, both values are estimated from all
/// battles of both: what is known of their difference tells about each of them.
pub(super) const VALUE: &str = "what it was that night, estimated from that night's battles, the baseline's, and those played in both";
/// What the column `baseline` holds.
pub(super) const BASELINE: &str = "what it was in the baseline, estimated from the same battles";

/// What identifies a night in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    /// The name of the night, such as a commit or a day.
    pub name: String,
    /// The time of the night as RFC 3339 text: equal texts are the same time, and a later time sorts behind.
    pub time: String,
}

/// The rows of one pair of a night's comparison, one for each figure that was compared. Where none was, a single row without a
/// figure says that the night was. `speed` is in battles per second.
#[must_use]
pub fn history(comparison: &Comparison, pair: usize, night: &Night, speed: Option<f64>) -> Table {
    let changes = comparison.changes.iter().filter(|change| change.pair == pair);
    let mut rows: Vec<Option<&Change>> = changes.map(Some).collect();
    if rows.is_empty() {
        rows.push(None);
    }
    let text = |of: &dyn Fn(&Change) -> String| -> Vec<String> {
        rows.iter().map(|row| row.map_or_else(String::new, of)).collect()
    };
    let unit = |change: &Change| if change.quantity.is_rate() { "rate" } else { "mean" }.to_owned();
    let run = &comparison.pairs[pair].new;
    let mut columns = vec![
        Column::text("night", "what the night is called", vec![night.name.clone(); rows.len()]),
        Column::text("time", "when it was (UTC)", vec![night.time.clone(); rows.len()]),
        Column::text(
            "what",
            "what was compared; empty where nothing could be",
            text(&|change| what(change, comparison.limits)),
        ),
        Column::text(
            "unit",
            "rate: a probability, 0 to 1; mean: of a metric, in its own unit",
            text(&unit),
        ),
    ];
    let values: Vec<_> =
        rows.iter().map(|row| row.map_or(Estimate::UNKNOWN, |change| change.new)).collect();
    columns.extend(Column::estimates("value", VALUE, &values));
    columns.extend([
        Column::number(
            "baseline",
            BASELINE,
            rows.iter().map(|row| row.map_or(f64::NAN, |change| change.baseline.value)).collect(),
        ),
        Column::flag(
            "counts",
            "whether the change since the baseline counted",
            rows.iter().map(|row| row.is_some_and(|change| change.counts)).collect(),
        ),
        Column::count(
            "paired",
            "appearances in battles that were played in both runs with the same dice, which values are also estimated from; 0 where there are none",
            rows.iter().map(|row| row.map_or(0, |change| change.paired)).collect(),
        ),
        Column::count(
            "battles",
            "battles of the scenario, but for those that were played again with the same dice",
            vec![run.battles_played; rows.len()],
        ),
        Column::number(
            "battles_per_second",
            "how fast they were on the machine of that night; not known where it went on with battles of an earlier one",
            vec![speed.unwrap_or(f64::NAN); rows.len()],
        ),
    ]);
    Table { name: HISTORY.to_owned(), columns }
}
