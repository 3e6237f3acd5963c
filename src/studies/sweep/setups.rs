//! The setups behind the variants of a sweep.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::statistics::DrawModel;
use crate::tally::Matchup;

/// The setups of a sweep's variants. One that differs from another in nothing but the odds of its conditions is let go of,
/// and whatever is the same in two others is kept once, so that thousands of variants fit into memory.
#[derive(Debug, Default)]
pub struct Setups {
    /// By variant: its setup, unless another one answers for it.
    engines: Vec<Option<Box<dyn Engine>>>,
    /// What is remembered of each variant.
    pub(super) variants: Vec<OneVariant>,
    /// The conditions of all variants, numbered as they come.
    pub(super) names: FxHashMap<String, u32>,
}

/// What is remembered of a variant.
#[derive(Debug)]
pub(super) struct OneVariant {
    /// The variant whose setup answers for it.
    owner: usize,
    /// Its conditions and their probabilities.
    pub odds: Vec<(u32, f64)>,
    pub matchups: Arc<[Matchup]>,
    pub sides: usize,
    /// The weights that its conditions are drawn by, and the share of battles with two, where that can be said.
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
        // It may have the conditions of others, and more.
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

    /// The variants whose setups are kept.
    fn owners(&self) -> impl Iterator<Item = usize> {
        self.engines.iter().enumerate().filter(|(_, engine)| engine.is_some()).map(|(at, _)| at)
    }

    /// The setups that are played, that of the first variant first, and for each variant which of them answers for it.
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
