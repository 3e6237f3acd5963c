//! Absorbed fixed effects: group means that are taken out of a regression before anything else is fitted.

/// A level is redundant if no more than this share of its diagonal entry is left after the levels before it.
const LEFT: f64 = 1e-9;

/// The Cholesky root of the cross products of the levels' indicators, which takes out of other columns what these
/// indicators explain (R. Frisch and F. V. Waugh: "Partial time regressions as compared with individual trends", 1933;
/// M. C. Lovell: "Seasonal adjustment of economic time series", 1963). Indicators that are linear combinations of
/// others are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Absorbed {
    levels: usize,
    /// The lower triangle, row by row; 0 on the diagonal of levels that are left out.
    root: Vec<f64>,
}

impl Absorbed {
    /// From the number of times that each two levels come up together: a matrix of `levels` rows and columns, row by
    /// row.
    ///
    /// # Panics
    /// When `together` does not have `levels` squared numbers.
    #[must_use]
    pub fn new(together: &[f64], levels: usize) -> Self {
        assert_eq!(together.len(), levels * levels, "the products of as many levels");
        let mut root = vec![0.0; levels * levels];
        for row in 0..levels {
            for column in 0..=row {
                let known: f64 = (0..column)
                    .map(|at| root[row * levels + at] * root[column * levels + at])
                    .sum();
                let left = together[row * levels + column] - known;
                let pivot = root[column * levels + column];
                root[row * levels + column] = match row == column {
                    true if left > LEFT * together[row * levels + row] => left.sqrt(),
                    false if pivot > 0.0 => left / pivot,
                    _ => 0.0,
                };
            }
        }
        Self { levels, root }
    }

    /// The rank: how many levels are linearly independent.
    #[must_use]
    pub fn rank(&self) -> usize {
        (0..self.levels).filter(|&at| self.root[at * self.levels + at] > 0.0).count()
    }

    /// The part of a column that the levels explain, given the column's sum in each level: the dot product of two
    /// results is what is explained of the product of two columns.
    #[must_use]
    pub fn explained(&self, sums: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut found = vec![0.0; self.levels];
        for (row, sum) in sums.into_iter().enumerate() {
            let (known, pivot) =
                (&self.root[row * self.levels..], self.root[row * self.levels + row]);
            let known: f64 = known[..row].iter().zip(&found).map(|(root, of)| root * of).sum();
            found[row] = if pivot > 0.0 { (sum - known) / pivot } else { 0.0 };
        }
        found
    }

    /// The coefficient of each level, from a result of `explained`: a row's fitted value is the sum over its levels. 0
    /// for levels that are left out.
    #[must_use]
    pub fn coefficients(&self, explained: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; self.levels];
        for row in (0..self.levels).rev() {
            let pivot = self.root[row * self.levels + row];
            if pivot > 0.0 {
                let known: f64 = (row + 1..self.levels)
                    .map(|at| self.root[at * self.levels + row] * found[at])
                    .sum();
                found[row] = (explained[row] - known) / pivot;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    /// Two crossed groupings, one level of which is empty: the residuals add up to 0 in every level.
    #[test]
    fn residuals_add_up_to_nothing_in_every_level() {
        let mut dice = Seeded::from_seed(5);
        let rows: Vec<([usize; 2], f64)> = (0..300)
            .map(|_| {
                let (one, other) = (dice.below(3) as usize, dice.below(4) as usize);
                ([one, 4 + other], one as f64 * 0.7 - other as f64 + dice.unit())
            })
            .collect();
        let levels = 8;
        let (mut together, mut sums) = (vec![0.0; levels * levels], vec![0.0; levels]);
        for (of, value) in &rows {
            for &one in of {
                sums[one] += value;
                of.iter().for_each(|&other| together[one * levels + other] += 1.0);
            }
        }
        let absorbed = Absorbed::new(&together, levels);
        // Three and four levels with one linear dependence; level 3 is empty.
        assert_eq!(absorbed.rank(), 6);
        let explained = absorbed.explained(sums.iter().copied());
        let fitted = absorbed.coefficients(&explained);
        for level in 0..levels {
            let of_level = rows.iter().filter(|(of, _)| of.contains(&level));
            let left: f64 = of_level.map(|(of, value)| value - fitted[of[0]] - fitted[of[1]]).sum();
            assert!(left.abs() < 1e-9, "{level}: {left}");
        }
        let squares: f64 = rows.iter().map(|(of, _)| (fitted[of[0]] + fitted[of[1]]).powi(2)).sum();
        let of_explained: f64 = explained.iter().map(|of| of * of).sum();
        assert!((squares - of_explained).abs() < 1e-8, "{squares} {of_explained}");
    }

    #[test]
    fn one_level_is_a_mean() {
        let absorbed = Absorbed::new(&[8.0], 1);
        assert_eq!(absorbed.rank(), 1);
        let explained = absorbed.explained([20.0]);
        assert!((explained[0] * explained[0] - 20.0 * 20.0 / 8.0).abs() < 1e-12);
        assert!((absorbed.coefficients(&explained)[0] - 2.5).abs() < 1e-12);
        assert_eq!(Absorbed::new(&[0.0], 1).coefficients(&[0.0]), [0.0]);
    }
}
