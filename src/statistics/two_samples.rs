//! Comparisons of two independent samples of whole numbers: do they come from the same distribution, and how far apart
//! are their means?

use super::{Estimate, Level};

/// The sufficient statistics of a sample of whole numbers for its mean and variance. For a yes or no, counted as 1 or
/// 0, both sums are the number of yeses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many numbers the sample has.
    pub count: u64,
    /// Their sum.
    pub sum: i128,
    /// The sum of their squares.
    pub squares: i128,
}

impl Sample {
    /// `successes` in `trials`, each success counted as 1.
    #[must_use]
    pub const fn of_trials(successes: u64, trials: u64) -> Self {
        Self { count: trials, sum: successes as i128, squares: successes as i128 }
    }

    /// Both samples taken together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    fn mean(self) -> f64 {
        self.sum as f64 / self.count as f64
    }

    /// The standard deviation of the numbers themselves; NaN where there are none.
    #[must_use]
    pub fn deviation(self) -> f64 {
        self.spread().sqrt() / self.count as f64
    }

    /// The sum of squared distances from the mean, times the number of values.
    pub(super) fn spread(self) -> f64 {
        // The two terms are nearly equal when the spread is small: subtract whole numbers unless they overflow.
        let spread = i128::from(self.count)
            .checked_mul(self.squares)
            .zip(self.sum.checked_mul(self.sum))
            .map_or_else(
                || self.count as f64 * self.squares as f64 - self.sum as f64 * self.sum as f64,
                |(squares, sum)| (squares - sum) as f64,
            );
        spread.max(0.0)
    }
}

/// How many standard errors the mean of `a` is above that of `b`, if both come from the same distribution: the variance
/// is pooled. Normal for large samples. For proportions this is the two-proportion z-test with pooled variance, whose
/// square is Pearson's chi-squared (J. L. Fleiss, B. Levin and M. C. Paik: "Statistical Methods for Rates and
/// Proportions", 2003); for other numbers it is the normal approximation of Pitman's permutation test (E. J. G. Pitman:
/// "Significance tests which may be applied to samples from any populations", 1937). NaN where all numbers are the same
/// or a sample is empty.
///
/// ```
/// use evens::statistics::{Sample, pooled_z};
/// let z = pooled_z(Sample::of_trials(189, 11_034), Sample::of_trials(104, 11_037));
/// assert_eq!(format!("{:.4}", z * z), "25.0139");
/// ```
#[must_use]
pub fn pooled_z(a: Sample, b: Sample) -> f64 {
    let deviation = a.with(b).deviation();
    if a.count == 0 || b.count == 0 || deviation == 0.0 {
        return f64::NAN;
    }
    let error = deviation * (1.0 / a.count as f64 + 1.0 / b.count as f64).sqrt();
    (a.mean() - b.mean()) / error
}

/// How much larger the mean behind `a` is than the mean behind `b`, with an interval from the unpooled variances (B. L.
/// Welch: "The generalization of 'Student's' problem when several different population variances are involved", 1947).
/// One number alone has no interval.
#[must_use]
pub fn mean_difference(a: Sample, b: Sample, level: Level) -> Estimate {
    if a.count == 0 || b.count == 0 {
        return Estimate::UNKNOWN;
    }
    let value = a.mean() - b.mean();
    if a.count == 1 || b.count == 1 {
        return Estimate { value, ..Estimate::UNKNOWN };
    }
    let less = |of: Sample| (of.count - 1) as f64;
    let [first, second] = [a, b].map(|of| of.deviation().powi(2) / less(of));
    let both = first + second;
    let degrees = both * both / (first * first / less(a) + second * second / less(b));
    // Degrees of freedom are rounded down; without variance their number does not matter.
    let degrees = if degrees.is_nan() { 1 } else { degrees.floor().max(1.0) as u64 };
    let half = level.t(degrees) * both.sqrt();
    Estimate { value, low: value - half, high: value + half }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::two_sided;
    use proptest::prelude::*;

    fn sample(values: &[i128]) -> Sample {
        Sample {
            count: values.len() as u64,
            sum: values.iter().sum(),
            squares: values.iter().map(|value| value * value).sum(),
        }
    }

    /// Heart attacks with placebo and with aspirin: A. Agresti, "An Introduction to Categorical Data Analysis",
    /// 2007, section 2.2; without continuity correction Pearson's chi-squared is 25.014 and the p-value 5.692e-7.
    #[test]
    fn aspirin_as_published() {
        let z = pooled_z(Sample::of_trials(189, 11_034), Sample::of_trials(104, 11_037));
        assert_eq!(format!("{:.3}", z * z), "25.014");
        assert_eq!(format!("{:.3e}", two_sided(z)), "5.692e-7");
    }

    /// By hand: 30 of 50 against 20 of 50 is 0.2 over the root of 0.25 (1/50 + 1/50), which is 2.
    #[test]
    fn two_proportions_by_hand() {
        let z = pooled_z(Sample::of_trials(30, 50), Sample::of_trials(20, 50));
        assert!((z - 2.0).abs() < 1e-12, "{z}");
    }

    /// By hand: 1, 2, 3 and 4, 5, 6 together have variance 35/12, so the difference of 3 is 3 over the root of 35/12 *
    /// 2/3. Separately each has variance 1, so the interval reaches 2.776 times the root of 2/3, Student's quantile at
    /// 4 degrees of freedom.
    #[test]
    fn two_means_by_hand() {
        let (low, high) = (sample(&[1, 2, 3]), sample(&[4, 5, 6]));
        let z = pooled_z(high, low);
        assert!((z - 3.0 / (35.0_f64 / 18.0).sqrt()).abs() < 1e-12, "{z}");
        let difference = mean_difference(high, low, Level::P95);
        assert_eq!(difference.value, 3.0);
        let half = 2.776_445_105_197_79 * (2.0_f64 / 3.0).sqrt();
        assert!((difference.high - 3.0 - half).abs() < 1e-12, "{difference:?}");
    }

    #[test]
    fn numbers_that_never_vary_are_not_tested_and_those_that_only_differ_between_samples_are() {
        let (life, less) = (sample(&[30; 50]), sample(&[29; 50]));
        assert!(pooled_z(life, life).is_nan());
        assert!(pooled_z(life, sample(&[])).is_nan());
        let z = pooled_z(less, life);
        assert!((z + 10.0).abs() < 1e-12, "{z}");
    }

    #[test]
    fn the_deviation_of_a_small_sample() {
        assert!((sample(&[2, 4, 4, 4, 5, 5, 7, 9]).deviation() - 2.0).abs() < 1e-12);
        let far = 1_000_000_000_000;
        assert!((sample(&[far, far + 2]).deviation() - 1.0).abs() < 1e-12);
    }

    proptest! {
        /// The square of the statistic is Pearson's chi-squared of the 2x2 table, computed the textbook way.
        #[test]
        fn its_square_is_pearsons(
            (a, n) in (1u64..5_000).prop_flat_map(|n| (0..=n, Just(n))),
            (b, m) in (1u64..5_000).prop_flat_map(|m| (0..=m, Just(m))),
        ) {
            prop_assume!(a + b > 0 && a + b < n + m);
            let total = (n + m) as f64;
            let cells = [(a, n, a + b), (n - a, n, n + m - a - b), (b, m, a + b), (m - b, m, n + m - a - b)];
            let pearson: f64 = cells
                .iter()
                .map(|&(seen, row, column)| {
                    let expected = row as f64 * column as f64 / total;
                    (seen as f64 - expected).powi(2) / expected
                })
                .sum();
            let z = pooled_z(Sample::of_trials(a, n), Sample::of_trials(b, m));
            prop_assert!((z * z - pearson).abs() < 1e-6 * (1.0 + pearson), "{} {}", z * z, pearson);
        }

        #[test]
        fn it_turns_around(
            a in prop::collection::vec(-50i128..50, 2..30),
            b in prop::collection::vec(-50i128..50, 2..30),
        ) {
            let (a, b) = (sample(&a), sample(&b));
            let (there, back) = (pooled_z(a, b), pooled_z(b, a));
            prop_assert!(there.is_nan() && back.is_nan() || (there + back).abs() < 1e-12);
            let difference = mean_difference(a, b, Level::P95);
            prop_assert!(difference.low <= difference.value && difference.value <= difference.high);
        }
    }
}
