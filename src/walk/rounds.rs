//! Round after round, until all is decided or a budget is exceeded.

use std::collections::{BTreeMap, VecDeque};

use num_rational::BigRational;
use rustc_hash::FxHashMap;

use super::look::{Look, PlaceOf};
use super::share::{Denominator, Names, Order, Share};
use super::ways::{Led, PARTS, STRETCH, Scratch, Start, begin, go_on as go_on_from};
use crate::chance::{Every, Whole};
use crate::game::{Game, Stratum};
use crate::parallel;

/// Places whose ways are walked at the same time.
const WAVE: usize = 128;

/// A denominator of at most so many bits is not reduced: multiplied by what a round adds, it still leaves odds in one
/// word.
const SHORT: u32 = 32;

/// How far a walk may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most different states at once.
    pub states: usize,
    /// The most ways through a round in all, merged or not: what a walk costs in time.
    pub ways: u64,
    /// The most rounds.
    pub rounds: u32,
}

impl Budget {
    /// No limits.
    pub const UNLIMITED: Self = Self { states: usize::MAX, ways: u64::MAX, rounds: u32::MAX };
}

/// Why a walk ended before everything was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// There were more states than the budget allows.
    States,
    /// There were more ways than the budget allows.
    Ways,
    /// There were more rounds than the budget allows.
    Rounds,
    /// The caller asked for it.
    Interrupted,
}

/// All battles of a walk that ended in one round with one key.
pub(super) struct Ending<K> {
    pub(super) rounds: u32,
    pub(super) key: K,
    pub(super) probability: BigRational,
    /// By order: how often it comes up on average, and the probability that it does at least once, both counting only
    /// battles that ended so.
    pub(super) orders: Vec<(Order, BigRational, BigRational)>,
}

/// What a walk has found, and how far it got.
pub(super) struct Walked<K> {
    pub(super) endings: Vec<Ending<K>>,
    /// Rounds walked to their end.
    pub(super) rounds: u32,
    pub(super) ways: u64,
    /// The most different states at once.
    pub(super) states: usize,
    /// Why something is left open, if anything is.
    pub(super) stop: Option<Stop>,
}

/// Enumerates every way that the battles of a stratum can go. `go_on` is told now and then how many ways were walked,
/// and ends the walk by returning false. The result depends on nothing but the setup and the budget, whatever the
/// number of threads.
pub(super) fn walk<G, L>(
    setup: &G::Setup,
    stratum: Stratum,
    budget: Budget,
    look: &L,
    mut go_on: impl FnMut(u64) -> bool,
) -> Walked<L::Key>
where
    G: Game,
    L: Look<G>,
{
    let mut walk = Walk::<G, L> {
        setup,
        stratum,
        look,
        budget,
        denominator: Whole::ONE,
        names: Names::default(),
        walked: Walked { endings: Vec::new(), rounds: 0, ways: 0, states: 0, stop: None },
    };
    let mut beginner = Scratch::new(look.scratch(stratum));
    let mut open = walk.begin(&mut beginner, &mut go_on);
    // What a look notes to is made ready when a battle begins.
    let begun = beginner.into_look();
    let scratch = parallel::Scratch::new(|| Scratch::new(begun.clone()));
    while walk.walked.stop.is_none() && !open.is_empty() {
        open = walk.round(open, &scratch, &mut go_on);
    }
    walk.walked
}

struct Walk<'w, G: Game, L: Look<G>> {
    setup: &'w G::Setup,
    stratum: Stratum,
    look: &'w L,
    budget: Budget,
    /// The denominator of the shares of open places.
    denominator: Whole,
    /// The orders that were met so far.
    names: Names,
    walked: Walked<L::Key>,
}

/// What threads walk with.
type Scratches<G, L, M> = parallel::Scratch<Scratch<G, L>, M>;

/// What ways from some places lead to, each with the share of its place.
type Wave<'w, G, L> = Vec<(&'w Share, Led<PlaceOf<G, L>, <L as Look<G>>::Key>)>;

/// Where a round leads: open places by part, and endings.
struct Reached<P, K> {
    /// By what the shares' denominator is a multiple of the one before the round.
    denominator: Denominator,
    open: [FxHashMap<P, Share>; PARTS],
    ended: BTreeMap<K, Share>,
}

impl<P: Send, K: Send> Reached<P, K> {
    fn new() -> Self {
        Self { denominator: Denominator::one(), open: Default::default(), ended: BTreeMap::new() }
    }

    fn states(&self) -> usize {
        self.open.iter().map(FxHashMap::len).sum()
    }

    fn scale(&mut self, factor: &Whole) {
        parallel::map_all(&mut self.open, |part| {
            part.values_mut().for_each(|share| share.scale(factor));
        });
        self.ended.values_mut().for_each(|share| share.scale(factor));
    }
}

impl<G, L> Walk<'_, G, L>
where
    G: Game,
    L: Look<G>,
{
    /// Walks the start of the battle: returns all places where it can begin.
    fn begin(
        &mut self,
        scratch: &mut Scratch<G, L>,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> Vec<(PlaceOf<G, L>, Share)> {
        let mut reached = Reached::new();
        let mut dice = Every::new();
        let nowhere = Share::whole();
        loop {
            let most = self.stretch(1);
            let known = (self.look, &self.names);
            let led = begin::<G, L>(self.setup, self.stratum, known, &mut dice, most, scratch);
            let is_last = led.is_last;
            self.merge(&mut reached, vec![(&nowhere, led)]);
            if is_last || self.must_stop(&reached, go_on) {
                break;
            }
        }
        self.finish(reached, 0)
    }

    /// Walks one round from every open place: returns the places that are open after it.
    fn round(
        &mut self,
        open: Vec<(PlaceOf<G, L>, Share)>,
        scratch: &Scratches<G, L, impl Fn() -> Scratch<G, L> + Sync>,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> Vec<(PlaceOf<G, L>, Share)> {
        if self.walked.rounds >= self.budget.rounds {
            self.walked.stop = Some(Stop::Rounds);
            return open;
        }
        let number = self.walked.rounds + 1;
        let mut fresh = open.into_iter().map(|(place, share)| Start::new(place, share));
        let mut begun: VecDeque<Start<PlaceOf<G, L>>> = VecDeque::new();
        let mut reached = Reached::new();
        loop {
            let missing = WAVE.saturating_sub(begun.len());
            begun.extend(fresh.by_ref().take(missing));
            if begun.is_empty() {
                break;
            }
            let most = self.stretch(begun.len());
            let known = (self.look, &self.names);
            let round = (self.setup, self.stratum, number);
            let walk_on = |scratch: &mut _, start: &mut _| {
                go_on_from::<G, L>(round, known, start, most, scratch)
            };
            let led = parallel::map_all_with(&mut begun, scratch, walk_on);
            let last: Vec<bool> = led.iter().map(|led| led.is_last).collect();
            let shares = begun.iter().map(|start| &start.share);
            self.merge(&mut reached, shares.zip(led).collect());
            let mut last = last.into_iter();
            begun.retain(|_| !last.next().expect("one for each"));
            let is_done = begun.is_empty() && fresh.len() == 0;
            if !is_done && self.must_stop(&reached, go_on) {
                break;
            }
        }
        if self.walked.stop.is_none() {
            self.walked.rounds = number;
        }
        self.finish(reached, number)
    }

    /// How many more ways may be walked from each of so many places before the budget is checked again.
    fn stretch(&self, places: usize) -> u64 {
        let left = self.budget.ways.saturating_sub(self.walked.ways);
        (left / places as u64).clamp(1, STRETCH)
    }

    fn must_stop<P: Send, K: Send>(
        &mut self,
        reached: &Reached<P, K>,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> bool {
        self.walked.stop = if reached.states() > self.budget.states {
            Some(Stop::States)
        } else if self.walked.ways >= self.budget.ways {
            Some(Stop::Ways)
        } else if !go_on(self.walked.ways) {
            Some(Stop::Interrupted)
        } else {
            None
        };
        self.walked.stop.is_some()
    }

    /// Adds what ways from some places lead to.
    fn merge(&mut self, reached: &mut Reached<PlaceOf<G, L>, L::Key>, mut wave: Wave<'_, G, L>) {
        let mut room = reached.denominator.clone();
        let next = self.names.len();
        for (_, led) in &mut wave {
            self.walked.ways += led.ways;
            room.make_room(&led.denominator);
            led.renumber(&mut self.names, next);
        }
        let finer = room.0.over(&reached.denominator.0);
        if !finer.is_one() {
            reached.scale(&finer);
        }
        reached.denominator = room;
        let mut parts: [Vec<_>; PARTS] = Default::default();
        let mut ends = Vec::new();
        for (before, led) in wave {
            let factor = reached.denominator.0.over(&led.denominator);
            for (place, step) in led.open {
                parts[place.part(PARTS)].push((before, factor.clone(), place, step));
            }
            ends.push((before, factor, led.ended));
        }
        let Reached { open, ended, .. } = reached;
        let merge_open = || {
            parallel::map_all(open.iter_mut().zip(parts), |(open, part)| {
                for (before, factor, place, step) in part {
                    open.entry(place).or_default().add_step(before, &step, &factor);
                }
            });
        };
        let merge_ended = || {
            for (before, factor, led) in ends {
                for (key, step) in led {
                    ended.entry(key).or_default().add_step(before, &step, &factor);
                }
            }
        };
        parallel::both(Box::new(merge_open), Box::new(merge_ended));
        self.walked.states = self.walked.states.max(reached.states());
    }

    /// Ends a round, or the start as round 0: writes down the endings as fractions, and returns the open places.
    fn finish(
        &mut self,
        mut reached: Reached<PlaceOf<G, L>, L::Key>,
        number: u32,
    ) -> Vec<(PlaceOf<G, L>, Share)> {
        self.denominator = self.denominator.times(&reached.denominator.0);
        let (whole, names) = (&self.denominator, &self.names);
        let fraction = |parts: Whole| BigRational::new(parts.to_integer(), whole.to_integer());
        let of_part = |part: &mut FxHashMap<_, Share>| {
            part.values().fold(whole.clone(), |divisor, share| share.common_divisor(divisor))
        };
        // Calculating with numbers this short takes no longer than with shorter ones.
        let divisor = if whole.has_at_most(SHORT) {
            Whole::ONE
        } else {
            let of_parts = parallel::map_all(&mut reached.open, of_part);
            of_parts.into_iter().fold(whole.clone(), |all, of| all.common_divisor(&of))
        };
        let endings = reached.ended.into_iter().map(|(key, share)| {
            let probability = fraction(share.all());
            let orders = share.into_orders().into_iter().map(|noted| {
                (names.order(noted.order), fraction(noted.times), fraction(noted.once))
            });
            let orders = orders.collect();
            Ending { rounds: number, key, probability, orders }
        });
        self.walked.endings.extend(endings);
        self.denominator = self.denominator.over(&divisor);
        let mut open: Vec<(PlaceOf<G, L>, Share)> = reached.open.into_iter().flatten().collect();
        if !divisor.is_one() {
            parallel::map_all(&mut open, |(_, share)| share.reduce(&divisor));
        }
        if self.walked.stop.is_none() && open.len() > self.budget.states {
            self.walked.stop = Some(Stop::States);
        }
        open
    }
}
