//! Sorting outside of play: one copy of the standard library's stable sort for all types.
//!
//! The standard library's sort is compiled once for every type and every comparison, each time more than most pages
//! that sort a dozen rows: over a hundred copies were a twentieth of all that is compiled here. Battles, tallies and
//! tables of many rows call it directly.

use std::cmp::Ordering;

/// Sorts lists, keeping equal items in the order in which they were.
pub(crate) trait Sorting<T> {
    /// As [`sort_by`](slice::sort_by).
    fn put_in_order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As [`sort_by_key`](slice::sort_by_key).
    fn put_in_order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> Sorting<T> for [T] {
    fn put_in_order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let list = &*self;
        let order = order(list.len(), &mut |one, other| compare(&list[one], &list[other]));
        bring(order, &mut |one, other| self.swap(one, other));
    }

    fn put_in_order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.put_in_order_by(|one, other| key(one).cmp(&key(other)));
    }
}

/// The indices of so many items in sorted order.
#[inline(never)]
fn order(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| compare(one, other));
    order
}

/// Moves items into the given order by swaps, along each cycle until it is back where it began.
#[inline(never)]
fn bring(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        while order[at] != start {
            let next = std::mem::replace(&mut order[at], at);
            swap(at, next);
            at = next;
        }
        order[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_come_in_the_order_of_the_standard_library(keys in prop::collection::vec(0..20_u8, 0..60)) {
            let list: Vec<(u8, usize)> = keys.into_iter().zip(0..).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            ours.put_in_order_by_key(|&(key, _)| key);
            theirs.sort_by_key(|&(key, _)| key);
            prop_assert_eq!(&ours, &theirs);
            ours.put_in_order_by(|(one, _), (other, _)| other.cmp(one));
            theirs.sort_by(|(one, _), (other, _)| other.cmp(one));
            prop_assert_eq!(&ours, &theirs);
        }
    }
}
