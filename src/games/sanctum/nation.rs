//! The twelve houses, their nations, and the ability of each nation's recruits.

use schemars::JsonSchema;
use serde::Deserialize;
use strum::{Display, EnumIter, IntoStaticStr};

use super::effect::{Class, Effect, Trigger, Verb, Weapon};

/// A house. Its nation's swordsmen and archers fight for it, with the nation's ability.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Deserialize,
    JsonSchema,
    EnumIter,
    Display,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
pub enum House {
    /// Imps.
    Abomination,
    /// Cyclopes.
    Body,
    /// Keepers.
    Death,
    /// Shadows.
    Despair,
    /// Visions.
    Hope,
    /// Gargoyles.
    Justice,
    /// Elves.
    Life,
    /// Dwarves.
    Making,
    /// Djinn.
    Mind,
    /// Satyrs.
    Nature,
    /// Misfits.
    Unmaking,
    /// Humans.
    War,
}

/// The ability that distinguishes a nation's recruits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// Nine hit points instead of seven.
    Tough,
    /// One more hand damage in round 2.
    Fierce,
    /// One more missile damage in round 1.
    Keen,
    /// Crosses mountains; has no effect in combat.
    Mountainwalk,
    /// Crosses water; has no effect in combat.
    Waterwalk,
}

impl House {
    /// The name of its nation, in the singular.
    #[must_use]
    pub fn nation(self) -> &'static str {
        match self {
            House::Abomination => "Imp",
            House::Body => "Cyclops",
            House::Death => "Keeper",
            House::Despair => "Shadow",
            House::Hope => "Vision",
            House::Justice => "Gargoyle",
            House::Life => "Elf",
            House::Making => "Dwarf",
            House::Mind => "Djinn",
            House::Nature => "Satyr",
            House::Unmaking => "Misfit",
            House::War => "Human",
        }
    }

    /// The ability of its nation's recruits.
    #[must_use]
    pub fn ability(self) -> Ability {
        match self {
            House::Body | House::Justice | House::Unmaking => Ability::Tough,
            House::Abomination | House::Death | House::War => Ability::Fierce,
            House::Life | House::Nature => Ability::Keen,
            House::Despair | House::Making => Ability::Mountainwalk,
            House::Hope | House::Mind => Ability::Waterwalk,
        }
    }

    /// Its class, for effects that are restricted to a house.
    #[must_use]
    pub fn class(self) -> Class {
        match self {
            House::Abomination => Class::Abomination,
            House::Body => Class::Body,
            House::Death => Class::Death,
            House::Despair => Class::Despair,
            House::Hope => Class::Hope,
            House::Justice => Class::Justice,
            House::Life => Class::Life,
            House::Making => Class::Making,
            House::Mind => Class::Mind,
            House::Nature => Class::Nature,
            House::Unmaking => Class::Unmaking,
            House::War => Class::War,
        }
    }
}

/// The hit points that tough recruits have beyond those of other nations.
pub const TOUGHNESS: i16 = 2;

impl Ability {
    /// The ability as an effect in combat. None for abilities that matter outside of combat only, and for `Tough`,
    /// which changes hit points.
    #[must_use]
    pub fn effect(self) -> Option<Effect> {
        let (weapon, round) = match self {
            Ability::Fierce => (Weapon::Hand, 2),
            Ability::Keen => (Weapon::Missile, 1),
            Ability::Tough | Ability::Mountainwalk | Ability::Waterwalk => return None,
        };
        let more = Effect::new(Trigger::Attacks, Verb::DealMore);
        Some(Effect { amount: 1, weapon: Some(weapon), rounds: (round, round), ..more })
    }

    /// A short description of it.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Ability::Tough => "2 more hit points",
            Ability::Fierce => "+1 hand damage in round 2",
            Ability::Keen => "+1 missile damage in round 1",
            Ability::Mountainwalk => "mountainwalk (nothing in combat)",
            Ability::Waterwalk => "waterwalk (nothing in combat)",
        }
    }
}
