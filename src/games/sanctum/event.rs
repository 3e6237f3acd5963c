//! The events of a Sanctum combat phase, as a watch sees them.

use strum::IntoStaticStr;

use super::effect::{Stat, Trigger, Verb, Weapon};
use super::state::Place;

/// The result of damage to a minion (A3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DamageResult {
    /// No damage came through.
    Bounced,
    /// Hit points were lost, and some are left.
    Damaged,
    /// No hit point is left.
    Killed,
}

/// Damage that was taken, or bounced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blow {
    /// Who dealt it; none where nobody is to blame.
    pub by: Option<Place>,
    /// Who took it.
    pub on: Place,
    /// Whether an attack dealt it, rather than an effect.
    pub attack: bool,
    /// The damage before armor.
    pub power: i16,
    /// The damage that armor soaked.
    pub to_armor: i16,
    /// Hit points lost.
    pub to_hit_points: i16,
    /// Damage beyond the hit points that were left.
    pub overkill: i16,
    /// The result of it.
    pub result: DamageResult,
}

/// An effect that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened {
    /// Index into the setup's effects.
    pub number: u16,
    /// Index into the setup's names: the minion or spell it comes from.
    pub source: u16,
    /// The minion that has the effect; none for an effect of a group.
    pub bearer: Option<Place>,
    /// The point at which it happened.
    pub when: Trigger,
    /// What it did.
    pub does: Verb,
    /// The number it changed, for `gain`.
    pub stat: Option<Stat>,
    /// The minion it was on; none where it was on the combat.
    pub on: Option<Place>,
    /// The amount of the change.
    pub amount: i16,
}

/// How a minion's victim was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Choice {
    /// Two idle bashers paired up; each is the other's victim.
    PairsUp,
    /// An effect compelled the minion to attack it.
    Must,
    /// The minion chose wisely, by the tiebreakers.
    Wisely,
    /// The minion retaliates against the first enemy that attacks it.
    Retaliates,
    /// A further attack falls on a random enemy.
    AtRandom,
}

/// An event, reported after its consequences have been applied to the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The phase begins; all groups stand.
    Begins,
    /// A combat begins: the two groups are on the field (C1).
    Combat,
    /// The next combat of the schedule is not fought, because one of its groups, or both, no longer stand.
    FallsAway,
    /// A combat round begins (R1).
    Round(u8),
    /// A minion has a new victim.
    Chooses {
        /// The minion.
        who: Place,
        /// Its new victim.
        victim: Place,
        /// How the victim was chosen.
        how: Choice,
        /// The number of candidates that a die decided between; 1 when none was thrown.
        among: u8,
    },
    /// A basher found no opponent to pair up with.
    LeftOver(Place),
    /// A basher whom nobody attacks forfeits its remaining attacks.
    Forfeits(Place),
    /// An attack missed because of the level difference.
    Misses {
        /// The attacker.
        by: Place,
        /// Its victim.
        on: Place,
        /// The attacker's consecutive misses, this one included.
        misses: u8,
    },
    /// An attack has hit; its damage is calculated next (A2).
    Attack {
        /// The attacker.
        by: Place,
        /// Its victim.
        on: Place,
        /// The weapon.
        weapon: Weapon,
    },
    /// An attack meets effects that answer it; reported before the damage.
    Struck {
        /// The attacker.
        by: Place,
        /// Its victim.
        on: Place,
    },
    /// A minion took damage, or the damage bounced.
    Blow(Blow),
    /// An effect happened.
    Effect(Happened),
    /// An effect made an idle minion attack somebody; the choice is reported next.
    Compels {
        /// Index into the setup's effects.
        number: u16,
        /// The minion that has the effect.
        bearer: Place,
        /// The minion that is made to attack.
        who: Place,
    },
    /// A minion is buried.
    Buried {
        /// The minion.
        who: Place,
        /// The minion that is to blame; none where nobody is.
        blame: Option<Place>,
    },
    /// A recruit qualifies for an experience level (A8).
    Qualifies(Place),
    /// A combat is over (C4).
    CombatOver,
}
