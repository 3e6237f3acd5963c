//! The events of an Elder Tale session, as a watch sees them.

use enumset::EnumSet;

use super::effect::{Effect, Kind};
use super::state::{Incoming, Play};
use crate::game::Side;

/// Why a character lost hit points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A hit of an attack.
    Hit {
        /// The attacker.
        by: Side,
        /// The card's place in the attacker's deck.
        place: u8,
    },
    /// Poison.
    Poison,
    /// The thorns of this character.
    Thorns(Side),
}

/// A defense hit that an attack hit met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Met {
    /// Its guard before effects.
    pub guard: u8,
    /// What Guard Up added.
    pub lifted: u8,
    /// What Guard Down took away.
    pub lowered: u8,
}

impl Met {
    /// The damage it keeps off, never less than 0 (decision 5).
    #[inline]
    #[must_use]
    pub fn power(self) -> u8 {
        (self.guard + self.lifted).saturating_sub(self.lowered)
    }
}

/// An event, reported after its consequences have been applied to the state.
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
        /// The player.
        who: Side,
        /// The card and its targets.
        play: Play,
    },
    /// "Done": the order of operations begins.
    Done(Side),
    /// A Utility or Defense card runs.
    Activates {
        /// Its player.
        who: Side,
        /// The card and its targets.
        play: Play,
    },
    /// Defense hits are put up.
    Guards {
        /// The character they defend.
        who: Side,
        /// The guard of each, before effects.
        guard: u8,
        /// The number of defense hits.
        hits: u8,
        /// The effect that put them up; none for a card's own.
        through: Option<Kind>,
    },
    /// An attack leaves the queue and lands.
    Lands {
        /// The character it lands on.
        on: Side,
        /// The attack.
        attack: Incoming,
    },
    /// One hit of an attack lands.
    Hit {
        /// The character it hits.
        on: Side,
        /// The attack.
        attack: Incoming,
        /// Its damage, Power included.
        power: u8,
        /// The part of `power` that the attacker's Power adds.
        raised: u8,
        /// The defense hit it met; none when no defense hit stood.
        met: Option<Met>,
    },
    /// A character loses hit points.
    Loses {
        /// The character.
        who: Side,
        /// The number of hit points.
        amount: u16,
        /// The cause.
        cause: Cause,
    },
    /// A character is healed; `amount` is 0 where nothing was missing or Doom forbade it.
    Heals {
        /// The character.
        who: Side,
        /// The number of hit points.
        amount: u16,
        /// The effect that heals: Heal or Heal Over Time.
        through: Kind,
        /// Whether Doom prevented it.
        doomed: bool,
    },
    /// An effect starts.
    Starts {
        /// Its bearer.
        who: Side,
        /// The effect.
        effect: Effect,
    },
    /// A character bears as many effects as it can, and one is lost to another or does not start.
    Lost {
        /// The character.
        who: Side,
        /// The effect that is lost.
        effect: Effect,
    },
    /// The hit duration of an effect is used up, and the effect ends.
    Ends {
        /// Its bearer.
        who: Side,
        /// The kind of effect.
        kind: Kind,
        /// Its intensity.
        intensity: u8,
    },
    /// The round durations of a character's effects are about to fall.
    DurationsFall(Side),
    /// The round durations of a character's effects have fallen.
    DurationsFell(Side),
    /// A character falls to 0 HP or below with its Memory down, and fights on: All In.
    GoesAllIn(Side),
    /// A further drop in HP beyond 0 did not disable the character.
    HoldsOn(Side),
    /// A further drop in HP beyond 0 disabled the character, and its Memory is erased.
    Disabled(Side),
    /// A character is out.
    Out(Side),
    /// An attack joins a queue.
    Queues {
        /// The character whose queue it joins.
        on: Side,
        /// The attack.
        attack: Incoming,
    },
    /// An attack is not sent to a target, because that one is out.
    LostOn {
        /// The character that is out.
        on: Side,
        /// The attack.
        attack: Incoming,
    },
    /// An attack that waits in a queue is lost with the character that goes out.
    LostWith {
        /// The character that is out.
        on: Side,
        /// The attack.
        attack: Incoming,
    },
    /// A character's turn is over.
    TurnEnds(Side),
    /// A character is dealt a new hand.
    Deals {
        /// The character.
        who: Side,
        /// The effects that have changed how many cards it is dealt.
        changed: EnumSet<Kind>,
    },
}
