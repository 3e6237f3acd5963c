//! Prepares a pool before the first battle: which summoners can lead which monsters under which conditions and mana
//! caps.

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use super::super::cards::{Card, CardKind, Catalogue, Faction, Rarity};
use super::super::legal::{SPLINTERS, forbids_monster, forbids_summoner, leads, monster_cap};
use super::super::ruleset::Rulesets;
use super::super::setup::CardAt;
use super::sets::{Deck, Sets, bounds};
use super::{Choice, Leader, Recipe};

/// Builds a pool. Everything is worked out once for all conditions that leave the same cards.
pub(super) struct Builder<'a> {
    catalogue: &'a Catalogue,
    recipe: &'a Recipe,
    /// The highest mana cap: no set can cost more.
    largest: usize,
    pub(super) decks: Vec<Deck>,
    pub(super) sets: Vec<Sets>,
    pub(super) choices: Vec<Choice>,
    choice_under: FxHashMap<(Rulesets, u8), u32>,
    deck_under: FxHashMap<(Rulesets, Following), Option<usize>>,
    deck_of_cards: FxHashMap<Vec<CardAt>, usize>,
    sets_within: FxHashMap<(usize, usize), Option<u32>>,
}

/// The properties of a summoner that decide which monsters it can lead, and at which levels.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Following {
    faction: Faction,
    splinter: Option<Faction>,
    /// By rarity: the highest level.
    caps: [u8; 4],
}

impl<'a> Builder<'a> {
    pub(super) fn new(catalogue: &'a Catalogue, recipe: &'a Recipe, largest: usize) -> Self {
        Self {
            catalogue,
            recipe,
            largest,
            decks: Vec::new(),
            sets: Vec::new(),
            choices: Vec::new(),
            choice_under: FxHashMap::default(),
            deck_under: FxHashMap::default(),
            deck_of_cards: FxHashMap::default(),
            sets_within: FxHashMap::default(),
        }
    }

    /// The index of the choice that is left under a mana cap and the rulesets that forbid cards.
    pub(super) fn choice(&mut self, rulesets: Rulesets, mana_cap: u8) -> u32 {
        if let Some(&known) = self.choice_under.get(&(rulesets, mana_cap)) {
            return known;
        }
        let catalogue = self.catalogue;
        let mut leaders = Vec::new();
        let mut weights = Vec::new();
        for (at, card) in catalogue.cards.iter().enumerate() {
            let weight = self.recipe.weights[at];
            let leads = card.kind == CardKind::Summoner
                && weight > 0.0
                && forbids_summoner(rulesets, card).is_none()
                && card.mana <= mana_cap;
            if !leads {
                continue;
            }
            let level = self.recipe.league.summoner_cap(card.rarity);
            let options = self.options(rulesets, card, level, usize::from(mana_cap - card.mana));
            if !options.is_empty() {
                leaders.push(Leader { summoner: CardAt { card: at as u16, level }, options });
                weights.push(weight);
            }
        }
        let whole = weights.iter().all(|weight| weight.fract() == 0.0);
        let choice = self.choices.len() as u32;
        self.choices.push(Choice { leaders, bounds: bounds(&weights, whole) });
        self.choice_under.insert((rulesets, mana_cap), choice);
        choice
    }

    fn options(
        &mut self,
        rulesets: Rulesets,
        leader: &Card,
        level: u8,
        budget: usize,
    ) -> ArrayVec<u32, 5> {
        let caps = [Rarity::Common, Rarity::Rare, Rarity::Epic, Rarity::Legendary]
            .map(|rarity| monster_cap(leader, level, rarity));
        let faction = leader.faction;
        let splinters: &[Option<Faction>] = match faction {
            Faction::Dragon => &SPLINTERS.map(Some),
            _ => &[None],
        };
        let mut options = ArrayVec::new();
        for &splinter in splinters {
            let following = Following { faction, splinter, caps };
            if let Some(deck) = self.deck(rulesets, following) {
                options.extend(self.sets(deck, budget));
            }
        }
        options
    }

    /// The index of the deck of the monsters that follow such a summoner; None where there are none.
    fn deck(&mut self, rulesets: Rulesets, following: Following) -> Option<usize> {
        if let Some(&known) = self.deck_under.get(&(rulesets, following)) {
            return known;
        }
        let cards = self.cards(rulesets, following);
        let known = self.deck_of_cards.get(&cards).copied();
        let deck = known.or_else(|| {
            if cards.is_empty() {
                return None;
            }
            self.decks.push(Deck::new(self.catalogue, self.recipe, &cards, self.largest));
            self.deck_of_cards.insert(cards, self.decks.len() - 1);
            Some(self.decks.len() - 1)
        });
        self.deck_under.insert((rulesets, following), deck);
        deck
    }

    /// The monsters that follow such a summoner and are not forbidden, at the highest level that each can have.
    fn cards(&self, rulesets: Rulesets, following: Following) -> Vec<CardAt> {
        let monsters = self.catalogue.cards.iter().enumerate().filter(|&(at, card)| {
            card.kind == CardKind::Monster
                && self.recipe.weights[at] > 0.0
                && leads(following.faction, following.splinter, card.faction)
        });
        monsters
            .map(|(at, card)| {
                let cap = following.caps[card.rarity as usize - 1];
                (card, CardAt { card: at as u16, level: cap.min(card.levels.len() as u8) })
            })
            .filter(|&(card, at)| {
                forbids_monster(rulesets, card, self.catalogue.level(at)).is_none()
            })
            .map(|(_, at)| at)
            .collect()
    }

    /// The index of the sets of a deck that can be fielded within a budget; None where not even one monster can.
    fn sets(&mut self, deck: usize, budget: usize) -> Option<u32> {
        if let Some(&known) = self.sets_within.get(&(deck, budget)) {
            return known;
        }
        let found = self.decks[deck].sets(deck, budget, self.recipe).map(|sets| {
            self.sets.push(sets);
            self.sets.len() as u32 - 1
        });
        self.sets_within.insert((deck, budget), found);
        found
    }
}
