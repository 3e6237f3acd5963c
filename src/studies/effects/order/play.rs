//! Plays battles as they come and with an order forced.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::super::tally::{Alone, Fared, Together, joint};
use super::Design;
use crate::batch::{Forgetful, Workers};
use crate::engine::{Battle, Dice, Look, Place};
use crate::forcible::Otherwise;
use crate::game::{Outcome, Side};
use crate::statistics::Joint;
use crate::tally::{Assignment, Clustered, Record, Results, Sum};

/// How a side fared, summed over battles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    as_it_comes: Alone,
    first: Alone,
    not_first: Alone,
    both: Together,
}

impl Sums {
    fn merge(&mut self, other: &Self) {
        self.as_it_comes.merge(&other.as_it_comes);
        self.first.merge(&other.first);
        self.not_first.merge(&other.not_first);
        self.both.merge(&other.both);
    }
}

/// Battles within which the first side is compared with the others: one match-up and, where the order is drawn, one condition
/// and drawn among the same.
type Stratum = (u32, u32, u16);

/// Sums over battles by match-up and side: whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTally {
    sides: usize,
    all_sides: u32,
    /// By match-up: battles in which the order came up.
    battles: Vec<u64>,
    /// By match-up and side: battles in which it was the first by itself.
    first: Vec<u64>,
    /// By match-up and side.
    sums: Vec<Sums>,
    /// By who was the first by itself, and then side: how the battles ended for it.
    by_itself: FxHashMap<Stratum, Vec<Results>>,
}

impl OrderTally {
    /// No battles yet.
    #[must_use]
    pub fn new(design: &Design<'_>) -> Self {
        let (matchups, sides) = (design.layout().matchups.len(), design.sides());
        Self {
            sides,
            all_sides: design.layout().sides as u32,
            battles: vec![0; matchups],
            first: vec![0; matchups * sides],
            sums: vec![Sums::default(); matchups * sides],
            by_itself: FxHashMap::default(),
        }
    }

    fn results_of(&mut self, stratum: Stratum) -> &mut Vec<Results> {
        let none = || vec![Results::none(self.all_sides); self.sides * self.sides];
        self.by_itself.entry(stratum).or_insert_with(none)
    }

    /// Battles of some match-ups in which the order came up, and those of them in which a side was the first by itself.
    pub(super) fn battles(&self, matchups: Range<usize>, side: usize) -> [u64; 2] {
        let first = matchups.clone().map(|at| self.first[at * self.sides + side]).sum();
        [self.battles[matchups].iter().sum(), first]
    }

    fn of(&self, matchups: Range<usize>, side: usize) -> Sums {
        let mut sum = Sums::default();
        matchups.for_each(|at| sum.merge(&self.sums[at * self.sides + side]));
        sum
    }

    /// How a side of some match-ups fared as it came, when it was the first, and when it was not.
    pub(super) fn fared(&self, matchups: Range<usize>, side: usize) -> [Clustered; 3] {
        let Sums { as_it_comes, first, not_first, .. } = self.of(matchups, side);
        [as_it_comes, first, not_first].map(Alone::clustered)
    }

    /// A side when another one is the first, and when it is, in the same battles.
    pub(super) fn effect(&self, matchups: Range<usize>, side: usize) -> Joint<2> {
        let Sums { first, not_first, both, .. } = self.of(matchups, side);
        joint(self.all_sides, [not_first, first], |_, _| both)
    }

    /// By stratum, in a fixed order: how battles ended for a side in which it was the first by itself, and in which it was not.
    pub(super) fn association(&self, matchups: &Range<usize>, side: usize) -> Vec<[Results; 2]> {
        let mut strata: Vec<_> = self.by_itself.iter().collect();
        strata.retain(|((matchup, ..), _)| matchups.contains(&(*matchup as usize)));
        strata.sort_unstable_by_key(|(stratum, _)| **stratum);
        let of = |results: &Vec<Results>| {
            let at = |first: usize| results[first * self.sides + side];
            let others = (0..self.sides).filter(|&first| first != side).map(at);
            [at(side), others.fold(Results::none(self.all_sides), Results::with)]
        };
        strata.into_iter().map(|(_, results)| of(results)).collect()
    }

    /// Adds a battle that a side was the first of by itself, given how it ends with each side as the first.
    fn add(&mut self, design: &Design<'_>, stratum: Stratum, first: usize, outcomes: &[Outcome]) {
        let (sides, all_sides) = (self.sides, design.layout().sides);
        let matchup = stratum.0 as usize;
        self.battles[matchup] += 1;
        self.first[matchup * sides + first] += 1;
        for side in 0..sides {
            let fared = |outcome: Outcome| {
                let points = design.measure.points(outcome, Side(side as u8), all_sides);
                points.map_or_else(Fared::default, Fared::once)
            };
            let others =
                (0..sides).filter(|&other| other != side).map(|other| fared(outcomes[other]));
            let not_first = others.fold(Fared::default(), |sum, of| Fared {
                played: sum.played + of.played,
                points: sum.points + of.points,
            });
            let when_first = fared(outcomes[side]);
            let sums = &mut self.sums[matchup * sides + side];
            sums.as_it_comes.add(fared(outcomes[first]));
            sums.first.add(when_first);
            sums.not_first.add(not_first);
            sums.both.add(not_first, when_first);
        }
        let results = self.results_of(stratum);
        for side in 0..sides {
            let of = &mut results[first * sides + side];
            match outcomes[first] {
                Outcome::Win(winner) if winner.index() == side => of.won += 1,
                Outcome::Win(_) => of.lost += 1,
                Outcome::Draw | Outcome::Undecided => of.shared += 1,
            }
        }
    }
}

impl Sum for OrderTally {
    fn merge(&mut self, other: &Self) {
        let add = |mine: &mut [u64], theirs: &[u64]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        };
        add(&mut self.battles, &other.battles);
        add(&mut self.first, &other.first);
        for (mine, theirs) in self.sums.iter_mut().zip(&other.sums) {
            mine.merge(theirs);
        }
        for (&stratum, theirs) in &other.by_itself {
            let mine = self.results_of(stratum);
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = mine.with(*theirs);
            }
        }
    }
}

/// What came of playing a design.
#[derive(Clone, Debug)]
pub struct Played {
    /// How the battles went.
    pub tally: OrderTally,
    /// How many battles were played as they came: the first of the design.
    pub battles: u64,
}

/// Plays a design. `go_on` is given the number of battles played in all, forced ones counted as if every battle had the order,
/// and ends it by returning false.
///
/// # Panics
/// When the operating system gives no threads.
pub fn play(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    let arms = design.sides() as u64;
    let assignment = Assignment::new(design.layout());
    let workers = Workers::new(threads, u64::MAX / 2, || Worker::new(design));
    let (tally, battles) = workers.of_heavy_battles(arms).count(
        design.battles,
        OrderTally::new(design),
        |worker| &mut worker.tally,
        &mut Forgetful,
        |worker, battles| worker.play(design, &assignment, seed, battles),
        &mut |played| go_on(played * arms),
    );
    Played { tally, battles }
}

/// What one thread counts with.
struct Worker {
    tally: OrderTally,
    record: Record,
    outcomes: Vec<Outcome>,
}

impl Worker {
    fn new(design: &Design<'_>) -> Self {
        Self {
            tally: OrderTally::new(design),
            record: Record::new(design.layout()),
            outcomes: vec![Outcome::Undecided; design.sides()],
        }
    }

    /// Plays some battles as they come, and with each other side forced to be the first.
    fn play(
        &mut self,
        design: &Design<'_>,
        assignment: &Assignment,
        seed: u64,
        battles: Range<u64>,
    ) {
        let Self { tally, record, outcomes } = self;
        for index in battles {
            let place = Place::Assigned(assignment);
            let battle = Battle { seed, index, dice: Dice::Keyed, place };
            let events = matches!(design.forcible.otherwise, Otherwise::AsObserved(_));
            design.engine.play(battle, Look { events, fighters: false }, record);
            let Some((first, among)) = first_by_itself(design, record) else { continue };
            let condition = if design.is_drawn() { record.stratum.condition } else { 0 };
            // Where the condition is what is drawn, its battles are what is compared.
            let condition = match design.forcible.otherwise {
                Otherwise::AsDrawn(_) => 0,
                Otherwise::AsObserved(_) | Otherwise::Always(_) => condition,
            };
            let stratum = (record.stratum.matchup, condition, among);
            for (side, forced) in design.forced.iter().enumerate() {
                // Who is the first anyway makes it the very same battle.
                if side != first.index() {
                    let place = Place::Stratum(record.stratum);
                    let look = Look { events: false, fighters: false };
                    let before = record.outcome;
                    forced.play(Battle { place, ..battle }, look, record);
                    outcomes[side] = std::mem::replace(&mut record.outcome, before);
                } else {
                    outcomes[side] = record.outcome;
                }
            }
            tally.add(design, stratum, first.index(), outcomes);
        }
    }
}

/// Who was the first of a battle that was played as it came, and what that was drawn among; none where nobody was.
fn first_by_itself(design: &Design<'_>, record: &Record) -> Option<(Side, u16)> {
    let (first, among) = match &design.forcible.otherwise {
        Otherwise::AsObserved(moment) => {
            let order = record.orders().find(|order| order.moment() == *moment)?;
            (Side(*order.items().first()? as u8), order.among())
        }
        Otherwise::AsDrawn(by_condition) => {
            (*by_condition.get(record.stratum.condition as usize)?, 0)
        }
        Otherwise::Always(side) => (*side, 0),
    };
    (first.index() < design.sides()).then_some((first, among))
}
