//! The numerators of a share, in numbers of one kind: single words, or as many words as it takes.

use crate::chance::{Whole, common_divisor};

/// A number that shares are made of.
pub(super) trait Number: Clone + Default {
    fn add(&mut self, other: &Self);
    fn add_product(&mut self, one: &Self, other: &Self);
    fn less(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn is_multiple_of(&self, other: &Self) -> bool;
    fn common_divisor(&self, other: &Self) -> Self;
    fn is_one(&self) -> bool;
}

/// Whoever calculates in single words has made sure that the results fit.
impl Number for u64 {
    #[inline]
    fn add(&mut self, other: &Self) {
        *self += other;
    }

    #[inline]
    fn add_product(&mut self, one: &Self, other: &Self) {
        *self += one * other;
    }

    #[inline]
    fn less(&self, other: &Self) -> Self {
        self - other
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        self * other
    }

    #[inline]
    fn is_multiple_of(&self, other: &Self) -> bool {
        Self::is_multiple_of(*self, *other)
    }

    #[inline]
    fn common_divisor(&self, other: &Self) -> Self {
        common_divisor((*self).into(), (*other).into()) as Self
    }

    #[inline]
    fn is_one(&self) -> bool {
        *self == 1
    }
}

impl Number for Whole {
    #[inline]
    fn add(&mut self, other: &Self) {
        self.add(other);
    }

    #[inline]
    fn add_product(&mut self, one: &Self, other: &Self) {
        self.add_product(one, other);
    }

    #[inline]
    fn less(&self, other: &Self) -> Self {
        self.less(other)
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        self.times(other)
    }

    #[inline]
    fn is_multiple_of(&self, other: &Self) -> bool {
        self.is_multiple_of(other)
    }

    #[inline]
    fn common_divisor(&self, other: &Self) -> Self {
        self.common_divisor(other)
    }

    #[inline]
    fn is_one(&self) -> bool {
        self.is_one()
    }
}

/// How often an order comes up, as numerators over the denominator of its share.
#[derive(Clone, Debug)]
pub(super) struct Noted<N> {
    /// Its number.
    pub(super) order: u32,
    /// How often it comes up on average.
    pub(super) times: N,
    /// The probability that it comes up at least once.
    pub(super) once: N,
}

/// A share in numbers of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts<N> {
    pub(super) all: N,
    /// By order number, ascending.
    pub(super) orders: Vec<Noted<N>>,
}

impl<N: Number> Parts<N> {
    /// Changes all numbers.
    pub(super) fn each(&mut self, change: impl Fn(&N) -> N) {
        self.all = change(&self.all);
        for Noted { times, once, .. } in &mut self.orders {
            (*times, *once) = (change(times), change(once));
        }
    }

    /// The same in another kind of numbers; none where one of them is not of this kind.
    pub(super) fn in_numbers<M>(&self, of: impl Fn(&N) -> Option<M>) -> Option<Parts<M>> {
        let noted = |noted: &Noted<N>| {
            let (times, once) = (of(&noted.times)?, of(&noted.once)?);
            Some(Noted { order: noted.order, times, once })
        };
        let all = of(&self.all)?;
        let orders = self.orders.iter().map(noted).collect::<Option<_>>()?;
        Some(Parts { all, orders })
    }

    /// Renumbers its orders, and sorts them by number.
    pub(super) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        self.orders.iter_mut().for_each(|noted| noted.order = number(noted.order));
        self.orders.sort_unstable_by_key(|noted| noted.order);
    }

    /// The largest number that `divisor` and all numbers here can be divided by.
    pub(super) fn common_divisor(&self, mut divisor: N) -> N {
        let orders = self.orders.iter().flat_map(|noted| [&noted.times, &noted.once]);
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

    /// Adds one way of a round with its orders.
    pub(super) fn add_way(&mut self, odds: &N, orders: &[u32]) {
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
    pub(super) fn add_step(&mut self, before: &Self, step: &Self, factor: &N) {
        let all = step.all.times(factor);
        let reached = before.all.times(factor);
        if self.orders.is_empty() {
            self.orders.reserve_exact(before.orders.len() + step.orders.len());
        }
        let mut at = 0;
        let mut on_step = step.orders.iter().peekable();
        for had in &before.orders {
            while let Some(new) = on_step.next_if(|new| new.order < had.order) {
                self.noted(&mut at, new.order).add_reached(new, &reached);
            }
            let noted = self.noted(&mut at, had.order);
            noted.times.add_product(&had.times, &all);
            // An order that comes up on the step is counted there, for everything that goes this way.
            match on_step.next_if(|new| new.order == had.order) {
                Some(has) => {
                    let others = step.all.less(&has.once).times(factor);
                    noted.once.add_product(&had.once, &others);
                    noted.add_reached(has, &reached);
                }
                None => noted.once.add_product(&had.once, &all),
            }
        }
        for new in on_step {
            self.noted(&mut at, new.order).add_reached(new, &reached);
        }
        self.all.add_product(&all, &before.all);
    }

    /// The entry of an order, which is searched from index `at` on; `at` becomes its index.
    #[inline]
    fn noted(&mut self, at: &mut usize, order: u32) -> &mut Noted<N> {
        while self.orders.get(*at).is_some_and(|noted| noted.order < order) {
            *at += 1;
        }
        if self.orders.get(*at).is_none_or(|noted| noted.order != order) {
            self.orders.insert(*at, Noted { order, times: N::default(), once: N::default() });
        }
        &mut self.orders[*at]
    }
}

impl<N: Number> Noted<N> {
    /// Adds what a step has of an order, for everything that reaches the step.
    #[inline]
    fn add_reached(&mut self, step: &Self, reached: &N) {
        self.times.add_product(&step.times, reached);
        self.once.add_product(&step.once, reached);
    }
}
