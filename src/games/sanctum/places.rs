//! Where minions stand in a combat: sixteen places, the group with precedence first to last, then the other.
//!
//! Who is there is a bit mask, so "from first to last in this group" is the order of bits and burying needs no
//! moving.

/// Places in a group.
pub const GROUP: usize = 8;
/// Places on the field.
pub const FIELD: usize = 2 * GROUP;
/// Which of two groups goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precedence {
    /// The group with precedence over the other.
    High,
    /// The other group.
    Low,
}

impl Precedence {
    /// Both, in their order.
    pub const BOTH: [Precedence; 2] = [Precedence::High, Precedence::Low];

    /// The opposing group's.
    #[inline]
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Precedence::High => Precedence::Low,
            Precedence::Low => Precedence::High,
        }
    }

    /// As an index into per-group arrays.
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
    /// No place at all.
    pub const NONE: Place = Place(u8::MAX);

    /// The place of the minion that is `nth` in its group, counted from 0.
    #[inline]
    #[must_use]
    pub fn of(precedence: Precedence, nth: usize) -> Self {
        Self((GROUP * precedence.index() + nth) as u8)
    }

    /// Which group stands there.
    #[inline]
    #[must_use]
    pub fn precedence(self) -> Precedence {
        if usize::from(self.0) < GROUP { Precedence::High } else { Precedence::Low }
    }

    /// As an index into the field.
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

    /// Some places of a group, by bits.
    #[inline]
    #[must_use]
    pub fn in_group(precedence: Precedence, bits: u8) -> Self {
        Self(u16::from(bits) << (GROUP * precedence.index()))
    }

    /// Those of a group, by bits.
    #[inline]
    #[must_use]
    pub fn of_group(self, precedence: Precedence) -> u8 {
        (self.0 >> (GROUP * precedence.index())) as u8
    }

    /// Just one place.
    #[inline]
    #[must_use]
    pub fn only(place: Place) -> Self {
        Self(1 << place.index())
    }

    /// Whether the place is in the set; no place never is.
    #[inline]
    #[must_use]
    pub fn has(self, place: Place) -> bool {
        place != Place::NONE && self.0 >> place.index() & 1 == 1
    }

    /// Whether a place on the field is in the set; [`has`](Self::has) is for what may be no place, too.
    #[inline]
    #[must_use]
    pub fn contains(self, place: Place) -> bool {
        self.0 >> place.index() & 1 == 1
    }

    /// The one place in the set, if there is just one.
    #[inline]
    #[must_use]
    pub fn single(self) -> Option<Place> {
        let one = self.0 != 0 && self.0 & (self.0 - 1) == 0;
        one.then(|| Place(self.0.trailing_zeros() as u8))
    }

    /// Puts a place in.
    #[inline]
    pub fn insert(&mut self, place: Place) {
        self.0 |= 1 << place.index();
    }

    /// Takes a place out.
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

    /// The places that are in any of the two.
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

    /// This set, or the other where there is none in this.
    #[inline]
    #[must_use]
    pub fn or_if_none(self, other: Self) -> Self {
        if self.0 == 0 { other } else { self }
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The `nth` place, counted from 0; there must be more than that.
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
