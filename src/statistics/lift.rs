//! Interaction of two units (or other things) in a team: their joint win rate beyond what their separate odds ratios
//! predict.

use super::intervals::wilson;
use super::log_odds::{log_odds, logistic, variance_of_one};
use super::{Estimate, Level, two_sided};

/// A thing that comes without the other in less than this share of its teams cannot be told apart from it.
const ALONE: f64 = 0.05;

/// The win rate of teams with two things, compared with what the two predict separately.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// The win rate expected without interaction.
    pub expected: f64,
    /// The win rate of teams with both less the expected one.
    pub lift: Estimate,
    /// The p-value of the null hypothesis of no lift.
    pub p_value: f64,
}

impl Lift {
    /// An unknown lift: all NaN.
    pub const UNKNOWN: Lift =
        Lift { expected: f64::NAN, lift: Estimate::UNKNOWN, p_value: f64::NAN };
}

/// Counts of the teams that have one or both of two things, and of all teams, each as (sum of scores, number of teams),
/// with 1 for a win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teams {
    /// The teams with both things.
    pub both: (f64, u64),
    /// The teams with the first thing, with or without the second.
    pub first: (f64, u64),
    /// The teams with the second thing, with or without the first.
    pub second: (f64, u64),
    /// All teams.
    pub all: (f64, u64),
}

impl Teams {
    fn sets(&self) -> [(f64, u64); 4] {
        [self.both, self.first, self.second, self.all]
    }

    /// The teams with both, with the first alone, with the second alone and with neither, and which of the first three
    /// sets they are in.
    fn cells(&self) -> [((f64, u64), [bool; 3]); 4] {
        let without = |of: (f64, u64), less: (f64, u64)| {
            let played = of.1.saturating_sub(less.1);
            ((of.0 - less.0).clamp(0.0, played as f64), played)
        };
        let Self { both, first, second, all } = *self;
        let (only_first, only_second) = (without(first, both), without(second, both));
        let neither = without(without(without(all, both), only_first), only_second);
        [
            (both, [true, true, true]),
            (only_first, [false, true, false]),
            (only_second, [false, false, true]),
            (neither, [false, false, false]),
        ]
    }
}

/// The lift of two things where all teams meet the same opponents: [`lift_among`] with a single match-up.
#[must_use]
pub fn lift(
    both: (f64, u64),
    first: (f64, u64),
    second: (f64, u64),
    all: (f64, u64),
    level: Level,
) -> Lift {
    let adds = [first, second].map(|one| added_odds(&[one], &[all]));
    lift_among(&[Teams { both, first, second, all }], adds, level)
}

/// What one thing adds to the log odds of winning, given for each match-up the scores of the teams with it and of all
/// teams, both as in [`Teams`]. It is the same in all match-ups, and such that the predicted score of the teams with it
/// equals their actual one.
#[must_use]
pub fn added_odds(with: &[(f64, u64)], all: &[(f64, u64)]) -> f64 {
    let (score, teams) = with.iter().fold((0.0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    let met = with.iter().zip(all).filter(|(with, _)| with.1 > 0);
    let strata: Vec<(f64, f64)> =
        met.map(|(with, &all)| (log_odds(smoothed(all)), with.1 as f64 / teams as f64)).collect();
    added(&strata, smoothed((score, teams)))
}

/// The lift of two things, from teams by match-up (opponents may differ between them) or by stratum (match-up and
/// condition, each of which may bring other teams). `adds` are the [`added_odds`] of the two over the same match-ups or
/// strata.
///
/// The expectation is that of a logistic model without interaction: within each match-up each of the two multiplies the
/// odds of winning by as much as it does among all teams, so the log odds of both are the log odds of all teams there
/// plus what each of the two adds. What one adds is the same in all match-ups, and such that the predicted score of the
/// teams with it equals their actual one. So teams with one of the two may have met other opponents more often than the
/// rest, where some battles were not fought.
///
/// The variance is that of independently drawn teams, each counted in all of the four rates that include it (the delta
/// method), with shared battles split into wins and losses, and without the differences between match-ups; the part of
/// the teams with both is Wilson's, which holds even for few of them. Rates are smoothed by half a win before odds are
/// taken. For the p-value the variance is the one under the expected rate (a score test), with one pseudo-team that may
/// have gone either way. [`Lift::UNKNOWN`] where no team has both, or where every team has one of them, which then says
/// nothing about the other; and where one of them comes without the other in less than one of 20 of its teams, so that
/// its odds include those of the other.
#[must_use]
pub fn lift_among(matchups: &[Teams], adds: [f64; 2], level: Level) -> Lift {
    let sums = matchups.iter().map(Teams::sets).fold([(0.0, 0); 4], |sums, of| {
        std::array::from_fn(|at| (sums[at].0 + of[at].0, sums[at].1 + of[at].1))
    });
    let [both, first, second, all] = sums;
    let hardly_alone =
        |one: (f64, u64)| ((one.1 - both.1.min(one.1)) as f64) < ALONE * one.1 as f64;
    if both.1 == 0
        || first.1 == all.1
        || second.1 == all.1
        || hardly_alone(first)
        || hardly_alone(second)
    {
        return Lift::UNKNOWN;
    }
    // Match-ups in which no team had either do not matter.
    let met = matchups.iter().filter(|of| of.first.1 > 0 || of.second.1 > 0);
    let matchups: Vec<Met<'_>> = met.map(|of| Met::new(of, &sums, adds)).collect();
    let means: [f64; 3] =
        std::array::from_fn(|at| matchups.iter().map(|of| of.shares[at] * of.predicted[at]).sum());
    let slopes: [f64; 3] = std::array::from_fn(|at| {
        matchups.iter().map(|of| of.shares[at] * variance_of_one(of.predicted[at])).sum()
    });
    let expected = means[0];
    // By how much a higher rate of each of the first three sets (both, first, second) moves the lift.
    let moves = [1.0, -slopes[0] / slopes[1], -slopes[0] / slopes[2]];
    let own = rate(both);
    let rates = [own, rate(first), rate(second)];
    let parts: Vec<Parts> =
        matchups.iter().map(|of| Parts::new(of, &sums, moves, rates, means)).collect();
    let variance = |rate_of_both: f64| -> f64 {
        let of_both = [rate_of_both, rates[1], rates[2]];
        matchups.iter().zip(&parts).map(|(of, parts)| parts.variance(of, of_both, means)).sum()
    };
    let value = own - expected;
    let played = both.1 as f64;
    // One more team with both that may go either way.
    let either_way = (0.5 / played).powi(2);
    // The variance of the rate of both alone within match-ups, which Wilson's interval replaces below, since it holds
    // even for few teams.
    let within = |of: &Met<'_>| {
        let (score, teams) = of.teams.both;
        let here = own + of.predicted[0] - expected;
        score * (1.0 - here).powi(2) + (teams as f64 - score) * here.powi(2)
    };
    let by_itself = matchups.iter().map(within).sum::<f64>() / (played * played);
    // Results in one of several match-ups that happened to be all alike are not certain: half a team might have fared
    // otherwise.
    let of_pair = matchups.iter().filter(|of| of.teams.both.1 > 0);
    let in_doubt = match of_pair.clone().count() {
        1 => 0.0,
        _ => of_pair.map(|of| (0.25 - within(of)).max(0.0)).sum::<f64>() / (played * played),
    };
    let of_one = variance_of_one(own);
    let effective = if of_one > 0.0 { of_one / (by_itself + in_doubt) } else { played };
    let few = wilson(own, effective, level);
    let half = |to_the_end: f64| {
        let others = level.z().powi(2) * (variance(own) - by_itself);
        (others + to_the_end.powi(2)).max(0.0).sqrt()
    };
    Lift {
        expected,
        lift: Estimate {
            value,
            low: (value - half(own - few.low)).max(-1.0),
            high: (value + half(few.high - own)).min(1.0),
        },
        p_value: two_sided(value / (variance(expected) + in_doubt + either_way).sqrt()),
    }
}

/// A match-up in which teams with at least one of the two things played.
struct Met<'t> {
    teams: &'t Teams,
    /// The shares of the teams with both, with the first and with the second that played here, each 0 to 1.
    shares: [f64; 3],
    /// The predicted win rates of these three sets here.
    predicted: [f64; 3],
}

impl<'t> Met<'t> {
    fn new(teams: &'t Teams, sums: &[(f64, u64); 4], adds: [f64; 2]) -> Self {
        let here = log_odds(smoothed(teams.all));
        let sets = teams.sets();
        Self {
            teams,
            shares: std::array::from_fn(|at| sets[at].1 as f64 / sums[at].1 as f64),
            predicted: [adds[0] + adds[1], adds[0], adds[1]].map(|add| logistic(here + add)),
        }
    }
}

/// The contributions of one match-up to the variance of a lift.
struct Parts {
    /// By how much one more win moves the lift: of any team here, and additionally of a team in each of the first three
    /// sets.
    moves: (f64, [f64; 3]),
    /// The mean contribution of a team here through the rate of all teams.
    of_all: f64,
    /// The variance from the teams with the first alone, with the second alone and with neither.
    others: [f64; 3],
}

impl Parts {
    fn new(
        of: &Met<'_>,
        sums: &[(f64, u64); 4],
        moves: [f64; 3],
        rates: [f64; 3],
        means: [f64; 3],
    ) -> Self {
        let per_team = |of: (f64, u64), slope: f64| slope / of.1 as f64;
        // By how much a higher rate of all teams of the match-up moves the predictions for the three sets, and so the
        // lift.
        let part = |at: usize| moves[at] * of.shares[at] * variance_of_one(of.predicted[at]);
        let all = of.teams.all;
        let of_all = -per_team(all, (0..3).map(part).sum::<f64>()) / variance_of_one(smoothed(all));
        let moves = (of_all, std::array::from_fn(|at| per_team(sums[at], moves[at])));
        let mut parts = Self { moves, of_all: of_all * rate(all), others: [0.0; 3] };
        let [_, others @ ..] = of.teams.cells();
        parts.others = others.map(|cell| parts.spread(of, cell, rates, means));
        parts
    }

    /// The contribution of the teams of one cell to the variance, where the first three sets win at these rates.
    fn spread(
        &self,
        of: &Met<'_>,
        ((score, played), counts): ((f64, u64), [bool; 3]),
        rates: [f64; 3],
        means: [f64; 3],
    ) -> f64 {
        let (mut win, mut mean) = (self.moves.0, self.of_all);
        for at in (0..3).filter(|&at| counts[at]) {
            let here = rates[at] + of.predicted[at] - means[at];
            win += self.moves.1[at];
            mean += self.moves.1[at] * here;
        }
        score * (win - mean).powi(2) + (played as f64 - score) * mean.powi(2)
    }

    fn variance(&self, of: &Met<'_>, rates: [f64; 3], means: [f64; 3]) -> f64 {
        let both = self.spread(of, (of.teams.both, [true; 3]), rates, means);
        self.others.iter().fold(both, |sum, other| sum + other)
    }
}

fn rate((score, played): (f64, u64)) -> f64 {
    score / played as f64
}

/// The mean score of these teams with half a win and half a loss added, so that its odds are finite.
fn smoothed((score, played): (f64, u64)) -> f64 {
    (score + 0.5) / (played as f64 + 1.0)
}

/// The amount to add to the log odds of each stratum, given as (log odds, share), so that the mean rate over the strata
/// is `wanted`. The mean rises with it, so it lies between the smallest and the largest amount that a stratum alone
/// would need.
fn added(strata: &[(f64, f64)], wanted: f64) -> f64 {
    const STEPS: usize = 60;
    const CLOSE: f64 = 1e-13;
    let wanted_odds = log_odds(wanted);
    let mut ends =
        strata.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &(here, _)| {
            [low.min(wanted_odds - here), high.max(wanted_odds - here)]
        });
    let mut at = f64::midpoint(ends[0], ends[1]);
    for _ in 0..STEPS {
        let (mut mean, mut slope) = (0.0, 0.0);
        for &(here, share) in strata {
            let rate = logistic(here + at);
            mean += share * rate;
            slope += share * variance_of_one(rate);
        }
        let error = mean - wanted;
        if error.abs() < CLOSE || ends[1] - ends[0] < CLOSE {
            break;
        }
        ends[usize::from(error > 0.0)] = at;
        // Newton's step, unless it leaves the bracket of the root.
        let next = at - error / slope;
        at = if next > ends[0] && next < ends[1] { next } else { f64::midpoint(ends[0], ends[1]) };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::proportion;

    fn among(matchups: &[Teams]) -> Lift {
        let all: Vec<(f64, u64)> = matchups.iter().map(|of| of.all).collect();
        let adds = [1, 2].map(|at: usize| {
            let with: Vec<(f64, u64)> = matchups.iter().map(|of| of.sets()[at]).collect();
            added_odds(&with, &all)
        });
        lift_among(matchups, adds, Level::P95)
    }

    #[test]
    fn odds_multiply() {
        // Each doubles the odds of 1; together they make them 4.
        let as_expected =
            lift((80.0, 100), (400.0, 600), (400.0, 600), (5_000.0, 10_000), Level::P95);
        assert!((as_expected.expected - 0.8).abs() < 1e-3, "{as_expected:?}");
        assert!(as_expected.lift.value.abs() < 1e-3 && as_expected.p_value > 0.95);
        // Things that add nothing predict an even rate.
        let nothing =
            lift((60.0, 100), (500.0, 1_000), (500.0, 1_000), (5_000.0, 10_000), Level::P95);
        assert!((nothing.expected - 0.5).abs() < 1e-9);
        assert!((nothing.lift.value - 0.1).abs() < 1e-9);
    }

    /// With very many teams that have one of them, all uncertainty is about the teams with both: a proportion compared
    /// with a known rate.
    #[test]
    fn a_rare_pair_is_a_proportion() {
        let million = 1_000_000;
        let single = (0.5e6, million);
        let found = lift((240.0, 400), single, single, (50e6, 100 * million), Level::P95);
        let proportion = proportion(240, 400, Level::P95);
        assert!((found.lift.high - (proportion.high - 0.5)).abs() < 1e-4, "{found:?}");
        assert!((found.lift.low - (proportion.low - 0.5)).abs() < 1e-4, "{found:?}");
        let z = 0.1 / (0.25 / 400.0_f64).sqrt();
        assert!((libm::log(found.p_value) - libm::log(two_sided(z))).abs() < 0.2, "{found:?}");
    }

    /// The odds of a thing that hardly ever comes without another include those of the other, so the lift is unknown.
    #[test]
    fn what_always_comes_together_says_nothing_of_each_other() {
        let all = (500.0, 1_000);
        let found = |first: u64| {
            let share = |teams: u64| (0.6 * teams as f64, teams);
            lift(share(100), share(first), share(400), all, Level::P95).expected
        };
        assert!(found(100).is_nan() && found(104).is_nan(), "{} {}", found(100), found(104));
        assert!(found(106) > 0.6, "{}", found(106));
        assert!(lift((0.0, 0), (1.0, 2), (1.0, 2), (1.0, 2), Level::P95).p_value.is_nan());
    }

    /// Neither thing has an effect, but neither is in the remaining battles against the weak opponent, so that each
    /// wins less often than all teams do, and both together no less often than each.
    #[test]
    fn whom_teams_have_met_is_no_lift() {
        let (strong, weak) = (0.1, 0.9);
        let met = |rate: f64, teams: [u64; 4]| {
            let [both, first, second, all] = teams.map(|teams| (rate * teams as f64, teams));
            Teams { both, first, second, all }
        };
        let matchups =
            [met(strong, [1_000, 2_000, 2_000, 4_000]), met(weak, [1_000, 2_000, 2_000, 8_000])];
        let found = among(&matchups);
        assert!(found.lift.value.abs() < 1e-3 && found.p_value > 0.9, "{found:?}");
        let all = |of: fn(&Teams) -> (f64, u64)| {
            let [one, other] = matchups.each_ref().map(of);
            (one.0 + other.0, one.1 + other.1)
        };
        let mixed = lift(
            all(|of| of.both),
            all(|of| of.first),
            all(|of| of.second),
            all(|of| of.all),
            Level::P95,
        );
        assert!(mixed.lift.low > 0.05, "{mixed:?}");
        // Differences between opponents add no uncertainty.
        let width = |of: &Lift| of.lift.high - of.lift.low;
        assert!(width(&found) < 0.8 * width(&mixed), "{found:?} {mixed:?}");
    }

    /// A few results that happened to be alike in each match-up do not make a lift certain.
    #[test]
    fn few_teams_in_each_match_up_leave_doubt() {
        let met = |rate: f64| Teams {
            both: (rate * 50.0, 50),
            first: (rate * 500.0, 500),
            second: (rate * 500.0, 500),
            all: (rate * 5_000.0, 5_000),
        };
        let found = among(&[met(0.0), met(1.0)]);
        assert!(found.lift.low < -0.01 && 0.01 < found.lift.high, "{found:?}");
    }

    /// Odds multiply within match-ups, however far apart these are; rates pooled over all match-ups would not.
    #[test]
    fn odds_multiply_within_match_ups() {
        let met = |even: f64| {
            let rate = |add: f64| logistic(log_odds(even) + add);
            // With both, each alone and neither.
            let cells = [0.8, 1.5, -0.7, 0.0].map(rate).map(|rate| rate * 10_000.0);
            let sum = |at: &[usize]| {
                (at.iter().map(|&at| cells[at]).sum::<f64>(), 10_000 * at.len() as u64)
            };
            Teams {
                both: sum(&[0]),
                first: sum(&[0, 1]),
                second: sum(&[0, 2]),
                all: sum(&[0, 1, 2, 3]),
            }
        };
        let one = among(&[met(0.3)]);
        let apart = among(&[met(0.05), met(0.3), met(0.97)]);
        assert!(apart.lift.value.abs() < 0.02, "{apart:?}");
        assert!(one.lift.value.abs() < 0.02, "{one:?}");
    }

    #[test]
    fn what_must_be_added_is_found() {
        for wanted in [1e-6, 0.2, 0.9, 1.0 - 1e-6] {
            let strata = [(-6.0, 0.3), (0.1, 0.5), (7.0, 0.2), (900.0, 0.0)];
            let at = added(&strata, wanted);
            let mean: f64 = strata.iter().map(|&(here, share)| share * logistic(here + at)).sum();
            assert!((mean - wanted).abs() < 1e-12, "{wanted}: {mean}");
        }
        assert!((added(&[(0.4, 1.0)], 0.5) + 0.4).abs() < 1e-12);
    }

    #[test]
    fn what_every_team_has_goes_with_nothing() {
        let found = lift((60.0, 100), (500.0, 1_000), (60.0, 100), (500.0, 1_000), Level::P95);
        assert!(found.lift.value.is_nan() && found.p_value.is_nan(), "{found:?}");
    }

    #[test]
    fn all_or_nothing_stays_within_bounds() {
        for both in [(0.0, 3), (3.0, 3)] {
            let found = lift(both, (4.0, 8), (4.0, 9), (50.0, 100), Level::P95);
            assert!((-1.0..=1.0).contains(&found.lift.low) && found.lift.low < found.lift.high);
            assert!(found.p_value > 0.0 && found.p_value <= 1.0);
        }
    }

    /// Two teams that both won say nothing about a pair whose units win every other battle.
    #[test]
    fn two_teams_say_nothing() {
        let found = lift((2.0, 2), (50.0, 100), (50.0, 100), (500.0, 1_000), Level::P95);
        assert!(found.lift.low < 0.0 && found.lift.value > 0.45, "{found:?}");
    }
}
