//! What has been worked out of minions in this round. It holds until something changes their numbers, which then says so.
//!
//! Nothing here is a rule, and nothing of it is part of the state: a round begins without any.

use super::choose_victims_wisely::{Prospect, Prospects};
use crate::games::sanctum::effect::{Harm, Weapon};
use crate::games::sanctum::state::{FIELD, Place, Places, Precedence};

/// What a minion's attacks are like in this round.
#[derive(Clone, Copy)]
pub(super) struct Strength {
    /// What one deals to anybody, before effects that look at the victim.
    pub amount: i16,
    /// What they are made with.
    pub weapon: Weapon,
    /// How they meet armor.
    pub harm: Harm,
    /// Whether no effect looks at the victim, so that they deal the same to all.
    pub is_same_to_all: bool,
}

impl Strength {
    /// What stands where nothing is known: zeros, which are written faster than anything else at the beginning of every round.
    const UNKNOWN: Self =
        Self { amount: 0, weapon: Weapon::Hand, harm: Harm::Plain, is_same_to_all: false };
}

/// What is known of each minion in the field.
pub(super) struct Known {
    /// Whose strength is known.
    strong: Places,
    /// What the attacks of each are like.
    strengths: [Strength; FIELD],
    /// Who is known as those see it that choose a victim.
    seen: Places,
    /// By group: how they see its minions.
    prospects: [Prospects; 2],
}

impl Known {
    /// Nothing yet.
    #[inline]
    pub fn new() -> Self {
        Self {
            strong: Places::default(),
            strengths: [Strength::UNKNOWN; FIELD],
            seen: Places::default(),
            prospects: [Prospects::default(); 2],
        }
    }

    /// Whether it is known what a minion's attacks are like.
    #[inline]
    pub fn has_strength(&self, of: Place) -> bool {
        self.strong.contains(of)
    }

    /// What a minion's attacks are like, where that is known.
    #[inline]
    pub fn strength(&self, of: Place) -> Strength {
        self.strengths[of.index()]
    }

    /// Notes what a minion's attacks are like.
    #[inline]
    pub fn note_strength(&mut self, of: Place, strength: Strength) {
        self.strong.insert(of);
        self.strengths[of.index()] = strength;
    }

    /// Those of some minions of whom it is not known how they are seen.
    #[inline]
    pub fn unseen(&self, among: Places) -> Places {
        among.without(self.seen)
    }

    /// How the minions of a group are seen, of those of whom that is known.
    #[inline]
    pub fn prospects(&self, of: Precedence) -> &Prospects {
        &self.prospects[of.index()]
    }

    /// Notes how a minion is seen.
    #[inline]
    pub fn note_prospect(&mut self, of: Place, prospect: Prospect) {
        self.seen.insert(of);
        self.prospects[of.precedence().index()].put(of, prospect);
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
