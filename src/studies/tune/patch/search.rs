//! The search for the smallest patch.
//!
//! 1. Every candidate number is played one higher and one lower, in the same battles as the scenario itself. Where there are
//!    too many, a screening design finds those that matter first ([`screen`](super::screen)).
//! 2. A patch that was not played is predicted from the nearest one that was, by adding the effects of the steps in
//!    which they differ. A beam search finds the best patch of 1, 2, ... edits by these predictions.
//! 3. The best of each size are played, in the same battles again, and others are then predicted from them. This goes
//!    on until every best patch has been played: then no prediction is better.
//! 4. A patch that is chosen as the smallest sufficient one was lucky in the battles by which it was chosen. So the
//!    best patches about its size are played again, in new battles and more of them, and the search goes on from how
//!    they fare there.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates::{Patch, price};
use super::goals::Subject;
use super::play::{Fared, Plan, play};
use super::predict::{FARTHEST, State};
use super::screen;
use super::task::{CONFIDENCE, Effects, Found, GoOn, Interrupted, Point, Task};
use crate::chance::{Stream, stream_seed};
use crate::engine::Engine;
use crate::statistics::{Deviation, Equivalence};
use crate::studies::evenness::Objective;

/// Rounds of predicting and playing.
const ROUNDS: usize = 12;
/// Patches of one size that are played in a round.
const PLAYED: usize = 2;
/// The factor by which the closer look plays more battles in each variant.
pub(super) const CLOSER: u64 = 4;
/// The best patches of one size that get a closer look.
const SEEN_CLOSER: usize = 3;
/// Rounds of predicting and playing in the closer look.
const CLOSER_ROUNDS: usize = 4;
/// With more candidates than this they are screened.
pub(super) const MOST_SINGLE: usize = 64;
/// With at most this many candidates every value that they may have is played.
const FEW: usize = 2;
/// The most variants of one edit that are played before anything is predicted; each number's next higher and next lower
/// value are played in any case.
const MOST_ALONE: usize = 48;
/// The most variants that are played side by side, so that their counts fit into memory.
const AT_ONCE: usize = 64;

/// The state of a search.
pub(super) struct Search<'t, 'g> {
    pub task: Task<'t>,
    pub go_on: GoOn<'g>,
    pub base: Vec<Deviation>,
    /// How near to its target a score must be in the search, so that fresh battles can be expected to show it to be
    /// within the margin.
    pub aim: f64,
    /// The standard error of a score, in the battles that the search goes by.
    error: f64,
    pub effects: Vec<Effects>,
    /// The range that each candidate may change by, as far as is known by now.
    pub by: Vec<(i64, i64)>,
    /// By patch that was played: each goal's lead.
    pub played: BTreeMap<Patch, Vec<f64>>,
    pub impossible: BTreeSet<Patch>,
    /// Steps that were tried by themselves because they were in a patch that could not be built.
    alone: BTreeSet<(usize, i64)>,
    variants: u64,
    closer: u64,
    battles: u64,
}

/// Searches for the smallest patch.
///
/// # Errors
/// When `go_on` has said no.
///
/// # Panics
/// When the scenario itself cannot be built.
pub fn search(task: Task<'_>, go_on: GoOn<'_>) -> Result<Found, Interrupted> {
    let candidates = task.candidates.len();
    let mut search = Search::new(task, go_on);
    let base = search.measure("the scenario itself", &[Patch::new()], task.plan)?;
    let base = base.into_iter().next().flatten().expect("the scenario itself was checked");
    search.base = task.leads(&base);
    let known = task.deviations(&search.base);
    let verdict = known.map_or(Equivalence::Open, |leads| leads.within(task.within, CONFIDENCE));
    search.played.insert(Patch::new(), search.base.iter().map(|lead| lead.value).collect());
    let mut screened = 0;
    // A scenario that is not shown to be off target is left alone: chance is no reason to change a card.
    if verdict == Equivalence::Refuted && task.edits > 0 {
        let error = search.error(&base);
        search.error = error;
        // Stricter than the margin, by as much as fresh battles may differ, but never so strict that chance alone
        // demands more edits.
        search.aim = (task.within - 2.0 * error).max((3.0 * error).min(task.within));
        let kept = match candidates > MOST_SINGLE {
            true => screen::screen(&mut search, &mut screened)?,
            false => (0..candidates).collect(),
        };
        search.play_alone(&base, &kept)?;
        search.improve(&base)?;
        search.look_closer(&base)?;
    }
    Ok(search.found(verdict, screened))
}

impl<'t, 'g> Search<'t, 'g> {
    fn new(task: Task<'t>, go_on: GoOn<'g>) -> Self {
        Self {
            task,
            go_on,
            base: Vec::new(),
            aim: task.within,
            error: 0.0,
            effects: vec![Effects::new(); task.candidates.len()],
            by: task.candidates.iter().map(|one| one.by).collect(),
            played: BTreeMap::new(),
            impossible: BTreeSet::new(),
            alone: BTreeSet::new(),
            variants: 0,
            closer: 0,
            battles: 0,
        }
    }

    /// Plays the same battles with each of these patches; None for patches that the rules do not allow.
    pub(super) fn measure(
        &mut self,
        what: &str,
        patches: &[Patch],
        plan: Plan,
    ) -> Result<Vec<Option<Fared>>, Interrupted> {
        let mut found = Vec::with_capacity(patches.len());
        for some in patches.chunks(AT_ONCE) {
            let mut engines: Vec<Option<Box<dyn Engine>>> = Vec::with_capacity(some.len());
            for patch in some {
                let mut engine = (self.task.build)(patch);
                if let (Some(engine), Some(other)) = (&mut engine, engines.iter().flatten().next())
                {
                    engine.share(&**other);
                }
                engines.push(engine);
                if !(self.go_on)(what, self.battles) {
                    return Err(Interrupted);
                }
            }
            let arms: Vec<&dyn Engine> = engines.iter().flatten().map(|engine| &**engine).collect();
            let before = self.battles;
            let mut go_on = |battles: u64| (self.go_on)(what, before + battles);
            let played = some.iter().zip(&engines).filter(|(_, engine)| engine.is_some());
            let played: Vec<&[(usize, i64)]> = played.map(|(patch, _)| &patch[..]).collect();
            let mut keeper = self.task.keepers.keeper(what, &played);
            let fared = play(&arms, self.task.goals, plan, &mut *keeper, &mut go_on);
            let fared = fared.ok_or(Interrupted)?;
            self.variants += arms.len() as u64;
            self.battles += arms.len() as u64 * plan.battles;
            let mut fared = fared.into_iter();
            found.extend(engines.iter().map(|engine| engine.as_ref().and_then(|_| fared.next())));
        }
        Ok(found)
    }

    /// Removes impossible steps from a patch: a number may have bounds that nobody states, such as cards that cost 1 or
    /// 2. None where the rest cannot be built either.
    pub(super) fn possible(&mut self, mut patch: Patch) -> Option<Patch> {
        let fits = |search: &Self, &(at, by): &(usize, i64)| {
            let (low, high) = search.by[at];
            (low..=high).contains(&by)
        };
        patch.retain(|step| fits(self, step));
        if (self.task.build)(&patch).is_some() {
            return Some(patch);
        }
        for &(at, by) in &patch {
            // Each step is tried by itself once, however many variants it is in.
            if self.alone.insert((at, by)) && (self.task.build)(&[(at, by)]).is_none() {
                self.rule_out(at, by);
            }
        }
        let before = patch.len();
        patch.retain(|step| fits(self, step));
        (patch.len() < before && (self.task.build)(&patch).is_some()).then_some(patch)
    }

    /// Narrows a candidate's range so that it excludes an impossible step.
    fn rule_out(&mut self, at: usize, by: i64) {
        let (low, high) = &mut self.by[at];
        if by < 0 { *low = (*low).max(by + 1) } else { *high = (*high).min(by - 1) }
    }

    /// Plays patches and remembers their leads. Where `base`, the scenario itself in the same battles, is given, the
    /// effects of single numbers are remembered as well.
    fn learn(
        &mut self,
        what: &str,
        base: Option<&Fared>,
        patches: &[Patch],
        plan: Plan,
    ) -> Result<(), Interrupted> {
        let found = self.measure(what, patches, plan)?;
        for (patch, fared) in patches.iter().zip(found) {
            let Some(fared) = fared else {
                self.impossible.insert(patch.clone());
                if let &[(at, by)] = &patch[..] {
                    self.rule_out(at, by);
                }
                continue;
            };
            let goals = 0..self.task.goals.len();
            let leads = self.task.leads(&fared).iter().map(|lead| lead.value).collect();
            self.played.insert(patch.clone(), leads);
            if let (&[(at, by)], Some(base)) = (&patch[..], base) {
                let gained = goals.map(|goal| fared.shift(base, goal)).collect();
                self.effects[at].insert(by, gained);
            }
        }
        Ok(())
    }

    /// Plays each of these candidates with nothing else changed: one higher and one lower, at the ends of its range,
    /// and half as far, a quarter as far, ..., as long as there is room. A number may have no effect at one step and a
    /// large one at two.
    fn play_alone(&mut self, base: &Fared, kept: &[usize]) -> Result<(), Interrupted> {
        let near = |(low, high): (i64, i64)| (low.max(-FARTHEST), high.min(FARTHEST));
        let mut patches: BTreeSet<Patch> = BTreeSet::new();
        for part in [FARTHEST + 1, 1, 2, 4, 8] {
            let mut more: Vec<Patch> = Vec::new();
            for &at in kept {
                let (low, high) = near(self.by[at]);
                let steps = if part > FARTHEST { [-1, 1] } else { [low / part, high / part] };
                let fits = |by: &i64| *by != 0 && (low..=high).contains(by);
                more.extend(steps.into_iter().filter(fits).map(|by| vec![(at, by)]));
            }
            if part <= FARTHEST && patches.len() + more.len() > MOST_ALONE {
                break;
            }
            patches.extend(more);
        }
        if kept.len() <= FEW {
            for &at in kept {
                let (low, high) = near(self.by[at]);
                patches.extend((low..=high).filter(|by| *by != 0).map(|by| vec![(at, by)]));
            }
        }
        let patches: Vec<Patch> = patches.into_iter().collect();
        self.learn("one number at a time", Some(base), &patches, self.task.plan)
    }

    /// Predicts and plays in turn until no unplayed patch is predicted to be better.
    fn improve(&mut self, base: &Fared) -> Result<(), Interrupted> {
        for _ in 0..ROUNDS {
            let patches = self.promising(|_| true);
            self.learn("patches", Some(base), &patches, self.task.plan)?;
            let pushed = self.pushed();
            if patches.is_empty() && pushed.is_empty() {
                break;
            }
            self.play_alone(base, &pushed)?;
        }
        Ok(())
    }

    /// Unplayed patches of these sizes that are predicted to be better than the best played one of their size.
    fn promising(&self, sizes: impl Fn(usize) -> bool) -> Vec<Patch> {
        let mut patches: Vec<Patch> = Vec::new();
        for (size, level) in self.planned().into_iter().enumerate().skip(1) {
            if !sizes(size) {
                continue;
            }
            let best = self.best_of(size).map_or(f64::INFINITY, |(_, key)| key);
            let is_new =
                |state: &&State| !self.played.contains_key(&state.patch) && state.key < best;
            patches.extend(level.iter().filter(is_new).take(PLAYED).map(|of| of.patch.clone()));
        }
        patches
    }

    /// Plays the best patches of about the chosen one's size again in new and more battles, and goes on from there,
    /// until the chosen patch is one that had this closer look.
    fn look_closer(&mut self, base: &Fared) -> Result<(), Interrupted> {
        let Plan { seed, battles, .. } = self.task.plan;
        let seed = stream_seed(seed, Stream::Refinement);
        let plan = Plan { seed, battles: battles.saturating_mul(CLOSER), ..self.task.plan };
        // The patch is later judged by an upper bound from as many fresh battles again.
        let error = self.error(base) / (CLOSER as f64).sqrt();
        self.error = error;
        let within = self.task.within;
        self.aim = (within - 3.0 * error).max((3.0 * error).min(within));
        let mut closer: BTreeSet<usize> = BTreeSet::new();
        let before = self.variants;
        loop {
            let (frontier, chosen, _) = self.frontier();
            let size = frontier[chosen].patch.len();
            if size == 0 || closer.contains(&size) {
                return Ok(());
            }
            let sizes = (size - 1).max(1)..=size;
            let more: Vec<usize> = sizes.filter(|&size| closer.insert(size)).collect();
            let best = more.iter().flat_map(|&size| self.best_played(size, SEEN_CLOSER));
            let patches: Vec<Patch> = best.map(|state| state.patch).collect();
            // Their leads in the battles by which they were picked no longer count.
            self.played.retain(|patch, _| !more.contains(&patch.len()));
            self.learn("a closer look", None, &patches, plan)?;
            for _ in 0..CLOSER_ROUNDS {
                let patches = self.promising(|size| closer.contains(&size));
                if patches.is_empty() {
                    break;
                }
                self.learn("a closer look", None, &patches, plan)?;
            }
            self.closer = self.variants - before;
        }
    }

    /// The standard error of a goal's score on target, in the battles of the scenario itself: the upper quartile over
    /// the goals.
    fn error(&self, base: &Fared) -> f64 {
        let even = |(at, lead): (usize, &Deviation)| {
            let target = self.task.goals[at].target;
            lead.error.max((target * (1.0 - target) / base.times(at) as f64).sqrt())
        };
        let mut errors: Vec<f64> = self.base.iter().enumerate().map(even).collect();
        errors.sort_by(f64::total_cmp);
        errors[3 * errors.len() / 4]
    }

    /// Numbers, not played before, of cards that are goals themselves and off target with the best patch of some size:
    /// they may have been even only as long as others were not.
    fn pushed(&self) -> Vec<usize> {
        let sizes = self.played.keys().map(Vec::len).max().unwrap_or(0);
        let mut off: Vec<usize> = Vec::new();
        for (patch, _) in (0..=sizes).filter_map(|size| self.best_of(size)) {
            let leads = self.played[patch].iter().enumerate();
            off.extend(leads.filter(|(_, lead)| lead.abs() > self.aim).map(|(goal, _)| goal));
        }
        off.sort_unstable();
        off.dedup();
        off.retain(|&goal| matches!(self.task.goals[goal].who, Subject::Units(_)));
        let mut own: Vec<usize> = off.into_iter().flat_map(|goal| self.task.own(goal)).collect();
        own.sort_unstable();
        own.dedup();
        own.retain(|&at| self.effects[at].is_empty() && self.by[at] != (0, 0));
        own
    }

    /// The best patch of each size that does better than all smaller ones, the index of the one to choose, and whether
    /// all leads with it are small enough. Where no patch comes near the margin, more edits are chosen only where they
    /// make the largest lead visibly smaller or, by squares, the typical one (root mean square).
    fn frontier(&self) -> (Vec<Point>, usize, bool) {
        let sizes = self.played.keys().map(Vec::len).max().unwrap_or(0);
        let mut frontier: Vec<Point> = Vec::new();
        let (mut chosen, mut reached, mut best) = (0, false, f64::INFINITY);
        for size in 0..=sizes {
            let Some((patch, key)) = self.best_of(size) else { continue };
            // More edits that do no better are not on the frontier.
            if key >= best {
                continue;
            }
            best = key;
            let (leads, price) = (self.played[patch].clone(), price(self.task.candidates, patch));
            chosen = frontier.len();
            reached = self.is_enough(&leads);
            frontier.push(Point { patch: patch.clone(), price, leads });
            if reached {
                break;
            }
        }
        if !reached && self.is_far(&frontier) {
            let of = |point: &Point| {
                let leads = || point.leads.iter().filter(|lead| !lead.is_nan());
                let squares: f64 = leads().map(|lead| lead * lead).sum();
                let typical = (squares / leads().count().max(1) as f64).sqrt();
                match self.task.objective {
                    Objective::Squares => [point.largest(), typical],
                    Objective::Largest => [point.largest(); 2],
                }
            };
            let least = [0, 1].map(|which| {
                frontier.iter().map(|point| of(point)[which]).fold(f64::INFINITY, f64::min)
            });
            let as_small = |point: &Point| {
                of(point).iter().zip(least).all(|(of, least)| *of <= least + 2.0 * self.error)
            };
            chosen = frontier.iter().position(as_small).unwrap_or(chosen);
        }
        (frontier, chosen, reached)
    }

    /// Whether even the smallest of the largest leads is visibly beyond the margin: fresh battles would not show otherwise.
    fn is_far(&self, frontier: &[Point]) -> bool {
        let least = frontier.iter().map(Point::largest).fold(f64::INFINITY, f64::min);
        least > self.task.within + 2.0 * self.error
    }

    fn found(self, verdict: Equivalence, screened: usize) -> Found {
        let (frontier, chosen, reached) = self.frontier();
        let reached = reached || verdict != Equivalence::Refuted;
        let Self { base, effects, variants, closer, battles, .. } = self;
        Found {
            base,
            verdict,
            effects,
            frontier,
            chosen,
            reached,
            screened,
            variants,
            closer,
            battles,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::Build;
    use super::super::candidates::Candidate;
    use super::*;
    use crate::batch::Forgetful;
    use crate::chance::Seeded;
    use crate::engine::{Dice, Scenario};
    use crate::scenario::Number;
    use crate::tally::OutcomeMeasure;

    /// The cost of a card, which is `cost`.
    fn candidate(at: usize, cost: i64) -> Candidate {
        let number = Number {
            card: format!("Card {at}"),
            noun: "card",
            key: "cost".to_owned(),
            values: vec![cost],
            possible: None,
        };
        Candidate { number, by: (-1, 1), price: 1.0 }
    }

    /// A search without goals that plays nothing.
    fn task<'t>(candidates: &'t [Candidate], build: Build<'t>) -> Task<'t> {
        let (dice, measure) = (Dice::Keyed, OutcomeMeasure::Score);
        let plan = Plan { seed: 1, battles: 1, threads: 1, dice, measure };
        let keepers = &Forgetful;
        Task {
            candidates,
            goals: &[],
            build,
            keepers,
            plan,
            within: 0.05,
            edits: 1,
            free: 0,
            objective: Objective::Squares,
        }
    }

    /// Where no patch is enough, edits that make neither the largest lead nor the typical one visibly smaller are not chosen.
    #[test]
    fn edits_that_bring_nothing_are_not_chosen() {
        let candidates: Vec<Candidate> = (0..8).map(|at| candidate(at, 3)).collect();
        let build = |_: &[(usize, i64)]| None;
        let task = Task { within: 0.02, edits: 8, ..task(&candidates, &build) };
        let chosen = |error: f64, leads: &[(usize, [f64; 3])]| {
            let mut go_on = |_: &str, _| true;
            let mut search = Search::new(task, &mut go_on);
            search.error = error;
            for (size, leads) in leads {
                let patch: Patch = (0..*size).map(|at| (at, 1)).collect();
                search.played.insert(patch, leads.to_vec());
            }
            let (frontier, chosen, reached) = search.frontier();
            assert!(!reached);
            (frontier.len(), frontier[chosen].patch.len())
        };
        let with =
            |last: [f64; 3]| [(0, [0.40, -0.30, 0.10]), (2, [0.364, -0.30, 0.06]), (7, last)];
        assert_eq!(chosen(0.005, &with([0.366, -0.29, 0.05])), (3, 2));
        assert_eq!(chosen(0.005, &with([0.320, -0.29, 0.05])), (3, 7), "the largest is smaller");
        assert_eq!(chosen(0.005, &with([0.366, -0.20, 0.05])), (3, 7), "most are smaller");
        let near = [(0, [0.40, -0.30, 0.10]), (2, [0.026, -0.02, 0.02]), (7, [0.025, -0.02, 0.02])];
        assert_eq!(chosen(0.005, &near), (3, 7), "fresh battles may show it");
    }

    /// Three contenders lead by as much: to lower one of them changes no largest lead, and yet comes before what brings a
    /// smaller lead to nothing if the largest lead counts. By squares it is the other way round.
    #[test]
    fn the_first_of_several_equal_leads_is_lowered_where_the_largest_counts() {
        let candidates: Vec<Candidate> = (0..2).map(|at| candidate(at, 3)).collect();
        let build = |_: &[(usize, i64)]| None;
        let best = |objective: Objective| {
            let mut go_on = |_: &str, _| true;
            let mut search =
                Search::new(Task { objective, ..task(&candidates, &build) }, &mut go_on);
            search.played.insert(vec![(0, 1)], vec![0.30, 0.40, 0.40, -0.37, -0.37, -0.36]);
            search.played.insert(vec![(1, 1)], vec![0.40, 0.40, 0.40, -0.37, -0.37, 0.00]);
            search.best_of(1).unwrap().0.clone()
        };
        assert_eq!(best(Objective::Largest), [(0, 1)]);
        assert_eq!(best(Objective::Squares), [(1, 1)]);
    }

    /// A third of the numbers cannot be lowered: each such step is tried by itself once, and not again for every patch
    /// that contains it.
    #[test]
    fn what_cannot_be_is_tried_once() {
        const NUMBERS: usize = 99;
        const PATCHES: usize = 200;
        let candidates: Vec<Candidate> = (0..NUMBERS).map(|at| candidate(at, 1)).collect();
        let can_be = |&(at, by): &(usize, i64)| at % 3 > 0 || by > 0;
        let builds = Cell::new(0);
        let build = |patch: &[(usize, i64)]| {
            builds.set(builds.get() + 1);
            let scenario = || Scenario::read("sanctum/surrounded").unwrap().setup;
            patch.iter().all(can_be).then(scenario)
        };
        let task = Task { within: 0.05, edits: 1, ..task(&candidates, &build) };
        let mut go_on = |_: &str, _| true;
        let mut search = Search::new(task, &mut go_on);
        let mut random = Seeded::from_seed(3);
        for _ in 0..PATCHES {
            let mut drawn = |at| {
                let by = if random.unit() < 0.5 { 1 } else { -1 };
                (random.unit() < 0.3).then_some((at, by))
            };
            let patch: Patch = (0..NUMBERS).filter_map(&mut drawn).collect();
            let wanted: Patch = patch.iter().copied().filter(can_be).collect();
            assert_eq!(search.possible(patch), Some(wanted));
        }
        let most = 2 * PATCHES + 2 * NUMBERS;
        assert!(builds.get() <= most, "{} builds", builds.get());
    }
}
