//! The section on what was measured in every battle, and where it differs between match-ups.

use super::super::tables::{mean_length, metric_mean};
use super::matchups::FEW;
use crate::report::figures::{amount, capital, named};
use crate::report::page::{Align, Page};
use crate::scenario::TableName;
use crate::statistics::{Estimate, Level};
use crate::studies::run::Analysis;
use crate::tally::{Count, Layout};

/// With more rows than this only the means over all match-ups are shown.
const MOST_ROWS: usize = 40;

/// The mean of each metric. Where there are only a few match-ups, metrics that differ significantly between them, and
/// the length of a battle if it does, are shown for each.
pub(super) fn section(page: &mut Page, analysis: &Analysis<'_>, all: &Count) {
    let Analysis { layout, tally, level, .. } = *analysis;
    // Forfeited battles measure nothing.
    if all.fought() == 0 {
        return;
    }
    let matchups = layout.matchups.len();
    let few = (2..=FEW).contains(&matchups) && matchups * layout.metrics.len() <= MOST_ROWS;
    let counts: Vec<Count> =
        (0..matchups).filter(|_| few).map(|matchup| tally.matchups[matchup].clone()).collect();
    let length = format!("length in {}s", layout.round_noun);
    let lengths: Vec<Estimate> = counts.iter().map(|count| mean_length(count, level)).collect();
    let mut rows = Vec::new();
    if differ(&lengths) {
        rows.extend(by_matchup(&length, layout, &lengths));
    }
    let mut told_apart = !rows.is_empty();
    for (metric, name) in layout.metrics.iter().enumerate() {
        let of = |count: &Count| metric_mean(layout, count, metric, level);
        let means: Vec<Estimate> = counts.iter().map(of).collect();
        if differ(&means) {
            told_apart = true;
            rows.extend(by_matchup(name, layout, &means));
        } else {
            rows.push(vec![name.clone(), "all".to_owned(), amount(&of(all))]);
        }
    }
    if rows.is_empty() {
        return;
    }
    let mut columns = vec![
        ("Measured", Align::Left),
        ("match-up", Align::Left),
        ("mean per battle", Align::Right),
    ];
    if !told_apart {
        columns.remove(1);
        for row in &mut rows {
            row.remove(1);
        }
    }
    page.gap();
    page.table(&columns, rows);
    if !few && matchups > 1 {
        let table = capital(&analysis.in_table(TableName::Outcomes, "holds"));
        page.line(&format!("{table} this for each match-up."));
    }
}

/// The most metrics that a sentence names.
const NAMED: usize = 4;

/// A sentence on the means of the metrics over all match-ups; None where nothing is measured, or no battle was fought.
pub(super) fn in_short(layout: &Layout, all: &Count, level: Level) -> Option<String> {
    if layout.metrics.is_empty() || all.fought() == 0 {
        return None;
    }
    let mean = |(metric, name): (usize, &String)| {
        format!("{name} {}", amount(&metric_mean(layout, all, metric, level)))
    };
    let means: Vec<String> = layout.metrics.iter().enumerate().map(mean).collect();
    Some(format!("Measured, mean per battle: {}.", named(&means, NAMED)))
}

/// Whether the intervals of at least two of the means do not overlap.
pub(super) fn differ(means: &[Estimate]) -> bool {
    means.iter().any(|one| means.iter().any(|other| one.low > other.high))
}

fn by_matchup(name: &str, layout: &Layout, means: &[Estimate]) -> Vec<Vec<String>> {
    let row = |(at, mean): (usize, &Estimate)| {
        let name = if at == 0 { name.to_owned() } else { String::new() };
        vec![name, layout.matchups[at].label(), amount(mean)]
    };
    means.iter().enumerate().map(row).collect()
}
