//! What a watch of an Elder Tale session is told.

use super::effect::{Effect, Kind};
use super::state::{Incoming, Play};
use crate::game::Side;

/// Why somebody lost hit points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A hit of an attack.
    Hit {
        /// Whose.
        by: Side,
        /// The card's place in that player's deck.
        place: u8,
    },
    /// Poison.
    Poison,
    /// The thorns of this character.
    Thorns(Side),
}

/// A defense hit that an attack hit met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Met {
    /// Its guard before effects.
    pub guard: u8,
    /// What Guard Up added.
    pub lifted: u8,
    /// What Guard Down took away.
    pub lowered: u8,
}

impl Met {
    /// How much damage it keeps off: never less than 0 (decision 5).
    #[inline]
    #[must_use]
    pub fn power(self) -> u8 {
        (self.guard + self.lifted).saturating_sub(self.lowered)
    }
}

/// Something that happened, told after it has been applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Everybody has a hand; the session begins.
    Begins,
    /// A character's turn begins; it sees its queue.
    Turn(Side),
    /// A Memory is put down.
    PutsMemoryDown(Side),
    /// A card is played.
    Plays {
        /// By whom.
        who: Side,
        /// What.
        play: Play,
    },
    /// "Done": the order of operations begins.
    Done(Side),
    /// A Utility or Defense card runs.
    Activates {
        /// Whose.
        who: Side,
        /// What.
        play: Play,
    },
    /// Defense hits stand.
    Guards {
        /// Whose.
        who: Side,
        /// The guard of each, before effects.
        guard: u8,
        /// How many.
        hits: u8,
        /// Through which effect; none for a card's own.
        through: Option<Kind>,
    },
    /// An attack leaves the queue and lands.
    Lands {
        /// On whom.
        on: Side,
        /// What.
        attack: Incoming,
    },
    /// One hit of it.
    Hit {
        /// On whom.
        on: Side,
        /// Of what.
        attack: Incoming,
        /// Its damage, Power included.
        power: u8,
        /// How much of that is the attacker's Power.
        raised: u8,
        /// The defense hit it met; none when nothing stood.
        met: Option<Met>,
    },
    /// Hit points are lost.
    Loses {
        /// By whom.
        who: Side,
        /// How many.
        amount: u16,
        /// Why.
        cause: Cause,
    },
    /// Hit points are given; 0 where there was nothing to heal or Doom forbade it.
    Heals {
        /// To whom.
        who: Side,
        /// How many.
        amount: u16,
        /// Through Heal or Heal Over Time.
        through: Kind,
        /// Whether Doom kept it away.
        doomed: bool,
    },
    /// An effect starts.
    Starts {
        /// On whom.
        who: Side,
        /// What.
        effect: Effect,
    },
    /// The last hit of an effect's duration is over, and so is the effect.
    Ends {
        /// On whom.
        who: Side,
        /// What.
        kind: Kind,
    },
    /// Round durations have fallen.
    DurationsFell(Side),
    /// A character falls to 0 HP or below and fights on: All In.
    GoesAllIn(Side),
    /// A drop in HP beyond 0 did not disable.
    HoldsOn(Side),
    /// A drop in HP beyond 0 disabled, and the Memory is erased.
    Disabled(Side),
    /// A character is out.
    Out(Side),
    /// An attack joins a queue.
    Queues {
        /// Whose queue.
        on: Side,
        /// What.
        attack: Incoming,
    },
    /// A turn is over.
    TurnEnds(Side),
    /// A new hand is dealt.
    Deals(Side),
}
