//! Scores of probability forecasts: accuracy, Brier score, log loss, calibration.

use super::{Estimate, Level, proportion};
use crate::chance::Seeded;

/// A forecast of an event: how often it happened in simulations, and whether it happened in reality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// Simulations in which it happened.
    pub successes: u64,
    /// All simulations.
    pub runs: u64,
    /// Whether it happened in reality.
    pub happened: bool,
}

impl Forecast {
    /// The forecast probability. It is never 0 or 1, as no number of simulations can establish that, and the log loss
    /// of an impossible event is infinite (H. Jeffreys' prior: half a success and half a failure more).
    #[must_use]
    pub fn probability(&self) -> f64 {
        jeffreys(self.successes, self.runs)
    }

    /// The scores if the event happens and if it does not, and the probability that it does, given that simulations and
    /// reality have the same odds. Then reality is one more run among the simulations, and each run is equally likely
    /// to be the real one: the probability is the share of all runs, reality included, in which the event happened,
    /// whatever the odds are. So the score has an exact expectation and variance, without taking forecasts from a few
    /// runs for the odds themselves.
    fn exchanged(&self, score: impl Fn(f64, bool) -> f64) -> ([f64; 2], f64) {
        let all = self.successes + u64::from(self.happened);
        let if_so = score(jeffreys(all.saturating_sub(1), self.runs), true);
        let if_not = score(jeffreys(all.min(self.runs), self.runs), false);
        ([if_so, if_not], all as f64 / (self.runs + 1) as f64)
    }
}

fn jeffreys(successes: u64, runs: u64) -> f64 {
    (successes as f64 + 0.5) / (runs as f64 + 1.0)
}

/// The scores of many forecasts, with their expectations if reality had the odds of the simulations, that is, if
/// forecasts were off only because they come from few runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The number of forecasts.
    pub forecasts: u64,
    /// The share of forecasts that gave more than one half to what happened.
    pub accuracy: Estimate,
    /// The mean squared distance from 1 of the probability given to what happened, 0 to 1: less is better (G. W. Brier:
    /// "Verification of forecasts expressed in terms of probability", 1950).
    pub brier: Estimate,
    /// The mean of minus the natural logarithm of the probability given to what happened, from 0: less is better.
    pub log_loss: Estimate,
    /// How much of the Brier score is due to forecasts being estimated from a limited number of runs, on average (C. A.
    /// T. Ferro: "Fair scores for ensemble forecasts", 2014).
    pub brier_excess: f64,
    /// How much of the log loss is due to forecasts being estimated from a limited number of runs, on average, as
    /// [`Score::brier_excess`] is for the Brier score: close to half a unit per run, for any odds (R. E. Krichevsky and
    /// V. K. Trofimov: "The performance of universal encoding", 1981).
    pub log_loss_excess: f64,
    /// The expected accuracy if reality had the odds of the simulations.
    pub expected_accuracy: f64,
    /// The expected Brier score if reality had the odds of the simulations.
    pub expected_brier: f64,
    /// The expected log loss if reality had the odds of the simulations.
    pub expected_log_loss: f64,
    /// How many standard errors the Brier score is above its expectation if reality has the odds of the simulations:
    /// the test of D. J. Spiegelhalter ("Probabilistic prediction in patient management and clinical trials", 1986),
    /// given how often everything happened in simulations and reality together, so that it keeps its level with few
    /// runs. With many it is Spiegelhalter's. NaN where
    /// nothing could have turned out otherwise.
    pub brier_z: f64,
    /// How many standard errors the log loss is above its expectation if reality has the odds of the simulations, as
    /// [`Score::brier_z`] is for the Brier score. NaN where nothing could have turned out otherwise.
    pub log_loss_z: f64,
    /// The two-sided p-value of the log loss if reality has the odds of the simulations: twice the tail of its
    /// distribution, which is known exactly like its expectation. With few forecasts, or many that are nearly certain,
    /// sums are far from normal, and z beyond 2 is common. NaN where nothing could have turned out otherwise.
    pub log_loss_p: f64,
}

/// The score of a forecast, its score had the event gone the other way, and the probability of the observed outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub(super) seen: f64,
    pub(super) otherwise: f64,
    pub(super) p: f64,
}

/// The largest number of redrawn sums, and the number as far out on either side after which redrawing stops.
const REDRAWS: u64 = 5_000;
const ENOUGH: u64 = 100;

/// The two-sided p-value of an observed sum of independent scores: twice the probability of a sum at least as far out
/// on its side; NaN where no score could differ. Sums are redrawn, always with the same random numbers, until enough of
/// them are as far out (J. Besag and P. Clifford: "Sequential Monte Carlo p-values", 1991); for sums that hardly any
/// redraw reaches, Chernoff's bound is used.
fn tails(of: &[Exchange]) -> f64 {
    if of.is_empty() {
        return f64::NAN;
    }
    let scale: f64 = of.iter().map(|one| (one.otherwise - one.seen).abs()).sum();
    // Sums that differ only by rounding count as equal.
    let close = 1e-12 * scale;
    let bound = chernoff(of);
    if bound * (REDRAWS as f64) < 1.0 {
        return 2.0 * bound;
    }
    let mut random = Seeded::from_seed(1);
    let (mut above, mut below, mut redraws) = (0_u64, 0_u64, 0);
    while redraws < REDRAWS && above.min(below) < ENOUGH {
        redraws += 1;
        let mut beyond = 0.0;
        for one in of {
            if random.unit() >= one.p {
                beyond += one.otherwise - one.seen;
            }
        }
        above += u64::from(beyond >= -close);
        below += u64::from(beyond <= close);
    }
    let redrawn = match above.min(below) {
        ENOUGH => ENOUGH as f64 / redraws as f64,
        // The observed sum counts as one more redraw.
        fewer => (fewer + 1) as f64 / (redraws + 1) as f64,
    };
    (2.0 * redrawn.min(bound)).min(1.0)
}

/// Chernoff's upper bound for the probability of a sum at least as far out as the observed one, on its side (H.
/// Chernoff: "A measure of asymptotic efficiency for tests of a hypothesis based on the sum of observations", 1952).
pub(super) fn chernoff(of: &[Exchange]) -> f64 {
    const FARTHEST: f64 = 1e4;
    // The mean difference of a sum to the observed one under the exponentially tilted distribution.
    let tilted = |tilt: f64| -> f64 {
        let of_one = |one: &Exchange| {
            let by = one.otherwise - one.seen;
            by / (1.0 + one.p / (1.0 - one.p) * libm::exp(-tilt * by))
        };
        of.iter().map(of_one).sum()
    };
    let side = -tilted(0.0).signum();
    let (mut near, mut far) = (0.0, side);
    while tilted(far) * side < 0.0 && far.abs() < FARTHEST {
        (near, far) = (far, 2.0 * far);
    }
    for _ in 0..50 {
        let middle = f64::midpoint(near, far);
        if tilted(middle) * side < 0.0 {
            near = middle;
        } else {
            far = middle;
        }
    }
    let of_one = |one: &Exchange| {
        libm::log(one.p + (1.0 - one.p) * libm::exp(near * (one.otherwise - one.seen)))
    };
    libm::exp(of.iter().map(of_one).sum::<f64>())
}

/// A sum of scores, with its expectation and variance if reality has the odds of the simulations.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    seen: f64,
    squares: f64,
    expected: f64,
    variance: f64,
}

impl Sum {
    /// Adds the score of a forecast, given the score of a probability by whether the event happened.
    fn add(&mut self, forecast: Forecast, score: impl Fn(f64, bool) -> f64) {
        let seen = score(forecast.probability(), forecast.happened);
        self.seen += seen;
        self.squares += seen * seen;
        let ([if_so, if_not], p) = forecast.exchanged(score);
        self.expected += p * if_so + (1.0 - p) * if_not;
        self.variance += p * (1.0 - p) * (if_so - if_not).powi(2);
    }

    /// The mean score with its interval. Few forecasts may all come true, which does not show how much they vary: the
    /// variance is at least the one if reality has the odds of the simulations. Where no simulation ended otherwise than
    /// reality either, nothing shows it, and the bounds are unknown.
    fn mean(&self, count: f64, level: Level) -> Estimate {
        let value = self.seen / count;
        let variance = (self.squares - self.seen * value).max(0.0) / (count - 1.0);
        let variance = variance.max(self.variance / count);
        if count < 2.0 || self.variance == 0.0 && variance < 1e-12 {
            return Estimate { value, ..Estimate::UNKNOWN };
        }
        let half = level.t(count as u64 - 1) * (variance / count).sqrt();
        Estimate { value, low: (value - half).max(0.0), high: value + half }
    }

    fn z(&self) -> f64 {
        if self.variance > 0.0 {
            (self.seen - self.expected) / self.variance.sqrt()
        } else {
            f64::NAN
        }
    }
}

impl Score {
    /// Scores forecasts; None when there are none.
    #[must_use]
    pub fn of(forecasts: impl IntoIterator<Item = Forecast>, level: Level) -> Option<Self> {
        let [mut right, mut brier, mut log_loss] = [Sum::default(); 3];
        let (mut count, mut brier_excess, mut log_loss_excess) = (0, 0.0, 0.0);
        let mut exchanges = Vec::new();
        for forecast in forecasts {
            let given = |p: f64, happened: bool| if happened { p } else { 1.0 - p };
            let loss = |p: f64, happened: bool| -libm::log(given(p, happened));
            right.add(forecast, |p, happened| f64::from(given(p, happened) > 0.5));
            brier.add(forecast, |p, happened| (1.0 - given(p, happened)).powi(2));
            log_loss.add(forecast, loss);
            let ([if_so, if_not], p) = forecast.exchanged(loss);
            if p > 0.0 && p < 1.0 {
                exchanges.push(match forecast.happened {
                    true => Exchange { seen: if_so, otherwise: if_not, p },
                    false => Exchange { seen: if_not, otherwise: if_so, p: 1.0 - p },
                });
            }
            count += 1;
            let (runs, share) =
                (forecast.runs as f64, forecast.successes as f64 / forecast.runs.max(1) as f64);
            // One run does not show its variance, which is at most a quarter.
            brier_excess +=
                if forecast.runs > 1 { share * (1.0 - share) / (runs - 1.0) } else { 0.25 };
            log_loss_excess += 0.5 / runs.max(1.0);
        }
        let n = count as f64;
        (count > 0).then(|| Score {
            forecasts: count,
            accuracy: proportion(right.seen as u64, count, level),
            brier: brier.mean(n, level).within(0.0, 1.0),
            log_loss: log_loss.mean(n, level),
            brier_excess: brier_excess / n,
            log_loss_excess: log_loss_excess / n,
            expected_accuracy: right.expected / n,
            expected_brier: brier.expected / n,
            expected_log_loss: log_loss.expected / n,
            brier_z: brier.z(),
            log_loss_z: log_loss.z(),
            log_loss_p: tails(&exchanges),
        })
    }
}

/// A bin of the calibration curve: forecasts of about the same probability, and how often they came true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The lowest probability in it.
    pub from: f64,
    /// The upper end of its probabilities, which only the last bin includes.
    pub to: f64,
    /// The number of forecasts.
    pub forecasts: u64,
    /// The mean probability of its forecasts; NaN where there are none.
    pub mean: f64,
    /// The share of its forecasts that came true.
    pub happened: Estimate,
    /// The share that would come true on average if reality had the odds of the simulations, whatever has happened; NaN where
    /// nothing tells, as without forecasts from several simulations. It is not `mean`: forecasts from few runs are the more
    /// extreme the fewer there are.
    pub expected: f64,
}

/// The calibration curve: forecasts in `bins` equally wide bins, lowest first.
#[must_use]
pub fn calibration(
    forecasts: impl IntoIterator<Item = Forecast>,
    bins: usize,
    level: Level,
) -> Vec<Bin> {
    let bin_of = |probability: f64| ((probability * bins as f64) as usize).min(bins - 1);
    let forecasts: Vec<Forecast> = forecasts.into_iter().collect();
    let odds = TrueOdds::of(&forecasts);
    let mut sums = vec![(0_u64, 0_u64, 0.0); bins];
    // How many forecasts of each bin are from simulations, and how many of these are expected to come true.
    let mut expected = vec![[0.0; 2]; bins];
    for forecast in forecasts {
        let probability = forecast.probability();
        let at = bin_of(probability);
        if let Some(odds) = odds.as_ref().filter(|_| forecast.runs > 0) {
            expected[at][0] += 1.0;
            expected[at][1] += odds.mean(forecast);
        }
        let (count, came_true, sum) = &mut sums[at];
        *count += 1;
        *came_true += u64::from(forecast.happened);
        *sum += probability;
    }
    let bin = |(at, (forecasts, came_true, sum)): (usize, (u64, u64, f64))| Bin {
        from: at as f64 / bins as f64,
        to: (at + 1) as f64 / bins as f64,
        forecasts,
        mean: sum / forecasts as f64,
        happened: proportion(came_true, forecasts, level),
        expected: expected[at][1] / expected[at][0],
    };
    sums.into_iter().enumerate().map(bin).collect()
}

/// The true odds behind many forecasts, as far as simulations alone tell: a beta distribution with their mean and spread
/// (empirical Bayes by moments; J. C. Kleinman: "Proportions with extraneous variance: single and independent samples",
/// 1973).
struct TrueOdds {
    mean: f64,
    /// How many simulations the distribution itself is worth.
    weight: f64,
}

impl TrueOdds {
    /// None where no forecast is from several simulations.
    fn of(forecasts: &[Forecast]) -> Option<Self> {
        /// The least and the most that the distribution is worth: all odds are 0 or 1, and all are alike.
        const WEIGHTS: [f64; 2] = [1e-6, 1e9];
        let several = || forecasts.iter().filter(|of| of.runs > 1);
        let share = |of: &Forecast| of.successes as f64 / of.runs as f64;
        let count = several().count() as f64;
        if count == 0.0 {
            return None;
        }
        let mean = several().map(share).sum::<f64>() / count;
        let all = several().map(|of| (share(of) - mean).powi(2)).sum::<f64>() / count;
        let chance = |of: &Forecast| share(of) * (1.0 - share(of)) / (of.runs - 1) as f64;
        let spread = all - several().map(chance).sum::<f64>() / count;
        let weight = if spread > 0.0 { mean * (1.0 - mean) / spread - 1.0 } else { WEIGHTS[1] };
        Some(Self { mean, weight: weight.clamp(WEIGHTS[0], WEIGHTS[1]) })
    }

    /// The mean of the odds behind a forecast.
    fn mean(&self, of: Forecast) -> f64 {
        (of.successes as f64 + self.weight * self.mean) / (of.runs as f64 + self.weight)
    }
}

/// A battle whose result is known, with the simulations of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Where it is recorded, for people to find it again.
    pub place: String,
    /// The factors of the battle (in Splinterlands its rulesets).
    pub factors: Vec<String>,
    /// In how many simulations each side won.
    pub wins: [u64; 2],
    /// In how many simulations nobody won.
    pub draws: u64,
    /// Whether side A won; None when nobody did.
    pub first_won: Option<bool>,
    /// Whether what happened was forecast as impossible.
    pub held_impossible: bool,
}

impl Known {
    /// How many times as many battles are simulated in search of what happened, if it has not come up.
    pub const PATIENCE: u64 = 100;

    /// The forecast that side A wins, scored only where somebody won; else None.
    #[must_use]
    pub fn forecast(&self) -> Option<Forecast> {
        self.first_won.map(|happened| Forecast { happened, ..self.of_first() })
    }

    /// The forecast probability that side A wins if anybody does, between 0 and 1, both excluded.
    #[must_use]
    pub fn first_wins(&self) -> f64 {
        self.of_first().probability()
    }

    /// The share of the simulations that nobody won; NaN without simulations.
    #[must_use]
    pub fn draw(&self) -> f64 {
        self.draws as f64 / (self.draws + self.wins[0] + self.wins[1]) as f64
    }

    /// The forecast that nobody wins.
    #[must_use]
    pub fn draw_forecast(&self) -> Forecast {
        let runs = self.draws + self.wins[0] + self.wins[1];
        Forecast { successes: self.draws, runs, happened: self.first_won.is_none() }
    }

    /// How many simulations were looked through for what happened, before it was held impossible.
    #[must_use]
    pub fn searched(&self) -> u64 {
        (self.draws + self.wins[0] + self.wins[1]).saturating_mul(Self::PATIENCE)
    }

    fn of_first(&self) -> Forecast {
        let [successes, others] = self.wins;
        Forecast { successes, runs: successes + others, happened: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At least nine in ten intervals of mean losses, for 6 to 100 forecasts from even to nearly certain, cover the
    /// expected loss; with the variance of the losses alone, one in four did for the most certain.
    #[test]
    fn mean_losses_of_few_forecasts_are_within_their_intervals() {
        let all =
            [(6, 0.5, 0.9), (6, 0.9, 0.99), (12, 0.5, 0.98), (40, 0.9, 0.99), (100, 0.5, 0.9)];
        for (case, (forecasts, least, surest)) in all.into_iter().enumerate() {
            let (mut losses, mut briers) = (0, 0);
            const SETS: u64 = 1_000;
            for set in 0..SETS {
                let mut random = Seeded::of_battle(30 + case as u64, set);
                let (mut all, mut truth) = (Vec::new(), [0.0; 2]);
                for _ in 0..forecasts {
                    let p = least + (surest - least) * random.unit();
                    let successes = (p * 1_000.0).round() as u64;
                    let happened = random.unit() < p;
                    let forecast = Forecast { successes, runs: 1_000, happened };
                    all.push(forecast);
                    let q = forecast.probability();
                    truth[0] -= p * libm::log(q) + (1.0 - p) * libm::log(1.0 - q);
                    truth[1] += p * (1.0 - q).powi(2) + (1.0 - p) * q * q;
                }
                let score = Score::of(all, Level::P95).unwrap();
                let [loss, brier] = truth.map(|sum| sum / f64::from(forecasts));
                losses += u64::from(!score.log_loss.excludes(loss));
                briers += u64::from(!score.brier.excludes(brier));
            }
            println!("{forecasts} from {least} to {surest}: {losses} and {briers} of {SETS}");
            assert!(losses.min(briers) >= 920, "{forecasts} from {least}: {losses}, {briers}");
        }
    }
    use crate::chance::Seeded;

    /// What neither simulations nor reality showed to be possible is not ruled out by it.
    #[test]
    fn forecasts_that_never_varied_have_no_interval() {
        let alike = |forecasts: usize, runs: u64| {
            let all = vec![Forecast { successes: runs, runs, happened: true }; forecasts];
            Score::of(all, Level::P95).unwrap()
        };
        for (forecasts, runs) in [(3, 20), (50, 20), (3, 1), (2, 1_000)] {
            let score = alike(forecasts, runs);
            for of in [score.brier, score.log_loss] {
                assert!(of.value > 0.0 && of.low.is_nan() && of.high.is_nan(), "{of:?}");
            }
        }
        let open = Forecast { successes: 19, runs: 20, happened: true };
        let sure = Forecast { successes: 20, ..open };
        let score = Score::of([open, sure, sure], Level::P95).unwrap();
        assert!(score.brier.high > 2.0 * score.brier.value, "{:?}", score.brier);
    }

    /// A forecast from so many runs that it equals the probability.
    fn forecast(probability: f64, happened: bool) -> Forecast {
        const RUNS: u64 = 1_000_000_000;
        Forecast { successes: (probability * RUNS as f64).round() as u64, runs: RUNS, happened }
    }

    #[test]
    fn scores_are_what_a_hand_would_find() {
        let score =
            Score::of([forecast(0.8, true), forecast(0.6, false)], Level::P95).expect("a score");
        assert_eq!((score.forecasts, score.accuracy.value), (2, 0.5));
        assert!((score.brier.value - f64::midpoint(0.04, 0.36)).abs() < 1e-6);
        assert!(
            (score.log_loss.value + f64::midpoint(libm::log(0.8_f64), libm::log(0.4_f64))).abs()
                < 1e-6
        );
        // p (1 - p) on average: 0.16 and 0.24.
        assert!((score.expected_brier - 0.2).abs() < 1e-6);
        assert!((score.expected_accuracy - 0.7).abs() < 1e-6);
        // The variance of one Brier score is p (1 - p) (1 - 2 p)^2.
        let variance: f64 = 0.16 * 0.36 + 0.24 * 0.04;
        assert!((score.brier_z - (0.4 - 0.4) / variance.sqrt()).abs() < 1e-6);
        assert!(score.brier_excess < 1e-8 && score.log_loss_excess < 1e-8);
        assert_eq!(Score::of([], Level::P95), None);
    }

    /// Three of four runs and reality: the event happened in four of five. Had the fifth been reality, the forecast
    /// would have been 4.5 / 5 and wrong; as it is, it is 3.5 / 5 and right.
    #[test]
    fn few_runs_are_exchanged_with_reality() {
        let of = Forecast { successes: 3, runs: 4, happened: true };
        let score = Score::of([of], Level::P95).expect("a score");
        let [if_so, if_not]: [f64; 2] = [0.3 * 0.3, 0.9 * 0.9];
        assert!((score.brier.value - if_so).abs() < 1e-12);
        let expected = 0.8 * if_so + 0.2 * if_not;
        assert!((score.expected_brier - expected).abs() < 1e-12);
        let deviation = (0.8 * 0.2_f64).sqrt() * (if_not - if_so);
        assert!((score.brier_z - (if_so - expected) / deviation).abs() < 1e-12);
        assert!((score.expected_accuracy - 0.8).abs() < 1e-12);
        assert!((score.brier_excess - 0.75 * 0.25 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_coin_is_never_right_and_what_is_certain_has_no_z() {
        let coins = [forecast(0.5, true), forecast(0.5, false)];
        let score = Score::of(coins, Level::P95).expect("a score");
        assert_eq!(score.accuracy.value, 0.0);
        // An event in all runs, or in none, leaves no other score possible.
        let certain = Forecast { successes: 9, runs: 9, happened: true };
        assert!(Score::of([certain], Level::P95).expect("a score").log_loss_z.is_nan());
    }

    /// True forecasts have z beyond 1.96 in one of 20 samples, overconfident forecasts nearly always.
    #[test]
    fn true_forecasts_are_seldom_called_false() {
        let mut random = Seeded::from_seed(5);
        let mut alarms = |bolder: f64| -> u32 {
            let mut sample = || {
                let forecasts = (0..400).map(|_| {
                    let p = 0.05 + 0.9 * random.unit();
                    let told = (0.5 + (p - 0.5) * bolder).clamp(0.01, 0.99);
                    forecast(told, random.unit() < p)
                });
                Score::of(forecasts, Level::P95).expect("a score")
            };
            (0..2_000).map(|_| u32::from(sample().log_loss_z.abs() > 1.96)).sum()
        };
        let honest = alarms(1.0);
        assert!((60..=145).contains(&honest), "{honest} of 2,000; 100 are expected");
        let bold = alarms(1.5);
        assert!(bold > 1_900, "{bold}");
    }

    /// Battles of which nine in ten are certain, as real line-ups mostly are, with few simulations: z is still beyond
    /// 1.96 in only one of 20 samples, while taking forecasts from 20 runs for the odds gives 98%. The excess of both
    /// scores over those of the true odds is as computed.
    #[test]
    fn forecasts_from_few_runs_are_not_called_false_for_that() {
        const SETS: usize = 1_000;
        for (runs, least_naive) in [(5, 0.95), (20, 0.95), (100, 0.0)] {
            let mut random = Seeded::of_battle(6, runs);
            let [mut log_alarms, mut brier_alarms, mut naive_alarms] = [0_u32; 3];
            let (mut brier_gap, mut log_gap) = (0.0, 0.0);
            for _ in 0..SETS {
                let (mut naive, mut variance) = (0.0, 0.0);
                let mut true_scores = [0.0; 2];
                let forecasts: Vec<Forecast> = (0..400)
                    .map(|_| {
                        let p = (10.0 * random.unit() - 4.5).clamp(0.0, 1.0);
                        let successes = (0..runs).filter(|_| random.unit() < p).count() as u64;
                        let of = Forecast { successes, runs, happened: random.unit() < p };
                        let told = of.probability();
                        let log =
                            if of.happened { -libm::log(told) } else { -libm::log(1.0 - told) };
                        naive +=
                            log + told * libm::log(told) + (1.0 - told) * libm::log(1.0 - told);
                        variance += told * (1.0 - told) * libm::log(told / (1.0 - told)).powi(2);
                        let given = if of.happened { p } else { 1.0 - p };
                        true_scores[0] += (1.0 - given).powi(2) / 400.0;
                        true_scores[1] -= libm::log(given) / 400.0;
                        of
                    })
                    .collect();
                let score = Score::of(forecasts, Level::P95).expect("a score");
                log_alarms += u32::from(score.log_loss_z.abs() > 1.96);
                brier_alarms += u32::from(score.brier_z.abs() > 1.96);
                naive_alarms += u32::from((naive / variance.sqrt()).abs() > 1.96);
                brier_gap += score.brier.value - true_scores[0] - score.brier_excess;
                log_gap += score.log_loss.value - true_scores[1] - score.log_loss_excess;
            }
            println!(
                "{runs} runs: {log_alarms} and {brier_alarms} alarms, {naive_alarms} if forecasts were exact, of {SETS}; \
                 {} {}",
                brier_gap / SETS as f64,
                log_gap / SETS as f64
            );
            for alarms in [log_alarms, brier_alarms] {
                // 50 are expected, with a standard deviation of 7.
                assert!((25..=78).contains(&alarms), "{alarms} of {SETS} with {runs} runs");
            }
            assert!(f64::from(naive_alarms) >= least_naive * SETS as f64, "{naive_alarms}");
            assert!((brier_gap / SETS as f64).abs() < 0.06 / runs as f64, "{brier_gap}");
            assert!((log_gap / SETS as f64).abs() < 0.2 / runs as f64, "{log_gap}");
        }
    }

    /// Small sets with odds nearly all close to 0 or 1, as for a single ruleset: the p-value is below 5% in no more
    /// than 5% of them, and below 1% in no more than 1%, where the p-value of z is below 1% in more than 2% of the sets
    /// of ten.
    #[test]
    fn few_forecasts_are_seldom_called_false() {
        const SETS: u64 = 2_000;
        for (battles, runs) in [(3, 100), (10, 100), (10, 1_000), (30, 1_000), (100, 1_000)] {
            let (mut few, mut fewer, mut by_z) = (0, 0, 0);
            for set in 0..SETS {
                let mut random = Seeded::of_battle(7 + runs, 1_000 * battles + set);
                let forecasts: Vec<Forecast> = (0..battles)
                    .map(|_| {
                        let p = (10.0 * random.unit() - 4.5).clamp(0.003, 0.997);
                        let successes = (0..runs).filter(|_| random.unit() < p).count() as u64;
                        Forecast { successes, runs, happened: random.unit() < p }
                    })
                    .collect();
                let score = Score::of(forecasts, Level::P95).expect("a score");
                few += u32::from(score.log_loss_p < 0.05);
                fewer += u32::from(score.log_loss_p < 0.01);
                by_z += u32::from(score.log_loss_z.abs() > 2.576);
            }
            println!("{battles} battles, {runs} runs: {few} {fewer}, {by_z} by z, of {SETS}");
            assert!(few <= 125 && fewer <= 35, "{battles}, {runs}: {few} {fewer}");
            assert!(battles != 10 || by_z > 40, "{battles}, {runs}: {by_z}");
        }
    }

    /// By hand, for two forecasts that are right in 9 of 10 runs (reality included): at least one wrong has probability
    /// 0.19, both wrong 0.01.
    #[test]
    fn tails_are_those_of_the_exact_distribution() {
        let of = |wrong: usize| -> f64 {
            let one = |at: usize| match at < wrong {
                true => Exchange { seen: 2.0, otherwise: 0.1, p: 0.1 },
                false => Exchange { seen: 0.1, otherwise: 2.0, p: 0.9 },
            };
            tails(&[one(0), one(1)])
        };
        assert!((of(1) - 2.0 * 0.19).abs() < 0.1, "{}", of(1));
        assert!((of(2) - 2.0 * 0.01).abs() < 0.005, "{}", of(2));
        let never = [Exchange { seen: 2.0, otherwise: 0.1, p: 1e-4 }; 10];
        assert!((tails(&never) / 2e-40 - 1.0).abs() < 1e-6, "{:e}", tails(&never));
        assert!(tails(&[]).is_nan());
    }

    #[test]
    fn bins_hold_what_belongs_to_them() {
        let forecasts = [(0.0, false), (0.05, true), (0.1000001, false), (0.95, true), (1.0, true)];
        let bins = calibration(forecasts.map(|(p, so)| forecast(p, so)), 10, Level::P95);
        let counts: Vec<u64> = bins.iter().map(|bin| bin.forecasts).collect();
        assert_eq!(counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert!((bins[0].mean - 0.025).abs() < 1e-6 && bins[0].happened.value == 0.5);
        assert!(bins[4].mean.is_nan() && bins[4].happened.value.is_nan());
    }

    /// What is expected follows from the simulations: with as few battles as there are in a bin, it would otherwise go where
    /// these went.
    #[test]
    fn what_is_expected_of_a_bin_does_not_depend_on_what_happened() {
        let expected = |happened: bool| {
            let of = |successes: u64| Forecast { successes, runs: 20, happened };
            let bins = calibration((0..=20).map(of), 10, Level::P95);
            bins.into_iter().map(|bin| bin.expected).collect::<Vec<_>>()
        };
        assert_eq!(expected(true), expected(false));
        assert!(expected(true).is_sorted() && expected(true)[0] > 0.03, "{:?}", expected(true));
        let none =
            calibration([Forecast { successes: 0, runs: 0, happened: true }; 3], 10, Level::P95);
        assert!(none[5].forecasts == 3 && none[5].expected.is_nan());
    }

    /// With few runs, forecasts are more extreme than the odds that they come from: what they say is not what happens, but
    /// what is expected of them is.
    #[test]
    fn bins_of_forecasts_from_few_runs_have_their_expectations() {
        for runs in [2, 5, 10, 50] {
            let mut random = Seeded::of_battle(77, runs);
            let mut forecast = |_| {
                let p = random.unit();
                let successes = (0..runs).map(|_| u64::from(random.unit() < p)).sum();
                Forecast { successes, runs, happened: random.unit() < p }
            };
            let bins = calibration((0..100_000).map(&mut forecast), 10, Level::P95);
            let filled = bins.iter().filter(|bin| bin.forecasts > 1_000);
            for bin in filled {
                let error = (bin.happened.high - bin.happened.low) / 4.0;
                let off = |of: f64| (of - bin.happened.value).abs() / error;
                assert!(off(bin.expected) < 4.0, "{runs}: {bin:?}");
                if runs < 50 && (bin.to < 0.15 || bin.from > 0.85) {
                    assert!(off(bin.mean) > 8.0, "{runs}: {bin:?}");
                }
            }
        }
    }
}
