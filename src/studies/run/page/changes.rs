//! What changes the odds most: rulesets, or what else a game draws for a battle.

use super::super::tables::{Change, changes};
use crate::game::Side;
use crate::report::figures::{points, rate, whole};
use crate::report::page::{Align, Page};
use crate::statistics::{Estimate, Level};
use crate::tally::{Layout, Tally};

/// How many are shown.
const SHOWN: usize = 8;

pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally, level: Level) {
    if layout.factors.is_empty() || layout.conditions.len() < 2 {
        return;
    }
    let noun = layout.factor_noun;
    // What side A gains in a duel side B loses, but for draws: one of the two says it all.
    let told = |change: &Change| layout.sides > 2 || change.side == Side::A;
    let known: Vec<(Change, Estimate)> = changes(layout, tally)
        .into_iter()
        .filter(told)
        .map(|change| (change, change.effect(level)))
        .filter(|(_, effect)| !effect.value.is_nan())
        .collect();
    let mut significant: Vec<&(Change, Estimate)> =
        known.iter().filter(|(_, effect)| effect.excludes(0.0)).collect();
    significant.sort_by(|(_, a), (_, b)| b.value.abs().total_cmp(&a.value.abs()));
    page.heading(&format!("What each {noun} changes"));
    if significant.is_empty() {
        page.line(&format!("No {noun} changes a win rate significantly at this many battles."));
        return;
    }
    let rows = significant.iter().take(SHOWN).map(|(change, effect)| {
        let mut row = vec![layout.factors[change.factor].clone()];
        row.extend(place(layout, change));
        row.extend([rate(&change.win_rate(level)), points(effect)]);
        row
    });
    let mut columns = vec![(noun, Align::Left)];
    columns.extend(place(layout, &significant[0].0).map(|_| ("where", Align::Left)));
    let wins = if layout.sides > 2 { "wins with it" } else { "A wins with it" };
    columns.extend([(wins, Align::Right), ("change", Align::Right)]);
    page.table(&columns, rows.collect());
    page.line(&rest(noun, significant.len(), known.len(), level));
}

/// The match-up and side of a change, as far as there are several.
fn place(layout: &Layout, change: &Change) -> Option<String> {
    let matchup = (layout.matchups.len() > 1).then(|| layout.matchups[change.matchup].label());
    let side = (layout.sides > 2).then(|| format!("side {}", change.side));
    match (matchup, side) {
        (Some(matchup), Some(side)) => Some(format!("{matchup}, {side}")),
        (matchup, side) => matchup.or(side),
    }
}

/// How much is not shown, and how many of these would be significant by chance.
fn rest(noun: &str, significant: usize, known: usize, level: Level) -> String {
    let by_chance = match ((1.0 - level.confidence()) * known as f64).round() as u64 {
        0 => "fewer than one".to_owned(),
        about => format!("about {}", whole(about)),
    };
    let hidden = match significant.saturating_sub(SHOWN) {
        0 => String::new(),
        hidden => format!(" ({} are not shown)", whole(hidden as u64)),
    };
    format!(
        "{} of {} changes are significant without adjustment{hidden}; if no {noun} mattered, chance alone would give {by_chance}.",
        whole(significant as u64),
        whole(known as u64)
    )
}
