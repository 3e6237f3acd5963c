//! Interaction of two units in a team: their joint win rate beyond the product of their odds ratios.

use super::intervals::wilson;
use super::{Estimate, Level, two_sided};

/// The win rate of teams with two things, compared with what each of the two predicts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// The win rate expected without interaction.
    pub expected: f64,
    /// The win rate of both together less the expected one.
    pub lift: Estimate,
    /// The p-value of a lift of 0.
    pub p_value: f64,
}

impl Lift {
    /// Nothing is known.
    pub const UNKNOWN: Lift =
        Lift { expected: f64::NAN, lift: Estimate::UNKNOWN, p_value: f64::NAN };
}

/// Compares teams that have both of two things with those that have each. Everything is given as (score, teams), the score being the
/// sum of what the teams scored, 1 for a win: teams
/// with both, with the first (and perhaps the second), with the second, and all teams.
///
/// The expectation is that of a logistic model without interaction: each multiplies the odds of winning by as much as
/// it does among all teams, so the log odds of both are those of the first plus those of the second less those of all
/// teams. The variance is that of teams drawn independently, each counted in as many of the four rates as it is in (the
/// delta method), what nobody won counting like as many wins and losses; the part of the teams with both is Wilson's, which
/// holds for few of them. Rates are smoothed by half a win where odds are taken. For the p-value the variance is the one under
/// the expected rate (a score test), with one pseudo-team that may have gone either way. [`Lift::UNKNOWN`] where no team has
/// both, or every team has one of them, which then says nothing of the other.
#[must_use]
pub fn lift(
    both: (f64, u64),
    first: (f64, u64),
    second: (f64, u64),
    all: (f64, u64),
    level: Level,
) -> Lift {
    if both.1 == 0 || first.1 == all.1 || second.1 == all.1 {
        return Lift::UNKNOWN;
    }
    let rate = |(score, played): (f64, u64)| score / played as f64;
    let inner = |(score, played): (f64, u64)| (score + 0.5) / (played as f64 + 1.0);
    let log_odds = |of| libm::log(inner(of) / (1.0 - inner(of)));
    let expected = 1.0 / (1.0 + libm::exp(-(log_odds(first) + log_odds(second) - log_odds(all))));
    let slope = |of| expected * (1.0 - expected) / (inner(of) * (1.0 - inner(of)));
    // By how much a win more in each of the four moves the lift.
    let per_team = |of: (f64, u64), slope: f64| slope / of.1 as f64;
    let shares = [
        per_team(both, 1.0),
        per_team(first, -slope(first)),
        per_team(second, -slope(second)),
        per_team(all, slope(all)),
    ];
    let without = |of: (f64, u64), less: (f64, u64)| {
        let played = of.1.saturating_sub(less.1);
        ((of.0 - less.0).clamp(0.0, played as f64), played)
    };
    let (only_first, only_second) = (without(first, both), without(second, both));
    let neither = without(without(without(all, both), only_first), only_second);
    let variance = |rate_of_both: f64| -> f64 {
        let rates = [rate_of_both, rate(first), rate(second), rate(all)];
        let cells = [
            (both, [true, true, true, true]),
            (only_first, [false, true, false, true]),
            (only_second, [false, false, true, true]),
            (neither, [false, false, false, true]),
        ];
        let spread = |((score, played), counts): ((f64, u64), [bool; 4])| {
            let (mut win, mut mean) = (0.0, 0.0);
            for at in (0..4).filter(|&at| counts[at]) {
                win += shares[at];
                mean += shares[at] * rates[at];
            }
            score * (win - mean).powi(2) + (played as f64 - score) * mean.powi(2)
        };
        cells.into_iter().map(spread).sum::<f64>()
    };
    let own = rate(both);
    let value = own - expected;
    // A team more with both that may have gone either way.
    let either_way = (shares[0] / 2.0).powi(2);
    // What the rate of both varies by itself, and as Wilson's interval has it, which holds for few teams, too.
    let (by_itself, few) = (own * (1.0 - own) / both.1 as f64, wilson(own, both.1 as f64, level));
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
        p_value: two_sided(value / (variance(expected) + either_way).sqrt()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::proportion;

    #[test]
    fn odds_multiply() {
        // Each doubles the odds of 1; together they make them 4.
        let as_expected =
            lift((80.0, 100), (400.0, 600), (400.0, 600), (5_000.0, 10_000), Level::P95);
        assert!((as_expected.expected - 0.8).abs() < 1e-3, "{as_expected:?}");
        assert!(as_expected.lift.value.abs() < 1e-3 && as_expected.p_value > 0.95);
        // Who is worth nothing leads to nothing.
        let nothing =
            lift((60.0, 100), (500.0, 1_000), (500.0, 1_000), (5_000.0, 10_000), Level::P95);
        assert!((nothing.expected - 0.5).abs() < 1e-9);
        assert!((nothing.lift.value - 0.1).abs() < 1e-9);
    }

    /// With very many teams that have one of them, all doubt is about the teams that have both: a proportion held
    /// against a known rate.
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

    /// Two things that always come together say nothing of each other: what one win more adds to the rate of both it
    /// adds to the rate of each.
    #[test]
    fn what_always_comes_together_is_judged_by_how_it_is_counted() {
        let found = lift((60.0, 100), (60.0, 100), (60.0, 100), (500.0, 1_000), Level::P95);
        assert!(found.expected > 0.6 && found.lift.value < 0.0, "{found:?}");
        assert!(lift((0.0, 0), (1.0, 2), (1.0, 2), (1.0, 2), Level::P95).p_value.is_nan());
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

    /// Two teams that both won say nothing of a pair whose units win every other battle.
    #[test]
    fn two_teams_say_nothing() {
        let found = lift((2.0, 2), (50.0, 100), (50.0, 100), (500.0, 1_000), Level::P95);
        assert!(found.lift.low < 0.0 && found.lift.value > 0.45, "{found:?}");
    }
}
