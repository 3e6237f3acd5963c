//! The 27 rulesets of the guide and those of the later edition, one row each: everything else about a ruleset follows
//! from its row, and the compiler names every phase that has to handle a new one.

use enumset::{EnumSet, EnumSetType};
use strum::{Display, EnumCount, EnumIter, EnumString, IntoStaticStr};

use super::edition::Edition;

/// When a ruleset can be drawn in a pair (guide, Type; SP-03, SP-05, SP-06, SP-07, SP-08).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr)]
pub enum Kind {
    /// Only as the first of a pair.
    Primary,
    /// As the first or the second of a pair.
    Any,
    /// Only as the second of a pair.
    Secondary,
}

/// What a ruleset changes, and so which file implements it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Works {
    /// Which cards can be brought (`legal.rs`).
    Selection,
    /// The cards' numbers (`squad.rs`).
    Numbers,
    /// What monsters, or summoners too, can do (`prebattle.rs`).
    Abilities,
    /// What summoners do (`squad.rs`).
    Summoners,
    /// What hurts monsters at the start of a round (`round_start.rs`).
    RoundStart,
    /// Who acts next, and the chance to hit (`turn_order.rs`, `hit.rs`).
    OrderAndHit,
    /// Who can attack, and whom (`target.rs`).
    Target,
    /// The chance to hit (`hit.rs`).
    Hit,
    /// What armor protects against (`damage.rs`).
    Damage,
    /// What follows from an attack (`attack.rs`).
    Attack,
    /// It changes nothing.
    Nowhere,
}

/// The facts about a ruleset: its row of the list below.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Its name, as people write it.
    pub name: &'static str,
    /// When it can be drawn in a pair.
    pub kind: Kind,
    /// The first edition that has it.
    pub edition: Edition,
    /// Rulesets that it is never paired with; each such pair stands in one of the two rows (SP-10).
    pub not_with: &'static [Ruleset],
    /// What it changes.
    pub works: Works,
    /// The acceptance cases that hold it in place; those of the later edition are the `SP-L` cases.
    pub cases: &'static [&'static str],
    /// What it does, in one sentence without a full stop.
    pub text: &'static str,
}

macro_rules! rulesets {
    ($($ruleset:ident = $name:tt, $kind:ident, $edition:ident, not with [$($other:ident)*],
       works on $works:ident, $text:literal, cases [$($case:literal)*];)+) => {
        /// A special rule that a battle can have.
        #[derive(
            EnumSetType,
            Debug,
            Hash,
            PartialOrd,
            Ord,
            Display,
            EnumString,
            EnumIter,
            EnumCount,
            IntoStaticStr,
        )]
        pub enum Ruleset {
            $(
                #[doc = $text]
                #[strum(serialize = $name)]
                $ruleset,
            )+
        }

        impl Ruleset {
            /// The facts about this ruleset.
            #[must_use]
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(Ruleset::$ruleset => &Facts {
                        name: $name,
                        kind: Kind::$kind,
                        edition: Edition::$edition,
                        not_with: &[$(Ruleset::$other),*],
                        works: Works::$works,
                        cases: &[$($case),*],
                        text: $text,
                    },)+
                }
            }
        }
    };
}

rulesets! {
    AimTrue = "Aim True", Primary, Guide, not with [], works on Hit,
        "Melee and ranged attacks always hit",
        cases ["SP-22"];
    ArmoredUp = "Armored Up", Primary, Guide, not with [], works on Numbers,
        "Every monster has 2 more armor",
        cases ["SP-23" "SP-24" "SP-25"];
    BackToBasics = "Back to Basics", Primary, Guide, not with [HealedOut HeavyHitters], works on Abilities,
        "Monsters lose their own abilities",
        cases ["SP-26" "SP-27" "SP-28" "SP-29" "SP-30" "SP-31" "SP-32"];
    FogOfWar = "Fog of War", Primary, Guide, not with [], works on Abilities,
        "Monsters lose Sneak and Snipe",
        cases ["SP-33" "SP-34" "SP-35" "SP-36"];
    SilencedSummoners = "Silenced Summoners", Primary, Guide, not with [], works on Summoners,
        "Summoners do nothing",
        cases ["SP-37" "SP-38" "SP-39"];
    Standard = "Standard", Primary, Guide, not with [], works on Nowhere,
        "Nothing changes",
        cases ["SP-02" "SP-40"];
    SuperSneak = "Super Sneak", Primary, Guide, not with [MeleeMayhem KeepYourDistance], works on Abilities,
        "Melee monsters have Sneak",
        cases ["SP-41" "SP-42" "SP-43" "SP-44" "SP-45" "SP-46"];
    TargetPractice = "Target Practice", Primary, Guide, not with [UpCloseAndPersonal], works on Abilities,
        "Ranged and magic monsters have Snipe",
        cases ["SP-47" "SP-48" "SP-49" "SP-50" "SP-51" "SP-52" "SP-53" "SP-54" "SP-55" "SP-56"];
    Unprotected = "Unprotected", Primary, Guide, not with [], works on Numbers,
        "Nobody has armor",
        cases ["SP-57" "SP-58" "SP-59" "SP-60"];
    WeakMagic = "Weak Magic", Primary, Guide, not with [UpCloseAndPersonal LostMagic], works on Damage,
        "Magic hits armor first",
        cases ["SP-63" "SP-64" "SP-65" "SP-66"];
    CloseRange = "Close Range", Any, Guide, not with [BrokenArrows UpCloseAndPersonal], works on Target,
        "Ranged attacks work from the front",
        cases ["SP-67" "SP-68"];
    Earthquake = "Earthquake", Any, Guide, not with [], works on RoundStart,
        "Whoever does not fly takes 2 melee damage each round",
        cases ["SP-69" "SP-70" "SP-71" "SP-72" "SP-73" "SP-74" "SP-75" "SP-76"];
    Equalizer = "Equalizer", Any, Guide, not with [], works on Numbers,
        "Everyone starts with the highest health of all",
        cases ["SP-77" "SP-78"];
    HealedOut = "Healed Out", Any, Guide, not with [], works on Abilities,
        "Nobody heals",
        cases ["SP-79" "SP-80" "SP-81" "SP-82"];
    HeavyHitters = "Heavy Hitters", Any, Guide, not with [], works on Abilities,
        "Everyone has Knock Out",
        cases ["SP-83" "SP-84" "SP-85" "SP-86"];
    ReverseSpeed = "Reverse Speed", Any, Guide, not with [], works on OrderAndHit,
        "The slow act first, and the fast miss",
        cases ["SP-89" "SP-90" "SP-91"];
    BrokenArrows = "Broken Arrows", Secondary, Guide, not with [], works on Selection,
        "No monster with a ranged attack",
        cases ["SP-93"];
    EvenStevens = "Even Stevens", Secondary, Guide, not with [], works on Selection,
        "Only monsters of even mana",
        cases ["SP-94"];
    KeepYourDistance = "Keep Your Distance", Secondary, Guide, not with [Stampede], works on Selection,
        "No monster with a melee attack",
        cases ["SP-96"];
    LittleLeague = "Little League", Secondary, Guide, not with [], works on Selection,
        "Only cards of at most 4 mana",
        cases ["SP-97"];
    LostLegendaries = "Lost Legendaries", Secondary, Guide, not with [], works on Selection,
        "No legendary monsters",
        cases ["SP-98"];
    LostMagic = "Lost Magic", Secondary, Guide, not with [], works on Selection,
        "No monster with a magic attack",
        cases ["SP-99"];
    MeleeMayhem = "Melee Mayhem", Secondary, Guide, not with [], works on Target,
        "Melee monsters attack from any position",
        cases ["SP-35" "SP-56" "SP-100" "SP-101" "SP-102"];
    OddOnesOut = "Odd Ones Out", Secondary, Guide, not with [], works on Selection,
        "Only monsters of odd mana",
        cases ["SP-95"];
    RiseOfTheCommons = "Rise of the Commons", Secondary, Guide, not with [], works on Selection,
        "Only common and rare monsters",
        cases ["SP-103"];
    TakingSides = "Taking Sides", Secondary, Guide, not with [], works on Selection,
        "No neutral monsters",
        cases ["SP-104"];
    UpCloseAndPersonal = "Up Close & Personal", Secondary, Guide, not with [], works on Selection,
        "Only monsters with a melee attack",
        cases ["SP-105"];
    // The later edition. New rulesets go to the end, so that the numbers of the others stay the same. No recorded
    // battle has Equal Opportunity: it follows the publisher's text alone.
    EqualOpportunity = "Equal Opportunity", Primary, Later, not with [], works on Abilities,
        "Everyone has Opportunity",
        cases [];
    ExplosiveWeaponry = "Explosive Weaponry", Any, Later, not with [], works on Abilities,
        "Everyone has Blast",
        cases [];
    // No recorded battle has it: it follows the publisher's text alone.
    HolyProtection = "Holy Protection", Any, Later, not with [], works on Abilities,
        "Everyone has Divine Shield",
        cases [];
    NoxiousFumes = "Noxious Fumes", Any, Later, not with [], works on RoundStart,
        "Everyone starts poisoned",
        cases [];
    SpreadingFury = "Spreading Fury", Any, Later, not with [], works on Abilities,
        "Everyone has Enrage",
        cases [];
    // No recorded battle has it: it follows the publisher's text alone.
    Stampede = "Stampede", Any, Later, not with [], works on Attack,
        "Trample goes on as long as it kills",
        cases [];
}

/// The rulesets of one battle.
pub type Rulesets = EnumSet<Ruleset>;

impl Ruleset {
    /// The first edition that has it.
    #[must_use]
    pub fn edition(self) -> Edition {
        self.facts().edition
    }

    /// When it can be drawn in a pair (SP-03).
    #[must_use]
    pub fn kind(self) -> Kind {
        self.facts().kind
    }

    /// Whether both can be in force in one battle: they are different and do not exclude each other (SP-10, SP-11).
    #[must_use]
    pub fn goes_with(self, other: Ruleset) -> bool {
        let excludes = |one: Ruleset, other| one.facts().not_with.contains(&other);
        self != other && !excludes(self, other) && !excludes(other, self)
    }

    /// What it does, in one sentence without a full stop.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.facts().text
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for ruleset in Ruleset::iter() {
            assert_eq!(ruleset.facts().name.parse(), Ok(ruleset));
        }
    }

    #[test]
    fn a_pair_that_is_excluded_stands_in_one_row() {
        for ruleset in Ruleset::iter() {
            for other in ruleset.facts().not_with {
                assert!(!other.facts().not_with.contains(&ruleset), "{ruleset} and {other}");
            }
        }
    }
}
