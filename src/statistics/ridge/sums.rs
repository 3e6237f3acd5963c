//! The sums of a regression, and the least-squares or penalised solution of its normal equations.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::Baseline;

/// The least penalty that is added to the diagonal, as a share of its largest entry, so that columns that cannot be
/// told apart share their effect.
pub(super) const LEAST_PENALTY: f64 = 1e-7;

/// The sums from which a regression is computed. The means by stratum have been taken out of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    /// The number of rows (observations).
    pub rows: u64,
    /// The number of means that were taken out.
    pub means: u64,
    /// The sums of products of every two columns: a symmetric matrix, row by row.
    pub products: Vec<f64>,
    /// The sums of the products of each column and the outcome.
    pub moments: Vec<f64>,
    /// The sum of the squared outcomes.
    pub squares: f64,
    /// The group of each column, from 0: coefficients within a group are compared with each other, and shrunken towards
    /// their mean.
    pub groups: Vec<usize>,
    /// How often each column takes part: its weight in the mean of its group.
    pub weights: Vec<f64>,
    /// The cost of each column; NaN where it has none.
    pub costs: Vec<f64>,
}

/// The solution of the normal equations, with the Cholesky root of their matrix.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub root: Cholesky<f64, Dyn>,
    pub coefficients: DVector<f64>,
}

impl Sums {
    pub(super) fn columns(&self) -> usize {
        self.moments.len()
    }

    pub(super) fn solve(&self, penalties: &[f64]) -> Option<Solution> {
        let columns = self.columns();
        let mut matrix = DMatrix::from_row_slice(columns, columns, &self.products);
        for (at, penalty) in penalties.iter().enumerate() {
            matrix[(at, at)] += penalty;
        }
        let root = Cholesky::new(matrix)?;
        let coefficients = root.solve(&DVector::from_column_slice(&self.moments));
        coefficients.iter().all(|one| one.is_finite()).then_some(Solution { root, coefficients })
    }

    /// The largest sum of squares of a column.
    pub(super) fn largest(&self) -> f64 {
        let columns = self.columns();
        (0..columns).map(|at| self.products[at * columns + at]).fold(0.0, f64::max)
    }

    /// The least-squares solution; the shortest one where columns cannot be told apart. None where no column varies.
    pub(super) fn least_squares(&self) -> Option<Solution> {
        let largest = self.largest();
        (largest > 0.0).then(|| self.solve(&vec![LEAST_PENALTY * largest; self.columns()]))?
    }

    /// For every column its least-squares coefficient less its baseline, and the variance of this contrast. `squares`
    /// are the middle of the sandwich, the sums over rows of the products of two columns and the squared error, as in
    /// [`Ridge::errors`](super::Ridge::errors). None for a column that cannot be told apart from others.
    ///
    /// # Panics
    /// When `squares` does not have the size of `products`.
    #[must_use]
    pub fn plain_contrasts(&self, squares: &[f64], baseline: Baseline) -> Vec<Option<(f64, f64)>> {
        let columns = self.columns();
        assert!(squares.len() == columns * columns, "the products of as many columns");
        let Some(solution) = self.least_squares() else { return vec![None; columns] };
        let parts = self.parts(baseline);
        let known = solution.told_apart(self, &parts);
        let covariance = solution.around(DMatrix::from_row_slice(columns, columns, squares));
        let found = self.contrasted(&solution.coefficients, &covariance, &parts);
        let of = |(known, found): (bool, (f64, f64))| (known && found.1 > 0.0).then_some(found);
        known.into_iter().zip(found).map(of).collect()
    }

    /// The residual variance that the coefficients leave unexplained.
    pub(super) fn unexplained(&self, coefficients: &DVector<f64>) -> f64 {
        let explained: f64 = self.moments.iter().zip(coefficients).map(|(a, b)| a * b).sum();
        let freedom = self.rows as f64 - self.columns() as f64 - self.means as f64;
        ((self.squares - explained) / freedom.max(1.0)).max(1e-12)
    }
}

impl Solution {
    /// The covariance of the coefficients, a sandwich around that of the right-hand side.
    pub(super) fn around(&self, middle: DMatrix<f64>) -> DMatrix<f64> {
        let half = self.root.solve(&middle);
        self.root.solve(&half.transpose())
    }
}
