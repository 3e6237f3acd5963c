//! The names of all dice in a Splinterlands battle, in the order in which a battle can throw them; new ones
//! go to the end.

use strum::IntoStaticStr;

/// A die, named after what it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "title_case")]
pub enum Roll {
    /// Which of the scenario's mana caps the battle has.
    ManaCap,
    /// Which summoner leads a drawn team.
    Summoner,
    /// Which splinter a drawn dragon summoner leads beside the dragons, if any.
    Splinter,
    /// Which monsters are in a drawn team, cost by cost and card by card.
    TeamCard,
    /// In which order a drawn team lines up.
    TeamOrder,
    /// Which side the earthquake shakes first, for the whole battle (SP-75).
    EarthquakeSide,
    /// Which of several tied monsters acts first (SP-88).
    TurnTie,
    /// Whether a melee or ranged attack hits (SP-15 to SP-19).
    Hit,
    /// Whether a hit stuns.
    Stun,
    /// Whether a hit poisons.
    Poison,
    /// Whether a hit afflicts.
    Affliction,
    /// Whether the target of a melee attack strikes back.
    Retaliate,
    /// Whom a monster with Scattershot hits.
    Scattershot,
    /// Which rulesets the battle has: its first die (SP-01 to SP-14).
    Rulesets,
    /// Which monsters are in a drawn team, by one number for all of them.
    Team,
}

impl crate::chance::Roll for Roll {
    fn name(self) -> &'static str {
        self.into()
    }

    fn number(self) -> u8 {
        self as u8
    }
}
