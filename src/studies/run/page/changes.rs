//! The section on what changes the odds most: rulesets, or whatever else a game draws for a battle.

use std::cmp::Reverse;

use super::super::tables::Change;
use crate::game::Side;
use crate::report::figures::{counted, named, part, points, rate, whole};
use crate::report::page::{Align, Page, Tone, Toned};
use crate::report::{ALARM, CHOSEN};
use crate::shell::{command_on, experiment, measuring};
use crate::studies::run::Analysis;
use crate::tally::{Layout, OutcomeMeasure};

/// How many changes are shown.
const SHOWN: usize = 8;

/// The comparisons of factors that are reported, largest first: one side of a match-up with a factor against the same
/// side without it. In a duel side B gains what side A loses, as far as the measure is mirrored; where a contender
/// meets itself, the gain is a seat's.
pub(super) fn told<'a>(analysis: &'a Analysis<'_>) -> Vec<&'a Change> {
    let Analysis { layout, .. } = *analysis;
    if layout.factors.is_empty() || layout.conditions.len() < 2 {
        return Vec::new();
    }
    let idle = never_fought(analysis);
    let mut known: Vec<&Change> = analysis
        .changes()
        .iter()
        .filter(|change| change.side == Side::A || !change.measure.is_mirrored(layout.sides))
        .filter(|change| !change.p_adjusted.is_nan())
        .filter(|change| !says_what_the_other_does(layout, change.factor))
        .filter(|change| idle.get(change.matchup).is_none_or(Vec::is_empty))
        .collect();
    // The bit patterns of non-negative floats are in the order of their values.
    let size = |change: &&Change| change.effect_of(analysis.scores()).value.abs().to_bits();
    known.sort_by_cached_key(|change| Reverse(size(change)));
    known
}

/// Whether the factor is the neutral one of only two: that a battle has it says only that the battle does not have
/// the other.
fn says_what_the_other_does(layout: &Layout, factor: usize) -> bool {
    let are_two =
        layout.factors.len() == 2 && layout.conditions.iter().all(|of| of.factors.len() == 1);
    are_two && layout.neutral.is_some_and(|neutral| usize::from(neutral) == factor)
}

/// By match-up: the factors with which it is [never fought](crate::tally::Tally::never_fought). Empty where nobody forfeits.
fn never_fought(analysis: &Analysis<'_>) -> Vec<Vec<usize>> {
    let Analysis { layout, tally, .. } = *analysis;
    if tally.strata.iter().all(|count| count.unfought == 0) {
        return Vec::new();
    }
    (0..layout.matchups.len()).map(|matchup| tally.never_fought(layout, matchup)).collect()
}

/// Whether with any factor besides the neutral one some battles are fought.
pub(super) fn any_is_fought(analysis: &Analysis<'_>) -> bool {
    let layout = analysis.layout;
    let idle = never_fought(analysis);
    let is_fought = |factor: usize| {
        let has = |&of: &u16| usize::from(of) == factor;
        let mut drawn = layout.conditions.iter().filter(|of| of.probability > 0.0);
        drawn.any(|of| of.factors.iter().any(has))
            && (idle.is_empty() || idle.iter().any(|factors| !factors.contains(&factor)))
    };
    let mut factors = 0..layout.factors.len();
    factors.any(|at| layout.neutral.map(usize::from) != Some(at) && is_fought(at))
}

/// A sentence on where nothing is compared, and why; None where everything is compared.
pub(super) fn not_compared(analysis: &Analysis<'_>) -> Option<String> {
    let layout = analysis.layout;
    let idle = never_fought(analysis);
    let mut factors: Vec<usize> = idle.iter().flatten().copied().collect();
    factors.sort_unstable();
    factors.dedup();
    let names: Vec<&str> = factors.iter().map(|&at| layout.factors[at].as_str()).collect();
    let matchups = idle.iter().filter(|factors| !factors.is_empty()).count() as u64;
    let (place, battles) = match layout.matchups.len() {
        1 => (String::new(), "battles"),
        _ => (format!(" in {}", counted(matchups, "match-up")), "battles there"),
    };
    (!names.is_empty()).then(|| {
        format!(
            "Not compared{place}: with {} all {battles} are forfeits, so that nothing can be told from battles with and without a {}.",
            named(&names, SHOWN),
            layout.factor_noun
        )
    })
}

pub(super) fn significant(change: &Change) -> bool {
    change.p_adjusted < ALARM
}

/// A sentence on how many of the comparisons are significant.
pub(super) fn how_many(known: &[&Change], hidden: &str) -> String {
    let all = known.len() as u64;
    match known.iter().filter(|change| significant(change)).count() as u64 {
        0 => format!(
            "None of {} is significant (false discovery rate 5%).",
            counted(all, "comparison")
        ),
        found => format!(
            "{} significant{hidden} (false discovery rate 5% for each side).",
            part(found, all, "comparison")
        ),
    }
}

fn meets_itself(layout: &Layout, matchup: usize) -> bool {
    layout.matchups[matchup].contenders.windows(2).all(|pair| pair[0] == pair[1])
}

pub(super) fn section(page: &mut Page, scenario: &str, analysis: &Analysis<'_>) {
    let Analysis { layout, tally, level, .. } = *analysis;
    if layout.factors.is_empty() || layout.conditions.len() < 2 {
        return;
    }
    let noun = layout.factor_noun;
    let known = told(analysis);
    let found: Vec<&Change> = known.iter().copied().filter(|change| significant(change)).collect();
    page.heading(&match layout.neutral {
        Some(_) => format!("With each {noun} against without it"),
        None => format!("By {noun}, against battles where it is otherwise"),
    });
    if (0..layout.matchups.len()).all(|matchup| meets_itself(layout, matchup)) {
        page.line(&format!(
            "Both sides bring the same, so that no {noun} favours either contender: a change is what it does for a side."
        ));
    }
    if let Some(sentence) = not_compared(analysis) {
        let experiment = match any_is_fought(analysis) {
            true => as_an_experiment(layout, scenario, analysis.tally.measure()),
            false => String::new(),
        };
        page.line(&format!("{sentence}{experiment}"));
        if known.is_empty() {
            return;
        }
    }
    if known.is_empty() {
        page.line("Nothing can be tested: there are too few battles, or all of them ended alike.");
    } else if found.is_empty() {
        page.line(&how_many(&known, ""));
    } else {
        let shown = found.len().min(SHOWN);
        let level = level.of_chosen(shown, known.len());
        let measure = tally.measure();
        let rows = found.iter().take(SHOWN).map(|change| {
            let mut row = vec![layout.factors[change.factor].clone()];
            row.extend(place(layout, change));
            row.extend([rate(&change.score(level)), points(&change.effect(level))]);
            row
        });
        let mut columns = vec![(noun, Align::Left)];
        columns.extend(place(layout, found[0]).map(|_| ("where", Align::Left)));
        let with = if layout.neutral.is_some() { "with it" } else { "then" };
        let with = match measure.is_mirrored(layout.sides) {
            true => format!("A's {} {with}", measure.noun()),
            false => format!("{} {with}", measure.noun()),
        };
        columns.extend([(with.as_str(), Align::Right), ("change", Align::Right)]);
        let at = columns.len() - 1;
        let tone = |change: &&Change| Some((at, Tone::of_change(change.effect(level).value, true)));
        let tones: Vec<Toned> = found.iter().take(SHOWN).map(tone).collect();
        page.toned_table(&columns, rows.collect(), &tones);
        let hidden = match found.len().saturating_sub(SHOWN) {
            0 => String::new(),
            hidden => format!(", {} of them not shown", whole(hidden as u64)),
        };
        page.line(&format!(
            "{}{}",
            how_many(&known, &hidden),
            as_an_experiment(layout, scenario, measure)
        ));
        if shown < known.len() {
            page.line(CHOSEN);
        }
    }
    draws(page, analysis);
}

/// Begins with a space: what else may be behind the changes, and how to play the same battles with and without the
/// factor. Empty where neither is known.
pub(in super::super) fn as_an_experiment(
    layout: &Layout,
    scenario: &str,
    measure: OutcomeMeasure,
) -> String {
    let noun = layout.factor_noun;
    if layout.neutral.is_some() {
        let again = match layout.has_effects() {
            true => format!(
                "; `{}` plays each battle with and without it",
                measuring(command_on("effects", scenario), measure)
            ),
            false => String::new(),
        };
        let others =
            format!("Battles without a {noun} are under others, which make a difference as well");
        let teams = format!("{noun} also decides which teams can be brought");
        return match (several_make_a_difference(layout), layout.units_are_drawn) {
            (true, true) => format!(" {others}, and a {teams}{again}."),
            (true, false) => format!(" {others}{again}."),
            (false, true) => format!(" A {teams}{again}."),
            (false, false) if again.is_empty() => String::new(),
            (false, false) => format!(" {}.", again.trim_start_matches("; ")),
        };
    }
    let order = layout.forcible.iter().find(|order| order.name == noun);
    order.map_or_else(String::new, |order| format!(" {}.", experiment(order, scenario, measure)))
}

/// Whether more than one factor besides the neutral one is drawn.
fn several_make_a_difference(layout: &Layout) -> bool {
    let drawn = layout.conditions.iter().filter(|of| of.probability > 0.0);
    let mut factors: Vec<u16> = drawn.flat_map(|of| of.factors.iter().copied()).collect();
    factors.retain(|factor| Some(*factor) != layout.neutral);
    factors.sort_unstable();
    factors.dedup();
    factors.len() > 1
}

/// Names the factor that changes most how many battles nobody wins.
fn draws(page: &mut Page, analysis: &Analysis<'_>) {
    let Analysis { layout, level, .. } = *analysis;
    let of_a = analysis.changes().iter().filter(|change| change.side == Side::A);
    // The largest of many estimates is large partly by chance.
    let is_known = |change: &&Change| !change.of_draws(level).value.is_nan();
    let of_a = of_a.filter(is_known);
    let comparisons = of_a.clone().count() as u64;
    let of_all = level.shared_by(comparisons);
    let largest = of_a
        // Where draws are few, the interval alone finds too many differences.
        .filter(|change| change.same_draws() * (comparisons as f64) < ALARM)
        .map(|change| (change, change.of_draws(of_all)))
        .filter(|(_, of_draws)| of_draws.excludes(0.0))
        .max_by(|(_, a), (_, b)| a.value.abs().total_cmp(&b.value.abs()));
    let Some((change, of_draws)) = largest.filter(|(_, of)| of.value.abs() >= 0.01) else {
        return;
    };
    let place = place(layout, change).map_or_else(String::new, |place| format!(" ({place})"));
    page.line(&format!(
        "{} changes most how often nobody wins: by {}{place}, adjusted for {}.",
        layout.factors[change.factor],
        points(&of_draws),
        counted(comparisons, "comparison")
    ));
}

/// The match-up and side of a change, each only where there are several.
pub(super) fn place(layout: &Layout, change: &Change) -> Option<String> {
    let matchup = (layout.matchups.len() > 1).then(|| layout.matchups[change.matchup].label());
    let side = (!change.measure.is_mirrored(layout.sides)).then(|| format!("side {}", change.side));
    match (matchup, side) {
        (Some(matchup), Some(side)) => Some(format!("{matchup}, {side}")),
        (matchup, side) => matchup.or(side),
    }
}
