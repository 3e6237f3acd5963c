//! The 27 rulesets of the guide, those of the later edition, their types and which of them exclude each other (SP-03,
//! SP-10).

use super::edition::Edition;
use enumset::{EnumSet, EnumSetType, enum_set};
use strum::{Display, EnumCount, EnumIter, EnumMessage, EnumString, IntoStaticStr};

/// When a ruleset can be drawn in a pair (SP-05 to SP-08).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr)]
pub enum Kind {
    /// Only first.
    Primary,
    /// First or second.
    Any,
    /// Only second.
    Secondary,
}

/// A rule of one battle.
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
    EnumMessage,
)]
#[strum(serialize_all = "title_case")]
pub enum Ruleset {
    /// Melee and ranged attacks always hit (SP-22).
    AimTrue,
    /// Every monster has 2 more armor (SP-23).
    ArmoredUp,
    /// Monsters lose their own abilities (SP-26).
    #[strum(serialize = "Back to Basics")]
    BackToBasics,
    /// Monsters lose Sneak and Snipe (SP-33).
    #[strum(serialize = "Fog of War")]
    FogOfWar,
    /// Summoners do nothing (SP-37).
    SilencedSummoners,
    /// Nothing changes (SP-40).
    Standard,
    /// Melee monsters have Sneak (SP-41).
    SuperSneak,
    /// Ranged and magic monsters have Snipe (SP-47).
    TargetPractice,
    /// Nobody has armor (SP-57 to SP-60).
    Unprotected,
    /// Magic hits armor first (SP-63).
    WeakMagic,
    /// Ranged attacks work from the front (SP-68).
    CloseRange,
    /// Whoever does not fly takes 2 melee damage each round (SP-69).
    Earthquake,
    /// Everyone starts with the highest health of all (SP-77).
    Equalizer,
    /// Nobody heals (SP-79).
    HealedOut,
    /// Everyone has Knock Out (SP-83).
    HeavyHitters,
    /// The slow act first, and the fast miss (SP-89, SP-91).
    ReverseSpeed,
    /// No monster with a ranged attack (SP-93).
    BrokenArrows,
    /// Only monsters of even mana (SP-94).
    EvenStevens,
    /// No monster with a melee attack (SP-96).
    KeepYourDistance,
    /// Only cards of at most 4 mana (SP-97).
    LittleLeague,
    /// No legendary monsters (SP-98).
    LostLegendaries,
    /// No monster with a magic attack (SP-99).
    LostMagic,
    /// Melee monsters attack from any position (SP-100, SP-101).
    MeleeMayhem,
    /// Only monsters of odd mana (SP-95).
    OddOnesOut,
    /// Only common and rare monsters (SP-103).
    #[strum(serialize = "Rise of the Commons")]
    RiseOfTheCommons,
    /// No neutral monsters (SP-104).
    TakingSides,
    /// Only monsters with a melee attack (SP-105).
    #[strum(serialize = "Up Close & Personal")]
    UpCloseAndPersonal,

    // The later edition; new ones go to the end, where they change no number of the others.
    /// Everyone has Opportunity.
    EqualOpportunity,
    /// Everyone has Blast.
    ExplosiveWeaponry,
    /// Everyone has Divine Shield.
    HolyProtection,
    /// Everyone starts poisoned.
    NoxiousFumes,
    /// Everyone has Enrage.
    SpreadingFury,
    /// Trample goes on as long as it kills.
    Stampede,
}

/// The rulesets of one battle.
pub type Rulesets = EnumSet<Ruleset>;

/// Pairs that exclude each other (SP-10).
pub const EXCLUSIVE: [(Ruleset, Ruleset); 9] = [
    (Ruleset::BackToBasics, Ruleset::HealedOut),
    (Ruleset::BackToBasics, Ruleset::HeavyHitters),
    (Ruleset::SuperSneak, Ruleset::MeleeMayhem),
    (Ruleset::SuperSneak, Ruleset::KeepYourDistance),
    (Ruleset::TargetPractice, Ruleset::UpCloseAndPersonal),
    (Ruleset::WeakMagic, Ruleset::UpCloseAndPersonal),
    (Ruleset::WeakMagic, Ruleset::LostMagic),
    (Ruleset::CloseRange, Ruleset::BrokenArrows),
    (Ruleset::CloseRange, Ruleset::UpCloseAndPersonal),
];

/// Those of the later edition.
pub const LATER_EXCLUSIVE: [(Ruleset, Ruleset); 1] =
    [(Ruleset::KeepYourDistance, Ruleset::Stampede)];

impl Ruleset {
    /// From which edition on the game has it.
    #[must_use]
    pub fn edition(self) -> Edition {
        if self < Ruleset::EqualOpportunity { Edition::Guide } else { Edition::Later }
    }

    /// When it can be drawn in a pair (SP-03).
    #[must_use]
    pub fn kind(self) -> Kind {
        const ANY: Rulesets = enum_set!(
            Ruleset::CloseRange
                | Ruleset::Earthquake
                | Ruleset::Equalizer
                | Ruleset::HealedOut
                | Ruleset::HeavyHitters
                | Ruleset::ReverseSpeed
                | Ruleset::ExplosiveWeaponry
                | Ruleset::HolyProtection
                | Ruleset::NoxiousFumes
                | Ruleset::SpreadingFury
                | Ruleset::Stampede
        );
        match self {
            Ruleset::EqualOpportunity => Kind::Primary,
            _ if ANY.contains(self) => Kind::Any,
            _ if self < Ruleset::CloseRange => Kind::Primary,
            _ => Kind::Secondary,
        }
    }

    /// Whether both can rule one battle: not the same, and not mutually exclusive (SP-10, SP-11).
    #[must_use]
    pub fn goes_with(self, other: Ruleset) -> bool {
        let mut pairs = EXCLUSIVE.iter().chain(&LATER_EXCLUSIVE);
        self != other && !pairs.any(|&pair| pair == (self, other) || pair == (other, self))
    }
}

impl Ruleset {
    /// What it does, in one sentence: its own documentation, without the cases it cites.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        let text = self.get_documentation().unwrap_or_default();
        text.split(" (SP-").next().unwrap_or(text).trim_end_matches('.')
    }
}
