//! Sets of monsters within a budget: how much weight those of every size and total have, and one of them drawn.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::super::cards::Catalogue;
use super::super::rolls::Roll;
use super::super::setup::CardAt;
use super::super::state::TEAM;
use super::{Policy, Recipe, Role};
use crate::chance::{Chance, Odds};
use crate::sorting::Sorting;

/// Sets of one size from one deck, by what they cost.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sets {
    pub(super) deck: usize,
    pub(super) size: usize,
    pub(super) totals: Vec<usize>,
    /// The sums of the totals' weights up to each; every weight is positive.
    pub(super) bounds: Vec<u64>,
}

/// The monsters that one summoner could bring, by cost, and the weight of sets of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Deck {
    pub(super) groups: Vec<Arc<Group>>,
    /// By group, size and total: the weight of all sets from this group on.
    pub(super) ways: Arc<[f64]>,
    pub(super) most: usize,
    /// Whether all weights are whole numbers, and all sums of their products exact.
    pub(super) whole: bool,
}

/// The monsters of one cost.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    pub(super) mana: usize,
    pub(super) cards: Vec<Entry>,
    /// By card and number: the weight of all sets of that many from this card on.
    pub(super) ways: Vec<[f64; TEAM + 1]>,
    /// The same as whole numbers; nothing where they need not be.
    pub(super) whole_ways: Vec<[u64; TEAM + 1]>,
}

/// A monster with what lining up asks of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) weight: f64,
    pub(super) role: Role,
}

impl Deck {
    pub(super) fn new(
        catalogue: &Catalogue,
        recipe: &Recipe,
        cards: &[CardAt],
        largest: usize,
    ) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for &at in cards {
            let card = catalogue.card(at);
            let role = Role::of(at, catalogue.level(at));
            let entry = Entry { weight: recipe.weights[usize::from(at.card)], role };
            let mana = usize::from(card.mana);
            match groups.iter_mut().find(|group| group.mana == mana) {
                Some(group) => group.cards.push(entry),
                None => {
                    let (ways, whole_ways) = (Vec::new(), Vec::new());
                    groups.push(Group { mana, cards: vec![entry], ways, whole_ways });
                }
            }
        }
        groups.put_in_order_by_key(|group| group.mana);
        for group in &mut groups {
            group.count();
        }
        let dearest = groups.last().map_or(0, |group| group.mana);
        let most = largest.min(TEAM * dearest);
        let ways = vec![0.0; (groups.len() + 1) * (TEAM + 1) * (most + 1)].into();
        let groups = groups.into_iter().map(Arc::new).collect();
        let mut deck = Self { ways, groups, most, whole: false };
        deck.count();
        let mut weights =
            deck.groups.iter().flat_map(|group| &group.cards).map(|entry| entry.weight);
        let totals = (0..=most).flat_map(|total| (0..=TEAM).map(move |size| (size, total)));
        let sum: f64 = totals.map(|(size, total)| deck.ways(0, size, total)).sum();
        deck.whole = sum < EXACT && weights.all(|weight| weight.fract() == 0.0);
        if deck.whole {
            // Nobody shares them yet.
            for group in deck.groups.iter_mut().filter_map(Arc::get_mut) {
                let whole = |ways: &[f64; TEAM + 1]| ways.map(|ways| ways as u64);
                group.whole_ways = group.ways.iter().map(whole).collect();
            }
        }
        deck
    }

    fn at(&self, group: usize, size: usize, total: usize) -> usize {
        (group * (TEAM + 1) + size) * (self.most + 1) + total
    }

    /// The weight of all sets of this size and total from `group` on.
    fn ways(&self, group: usize, size: usize, total: usize) -> f64 {
        self.ways[self.at(group, size, total)]
    }

    fn set_ways(&mut self, at: usize, weight: f64) {
        Arc::get_mut(&mut self.ways).expect("nobody shares it yet")[at] = weight;
    }

    fn count(&mut self) {
        let end = self.at(self.groups.len(), 0, 0);
        self.set_ways(end, 1.0);
        for group in (0..self.groups.len()).rev() {
            for size in 0..=TEAM {
                for total in 0..=self.most {
                    let mut sum = 0.0;
                    for number in 0..=size {
                        sum += self.share(group, size, total, number);
                    }
                    let at = self.at(group, size, total);
                    self.set_ways(at, sum);
                }
            }
        }
    }

    /// The part of [`ways`](Self::ways) with this number of cards from the group itself.
    #[inline]
    fn share(&self, group: usize, size: usize, total: usize, number: usize) -> f64 {
        let own = &self.groups[group];
        match total.checked_sub(number * own.mana) {
            Some(rest) => own.ways[0][number] * self.ways(group + 1, size - number, rest),
            None => 0.0,
        }
    }

    /// The largest sets within a budget.
    pub(super) fn sets(&self, deck: usize, budget: usize, recipe: &Recipe) -> Option<Sets> {
        let reachable = |size: usize| {
            (0..=budget.min(self.most)).filter(move |&total| self.ways(0, size, total) > 0.0)
        };
        let size = (1..=TEAM).rev().find(|&size| reachable(size).next().is_some())?;
        let mut totals: Vec<usize> = reachable(size).collect();
        if recipe.policy == Policy::Fill {
            let highest = totals.last().copied().unwrap_or(0);
            totals.retain(|total| total + usize::from(recipe.fill_within) >= highest);
        }
        let ways: Vec<f64> = totals.iter().map(|&total| self.ways(0, size, total)).collect();
        Some(Sets { deck, size, totals, bounds: bounds(&ways, self.whole) })
    }

    pub(super) fn draw<C: Chance<Roll>>(
        &self,
        mut size: usize,
        mut total: usize,
        chance: &mut C,
        drawn: &mut ArrayVec<Role, TEAM>,
    ) {
        for (at, group) in self.groups.iter().enumerate() {
            if size == 0 {
                break;
            }
            let number = match self.number_by_one_number(at, size, total, chance) {
                Some(number) => number,
                None => self.number_by_odds(at, size, total, chance),
            };
            group.draw(number, self.whole, chance, drawn);
            size -= number;
            total -= number * group.mana;
        }
    }

    /// How many cards of a group are drawn, where all weights are whole: the same as [`by_odds`](Self::number_by_odds), but
    /// the weights are only worked out as far as the number that is drawn reaches. None where the dice want to know all odds.
    #[inline]
    fn number_by_one_number<C: Chance<Roll>>(
        &self,
        group: usize,
        size: usize,
        total: usize,
        chance: &mut C,
    ) -> Option<usize> {
        if !self.whole {
            return None;
        }
        let own = &self.groups[group];
        let sum = self.ways(group, size, total);
        // With one card more the rest is one smaller and costs so much less. What the total has no room for comes after all
        // that the sum is made of, and is never reached.
        let mut rest = self.at(group + 1, size, total);
        let mut left = None;
        for (number, own_ways) in own.ways[0][..=size].iter().enumerate() {
            let share = own_ways * self.ways[rest];
            if share == sum {
                return Some(number);
            }
            if share > 0.0 {
                let before = match left {
                    Some(left) => left,
                    None => chance.number_below(Roll::TeamCard, sum as i64 as u64)? as i64 as f64,
                };
                if before < share {
                    return Some(number);
                }
                left = Some(before - share);
            }
            rest = rest.checked_sub(self.most + 1 + own.mana)?;
        }
        None
    }

    /// How many cards of a group are drawn, by the odds of every number.
    #[inline(never)]
    fn number_by_odds<C: Chance<Roll>>(
        &self,
        at: usize,
        size: usize,
        total: usize,
        chance: &mut C,
    ) -> usize {
        let group = &self.groups[at];
        // More cards of this cost than there are, or than the total has room for, have no weight.
        let room = total.checked_div(group.mana).unwrap_or(TEAM);
        let most = size.min(group.cards.len()).min(room);
        let mut shares = [0.0; TEAM + 1];
        let mut bounds = [0; TEAM + 1];
        let (shares, bounds) = (&mut shares[..=most], &mut bounds[..=most]);
        for (number, share) in shares.iter_mut().enumerate() {
            *share = self.share(at, size, total, number);
        }
        scale(shares, self.whole, bounds);
        in_proportion(Roll::TeamCard, bounds, chance)
    }
}

impl Group {
    fn count(&mut self) {
        self.ways = vec![[0.0; TEAM + 1]; self.cards.len() + 1];
        self.ways[self.cards.len()][0] = 1.0;
        for card in (0..self.cards.len()).rev() {
            for number in 0..=TEAM {
                let with = number.checked_sub(1).map_or(0.0, |rest| self.ways[card + 1][rest]);
                self.ways[card][number] =
                    self.ways[card + 1][number] + self.cards[card].weight * with;
            }
        }
    }

    fn draw<C: Chance<Roll>>(
        &self,
        mut number: usize,
        whole: bool,
        chance: &mut C,
        drawn: &mut ArrayVec<Role, TEAM>,
    ) {
        for (at, entry) in self.cards.iter().enumerate() {
            if number == 0 {
                break;
            }
            let is_drawn = match self.is_drawn_by_one_number(at, number, chance) {
                Some(is_drawn) => is_drawn,
                None => self.is_drawn_by_odds(at, number, whole, chance),
            };
            if is_drawn {
                drawn.push(entry.role);
                number -= 1;
            }
        }
    }

    /// Whether a card is one of the `number` that are still to be drawn, where all weights are whole: the same as
    /// [`by_odds`](Self::is_drawn_by_odds). None where they are not, or the dice want to know the odds.
    #[inline(always)]
    fn is_drawn_by_one_number<C: Chance<Roll>>(
        &self,
        card: usize,
        number: usize,
        chance: &mut C,
    ) -> Option<bool> {
        let all = self.whole_ways.get(card)?[number];
        let without = self.whole_ways.get(card + 1)?[number];
        if without == 0 || without == all {
            return Some(without == 0);
        }
        Some(chance.number_below(Roll::TeamCard, all)? >= without)
    }

    /// The same by the odds.
    #[inline(never)]
    fn is_drawn_by_odds<C: Chance<Roll>>(
        &self,
        card: usize,
        number: usize,
        whole: bool,
        chance: &mut C,
    ) -> bool {
        let rest = &self.ways[card + 1];
        let shares = [rest[number], self.cards[card].weight * rest[number - 1]];
        let mut weights = [0; 2];
        scale(&shares, whole, &mut weights);
        chance.weighted(Roll::TeamCard, &weights) == 1
    }
}

/// Sums of weights up to each.
pub(super) fn bounds(shares: &[f64], whole: bool) -> Vec<u64> {
    let mut weights = vec![0; shares.len()];
    scale(shares, whole, &mut weights);
    add_up(&mut weights);
    weights
}

/// Turns weights into the sums of them up to each; how many are positive, and the last that is.
#[inline]
fn add_up(weights: &mut [u64]) -> (usize, usize) {
    let (mut sum, mut positive, mut last) = (0, 0, 0);
    for (at, weight) in weights.iter_mut().enumerate() {
        if *weight > 0 {
            (positive, last) = (positive + 1, at);
        }
        sum += *weight;
        *weight = sum;
    }
    (positive, last)
}

/// An index in proportion to its weight, given the sums of the weights, all positive.
#[inline]
pub(super) fn within<C: Chance<Roll>>(roll: Roll, bounds: &[u64], chance: &mut C) -> usize {
    if bounds.len() < 2 { 0 } else { chance.draw(roll, Odds::Cumulative(bounds)) as usize }
}

/// An index in proportion to its weight; the weights are added up on the way.
#[inline]
fn in_proportion<C: Chance<Roll>>(roll: Roll, weights: &mut [u64], chance: &mut C) -> usize {
    match add_up(weights) {
        (1, only) => only,
        _ => chance.draw(roll, Odds::Cumulative(weights)) as usize,
    }
}

/// The largest whole number up to which a float counts exactly.
const EXACT: f64 = (1u64 << 53) as f64;

/// Weights as whole numbers for a die. Counts of sets are whole already and stay as they are, so that equal
/// weights are drawn exactly; anything else is scaled to 53 bits in all, and what is possible stays so.
#[inline]
fn scale(shares: &[f64], whole: bool, weights: &mut [u64]) {
    let factor = if whole { 1.0 } else { EXACT / shares.iter().sum::<f64>() };
    for (weight, &share) in weights.iter_mut().zip(shares) {
        *weight = if share > 0.0 { ((share * factor) as u64).max(1) } else { 0 };
    }
}
