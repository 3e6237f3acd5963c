//! Counts of battles that are forfeited before they begin.

use serde::{Deserialize, Serialize};

use super::{Count, Sum};

/// How many battles of a set were forfeited before they began, because a team may not be brought, and by which sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeits {
    /// How many battles.
    pub battles: u64,
    /// How many of them any side forfeited.
    pub unfought: u64,
    /// By side: how many it forfeited, including those that other sides forfeited as well. Empty where that is not
    /// known.
    pub by_side: Vec<u64>,
}

impl Forfeits {
    /// No battles of so many sides yet.
    #[must_use]
    pub fn new(sides: usize) -> Self {
        Self { battles: 0, unfought: 0, by_side: vec![0; sides] }
    }

    /// The forfeits among counted battles.
    #[must_use]
    pub fn of<'c>(counts: impl IntoIterator<Item = &'c Count>) -> Self {
        let mut sum = Self::default();
        for count in counts {
            let Count { battles, unfought, forfeits, .. } = count;
            sum.by_side.resize(forfeits.len(), 0);
            sum.merge(&Self { battles: *battles, unfought: *unfought, by_side: forfeits.clone() });
        }
        sum
    }

    /// Whether there were battles, and each was forfeited.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.battles > 0 && self.unfought == self.battles
    }

    /// Adds a battle with the sides that forfeited it, as a record has them
    /// ([`Record::forfeits`](super::Record::forfeits)).
    #[inline]
    pub(crate) fn add(&mut self, forfeits: u8) {
        self.battles += 1;
        if forfeits != 0 {
            self.unfought += 1;
            for (side, count) in self.by_side.iter_mut().enumerate() {
                *count += u64::from(forfeits >> side & 1);
            }
        }
    }
}

impl Sum for Forfeits {
    fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        self.unfought += other.unfought;
        self.by_side.iter_mut().zip(&other.by_side).for_each(|(mine, theirs)| *mine += theirs);
    }
}
