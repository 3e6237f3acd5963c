//! Equivalence tests: whether many deviations are all small, and how many battles it takes to show it.

use super::distributions::{normal_cdf, normal_quantile};

use super::{Estimate, Level};

/// The power that [`Deviations::factor_needed`] plans for: four of five such samples show equivalence.
const POWER: f64 = 0.8;
/// The largest factor by which the number of battles may be multiplied; a larger one counts as none.
const MOST: f64 = 1e9;

/// An estimated deviation from a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// A set of estimated deviations, the largest of which matters.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviations {
    of: Vec<Deviation>,
    /// How many of them, the first ones, are free, that is, do not follow from the others.
    free: usize,
    /// The largest possible size of a deviation.
    most: f64,
}

/// What a sample says about the largest of many deviations, whichever it truly is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Largest {
    /// The index of the deviation that is largest in the sample.
    pub at: usize,
    /// Its size in the sample, which is too large on average because it is the largest of many.
    pub value: f64,
    /// The index of the deviation with the highest lower confidence bound.
    pub surest: usize,
    /// A lower confidence bound for the size of the largest, 0 or more.
    pub low: f64,
    /// An upper confidence bound for the size of the largest, and so of every deviation.
    pub high: f64,
    /// The median size that the largest would have in a sample if all true deviations were 0.
    pub by_chance: f64,
}

/// Two figures that differ by less than this are equal but for rounding.
const EQUAL: f64 = 1e-9;

/// The deviations that are as large in a sample as one of them, which comes first.
#[must_use]
pub fn as_large(of: &[Deviation], one: usize) -> Vec<usize> {
    let size = |at: usize| of[at].value.abs();
    let others = (0..of.len()).filter(|&at| at != one && (size(at) - size(one)).abs() < EQUAL);
    std::iter::once(one).chain(others).collect()
}

/// The deviations that are as large in a sample as one of them, which comes first, and known as well: whatever is shown of
/// the size of one is shown of all.
#[must_use]
pub fn as_sure(of: &[Deviation], one: usize) -> Vec<usize> {
    let mut all = as_large(of, one);
    all.retain(|&at| (of[at].error - of[one].error).abs() < EQUAL);
    all
}

/// The result of an equivalence test against a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// Every deviation is smaller than the margin.
    Shown,
    /// Neither is shown.
    Open,
    /// At least one deviation is larger than the margin.
    Refuted,
}

impl Deviations {
    /// A set of deviations, all free; None when it is empty or one of them is not finite.
    #[must_use]
    pub fn new(of: Vec<Deviation>) -> Option<Self> {
        let known = |one: &Deviation| one.value.is_finite() && one.error.is_finite();
        let free = of.len();
        (!of.is_empty() && of.iter().all(known)).then_some(Self { of, free, most: f64::INFINITY })
    }

    /// These deviations, where all but the first `free` follow from those.
    #[must_use]
    pub fn of_which_free(self, free: usize) -> Self {
        Self { free: free.clamp(1, self.of.len()), ..self }
    }

    /// These deviations, where none can be larger than `most`: upper bounds are cut off there.
    #[must_use]
    pub fn at_most(self, most: f64) -> Self {
        Self { most, ..self }
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Deviation] {
        &self.of
    }

    /// How many deviations do not follow from the others.
    #[must_use]
    pub fn free(&self) -> usize {
        self.free
    }

    /// The largest deviation, with bounds that each hold at this one-sided confidence.
    ///
    /// The upper bound is the largest of all single one-sided bounds. It needs no correction for their number: the
    /// bound of the truly largest deviation alone makes it hold (the intersection-union principle; R. L. Berger:
    /// "Multiparameter hypothesis testing and acceptance sampling", 1982). The lower bound may come from any of them,
    /// and is corrected by C. E. Bonferroni's inequality.
    #[must_use]
    pub fn largest(&self, confidence: f64) -> Largest {
        let size = |at: usize| self.of[at].value.abs();
        let all = 0..self.of.len();
        let at = all.clone().max_by(|&a, &b| size(a).total_cmp(&size(b))).unwrap_or(0);
        let z = one_sided(confidence);
        let high = self.of.iter().map(|one| one.value.abs() + z * one.error).fold(0.0, f64::max);
        let high = high.min(self.most);
        let z = normal_quantile(1.0 - (1.0 - confidence) / (2.0 * self.free as f64));
        let least = |at: usize| size(at) - z * self.of[at].error;
        let surest = all.max_by(|&a, &b| least(a).total_cmp(&least(b))).unwrap_or(0);
        let low = least(surest).max(0.0);
        Largest { at, value: size(at), surest, low, high, by_chance: self.by_chance() }
    }

    /// Tests whether all deviations are smaller than `margin`: two one-sided tests of each (D. J. Schuirmann: "A
    /// comparison of the two one-sided tests procedure and the power approach", 1987), all of which must reject. Each
    /// answer other than [`Equivalence::Open`] is wrong in at most 1 - `confidence` of the samples.
    #[must_use]
    pub fn within(&self, margin: f64, confidence: f64) -> Equivalence {
        let largest = self.largest(confidence);
        if largest.high < margin {
            Equivalence::Shown
        } else if largest.low > margin {
            Equivalence::Refuted
        } else {
            Equivalence::Open
        }
    }

    /// The typical deviation: the root mean square, corrected for the part that comes from standard errors.
    #[must_use]
    pub fn typical(&self) -> f64 {
        let squares = self.of.iter().map(|one| one.value * one.value - one.error * one.error);
        (squares.sum::<f64>() / self.of.len() as f64).max(0.0).sqrt()
    }

    /// The size of the largest deviation, with an interval of this confidence that holds whichever it truly is: both
    /// bounds of [`Deviations::largest`], each with half the error rate.
    #[must_use]
    pub fn of_largest(&self, confidence: f64) -> Estimate {
        let Largest { value, low, high, .. } = self.largest(f64::midpoint(1.0, confidence));
        Estimate { value, low, high }
    }

    /// The typical deviation with an interval of this confidence: the values it can have while every deviation lies in
    /// its simultaneous interval (C. E. Bonferroni). It is too wide rather than too narrow, however the deviations
    /// depend on each other.
    #[must_use]
    pub fn of_typical(&self, confidence: f64) -> Estimate {
        let z = normal_quantile(1.0 - (1.0 - confidence) / (2.0 * self.free as f64));
        let root = |size: &dyn Fn(&Deviation) -> f64| {
            let squares: f64 = self.of.iter().map(|one| size(one).powi(2)).sum();
            (squares / self.of.len() as f64).sqrt()
        };
        let value = self.typical();
        let low = root(&|one| (one.value.abs() - z * one.error).max(0.0));
        let high = root(&|one| (one.value.abs() + z * one.error).min(self.most));
        Estimate { value, low: low.min(value), high: high.max(value) }
    }

    /// The factor by which the number of battles must be multiplied to show all deviations smaller than `margin` in
    /// four of five samples, if the truth is as this sample suggests. The estimates are shrunken towards 0 for that
    /// (empirical Bayes; B. Efron and C. Morris: "Data analysis using Stein's estimator and its generalizations",
    /// 1975), because the largest of many are largest partly by chance. None where the true deviations seem not to be
    /// smaller.
    #[must_use]
    pub fn factor_needed(&self, margin: f64, confidence: f64) -> Option<f64> {
        let prior = self.typical().powi(2);
        let shrunken = self.of[..self.free].iter().map(|&Deviation { value, error }| {
            let noise = error * error;
            let kept = if prior > 0.0 { prior / (prior + noise) } else { 0.0 };
            Deviation { value: kept * value.abs(), error }
        });
        factor(&shrunken.collect::<Vec<_>>(), margin, confidence)
    }

    /// The factor of [`factor_needed`](Self::factor_needed) if all true deviations are 0: for a sample in which nothing
    /// is significant, which says nothing else about their sizes.
    #[must_use]
    pub fn factor_if_none(&self, margin: f64, confidence: f64) -> Option<f64> {
        let none = |of: &Deviation| Deviation { value: 0.0, ..*of };
        factor(&self.of[..self.free].iter().map(none).collect::<Vec<_>>(), margin, confidence)
    }

    fn by_chance(&self) -> f64 {
        let errors =
            || self.of[..self.free].iter().map(|one| one.error).filter(|&error| error > 0.0);
        let all_below = |size: f64| -> f64 {
            errors().map(|error| 2.0 * normal_cdf(size / error) - 1.0).product()
        };
        let (mut low, mut high) = (0.0, 10.0 * errors().fold(0.0, f64::max));
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if all_below(middle) < 0.5 {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

/// The factor by which the number of battles must be multiplied to show all deviations smaller than `margin` in four of
/// five samples, if these are the true ones. None where they are not smaller.
fn factor(truths: &[Deviation], margin: f64, confidence: f64) -> Option<f64> {
    let z = one_sided(confidence);
    // The probability that one of the tests fails, by G. Boole's inequality.
    let failing = |factor: f64| -> f64 {
        let fails = |one: &Deviation| {
            let error = (one.error / factor.sqrt()).max(f64::MIN_POSITIVE);
            let room = margin - z * error;
            let passes =
                normal_cdf((room - one.value) / error) - normal_cdf((-room - one.value) / error);
            if room > 0.0 { 1.0 - passes } else { 1.0 }
        };
        truths.iter().map(fails).sum()
    };
    if failing(MOST) > 1.0 - POWER {
        return None;
    }
    let (mut low, mut high) = (libm::log(MOST.recip()), libm::log(MOST));
    while high - low > 1e-3 {
        let middle = f64::midpoint(low, high);
        if failing(libm::exp(middle)) > 1.0 - POWER {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(libm::exp(high))
}

/// How many standard errors a one-sided bound of this confidence is from the estimate.
fn one_sided(confidence: f64) -> f64 {
    Level::new(2.0 * confidence - 1.0).map_or(f64::NAN, Level::z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    const LEVEL: f64 = 0.95;

    fn deviations(of: &[(f64, f64)]) -> Deviations {
        let of = of.iter().map(|&(value, error)| Deviation { value, error });
        Deviations::new(of.collect()).unwrap()
    }

    #[test]
    fn one_deviation_is_tested_from_both_sides() {
        let one = deviations(&[(-0.004, 0.002)]);
        let largest = one.largest(LEVEL);
        assert!((largest.high - (0.004 + 1.644_854 * 0.002)).abs() < 1e-8);
        assert!((largest.low - (0.004 - 1.959_964 * 0.002)).abs() < 1e-8);
        assert!((largest.by_chance - 0.674_49 * 0.002).abs() < 1e-7, "the quartile of a normal");
        assert_eq!(one.within(0.0073, LEVEL), Equivalence::Shown);
        assert_eq!(one.within(0.0072, LEVEL), Equivalence::Open);
        assert_eq!(one.within(0.00007, LEVEL), Equivalence::Refuted);
    }

    /// Of two rivals one gains what the other loses.
    #[test]
    fn what_is_as_large_is_told() {
        let all = deviations(&[(-0.1 - 0.2, 0.01), (0.3, 0.01), (0.3, 0.02), (0.1, 0.01)]);
        let largest = all.largest(LEVEL);
        assert_eq!(as_large(all.all(), 1), [1, 0, 2]);
        assert!([0, 1].contains(&largest.surest), "known better than the third");
        assert_eq!(as_sure(all.all(), 0), [0, 1]);
        assert_eq!(as_sure(all.all(), 2), [2]);
        assert_eq!(as_large(all.all(), 3), [3]);
    }

    #[test]
    fn what_is_not_known_is_not_small() {
        assert_eq!(Deviations::new(vec![Deviation { value: f64::NAN, error: 0.1 }]), None);
        assert_eq!(Deviations::new(Vec::new()), None);
    }

    /// Samples of many deviations around planted truths.
    struct Planted {
        truths: Vec<f64>,
        errors: Vec<f64>,
    }

    impl Planted {
        /// The shares of the samples in which equivalence within the margin is shown, and refuted.
        fn rates(&self, margin: f64, factor: f64, samples: u64) -> (f64, f64) {
            let (mut shown, mut refuted) = (0, 0);
            for sample in 0..samples {
                let found = self.sample(factor, sample).within(margin, LEVEL);
                shown += u32::from(found == Equivalence::Shown);
                refuted += u32::from(found == Equivalence::Refuted);
            }
            (f64::from(shown) / samples as f64, f64::from(refuted) / samples as f64)
        }

        fn sample(&self, factor: f64, seed: u64) -> Deviations {
            let mut random = Seeded::of_battle(5, seed);
            let of = self.truths.iter().zip(&self.errors).map(|(truth, error)| {
                let error = error / factor.sqrt();
                Deviation { value: truth + error * random.normal(), error }
            });
            Deviations::new(of.collect()).unwrap()
        }
    }

    /// The worst case for "shown" is one deviation at the margin and the rest at 0; for "refuted" it is all at the
    /// margin.
    #[test]
    fn claims_at_the_margin_are_wrong_in_one_of_twenty() {
        for count in [1, 5, 30] {
            let errors: Vec<f64> = (0..count).map(|at| 0.002 + 0.0001 * at as f64).collect();
            let mut one_off = vec![0.0; count];
            one_off[0] = 0.02;
            let (shown, _) =
                Planted { truths: one_off, errors: errors.clone() }.rates(0.02, 1.0, 10_000);
            assert!((0.035..0.056).contains(&shown), "{count}: {shown}");
            let all_off = Planted { truths: vec![0.02; count], errors };
            let (_, refuted) = all_off.rates(0.02, 1.0, 10_000);
            assert!(refuted < 0.03, "{count}: {refuted}");
        }
    }

    /// The bounds hold the largest deviation, whether all are alike or one stands out; chance alone reaches the size
    /// `by_chance` half of the time.
    #[test]
    fn bounds_hold_the_largest() {
        for truths in
            [vec![0.0; 20], vec![0.01; 20], (0..20).map(|at| 0.001 * f64::from(at)).collect()]
        {
            let largest = truths.iter().copied().fold(0.0, f64::max);
            let planted = Planted { truths, errors: vec![0.004; 20] };
            let (mut above, mut below, mut chance) = (0, 0, 0);
            for seed in 0..5_000 {
                let found = planted.sample(1.0, seed).largest(LEVEL);
                above += u32::from(found.low > largest);
                below += u32::from(found.high < largest);
                chance += u32::from(found.value > found.by_chance);
            }
            assert!(above <= 275 && below <= 275, "{above} {below}");
            if largest == 0.0 {
                assert!((2_350..2_650).contains(&chance), "{chance}");
            }
        }
    }

    /// Whatever the largest and the typical one truly are, their intervals hold them in 95 of 100 samples.
    #[test]
    fn intervals_of_the_largest_and_of_the_typical_one_cover() {
        for truths in
            [vec![0.0; 12], vec![0.01; 12], (0..12).map(|at| 0.002 * f64::from(at)).collect()]
        {
            let largest = truths.iter().copied().fold(0.0, f64::max);
            let typical = (truths.iter().map(|of| of * of).sum::<f64>() / 12.0).sqrt();
            let planted = Planted { truths, errors: vec![0.004; 12] };
            let (mut of_largest, mut of_typical) = (0, 0);
            for seed in 0..4_000 {
                let found = planted.sample(1.0, seed);
                let misses = |of: Estimate, truth: f64| {
                    assert!(of.low <= of.value && of.value <= of.high, "{of:?}");
                    u32::from(truth < of.low || of.high < truth)
                };
                of_largest += misses(found.of_largest(LEVEL), largest);
                of_typical += misses(found.of_typical(LEVEL), typical);
            }
            assert!(of_largest <= 220 && of_typical <= 220, "{of_largest} {of_typical}");
        }
    }

    /// With as many battles as are said to be needed, four of five samples show equivalence.
    #[test]
    fn the_battles_needed_are_enough() {
        for (truths, margin) in
            [(vec![0.0; 1], 0.01), (vec![0.0; 12], 0.01), (vec![0.004; 6], 0.01)]
        {
            let planted = Planted { errors: vec![0.009; truths.len()], truths };
            let factors: Vec<f64> = (0..200)
                .filter_map(|seed| planted.sample(1.0, seed).factor_needed(margin, LEVEL))
                .collect();
            assert!(factors.len() > 100, "{}", factors.len());
            // The plan comes from a sample near the truth, not from one far off.
            let near = planted.sample(400.0, 1).factor_needed(margin, LEVEL).unwrap() * 400.0;
            let (shown, _) = planted.rates(margin, near, 4_000);
            assert!((0.75..0.9).contains(&shown), "{shown} with {near}");
        }
    }

    /// With as many battles as are said to be needed if all deviations are 0, four of five samples show equivalence,
    /// whichever sample the number came from.
    #[test]
    fn the_battles_needed_if_all_are_even_are_enough() {
        for count in [1, 3, 12] {
            let planted = Planted { truths: vec![0.0; count], errors: vec![0.009; count] };
            for seed in 0..20 {
                let factor = planted.sample(1.0, seed).factor_if_none(0.01, LEVEL).unwrap();
                let (shown, _) = planted.rates(0.01, factor, 1_000);
                assert!((0.75..0.9).contains(&shown), "{count}: {shown} with {factor}");
            }
        }
    }

    #[test]
    fn no_number_of_battles_shows_what_is_not_so() {
        assert_eq!(deviations(&[(0.03, 0.001), (0.0, 0.001)]).factor_needed(0.01, LEVEL), None);
    }

    #[test]
    fn no_bound_is_beyond_what_can_be() {
        let most = deviations(&[(0.5, 0.05), (-0.5, 0.05)]).of_which_free(1).at_most(0.5);
        assert_eq!(most.largest(LEVEL).high, 0.5);
        assert_eq!((most.of_largest(LEVEL).high, most.of_typical(LEVEL).high), (0.5, 0.5));
    }

    #[test]
    fn of_two_opposite_deviations_one_is_free() {
        let both = deviations(&[(0.004, 0.002), (-0.004, 0.002)]).of_which_free(1);
        let one = deviations(&[(0.004, 0.002)]);
        assert_eq!(both.largest(LEVEL).low, one.largest(LEVEL).low);
        assert_eq!(both.largest(LEVEL).by_chance, one.largest(LEVEL).by_chance);
        assert_eq!(both.factor_needed(0.01, LEVEL), one.factor_needed(0.01, LEVEL));
    }
}
