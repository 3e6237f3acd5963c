//! Means that are taken out of a regression: fixed effects that are absorbed before anything else is fitted.

/// A diagonal entry of which no more than this is left says nothing that the levels before it have not said.
const LEFT: f64 = 1e-9;

/// The root of the sums of products of indicators, which are absorbed: what is left of other columns without what the
/// indicators explain of them (R. Frisch and F. V. Waugh: "Partial time regressions as compared with individual trends", 1933; M. C.
/// Lovell: "Seasonal adjustment of economic time series", 1963). Indicators that others make up are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Absorbed {
    levels: usize,
    /// The lower triangle, row by row; 0 on the diagonal of what is left out.
    root: Vec<f64>,
}

impl Absorbed {
    /// From how often each two levels come up together, level by level.
    ///
    /// # Panics
    /// When there are not as many numbers as pairs of levels.
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

    /// How many levels say something of their own.
    #[must_use]
    pub fn rank(&self) -> usize {
        (0..self.levels).filter(|&at| self.root[at * self.levels + at] > 0.0).count()
    }

    /// What the levels explain of a column, given its sum in each: the products of two such are what is explained of the product of
    /// two columns.
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

    /// The coefficient of each level that explains so much: the fitted value is the sum over the levels of a row. 0 for what is left
    /// out.
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

    /// Two groupings that cross, one level of which nobody has: fitted values are the means of the cells where both say everything, and
    /// what is left adds up to 0 in every level.
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
        // Three and four levels that have a sum in common; level 3 is nobody's.
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
