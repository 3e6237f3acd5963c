//! Plays battles unforced and with an order forced.

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::super::tally::{Alone, Fared, Together, joint};
use super::{Battles, Design};
use crate::batch::{Forgetful, Grouped, Keeper, Workers};
use crate::engine::{Battle, Dice, Look, Place};
use crate::forcible::Otherwise;
use crate::game::{Outcome, Side, Stratum};
use crate::statistics::{Joint, JointPart};
use crate::tally::{Assignment, Forfeits, Kept, Layout, Record, Results, Stratified, Sum};

/// A side's results, summed over battles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
    /// Battles in which it was first by itself.
    led: u64,
    as_it_comes: Alone,
    first: Alone,
    not_first: Alone,
    both: Together,
}

impl Sums {
    /// Whether `battles` battles can have these sums, if a win counts `most` points.
    fn is_sound(&self, battles: u64, most: u32) -> bool {
        let fared = [self.as_it_comes, self.first, self.not_first];
        self.led <= battles && fared.iter().all(|of| of.is_sound(most))
    }

    fn merge(&mut self, other: &Self) {
        self.led += other.led;
        self.as_it_comes.merge(&other.as_it_comes);
        self.first.merge(&other.first);
        self.not_first.merge(&other.not_first);
        self.both.merge(&other.both);
    }
}

/// A match-up, a condition, and what the order was drawn among: the key of `by_itself`.
pub(super) type Origin = (u32, u32, u16);

/// Sums over the battles in which the order came up, all integers: by match-up and side, by factor and side, and by
/// origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTally {
    sides: usize,
    all_sides: u32,
    matchups: u32,
    conditions: u32,
    /// The number of battles by match-up, and after these by factor.
    battles: Vec<u64>,
    /// Sums by match-up, and after these by factor; within each by side.
    sums: Vec<Sums>,
    /// By origin: the results by the side that was first by itself, and within that by the side whose results they are.
    by_itself: FxHashMap<Origin, Vec<Results>>,
    /// The forfeits of the unforced battles.
    forfeits: Forfeits,
}

/// The stored form of an [`OrderTally`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderTallyForm {
    battles: Vec<u64>,
    sums: Vec<Sums>,
    /// Sorted by origin; results as won, shared and lost.
    by_itself: Vec<(Origin, Vec<[u64; 3]>)>,
    forfeits: Forfeits,
}

impl OrderTally {
    /// A tally without battles.
    #[must_use]
    pub fn new(design: &Design<'_>) -> Self {
        let (layout, sides) = (design.layout(), design.sides());
        let parts = layout.matchups.len() + layout.factors.len();
        Self {
            sides,
            all_sides: layout.sides as u32,
            matchups: layout.matchups.len() as u32,
            conditions: layout.conditions.len() as u32,
            battles: vec![0; parts],
            sums: vec![Sums::default(); parts * sides],
            by_itself: FxHashMap::default(),
            forfeits: Forfeits::new(layout.sides),
        }
    }

    /// The forfeits of the unforced battles.
    pub(super) fn forfeits(&self) -> &Forfeits {
        &self.forfeits
    }

    fn results_of(&mut self, origin: Origin) -> &mut Vec<Results> {
        let none = || vec![Results::none(self.all_sides); self.sides * self.sides];
        self.by_itself.entry(origin).or_insert_with(none)
    }

    /// Whether there is such a match-up and such a condition.
    fn holds(&self, (matchup, condition, _): Origin) -> bool {
        matchup < self.matchups && condition < self.conditions
    }

    /// The range of the sums over these battles in `battles`.
    fn parts(layout: &Layout, of: Battles) -> Range<usize> {
        let matchups = layout.matchups.len();
        match of {
            Battles::All => 0..matchups,
            Battles::OfMatchup(at) => at..at + 1,
            Battles::WithFactor(at) => matchups + at..matchups + at + 1,
        }
    }

    /// The number of battles in which the order came up, and of those in which a side was first by itself.
    pub(super) fn battles(&self, layout: &Layout, of: Battles, side: usize) -> [u64; 2] {
        let battles = self.battles[Self::parts(layout, of)].iter().sum();
        [battles, self.of(layout, of, side).led]
    }

    fn of(&self, layout: &Layout, of: Battles, side: usize) -> Sums {
        let mut sum = Sums::default();
        Self::parts(layout, of).for_each(|at| sum.merge(&self.sums[at * self.sides + side]));
        sum
    }

    /// A side's results unforced, when it was first, and when it was not; for all battles by match-up. `allotted` is
    /// the number of battles that each match-up was given.
    pub(super) fn fared(
        &self,
        layout: &Layout,
        of: Battles,
        side: usize,
        allotted: u64,
    ) -> [Vec<Stratified>; 3] {
        let parts: Vec<&Sums> =
            Self::parts(layout, of).map(|at| &self.sums[at * self.sides + side]).collect();
        let picks: [fn(&Sums) -> Alone; 3] =
            [|of| of.as_it_comes, |of| of.first, |of| of.not_first];
        picks.map(|pick| {
            let part =
                |sums: &&Sums| Stratified { battles: allotted, fared: pick(sums).clustered() };
            parts.iter().map(part).collect()
        })
    }

    /// A side's joint results when another one is first and when it is, by match-up; empty unless `of` is all battles.
    pub(super) fn joint_parts(
        &self,
        layout: &Layout,
        of: Battles,
        side: usize,
        allotted: u64,
    ) -> Vec<JointPart<2>> {
        let part = |at: usize| {
            let Sums { first, not_first, .. } = &self.sums[at * self.sides + side];
            let [before, after] = [not_first, first].map(|of| of.clustered());
            JointPart {
                battles: allotted,
                played: [before.times, after.times],
                points: [before.points, after.points],
            }
        };
        match of {
            Battles::All => Self::parts(layout, of).map(part).collect(),
            Battles::OfMatchup(_) | Battles::WithFactor(_) => Vec::new(),
        }
    }

    /// A side's joint sums when another one is first and when it is, in the same battles.
    pub(super) fn effect(&self, layout: &Layout, of: Battles, side: usize) -> Joint<2> {
        let Sums { first, not_first, both, .. } = self.of(layout, of, side);
        joint(self.all_sides, [not_first, first], |_, _| both)
    }

    /// By origin, in no order: the results by the side that was first by itself, and within that by the side whose
    /// results they are.
    pub(super) fn by_itself(&self) -> impl Iterator<Item = (Origin, &[Results])> {
        self.by_itself.iter().map(|(&origin, results)| (origin, &results[..]))
    }

    /// Adds a battle in which side `first` came first by itself, given its outcome with each side as the first.
    fn add(
        &mut self,
        design: &Design<'_>,
        stratum: Stratum,
        (first, among): (usize, u16),
        outcomes: &[Outcome],
    ) {
        let layout = design.layout();
        let (sides, all_sides) = (self.sides, layout.sides);
        let factors = &layout.conditions[stratum.condition as usize].factors;
        let of_factor = |&factor: &u16| layout.matchups.len() + usize::from(factor);
        for part in std::iter::once(stratum.matchup as usize).chain(factors.iter().map(of_factor)) {
            self.battles[part] += 1;
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
                let sums = &mut self.sums[part * sides + side];
                sums.led += u64::from(side == first);
                sums.as_it_comes.add(fared(outcomes[first]));
                sums.first.add(when_first);
                sums.not_first.add(not_first);
                sums.both.add(not_first, when_first);
            }
        }
        let results = self.results_of((stratum.matchup, stratum.condition, among));
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

/// Bytes of an origin in the map, with the list of its results as the allocator gives it.
const ORIGIN: u64 = 96;
/// How many different sets an order is drawn among in a stratum: a guess.
const SETS: u64 = 2;

/// Roughly the most memory, in bytes, that counting a design takes on `threads` threads, each with a tally of its own.
#[must_use]
pub fn memory(design: &Design<'_>, threads: usize) -> u64 {
    let (layout, sides) = (design.layout(), design.sides() as u64);
    let parts = (layout.matchups.len() + layout.factors.len()) as u64;
    let fixed = parts.saturating_mul(8 + sides * size_of::<Sums>() as u64);
    let origin = ORIGIN + sides * sides * size_of::<Results>() as u64;
    let origins = (layout.strata() as u64).saturating_mul(SETS);
    let threads = threads.max(1) as u64;
    // Every thread may meet every origin, and no battle has two; their sum meets them all once more.
    let met = [origins.saturating_mul(threads), origins].map(|of| of.min(design.battles));
    let met = met[0].saturating_add(met[1]);
    fixed.saturating_mul(threads + 1).saturating_add(met.saturating_mul(origin))
}

impl Sum for OrderTally {
    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.battles.iter_mut().zip(&other.battles) {
            *mine += theirs;
        }
        for (mine, theirs) in self.sums.iter_mut().zip(&other.sums) {
            mine.merge(theirs);
        }
        self.forfeits.merge(&other.forfeits);
        for (&origin, theirs) in &other.by_itself {
            let mine = self.results_of(origin);
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = mine.with(*theirs);
            }
        }
    }
}

impl Kept for OrderTally {
    type Form = OrderTallyForm;

    fn form(&self) -> OrderTallyForm {
        let numbers = |of: &Results| [of.won, of.shared, of.lost];
        let mut by_itself: Vec<_> = self
            .by_itself
            .iter()
            .map(|(&origin, results)| (origin, results.iter().map(numbers).collect()))
            .collect();
        by_itself.sort_unstable_by_key(|&(origin, _)| origin);
        OrderTallyForm {
            battles: self.battles.clone(),
            sums: self.sums.clone(),
            by_itself,
            forfeits: self.forfeits.clone(),
        }
    }

    fn of_form(&self, form: OrderTallyForm) -> Option<Self> {
        let OrderTallyForm { battles, sums, by_itself, forfeits } = form;
        let sides = [&forfeits, &self.forfeits].map(|of| of.by_side.len());
        if battles.len() != self.battles.len()
            || sums.len() != self.sums.len()
            || sides[0] != sides[1]
        {
            return None;
        }
        let most = self.all_sides;
        let mut of_parts = sums.chunks(self.sides).zip(&battles);
        if !of_parts.all(|(of, &battles)| of.iter().all(|of| of.is_sound(battles, most))) {
            return None;
        }
        let mut tally = Self { battles, sums, forfeits, ..self.clone() };
        for (origin, results) in by_itself {
            if results.len() != self.sides * self.sides || !self.holds(origin) {
                return None;
            }
            let results = results.into_iter().map(|[won, shared, lost]| Results {
                won,
                shared,
                lost,
                sides: self.all_sides,
            });
            tally.by_itself.insert(origin, results.collect());
        }
        Some(tally)
    }

    fn battles(&self) -> Option<u64> {
        Some(self.forfeits.battles)
    }
}

/// The result of playing a design.
#[derive(Clone, Debug)]
pub struct Played {
    /// The sums over the battles.
    pub tally: OrderTally,
    /// The number of battles played unforced, which are the first ones of the design.
    pub battles: u64,
}

/// Plays a design. `go_on` receives the number of battles played, forced ones counted as if the order came up in every
/// battle, and ends the play by returning false.
pub fn play(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    play_kept(design, seed, threads, &mut Forgetful, go_on)
}

/// Plays a design as [`play`] does, resuming from the counts that the keeper has stored, if any.
pub fn play_kept(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    keeper: &mut dyn Keeper<OrderTally>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    let arms = design.sides() as u64;
    let assignment = Assignment::new(design.layout());
    let workers = Workers::new(threads, u64::MAX / 2, || Worker::new(design));
    let mut workers = workers.of_heavy_battles(arms).of_matchups(assignment.in_turn());
    let (tally, battles) = workers.count(
        design.battles,
        OrderTally::new(design),
        |worker| &mut worker.tally,
        keeper,
        |worker, battles| worker.play(design, &assignment, seed, battles),
        &mut |played| go_on(played * arms),
    );
    Played { tally, battles }
}

/// The state of one thread.
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

    /// Plays some battles unforced, and with each other side forced to be first.
    fn play(&mut self, design: &Design<'_>, assignment: &Assignment, seed: u64, battles: Grouped) {
        let Self { tally, record, outcomes } = self;
        for index in battles {
            let place = Place::Assigned(assignment);
            let battle = Battle { seed, index, dice: Dice::Keyed, place };
            let events = matches!(design.forcible.otherwise, Otherwise::AsObserved(_));
            design.engine.play(battle, Look { events, fighters: false }, record);
            tally.forfeits.add(record.forfeits);
            let Some((first, among)) = first_by_itself(design, record) else { continue };
            for (side, forced) in design.forced.iter().enumerate() {
                // With the side that is first anyway it is the very same battle.
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
            tally.add(design, record.stratum, (first.index(), among), outcomes);
        }
    }
}

/// The side that was first in an unforced battle, and what that was drawn among; None where the order did not come up.
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
