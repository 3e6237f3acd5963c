//! A cache of what has been worked out about minions in this round. An entry holds until something changes the
//! minion's numbers, which must then forget the entry or work it out anew.
//!
//! Nothing here is a rule, and nothing is part of the state: each round begins with an empty cache.

use super::choose_victims_wisely::{Prospect, Prospects, Seen};
use crate::games::sanctum::effect::{Harm, Weapon};
use crate::games::sanctum::state::{FIELD, Place, Places, Precedence};

/// The properties of a minion's attacks in this round.
#[derive(Clone, Copy)]
pub(super) struct Strength {
    /// The damage that one attack deals to anybody, before effects that look at the victim.
    pub amount: i16,
    /// The weapon of its attacks.
    pub weapon: Weapon,
    /// How its attacks meet armor.
    pub harm: Harm,
    /// Whether no effect looks at the victim, so that the attacks deal the same to everybody.
    pub is_same_to_all: bool,
}

impl Strength {
    /// The placeholder of an empty entry: zeros, which are the fastest to write at the beginning of every round.
    const UNKNOWN: Self =
        Self { amount: 0, weapon: Weapon::Hand, harm: Harm::Plain, is_same_to_all: false };
}

/// The cache: what is known about each minion on the field.
pub(super) struct Known {
    /// The strength of each minion, by place.
    strengths: [Strength; FIELD],
    /// The minions whose prospects are known.
    seen: Places,
    /// By group: its minions as their enemies see them.
    groups: [Seen; 2],
}

impl Known {
    /// An empty cache.
    #[inline]
    pub fn new() -> Self {
        Self {
            strengths: [Strength::UNKNOWN; FIELD],
            seen: Places::default(),
            groups: [Seen::default(); 2],
        }
    }

    /// The strength of a minion's attacks; for minions that are present it is known from the reset on.
    #[inline]
    pub fn strength(&self, of: Place) -> Strength {
        self.strengths[of.index()]
    }

    /// Stores the strength of a minion's attacks.
    #[inline]
    pub fn note_strength(&mut self, of: Place, strength: Strength) {
        self.strengths[of.index()] = strength;
    }

    /// The minions of `among` whose prospects are not known.
    #[inline]
    pub fn unseen(&self, among: Places) -> Places {
        among.without(self.seen)
    }

    /// The prospects of a group's minions, as far as they are known.
    #[inline]
    pub fn prospects(&self, of: Precedence) -> &Prospects {
        self.groups[of.index()].prospects()
    }

    /// Stores a minion's prospect. Its group must be ranked once all prospects that matter are stored.
    #[inline]
    pub fn note_prospect(&mut self, of: Place, prospect: Prospect) {
        self.seen.insert(of);
        self.groups[of.precedence().index()].put(of, prospect);
    }

    /// Ranks the minions of a group by their prospects.
    #[inline]
    pub fn rank(&mut self, group: Precedence) {
        self.groups[group.index()].rank();
    }

    /// Forgets a minion's prospect, because its numbers have changed.
    #[inline]
    pub fn forget_prospect(&mut self, of: Place) {
        self.seen.remove(of);
    }
}
