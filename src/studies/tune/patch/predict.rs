//! What patches that were not played are predicted to do, from the nearest ones that were.

use std::collections::BTreeMap;

use super::candidates::{Patch, price};
use super::search::Search;
use crate::sorting::Sorting;
use crate::statistics::Deviation;

/// Patches of each size that the search goes on from.
const WIDTH: usize = 24;
/// The best patches of one size that were played, from which others are predicted.
const ANCHORS: usize = 4;
/// No number is tried further away than so many steps.
pub(super) const FARTHEST: i64 = 20;

/// A patch that was played or is predicted.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub patch: Patch,
    leads: Vec<f64>,
    /// How bad it is.
    pub key: f64,
}

/// What each candidate adds to every goal's score when it is other by so much.
type Gains = BTreeMap<(usize, i64), Vec<f64>>;

/// A candidate, what it was other by, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    at: usize,
    was: i64,
    by: i64,
}

/// The leads of a state after a step.
fn moved_leads(state: &State, gains: &Gains, Step { at, was, by }: Step) -> Vec<f64> {
    let (old, new) = (&gains[&(at, was)], &gains[&(at, by)]);
    let leads = state.leads.iter().zip(old.iter().zip(new));
    leads.map(|(lead, (old, new))| lead + new - old).collect()
}

impl Search<'_, '_> {
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

    pub(super) fn is_enough(&self, leads: &[f64]) -> bool {
        leads.iter().all(|lead| lead.abs() <= self.aim)
    }

    /// The best patch of a size that was played.
    pub(super) fn best_of(&self, size: usize) -> Option<(&Patch, f64)> {
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
    pub(super) fn planned(&self) -> Vec<Vec<State>> {
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
            let anchors: Vec<State> = self.best_played(size, ANCHORS);
            let larger: Vec<State> = self.best_played(size + 1, ANCHORS);
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
                                let step = Step { at, was, by };
                                let key = self.moved_key(state, &gains, step);
                                moves.push((key, source, number, step));
                            }
                        }
                    }
                }
            }
            moves.put_in_order_by(|one, other| {
                one.0
                    .total_cmp(&other.0)
                    .then_with(|| (one.1, one.2, one.3).cmp(&(other.1, other.2, other.3)))
            });
            for (_, source, number, step) in moves.into_iter().take(4 * WIDTH) {
                let state = &[before, &anchors, &larger][source][number];
                let next = self.moved(state, &gains, step);
                if !self.played.contains_key(&next.patch) {
                    add(next);
                }
            }
            let mut level: Vec<State> = found.into_values().collect();
            level.put_in_order_by(|one, other| one.key.total_cmp(&other.key));
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
    fn gains(&self, all: &[usize]) -> Gains {
        let mut gains = Gains::new();
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
    pub(super) fn best_played(&self, size: usize, most: usize) -> Vec<State> {
        let of_size = self.played.iter().filter(|(patch, _)| patch.len() == size && size > 0);
        let state = |(patch, leads): (&Patch, &Vec<f64>)| self.state(patch.clone(), leads.clone());
        let mut states: Vec<State> = of_size.map(state).collect();
        states.put_in_order_by(|one, other| one.key.total_cmp(&other.key));
        states.truncate(most);
        states
    }

    fn state(&self, patch: Patch, leads: Vec<f64>) -> State {
        let key = self.key(&leads, price(self.task.candidates, &patch));
        State { patch, leads, key }
    }

    /// The key of a state after a step.
    fn moved_key(&self, state: &State, gains: &Gains, step: Step) -> f64 {
        let Step { at, was, by } = step;
        let candidate = &self.task.candidates[at];
        let more = by.unsigned_abs() as f64 - was.unsigned_abs() as f64;
        let price = price(self.task.candidates, &state.patch) + more * candidate.price;
        self.key(&moved_leads(state, gains, step), price)
    }

    /// A state after a step.
    fn moved(&self, state: &State, gains: &Gains, step: Step) -> State {
        let mut patch: Patch = state.patch.iter().copied().filter(|of| of.0 != step.at).collect();
        if step.by != 0 {
            patch.push((step.at, step.by));
            patch.sort_unstable();
        }
        self.state(patch, moved_leads(state, gains, step))
    }
}

/// An effect with what may be chance taken off (W. James and C. Stein: "Estimation with quadratic loss", 1961; here each by
/// itself, never beyond nothing).
fn shrunken(Deviation { value, error }: Deviation) -> f64 {
    if value.is_nan() || value == 0.0 {
        return 0.0;
    }
    value * (1.0 - (error / value).powi(2)).max(0.0)
}
