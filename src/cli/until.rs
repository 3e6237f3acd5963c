//! When `evens run --until` ends.

use std::str::FromStr;
use std::time::Duration;

use crate::batch::StoppingRule;

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
        let evidence = || {
            text.parse()
                .map(Self::Evidence)
                .map_err(|why| format!("{why}, or a time such as `30s`"))
        };
        time(text).map_or_else(evidence, |time| Ok(Self::Time(time)))
    }
}

/// `30s`, `1.5m`, `2h`; up to a year.
pub(super) fn time(text: &str) -> Option<Duration> {
    const YEAR: f64 = 365.0 * 24.0 * 3600.0;
    let text = text.trim();
    let at = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let seconds = match text[at..].trim() {
        "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let time = text[..at].parse::<f64>().ok()? * seconds;
    (time > 0.0 && time <= YEAR).then(|| Duration::from_secs_f64(time))
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
        for wrong in ["30", "s", "0s", "-5s", "1e9h", "30x", "1.2.3s", "9999999h"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
