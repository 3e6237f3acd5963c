//! What one thread has counted and not added to its tally yet.

use super::alike::Alike;
use super::appeared::Appeared;
use super::{Layout, Record, Tally};

/// Of more strata than this none has battles that wait: they would take more memory than the tally.
const MOST_STRATA: usize = 1 << 12;

/// Battles of which a tally does not know yet who took part in them.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// Those of teams that are given.
    alike: Option<Alike>,
    /// Those of units that change from battle to battle.
    appeared: Option<Appeared>,
}

impl Waiting {
    /// Nothing waits to be added to this tally.
    pub(crate) fn new(layout: &Layout, tally: &Tally) -> Self {
        let may_be_alike = !layout.units_are_drawn && layout.strata() <= MOST_STRATA;
        Self {
            alike: may_be_alike.then(|| Alike::new(layout)),
            appeared: Appeared::new(layout, tally),
        }
    }

    /// Adds those who took part in a battle: here, or to the tally where nothing like it waits.
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

    /// Adds to the tally what waits, so that nothing does.
    pub(crate) fn settle(&mut self, tally: &mut Tally, layout: &Layout) {
        if let Some(alike) = &mut self.alike {
            alike.settle(tally, layout);
        }
        if let Some(appeared) = &mut self.appeared {
            appeared.settle(tally, layout);
        }
    }
}
