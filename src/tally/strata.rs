//! Counts by stratum, stored so that strata without battles cost little: most may never be met.
//!
//! A round robin of 100 teams under any two rulesets has millions of strata. Each costs four bytes until a battle
//! belongs to it.

use std::ops::{Index, IndexMut, Range};

use super::Count;

/// Up to this many strata, all have their counts from the start, so that counting allocates nothing.
const DENSE: usize = 1 << 14;

/// Counts by stratum, as the layout indexes them.
#[derive(Clone, Debug)]
pub struct Strata {
    /// The place of each stratum's count, from 1; 0 for a stratum that has no count of its own yet.
    places: Vec<u32>,
    // Boxed, so that growing moves a pointer for each and not a count.
    #[allow(clippy::vec_box)]
    counts: Vec<Box<Count>>,
    /// The count of every stratum that has none of its own: no battles.
    none: Count,
}

impl Strata {
    pub(super) fn new(strata: usize, sides: usize) -> Self {
        let none = Count::of_sides(sides);
        if strata > DENSE {
            return Self { places: vec![0; strata], counts: Vec::new(), none };
        }
        let counts = (0..strata).map(|_| Box::new(none.clone())).collect();
        Self { places: (1..=strata as u32).collect(), counts, none }
    }

    /// How many strata there are, with battles or without.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// How many sides there are.
    pub(super) fn sides(&self) -> usize {
        self.none.wins.len()
    }

    /// Whether there are no strata.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The counts of all strata, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Count> + Clone {
        self.range(0..self.len())
    }

    /// The counts of some strata, in order.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = &Count> + Clone {
        range.map(|at| &self[at])
    }

    /// The strata with battles, and perhaps others, in order, with their counts.
    pub fn met(&self) -> impl Iterator<Item = (usize, &Count)> {
        let places = self.places.iter().enumerate().filter(|(_, place)| **place != 0);
        places.map(|(at, &place)| (at, &*self.counts[place as usize - 1]))
    }

    /// Changes the count of every stratum with battles, and perhaps of others, in order.
    pub fn change_met(&mut self, mut change: impl FnMut(&mut Count)) {
        for &place in self.places.iter().filter(|place| **place != 0) {
            change(&mut self.counts[place as usize - 1]);
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (at, count) in other.met() {
            self[at].merge(count);
        }
    }
}

impl Index<usize> for Strata {
    type Output = Count;

    fn index(&self, stratum: usize) -> &Count {
        match self.places[stratum] {
            0 => &self.none,
            place => &self.counts[place as usize - 1],
        }
    }
}

/// A stratum that is met for the first time gets a count of its own.
impl IndexMut<usize> for Strata {
    #[inline]
    fn index_mut(&mut self, stratum: usize) -> &mut Count {
        let place = &mut self.places[stratum];
        if *place == 0 {
            self.counts.push(Box::new(self.none.clone()));
            *place = self.counts.len() as u32;
        }
        &mut self.counts[*place as usize - 1]
    }
}

impl PartialEq for Strata {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Strata {}
