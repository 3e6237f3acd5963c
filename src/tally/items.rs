//! Lists of order items. Nearly all are short, and a short one is packed into one number: it is built, compared and
//! looked up without looking at its items.

use arrayvec::ArrayVec;

/// A list of a few items packed into one number. Lists are equal just where their numbers are.
///
/// Up to seven items below 256 take eight bits each. Up to three items, one of which is larger, take sixteen bits each,
/// which the highest bit tells. The last item is lowest, and a one precedes the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Short(u64);

const WIDE: u64 = 1 << 63;
/// The most items of eight bits that fit, and of sixteen.
const MOST_NARROW: usize = 7;
const MOST_WIDE: usize = 3;
/// Lists of items of eight bits that are below this number have room for one more.
const ROOM: u64 = 1 << (8 * MOST_NARROW);

impl Short {
    /// No items.
    pub const EMPTY: Self = Self(1);
    /// Stands for a list that is too long, or has items that are too large, for one number.
    pub const LONG: Self = Self(0);

    /// A value that no list has.
    pub const NO_LIST: Self = Self(2);

    /// The list with one more item; [`LONG`](Self::LONG) where it has no room for that.
    #[inline(always)]
    pub fn with(self, item: u16) -> Self {
        // `LONG` is 0, which the subtraction makes the largest number there is.
        if item < 1 << 8 && self.0.wrapping_sub(1) < ROOM - 1 {
            Self(self.0 << 8 | u64::from(item))
        } else {
            self.widened(item)
        }
    }

    #[cold]
    #[inline(never)]
    fn widened(self, item: u16) -> Self {
        if self == Self::LONG || self.len() >= MOST_WIDE {
            return Self::LONG;
        }
        let items = self.items().into_iter().chain([item]);
        Self(WIDE | items.fold(1, |number, item| number << 16 | u64::from(item)))
    }

    /// How many bits each item has, and the packed items with the one before them.
    #[inline]
    fn split(self) -> (u32, u64) {
        if self.0 & WIDE == 0 { (8, self.0) } else { (16, self.0 & !WIDE) }
    }

    /// How many items there are.
    #[inline]
    pub fn len(self) -> usize {
        let (bits, items) = self.split();
        (items.ilog2() / bits) as usize
    }

    /// The last item.
    #[inline]
    pub fn last(self) -> Option<u16> {
        let (bits, items) = self.split();
        (self != Self::EMPTY).then_some(items as u16 & (u16::MAX >> (16 - bits)))
    }

    /// Whether this is the last item.
    #[inline(always)]
    pub fn ends_with(self, item: u16) -> bool {
        if item < 1 << 8 && self.0 < WIDE {
            self.0 & 0xFF == u64::from(item) && self.0 > 0xFF
        } else {
            self.last() == Some(item)
        }
    }

    /// The items, first to last.
    pub fn items(self) -> ArrayVec<u16, MOST_NARROW> {
        let (bits, items) = self.split();
        let mask = u16::MAX >> (16 - bits);
        (0..self.len() as u32).rev().map(|at| (items >> (at * bits)) as u16 & mask).collect()
    }

    /// The two items, if there are exactly two.
    #[inline]
    pub fn two(self) -> Option<[u16; 2]> {
        let (bits, items) = self.split();
        let mask = u64::from(u16::MAX >> (16 - bits));
        (items >> (2 * bits) == 1)
            .then_some([items >> bits & mask, items & mask].map(|of| of as u16))
    }

    /// The packed number, which is not 0.
    #[inline]
    pub fn number(self) -> u64 {
        self.0
    }
}

/// A list of order items that is still being collected.
#[derive(Clone, Debug)]
pub struct Sequence {
    short: Short,
    /// All of them, where they are too long for one number; without meaning otherwise.
    long: Vec<u16>,
}

impl Default for Sequence {
    fn default() -> Self {
        Self { short: Short::EMPTY, long: Vec::new() }
    }
}

impl Sequence {
    /// Appends an item.
    #[inline(always)]
    pub fn push(&mut self, item: u16) {
        let short = self.short.with(item);
        if short == Short::LONG {
            self.push_long(item);
        }
        self.short = short;
    }

    /// Appends an item unless it is the last one already. Whether it is is as good as random, so nothing branches on it
    /// while the list is one number.
    #[inline(always)]
    pub fn push_new(&mut self, item: u16) {
        let Short(number) = self.short;
        if item < 1 << 8 && number.wrapping_sub(1) < ROOM - 1 {
            let is_last = (number as u8 == item as u8) & (number > 0xFF);
            self.short = Short(if is_last { number } else { number << 8 | u64::from(item) });
        } else if !self.ends_with(item) {
            self.push(item);
        }
    }

    #[cold]
    #[inline(never)]
    fn push_long(&mut self, item: u16) {
        if self.short != Short::LONG {
            self.long.clear();
            self.long.extend(self.short.items());
        }
        self.long.push(item);
    }

    /// Whether this is the last item.
    #[inline(always)]
    #[must_use]
    pub fn ends_with(&self, item: u16) -> bool {
        if self.short == Short::LONG {
            self.long.last() == Some(&item)
        } else {
            self.short.ends_with(item)
        }
    }

    /// How many items there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        if self.short == Short::LONG { self.long.len() } else { self.short.len() }
    }

    /// Whether there is no item.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.short == Short::EMPTY
    }

    /// Removes all items.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.short = Short::EMPTY;
    }

    /// The two items, if there are exactly two.
    #[must_use]
    pub fn two(&self) -> Option<[u16; 2]> {
        self.short.two()
    }

    /// The items packed into one number, unless they are too long for that.
    #[inline(always)]
    pub(super) fn short(&self) -> Short {
        self.short
    }

    /// The items, where they are too long for one number.
    pub(super) fn long(&self) -> &[u16] {
        &self.long
    }

    /// All items, first to last.
    pub(super) fn items(&self) -> Box<[u16]> {
        if self.short == Short::EMPTY {
            Box::default()
        } else if self.short == Short::LONG {
            self.long.as_slice().into()
        } else {
            self.short.items().as_slice().into()
        }
    }
}

impl Extend<u16> for Sequence {
    #[inline]
    fn extend<I: IntoIterator<Item = u16>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lists() -> impl Strategy<Value = Vec<u16>> {
        let item = prop_oneof![8 => 0u16..4, 2 => 250u16..260, 1 => any::<u16>()];
        prop::collection::vec(item, 0..12)
    }

    fn short_of(items: &[u16]) -> Short {
        items.iter().fold(Short::EMPTY, |short, &item| short.with(item))
    }

    proptest! {
        #[test]
        fn a_sequence_is_a_list(items in lists(), again in lists()) {
            let mut sequence = Sequence::default();
            for items in [&items, &again] {
                for (at, &item) in items.iter().enumerate() {
                    prop_assert_eq!(sequence.len(), at);
                    prop_assert_eq!(sequence.is_empty(), at == 0);
                    for of in [item, 0, 255, 256] {
                        let is_last = at > 0 && items[at - 1] == of;
                        prop_assert_eq!(sequence.ends_with(of), is_last);
                    }
                    sequence.push(item);
                }
                prop_assert_eq!(&sequence.items()[..], &items[..]);
                prop_assert_eq!(sequence.two(), <[u16; 2]>::try_from(&items[..]).ok());
                prop_assert_eq!(sequence.short(), short_of(items));
                if sequence.short() == Short::LONG {
                    prop_assert_eq!(sequence.long(), &items[..]);
                }
                sequence.clear();
            }
        }

        #[test]
        fn an_item_is_new_if_it_is_not_the_last(items in lists()) {
            let (mut sequence, mut list) = (Sequence::default(), Vec::new());
            for item in items {
                sequence.push_new(item);
                if list.last() != Some(&item) {
                    list.push(item);
                }
                prop_assert_eq!(&sequence.items()[..], &list[..]);
            }
        }

        #[test]
        fn a_short_list_is_its_number(one in lists(), other in lists()) {
            let [a, b] = [&one, &other].map(|items| short_of(items));
            let is_narrow = one.iter().all(|&item| item < 256);
            let most = if is_narrow { MOST_NARROW } else { MOST_WIDE };
            prop_assert_eq!(a == Short::LONG, one.len() > most);
            if a != Short::LONG {
                prop_assert_eq!(&a.items()[..], &one[..]);
                prop_assert_eq!(a == b, one == other);
            }
        }
    }
}
