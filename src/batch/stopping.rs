//! Stopping rules: ending a run once there is evidence enough.
//!
//! Evidence is looked at after fixed numbers of battles, a tenth more each time, so where a run ends depends on
//! nothing but the scenario and the seed. What is concluded stays valid although it is looked at so often.

use std::str::FromStr;

use crate::statistics::{Estimate, SequentialTest, Verdict, confidence_sequence};
use crate::tally::Count;

/// Battles of each match-up before the first look.
const FIRST_LOOK: u64 = 1_000;
/// The chance that anything concluded from a run is wrong.
const ERRORS: f64 = 0.05;

/// When there is evidence enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoppingRule {
    /// Once every win rate is known this well: half the width of its interval, as a probability.
    Interval(f64),
    /// Once it is clear on which side of a gap side A's score lies.
    Test(SequentialTest),
}

/// Why a text names no stopping rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "write `ci=0.2pp` for win rates known to 0.2 percentage points, or `sprt(-1pp,1pp)` to tell whether side \
         A scores 1 point less or 1 point more than half"
)]
pub struct NoStoppingRule;

impl FromStr for StoppingRule {
    type Err = NoStoppingRule;

    fn from_str(text: &str) -> Result<Self, NoStoppingRule> {
        if let Some(width) = text.strip_prefix("ci=") {
            let half_width = points(width).filter(|width| (1e-6..0.5).contains(width));
            return half_width.map(Self::Interval).ok_or(NoStoppingRule);
        }
        let inside = text.strip_prefix("sprt(").and_then(|text| text.strip_suffix(')'));
        let (lower, upper) = inside.and_then(|text| text.split_once(',')).ok_or(NoStoppingRule)?;
        let bound = |text| points(text).map(|points| 0.5 + points);
        let (lower, upper) = bound(lower).zip(bound(upper)).ok_or(NoStoppingRule)?;
        if 0.0 < lower && lower < upper && upper < 1.0 {
            Ok(Self::Test(SequentialTest { lower, upper, errors: ERRORS }))
        } else {
            Err(NoStoppingRule)
        }
    }
}

/// `-1pp` as a probability.
fn points(text: &str) -> Option<f64> {
    let number: f64 = text.trim().strip_suffix("pp")?.trim().parse().ok()?;
    number.is_finite().then_some(number / 100.0)
}

impl StoppingRule {
    /// The battle counts at which it is looked at.
    pub(super) fn looks(matchups: usize) -> impl Iterator<Item = u64> {
        let first = FIRST_LOOK.saturating_mul(matchups as u64);
        std::iter::successors(Some(first), |&look| look.checked_add(look / 10))
    }

    /// Whether the battles so far, one count for each match-up, are enough.
    #[must_use]
    pub fn is_enough(self, matchups: &[Count]) -> bool {
        match self {
            Self::Interval(half_width) => win_rates(matchups)
                .iter()
                .flatten()
                .all(|rate| (rate.high - rate.low) / 2.0 <= half_width),
            Self::Test(test) => verdict(test, matchups) != Verdict::Open,
        }
    }
}

/// The win rate of every side in every match-up. All intervals together hold the truth at all looks at once in 95
/// of 100 runs.
#[must_use]
pub fn win_rates(matchups: &[Count]) -> Vec<Vec<Estimate>> {
    let rates: usize = matchups.iter().map(|count| count.wins.len()).sum();
    let confidence = 1.0 - ERRORS / rates.max(1) as f64;
    let of = |count: &Count| {
        let rate = |&wins: &u64| confidence_sequence(wins, count.battles, confidence);
        count.wins.iter().map(rate).collect()
    };
    matchups.iter().map(of).collect()
}

/// What a test of side A's score says of all match-ups together.
#[must_use]
pub fn verdict(test: SequentialTest, matchups: &[Count]) -> Verdict {
    let sum = |of: fn(&Count) -> u64| matchups.iter().map(of).sum();
    test.verdict(sum(|count| count.wins[0]), sum(|count| count.draws), sum(|count| count.battles))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_it_is_written_on_the_command_line() {
        assert_eq!("ci=0.2pp".parse(), Ok(StoppingRule::Interval(0.002)));
        let test = SequentialTest { lower: 0.49, upper: 0.51, errors: 0.05 };
        assert_eq!("sprt(-1pp,1pp)".parse(), Ok(StoppingRule::Test(test)));
        assert!("sprt( 0pp , 2pp )".parse::<StoppingRule>().is_ok());
        for wrong in [
            "",
            "ci=",
            "ci=0.2",
            "ci=-1pp",
            "ci=60pp",
            "sprt(1pp,-1pp)",
            "sprt(1pp)",
            "sprt(-60pp,1pp)",
        ] {
            assert_eq!(wrong.parse::<StoppingRule>(), Err(NoStoppingRule), "{wrong}");
        }
    }

    #[test]
    fn looks_grow_by_a_tenth() {
        let looks: Vec<u64> = StoppingRule::looks(2).take(4).collect();
        assert_eq!(looks, [2000, 2200, 2420, 2662]);
    }
}
