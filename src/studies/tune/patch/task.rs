//! The task of a search for a patch, and its result.

use std::collections::BTreeMap;

use super::Goal;
use super::candidates::{Candidate, Patch};
use super::play::{Fared, Plan, VariantTally};
use crate::batch::{Forgetful, Keeper};
use crate::engine::Engine;
use crate::statistics::{Deviation, Deviations, Equivalence, Estimate, Level};
use crate::studies::evenness::Objective;

/// The confidence of verdicts.
pub(super) const CONFIDENCE: f64 = 0.95;

/// The error that a search was ended early, so that there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Builds the variant of a scenario with a patch; None where the rules do not allow it.
pub type Build<'t> = &'t dyn Fn(&[(usize, i64)]) -> Option<Box<dyn Engine>>;

/// Receives the current stage and the number of battles played so far, and ends the search by returning false.
pub type GoOn<'g> = &'g mut dyn FnMut(&str, u64) -> bool;

/// Stores the plays of a search, so that an interrupted search can resume.
pub trait Keepers {
    /// The keeper of one play, identified by the stage of the search and by the patches of its variants.
    fn keeper<'s>(
        &'s self,
        what: &str,
        patches: &[&[(usize, i64)]],
    ) -> Box<dyn Keeper<VariantTally> + 's>;
}

impl Keepers for Forgetful {
    fn keeper<'s>(
        &'s self,
        _what: &str,
        _patches: &[&[(usize, i64)]],
    ) -> Box<dyn Keeper<VariantTally> + 's> {
        Box::new(Self)
    }
}

/// The task of a search for a patch.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// The numbers that may change.
    pub candidates: &'t [Candidate],
    /// The goals, each with its target score.
    pub goals: &'t [Goal],
    /// Builds variants.
    pub build: Build<'t>,
    /// Stores the plays, so that an interrupted search resumes where it was.
    pub keepers: &'t dyn Keepers,
    /// The battles that every variant plays.
    pub plan: Plan,
    /// What a search makes small beyond the margin.
    pub objective: Objective,
    /// The margin: how far a score may be from its target, 0 to 1.
    pub within: f64,
    /// The most numbers that a patch may change.
    pub edits: usize,
    /// The number of free goals: all but those whose scores follow from the others'.
    pub free: usize,
}

/// An estimate with its 95% interval.
pub(super) fn estimate(Deviation { value, error }: Deviation) -> Estimate {
    let half = Level::P95.z() * error;
    Estimate { value, low: value - half, high: value + half }
}

impl Task<'_> {
    /// Each goal's lead, its score minus its target, with its standard error.
    #[must_use]
    pub fn leads(&self, fared: &Fared) -> Vec<Deviation> {
        let lead = |(at, goal): (usize, &Goal)| {
            let Deviation { value, error } = fared.score(at);
            Deviation { value: value - goal.target, error }
        };
        self.goals.iter().enumerate().map(lead).collect()
    }

    /// The candidates that are numbers of a goal's own cards, in their order.
    pub(super) fn own(&self, goal: usize) -> Vec<usize> {
        let is_own = |at: &usize| self.goals[goal].own.contains(&self.candidates[*at].number.card);
        (0..self.candidates.len()).filter(is_own).collect()
    }

    /// The 95% interval of a goal's lead, clipped to the leads that a score from 0 to 1 allows.
    #[must_use]
    pub(super) fn interval(&self, goal: usize, lead: Deviation) -> Estimate {
        let (Estimate { value, low, high }, target) = (estimate(lead), self.goals[goal].target);
        Estimate { value, low: low.max(-target), high: high.min(1.0 - target) }
    }

    /// Some leads as the statistic that verdicts test, at most as large as they can be; None where a lead is unknown.
    #[must_use]
    pub fn deviations(&self, leads: &[Deviation]) -> Option<Deviations> {
        let farthest = self.goals.iter().map(|goal| goal.target.max(1.0 - goal.target));
        let all = Deviations::new(leads.to_vec())?.of_which_free(self.free);
        Some(all.at_most(farthest.fold(0.0, f64::max)))
    }
}

/// A point of the frontier: a patch that was played in the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The patch.
    pub patch: Patch,
    /// Its price.
    pub price: f64,
    /// Each goal's lead in the battles of the search: optimistic, since this is the best of many patches.
    pub leads: Vec<f64>,
}

impl Point {
    /// The largest lead, as an absolute value.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.leads.iter().map(|lead| lead.abs()).fold(0.0, f64::max)
    }
}

/// The effects of a number that was played alone: by the step that it changed by, the gain of each goal's score.
pub type Effects = BTreeMap<i64, Vec<Deviation>>;

/// The result of a search for a patch.
#[derive(Clone, Debug)]
pub struct Found {
    /// The goals' leads in the scenario itself.
    pub base: Vec<Deviation>,
    /// Whether the scenario itself is within the margin, as far as its battles tell.
    pub verdict: Equivalence,
    /// The effects of each candidate; empty for those that screening left out.
    pub effects: Vec<Effects>,
    /// The best patch of each size that was played, the scenario itself first.
    pub frontier: Vec<Point>,
    /// Index into the frontier of the smallest sufficient patch, or else of the best one.
    pub chosen: usize,
    /// Whether the chosen patch is sufficient, or none is needed.
    pub reached: bool,
    /// The number of variants of many edits that were played to screen candidates; 0 where every candidate was played
    /// alone.
    pub screened: usize,
    /// The number of variants that were played, including the scenario itself.
    pub variants: u64,
    /// The number of these variants that were played in more battles, for a closer look at the best patches.
    pub closer: u64,
    /// The number of battles that were played.
    pub battles: u64,
}
