//! Stopping rules: ending a run once there is evidence enough.
//!
//! Evidence is looked at after fixed numbers of battles, a tenth more each time, so where a run ends depends on
//! nothing but the scenario and the seed. Everything that is looked at is a score: a win is 1, a battle that nobody
//! wins is shared equally, and even is one half in a duel.

use std::fmt;
use std::str::FromStr;

use crate::game::Side;
use crate::statistics::{Design, Power};
use crate::statistics::{Estimate, Level, SequentialTest, Verdict, score, score_sequence};
use crate::table::LEVEL;
use crate::tally::{Count, OutcomeMeasure, Results};

/// Battles of each match-up before the first look.
const FIRST_LOOK: u64 = 100;
/// Battles of each match-up at which intervals that hold at any look are tuned to be narrow: those of ten times as many
/// are narrowest.
const TUNED_TO: f64 = 400.0;
/// The chance that anything concluded from a run is wrong.
const ERRORS: f64 = 0.05;
const MEASURE: OutcomeMeasure = OutcomeMeasure::Score;

/// When a run has evidence enough to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoppingRule {
    /// Once every score is known this well by intervals that hold at any time, all of them together: half the width of
    /// an interval, as a probability.
    Interval(f64),
    /// Once the plain interval of every score is this narrow: half its width, as a probability. A run stops for the
    /// spread of its battles, hardly for who wins them, so plain intervals still hold (Y. S. Chow and H. Robbins: "On
    /// the asymptotic theory of fixed-width sequential confidence intervals for the mean", 1965). The least is the
    /// first look's 100 battles of each match-up, and a win and a loss are added to what was seen.
    Margin(f64),
    /// Once there is evidence on which side of a gap side A's score lies.
    Test(SequentialTest),
}

/// What makes the intervals of a run valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inference {
    /// They hold for a number of battles that was fixed in advance, or that depends on the spread of the battles alone.
    Fixed,
    /// They hold at every look simultaneously, whatever made the run end.
    AnytimeValid,
}

/// Why a text names no stopping rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoStoppingRule {
    /// It has another form.
    #[error(
        "write `margin=0.2pp` for scores known to 0.2 percentage points, `ci=0.2pp` for the same by intervals that hold at \
         any time, or `sprt(-1pp,1pp)` for evidence whether side A scores 1 point less or 1 point more than half"
    )]
    Form,
    /// A half-width that no interval can have, or that would take more battles than can be counted.
    #[error("{0} is not from 0.0001pp to below 50pp: write one that is, such as `0.2pp`")]
    Width(String),
    /// A bound of the gap that is not above -50 and below 50 percentage points.
    #[error(
        "{0} is not above -50pp and below 50pp: write two numbers that are, such as `sprt(-1pp,1pp)`"
    )]
    Bound(String),
    /// Bounds of a gap that are equal or the wrong way round.
    #[error(
        "{lower} is not below {upper}: write the smaller number first, such as `sprt(-1pp,1pp)`"
    )]
    Order {
        /// The bound that stands first.
        lower: String,
        /// The bound that stands second.
        upper: String,
    },
}

impl FromStr for StoppingRule {
    type Err = NoStoppingRule;

    fn from_str(text: &str) -> Result<Self, NoStoppingRule> {
        if let Some(width) = text.strip_prefix("ci=") {
            return half_width(width).map(Self::Interval);
        }
        if let Some(width) = text.strip_prefix("margin=") {
            return half_width(width).map(Self::Margin);
        }
        let inside = text.strip_prefix("sprt(").and_then(|text| text.strip_suffix(')'));
        let (first, second) =
            inside.and_then(|text| text.split_once(',')).ok_or(NoStoppingRule::Form)?;
        let (lower, upper) = (bound(first)?, bound(second)?);
        if lower < upper {
            return Ok(Self::Test(SequentialTest { lower, upper, errors: ERRORS }));
        }
        let [lower, upper] = [first, second].map(|text| text.trim().to_owned());
        Err(NoStoppingRule::Order { lower, upper })
    }
}

/// Reads half the width of an interval, such as `0.2pp`.
fn half_width(text: &str) -> Result<f64, NoStoppingRule> {
    let width = points(text).ok_or(NoStoppingRule::Form)?;
    let is_one = (1e-6..0.5).contains(&width);
    is_one.then_some(width).ok_or_else(|| NoStoppingRule::Width(text.trim().to_owned()))
}

/// Reads a bound such as `-1pp` as a score that is so much more than half.
fn bound(text: &str) -> Result<f64, NoStoppingRule> {
    let score = 0.5 + points(text).ok_or(NoStoppingRule::Form)?;
    let is_one = 0.0 < score && score < 1.0;
    is_one.then_some(score).ok_or_else(|| NoStoppingRule::Bound(text.trim().to_owned()))
}

/// Reads points such as `-1pp` as a probability.
fn points(text: &str) -> Option<f64> {
    let number: f64 = text.trim().strip_suffix("pp")?.trim().parse().ok()?;
    number.is_finite().then_some(number / 100.0)
}

/// As it is written on the command line.
impl fmt::Display for StoppingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = |share: f64| (share * 1e8).round() / 1e6;
        match self {
            Self::Interval(width) => write!(f, "ci={}pp", points(*width)),
            Self::Margin(width) => write!(f, "margin={}pp", points(*width)),
            Self::Test(SequentialTest { lower, upper, .. }) => {
                write!(f, "sprt({}pp,{}pp)", points(lower - 0.5), points(upper - 0.5))
            }
        }
    }
}

impl fmt::Display for Inference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fixed => "fixed number of battles",
            Self::AnytimeValid => "anytime-valid",
        })
    }
}

impl StoppingRule {
    /// The numbers of battles after which a rule looks: multiples of the number of match-ups, which take turns.
    pub fn looks(matchups: usize) -> impl Iterator<Item = u64> {
        let matchups = matchups as u64;
        std::iter::successors(Some(FIRST_LOOK), |&look| look.checked_add(look / 10))
            .map_while(move |look| look.checked_mul(matchups))
    }

    /// Whether the battles so far, one count for each match-up, are enough.
    #[must_use]
    pub fn is_enough(self, matchups: &[Count]) -> bool {
        match self {
            Self::Interval(half_width) | Self::Margin(half_width) => {
                let scores = scores(matchups);
                let all = matchups.iter().map(|of| of.battles).sum();
                let narrow = |&(_, _, results): &(usize, Side, Results)| {
                    // A win and a loss more keep a rule that waits for a small variance from stopping on rare results
                    // that have not come up yet. No sequence is narrower than this, so most looks are spared the time
                    // it takes.
                    let plain = Power::new(LEVEL, 0.5)
                        .margin(&Design::one(results, MEASURE), results.battles() as f64);
                    if plain * self.least_widening() > half_width {
                        return false;
                    }
                    let known = self.score(results, scores.len());
                    let reach = |of: Estimate| (of.high - of.value).max(of.value - of.low);
                    // Tables and pages show intervals of their own for other figures of the same battles.
                    let told = score(results, MEASURE, self.level(all, matchups.len()));
                    reach(known).max(reach(told)) <= half_width
                };
                scores.iter().all(narrow)
            }
            Self::Test(test) => test.verdict(pooled(matchups)) != Verdict::Open,
        }
    }

    /// The scores that the rule looked at: of every match-up and side, or side A's over all match-ups, with intervals
    /// that hold at the stop. Those of `ci=` hold jointly in 95 of 100 runs, others one by one.
    #[must_use]
    pub fn known(self, matchups: &[Count]) -> Vec<(Option<usize>, Side, Estimate)> {
        match self {
            Self::Interval(_) | Self::Margin(_) => {
                let scores = scores(matchups);
                let count = scores.len();
                let known =
                    |(matchup, side, results)| (Some(matchup), side, self.score(results, count));
                scores.into_iter().map(known).collect()
            }
            Self::Test(_) => vec![(None, Side::A, self.score(pooled(matchups), 1))],
        }
    }

    /// The verdict of a test on side A's score over all match-ups; none for other rules.
    #[must_use]
    pub fn verdict(self, matchups: &[Count]) -> Option<Verdict> {
        match self {
            Self::Interval(_) | Self::Margin(_) => None,
            Self::Test(test) => Some(test.verdict(pooled(matchups))),
        }
    }

    /// How many battles it would have taken if their number had been fixed in advance: for plain intervals this narrow by
    /// somebody who knew how battles end, or for a test with the same error rates. None for intervals of no width.
    #[must_use]
    pub fn fixed_number(self, matchups: &[Count]) -> Option<u64> {
        let most = |half_width: f64| {
            let needed = |(_, _, results): (usize, Side, Results)| {
                Power::new(LEVEL, 0.5)
                    .battles_for_margin(&Design::known(results, MEASURE), half_width)
            };
            let most = scores(matchups).into_iter().filter_map(needed).max();
            most.map(|battles| battles.saturating_mul(matchups.len() as u64))
        };
        match self {
            Self::Interval(half_width) | Self::Margin(half_width) => most(half_width),
            // One-sided at either hypothesis: a level of twice the error rate and a power of the rest.
            Self::Test(SequentialTest { lower, upper, errors }) => {
                let level = Level::new(1.0 - 2.0 * errors)?;
                let design = Design::one(pooled(matchups), MEASURE);
                Power::new(level, 1.0 - errors).battles_for_effect(&design, upper - lower)
            }
        }
    }

    /// What makes the intervals of a run valid that this rule may end.
    #[must_use]
    pub fn inference(self) -> Inference {
        match self {
            Self::Interval(_) | Self::Test(_) => Inference::AnytimeValid,
            Self::Margin(_) => Inference::Fixed,
        }
    }

    /// The confidence level of all other intervals of a run that this rule may end, after so many battles between so
    /// many match-ups.
    #[must_use]
    pub fn level(self, battles: u64, matchups: usize) -> Level {
        match self.inference() {
            Inference::Fixed => LEVEL,
            Inference::AnytimeValid => {
                LEVEL.at_any_time(battles.max(1) as f64 / TUNED_TO / matchups.max(1) as f64)
            }
        }
    }

    /// The least factor by which this rule's own intervals are wider than plain ones.
    fn least_widening(self) -> f64 {
        match self {
            Self::Margin(_) => 1.0,
            Self::Interval(_) | Self::Test(_) => 1.4,
        }
    }

    fn score(self, results: Results, together: usize) -> Estimate {
        match self {
            Self::Margin(_) => score(results, MEASURE, LEVEL),
            Self::Interval(_) | Self::Test(_) => {
                score_sequence(results, MEASURE, 1.0 - ERRORS / together.max(1) as f64)
            }
        }
    }
}

/// The results whose scores the rule looks at: in a duel side A's of every match-up, of which side B's are the mirror
/// image; otherwise every side's.
fn scores(matchups: &[Count]) -> Vec<(usize, Side, Results)> {
    let of = |(matchup, count): (usize, &Count)| -> Vec<(usize, Side, Results)> {
        let sides = if count.wins.len() == 2 { 1 } else { count.wins.len() };
        (0..sides as u8).map(|side| (matchup, Side(side), count.results(Side(side)))).collect()
    };
    matchups.iter().enumerate().flat_map(of).collect()
}

/// Side A's results of all match-ups together.
fn pooled(matchups: &[Count]) -> Results {
    let results = matchups.iter().map(|count| count.results(Side::A));
    results.reduce(Results::with).unwrap_or(Results::none(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_it_is_written_on_the_command_line() {
        assert_eq!("ci=0.2pp".parse(), Ok(StoppingRule::Interval(0.002)));
        assert_eq!("margin=2pp".parse(), Ok(StoppingRule::Margin(0.02)));
        let test = SequentialTest { lower: 0.49, upper: 0.51, errors: 0.05 };
        assert_eq!("sprt(-1pp,1pp)".parse(), Ok(StoppingRule::Test(test)));
        for text in ["ci=0.2pp", "margin=1.5pp", "sprt(-1pp,1pp)", "sprt(0pp,0.25pp)"] {
            assert_eq!(text.parse::<StoppingRule>().expect("a rule").to_string(), text);
        }
        assert!("sprt( 0pp , 2pp )".parse::<StoppingRule>().is_ok());
        let width = |text: &str| NoStoppingRule::Width(text.to_owned());
        for (wrong, why) in [
            ("", NoStoppingRule::Form),
            ("ci=", NoStoppingRule::Form),
            ("ci=0.2", NoStoppingRule::Form),
            ("ci=-1pp", width("-1pp")),
            ("ci=60pp", width("60pp")),
            ("margin=", NoStoppingRule::Form),
            ("margin=0pp", width("0pp")),
            (
                "sprt(1pp,-1pp)",
                NoStoppingRule::Order { lower: "1pp".to_owned(), upper: "-1pp".to_owned() },
            ),
            ("sprt(1pp)", NoStoppingRule::Form),
            ("sprt(-60pp,1pp)", NoStoppingRule::Bound("-60pp".to_owned())),
        ] {
            assert_eq!(wrong.parse::<StoppingRule>(), Err(why), "{wrong}");
        }
    }

    #[test]
    fn looks_grow_by_a_tenth_in_whole_rounds_of_the_match_ups() {
        let looks: Vec<u64> = StoppingRule::looks(3).take(4).collect();
        assert_eq!(looks, [300, 330, 363, 399]);
    }

    fn count(wins: [u64; 2], draws: u64) -> Count {
        let mut count = Count::new(&crate::tally::fixture::duel());
        (count.wins, count.draws) = (wins.to_vec(), draws);
        count.battles = wins.iter().sum::<u64>() + draws;
        count
    }

    /// At 81% of 100 battles a gap from even is seen at once; draws share the point.
    #[test]
    fn wide_gaps_are_seen_at_the_first_look_and_draws_are_even() {
        let rule: StoppingRule = "sprt(-5pp,5pp)".parse().expect("a rule");
        assert_eq!(rule.verdict(&[count([81, 19], 0)]), Some(Verdict::Upper));
        assert_eq!(rule.verdict(&[count([19, 81], 0)]), Some(Verdict::Lower));
        assert!(!rule.is_enough(&[count([10, 10], 80)]));
        let [(None, Side::A, score)] = rule.known(&[count([10, 10], 80)])[..] else { panic!() };
        assert_eq!(score.value, 0.5);
    }

    /// The variance of an even battle is 1/4: 1.96^2 / 4 / 0.02^2 = 2,401; a test with errors of 5% between 0.49 and
    /// 0.51 needs (2 * 1.645 / 0.02)^2 / 4 = 6,764.
    #[test]
    fn the_fixed_number_is_the_textbooks() {
        let even = [count([500_000, 500_000], 0)];
        let number = |rule: &str| {
            rule.parse::<StoppingRule>().expect("a rule").fixed_number(&even).expect("a number")
        };
        assert_eq!((number("margin=2pp"), number("ci=2pp")), (2_401, 2_401));
        assert_eq!(number("sprt(-1pp,1pp)"), 6_764);
    }
}
