//! Cards, as the catalogue holds them.

use std::sync::Arc;

use strum::{Display, EnumIter, EnumString, IntoStaticStr};

use super::ability::{Abilities, Ability};
use super::edition::Edition;

/// A card's faction: one of the five splinters, the dragons, or neutral.
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
    EnumString,
    EnumIter,
    IntoStaticStr,
)]
pub enum Faction {
    /// Red.
    Fire,
    /// Blue.
    Water,
    /// Green.
    Earth,
    /// White.
    Life,
    /// Black.
    Death,
    /// Gold: its summoners lead one of the splinters beside the dragons.
    Dragon,
    /// Gray: can be led by anybody.
    Neutral,
}

/// How rare a card is, from 1 to 4.
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
    EnumString,
    EnumIter,
    IntoStaticStr,
)]
#[repr(u8)]
pub enum Rarity {
    /// Up to level 10.
    Common = 1,
    /// Up to level 8.
    Rare = 2,
    /// Up to level 6.
    Epic = 3,
    /// Up to level 4.
    Legendary = 4,
}

impl Rarity {
    /// The highest level of cards of this rarity.
    #[must_use]
    pub fn max_level(self) -> u8 {
        [10, 8, 6, 4][self as usize - 1]
    }
}

/// Whether a card is a monster or a summoner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, EnumIter, IntoStaticStr)]
pub enum CardKind {
    /// It fights.
    Monster,
    /// It leads a team.
    Summoner,
}

impl CardKind {
    /// The lowest and the highest value of any number of a card of this kind. The numbers of a battle are eight bits
    /// wide, and within these limits no sum of auras overflows them.
    #[must_use]
    pub fn range(self) -> (i8, i8) {
        match self {
            CardKind::Monster => (0, 99),
            CardKind::Summoner => (-9, 9),
        }
    }
}

/// A monster's numbers at one level, or what a summoner adds to everybody's (negative: to the enemy's).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stats {
    /// Melee attack.
    pub melee: i8,
    /// Ranged attack.
    pub ranged: i8,
    /// Magic attack.
    pub magic: i8,
    /// Armor.
    pub armor: i8,
    /// Health.
    pub health: i8,
    /// Speed.
    pub speed: i8,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.melee += other.melee;
        self.ranged += other.ranged;
        self.magic += other.magic;
        self.armor += other.armor;
        self.health += other.health;
        self.speed += other.speed;
    }
}

impl std::ops::SubAssign for Stats {
    fn sub_assign(&mut self, other: Self) {
        self.melee -= other.melee;
        self.ranged -= other.ranged;
        self.magic -= other.magic;
        self.armor -= other.armor;
        self.health -= other.health;
        self.speed -= other.speed;
    }
}

/// A card at one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Its numbers.
    pub stats: Stats,
    /// All its abilities at this level.
    pub abilities: Abilities,
}

/// A card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The game's own number for it.
    pub id: u16,
    /// Its name.
    pub name: String,
    /// Its faction.
    pub faction: Faction,
    /// Monster or summoner.
    pub kind: CardKind,
    /// Its rarity.
    pub rarity: Rarity,
    /// Its mana cost.
    pub mana: u8,
    /// Its numbers and abilities by level, level 1 first. A summoner has the same entry at every level.
    pub levels: Vec<Level>,
}

impl Card {
    /// An ability that the card has at some level but that the edition does not have yet; None if there is none.
    #[must_use]
    pub fn later_ability(&self, edition: Edition) -> Option<Ability> {
        let mut abilities = self.levels.iter().flat_map(|level| level.abilities.iter());
        abilities.find(|ability| ability.edition() > edition)
    }
}

/// A set of cards. A card is identified by its place in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The cards, in file order. Variants of a catalogue share the cards that do not differ.
    pub cards: Vec<Arc<Card>>,
}

impl FromIterator<Card> for Catalogue {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        Self { cards: cards.into_iter().map(Arc::new).collect() }
    }
}

impl Catalogue {
    /// The cards, in file order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Card> {
        self.cards.iter().map(|card| &**card)
    }

    /// The card that `at` means, whatever its level.
    ///
    /// # Panics
    /// When it is not of this catalogue.
    #[inline]
    #[must_use]
    pub fn card(&self, at: super::setup::CardAt) -> &Card {
        &self.cards[usize::from(at.card)]
    }

    /// The numbers and abilities of a card at its level.
    ///
    /// # Panics
    /// When it is not of this catalogue, or has no such level.
    #[inline]
    #[must_use]
    pub fn level(&self, at: super::setup::CardAt) -> &Level {
        let levels = &self.card(at).levels;
        &levels[usize::from(at.level - 1)]
    }
}
