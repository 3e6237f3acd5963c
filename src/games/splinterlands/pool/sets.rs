//! Sets of monsters within a budget: the weight of all sets of every size and total cost, and how one of them is drawn.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::super::cards::{Catalogue, Faction};
use super::super::rolls::Roll;
use super::super::setup::CardAt;
use super::super::state::TEAM;
use super::{Recipe, Role, share};
use crate::chance::{Chance, Odds};
use crate::sorting::Sorting;

/// Sets of one size from one deck, by what they cost.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sets {
    pub(super) deck: usize,
    pub(super) size: usize,
    pub(super) totals: Vec<usize>,
    /// The cumulative sums of the totals' weights; every weight is positive.
    pub(super) bounds: Vec<u64>,
}

/// The monsters that one summoner could bring, by cost, and the weight of sets of them. Where a dragon summoner leads a
/// splinter, its sets are those that have a monster of the splinter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Deck {
    pub(super) groups: Vec<Arc<Group>>,
    /// How many of the groups are of the splinter, which come before the others: sets without any of these are those
    /// that come first where sets of a total are listed. 0 where no set has to have one.
    splinter: usize,
    /// By group, size and total: the weight of all sets from this group on.
    pub(super) ways: Ways,
    pub(super) most: usize,
}

/// Weights of sets.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ways {
    /// All cards' weights are whole numbers, and all sums of their products exact.
    Whole(Arc<[u64]>),
    Real(Arc<[f64]>),
}

impl Ways {
    /// Shares the memory of other weights if they are equal.
    pub(super) fn share(&mut self, other: &Self) {
        match (self, other) {
            (Self::Whole(mine), Self::Whole(theirs)) => share(mine, theirs),
            (Self::Real(mine), Self::Real(theirs)) => share(mine, theirs),
            (Self::Whole(_), Self::Real(_)) | (Self::Real(_), Self::Whole(_)) => {}
        }
    }
}

/// The monsters of one cost.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    pub(super) mana: usize,
    pub(super) cards: Vec<Entry>,
    /// By card and number: the weight of all sets of that many cards from this card on.
    pub(super) ways: Vec<[f64; TEAM + 1]>,
    /// The weights of `ways` as whole numbers, by number and card; empty where weights are not whole, or add up to too
    /// much.
    pub(super) whole_ways: Vec<u64>,
    /// By number: the whole weight of all sets of that many cards.
    pub(super) of_all: [u64; TEAM + 1],
    /// Whether every card has a weight of 1.
    pub(super) is_even: bool,
}

/// A monster with its weight and its role in a line-up.
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
        splinter: Option<Faction>,
        largest: usize,
    ) -> Self {
        let is_of_splinter = |at: &CardAt| Some(catalogue.card(*at).faction) == splinter;
        let (own, others): (Vec<CardAt>, Vec<CardAt>) =
            cards.iter().copied().partition(is_of_splinter);
        let mut groups = by_cost(catalogue, recipe, &own);
        let splinter = groups.len();
        groups.extend(by_cost(catalogue, recipe, &others));
        for group in &mut groups {
            group.count();
        }
        let dearest = groups.iter().map(|group| group.mana).max().unwrap_or(0);
        let most = largest.min(TEAM * dearest);
        let groups = groups.into_iter().map(Arc::new).collect();
        let mut deck = Self { ways: Ways::Real([].into()), groups, splinter, most };
        let ways = deck.count();
        let mut weights =
            deck.groups.iter().flat_map(|group| &group.cards).map(|entry| entry.weight);
        // The weights from the first group on are those of all sets.
        let sum: f64 = ways[..(TEAM + 1) * (most + 1)].iter().sum();
        let is_whole = sum < EXACT && weights.all(|weight| weight.fract() == 0.0);
        if !is_whole {
            return Self { ways: Ways::Real(ways.into()), ..deck };
        }
        // Nobody shares them yet.
        for group in deck.groups.iter_mut().filter_map(Arc::get_mut) {
            let of = |number: usize| group.ways.iter().map(move |ways| ways[number] as u64);
            group.whole_ways = (0..=TEAM).flat_map(of).collect();
            group.of_all = group.ways[0].map(|ways| ways as u64);
        }
        let ways = ways.into_iter().map(|ways| ways as u64).collect();
        Self { ways: Ways::Whole(ways), ..deck }
    }

    pub(super) fn is_whole(&self) -> bool {
        matches!(self.ways, Ways::Whole(_))
    }

    fn at(&self, group: usize, size: usize, total: usize) -> usize {
        (group * (TEAM + 1) + size) * (self.most + 1) + total
    }

    /// The weight of all sets of this size and total from `group` on.
    fn ways(&self, group: usize, size: usize, total: usize) -> f64 {
        let at = self.at(group, size, total);
        match &self.ways {
            Ways::Whole(ways) => ways[at] as f64,
            Ways::Real(ways) => ways[at],
        }
    }

    /// The index in the weights of those sets of this size and total that have no monster of the splinter, though a set
    /// has to have one; None where none has to.
    fn without_splinter(&self, size: usize, total: usize) -> Option<usize> {
        (self.splinter > 0).then(|| self.at(self.splinter, size, total))
    }

    /// The weight of the deck's sets of this size and total.
    fn weight(&self, size: usize, total: usize) -> f64 {
        let without = self.without_splinter(size, total);
        match &self.ways {
            Ways::Whole(ways) => {
                (ways[self.at(0, size, total)] - without.map_or(0, |at| ways[at])) as f64
            }
            Ways::Real(ways) => {
                let without = without.map_or(0.0, |at| ways[at]);
                (ways[self.at(0, size, total)] - without).max(0.0)
            }
        }
    }

    /// The values of [`ways`](Self::ways) for every group, size and total.
    fn count(&self) -> Vec<f64> {
        let totals = self.most + 1;
        let mut ways = vec![0.0; (self.groups.len() + 1) * (TEAM + 1) * totals];
        ways[self.at(self.groups.len(), 0, 0)] = 1.0;
        for (group, own) in self.groups.iter().enumerate().rev() {
            let (here, after) = ways.split_at_mut(self.at(group + 1, 0, 0));
            let here = &mut here[self.at(group, 0, 0)..];
            for (number, own_ways) in own.ways[0].iter().enumerate() {
                let cost = number * own.mana;
                if *own_ways == 0.0 || cost > self.most {
                    continue;
                }
                for size in number..=TEAM {
                    let rest = &after[(size - number) * totals..][..totals - cost];
                    for (way, rest) in here[size * totals..][cost..totals].iter_mut().zip(rest) {
                        *way += own_ways * rest;
                    }
                }
            }
        }
        ways
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

    /// What sets of this size within a budget can cost together, the lowest first.
    pub(super) fn totals(&self, size: usize, budget: usize) -> Vec<usize> {
        (0..=budget.min(self.most)).filter(|&total| self.weight(size, total) > 0.0).collect()
    }

    /// The largest possible size of a set within a budget; None where not even one monster is within it.
    pub(super) fn largest(&self, budget: usize) -> Option<usize> {
        (1..=TEAM).rev().find(|&size| !self.totals(size, budget).is_empty())
    }

    /// The weight of all sets of this size that cost one of these totals.
    pub(super) fn weight_of(&self, size: usize, totals: &[usize]) -> f64 {
        totals.iter().map(|&total| self.weight(size, total)).sum()
    }

    /// The sets of this size that cost one of these totals; `deck` is the number of this deck.
    pub(super) fn sets(&self, deck: usize, size: usize, totals: Vec<usize>) -> Sets {
        let weights: Vec<f64> = totals.iter().map(|&total| self.weight(size, total)).collect();
        Sets { deck, size, totals, bounds: bounds(&weights, self.is_whole()) }
    }

    /// The cards that are in at least one of these sets of the deck.
    pub(super) fn drawn(&self, sets: &Sets) -> impl Iterator<Item = u16> {
        // By size and total: whether this is what a set still needs from a group on.
        let (sizes, totals) = (TEAM + 1, self.most + 1);
        let mut needed = vec![false; sizes * totals];
        sets.totals.iter().for_each(|total| needed[sets.size * totals + total] = true);
        let mut cards = Vec::new();
        for (at, group) in self.groups.iter().enumerate() {
            let mut after = vec![false; sizes * totals];
            let mut is_drawn = false;
            for need in (0..sizes * totals).filter(|&need| needed[need]) {
                let (size, total) = (need / totals, need % totals);
                for number in (0..=size).filter(|&number| number * group.mana <= total) {
                    if self.share(at, size, total, number) > 0.0 {
                        is_drawn |= number > 0;
                        after[(size - number) * totals + total - number * group.mana] = true;
                    }
                }
            }
            if is_drawn {
                cards.extend(group.cards.iter().map(|entry| entry.role.card().card));
            }
            needed = after;
        }
        cards.into_iter()
    }

    /// Draws one of these sets of the deck in proportion to its weight.
    pub(super) fn draw<C: Chance<Roll>>(
        &self,
        sets: &Sets,
        chance: &mut C,
        drawn: &mut ArrayVec<Role, TEAM>,
    ) {
        if let Ways::Whole(ways) = &self.ways {
            let all = sets.bounds.last().copied().unwrap_or(0);
            let number = if all < 2 { Some(0) } else { chance.number_below(Roll::Team, all) };
            if let Some(number) = number {
                return self.unrank(ways, sets, number, drawn);
            }
        }
        self.draw_by_odds(sets, chance, drawn);
    }

    /// Finds the set with this number, where all weights are whole. Sets are numbered as they would be listed: by their
    /// total, then by how many cards they have of the cheapest cost, of the next, and so on, and by which; each has as
    /// many numbers as its weight says.
    fn unrank(&self, ways: &[u64], sets: &Sets, number: u64, drawn: &mut ArrayVec<Role, TEAM>) {
        let which = sets.bounds.partition_point(|&bound| bound <= number);
        let mut left = number - if which > 0 { sets.bounds[which - 1] } else { 0 };
        let (mut size, mut total) = (sets.size, sets.totals[which]);
        // Sets without any monster of the splinter would be listed first.
        left += self.without_splinter(size, total).map_or(0, |at| ways[at]);
        let totals = self.most + 1;
        let mut after = 0;
        for group in &self.groups {
            if size == 0 {
                break;
            }
            after += (TEAM + 1) * totals;
            // With one card more, the rest is one smaller and costs so much less. Numbers of cards that the total has
            // no room for come after everything that the sum of the ways includes, and are never reached.
            let mut rest = after + size * totals + total;
            for (count, own_ways) in group.of_all.iter().enumerate() {
                let rest_ways = ways[rest];
                let share = own_ways * rest_ways;
                if left < share {
                    if count > 0 {
                        group.unrank(count, left / rest_ways, drawn);
                        left %= rest_ways;
                        size -= count;
                        total -= count * group.mana;
                    }
                    break;
                }
                left -= share;
                rest -= totals + group.mana;
            }
        }
    }

    fn draw_by_odds<C: Chance<Roll>>(
        &self,
        sets: &Sets,
        chance: &mut C,
        drawn: &mut ArrayVec<Role, TEAM>,
    ) {
        let mut size = sets.size;
        let mut total = sets.totals[within(Roll::TeamCard, &sets.bounds, chance)];
        let mut has_splinter = self.splinter == 0;
        for (at, group) in self.groups.iter().enumerate() {
            if size == 0 {
                break;
            }
            let number = self.number_by_odds(at, (size, total), has_splinter, chance);
            has_splinter |= number > 0;
            group.draw_by_odds(number, self.is_whole(), chance, drawn);
            size -= number;
            total -= number * group.mana;
        }
    }

    /// Draws how many cards of a group the set has, by the odds of every number. A set that has no monster of the
    /// splinter yet must still get one.
    fn number_by_odds<C: Chance<Roll>>(
        &self,
        at: usize,
        (size, total): (usize, usize),
        has_splinter: bool,
        chance: &mut C,
    ) -> usize {
        let group = &self.groups[at];
        let never = self.without_splinter(size, total).filter(|_| !has_splinter);
        // More cards of this cost than there are, or than the total has room for, have no weight.
        let room = total.checked_div(group.mana).unwrap_or(TEAM);
        let most = size.min(group.cards.len()).min(room);
        let mut weights = [0; TEAM + 1];
        let weights = &mut weights[..=most];
        match &self.ways {
            Ways::Whole(ways) => {
                for (number, weight) in weights.iter_mut().enumerate() {
                    let rest = self.at(at + 1, size - number, total - number * group.mana);
                    *weight = group.of_all[number] * ways[rest];
                }
                weights[0] -= never.map_or(0, |at| ways[at]);
            }
            Ways::Real(ways) => {
                let mut shares = [0.0; TEAM + 1];
                let shares = &mut shares[..=most];
                for (number, share) in shares.iter_mut().enumerate() {
                    *share = self.share(at, size, total, number);
                }
                shares[0] = (shares[0] - never.map_or(0.0, |at| ways[at])).max(0.0);
                scale(shares, false, weights);
            }
        }
        in_proportion(Roll::TeamCard, weights, chance)
    }
}

impl Group {
    fn count(&mut self) {
        self.is_even = self.cards.iter().all(|card| card.weight == 1.0);
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

    /// Finds the choice of `count` cards with this number, where all weights are whole: choices without the first card
    /// come before those with it.
    fn unrank(&self, count: usize, mut number: u64, drawn: &mut ArrayVec<Role, TEAM>) {
        let from_each = self.cards.len() + 1;
        let mut first = 0;
        for left in (1..=count).rev() {
            if left == 1 && self.is_even {
                // Of single cards the last one comes first.
                return drawn.push(self.cards[self.cards.len() - 1 - number as usize].role);
            }
            let [rest, ways] =
                [left - 1, left].map(|of| &self.whole_ways[of * from_each..][..from_each]);
            // The more cards are passed over, the fewer ways are left.
            let card = first + ways[first + 1..].partition_point(|&without| number < without);
            number -= ways[card + 1];
            first = card + 1;
            // With a card that weighs more than 1, each rest is listed as often as the weight says.
            if number >= rest[first] {
                number %= rest[first];
            }
            drawn.push(self.cards[card].role);
        }
    }

    /// Draws `number` cards, each by the odds that it is among them.
    fn draw_by_odds<C: Chance<Roll>>(
        &self,
        number: usize,
        whole: bool,
        chance: &mut C,
        drawn: &mut ArrayVec<Role, TEAM>,
    ) {
        if whole {
            self.draw_by_whole_odds(number, chance, drawn);
        } else {
            self.draw_by_real_odds(number, chance, drawn);
        }
    }

    fn draw_by_whole_odds<C: Chance<Roll>>(
        &self,
        mut number: usize,
        chance: &mut C,
        drawn: &mut ArrayVec<Role, TEAM>,
    ) {
        let from_each = self.cards.len() + 1;
        let of = |number: usize| &self.whole_ways[number * from_each..][..from_each];
        let mut ways = of(number);
        for (at, entry) in self.cards.iter().enumerate() {
            if number == 0 {
                break;
            }
            let [all, without] = [ways[at], ways[at + 1]];
            if chance.weighted(Roll::TeamCard, &[without, all - without]) == 1 {
                drawn.push(entry.role);
                number -= 1;
                ways = of(number);
            }
        }
    }

    fn draw_by_real_odds<C: Chance<Roll>>(
        &self,
        mut number: usize,
        chance: &mut C,
        drawn: &mut ArrayVec<Role, TEAM>,
    ) {
        for (at, entry) in self.cards.iter().enumerate() {
            if number == 0 {
                break;
            }
            let rest = &self.ways[at + 1];
            let shares = [rest[number], entry.weight * rest[number - 1]];
            let mut weights = [0; 2];
            scale(&shares, false, &mut weights);
            if chance.weighted(Roll::TeamCard, &weights) == 1 {
                drawn.push(entry.role);
                number -= 1;
            }
        }
    }
}

/// These cards by what they cost, the cheapest first.
fn by_cost(catalogue: &Catalogue, recipe: &Recipe, cards: &[CardAt]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for &at in cards {
        let card = catalogue.card(at);
        let role = Role::of(at, catalogue.level(at));
        let entry = Entry { weight: recipe.weights[usize::from(at.card)], role };
        let mana = usize::from(card.mana);
        match groups.iter_mut().find(|group| group.mana == mana) {
            Some(group) => group.cards.push(entry),
            None => {
                groups.push(Group {
                    mana,
                    cards: vec![entry],
                    ways: Vec::new(),
                    whole_ways: Vec::new(),
                    of_all: [0; TEAM + 1],
                    is_even: false,
                });
            }
        }
    }
    groups.put_in_order_by_key(|group| group.mana);
    groups
}

/// The cumulative sums of weights, as whole numbers for a die.
pub(super) fn bounds(shares: &[f64], whole: bool) -> Vec<u64> {
    let mut weights = vec![0; shares.len()];
    scale(shares, whole, &mut weights);
    add_up(&mut weights);
    weights
}

/// Turns weights into their cumulative sums; returns how many are positive, and the index of the last positive one.
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

/// Draws an index in proportion to its weight, given the cumulative sums of the weights, which are all positive.
#[inline]
pub(super) fn within<C: Chance<Roll>>(roll: Roll, bounds: &[u64], chance: &mut C) -> usize {
    if bounds.len() < 2 { 0 } else { chance.draw(roll, Odds::Cumulative(bounds)) as usize }
}

/// Draws an index in proportion to its weight; the weights are turned into their cumulative sums on the way.
#[inline]
fn in_proportion<C: Chance<Roll>>(roll: Roll, weights: &mut [u64], chance: &mut C) -> usize {
    match add_up(weights) {
        (1, only) => only,
        _ => chance.draw(roll, Odds::Cumulative(weights)) as usize,
    }
}

/// The largest whole number up to which a float counts exactly.
const EXACT: f64 = (1u64 << 53) as f64;

/// Turns weights into whole numbers for a die. Counts of sets are whole already and stay as they are, so that equal
/// weights are drawn exactly; anything else is scaled to 53 bits in all, and what is possible stays possible.
#[inline]
fn scale(shares: &[f64], whole: bool, weights: &mut [u64]) {
    let factor = if whole { 1.0 } else { EXACT / shares.iter().sum::<f64>() };
    for (weight, &share) in weights.iter_mut().zip(shares) {
        *weight = if share > 0.0 { ((share * factor) as u64).max(1) } else { 0 };
    }
}
