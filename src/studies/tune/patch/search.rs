//! The search for the smallest patch.
//!
//! 1. Every candidate number is played one higher and one lower, in the same battles as the scenario itself. Where there are
//!    too many, a screening design finds those that matter first ([`screen`](super::screen)).
//! 2. A patch that was not played is predicted from the nearest one that was: what is other about it adds its effects. A beam
//!    search finds the best patch of 1, 2, ... edits by these predictions.
//! 3. The best of each size are played, in the same battles again, and so become what others are predicted from. This goes on
//!    until every best patch has been played: then the predictions promise nothing better.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates::{Candidate, Patch, price};
use super::play::{Fared, Plan, play};
use super::{Goal, screen};
use crate::engine::Engine;
use crate::statistics::{Deviation, Deviations, Equivalence};

/// Patches of each size that the search goes on from.
const WIDTH: usize = 24;
/// Rounds of predicting and playing.
const ROUNDS: usize = 12;
/// Patches of one size that are played in a round.
const PLAYED: usize = 2;
/// More candidates than so many are screened.
pub(super) const MOST_SINGLE: usize = 64;
/// No number is tried further away than so many steps.
const FARTHEST: i64 = 20;
/// With so few candidates every value that they may have is played.
const FEW: usize = 2;
/// Variants of one edit that are played before anything is predicted, as far as each number's next higher and next lower value
/// are not more.
const MOST_ALONE: usize = 64;
/// Variants that are played side by side, so that their counts fit into memory.
const AT_ONCE: usize = 64;
/// The confidence of verdicts.
pub(super) const CONFIDENCE: f64 = 0.95;

/// It was ended early: there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Makes the variant of a scenario with a patch; none where the rules do not allow it.
pub type Build<'t> = &'t dyn Fn(&[(usize, i64)]) -> Option<Box<dyn Engine>>;

/// Is told what is being done and how many battles were played for that, and ends it by saying no.
pub type GoOn<'g> = &'g mut dyn FnMut(&str, u64) -> bool;

/// What is searched, and for what.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// What may change.
    pub candidates: &'t [Candidate],
    /// Who should have which score.
    pub goals: &'t [Goal],
    /// Makes variants.
    pub build: Build<'t>,
    /// The battles that every variant plays.
    pub plan: Plan,
    /// How far from its target a score may be.
    pub within: f64,
    /// How many numbers may be other.
    pub edits: usize,
    /// How many of the goals are free: all, but for those whose scores follow from the others'.
    pub free: usize,
}

impl Task<'_> {
    /// Each goal's score less its target, with its error.
    #[must_use]
    pub fn leads(&self, fared: &Fared) -> Vec<Deviation> {
        let lead = |(at, goal): (usize, &Goal)| {
            let Deviation { value, error } = fared.score(at);
            Deviation { value: value - goal.target, error }
        };
        self.goals.iter().enumerate().map(lead).collect()
    }

    /// What is known of the largest of some leads; none where one is not known.
    #[must_use]
    pub fn deviations(&self, leads: &[Deviation]) -> Option<Deviations> {
        Some(Deviations::new(leads.to_vec())?.of_which_free(self.free))
    }
}

/// A patch that was played in the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The patch.
    pub patch: Patch,
    /// What it costs.
    pub price: f64,
    /// Each goal's score less its target in the battles of the search: as the best of many they are too good.
    pub leads: Vec<f64>,
}

impl Point {
    /// The largest lead.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.leads.iter().map(|lead| lead.abs()).fold(0.0, f64::max)
    }
}

/// The effects of a number that was played alone: by how much it was other, and what each goal gained.
pub type Effects = BTreeMap<i64, Vec<Deviation>>;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The scores of the scenario itself less their targets.
    pub base: Vec<Deviation>,
    /// Whether the scenario itself is within the margin, or off it, as far as its battles tell.
    pub verdict: Equivalence,
    /// The effects of each candidate; none of those that screening left out.
    pub effects: Vec<Effects>,
    /// The best patch of each size that was played, the scenario itself first.
    pub frontier: Vec<Point>,
    /// The place in it of the smallest patch that does it, or else of the best one.
    pub chosen: usize,
    /// Whether that one does it.
    pub reached: bool,
    /// How many variants of many edits were played to screen candidates; 0 where every one was played alone.
    pub screened: usize,
    /// How many variants were played, the scenario itself among them.
    pub variants: u64,
    /// How many battles were played.
    pub battles: u64,
}

/// A search under way.
pub(super) struct Search<'t, 'g> {
    pub task: Task<'t>,
    pub go_on: GoOn<'g>,
    pub base: Vec<Deviation>,
    /// How near to its target a score must be in the search, so that fresh battles can be expected to show that.
    pub aim: f64,
    effects: Vec<Effects>,
    /// How far each candidate may change, as far as is known by now.
    pub by: Vec<(i64, i64)>,
    played: BTreeMap<Patch, Vec<f64>>,
    impossible: BTreeSet<Patch>,
    variants: u64,
    battles: u64,
}

/// A patch that was played or is predicted.
#[derive(Clone, Debug)]
struct State {
    patch: Patch,
    leads: Vec<f64>,
    key: f64,
}

/// Searches for the smallest patch.
///
/// # Errors
/// When `go_on` has said no.
///
/// # Panics
/// When the scenario itself cannot be built, or the operating system gives no threads.
pub fn search(task: Task<'_>, go_on: GoOn<'_>) -> Result<Found, Interrupted> {
    let candidates = task.candidates.len();
    let mut search = Search {
        task,
        go_on,
        base: Vec::new(),
        aim: task.within,
        effects: vec![Effects::new(); candidates],
        by: task.candidates.iter().map(|one| one.by).collect(),
        played: BTreeMap::new(),
        impossible: BTreeSet::new(),
        variants: 0,
        battles: 0,
    };
    let base = search.measure("the scenario itself", &[Patch::new()], task.plan)?;
    let base = base.into_iter().next().flatten().expect("the scenario itself was checked");
    search.base = task.leads(&base);
    let known = task.deviations(&search.base);
    let verdict = known.map_or(Equivalence::Open, |leads| leads.within(task.within, CONFIDENCE));
    search.played.insert(Patch::new(), search.base.iter().map(|lead| lead.value).collect());
    let mut screened = 0;
    // What is not shown to be off is left alone: chance is no reason to change a card.
    if verdict == Equivalence::Refuted && task.edits > 0 {
        // Whoever is even in the end has the errors of an even score.
        let even = |(at, lead): (usize, &Deviation)| {
            let target = task.goals[at].target;
            lead.error.max((target * (1.0 - target) / base.times(at) as f64).sqrt())
        };
        let mut errors: Vec<f64> = search.base.iter().enumerate().map(even).collect();
        errors.sort_by(f64::total_cmp);
        // Nearer than the margin by what fresh battles may differ, but never so near that chance alone asks for more edits.
        let error = errors[3 * errors.len() / 4];
        search.aim = (task.within - 2.0 * error).max((3.0 * error).min(task.within));
        let kept = match candidates > MOST_SINGLE {
            true => screen::screen(&mut search, &mut screened)?,
            false => (0..candidates).collect(),
        };
        search.play_alone(&base, &kept)?;
        search.improve(&base)?;
    }
    Ok(search.found(verdict, screened))
}

impl Search<'_, '_> {
    /// Plays the same battles with each of these patches; nothing for those that the rules do not allow.
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
            let fared = play(&arms, self.task.goals, plan, &mut go_on).ok_or(Interrupted)?;
            self.variants += arms.len() as u64;
            self.battles += arms.len() as u64 * plan.battles;
            let mut fared = fared.into_iter();
            found.extend(engines.iter().map(|engine| engine.as_ref().and_then(|_| fared.next())));
        }
        Ok(found)
    }

    /// A patch without what cannot be: a number may have bounds that nobody states, such as cards that cost 1 or 2. None where
    /// it cannot be without that, either.
    pub(super) fn possible(&mut self, mut patch: Patch) -> Option<Patch> {
        let can_be = |patch: &Patch| (self.task.build)(patch).is_some();
        if can_be(&patch) {
            return Some(patch);
        }
        let known = &mut self.by;
        patch.retain(|&(at, by)| {
            let (low, high) = &mut known[at];
            if (*low..=*high).contains(&by) && !can_be(&vec![(at, by)]) {
                if by < 0 { *low = (*low).max(by + 1) } else { *high = (*high).min(by - 1) }
            }
            (*low..=*high).contains(&by)
        });
        can_be(&patch).then_some(patch)
    }

    /// Plays patches that were not played before, and remembers how they fared.
    fn learn(&mut self, what: &str, base: &Fared, patches: &[Patch]) -> Result<(), Interrupted> {
        let found = self.measure(what, patches, self.task.plan)?;
        for (patch, fared) in patches.iter().zip(found) {
            let Some(fared) = fared else {
                self.impossible.insert(patch.clone());
                if let &[(at, by)] = &patch[..] {
                    let (low, high) = &mut self.by[at];
                    if by < 0 { *low = (*low).max(by + 1) } else { *high = (*high).min(by - 1) }
                }
                continue;
            };
            let goals = 0..self.task.goals.len();
            let leads = self.task.leads(&fared).iter().map(|lead| lead.value).collect();
            self.played.insert(patch.clone(), leads);
            if let &[(at, by)] = &patch[..] {
                let gained = goals.map(|goal| fared.shift(base, goal)).collect();
                self.effects[at].insert(by, gained);
            }
        }
        Ok(())
    }

    /// Plays every one of these candidates with nothing else changed: one higher and one lower, as far away as it may be, and
    /// half as far, a quarter, ..., as long as there is room. A number may do nothing for a step and everything two steps on.
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
        self.learn("one number at a time", base, &patches)
    }

    /// Predicts and plays in turn until nothing better is promised.
    fn improve(&mut self, base: &Fared) -> Result<(), Interrupted> {
        for _ in 0..ROUNDS {
            let mut patches: Vec<Patch> = Vec::new();
            for (size, level) in self.planned().into_iter().enumerate().skip(1) {
                let best = self.best_of(size).map_or(f64::INFINITY, |(_, key)| key);
                let is_new =
                    |state: &&State| !self.played.contains_key(&state.patch) && state.key < best;
                patches.extend(level.iter().filter(is_new).take(PLAYED).map(|of| of.patch.clone()));
            }
            if patches.is_empty() {
                break;
            }
            self.learn("patches", base, &patches)?;
        }
        Ok(())
    }

    /// How bad leads are: the squares of what they are too large by; where all are small enough, what the patch costs.
    fn key(&self, leads: &[f64], price: f64) -> f64 {
        let mut sum = 0.0;
        for lead in leads.iter().filter(|lead| !lead.is_nan()) {
            let excess = (lead.abs() - self.aim).max(0.0);
            sum += excess * excess + 1e-6 * lead * lead;
        }
        let point = 0.02 * self.task.within;
        sum + point * point * price
    }

    fn is_enough(&self, leads: &[f64]) -> bool {
        leads.iter().all(|lead| lead.abs() <= self.aim)
    }

    /// The best patch of a size that was played.
    fn best_of(&self, size: usize) -> Option<(&Patch, f64)> {
        let of_size = self.played.iter().filter(|(patch, _)| patch.len() == size);
        let keyed = of_size
            .map(|(patch, leads)| (patch, self.key(leads, price(self.task.candidates, patch))));
        keyed.min_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// What a candidate that is other by so much adds to a goal's score, as far as it is known: between what was played in
    /// proportion, and beyond that too. What is not told from chance counts for less.
    fn effect(&self, at: usize, by: i64, goal: usize) -> f64 {
        let points = &self.effects[at];
        let of = |by: i64| points.get(&by).map_or(0.0, |of| shrunken(of[goal]));
        if by == 0 || points.contains_key(&by) {
            return of(by);
        }
        let (first, last) = (points.keys().next().copied(), points.keys().next_back().copied());
        let end = if by < 0 {
            first.filter(|&at| at < 0).or(last)
        } else {
            last.filter(|&at| at > 0).or(first)
        };
        let Some(end) = end else { return 0.0 };
        // Beyond the last that was played: on from nothing through that.
        if by.signum() != end.signum() || by.abs() > end.abs() {
            return of(end) * by as f64 / end as f64;
        }
        let below = points.range(..by).next_back().map_or(0, |(&at, _)| at);
        let above = points.range(by..).next().map_or(0, |(&at, _)| at);
        let (below, above) = if by > 0 { (below.max(0), above) } else { (below, above.min(0)) };
        let (from, to) = (of(below), of(above));
        from + (to - from) * (by - below) as f64 / (above - below) as f64
    }

    /// The best patches of each size by what is known and predicted, the smallest sizes first, up to the first size that is
    /// enough.
    fn planned(&self) -> Vec<Vec<State>> {
        let all: Vec<usize> =
            (0..self.effects.len()).filter(|&at| !self.effects[at].is_empty()).collect();
        let most = self.task.edits.min(all.len());
        let gains = self.gains(&all);
        let mut levels: Vec<Vec<State>> = Vec::new();
        for size in 0..=most {
            let mut found: BTreeMap<Patch, State> = BTreeMap::new();
            let mut add = |state: State| {
                if !self.impossible.contains(&state.patch) {
                    found.entry(state.patch.clone()).or_insert(state);
                }
            };
            for (patch, leads) in self.played.iter().filter(|(patch, _)| patch.len() == size) {
                add(self.state(patch.clone(), leads.clone()));
            }
            let anchors: Vec<State> = self.best_played(size);
            let larger: Vec<State> = self.best_played(size + 1);
            let before = levels.last().map_or(&[][..], |level| &level[..]);
            let mut moves = Vec::new();
            for (source, states) in [before, &anchors, &larger].into_iter().enumerate() {
                for (number, state) in states.iter().enumerate() {
                    for &at in &all {
                        let was = state.patch.iter().find(|of| of.0 == at).map_or(0, |of| of.1);
                        let (low, high) = self.by[at];
                        let steps = low.max(-FARTHEST)..=high.min(FARTHEST);
                        for by in steps.filter(|&by| by != was) {
                            // One more, one otherwise, one fewer.
                            let fits = match source {
                                0 => was == 0 && by != 0,
                                1 => was != 0 && by != 0,
                                _ => was != 0 && by == 0,
                            };
                            if fits {
                                let key = self.moved_key(state, &gains, (at, was, by));
                                moves.push((key, source, number, (at, was, by)));
                            }
                        }
                    }
                }
            }
            moves.sort_by(|one, other| {
                one.0
                    .total_cmp(&other.0)
                    .then_with(|| (one.1, one.2, one.3).cmp(&(other.1, other.2, other.3)))
            });
            for (_, source, number, step) in moves.into_iter().take(4 * WIDTH) {
                let state = &[before, &anchors, &larger][source][number];
                let next = self.moved(state, &gains, step);
                match self.played.contains_key(&next.patch) {
                    true => {}
                    false => add(next),
                }
            }
            let mut level: Vec<State> = found.into_values().collect();
            level.sort_by(|one, other| one.key.total_cmp(&other.key));
            level.truncate(WIDTH);
            let enough = level.first().is_some_and(|state| self.is_enough(&state.leads));
            levels.push(level);
            if enough {
                break;
            }
        }
        levels
    }

    /// The effects of every candidate by every step, once for all.
    fn gains(&self, all: &[usize]) -> BTreeMap<(usize, i64), Vec<f64>> {
        let mut gains = BTreeMap::new();
        for &at in all {
            let (low, high) = self.by[at];
            for by in low.max(-FARTHEST)..=high.min(FARTHEST) {
                let of = |goal| self.effect(at, by, goal);
                gains.insert((at, by), (0..self.task.goals.len()).map(of).collect());
            }
        }
        gains
    }

    /// The best patches of a size that were played.
    fn best_played(&self, size: usize) -> Vec<State> {
        const ANCHORS: usize = 4;
        let of_size = self.played.iter().filter(|(patch, _)| patch.len() == size && size > 0);
        let state = |(patch, leads): (&Patch, &Vec<f64>)| self.state(patch.clone(), leads.clone());
        let mut states: Vec<State> = of_size.map(state).collect();
        states.sort_by(|one, other| one.key.total_cmp(&other.key));
        states.truncate(ANCHORS);
        states
    }

    fn state(&self, patch: Patch, leads: Vec<f64>) -> State {
        let key = self.key(&leads, price(self.task.candidates, &patch));
        State { patch, leads, key }
    }

    /// The key of a state after a step: a candidate, what it was other by, and what it is.
    fn moved_key(
        &self,
        state: &State,
        gains: &BTreeMap<(usize, i64), Vec<f64>>,
        (at, was, by): (usize, i64, i64),
    ) -> f64 {
        let (old, new) = (&gains[&(at, was)], &gains[&(at, by)]);
        let leads: Vec<f64> = state
            .leads
            .iter()
            .zip(old.iter().zip(new))
            .map(|(lead, (old, new))| lead + new - old)
            .collect();
        let candidate = &self.task.candidates[at];
        let more = by.unsigned_abs() as f64 - was.unsigned_abs() as f64;
        self.key(&leads, price(self.task.candidates, &state.patch) + more * candidate.price)
    }

    fn moved(
        &self,
        state: &State,
        gains: &BTreeMap<(usize, i64), Vec<f64>>,
        (at, was, by): (usize, i64, i64),
    ) -> State {
        let mut patch: Patch = state.patch.iter().copied().filter(|of| of.0 != at).collect();
        if by != 0 {
            patch.push((at, by));
            patch.sort_unstable();
        }
        let (old, new) = (&gains[&(at, was)], &gains[&(at, by)]);
        let leads = state.leads.iter().zip(old.iter().zip(new));
        self.state(patch, leads.map(|(lead, (old, new))| lead + new - old).collect())
    }

    fn found(self, verdict: Equivalence, screened: usize) -> Found {
        let sizes = self.played.keys().map(Vec::len).max().unwrap_or(0);
        let mut frontier: Vec<Point> = Vec::new();
        let (mut chosen, mut reached, mut best) = (0, false, f64::INFINITY);
        for size in 0..=sizes {
            let Some((patch, key)) = self.best_of(size) else { continue };
            // More edits that do no better are no point of the frontier.
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
        if verdict != Equivalence::Refuted {
            reached = true;
        }
        let Self { base, effects, variants, battles, .. } = self;
        Found { base, verdict, effects, frontier, chosen, reached, screened, variants, battles }
    }
}

/// An effect with what may be chance taken off (W. James and C. Stein: "Estimation with quadratic loss", 1961; here each by
/// itself, never beyond nothing).
pub(super) fn shrunken(Deviation { value, error }: Deviation) -> f64 {
    if value.is_nan() || value == 0.0 {
        return 0.0;
    }
    value * (1.0 - (error / value).powi(2)).max(0.0)
}
