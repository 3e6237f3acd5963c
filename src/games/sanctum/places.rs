//! The places of minions in a combat: sixteen, those of the group with precedence first to last, then the other's.
//!
//! The minions that are present are a bit mask, so "from first to last in this group" is the order of bits, and a
//! burial moves nobody.

/// The number of places in a group.
pub const GROUP: usize = 8;
/// The number of places on the field.
pub const FIELD: usize = 2 * GROUP;
/// One of the two groups that fight, by which goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precedence {
    /// The group with precedence over the other.
    High,
    /// The other group.
    Low,
}

impl Precedence {
    /// Both groups, the one with precedence first.
    pub const BOTH: [Precedence; 2] = [Precedence::High, Precedence::Low];

    /// The opposing group.
    #[inline]
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Precedence::High => Precedence::Low,
            Precedence::Low => Precedence::High,
        }
    }

    /// The group as an index into per-group arrays.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A place on the field, 0 to 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(pub u8);

impl Place {
    /// The value for "no place".
    pub const NONE: Place = Place(u8::MAX);

    /// The place of the minion that is `nth` in its group, counted from 0.
    #[inline]
    #[must_use]
    pub fn of(precedence: Precedence, nth: usize) -> Self {
        Self((GROUP * precedence.index() + nth) as u8)
    }

    /// The group that this place belongs to.
    #[inline]
    #[must_use]
    pub fn precedence(self) -> Precedence {
        if usize::from(self.0) < GROUP { Precedence::High } else { Precedence::Low }
    }

    /// The place as an index into the field.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0) % FIELD
    }

    /// Its place in its own group, counted from 0.
    #[inline]
    #[must_use]
    pub fn nth(self) -> usize {
        usize::from(self.0) % GROUP
    }
}

/// A set of places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Places(pub u16);

impl Places {
    /// All places of a group.
    #[inline]
    #[must_use]
    pub fn of(precedence: Precedence) -> Self {
        Self(0xFF << (GROUP * precedence.index()))
    }

    /// The places of a group that these bits stand for.
    #[inline]
    #[must_use]
    pub fn in_group(precedence: Precedence, bits: u8) -> Self {
        Self(u16::from(bits) << (GROUP * precedence.index()))
    }

    /// The places of this set in a group, as bits.
    #[inline]
    #[must_use]
    pub fn of_group(self, precedence: Precedence) -> u8 {
        (self.0 >> (GROUP * precedence.index())) as u8
    }

    /// The set of one place.
    #[inline]
    #[must_use]
    pub fn only(place: Place) -> Self {
        Self(1 << place.index())
    }

    /// Whether the place is in the set; `Place::NONE` never is.
    #[inline]
    #[must_use]
    pub fn has(self, place: Place) -> bool {
        place != Place::NONE && self.0 >> place.index() & 1 == 1
    }

    /// Whether a place on the field is in the set; [`has`](Self::has) also takes `Place::NONE`.
    #[inline]
    #[must_use]
    pub fn contains(self, place: Place) -> bool {
        self.0 >> place.index() & 1 == 1
    }

    /// The place in the set if there is exactly one.
    #[inline]
    #[must_use]
    pub fn single(self) -> Option<Place> {
        let one = self.0 != 0 && self.0 & (self.0 - 1) == 0;
        one.then(|| Place(self.0.trailing_zeros() as u8))
    }

    /// Adds a place.
    #[inline]
    pub fn insert(&mut self, place: Place) {
        self.0 |= 1 << place.index();
    }

    /// Removes a place.
    #[inline]
    pub fn remove(&mut self, place: Place) {
        self.0 &= !(1 << place.index());
    }

    /// The places that are in both sets.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The places that are in either set.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The places of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// This set, or the other if this one is empty.
    #[inline]
    #[must_use]
    pub fn or_if_none(self, other: Self) -> Self {
        if self.0 == 0 { other } else { self }
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of places in the set.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The `nth` place of the set, counted from 0; the set must have more than `nth` places.
    #[inline]
    #[must_use]
    pub fn nth(self, nth: usize) -> Place {
        let mut left = self.0;
        for _ in 0..nth {
            left &= left.wrapping_sub(1);
        }
        Place(left.trailing_zeros() as u8)
    }
}

impl Iterator for Places {
    type Item = Place;

    #[inline(always)]
    fn next(&mut self) -> Option<Place> {
        if self.0 == 0 {
            return None;
        }
        let first = Place(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(first)
    }
}
