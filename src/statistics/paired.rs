//! Paired comparisons of two variants that played the same battles with common random numbers.

use super::distributions::student_two_sided;
use super::intervals::crossing;
use super::strata::{SMOOTHED_BY, freedom, variance_of_mean};
use super::{Estimate, Level, two_sided};

/// Counts of the outcomes of the same battles in two variants, for one stratum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The probability of the stratum in the first and in the second variant; each variant's add up to 1.
    pub weights: [f64; 2],
    /// The number of battles of the stratum.
    pub battles: u64,
    /// Battles that the side won in the first and in the second variant.
    pub wins: [u64; 2],
    /// Battles that it won in both.
    pub both: u64,
}

/// Sums of points of the same battles in two variants, for one stratum. A battle has 0 to `most` points; in a [`Pair`]
/// 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScorePair {
    /// The probability of the stratum in the first and in the second variant; each variant's add up to 1.
    pub weights: [f64; 2],
    /// The number of battles of the stratum.
    pub battles: u64,
    /// The side's points in the first and in the second variant.
    pub points: [u64; 2],
    /// The sums over battles of the squared points in each variant.
    pub squares: [u64; 2],
    /// The sum over battles of the points in one variant times those in the other.
    pub products: u64,
    /// The largest number of points of a battle.
    pub most: u32,
}

impl From<Pair> for ScorePair {
    fn from(pair: Pair) -> Self {
        let Pair { weights, battles, wins, both } = pair;
        Self { weights, battles, points: wins, squares: wins, products: both, most: 1 }
    }
}

/// How much higher the score is in the second variant than in the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The second variant's score less the first's, with its interval.
    pub difference: Estimate,
    /// The p-value of the null hypothesis of no difference.
    pub p_value: f64,
    /// The variance reduction: how many times as many battles independent runs would need to be as precise.
    pub variance_ratio: f64,
}

impl Comparison {
    /// An unknown comparison: all NaN.
    pub const UNKNOWN: Comparison =
        Comparison { difference: Estimate::UNKNOWN, p_value: f64::NAN, variance_ratio: f64::NAN };
    /// The comparison of a variant with itself.
    pub const SAME: Comparison = Comparison {
        difference: Estimate { value: 0.0, low: 0.0, high: 0.0 },
        p_value: 1.0,
        variance_ratio: f64::NAN,
    };
}

/// Compares two variants that differ in how battles go, and perhaps in the odds of the strata.
///
/// In a stratum a battle counts the second variant's weight if that one won, less the first one's if that won; the
/// variance is that of these numbers within the strata. The interval contains the differences that a score test does
/// not reject (T. Tango: "Equivalence test and confidence interval for the difference in proportions for the
/// paired-sample design", 1998): where few battles end differently, or all of these in favour of one variant, an
/// interval around the estimate would understate a real difference. For the p-value one pseudo-battle is added, half
/// for either variant (A. Agresti and Y. Min: "Simple improved confidence intervals for comparing matched proportions",
/// 2005), so that variants which happened to end alike are not certain to be the same. [`Comparison::UNKNOWN`] when a
/// stratum that has weight was never played.
#[must_use]
pub fn paired<P: Into<ScorePair>>(pairs: impl IntoIterator<Item = P>, level: Level) -> Comparison {
    let mut sum = Sum::default();
    let mut battles = 0;
    for pair in pairs.into_iter().map(Into::into) {
        let Some(rates) = Rates::of(&pair) else { continue };
        let Rates { weights: [first, second], rates: [p, q], squares: [pp, qq], n } = rates;
        if pair.battles == 0 {
            return Comparison::UNKNOWN;
        }
        battles += pair.battles;
        let both = pair.products as f64 / (n * f64::from(pair.most).powi(2));
        let mean = second * q - first * p;
        let squares = second * second * qq + first * first * pp - 2.0 * first * second * both;
        // A single battle has no sample variance; the largest possible one stands in.
        let widest = (first + second).powi(2) / 4.0;
        let spread = |variance: f64| if n > 1.0 { variance / (n - 1.0) } else { widest };
        sum.difference += mean;
        sum.paired += spread((squares - mean * mean).max(0.0));
        sum.separate +=
            spread(second * second * (qq - q * q).max(0.0) + first * first * (pp - p * p).max(0.0));
    }
    if battles == 0 {
        return Comparison::UNKNOWN;
    }
    let difference = not_excluded(sum.difference, sum.paired, battles as f64, level);
    let either_way = (battles as f64).powi(-2);
    sum.paired += either_way;
    sum.separate += either_way;
    Comparison { difference, ..sum.comparison(battles, level) }
}

/// A difference with the interval of the values that Tango's score test does not reject, as if all battles shared this
/// variance. However little it is, battles that were not seen may move the difference by 1, in as large a share of all as
/// Tango's interval allows for where none does.
fn not_excluded(value: f64, variance: f64, battles: f64, level: Level) -> Estimate {
    let squares = variance * battles + value * value;
    // By how much a battle that ends differently moves the difference: 1, unless battles are shared or strata have
    // unequal weights.
    let step = match squares {
        _ if squares > 1.0 => squares,
        _ if squares < value.abs() => squares / value.abs(),
        _ => 1.0,
    };
    let (mean, moved) = (value / step, squares / (step * step));
    let [up, down] = [moved + mean, moved - mean].map(|twice| twice.max(0.0) / 2.0);
    let high = step * upper_end(mean, [up, down], battles, level);
    let low = -step * upper_end(-mean, [down, up], battles, level);
    let squared = level.z() * level.z();
    let unseen = squared / (battles + squared);
    let reach = [value - unseen * (1.0 + value), value + unseen * (1.0 - value)];
    Estimate { value, low, high }
        .reaching(&Estimate { value, low: reach[0], high: reach[1] })
        .within(-1.0, 1.0)
}

/// The largest mean difference that is not rejected, where these shares of the battles went up and down by 1.
fn upper_end(mean: f64, [up, down]: [f64; 2], battles: f64, level: Level) -> f64 {
    let excess = |at: f64| {
        // The likeliest share that goes down if the mean is `at`, from Tango's quadratic equation.
        let (b, c) = ((2.0 - up + down) * at - up - down, -down * at * (1.0 - at));
        let root = (b * b - 8.0 * c).max(0.0).sqrt();
        let goes_down = if b > 0.0 { -2.0 * c / (b + root) } else { (root - b) / 4.0 };
        let spread = (2.0 * goes_down + at - at * at).max(0.0);
        at - mean - level.z() * (spread / battles).sqrt()
    };
    crossing(mean, 1.0, excess)
}

/// Compares two variants that differ only in the odds of the strata: every battle serves both, reweighted. The variance
/// is that of [`stratified`](super::stratified), stratum by stratum, and the quantile is Student's as there: in the
/// variance ratio, too, since few strata may have all of the difference and many have all of the scores.
#[must_use]
pub fn reweighted<P: Into<ScorePair>>(
    pairs: impl IntoIterator<Item = P>,
    level: Level,
) -> Comparison {
    let mut sum = Sum::default();
    let mut battles = 0;
    let (mut variances, mut apart) = (Vec::new(), Vec::new());
    for pair in pairs.into_iter().map(Into::into) {
        let Some(rates) = Rates::of(&pair) else { continue };
        let Rates { weights: [first, second], rates: [rate, _], squares: [squares, _], n } = rates;
        if pair.battles == 0 {
            return Comparison::UNKNOWN;
        }
        battles += pair.battles;
        let least = variance_of_mean(n, rate * n, squares * n, SMOOTHED_BY);
        // A single battle has no sample variance; the largest possible one stands in.
        let variance = if n > 1.0 { least } else { 0.25 };
        sum.difference += (second - first) * rate;
        sum.paired += (second - first).powi(2) * variance;
        sum.separate += (first * first + second * second) * variance;
        variances.push(((second - first).powi(2) * variance, n));
        apart.push(((first * first + second * second) * variance, n));
    }
    match battles {
        0 => Comparison::UNKNOWN,
        _ if sum.paired == 0.0 => Comparison::SAME,
        battles => {
            let degrees = freedom(variances);
            let (own, separate) = (level.with_freedom(degrees), level.with_freedom(freedom(apart)));
            let by = sum.comparison(battles, own);
            Comparison {
                p_value: student_two_sided(sum.score(battles), degrees),
                variance_ratio: by.variance_ratio * (separate.z() / own.z()).powi(2),
                ..by
            }
        }
    }
}

/// The scores of a stratum with weight in at least one variant, scaled to 0 to 1.
struct Rates {
    weights: [f64; 2],
    rates: [f64; 2],
    squares: [f64; 2],
    n: f64,
}

impl Rates {
    fn of(pair: &ScorePair) -> Option<Self> {
        let n = pair.battles as f64;
        let weighs = pair.weights.iter().any(|&weight| weight > 0.0);
        let most = f64::from(pair.most);
        weighs.then(|| Rates {
            weights: pair.weights,
            rates: pair.points.map(|sum| sum as f64 / (most * n)),
            squares: pair.squares.map(|sum| sum as f64 / (most * most * n)),
            n,
        })
    }
}

/// A difference with two variances: one from pairs, and one as if the battles of the two variants were independent.
#[derive(Default)]
struct Sum {
    difference: f64,
    paired: f64,
    separate: f64,
}

impl Sum {
    /// How many standard errors the difference is from 0. Under the null hypothesis the variance is that around 0 and
    /// not around the observed difference: this makes it the test of Q. McNemar (1947), which keeps its level even for
    /// few battles.
    fn score(&self, battles: u64) -> f64 {
        let value = self.difference;
        value / (self.paired + value * value / battles as f64).sqrt()
    }

    fn comparison(&self, battles: u64, level: Level) -> Comparison {
        let value = self.difference;
        let half = level.z() * self.paired.sqrt();
        Comparison {
            difference: Estimate {
                value,
                low: (value - half).max(-1.0),
                high: (value + half).min(1.0),
            },
            p_value: two_sided(self.score(battles)),
            variance_ratio: self.separate / self.paired,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Where every battle that was played moved by half a point, those that were not may move by a whole one, or back.
    #[test]
    fn a_difference_that_never_varied_has_an_interval_to_both_sides() {
        let of = |battles: u64| ScorePair {
            weights: [1.0, 1.0],
            battles,
            points: [battles, 2 * battles],
            squares: [battles, 4 * battles],
            products: 2 * battles,
            most: 2,
        };
        let found = paired([of(150)], Level::P95).difference;
        let unseen = Level::P95.z().powi(2) / (150.0 + Level::P95.z().powi(2));
        assert_eq!(found.value, 0.5);
        assert!((found.high - (0.5 + unseen * 0.5)).abs() < 1e-9, "{found:?}");
        assert!((found.low - (0.5 - unseen * 1.5)).abs() < 1e-9, "{found:?}");
        // Where nothing moves at all, and where every battle moves as far as it can, that is Tango's own interval.
        let none = paired([whole(150, [150, 150], 150)], Level::P95).difference;
        assert!((none.high - unseen).abs() < 1e-9 && (none.low + unseen).abs() < 1e-9, "{none:?}");
        let all = paired([whole(150, [0, 150], 0)], Level::P95).difference;
        assert!((all.low - (1.0 - 2.0 * unseen)).abs() < 1e-9 && all.high == 1.0, "{all:?}");
    }

    fn whole(battles: u64, wins: [u64; 2], both: u64) -> Pair {
        Pair { weights: [1.0, 1.0], battles, wins, both }
    }

    /// n = 100, 20 battles won by the second only, 10 by the first only: 0.1, and the variance of a difference of
    /// matched proportions, (b + c - (b - c)^2 / n) / n^2 but for the degree of freedom and the pseudo-battle.
    #[test]
    fn one_stratum_is_a_difference_of_matched_proportions() {
        let found = paired([whole(100, [40, 50], 30)], Level::P95);
        assert!((found.difference.value - 0.1).abs() < 1e-12);
        let variance = (30.0 - 1.0) / 100.0 / 99.0 + 1e-4;
        let separate = (0.4 * 0.6 + 0.5 * 0.5) / 99.0 + 1e-4;
        assert!((found.variance_ratio - separate / variance).abs() < 1e-12);
        assert!((found.p_value - two_sided(0.1 / (variance + 1e-4).sqrt())).abs() < 1e-12);
    }

    /// At the ends of the interval the score test is just significant; at 0 it is McNemar's test, so that the interval
    /// contains 0 exactly where (b - c)^2 / (b + c) is small.
    #[test]
    fn the_interval_is_the_inverse_of_mcnemars_test() {
        let z2 = Level::P95.z().powi(2);
        for (one, other) in [(0, 3), (0, 4), (1, 6), (1, 9), (10, 20), (10, 24), (40, 60), (40, 59)]
        {
            let found = paired([whole(1_000, [300 + one, 300 + other], 300)], Level::P95);
            let (b, c) = (other as f64, one as f64);
            let statistic = (b - c).powi(2) / (b + c);
            // Variances are estimated with one degree of freedom less.
            assert!((statistic - z2).abs() > 0.01);
            assert_eq!(found.difference.low > 0.0, statistic > z2, "{one} {other}: {found:?}");
        }
        let alike = paired([whole(100, [40, 40], 40)], Level::P95).difference;
        let end = z2 / (100.0 + z2);
        assert!((alike.high - end).abs() < 1e-9 && (alike.low + end).abs() < 1e-9, "{alike:?}");
    }

    /// A change for the better turns some lost battles into won ones and none the other way round, with and without
    /// draws.
    #[test]
    fn intervals_hold_a_change_that_only_helps() {
        const REPEATS: u32 = 4_000;
        let mut random = crate::chance::Seeded::from_seed(8);
        for (battles, truth, most) in
            [(200, 0.014, 1), (500, 0.014, 1), (500, 0.0277, 1), (400, 0.02, 2)]
        {
            let (mut below, mut above) = (0, 0);
            for _ in 0..REPEATS {
                let mut pair = ScorePair {
                    weights: [1.0; 2],
                    battles,
                    points: [0; 2],
                    squares: [0; 2],
                    products: 0,
                    most,
                };
                for _ in 0..battles {
                    let first = if random.unit() < 0.4 { u64::from(most) } else { 0 };
                    let more =
                        u64::from(first == 0 && random.unit() < truth / 0.6 * f64::from(most));
                    let second = first + more;
                    pair.points[0] += first;
                    pair.points[1] += second;
                    pair.squares[0] += first * first;
                    pair.squares[1] += second * second;
                    pair.products += first * second;
                }
                let found = paired([pair], Level::P95).difference;
                below += u32::from(found.high < truth);
                above += u32::from(found.low > truth);
            }
            let missed = f64::from(below + above) / f64::from(REPEATS);
            assert!(missed < 0.06, "{battles} {truth} {most}: {below} below, {above} above");
        }
    }

    /// McNemar's statistic is (b - c)^2 / (b + c), here 100 / 10 and 16 / 400.
    #[test]
    fn the_p_value_is_that_of_mcnemars_test() {
        for (pair, statistic) in
            [(whole(1_000, [500, 510], 500), 10.0), (whole(10_000, [5_000, 5_004], 4_802), 0.04)]
        {
            let found = paired([pair], Level::P95).p_value;
            let expected = two_sided(f64::sqrt(statistic));
            // The pseudo-battle adds one to b + c.
            assert!(
                (libm::log(found) - libm::log(expected)).abs() < 0.15 * libm::log(expected).abs(),
                "{found} {expected}"
            );
        }
    }

    /// Strata of different sizes, weights and rates, with and without a difference: 95 of 100 intervals cover it, and
    /// at most 5 of 100 tests see one where there is none.
    #[test]
    fn intervals_hold_the_truth_and_tests_their_level() {
        const REPEATS: u32 = 4_000;
        // The weight in each variant, the battles, and the odds that both win, only the first, only the second.
        let with = [(0.5, 0.3, 120, [0.3, 0.1, 0.2]), (0.5, 0.7, 60, [0.6, 0.05, 0.1])];
        let without = [(0.6, 0.6, 90, [0.2, 0.1, 0.1]), (0.4, 0.4, 30, [0.5, 0.2, 0.2])];
        let mut random = crate::chance::Seeded::from_seed(4);
        for (strata, truth) in
            [(with, 0.3 * 0.5 + 0.7 * 0.7 - 0.5 * 0.4 - 0.5 * 0.65), (without, 0.0)]
        {
            let (mut held, mut alarms) = (0, 0);
            for _ in 0..REPEATS {
                let pair =
                    |(first, second, battles, [both, one, other]): (f64, f64, u64, [f64; 3])| {
                        let mut pair =
                            Pair { weights: [first, second], battles, wins: [0, 0], both: 0 };
                        for _ in 0..battles {
                            let unit = random.unit();
                            pair.both += u64::from(unit < both);
                            pair.wins[0] += u64::from(unit < both + one);
                            let second =
                                unit < both || (both + one..both + one + other).contains(&unit);
                            pair.wins[1] += u64::from(second);
                        }
                        pair
                    };
                let found = paired(strata.map(pair), Level::P95);
                held += u32::from(!found.difference.excludes(truth));
                alarms += u32::from(found.p_value < 0.05);
            }
            let share = |count: u32| f64::from(count) / f64::from(REPEATS);
            assert!((0.94..0.965).contains(&share(held)), "{}", share(held));
            if truth == 0.0 {
                assert!(share(alarms) < 0.057, "{}", share(alarms));
            }
        }
    }

    #[test]
    fn battles_that_ended_alike_leave_some_doubt() {
        let found = paired([whole(1000, [400, 400], 400)], Level::P95);
        assert_eq!((found.difference.value, found.p_value), (0.0, 1.0));
        assert!(found.difference.high > 0.001 && found.difference.high < 0.004, "{found:?}");
    }

    #[test]
    fn strata_count_with_each_variants_own_weight() {
        let pairs = [
            Pair { weights: [0.8, 0.2], battles: 1000, wins: [300, 300], both: 300 },
            Pair { weights: [0.2, 0.8], battles: 1000, wins: [700, 700], both: 700 },
        ];
        let rates = [0.8 * 0.3 + 0.2 * 0.7, 0.2 * 0.3 + 0.8 * 0.7];
        for found in [paired(pairs, Level::P95), reweighted(pairs, Level::P95)] {
            assert!((found.difference.value - (rates[1] - rates[0])).abs() < 1e-12);
            // 0.6 times the rate, whose variance is 0.21 / 1000.
            let half = 1.96 * f64::sqrt(2.0 * 0.36 * 0.21 / 1000.0);
            assert!((found.difference.high - found.difference.value - half).abs() < 2e-2 * half);
            assert!((found.variance_ratio - 2.0 * 0.68 / 0.72).abs() < 0.01, "{found:?}");
        }
    }

    /// Where two strata have all of the difference, it is less precise than one of two independent scores.
    #[test]
    fn the_variance_ratio_counts_how_little_is_known_of_the_variance() {
        let few = |weights: [f64; 2]| Pair { weights, battles: 2, wins: [1, 1], both: 1 };
        let mut pairs = vec![few([0.01, 0.01]); 96];
        pairs.extend([few([0.03, 0.01]), few([0.01, 0.03])]);
        let found = reweighted(pairs.clone(), Level::P95);
        let squares = |at: usize| pairs.iter().map(|of| of.weights[at].powi(2)).sum::<f64>();
        let apart = (squares(0) + squares(1)) / (2.0 * 0.02_f64.powi(2));
        let [of_two, of_all] = [2, 80].map(|degrees| Level::P95.t(degrees));
        let ratio = apart * (of_all / of_two).powi(2);
        assert!((found.variance_ratio / ratio - 1.0).abs() < 0.02, "{found:?}, not {ratio}");
    }

    #[test]
    fn what_was_never_played_is_not_known() {
        let missing = Pair { weights: [0.5, 0.5], battles: 0, wins: [0, 0], both: 0 };
        let played = Pair { weights: [0.5, 0.5], battles: 9, wins: [4, 4], both: 4 };
        for compare in
            [paired([played, missing], Level::P95), reweighted([played, missing], Level::P95)]
        {
            assert!(compare.difference.value.is_nan());
        }
        let nobodys = Pair { weights: [0.0, 0.0], ..missing };
        let certain = Pair { weights: [1.0, 1.0], ..played };
        assert!(!paired([certain, nobodys], Level::P95).difference.value.is_nan());
        let same = reweighted([certain, nobodys], Level::P95);
        assert_eq!(same.difference, Comparison::SAME.difference);
        assert!(paired::<Pair>([], Level::P95).p_value.is_nan());
    }

    proptest! {
        /// Swapping the variants negates the difference.
        #[test]
        fn compared_the_other_way_round(
            strata in prop::collection::vec((2..500_u64, 0.0..1.0_f64, 0.0..1.0_f64, 0.0..1.0_f64), 1..6)
        ) {
            let pairs: Vec<Pair> = strata.iter().map(|&(n, first, second, both)| {
                let both = (n as f64 * both * 0.5) as u64;
                let more = |share: f64| both + ((n - both) as f64 * share * 0.5) as u64;
                let weight = 1.0 / strata.len() as f64;
                Pair { weights: [weight; 2], battles: n, wins: [more(first), more(second)], both }
            }).collect();
            let turned = |pair: &Pair| Pair { wins: [pair.wins[1], pair.wins[0]], ..*pair };
            let (there, back) =
                (paired(pairs.clone(), Level::P95), paired(pairs.iter().map(turned), Level::P95));
            prop_assert!((there.difference.value + back.difference.value).abs() < 1e-12);
            prop_assert!((there.difference.low + back.difference.high).abs() < 1e-12);
            prop_assert!((there.p_value - back.p_value).abs() < 1e-9);
            prop_assert!(there.difference.low <= there.difference.value);
        }
    }
}
