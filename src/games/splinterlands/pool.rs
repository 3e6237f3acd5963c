//! Teams that are drawn afresh for every battle.
//!
//! A summoner is drawn among those that can field a team, in proportion to their weights. A dragon summoner
//! then draws the splinter it leads beside the dragons. The monsters are a set of the largest possible size
//! (six where mana and cards allow), drawn among *all* legal sets of that size in proportion to the product of
//! their cards' weights: with equal weights every legal set is equally likely. `fill` looks only at sets that
//! cost as much as possible. At last the set is lined up.
//!
//! Sets are not tried until one is legal. Beforehand it is counted how much weight the sets of every size and
//! every total mana have, mana cost by mana cost; a draw then walks through the costs and throws one die for
//! how many cards of each cost there are. No draw fails, and none allocates.

use std::sync::Arc;

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::ability::Ability;
use super::cards::{Card, CardKind, Catalogue, Faction, Level, Rarity};
use super::legal::{
    League, SELECTION, SPLINTERS, forbids_monster, forbids_summoner, leads, monster_cap,
};
use super::rolls::Roll;
use super::ruleset::Rulesets;
use super::setup::{CardAt, LineUp};
use super::state::TEAM;
use crate::chance::{Chance, Odds};

/// Which sets of monsters are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Every legal set is equally likely.
    #[default]
    Uniform,
    /// Sets are drawn in proportion to the product of their cards' weights.
    Weighted,
    /// Like `weighted`, among the sets that cost as much mana as possible.
    Fill,
}

/// How a drawn set is lined up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Positions {
    /// The sturdiest monster that must fight from the front stands there, then those with Reach, then the
    /// others from the frailest to the sturdiest.
    #[default]
    Roles,
    /// Every order is equally likely.
    Random,
}

/// What a pool is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The weight of each card of the catalogue; 0 is never drawn.
    pub weights: Vec<f64>,
    /// Which sets are drawn.
    pub policy: Policy,
    /// With `fill`: how far below the highest possible cost a set may be.
    pub fill_within: u8,
    /// How sets are lined up.
    pub positions: Positions,
    /// What caps levels; everybody has the highest level it can.
    pub league: League,
}

/// A pool with everything prepared for drawing from it.
#[derive(Clone, Debug)]
pub struct Pool {
    /// What it is made of.
    recipe: Arc<Recipe>,
    caps: usize,
    decks: Vec<Arc<Deck>>,
    sets: Arc<[Sets]>,
    choices: Arc<[Choice]>,
    /// By condition, then mana cap: which choice. Most conditions leave the same one.
    choice_of: Arc<[u32]>,
}

/// Who can lead under one condition and mana cap.
#[derive(Clone, Debug, PartialEq)]
struct Choice {
    leaders: Vec<Leader>,
    /// The sums of their weights up to each; every weight is positive.
    bounds: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq)]
struct Leader {
    summoner: CardAt,
    /// Which sets can be fielded; one entry for each splinter of a dragon summoner, one for any other.
    options: ArrayVec<u32, 5>,
}

/// Sets of one size from one deck, by what they cost.
#[derive(Clone, Debug, PartialEq)]
struct Sets {
    deck: usize,
    size: usize,
    totals: Vec<usize>,
    /// The sums of the totals' weights up to each; every weight is positive.
    bounds: Vec<u64>,
}

/// The monsters that one summoner could bring, by cost, and the weight of sets of them.
#[derive(Clone, Debug, PartialEq)]
struct Deck {
    groups: Vec<Arc<Group>>,
    /// By group, size and total: the weight of all sets from this group on.
    ways: Arc<[f64]>,
    most: usize,
    /// Whether all weights are whole numbers, and all sums of their products exact.
    whole: bool,
}

/// The monsters of one cost.
#[derive(Clone, Debug, PartialEq)]
struct Group {
    mana: usize,
    cards: Vec<Entry>,
    /// By card and number: the weight of all sets of that many from this card on.
    ways: Vec<[f64; TEAM + 1]>,
    /// The same as whole numbers; nothing where they need not be.
    whole_ways: Vec<[u64; TEAM + 1]>,
}

/// A monster with what lining up asks of it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    weight: f64,
    role: Role,
}

/// A monster and what lining up asks of it, in one number that is sorted by: from the highest bit on whether it must fight
/// from the front, whether it lacks Reach, its toughness, its card and level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Role(u64);

impl Role {
    const FIGHTS_IN_FRONT: u64 = 1 << 63;
    const LACKS_REACH: u64 = 1 << 62;
    const TOUGHNESS: u64 = 0xFFFF << 32;

    fn of(card: CardAt, level: &Level) -> Self {
        let stats = &level.stats;
        // Melee that cannot reach anybody from the back.
        let fights_in_front = stats.melee > 0
            && stats.ranged == 0
            && stats.magic == 0
            && level.abilities.is_disjoint(Ability::Sneak | Ability::Opportunity);
        let flag = |holds: bool, bit: u64| if holds { bit } else { 0 };
        let toughness = stats.health.max(0) as u64 + stats.armor.max(0) as u64;
        Self(
            flag(fights_in_front, Self::FIGHTS_IN_FRONT)
                | flag(!level.abilities.contains(Ability::Reach), Self::LACKS_REACH)
                | toughness << 32
                | u64::from(card.card) << 8
                | u64::from(card.level),
        )
    }

    fn card(self) -> CardAt {
        CardAt { card: (self.0 >> 8) as u16, level: self.0 as u8 }
    }

    /// The highest stands in front.
    fn in_front(self) -> u64 {
        self.0 & (Self::FIGHTS_IN_FRONT | Self::TOUGHNESS)
    }

    /// The lowest stands foremost of the others.
    fn behind(self) -> u64 {
        self.0 & !Self::FIGHTS_IN_FRONT
    }
}

impl Pool {
    /// Prepares a pool for these conditions and mana caps.
    ///
    /// # Errors
    /// The (condition, mana cap) pairs, as indices, under which it cannot field a team.
    pub fn new(
        catalogue: &Catalogue,
        recipe: &Recipe,
        conditions: &[Rulesets],
        mana_caps: &[u8],
    ) -> Result<Self, Vec<(usize, usize)>> {
        let largest = mana_caps.iter().copied().max().map_or(0, usize::from);
        let mut builder = Builder::new(catalogue, recipe, largest);
        let mut choice_of = Vec::new();
        let mut empty = Vec::new();
        for (condition, &rulesets) in conditions.iter().enumerate() {
            for (cap, &mana_cap) in mana_caps.iter().enumerate() {
                let choice = builder.choice(rulesets & SELECTION, mana_cap);
                if builder.choices[choice as usize].leaders.is_empty() {
                    empty.push((condition, cap));
                }
                choice_of.push(choice);
            }
        }
        if !empty.is_empty() {
            return Err(empty);
        }
        let caps = mana_caps.len();
        let Builder { decks, sets, choices, .. } = builder;
        Ok(Self {
            recipe: Arc::new(recipe.clone()),
            caps,
            decks: decks.into_iter().map(Arc::new).collect(),
            sets: sets.into(),
            choices: choices.into(),
            choice_of: choice_of.into(),
        })
    }

    /// How its teams are chosen and lined up.
    pub(super) fn in_words(&self) -> String {
        let policy = match self.recipe.policy {
            Policy::Uniform => "uniform",
            Policy::Weighted => "weighted",
            Policy::Fill => "fill",
        };
        let positions = match self.recipe.positions {
            Positions::Roles => "by `roles`",
            Positions::Random => "at random",
        };
        format!("drawing teams (`{policy}`) and lining them up {positions}")
    }

    /// Draws a team for a battle under `condition` and mana cap number `cap`.
    pub fn draw<C: Chance<Roll>>(&self, condition: usize, cap: usize, chance: &mut C) -> LineUp {
        let choice = &self.choices[self.choice_of[condition * self.caps + cap] as usize];
        let leader = &choice.leaders[within(Roll::Summoner, &choice.bounds, chance)];
        let splinter = chance.pick(Roll::Splinter, leader.options.len());
        let sets = &self.sets[leader.options[splinter] as usize];
        let total = sets.totals[within(Roll::TeamCard, &sets.bounds, chance)];
        let mut drawn = ArrayVec::<Role, TEAM>::new();
        self.decks[sets.deck].draw(sets.size, total, chance, &mut drawn);
        match self.recipe.positions {
            Positions::Random => chance.shuffle(Roll::TeamOrder, &mut drawn),
            Positions::Roles => line_up_by_role(&mut drawn),
        }
        LineUp {
            summoner: leader.summoner,
            monsters: drawn.iter().map(|role| role.card()).collect(),
        }
    }

    /// The cards that it can draw under some condition and mana cap, some of them more than once.
    pub(super) fn cards(&self) -> impl Iterator<Item = CardAt> {
        let leaders = self.choices.iter().flat_map(|choice| &choice.leaders);
        let groups = self.decks.iter().flat_map(|deck| &deck.groups);
        let monsters = groups.flat_map(|group| &group.cards).map(|entry| entry.role.card());
        leaders.map(|leader| leader.summoner).chain(monsters)
    }

    /// What it is made of.
    pub(super) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Lets go of what another pool has just like this one, in favour of that.
    pub(super) fn share(&mut self, other: &Self) {
        share(&mut self.recipe, &other.recipe);
        for (at, deck) in self.decks.iter_mut().enumerate() {
            if let Some(same) = other.decks.iter().find(|other| *other == deck) {
                *deck = Arc::clone(same);
            } else if let Some(like) = other.decks.get(at) {
                let deck = Arc::make_mut(deck);
                share(&mut deck.ways, &like.ways);
                for (group, like) in deck.groups.iter_mut().zip(&like.groups) {
                    share(group, like);
                }
            }
        }
        share(&mut self.sets, &other.sets);
        share(&mut self.choices, &other.choices);
        share(&mut self.choice_of, &other.choice_of);
    }

    /// How many of its decks another pool has in the same place of memory, and how many it has.
    #[cfg(test)]
    pub(super) fn shared_with(&self, other: &Self) -> [usize; 2] {
        let shared = |mine: &&Arc<Deck>| other.decks.iter().any(|theirs| Arc::ptr_eq(mine, theirs));
        [self.decks.iter().filter(shared).count(), self.decks.len()]
    }

    /// Whether another pool draws just as this one does, under each of its conditions, whose places here are given.
    pub(super) fn draws_alike(&self, other: &Self, places: &[usize]) -> bool {
        // Decks are numbered as conditions ask for them, so the same deck may have another number there.
        let deck = |theirs: &Arc<Deck>| {
            self.decks.iter().position(|mine| Arc::ptr_eq(mine, theirs) || mine == theirs)
        };
        let decks: Vec<Option<usize>> = other.decks.iter().map(deck).collect();
        let sets = |(&mine, &theirs): (&u32, &u32)| {
            let (mine, theirs) = (&self.sets[mine as usize], &other.sets[theirs as usize]);
            decks[theirs.deck] == Some(mine.deck)
                && (mine.size, &mine.totals, &mine.bounds)
                    == (theirs.size, &theirs.totals, &theirs.bounds)
        };
        let leader = |(mine, theirs): (&Leader, &Leader)| {
            mine.summoner == theirs.summoner
                && mine.options.len() == theirs.options.len()
                && mine.options.iter().zip(&theirs.options).all(sets)
        };
        let choice = |&(mine, theirs): &(u32, u32)| {
            let (mine, theirs) = (&self.choices[mine as usize], &other.choices[theirs as usize]);
            mine.bounds == theirs.bounds
                && mine.leaders.len() == theirs.leaders.len()
                && mine.leaders.iter().zip(&theirs.leaders).all(leader)
        };
        if (self.recipe.positions, self.caps) != (other.recipe.positions, other.caps) {
            return false;
        }
        let mine = places.iter().flat_map(|at| &self.choice_of[at * self.caps..][..self.caps]);
        let mut pairs: Vec<(u32, u32)> =
            mine.copied().zip(other.choice_of.iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.iter().all(choice)
    }
}

/// Lets go of `one` in favour of `other` if the two are equal.
pub(super) fn share<T: PartialEq + ?Sized>(one: &mut Arc<T>, other: &Arc<T>) {
    if one == other {
        *one = Arc::clone(other);
    }
}

/// The sturdiest that must fight in front (else the sturdiest of all), then Reach, then the frailest first,
/// because Sneak looks for the last.
fn line_up_by_role(team: &mut ArrayVec<Role, TEAM>) {
    // Of equals the first that was drawn: the last from the end.
    let front = (0..team.len()).rev().max_by_key(|&at| team[at].in_front());
    if let Some(front) = front {
        team.swap(0, front);
        team[1..].sort_unstable_by_key(|role| role.behind());
    }
}

/// What a pool is made with. Everything is worked out once for all conditions that leave the same cards.
struct Builder<'a> {
    catalogue: &'a Catalogue,
    recipe: &'a Recipe,
    /// No set can cost more.
    largest: usize,
    decks: Vec<Deck>,
    sets: Vec<Sets>,
    choices: Vec<Choice>,
    choice_under: FxHashMap<(Rulesets, u8), u32>,
    deck_under: FxHashMap<(Rulesets, Following), Option<usize>>,
    deck_of_cards: FxHashMap<Vec<CardAt>, usize>,
    sets_within: FxHashMap<(usize, usize), Option<u32>>,
}

/// What of a summoner decides whom it can lead, and at which levels.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Following {
    faction: Faction,
    splinter: Option<Faction>,
    /// By rarity: the highest level.
    caps: [u8; 4],
}

impl<'a> Builder<'a> {
    fn new(catalogue: &'a Catalogue, recipe: &'a Recipe, largest: usize) -> Self {
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

    /// Which choice the rulesets that forbid cards leave under a mana cap.
    fn choice(&mut self, rulesets: Rulesets, mana_cap: u8) -> u32 {
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

    /// The deck of those who follow; none where there is nobody.
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

    /// The monsters that follow and are not forbidden, at the highest level that each can have.
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

    /// Which sets of a deck can be fielded within a budget; none where not even one monster can.
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

impl Deck {
    fn new(catalogue: &Catalogue, recipe: &Recipe, cards: &[CardAt], largest: usize) -> Self {
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
        groups.sort_by_key(|group| group.mana);
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
    fn sets(&self, deck: usize, budget: usize, recipe: &Recipe) -> Option<Sets> {
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

    fn draw<C: Chance<Roll>>(
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
fn bounds(shares: &[f64], whole: bool) -> Vec<u64> {
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
fn within<C: Chance<Roll>>(roll: Roll, bounds: &[u64], chance: &mut C) -> usize {
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
