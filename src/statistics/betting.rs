//! A confidence sequence for the mean score of battles that are won, shared or lost.

use super::distributions::ln_beta;

use super::Estimate;
use super::intervals::boundary;
use super::sequential::bisected;
use crate::tally::{OutcomeMeasure, Results};

/// The number of steps in the numerical integration of the mixture; even.
const STEPS: usize = 128;
/// An integrand whose logarithm is this far below the peak's adds nothing to the integral.
const NEGLIGIBLE: f64 = 40.0;

/// The mean score behind some results, 0 to 1, with a confidence sequence: with probability `confidence` it covers the
/// true value at all numbers of battles simultaneously, so a run may stop on it at any time.
///
/// It bets against every mean `m`: a gambler who stakes a fixed share of his capital on each battle, paid by the score
/// less `m`, has an expected capital of 1 for ever if `m` is true, whatever the share of draws; and so has the mixture
/// of all such gamblers with equal weights, one for every stake that cannot go bankrupt. A mean is excluded once the
/// mixture has `1 / (1 - confidence)` times its capital, which by Ville's inequality happens to the true one with
/// probability `1 - confidence` at most (I. Waudby-Smith and A. Ramdas: "Estimating means of bounded random variables
/// by betting", 2024; the mixture is the universal portfolio of F. Orabona and K. Jun: "Tight concentrations and
/// confidence sequences from the regret of universal portfolio", 2023). Without shared battles it is the beta-binomial
/// mixture ([`confidence_sequence`](super::confidence_sequence)); draws narrow it as they narrow the variance.
///
/// Battles of several match-ups that take turns may be pooled, and it covers the mean of their scores after every full
/// round of turns: by the inequality of arithmetic and geometric means the capital cannot grow faster because the
/// match-ups differ.
///
/// ```
/// use evens::statistics::{confidence_sequence, score_sequence};
/// use evens::tally::{OutcomeMeasure, Results};
/// let wins = score_sequence(Results { won: 52, shared: 0, lost: 48, sides: 2 }, OutcomeMeasure::Score, 0.95);
/// let draws = score_sequence(Results { won: 12, shared: 80, lost: 8, sides: 2 }, OutcomeMeasure::Score, 0.95);
/// assert_eq!(wins, confidence_sequence(52, 100, 0.95));
/// assert!(draws.high - draws.low < 0.6 * (wins.high - wins.low));
/// ```
#[must_use]
pub fn score_sequence(results: Results, measure: OutcomeMeasure, confidence: f64) -> Estimate {
    let results = results.measured(measure);
    if results.battles() == 0 {
        return Estimate::UNKNOWN;
    }
    let bets = Bets::on(results);
    let threshold = -libm::log(1.0 - confidence);
    let against = |mean: f64| bets.ln_capital(mean) - threshold;
    // A mean of 0 or 1 is impossible as soon as any other score was seen.
    let low = if bets.value == 0.0 { 0.0 } else { bisected(bets.value, 0.0, against) };
    let high = if bets.value == 1.0 { 1.0 } else { bisected(bets.value, 1.0, against) };
    Estimate { value: bets.value, low, high }
}

/// The results that are bet on.
struct Bets {
    won: f64,
    shared: f64,
    lost: f64,
    /// The score of a shared battle.
    worth: f64,
    value: f64,
}

impl Bets {
    fn on(results: Results) -> Self {
        let [won, shared, lost] = [results.won, results.shared, results.lost].map(|n| n as f64);
        let worth = 1.0 / f64::from(results.sides);
        let value = (won + shared * worth) / (won + shared + lost);
        Self { won, shared, lost, worth, value }
    }

    /// The natural logarithm of the mixture's capital against a mean strictly between 0 and 1. A stake is named by the
    /// win rate `at` for which it would be the best if there were no draws.
    fn ln_capital(&self, mean: f64) -> f64 {
        if self.shared == 0.0 {
            let term =
                |count: f64, rate: f64| if count > 0.0 { count * libm::log(rate) } else { 0.0 };
            return ln_beta(1.0 + self.won, 1.0 + self.lost)
                - term(self.won, mean)
                - term(self.lost, 1.0 - mean);
        }
        let peak = self.best_stake(mean);
        let top = self.ln_capital_of(peak, mean);
        // The logarithm is concave in the stake, so everything that matters lies in one interval around its peak.
        let counts = |at: f64| self.ln_capital_of(at, mean) > top - NEGLIGIBLE;
        let [from, to] = [0.0, 1.0].map(|end| farthest(peak, end, counts));
        let width = (to - from) / STEPS as f64;
        let simpson = |step: usize| match step {
            0 | STEPS => 1.0,
            step if step % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let sum: f64 = (0..=STEPS)
            .map(|step| {
                let at = (from + step as f64 * width).clamp(0.0, 1.0);
                simpson(step) * libm::exp(self.ln_capital_of(at, mean) - top)
            })
            .sum();
        top + libm::log(sum * width / 3.0)
    }

    /// The logarithm of one gambler's capital; minus infinity where he is bankrupt.
    fn ln_capital_of(&self, at: f64, mean: f64) -> f64 {
        let [win, share, loss] = self.factors(at, mean);
        let term =
            |count: f64, factor: f64| if count > 0.0 { count * libm::log(factor) } else { 0.0 };
        term(self.won, win) + term(self.shared, share) + term(self.lost, loss)
    }

    /// The factors by which a won, a shared and a lost battle multiply a gambler's capital.
    fn factors(&self, at: f64, mean: f64) -> [f64; 3] {
        let (win, loss) = (at / mean, (1.0 - at) / (1.0 - mean));
        [win, self.worth * win + (1.0 - self.worth) * loss, loss]
    }

    /// The stake that has gained most on these results, by bisection.
    fn best_stake(&self, mean: f64) -> f64 {
        let (up, down) = (mean.recip(), -(1.0 - mean).recip());
        let sideways = self.worth * up + (1.0 - self.worth) * down;
        let still_gains = |at: f64| {
            let [win, share, loss] = self.factors(at, mean);
            let slope = |count: f64, by: f64, factor: f64| {
                if count > 0.0 { count * by / factor } else { 0.0 }
            };
            let slopes = [
                slope(self.won, up, win),
                slope(self.shared, sideways, share),
                slope(self.lost, down, loss),
            ];
            slopes.iter().sum::<f64>() > 0.0
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..54 {
            let middle = f64::midpoint(low, high);
            if still_gains(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

/// A point just beyond the last one from `peak` towards `end` at which `holds` is true, to a thousandth of the way; `end`
/// where it is true there.
fn farthest(peak: f64, end: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if holds(end) {
        return end;
    }
    let is_close =
        |inside: f64, outside: f64| (outside - inside).abs() <= 1e-3 * (outside - peak).abs();
    boundary(peak, end, holds, is_close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::statistics::{Level, confidence_sequence, score};
    use proptest::prelude::*;

    fn results(won: u64, shared: u64, lost: u64, sides: u32) -> Results {
        Results { won, shared, lost, sides }
    }

    /// Plays battles with these odds of a win and of a share until there are `battles`.
    fn play(results: &mut Results, dice: &mut Seeded, odds: [f64; 2], battles: u64) {
        while results.battles() < battles {
            let drawn = dice.unit();
            if drawn < odds[0] {
                results.won += 1;
            } else if drawn < odds[0] + odds[1] {
                results.shared += 1;
            } else {
                results.lost += 1;
            }
        }
    }

    /// Looked at after every tenth more battles, the sequence ever misses the true score in at most 5% of 2,000 runs
    /// each, for any share of draws and two or three sides; the interval for a fixed number of battles misses it
    /// several times as often.
    #[test]
    fn it_holds_the_score_at_every_look_at_once() {
        for (case, (odds, sides)) in [
            ([0.3, 0.4], 2),
            ([0.05, 0.9], 2),
            ([0.85, 0.1], 2),
            ([0.01, 0.97], 2),
            ([0.2, 0.4], 3),
        ]
        .into_iter()
        .enumerate()
        {
            let truth = odds[0] + odds[1] / f64::from(sides);
            let (mut missed, mut plain_missed) = (0, 0);
            for run in 0..2_000 {
                let mut dice = Seeded::of_battle(51 + case as u64, run);
                let mut results = Results::none(sides);
                let (mut out, mut plain_out) = (false, false);
                for look in std::iter::successors(Some(20_u64), |&look| Some(look + look / 10 + 1))
                    .take_while(|&look| look < 3_000)
                {
                    play(&mut results, &mut dice, odds, look);
                    // The sequence excludes the truth exactly when the capital against the truth has reached the
                    // threshold.
                    out |= Bets::on(results).ln_capital(truth) >= libm::log(20_f64);
                    plain_out |= score(results, OutcomeMeasure::Score, Level::P95).excludes(truth);
                }
                missed += u32::from(out);
                plain_missed += u32::from(plain_out);
            }
            assert!(missed <= 100, "{missed} of 2,000: {odds:?}");
            assert!(plain_missed > 2 * missed && plain_missed > 250, "{plain_missed}: {odds:?}");
        }
    }

    /// Match-ups that take turns, one won nearly always and one lost nearly always: the mean of both is covered.
    #[test]
    fn it_holds_the_mean_of_match_ups_that_take_turns() {
        let rates = [0.95, 0.15, 0.6];
        let truth = rates.iter().sum::<f64>() / 3.0;
        let mut missed = 0;
        for run in 0..2_000 {
            let mut dice = Seeded::of_battle(57, run);
            let mut results = Results::none(2);
            let mut out = false;
            for round in 1..=400 {
                for rate in rates {
                    let won = u64::from(dice.unit() < rate);
                    results.won += won;
                    results.lost += 1 - won;
                }
                out |= round % 10 == 0 && Bets::on(results).ln_capital(truth) >= libm::log(20_f64);
            }
            missed += u32::from(out);
        }
        assert!(missed <= 100, "{missed} of 2,000");
    }

    /// The integral agrees with the midpoint rule with two million points.
    #[test]
    fn the_mixture_is_what_integration_by_other_means_finds() {
        for (results, mean) in [
            (results(12, 35, 1, 2), 0.5),
            (results(0, 40, 0, 2), 0.52),
            (results(0, 3, 9, 3), 0.4),
            (results(400, 5_000, 450, 2), 0.5),
        ] {
            let bets = Bets::on(results);
            let points = 2_000_000;
            let top = bets.ln_capital_of(bets.best_stake(mean), mean);
            let sum: f64 = (0..points)
                .map(|point| (f64::from(point) + 0.5) / f64::from(points))
                .map(|at| libm::exp(bets.ln_capital_of(at, mean) - top))
                .sum();
            let expected = top + libm::log(sum / f64::from(points));
            let found = bets.ln_capital(mean);
            assert!((found - expected).abs() < 1e-4, "{found} {expected} {results:?}");
        }
    }

    #[test]
    fn extremes_have_intervals() {
        for results in [
            results(5, 0, 0, 2),
            results(0, 0, 5, 2),
            results(0, 50, 0, 2),
            results(1, 9_999, 0, 2),
        ] {
            let of = score_sequence(results, OutcomeMeasure::Score, 0.95);
            assert!(of.low <= of.value && of.value <= of.high && of.low < of.high, "{of:?}");
        }
        let none = score_sequence(Results::none(2), OutcomeMeasure::Score, 0.95);
        assert!(none.value.is_nan());
    }

    proptest! {
        #[test]
        fn it_turns_with_the_sides(won in 0..300_u64, shared in 0..300_u64, lost in 0..300_u64) {
            prop_assume!(won + shared + lost > 0);
            let one = score_sequence(results(won, shared, lost, 2), OutcomeMeasure::Score, 0.95);
            let other = score_sequence(results(lost, shared, won, 2), OutcomeMeasure::Score, 0.95);
            prop_assert!(0.0 <= one.low && one.low <= one.value && one.value <= one.high);
            prop_assert!((one.low + other.high - 1.0).abs() < 1e-6, "{one:?} {other:?}");
        }

        #[test]
        fn one_shared_battle_makes_no_leap(won in 20..300_u64, lost in 20..300_u64) {
            let without = confidence_sequence(won, won + lost, 0.95);
            let with = score_sequence(results(won, 1, lost, 2), OutcomeMeasure::Score, 0.95);
            prop_assert!((without.low - with.low).abs() < 0.02 && (without.high - with.high).abs() < 0.02);
        }
    }
}
