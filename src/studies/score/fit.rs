//! Whether forecasts fit what happened: four tests, as each sees what others do not.

use std::cmp::Ordering;

use crate::statistics::{Estimate, Known, Occurrences, Score, holm};
use crate::table::LEVEL;

/// What a test compares with the forecasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
pub enum Aspect {
    /// The log loss of the battles that somebody won: it sees forecasts that are too far from one half, or too near to
    /// it, and near one half it sees nothing (D. R. Cox: "Two further applications of a model for binary regression",
    /// 1958: the slope).
    #[strum(serialize = "log loss")]
    LogLoss,
    /// How often team 1, as the record calls it, won: it sees forecasts that favour one of the teams (Cox's intercept).
    #[strum(serialize = "team 1 won")]
    FirstWins,
    /// How often nobody won.
    #[strum(serialize = "drawn")]
    Draws,
    /// How often something happened that never came up in simulations.
    #[strum(serialize = "ruled out")]
    RuledOut,
}

/// One figure of what happened, compared with what the forecasts expect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// What is compared.
    pub aspect: Aspect,
    /// How many battles tell it.
    pub battles: u64,
    /// The mean log loss, or the number of battles.
    pub observed: f64,
    /// The same on average if reality has the odds of the simulations; of what was ruled out, its upper bound.
    pub expected: f64,
    /// The observed share of the battles minus the expected one. NaN for the log loss and what was ruled out.
    pub difference: Estimate,
    /// How many standard errors the observed figure is above its expectation. NaN for what was ruled out, and where
    /// nothing else was possible.
    pub z: f64,
    /// The p-value if reality has the odds of the simulations, two-sided but for what was ruled out. NaN where nothing
    /// else was possible.
    pub p: f64,
    /// The same, adjusted for the four tests (Holm).
    pub p_adjusted: f64,
}

/// How well forecasts fit what happened in some battles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    tests: [Test; 4],
}

impl Fit {
    /// Compares forecasts with what happened, given the scores of the battles that somebody won.
    #[must_use]
    pub fn of(known: &[&Known], decided: Option<&Score>) -> Self {
        let counted = |aspect, of: Occurrences| Test {
            aspect,
            battles: of.trials,
            observed: of.observed as f64,
            expected: of.expected,
            difference: of.difference,
            z: of.z,
            p: of.p,
            p_adjusted: f64::NAN,
        };
        let log_loss = Test {
            aspect: Aspect::LogLoss,
            battles: decided.map_or(0, |score| score.forecasts),
            observed: decided.map_or(f64::NAN, |score| score.log_loss.value),
            expected: decided.map_or(f64::NAN, |score| score.expected_log_loss),
            difference: Estimate::UNKNOWN,
            z: decided.map_or(f64::NAN, |score| score.log_loss_z),
            p: decided.map_or(f64::NAN, |score| score.log_loss_p),
            p_adjusted: f64::NAN,
        };
        let won = known.iter().filter_map(|battle| battle.forecast());
        let drawn = known.iter().map(|battle| battle.draw_forecast());
        let searches = known.iter().map(|battle| (battle.searched(), battle.held_impossible));
        let mut tests = [
            log_loss,
            counted(Aspect::FirstWins, Occurrences::of(won, LEVEL)),
            counted(Aspect::Draws, Occurrences::of(drawn, LEVEL)),
            counted(Aspect::RuledOut, Occurrences::unseen(searches)),
        ];
        let adjusted = holm(&tests.map(|test| test.p));
        for (test, p_adjusted) in tests.iter_mut().zip(adjusted) {
            test.p_adjusted = p_adjusted;
        }
        Self { tests }
    }

    /// The tests, in the order of [`Aspect`].
    #[must_use]
    pub const fn tests(&self) -> &[Test; 4] {
        &self.tests
    }

    /// The test of this aspect.
    #[must_use]
    pub const fn test(&self, aspect: Aspect) -> &Test {
        &self.tests[aspect as usize]
    }

    /// The p-value of all four tests together: the smallest adjusted one. NaN without battles.
    #[must_use]
    pub fn p(&self) -> f64 {
        self.tests.iter().map(|test| test.p_adjusted).fold(f64::NAN, f64::min)
    }

    /// The test that fits least: the one with the smallest p-value, and among equal ones the one farthest out.
    #[must_use]
    pub fn worst(&self) -> &Test {
        let [first, others @ ..] = &self.tests;
        others
            .iter()
            .fold(first, |worst, test| if by_misfit(test, worst).is_lt() { test } else { worst })
    }
}

/// The order of tests by how badly forecasts fit, worst first.
pub(super) fn by_misfit(one: &Test, other: &Test) -> Ordering {
    let far = |test: &Test| if test.z.is_nan() { 0.0 } else { test.z.abs() };
    one.p.total_cmp(&other.p).then_with(|| far(other).total_cmp(&far(one)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    /// The odds of a made-up battle: that team 1 wins, and that nobody does.
    type Odds = [f64; 2];

    fn end(random: &mut Seeded, [first, draw]: Odds) -> Option<bool> {
        match random.unit() {
            at if at < draw => None,
            at => Some(at < draw + first),
        }
    }

    /// A battle that was simulated so often with odds, and that happened with others.
    fn battle(random: &mut Seeded, runs: u64, forecast: Odds, truth: Odds) -> Known {
        let (mut wins, mut draws) = ([0; 2], 0);
        for _ in 0..runs {
            match end(random, forecast) {
                None => draws += 1,
                Some(first) => wins[usize::from(!first)] += 1,
            }
        }
        let first_won = end(random, truth);
        let seen = first_won.map_or(draws, |first| wins[usize::from(!first)]);
        let [first, draw] = forecast;
        let odds = first_won.map_or(draw, |won| if won { first } else { 1.0 - first - draw });
        let more = (runs * (Known::PATIENCE - 1)) as f64;
        let missed = libm::exp(more * libm::log1p(-odds));
        let held_impossible = seen == 0 && random.unit() < missed;
        Known { place: String::new(), factors: Vec::new(), wins, draws, first_won, held_impossible }
    }

    fn fit(known: &[Known]) -> Fit {
        let decided = Score::of(known.iter().filter_map(Known::forecast), LEVEL);
        Fit::of(&known.iter().collect::<Vec<_>>(), decided.as_ref())
    }

    /// How many of 1,000 sets of battles whose forecasts are true are called false, by the verdict and by each test.
    fn false_alarms(
        case: u64,
        battles: u64,
        runs: u64,
        mut odds: impl FnMut(f64) -> Odds,
    ) -> (usize, [usize; 4]) {
        let (mut alarms, mut each) = (0, [0; 4]);
        for set in 0..1_000 {
            let mut random = Seeded::of_battle(700 + case, set);
            let known: Vec<Known> = (0..battles)
                .map(|_| {
                    let odds = odds(random.unit());
                    battle(&mut random, runs, odds, odds)
                })
                .collect();
            let fit = fit(&known);
            alarms += usize::from(fit.p() < 0.05);
            for (alarms, test) in each.iter_mut().zip(fit.tests()) {
                *alarms += usize::from(test.p < 0.05);
            }
        }
        println!("case {case}, {battles} battles, {runs} runs: {alarms} alarms, {each:?}");
        (alarms, each)
    }

    /// In at most one of 20 sets of battles true forecasts are called false, and so by each of the four tests: near one
    /// half, with one in ten drawn, nearly certain ones as real line-ups mostly are, and with rare outcomes that few
    /// simulations miss.
    #[test]
    fn true_forecasts_are_called_false_in_one_of_20_sets_at_most() {
        let even = |u: f64| [0.4 + 0.2 * u, 0.0];
        let drawn = |u: f64| [0.9 * u, 0.1];
        let certain = |u: f64| [(10.0 * u - 4.5).clamp(0.0, 0.95), 0.05 * u];
        let rare = |u: f64| [1e-3 * u, 1e-3];
        for (alarms, each) in [
            false_alarms(0, 100, 20, even),
            false_alarms(1, 100, 20, drawn),
            false_alarms(2, 200, 20, certain),
            false_alarms(3, 50, 3, certain),
            false_alarms(4, 300, 5, rare),
        ] {
            // 50 are expected, with a standard deviation of 7.
            assert!(alarms <= 64, "{alarms} alarms, {each:?}");
            assert!(each.iter().all(|&alarms| alarms <= 68), "{each:?}");
        }
    }

    /// The log loss sees neither that team 1 wins all even battles, nor that it wins 15 points more often than forecast
    /// where forecasts are symmetric around one half; how often it won shows both in all of 40 sets.
    #[test]
    fn forecasts_that_favour_a_team_are_found_where_the_log_loss_sees_nothing() {
        let (mut unseen, mut found, mut points) = ([0, 0], [0, 0], [0.0, 0.0]);
        for set in 0..40 {
            let mut random = Seeded::of_battle(710, set);
            let even: Vec<Known> = (0..402)
                .map(|_| {
                    let first = 0.47 + 0.06 * random.unit();
                    battle(&mut random, 200, [first, 0.0], [1.0, 0.0])
                })
                .collect();
            let spread: Vec<Known> = (0..1_235)
                .map(|_| {
                    let first = 0.2 + 0.6 * random.unit();
                    battle(&mut random, 200, [first, 0.0], [first + 0.15, 0.0])
                })
                .collect();
            for (at, known) in [even, spread].iter().enumerate() {
                let fit = fit(known);
                let first_wins = fit.test(Aspect::FirstWins);
                unseen[at] += u32::from(fit.test(Aspect::LogLoss).p >= 0.05);
                found[at] += u32::from(fit.p() < 1e-6 && fit.worst().aspect == Aspect::FirstWins);
                points[at] += 100.0 * first_wins.difference.value / 40.0;
            }
        }
        println!("found {found:?}, unseen by the log loss {unseen:?}, {points:?} points");
        assert_eq!(found, [40, 40]);
        assert!(unseen[0] >= 30 && unseen[1] >= 30, "{unseen:?}");
        assert!((points[0] - 50.0).abs() < 0.5 && (points[1] - 15.0).abs() < 1.0, "{points:?}");
    }

    /// Two in 100 battles that are drawn in simulations and never in reality, and two that ended as nothing did.
    #[test]
    fn draws_and_what_was_ruled_out_are_tested() {
        let mut random = Seeded::from_seed(720);
        let mut known: Vec<Known> =
            (0..98).map(|_| battle(&mut random, 100, [0.5, 0.0], [0.5, 0.0])).collect();
        assert!(fit(&known).p() > 0.05 && fit(&known).test(Aspect::Draws).p.is_nan());
        let of_identical =
            Known { wins: [0, 0], draws: 100, held_impossible: true, ..known[0].clone() };
        known.extend(vec![of_identical; 2]);
        let fit = fit(&known);
        let failed: Vec<Aspect> = fit
            .tests()
            .iter()
            .filter(|test| test.p_adjusted < 0.05)
            .map(|test| test.aspect)
            .collect();
        assert_eq!(failed, [Aspect::Draws, Aspect::RuledOut]);
        let draws = fit.test(Aspect::Draws);
        assert_eq!((draws.battles, draws.observed, draws.expected), (100, 0.0, 2.0));
        // Of 101 runs and reality 100 drawn, twice: both not, twice that; at most 0.74 in 10,000 is ruled out.
        assert!((draws.p - 2.0 / 101.0_f64.powi(2)).abs() < 1e-12, "{}", draws.p);
        let ruled_out = fit.test(Aspect::RuledOut);
        assert_eq!((ruled_out.battles, ruled_out.observed), (100, 2.0));
        assert!((ruled_out.expected - 0.0074).abs() < 1e-4, "{}", ruled_out.expected);
        assert!((ruled_out.p / (0.5 * ruled_out.expected.powi(2)) - 1.0).abs() < 0.02);
    }
}
