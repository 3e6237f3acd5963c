//! How each contender fares over all its match-ups.

use std::collections::BTreeMap;

use crate::report::figures::{rate, whole};
use crate::report::page::{Align, Page};
use crate::statistics::{Estimate, Level, proportion};
use crate::tally::{Count, Layout};

/// How many of each end are shown.
const SHOWN: usize = 8;

/// Shown when somebody takes part in several match-ups. Battles of a contender against itself are left
/// out: they say nothing about it.
pub(super) fn section(page: &mut Page, layout: &Layout, counts: &[Count], level: Level) {
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (matchup, count) in layout.matchups.iter().zip(counts) {
        if matchup.contenders.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        for (contender, wins) in matchup.contenders.iter().zip(&count.wins) {
            let (won, played) = sums.entry(contender).or_default();
            *won += wins;
            *played += count.battles;
        }
    }
    if sums.len() < 3 || sums.len() >= counts.len() {
        return;
    }
    let mut ranked: Vec<(&str, Estimate)> = sums
        .into_iter()
        .map(|(name, (won, played))| (name, proportion(won, played, level)))
        .collect();
    ranked.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    page.heading("Contenders over all their match-ups");
    if ranked.len() <= 2 * SHOWN {
        return list(page, &ranked);
    }
    list(page, &ranked[..SHOWN]);
    let between = ranked.len() - 2 * SHOWN;
    page.line(&format!(" ... {} more are in between ...", whole(between as u64)));
    list(page, &ranked[ranked.len() - SHOWN..]);
}

fn list(page: &mut Page, ranked: &[(&str, Estimate)]) {
    let row = |(name, wins): &(&str, Estimate)| vec![(*name).to_owned(), rate(wins)];
    page.table(
        &[("Contender", Align::Left), ("wins", Align::Right)],
        ranked.iter().map(row).collect(),
    );
}
