//! Which cards do better or worse together than each alone.

use super::super::tables::{UnitPair, unit_pairs};
use crate::report::figures::{brief_points, brief_rate, p_value, whole};
use crate::report::page::{Align, Page};
use crate::statistics::Level;
use crate::tally::{Layout, Tally};

/// How many are shown.
const SHOWN: usize = 8;
/// The level of adjusted p-values.
const ALARM: f64 = 0.05;

/// Nothing where pairs were not counted, or no pair came up often enough.
pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally, level: Level) {
    let pairs = unit_pairs(layout, tally, level);
    let tested = pairs.iter().filter(|pair| !pair.p_adjusted.is_nan()).count();
    if tested == 0 {
        return;
    }
    let mut significant: Vec<&UnitPair> =
        pairs.iter().filter(|pair| pair.p_adjusted < ALARM).collect();
    significant.sort_by(|a, b| b.lift.lift.value.abs().total_cmp(&a.lift.lift.value.abs()));
    page.heading("Pairs of units beyond what each is worth");
    let all = whole(tested as u64);
    if significant.is_empty() {
        return page.line(&format!(
            "None of the {all} pairs that were in at least 100 teams is significant."
        ));
    }
    let row = |pair: &&UnitPair| {
        let [one, other] = pair.units.map(|unit| layout.units[unit].name.as_str());
        vec![
            format!("{one} + {other}"),
            whole(pair.count.played),
            brief_rate(&pair.win_rate(level)),
            brief_points(&pair.lift.lift),
            p_value(pair.p_adjusted),
        ]
    };
    page.table(
        &[
            ("pair", Align::Left),
            ("played", Align::Right),
            ("wins", Align::Right),
            ("lift", Align::Right),
            ("p", Align::Right),
        ],
        significant.iter().take(SHOWN).map(row).collect(),
    );
    page.line(&format!(
        "{} of {all} pairs in at least 100 teams are significant, with p adjusted for all of them (Benjamini-Hochberg). \
         lift is the win rate less the one expected if the odds ratios of the two multiplied. The table `unit_pairs` holds all.",
        whole(significant.len() as u64)
    ));
}
