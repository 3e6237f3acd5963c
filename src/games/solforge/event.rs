//! The events that a watch of a SolForge game is told.

use enumset::EnumSet;
use strum::{EnumIter, IntoStaticStr};

use super::ability::AbilityId;
use super::cards::vocabulary::{Later, Until};
use super::keyword::Keyword;
use super::state::{Creature, Form};
use crate::game::Side;

/// A creature as it was when something happened: its id, form and space. It may be gone by now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ref {
    /// The creature's id; 0 if there is none.
    pub id: u16,
    /// Its card and level.
    pub form: Form,
    /// The side that it is on.
    pub side: u8,
    /// The lane that it is in.
    pub lane: u8,
}

impl Ref {
    pub(super) fn new(creature: &Creature, side: Side, lane: u8) -> Self {
        Self { id: creature.id, form: creature.form, side: side.0, lane }
    }

    /// The side that it is on.
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
    /// Extra battles in a turn.
    pub battles: i16,
    /// Keywords.
    pub keywords: EnumSet<Keyword>,
    /// How long it lasts.
    pub until: Until,
}

impl Gained {
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_nothing(self) -> bool {
        self == Self { until: self.until, ..Self::default() }
    }
}

/// The kind of happening that sets off a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, EnumIter)]
#[strum(serialize_all = "lowercase")]
pub enum Source {
    /// A player plays a card.
    #[strum(serialize = "a card is played")]
    Play,
    /// The start of a turn.
    #[strum(serialize = "a turn starts")]
    TurnStart,
    /// Battle damage.
    #[strum(serialize = "battle damage is dealt")]
    Damage,
    /// Deaths in battle: its last batch.
    #[strum(serialize = "creatures die in battle")]
    Deaths,
    /// The end of a turn, and a new rank.
    #[strum(serialize = "a turn ends")]
    TurnEnd,
    /// A player activates an ability.
    #[strum(serialize = "an ability is activated")]
    Activation,
    /// Creatures that enter in a batch.
    #[strum(serialize = "creatures enter")]
    Entry,
    /// Creatures that move, in a batch or by Mobility.
    #[strum(serialize = "creatures move")]
    Motion,
    /// Creatures that die other than of battle damage: of a card, an ability or Poison.
    #[strum(serialize = "creatures die of effects")]
    Dying,
    /// Damage that a card, an ability or Poison deals to creatures.
    #[strum(serialize = "effects damage creatures")]
    Harm,
    /// Several of deaths and the last three at once.
    #[strum(serialize = "several things happen to creatures")]
    Several,
}

/// Who does what both players and abilities can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// The player, as an action or in the course of its turn.
    Player,
    /// An ability or a spell.
    Ability,
}

/// How a creature entered the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// Played from the hand.
    Forged,
    /// Put on the field by another card.
    Spawned,
    /// Brought back from the dead.
    Revived,
}

/// Why a step of a position is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
pub enum Refusal {
    /// The card is not in the active player's hand.
    #[strum(serialize = "the card is not in the active player's hand")]
    NotInHand,
    /// No card may be played any more this turn.
    #[strum(serialize = "no card may be played any more this turn")]
    NoPlayLeft,
    /// A target is not among those that can be chosen.
    #[strum(serialize = "a target cannot be chosen")]
    IllegalTarget,
    /// The active side has no creature in the lane.
    #[strum(serialize = "nobody of the active side is in that lane")]
    Nobody,
    /// The creature is on the defensive: it came after its player's turn last began, and is not Aggressive.
    #[strum(serialize = "the creature is on the defensive")]
    OnTheDefensive,
    /// The creature has no activated ability left this turn.
    #[strum(serialize = "the creature has no activated ability left this turn")]
    NothingToActivate,
    /// The creature cannot move, or not that far, or has moved.
    #[strum(serialize = "its Mobility does not reach that far this turn")]
    OutOfReach,
    /// The space that the creature is to move to is taken.
    #[strum(serialize = "somebody is in that space")]
    SpaceTaken,
    /// No battle may be fought any more this turn.
    #[strum(serialize = "no battle may be fought any more this turn")]
    NoBattle,
}

/// Why a game that would never come to rest is left undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
pub enum Endless {
    /// One thing sets off batch after batch.
    #[strum(serialize = "one thing sets off batch after batch")]
    Batches,
    /// A player acts again and again in one turn.
    #[strum(serialize = "a player acts again and again in one turn")]
    Actions,
    /// More abilities wait at once than ever could in a game that comes to rest.
    #[strum(serialize = "more and more abilities wait at once")]
    Waiting,
    /// More creatures enter before the field is at rest than ever could in a game in which it gets there.
    #[strum(serialize = "creature after creature enters")]
    Entering,
    /// More creatures lose their space between two death checks than ever could in a game that comes to rest.
    #[strum(serialize = "creature after creature loses its space")]
    Displaced,
    /// More abilities are put off at once than ever could be in a game that comes to rest.
    #[strum(serialize = "more and more is put off")]
    PutOff,
}

/// Something that happened in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The game or position is set up.
    Begins,
    /// A turn begins.
    Turn(Side),
    /// A battle begins; `extra` when it is not the turn's own.
    Battle {
        /// Whether it is an additional battle rather than the turn's own.
        extra: bool,
    },
    /// A card is played from the hand.
    Plays(Side, Form),
    /// A card is discarded and levelled; one that levels to nothing leaves the game.
    Levels(Side, Form, Agent),
    /// A creature's ability is used.
    Activates(Ref, AbilityId),
    /// An ability that resolved does nothing: a condition is not true (false), or nothing was chosen (true).
    Fizzles(Ref, AbilityId, bool),
    /// A creature enters the field.
    Enters(Ref, Entry),
    /// A creature leaves because another takes its space.
    Replaced(Ref, Agent),
    /// A creature could not be put on the field, because no space next to this one is free.
    NoRoomBeside(Ref, Form),
    /// A creature stays where it is, because the space that it would move to is taken or no space is free.
    Stays(Ref),
    /// No more creatures are revived on this side, because it has no free space (true) or nobody died who could be
    /// (false).
    NoRevival(Side, bool),
    /// A creature could not be put on the field, because there was no room.
    NoRoom {
        /// The side on which it was to stand.
        side: Side,
        /// The lane in which it was to stand; None for any.
        lane: Option<u8>,
        /// Its card and level.
        form: Form,
    },
    /// A batch begins. `drawn` when dice decide some of its order.
    Batch {
        /// What set it off.
        source: Source,
        /// How many abilities are in it.
        size: u8,
        /// Whether dice decide some of its order.
        drawn: bool,
    },
    /// An ability resolves.
    Resolves {
        /// The creature or spell that has the ability.
        by: Ref,
        /// The ability.
        ability: AbilityId,
        /// The creature that what set it off happened to, where it happened to one.
        subject: Ref,
        /// Whether dice decided the order of different cards in its batch.
        between_cards: bool,
    },
    /// An ability has resolved, or a spell or an activated ability was carried out, and everything that it does is
    /// done.
    Resolved(Ref, AbilityId),
    /// A batch is over.
    BatchOver(Source),
    /// Damage is dealt.
    Damage {
        /// The creature or spell that dealt it; None for Poison.
        by: Option<Ref>,
        /// The creature or player that took it.
        on: Target,
        /// How much health or life was lost.
        lost: i16,
        /// How much armor prevented.
        prevented: i16,
    },
    /// A creature's numbers or keywords changed.
    Changes {
        /// The creature that changed.
        who: Ref,
        /// What it gained.
        gained: Gained,
    },
    /// A creature loses keywords and abilities that it had; perhaps it had none of those that it was to lose.
    Loses {
        /// The creature that loses them.
        who: Ref,
        /// Which keywords.
        keywords: EnumSet<Keyword>,
        /// Whether it had abilities and has lost all of them.
        abilities: bool,
    },
    /// A creature returns to its player's hand (true). A token, and a card for which its player has no room, are
    /// gone (false).
    Returns(Ref, bool),
    /// A creature or spell puts an ability off until a later moment.
    PutsOff(Ref, Later),
    /// A player may play this many more cards this turn.
    MayPlay(Side, i16),
    /// A creature was granted another ability.
    Granted(Ref, AbilityId, Until),
    /// A creature was healed.
    Heals {
        /// The creature or spell that healed it; None for Regenerate.
        by: Option<Ref>,
        /// The creature that was healed.
        on: Ref,
        /// How much health it got back.
        amount: i16,
    },
    /// A player's life changed other than by damage.
    Life(Side, i16),
    /// What holds while a creature is on the field holds from a space on, or no more, or from another space than
    /// before: its lane before, if any, and its lane from now on, if any.
    Statics(Ref, Option<u8>, Option<u8>),
    /// What holds while the second creature is on the field holds from now on, in place of what held because of the
    /// first, whose space it took.
    StaticsChange(Ref, Ref),
    /// A creature is destroyed by an effect, and leaves at the next death check.
    Destroyed(Ref),
    /// A creature dies.
    Dies(Ref),
    /// A creature moved; the number is the lane that it left.
    Moves(Ref, u8, Agent),
    /// A player ends its turn.
    EndsTurn(Side),
    /// A player drew cards: the last ones of its hand.
    Draws(Side, u8, Agent),
    /// A player discarded cards: the last ones of its discard pile.
    Discards(Side, u8, Agent),
    /// So many cards of a player's discard pile went back into the deck.
    Reshuffles(Side, u8, Agent),
    /// A player's rank rises.
    Rank(Side, u8),
    /// Both players have the same life of 0 or less.
    SuddenDeath,
    /// Effects that last until the end of the turn wear off.
    Fades,
    /// What a creature had gained until this end of a turn has worn off.
    Faded {
        /// The creature.
        who: Ref,
        /// What it had gained.
        gained: Gained,
        /// How many abilities it had been granted until now.
        abilities: u8,
    },
    /// The game would never come to rest and is left undecided.
    GivesUp(Endless),
    /// A step of a position is left out.
    Refused {
        /// The number of the step, from 1.
        step: u16,
        /// Why it is left out.
        why: Refusal,
    },
    /// A card asked for a choice in a position, and its player has answers for that card.
    Asked {
        /// The creature or spell whose ability asks.
        by: Ref,
        /// Whether one of the answers can be chosen; otherwise any option is drawn.
        possible: bool,
    },
}

impl Event {
    /// Whether it tells that what is being played, activated or resolved has changed something. Damage that armor
    /// prevents has: it uses the armor up.
    #[must_use]
    pub fn is_change(self) -> bool {
        match self {
            Self::Changes { gained, .. } => !gained.is_nothing(),
            Self::Loses { keywords, abilities, .. } => abilities || !keywords.is_empty(),
            Self::MayPlay(_, more) => more != 0,
            Self::Life(_, change) => change != 0,
            Self::Levels(..)
            | Self::Enters(..)
            | Self::Replaced(..)
            | Self::Damage { .. }
            | Self::Returns(..)
            | Self::PutsOff(..)
            | Self::Granted(..)
            | Self::Heals { .. }
            | Self::Statics(..)
            | Self::StaticsChange(..)
            | Self::Destroyed(_)
            | Self::Dies(_)
            | Self::Moves(..)
            | Self::Draws(..)
            | Self::Discards(..)
            | Self::Reshuffles(..)
            | Self::Rank(..)
            | Self::SuddenDeath
            | Self::Faded { .. } => true,
            Self::Begins
            | Self::Turn(_)
            | Self::Battle { .. }
            | Self::Plays(..)
            | Self::Activates(..)
            | Self::Fizzles(..)
            | Self::NoRoomBeside(..)
            | Self::Stays(_)
            | Self::NoRevival(..)
            | Self::NoRoom { .. }
            | Self::Batch { .. }
            | Self::Resolves { .. }
            | Self::Resolved(..)
            | Self::BatchOver(_)
            | Self::EndsTurn(_)
            | Self::Fades
            | Self::GivesUp(_)
            | Self::Refused { .. }
            | Self::Asked { .. } => false,
        }
    }
}
