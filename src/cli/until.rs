//! When `evens run --until` ends.

use std::str::FromStr;
use std::time::Duration;

use crate::batch::{NoStoppingRule, StoppingRule};

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Until {
    /// Once there is evidence enough.
    Evidence(StoppingRule),
    /// After so long. How long battles take says nothing about who wins them as a whole, so the intervals of a fixed number
    /// of battles hold for however many it has become.
    Time(Duration),
}

impl Until {
    pub(super) fn evidence(self) -> Option<StoppingRule> {
        match self {
            Self::Evidence(rule) => Some(rule),
            Self::Time(_) => None,
        }
    }

    pub(super) fn time(self) -> Option<Duration> {
        match self {
            Self::Evidence(_) => None,
            Self::Time(time) => Some(time),
        }
    }
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // No rule begins with a number, and every time does.
        if text.trim().starts_with(|of: char| of.is_ascii_digit() || "+-.".contains(of)) {
            return time(text).map(Self::Time);
        }
        text.parse().map(Self::Evidence).map_err(|why| match why {
            NoStoppingRule::Form => format!("{why}, or a time such as `30s`"),
            of_its_numbers => of_its_numbers.to_string(),
        })
    }
}

/// The longest time that is accepted: nobody waits longer, and clocks do not go much farther.
pub(super) const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

/// Reads a time such as `30s`, `1.5m` or `2h`, up to a year.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "s" | "sec" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let number: Option<f64> = number.trim_end().parse().ok();
    let Some(time) = number.zip(unit).map(|(number, unit)| number * unit) else {
        return Err(format!(
            "`{text}` is no time: write a number with s, m or h, such as `30s`, `5m` or `1.5h`"
        ));
    };
    if time > YEAR.as_secs_f64() {
        return Err(format!("`{text}` is more than a year: write up to `8760h`, such as `1.5h`"));
    }
    // Less than a nanosecond counts as no time.
    let time = Duration::try_from_secs_f64(time).unwrap_or_default();
    match time.is_zero() {
        true => Err(format!("`{text}` is no time to play in: write more than `0s`, such as `30s`")),
        false => Ok(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_by_evidence_or_by_time() {
        let of = |text: &str| text.parse::<Until>();
        assert_eq!(of("30s"), Ok(Until::Time(Duration::from_secs(30))));
        assert_eq!(of("1.5m"), Ok(Until::Time(Duration::from_secs(90))));
        assert_eq!(of("2 h"), Ok(Until::Time(Duration::from_secs(7200))));
        assert_eq!(of("margin=1pp"), Ok(Until::Evidence(StoppingRule::Margin(0.01))));
        for wrong in
            ["30", "s", "0s", "-5s", "1e9h", "30x", "1.2.3s", "9999999h", "1e-300s", "nans"]
        {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    /// Each says the number, the limit and what to do.
    #[test]
    fn what_is_wrong_with_a_rule_is_told_by_its_number() {
        for (wrong, told) in [
            ("margin=50pp", "50pp is not from 0.0001pp to below 50pp: write one that is"),
            ("margin=1e-300pp", "1e-300pp is not from 0.0001pp"),
            ("ci=200pp", "200pp is not from 0.0001pp"),
            ("sprt(1pp, -1pp)", "1pp is not below -1pp: write the smaller number first"),
            ("sprt(-60pp,60pp)", "-60pp is not above -50pp and below 50pp: write"),
            ("0s", "`0s` is no time to play in: write more than `0s`"),
            ("-5s", "`-5s` is no time to play in"),
            ("1ms", "`1ms` is no time: write a number with s, m or h"),
            ("1e18s", "`1e18s` is more than a year: write up to `8760h`"),
            ("margin=x", "or a time such as `30s`"),
        ] {
            let why = wrong.parse::<Until>().expect_err(wrong);
            assert!(why.contains(told), "{wrong}: {why}");
        }
    }
}
