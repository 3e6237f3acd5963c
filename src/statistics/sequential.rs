//! Sequential analysis: inference that stays valid under optional stopping.
//!
//! An ordinary confidence interval is valid at a sample size that was fixed in advance; whoever looks repeatedly and
//! stops when the result pleases is wrong far more often than the level says. The methods here are valid at every look.

use super::distributions::ln_beta;

use super::intervals::{boundary, nearly_equal};
use super::{Estimate, score_sample};
use crate::tally::{OutcomeMeasure, Results};

/// A confidence sequence for a probability: with probability `confidence` it covers the true value at all sample sizes
/// simultaneously, so a run may stop on it at any time.
///
/// It is the beta-binomial mixture of H. Robbins ("Statistical methods related to the law of the iterated
/// logarithm", 1970) under a uniform prior: a rate `p` is excluded once the likelihood of the mixture of all rates is
/// `1 / (1 - confidence)` times that of `p`, which by Ville's inequality happens to the true rate with probability
/// `1 - confidence` at most.
///
/// ```
/// use evens::statistics::confidence_sequence;
/// let odds = confidence_sequence(5_200, 10_000, 0.95);
/// assert!(odds.low < 0.52 && odds.low > 0.50 && odds.high < 0.54);
/// ```
#[must_use]
pub fn confidence_sequence(successes: u64, trials: u64, confidence: f64) -> Estimate {
    debug_assert!(successes <= trials, "{successes} successes in {trials} trials");
    if trials == 0 {
        return Estimate::UNKNOWN;
    }
    let (won, lost) = (successes as f64, (trials - successes) as f64);
    let value = won / trials as f64;
    // ln of (mixture likelihood / likelihood of p) - ln(1 / (1 - confidence)); p is kept while it is negative.
    let mixture = ln_beta(1.0 + won, 1.0 + lost) + libm::log(1.0 - confidence);
    let term = |count: f64, rate: f64| if count > 0.0 { count * libm::log(rate) } else { 0.0 };
    let against = |p: f64| mixture - term(won, p) - term(lost, 1.0 - p);
    let low = if successes == 0 { 0.0 } else { bisected(value, 0.0, against) };
    let high = if successes == trials { 1.0 } else { bisected(value, 1.0, against) };
    Estimate { value, low, high }
}

/// The point where `against` passes 0 between `kept`, where it is negative, and `left_out`, where it is not; at most
/// 1e-12 beyond it, on the safe side. By bisection, which also takes an `against` that is infinite at an end.
pub(super) fn bisected(kept: f64, left_out: f64, against: impl Fn(f64) -> f64) -> f64 {
    boundary(kept, left_out, |at| against(at) < 0.0, nearly_equal)
}

/// The decision of a sequential test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The lower of the two hypotheses is accepted.
    Lower,
    /// The upper of the two hypotheses is accepted.
    Upper,
    /// Undecided: more battles are needed.
    Open,
}

/// Wald's sequential probability ratio test (SPRT) of a mean score of `lower` against one of `upper`: the generalised
/// test of X. Li, J. Liu and Z. Ying ("Generalized sequential probability ratio test for separate families of
/// hypotheses", 2014), in the normal form that engine testers use.
///
/// `errors` bounds, approximately, both error probabilities: of Upper where the score is `lower` or less, and of Lower
/// where it is `upper` or more. In between, the indifference zone, nothing is bounded: either verdict may come, and
/// neither is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialTest {
    /// The mean score of the lower hypothesis, 0 to 1.
    pub lower: f64,
    /// The mean score of the upper hypothesis, above the lower.
    pub upper: f64,
    /// The chance of a wrong verdict at either hypothesis.
    pub errors: f64,
}

impl SequentialTest {
    /// The log-likelihood ratio of upper against lower. One win and one loss are added to the results, so that a few
    /// battles that ended alike, or a single win among draws, do not pass for a small variance.
    #[must_use]
    pub fn log_likelihood_ratio(&self, results: Results) -> f64 {
        let seen = Results { won: results.won + 1, lost: results.lost + 1, ..results };
        let of = score_sample(seen, OutcomeMeasure::Score);
        let sides = f64::from(results.sides);
        let mean = of.sum as f64 / of.count as f64 / sides;
        let variance = (of.deviation() / sides).powi(2);
        let middle = f64::midpoint(self.lower, self.upper);
        of.count as f64 * (self.upper - self.lower) * (mean - middle) / variance
    }

    /// The verdict after these battles.
    #[must_use]
    pub fn verdict(&self, results: Results) -> Verdict {
        let ratio = self.log_likelihood_ratio(results);
        let bound = libm::log((1.0 - self.errors) / self.errors);
        match ratio {
            ratio if ratio >= bound => Verdict::Upper,
            ratio if ratio <= -bound => Verdict::Lower,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use proptest::prelude::*;

    /// The battle counts at the looks of a run, each a tenth larger than the last.
    fn looks() -> impl Iterator<Item = u64> {
        std::iter::successors(Some(100_u64), |&look| Some(look + look / 10))
            .take_while(|&n| n < 20_000)
    }

    /// Looking dozens of times, the sequence misses the true value in at most 5% of 4,000 runs; an ordinary interval
    /// misses it in far more.
    #[test]
    fn a_confidence_sequence_holds_at_every_look_at_once() {
        let (mut missed, mut plain_missed) = (0, 0);
        for run in 0..4_000 {
            let mut random = Seeded::of_battle(5, run);
            let truth = [0.5, 0.3, 0.52, 0.9][run as usize % 4];
            let (mut won, mut played) = (0, 0);
            let (mut out, mut plain_out) = (false, false);
            for look in looks() {
                while played < look {
                    won += u64::from(random.unit() < truth);
                    played += 1;
                }
                out |= confidence_sequence(won, played, 0.95).excludes(truth);
                let plain =
                    crate::statistics::proportion(won, played, crate::statistics::Level::P95);
                plain_out |= plain.excludes(truth);
            }
            missed += u32::from(out);
            plain_missed += u32::from(plain_out);
        }
        assert!(missed <= 200, "{missed} of 4000");
        assert!(plain_missed > 600, "{plain_missed} of 4000");
    }

    /// At either hypothesis, and beyond it, the test is wrong in at most about 5% of the runs, whatever the share of
    /// draws and although it looks as early as after 100 battles; and it always ends.
    #[test]
    fn the_sequential_test_is_wrong_as_rarely_as_it_says() {
        let test = SequentialTest { lower: 0.47, upper: 0.53, errors: 0.05 };
        for (case, (truth, draws)) in
            [(0.47, 0.0), (0.53, 0.0), (0.47, 0.6), (0.53, 0.9), (0.47, 0.93), (0.6, 0.0)]
                .into_iter()
                .enumerate()
        {
            let right = if truth < 0.5 { Verdict::Lower } else { Verdict::Upper };
            let wins = truth - draws / 2.0;
            let mut wrong = 0;
            for run in 0..2_000 {
                let mut random = Seeded::of_battle(60 + case as u64, run);
                let mut results = Results::none(2);
                let mut looks =
                    std::iter::successors(Some(100_u64), |&look| Some(look + look / 10));
                let verdict = loop {
                    let look = looks.next().expect("another look");
                    while results.battles() < look {
                        let drawn = random.unit();
                        if drawn < wins {
                            results.won += 1;
                        } else if drawn < wins + draws {
                            results.shared += 1;
                        } else {
                            results.lost += 1;
                        }
                    }
                    match test.verdict(results) {
                        Verdict::Open => assert!(look < 100_000, "it ends"),
                        verdict => break verdict,
                    }
                };
                wrong += u32::from(verdict != right);
            }
            println!("{truth} with {draws} draws: {wrong} of 2,000 wrong");
            // 5% of 2,000 is 100, and four standard deviations are 39.
            assert!(wrong <= 139, "{wrong} of 2000 at {truth} with {draws} draws");
        }
    }

    #[test]
    fn draws_are_half_wins() {
        let test = SequentialTest { lower: 0.49, upper: 0.51, errors: 0.05 };
        let ratio =
            |won, shared, lost| test.log_likelihood_ratio(Results { won, shared, lost, sides: 2 });
        assert_eq!(ratio(0, 100, 0), 0.0, "nothing speaks for either");
        assert_eq!(ratio(450, 100, 450), 0.0);
        assert!(ratio(500, 100, 400) > 0.0 && ratio(400, 100, 500) < 0.0);
        // More draws, less variance, more evidence.
        assert!(ratio(110, 800, 90) > ratio(510, 0, 490));
        // One win among draws is next to no evidence.
        assert!(ratio(1, 99, 0) < 1.5, "{}", ratio(1, 99, 0));
    }

    proptest! {
        #[test]
        fn a_confidence_sequence_is_wider_than_an_interval(won in 0..1000_u64, lost in 0..1000_u64) {
            prop_assume!(won + lost > 0);
            let sequence = confidence_sequence(won, won + lost, 0.95);
            let plain =
                crate::statistics::proportion(won, won + lost, crate::statistics::Level::P95);
            prop_assert!(sequence.low <= sequence.value && sequence.value <= sequence.high);
            prop_assert!(sequence.high - sequence.low >= plain.high - plain.low - 0.05);
        }
    }
}
