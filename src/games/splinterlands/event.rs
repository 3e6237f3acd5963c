//! What a watch of a Splinterlands battle is told.

use strum::IntoStaticStr;

use super::ability::Ability;
use super::state::{Place, Places};
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
    /// That of an attack in an own turn.
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

/// Damage that was dealt, or an attack that missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blow {
    /// Where it came from.
    pub cause: Cause,
    /// Who dealt it, where somebody did.
    pub by: Option<Place>,
    /// Who took it.
    pub on: Place,
    /// The chance to hit, in percent.
    pub percent: u8,
    /// Whether it hit.
    pub hit: bool,
    /// The attack that it comes from, before Forcefield, Knock Out and Oppress; the power where it is none.
    pub attack: i8,
    /// What it would have done to somebody unprotected.
    pub power: i8,
    /// Whether it is magic, which Void softens rather than Shield.
    pub magic: bool,
    /// Whether Divine Shield took it.
    pub shielded: bool,
    /// What Divine Shield, Shield or Void left of it, before armor.
    pub force: i8,
    /// Armor lost.
    pub to_armor: i8,
    /// Health lost.
    pub to_health: i8,
}

/// Something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The teams stand, all auras applied.
    Begins,
    /// A round begins.
    Round(u8),
    /// Nothing but chance tells apart who of these acts next, or whether one comes before the other.
    Tied(Places),
    /// A monster's turn begins. `tied` is how many it was drawn from, 1 when nothing was left to chance.
    Turn {
        /// Whose turn.
        who: Place,
        /// Among how many.
        tied: u8,
    },
    /// A stunned monster lost its turn.
    SkipsTurn(Place),
    /// An attack begins. Everything is as it was before.
    Attacks {
        /// Who attacks.
        by: Place,
        /// Whom.
        on: Place,
        /// With its melee, ranged or magic attack.
        kind: Attack,
        /// Why: the same on a turn of its own, else Trample or Retaliate.
        cause: Cause,
    },
    /// A monster attacks again on its turn, with Double Strike.
    StrikesAgain(Place),
    /// A monster tramples on after a Trample that killed, under Stampede.
    TramplesOn(Place),
    /// Damage, or a miss.
    Blow(Blow),
    /// An attack and all that came of it is over.
    AttackOver,
    /// A hit laid something on the target (Stun, Poison, Affliction, Snare, Halving, Shatter, Dispel).
    Inflicts {
        /// Who did.
        by: Place,
        /// On whom.
        on: Place,
        /// Through which ability.
        ability: Ability,
        /// The chance it had, in percent.
        percent: u8,
    },
    /// A stun wore off.
    Recovers(Place),
    /// Divine Shield took a blow.
    Shielded(Place),
    /// Health or armor was given back.
    Mends {
        /// Who did; none for a summoner.
        by: Option<Place>,
        /// To whom.
        on: Place,
        /// Through which ability.
        ability: Ability,
        /// How much.
        amount: i8,
    },
    /// A monster gained health for good (Life Leech, Scavenger).
    Gains {
        /// Who.
        who: Place,
        /// Through which ability.
        ability: Ability,
        /// How much.
        amount: i8,
    },
    /// Debuffs were taken off.
    Cleanses {
        /// Who did; none for a summoner.
        by: Option<Place>,
        /// From whom.
        on: Place,
    },
    /// A monster died.
    Dies(Place),
    /// What the dead one added to everybody of a team, or took from it, has ended.
    AurasEnd(Place),
    /// A dead monster came back.
    Returns {
        /// Who came back.
        who: Place,
        /// Whose Resurrect it was; none for a summoner's.
        by: Option<Place>,
    },
    /// The last of a team with Last Stand stands alone.
    StandsAlone(Place),
    /// The earthquake begins, on this side first.
    Quakes(Side),
    /// The earthquake passes a flying monster by.
    Unshaken(Place),
}
