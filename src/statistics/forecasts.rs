//! Scores of probability forecasts: accuracy, Brier score, log loss, calibration.

use super::{Estimate, Level, proportion};

/// The probability that was given to something, and whether it happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// From 0 to 1, both excluded: the log loss of an impossible event is infinite.
    pub probability: f64,
    /// Whether it happened.
    pub happened: bool,
}

/// The scores of many forecasts, beside what they would be if every forecast were the true probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// How many forecasts.
    pub forecasts: u64,
    /// The share that gave more than one half to what happened.
    pub accuracy: Estimate,
    /// The mean squared distance from 1 of the probability given to what happened, 0 to 1: less is better (G. W. Brier:
    /// "Verification of forecasts expressed in terms of probability", 1950).
    pub brier: Estimate,
    /// The mean of minus the natural logarithm of the probability given to what happened, from 0: less is better.
    pub log_loss: Estimate,
    /// What the accuracy would be on average if every forecast were true.
    pub expected_accuracy: f64,
    /// The same for the Brier score.
    pub expected_brier: f64,
    /// The same for the log loss.
    pub expected_log_loss: f64,
    /// How many standard errors the Brier score is above its expectation if forecasts are true (D. J. Spiegelhalter: "Probabilistic
    /// prediction in patient management and clinical trials", 1986). Within 2 the forecasts are compatible with what
    /// happened. NaN where nothing could have turned out otherwise.
    pub brier_z: f64,
    /// The same for the log loss.
    pub log_loss_z: f64,
}

/// A sum with its expectation and its variance if forecasts are true.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    seen: f64,
    squares: f64,
    expected: f64,
    variance: f64,
}

impl Sum {
    /// Adds what a forecast scores when it comes true and when it does not.
    fn add(&mut self, forecast: Forecast, [if_so, if_not]: [f64; 2]) {
        let p = forecast.probability;
        let seen = if forecast.happened { if_so } else { if_not };
        self.seen += seen;
        self.squares += seen * seen;
        self.expected += p * if_so + (1.0 - p) * if_not;
        self.variance += p * (1.0 - p) * (if_so - if_not).powi(2);
    }

    fn mean(&self, count: f64, level: Level) -> Estimate {
        let value = self.seen / count;
        if count < 2.0 {
            return Estimate { value, ..Estimate::UNKNOWN };
        }
        let variance = (self.squares - self.seen * value).max(0.0) / (count - 1.0);
        let half = level.z() * (variance / count).sqrt();
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
    /// Scores forecasts; none without any.
    #[must_use]
    pub fn of(forecasts: impl IntoIterator<Item = Forecast>, level: Level) -> Option<Self> {
        let (mut brier, mut log_loss) = (Sum::default(), Sum::default());
        let (mut count, mut right, mut expected_right) = (0, 0, 0.0);
        for forecast in forecasts {
            let p = forecast.probability;
            debug_assert!(p > 0.0 && p < 1.0, "{p} has no log loss");
            brier.add(forecast, [(1.0 - p).powi(2), p * p]);
            log_loss.add(forecast, [-p.ln(), -(1.0 - p).ln()]);
            let given = if forecast.happened { p } else { 1.0 - p };
            count += 1;
            right += u64::from(given > 0.5);
            expected_right += if p == 0.5 { 0.0 } else { p.max(1.0 - p) };
        }
        let n = count as f64;
        (count > 0).then(|| Score {
            forecasts: count,
            accuracy: proportion(right, count, level),
            brier: brier.mean(n, level),
            log_loss: log_loss.mean(n, level),
            expected_accuracy: expected_right / n,
            expected_brier: brier.expected / n,
            expected_log_loss: log_loss.expected / n,
            brier_z: brier.z(),
            log_loss_z: log_loss.z(),
        })
    }
}

/// A bin of the calibration curve: forecasts of about the same probability, and how often they came true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The probabilities in it: from this
    pub from: f64,
    /// to this; only the last bin holds its end.
    pub to: f64,
    /// How many forecasts.
    pub forecasts: u64,
    /// Their mean; NaN where there are none.
    pub mean: f64,
    /// How often they came true.
    pub happened: Estimate,
}

/// Forecasts in `bins` equally wide bins, lowest first.
#[must_use]
pub fn calibration(
    forecasts: impl IntoIterator<Item = Forecast>,
    bins: usize,
    level: Level,
) -> Vec<Bin> {
    let mut sums = vec![(0_u64, 0_u64, 0.0); bins];
    for Forecast { probability, happened } in forecasts {
        let at = ((probability * bins as f64) as usize).min(bins - 1);
        let (count, came_true, sum) = &mut sums[at];
        *count += 1;
        *came_true += u64::from(happened);
        *sum += probability;
    }
    let bin = |(at, (forecasts, came_true, sum)): (usize, (u64, u64, f64))| Bin {
        from: at as f64 / bins as f64,
        to: (at + 1) as f64 / bins as f64,
        forecasts,
        mean: sum / forecasts as f64,
        happened: proportion(came_true, forecasts, level),
    };
    sums.into_iter().enumerate().map(bin).collect()
}

/// A battle whose end is known, and what was expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Where it stands, for people to find it again.
    pub place: String,
    /// What it was fought under (in Splinterlands its rulesets).
    pub factors: Vec<String>,
    /// The probability that side A wins if anybody does, 0 to 1 with both excluded.
    pub first_wins: f64,
    /// The probability that nobody wins, 0 to 1.
    pub draw: f64,
    /// Whether side A won; none when nobody did.
    pub first_won: Option<bool>,
    /// Whether what happened was forecast as impossible.
    pub held_impossible: bool,
}

impl Known {
    /// The forecast for side A, where somebody won.
    #[must_use]
    pub fn forecast(&self) -> Option<Forecast> {
        self.first_won.map(|happened| Forecast { probability: self.first_wins, happened })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    fn forecast(probability: f64, happened: bool) -> Forecast {
        Forecast { probability, happened }
    }

    #[test]
    fn scores_are_what_a_hand_would_find() {
        let score =
            Score::of([forecast(0.8, true), forecast(0.6, false)], Level::P95).expect("a score");
        assert_eq!((score.forecasts, score.accuracy.value), (2, 0.5));
        assert!((score.brier.value - f64::midpoint(0.04, 0.36)).abs() < 1e-12);
        assert!((score.log_loss.value + f64::midpoint(0.8_f64.ln(), 0.4_f64.ln())).abs() < 1e-12);
        // p (1 - p) on average: 0.16 and 0.24.
        assert!((score.expected_brier - 0.2).abs() < 1e-12);
        assert!((score.expected_accuracy - 0.7).abs() < 1e-12);
        // The variance of one Brier score is p (1 - p) (1 - 2 p)^2.
        let variance: f64 = 0.16 * 0.36 + 0.24 * 0.04;
        assert!((score.brier_z - (0.4 - 0.4) / variance.sqrt()).abs() < 1e-9);
        assert_eq!(Score::of([], Level::P95), None);
    }

    #[test]
    fn a_coin_is_never_right_and_never_wrong() {
        let coins = [forecast(0.5, true), forecast(0.5, false)];
        let score = Score::of(coins, Level::P95).expect("a score");
        assert_eq!((score.accuracy.value, score.expected_accuracy), (0.0, 0.0));
        assert!(score.brier_z.is_nan(), "it could not have been otherwise");
    }

    /// True forecasts have z beyond 1.96 in one of 20 samples; overconfident forecasts nearly always.
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

    #[test]
    fn bins_hold_what_belongs_to_them() {
        let forecasts = [(0.0, false), (0.05, true), (0.1, false), (0.95, true), (1.0, true)];
        let bins = calibration(forecasts.map(|(p, so)| forecast(p, so)), 10, Level::P95);
        let counts: Vec<u64> = bins.iter().map(|bin| bin.forecasts).collect();
        assert_eq!(counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert!((bins[0].mean - 0.025).abs() < 1e-12 && bins[0].happened.value == 0.5);
        assert!(bins[4].mean.is_nan() && bins[4].happened.value.is_nan());
    }
}
