//! In which order things happened.

use super::super::tables::{OrderRow, order_rows};
use crate::game::Side;
use crate::report::figures::{rate, whole};
use crate::report::page::{Align, Page};
use crate::statistics::{Level, proportion};
use crate::tally::{Layout, Moment, Tally};

/// How many orders of a moment are shown,
const SHOWN: usize = 5;
/// and how many where there are more than so many moments.
const SHOWN_OF_MANY: usize = 2;
const MANY: usize = 3;
/// How many results are shown beside an order.
const RESULTS: usize = 2;

pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally, level: Level) {
    let all = order_rows(layout, tally);
    let of_moment = |at: usize| -> Vec<&OrderRow> {
        all.iter().filter(|row| usize::from(row.moment) == at).collect()
    };
    let seen: Vec<(&Moment, Vec<&OrderRow>)> = layout
        .moments
        .iter()
        .enumerate()
        .map(|(at, moment)| (moment, of_moment(at)))
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    let shown = if seen.len() > MANY { SHOWN_OF_MANY } else { SHOWN };
    let mut meaning = "";
    for (moment, rows) in seen {
        page.heading(&format!("Order: {}", moment.name));
        if moment.meaning != meaning {
            meaning = &moment.meaning;
            page.line(meaning);
        }
        let decided = rows.iter().any(|row| row.count.wins.iter().sum::<u64>() > 0);
        let results = if decided { Vec::new() } else { telling(layout, &rows) };
        let share = if moment.compares_like_with_like { "of this batch" } else { "share" };
        let mut columns = vec![("order", Align::Left), (share, Align::Right)];
        if decided {
            let wins = if layout.sides == 2 { "A wins then" } else { "wins most then" };
            columns.push((wins, Align::Right));
        }
        columns.extend(results.iter().map(|&of| (layout.metrics[of].as_str(), Align::Right)));
        let cells = |row: &&OrderRow| {
            let mut cells = vec![
                layout.order_label(row.items),
                rate(&proportion(row.count.times, row.population, level)),
            ];
            if decided {
                cells.push(winner(layout, row, level));
            }
            cells.extend(results.iter().map(|&of| format!("{:.3}", mean(row, of))));
            cells
        };
        page.table(&columns, rows.iter().take(shown).map(cells).collect());
        if let Some(rest) = rows.len().checked_sub(shown).filter(|&rest| rest > 0) {
            page.line(&format!(
                "{} more came up. The table `orders` holds all.",
                whole(rest as u64)
            ));
        }
    }
}

/// The metrics that differ most between these orders, where they differ at all.
fn telling(layout: &Layout, rows: &[&OrderRow]) -> Vec<usize> {
    let spread = |&metric: &usize| {
        let means = rows.iter().map(|row| mean(row, metric));
        let (low, high) = means.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| {
            (low.min(mean), high.max(mean))
        });
        high - low
    };
    let mut metrics: Vec<usize> =
        (0..layout.metrics.len()).filter(|metric| spread(metric) > 0.0).collect();
    metrics.sort_by(|a, b| spread(b).total_cmp(&spread(a)));
    metrics.truncate(RESULTS);
    metrics.sort_unstable();
    metrics
}

fn mean(row: &OrderRow, metric: usize) -> f64 {
    row.count.metrics[metric] as f64 / row.count.battles as f64
}

/// Side A's win rate in a duel; among more sides the leader's.
fn winner(layout: &Layout, row: &OrderRow, level: Level) -> String {
    let count = row.count;
    if layout.sides == 2 {
        return rate(&proportion(count.wins[0], count.battles, level));
    }
    let most = (0..layout.sides).max_by_key(|&side| (count.wins[side], layout.sides - side));
    most.map_or_else(String::new, |side| {
        let win_rate = rate(&proportion(count.wins[side], count.battles, level));
        format!("{} {win_rate}", Side(side as u8))
    })
}
