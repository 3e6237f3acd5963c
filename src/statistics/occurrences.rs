//! How often something happened, compared with how often simulations say that it does.

use super::forecasts::{Exchange, chernoff};
use super::{Estimate, Forecast, Level};

/// How often something happened, compared with how often it does if reality has the odds of the simulations, that is, if
/// forecasts were off only because they come from few runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occurrences {
    /// The number of forecasts that come from at least one run; others expect nothing.
    pub trials: u64,
    /// How often it happened.
    pub observed: u64,
    /// How often it happens according to the simulations.
    pub expected: f64,
    /// The observed share minus the expected one, -1 to 1. It is above 0 where forecasts were too low.
    pub difference: Estimate,
    /// How many standard errors the observed number is above its expectation if reality has the odds of the simulations,
    /// as for [`Score::log_loss_z`](super::Score::log_loss_z). NaN where no other number was possible.
    pub z: f64,
    /// The two-sided p-value if reality has the odds of the simulations: twice the tail of the exact distribution of the
    /// number. NaN where no other number was possible.
    pub p: f64,
}

impl Occurrences {
    /// Counts how often what was forecast happened. The interval of the difference allows for differences of any size,
    /// the test only asks whether there is none.
    #[must_use]
    pub fn of(forecasts: impl IntoIterator<Item = Forecast>, level: Level) -> Self {
        let (mut trials, mut observed, mut expected) = (0_u64, 0_u64, 0.0);
        let mut distances = Distances::default();
        let (mut beyond, mut variance) = (0.0, 0.0);
        let mut exchanges = Vec::new();
        for Forecast { successes, runs, happened } in forecasts {
            if runs == 0 {
                continue;
            }
            let (count, seen) = (runs as f64, f64::from(happened));
            let off = seen - successes as f64 / count;
            trials += 1;
            observed += u64::from(happened);
            expected += successes as f64 / count;
            distances.squares += off * off;
            // Any of the runs may be the real one, so that this is the share of all in which it happened.
            let p = (successes as f64 + seen) / (count + 1.0);
            beyond += seen - p;
            variance += p * (1.0 - p);
            distances.least += p * (1.0 - p) * ((count + 1.0) / count).powi(2);
            distances.of_forecasts += p * (1.0 - p) / count;
            if p > 0.0 && p < 1.0 {
                exchanges.push(if happened {
                    Exchange { seen: 1.0, otherwise: 0.0, p }
                } else {
                    Exchange { seen: 0.0, otherwise: 1.0, p: 1.0 - p }
                });
            }
        }
        let [low, high] = tails(&exchanges);
        Self {
            trials,
            observed,
            expected,
            difference: distances.mean([observed as f64, expected], trials, level),
            z: if variance > 0.0 { beyond / variance.sqrt() } else { f64::NAN },
            p: if exchanges.is_empty() { f64::NAN } else { (2.0 * low.min(high)).min(1.0) },
        }
    }

    /// Counts battles with three possible outcomes that ended in a way that none of their simulations did, given how
    /// many simulations of each there were and whether it ended so. True forecasts miss an outcome only if it is rare,
    /// and then it rarely happens: whatever the odds are, the probability of both is at most about 0.74 divided by the
    /// number of simulations. Expectation and p-value (of as many as observed, or more) are those of this bound. There
    /// is neither z nor an interval.
    #[must_use]
    pub fn unseen(searches: impl IntoIterator<Item = (u64, bool)>) -> Self {
        let (mut trials, mut observed, mut expected) = (0_u64, 0_u64, 0.0);
        let mut exchanges = Vec::new();
        for (simulations, is_unseen) in searches {
            let p = unseen_at_most(simulations);
            trials += 1;
            observed += u64::from(is_unseen);
            expected += p;
            exchanges.push(if is_unseen {
                Exchange { seen: 1.0, otherwise: 0.0, p }
            } else {
                Exchange { seen: 0.0, otherwise: 1.0, p: 1.0 - p }
            });
        }
        let p = match (trials, observed) {
            (0, _) => f64::NAN,
            (_, 0) => 1.0,
            _ => tails(&exchanges)[1],
        };
        Self { trials, observed, expected, difference: Estimate::UNKNOWN, z: f64::NAN, p }
    }
}

/// The largest probability, over all odds of three outcomes, that a battle ends in a way that none of so many
/// simulations did: an outcome of probability p does with probability p (1 - p)^n, which is largest at 1 in n + 1. One of
/// three outcomes has at least a third of the odds and is hardly ever missed.
fn unseen_at_most(simulations: u64) -> f64 {
    let n = simulations as f64;
    let of = |p: f64| p * libm::exp(n * libm::log1p(-p));
    let rarest = 1.0 / (n + 1.0);
    if rarest > 1.0 / 3.0 {
        return 1.0;
    }
    2.0 * of(rarest) + of(1.0 / 3.0)
}

/// How far what happened is from its forecasts.
#[derive(Clone, Copy, Debug, Default)]
struct Distances {
    /// The sum of the squares of the distances.
    squares: f64,
    /// The variance of the sum of the distances, if reality has the odds of the simulations.
    least: f64,
    /// The part of it that comes from forecasts being estimated from a limited number of runs.
    of_forecasts: f64,
}

impl Distances {
    /// The mean distance, given the sum of what happened and the sum of the forecasts. The variance is at least the one if
    /// reality has the odds of the simulations, and one more battle counts as if it had gone against a certain forecast: a
    /// few forecasts that came true do not show how often they fail. The interval ends where events happen never or always,
    /// but for the error of the forecasts.
    fn mean(&self, [observed, expected]: [f64; 2], trials: u64, level: Level) -> Estimate {
        let n = trials as f64;
        let value = (observed - expected) / n;
        if trials < 2 {
            return Estimate { value, ..Estimate::UNKNOWN };
        }
        let squares = self.squares - (observed - expected) * value;
        let variance = (squares * n / (n - 1.0)).max(self.least) + 1.0;
        let t = level.t(trials - 1);
        let half = t * variance.sqrt() / n;
        let share = expected / n;
        let error = t * self.of_forecasts.sqrt() / n;
        Estimate { value, low: value - half, high: value + half }
            .within((-share - error).max(-1.0), (1.0 - share + error).min(1.0))
    }
}

/// The probabilities of at most, and of at least, as many events as were seen, among independent ones that are neither
/// impossible nor certain. From below 1e-20 on it is Chernoff's bound, which is larger.
fn tails(of: &[Exchange]) -> [f64; 2] {
    /// Less than this at either end of a distribution is left out, so that it stays short.
    const NEGLIGIBLE: f64 = 1e-30;
    const PRECISE: f64 = 1e-20;
    let seen = of.iter().filter(|one| one.seen > 0.5).count();
    // The probabilities of `first` events, of one more, and so on (the Poisson-binomial distribution).
    let (mut first, mut chances) = (0, vec![1.0]);
    for one in of {
        let p = if one.seen > 0.5 { one.p } else { 1.0 - one.p };
        chances.push(0.0);
        for at in (1..chances.len()).rev() {
            chances[at] = chances[at] * (1.0 - p) + chances[at - 1] * p;
        }
        chances[0] *= 1.0 - p;
        while chances.last().is_some_and(|&last| last < NEGLIGIBLE) {
            chances.pop();
        }
        let negligible = chances.iter().take_while(|&&chance| chance < NEGLIGIBLE).count();
        chances.drain(..negligible);
        first += negligible;
    }
    let at_most: f64 = chances.iter().take((seen + 1).saturating_sub(first)).sum();
    let at_least: f64 = chances.iter().skip(seen.saturating_sub(first)).sum();
    let precise = |tail: f64| if tail < PRECISE { chernoff(of) } else { tail.min(1.0) };
    [precise(at_most), precise(at_least)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    fn event(p: f64, happened: bool) -> Exchange {
        match happened {
            true => Exchange { seen: 1.0, otherwise: 0.0, p },
            false => Exchange { seen: 0.0, otherwise: 1.0, p: 1.0 - p },
        }
    }

    #[test]
    fn tails_are_those_of_the_exact_distribution() {
        // By hand: 0.9 and 0.2 of which one happened; at most one 1 - 0.18, at least one 1 - 0.08.
        let [low, high] = tails(&[event(0.9, true), event(0.2, false)]);
        assert!((low - 0.82).abs() < 1e-12 && (high - 0.92).abs() < 1e-12, "{low} {high}");
        // 60 of 100 coins, as in R: `pbinom(60, 100, 0.5)`, `1 - pbinom(59, 100, 0.5)`.
        let coins: Vec<Exchange> = (0..100).map(|at| event(0.5, at < 60)).collect();
        let [low, high] = tails(&coins);
        assert!((low - 0.982_399_899_891_1).abs() < 1e-12, "{low}");
        assert!((high - 0.028_443_966_820_490_4).abs() < 1e-12, "{high}");
    }

    /// Of 20,000 events most of the distribution is left out, and of what is left the tails are still right.
    #[test]
    fn long_distributions_keep_their_tails() {
        let of = |seen: usize| {
            let all: Vec<Exchange> = (0..20_000).map(|at| event(0.5, at < seen)).collect();
            tails(&all)
        };
        // The tail of 20,000 coins, from logarithms of factorials.
        let exact = |seen: usize| -> f64 {
            let log = |n: usize| libm::lgamma(n as f64 + 1.0);
            let all = log(20_000) - 20_000.0 * std::f64::consts::LN_2;
            (seen..=20_000).map(|at| libm::exp(all - log(at) - log(20_000 - at))).sum()
        };
        // 2, 5 and 9 standard deviations above the mean.
        for seen in [10_141, 10_354, 10_636] {
            let (found, wanted) = (of(seen)[1], exact(seen));
            assert!((found / wanted - 1.0).abs() < 1e-6, "{seen}: {found:e} {wanted:e}");
        }
        // Beyond, Chernoff's bound takes over: 0 of 20,000 has a probability of 2^-20000.
        assert!(of(0)[0] < 1e-300 && of(0)[1] == 1.0, "{:?}", of(0));
        let all: Vec<Exchange> = (0..200).map(|at| event(0.5, at < 200)).collect();
        assert!((tails(&all)[1] * 2.0_f64.powi(200) - 1.0).abs() < 1e-3, "{:e}", tails(&all)[1]);
    }

    /// Three of four runs and reality, and one of nine runs but not reality.
    #[test]
    fn counts_are_what_a_hand_would_find() {
        let of = [
            Forecast { successes: 3, runs: 4, happened: true },
            Forecast { successes: 1, runs: 9, happened: false },
            // Nothing was expected of this one.
            Forecast { successes: 0, runs: 0, happened: true },
        ];
        let found = Occurrences::of(of, Level::P95);
        assert_eq!((found.trials, found.observed), (2, 1));
        assert!((found.expected - (0.75 + 1.0 / 9.0)).abs() < 1e-12);
        assert!((found.difference.value - (0.25 - 1.0 / 9.0) / 2.0).abs() < 1e-12);
        let z = (0.2 - 0.1) / (0.8 * 0.2 + 0.1 * 0.9_f64).sqrt();
        assert!((found.z - z).abs() < 1e-12, "{}", found.z);
        // At least one of the two: 1 - 0.2 * 0.9, and at most one: 1 - 0.8 * 0.1; twice that is above 1.
        assert_eq!(found.p, 1.0);
        let certain = Forecast { successes: 9, runs: 9, happened: true };
        let found = Occurrences::of([certain; 5], Level::P95);
        assert!(found.z.is_nan() && found.p.is_nan() && found.difference.low < -0.1);
    }

    /// 95% intervals of the difference cover what was planted in at least 93% of the sets: none, 15 points, forecasts of
    /// certain wins of which one in five is none, and even ones that are always won.
    #[test]
    fn differences_are_within_their_intervals() {
        const SETS: u64 = 1_000;
        for (case, (battles, from, to, bias)) in [
            (6, 1.0, 1.0, -0.2),
            (12, 0.9, 1.0, -0.1),
            (40, 0.0, 0.85, 0.15),
            (100, 0.2, 0.8, 0.0),
            (400, 0.99, 1.0, 0.0),
            (400, 0.2, 0.8, 0.15),
            (400, 0.5, 0.5, 0.5),
        ]
        .into_iter()
        .enumerate()
        {
            let covered = (0..SETS).filter(|&set| {
                let mut random = Seeded::of_battle(60 + case as u64, set);
                let forecasts: Vec<Forecast> = (0..battles)
                    .map(|_| {
                        let p = from + (to - from) * random.unit();
                        let successes = (0..50).filter(|_| random.unit() < p).count() as u64;
                        Forecast { successes, runs: 50, happened: random.unit() < p + bias }
                    })
                    .collect();
                !Occurrences::of(forecasts, Level::P95).difference.excludes(bias)
            });
            let covered = covered.count();
            println!("{battles} from {from} to {to}, {bias}: {covered} of {SETS}");
            assert!(covered >= 930, "{battles} from {from} to {to}, {bias}: {covered}");
        }
    }

    /// Whatever the odds of three outcomes, what happens is unseen at most as often as the bound says; it is nearly
    /// reached where two outcomes come up once in all simulations.
    #[test]
    fn unseen_outcomes_are_as_rare_as_their_bound() {
        for simulations in [2_u64, 5, 100, 10_000] {
            let bound = unseen_at_most(simulations);
            let of = |p: f64| p * (1.0 - p).powi(simulations as i32);
            let grid = (0..=100).flat_map(|a| (0..=100 - a).map(move |b| [a, b]));
            let scales = [1.0, 1.0 / simulations as f64, 10.0 / simulations as f64];
            let largest = grid
                .flat_map(|odds| {
                    scales.map(|scale| odds.map(|part| scale * f64::from(part) / 100.0))
                })
                .map(|[a, b]| of(a) + of(b) + of(1.0 - a - b))
                .fold(0.0, f64::max);
            assert!(largest <= bound + 1e-12, "{simulations}: {largest} {bound}");
            assert!(
                simulations < 100 || largest > 0.95 * bound,
                "{simulations}: {largest} {bound}"
            );
        }
        let found = Occurrences::unseen((0..500).map(|at| (100_000, at == 7)));
        assert_eq!((found.trials, found.observed), (500, 1));
        // 500 times 2 / e in 100,001, and the probability of at least one.
        let expected = 500.0 * 2.0 / std::f64::consts::E / 100_001.0;
        assert!((found.expected / expected - 1.0).abs() < 1e-4, "{}", found.expected);
        assert!((found.p - (1.0 - libm::exp(-found.expected))).abs() < 1e-6, "{}", found.p);
        assert_eq!(Occurrences::unseen([(100, false); 9]).p, 1.0);
        assert!(Occurrences::unseen([]).p.is_nan());
        assert!(Occurrences::unseen([(100_000, true); 9]).p < 1e-40);
    }
}
