//! Paired comparisons: two variants that played the same battles, with common random numbers.

use super::distributions::student_two_sided;
use super::intervals::crossing;
use super::strata::{SMOOTHED_BY, freedom, variance_of_mean};
use super::{Estimate, Level, two_sided};

/// The outcomes of the same battles of one stratum in two variants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The probability of the stratum in the first and in the second variant. All of a variant's add up to 1.
    pub weights: [f64; 2],
    /// Battles of it.
    pub battles: u64,
    /// Battles that the side won in the first and in the second variant.
    pub wins: [u64; 2],
    /// Battles that it won in both.
    pub both: u64,
}

/// What the same battles of one stratum count in two variants, each anything between 0 and `most`; in a [`Pair`] it is a win or
/// none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScorePair {
    /// The probability of the stratum in the first and in the second variant. All of a variant's add up to 1.
    pub weights: [f64; 2],
    /// Battles of it.
    pub battles: u64,
    /// What the side has of them in the first and in the second variant.
    pub points: [u64; 2],
    /// The sums of the squares.
    pub squares: [u64; 2],
    /// The sum of the products.
    pub products: u64,
    /// What a battle counts at most.
    pub most: u32,
}

impl From<Pair> for ScorePair {
    fn from(pair: Pair) -> Self {
        let Pair { weights, battles, wins, both } = pair;
        Self { weights, battles, points: wins, squares: wins, products: both, most: 1 }
    }
}

/// How much more likely the second variant wins than the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The difference of the win rates, with its interval.
    pub difference: Estimate,
    /// The p-value of a difference of 0.
    pub p_value: f64,
    /// The variance reduction: how many times as many battles independent runs would need for the same variance.
    pub variance_ratio: f64,
}

impl Comparison {
    /// Nothing is known.
    pub const UNKNOWN: Comparison =
        Comparison { difference: Estimate::UNKNOWN, p_value: f64::NAN, variance_ratio: f64::NAN };
    /// The variants are the same.
    pub const SAME: Comparison = Comparison {
        difference: Estimate { value: 0.0, low: 0.0, high: 0.0 },
        p_value: 1.0,
        variance_ratio: f64::NAN,
    };
}

/// Compares two variants that differ in how a battle goes, and perhaps in the odds of the strata.
///
/// In a stratum a battle counts with the second variant's weight where that won, less the first one's where that
/// won; the variance is that of these numbers within the strata. The interval holds the differences that a score test does not
/// exclude (T. Tango: "Equivalence test and confidence interval for the difference in proportions for the paired-sample design",
/// 1998): where few battles end otherwise, or all of these in favour of one variant, an interval around the estimate would tell a
/// real difference as too small. For the p-value one pseudo-battle is added, half for either variant (A. Agresti and Y. Min: "Simple
/// improved confidence intervals for comparing matched proportions", 2005), so that variants which happened to end alike
/// are not certain to be the same.
/// [`Comparison::UNKNOWN`] when a stratum that has weight was never played.
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
        // One battle alone has no variance; the largest possible one stands in.
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

/// A difference with the interval of those that Tango's score test does not exclude, as if all of so many battles had its
/// variance.
fn not_excluded(value: f64, variance: f64, battles: f64, level: Level) -> Estimate {
    let squares = variance * battles + value * value;
    // By how much a battle that ends otherwise moves the difference: 1, but for what nobody wins, and strata that weigh unlike.
    let step = match squares {
        _ if squares > 1.0 => squares,
        _ if squares < value.abs() => squares / value.abs(),
        _ => 1.0,
    };
    let (mean, moved) = (value / step, squares / (step * step));
    let [up, down] = [moved + mean, moved - mean].map(|twice| twice.max(0.0) / 2.0);
    let high = step * upper_end(mean, [up, down], battles, level);
    let low = -step * upper_end(-mean, [down, up], battles, level);
    Estimate { value, low, high }.within(-1.0, 1.0)
}

/// The largest mean that is not excluded, where these shares of the battles went up and down by 1.
fn upper_end(mean: f64, [up, down]: [f64; 2], battles: f64, level: Level) -> f64 {
    let excess = |at: f64| {
        // The likeliest share that goes down where the mean is this one, of Tango's quadratic equation.
        let (b, c) = ((2.0 - up + down) * at - up - down, -down * at * (1.0 - at));
        let root = (b * b - 8.0 * c).max(0.0).sqrt();
        let goes_down = if b > 0.0 { -2.0 * c / (b + root) } else { (root - b) / 4.0 };
        let spread = (2.0 * goes_down + at - at * at).max(0.0);
        at - mean - level.z() * (spread / battles).sqrt()
    };
    crossing(mean, 1.0, excess)
}

/// Compares two variants that differ in nothing but the odds of the strata: every battle belongs to both, reweighted.
/// The variance is that of [`stratified`](super::stratified), stratum by stratum, and so is Student's quantile.
#[must_use]
pub fn reweighted<P: Into<ScorePair>>(
    pairs: impl IntoIterator<Item = P>,
    level: Level,
) -> Comparison {
    let mut sum = Sum::default();
    let mut battles = 0;
    let mut variances = Vec::new();
    for pair in pairs.into_iter().map(Into::into) {
        let Some(rates) = Rates::of(&pair) else { continue };
        let Rates { weights: [first, second], rates: [rate, _], squares: [squares, _], n } = rates;
        if pair.battles == 0 {
            return Comparison::UNKNOWN;
        }
        battles += pair.battles;
        let least = variance_of_mean(n, rate * n, squares * n, SMOOTHED_BY);
        // One battle alone has no variance; the largest possible one stands in.
        let variance = if n > 1.0 { least } else { 0.25 };
        sum.difference += (second - first) * rate;
        sum.paired += (second - first).powi(2) * variance;
        sum.separate += (first * first + second * second) * variance;
        variances.push(((second - first).powi(2) * variance, n));
    }
    match battles {
        0 => Comparison::UNKNOWN,
        _ if sum.paired == 0.0 => Comparison::SAME,
        battles => {
            let degrees = freedom(variances);
            let by = sum.comparison(battles, level.with_freedom(degrees));
            Comparison { p_value: student_two_sided(sum.score(battles), degrees), ..by }
        }
    }
}

/// A stratum that has weight.
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

/// A difference and two variances: of pairs, and of as many independent battles.
#[derive(Default)]
struct Sum {
    difference: f64,
    paired: f64,
    separate: f64,
}

impl Sum {
    /// How many standard errors the difference is away from 0. Under the null hypothesis the variance is that around 0 and not
    /// around the observed difference: this makes the test that of Q. McNemar (1947), which keeps its level for few battles as
    /// well.
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

    fn whole(battles: u64, wins: [u64; 2], both: u64) -> Pair {
        Pair { weights: [1.0, 1.0], battles, wins, both }
    }

    /// n = 100, 20 battles only the second won, 10 only the first: 0.1, and the variance of a difference of matched
    /// proportions, (b + c - (b - c)^2 / n) / n^2 but for the degree of freedom and the battle either way.
    #[test]
    fn one_stratum_is_a_difference_of_matched_proportions() {
        let found = paired([whole(100, [40, 50], 30)], Level::P95);
        assert!((found.difference.value - 0.1).abs() < 1e-12);
        let variance = (30.0 - 1.0) / 100.0 / 99.0 + 1e-4;
        let separate = (0.4 * 0.6 + 0.5 * 0.5) / 99.0 + 1e-4;
        assert!((found.variance_ratio - separate / variance).abs() < 1e-12);
        assert!((found.p_value - two_sided(0.1 / (variance + 1e-4).sqrt())).abs() < 1e-12);
    }

    /// At its ends the score test is just significant; at 0 that test is McNemar's, so that the interval holds 0 just where
    /// (b - c)^2 / (b + c) is small.
    #[test]
    fn the_interval_is_the_inverse_of_mcnemars_test() {
        let z2 = Level::P95.z().powi(2);
        for (one, other) in [(0, 3), (0, 4), (1, 6), (1, 9), (10, 20), (10, 24), (40, 60), (40, 59)]
        {
            let found = paired([whole(1_000, [300 + one, 300 + other], 300)], Level::P95);
            let (b, c) = (other as f64, one as f64);
            let statistic = (b - c).powi(2) / (b + c);
            // Variances are estimated with a degree of freedom less.
            assert!((statistic - z2).abs() > 0.01);
            assert_eq!(found.difference.low > 0.0, statistic > z2, "{one} {other}: {found:?}");
        }
        let alike = paired([whole(100, [40, 40], 40)], Level::P95).difference;
        let end = z2 / (100.0 + z2);
        assert!((alike.high - end).abs() < 1e-9 && (alike.low + end).abs() < 1e-9, "{alike:?}");
    }

    /// A change for the better turns some lost battles into won ones and none the other way round; also where a draw is between.
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
            // One battle that goes either way adds one to b + c.
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
        // Weight in each variant, battles, and the odds of: both win, only the first, only the second.
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
            // 0.6 times each rate, whose variance is 0.21 / 1000.
            let half = 1.96 * f64::sqrt(2.0 * 0.36 * 0.21 / 1000.0);
            assert!((found.difference.high - found.difference.value - half).abs() < 2e-2 * half);
            assert!((found.variance_ratio - 2.0 * 0.68 / 0.72).abs() < 0.01, "{found:?}");
        }
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
        /// Turning the variants around turns the difference around.
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
