//! How appearances fared, separately for each match-up: battles are allotted to match-ups by design, so differences
//! between match-ups are no chance.

use serde::{Deserialize, Serialize};

use super::{Clustered, Layout};

/// The position of one side's match-up among all match-ups of its contender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Index among them, from 0.
    pub at: u32,
    /// How many match-ups the contender has.
    pub of: u32,
}

/// The match-ups of every contender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Own {
    /// By match-up and side.
    pub places: Vec<Place>,
    /// By contender: its match-ups, in order.
    pub matchups: Vec<Vec<u32>>,
}

/// If there would be more sums than this by unit, part and match-up, they are not kept apart by match-up: a round robin
/// of a hundred drawn teams under every ruleset would take gigabytes, nearly all for a battle or two each.
pub(super) const MOST_APART: usize = 1 << 21;

impl Own {
    /// Whether sums are kept apart by match-up where every contender has this many cells.
    pub(super) fn are_apart(&self, cells: usize) -> bool {
        let sums: usize = self.matchups.iter().map(Vec::len).sum();
        sums.saturating_mul(cells) <= MOST_APART
    }

    pub(super) fn of(layout: &Layout) -> Self {
        let contenders = layout.contenders();
        let mut matchups: Vec<Vec<u32>> = vec![Vec::new(); contenders.names.len()];
        let mut places = Vec::with_capacity(contenders.at.len());
        for (at, &contender) in contenders.at.iter().enumerate() {
            let (matchup, own) =
                ((at / layout.sides) as u32, &mut matchups[usize::from(contender)]);
            if own.last() != Some(&matchup) {
                own.push(matchup);
            }
            places.push(Place { at: own.len() as u32 - 1, of: 0 });
        }
        for (place, &contender) in places.iter_mut().zip(&contenders.at) {
            place.of = matchups[usize::from(contender)].len() as u32;
        }
        Self { places, matchups }
    }
}

/// Sums by cell (a unit of a contender, perhaps under a factor) and match-up. A cell costs 16 bytes, and 40 more for
/// each match-up that it can be in as soon as anything is added to it. Where there would be too many of them, each cell
/// has one sum for all of its match-ups: estimates from it are the same, with a variance that is too large rather than
/// too small.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByMatchup {
    cells: Vec<Box<[Clustered]>>,
    /// Whether each cell has one sum for all match-ups.
    #[serde(skip)]
    together: bool,
}

impl ByMatchup {
    pub(crate) fn new(cells: usize) -> Self {
        Self { cells: vec![Box::default(); cells], together: false }
    }

    /// Empty sums of so many cells, with one sum for all match-ups each.
    pub(super) fn together(cells: usize) -> Self {
        Self { together: true, ..Self::new(cells) }
    }

    /// How many sums a cell has that can be in so many match-ups.
    pub(super) fn sums(&self, matchups: usize) -> usize {
        if self.together { 1 } else { matchups }
    }

    /// Adds to the sum of a cell in one match-up.
    #[inline]
    pub(crate) fn add(&mut self, cell: usize, place: Place, more: &Clustered) {
        let place = if self.together { Place { at: 0, of: 1 } } else { place };
        let cell = &mut self.cells[cell];
        if cell.is_empty() {
            begin(cell, place.of);
        }
        cell[place.at as usize].merge(more);
    }

    /// The sums of a cell by match-up; empty where nothing was added.
    #[must_use]
    pub fn cell(&self, cell: usize) -> &[Clustered] {
        &self.cells[cell]
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.cells.iter_mut().zip(&other.cells) {
            if mine.is_empty() {
                mine.clone_from(theirs);
                continue;
            }
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                mine.merge(theirs);
            }
        }
    }

    /// Whether there are as many cells as in `other`, each empty or with sums of so many match-ups.
    pub(crate) fn has_shape_of(&self, other: &Self, matchups: usize) -> bool {
        let fits = |cell: &[Clustered]| cell.is_empty() || cell.len() == matchups;
        self.cells.len() == other.cells.len() && self.cells.iter().all(|cell| fits(cell))
    }

    /// The form to be written.
    pub(super) fn form(&self) -> Vec<Vec<Clustered>> {
        self.cells.iter().map(|cell| cell.to_vec()).collect()
    }

    /// Reads a form back; none where it has not as many cells as this, or a cell not as many match-ups as `of` says.
    pub(super) fn of_form(
        &self,
        form: Vec<Vec<Clustered>>,
        of: impl Fn(usize) -> usize,
    ) -> Option<Self> {
        let mut cells = form.iter().enumerate();
        let fits = form.len() == self.cells.len()
            && cells.all(|(at, cell)| cell.is_empty() || cell.len() == self.sums(of(at)));
        let cells = form.into_iter().map(Vec::into_boxed_slice);
        fits.then(|| Self { cells: cells.collect(), ..*self })
    }

    /// Replaces the sums of a cell.
    #[cfg(test)]
    pub(crate) fn put(&mut self, cell: usize, sums: &[Clustered]) {
        self.cells[cell] = sums.into();
    }
}

/// A function of its own, so that the code for adding to a cell that has sums is short.
#[cold]
#[inline(never)]
fn begin(cell: &mut Box<[Clustered]>, matchups: u32) {
    *cell = vec![Clustered::default(); matchups as usize].into();
}
