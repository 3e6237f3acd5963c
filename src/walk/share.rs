//! Probabilities in whole numbers: numerators over a denominator that is kept elsewhere.

use dashu_int::UBig;
use dashu_int::ops::Gcd;
use rustc_hash::FxHashMap;

use crate::tally::NotedOrder;

/// An order as a record writes it: moment, length, items.
pub(super) type Order = Box<[u16]>;

/// How often an order comes up.
#[derive(Clone, Debug, Default)]
pub(super) struct Noted {
    /// How often on average.
    pub(super) times: UBig,
    /// The probability that it comes up at least once.
    pub(super) once: UBig,
}

/// The probability of something, and of the orders that came with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    pub(super) all: UBig,
    pub(super) orders: FxHashMap<Order, Noted>,
}

impl Share {
    /// All there is, in a denominator of 1.
    pub(super) fn whole() -> Self {
        Self { all: UBig::ONE, orders: FxHashMap::default() }
    }

    /// The same in a denominator that is this many times as large.
    pub(super) fn scale(&mut self, factor: &UBig) {
        self.all *= factor;
        for noted in self.orders.values_mut() {
            noted.times *= factor;
            noted.once *= factor;
        }
    }

    /// The same in a denominator that is this many times as small.
    pub(super) fn reduce(&mut self, divisor: &UBig) {
        self.all /= divisor;
        for noted in self.orders.values_mut() {
            noted.times /= divisor;
            noted.once /= divisor;
        }
    }

    /// The largest number that `divisor` and all numbers of this share can be divided by.
    pub(super) fn common_divisor(&self, mut divisor: UBig) -> UBig {
        let orders = self.orders.values().flat_map(|noted| [&noted.times, &noted.once]);
        for number in std::iter::once(&self.all).chain(orders) {
            if divisor.is_one() {
                break;
            }
            divisor = common_divisor(&divisor, number);
        }
        divisor
    }

    /// Adds one way of a round with its orders.
    pub(super) fn add_way<'o>(
        &mut self,
        odds: &UBig,
        orders: impl Iterator<Item = NotedOrder<'o>>,
    ) {
        let mut seen: Vec<NotedOrder<'_>> = Vec::new();
        for order in orders {
            let key = order.at_its_moment();
            if !self.orders.contains_key(key) {
                self.orders.insert(key.into(), Noted::default());
            }
            let noted = self.orders.get_mut(key).expect("the order was just put in");
            noted.times += odds;
            if !seen.iter().any(|earlier| earlier.at_its_moment() == key) {
                seen.push(order);
                noted.once += odds;
            }
        }
        self.all += odds;
    }

    /// Adds what comes of going `step` from a place that has the share `before`. Orders of the step are new to those
    /// who have not had them before, which is all or none of them on any one way.
    pub(super) fn add_step(&mut self, before: &Self, step: &Self, factor: &UBig) {
        let all = &step.all * factor;
        for (order, had) in &before.orders {
            let noted = entry(&mut self.orders, order);
            noted.times += &had.times * &all;
            // Whoever has it on the step is counted there, with everybody who goes that way.
            match step.orders.get(order) {
                Some(has) => noted.once += &had.once * (&step.all - &has.once) * factor,
                None => noted.once += &had.once * &all,
            }
        }
        if !step.orders.is_empty() {
            let reached = &before.all * factor;
            for (order, has) in &step.orders {
                let noted = entry(&mut self.orders, order);
                noted.times += &has.times * &reached;
                noted.once += &has.once * &reached;
            }
        }
        self.all += all * &before.all;
    }
}

fn entry<'s>(orders: &'s mut FxHashMap<Order, Noted>, order: &Order) -> &'s mut Noted {
    if !orders.contains_key(order) {
        orders.insert(order.clone(), Noted::default());
    }
    orders.get_mut(order).expect("the order was just put in")
}

/// A denominator that has room for others.
#[derive(Clone, Debug)]
pub(super) struct Denominator(pub(super) UBig);

impl Denominator {
    pub(super) fn one() -> Self {
        Self(UBig::ONE)
    }

    /// Makes it a multiple of another one, and says how many times as large it has become, unless it was one already.
    pub(super) fn make_room(&mut self, other: &UBig) -> Option<UBig> {
        if (&self.0 % other).is_zero() {
            return None;
        }
        let factor = other / common_divisor(&self.0, other);
        self.0 *= &factor;
        Some(factor)
    }
}

/// The largest number that both can be divided by.
pub(super) fn common_divisor(one: &UBig, other: &UBig) -> UBig {
    match (one.is_zero(), other.is_zero()) {
        (true, _) => other.clone(),
        (_, true) => one.clone(),
        (false, false) => one.gcd(other),
    }
}
