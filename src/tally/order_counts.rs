//! Counts of orders in one flat list of numbers, so that a battle changes all numbers of an order in one place.

use super::{Endings, OrderCount};
use crate::game::Outcome;

/// Offsets of the numbers that every order has, before those by side and by metric.
const TIMES: usize = 0;
const TIMES_SQUARED: usize = 1;
const TIMES_BY_ALL: usize = 2;
const BATTLES: usize = 3;
const FIRST: usize = 4;
/// How many these are. Then follow wins by side, wins by side where the order was the first, and two numbers for each
/// metric, the lower half before the upper.
const FIXED: usize = 5;

/// What a battle adds to the count of an order.
#[derive(Clone, Copy, Debug)]
pub(super) struct More {
    /// How often it came up.
    pub times: u64,
    /// How often any order of its population came up.
    pub all: u64,
    /// Whether it was the first of these.
    pub is_first: bool,
}

/// Counts of the orders of one layout, by index.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderCounts {
    sides: usize,
    metrics: usize,
    numbers: Vec<u64>,
    len: usize,
}

impl OrderCounts {
    /// How many numbers each order has.
    #[inline]
    fn width(&self) -> usize {
        FIXED + 2 * self.sides + 2 * self.metrics
    }

    /// How many orders have a count.
    pub fn len(&self) -> usize {
        self.len
    }

    fn of(&self, place: usize) -> &[u64] {
        &self.numbers[place * self.width()..][..self.width()]
    }

    #[inline]
    fn of_mut(&mut self, place: usize) -> &mut [u64] {
        let width = self.width();
        &mut self.numbers[place * width..][..width]
    }

    /// Adds an order without battles, in a layout of so many sides and metrics, which are the same for all orders.
    pub fn push(&mut self, sides: usize, metrics: usize) {
        debug_assert!(self.len == 0 || (self.sides, self.metrics) == (sides, metrics));
        (self.sides, self.metrics) = (sides, metrics);
        self.len += 1;
        self.numbers.resize(self.len * self.width(), 0);
    }

    /// A view of all counts for adding a battle.
    #[inline]
    pub fn rows(&mut self) -> Rows<'_> {
        Rows { sides: self.sides, width: self.width(), numbers: &mut self.numbers }
    }

    /// Adds the count of an order in another list to one in this list.
    pub fn merge(&mut self, place: usize, other: &Self, of_other: usize) {
        let counted = FIXED + 2 * self.sides;
        let (to, from) = (self.of_mut(place), other.of(of_other));
        let (counts, sums) = to.split_at_mut(counted);
        for (count, more) in counts.iter_mut().zip(&from[..counted]) {
            *count += more;
        }
        for (sum, more) in sums.chunks_exact_mut(2).zip(from[counted..].chunks_exact(2)) {
            write_sum(sum, read_sum(sum) + read_sum(more));
        }
    }

    /// Appends the count of an order in another list as a new order.
    pub fn push_from(&mut self, other: &Self, of_other: usize) {
        self.push(other.sides, other.metrics);
        self.of_mut(self.len - 1).copy_from_slice(other.of(of_other));
    }

    /// Sets the count of an order, with as many sides and metrics as all others.
    pub fn set(&mut self, place: usize, count: &OrderCount) {
        let (fixed, rest) = self.of_mut(place).split_at_mut(FIXED);
        fixed[TIMES] = count.times;
        fixed[TIMES_SQUARED] = count.times_squared;
        fixed[TIMES_BY_ALL] = count.times_by_all;
        fixed[BATTLES] = count.battles.battles;
        fixed[FIRST] = count.first.battles;
        let (wins, rest) = rest.split_at_mut(count.battles.wins.len());
        wins.copy_from_slice(&count.battles.wins);
        let (wins, sums) = rest.split_at_mut(count.first.wins.len());
        wins.copy_from_slice(&count.first.wins);
        for (sum, &value) in sums.chunks_exact_mut(2).zip(&count.metrics) {
            write_sum(sum, value);
        }
    }

    /// The count of an order.
    pub fn get(&self, place: usize) -> OrderCount {
        let (fixed, rest) = self.of(place).split_at(FIXED);
        let (wins, rest) = rest.split_at(self.sides);
        let (first_wins, sums) = rest.split_at(self.sides);
        OrderCount {
            times: fixed[TIMES],
            times_squared: fixed[TIMES_SQUARED],
            times_by_all: fixed[TIMES_BY_ALL],
            battles: Endings { battles: fixed[BATTLES], wins: wins.to_vec() },
            metrics: sums.chunks_exact(2).map(read_sum).collect(),
            first: Endings { battles: fixed[FIRST], wins: first_wins.to_vec() },
        }
    }
}

/// A view of all counts for adding a battle: what locates a row is computed once for all orders of the battle.
#[derive(Debug)]
pub(super) struct Rows<'c> {
    sides: usize,
    width: usize,
    numbers: &'c mut [u64],
}

impl Rows<'_> {
    /// Adds a battle in which an order came up.
    #[inline(always)]
    pub fn add(&mut self, place: usize, outcome: Outcome, metrics: &[i64], more: More) {
        let More { times, all, is_first } = more;
        let sides = self.sides;
        let row = &mut self.numbers[place * self.width..][..self.width];
        let (fixed, rest) = row.split_at_mut(FIXED);
        fixed[TIMES] += times;
        fixed[TIMES_SQUARED] += times * times;
        fixed[TIMES_BY_ALL] += times * all;
        fixed[BATTLES] += 1;
        fixed[FIRST] += u64::from(is_first);
        if let Outcome::Win(side) = outcome {
            rest[side.index()] += 1;
            rest[sides + side.index()] += u64::from(is_first);
        }
        for (sum, &value) in rest[2 * sides..].chunks_exact_mut(2).zip(metrics) {
            write_sum(sum, read_sum(sum) + i128::from(value));
        }
    }
}

#[inline]
fn read_sum(halves: &[u64]) -> i128 {
    (u128::from(halves[1]) << 64 | u128::from(halves[0])) as i128
}

#[inline]
fn write_sum(halves: &mut [u64], sum: i128) {
    halves[0] = sum as u64;
    halves[1] = (sum >> 64) as u64;
}
