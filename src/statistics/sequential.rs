//! Sequential analysis: inference that stays valid under optional stopping.
//!
//! An ordinary confidence interval is valid at a sample size that was fixed in advance; whoever looks repeatedly and
//! stops when the result pleases is wrong far more often than the level says. What is here is valid at every look.

use statrs::function::beta::ln_beta;

use super::Estimate;

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
    let mixture = ln_beta(1.0 + won, 1.0 + lost) + (1.0 - confidence).ln();
    let term = |count: f64, rate: f64| if count > 0.0 { count * rate.ln() } else { 0.0 };
    let against = |p: f64| mixture - term(won, p) - term(lost, 1.0 - p);
    let low = if successes == 0 { 0.0 } else { crossing(value, 0.0, against) };
    let high = if successes == trials { 1.0 } else { crossing(value, 1.0, against) };
    Estimate { value, low, high }
}

/// Where `against` passes 0 between `kept`, where it is negative, and `left_out`, where it is not; on the safe
/// side by less than 1e-12.
fn crossing(kept: f64, left_out: f64, against: impl Fn(f64) -> f64) -> f64 {
    let (mut inside, mut outside) = (kept, left_out);
    while (inside - outside).abs() > 1e-12 {
        let middle = f64::midpoint(inside, outside);
        if against(middle) < 0.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

/// What a sequential test has decided so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The lower of the two hypotheses.
    Lower,
    /// The upper of the two hypotheses.
    Upper,
    /// More battles are needed.
    Open,
}

/// Wald's sequential probability ratio test (SPRT) of a mean score of `lower` against one of `upper`, with draws counted as half a win
/// (the generalised test of X. Li, J. Liu and Z. Ying: "Generalized sequential probability ratio test for
/// separate families of hypotheses", 2014, in the normal form that engine testers use).
///
/// `errors` bounds, approximately, both error probabilities: Upper when Lower is true and the other way round. The score of
/// a side is 1 for a win, 1/2 for a draw and 0 otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialTest {
    /// The mean score of the lower hypothesis, 0 to 1.
    pub lower: f64,
    /// The mean score of the upper hypothesis, above the lower.
    pub upper: f64,
    /// The chance of a wrong verdict, either way.
    pub errors: f64,
}

impl SequentialTest {
    /// The log-likelihood ratio of upper against lower; 0 before there is anything to go by.
    #[must_use]
    pub fn log_likelihood_ratio(&self, wins: u64, draws: u64, battles: u64) -> f64 {
        let n = battles as f64;
        let (wins, draws) = (wins as f64, draws as f64);
        let mean = (wins + draws / 2.0) / n;
        let variance = (wins + draws / 4.0) / n - mean * mean;
        // Until both a good and a bad result have been seen the variance is not known.
        if battles == 0 || variance <= 0.0 {
            return 0.0;
        }
        let middle = f64::midpoint(self.lower, self.upper);
        n * (self.upper - self.lower) * (mean - middle) / variance
    }

    /// What the battles so far say.
    #[must_use]
    pub fn verdict(&self, wins: u64, draws: u64, battles: u64) -> Verdict {
        let ratio = self.log_likelihood_ratio(wins, draws, battles);
        let bound = ((1.0 - self.errors) / self.errors).ln();
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

    /// The battle counts of a run that looks ever more rarely: each a tenth more than the last.
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

    /// At either hypothesis the test is wrong in about 5% of the runs, and it always ends.
    #[test]
    fn the_sequential_test_is_wrong_as_rarely_as_it_says() {
        let test = SequentialTest { lower: 0.48, upper: 0.52, errors: 0.05 };
        for (truth, right) in [(0.48, Verdict::Lower), (0.52, Verdict::Upper)] {
            let mut wrong = 0;
            for run in 0..2_000 {
                let mut random = Seeded::of_battle(6, run);
                let (mut won, mut played) = (0, 0);
                let verdict = loop {
                    for _ in 0..100 {
                        won += u64::from(random.unit() < truth);
                        played += 1;
                    }
                    match test.verdict(won, 0, played) {
                        Verdict::Open => assert!(played < 100_000, "it ends"),
                        verdict => break verdict,
                    }
                };
                wrong += u32::from(verdict != right);
            }
            // 5% of 2,000 is 100, and four standard deviations are 39.
            assert!(wrong <= 139, "{wrong} of 2000 at {truth}");
        }
    }

    #[test]
    fn draws_are_half_wins() {
        let test = SequentialTest { lower: 0.49, upper: 0.51, errors: 0.05 };
        assert_eq!(test.log_likelihood_ratio(0, 100, 100), 0.0, "no spread, no evidence");
        assert!(test.log_likelihood_ratio(500, 100, 1000) > 0.0);
        assert!(test.log_likelihood_ratio(400, 100, 1000) < 0.0);
        assert_eq!(test.log_likelihood_ratio(450, 100, 1000), 0.0);
        // More draws, less variance, more evidence.
        let few = test.log_likelihood_ratio(510, 0, 1000);
        let many = test.log_likelihood_ratio(110, 800, 1000);
        assert!(many > few);
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
