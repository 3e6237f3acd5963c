//! What a watch of a Sanctum combat phase is told.

use strum::IntoStaticStr;

use super::effect::{Stat, Trigger, Verb, Weapon};
use super::state::Place;

/// What an attack did to its victim (A3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DamageResult {
    /// Nothing came through.
    Bounced,
    /// Hit points were lost.
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
    /// Whether it is an attack, rather than an effect.
    pub attack: bool,
    /// How much it was before armor.
    pub power: i16,
    /// What armor soaked.
    pub to_armor: i16,
    /// Hit points lost.
    pub to_hit_points: i16,
    /// Damage beyond the hit points that were left.
    pub overkill: i16,
    /// What came of it.
    pub result: DamageResult,
}

/// An effect that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened {
    /// Which of the setup's effects it is.
    pub number: u16,
    /// The minion or spell it comes from, as a place in the setup's list of names.
    pub source: u16,
    /// Whose it is; none for a group's own.
    pub bearer: Option<Place>,
    /// At which point.
    pub when: Trigger,
    /// What.
    pub does: Verb,
    /// Of which number, where one changes.
    pub stat: Option<Stat>,
    /// To whom; none where it is on the combat.
    pub on: Option<Place>,
    /// How much.
    pub amount: i8,
}

/// How a minion came by its victim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Choice {
    /// Two idle bashers paired up; each is the other's victim.
    PairsUp,
    /// An effect said that it must.
    Must,
    /// By the tiebreakers.
    Wisely,
    /// The first enemy whose victim it is.
    Retaliates,
    /// A further attack, on anybody.
    AtRandom,
}

/// Something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The phase begins; all groups stand.
    Begins,
    /// A combat begins: the two groups are on the field (C1).
    Combat,
    /// A combat round begins (R1).
    Round(u8),
    /// A minion has a new victim. `among` is how many a die decided between, 1 when none was thrown.
    Chooses {
        /// Who.
        who: Place,
        /// Whom.
        victim: Place,
        /// How.
        how: Choice,
        /// Among how many.
        among: u8,
    },
    /// A basher found nobody to pair up with.
    LeftOver(Place),
    /// A basher whom nobody attacks forfeits its remaining attacks.
    Forfeits(Place),
    /// An attack missed because of the level difference; `misses` are in a row now.
    Misses {
        /// Who.
        by: Place,
        /// Whom.
        on: Place,
        /// How many in a row.
        misses: u8,
    },
    /// An attack has hit, and its damage is calculated (A2).
    Attack {
        /// Who attacks.
        by: Place,
        /// Whom.
        on: Place,
        /// With what.
        weapon: Weapon,
    },
    /// An attack meets effects that answer it, before its damage is told.
    Struck {
        /// Who attacks.
        by: Place,
        /// Whom.
        on: Place,
    },
    /// Damage.
    Blow(Blow),
    /// An effect happened.
    Effect(Happened),
    /// An effect made an idle minion attack somebody; whom is told next.
    Compels {
        /// Which of the setup's effects.
        number: u16,
    },
    /// A minion is buried. `blame` is who killed it.
    Buried {
        /// Who.
        who: Place,
        /// Who is to blame.
        blame: Option<Place>,
    },
    /// A recruit qualifies for an experience level (A8).
    Qualifies(Place),
    /// A combat is over (C4).
    CombatOver,
}
