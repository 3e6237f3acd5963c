//! The tables of what was measured in every battle, and of the orders where nobody wins.

use super::super::measured::in_short;
use crate::report::html::{Draft, Drawn, Figure, Kind, title};
use crate::scenario::TableName;
use crate::statistics::Estimate;
use crate::studies::run::tables::metric_mean;
use crate::studies::run::{Analysis, build};
use crate::table::{Column, Table};
use crate::tally::Count;

/// The mean of each metric, in each match-up and over all of them.
pub(super) fn figure(draft: &mut Draft, analysis: &Analysis<'_>, all: &Count) {
    let Analysis { layout, tally, level, .. } = *analysis;
    let Some(sentence) = in_short(layout, all, level) else { return };
    let matchups: &[Count] = if tally.matchups.len() == 1 { &[] } else { &tally.matchups };
    let labels = layout.matchups.iter().map(crate::tally::Matchup::label);
    let of_all = std::iter::once((all, "all".to_owned()));
    let counts: Vec<(&Count, String)> =
        of_all.chain(matchups.iter().zip(labels)).filter(|(count, _)| count.fought() > 0).collect();
    let rows = || {
        let of = |metric: usize| counts.iter().map(move |(count, label)| (metric, *count, label));
        (0..layout.metrics.len()).flat_map(of)
    };
    let means: Vec<Estimate> =
        rows().map(|(metric, count, _)| metric_mean(layout, count, metric, level)).collect();
    let mut columns = vec![
        Column::text(
            "measured",
            "what is measured in every battle",
            rows().map(|(metric, ..)| layout.metrics[metric].clone()).collect(),
        ),
        Column::text(
            "matchup",
            "who meets whom, side A first; `all` of them together",
            rows().map(|(.., label)| label.clone()).collect(),
        ),
    ];
    columns.extend(Column::estimates("mean", "mean over the battles that were fought", &means));
    let table = Table { name: "measured".to_owned(), columns };
    draft.notes.figures.push(Figure {
        id: "measured".to_owned(),
        name: "Measured".to_owned(),
        kind: Kind::Table,
        title: title(&sentence),
        about: "Means over the battles that were fought, with 95% confidence intervals.".to_owned(),
        table: table.name.clone(),
        ..Figure::default()
    });
    draft.tables.push(Drawn::part(table));
}

/// The orders in which things happened, with what was measured in battles with each: where nobody wins, they are what an
/// order can decide.
pub(super) fn orders(draft: &mut Draft, analysis: &Analysis<'_>) {
    let Some(table) = build(TableName::Orders, analysis).filter(|table| table.rows() > 0) else {
        return;
    };
    draft.notes.figures.push(Figure {
        id: "orders".to_owned(),
        name: "Orders".to_owned(),
        kind: Kind::Table,
        title: "How often each order came up, and what was measured in battles with it".to_owned(),
        about: "Shares are of all orders of the same moment, with 95% confidence intervals."
            .to_owned(),
        table: table.name.clone(),
        ..Figure::default()
    });
    draft.tables.push(Drawn::whole(table));
}
