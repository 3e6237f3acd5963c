//! The section on how each contender fares over all its match-ups.

use super::verdict::{ContenderStanding, Verdict};
use crate::report::figures::{more, rate};
use crate::report::page::{Align, Page, Toned};

/// How many contenders are shown from each end of the ranking.
const SHOWN: usize = 8;

/// Lists the contenders by score, where there are more than two. Battles of a contender against itself are left out:
/// they say nothing about it.
pub(super) fn section(page: &mut Page, verdict: &Verdict<'_>, noun: &str) {
    let ranked = &verdict.standings;
    if ranked.len() < 3 {
        return;
    }
    page.heading("Contenders over all their match-ups and seats");
    if ranked.len() <= 2 * SHOWN {
        return list(page, ranked, noun);
    }
    list(page, &ranked[..SHOWN], noun);
    let between = ranked.len() - 2 * SHOWN;
    page.line(&format!(" ... {} in between ...", more(between as u64)));
    list(page, &ranked[ranked.len() - SHOWN..], noun);
}

fn list(page: &mut Page, ranked: &[ContenderStanding<'_>], noun: &str) {
    let row = |of: &ContenderStanding<'_>| vec![of.name.to_owned(), rate(&of.score)];
    let tones: Vec<Toned> = ranked.iter().map(|of| Some((1, of.tone()))).collect();
    page.toned_table(
        &[("Contender", Align::Left), (noun, Align::Right)],
        ranked.iter().map(row).collect(),
        &tones,
    );
}
