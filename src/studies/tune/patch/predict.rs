//! Predicts the leads with unplayed patches from the nearest patches that were played.

use std::collections::BTreeMap;

use super::candidates::{Patch, price};
use super::search::Search;
use crate::sorting::Sorting;
use crate::statistics::Deviation;
use crate::studies::evenness::Objective;

/// The width of the beam search: patches of each size that it continues from.
const WIDTH: usize = 24;
/// How many of the best played patches of one size others are predicted from.
const ANCHORS: usize = 4;
/// The power of the norm that stands for the largest excess. The largest itself would not tell that one of several
/// that are equally large became smaller, and so would hide the first of the edits that it takes to lower them all.
const NORM: f64 = 8.0;

/// A number to the power of [`NORM`].
fn eighth_power(of: f64) -> f64 {
    let fourth = (of * of) * (of * of);
    fourth * fourth
}
/// The most steps by which any number is changed.
pub(super) const FARTHEST: i64 = 20;

/// A patch that was played or is predicted.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub patch: Patch,
    leads: Vec<f64>,
    /// How bad the patch is: the search minimises this.
    pub key: f64,
}

/// By candidate and step: the predicted gain of every goal's score.
type Gains = BTreeMap<(usize, i64), Vec<f64>>;

/// A move of the search: candidate `at` changes by `by` instead of `was`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    at: usize,
    was: i64,
    by: i64,
}

/// The predicted leads of a state after a move.
fn moved_leads(state: &State, gains: &Gains, Step { at, was, by }: Step) -> Vec<f64> {
    let (old, new) = (&gains[&(at, was)], &gains[&(at, by)]);
    let leads = state.leads.iter().zip(old.iter().zip(new));
    leads.map(|(lead, (old, new))| lead + new - old).collect()
}

impl Search<'_, '_> {
    /// How bad a patch is: the sum of the squared excesses of its leads, or about the square of the largest one, plus
    /// small penalties on the leads themselves and on the price, which decide where no lead is too large.
    fn key(&self, leads: &[f64], price: f64) -> f64 {
        let (mut excesses, mut small) = (0.0, 0.0);
        for (at, lead) in leads.iter().enumerate() {
            let is_known = |base: &Deviation| !base.value.is_nan();
            let lead = match lead.is_nan() {
                false => *lead,
                // Whose score a patch leaves unknown is no nearer to its target by that.
                true if self.base.get(at).is_some_and(is_known) => 1.0,
                true => continue,
            };
            let excess = (lead.abs() - self.aim).max(0.0);
            excesses += match self.task.objective {
                Objective::Squares => excess * excess,
                Objective::Largest => eighth_power(excess),
            };
            small += 1e-6 * lead * lead;
        }
        let excess = match self.task.objective {
            Objective::Squares => excesses,
            Objective::Largest => libm::pow(excesses, 2.0 / NORM),
        };
        let point = 0.02 * self.task.within;
        excess + small + point * point * price
    }

    pub(super) fn is_enough(&self, leads: &[f64]) -> bool {
        leads.iter().all(|lead| lead.abs() <= self.aim)
    }

    /// The best played patch of a size, with its key.
    pub(super) fn best_of(&self, size: usize) -> Option<(&Patch, f64)> {
        let of_size = self.played.iter().filter(|(patch, _)| patch.len() == size);
        let keyed = of_size
            .map(|(patch, leads)| (patch, self.key(leads, price(self.task.candidates, patch))));
        keyed.min_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// The predicted gain of a goal's score when a candidate changes by `by`: linear between the steps that were played
    /// alone, and in proportion beyond the last of them. Measured effects that may be chance count for less.
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
        // Beyond the last step that was played: on the line through 0 and that step.
        if by.signum() != end.signum() || by.abs() > end.abs() {
            return of(end) * by as f64 / end as f64;
        }
        let below = points.range(..by).next_back().map_or(0, |(&at, _)| at);
        let above = points.range(by..).next().map_or(0, |(&at, _)| at);
        let (below, above) = if by > 0 { (below.max(0), above) } else { (below, above.min(0)) };
        let (from, to) = (of(below), of(above));
        from + (to - from) * (by - below) as f64 / (above - below) as f64
    }

    /// The best patches of each size, played or predicted, the smallest sizes first, up to the first size whose best
    /// patch is sufficient.
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
                            // One edit more, one edit changed, one edit fewer.
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

    /// Tabulates the predicted gains of these candidates at every step.
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

    /// The best played patches of a size, at most `most` of them.
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

    /// The key of a state after a move.
    fn moved_key(&self, state: &State, gains: &Gains, step: Step) -> f64 {
        let Step { at, was, by } = step;
        let candidate = &self.task.candidates[at];
        let more = by.unsigned_abs() as f64 - was.unsigned_abs() as f64;
        let price = price(self.task.candidates, &state.patch) + more * candidate.price;
        self.key(&moved_leads(state, gains, step), price)
    }

    /// The state after a move.
    fn moved(&self, state: &State, gains: &Gains, step: Step) -> State {
        let mut patch: Patch = state.patch.iter().copied().filter(|of| of.0 != step.at).collect();
        if step.by != 0 {
            patch.push((step.at, step.by));
            patch.sort_unstable();
        }
        self.state(patch, moved_leads(state, gains, step))
    }
}

/// An effect shrunk towards 0 by as much as may be chance (W. James and C. Stein: "Estimation with quadratic loss",
/// 1961; here each effect by itself, and never past 0).
fn shrunken(Deviation { value, error }: Deviation) -> f64 {
    if value.is_nan() || value == 0.0 {
        return 0.0;
    }
    value * (1.0 - (error / value).powi(2)).max(0.0)
}
