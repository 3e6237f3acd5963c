//! What one thread has counted but not added to its tally yet.

use super::alike::Alike;
use super::appeared::Appeared;
use super::{Layout, Record, Tally};

/// With more strata than this, battles do not wait by stratum: they would take more memory than the tally.
const MOST_STRATA: usize = 1 << 12;

/// Battles whose units have not been added to their tally yet.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Battles of given teams.
    alike: Option<Alike>,
    /// Battles of units that change from battle to battle.
    appeared: Option<Appeared>,
}

impl Waiting {
    /// Nothing waits to be added to this tally.
    #[must_use]
    pub fn new(layout: &Layout, tally: &Tally) -> Self {
        let may_be_alike = !layout.units_are_drawn && layout.strata() <= MOST_STRATA;
        Self {
            alike: may_be_alike.then(|| Alike::new(layout)),
            appeared: Appeared::new(layout, tally),
        }
    }

    /// Adds the units that took part in a battle: here, or to the tally where battles like it do not wait.
    #[inline]
    pub(super) fn add(&mut self, tally: &mut Tally, layout: &Layout, record: &Record) {
        if self.alike.as_mut().is_some_and(|alike| alike.add(tally, layout, record)) {
            return;
        }
        match &mut self.appeared {
            Some(appeared) => appeared.add(tally, layout, record),
            None => tally.add_who(layout, record),
        }
    }

    /// Adds everything that waits to the tally.
    pub fn settle(&mut self, tally: &mut Tally, layout: &Layout) {
        if let Some(alike) = &mut self.alike {
            alike.settle(tally, layout);
        }
        if let Some(appeared) = &mut self.appeared {
            appeared.settle(tally, layout);
        }
    }
}
