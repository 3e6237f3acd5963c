//! Pools of cards from which a legal deck of one or two factions is drawn for each game.

use arrayvec::ArrayVec;

use super::cards::vocabulary::Faction;
use super::rolls::Roll;
use super::state::{CARDS, FORMS, Form, Pile};
use crate::chance::Chance;

/// Maximum number of copies of a card in a deck.
pub const COPIES: usize = 3;

/// A pool of cards from which decks are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// The cards at level 1, by faction.
    cards: Vec<(Faction, Vec<Form>)>,
    /// The sets of factions that a deck can have, as indices into `cards`; twice the same index for a deck of one
    /// faction.
    choices: Vec<(usize, usize)>,
}

/// How many factions drawn decks have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Factions {
    /// One.
    One,
    /// Two.
    #[default]
    Two,
    /// One or two: every faction alone and every pair are equally likely.
    OneOrTwo,
}

/// The sets of factions that a deck can have, as indices below `count`; twice the same index for a deck of one faction.
fn choices(count: usize, factions: Factions) -> Vec<(usize, usize)> {
    let mut choices = Vec::new();
    for first in 0..count {
        if factions != Factions::Two {
            choices.push((first, first));
        }
        if factions != Factions::One {
            choices.extend((first + 1..count).map(|second| (first, second)));
        }
    }
    choices
}

impl Pool {
    /// The pool of these cards, given by faction.
    ///
    /// # Errors
    /// The factions whose cards cannot fill a deck, and how many cards (with all copies) they have.
    pub fn new(
        cards: Vec<(Faction, Vec<Form>)>,
        factions: Factions,
    ) -> Result<Self, (Vec<Faction>, usize)> {
        let pool = Self { choices: choices(cards.len(), factions), cards };
        for &choice in &pool.choices {
            let count = COPIES * pool.of(choice).count();
            if count < CARDS {
                let mut names = vec![pool.cards[choice.0].0, pool.cards[choice.1].0];
                names.dedup();
                return Err((names, count));
            }
        }
        if pool.choices.is_empty() {
            return Err((pool.cards.iter().map(|&(faction, _)| faction).collect(), 0));
        }
        Ok(pool)
    }

    /// The pool of these cards, without the sets of factions that cannot fill a deck; None if none can.
    pub(super) fn of_what_fills_decks(
        cards: Vec<(Faction, Vec<Form>)>,
        factions: Factions,
    ) -> Option<Self> {
        Self { choices: choices(cards.len(), factions), cards }.only(|_| true)
    }

    /// This pool with only the wanted cards, without the sets of factions that can no longer fill a deck; None if none
    /// can.
    pub(super) fn only(&self, wanted: impl Fn(Form) -> bool) -> Option<Self> {
        let mut pool = self.clone();
        for (_, forms) in &mut pool.cards {
            forms.retain(|&form| wanted(form));
        }
        let mut choices = std::mem::take(&mut pool.choices);
        choices.retain(|&choice| COPIES * pool.of(choice).count() >= CARDS);
        pool.choices = choices;
        (!pool.choices.is_empty()).then_some(pool)
    }

    /// All its cards, at level 1.
    pub(super) fn forms(&self) -> impl Iterator<Item = Form> + '_ {
        self.cards.iter().flat_map(|(_, forms)| forms.iter().copied())
    }

    /// The sets of factions that its decks can have.
    pub(super) fn choices(&self) -> impl Iterator<Item = Vec<Faction>> + '_ {
        self.choices.iter().map(|&(first, second)| {
            let mut factions = vec![self.cards[first].0, self.cards[second].0];
            factions.dedup();
            factions
        })
    }

    fn of(&self, (first, second): (usize, usize)) -> impl Iterator<Item = Form> + '_ {
        let more = if first == second { &[][..] } else { &self.cards[second].1[..] };
        self.cards[first].1.iter().chain(more).copied()
    }

    /// Draws a deck: first its factions, all choices equally likely, then thirty cards from three copies of each card
    /// of these factions, all equally likely (decision 27).
    pub(super) fn draw<C: Chance<Roll>>(&self, chance: &mut C) -> Pile {
        let choice = self.choices[chance.pick(Roll::DeckFactions, self.choices.len())];
        let mut left: ArrayVec<Form, { COPIES * FORMS }> = ArrayVec::new();
        for form in self.of(choice) {
            left.extend([form; COPIES]);
        }
        let mut deck = Pile::new();
        for _ in 0..CARDS {
            deck.push(left.swap_remove(chance.pick(Roll::DeckCard, left.len())));
        }
        deck
    }
}
