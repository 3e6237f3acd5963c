//! What has been worked out of minions in this round. It holds until something changes their numbers, which then says so or
//! works it out anew.
//!
//! Nothing here is a rule, and nothing of it is part of the state: a round begins without any.

use super::choose_victims_wisely::{Prospect, Prospects, Seen};
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
    /// What the attacks of each are like.
    strengths: [Strength; FIELD],
    /// Who is known as those see it that choose a victim.
    seen: Places,
    /// By group: how they see its minions.
    groups: [Seen; 2],
}

impl Known {
    /// Nothing yet.
    #[inline]
    pub fn new() -> Self {
        Self {
            strengths: [Strength::UNKNOWN; FIELD],
            seen: Places::default(),
            groups: [Seen::default(); 2],
        }
    }

    /// What a minion's attacks are like; of those who are there that is known from the reset on.
    #[inline]
    pub fn strength(&self, of: Place) -> Strength {
        self.strengths[of.index()]
    }

    /// Notes what a minion's attacks are like.
    #[inline]
    pub fn note_strength(&mut self, of: Place, strength: Strength) {
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
        self.groups[of.index()].prospects()
    }

    /// Notes how a minion is seen. Its group is ranked when all of it that matter are noted.
    #[inline]
    pub fn note_prospect(&mut self, of: Place, prospect: Prospect) {
        self.seen.insert(of);
        self.groups[of.precedence().index()].put(of, prospect);
    }

    /// Ranks the minions of a group as they are seen.
    #[inline]
    pub fn rank(&mut self, group: Precedence) {
        self.groups[group.index()].rank();
    }

    /// What others see of a minion has changed.
    #[inline]
    pub fn forget_prospect(&mut self, of: Place) {
        self.seen.remove(of);
    }
}
