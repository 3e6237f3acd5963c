//! What is searched, and what was found.

use std::collections::BTreeMap;

use super::candidates::{Candidate, Patch};
use super::play::{Fared, Plan, VariantTally};
use super::{Goal, Subject};
use crate::batch::{Forgetful, Keeper};
use crate::engine::Engine;
use crate::statistics::{Deviation, Deviations, Equivalence, Estimate, Largest, Level};

/// The confidence of verdicts.
pub(super) const CONFIDENCE: f64 = 0.95;

/// It was ended early: there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Makes the variant of a scenario with a patch; none where the rules do not allow it.
pub type Build<'t> = &'t dyn Fn(&[(usize, i64)]) -> Option<Box<dyn Engine>>;

/// Is told what is being done and how many battles were played for that, and ends it by saying no.
pub type GoOn<'g> = &'g mut dyn FnMut(&str, u64) -> bool;

/// Keeps the plays of a search.
pub trait Keepers {
    /// What keeps a play of variants, by what it is for and by these variants, as the patches that they are.
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

/// What is searched, and for what.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// What may change.
    pub candidates: &'t [Candidate],
    /// Who should have which score.
    pub goals: &'t [Goal],
    /// Makes variants.
    pub build: Build<'t>,
    /// Keeps what was played, so that a search that was ended goes on where it was.
    pub keepers: &'t dyn Keepers,
    /// The battles that every variant plays.
    pub plan: Plan,
    /// How far from its target a score may be.
    pub within: f64,
    /// How many numbers may be other.
    pub edits: usize,
    /// How many of the goals are free: all, but for those whose scores follow from the others'.
    pub free: usize,
}

/// An estimate with its 95% interval.
pub(super) fn estimate(Deviation { value, error }: Deviation) -> Estimate {
    let half = Level::P95.z() * error;
    Estimate { value, low: value - half, high: value + half }
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

    /// The numbers of the very cards that these goals are about, in their order.
    pub(super) fn own(&self, goals: &[usize]) -> Vec<usize> {
        let is_own = |at: &usize| {
            let card = &self.candidates[*at].number.card;
            goals.iter().any(|&goal| match &self.goals[goal].who {
                Subject::Units(units) => units.len() == 1 && units[0].1 == *card,
                Subject::Sides(_) => false,
            })
        };
        (0..self.candidates.len()).filter(is_own).collect()
    }

    /// The 95% interval of a goal's lead, within what a lead over its target can be.
    #[must_use]
    pub(super) fn interval(&self, goal: usize, lead: Deviation) -> Estimate {
        let (Estimate { value, low, high }, target) = (estimate(lead), self.goals[goal].target);
        Estimate { value, low: low.max(-target), high: high.min(1.0 - target) }
    }

    /// The largest of some leads, within what the largest can be.
    #[must_use]
    pub(super) fn largest(&self, leads: &Deviations) -> Largest {
        let farthest = self.goals.iter().map(|goal| goal.target.max(1.0 - goal.target));
        let largest = leads.largest(CONFIDENCE);
        Largest { high: largest.high.min(farthest.fold(0.0, f64::max)), ..largest }
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
    /// How many of them were played in more battles, to look closer at the best patches.
    pub closer: u64,
    /// How many battles were played.
    pub battles: u64,
}
