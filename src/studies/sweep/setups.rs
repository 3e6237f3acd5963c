//! The setups behind the variants of a sweep.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::statistics::DrawModel;
use crate::tally::Matchup;

/// The setups of a sweep's variants. A setup that differs from another only in the odds of its conditions is dropped,
/// and data that setups have in common is kept once, so that thousands of variants fit into memory.
#[derive(Debug, Default)]
pub struct Setups {
    /// The setup of each variant; None where another variant's setup is used for it.
    engines: Vec<Option<Box<dyn Engine>>>,
    /// What is kept of each variant, in their order.
    pub(super) variants: Vec<OneVariant>,
    /// The labels of the conditions of all variants, with their numbers in order of first appearance.
    pub(super) names: FxHashMap<String, u32>,
}

/// What is kept of a variant once its setup may have been dropped.
#[derive(Debug)]
pub(super) struct OneVariant {
    /// Index of the variant whose setup is used for it.
    owner: usize,
    /// Its conditions, as numbers in the setups' `names`, and their probabilities.
    pub odds: Vec<(u32, f64)>,
    pub matchups: Arc<[Matchup]>,
    pub sides: usize,
    /// The weights by which its conditions are drawn, and the share of battles with two factors; None where its draw
    /// model cannot state them.
    pub drawn: Option<(Vec<f64>, f64)>,
}

impl OneVariant {
    pub(super) fn told(&self) -> String {
        let plural = if self.matchups.len() == 1 { "" } else { "s" };
        format!("{} match-up{plural} of {} sides", self.matchups.len(), self.sides)
    }
}

impl Setups {
    /// Adds the next variant's setup.
    pub fn add(&mut self, mut engine: Box<dyn Engine>) {
        let variant = self.engines.len();
        if let Some(other) = self.engines.iter().flatten().next() {
            engine.share(&**other);
        }
        let layout = engine.layout();
        let mut odds = Vec::with_capacity(layout.conditions.len());
        for condition in &layout.conditions {
            let next = self.names.len() as u32;
            let number = match self.names.get(&condition.label) {
                Some(&known) => known,
                None => *self.names.entry(condition.label.clone()).or_insert(next),
            };
            odds.push((number, condition.probability));
        }
        let known = self.variants.last().filter(|one| one.matchups[..] == layout.matchups[..]);
        let matchups = known
            .map_or_else(|| layout.matchups.as_slice().into(), |one| Arc::clone(&one.matchups));
        let sides = layout.sides;
        let drawn = engine.draw_model().and_then(DrawModel::drawn);
        let answers = |owner: &&usize| {
            self.engines[**owner].as_ref().is_some_and(|one| one.plays_alike(&*engine))
        };
        let owners: Vec<usize> = self.owners().collect();
        let owner = owners.iter().find(answers).copied();
        self.variants.push(OneVariant {
            owner: owner.unwrap_or(variant),
            odds,
            matchups,
            sides,
            drawn,
        });
        if owner.is_some() {
            self.engines.push(None);
            return;
        }
        // The new setup may include all conditions of setups kept so far, which are then dropped in its favour.
        for other in owners {
            if self.engines[other].as_ref().is_some_and(|one| engine.plays_alike(&**one)) {
                self.engines[other] = None;
                self.variants.iter_mut().filter(|one| one.owner == other).for_each(|one| {
                    one.owner = variant;
                });
            }
        }
        self.engines.push(Some(engine));
    }

    /// Whether nothing is drawn in any variant, so that each has a single condition. All of these are then one stratum,
    /// whatever they are called: a condition that a variant fixes is part of what is varied, and battles are paired.
    pub(super) fn are_without_draws(&self) -> bool {
        self.variants.iter().all(|one| one.odds.len() == 1)
    }

    /// The indices of the variants whose setups are kept.
    fn owners(&self) -> impl Iterator<Item = usize> {
        self.engines.iter().enumerate().filter(|(_, engine)| engine.is_some()).map(|(at, _)| at)
    }

    /// The setups that are played, the first variant's first, and for each variant the index of the one used for it.
    pub(super) fn arms(&self) -> (Vec<&dyn Engine>, Vec<usize>) {
        let first = self.variants[0].owner;
        let mut arm_of_owner = vec![0; self.engines.len()];
        let mut arms: Vec<&dyn Engine> = Vec::new();
        let others = self.owners().filter(|&owner| owner != first);
        for owner in std::iter::once(first).chain(others) {
            arm_of_owner[owner] = arms.len();
            arms.extend(self.engines[owner].as_deref());
        }
        let arm_of = self.variants.iter().map(|one| arm_of_owner[one.owner]).collect();
        (arms, arm_of)
    }
}
