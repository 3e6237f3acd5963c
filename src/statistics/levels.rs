//! Estimates of two levels, before and after a change, from battles that were played both times and from others.

use super::{Estimate, Level, Sample, score_sample, score_variances_if_alike, two_sided};
use crate::tally::{OutcomeMeasure, Results};

/// Points in the same battles before and after a change, with the sums for the covariance of the two means. A subject
/// may appear several times in a battle: appearances in one battle are not independent of each other, battles are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairedSums {
    /// Battles with an appearance.
    pub battles: u64,
    /// The number of appearances.
    pub times: u64,
    /// The points of the appearances, before and after.
    pub points: [u64; 2],
    times_squared: u64,
    times_by_points: [u64; 2],
    points_squared: [u64; 2],
    product: u64,
}

impl PairedSums {
    /// Adds a battle, with the number of appearances in it and their points before and after.
    #[inline]
    pub fn add(&mut self, times: u32, before: u32, after: u32) {
        let (times, points) = (u64::from(times), [u64::from(before), u64::from(after)]);
        self.battles += 1;
        self.times += times;
        self.times_squared += times * times;
        for (at, points) in points.into_iter().enumerate() {
            self.points[at] += points;
            self.times_by_points[at] += times * points;
            self.points_squared[at] += points * points;
        }
        self.product += points[0] * points[1];
    }

    /// The mean points of an appearance, before and after, divided by `most`: for a score, the points of a win.
    #[must_use]
    pub fn levels(&self, most: f64) -> Levels {
        let values = self.values(most);
        self.around(values, values, most)
    }

    /// The mean score of an appearance, as in [`levels`](Self::levels), with the errors under the null hypothesis that
    /// both means are the same. The variance of the difference then is that of Q. McNemar's test (1947).
    #[must_use]
    pub fn levels_if_alike(&self, most: f64) -> Levels {
        let values = self.values(most);
        let middle = (values[0] + values[1]) / 2.0;
        self.around(values, [middle; 2], most)
    }

    fn values(&self, most: f64) -> [f64; 2] {
        self.points.map(|points| points as f64 / (most * self.times as f64))
    }

    /// The means, with their variances around `centres`, linearised as ratios.
    fn around(&self, values: [f64; 2], centres: [f64; 2], most: f64) -> Levels {
        let of_one = |sum: u64| sum as f64 / most;
        let all = (self.times as f64).powi(2);
        let product = |one: usize, other: usize, points: u64| {
            let [a, b] = [centres[one], centres[other]];
            (points as f64 / (most * most)
                - a * of_one(self.times_by_points[other])
                - b * of_one(self.times_by_points[one])
                + a * b * self.times_squared as f64)
                / all
        };
        // Battles that happened to end alike are not certain: half a battle is added that may go either way.
        let either_way = 0.5 / all;
        let variance = |at: usize| product(at, at, self.points_squared[at]).max(0.0) + either_way;
        let variances = [variance(0), variance(1)];
        let most_covariance = ((variances[0] - either_way) * (variances[1] - either_way)).sqrt();
        let covariance = product(0, 1, self.product).clamp(-most_covariance, most_covariance);
        Levels { values, variances, covariance }
    }
}

/// Estimates of two levels, before and after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The estimated levels, before and after.
    pub values: [f64; 2],
    /// The variance of each estimate.
    pub variances: [f64; 2],
    /// The covariance of the two estimates: 0 where no battle was played both times.
    pub covariance: f64,
}

impl Levels {
    /// The levels behind two independent samples of numbers, divided by `most`: for a score, the points of a win.
    #[must_use]
    pub fn of_samples(samples: [Sample; 2], most: f64) -> Self {
        let deviations = samples.map(Sample::deviation);
        Self::apart(samples, deviations, most)
    }

    /// The levels behind two independent samples, as in [`of_samples`](Self::of_samples), with the errors under the
    /// null hypothesis that both come from one distribution: the variance is pooled.
    #[must_use]
    pub fn of_samples_if_alike(samples: [Sample; 2], most: f64) -> Self {
        Self::apart(samples, [samples[0].with(samples[1]).deviation(); 2], most)
    }

    /// The levels of two independent sets of results, before and after, with the errors under the null hypothesis that
    /// both have the same score, however often nobody wins in either.
    #[must_use]
    pub fn of_scores_if_alike(results: [Results; 2], measure: OutcomeMeasure) -> Self {
        let most = f64::from(results[0].sides);
        let variances = score_variances_if_alike(results, measure);
        let samples = results.map(|of| score_sample(of, measure));
        Self::apart(samples, variances.map(|of| most * of.sqrt()), most)
    }

    fn apart(samples: [Sample; 2], deviations: [f64; 2], most: f64) -> Self {
        let values = samples.map(|of| of.sum as f64 / (most * of.count as f64));
        let variance = |at: usize| {
            let count = samples[at].count as f64;
            (deviations[at] / most).powi(2) / count + 0.5 / (count * count)
        };
        Self { values, variances: [variance(0), variance(1)], covariance: 0.0 }
    }

    /// Combines two estimates of the same levels from different battles, weighted by their inverse covariance, the most
    /// precise of all unbiased linear combinations (A. C. Aitken: "On least squares and linear combination of
    /// observations", 1935).
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let (one, two) = (self.inverse(), other.inverse());
        let sum = Symmetric { a: one.a + two.a, b: one.b + two.b, c: one.c + two.c };
        let right: Vec<f64> = one
            .times(self.values)
            .into_iter()
            .zip(two.times(other.values))
            .map(|(one, two)| one + two)
            .collect();
        let covariance = sum.inverse();
        let values = covariance.times([right[0], right[1]]);
        Self { values, variances: [covariance.a, covariance.c], covariance: covariance.b }
    }

    fn inverse(&self) -> Symmetric {
        Symmetric { a: self.variances[0], b: self.covariance, c: self.variances[1] }.inverse()
    }

    /// How much higher the second level is than the first, and the variance of this difference.
    #[must_use]
    pub fn difference(&self) -> (f64, f64) {
        let variance = self.variances[0] + self.variances[1] - 2.0 * self.covariance;
        (self.values[1] - self.values[0], variance.max(0.0))
    }

    /// The two levels and their difference with normal intervals, levels clamped to 0 to 1 and the difference to -1 to
    /// 1.
    #[must_use]
    pub fn estimates(&self, level: Level) -> [Estimate; 3] {
        let estimate = |value: f64, variance: f64, [least, most]: [f64; 2]| {
            let half = level.z() * variance.sqrt();
            let value = value.clamp(least, most);
            Estimate { value, low: (value - half).max(least), high: (value + half).min(most) }
        };
        let [before, after] =
            [0, 1].map(|at| estimate(self.values[at], self.variances[at], [0.0, 1.0]));
        let (difference, variance) = self.difference();
        [before, after, estimate(difference, variance, [-1.0, 1.0])]
    }

    /// The two-sided p-value of no difference, for levels whose errors are those under this null hypothesis.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        let (difference, variance) = self.difference();
        two_sided(difference / variance.sqrt())
    }
}

/// A symmetric 2 x 2 matrix with the rows a, b and b, c.
#[derive(Clone, Copy)]
struct Symmetric {
    a: f64,
    b: f64,
    c: f64,
}

impl Symmetric {
    fn inverse(self) -> Self {
        let determinant = self.a * self.c - self.b * self.b;
        Self { a: self.c / determinant, b: -self.b / determinant, c: self.a / determinant }
    }

    fn times(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.a * x + self.b * y, self.b * x + self.c * y]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    fn trials(won: u64, of: u64) -> Sample {
        Sample::of_trials(won, of)
    }

    /// b = 10 and c = 20 of 100: the difference is 0.1 and McNemar's statistic 100 / 30, here with one more battle that
    /// may go either way.
    #[test]
    fn pairs_alone_are_mcnemars_test() {
        let mut sums = PairedSums::default();
        for (battles, before, after) in [(30, 1, 1), (10, 1, 0), (20, 0, 1), (40, 0, 0)] {
            (0..battles).for_each(|_| sums.add(1, before, after));
        }
        let p = sums.levels_if_alike(1.0).p_value();
        assert!((p - two_sided(10.0 / 31.0_f64.sqrt())).abs() < 1e-9, "{p}");
        let (value, variance) = sums.levels(1.0).difference();
        assert!((value - 0.1).abs() < 1e-12);
        assert!((variance - ((30.0 - 1.0) / 1e4 + 1e-4)).abs() < 1e-9, "{variance}");
    }

    /// Inverse-variance weights by hand: as many battles on either side, differences of 0.02 and 0.04.
    #[test]
    fn independent_estimates_are_weighted_by_their_precision() {
        let one = Levels { values: [0.5, 0.52], variances: [2e-4, 2e-4], covariance: 0.0 };
        let two = Levels { values: [0.5, 0.54], variances: [1e-4, 1e-4], covariance: 0.0 };
        let (difference, variance) = one.with(two).difference();
        assert!((difference - (0.02 + 2.0 * 0.04) / 3.0).abs() < 1e-12);
        assert!((variance - 1.0 / (1.0 / 4e-4 + 1.0 / 2e-4)).abs() < 1e-12);
    }

    /// Paired battles that all ended alike show that there is no change, whatever unpaired ones say.
    #[test]
    fn battles_that_end_alike_have_the_last_word() {
        let mut sums = PairedSums::default();
        (0..10_000).for_each(|at| sums.add(1, at % 2, at % 2));
        let far = [trials(4_900, 10_000), trials(5_200, 10_000)];
        let together = Levels::of_samples_if_alike(far, 1.0).with(sums.levels_if_alike(1.0));
        assert!(together.p_value() > 0.9, "{together:?}");
        let together = Levels::of_samples(far, 1.0).with(sums.levels(1.0));
        let (difference, variance) = together.difference();
        assert!(difference.abs() < 1e-4 && variance.sqrt() < 2e-4, "{together:?}");
        assert!((together.values[0] - 0.503).abs() < 2e-3, "{together:?}");
    }

    /// Pairs that seldom or often differ, with as many other battles or five times as many, with a change and without:
    /// 95 of 100 intervals hold the truth, and no more than 5 of 100 tests see a change where there is none.
    #[test]
    fn intervals_hold_the_truth_and_tests_their_level() {
        const REPEATS: u32 = 3_000;
        // The odds of a win both times, only before, only after.
        for (case, (pairs, others, [both, one, other])) in [
            (400, 400, [0.45, 0.02, 0.02]),
            (400, 2_000, [0.45, 0.02, 0.05]),
            (400, 400, [0.25, 0.25, 0.25]),
            (300, 1_500, [0.2, 0.1, 0.2]),
            (2_000, 2_000, [0.3, 0.002, 0.002]),
        ]
        .into_iter()
        .enumerate()
        {
            let mut random = Seeded::of_battle(61, case as u64);
            let truth: f64 = other - one;
            let [p, q]: [f64; 2] = [both + one, both + other];
            let (mut held, mut seen) = (0, 0);
            for _ in 0..REPEATS {
                let mut sums = PairedSums::default();
                for _ in 0..pairs {
                    let unit = random.unit();
                    let before = unit < both + one;
                    let after = unit < both || (both + one..both + one + other).contains(&unit);
                    sums.add(1, u32::from(before), u32::from(after));
                }
                let mut won =
                    |rate: f64| (0..others).filter(|_| random.unit() < rate).count() as u64;
                let samples = [won(p), won(q)].map(|won| trials(won, others));
                let together = Levels::of_samples(samples, 1.0).with(sums.levels(1.0));
                let [.., difference] = together.estimates(Level::P95);
                held += u32::from(!difference.excludes(truth));
                let alike =
                    Levels::of_samples_if_alike(samples, 1.0).with(sums.levels_if_alike(1.0));
                seen += u32::from(alike.p_value() < 0.05);
            }
            let share = |count: u32| f64::from(count) / f64::from(REPEATS);
            assert!((0.935..0.985).contains(&share(held)), "case {case}: {}", share(held));
            if truth == 0.0 {
                assert!(share(seen) < 0.06, "case {case}: {}", share(seen));
            }
        }
    }

    /// Two sets with the same mean, one of them mostly draws: 5 of 100 tests see a change, where 12 did with pooled
    /// variance.
    #[test]
    fn scores_are_told_apart_by_their_own_spread() {
        const REPEATS: u32 = 2_000;
        let seen = (0..REPEATS).filter(|&repeat| {
            let mut random = Seeded::of_battle(62, repeat.into());
            let mut set = |battles: u64, shared: f64| {
                let mut of = Results::none(2);
                for _ in 0..battles {
                    match random.unit() {
                        unit if unit < shared => of.shared += 1,
                        unit if unit < shared + (1.0 - shared) / 2.0 => of.won += 1,
                        _ => of.lost += 1,
                    }
                }
                of
            };
            let sets = [set(4_000, 0.6), set(300, 0.0)];
            Levels::of_scores_if_alike(sets, OutcomeMeasure::Score).p_value() < 0.05
        });
        let seen = seen.count();
        assert!((60..=140).contains(&seen), "{seen}");
    }

    /// Appearing twice in one battle is not appearing in two battles.
    #[test]
    fn appearances_of_one_battle_are_not_independent() {
        let (mut once, mut twice) = (PairedSums::default(), PairedSums::default());
        for at in 0..1_000 {
            let (before, after) = (at % 2, u32::from(at % 3 == 0));
            once.add(1, before, after);
            twice.add(2, 2 * before, 2 * after);
        }
        let (one, two) = (once.levels(1.0).difference(), twice.levels(1.0).difference());
        assert!(
            (one.0 - two.0).abs() < 1e-12 && (one.1 / two.1 - 1.0).abs() < 0.01,
            "{one:?} {two:?}"
        );
    }
}
