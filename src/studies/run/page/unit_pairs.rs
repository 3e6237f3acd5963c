//! The section on cards that do better or worse together than each alone.

use std::collections::HashSet;

use super::super::tables::{ENOUGH, UnitPair};
use super::units::{conditions_are_mixed, opponents_are_mixed};
use crate::report::ALARM;
use crate::report::figures::{are, brief_points, brief_rate, capital, counted, p_value, whole};
use crate::report::page::{Align, Page, Tone, Toned};
use crate::scenario::TableName;
use crate::sorting::Sorting;
use crate::statistics::Estimate;
use crate::studies::run::Analysis;
use crate::tally::Matchup;

/// How many pairs are shown.
const SHOWN: usize = 8;

pub(super) fn significant(pair: &UnitPair) -> bool {
    pair.p_adjusted < ALARM
}

/// How many pairs were tested.
pub(super) fn tested(pairs: &[UnitPair]) -> usize {
    pairs.iter().filter(|pair| !pair.p_adjusted.is_nan()).count()
}

/// A sentence on what comes along with both units of many pairs, and may account for what they seem to do together.
/// None where nothing does.
pub(super) fn mixed(analysis: &Analysis<'_>) -> Option<String> {
    let layout = analysis.layout;
    // A pair that came up often enough has no expected score where one of its units hardly ever comes without the
    // other. For a unit that is in all teams this holds for every pair, and says nothing of the others.
    let often = || analysis.unit_pairs().iter().filter(|pair| pair.count.played >= ENOUGH);
    let known = often().filter(|pair| !pair.lift.expected.is_nan());
    let with_known: HashSet<(usize, usize)> =
        known.flat_map(|pair| pair.units.map(|unit| (pair.contender, unit))).collect();
    let comes_with_another = |pair: &UnitPair| {
        let has_known = |unit: usize| with_known.contains(&(pair.contender, unit));
        pair.lift.expected.is_nan() && pair.units.into_iter().all(has_known)
    };
    let differ = |of: &Matchup| of.contenders.windows(2).any(|two| two[0] != two[1]);
    let why = if often().any(comes_with_another) {
        "Some units hardly ever come without another one, such as a summoner".to_owned()
    } else if layout.brackets.len() > 1 && layout.matchups.iter().any(differ) {
        format!("Pairs are not compared {0} by {0}", layout.bracket_noun)
    } else {
        return None;
    };
    Some(format!("{why}: what two do together may be what comes with both."))
}

/// The significant pairs, those with the surely largest lifts first: of thousands, the largest estimates are those
/// that chance made large.
pub(super) fn surest<'a>(analysis: &'a Analysis<'_>) -> Vec<&'a UnitPair> {
    let told = among(analysis, 1);
    let pairs = analysis.unit_pairs().iter();
    let mut found: Vec<&UnitPair> = pairs.filter(|pair| significant(pair)).collect();
    found.put_in_order_by(|a, b| told(b).least_size().total_cmp(&told(a).least_size()));
    found
}

/// Returns a function that gives a pair's lift with an interval that allows for the choice of `shown` pairs from all
/// tested ones.
pub(super) fn among(analysis: &Analysis<'_>, shown: usize) -> impl Fn(&UnitPair) -> Estimate {
    let level = analysis.level;
    let chosen = level.of_chosen(shown, tested(analysis.unit_pairs()));
    move |pair| pair.lift.lift.at_level(level, chosen).within(-1.0, 1.0)
}

/// Returns a function that gives a pair's lift with an interval that allows for the choice of `shown` pairs from the `all`
/// tested ones of a unit and, like the p-value, for all tested pairs of the run. It is that of pairs which are chosen because
/// they are significant, so that no interval leaves 0 out where the p-value finds nothing.
pub(super) fn among_those_of_unit(
    analysis: &Analysis<'_>,
    shown: usize,
    all: usize,
) -> impl Fn(&UnitPair) -> Estimate {
    let (level, pairs) = (analysis.level, analysis.unit_pairs());
    let found = pairs.iter().filter(|pair| significant(pair)).count();
    let of_run = level.of_chosen(found, tested(pairs));
    let of_unit = level.of_chosen(shown, all);
    let chosen = if of_run.z() > of_unit.z() { of_run } else { of_unit };
    move |pair| pair.lift.lift.at_level(level, chosen).within(-1.0, 1.0)
}

/// Lists the significant pairs; prints nothing where pairs were not counted, or no pair came up often enough.
pub(super) fn section(page: &mut Page, analysis: &Analysis<'_>) {
    let Analysis { layout, tally, .. } = *analysis;
    let pairs = analysis.unit_pairs();
    let tested = tested(pairs);
    if tested == 0 {
        return;
    }
    let found = surest(analysis);
    let shown = found.len().min(SHOWN);
    let told = among(analysis, shown);
    page.heading("Pairs of units beyond the odds of each");
    if found.is_empty() {
        return page.line(&match tested {
            1 => "The only pair that was in at least 100 teams is not significant.".to_owned(),
            several => format!(
                "None of {} pairs that were in at least 100 teams is significant.",
                whole(several as u64)
            ),
        });
    }
    let contenders = layout.contenders().names;
    let noun = tally.measure().noun();
    let row = |pair: &&UnitPair| {
        let [one, other] = pair.units.map(|unit| layout.units[unit].name.as_str());
        vec![
            match contenders.len() {
                1 => format!("{one} + {other}"),
                _ => format!("{one} + {other} ({})", contenders[pair.contender]),
            },
            whole(pair.count.played),
            brief_rate(&pair.score, layout.sides),
            brief_points(&told(pair)),
            p_value(pair.p_adjusted),
        ]
    };
    let shown = &found[..shown];
    let tone = |pair: &&UnitPair| Some((3, Tone::of_change(pair.lift.lift.value, true)));
    let tones: Vec<Toned> = shown.iter().map(tone).collect();
    page.toned_table(
        &[
            ("pair", Align::Left),
            ("played", Align::Right),
            (noun, Align::Right),
            ("lift", Align::Right),
            ("p", Align::Right),
        ],
        shown.iter().map(row).collect(),
        &tones,
    );
    page.line(&format!(
        "{} of {} in at least 100 teams {} significant, with p adjusted for all of them (Benjamini-Hochberg). \
         lift is what they have less what one expects if the odds ratios of the two multiplied; those first that surely do most, with \
         intervals that allow for the choice. {} all.",
        whole(found.len() as u64),
        counted(tested as u64, "pair"),
        are(found.len() as u64),
        capital(&analysis.in_table(TableName::UnitPairs, "holds"))
    ));
    if conditions_are_mixed(analysis) {
        let noun = layout.factor_noun;
        page.line(&format!(
            "There are too many pairs and {noun}s to compare pairs {noun} by {noun}, so that what two do together may be the {noun}s that \
             they are brought under."
        ));
    }
    if let Some(mixed) = mixed(analysis) {
        page.line(&mixed);
    }
    if opponents_are_mixed(analysis) {
        page.line(
            "Forfeits have left units with some opponents more often than with others, so that what two do together may be \
             whom they met.",
        );
    }
}
