//! Scores: means of battles that are won, shared or lost.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::intervals::{boundary, crossing, nearly_equal, wilson};
use super::{Estimate, Level, Sample, two_sided};
use crate::tally::{OutcomeMeasure, Results};

/// The mean score behind some results, 0 to 1, with its confidence interval.
///
/// The score interval for the mean of a three-valued score: all means that the score test does not reject, with the
/// variance of the likeliest distribution with that mean. Without shared battles it is Wilson's
/// ([`proportion`](super::proportion)), in a duel it is Tango's for a difference of paired proportions (T. Tango:
/// "Equivalence test and confidence interval for the difference in proportions for the paired-sample design", 1998) on
/// the scale of scores.
///
/// ```
/// use evens::statistics::{Level, score};
/// use evens::tally::{OutcomeMeasure, Results};
/// let results = Results { won: 40, shared: 20, lost: 40, sides: 2 };
/// let even = score(results, OutcomeMeasure::Score, Level::P95);
/// assert_eq!(even.value, 0.5);
/// assert!(even.low < 0.42 && even.low > 0.41);
/// ```
#[must_use]
pub fn score(results: Results, measure: OutcomeMeasure, level: Level) -> Estimate {
    let results = results.measured(measure);
    let battles = results.battles();
    if battles == 0 {
        return Estimate::UNKNOWN;
    }
    let n = battles as f64;
    let value = mean(results);
    if results.shared == 0 {
        return wilson(value, n, level);
    }
    // Positive where the test rejects `at`.
    let against = |at: f64| {
        let distance = value - at;
        n * distance * distance - level.z() * level.z() * likeliest_variance(results, at)
    };
    let low = if value == 0.0 { 0.0 } else { crossing(value, 0.0, against) };
    let high = if value == 1.0 { 1.0 } else { crossing(value, 1.0, against) };
    Estimate { value, low, high }
}

/// How much higher the score behind `a` is than that behind `b`, -1 to 1, for two independent sets of battles. The
/// interval combines those of the two scores, which for wins is Newcombe's ([`difference`](super::difference)).
#[must_use]
pub fn score_difference(a: Results, b: Results, measure: OutcomeMeasure, level: Level) -> Estimate {
    score(a, measure, level).less(score(b, measure, level))
}

/// The smallest expected number of the rarer of wins and losses at which the test treats sums as normal (W. G. Cochran:
/// "Some methods for strengthening the common chi-squared tests", 1954).
const ENOUGH: f64 = 5.0;

/// The p-value of the null hypothesis that two independent sets of battles have the same score; they may differ in how
/// often nobody wins.
///
/// The score test: both sets have the same mean, the likeliest one, and each the variance of its own likeliest
/// distribution with that mean (O. S. Miettinen and M. Nurminen: "Comparative analysis of two rates", 1985). Without
/// shared battles it is the z-test with pooled variance ([`pooled_z`](super::pooled_z)). A variance pooled with a set
/// that is mostly shared battles would be too small for the other. Where too few wins or losses are expected for sums
/// to be normal the p-value is Chernoff's bound, which is never too small (H. Chernoff: "A measure of asymptotic
/// efficiency for tests of a hypothesis based on the sum of observations", 1952). NaN where a set is empty, or all
/// battles of both ended alike.
///
/// ```
/// use evens::statistics::same_score;
/// use evens::tally::{OutcomeMeasure, Results};
/// let of = |won, lost| Results { won, shared: 0, lost, sides: 2 };
/// let p = same_score(of(189, 10_845), of(104, 10_933), OutcomeMeasure::Score);
/// assert_eq!(format!("{p:.3e}"), "5.692e-7");
/// ```
#[must_use]
pub fn same_score(a: Results, b: Results, measure: OutcomeMeasure) -> f64 {
    let sets = [a, b].map(|of| of.measured(measure));
    // Of no battles nobody may know between how many sides they would be.
    if sets.iter().any(|of| of.battles() == 0) {
        return f64::NAN;
    }
    let all = sets[0].with(sets[1]);
    if [all.won, all.shared, all.lost].contains(&all.battles()) {
        return f64::NAN;
    }
    let means = sets.map(mean);
    let mean = common_mean(sets);
    let rarer = mean.min(1.0 - mean);
    if sets.iter().any(|of| of.battles() as f64 * rarer < ENOUGH) {
        let less_likely =
            |of: &Results| log_likelihood(*of, None) - log_likelihood(*of, Some(mean));
        let bound = 2.0 * libm::exp(-sets.iter().map(less_likely).sum::<f64>());
        return bound.min(1.0);
    }
    let variance: f64 =
        sets.iter().map(|&of| likeliest_variance(of, mean) / of.battles() as f64).sum();
    if variance > 0.0 { two_sided((means[0] - means[1]) / variance.sqrt()) } else { 1.0 }
}

/// The likeliest mean score of two sets of results, if both have the same.
fn common_mean(sets: [Results; 2]) -> f64 {
    let all = sets[0].with(sets[1]);
    let means = sets.map(mean);
    let [low, high] = [means[0].min(means[1]), means[0].max(means[1])];
    let pull = |of: Results, at: f64| {
        of.battles() as f64 * (mean(of) - at) / likeliest_variance(of, at).max(f64::MIN_POSITIVE)
    };
    // Below the likeliest common mean, one set pulls up more than the other pulls down.
    let is_below = |at: f64| sets.iter().map(|&of| pull(of, at)).sum::<f64>() >= 0.0;
    match all.shared {
        0 => mean(all),
        _ if low < high => boundary(low, high, is_below, nearly_equal),
        _ => low,
    }
}

/// The variance of a battle's score in each of two sets under the null hypothesis that both have the same mean. Each
/// has the variance of its own likeliest distribution with that mean, since they may differ in how often nobody wins.
/// Neither set may be empty.
#[must_use]
pub fn score_variances_if_alike(sets: [Results; 2], measure: OutcomeMeasure) -> [f64; 2] {
    let sets = sets.map(|of| of.measured(measure));
    let mean = common_mean(sets);
    sets.map(|of| likeliest_variance(of, mean))
}

/// A cache of scores by one measure at one level, each computed once for equal results. Small sets of battles have few
/// different results, however many such sets there are.
#[derive(Debug)]
pub struct Scores {
    measure: OutcomeMeasure,
    level: Level,
    known: RefCell<FxHashMap<Results, Estimate>>,
}

impl Scores {
    /// An empty cache for a measure and a level.
    #[must_use]
    pub fn new(measure: OutcomeMeasure, level: Level) -> Self {
        Self { measure, level, known: RefCell::default() }
    }

    /// The score of these results, as [`score`] gives it, computed once for equal results.
    #[must_use]
    pub fn of(&self, results: Results) -> Estimate {
        let work_out = || score(results, self.measure, self.level);
        *self.known.borrow_mut().entry(results).or_insert_with(work_out)
    }

    /// The difference between the scores of two sets of results, as [`score_difference`] gives it, each score computed
    /// once.
    #[must_use]
    pub fn difference(&self, a: Results, b: Results) -> Estimate {
        self.of(a).less(self.of(b))
    }
}

/// Results as a sample of whole numbers, for tests of means: a win counts the number of sides, a shared battle 1, a
/// loss 0.
#[must_use]
pub fn score_sample(results: Results, measure: OutcomeMeasure) -> Sample {
    let results = results.measured(measure);
    let (won, shared, sides) =
        (i128::from(results.won), i128::from(results.shared), i128::from(results.sides));
    Sample {
        count: results.battles(),
        sum: sides * won + shared,
        squares: sides * sides * won + shared,
    }
}

/// The mean score of some battles, 0 to 1.
pub(super) fn mean(results: Results) -> f64 {
    let sides = u64::from(results.sides);
    (results.won * sides + results.shared) as f64 / (results.battles() * sides) as f64
}

/// The variance of a battle's score under the likeliest distribution over win, shared and loss whose mean is `at`.
pub(super) fn likeliest_variance(results: Results, at: f64) -> f64 {
    let worth = 1.0 / f64::from(results.sides);
    (at * (1.0 - at) - worth * (1.0 - worth) * likeliest_shared(results, at)).max(0.0)
}

/// The log-likelihood of results under the likeliest distribution with this mean, or with any mean if it is None.
fn log_likelihood(results: Results, mean: Option<f64>) -> f64 {
    let n = results.battles() as f64;
    let Results { won, shared, lost, sides } = results;
    let shares = match mean {
        None => [won, shared, lost].map(|of| of as f64 / n),
        Some(at) => {
            let (t, worth) = (likeliest_shared(results, at), 1.0 / f64::from(sides));
            [at - worth * t, t, 1.0 - at - (1.0 - worth) * t]
        }
    };
    let of_one = |(count, share): (u64, f64)| match count {
        0 => 0.0,
        _ => count as f64 * libm::log(share.max(f64::MIN_POSITIVE)),
    };
    [won, shared, lost].into_iter().zip(shares).map(of_one).sum()
}

/// The share of shared battles in the likeliest distribution over win, shared and loss whose mean is `at`. With
/// probabilities at - v t, t and 1 - at - (1 - v) t, where v is the score of a shared battle, the likelihood is
/// greatest at the smaller root of a quadratic in t.
fn likeliest_shared(results: Results, at: f64) -> f64 {
    let n = results.battles() as f64;
    let (won, shared, lost) = (results.won as f64, results.shared as f64, results.lost as f64);
    let worth = 1.0 / f64::from(results.sides);
    let spread = worth * (1.0 - worth);
    let (a, c) = (spread * n, shared * at * (1.0 - at));
    let b = shared * (worth * (1.0 - at) + (1.0 - worth) * at)
        + worth * won * (1.0 - at)
        + (1.0 - worth) * lost * at;
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    // The smaller root, without subtracting nearly equal numbers.
    if b + root > 0.0 { 2.0 * c / (b + root) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::statistics::proportion;
    use proptest::prelude::*;

    fn duel(won: u64, shared: u64, lost: u64) -> Results {
        Results { won, shared, lost, sides: 2 }
    }

    /// The ends agree with another program's, which maximises the likelihood by search instead of by the quadratic.
    #[test]
    fn ends_are_where_the_score_test_begins_to_reject() {
        let ends = |results| {
            let of = score(results, OutcomeMeasure::Score, Level::P95);
            format!("{:.8} {:.8}", of.low, of.high)
        };
        assert_eq!(ends(duel(12, 35, 1)), "0.54902731 0.68634570");
        assert_eq!(ends(duel(40, 20, 40)), "0.41358747 0.58641253");
        let three = Results { won: 10, shared: 80, lost: 30, sides: 3 };
        assert_eq!(ends(three), "0.26408827 0.35730461");
    }

    proptest! {
        #[test]
        fn scores_that_are_known_are_those_that_are_worked_out(
            counts in prop::collection::vec((0u64..6, 0u64..4, 0u64..6), 2..60),
        ) {
            let results: Vec<Results> =
                counts.into_iter().map(|(won, shared, lost)| duel(won, shared, lost)).collect();
            let bits = |of: Estimate| [of.value, of.low, of.high].map(f64::to_bits);
            for measure in [OutcomeMeasure::Score, OutcomeMeasure::Wins] {
                let scores = Scores::new(measure, Level::P95);
                for pair in results.windows(2) {
                    let [a, b] = [pair[0], pair[1]];
                    prop_assert_eq!(bits(scores.of(a)), bits(score(a, measure, Level::P95)));
                    let plain = score_difference(a, b, measure, Level::P95);
                    prop_assert_eq!(bits(scores.difference(a, b)), bits(plain));
                }
            }
        }
    }

    #[test]
    fn without_draws_it_is_wilsons() {
        let one = score(duel(81, 0, 182), OutcomeMeasure::Score, Level::P95);
        assert_eq!(one, proportion(81, 263, Level::P95));
    }

    #[test]
    fn measures_differ_by_what_nobody_won() {
        let value = |measure| score(duel(30, 40, 30), measure, Level::P95).value;
        assert_eq!(value(OutcomeMeasure::Score), 0.5);
        assert_eq!(value(OutcomeMeasure::Wins), 0.3);
        assert_eq!(value(OutcomeMeasure::Decided), 0.5);
    }

    /// In 20,000 sets of battles between two or three sides, with few or nearly only draws, the interval holds the true
    /// score in 93% to 97.5% of them, and in 94% to 96% wherever there are 100 battles or more.
    #[test]
    fn intervals_of_scores_cover() {
        let mut worst: (f64, f64) = (1.0, 0.0);
        for (case, (n, won, shared, sides)) in [
            (30, 0.5, 0.0, 2),
            (30, 0.3, 0.4, 2),
            (30, 0.05, 0.9, 2),
            (100, 0.4, 0.2, 2),
            (100, 0.1, 0.85, 2),
            (400, 0.02, 0.95, 2),
            (1000, 0.6, 0.1, 2),
            (100, 0.25, 0.25, 3),
            (300, 0.1, 0.8, 3),
        ]
        .into_iter()
        .enumerate()
        {
            let truth: f64 = won + shared / f64::from(sides);
            let (mut covered, sets) = (0, 20_000);
            let mut random = Seeded::of_battle(31, case as u64);
            for _ in 0..sets {
                let mut results = Results::none(sides);
                for _ in 0..n {
                    let drawn = random.unit();
                    if drawn < won {
                        results.won += 1;
                    } else if drawn < won + shared {
                        results.shared += 1;
                    } else {
                        results.lost += 1;
                    }
                }
                covered +=
                    u32::from(!score(results, OutcomeMeasure::Score, Level::P95).excludes(truth));
            }
            let coverage = f64::from(covered) / f64::from(sets);
            let (least, most) = if n < 100 { (0.93, 0.975) } else { (0.94, 0.96) };
            assert!((least..=most).contains(&coverage), "{n} {won} {shared} {sides}: {coverage}");
            worst = (worst.0.min(coverage), worst.1.max(coverage));
        }
        assert!(worst.0 < worst.1);
    }

    /// Of 20,000 pairs of sets with the same mean score, 4% to 6% are significant at 5% (3.8% of 40 battles against
    /// draws), and no more than one in 1,000 at a tenth of a percent, however different the shares of battles that
    /// nobody won (such as those that both sides forfeit) and the numbers of battles; with few wins or losses fewer
    /// are. With one variance for both sets up to 12% were.
    #[test]
    fn sets_with_the_same_score_are_seldom_told_apart() {
        for (case, (first, second, is_normal)) in [
            ((1_000, 0.5, 0.0), (1_000, 0.5, 0.0), true),
            ((100, 0.5, 0.0), (3_000, 0.5, 0.0), true),
            ((100, 0.5, 0.0), (3_000, 0.35, 0.3), true),
            ((100, 0.5, 0.0), (3_000, 0.2, 0.6), true),
            ((3_000, 0.5, 0.0), (100, 0.2, 0.6), true),
            ((300, 0.3, 0.4), (300, 0.45, 0.1), true),
            ((200, 0.1, 0.0), (4_000, 0.05, 0.1), true),
            ((40, 0.5, 0.0), (400, 0.0, 1.0), true),
            ((8, 0.5, 0.0), (4_000, 0.5, 0.0), false),
            ((5, 0.5, 0.0), (4_000, 0.25, 0.5), false),
            ((100, 0.001, 0.0), (3_000, 0.001, 0.0), false),
            ((100, 0.01, 0.0), (3_000, 0.0, 0.02), false),
            ((30, 0.02, 0.0), (30, 0.02, 0.0), false),
        ]
        .into_iter()
        .enumerate()
        {
            let mut random = Seeded::of_battle(33, case as u64);
            let mut set = |(battles, won, shared): (u64, f64, f64)| {
                let mut results = Results::none(2);
                for _ in 0..battles {
                    match random.unit() {
                        at if at < won => results.won += 1,
                        at if at < won + shared => results.shared += 1,
                        _ => results.lost += 1,
                    }
                }
                results
            };
            let mut below = [0; 2];
            for _ in 0..20_000 {
                let p = same_score(set(first), set(second), OutcomeMeasure::Score);
                for (below, level) in below.iter_mut().zip([0.05, 0.001]) {
                    *below += u32::from(p < level);
                }
            }
            let [few, fewer] = below.map(|of| f64::from(of) / 20_000.0);
            println!("{first:?} {second:?}: {few:.4} {fewer:.5}");
            assert!(few < 0.06 && fewer < 0.002, "{first:?} {second:?}: {few} {fewer}");
            assert!(!is_normal || few > 0.038, "{first:?} {second:?}: {few}");
        }
    }

    #[test]
    fn what_cannot_differ_is_not_tested_and_what_does_is_found() {
        let p = |a, b| same_score(a, b, OutcomeMeasure::Score);
        assert!(p(duel(9, 0, 0), duel(900, 0, 0)).is_nan());
        assert!(p(duel(0, 0, 0), duel(5, 2, 3)).is_nan());
        assert_eq!(p(duel(0, 5, 0), duel(5, 0, 5)), 1.0);
        assert!(p(duel(0, 0, 100), duel(3_000, 0, 0)) < 1e-100);
        assert!(p(duel(400, 0, 600), duel(600, 0, 400)) < 1e-12);
        assert!(p(duel(0, 2, 98), duel(3_000, 0, 0)) < 1e-100);
    }

    proptest! {
        /// Without shared battles, and where sums are normal, it is the textbook's test; and it does not depend on the
        /// order of the samples.
        #[test]
        fn without_draws_variances_are_pooled(
            a in (10u64..900, 10u64..900), b in (10u64..900, 10u64..900), shared in 0u64..90
        ) {
            let [of_a, of_b] = [a, b].map(|(won, lost)| duel(won, 0, lost));
            let p = same_score(of_a, of_b, OutcomeMeasure::Score);
            let [sa, sb] = [of_a, of_b].map(|of| score_sample(of, OutcomeMeasure::Score));
            let of_both = of_a.with(of_b);
            let rarer = mean(of_both).min(1.0 - mean(of_both));
            if rarer * of_a.battles().min(of_b.battles()) as f64 >= ENOUGH {
                prop_assert!((p - two_sided(crate::statistics::pooled_z(sa, sb))).abs() < 1e-9);
            }
            let mixed = Results { shared, ..of_a };
            let turned = |of: Results| Results { won: of.lost, lost: of.won, ..of };
            let there = same_score(mixed, of_b, OutcomeMeasure::Score);
            let back = same_score(turned(of_b), turned(mixed), OutcomeMeasure::Score);
            prop_assert!((there - back).abs() < 1e-6 * there.max(1e-9), "{there} {back}");
        }

        #[test]
        fn the_interval_holds_the_score_and_turns_with_the_sides(
            won in 0..500_u64, shared in 0..500_u64, lost in 0..500_u64
        ) {
            prop_assume!(won + shared + lost > 0);
            let one = score(duel(won, shared, lost), OutcomeMeasure::Score, Level::P95);
            prop_assert!(0.0 <= one.low && one.low <= one.value);
            prop_assert!(one.value <= one.high && one.high <= 1.0);
            let other = score(duel(lost, shared, won), OutcomeMeasure::Score, Level::P95);
            prop_assert!((one.low + other.high - 1.0).abs() < 1e-9, "{one:?} {other:?}");
        }

        /// The fewer shared battles, the wider the interval: a won and a lost battle vary more than two shared ones.
        #[test]
        fn draws_narrow_the_interval(decided in 1..200_u64, shared in 1..400_u64) {
            let drawn = score(duel(decided, 2 * shared, decided), OutcomeMeasure::Score, Level::P95);
            let fought =
                score(duel(decided + shared, 0, decided + shared), OutcomeMeasure::Score, Level::P95);
            prop_assert!(drawn.high - drawn.low < fought.high - fought.low);
        }

        #[test]
        fn the_sample_has_the_same_mean(won in 0..90_u64, shared in 0..90_u64, lost in 1..90_u64) {
            let results = Results { won, shared, lost, sides: 3 };
            let sample = score_sample(results, OutcomeMeasure::Score);
            let expected = mean(results) * 3.0 * results.battles() as f64;
            prop_assert!((sample.sum as f64 - expected).abs() < 1e-9);
        }
    }
}
