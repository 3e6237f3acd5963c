//! How often things happened in which order, and who won then.

use rustc_hash::FxHashMap;

use super::Record;
use crate::game::Outcome;

/// How one order at one moment turned out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderCount {
    /// How often it came up.
    pub times: u64,
    /// In how many battles it came up at least once.
    pub battles: u64,
    /// Of those battles, how many each side won.
    pub wins: Vec<u64>,
    /// Of those battles, the sum of each metric.
    pub metrics: Vec<i128>,
}

impl OrderCount {
    fn merge(&mut self, other: &Self) {
        self.times += other.times;
        self.battles += other.battles;
        add_all(&mut self.wins, &other.wins);
        add_all(&mut self.metrics, &other.metrics);
    }
}

/// Counts by order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// Keyed as [`Record::orders`] writes an order.
    counts: FxHashMap<Box<[u16]>, OrderCount>,
}

impl Orders {
    /// Adds the orders of one battle. Only an order that was never seen before allocates.
    pub fn add(&mut self, record: &Record, sides: usize) {
        for (at, key) in record.orders().enumerate() {
            let first_in_battle = record.orders().take(at).all(|earlier| earlier != key);
            if !self.counts.contains_key(key) {
                let empty = OrderCount {
                    wins: vec![0; sides],
                    metrics: vec![0; record.metrics.len()],
                    ..OrderCount::default()
                };
                self.counts.insert(key.into(), empty);
            }
            let count = self.counts.get_mut(key).expect("the order was just put in");
            count.times += 1;
            if first_in_battle {
                count.battles += 1;
                if let Outcome::Win(side) = record.outcome {
                    count.wins[side.index()] += 1;
                }
                for (sum, &value) in count.metrics.iter_mut().zip(&record.metrics) {
                    *sum += i128::from(value);
                }
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

    /// All orders as (moment, items, count), by moment, most frequent first.
    #[must_use]
    pub fn sorted(&self) -> Vec<(u16, &[u16], &OrderCount)> {
        let mut rows: Vec<_> =
            self.counts.iter().map(|(key, count)| (key[0], &key[2..], count)).collect();
        rows.sort_by(|a, b| (a.0, b.2.times, a.1).cmp(&(b.0, a.2.times, b.1)));
        rows
    }
}

/// Adds two lists of numbers, place by place.
pub(super) fn add_all<T: Copy + std::ops::AddAssign>(to: &mut [T], from: &[T]) {
    debug_assert_eq!(to.len(), from.len(), "tallies of different layouts");
    for (sum, &value) in to.iter_mut().zip(from) {
        *sum += value;
    }
}
