//! How much memory tallies take.

use super::by_matchup::{MOST_APART, Own};
use super::pairs::conditions_apart;
use super::{Breakdown, Layout};

/// Bytes of a stratum's count with its wins, as the allocator gives them.
const COUNT: u64 = 200;
/// Bytes of the counts of a unit, over all battles or in a part, with the pointer to its sums by match-up.
const UNIT: u64 = 64;
/// Bytes of the sums of a unit in one match-up.
const FARED: u64 = 40;
/// Bytes of the count of two units of one team, in one match-up, perhaps under one condition, or in all.
const PAIR: u64 = 16;
/// Bytes of an order's key and counts.
const ORDER: u64 = 350;
/// How many different orders a stratum has at one moment: a guess.
const ORDERS: u64 = 2;

/// About the most memory, in bytes, that the tallies of so many battles take on so many threads, where units, and
/// perhaps pairs of them, are counted by these breakdowns. How many orders there are is a guess.
#[must_use]
pub fn memory(
    layout: &Layout,
    (units, pairs): (Breakdown, Option<Breakdown>),
    battles: u64,
    threads: usize,
) -> u64 {
    let (strata, threads) = (layout.strata() as u64, threads.max(1) as u64);
    // Every thread may meet every stratum, and no battle belongs to two.
    let met = strata.saturating_mul(threads).min(battles);
    let orders = layout.moments.len() as u64 * ORDERS * ORDER;
    let of_matchup = COUNT + 8 * u64::from(layout.longest) + 32 * layout.metrics.len() as u64;
    let fixed = strata.saturating_mul(4) + layout.matchups.len() as u64 * of_matchup;

    let own = Own::of(layout);
    let contenders = own.matchups.len() as u64;
    // Bytes for so many cells of each contender, and for their sums by match-up.
    let sums = |cells: usize, each: u64, apart: u64| {
        let by_matchup = if own.are_apart(cells) {
            let sums: usize = own.matchups.iter().map(Vec::len).sum();
            (sums * cells).min(MOST_APART) as u64
        } else {
            contenders * cells as u64
        };
        contenders * cells as u64 * each + by_matchup * apart
    };
    let of_units = layout.units.len();
    let of_two = of_units * of_units.saturating_sub(1) / 2;
    let of_parts = sums(of_units * units.parts(layout), UNIT, FARED);
    let conditions = conditions_apart(layout, &own);
    let of_pairs = pairs.map_or(0, |by| {
        let of_conditions = match conditions {
            1 => 0,
            several => sums((of_two + of_units) * several, 0, PAIR),
        };
        let of_parts = contenders * (of_two * by.parts(layout)) as u64 * PAIR;
        sums(of_two, PAIR, PAIR) + of_conditions + of_parts
    });
    let each = fixed
        .saturating_add(sums(of_units, UNIT, FARED))
        .saturating_add(of_parts)
        .saturating_add(of_pairs);
    met.saturating_mul(COUNT + orders).saturating_add(each.saturating_mul(threads))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::fixture::{duel, round_robin};

    #[test]
    fn what_is_counted_takes_its_memory() {
        let layout = round_robin(100);
        let of = |units, pairs, battles| memory(&layout, (units, pairs), battles, 1);
        let plain = of(Breakdown::Whole, None, 1_000);
        assert!(of(Breakdown::Whole, Some(Breakdown::Whole), 1_000) > plain);
        assert!(of(Breakdown::Whole, None, 10_000) > plain, "strata are met");
        assert_eq!(of(Breakdown::Whole, None, 1 << 40), of(Breakdown::Whole, None, 1 << 50));
        assert!(
            memory(&layout, (Breakdown::Whole, None), 1 << 40, 2)
                > of(Breakdown::Whole, None, 1 << 40)
        );
        assert!(
            memory(&duel(), (Breakdown::Factor, Some(Breakdown::Factor)), 1 << 60, 64) < 1_000_000
        );
    }
}
