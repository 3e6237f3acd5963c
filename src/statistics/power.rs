//! How many battles a question takes, and how small an answer so many battles can see.

use super::distributions::normal_quantile;

use super::{Level, score_sample};
use crate::tally::{OutcomeMeasure, Results};

/// What is to be estimated, as far as its precision goes: an estimate from `n` battles has this variance divided by
/// `n`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    variance: f64,
}

/// A confidence level and a power: what has to come out how surely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The level of the intervals, or of the two-sided test.
    pub level: Level,
    /// How many standard errors an effect has to lie beyond where the test begins to reject.
    z: f64,
}

impl Design {
    /// The mean score of battles that vary as some played ones did. One win and one loss are added to these, so that a
    /// few battles that ended alike do not pass for certain; draws lower the variance.
    #[must_use]
    pub fn one(results: Results, measure: OutcomeMeasure) -> Self {
        let measured = results.measured(measure);
        let seen = Results { won: measured.won + 1, lost: measured.lost + 1, ..measured };
        // Measured already: what is shared now counts as that.
        let deviation = score_sample(seen, OutcomeMeasure::Score).deviation();
        Self { variance: (deviation / f64::from(results.sides)).powi(2) }
    }

    /// The same where only this share of the battles tells anything about it, above 0 to 1.
    #[must_use]
    pub fn among(self, share: f64) -> Self {
        Self { variance: self.variance / share }
    }

    /// The difference to another mean, from other battles of the same run.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self { variance: self.variance + other.variance }
    }

    /// The standard deviation that one battle of the run is worth: the standard error after `n` battles is it divided
    /// by the square root of `n`.
    #[must_use]
    pub fn deviation(self) -> f64 {
        self.variance.sqrt()
    }
}

impl Power {
    /// A level, and the chance with which a test at this level shall find an effect, both excluded from 0 to 1.
    ///
    /// # Panics
    /// When the power is no probability (in debug builds).
    #[must_use]
    pub fn new(level: Level, power: f64) -> Self {
        debug_assert!(power > 0.0 && power < 1.0, "a power of {power}");
        Self { level, z: normal_quantile(power) }
    }

    /// The same with a Bonferroni adjustment for so many tests, the widest that Holm's method asks for.
    #[must_use]
    pub fn adjusted_for(self, tests: u64) -> Self {
        Self { level: self.level.shared_by(tests), ..self }
    }

    /// How many battles the interval takes to reach no farther than this to either side; none for a distance of 0.
    #[must_use]
    pub fn battles_for_margin(&self, design: &Design, margin: f64) -> Option<u64> {
        battles(self.level.z() * design.deviation() / margin)
    }

    /// How many battles it takes to find an effect of this size with the wanted power: the normal approximation `((z of
    /// the level + z of the power) * deviation / effect)^2` (J. Cohen: "Statistical Power Analysis for the Behavioral
    /// Sciences", 1988). None for an effect of 0.
    #[must_use]
    pub fn battles_for_effect(&self, design: &Design, effect: f64) -> Option<u64> {
        battles((self.level.z() + self.z) * design.deviation() / effect)
    }

    /// The smallest effect that is found with the wanted power by an estimate with this standard error, where it also
    /// has to come out larger than a tolerance.
    #[must_use]
    pub fn effect_beyond(&self, error: f64, tolerance: f64) -> f64 {
        (self.level.z() * error).max(tolerance) + self.z * error
    }

    /// How far the interval after so many battles reaches to either side.
    #[must_use]
    pub fn margin(&self, design: &Design, battles: f64) -> f64 {
        self.level.z() * design.deviation() / battles.sqrt()
    }

    /// The smallest effect that so many battles find with the wanted power.
    #[must_use]
    pub fn effect(&self, design: &Design, battles: f64) -> f64 {
        (self.level.z() + self.z) * design.deviation() / battles.sqrt()
    }
}

fn battles(root: f64) -> Option<u64> {
    let needed = (root * root).ceil();
    (needed.is_finite() && needed < u64::MAX as f64).then_some((needed as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::statistics::{Sample, pooled_z, score};

    fn power() -> Power {
        Power::new(Level::P95, 0.8)
    }

    /// A million battles that ended like this: what is added to them does not matter.
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

    /// (1.95996 + 0.84162)^2 / 4 / 0.01^2 = 19,623, as any table of sample sizes says; a margin of one point takes
    /// 9,604.
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
        // Beyond a tolerance of 2 points only the power is to be paid for.
        assert!((power().effect_beyond(0.005, 0.02) - (0.02 + 0.005 * 0.841_62)).abs() < 1e-6);
        assert!((power().effect_beyond(0.005, 0.001) - 0.005 * 2.801_58).abs() < 1e-6);
        // Ten tests at 5% together: each at 0.5%, whose z is 2.807.
        let ten = power().adjusted_for(10);
        assert!((ten.level.z() - 2.807_03).abs() < 1e-4);
        assert_eq!(power().battles_for_effect(&even, 0.0), None);
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

    /// The same for the difference between the fifth of the battles that has something and the others, and the half
    /// width of an interval is what was planned.
    #[test]
    fn the_power_of_a_difference_and_the_margin_are_what_was_planned() {
        let (with, without, share) = (0.56, 0.48, 0.2);
        let design =
            |rate, share| Design::one(played(rate, 0.0, 2), OutcomeMeasure::Score).among(share);
        let both = design(with, share).minus(design(without, 1.0 - share));
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
}
