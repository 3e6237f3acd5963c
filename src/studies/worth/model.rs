//! The regression of the score on who brings what.

use super::design::Design;
use super::fixed::ROUNDING;
use super::lines::Lines;
use super::tally::{FitTally, PARTS};
use crate::statistics::{Absorbed, Baseline, Ridge, Sums};

/// What every card adds to the score, estimated from the fitted half of the battles.
#[derive(Debug)]
pub struct Model {
    /// The regression.
    pub(super) ridge: Ridge,
    /// The units that have a coefficient, as indices into the layout's units.
    pub(super) columns: Vec<u16>,
    /// The coefficient of each unit of the layout; 0 for a unit without one.
    coefficients: Vec<f64>,
    /// By place and level: what the level adds to the mean outcome, and what it adds where no side leads in anything.
    fixed: Vec<[f64; 2]>,
    /// The levels of each cell.
    levels: Cells,
    sides: usize,
}

/// The levels of every cell, in one list.
#[derive(Debug)]
struct Cells {
    count: usize,
    ends: Vec<u32>,
    levels: Vec<u16>,
}

impl Cells {
    fn new(design: &Design<'_>) -> Self {
        let fixed = &design.fixed;
        let (mut ends, mut levels) = (Vec::new(), Vec::new());
        for cell in 0..fixed.cells() {
            fixed.of_cell(&design.layout, cell, |level| levels.push(level as u16));
            ends.push(levels.len() as u32);
        }
        Self { count: fixed.count(), ends, levels }
    }

    #[inline]
    fn of(&self, cell: usize) -> &[u16] {
        let begin = if cell == 0 { 0 } else { self.ends[cell - 1] };
        &self.levels[begin as usize..self.ends[cell] as usize]
    }
}

/// The part that whole sides explain, place by place and block by block.
struct Absorption {
    places: Vec<Absorbed>,
    /// How many levels each place has.
    levels: usize,
    /// By place and level: the explained part of the outcomes.
    outcomes: Vec<f64>,
}

impl Absorption {
    fn of(design: &Design<'_>, tally: &FitTally) -> Self {
        let fixed = &design.fixed;
        let blocks = fixed.blocks();
        let (levels, cells) = (fixed.count() / blocks, fixed.cells() / blocks);
        let (mut places, mut outcomes) = (Vec::new(), Vec::new());
        for (block, rows) in tally.rows.chunks(cells).enumerate() {
            let first = block % blocks;
            let (mut together, mut sums) = (vec![0.0; levels * levels], vec![0.0; levels]);
            for (cell, &(rows, outcome)) in rows.iter().enumerate().filter(|(_, of)| of.0 > 0) {
                let mut own = Vec::new();
                fixed.of_cell(&design.layout, first * cells + cell, |level| {
                    own.push(level - first * levels);
                });
                for &one in &own {
                    sums[one] += outcome as f64;
                    own.iter().for_each(|&other| together[one * levels + other] += rows as f64);
                }
            }
            let absorbed = Absorbed::new(&together, levels);
            outcomes.extend(absorbed.explained(sums));
            places.push(absorbed);
        }
        Self { places, levels, outcomes }
    }

    fn rank(&self) -> usize {
        self.places.iter().map(Absorbed::rank).sum()
    }

    /// By place and level: the explained part of a unit's leads.
    fn leads(&self, tally: &FitTally, unit: usize) -> Vec<f64> {
        let of_place = |(place, absorbed): (usize, &Absorbed)| {
            let sum = |level: usize| tally.sum(place * self.levels + level, unit) as f64;
            absorbed.explained((0..self.levels).map(sum))
        };
        self.places.iter().enumerate().flat_map(of_place).collect()
    }

    /// By place and level: the coefficients that explain these parts.
    fn coefficients(&self, explained: &[f64]) -> Vec<f64> {
        let of_place = |(absorbed, of): (&Absorbed, &[f64])| absorbed.coefficients(of);
        self.places.iter().zip(explained.chunks(self.levels)).flat_map(of_place).collect()
    }
}

fn product(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

impl Model {
    /// Fits the regression to the sums; None where no side ever brings anything that others do not.
    #[must_use]
    pub fn fit(design: &Design<'_>, tally: &FitTally) -> Option<Self> {
        let (units, sides) = (design.layout.units.len(), design.layout.sides);
        let others = (sides - 1) as f64;
        let varies = |unit: &usize| tally.products[unit * units + unit] > 0;
        let columns: Vec<usize> = (0..units).filter(varies).collect();
        let mut kinds: Vec<&str> = Vec::new();
        let mut groups = Vec::with_capacity(columns.len());
        for &unit in &columns {
            let kind = design.layout.units[unit].kind;
            let known = kinds.iter().position(|known| *known == kind);
            groups.push(known.unwrap_or(kinds.len()));
            if known.is_none() {
                kinds.push(kind);
            }
        }
        // The effects of whole sides are taken out of everything first; up to here the numbers are whole.
        let absorbed = Absorption::of(design, tally);
        let count = columns.len();
        let leads: Vec<Vec<f64>> =
            columns.iter().map(|&unit| absorbed.leads(tally, unit)).collect();
        // A lead that is constant in every row of a place leaves nothing but rounding.
        let varies_within: Vec<bool> = columns
            .iter()
            .zip(&leads)
            .map(|(&unit, of)| {
                let all = tally.products[unit * units + unit] as f64;
                all - product(of, of) > ROUNDING * all
            })
            .collect();
        let mut products = vec![0.0; count * count];
        for (one, &low) in columns.iter().enumerate() {
            for (other, &high) in columns.iter().enumerate().skip(one) {
                let varies = varies_within[one] && varies_within[other];
                let sum = tally.products[low * units + high] as f64;
                let sum = if varies { sum - product(&leads[one], &leads[other]) } else { 0.0 };
                let sum = sum / (others * others);
                products[one * count + other] = sum;
                products[other * count + one] = sum;
            }
        }
        let outcomes = &absorbed.outcomes;
        let moment = |(at, &unit): (usize, &usize)| match varies_within[at] {
            true => {
                let sum = tally.moments[unit] as f64 - product(&leads[at], outcomes);
                sum / (others * sides as f64)
            }
            false => 0.0,
        };
        let all = tally.squares as f64;
        let squares = all - product(outcomes, outcomes);
        let squares = if squares > ROUNDING * all { squares } else { 0.0 };
        let squares = squares / (sides * sides) as f64;
        let ridge = Ridge::fit(Sums {
            rows: tally.rows.iter().map(|of| of.0).sum(),
            means: absorbed.rank() as u64,
            products,
            moments: columns.iter().enumerate().map(moment).collect(),
            squares,
            groups,
            weights: columns.iter().map(|&unit| tally.copies[unit] as f64).collect(),
            costs: columns
                .iter()
                .map(|&unit| design.cost(unit as u16).map_or(f64::NAN, f64::from))
                .collect(),
        })?;
        let mut coefficients = vec![0.0; units];
        for (&unit, coefficient) in columns.iter().zip(ridge.coefficients()) {
            coefficients[unit] = coefficient;
        }
        // The effects of whole sides that remain once the effects of their cards are taken out.
        let mut without: Vec<f64> = outcomes.iter().map(|of| of / sides as f64).collect();
        let with = absorbed.coefficients(&without);
        for (of, &unit) in leads.iter().zip(&columns) {
            let each = coefficients[unit] / others;
            without.iter_mut().zip(of).for_each(|(without, of)| *without -= each * of);
        }
        let without = absorbed.coefficients(&without);
        let fixed = with.into_iter().zip(without).map(|(with, without)| [with, without]).collect();
        let columns = columns.into_iter().map(|unit| unit as u16).collect();
        Some(Self { ridge, columns, coefficients, fixed, levels: Cells::new(design), sides })
    }

    /// The error of a row of a battle from its mean, and from the model's prediction, in parts of a win: whole
    /// numbers, so that their sums are the same on every machine.
    #[inline]
    pub(super) fn errors(
        &self,
        lines: &Lines,
        (place, cell): (usize, usize),
        row: usize,
        lead: i64,
    ) -> [i64; 2] {
        let outcome = lead as f64 / self.sides as f64;
        let others = (self.sides - 1) as f64;
        let (mut mean, mut predicted) = (0.0, 0.0);
        for &level in self.levels.of(cell) {
            let [of_mean, of_rest] = self.fixed[place * self.levels.count + usize::from(level)];
            mean += of_mean;
            predicted += of_rest;
        }
        for line in &lines.units {
            let own = line.lead(row, self.sides) as f64 / others;
            predicted += self.coefficients[usize::from(line.unit)] * own;
        }
        let parts = |error: f64| (error * PARTS).round() as i64;
        [parts(outcome - mean), parts(outcome - predicted)]
    }

    /// Each unit with its shrunken impact on the scores of all battles: its worth for its cost times how many copies
    /// of it a side brings on average.
    pub(super) fn impacts(&self, tally: &FitTally) -> Vec<(u16, f64)> {
        let worths = self.ridge.worths(Baseline::Cost);
        let sides = (tally.battles.max(1) as usize * self.sides) as f64;
        let impact = |(&unit, worth): (&u16, f64)| {
            (unit, worth * tally.copies[usize::from(unit)] as f64 / sides)
        };
        self.columns.iter().zip(worths).map(impact).collect()
    }
}
