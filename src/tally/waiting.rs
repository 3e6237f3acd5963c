//! What one thread has counted and not added to its tally yet.

use super::alike::Alike;
use super::appeared::Appeared;
use super::{Layout, Record, Tally};

/// Of more strata than this none has battles that wait: they would take more memory than the tally.
const MOST_STRATA: usize = 1 << 12;

/// Battles of which a tally does not know yet who took part in them.
#[derive(Clone, Debug)]
pub(crate) enum Waiting {
    /// Of teams that are given.
    Alike(Alike),
    /// Of units that are drawn.
    Appeared(Appeared),
    /// None ever.
    Nothing,
}

impl Waiting {
    /// Nothing waits to be added to this tally.
    pub(crate) fn new(layout: &Layout, tally: &Tally) -> Self {
        if layout.units_are_drawn {
            return Appeared::new(layout, tally.breakdown()).map_or(Self::Nothing, Self::Appeared);
        }
        if layout.strata() <= MOST_STRATA { Self::Alike(Alike::new(layout)) } else { Self::Nothing }
    }

    /// Adds those who took part in a battle: here or to the tally.
    #[inline]
    pub(super) fn add(&mut self, tally: &mut Tally, layout: &Layout, record: &Record) {
        match self {
            Self::Alike(alike) => alike.add(tally, layout, record),
            Self::Appeared(appeared) => appeared.add(tally, layout, record),
            Self::Nothing => tally.add_who(layout, record),
        }
    }

    /// Adds to the tally what waits, so that nothing does.
    pub(crate) fn settle(&mut self, tally: &mut Tally, layout: &Layout) {
        match self {
            Self::Alike(alike) => alike.settle(tally, layout),
            Self::Appeared(appeared) => appeared.settle(tally, layout),
            Self::Nothing => {}
        }
    }
}
