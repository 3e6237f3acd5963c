//! Probabilities as whole numbers: numerators over a denominator that is kept elsewhere.

use rustc_hash::FxHashMap;

use crate::chance::Whole;
use crate::tally::OrderKey;

/// An order as numbers: its moment, then its items.
pub(super) type Order = Box<[u16]>;

/// Numbers orders as they are first met. Places carry the numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    numbers: FxHashMap<OrderKey, u32>,
    orders: Vec<OrderKey>,
}

impl Names {
    /// How many orders there are, which is the number of the next one.
    pub(super) fn len(&self) -> u32 {
        self.orders.len() as u32
    }

    /// The number of an order that was met before.
    pub(super) fn known(&self, order: &OrderKey) -> Option<u32> {
        self.numbers.get(order).copied()
    }

    /// The number of an order, whether or not it was met before.
    pub(super) fn number(&mut self, order: &OrderKey) -> u32 {
        self.known(order).unwrap_or_else(|| {
            let next = self.len();
            self.numbers.insert(order.clone(), next);
            self.orders.push(order.clone());
            next
        })
    }

    /// The order with this number.
    pub(super) fn order(&self, number: u32) -> Order {
        self.orders[number as usize].numbers()
    }

    /// All orders, by number.
    pub(super) fn into_orders(self) -> Vec<OrderKey> {
        self.orders
    }
}

/// How often an order comes up, as numerators over the denominator of its share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Noted {
    /// How often on average.
    pub(super) times: Whole,
    /// The probability that it comes up at least once.
    pub(super) once: Whole,
}

/// The probability of a place or an ending, and of the orders on the way to it, as numerators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) all: Whole,
    /// By order number, ascending.
    pub(super) orders: Vec<(u32, Noted)>,
}

impl Share {
    /// The certain event, over a denominator of 1.
    pub(super) fn whole() -> Self {
        Self { all: Whole::ONE, orders: Vec::new() }
    }

    /// Converts this share to a denominator that is this many times as large: the numbers are multiplied by it.
    pub(super) fn scale(&mut self, factor: &Whole) {
        self.all = self.all.times(factor);
        for (_, noted) in &mut self.orders {
            noted.times = noted.times.times(factor);
            noted.once = noted.once.times(factor);
        }
    }

    /// Converts this share to a denominator that is this many times as small: the numbers are divided by it.
    pub(super) fn reduce(&mut self, divisor: &Whole) {
        self.all = self.all.over(divisor);
        for (_, noted) in &mut self.orders {
            noted.times = noted.times.over(divisor);
            noted.once = noted.once.over(divisor);
        }
    }

    /// The largest number that `divisor` and all numbers of this share can be divided by.
    pub(super) fn common_divisor(&self, mut divisor: Whole) -> Whole {
        let orders = self.orders.iter().flat_map(|(_, noted)| [&noted.times, &noted.once]);
        for number in std::iter::once(&self.all).chain(orders) {
            if divisor.is_one() {
                break;
            }
            // Soon the divisor divides all numbers.
            if !number.is_multiple_of(&divisor) {
                divisor = divisor.common_divisor(number);
            }
        }
        divisor
    }

    /// Renumbers its orders, and sorts them by number.
    pub(super) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        self.orders.iter_mut().for_each(|(order, _)| *order = number(*order));
        self.orders.sort_unstable_by_key(|&(order, _)| order);
    }

    /// Adds one way of a round with its orders.
    pub(super) fn add_way(&mut self, odds: &Whole, orders: &[u32]) {
        for (nth, &order) in orders.iter().enumerate() {
            let noted = self.noted(&mut 0, order);
            noted.times.add(odds);
            if !orders[..nth].contains(&order) {
                noted.once.add(odds);
            }
        }
        self.all.add(odds);
    }

    /// Adds the share of going `step` from a place that has the share `before`. An order of the step comes up for the
    /// first time where the way to the place did not have it.
    pub(super) fn add_step(&mut self, before: &Self, step: &Self, factor: &Whole) {
        let all = step.all.times(factor);
        let reached = before.all.times(factor);
        if self.orders.is_empty() {
            self.orders.reserve_exact(before.orders.len() + step.orders.len());
        }
        let mut at = 0;
        let mut on_step = step.orders.iter().peekable();
        for (order, had) in &before.orders {
            while let Some((new, has)) = on_step.next_if(|(new, _)| new < order) {
                self.noted(&mut at, *new).add_reached(has, &reached);
            }
            let noted = self.noted(&mut at, *order);
            noted.times.add_product(&had.times, &all);
            // An order that comes up on the step is counted there, for everything that goes this way.
            match on_step.next_if(|(of, _)| of == order) {
                Some((_, has)) => {
                    let others = step.all.less(&has.once).times(factor);
                    noted.once.add_product(&had.once, &others);
                    noted.add_reached(has, &reached);
                }
                None => noted.once.add_product(&had.once, &all),
            }
        }
        for (new, has) in on_step {
            self.noted(&mut at, *new).add_reached(has, &reached);
        }
        self.all.add_product(&all, &before.all);
    }

    /// The entry of an order, which is searched from index `at` on; `at` becomes its index.
    #[inline]
    fn noted(&mut self, at: &mut usize, order: u32) -> &mut Noted {
        while self.orders.get(*at).is_some_and(|&(of, _)| of < order) {
            *at += 1;
        }
        if self.orders.get(*at).is_none_or(|&(of, _)| of != order) {
            self.orders.insert(*at, (order, Noted::default()));
        }
        &mut self.orders[*at].1
    }
}

impl Noted {
    /// Adds what a step has of an order, for everything that reaches the step.
    #[inline]
    fn add_reached(&mut self, step: &Self, reached: &Whole) {
        self.times.add_product(&step.times, reached);
        self.once.add_product(&step.once, reached);
    }
}

/// A denominator that can be made a multiple of others.
#[derive(Clone, Debug)]
pub(super) struct Denominator(pub(super) Whole);

impl Denominator {
    pub(super) fn one() -> Self {
        Self(Whole::ONE)
    }

    /// Makes it a multiple of another one. Returns the factor by which it grew; none where it was a multiple already.
    pub(super) fn make_room(&mut self, other: &Whole) -> Option<Whole> {
        if self.0.is_multiple_of(other) {
            return None;
        }
        let factor = other.over(&self.0.common_divisor(other));
        self.0 = self.0.times(&factor);
        Some(factor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// A share in the plainest form: lists of orders that came up one after the other, each with how many had it.
    type Crowd = Vec<(Vec<u32>, u128)>;

    fn plainly(crowd: &Crowd) -> (u128, BTreeMap<u32, (u128, u128)>) {
        let mut orders: BTreeMap<u32, (u128, u128)> = BTreeMap::new();
        for (had, many) in crowd {
            for (nth, &order) in had.iter().enumerate() {
                let noted = orders.entry(order).or_default();
                noted.0 += many;
                if !had[..nth].contains(&order) {
                    noted.1 += many;
                }
            }
        }
        (crowd.iter().map(|(_, many)| many).sum(), orders)
    }

    fn share_of(crowd: &Crowd) -> Share {
        let mut share = Share::default();
        for (had, many) in crowd {
            share.add_way(&Whole::from(*many), had);
        }
        share
    }

    fn told(share: &Share) -> (String, Vec<(u32, [String; 2])>) {
        let text = |of: &Whole| of.to_integer().to_string();
        let orders =
            share.orders.iter().map(|(order, of)| (*order, [&of.times, &of.once].map(text)));
        (text(&share.all), orders.collect())
    }

    fn expected(crowd: &Crowd) -> (String, Vec<(u32, [String; 2])>) {
        let (all, orders) = plainly(crowd);
        let text = |(order, (times, once)): (u32, (u128, u128))| {
            (order, [times.to_string(), once.to_string()])
        };
        (all.to_string(), orders.into_iter().map(text).collect())
    }

    fn crowd() -> impl Strategy<Value = Crowd> {
        prop::collection::vec((prop::collection::vec(0u32..6, 0..4), 1u128..1 << 20), 1..5)
    }

    proptest! {
        /// A step from a place equals everybody there going every way of the step, one after the other.
        #[test]
        fn steps_are_all_who_go_them(
            steps in prop::collection::vec((crowd(), crowd()), 1..4),
            factor in 1u128..1 << 10,
        ) {
            let (mut share, mut all) = (Share::default(), Crowd::new());
            for (before, step) in &steps {
                share.add_step(&share_of(before), &share_of(step), &Whole::from(factor));
                for (had, many) in before {
                    for (has, ways) in step {
                        all.push(([had.clone(), has.clone()].concat(), many * ways * factor));
                    }
                }
            }
            prop_assert_eq!(told(&share), expected(&all));
            let mut scaled = share.clone();
            scaled.scale(&Whole::from(factor));
            prop_assert!(scaled.common_divisor(Whole::from(factor)) == Whole::from(factor));
            scaled.reduce(&Whole::from(factor));
            prop_assert_eq!(scaled, share);
        }
    }
}
