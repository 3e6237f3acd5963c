//! What matters most, in a few sentences.

use super::super::tables::{OrderEffect, order_effects, unit_pairs};
use super::{changes, order_effects as orders, units};
use crate::report::figures::{plain_points, points, rate};
use crate::statistics::{Estimate, Level, proportion};
use crate::tally::{Count, Layout, Origin, Tally};

/// How many are told.
const MOST: usize = 3;
/// Forfeits and battles that nobody wins are told from this share on.
const MANY: f64 = 0.02;

/// The sentences, those first that make the largest difference. Each is about something else.
pub(super) fn highlights(layout: &Layout, tally: &Tally, all: &Count, level: Level) -> Vec<String> {
    let mut found: Vec<(f64, String)> = Vec::new();
    found.extend(forfeits(layout, all, level));
    found.extend(factor(layout, tally, level));
    found.extend(order(layout, tally, level));
    found.extend(unit(layout, tally, level));
    found.extend(pair(layout, tally, level));
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    found.truncate(MOST);
    found.into_iter().map(|(_, sentence)| sentence).collect()
}

fn forfeits(layout: &Layout, all: &Count, level: Level) -> Option<(f64, String)> {
    let share = proportion(all.unfought, all.battles, level);
    if share.value < MANY {
        return None;
    }
    let sides: Vec<String> = (0..layout.sides)
        .filter(|&side| all.forfeits[side] > 0)
        .map(|side| {
            let of = proportion(all.forfeits[side], all.battles, level);
            format!("{} by side {}", rate(&of), crate::game::Side(side as u8))
        })
        .collect();
    let sentence = format!(
        "{} of the battles are forfeits, because a team may not be brought: {}. They count as won and lost, and in no \
         other figure.",
        rate(&share),
        sides.join(", ")
    );
    Some((1.0 + share.value, sentence))
}

fn factor(layout: &Layout, tally: &Tally, level: Level) -> Option<(f64, String)> {
    let known = changes::told(layout, tally, level);
    let change = known.iter().find(|change| changes::significant(change))?;
    let effect = change.effect(level);
    let who = &layout.matchups[change.matchup].contenders[change.side.index()];
    let against = match layout.sides {
        2 => format!(" against {}", layout.matchups[change.matchup].contenders[1]),
        _ => format!(" as side {}", change.side),
    };
    let sentence = format!(
        "With {} {who}{against} {} {}, which is {} against battles without it (the largest of {} that differ).",
        layout.factors[change.factor],
        tally.measure().verb(),
        rate(&change.score(level)),
        points(&effect),
        known.iter().filter(|change| changes::significant(change)).count(),
    );
    Some((effect.value.abs(), sentence))
}

fn order(layout: &Layout, tally: &Tally, level: Level) -> Option<(f64, String)> {
    if layout.sides > 2 {
        return None;
    }
    let effects = order_effects(layout, tally, level);
    let drawn: Vec<&OrderEffect> =
        effects.iter().filter(|effect| effect.origin == Origin::Drawn).collect();
    let found = orders::significant(&drawn);
    let largest = found.iter().max_by(|a, b| {
        let gap = |effect: &OrderEffect| effect.gap().low.max(-effect.gap().high);
        gap(a).total_cmp(&gap(b))
    })?;
    let sentence = format!(
        "A drawn order decides: side A gains {} by {}.",
        points(&largest.gap()),
        orders::rather(layout, largest)
    );
    Some((largest.gap().value.abs(), sentence))
}

fn unit(layout: &Layout, tally: &Tally, level: Level) -> Option<(f64, String)> {
    let rows = units::told(layout, tally, level);
    let ranked = rows.iter().filter(|row| row.ranks.is_some());
    let mut of_kind = ranked.filter(|row| layout.units[row.unit].kind != "summoner").peekable();
    of_kind.peek()?;
    let mean_of = |contender: usize| {
        let alike: Vec<f64> = rows
            .iter()
            .filter(|row| row.contender == contender && row.ranks.is_some())
            .map(|row| row.shrunken.value)
            .collect();
        alike.iter().sum::<f64>() / alike.len() as f64
    };
    let (row, lead) = of_kind
        .filter(|row| row.ranks.is_some_and(|ranks| ranks[0] == 1 && ranks[1] <= 10))
        .map(|row| (row, row.shrunken.value - mean_of(row.contender)))
        .max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let [first, last] = row.ranks?;
    let contenders = layout.contenders().names;
    let whose = match contenders.len() {
        1 => String::new(),
        _ => format!(" of {}", contenders[row.contender]),
    };
    let kind = layout.units[row.unit].kind;
    let place = if first == last { "first".to_owned() } else { format!("place {first} to {last}") };
    let sentence = format!(
        "{} goes with winning more than any other {kind}{whose}: teams with it {} {} ({place} of its kind).",
        layout.units[row.unit].name,
        match tally.measure() {
            crate::tally::OutcomeMeasure::Score => "score",
            _ => "win",
        },
        rate(&row.score)
    );
    Some((lead, sentence))
}

fn pair(layout: &Layout, tally: &Tally, level: Level) -> Option<(f64, String)> {
    let pairs = unit_pairs(layout, tally, level);
    let size = |at: &&super::super::tables::UnitPair| at.lift.lift.value.abs();
    let found = pairs.iter().filter(|pair| pair.p_adjusted < 0.05);
    let largest = found.max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let [one, other] = largest.units.map(|unit| layout.units[unit].name.as_str());
    let lift = largest.lift.lift;
    let (size, than) = match lift.value < 0.0 {
        true => (Estimate { value: -lift.value, low: -lift.high, high: -lift.low }, "less"),
        false => (lift, "more"),
    };
    let sentence = format!(
        "{one} with {other} in one team {} {} {than} than the odds of the two lead one to expect (the largest of many).",
        tally.measure().verb(),
        plain_points(&size)
    );
    // What is told of two cards at once is less than what is told of one.
    Some((0.5 * largest.lift.lift.value.abs(), sentence))
}
