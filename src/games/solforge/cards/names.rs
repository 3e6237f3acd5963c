//! Names that cards use for each other, looked up.

use rustc_hash::FxHashMap;

use super::vocabulary::CardForm;
use crate::games::solforge::ability::Tribes;
use crate::games::solforge::state::Form;

/// Everything that has a name.
pub(super) struct Names<'f> {
    /// By name: the first form and how many levels there are.
    forms: FxHashMap<&'f str, (u16, u8)>,
    /// In the order of their bits.
    pub tribes: Vec<String>,
}

impl<'f> Names<'f> {
    pub(super) fn new(cards: impl Iterator<Item = &'f CardForm>) -> Self {
        let mut names = Self { forms: FxHashMap::default(), tribes: Vec::new() };
        let mut next = 0;
        for card in cards {
            let levels = levels(card);
            names.forms.entry(&card.name).or_insert((next, levels));
            next += u16::from(levels);
            for tribe in &card.tribes {
                if !names.tribes.contains(tribe) {
                    names.tribes.push(tribe.clone());
                }
            }
        }
        names
    }

    /// The form of a card at a level, or at its highest where it has fewer.
    pub(super) fn form(&self, card: &str, level: u8) -> Option<Form> {
        let &(first, levels) = self.forms.get(card)?;
        Some(Form(first + u16::from(level.clamp(1, levels.max(1)) - 1)))
    }

    pub(super) fn cards(&self) -> impl Iterator<Item = &'f str> + '_ {
        self.forms.keys().copied()
    }

    pub(super) fn tribe(&self, name: &str) -> Option<Tribes> {
        let bit = self.tribes.iter().position(|tribe| tribe == name)?;
        Some(1 << bit.min(63))
    }
}

/// How many levels a card has.
pub(super) fn levels(card: &CardForm) -> u8 {
    if card.attack.is_empty() && card.health.is_empty() {
        card.levels.unwrap_or(3)
    } else {
        card.attack.len().max(card.health.len()).min(4) as u8
    }
}
