//! The comparison of runs with their baselines, as Markdown for the page of a CI job.

use std::fmt::Write as _;

use super::page::{
    Compared, INTERVALS, advice, again, by_chance, conditions, counts, goes_with, head, headline,
    headlines, level, moved, notes, p_text, rule, verdict, visible, what, with_command,
};
use crate::report::figures::whole;
use crate::studies::nightly::{Comparison, Pair};
use crate::table::{markdown_prose, markdown_text};

/// How many changes are shown in all: job pages have a size limit.
const SHOWN: usize = 200;

/// The comparison as Markdown: what [`page`](super::page()) says, with more changes and wider tables.
#[must_use]
pub fn comparison_markdown(compared: &Compared<'_>) -> String {
    let Compared { comparison, speeds, .. } = *compared;
    let counting = comparison.counting();
    let mut text = format!("## {}\n", verdict(comparison));
    for line in headlines(comparison).into_iter().chain(head(comparison)) {
        paragraph(&mut text, &line);
    }
    for note in notes(compared) {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n> **Note:** {}\n", markdown_prose(&note));
    }
    if !counting.is_empty() {
        text.push_str("\n### Changes that count\n\n");
        changes(&mut text, comparison);
        if let Some(advice) = advice(compared) {
            paragraph(&mut text, &advice);
        }
    }
    text.push_str("\n### What was compared\n\n");
    pairs(&mut text, comparison, speeds);
    for line in again(comparison).into_iter().chain(conditions(comparison)) {
        paragraph(&mut text, &line);
    }
    let visible = visible(comparison).map(|(text, command)| with_command(text, command));
    for line in [rule(comparison), by_chance(comparison)].into_iter().chain(visible) {
        paragraph(&mut text, &line);
    }
    if !counting.is_empty() {
        paragraph(&mut text, INTERVALS);
    }
    if let Some(goes_with) = goes_with(comparison) {
        paragraph(&mut text, &goes_with);
    }
    if !speeds.is_empty() {
        text.push_str("\nBattles per second are told, not judged: they depend on the machine.\n");
    }
    text
}

/// Adds a paragraph in which names from files cannot act as Markdown.
fn paragraph(text: &mut String, line: &str) {
    let _ = write!(text, "\n{}\n", markdown_prose(line));
}

fn changes(text: &mut String, comparison: &Comparison) {
    text.push_str("| scenario | what | baseline | now | change | p, adjusted |\n");
    text.push_str("| --- | --- | ---: | ---: | ---: | ---: |\n");
    let rows = comparison.alarms.iter().flat_map(|alarm| {
        let with = alarm.with.iter().map(|&at| {
            let change = &comparison.changes[at];
            (format!("+ {}", what(change, comparison.limits)), change)
        });
        let shown = (headline(comparison, alarm), &comparison.changes[alarm.shown]);
        std::iter::once(shown).chain(with)
    });
    for (what, change) in rows.take(SHOWN) {
        row(
            text,
            &[
                comparison.pairs[change.pair].new.scenario.clone(),
                what,
                level(change, &change.baseline),
                level(change, &change.new),
                moved(change),
                p_text(change.adjusted),
            ],
        );
    }
    let hidden = comparison.counting().len().saturating_sub(SHOWN) as u64;
    if hidden > 0 {
        let _ = write!(text, "\n{} more {}.\n", whole(hidden), counts(hidden));
    }
}

fn pairs(text: &mut String, comparison: &Comparison, speeds: &[f64]) {
    let speed = if speeds.is_empty() { ["", ""] } else { [" battles/s |", " ---: |"] };
    let _ = write!(
        text,
        "| scenario | battles | seed | baseline | its seed | comparisons | count |{}\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |{}\n",
        speed[0], speed[1]
    );
    for (at, pair) in comparison.pairs.iter().enumerate() {
        let Pair { baseline, new, compared, .. } = pair;
        let counting = comparison.changes.iter().filter(|c| c.pair == at && c.counts).count();
        let mut cells = vec![
            new.scenario.clone(),
            whole(new.battles_played),
            new.seed.to_string(),
            whole(baseline.battles_played),
            baseline.seed.to_string(),
            whole(*compared as u64),
            whole(counting as u64),
        ];
        cells.extend(speeds.get(at).map(|speed| whole(speed.round() as u64)));
        row(text, &cells);
    }
}

fn row(text: &mut String, cells: &[String]) {
    for cell in cells {
        let _ = write!(text, "| {} ", markdown_text(cell));
    }
    text.push_str("|\n");
}
