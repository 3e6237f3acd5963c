//! Association of a grouping with who wins: a chi-square test and its effect size.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Groups of battles compared with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Association {
    /// Pearson's chi-square statistic of "every group has the same win rate".
    pub chi_square: f64,
    /// Its degrees of freedom: one less than there are groups.
    pub degrees: u64,
    /// The p-value: the probability of a statistic at least as large if all win rates are equal. NaN with fewer than two groups
    /// or when everybody wins or loses.
    pub p_value: f64,
    /// The share of the variance of winning that the groups explain, 0 to 1, corrected for what chance alone would
    /// explain (epsilon squared of T. L. Kelley: "An unbiased correlation ratio measure", 1935).
    pub variance_share: f64,
}

/// Compares groups, each given as (wins, battles), with each other. Groups without battles do not count.
///
/// ```
/// use evens::statistics::association;
/// let seen = association([(60, 100), (40, 100)]);
/// assert!((seen.chi_square - 8.0).abs() < 1e-9);
/// assert!((seen.p_value - 0.004_677_7).abs() < 1e-6);
/// ```
#[must_use]
pub fn association(groups: impl IntoIterator<Item = (u64, u64)>) -> Association {
    let groups: Vec<(f64, f64)> = groups
        .into_iter()
        .filter(|&(_, battles)| battles > 0)
        .map(|(wins, battles)| (wins as f64, battles as f64))
        .collect();
    let (wins, battles) =
        groups.iter().fold((0.0, 0.0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
    let rate = wins / battles;
    let spread = rate * (1.0 - rate);
    let degrees = (groups.len() as u64).saturating_sub(1);
    if degrees == 0 || spread <= 0.0 {
        return Association {
            chi_square: f64::NAN,
            degrees,
            p_value: f64::NAN,
            variance_share: f64::NAN,
        };
    }
    let between: f64 =
        groups.iter().map(|(wins, battles)| battles * (wins / battles - rate).powi(2)).sum();
    let chi_square = between / spread;
    let p_value = ChiSquared::new(degrees as f64)
        .map_or(f64::NAN, |distribution| distribution.sf(chi_square));
    let explained = chi_square / battles;
    let rest = (battles - groups.len() as f64).max(1.0);
    let variance_share = (1.0 - (1.0 - explained) * (battles - 1.0) / rest).clamp(0.0, 1.0);
    Association { chi_square, degrees, p_value, variance_share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    /// The 2 x 3 table of a textbook: 20 of 50, 30 of 50, 25 of 50 give (25 + 25) / 12.5 = 4.
    #[test]
    fn as_worked_by_hand() {
        let seen = association([(20, 50), (30, 50), (25, 50)]);
        assert!((seen.chi_square - 4.0).abs() < 1e-12);
        assert_eq!(seen.degrees, 2);
        assert!((seen.p_value - (-2.0_f64).exp()).abs() < 1e-9, "exp(-x/2) with two degrees");
    }

    #[test]
    fn what_decides_everything_explains_everything() {
        let seen = association([(1000, 1000), (0, 1000)]);
        assert!((seen.variance_share - 1.0).abs() < 1e-9);
        assert!(seen.p_value < 1e-100);
    }

    #[test]
    fn without_two_groups_or_without_spread_nothing_is_known() {
        for groups in [&[(5, 10)][..], &[], &[(0, 10), (0, 10)], &[(10, 10), (3, 3), (0, 0)]] {
            let seen = association(groups.iter().copied());
            assert!(seen.p_value.is_nan() && seen.variance_share.is_nan(), "{groups:?}");
        }
    }

    /// With no effect, 5% of the p-values are below 5%, and no variance is explained on average.
    #[test]
    fn chance_alone_is_not_taken_for_an_effect() {
        let (mut alarms, mut explained) = (0, 0.0);
        for run in 0..2_000 {
            let mut random = Seeded::of_battle(8, run);
            let groups: Vec<(u64, u64)> = [200, 300, 400]
                .into_iter()
                .map(|battles| {
                    ((0..battles).filter(|_| random.unit() < 0.4).count() as u64, battles)
                })
                .collect();
            let seen = association(groups);
            alarms += u32::from(seen.p_value < 0.05);
            explained += seen.variance_share / 2_000.0;
        }
        assert!((61..=139).contains(&alarms), "{alarms} of 2000, 100 expected");
        assert!(explained < 0.002, "{explained}");
    }
}
