//! Prepares a pool before the first battle: which summoners can lead which monsters under which conditions and mana
//! caps.

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use super::super::cards::{Card, CardKind, Catalogue, Faction, Rarity};
use super::super::legal::{SPLINTERS, forbids_monster, forbids_summoner, leads, monster_cap};
use super::super::ruleset::Rulesets;
use super::super::setup::CardAt;
use super::sets::{Deck, Sets, bounds};
use super::{Choice, Leader, MOST_OPTIONS, Options, Policy, Recipe};

/// Builds a pool. Everything is worked out once for all conditions that leave the same cards.
pub(super) struct Builder<'a> {
    catalogue: &'a Catalogue,
    recipe: &'a Recipe,
    /// The highest mana cap: no set can cost more.
    largest: usize,
    pub(super) decks: Vec<Deck>,
    pub(super) sets: Vec<Sets>,
    pub(super) options: Vec<Options>,
    pub(super) choices: Vec<Choice>,
    choice_under: FxHashMap<(Rulesets, u8), u32>,
    deck_under: FxHashMap<(Rulesets, Following), Option<usize>>,
    deck_of_cards: FxHashMap<(Vec<CardAt>, Option<Faction>), usize>,
    options_within: FxHashMap<(ArrayVec<usize, MOST_OPTIONS>, usize), Option<u32>>,
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
            options: Vec::new(),
            choices: Vec::new(),
            choice_under: FxHashMap::default(),
            deck_under: FxHashMap::default(),
            deck_of_cards: FxHashMap::default(),
            options_within: FxHashMap::default(),
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
            let budget = usize::from(mana_cap - card.mana);
            if let Some(options) = self.options_of(rulesets, card, level, budget) {
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

    /// The index of what a summoner draws its monsters from; None where it cannot field a team.
    fn options_of(
        &mut self,
        rulesets: Rulesets,
        leader: &Card,
        level: u8,
        budget: usize,
    ) -> Option<u32> {
        let caps = [Rarity::Common, Rarity::Rare, Rarity::Epic, Rarity::Legendary]
            .map(|rarity| monster_cap(leader, level, rarity));
        let faction = leader.faction;
        let splinters: &[Faction] = if faction == Faction::Dragon { &SPLINTERS } else { &[] };
        let followings = splinters.iter().copied().map(Some).chain([None]);
        let decks = followings
            .filter_map(|splinter| self.deck(rulesets, Following { faction, splinter, caps }));
        let decks = decks.collect();
        self.options(decks, budget)
    }

    /// The index of the sets of the largest size that can be fielded from any of these decks within a budget, and with
    /// `fill` of the highest cost; None where not even one monster can.
    fn options(&mut self, decks: ArrayVec<usize, MOST_OPTIONS>, budget: usize) -> Option<u32> {
        let within = (decks, budget);
        if let Some(&known) = self.options_within.get(&within) {
            return known;
        }
        let decks = &within.0;
        let size = decks.iter().filter_map(|&at| self.decks[at].largest(budget)).max();
        let found = size.map(|size| {
            let totals = |&at: &usize| (at, self.decks[at].totals(size, budget));
            let mut totals: ArrayVec<(usize, Vec<usize>), MOST_OPTIONS> =
                decks.iter().map(totals).collect();
            if self.recipe.policy == Policy::Fill {
                let highest = totals.iter().filter_map(|(_, of)| of.last().copied()).max();
                let least =
                    highest.unwrap_or(0).saturating_sub(usize::from(self.recipe.fill_within));
                totals.iter_mut().for_each(|(_, of)| of.retain(|&total| total >= least));
            }
            totals.retain(|(_, of)| !of.is_empty());
            let weights: Vec<f64> =
                totals.iter().map(|(at, of)| self.decks[*at].weight_of(size, of)).collect();
            let whole = totals.iter().all(|(at, _)| self.decks[*at].is_whole());
            let first = self.sets.len() as u32;
            let sets = (first..first + totals.len() as u32).collect();
            for (at, of) in totals {
                self.sets.push(self.decks[at].sets(at, size, of));
            }
            self.options
                .push(Options { sets, bounds: bounds(&weights, whole).into_iter().collect() });
            self.options.len() as u32 - 1
        });
        self.options_within.insert(within, found);
        found
    }

    /// The index of the deck of the monsters that follow such a summoner; None where there are none, or none of its
    /// splinter.
    fn deck(&mut self, rulesets: Rulesets, following: Following) -> Option<usize> {
        if let Some(&known) = self.deck_under.get(&(rulesets, following)) {
            return known;
        }
        let (splinter, cards) = (following.splinter, self.cards(rulesets, following));
        let is_of_splinter =
            |at: &CardAt| splinter.is_none_or(|of| self.catalogue.card(*at).faction == of);
        let has_any = cards.iter().any(is_of_splinter);
        let of = (cards, splinter);
        let known = self.deck_of_cards.get(&of).copied();
        let deck = known.or_else(|| {
            if !has_any {
                return None;
            }
            self.decks.push(Deck::new(self.catalogue, self.recipe, &of.0, splinter, self.largest));
            self.deck_of_cards.insert(of, self.decks.len() - 1);
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
}
