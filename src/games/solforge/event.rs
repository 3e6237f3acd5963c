//! What a watch of a SolForge game is told.

use enumset::EnumSet;
use strum::{EnumIter, IntoStaticStr};

use super::ability::AbilityId;
use super::cards::vocabulary::{Later, Until};
use super::keyword::Keyword;
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

/// What a creature gained; negative numbers are losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gained {
    /// Attack.
    pub attack: i16,
    /// Health, and maximum health with it.
    pub health: i16,
    /// Armor.
    pub armor: i16,
    /// Poison.
    pub poison: i16,
    /// Regenerate.
    pub regenerate: i16,
    /// Mobility.
    pub mobility: i16,
    /// Battles more in a turn.
    pub battles: i16,
    /// Keywords.
    pub keywords: EnumSet<Keyword>,
    /// For how long.
    pub until: Until,
}

/// What a batch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, EnumIter)]
#[strum(serialize_all = "lowercase")]
pub enum Source {
    /// A player plays a card, activates an ability or moves a creature.
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

/// Why a step of a position is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
pub enum Refusal {
    /// The card is not in the active player's hand.
    #[strum(serialize = "the card is not in the active player's hand")]
    NotInHand,
    /// All cards of the turn are played.
    #[strum(serialize = "no card may be played any more this turn")]
    NoPlayLeft,
    /// A target is not among those that can be chosen.
    #[strum(serialize = "a target cannot be chosen")]
    IllegalTarget,
    /// Nobody is in the lane.
    #[strum(serialize = "nobody of the active side is in that lane")]
    Nobody,
    /// The creature has not been there since the last turn.
    #[strum(serialize = "the creature is on the defensive")]
    OnTheDefensive,
    /// The creature has no activated ability left this turn.
    #[strum(serialize = "the creature has no activated ability left this turn")]
    NothingToActivate,
    /// The creature cannot move, or not that far, or has moved.
    #[strum(serialize = "its Mobility does not reach that far this turn")]
    OutOfReach,
    /// Somebody is in the space that it is to move to.
    #[strum(serialize = "somebody is in that space")]
    SpaceTaken,
    /// No battle may be fought.
    #[strum(serialize = "no battle may be fought any more this turn")]
    NoBattle,
}

/// Why a game is left undecided that would never come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
pub enum Endless {
    /// One thing sets off batch after batch.
    #[strum(serialize = "one thing sets off batch after batch")]
    Batches,
    /// A player acts again and again in one turn.
    #[strum(serialize = "a player acts again and again in one turn")]
    Actions,
    /// More abilities wait at once than ever could otherwise.
    #[strum(serialize = "more and more abilities wait at once")]
    Waiting,
    /// More creatures enter before the field is at rest than ever could otherwise.
    #[strum(serialize = "creature after creature enters")]
    Entering,
    /// More creatures lose their space before deaths are looked for than ever could otherwise.
    #[strum(serialize = "creature after creature loses its space")]
    Displaced,
    /// More is put off than ever could be otherwise.
    #[strum(serialize = "more and more is put off")]
    PutOff,
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
    /// A creature's ability is used.
    Activates(Ref, AbilityId),
    /// An ability that resolved does nothing: a condition is not true, or nothing was chosen.
    Fizzles(Ref, AbilityId),
    /// A creature enters the field.
    Enters(Ref, Entry),
    /// A creature leaves because another takes its space.
    Replaced(Ref),
    /// Nothing could be put on the field: no room.
    NoRoom(Side, Form),
    /// A batch begins. `drawn` when dice decide some of its order.
    Batch {
        /// What it comes from.
        source: Source,
        /// How many abilities are in it.
        size: u8,
        /// Whether dice decide some of its order.
        drawn: bool,
    },
    /// An ability resolves.
    Resolves {
        /// Whose it is.
        by: Ref,
        /// Which.
        ability: AbilityId,
        /// Whether dice decided which of different cards came first in its batch.
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
        /// What it gained.
        gained: Gained,
    },
    /// A creature loses keywords, and all abilities if it says so.
    Loses {
        /// Who.
        who: Ref,
        /// Which keywords.
        keywords: EnumSet<Keyword>,
        /// Whether it loses all abilities.
        abilities: bool,
    },
    /// A creature returns to its player's hand.
    Returns(Ref),
    /// Something is put off.
    PutsOff(Ref, Later),
    /// A player may play so many more cards this turn.
    MayPlay(Side, i16),
    /// A creature was given another ability.
    Granted(Ref, AbilityId),
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
    /// The game would never come to rest and is left undecided.
    GivesUp(Endless),
    /// A step of a position is left out.
    Refused {
        /// Which, from 1.
        step: u16,
        /// Why.
        why: Refusal,
    },
    /// A card asked a player of a position who has answers for it.
    Asked {
        /// Whose ability asks.
        by: Ref,
        /// Whether one of the answers can be chosen; otherwise any option is drawn.
        possible: bool,
    },
}
