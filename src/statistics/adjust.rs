//! P-values, and their adjustment for multiple comparisons.

use super::distributions::normal_tail;
use crate::sorting::Sorting;

/// The two-sided p-value of a z statistic: the probability that a standard normal variable is at least as far from 0 as
/// `z`. NaN stays NaN.
///
/// ```
/// use evens::statistics::two_sided;
/// assert!((two_sided(1.959_963_984_540_054) - 0.05).abs() < 1e-9);
/// ```
#[must_use]
pub fn two_sided(z: f64) -> f64 {
    if z.is_nan() { f64::NAN } else { 2.0 * normal_tail(z.abs()) }
}

/// P-values adjusted to control the family-wise error rate: the chance of any false alarm in the family is at most the
/// level they are compared with, however they depend on each other (S. Holm: "A simple sequentially rejective multiple
/// test procedure", 1979). NaN, where nothing was tested, stays NaN and does not count as a test.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let order = ascending(p_values);
    let tests = order.len();
    let mut adjusted = vec![f64::NAN; p_values.len()];
    let mut so_far = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        so_far = so_far.max(p_values[at] * (tests - rank) as f64);
        adjusted[at] = so_far.min(1.0);
    }
    adjusted
}

/// P-values adjusted to control the false discovery rate: the expected share of false alarms among all alarms is at
/// most the level they are compared with, for tests that are independent or depend positively (Y. Benjamini and Y.
/// Hochberg: "Controlling the false discovery rate", 1995). For long lists, where [`holm`] would find nothing. NaN,
/// where nothing was tested, stays NaN and does not count as a test.
#[must_use]
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let order = ascending(p_values);
    let tests = order.len();
    let mut adjusted = vec![f64::NAN; p_values.len()];
    let mut so_far = 1.0_f64;
    for (rank, &at) in order.iter().enumerate().rev() {
        so_far = so_far.min(p_values[at] * tests as f64 / (rank + 1) as f64);
        adjusted[at] = so_far;
    }
    adjusted
}

fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p_values.len()).filter(|&at| !p_values[at].is_nan()).collect();
    order.put_in_order_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
    }

    /// The same four as in R: `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")` and `"BH"`.
    #[test]
    fn as_r_adjusts_them() {
        let p_values = [0.01, 0.04, 0.03, 0.005];
        close(&holm(&p_values), &[0.03, 0.06, 0.06, 0.02]);
        close(&benjamini_hochberg(&p_values), &[0.02, 0.04, 0.04, 0.02]);
    }

    #[test]
    fn what_was_not_tested_counts_for_nothing() {
        let adjusted = holm(&[0.02, f64::NAN]);
        assert_eq!(adjusted[0], 0.02);
        assert!(adjusted[1].is_nan());
        assert!(benjamini_hochberg(&[f64::NAN])[0].is_nan());
        assert!(holm(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn adjusting_only_makes_p_values_larger_and_keeps_their_order(
            p_values in prop::collection::vec(0.0..=1.0_f64, 1..40)
        ) {
            for adjusted in [holm(&p_values), benjamini_hochberg(&p_values)] {
                for (&raw, &adjusted) in p_values.iter().zip(&adjusted) {
                    prop_assert!(raw <= adjusted + 1e-15 && adjusted <= 1.0);
                }
                for a in 0..p_values.len() {
                    for b in 0..p_values.len() {
                        prop_assert!(p_values[a] >= p_values[b] || adjusted[a] <= adjusted[b]);
                    }
                }
            }
        }
    }
}
