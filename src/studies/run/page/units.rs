//! The best and the worst cards, summoners or minions.

use crate::report::figures::{counted, rate, whole};
use crate::report::page::{Align, Page};
use crate::statistics::{Estimate, Level, proportion};
use crate::tally::{Layout, Tally};

/// How many of each end are shown.
const SHOWN: usize = 8;
/// With fewer appearances the interval is wider than 20 points, and the extremes are noise.
const ENOUGH: u64 = 100;

pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally, level: Level) {
    let mut ranked: Vec<(usize, Estimate)> = tally
        .units
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.played >= ENOUGH)
        .map(|(at, unit)| (at, proportion(unit.won, unit.played, level)))
        .collect();
    ranked.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let seen = tally.units.iter().filter(|unit| unit.played > 0).count();
    if seen == 0 || fixed(layout, tally) {
        return;
    }
    if ranked.len() > 2 * SHOWN {
        page.heading("Best units by win rate");
        list(page, layout, tally, &ranked[..SHOWN]);
        page.heading("Worst units by win rate");
        list(page, layout, tally, &ranked[ranked.len() - SHOWN..]);
        let between = ranked.len() - 2 * SHOWN;
        page.line(&format!(
            "{} more are in between. The table `units` holds all.",
            whole(between as u64)
        ));
    } else {
        page.heading("Units by win rate");
        if !ranked.is_empty() {
            list(page, layout, tally, &ranked);
        }
    }
    let rare = (seen - ranked.len()) as u64;
    if rare > 0 {
        page.line(&format!(
            "{} took part fewer than {ENOUGH} times, too few to rank.",
            counted(rare, "unit")
        ));
    }
}

/// Whether everybody took part in every battle: then a unit's win rate is its side's and says no more.
fn fixed(layout: &Layout, tally: &Tally) -> bool {
    let battles = tally.battles();
    let mut seen = tally.units.iter().filter(|unit| unit.played > 0);
    layout.matchups.len() == 1 && seen.all(|unit| unit.played.is_multiple_of(battles))
}

fn list(page: &mut Page, layout: &Layout, tally: &Tally, ranked: &[(usize, Estimate)]) {
    let row = |(at, win_rate): &(usize, Estimate)| {
        let (unit, count) = (&layout.units[*at], &tally.units[*at]);
        vec![
            unit.name.clone(),
            unit.kind.to_owned(),
            unit.group.clone(),
            whole(count.played),
            rate(win_rate),
        ]
    };
    page.table(
        &[
            ("unit", Align::Left),
            ("kind", Align::Left),
            ("group", Align::Left),
            ("played", Align::Right),
            ("wins", Align::Right),
        ],
        ranked.iter().map(row).collect(),
    );
}
