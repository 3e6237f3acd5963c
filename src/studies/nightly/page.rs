//! The comparison of runs with their baselines, for the terminal; and the texts that the Markdown shares.

use crate::report::figures::{amount, counted, points, rate, shift, whole};
use crate::report::page::{Align, Page, Style, Tone, Toned};
use crate::statistics::Estimate;
use crate::studies::nightly::{Change, Comparison, Limits, Pair, Quantity};

/// How many changes are shown of one scenario.
const SHOWN: usize = 12;
/// How many names are listed of what only one side has.
const NAMED: usize = 3;
/// The level of the p-values that are counted before adjustment.
const UNADJUSTED: f64 = 0.05;

/// A comparison, and what is reported with it.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// What was compared.
    pub comparison: &'a Comparison,
    /// Battles a second, pair by pair; empty where nothing was played. Reported, never judged.
    pub speeds: &'a [f64],
    /// The command that writes baselines again, up to the names of their scenarios; empty where there are none to write.
    pub write_again: &'a str,
}

/// The verdict first, then every change that counts, then what was compared.
#[must_use]
pub fn comparison(compared: &Compared<'_>, style: Style) -> String {
    let Compared { comparison, speeds, .. } = *compared;
    let counting = comparison.counting();
    let mut page = Page::new(style);
    let tone = if counting.is_empty() { Tone::Favoured } else { Tone::Against };
    page.toned(tone, &verdict(comparison));
    for note in notes(compared) {
        page.gap();
        page.toned(Tone::Against, &note);
    }
    for (at, pair) in comparison.pairs.iter().enumerate() {
        changes(
            &mut page,
            comparison.limits,
            pair,
            counting.iter().filter(|change| change.pair == at).copied(),
        );
    }
    page.heading("What was compared");
    pairs(&mut page, comparison, speeds);
    choices(comparison).iter().for_each(|line| page.line(line));
    page.gap();
    page.line(&rule(comparison));
    page.line(&by_chance(comparison));
    if let Some(visible) = visible(comparison) {
        page.line(&visible);
    }
    if let Some(advice) = advice(compared) {
        page.gap();
        page.line(&advice);
    }
    if !counting.is_empty() {
        page.gap();
        page.toned(Tone::Quiet, INTERVALS);
    }
    page.into_text()
}

/// What the parentheses mean.
pub(super) const INTERVALS: &str = "In parentheses: 95% confidence intervals, not adjusted. The p-values are adjusted for all comparisons.";

fn changes<'a>(
    page: &mut Page,
    limits: Limits,
    pair: &Pair,
    changes: impl Iterator<Item = &'a Change>,
) {
    let (rows, tones): (Vec<Vec<String>>, Vec<Toned>) = changes
        .map(|change| {
            let [was, is] = [&change.baseline, &change.new].map(|value| level(change, value));
            let row = vec![
                what(change, limits),
                format!("{was}\n{is}"),
                moved(change),
                p_text(change.adjusted),
            ];
            // Fewer draws, or a mean that rises, favour nobody.
            let tone = match change.quantity {
                Quantity::Score(_) | Quantity::ContenderScore | Quantity::UnitScore => {
                    Some((2, Tone::of_change(change.difference.value, change.counts)))
                }
                Quantity::Draws | Quantity::Undecided | Quantity::Mean(_) => None,
            };
            (row, tone)
        })
        .unzip();
    if rows.is_empty() {
        return;
    }
    let hidden = rows.len().saturating_sub(SHOWN) as u64;
    page.heading(&format!("Changes that count: {}", pair.new.scenario));
    page.toned_table(
        &[
            ("what", Align::Left),
            ("baseline, now", Align::Right),
            ("change", Align::Right),
            ("p", Align::Right),
        ],
        rows.into_iter().take(SHOWN).collect(),
        &tones,
    );
    if hidden > 0 {
        page.line(&format!("{} more count. A summary (`--summary`) holds more.", whole(hidden)));
    }
}

fn pairs(page: &mut Page, comparison: &Comparison, speeds: &[f64]) {
    let rows = comparison.pairs.iter().enumerate().map(|(at, pair)| {
        let counting = comparison.changes.iter().filter(|c| c.pair == at && c.counts).count();
        let mut row = vec![
            pair.new.scenario.clone(),
            whole(pair.new.battles_played),
            whole(pair.compared as u64),
            whole(counting as u64),
        ];
        row.extend(speeds.get(at).map(|speed| whole(speed.round() as u64)));
        row
    });
    let mut columns = vec![
        ("scenario", Align::Left),
        ("battles", Align::Right),
        ("compared", Align::Right),
        ("count", Align::Right),
    ];
    columns.extend((!speeds.is_empty()).then_some(("battles/s", Align::Right)));
    page.table(&columns, rows.collect());
    if !speeds.is_empty()
        && let Some(seed) = common_seed(comparison)
    {
        page.line(&format!(
            "Everything was played with seed {seed}; `--seed {seed}` plays it again."
        ));
    }
}

/// The seed that all new runs have in common.
fn common_seed(comparison: &Comparison) -> Option<u64> {
    let mut seeds = comparison.pairs.iter().map(|pair| pair.new.seed);
    let first = seeds.next()?;
    seeds.all(|seed| seed == first).then_some(first)
}

/// Whether anything counts.
pub(super) fn verdict(comparison: &Comparison) -> String {
    let all = comparison.changes.len() as u64;
    match comparison.counting().len() as u64 {
        _ if all == 0 => {
            "No balance regression, but nothing was compared: nothing varies, or too little was played."
                .to_owned()
        }
        0 => format!("No balance regression: none of {} counts.", counted(all, "comparison")),
        1 => format!("Balance regression: 1 of {} counts.", counted(all, "comparison")),
        some => {
            format!("Balance regression: {} of {} count.", whole(some), counted(all, "comparison"))
        }
    }
}

/// What stands in the way of taking the verdict as it is, most important first.
pub(super) fn notes(compared: &Compared<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let pairs = &compared.comparison.pairs;
    for pair in pairs.iter().filter(|pair| pair.scenario_changed()) {
        let name = &pair.new.scenario;
        notes.push(format!(
            "The scenario changed: {name}, or a file that it reads, is not what its baseline was written for, so \
             changes may be due to that. If they are meant, write the baseline again: `{} {name}`.",
            compared.write_again
        ));
    }
    for pair in pairs {
        let name = &pair.new.scenario;
        for (only, list) in [("the baseline", &pair.gone), ("the new run", &pair.added)] {
            if !list.is_empty() {
                notes.push(format!("{name}: only {only} has {}.", named(list)));
            }
        }
    }
    for pair in pairs.iter().filter(|pair| pair.same_dice()) {
        notes.push(format!(
            "{}: played with the seed of its baseline, {}. With the same random numbers the two are not independent; take another seed.",
            pair.new.scenario, pair.new.seed
        ));
    }
    notes
}

fn named(list: &[String]) -> String {
    let shown = list.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match list.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {} more", whole(more as u64)),
    }
}

/// When a change counts.
pub(super) fn rule(comparison: &Comparison) -> String {
    let percent = |share: f64| ((share * 1e6).round() / 1e4).to_string();
    let limits = comparison.limits;
    format!(
        "A change counts if it is significant after Holm's adjustment for all comparisons together (family-wise error \
         rate {}%) and larger than {} percentage points; for a metric, larger than {}% of its \
         standard deviation.",
        percent(limits.alarm_rate),
        percent(limits.tolerance),
        percent(2.0 * limits.tolerance)
    )
}

/// What chance alone would have shown, and what was too rare to be compared.
pub(super) fn by_chance(comparison: &Comparison) -> String {
    let all = comparison.changes.len() as f64;
    let by_chance = match (UNADJUSTED * all).round() as u64 {
        0 => "fewer than one".to_owned(),
        about => format!("about {}", whole(about)),
    };
    let below = comparison.below(UNADJUSTED) as u64;
    let mut text = format!(
        "Before the adjustment {} p-value{} below {}%; if nothing had changed, chance alone would give {by_chance}.",
        whole(below),
        if below == 1 { " is" } else { "s are" },
        100.0 * UNADJUSTED
    );
    let tolerated = comparison.tolerated() as u64;
    if tolerated > 0 {
        let verb = if tolerated == 1 { "is" } else { "are" };
        let changes = counted(tolerated, "change");
        text.push_str(&format!(" {changes} {verb} significant but within the tolerance."));
    }
    let too_few: usize = comparison.pairs.iter().map(|pair| pair.too_few).sum();
    if too_few > 0 {
        text.push_str(&format!(" Too rare to be compared: {}.", whole(too_few as u64)));
    }
    text
}

/// How choices are made that the figures hold for, scenario by scenario.
pub(super) fn choices(comparison: &Comparison) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for pair in &comparison.pairs {
        if let Some(choices) = &pair.new.choices {
            told.push(format!("{}: {}", pair.new.scenario, choices));
        }
    }
    told
}

/// The smallest change that could have been seen.
pub(super) fn visible(comparison: &Comparison) -> Option<String> {
    let digits = |share: f64| format!("{:.2}", 100.0 * share);
    let of = |at: usize| {
        let [least, most] = comparison.visible(at)?.map(digits);
        let range = if least == most { least } else { format!("{least} to {most}") };
        Some((range, comparison.pairs[at].new.scenario.as_str()))
    };
    let known: Vec<(String, &str)> = (0..comparison.pairs.len()).filter_map(of).collect();
    let list: Vec<String> =
        known.iter().map(|(range, name)| format!("{range} points in {name}")).collect();
    (!list.is_empty()).then(|| {
        format!(
            "The smallest change of a match-up's {} that such a report finds in 80% of cases: {}. More battles see smaller ones \
             (`evens plan --comparison change`).",
            comparison.limits.measure.figure(),
            list.join(", ")
        )
    })
}

/// What to do about changes that count, as far as no note says it already.
pub(super) fn advice(compared: &Compared<'_>) -> Option<String> {
    let Compared { comparison, write_again, .. } = compared;
    let concerned = |at: usize| comparison.changes.iter().any(|c| c.pair == at && c.counts);
    let names: Vec<&str> = (0..comparison.pairs.len())
        .filter(|&at| concerned(at) && !comparison.pairs[at].scenario_changed())
        .map(|at| comparison.pairs[at].new.scenario.as_str())
        .collect();
    (!names.is_empty() && !write_again.is_empty()).then(|| {
        format!(
            "If the changes are meant, write the baselines again: `{write_again} {}`.",
            names.join(" ")
        )
    })
}

/// What a change is about, in a few words.
pub(super) fn what(change: &Change, limits: Limits) -> String {
    let (subject, figure) = (&change.subject, limits.measure.figure());
    match &change.quantity {
        Quantity::Score(side) => format!("{subject}: {figure} of {side}"),
        Quantity::Draws => format!("{subject}: drawn"),
        Quantity::Undecided => format!("{subject}: undecided"),
        Quantity::ContenderScore => format!("{subject}: {figure}, over all its match-ups"),
        Quantity::UnitScore => format!("{subject}: {figure} of its side"),
        Quantity::Mean(metric) => format!("{subject}: {metric}, mean"),
    }
}

/// One of the two values that a change is between.
pub(super) fn level(change: &Change, value: &Estimate) -> String {
    if change.quantity.is_rate() { rate(value) } else { amount(value) }
}

/// How far it moved.
pub(super) fn moved(change: &Change) -> String {
    let difference = &change.difference;
    if change.quantity.is_rate() { points(difference) } else { shift(difference) }
}

/// A p-value.
pub(super) fn p_text(p_value: f64) -> String {
    if p_value < 0.0001 { "<0.0001".to_owned() } else { format!("{p_value:.4}") }
}

#[cfg(test)]
mod tests;
