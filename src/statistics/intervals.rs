//! Estimates with their confidence intervals.

use super::Sample;
use super::distributions::{normal_quantile, student_quantile};

/// The confidence level of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    confidence: f64,
    /// How many standard errors an interval reaches to either side.
    z: f64,
    /// The size of the run, for intervals that hold at any time; None for plain ones.
    time: Option<f64>,
}

impl Level {
    /// A confidence of 95%: one in 20 such intervals misses the true value.
    pub const P95: Level = Level { confidence: 0.95, z: 1.959_963_984_540_054, time: None };

    /// A level of this confidence; None unless it is between 0 and 1, both excluded.
    #[must_use]
    pub fn new(confidence: f64) -> Option<Self> {
        (confidence > 0.0 && confidence < 1.0).then(|| {
            let z = normal_quantile(0.5 + confidence / 2.0);
            Level { confidence, z, time: None }
        })
    }

    /// This level for intervals that hold at every look at a growing run simultaneously, and so at the last look,
    /// whatever the stopping rule. `time` is the size of the run at a look, in units of any size fixed in advance: the
    /// intervals are narrowest, about 1.6 times as wide as plain ones, when it is about 10.
    ///
    /// It is the boundary of the normal mixture (H. Robbins: "Statistical methods related to the law of the iterated
    /// logarithm", 1970), which holds for all estimates that are nearly normal from the first look on (I. Waudby-Smith,
    /// D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas: "Time-uniform central limit theory and asymptotic confidence
    /// sequences", 2024).
    ///
    /// # Panics
    /// When `time` is not above 0 (in debug builds).
    #[must_use]
    pub fn at_any_time(self, time: f64) -> Self {
        debug_assert!(time > 0.0, "a run that has not begun");
        let alpha = 1.0 - self.confidence;
        let z = ((1.0 + time.recip()) * libm::log((1.0 + time) / (alpha * alpha))).sqrt();
        Self { z, time: Some(time), ..self }
    }

    /// The level of each of several intervals so that all hold at once as often as one of this level (C. E. Bonferroni,
    /// 1936), at any time if this one does.
    #[must_use]
    pub fn shared_by(self, several: u64) -> Self {
        self.missing(1.0 / several.max(1) as f64)
    }

    /// The level for the interval of each of `chosen` estimates that are reported because they are the largest, or the
    /// most significant, of `all`: on average the share of reported intervals that hold is that of this level (Y.
    /// Benjamini and D. Yekutieli: "False discovery rate-adjusted multiple confidence intervals for selected
    /// parameters", 2005).
    #[must_use]
    pub fn of_chosen(self, chosen: usize, all: usize) -> Self {
        self.missing((chosen.max(1) as f64 / all.max(1) as f64).min(1.0))
    }

    /// The level whose intervals miss only this share as often.
    fn missing(self, share: f64) -> Self {
        let level = Self::new(1.0 - (1.0 - self.confidence) * share).unwrap_or(self);
        self.time.map_or(level, |time| level.at_any_time(time))
    }

    /// How many standard errors such an interval reaches to either side.
    #[must_use]
    pub const fn z(self) -> f64 {
        self.z
    }

    /// How many standard errors an interval reaches for a mean whose variance is estimated with this many degrees of
    /// freedom: Student's t ("Student": "The probable error of a mean", 1908). Intervals that hold at any time reach as
    /// far as [`z`](Self::z).
    ///
    /// # Panics
    /// Without a degree of freedom (in debug builds).
    pub(super) fn t(self, degrees: u64) -> f64 {
        match self.time {
            Some(_) => self.z,
            None => {
                let degrees = u32::try_from(degrees).unwrap_or(u32::MAX);
                student_quantile(0.5 + self.confidence / 2.0, degrees)
            }
        }
    }

    /// The level whose intervals reach as far as [`t`](Self::t) says for this many degrees of freedom.
    pub(super) fn with_freedom(self, degrees: u64) -> Self {
        Self { z: self.t(degrees), ..self }
    }

    /// The share of such intervals that cover the true value.
    #[must_use]
    pub const fn confidence(self) -> f64 {
        self.confidence
    }
}

/// An estimate and its confidence interval. NaN where a number is unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// An unknown estimate: all NaN.
    pub const UNKNOWN: Estimate = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };

    /// The difference of this estimate and an independent one. Its interval combines the two intervals (G. Y. Zou and
    /// A. Donner: "Construction of confidence limits about effect measures: a general approach", 2008).
    #[must_use]
    pub(super) fn less(self, other: Self) -> Self {
        let value = self.value - other.value;
        Self {
            value,
            low: value - libm::hypot(self.value - self.low, other.high - other.value),
            high: value + libm::hypot(self.high - self.value, other.value - other.low),
        }
    }

    /// This estimate clamped to the range of values that the quantity can have, with both ends of its interval.
    #[must_use]
    pub fn within(self, lowest: f64, highest: f64) -> Self {
        let Self { value, low, high } = self;
        let [value, low, high] = [value, low, high].map(|of| of.clamp(lowest, highest));
        Self { value, low, high }
    }

    /// This estimate with an interval of the level `to` instead of `from`, for a normal error: the interval reaches as
    /// many standard errors to either side as `to` asks for.
    #[must_use]
    pub fn at_level(self, from: Level, to: Level) -> Self {
        let by = to.z / from.z;
        let Self { value, low, high } = self;
        Self { value, low: value - by * (value - low), high: value + by * (high - value) }
    }

    /// This estimate with its interval widened to contain another's interval.
    #[must_use]
    pub(super) fn reaching(self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), ..self }
    }

    /// The least distance of the interval from 0, on either side; negative where the interval contains 0.
    #[must_use]
    pub fn least_size(&self) -> f64 {
        self.low.max(-self.high)
    }

    /// Whether the interval excludes `value`. An unknown estimate excludes nothing.
    #[must_use]
    pub fn excludes(&self, value: f64) -> bool {
        self.low > value || self.high < value
    }
}

/// The boundary between `kept`, which `keeps` accepts, and `left_out`, which it rejects, by bisection until the last
/// accepted and the first rejected value are close enough. Returns the rejected one.
pub(super) fn boundary(
    kept: f64,
    left_out: f64,
    keeps: impl Fn(f64) -> bool,
    is_close: impl Fn(f64, f64) -> bool,
) -> f64 {
    let (mut inside, mut outside) = (kept, left_out);
    while !is_close(inside, outside) {
        let middle = f64::midpoint(inside, outside);
        if keeps(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

/// The point where a function of a probability that is negative or 0 at `kept` becomes positive on the way to
/// `left_out`, at most 1e-12 beyond; `left_out` where it never does.
///
/// By the ITP method, which takes a fourth of the steps of [`boundary`], and in the worst case one more (I. F. D.
/// Oliveira and R. H. C. Takahashi: "An enhancement of the bisection method average performance preserving minmax
/// optimality", 2020).
pub(super) fn crossing(kept: f64, left_out: f64, value: impl Fn(f64) -> f64) -> f64 {
    const CLOSE: f64 = 1e-12;
    let (mut inside, mut outside) = (kept, left_out);
    let (mut below, mut above) = (value(kept), value(left_out));
    if above <= 0.0 {
        return left_out;
    }
    let width = (outside - inside).abs();
    // How far from its middle the bracket may be cut and still end as short as by bisection, one step later.
    let mut reach = CLOSE;
    while reach < width {
        reach *= 2.0;
    }
    let pull = 0.2 / width;
    while (outside - inside).abs() > CLOSE {
        let (wide, middle) = (outside - inside, f64::midpoint(inside, outside));
        let may_stray = (reach - wide.abs() / 2.0).max(0.0);
        let straight = (above * inside - below * outside) / (above - below);
        let to_middle = middle - straight;
        // Never so small a step that rounding leaves it on the same side again.
        let step = (pull * wide * wide).max(0.4 * CLOSE);
        let pulled =
            if step <= to_middle.abs() { straight + step.copysign(to_middle) } else { middle };
        let at = if (pulled - middle).abs() <= may_stray {
            pulled
        } else {
            middle - may_stray.copysign(to_middle)
        };
        let there = value(at);
        if there <= 0.0 {
            (inside, below) = (at, there);
        } else {
            (outside, above) = (at, there);
        }
        reach /= 2.0;
    }
    outside
}

/// Whether two probabilities are equal to within 1e-12.
pub(super) fn nearly_equal(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12
}

/// The probability behind `successes` in `trials`, with Wilson's score interval (E. B. Wilson: "Probable
/// inference, the law of succession, and statistical inference", 1927). It stays inside [0, 1] and keeps
/// its coverage even near the ends, where the textbook (Wald) interval does not.
///
/// ```
/// use evens::statistics::{Level, proportion};
/// let odds = proportion(81, 263, Level::P95);
/// assert_eq!(format!("{:.4} to {:.4}", odds.low, odds.high), "0.2553 to 0.3662");
/// ```
#[must_use]
pub fn proportion(successes: u64, trials: u64, level: Level) -> Estimate {
    debug_assert!(successes <= trials, "{successes} successes in {trials} trials");
    if trials == 0 {
        return Estimate::UNKNOWN;
    }
    let n = trials as f64;
    wilson(successes as f64 / n, n, level)
}

/// Wilson's score interval around a rate observed in `n` battles, or with an effective sample size of `n`.
pub(super) fn wilson(value: f64, n: f64, level: Level) -> Estimate {
    let z2 = level.z * level.z;
    let scale = 1.0 + z2 / n;
    let centre = (value + z2 / (2.0 * n)) / scale;
    let half = level.z / scale * (value * (1.0 - value) / n + z2 / (4.0 * n * n)).sqrt();
    // The ends are exact where rounding would push them past the estimate.
    let low = if value == 0.0 { 0.0 } else { (centre - half).clamp(0.0, value) };
    let high = if value == 1.0 { 1.0 } else { (centre + half).clamp(value, 1.0) };
    Estimate { value, low, high }
}

/// The difference of the success probabilities of `a` and `b`, each given as (successes, trials), with Newcombe's
/// hybrid score interval (R. G. Newcombe: "Interval estimation for the difference between independent proportions",
/// 1998, method 10).
#[must_use]
pub fn difference(a: (u64, u64), b: (u64, u64), level: Level) -> Estimate {
    if a.1 == 0 || b.1 == 0 {
        return Estimate::UNKNOWN;
    }
    proportion(a.0, a.1, level).less(proportion(b.0, b.1, level))
}

/// The mean of `count` whole numbers, given their sum and the sum of their squares, with Student's
/// interval. One number alone has no interval.
#[must_use]
pub fn mean(count: u64, sum: i128, squares: i128, level: Level) -> Estimate {
    if count == 0 {
        return Estimate::UNKNOWN;
    }
    let n = count as f64;
    let value = sum as f64 / n;
    if count == 1 {
        return Estimate { value, ..Estimate::UNKNOWN };
    }
    let variance = Sample { count, sum, squares }.spread() / n / (n - 1.0);
    let half = level.t(count - 1) * (variance / n).sqrt();
    Estimate { value, low: value - half, high: value + half }
}

/// The mean of `count` counts, such as numbers of survivors, with its interval: as [`mean`], but never below 0.
///
/// A rare event may not have come up at all, and then the sample does not vary and its interval would be a point. So
/// the variance is taken to grow with the distance of the assumed mean from the observed one, as it does for rare
/// single events. If only such events vary, this is the score interval of a Poisson rate; for many varied numbers it
/// differs little from Student's.
#[must_use]
pub fn mean_of_counts(count: u64, sum: i128, squares: i128, level: Level) -> Estimate {
    let found = mean(count, sum, squares, level);
    if count < 2 {
        return found;
    }
    let shift = level.z() * level.z() / (2.0 * count as f64);
    let half = shift + libm::hypot(shift, found.high - found.value);
    let around = Estimate { value: found.value, low: found.value - half, high: found.value + half };
    around.within(0.0, f64::INFINITY)
}

/// The smallest value that at least the share `q` of all values do not exceed (nearest rank), where
/// `histogram[v]` says how often the value `v` came up. None when there are no values.
#[must_use]
pub fn quantile(histogram: &[u64], q: f64) -> Option<u64> {
    let count: u64 = histogram.iter().sum();
    let rank = ((q * count as f64).ceil() as u64).clamp(1, count.max(1));
    let mut seen = 0;
    histogram
        .iter()
        .position(|&times| {
            seen += times;
            seen >= rank
        })
        .map(|value| value as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use proptest::prelude::*;

    fn rounded(estimate: Estimate) -> (String, String) {
        (format!("{:.4}", estimate.low), format!("{:.4}", estimate.high))
    }

    fn pair(low: &str, high: &str) -> (String, String) {
        (low.to_owned(), high.to_owned())
    }

    /// Crossings are where bisection finds them, on either side and in few steps, also for functions that are flat at
    /// first or nearly a step.
    #[test]
    fn crossings_are_where_bisection_finds_them() {
        let functions: [fn(f64, f64) -> f64; 4] = [
            |at, root| at - root,
            |at, root| (at - root).powi(3),
            |at, root| libm::tanh(1e4 * (at - root)),
            |at, root| at * at - root * root + 1e-3 * (at - root),
        ];
        let mut steps = 0;
        for (which, of) in functions.iter().enumerate() {
            for root in [1e-9, 0.013, 0.25, 0.5, 0.77, 0.999_999] {
                let taken = std::cell::Cell::new(0);
                for (kept, left_out, sign) in [(0.0, 1.0, 1.0), (1.0, 0.0, -1.0)] {
                    let value = |at: f64| {
                        taken.set(taken.get() + 1);
                        sign * of(at, root)
                    };
                    let found = crossing(kept, left_out, value);
                    let slow =
                        boundary(kept, left_out, |at| sign * of(at, root) <= 0.0, nearly_equal);
                    assert!((found - slow).abs() <= 1e-12, "{which} {root}: {found} and {slow}");
                    assert!(sign * of(found, root) > 0.0, "it is left out");
                }
                assert!(taken.get() <= 2 * (40 + 1 + 3), "{which} {root}: {} steps", taken.get());
                steps += taken.get();
            }
        }
        assert!(steps < 48 * 18, "{steps} in 48 searches, where bisection takes 42 in each");
        assert_eq!(crossing(0.2, 1.0, |_| -1.0), 1.0);
    }

    /// Newcombe: "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
    #[test]
    fn wilson_as_published() {
        assert_eq!(rounded(proportion(81, 263, Level::P95)), pair("0.2553", "0.3662"));
        assert_eq!(rounded(proportion(15, 148, Level::P95)), pair("0.0624", "0.1605"));
        assert_eq!(rounded(proportion(0, 20, Level::P95)), pair("0.0000", "0.1611"));
        assert_eq!(rounded(proportion(1, 29, Level::P95)), pair("0.0061", "0.1718"));
    }

    /// Newcombe: "Interval estimation for the difference between independent proportions", 1998,
    /// table II, method 10.
    #[test]
    fn newcombe_as_published() {
        let difference = |a, b| rounded(difference(a, b, Level::P95));
        assert_eq!(difference((56, 70), (48, 80)), pair("0.0524", "0.3339"));
        assert_eq!(difference((9, 10), (3, 10)), pair("0.1705", "0.8090"));
        assert_eq!(difference((6, 7), (2, 7)), pair("0.0582", "0.8062"));
        assert_eq!(difference((5, 56), (0, 29)), pair("-0.0381", "0.1926"));
        assert_eq!(difference((0, 10), (0, 20)), pair("-0.1611", "0.2775"));
        assert_eq!(difference((0, 10), (0, 10)), pair("-0.2775", "0.2775"));
        assert_eq!(difference((10, 10), (0, 20)), pair("0.6791", "1.0000"));
        assert_eq!(difference((10, 10), (0, 10)), pair("0.6075", "1.0000"));
    }

    /// 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sample variance 32 / 7.
    #[test]
    fn mean_of_a_small_sample() {
        let estimate = mean(8, 40, 232, Level::P95);
        // Student's quantile at 7 degrees of freedom.
        let half = 2.364_624_251_592_78 * (32.0_f64 / 7.0 / 8.0).sqrt();
        assert_eq!(estimate.value, 5.0);
        assert!((estimate.high - 5.0 - half).abs() < 1e-12, "{estimate:?}");
        assert!((5.0 - estimate.low - half).abs() < 1e-12, "{estimate:?}");
    }

    /// Of 8,000 means each of 2 to 10 rounded normal numbers, 94% to 96% are within their intervals; normal intervals
    /// held 70% of the means of two.
    #[test]
    fn means_of_few_numbers_cover() {
        for (count, normal) in [(2, 0.72), (3, 0.83), (5, 0.89), (10, 0.93)] {
            let mut random = Seeded::of_battle(11, count);
            let (mut covered, mut by_normal) = (0, 0);
            for _ in 0..8_000 {
                let of = (0..count).map(|_| (1_000.0 * random.normal()).round() as i128);
                let (sum, squares) = of.fold((0, 0), |sum, at| (sum.0 + at, sum.1 + at * at));
                let found = mean(count, sum, squares, Level::P95);
                covered += u32::from(!found.excludes(0.0));
                let error = (found.high - found.value) / Level::P95.t(count - 1);
                by_normal += u32::from(found.value.abs() <= Level::P95.z * error);
            }
            let [covered, by_normal] = [covered, by_normal].map(|of| f64::from(of) / 8_000.0);
            assert!((0.94..=0.96).contains(&covered), "{count}: {covered}");
            assert!(by_normal < normal, "{count}: {by_normal}");
        }
    }

    /// Energy left over in one battle of a hundred or of seven hundred, and survivors, nearly all of whom survive.
    #[test]
    fn means_of_rare_counts_cover() {
        for (battles, rate) in [
            (200, 0.0082),
            (400, 0.0082),
            (200, 0.0014),
            (400, 0.0014),
            (2_000, 0.0014),
            (40, 0.05),
        ] {
            for full in [0, 3] {
                let mut random = Seeded::of_battle(17, battles);
                let mut covered = 0;
                for _ in 0..4_000 {
                    let events = (0..battles).filter(|_| random.unit() < rate).count() as i128;
                    let (full, all) = (i128::from(full), i128::from(battles));
                    // One of three survivors dies.
                    let one = if full == 0 { 1 } else { full - 1 };
                    let sum = (all - events) * full + events * one;
                    let squares = (all - events) * full * full + events * one * one;
                    let found = mean_of_counts(battles, sum, squares, Level::P95);
                    let truth = if full == 0 { rate } else { 3.0 - rate };
                    covered += u32::from(!found.excludes(truth));
                }
                let share = f64::from(covered) / 4_000.0;
                assert!(share > 0.94, "{battles} {rate} {full}: {share}");
            }
        }
        let never = mean_of_counts(100, 0, 0, Level::P95);
        assert!(never.low == 0.0 && (0.036..0.04).contains(&never.high), "{never:?}");
    }

    #[test]
    fn a_small_spread_around_a_large_mean_is_not_lost() {
        let values: [i128; 4] =
            [1_000_000_000_000, 1_000_000_000_001, 1_000_000_000_000, 1_000_000_000_001];
        let squares = values.iter().map(|v| v * v).sum();
        let estimate = mean(4, values.iter().sum(), squares, Level::P95);
        let half = estimate.high - estimate.value;
        assert!((half - 3.182 * (1.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-3, "{half}");
    }

    #[test]
    fn nothing_is_known_from_nothing() {
        assert!(proportion(0, 0, Level::P95).value.is_nan());
        assert!(difference((0, 0), (1, 2), Level::P95).low.is_nan());
        assert!(mean(0, 0, 0, Level::P95).value.is_nan());
        assert!(mean(1, 3, 9, Level::P95).low.is_nan());
        assert_eq!(quantile(&[0, 0], 0.5), None);
        assert_eq!(quantile(&[], 0.5), None);
        assert!(!Estimate::UNKNOWN.excludes(0.0));
    }

    /// The textbook example of nearest ranks, with the list 15, 20, 35, 40, 50.
    #[test]
    fn quantiles_by_nearest_rank() {
        let mut histogram = [0; 51];
        for value in [15, 20, 35, 40, 50] {
            histogram[value] += 1;
        }
        let found = [0.0, 0.05, 0.3, 0.4, 0.5, 1.0].map(|q| quantile(&histogram, q));
        assert_eq!(found, [15, 15, 20, 20, 35, 50].map(Some));
    }

    /// Robbins's boundary, by hand: the root of (1 + 1/10) ln(11 / 0.05^2) = 9.2283, and for ten intervals of ln(11 /
    /// 0.005^2).
    #[test]
    fn a_level_for_any_time_is_wider_and_can_be_shared() {
        let level = Level::P95.at_any_time(10.0);
        assert!((level.z() - 3.037_81).abs() < 1e-4, "{}", level.z());
        assert_eq!(level.confidence(), 0.95);
        assert!((level.shared_by(10).z() - 3.783).abs() < 1e-2, "{}", level.shared_by(10).z());
        assert_eq!(level.shared_by(1), level);
        assert!((Level::P95.shared_by(5).z() - 2.575_829).abs() < 1e-5);
        assert!([0.2, 1.0, 100.0].iter().all(|&time| Level::P95.at_any_time(time).z() > level.z()));
    }

    #[test]
    fn the_constant_is_the_quantile() {
        let computed = Level::new(0.95).expect("a level");
        assert!((computed.z - Level::P95.z).abs() < 1e-12, "{computed:?}");
        assert!(Level::new(0.0).is_none() && Level::new(1.0).is_none());
        assert!(Level::new(f64::NAN).is_none());
    }

    prop_compose! {
        fn trials()(n in 1u64..1_000_000_000)(k in 0..=n, n in Just(n)) -> (u64, u64) { (k, n) }
    }

    prop_compose! {
        fn level()(confidence in 0.01f64..0.999) -> Level { Level::new(confidence).expect("a level") }
    }

    proptest! {
        #[test]
        fn wilson_holds_the_estimate_within_bounds((k, n) in trials(), level in level()) {
            let Estimate { value, low, high } = proportion(k, n, level);
            prop_assert!(0.0 <= low && low <= value && value <= high && high <= 1.0);
            prop_assert!(low < high);
        }

        #[test]
        fn wilson_is_symmetric((k, n) in trials()) {
            let won = proportion(k, n, Level::P95);
            let lost = proportion(n - k, n, Level::P95);
            prop_assert!((won.low - (1.0 - lost.high)).abs() < 1e-12);
            prop_assert!((won.high - (1.0 - lost.low)).abs() < 1e-12);
        }

        #[test]
        fn wilson_shrinks_with_more_of_the_same((k, n) in trials(), times in 2u64..100) {
            let few = proportion(k, n, Level::P95);
            let many = proportion(k * times, n * times, Level::P95);
            prop_assert!(many.high - many.low < few.high - few.low);
        }

        #[test]
        fn a_higher_level_is_wider((k, n) in trials()) {
            let narrow = proportion(k, n, Level::P95);
            let wide = proportion(k, n, Level::new(0.99).expect("a level"));
            prop_assert!(wide.high - wide.low > narrow.high - narrow.low);
        }

        #[test]
        fn newcombe_holds_the_difference_within_bounds(a in trials(), b in trials()) {
            let Estimate { value, low, high } = difference(a, b, Level::P95);
            prop_assert!(low <= value && value <= high);
            prop_assert!(-1.0 - 1e-12 <= low && high <= 1.0 + 1e-12);
        }

        #[test]
        fn newcombe_turns_around(a in trials(), b in trials()) {
            let there = difference(a, b, Level::P95);
            let back = difference(b, a, Level::P95);
            prop_assert_eq!(there.value, -back.value);
            prop_assert!((there.low + back.high).abs() < 1e-12);
            prop_assert!((there.high + back.low).abs() < 1e-12);
        }

        #[test]
        fn quantile_is_the_sorted_list_at_its_rank(
            mut values in prop::collection::vec(0u64..30, 1..60),
            q in 0.0f64..=1.0,
        ) {
            let mut histogram = [0; 30];
            for &value in &values {
                histogram[value as usize] += 1;
            }
            values.sort_unstable();
            let rank = ((q * values.len() as f64).ceil() as usize).max(1);
            prop_assert_eq!(quantile(&histogram, q), Some(values[rank - 1]));
        }
    }
}
