//! Ridge regression: shrunken coefficients beside those of least squares, and the contrasts of both with their intervals.

use nalgebra::{DMatrix, DVector};

use super::baseline::Part;
use super::sums::{LEAST_PENALTY, Solution};
use super::{Baseline, Sums};
use crate::statistics::{Estimate, Level, two_sided};

/// The spread by which groups of three columns or fewer are shrunken, and which is reported where fewer than two columns
/// can be used: as large as that of scores.
const UNKNOWN_SPREAD: f64 = 1.0;

/// A fitted regression: coefficients by least squares and shrunken ones, with everything needed to compute their
/// errors.
#[derive(Clone, Debug)]
pub struct Ridge {
    pub(super) sums: Sums,
    pub(super) plain: Solution,
    shrunken: Solution,
    /// For each group, the estimated standard deviation of its coefficients around their mean.
    spreads: Vec<f64>,
    /// For each group, the standard deviation used for shrinking, which allows for the spread being an estimate.
    priors: Vec<f64>,
    /// The penalty of each column.
    penalties: Vec<f64>,
}

/// The covariance matrices of the plain and of the shrunken coefficients.
#[derive(Clone, Debug)]
pub struct Errors {
    plain: DMatrix<f64>,
    shrunken: DMatrix<f64>,
}

/// The coefficient of one column less its baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contrast {
    /// The contrast by least squares, with an interval from the sandwich estimator. Unknown where the column cannot be
    /// told apart from others.
    pub plain: Estimate,
    /// The p-value of no difference to the baseline.
    pub p_value: f64,
    /// Whether the column can be told apart from others.
    pub is_told_apart: bool,
    /// The shrunken contrast, drawn towards the line by cost of its group (its mean where costs are unknown or all the
    /// same), whichever baseline it is compared with. Its interval covers on average over the group;
    /// where the interval of `plain` excludes 0 it contains that interval, so that it also covers a column that stands
    /// out.
    pub shrunken: Estimate,
    /// The range of ranks in its group, from 1 for the highest, that it may have: all ranges of the group hold at once
    /// at the level.
    pub places: [usize; 2],
    /// The standard error of the shrunken contrast, which determines its interval unless that is widened to contain the
    /// plain one.
    pub error: f64,
}

impl Ridge {
    /// Fits the sums twice. The plain coefficients are those of least squares, the shortest solution where columns
    /// cannot be told apart. The shrunken ones are those of ridge regression (A. E. Hoerl and R. W. Kennard: "Ridge
    /// regression: biased estimation for nonorthogonal problems", 1970), with a penalty for each group that follows
    /// from its own spread: the empirical Bayes estimate of coefficients that are normal around their mean (D. V.
    /// Lindley and A. F. M. Smith: "Bayes estimates for the linear model", 1972). The spread is estimated as by R. C.
    /// Paule and J. Mandel ("Consensus values and weighting factors", 1982), and is at least its own standard error
    /// under no spread, so that a spread that is missed by chance does not make intervals too narrow. Shrinkage is
    /// reduced by the factor (k - 3) / (k - 1), as the spread is itself estimated from k coefficients (Morris, 1983),
    /// and is next to none for three or fewer.
    ///
    /// None where no column varies.
    #[must_use]
    pub fn fit(sums: Sums) -> Option<Self> {
        let plain = sums.least_squares()?;
        let least = LEAST_PENALTY * sums.largest();
        let noise = sums.unexplained(&plain.coefficients);
        let groups = sums.groups.iter().max().map_or(0, |last| last + 1);
        let spreads: Vec<f64> =
            (0..groups).map(|group| sums.spread(&plain, noise, least, group)).collect();
        let prior = |(group, &spread): (usize, &f64)| {
            let of = sums.groups.iter().filter(|of| **of == group).count() as f64;
            if of > 3.0 { spread * ((of - 1.0) / (of - 3.0)).sqrt() } else { UNKNOWN_SPREAD }
        };
        let priors: Vec<f64> = spreads.iter().enumerate().map(prior).collect();
        let penalty = |&group: &usize| (noise / priors[group].powi(2)).max(least);
        let penalties: Vec<f64> = sums.groups.iter().map(penalty).collect();
        let shrunken = sums.solve(&penalties)?;
        Some(Self { sums, plain, shrunken, spreads, priors, penalties })
    }

    /// The sums that it was fitted to.
    #[must_use]
    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    /// The shrunken coefficients, which predict best.
    pub fn coefficients(&self) -> impl Iterator<Item = f64> + '_ {
        self.shrunken.coefficients.iter().copied()
    }

    /// For each group, the estimated standard deviation of its coefficients around their mean, at least its own standard
    /// error if they did not differ. They are shrunken by a somewhat larger one, and by 1 where a group has three columns
    /// or fewer.
    #[must_use]
    pub fn spreads(&self) -> &[f64] {
        &self.spreads
    }

    /// The shrunken coefficients less their baseline.
    #[must_use]
    pub fn worths(&self, baseline: Baseline) -> Vec<f64> {
        let parts = self.sums.parts(baseline);
        let fitted = |at: usize| -> f64 {
            let parts = parts[self.sums.groups[at]].iter();
            parts.map(|part| part.at[at] * part.of_all(&self.shrunken.coefficients)).sum()
        };
        self.coefficients().enumerate().map(|(at, one)| one - fitted(at)).collect()
    }

    /// The covariances of the coefficients. `squares` are the sums over rows of the products of two columns and the
    /// squared error of the prediction, from rows that the fit has not seen, scaled to the number of rows of the fit:
    /// the middle of the sandwich (H. White: "A heteroskedasticity-consistent covariance matrix estimator", 1980), so
    /// that intervals hold however the outcome varies. The covariances of shrunken coefficients include the bias that
    /// shrinking may have caused, at the spread of the group; their 95% intervals cover 95% of the columns taken
    /// together.
    ///
    /// # Panics
    /// When `squares` does not have the size of `products`.
    #[must_use]
    pub fn errors(&self, squares: &[f64]) -> Errors {
        let columns = self.sums.columns();
        assert!(squares.len() == columns * columns, "the products of as many columns");
        let middle = DMatrix::from_row_slice(columns, columns, squares);
        let plain = self.plain.around(middle.clone());
        let mut biased = middle;
        for (at, &penalty) in self.penalties.iter().enumerate() {
            biased[(at, at)] += (penalty * self.priors[self.sums.groups[at]]).powi(2);
        }
        Errors { plain, shrunken: self.shrunken.around(biased) }
    }

    /// The contrast of every column with its baseline, with intervals.
    ///
    /// Ranks are those that simultaneous intervals leave open (M. Klein, T. Wright and J. Wieczorek: "A joint
    /// confidence region for an overall ranking of populations", 2020), which Šidák's inequality provides for normal
    /// estimates (Z. Šidák: "Rectangular confidence regions for the means of multivariate normal distributions", 1967).
    #[must_use]
    pub fn contrasts(&self, errors: &Errors, baseline: Baseline, level: Level) -> Vec<Contrast> {
        let columns = self.sums.columns();
        let parts = self.sums.parts(baseline);
        let known = self.plain.told_apart(&self.sums, &parts);
        let contrasted = |of: &Solution, errors, parts: &[Vec<Part>]| {
            self.sums.contrasted(&of.coefficients, errors, parts)
        };
        let plains = contrasted(&self.plain, &errors.plain, &parts);
        // The slope of a group's worth by cost is not shrunken: where everybody spends the whole budget the data hardly
        // determine it, and it would be shrunken to 0.
        let by_cost = self.sums.parts(Baseline::Cost);
        let lines = self.lines(errors, baseline, &by_cost);
        let near_lines = contrasted(&self.plain, &errors.plain, &by_cost);
        let shrunkens = contrasted(&self.shrunken, &errors.shrunken, &by_cost);
        let around = |(value, variance): (f64, f64), z: f64| {
            let half = z * variance.max(0.0).sqrt();
            Estimate { value, low: value - half, high: value + half }
        };
        let mut found: Vec<Contrast> = (0..columns)
            .map(|at| {
                let (value, variance) = plains[at];
                let is_known = known[at] && variance > 0.0;
                let plain = match is_known {
                    true => around(plains[at], level.z()),
                    false => Estimate::UNKNOWN,
                };
                let drawn = self.with_spread(at, near_lines[at].0, shrunkens[at]);
                let drawn = (drawn.0 + lines[at].0, drawn.1 + lines[at].1);
                let shrunken = around(drawn, level.z());
                Contrast {
                    error: drawn.1.max(0.0).sqrt(),
                    plain,
                    p_value: if is_known { two_sided(value / variance.sqrt()) } else { f64::NAN },
                    is_told_apart: known[at],
                    // A column that stands out may be beyond what the spread of its group allows for.
                    shrunken: if plain.excludes(0.0) {
                        shrunken.reaching(&plain)
                    } else {
                        shrunken
                    },
                    places: [0, 0],
                }
            })
            .collect();
        for group in 0..self.spreads.len() {
            let of: Vec<usize> = (0..columns).filter(|&at| self.sums.groups[at] == group).collect();
            let each = libm::pow(level.confidence(), 1.0 / of.len().max(1) as f64);
            let z = Level::new(each).map_or(level.z(), Level::z);
            let all: Vec<Option<Estimate>> =
                of.iter().map(|&at| known[at].then(|| around(plains[at], z))).collect();
            for (own, &at) in all.iter().zip(&of) {
                let others = || all.iter().flatten();
                found[at].places = match own {
                    Some(own) => [
                        1 + others().filter(|other| other.low > own.high).count(),
                        of.len() - others().filter(|other| other.high < own.low).count(),
                    ],
                    None => [1, of.len()],
                };
            }
        }
        found
    }

    /// For each column, by how much its group's line by cost is above the group's mean there, and the variance of that;
    /// 0 where columns are compared with that line.
    fn lines(&self, errors: &Errors, baseline: Baseline, parts: &[Vec<Part>]) -> Vec<(f64, f64)> {
        let lines = parts.iter().map(|parts| {
            let line = parts.get(1).filter(|_| baseline == Baseline::Mean)?;
            let of = DVector::from_column_slice(&line.of);
            let slope = line.of_all(&self.plain.coefficients);
            Some((line, slope, of.dot(&(&errors.plain * &of))))
        });
        let by_group: Vec<_> = lines.collect();
        let of_column = |at: usize| match by_group[self.sums.groups[at]] {
            Some((line, slope, variance)) => (line.at[at] * slope, line.at[at].powi(2) * variance),
            None => (0.0, 0.0),
        };
        (0..self.sums.columns()).map(of_column).collect()
    }

    /// A shrunken contrast with a variance that allows for the spread being an estimate: the farther it was shrunken,
    /// the more depends on that (C. N. Morris: "Parametric empirical Bayes inference: theory and applications", 1983,
    /// there for independent estimates).
    fn with_spread(&self, at: usize, plain: f64, (value, variance): (f64, f64)) -> (f64, f64) {
        let group = self.sums.groups[at];
        let of = self.sums.groups.iter().filter(|of| **of == group).count() as f64;
        let drawn = (plain - value).powi(2).min(variance);
        (value, variance + if of > 3.0 { 2.0 / (of - 3.0) * drawn } else { 0.0 })
    }
}

impl Sums {
    /// The estimated standard deviation of a group's coefficients around their mean.
    fn spread(&self, plain: &Solution, noise: f64, least: f64, group: usize) -> f64 {
        let columns = self.columns();
        let mut middle = DMatrix::from_row_slice(columns, columns, &self.products);
        middle *= noise;
        let parts = self.parts(Baseline::Mean);
        let found = self.contrasted(&plain.coefficients, &plain.around(middle), &parts);
        let own: Vec<(f64, f64)> = (0..columns)
            .filter(|&at| self.groups[at] == group && found[at].1 > 0.0)
            .filter(|&at| self.products[at * columns + at] > 100.0 * least)
            .map(|at| found[at])
            .collect();
        let count = own.len() as f64;
        if own.len() < 2 {
            return UNKNOWN_SPREAD;
        }
        let excess = |spread: f64| {
            own.iter().map(|(value, of)| value * value / (of + spread)).sum::<f64>() - (count - 1.0)
        };
        let largest = own.iter().map(|(value, _)| value * value).sum::<f64>();
        let (mut low, mut high) = (0.0, largest);
        if excess(0.0) > 0.0 {
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                if excess(middle) > 0.0 { low = middle } else { high = middle }
            }
        }
        let precision: f64 = own.iter().map(|(_, of)| 1.0 / of).sum::<f64>() / count;
        let least_known = (2.0 / count).sqrt() / precision;
        low.max(least_known).sqrt()
    }
}
