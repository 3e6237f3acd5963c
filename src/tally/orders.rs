//! How often things happened in which order, and who won then.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Layout, NotedOrder, Origin, Record};
use crate::game::Outcome;

/// How one order at one moment turned out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderCount {
    /// How often it came up.
    pub times: u64,
    /// The sum over battles of how often it came up, squared.
    pub times_squared: u64,
    /// The sum over battles of how often it came up, times how often any order of its population did.
    pub times_by_all: u64,
    /// How the battles ended in which it came up at least once.
    pub battles: Endings,
    /// Of those battles, the sum of each metric.
    pub metrics: Vec<i128>,
    /// How the battles ended in which it was the first of its population. Every battle is in that of one order at most, and
    /// where orders are drawn, chance alone has decided in which.
    pub first: Endings,
}

/// How some battles ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endings {
    /// How many there were.
    pub battles: u64,
    /// How many each side won.
    pub wins: Vec<u64>,
}

impl Endings {
    fn none(sides: usize) -> Self {
        Self { battles: 0, wins: vec![0; sides] }
    }

    #[inline]
    fn add(&mut self, outcome: Outcome) {
        self.battles += 1;
        if let Outcome::Win(side) = outcome {
            self.wins[side.index()] += 1;
        }
    }

    /// Adds the battles of another set.
    pub fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        add_all(&mut self.wins, &other.wins);
    }

    /// How they ended for a side.
    #[must_use]
    pub fn results(&self, side: crate::game::Side) -> super::Results {
        let decided: u64 = self.wins.iter().sum();
        let won = self.wins[side.index()];
        super::Results {
            won,
            shared: self.battles - decided,
            lost: decided - won,
            sides: self.wins.len() as u32,
        }
    }
}

impl OrderCount {
    fn none(layout: &Layout) -> Self {
        Self {
            battles: Endings::none(layout.sides),
            first: Endings::none(layout.sides),
            metrics: vec![0; layout.metrics.len()],
            ..Self::default()
        }
    }

    /// Adds the counts of other battles.
    pub fn merge(&mut self, other: &Self) {
        self.times += other.times;
        self.times_squared += other.times_squared;
        self.times_by_all += other.times_by_all;
        self.battles.merge(&other.battles);
        self.first.merge(&other.first);
        add_all(&mut self.metrics, &other.metrics);
    }
}

/// Where an order was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Observation<'o> {
    /// Index into the layout's moments.
    pub moment: u16,
    /// Index into the layout's match-ups.
    pub matchup: u32,
    /// Index into the layout's conditions; none where the order is not drawn, and conditions are taken together.
    pub condition: Option<u16>,
    /// What the order was drawn among, as the game numbers that.
    pub among: u16,
    /// What happened, first to last, as indices into the layout's order items.
    pub items: &'o [u16],
}

/// How many numbers of a key come before the items.
pub(super) const BEFORE_ITEMS: usize = 5;

/// What stands for no condition.
const ANY_CONDITION: u16 = u16::MAX;

/// Counts by order. Orders are kept apart by match-up, and drawn ones by condition too, because only battles that are alike
/// but for the order can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// Keyed by moment, match-up (two numbers), condition, what it was drawn among, and items.
    counts: FxHashMap<Box<[u16]>, OrderCount>,
}

impl Orders {
    /// Adds the orders of one battle. Only an order that was never seen before allocates.
    pub fn add(&mut self, layout: &Layout, record: &Record) {
        let mut key = arrayvec::ArrayVec::<u16, 64>::new();
        for (at, order) in record.orders().enumerate() {
            let is_same = |other: &NotedOrder<'_>| *other == order;
            if record.orders().take(at).any(|earlier| earlier == order) {
                continue;
            }
            let moment = &layout.moments[usize::from(order.moment())];
            let is_alike = |other: &NotedOrder<'_>| {
                other.moment() == order.moment()
                    && other.among() == order.among()
                    && (!moment.compares_like_with_like
                        || have_the_same(other.items(), order.items()))
            };
            let times = record.orders().skip(at).filter(is_same).count() as u64;
            let all = record.orders().filter(is_alike).count() as u64;
            let is_first = !record.orders().take(at).any(|earlier| is_alike(&earlier));
            let condition = match moment.origin {
                Origin::Drawn => record.stratum.condition as u16,
                Origin::Observed | Origin::Ending => ANY_CONDITION,
            };
            let matchup = record.stratum.matchup;
            key.clear();
            let place = [(matchup >> 16) as u16, matchup as u16, condition];
            key.push(order.moment());
            key.extend(place);
            key.push(order.among());
            // A longer order than that would be none that anybody reads.
            key.extend(order.items().iter().copied().take(key.remaining_capacity()));
            if !self.counts.contains_key(&key[..]) {
                self.counts.insert(key[..].into(), OrderCount::none(layout));
            }
            let count = self.counts.get_mut(&key[..]).expect("the order was just put in");
            count.times += times;
            count.times_squared += times * times;
            count.times_by_all += times * all;
            count.battles.add(record.outcome);
            for (sum, &value) in count.metrics.iter_mut().zip(&record.metrics) {
                *sum += i128::from(value);
            }
            if is_first {
                count.first.add(record.outcome);
            }
        }
    }

    /// Adds the counts of another batch.
    pub fn merge(&mut self, other: &Self) {
        for (key, count) in &other.counts {
            if let Some(mine) = self.counts.get_mut(key) {
                mine.merge(count);
            } else {
                self.counts.insert(key.clone(), count.clone());
            }
        }
    }

    /// All counts with their keys, in the order of these.
    pub(super) fn form(&self) -> Vec<(Vec<u16>, OrderCount)> {
        let all = self.counts.iter().map(|(key, count)| (key.to_vec(), count.clone()));
        let mut all: Vec<_> = all.collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all
    }

    /// Puts a count in, as [`form`](Self::form) gives it.
    pub(super) fn put(&mut self, key: Vec<u16>, count: OrderCount) {
        self.counts.insert(key.into(), count);
    }

    /// All orders, by moment, match-up, condition and what they were drawn among, most frequent first.
    #[must_use]
    pub fn sorted(&self) -> Vec<(Observation<'_>, &OrderCount)> {
        let mut rows: Vec<(Observation<'_>, &OrderCount)> =
            self.counts.iter().map(|(key, count)| (observation(key), count)).collect();
        rows.sort_by(|(a, x), (b, y)| {
            (a.moment, a.matchup, a.condition, a.among, y.times, a.items).cmp(&(
                b.moment,
                b.matchup,
                b.condition,
                b.among,
                x.times,
                b.items,
            ))
        });
        rows
    }
}

fn observation(key: &[u16]) -> Observation<'_> {
    Observation {
        moment: key[0],
        matchup: u32::from(key[1]) << 16 | u32::from(key[2]),
        condition: (key[3] != ANY_CONDITION).then_some(key[3]),
        among: key[4],
        items: &key[BEFORE_ITEMS..],
    }
}

/// Whether two lists are the same but for their order.
fn have_the_same(one: &[u16], other: &[u16]) -> bool {
    let times = |list: &[u16], item: u16| list.iter().filter(|&&of| of == item).count();
    one.len() == other.len() && one.iter().all(|&item| times(one, item) == times(other, item))
}

/// Adds two lists of numbers, place by place.
pub(super) fn add_all<T: Copy + std::ops::AddAssign>(to: &mut [T], from: &[T]) {
    debug_assert_eq!(to.len(), from.len(), "tallies of different layouts");
    for (sum, &value) in to.iter_mut().zip(from) {
        *sum += value;
    }
}
