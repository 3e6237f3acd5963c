//! What a card is: its type, numbers, targets and effects.

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::Deserialize;
use strum::{Display, EnumCount, EnumIter, IntoStaticStr};

use super::effect::Effect;

/// A card's type, which is also the deck it is dealt from. In the order in which "done" runs them (ET-10).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Display,
    EnumIter,
    EnumCount,
    Deserialize,
    JsonSchema,
)]
pub enum CardType {
    /// Helps its player or hinders another.
    Utility,
    /// Meets the attacks that come in.
    Defense,
    /// Lands at the target's next "done".
    Attack,
}

impl CardType {
    /// What kind of unit its cards are, in tables and on pages.
    pub(super) fn of_unit(self) -> &'static str {
        match self {
            Self::Utility => "utility",
            Self::Defense => "defense",
            Self::Attack => "attack",
        }
    }
}

/// How rare a card is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Display, Deserialize, JsonSchema,
)]
pub enum Rarity {
    /// Common.
    #[default]
    Common,
    /// Uncommon.
    Uncommon,
    /// Rare.
    Rare,
    /// Epic.
    Epic,
}

/// The twelve classes.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Display,
    EnumIter,
    EnumCount,
    IntoStaticStr,
    Deserialize,
    JsonSchema,
)]
#[strum(serialize_all = "title_case")]
pub enum Class {
    /// Acolyte.
    Acolyte,
    /// Bard.
    Bard,
    /// Blademaster.
    Blademaster,
    /// Crusader.
    Crusader,
    /// Druid.
    Druid,
    /// Enchanter.
    Enchanter,
    /// Godhand.
    Godhand,
    /// Heavy Blade.
    #[serde(rename = "Heavy Blade")]
    HeavyBlade,
    /// Hunter.
    Hunter,
    /// Sorcerer.
    Sorcerer,
    /// Summoner.
    Summoner,
    /// Twin Blade.
    #[serde(rename = "Twin Blade")]
    TwinBlade,
}

/// Whom a card is played at.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Display, IntoStaticStr, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Targets {
    /// Nobody is named: it is for its player.
    #[serde(rename = "self")]
    #[strum(serialize = "self")]
    Player,
    /// One other character.
    One,
    /// Up to as many as it has hits, the same one more than once if wished; the hits go round among them.
    Area,
    /// Up to as many as it has hits, the same one more than once if wished; each hit falls on one of them at
    /// random.
    Random,
}

impl Targets {
    /// Whether several targets may be named.
    #[inline]
    #[must_use]
    pub fn spreads(self) -> bool {
        match self {
            Targets::Area | Targets::Random => true,
            Targets::Player | Targets::One => false,
        }
    }
}

/// When an effect starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Display, Deserialize, JsonSchema)]
pub enum Trigger {
    /// When the card runs in the order of operations (ET-24).
    #[default]
    #[serde(rename = "on activation")]
    #[strum(serialize = "on activation")]
    Activation,
    /// The moment the card is played (ET-25).
    #[serde(rename = "on play")]
    #[strum(serialize = "on play")]
    Play,
}

/// Who bears an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Bearer {
    /// Whoever played the card.
    #[serde(rename = "self")]
    #[strum(serialize = "self")]
    Player,
    /// Each character the card is played at.
    Target,
}

/// An effect as a card applies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Applies {
    /// When it starts.
    pub trigger: Trigger,
    /// Who bears it.
    pub bearer: Bearer,
    /// The effect, with its full durations.
    pub effect: Effect,
}

/// The maximum number of effects on one card.
pub const EFFECTS: usize = 4;
/// The maximum number of hits of one card.
pub const HITS: usize = 9;

/// A card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub title: String,
    /// Its text for readers.
    pub description: String,
    /// Its type.
    pub kind: CardType,
    /// Its rarity.
    pub rarity: Rarity,
    /// The classes that a character needs to bring it, each with the number of the character's two class slots
    /// that must have it.
    pub requires: Vec<(Class, u8)>,
    /// Whether a copy is used up when it is played.
    pub single_use: bool,
    /// The energy it costs, 1 or 2.
    pub cost: u8,
    /// The damage of each hit of an attack.
    pub damage: u8,
    /// The guard of each hit of a defense.
    pub defense: u8,
    /// How often damage or defense is computed; 0 for a card without either.
    pub hits: u8,
    /// Whom it is played at.
    pub targets: Targets,
    /// The effects it applies.
    pub effects: ArrayVec<Applies, EFFECTS>,
}

impl Card {
    /// The required class for display: `Hunter`, or `any`.
    #[must_use]
    pub fn class_label(&self) -> String {
        let names: Vec<&str> = self.requires.iter().map(|&(class, _)| class.into()).collect();
        if names.is_empty() { "any".to_owned() } else { names.join("/") }
    }

    /// Whether a character of these classes may bring it.
    #[must_use]
    pub fn suits(&self, classes: &[Class]) -> bool {
        self.requires.iter().all(|&(class, count)| {
            classes.iter().filter(|&&own| own == class).count() >= usize::from(count)
        })
    }
}
