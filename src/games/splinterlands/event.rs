//! The events that a watch of a Splinterlands battle is told.

use enumset::EnumSet;
use strum::IntoStaticStr;

use super::ability::Ability;
use super::state::{Place, Places, Status};
use crate::game::Side;

/// A kind of attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attack {
    /// A magic attack.
    Magic,
    /// A ranged attack.
    Ranged,
    /// A melee attack.
    Melee,
}

impl From<Attack> for Cause {
    /// The cause of an attack that a monster makes on its own turn.
    fn from(kind: Attack) -> Self {
        match kind {
            Attack::Magic => Self::Magic,
            Attack::Ranged => Self::Ranged,
            Attack::Melee => Self::Melee,
        }
    }
}

/// Where damage comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "title_case")]
pub enum Cause {
    /// A melee attack.
    Melee,
    /// A ranged attack.
    Ranged,
    /// A magic attack.
    Magic,
    /// A neighbour was hit by Blast.
    Blast,
    /// The target's Thorns.
    Thorns,
    /// The target's Magic Reflect.
    MagicReflect,
    /// The target's Return Fire.
    ReturnFire,
    /// The target's Retaliate.
    Retaliate,
    /// The attacker's Trample.
    Trample,
    /// A dead enemy's Redemption.
    Redemption,
    /// The Earthquake ruleset.
    Earthquake,
    /// Poison.
    Poison,
    /// Fatigue.
    Fatigue,
}

impl Cause {
    /// The ability of whoever deals the damage that it comes from; None where it is no ability's.
    pub(super) fn ability(self) -> Option<Ability> {
        match self {
            Self::Blast => Some(Ability::Blast),
            Self::Thorns => Some(Ability::Thorns),
            Self::MagicReflect => Some(Ability::MagicReflect),
            Self::ReturnFire => Some(Ability::ReturnFire),
            Self::Retaliate => Some(Ability::Retaliate),
            Self::Trample => Some(Ability::Trample),
            Self::Redemption => Some(Ability::Redemption),
            Self::Melee
            | Self::Ranged
            | Self::Magic
            | Self::Earthquake
            | Self::Poison
            | Self::Fatigue => None,
        }
    }
}

/// Damage that was dealt, or an attack that missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blow {
    /// Where it came from.
    pub cause: Cause,
    /// Who dealt it; None where nobody did.
    pub by: Option<Place>,
    /// Who took it.
    pub on: Place,
    /// The chance to hit, in percent.
    pub percent: u8,
    /// Whether it hit.
    pub hit: bool,
    /// The strength of the attack that it comes from, before Forcefield, Knock Out and Oppress; the same as `power`
    /// where it comes from no attack.
    pub attack: i8,
    /// The damage it would have done to an unprotected target.
    pub power: i8,
    /// Whether it is magic, which Void halves. Shield halves physical blows; poison and fatigue are neither.
    pub magic: bool,
    /// Whether Divine Shield absorbed it.
    pub shielded: bool,
    /// What Divine Shield, Shield or Void left of it, before armor.
    pub force: i8,
    /// Armor lost.
    pub to_armor: i8,
    /// Health lost.
    pub to_health: i8,
}

/// Something that happens in a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The teams are lined up, with all auras applied.
    Begins,
    /// A round begins.
    Round(u8),
    /// Only chance decides which of these monsters acts next.
    Tied(Places),
    /// A monster's turn begins. `tied` is how many monsters it was drawn from, 1 when nothing was left to chance.
    Turn {
        /// Whose turn.
        who: Place,
        /// How many monsters were tied for it, this one included.
        tied: u8,
    },
    /// A stunned monster lost its turn.
    SkipsTurn(Place),
    /// An attack begins; the state is as it was before it.
    Attacks {
        /// Who attacks.
        by: Place,
        /// The target.
        on: Place,
        /// Which of its attacks it uses.
        kind: Attack,
        /// Why it attacks: the cause that belongs to `kind` on its own turn, else Trample or Retaliate.
        cause: Cause,
    },
    /// A monster attacks again on its turn, with Double Strike.
    StrikesAgain(Place),
    /// A monster tramples on after a Trample that killed, under Stampede.
    TramplesOn(Place),
    /// Damage, or a miss.
    Blow(Blow),
    /// An attack and all that followed from it is over.
    AttackOver,
    /// A hit had an effect on the target besides damage (Stun, Poison, Affliction, Snare, Halving, Shatter, Dispel).
    Inflicts {
        /// The attacker.
        by: Place,
        /// The target.
        on: Place,
        /// Through which ability.
        ability: Ability,
        /// The chance of the effect, in percent.
        percent: u8,
    },
    /// A stun wore off.
    Recovers(Place),
    /// Divine Shield absorbed a blow.
    Shielded(Place),
    /// Health or armor was given back.
    Mends {
        /// Who gave it; None for a summoner.
        by: Option<Place>,
        /// Who received it.
        on: Place,
        /// Through which ability.
        ability: Ability,
        /// How much.
        amount: i8,
    },
    /// A monster gained health for good (Life Leech, Scavenger).
    Gains {
        /// Who gained it.
        who: Place,
        /// Through which ability.
        ability: Ability,
        /// How much.
        amount: i8,
    },
    /// Debuffs were taken off.
    Cleanses {
        /// Who took them off; None for a summoner.
        by: Option<Place>,
        /// From whom.
        on: Place,
        /// The statuses that were taken off.
        statuses: EnumSet<Status>,
        /// Whether it was stunned.
        stunned: bool,
        /// Whether it was poisoned.
        poisoned: bool,
        /// The enemies whose penalties for the whole team, or whose Blind, were taken off.
        weakeners: Places,
    },
    /// A monster died.
    Dies(Place),
    /// The auras of a dead monster have ended: what it added to everybody of a team, or took from it.
    AurasEnd(Place),
    /// A dead monster came back.
    Returns {
        /// Who came back.
        who: Place,
        /// Whose Resurrect it was; None for a summoner's.
        by: Option<Place>,
    },
    /// The last of a team with Last Stand stands alone.
    StandsAlone(Place),
    /// The earthquake begins, on this side first.
    Quakes(Side),
    /// The earthquake passes a flying monster by.
    Unshaken(Place),
}
