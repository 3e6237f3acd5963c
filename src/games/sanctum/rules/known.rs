//! What has been worked out of minions in this round. It holds until something changes their numbers, which then says so.
//!
//! Nothing here is a rule, and nothing of it is part of the state: a round begins without any.

use super::choose_victims_wisely::Prospect;
use crate::games::sanctum::effect::Weapon;
use crate::games::sanctum::state::{FIELD, Place, Places};

/// What is known of each minion in the field.
pub(super) struct Known {
    /// Whose strength is known.
    strong: Places,
    /// What each deals to anybody, and with what.
    strengths: [(i16, Weapon); FIELD],
    /// Who is known as those see it that choose a victim.
    seen: Places,
    /// How they see it.
    prospects: [Prospect; FIELD],
}

impl Known {
    /// Nothing yet.
    #[inline]
    pub fn new() -> Self {
        Self {
            strong: Places::default(),
            strengths: [(0, Weapon::Hand); FIELD],
            seen: Places::default(),
            prospects: [Prospect::default(); FIELD],
        }
    }

    /// Whether it is known what a minion deals.
    #[inline]
    pub fn has_strength(&self, of: Place) -> bool {
        self.strong.contains(of)
    }

    /// What a minion deals to anybody, and with what, where that is known.
    #[inline]
    pub fn strength(&self, of: Place) -> (i16, Weapon) {
        self.strengths[of.index()]
    }

    /// Notes what a minion deals, and with what.
    #[inline]
    pub fn note_strength(&mut self, of: Place, strength: i16, weapon: Weapon) {
        self.strong.insert(of);
        self.strengths[of.index()] = (strength, weapon);
    }

    /// Those of some minions of whom it is not known how they are seen.
    #[inline]
    pub fn unseen(&self, among: Places) -> Places {
        among.without(self.seen)
    }

    /// How a minion is seen.
    #[inline]
    pub fn prospect(&self, of: Place) -> Prospect {
        self.prospects[of.index()]
    }

    /// Notes how a minion is seen.
    #[inline]
    pub fn note_prospect(&mut self, of: Place, prospect: Prospect) {
        self.seen.insert(of);
        self.prospects[of.index()] = prospect;
    }

    /// A minion's hit points or armor have changed.
    #[inline]
    pub fn forget_prospect(&mut self, of: Place) {
        self.seen.remove(of);
    }

    /// Any numbers of a minion have changed.
    #[inline]
    pub fn forget(&mut self, of: Place) {
        self.strong.remove(of);
        self.seen.remove(of);
    }
}
