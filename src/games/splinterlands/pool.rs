//! Teams that are drawn afresh for every battle.
//!
//! A summoner is drawn among those that can field a team, in proportion to their weights. The monsters are a set of
//! the largest possible size (six where mana and cards allow), drawn among *all* of the summoner's legal sets of that
//! size in proportion to the product of their cards' weights: with equal weights every legal set is equally likely.
//! `fill` looks only at sets that cost as much as possible. At last the set is lined up.
//!
//! A dragon summoner leads one splinter beside the dragons. Its sets are those with a monster of the first splinter,
//! those with one of the second, and so on, and those without any: which of these is drawn in proportion to the weight
//! of all sets in it.
//!
//! Sets are not drawn again and again until one is legal. Beforehand the weight of all sets of every size and total
//! mana is counted, mana cost by mana cost. Where weights are whole numbers a draw is one number, as if all sets were
//! listed, and the set is found by walking through the costs (unranking: D. Kreher and D. Stinson: "Combinatorial
//! Algorithms", 1999). Otherwise, and where every die has to be seen by itself, the walk throws one die for how many
//! cards of each cost there are, and one for each card. No draw fails, and none allocates.

mod drawn;
mod prepared;
mod sets;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::Deserialize;

use super::ability::Ability;
use super::cards::{Catalogue, Level};
use super::legal::{League, SELECTION};
use super::rolls::Roll;
use super::ruleset::Rulesets;
use super::setup::{CardAt, LineUp};
use super::state::TEAM;
use crate::chance::Chance;
use crate::game::Side;
use drawn::Drawn;
use prepared::Builder;
use sets::{Deck, Sets, within};

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
    /// The league, which caps levels; every card has the highest level it can.
    pub league: League,
}

/// A pool with everything prepared for drawing from it.
#[derive(Clone, Debug)]
pub struct Pool {
    /// A number that no other pool of the process has, except for copies of this one, which draw as it does.
    number: u64,
    /// What it is made of.
    recipe: Arc<Recipe>,
    caps: usize,
    decks: Vec<Arc<Deck>>,
    sets: Arc<[Sets]>,
    options: Arc<[Options]>,
    choices: Arc<[Choice]>,
    /// By condition, then mana cap: the index of the choice. Most conditions leave the same one.
    choice_of: Arc<[u32]>,
}

/// The summoners that can lead a team under a condition and mana cap.
#[derive(Clone, Debug, PartialEq)]
struct Choice {
    leaders: Vec<Leader>,
    /// The cumulative sums of their weights; every weight is positive.
    bounds: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq)]
struct Leader {
    summoner: CardAt,
    /// Index of the options that it draws its monsters from.
    options: u32,
}

/// The most options of a summoner: the sets with a monster of each splinter, and those without any.
const MOST_OPTIONS: usize = 6;

/// What a summoner's monsters are drawn from.
#[derive(Clone, Debug, PartialEq)]
struct Options {
    /// Indices of the sets: several for a dragon summoner, one for any other. No set of monsters is in two of them.
    sets: ArrayVec<u32, MOST_OPTIONS>,
    /// The cumulative sums of their weights; every weight is positive.
    bounds: ArrayVec<u64, MOST_OPTIONS>,
}

/// A monster with what decides its position in a line-up, as one number to sort by. From the highest bit on: whether it
/// must fight from the front, whether it lacks Reach, its toughness, its card and level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Role(u64);

impl Role {
    const FIGHTS_IN_FRONT: u64 = 1 << 63;
    const LACKS_REACH: u64 = 1 << 62;
    const TOUGHNESS: u64 = 0xFFFF << 32;

    fn of(card: CardAt, level: &Level) -> Self {
        let stats = &level.stats;
        // It has only a melee attack, which reaches nobody from the back.
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

    /// The sort key for the front: the monster with the highest key stands there.
    fn in_front(self) -> u64 {
        self.0 & (Self::FIGHTS_IN_FRONT | Self::TOUGHNESS)
    }

    /// The sort key for the other positions: the monster with the lowest key stands foremost.
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
        let (pool, empty) = Self::with_gaps(catalogue, recipe, conditions, mana_caps);
        if empty.is_empty() { Ok(pool) } else { Err(empty) }
    }

    /// Prepares a pool as [`new`](Self::new) does, and returns the (condition, mana cap) pairs, as indices, under which it
    /// cannot field a team: for these it must not draw any.
    pub(super) fn with_gaps(
        catalogue: &Catalogue,
        recipe: &Recipe,
        conditions: &[Rulesets],
        mana_caps: &[u8],
    ) -> (Self, Vec<(usize, usize)>) {
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
        let caps = mana_caps.len();
        let Builder { decks, sets, options, choices, .. } = builder;
        static POOLS: AtomicU64 = AtomicU64::new(0);
        let pool = Self {
            number: POOLS.fetch_add(1, Ordering::Relaxed),
            recipe: Arc::new(recipe.clone()),
            caps,
            decks: decks.into_iter().map(Arc::new).collect(),
            sets: sets.into(),
            options: options.into(),
            choices: choices.into(),
            choice_of: choice_of.into(),
        };
        (pool, empty)
    }

    /// How its teams are chosen and lined up, in words.
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
        let choice = self.choice_of[condition * self.caps + cap];
        self.draw_of(&self.choices[choice as usize], chance)
    }

    /// Draws a team as [`draw`](Self::draw) does, or returns the team that was drawn for this side with the same dice
    /// under another condition, most of which have the same choice.
    #[inline]
    pub(super) fn draw_for<C: Chance<Roll>>(
        &self,
        side: Side,
        condition: usize,
        cap: usize,
        chance: &mut C,
    ) -> LineUp {
        let choice = self.choice_of[condition * self.caps + cap];
        let draw = |chance: &mut C| self.draw_of(&self.choices[choice as usize], chance);
        match chance.battle() {
            None => draw(chance),
            Some(battle) => {
                let drawn = Drawn { battle, pool: self.number, choice };
                drawn.kept_or(side, || draw(chance))
            }
        }
    }

    fn draw_of<C: Chance<Roll>>(&self, choice: &Choice, chance: &mut C) -> LineUp {
        let leader = &choice.leaders[within(Roll::Summoner, &choice.bounds, chance)];
        let options = &self.options[leader.options as usize];
        let which = within(Roll::Splinter, &options.bounds, chance);
        let sets = &self.sets[options.sets[which] as usize];
        let mut drawn = ArrayVec::<Role, TEAM>::new();
        self.decks[sets.deck].draw(sets, chance, &mut drawn);
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

    /// The cards that are in some set that it draws under some condition and mana cap, some of them more than once.
    pub(super) fn drawn(&self) -> impl Iterator<Item = u16> {
        let leaders = self.choices.iter().flat_map(|choice| &choice.leaders);
        let monsters = self.sets.iter().flat_map(|sets| self.decks[sets.deck].drawn(sets));
        leaders.map(|leader| leader.summoner.card).chain(monsters)
    }

    /// What it is made of.
    pub(super) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Shares with another pool the memory of what both have alike.
    pub(super) fn share(&mut self, other: &Self) {
        share(&mut self.recipe, &other.recipe);
        for (at, deck) in self.decks.iter_mut().enumerate() {
            if let Some(same) = other.decks.iter().find(|other| *other == deck) {
                *deck = Arc::clone(same);
            } else if let Some(like) = other.decks.get(at) {
                let deck = Arc::make_mut(deck);
                deck.ways.share(&like.ways);
                for (group, like) in deck.groups.iter_mut().zip(&like.groups) {
                    share(group, like);
                }
            }
        }
        share(&mut self.sets, &other.sets);
        share(&mut self.options, &other.options);
        share(&mut self.choices, &other.choices);
        share(&mut self.choice_of, &other.choice_of);
    }

    /// How many of its decks share their memory with another pool's, and how many decks it has.
    #[cfg(test)]
    pub(super) fn shared_with(&self, other: &Self) -> [usize; 2] {
        let shared = |mine: &&Arc<Deck>| other.decks.iter().any(|theirs| Arc::ptr_eq(mine, theirs));
        [self.decks.iter().filter(shared).count(), self.decks.len()]
    }

    /// Whether another pool draws exactly as this one does, under each of the other's conditions; `places` gives their
    /// indices here.
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
            let mine_of = &self.options[mine.options as usize];
            let theirs_of = &other.options[theirs.options as usize];
            mine.summoner == theirs.summoner
                && mine_of.bounds == theirs_of.bounds
                && mine_of.sets.iter().zip(&theirs_of.sets).all(sets)
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

/// Makes `one` share the memory of `other` if the two are equal.
pub(super) fn share<T: PartialEq + ?Sized>(one: &mut Arc<T>, other: &Arc<T>) {
    if one == other {
        *one = Arc::clone(other);
    }
}

/// Lines up a team: the sturdiest monster that must fight in front (else the sturdiest of all), then those with Reach,
/// then the others from the frailest on, because Sneak looks for the last.
fn line_up_by_role(team: &mut ArrayVec<Role, TEAM>) {
    // Of equals the first that was drawn: seen from the end it is the last, which `max_by_key` returns.
    let front = (0..team.len()).rev().max_by_key(|&at| team[at].in_front());
    if let Some(front) = front {
        team.swap(0, front);
        team[1..].sort_unstable_by_key(|role| role.behind());
    }
}
