//! The table `sweep`: every variant, compared with the first.

use crate::game::Side;
use crate::statistics::{Comparison, Estimate};
use crate::studies::sweep::{Member, Row};
use crate::table::{Column, Table};
use crate::tally::OutcomeMeasure;

/// The table with one row per variant, match-up and side. `axes` are the paths that are varied, `values` each variant's
/// values at them.
#[must_use]
pub fn sweep(
    axes: &[String],
    values: &[Vec<String>],
    members: &[Member],
    rows: &[Row],
    measure: OutcomeMeasure,
) -> Table {
    let text = |of: &dyn Fn(&Row) -> String| rows.iter().map(of).collect::<Vec<_>>();
    let matchup = |row: &Row| &members[row.variant].matchups[row.matchup];
    let mut columns = vec![Column::count(
        "variant",
        "the variant's number, from 0; all others are compared with variant 0",
        rows.iter().map(|row| row.variant as u64).collect(),
    )];
    columns.extend(axes.iter().enumerate().map(|(axis, path)| {
        let value = |row: &Row| values[row.variant][axis].clone();
        Column::text(path.clone(), format!("what the variant has at {path}"), text(&value))
    }));
    let battles = rows.iter().map(|row| row.battles).collect();
    columns.extend([
        Column::text("matchup", "who meets whom, side A first", text(&|row| matchup(row).label())),
        Column::text(
            "side",
            "the side this row is about",
            text(&|row| Side(row.side as u8).to_string()),
        ),
        Column::text(
            "contender",
            "who plays this side",
            text(&|row| matchup(row).contenders[row.side].clone()),
        ),
        Column::count("battles", "battles that this row is estimated from", battles),
        Column::number(
            "forfeit_rate",
            "the share of battles that are forfeits, 0 to 1, every condition with its odds in this variant",
            rows.iter().map(|row| row.forfeits).collect(),
        ),
    ]);
    let scores: Vec<Estimate> = rows.iter().map(|row| row.score).collect();
    columns.extend(Column::estimates(
        measure.column(),
        &format!(
            "this side: {}, 0 to 1, every condition with its odds in this variant",
            measure.meaning()
        ),
        &scores,
    ));
    let compared = |row: &Row| row.comparison.unwrap_or(Comparison::UNKNOWN);
    let differences: Vec<Estimate> = rows.iter().map(|row| compared(row).difference).collect();
    columns.extend(Column::estimates(
        "difference",
        "that less the same of variant 0, -1 to 1, from paired battles where the draws are the same",
        &differences,
    ));
    let number = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).collect::<Vec<_>>();
    columns.extend([
        Column::number(
            "p_value",
            "how likely a difference as large would be if there were none",
            number(&|row| compared(row).p_value),
        ),
        Column::number(
            "p_adjusted",
            "the same, adjusted for all comparisons of the table (Holm)",
            number(&|row| row.adjusted),
        ),
        Column::number(
            "variance_ratio",
            "variance reduction: how many times as many independent battles would be as precise",
            number(&|row| compared(row).variance_ratio),
        ),
    ]);
    Table { name: "sweep".to_owned(), columns }
}
