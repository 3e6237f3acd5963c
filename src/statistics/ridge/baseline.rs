//! What coefficients are compared with: their contrasts with a baseline, and whether these are known.

use nalgebra::{DMatrix, DVector};

use super::Sums;
use super::sums::{LEAST_PENALTY, Solution};

/// A contrast is known if the least penalty takes less than this share of it.
const LOST: f64 = 0.02;

/// The baseline with which coefficients are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The mean of their group.
    Mean,
    /// The worth of their group at their cost: the line through the group's coefficients by cost, weighted by how often
    /// each takes part. The mean where costs are not known, or all the same.
    Cost,
}

/// One component of a group's baseline, which is fitted to its coefficients: the mean, or the slope by cost.
pub(super) struct Part {
    /// The weight of each column's coefficient in this component.
    pub of: Vec<f64>,
    /// The factor by which this component counts for each column.
    pub at: Vec<f64>,
}

impl Part {
    pub(super) fn of_all(&self, coefficients: &DVector<f64>) -> f64 {
        self.of.iter().zip(coefficients).map(|(share, one)| share * one).sum()
    }
}

impl Solution {
    /// Whether each column's contrast is known, that is, not distorted by the penalty that keeps the equations
    /// solvable.
    pub(super) fn told_apart(&self, sums: &Sums, parts: &[Vec<Part>]) -> Vec<bool> {
        let columns = sums.columns();
        let least = LEAST_PENALTY * sums.largest();
        let inverse = self.root.inverse();
        let solved = |part: &Part| self.root.solve(&DVector::from_column_slice(&part.of));
        let of_parts: Vec<Vec<DVector<f64>>> =
            parts.iter().map(|parts| parts.iter().map(solved).collect()).collect();
        (0..columns)
            .map(|at| {
                let group = sums.groups[at];
                let lost = (0..columns).map(|other| {
                    let of = parts[group].iter().zip(&of_parts[group]);
                    let fitted: f64 = of.map(|(part, solved)| part.at[at] * solved[other]).sum();
                    (inverse[(other, at)] - fitted).abs()
                });
                least * lost.fold(0.0, f64::max) < LOST
            })
            .collect()
    }
}

impl Sums {
    /// For each group, the components of the baseline of its columns.
    pub(super) fn parts(&self, baseline: Baseline) -> Vec<Vec<Part>> {
        let groups = self.groups.iter().max().map_or(0, |last| last + 1);
        (0..groups).map(|group| self.parts_of(group, baseline)).collect()
    }

    fn parts_of(&self, group: usize, baseline: Baseline) -> Vec<Part> {
        let columns = self.columns();
        let own = |at: usize, of: f64| if self.groups[at] == group { of } else { 0.0 };
        let weights: Vec<f64> = (0..columns).map(|at| own(at, self.weights[at])).collect();
        let total = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let of = weights.iter().map(|weight| weight / total).collect();
        let mut parts = vec![Part { of, at: (0..columns).map(|at| own(at, 1.0)).collect() }];
        let costs: Vec<f64> = (0..columns).map(|at| own(at, self.costs[at])).collect();
        let mean: f64 = weights.iter().zip(&costs).map(|(a, b)| a * b).sum::<f64>() / total;
        let away: Vec<f64> = (0..columns).map(|at| own(at, costs[at] - mean)).collect();
        let squares: f64 = weights.iter().zip(&away).map(|(weight, of)| weight * of * of).sum();
        // Unknown costs are NaN, and so is the sum of squares.
        if baseline == Baseline::Cost && squares > 0.0 {
            let of = weights.iter().zip(&away).map(|(weight, of)| weight * of / squares).collect();
            parts.push(Part { of, at: away });
        }
        parts
    }

    /// For every column its contrast with its baseline, and the variance of this contrast.
    pub(super) fn contrasted(
        &self,
        coefficients: &DVector<f64>,
        covariance: &DMatrix<f64>,
        parts: &[Vec<Part>],
    ) -> Vec<(f64, f64)> {
        let columns = self.columns();
        // The covariance of each group's components with each column.
        let with_columns: Vec<Vec<Vec<f64>>> = parts
            .iter()
            .map(|parts| {
                let of = |part: &Part| {
                    let column = |column: usize| -> f64 {
                        let shares = part.of.iter().enumerate().filter(|(_, share)| **share != 0.0);
                        shares.map(|(at, share)| share * covariance[(at, column)]).sum()
                    };
                    (0..columns).map(column).collect()
                };
                parts.iter().map(of).collect()
            })
            .collect();
        // For each group, the covariances of its components, and their values.
        let between = |group: usize, one: usize, other: usize| -> f64 {
            let of = with_columns[group][one].iter().zip(&parts[group][other].of);
            of.map(|(with, share)| with * share).sum()
        };
        let of_groups: Vec<(Vec<Vec<f64>>, Vec<f64>)> = (0..parts.len())
            .map(|group| {
                let all = 0..parts[group].len();
                let row = |one| all.clone().map(|other| between(group, one, other)).collect();
                let values = parts[group].iter().map(|part| part.of_all(coefficients)).collect();
                (all.clone().map(row).collect(), values)
            })
            .collect();
        (0..columns)
            .map(|at| {
                let group = self.groups[at];
                let (between, values) = &of_groups[group];
                let (mut value, mut variance) = (coefficients[at], covariance[(at, at)]);
                for (one, part) in parts[group].iter().enumerate() {
                    value -= part.at[at] * values[one];
                    variance -= 2.0 * part.at[at] * with_columns[group][one][at];
                    for (other, second) in parts[group].iter().enumerate() {
                        variance += part.at[at] * second.at[at] * between[one][other];
                    }
                }
                (value, variance)
            })
            .collect()
    }
}
