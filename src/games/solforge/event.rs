//! What a watch of a SolForge game is told.

use strum::{EnumIter, IntoStaticStr};

use super::ability::AbilityId;
use super::state::{Creature, Form};
use crate::game::Side;

/// A creature as it was when something happened: which, what and where. It may be gone by now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ref {
    /// Which creature; 0 is none.
    pub id: u16,
    /// What it is.
    pub form: Form,
    /// Whose.
    pub side: u8,
    /// Where.
    pub lane: u8,
}

impl Ref {
    pub(super) fn new(creature: &Creature, side: Side, lane: u8) -> Self {
        Self { id: creature.id, form: creature.form, side: side.0, lane }
    }

    /// Whose it is.
    #[inline]
    #[must_use]
    pub fn side(self) -> Side {
        Side(self.side)
    }
}

/// A creature or a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A creature.
    Creature(Ref),
    /// A player.
    Player(Side),
}

/// What a batch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, EnumIter)]
#[strum(serialize_all = "lowercase")]
pub enum Source {
    /// A card was played, or something else a player did.
    #[strum(serialize = "a card is played")]
    Play,
    /// The start of a turn.
    #[strum(serialize = "a turn starts")]
    TurnStart,
    /// Battle damage.
    #[strum(serialize = "battle damage is dealt")]
    Damage,
    /// Deaths in battle.
    #[strum(serialize = "creatures die in battle")]
    Deaths,
    /// The end of a turn, and a new rank.
    #[strum(serialize = "a turn ends")]
    TurnEnd,
    /// What the batch before set off.
    #[strum(serialize = "another batch resolves")]
    Aftermath,
}

/// How a creature came to the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// From the hand.
    Forged,
    /// Put there by another card.
    Spawned,
    /// From among the dead.
    Revived,
}

/// Something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The game or position is set up.
    Begins,
    /// A turn begins.
    Turn(Side),
    /// A battle begins; `extra` when it is not the turn's own.
    Battle {
        /// Whether it is an additional one.
        extra: bool,
    },
    /// A card is played from the hand.
    Plays(Side, Form),
    /// A card is discarded and levelled.
    Levels(Side, Form),
    /// A creature is activated.
    Activates(Ref),
    /// A creature enters the field.
    Enters(Ref, Entry),
    /// A creature leaves because another takes its space.
    Replaced(Ref),
    /// Nothing could be put on the field: no room.
    NoRoom(Side, Form),
    /// A batch begins. `drawn` when luck decides some of its order.
    Batch {
        /// What it comes from.
        source: Source,
        /// How many abilities are in it.
        size: u8,
        /// Whether luck decides some of its order.
        drawn: bool,
    },
    /// An ability resolves.
    Resolves {
        /// Whose it is.
        by: Ref,
        /// Which.
        ability: AbilityId,
        /// Whether luck decided which of different cards came first in its batch.
        between_cards: bool,
    },
    /// A batch is over.
    BatchOver(Source),
    /// Damage.
    Damage {
        /// Who dealt it, where somebody did.
        by: Option<Ref>,
        /// Who took it.
        on: Target,
        /// How much was lost.
        lost: i16,
        /// How much armor prevented.
        prevented: i16,
    },
    /// A creature's numbers or keywords changed.
    Changes {
        /// Whose.
        who: Ref,
        /// Attack gained.
        attack: i16,
        /// Health gained.
        health: i16,
    },
    /// A creature was healed.
    Heals(Ref, i16),
    /// A player's life changed other than by damage.
    Life(Side, i16),
    /// A creature is destroyed by an effect, and leaves at the next death check.
    Destroyed(Ref),
    /// A creature dies.
    Dies(Ref),
    /// A creature moved, from this lane.
    Moves(Ref, u8),
    /// A player drew cards.
    Draws(Side, u8),
    /// A player discarded cards.
    Discards(Side, u8),
    /// A player's rank rises.
    Rank(Side, u8),
    /// Both players have the same life of 0 or less.
    SuddenDeath,
    /// What lasts until the end of a turn ends.
    Fades,
}
