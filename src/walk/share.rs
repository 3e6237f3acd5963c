//! Probabilities as whole numbers: numerators over a denominator that is kept elsewhere.

use std::borrow::Cow;
use std::mem;

use rustc_hash::FxHashMap;

use super::parts::{Noted, Parts};
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

/// The probability of a place or an ending, and of the orders on the way to it, as numerators.
#[derive(Clone, Debug)]
pub(super) struct Share(Form);

/// Numerators, in single words as long as these certainly suffice.
#[derive(Clone, Debug)]
enum Form {
    /// No order comes up more often, on average, than `most`, as a numerator.
    Short {
        parts: Parts<u64>,
        most: u64,
    },
    Long(Parts<Whole>),
}

impl Default for Share {
    fn default() -> Self {
        Self(Form::Short { parts: Parts::default(), most: 0 })
    }
}

impl Share {
    /// The certain event, over a denominator of 1.
    pub(super) fn whole() -> Self {
        Self(Form::Short { parts: Parts { all: 1, orders: Vec::new() }, most: 0 })
    }

    /// The numerator of the probability.
    pub(super) fn all(&self) -> Whole {
        match &self.0 {
            Form::Short { parts, .. } => Whole::from(u128::from(parts.all)),
            Form::Long(parts) => parts.all.clone(),
        }
    }

    /// How often orders come up, by order number, ascending.
    pub(super) fn into_orders(self) -> Vec<Noted<Whole>> {
        match self.0 {
            Form::Short { parts, .. } => long(&parts).orders,
            Form::Long(parts) => parts.orders,
        }
    }

    /// Changes its numbers in as many words as it takes.
    fn change_long(&mut self, change: impl FnOnce(&mut Parts<Whole>)) {
        let mut parts = match mem::take(self).0 {
            Form::Short { parts, .. } => long(&parts),
            Form::Long(parts) => parts,
        };
        change(&mut parts);
        self.0 = Form::Long(parts);
    }

    /// Its numbers in as many words as it takes, if need be as a copy.
    fn as_long(&self) -> Cow<'_, Parts<Whole>> {
        match &self.0 {
            Form::Short { parts, .. } => Cow::Owned(long(parts)),
            Form::Long(parts) => Cow::Borrowed(parts),
        }
    }

    /// Converts this share to a denominator that is this many times as large: the numbers are multiplied by it.
    pub(super) fn scale(&mut self, factor: &Whole) {
        if let (Form::Short { parts, most }, Some(factor)) = (&mut self.0, factor.word())
            && let Some(more) = most.checked_mul(factor)
            && parts.all.checked_mul(factor).is_some()
        {
            *most = more;
            return parts.each(|number| number * factor);
        }
        self.change_long(|parts| parts.each(|number| number.times(factor)));
    }

    /// Converts this share to a denominator that is this many times as small: the numbers are divided by it.
    pub(super) fn reduce(&mut self, divisor: &Whole) {
        let words = match &mut self.0 {
            Form::Short { parts, .. } => match divisor.word() {
                Some(divisor) => {
                    parts.each(|number| number / divisor);
                    Some(mem::take(parts))
                }
                // All of its numbers are 0, or it would not divide them.
                None => None,
            },
            Form::Long(parts) => {
                parts.each(|number| number.over(divisor));
                short(parts)
            }
        };
        if let Some(parts) = words {
            let most = parts.orders.iter().map(|noted| noted.times).max().unwrap_or(0);
            self.0 = Form::Short { parts, most };
        }
    }

    /// The largest number that `divisor` and all numbers of this share can be divided by.
    pub(super) fn common_divisor(&self, divisor: Whole) -> Whole {
        match &self.0 {
            Form::Short { parts, .. } => match divisor.word() {
                Some(divisor) => Whole::from(u128::from(parts.common_divisor(divisor))),
                None => long(parts).common_divisor(divisor),
            },
            Form::Long(parts) => parts.common_divisor(divisor),
        }
    }

    /// Renumbers its orders, and sorts them by number.
    pub(super) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        match &mut self.0 {
            Form::Short { parts, .. } => parts.renumber(number),
            Form::Long(parts) => parts.renumber(number),
        }
    }

    /// Adds one way of a round with its orders.
    pub(super) fn add_way(&mut self, odds: &Whole, orders: &[u32]) {
        if let (Form::Short { parts, most }, Some(odds)) = (&mut self.0, odds.word())
            && let Some(more) = odds.checked_mul(orders.len() as u64)
            && let Some(more) = most.checked_add(more)
            && parts.all.checked_add(odds).is_some()
        {
            *most = more;
            return parts.add_way(&odds, orders);
        }
        self.change_long(|parts| parts.add_way(odds, orders));
    }

    /// Adds the share of going `step` from a place that has the share `before`. An order of the step comes up for the
    /// first time where the way to the place did not have it.
    pub(super) fn add_step(&mut self, before: &Self, step: &Self, factor: &Whole) {
        if let Form::Short { parts, most } = &mut self.0
            && let Form::Short { parts: before, most: had } = &before.0
            && let Form::Short { parts: step, most: has } = &step.0
            && let Some(factor) = factor.word()
            && let Some(more) = most_after((&*parts, *most), (before, *had), (step, *has), factor)
        {
            *most = more;
            return parts.add_step(before, step, &factor);
        }
        let (before, step) = (before.as_long(), step.as_long());
        self.change_long(|parts| parts.add_step(&before, &step, factor));
    }
}

fn long(parts: &Parts<u64>) -> Parts<Whole> {
    parts.in_numbers(|&number| Some(Whole::from(u128::from(number)))).expect("any word")
}

/// The same in single words; none where these do not suffice.
fn short(parts: &Parts<Whole>) -> Option<Parts<u64>> {
    parts.in_numbers(Whole::word)
}

/// What bounds how often orders come up after a step is added; none where single words may not suffice for all of it. What
/// comes up at least once is never more than all.
fn most_after(
    (to, most): (&Parts<u64>, u64),
    (before, had): (&Parts<u64>, u64),
    (step, has): (&Parts<u64>, u64),
    factor: u64,
) -> Option<u64> {
    let all = step.all.checked_mul(factor)?;
    let reached = before.all.checked_mul(factor)?;
    to.all.checked_add(all.checked_mul(before.all)?)?;
    most.checked_add(had.checked_mul(all)?)?.checked_add(has.checked_mul(reached)?)
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
        let orders = share.clone().into_orders().into_iter();
        let orders = orders.map(|noted| (noted.order, [&noted.times, &noted.once].map(text)));
        (text(&share.all()), orders.collect())
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
            prop_assert_eq!(told(&scaled), told(&share));
        }
    }
}
