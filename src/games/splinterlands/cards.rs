//! Cards as facts: what the catalogue holds.

use std::sync::Arc;

use strum::{Display, EnumIter, EnumString, IntoStaticStr};

use super::ability::{Abilities, Ability};
use super::edition::Edition;

/// A splinter, the dragons, or neither.
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

/// Monster or summoner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, EnumIter, IntoStaticStr)]
pub enum CardKind {
    /// Fights.
    Monster,
    /// Leads.
    Summoner,
}

impl CardKind {
    /// The lowest and the highest that a number of such a card can be. The numbers of a battle are eight
    /// bits wide, and with these no sum of auras leaves them.
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
    /// What it costs.
    pub mana: u8,
    /// By level, level 1 first. A summoner has the same entry at every level.
    pub levels: Vec<Level>,
}

impl Card {
    /// An ability that it has at some level and the edition does not have yet.
    #[must_use]
    pub fn later_ability(&self, edition: Edition) -> Option<Ability> {
        let mut abilities = self.levels.iter().flat_map(|level| level.abilities.iter());
        abilities.find(|ability| ability.edition() > edition)
    }
}

/// A set of cards. A card is known by its place in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The cards, in file order. Variants of a catalogue share those that do not differ.
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

    /// The card that somebody is.
    ///
    /// # Panics
    /// When it is not of this catalogue.
    #[inline]
    #[must_use]
    pub fn card(&self, at: super::setup::CardAt) -> &Card {
        &self.cards[usize::from(at.card)]
    }

    /// The card's numbers and abilities at its level.
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
