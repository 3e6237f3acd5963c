//! The effects of a ruleset or a mana cap on whole sides: fixed effects. No card causes them, and they are taken out
//! before cards are told apart.

use crate::tally::{Layout, Record};

/// A fraction of a sum of squares that is no more than rounding: where whole sides explain the rest, nothing is left.
pub(super) const ROUNDING: f64 = 1e-9;
/// With fewer battles than this for each level, its mean is not known well enough to be taken out.
const EACH: u64 = 16;
/// The most sums of leads that are kept, by place, cell and unit.
const MOST: u64 = 2_000_000;

/// The levels that have a mean of their own at each place (a stratum's row). A level applies to all cards of a side
/// at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absorbs {
    /// Only the place, and nothing else is needed: all sides that meet there could bring the same, under the same
    /// conditions.
    Places,
    /// Only the place, because there are too few battles or too many places; with the number of battles that would
    /// do, if any number would.
    TooFew(Option<u64>),
    /// Every combination of condition and bracket.
    Cells,
    /// Every condition, and separately every bracket.
    Conditions,
    /// Every factor, and separately every bracket.
    Factors,
}

/// The fixed effects of every place: its levels, and which of them a battle has.
#[derive(Clone, Copy, Debug)]
pub(super) struct FixedEffects {
    pub absorbs: Absorbs,
    conditions: usize,
    factors: usize,
    brackets: usize,
}

impl FixedEffects {
    /// Chooses the levels for a layout with this many places, which have this many battles between them.
    pub fn new(layout: &Layout, places: usize, battles: u64) -> Self {
        let (conditions, factors) = (layout.conditions.len().max(1), layout.factors.len());
        let brackets = if layout.brackets.len() > 1 { layout.brackets.len() } else { 0 };
        let of = |absorbs: Absorbs| Self { absorbs, conditions, factors, brackets };
        let alike =
            |of: &crate::tally::Matchup| of.contenders.windows(2).all(|two| two[0] == two[1]);
        if conditions == 1 && brackets == 0
            || layout.units_are_drawn && layout.matchups.iter().all(alike)
        {
            return of(Absorbs::Places);
        }
        let needs = |of: Self| (places * of.count()) as u64 * EACH;
        let fits = |of: Self| (places * of.cells() * layout.units.len()) as u64 <= MOST;
        let wanted = [Absorbs::Cells, Absorbs::Conditions, Absorbs::Factors].map(of);
        if let Some(found) = wanted.into_iter().find(|of| fits(*of) && needs(*of) <= battles) {
            return found;
        }
        let would_do = wanted.into_iter().filter(|of| fits(*of)).map(needs).min();
        of(Absorbs::TooFew(would_do))
    }

    /// The number of levels of a place.
    pub fn count(&self) -> usize {
        match self.absorbs {
            Absorbs::Places | Absorbs::TooFew(_) => 1,
            Absorbs::Cells => self.cells(),
            Absorbs::Conditions => self.conditions + self.brackets,
            Absorbs::Factors => 1 + self.factors + self.brackets,
        }
    }

    /// The number of cells of a place; the battles of a cell have the same levels.
    pub fn cells(&self) -> usize {
        match self.absorbs {
            Absorbs::Places | Absorbs::TooFew(_) => 1,
            Absorbs::Cells | Absorbs::Conditions | Absorbs::Factors => {
                self.conditions * self.brackets.max(1)
            }
        }
    }

    /// The cell of a battle.
    pub fn cell(&self, record: &Record) -> usize {
        match self.absorbs {
            Absorbs::Places | Absorbs::TooFew(_) => 0,
            Absorbs::Cells | Absorbs::Conditions | Absorbs::Factors => {
                let bracket = if self.brackets > 0 { usize::from(record.bracket) } else { 0 };
                record.stratum.condition as usize * self.brackets.max(1) + bracket
            }
        }
    }

    /// The number of blocks of a place. Blocks have no level in common, and each has equally many cells and levels.
    pub fn blocks(&self) -> usize {
        match self.absorbs {
            Absorbs::Cells => self.cells(),
            Absorbs::Places | Absorbs::TooFew(_) | Absorbs::Conditions | Absorbs::Factors => 1,
        }
    }

    /// Whether the effects of anything but the place itself are taken out.
    pub fn takes_conditions_out(&self) -> bool {
        match self.absorbs {
            Absorbs::Places | Absorbs::TooFew(_) => false,
            Absorbs::Cells | Absorbs::Conditions | Absorbs::Factors => true,
        }
    }

    /// Whether the battles of a cell are in a scope: all battles, those with a factor, or those with a bracket.
    pub fn is_in_scope(&self, layout: &Layout, cell: usize, scope: usize) -> bool {
        let (condition, bracket) = (cell / self.brackets.max(1), cell % self.brackets.max(1));
        match scope.checked_sub(1) {
            None => true,
            Some(factor) if factor < self.factors => {
                layout.conditions[condition].factors.iter().any(|&of| usize::from(of) == factor)
            }
            Some(other) => self.brackets == 0 || other - self.factors == bracket,
        }
    }

    /// Calls `each` with every level of a cell.
    pub fn of_cell(&self, layout: &Layout, cell: usize, mut each: impl FnMut(usize)) {
        let (condition, bracket) = (cell / self.brackets.max(1), cell % self.brackets.max(1));
        let before = match self.absorbs {
            Absorbs::Places | Absorbs::TooFew(_) => return each(0),
            Absorbs::Cells => return each(cell),
            Absorbs::Conditions => {
                each(condition);
                self.conditions
            }
            Absorbs::Factors => {
                each(0);
                let factors = &layout.conditions[condition].factors;
                factors.iter().for_each(|&factor| each(1 + usize::from(factor)));
                1 + self.factors
            }
        };
        if self.brackets > 0 {
            each(before + bracket);
        }
    }
}
