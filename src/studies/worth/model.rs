//! The regression of the score on who brings what.

use super::design::Design;
use super::lines::Lines;
use super::tally::{FitTally, PARTS};
use crate::statistics::{Baseline, Ridge, Sums};

/// What every card adds to the score, as the fitted half of the battles says it.
#[derive(Debug)]
pub struct Model {
    /// The regression.
    pub(super) ridge: Ridge,
    /// The units that it has a coefficient for, as indices into the layout's.
    pub(super) columns: Vec<u16>,
    /// By unit: its coefficient; 0 where it has none.
    coefficients: Vec<f64>,
    /// By stratum and row: the mean outcome, and what a battle has where no side leads in anything.
    places: Vec<[f64; 2]>,
    sides: usize,
}

impl Model {
    /// Fits the sums; none where nobody ever brings anything that others do not.
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
        // The means by stratum and row go out of everything, in numbers that are whole until the last division.
        let count = columns.len();
        let mut products = vec![0.0; count * count];
        for (one, &low) in columns.iter().enumerate() {
            for (other, &high) in columns.iter().enumerate().skip(one) {
                let mut sum = tally.products[low * units + high] as f64;
                for (place, &(rows, _)) in tally.rows.iter().enumerate().filter(|(_, of)| of.0 > 0)
                {
                    let of = |unit: usize| tally.sums[place * units + unit] as f64;
                    sum -= of(low) * of(high) / rows as f64;
                }
                let sum = sum / (others * others);
                products[one * count + other] = sum;
                products[other * count + one] = sum;
            }
        }
        let places = || tally.rows.iter().enumerate().filter(|(_, of)| of.0 > 0);
        let moment = |&unit: &usize| {
            let taken = places().map(|(place, &(rows, outcome))| {
                tally.sums[place * units + unit] as f64 * outcome as f64 / rows as f64
            });
            (tally.moments[unit] as f64 - taken.sum::<f64>()) / (others * sides as f64)
        };
        let taken = places().map(|(_, &(rows, outcome))| (outcome as f64).powi(2) / rows as f64);
        let squares = (tally.squares as f64 - taken.sum::<f64>()) / (sides * sides) as f64;
        let ridge = Ridge::fit(Sums {
            rows: tally.rows.iter().map(|of| of.0).sum(),
            means: places().count() as u64,
            products,
            moments: columns.iter().map(moment).collect(),
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
        let place = |(place, &(rows, outcome)): (usize, &(u64, i64))| {
            if rows == 0 {
                return [0.0; 2];
            }
            let lead = |&unit: &usize| {
                tally.sums[place * units + unit] as f64 / rows as f64 / others * coefficients[unit]
            };
            let mean = outcome as f64 / rows as f64 / sides as f64;
            [mean, mean - columns.iter().map(lead).sum::<f64>()]
        };
        let places = tally.rows.iter().enumerate().map(place).collect();
        let columns = columns.into_iter().map(|unit| unit as u16).collect();
        Some(Self { ridge, columns, coefficients, places, sides })
    }

    /// What a row of a battle has less its mean, and less what the model says, in parts of a win: whole numbers, so that their
    /// sums are the same on every machine.
    #[inline]
    pub(super) fn errors(&self, lines: &Lines, place: usize, row: usize, lead: i64) -> [i64; 2] {
        let outcome = lead as f64 / self.sides as f64;
        let others = (self.sides - 1) as f64;
        let [mean, offset] = self.places[place];
        let mut predicted = offset;
        for line in &lines.units {
            let own = line.lead(row, self.sides) as f64 / others;
            predicted += self.coefficients[usize::from(line.unit)] * own;
        }
        let parts = |error: f64| (error * PARTS).round() as i64;
        [parts(outcome - mean), parts(outcome - predicted)]
    }

    /// What each unit adds to the scores of all battles, shrunken: its worth for its cost times how many of it a side brings.
    pub(super) fn impacts(&self, tally: &FitTally) -> Vec<(u16, f64)> {
        let worths = self.ridge.worths(Baseline::Cost);
        let sides = (tally.battles.max(1) as usize * self.sides) as f64;
        let impact = |(&unit, worth): (&u16, f64)| {
            (unit, worth * tally.copies[usize::from(unit)] as f64 / sides)
        };
        self.columns.iter().zip(worths).map(impact).collect()
    }
}
