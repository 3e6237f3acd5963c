//! Which cards do better or worse together than each alone.

use super::super::tables::UnitPair;
use super::units::{conditions_are_mixed, opponents_are_mixed};
use crate::report::ALARM;
use crate::report::figures::{are, brief_points, brief_rate, counted, p_value, whole};
use crate::report::page::{Align, Page, Tone, Toned};
use crate::sorting::Sorting;
use crate::statistics::Estimate;
use crate::studies::run::Analysis;

/// How many are shown.
const SHOWN: usize = 8;

pub(super) fn significant(pair: &UnitPair) -> bool {
    pair.p_adjusted < ALARM
}

/// How many pairs were tested.
pub(super) fn tested(pairs: &[UnitPair]) -> usize {
    pairs.iter().filter(|pair| !pair.p_adjusted.is_nan()).count()
}

/// The significant pairs, those first that surely do most: of thousands the largest lifts are those that chance made large.
pub(super) fn surest<'a>(analysis: &'a Analysis<'_>) -> Vec<&'a UnitPair> {
    let told = among(analysis, 1);
    let pairs = analysis.unit_pairs().iter();
    let mut found: Vec<&UnitPair> = pairs.filter(|pair| significant(pair)).collect();
    found.put_in_order_by(|a, b| told(b).least_size().total_cmp(&told(a).least_size()));
    found
}

/// The lifts of pairs of which so many are shown, with intervals that allow for that choice.
pub(super) fn among(analysis: &Analysis<'_>, shown: usize) -> impl Fn(&UnitPair) -> Estimate {
    let level = analysis.level;
    let chosen = level.of_chosen(shown, tested(analysis.unit_pairs()));
    move |pair| pair.lift.lift.at_level(level, chosen).within(-1.0, 1.0)
}

/// Nothing where pairs were not counted, or no pair came up often enough.
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
    page.heading("Pairs of units beyond what each is worth");
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
            brief_rate(&pair.score),
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
         intervals that allow for the choice. The table `unit_pairs` holds all.",
        whole(found.len() as u64),
        counted(tested as u64, "pair"),
        are(found.len() as u64)
    ));
    if conditions_are_mixed(analysis) {
        let noun = layout.factor_noun;
        page.line(&format!(
            "There are too many pairs and {noun}s to compare pairs {noun} by {noun}, so that what two do together may be the {noun}s that \
             they are brought under."
        ));
    }
    if opponents_are_mixed(analysis) {
        page.line(
            "Forfeits have left units with some opponents more often than with others, so that what two do together may be \
             whom they met.",
        );
    }
}
