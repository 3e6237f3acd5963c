//! Association of a grouping with a score, compared within strata.

use super::distributions::chi_square_tail;
use super::{Estimate, Level, Sample};

/// The result of comparing the mean scores of groups within strata.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Association {
    /// The test statistic of the null hypothesis that within every stratum all groups have the same mean.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees: u64,
    /// The p-value: the probability of a statistic at least as large if all means are equal. NaN with fewer than two
    /// groups or where nothing varies.
    pub p_value: f64,
    /// The share of the variance within strata that the groups explain, 0 to 1, corrected for what chance alone would
    /// explain (epsilon squared of T. L. Kelley: "An unbiased correlation ratio measure", 1935).
    pub variance_share: f64,
}

impl Association {
    const UNKNOWN: Self =
        Self { chi_square: f64::NAN, degrees: 0, p_value: f64::NAN, variance_share: f64::NAN };
}

/// Compares groups with each other within strata. Each stratum has one sample per group, in the same order; a group
/// without battles in a stratum is ignored there.
///
/// The statistic is the generalised Cochran-Mantel-Haenszel statistic of mean scores (J. R. Landis, E. R. Heyman and G.
/// G. Koch: "Average partial association in three-way contingency tables", 1978), whose covariance under the null
/// hypothesis is that of permuting the battles within every stratum; the p-value is that of chi-square. With one stratum and only wins and losses it is Pearson's chi-square with n - 1 in
/// place of n.
///
/// ```
/// use evens::statistics::{Sample, association};
/// let seen = association(&[vec![Sample::of_trials(60, 100), Sample::of_trials(40, 100)]]);
/// assert!((seen.chi_square - 8.0 * 199.0 / 200.0).abs() < 1e-9);
/// ```
#[must_use]
pub fn association(strata: &[Vec<Sample>]) -> Association {
    let groups = strata.iter().map(Vec::len).max().unwrap_or(0);
    let mut beyond = vec![0.0; groups];
    let mut compared = Vec::new();
    let (mut between, mut within, mut free, mut rest) = (0.0, 0.0, 0.0, 0.0);
    for stratum in strata {
        let whole = stratum.iter().fold(Sample { count: 0, sum: 0, squares: 0 }, |a, b| a.with(*b));
        let n = whole.count as f64;
        let present = stratum.iter().filter(|sample| sample.count > 0).count() as f64;
        if present < 2.0 {
            continue;
        }
        let mean = whole.sum as f64 / n;
        let squares = (whole.deviation() * n.sqrt()).powi(2);
        for (beyond, one) in beyond.iter_mut().zip(stratum) {
            let count = one.count as f64;
            let excess = one.sum as f64 - count * mean;
            *beyond += excess;
            if count > 0.0 {
                between += excess * excess / count;
            }
        }
        within += squares;
        free += present - 1.0;
        rest += n - present;
        compared.push(Compared { stratum, n, variance: squares / (n - 1.0).max(1.0) });
    }
    // Solve as many equations as there are groups or strata, whichever are fewer: the time grows with the third power
    // of their number, and there may be a thousand orders.
    let form = if compared.len() < groups {
        by_strata(&compared, &beyond)
    } else {
        by_groups(&compared, beyond)
    };
    let Some((chi_square, degrees)) = form else {
        return Association::UNKNOWN;
    };
    let p_value = chi_square_tail(chi_square, degrees);
    let by_chance = free * (within - between) / rest.max(1.0);
    let variance_share = ((between - by_chance) / within).clamp(0.0, 1.0);
    Association { chi_square, degrees, p_value, variance_share }
}

/// A stratum in which at least two groups have battles.
struct Compared<'a> {
    stratum: &'a [Sample],
    /// Its number of battles.
    n: f64,
    /// The sample variance of a battle's score in it.
    variance: f64,
}

/// The statistic and its degrees of freedom, from the covariance matrix of the groups' excesses `beyond` their expected
/// sums. None without degrees of freedom.
fn by_groups(compared: &[Compared], beyond: Vec<f64>) -> Option<(f64, u64)> {
    let mut covariance = vec![vec![0.0; beyond.len()]; beyond.len()];
    for &Compared { stratum, n, variance } in compared {
        for (at, one) in stratum.iter().enumerate() {
            let count = one.count as f64;
            for (of, other) in stratum.iter().enumerate() {
                let own = if at == of { count } else { 0.0 };
                covariance[at][of] += variance * (own - count * other.count as f64 / n);
            }
        }
    }
    let largest = (0..beyond.len()).map(|at| covariance[at][at]).fold(0.0, f64::max);
    let (sum, rank) = quadratic_form(covariance, beyond, largest);
    (rank > 0).then_some((sum, rank))
}

/// The statistic and its degrees of freedom, equal to those of [`by_groups`], by solving as many equations as there are
/// strata.
///
/// The covariance is the Laplacian matrix of a graph, in which groups are joined to the strata they have battles in,
/// after the strata are eliminated. Here the groups are eliminated instead, which is cheap because no two of them are
/// joined; one row and column remain for each stratum, scaled so that their diagonal entry was 1 before.
fn by_strata(compared: &[Compared], beyond: &[f64]) -> Option<(f64, u64)> {
    let weight = |at: usize, group: usize| {
        let Compared { stratum, variance, .. } = compared[at];
        variance * stratum.get(group).map_or(0.0, |sample| sample.count as f64)
    };
    let varied: Vec<usize> =
        (0..compared.len()).filter(|&at| compared[at].variance > 0.0).collect();
    let scale = |at: usize| (compared[at].variance * compared[at].n).sqrt();
    let mut left: Vec<Vec<f64>> = (0..varied.len())
        .map(|row| (0..varied.len()).map(|column| f64::from(u8::from(row == column))).collect())
        .collect();
    let mut vector = vec![0.0; varied.len()];
    let (mut sum, mut present) = (0.0, 0);
    let mut joined = Vec::new();
    for (group, beyond) in beyond.iter().enumerate() {
        joined.clear();
        joined.extend(varied.iter().enumerate().filter_map(|(row, &at)| {
            let weight = weight(at, group);
            (weight > 0.0).then(|| (row, weight, weight / scale(at)))
        }));
        let whole: f64 = joined.iter().map(|&(_, weight, _)| weight).sum();
        if whole <= 0.0 {
            continue;
        }
        present += 1;
        sum += beyond * beyond / whole;
        for &(row, _, scaled) in &joined {
            vector[row] += scaled * beyond / whole;
            for &(column, _, other) in &joined {
                left[row][column] -= scaled * other / whole;
            }
        }
    }
    let (more, rank) = quadratic_form(left, vector, 1.0);
    let degrees = present + rank - varied.len() as u64;
    (present > 0 && degrees > 0).then_some((sum + more, degrees))
}

/// The quadratic form of a vector with the generalised inverse of a matrix, and the rank of the matrix, by elimination
/// with the largest remaining variance first. A variance counts as 0 at a billionth of `largest`.
fn quadratic_form(mut matrix: Vec<Vec<f64>>, mut vector: Vec<f64>, largest: f64) -> (f64, u64) {
    let (mut sum, mut rank) = (0.0, 0);
    let mut left: Vec<usize> = (0..vector.len()).collect();
    while let Some(at) = (0..left.len())
        .max_by(|&a, &b| matrix[left[a]][left[a]].total_cmp(&matrix[left[b]][left[b]]))
    {
        let pivot = left.swap_remove(at);
        let variance = matrix[pivot][pivot];
        if variance <= 1e-9 * largest || variance <= 0.0 {
            break;
        }
        sum += vector[pivot] * vector[pivot] / variance;
        rank += 1;
        for &row in &left {
            let factor = matrix[row][pivot] / variance;
            vector[row] -= factor * vector[pivot];
            for &column in &left {
                let part = factor * matrix[pivot][column];
                matrix[row][column] -= part;
            }
        }
    }
    (sum, rank)
}

/// Where the smaller of two groups in a stratum has at least this many battles, each has a variance of its own.
const FEW: u64 = 10;

/// How much higher the mean of the first group is than that of the second, within strata. A stratum's weight is the
/// product of its two group sizes over their sum (the weights of N. Mantel and W. Haenszel: "Statistical aspects of the
/// analysis of data from retrospective studies of disease", 1959). [`Estimate::UNKNOWN`] where no stratum has both
/// groups.
///
/// In a stratum with at least ten battles of each group, each group has its own variance; in a smaller one both have
/// the variance of all its battles, as in the test of [`association`], which stays valid however few there are. So that
/// results that are all alike do not count as certain, the error is at least as large as if half a battle of each group
/// might have differed by `range`, the largest possible distance between two scores.
#[must_use]
pub fn difference_within(
    strata: impl IntoIterator<Item = [Sample; 2]>,
    range: f64,
    level: Level,
) -> Estimate {
    let (mut weights, mut sum, mut variance) = (0.0, 0.0, 0.0);
    let mut of_all = [0.0; 2];
    for [one, other] in strata {
        if one.count == 0 || other.count == 0 {
            continue;
        }
        let (n, m) = (one.count as f64, other.count as f64);
        let weight = n * m / (n + m);
        let spread = |sample: Sample| {
            let of = if one.count.min(other.count) < FEW { one.with(other) } else { sample };
            of.deviation().powi(2) * of.count as f64 / (of.count as f64 - 1.0)
        };
        of_all = [of_all[0] + n, of_all[1] + m];
        weights += weight;
        sum += weight * (one.sum as f64 / n - other.sum as f64 / m);
        variance += weight * weight * (spread(one) / n + spread(other) / m);
    }
    if weights == 0.0 {
        return Estimate::UNKNOWN;
    }
    let least = of_all.map(|count| (0.5 * range / (count + 1.0)).powi(2)).iter().sum();
    let error = (variance / (weights * weights)).max(least).sqrt();
    let (value, half) = (sum / weights, level.z() * error);
    Estimate { value, low: (value - half).max(-range), high: (value + half).min(range) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    fn wins(groups: &[(u64, u64)]) -> Vec<Sample> {
        groups.iter().map(|&(won, of)| Sample::of_trials(won, of)).collect()
    }

    /// The 2 x 3 table of a textbook: 20 of 50, 30 of 50, 25 of 50 give Pearson's (25 + 25) / 12.5 = 4.
    #[test]
    fn as_worked_by_hand() {
        let seen = association(&[wins(&[(20, 50), (30, 50), (25, 50)])]);
        let expected = 4.0 * 149.0 / 150.0;
        assert!((seen.chi_square - expected).abs() < 1e-9, "{seen:?}");
        assert_eq!(seen.degrees, 2);
        assert!((seen.p_value - libm::exp(-expected / 2.0)).abs() < 1e-9, "two degrees");
    }

    /// Berkeley's admissions of 1973, departments A to F (P. J. Bickel, E. A. Hammel and J. W. O'Connell: "Sex bias in
    /// graduate admissions", 1975): pooled, men seem favoured by far; within departments the Mantel-Haenszel statistic
    /// is 1.5246 (as R's `mantelhaen.test(UCBAdmissions, correct = FALSE)` prints it).
    #[test]
    fn within_strata_berkeley_is_not_what_it_seems() {
        let departments = [
            [(512, 825), (89, 108)],
            [(353, 560), (17, 25)],
            [(120, 325), (202, 593)],
            [(138, 417), (131, 375)],
            [(53, 191), (94, 393)],
            [(22, 373), (24, 341)],
        ];
        let strata: Vec<Vec<Sample>> = departments.iter().map(|groups| wins(groups)).collect();
        let seen = association(&strata);
        assert!((seen.chi_square - 1.5246).abs() < 5e-4, "{seen:?}");
        let pooled = departments.iter().fold([(0, 0); 2], |sum, groups| {
            [0, 1].map(|at| (sum[at].0 + groups[at].0, sum[at].1 + groups[at].1))
        });
        assert!(association(&[wins(&pooled)]).p_value < 1e-15);
    }

    #[test]
    fn what_decides_everything_explains_everything() {
        let seen = association(&[wins(&[(1000, 1000), (0, 1000)])]);
        assert!((seen.variance_share - 1.0).abs() < 1e-9);
        assert!(seen.p_value < 1e-100);
    }

    #[test]
    fn without_two_groups_or_without_spread_nothing_is_known() {
        for groups in [&[(5, 10)][..], &[], &[(0, 10), (0, 10)], &[(10, 10), (3, 3), (0, 0)]] {
            let seen = association(&[wins(groups)]);
            assert!(seen.p_value.is_nan() && seen.variance_share.is_nan(), "{groups:?}");
        }
    }

    /// Both ways to compute the statistic agree: with more groups than strata and with fewer, with groups missing in
    /// strata, strata that share no group with others, and strata in which all battles ended alike.
    #[test]
    fn both_ways_to_the_statistic_agree() {
        let mut random = Seeded::of_battle(9, 0);
        for case in 0..2_000 {
            let (groups, strata) = (2 + random.below(12) as usize, 1 + random.below(8) as usize);
            let missing = f64::from(random.below(10)) / 10.0;
            let samples: Vec<Vec<Sample>> = (0..strata)
                .map(|_| {
                    let rate = [0.0, 0.3, 0.9][random.below(3) as usize];
                    (0..groups)
                        .map(|_| {
                            let absent = random.unit() < missing;
                            let battles = if absent { 0 } else { u64::from(random.below(300)) };
                            let won = (0..battles).filter(|_| random.unit() < rate).count() as u64;
                            Sample::of_trials(won, battles)
                        })
                        .collect()
                })
                .collect();
            let mut beyond = vec![0.0; groups];
            let mut compared = Vec::new();
            for stratum in &samples {
                let whole = stratum.iter().fold(Sample::of_trials(0, 0), |a, b| a.with(*b));
                if stratum.iter().filter(|sample| sample.count > 0).count() < 2 {
                    continue;
                }
                let (n, mean) = (whole.count as f64, whole.sum as f64 / whole.count as f64);
                for (beyond, one) in beyond.iter_mut().zip(stratum) {
                    *beyond += one.sum as f64 - one.count as f64 * mean;
                }
                compared.push(Compared {
                    stratum,
                    n,
                    variance: mean * (1.0 - mean) * n / (n - 1.0),
                });
            }
            match (by_strata(&compared, &beyond), by_groups(&compared, beyond)) {
                (None, None) => {}
                (Some((one, degrees)), Some((other, free))) => {
                    assert_eq!(degrees, free, "case {case}");
                    assert!(
                        (one - other).abs() <= 1e-8 * other.max(1.0),
                        "case {case}: {one} and {other}"
                    );
                }
                (one, other) => panic!("case {case}: {one:?} and {other:?}"),
            }
        }
    }

    /// Twenty thousand groups in two strata take next to no time; solving as many equations would take hours.
    #[test]
    fn thousands_of_groups_are_no_work() {
        let stratum =
            |shift: u64| (0..20_000).map(|at| Sample::of_trials((at + shift) % 7, 10)).collect();
        let seen = association(&[stratum(0), stratum(3)]);
        assert_eq!(seen.degrees, 19_999);
    }

    /// With no effect, 5% of the p-values are below 5% although strata have very different means and shares of the
    /// groups, and no variance is explained on average; 95% of the intervals cover 0.
    #[test]
    fn chance_alone_is_not_taken_for_an_effect() {
        let (mut alarms, mut explained, mut covered) = (0, 0.0, 0);
        for run in 0..2_000 {
            let mut random = Seeded::of_battle(8, run);
            let strata: Vec<Vec<Sample>> = [(0.2, [40, 200, 60]), (0.8, [150, 20, 60])]
                .into_iter()
                .map(|(rate, sizes)| {
                    let of =
                        |battles: u64| (0..battles).filter(|_| random.unit() < rate).count() as u64;
                    let counts: Vec<(u64, u64)> = sizes.map(of).into_iter().zip(sizes).collect();
                    wins(&counts)
                })
                .collect();
            let seen = association(&strata);
            alarms += u32::from(seen.p_value < 0.05);
            explained += seen.variance_share / 2_000.0;
            let pairs = strata.iter().map(|groups| [groups[0], groups[1]]);
            covered += u32::from(!difference_within(pairs, 1.0, Level::P95).excludes(0.0));
        }
        assert!((61..=139).contains(&alarms), "{alarms} of 2000, 100 expected");
        assert!(explained < 0.003, "{explained}");
        assert!((1_861..=1_939).contains(&covered), "{covered} of 2000, 1900 expected");
    }

    /// Many strata, most with three or four battles of each group: without an effect 5% of the intervals exclude 0, and
    /// with one they cover the true difference.
    #[test]
    fn intervals_cover_where_strata_are_small() {
        for (case, effect) in [0.0, 0.3].into_iter().enumerate() {
            let covered = (0..2_000).filter(|&run| {
                let mut random = Seeded::of_battle(70 + case as u64, run);
                let strata: Vec<[Sample; 2]> = (0..40)
                    .map(|_| {
                        let rate = 0.1 + 0.5 * random.unit();
                        [rate + effect, rate].map(|rate| {
                            let battles = 1 + u64::from(random.below(5));
                            let won = (0..battles).filter(|_| random.unit() < rate).count() as u64;
                            Sample::of_trials(won, battles)
                        })
                    })
                    .collect();
                !difference_within(strata, 1.0, Level::P95).excludes(effect)
            });
            let covered = covered.count();
            let most = if effect == 0.0 { 1_939 } else { 1_980 };
            assert!((1_861..=most).contains(&covered), "{effect}: {covered} of 2000");
        }
    }

    /// Battles that all ended alike still leave an interval, since they might have ended otherwise.
    #[test]
    fn what_was_always_so_is_not_certain() {
        let alike = [Sample::of_trials(200, 200), Sample::of_trials(0, 200)];
        let apart = difference_within([alike], 1.0, Level::P95);
        assert!(apart.value == 1.0 && apart.high == 1.0, "{apart:?}");
        assert!((0.98..0.999).contains(&apart.low), "{apart:?}");
    }

    /// Two battles of each group exclude nothing, however they end.
    #[test]
    fn a_handful_of_battles_excludes_nothing() {
        let pair = [Sample::of_trials(2, 2), Sample::of_trials(0, 2)];
        assert!(!difference_within([pair], 1.0, Level::P95).excludes(0.0));
    }
}
