//! Power analysis: how many battles a question takes, and how small an effect a number of battles can detect.

use super::distributions::normal_quantile;

use super::score::{likeliest_variance, mean};
use super::{ClusteredMean, Level, score_sample};
use crate::tally::{OutcomeMeasure, Results};

/// The confidence of the bound on how many battles may end otherwise where all ended alike.
const SURE: f64 = 0.95;

/// By how much a mean score or a share can differ at most from one that is `from`, 0 to 1: up to 1, or down to 0.
#[must_use]
pub fn largest_change(from: f64) -> f64 {
    from.max(1.0 - from)
}

/// The precision of an estimate as a function of the number of battles: from `n` battles it has this variance divided
/// by `n`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    variance: f64,
    /// The variance near the boundary of rejection, which decides whether an effect is detected.
    tested: f64,
    /// How many battles of the run it takes, on average, to get one of each kind that is compared, summed over the
    /// kinds.
    each: f64,
    /// How many battles of the run it takes, on average, to get one of the most frequent kind.
    fewest: f64,
    /// The smallest difference between two scores of a battle that the pilot shows to be possible.
    step: f64,
    /// How lopsided an interval is: 0 around an even chance, towards 1 where nearly all battles are won or lost.
    lean: f64,
    /// How far from the mean a battle that ends otherwise can lie: 1 where all are won, 1/2 where all of a duel are drawn.
    farthest: f64,
    /// The two kinds of battles of a difference, whose variances change with their scores; None for a single mean.
    apart: Option<[Arm; 2]>,
    /// What its variance and the battles that it takes are at least.
    floor: Floor,
}

/// The least variance of an estimate whose battles may all cancel out. It falls with the square of the number of battles, and
/// not with the number itself: after `n` battles of the run it is these figures divided by the square of `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Floor {
    variance: f64,
    /// The least variance near the boundary of rejection.
    tested: f64,
    /// One divided by the largest effective sample size.
    each: f64,
}

/// One of two kinds of battles that are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Arm {
    /// The battles of the pilot that the measure counts, plus one win and one loss.
    seen: Results,
    /// The smallest variance to plan with: battles that all ended alike may not always do so.
    least: f64,
    /// Its share of the battles of the run.
    share: f64,
}

impl Arm {
    /// The variance of its mean after `n` battles of the run, times `n`, where a battle scores `at` on average, with
    /// the likeliest share of shared battles for that mean.
    fn variance(&self, at: f64) -> f64 {
        likeliest_variance(self.seen, at.clamp(0.0, 1.0)).max(self.least) / self.share
    }
}

/// A confidence level and a power to plan with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The level of the intervals, or of the two-sided test.
    pub level: Level,
    /// How many standard errors beyond the boundary of rejection an effect has to lie to be detected with the power.
    z: f64,
}

impl Design {
    /// The design of a mean score of battles that vary as these results do; draws lower the variance. One win and one
    /// loss are added to the results, and where all ended alike the variance is the largest one that this leaves
    /// possible ([`Design::otherwise`]), so that battles that happened not to vary do not count as certain.
    #[must_use]
    pub fn one(results: Results, measure: OutcomeMeasure) -> Self {
        let planned = Self::of(with_either(results.measured(measure)), results, measure);
        let variance = planned.variance.max(Self::possible(results, measure));
        Self { variance, tested: variance, ..planned }
    }

    /// The design of a mean score of battles of which it is known that they end in just these shares.
    #[must_use]
    pub fn known(results: Results, measure: OutcomeMeasure) -> Self {
        Self::of(results.measured(measure), results, measure)
    }

    /// The design of a mean score that varies and leans as `planned` does, by what was seen of it.
    fn of(planned: Results, seen: Results, measure: OutcomeMeasure) -> Self {
        let measured = seen.measured(measure);
        // The results are already measured, so shared battles count as shared.
        let deviation = score_sample(planned, OutcomeMeasure::Score).deviation();
        let sides = f64::from(seen.sides);
        let variance = (deviation / sides).powi(2).max(0.0);
        let step = if measured.shared > 0 { sides.recip() } else { 1.0 };
        let score = if measured.battles() > 0 { mean(measured) } else { 1.0 };
        Self {
            variance,
            tested: variance,
            each: 1.0,
            fewest: 1.0,
            step,
            lean: (2.0 * mean(planned) - 1.0).abs(),
            farthest: score.max(1.0 - score),
            apart: None,
            floor: Floor::default(),
        }
    }

    /// The largest variance that remains possible where all battles ended alike; 0 where some ended otherwise.
    fn possible(results: Results, measure: OutcomeMeasure) -> f64 {
        Self::otherwise(results, measure).map_or(0.0, |share| {
            // The largest distance from a shared battle's score to another one.
            let shared = results.measured(measure).shared > 0;
            let distance = if shared { 1.0 - f64::from(results.sides).recip() } else { 1.0 };
            let share = share.min(0.5);
            share * (1.0 - share) * distance * distance
        })
    }

    /// The design of a figure that is compared with an even one, given by measure how it is estimated. The figure's own
    /// measure decides its interval. Whether a difference from even is detected is decided by the measure that tells who
    /// is ahead ([`OutcomeMeasure::judged_by`]): wins alone are even at less than one in so many sides where battles are
    /// shared, and a lead in wins over that is as large as the lead in scores.
    #[must_use]
    pub fn from_even(
        results: Results,
        measure: OutcomeMeasure,
        estimated: impl Fn(OutcomeMeasure) -> Self,
    ) -> Self {
        let judged_by = measure.judged_by();
        let judged = estimated(judged_by).against_even(results, judged_by);
        let Self { tested, fewest, step, .. } = judged;
        let design = estimated(measure);
        let floor = Floor { tested: judged.floor.tested, ..design.floor };
        Self { tested, fewest, step, floor, ..design }
    }

    /// This design for a score that is compared with an even one. Whether a difference from even is detected depends on
    /// the variance near even, whatever the score of the pilot was: that of nearly even battles, as often shared as in
    /// the pilot. Not for wins, whose even value depends on how many battles are shared ([`from_even`](Self::from_even)).
    fn against_even(self, results: Results, measure: OutcomeMeasure) -> Self {
        let measured = results.measured(measure);
        let even = f64::from(results.sides).recip();
        let shared = measured.shared as f64 / (measured.battles() + 2) as f64;
        let there = even * (1.0 - even) * (1.0 - shared);
        let times = there / Self::one(results, measure).variance;
        // Where nothing varied, the share of shared battles is not known.
        let times =
            if Self::otherwise(results, measure).is_some() { times.max(1.0) } else { times };
        let floor = Floor { tested: self.floor.variance * times, ..self.floor };
        Self { tested: self.variance * times, floor, ..self }
    }

    /// This design for a mean over equally weighted strata, each with its share of the battles of the run: differences
    /// between strata do not count as variance.
    #[must_use]
    pub fn over(self, strata: &[Self]) -> Self {
        let all = strata.len() as f64;
        let variance = strata.iter().map(|of| of.variance).sum::<f64>() / (all * all);
        Self { variance, tested: variance, ..self }
    }

    /// This design where appearances come in clusters, which their number does not show: in a pilot of so many battles their
    /// mean came out as `found`, while `plain` is the design of as many independent ones by the same measure.
    #[must_use]
    pub fn clustered(self, plain: &Self, found: &ClusteredMean, battles: f64) -> Self {
        let times = self.variance / plain.variance;
        let (variance, least) = (found.shown * battles, found.least * battles * battles);
        // How many battles of the run it takes for one independent win or loss, per unit of variance.
        let each = 1.0 / (found.variance * found.effective);
        let (shown, floor) = (variance * times, least * times);
        Self {
            variance: shown,
            tested: shown,
            each: variance * each,
            floor: Floor { variance: floor, tested: floor, each: least * each },
            ..self
        }
    }

    /// The share of battles that may end otherwise where all ended alike, as an upper confidence bound of 95% (C. J.
    /// Clopper and E. S. Pearson: "The use of confidence or fiducial limits illustrated in the case of the binomial",
    /// 1934; about 3 divided by the number of battles). None where some ended otherwise, or none were played.
    #[must_use]
    pub fn otherwise(results: Results, measure: OutcomeMeasure) -> Option<f64> {
        let measured = results.measured(measure);
        let battles = measured.battles();
        let alike = [measured.won, measured.shared, measured.lost].contains(&battles);
        (alike && battles > 0).then(|| -libm::expm1(libm::log(1.0 - SURE) / battles as f64))
    }

    /// This design where only this share of the run's battles, above 0 to 1, counts for the estimate.
    #[must_use]
    pub fn among(self, share: f64) -> Self {
        Self {
            variance: self.variance / share,
            tested: self.tested / share,
            each: self.each / share,
            fewest: self.fewest / share,
            ..self
        }
    }

    /// The design of a difference between the mean scores of two kinds of battles, given the results of each kind in
    /// the pilot and its share of the battles of the run, above 0 to 1. An effect is planned as a mean of the first
    /// kind that far from the second's, in the direction that takes more battles.
    #[must_use]
    pub fn difference(kinds: [(Results, f64); 2], measure: OutcomeMeasure) -> Self {
        let [first, second] =
            kinds.map(|(results, share)| Self::one(results, measure).among(share));
        let arms = kinds.map(|(results, share)| Arm {
            seen: with_either(results.measured(measure)),
            least: Self::possible(results, measure),
            share,
        });
        Self {
            variance: first.variance + second.variance,
            tested: first.tested + second.tested,
            each: first.each + second.each,
            fewest: first.fewest.min(second.fewest),
            step: first.step.min(second.step),
            lean: 0.0,
            farthest: 1.0,
            apart: Some(arms),
            floor: Floor::default(),
        }
    }

    /// The standard deviation per battle of the run: the standard error after `n` battles is this divided by the square
    /// root of `n`.
    #[must_use]
    pub fn deviation(self) -> f64 {
        self.variance.sqrt()
    }

    /// The standard deviation per battle near the boundary of rejection, which decides whether an effect on a single
    /// mean is detected.
    #[must_use]
    pub fn tested_deviation(self) -> f64 {
        self.tested.sqrt()
    }
}

/// These results with one more win and one more loss.
fn with_either(of: Results) -> Results {
    Results { won: of.won + 1, lost: of.lost + 1, ..of }
}

impl Power {
    /// Plans for a test at this level that detects an effect with the probability `power`, between 0 and 1, both
    /// excluded.
    ///
    /// # Panics
    /// When the power is no probability (in debug builds).
    #[must_use]
    pub fn new(level: Level, power: f64) -> Self {
        debug_assert!(power > 0.0 && power < 1.0, "a power of {power}");
        Self { level, z: normal_quantile(power) }
    }

    /// This level and power with a Bonferroni adjustment for this many tests, the strictest step of Holm's method.
    #[must_use]
    pub fn adjusted_for(self, tests: u64) -> Self {
        Self { level: self.level.shared_by(tests), ..self }
    }

    /// How many battles it takes for the interval to reach no farther than `margin` to either side; None for a margin
    /// of 0. Wilson's interval has a length even where nothing varies, and reaches farther towards an even chance.
    #[must_use]
    pub fn battles_for_margin(&self, design: &Design, margin: f64) -> Option<u64> {
        let z = self.level.z();
        let least = |each: f64| z * z * each * (design.farthest / margin - 1.0).max(0.0);
        // Solves for the root of the number of battles at which the half-width, which falls with it, and the shift, which
        // falls with its square, add up to the margin. Where all cancels out, they fall with the number and its square.
        let root = |variance: f64, each: f64| {
            let (half, shift) = (z * variance.sqrt(), z * z * each * design.lean / 2.0);
            (half + (half * half + 4.0 * shift * margin).sqrt()) / (2.0 * margin)
        };
        let Floor { variance, each, .. } = design.floor;
        let of_floor = root(variance, each).max(least(each).sqrt());
        let needed = root(design.variance, design.each).powi(2).max(least(design.each));
        battles(needed.max(of_floor))
    }

    /// How many battles it takes to detect an effect of this size with the wanted power: the normal approximation
    /// `((z of the level + z of the power) * deviation / effect)^2` (J. Cohen: "Statistical Power Analysis for the
    /// Behavioral Sciences", 1988). A score this far from one where nothing varies does vary, which bounds the variance
    /// from below. Where two kinds of battles are compared, each z has its own deviation, without the effect and with
    /// it (J. L. Fleiss, B. Levin and M. C. Paik: "Statistical Methods for Rates and Proportions", 2003, section 4.2).
    /// None for an effect of 0.
    #[must_use]
    pub fn battles_for_effect(&self, design: &Design, effect: f64) -> Option<u64> {
        let of_floor = self.reach_of_floor(design) / effect;
        battles((self.reach(design, effect) / effect).powi(2).max(of_floor))
    }

    /// How far from 0 the least variance lets an effect lie after one battle of the run (the distance falls with their number).
    fn reach_of_floor(&self, design: &Design) -> f64 {
        (self.level.z() + self.z) * design.floor.tested.sqrt()
    }

    /// How far from 0 an effect of this size has to lie to be detected with the wanted power after one battle of the
    /// run (the distance falls with the root of their number).
    fn reach(&self, design: &Design, effect: f64) -> f64 {
        let both = self.level.z() + self.z;
        let least = both * (design.fewest * effect * (design.step - effect).max(0.0)).sqrt();
        let there = match &design.apart {
            None => both * design.tested.sqrt(),
            Some(arms) => [effect, -effect]
                .map(|by| self.reach_apart(arms, by))
                .into_iter()
                .fold(0.0, f64::max),
        };
        there.max(least)
    }

    /// How far from 0 a difference in one direction has to lie to be detected with the wanted power after one battle of
    /// the run. The test uses the variance that both kinds have at the mean of all battles.
    fn reach_apart(&self, [first, second]: &[Arm; 2], effect: f64) -> f64 {
        let base = mean(second.seen);
        let together = base + effect * first.share / (first.share + second.share);
        let tested = first.variance(together) + second.variance(together);
        let there = first.variance(base + effect) + second.variance(base);
        self.level.z() * tested.sqrt() + self.z * there.sqrt()
    }

    /// The smallest effect that is detected with the wanted power by an estimate with this standard error, if the
    /// estimate also has to exceed a tolerance.
    #[must_use]
    pub fn effect_beyond(&self, error: f64, tolerance: f64) -> f64 {
        (self.level.z() * error).max(tolerance) + self.z * error
    }

    /// How far the interval after this many battles reaches to either side.
    #[must_use]
    pub fn margin(&self, design: &Design, battles: f64) -> f64 {
        let z = self.level.z();
        let variance = design.variance.max(design.floor.variance / battles);
        let each = design.each.max(design.floor.each / battles);
        let least = design.farthest * z * z / (z * z + battles / each);
        let shift = z * z * each * design.lean / (2.0 * battles);
        (z * (variance / battles).sqrt() + shift).max(least).min(1.0)
    }

    /// The smallest effect that this many battles detect with the wanted power: the inverse of
    /// [`battles_for_effect`](Self::battles_for_effect). Infinite where they do not even detect an effect of 1.
    #[must_use]
    pub fn effect(&self, design: &Design, battles: f64) -> f64 {
        let finds = |effect: f64| {
            self.reach(design, effect) <= effect * battles.sqrt()
                && self.reach_of_floor(design) <= effect * battles
        };
        if !finds(1.0) {
            return f64::INFINITY;
        }
        let (mut low, mut high) = (0.0, 1.0);
        // To 12 places: the larger an effect, the fewer battles it takes.
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if finds(middle) { high = middle } else { low = middle }
        }
        high
    }
}

fn battles(needed: f64) -> Option<u64> {
    let needed = needed.ceil();
    (needed.is_finite() && needed < u64::MAX as f64).then_some((needed as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::statistics::{Part, Sample, pooled_z, score, stratified};

    fn power() -> Power {
        Power::new(Level::P95, 0.8)
    }

    /// A million battles that ended in these shares: so many that the added win and loss do not matter.
    fn played(wins: f64, shared: f64, sides: u32) -> Results {
        let of = |share: f64| (share * 1e6).round() as u64;
        Results { won: of(wins), shared: of(shared), lost: of(1.0 - wins - shared), sides }
    }

    fn play(dice: &mut Seeded, [wins, shared]: [f64; 2], battles: u64, sides: u32) -> Results {
        let mut results = Results::none(sides);
        for _ in 0..battles {
            let drawn = dice.unit();
            if drawn < wins {
                results.won += 1;
            } else if drawn < wins + shared {
                results.shared += 1;
            } else {
                results.lost += 1;
            }
        }
        results
    }

    /// Of battles that are all won, 381 tell the score to one percentage point: Wilson's interval reaches z^2 / (n + z^2).
    /// However few were seen, nothing is added to what is known.
    #[test]
    fn who_knows_how_battles_end_needs_no_pilot() {
        for battles in [1, 20, 542] {
            let all = Results { won: battles, ..Results::none(2) };
            let known = Design::known(all, OutcomeMeasure::Score);
            assert_eq!(power().battles_for_margin(&known, 0.01), Some(381));
        }
        let even = Results { won: 8, lost: 8, ..Results::none(2) };
        let known = Design::known(even, OutcomeMeasure::Score);
        assert_eq!(power().battles_for_margin(&known, 0.01), Some(9_604));
    }

    /// (1.95996 + 0.84162)^2 / 4 / 0.01^2 = 19,623, as any table of sample sizes has it; a margin of one percentage
    /// point takes 9,604.
    #[test]
    fn numbers_are_the_textbooks() {
        let even = Design::one(played(0.5, 0.0, 2), OutcomeMeasure::Score);
        assert_eq!(power().battles_for_effect(&even, 0.01), Some(19_623));
        assert_eq!(power().battles_for_margin(&even, 0.01), Some(9_604));
        assert!((power().effect(&even, 19_622.2) - 0.01).abs() < 1e-7);
        assert!((power().margin(&even, 9_603.6) - 0.01).abs() < 1e-7);
        // Half of the battles drawn, half the variance.
        let drawn = Design::one(played(0.25, 0.5, 2), OutcomeMeasure::Score);
        assert_eq!(power().battles_for_margin(&drawn, 0.01), Some(4_802));
        // Beyond a tolerance of 2 points, only the z of the power is added.
        assert!((power().effect_beyond(0.005, 0.02) - (0.02 + 0.005 * 0.841_62)).abs() < 1e-6);
        assert!((power().effect_beyond(0.005, 0.001) - 0.005 * 2.801_58).abs() < 1e-6);
        // Ten tests at 5% together: each at 0.5%, whose z is 2.807.
        let ten = power().adjusted_for(10);
        assert!((ten.level.z() - 2.807_03).abs() < 1e-4);
        assert_eq!(power().battles_for_effect(&even, 0.0), None);
    }

    /// Battles that all ended alike are planned with the largest variance that remains possible, and no interval is
    /// shorter than where nothing varies.
    #[test]
    fn what_never_varied_is_not_certain() {
        let alike = |battles| Results { won: battles, shared: 0, lost: 0, sides: 2 };
        let otherwise = |of| Design::otherwise(of, OutcomeMeasure::Score);
        // 1 - 0.05^(1/100): about three in a hundred.
        assert!((otherwise(alike(100)).unwrap() - 0.029_513).abs() < 1e-6);
        assert_eq!(otherwise(Results { lost: 1, ..alike(99) }), None);
        assert_eq!(otherwise(alike(0)), None);
        let one = Design::one(alike(1), OutcomeMeasure::Score);
        assert_eq!(one.deviation(), 0.5, "one battle says nothing");
        let hundred = Design::one(alike(100), OutcomeMeasure::Score);
        assert!((hundred.deviation().powi(2) - 0.029_513 * 0.970_487).abs() < 1e-5);
        let drawn = Results { shared: 100, ..alike(0) };
        let of_drawn = Design::one(drawn, OutcomeMeasure::Score).deviation();
        assert!((2.0 * of_drawn - hundred.deviation()).abs() < 1e-9, "half as far");
        // Wilson's interval of 381 battles that were all won reaches down to 99%.
        let certain = Design::one(alike(100_000_000), OutcomeMeasure::Score);
        assert_eq!(power().battles_for_margin(&certain, 0.01), Some(381));
        let known = score(alike(381), OutcomeMeasure::Score, Level::P95);
        assert!((0.99 - known.low).abs() < 1e-4, "{known:?}");
        assert!((power().margin(&certain, 381.0) - 0.01).abs() < 1e-4);
        // Battles that were all drawn leave a score between 49% and 51% open after half as many.
        let of_drawn = |battles| Results { shared: battles, ..alike(0) };
        let level = Design::one(of_drawn(100_000_000), OutcomeMeasure::Score);
        assert_eq!(power().battles_for_margin(&level, 0.01), Some(189));
        let known = score(of_drawn(189), OutcomeMeasure::Score, Level::P95);
        assert!((0.49 - known.low).abs() < 1e-4 && (0.51 - known.high).abs() < 1e-4, "{known:?}");
        assert!((power().margin(&level, 189.0) - 0.01).abs() < 1e-4);
        // Detecting the difference between winning 99% and winning all.
        let both = Design::difference([(alike(100_000_000), 1.0); 2], OutcomeMeasure::Score);
        let battles = power().battles_for_effect(&both, 0.01).expect("a number");
        assert!((power().effect(&both, battles as f64) - 0.01).abs() < 2e-5);
        let mut dice = Seeded::from_seed(73);
        let found = (0..2_000).filter(|_| {
            let results = play(&mut dice, [0.99, 0.0], battles, 2);
            let [a, b] = [results.won, battles].map(|won| Sample::of_trials(won, battles));
            pooled_z(a, b).abs() > Level::P95.z()
        });
        assert!(found.count() > 1_560, "{battles} battles");
    }

    /// What was planned for a power of 80% finds the effect in 80% of 4,000 repeats, error and the grain of counts
    /// included: a score that is an effect away from even, with and without draws, in duels and among three.
    #[test]
    fn the_power_of_a_score_is_what_was_planned() {
        for (case, (effect, shared, sides)) in
            [(0.03, 0.0, 2), (0.04, 0.4, 2), (0.02, 0.9, 2), (0.03, 0.2, 3)].into_iter().enumerate()
        {
            let even = 1.0 / f64::from(sides);
            let wins = (1.0 - shared) * even + effect;
            let design = Design::one(played(wins, shared, sides), OutcomeMeasure::Score);
            let battles = power().battles_for_effect(&design, effect).expect("a number");
            let mut dice = Seeded::of_battle(71, case as u64);
            let found = (0..4_000).filter(|_| {
                let results = play(&mut dice, [wins, shared], battles, sides);
                score(results, OutcomeMeasure::Score, Level::P95).excludes(even)
            });
            let share = found.count() as f64 / 4_000.0;
            println!("{effect} with {shared} shared, {sides} sides: {battles} battles, {share}");
            assert!((0.78..=0.82).contains(&share), "{share} after {battles}: {effect} {shared}");
        }
    }

    /// A pilot in which a side scored 75% or 90%, with and without draws: a score that is an effect away from even is
    /// detected as often as planned, whereas with the variance at the pilot's score it was in less than 70% and 45%.
    /// The same holds for a mean over two match-ups that are far apart, whose difference does not count as variance.
    #[test]
    fn differences_from_even_are_found_as_planned_whatever_the_pilot() {
        const EFFECT: f64 = 0.03;
        let mut dice = Seeded::from_seed(74);
        for (wins, shared, of_pilot) in [(0.75, 0.0, 0.7), (0.9, 0.0, 0.45), (0.7, 0.2, 0.7)] {
            let pilot = played(wins, shared, 2);
            let plain = Design::one(pilot, OutcomeMeasure::Score);
            let one = |measure| Design::one(pilot, measure);
            let design = Design::from_even(pilot, OutcomeMeasure::Score, one);
            let mut found = |design: &Design| {
                let battles = power().battles_for_effect(design, EFFECT).expect("a number");
                let of = [(1.0 - shared) / 2.0 + EFFECT, shared];
                let found = (0..4_000).filter(|_| {
                    let results = play(&mut dice, of, battles, 2);
                    score(results, OutcomeMeasure::Score, Level::P95).excludes(0.5)
                });
                found.count() as f64 / 4_000.0
            };
            let (planned, before) = (found(&design), found(&plain));
            assert!((0.78..=0.83).contains(&planned), "{wins} {shared}: {planned}");
            assert!(before < of_pilot, "{wins} {shared}: {before}");
        }

        let rates = [0.1, 0.9];
        let both = played(0.5, 0.0, 2);
        let estimated = |measure| {
            let strata = rates.map(|rate| Design::one(played(rate, 0.0, 2), measure).among(0.5));
            Design::one(both, measure).over(&strata)
        };
        let design = Design::from_even(both, OutcomeMeasure::Score, estimated);
        let battles = power().battles_for_effect(&design, EFFECT).expect("a number");
        assert!(battles < 900, "{battles}");
        let found = (0..4_000).filter(|_| {
            let parts = rates.map(|rate| {
                let trials = battles.div_ceil(2);
                let results = play(&mut dice, [rate + EFFECT, 0.0], trials, 2);
                Part { weight: 0.5, successes: results.won, trials }
            });
            stratified(parts, Level::P95).excludes(0.5)
        });
        let share = found.count() as f64 / 4_000.0;
        assert!((0.77..=0.83).contains(&share), "{share} after {battles}");
    }

    /// Where battles are drawn, wins are even at less than one half, and a lead over that is told by scores: it is found
    /// as often as planned, with as many battles as the same lead in scores takes, and the interval is that of wins.
    #[test]
    fn leads_in_wins_are_found_as_planned_where_battles_are_drawn() {
        let mut dice = Seeded::from_seed(76);
        for (shared, effect, sides) in [(0.84, 0.02, 2), (0.3, 0.03, 2), (0.5, 0.03, 3)] {
            let even = (1.0 - shared) / f64::from(sides);
            let pilot = played(even, shared, sides);
            let of = |measure| Design::from_even(pilot, measure, |of| Design::one(pilot, of));
            let [wins, scores] = [OutcomeMeasure::Wins, OutcomeMeasure::Score].map(of);
            let battles = power().battles_for_effect(&wins, effect).expect("a number");
            assert_eq!(power().battles_for_effect(&scores, effect), Some(battles));
            let variance = even * (1.0 - 1.0 / f64::from(sides));
            let expected = 7.848_88 * variance / effect.powi(2);
            assert!((battles as f64 / expected - 1.0).abs() < 2e-3, "{battles} {expected}");
            assert!((wins.deviation().powi(2) / (even * (1.0 - even)) - 1.0).abs() < 1e-3);
            let found = (0..4_000).filter(|_| {
                let results = play(&mut dice, [even + effect, shared], battles, sides);
                score(results, OutcomeMeasure::Score, Level::P95).excludes(1.0 / f64::from(sides))
            });
            let share = found.count() as f64 / 4_000.0;
            println!("{shared} {effect} {sides}: {battles} battles, {share}");
            assert!((0.77..=0.83).contains(&share), "{share} after {battles}: {shared}");
        }
    }

    /// The difference between a fifth of the battles, which have a factor, and the others is detected with the planned
    /// power, and the half-width of an interval is as planned.
    #[test]
    fn the_power_of_a_difference_and_the_margin_are_what_was_planned() {
        let (with, without, share) = (0.56, 0.48, 0.2);
        let kinds = [(with, share), (without, 1.0 - share)];
        let kinds = kinds.map(|(rate, share)| (played(rate, 0.0, 2), share));
        let both = Design::difference(kinds, OutcomeMeasure::Score);
        let battles = power().battles_for_effect(&both, with - without).expect("a number");
        let mut dice = Seeded::from_seed(72);
        let some = (battles as f64 * share).round() as u64;
        let found = (0..4_000).filter(|_| {
            let [a, b] = [(with, some), (without, battles - some)].map(|(rate, battles)| {
                let results = play(&mut dice, [rate, 0.0], battles, 2);
                Sample::of_trials(results.won, battles)
            });
            pooled_z(a, b).abs() > Level::P95.z()
        });
        let share = found.count() as f64 / 4_000.0;
        assert!((0.78..=0.82).contains(&share), "{share} after {battles}");

        let design = Design::one(played(0.3, 0.3, 2), OutcomeMeasure::Score);
        let battles = power().battles_for_margin(&design, 0.01).expect("a number");
        let results = play(&mut dice, [0.3, 0.3], battles, 2);
        let known = score(results, OutcomeMeasure::Score, Level::P95);
        assert!(((known.high - known.low) / 2.0 - 0.01).abs() < 3e-4, "{known:?}");
    }

    /// A difference in the direction that takes more battles is detected as often as planned, however far from even and
    /// however few battles are of the rarer kind; planned with the variance of the pilot, in which there was no
    /// difference, 62% to 76% were detected. The same holds for a change between two runs.
    #[test]
    fn large_differences_are_found_as_planned_far_from_even() {
        let mut dice = Seeded::from_seed(75);
        for (wins, shared, share, effect) in [
            (0.1, 0.0, 0.2, 0.228),
            (0.1, 0.0, 1.0 / 27.0, 0.12),
            (0.3, 0.0, 1.0 / 27.0, 0.317),
            (0.9, 0.0, 0.2, 0.1),
            (0.1, 0.3, 0.2, 0.15),
            (0.05, 0.0, 0.5, 0.1),
        ] {
            let pilot = played(wins, shared, 2);
            let kinds = [(pilot, share), (pilot, 1.0 - share)];
            let design = Design::difference(kinds, OutcomeMeasure::Score);
            let battles = power().battles_for_effect(&design, effect).expect("a number");
            let more = if wins + shared / 2.0 < 0.5 { effect } else { -effect };
            let found = (0..4_000).filter(|_| {
                let some = (0..battles).filter(|_| dice.unit() < share).count() as u64;
                let sides = [(wins + more, some), (wins, battles - some)];
                let [a, b] = sides.map(|(wins, battles)| {
                    let results = play(&mut dice, [wins, shared], battles, 2);
                    score_sample(results, OutcomeMeasure::Score)
                });
                pooled_z(a, b).abs() > Level::P95.z()
            });
            let found = found.count() as f64 / 4_000.0;
            println!("{wins} {shared} {share} {effect}: {battles} battles, {found}");
            assert!((0.77..=0.85).contains(&found), "{found} after {battles}: {wins} {effect}");
        }
    }
}
