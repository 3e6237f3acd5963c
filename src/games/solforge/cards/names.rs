//! Looks up the names that cards use for each other and for tribes.

use rustc_hash::FxHashMap;

use super::vocabulary::{CardForm, Kind};
use crate::games::solforge::ability::Tribes;
use crate::games::solforge::state::Form;

/// Everything that has a name: cards and tribes.
pub(super) struct Names<'f> {
    /// By card name: the first form and the card.
    forms: FxHashMap<&'f str, (u16, &'f CardForm)>,
    /// The names of the tribes, in the order of their bits.
    pub tribes: Vec<String>,
}

impl<'f> Names<'f> {
    pub(super) fn new(cards: impl Iterator<Item = &'f CardForm>) -> Self {
        let mut names = Self { forms: FxHashMap::default(), tribes: Vec::new() };
        let mut next = 0;
        for card in cards {
            let levels = levels(card);
            names.forms.entry(&card.name).or_insert((next, card));
            next += u16::from(levels);
            for tribe in &card.tribes {
                if !names.tribes.contains(tribe) {
                    names.tribes.push(tribe.clone());
                }
            }
        }
        names
    }

    /// The form of a card at a level, or at its highest where it has fewer, and whether that is a creature.
    pub(super) fn form(&self, card: &str, level: u8) -> Option<(Form, Kind)> {
        let &(first, card) = self.forms.get(card)?;
        let level = level.clamp(1, levels(card).max(1));
        Some((Form(first + u16::from(level) - 1), kind_at(card, level)))
    }

    pub(super) fn cards(&self) -> impl Iterator<Item = &'f str> + '_ {
        self.forms.keys().copied()
    }

    pub(super) fn tribe(&self, name: &str) -> Option<Tribes> {
        let bit = self.tribes.iter().position(|tribe| tribe == name)?;
        Some(1 << bit)
    }
}

/// Maximum number of levels of a card.
pub(super) const LEVELS: u8 = 4;

/// Whether a card is a creature at a level.
pub(super) fn kind_at(card: &CardForm, level: u8) -> Kind {
    let numbers = card.attack.is_empty() && card.health.is_empty();
    if numbers || card.spell_at.contains(&level) { Kind::Spell } else { Kind::Creature }
}

/// How many levels a card has.
pub(super) fn levels(card: &CardForm) -> u8 {
    if card.attack.is_empty() && card.health.is_empty() {
        card.levels.unwrap_or(3)
    } else {
        card.attack.len().max(card.health.len()).min(LEVELS.into()) as u8
    }
}
