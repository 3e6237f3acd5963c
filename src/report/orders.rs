//! In which order things happened.

use super::figures::{rate, whole};
use super::page::{Align, Page};
use crate::analysis::proportion;
use crate::game::Side;
use crate::tables::{LEVEL, order_text};
use crate::tally::{Layout, OrderCount, Tally};

/// How many orders of a moment are shown.
const SHOWN: usize = 5;

pub(super) fn section(page: &mut Page, layout: &Layout, tally: &Tally) {
    let sorted = tally.orders.sorted();
    for (at, moment) in layout.moments.iter().enumerate() {
        let orders: Vec<(&[u16], &OrderCount)> = sorted
            .iter()
            .filter(|(of, _, _)| usize::from(*of) == at)
            .map(|&(_, items, count)| (items, count))
            .collect();
        if orders.is_empty() {
            continue;
        }
        let times = orders.iter().map(|(_, count)| count.times).sum();
        page.heading(&format!("Order: {}", moment.name));
        page.line(&moment.meaning);
        let row = |&(items, count): &(&[u16], &OrderCount)| {
            vec![
                order_text(layout, items),
                rate(&proportion(count.times, times, LEVEL)),
                winner(layout, count),
            ]
        };
        let wins = if layout.sides == 2 { "A wins then" } else { "wins most then" };
        page.table(
            &[("order", Align::Left), ("share", Align::Right), (wins, Align::Right)],
            orders.iter().take(SHOWN).map(row).collect(),
        );
        if let Some(rest) = orders.len().checked_sub(SHOWN).filter(|&rest| rest > 0) {
            page.line(&format!(
                "{} more came up. The table `orders` holds all.",
                whole(rest as u64)
            ));
        }
    }
}

/// Side A's win rate in a duel; among more sides the leader's.
fn winner(layout: &Layout, count: &OrderCount) -> String {
    if layout.sides == 2 {
        return rate(&proportion(count.wins[0], count.battles, LEVEL));
    }
    let most = (0..layout.sides).max_by_key(|&side| (count.wins[side], layout.sides - side));
    most.map_or_else(String::new, |side| {
        let win_rate = rate(&proportion(count.wins[side], count.battles, LEVEL));
        format!("{} {win_rate}", Side(side as u8))
    })
}
