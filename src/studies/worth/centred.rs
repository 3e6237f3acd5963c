//! How much more or less cards are worth in some battles than in all: least squares on the model's errors there, once
//! the effects of whole sides are taken out. All cards are fitted together, so that none gets the effect of another
//! one that always comes with it.

use super::design::Design;
use super::model::Model;
use super::tally::{FreshTally, PARTS};
use crate::statistics::{Baseline, Sums};

/// The sums that a fit is computed from, by column of the model, in units of the score.
#[derive(Clone, Debug)]
pub(super) struct Centred {
    /// For every two columns: the sum over rows of the products of their leads.
    pub products: Vec<f64>,
    /// For every two columns: the sum over battles of the products of their gradients, the middle of a sandwich.
    pub middle: Vec<f64>,
    /// For every column: the sum of its leads times the errors.
    pub moments: Vec<f64>,
    /// For every column: how many copies of the unit were brought.
    pub copies: Vec<f64>,
}

impl Centred {
    /// The sums of a scope that is reported.
    pub(super) fn of(design: &Design<'_>, model: &Model, fresh: &FreshTally, scope: usize) -> Self {
        let columns: Vec<usize> = model.columns.iter().map(|&unit| usize::from(unit)).collect();
        let count = columns.len();
        let slopes = || columns.iter().map(|&unit| fresh.slope(scope, unit));
        let mut found = Self {
            products: vec![0.0; count * count],
            middle: vec![0.0; count * count],
            moments: slopes().map(|of| of.gradient as f64).collect(),
            copies: slopes().map(|of| of.copies as f64).collect(),
        };
        for (one, &low) in columns.iter().enumerate() {
            for (other, &high) in columns.iter().enumerate().skip(one) {
                let of = fresh.products(scope, low, high);
                found.products[one * count + other] = of.leads as f64;
                found.middle[one * count + other] = of.gradients as f64;
            }
        }
        if design.fixed.takes_conditions_out() {
            found.centre(design, fresh, &columns, scope);
        }
        found.scale(design.layout.sides);
        found
    }

    /// Takes out the effects of whole sides in each cell.
    fn centre(&mut self, design: &Design<'_>, fresh: &FreshTally, columns: &[usize], scope: usize) {
        let (rows, cells, count) = (design.rows(), design.fixed.cells(), columns.len());
        let in_scope = |cell: &usize| design.fixed.is_in_scope(&design.layout, *cell, scope);
        for stratum in 0..design.places() / rows {
            for cell in (0..cells).filter(in_scope) {
                let place = |row: usize| (stratum * rows + row) * cells + cell;
                if fresh.sides[place(0)].rows == 0 {
                    continue;
                }
                let number = fresh.sides[place(0)].rows as f64;
                let of = |row: usize| -> (Vec<f64>, Vec<f64>) {
                    let first = place(row) * fresh.units;
                    let leads = columns.iter().map(|&unit| &fresh.leads[first + unit]);
                    leads.map(|of| (of.sum as f64 / number, of.by_error as f64)).unzip()
                };
                let of_rows: Vec<(Vec<f64>, Vec<f64>)> = (0..rows).map(of).collect();
                for (row, (own, by_error)) in of_rows.iter().enumerate() {
                    let sides = &fresh.sides[place(row)];
                    // The part taken off a column's gradient is the sum over rows of its mean lead times the error.
                    let beyond: Vec<f64> = (0..count)
                        .map(|at| {
                            let means = of_rows.iter().zip(&sides.products);
                            let taken =
                                means.map(|((means, _), product)| means[at] * *product as f64);
                            taken.sum::<f64>() - by_error[at]
                        })
                        .collect();
                    for one in 0..count {
                        self.moments[one] -= own[one] * sides.errors as f64;
                        for other in one..count {
                            let at = one * count + other;
                            self.products[at] -= number * own[one] * own[other];
                            self.middle[at] +=
                                own[one] * beyond[other] - own[other] * by_error[one];
                        }
                    }
                }
            }
        }
    }

    /// Converts the sums to units of the score, and fills both halves of symmetric matrices.
    fn scale(&mut self, sides: usize) {
        let (count, others) = (self.moments.len(), (sides - 1) as f64);
        self.moments.iter_mut().for_each(|of| *of /= others * PARTS);
        for one in 0..count {
            for other in one..count {
                let at = one * count + other;
                self.products[at] /= others * others;
                self.middle[at] /= (others * PARTS).powi(2);
                self.products[other * count + one] = self.products[at];
                self.middle[other * count + one] = self.middle[at];
            }
        }
    }

    /// These sums without those of a part of the battles.
    pub(super) fn without(&self, part: &Self) -> Self {
        let less = |all: &[f64], part: &[f64]| all.iter().zip(part).map(|(a, b)| a - b).collect();
        Self {
            products: less(&self.products, &part.products),
            middle: less(&self.middle, &part.middle),
            moments: less(&self.moments, &part.moments),
            copies: less(&self.copies, &part.copies),
        }
    }

    /// By column: how much more the unit is worth here than the model says, less the same for its kind at its cost,
    /// and the variance of this difference. None where nothing here tells the unit apart from others.
    pub(super) fn contrasts(&self, model: &Model) -> Vec<Option<(f64, f64)>> {
        let sums = Sums {
            products: self.products.clone(),
            moments: self.moments.clone(),
            weights: self.copies.clone(),
            ..model.ridge.sums().clone()
        };
        sums.plain_contrasts(&self.middle, Baseline::Cost)
    }
}
