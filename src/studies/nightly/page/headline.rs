//! What a comparison says first of each scenario in which something counts.

use super::{noun, what};
use crate::report::figures::{counted, whole};
use crate::studies::nightly::{Change, Comparison, FileChange, Quantity};

/// How many scenarios have a sentence.
const SCENARIOS: usize = 3;
/// How many changes of its files are named.
const NAMED: usize = 3;

/// One paragraph for each scenario in which something counts: what is other in its files, the score of the contender that
/// moved most (or, where no contender's counts, the figure that moved most) now and in the baseline, and how many more of
/// its figures count.
#[must_use]
pub(in crate::studies::nightly) fn headlines(comparison: &Comparison) -> Vec<String> {
    let pairs = comparison.pairs.iter().enumerate();
    let all: Vec<String> = pairs
        .filter_map(|(at, pair)| {
            let counting: Vec<&Change> =
                comparison.changes.iter().filter(|of| of.pair == at && of.counts).collect();
            let first = foremost(&counting)?;
            let files: Vec<String> = pair.files.iter().take(NAMED).map(FileChange::told).collect();
            let more = pair.files.len().saturating_sub(NAMED) as u64;
            let files = match (pair.scenario_changed() && !files.is_empty(), more) {
                (false, _) => String::new(),
                (true, 0) => format!(" (changed in its files: {})", files.join("; ")),
                (true, more) => {
                    let more = whole(more);
                    format!(" (changed in its files: {}; {more} more)", files.join("; "))
                }
            };
            let figure = match first.quantity {
                Quantity::ContenderScore => {
                    format!("{}'s {}", first.subject, comparison.limits.measure.figure())
                }
                _ => what(first, comparison.limits),
            };
            let level = |of: f64| match first.quantity.is_rate() {
                true => format!("{:.1}%", 100.0 * of),
                false => format!("{of:.2}"),
            };
            let (was, is) = (level(first.baseline.value), level(first.new.value));
            let others = match counting.len() as u64 - 1 {
                0 => String::new(),
                1 => " One more of its figures counts.".to_owned(),
                others => format!(" {} more of its figures count.", whole(others)),
            };
            let (name, noun) = (&pair.new.scenario, noun(comparison));
            let [now, before] = match pair.is_of_files {
                true => ["with the second file", "with the first"],
                false => ["now", "in the baseline"],
            };
            Some(format!(
                "Balance {noun} in {name}{files}: {figure} is {is} {now}, and {was} {before}.{others}"
            ))
        })
        .collect();
    let hidden = all.len().saturating_sub(SCENARIOS) as u64;
    let mut told: Vec<String> = all.into_iter().take(SCENARIOS).collect();
    if hidden > 0 {
        told.push(format!("Figures count in {} besides.", counted(hidden, "more scenario")));
    }
    told
}

/// The change that is told first: the largest of a contender's score, where there is none of a side's, and where there
/// is none either the largest for its tolerance. Of two rivals' equal changes it is that of the lower one.
fn foremost<'c>(counting: &[&'c Change]) -> Option<&'c Change> {
    let rank = |of: &Change| match of.quantity {
        Quantity::ContenderScore => 0,
        Quantity::Score(_) => 1,
        _ => 2,
    };
    let first = counting.iter().map(|of| rank(of)).min()?;
    counting.iter().copied().filter(|of| rank(of) == first).reduce(|one, other| {
        let (size, larger) = (one.size(), other.size());
        let is_equal = (size - larger).abs() < 1e-6 * size;
        let is_lower = other.baseline.value < one.baseline.value;
        if (is_equal && is_lower) || (!is_equal && larger > size) { other } else { one }
    })
}
