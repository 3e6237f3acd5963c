//! The time, for seeds and labels of nights.

use std::time::{Duration, SystemTime};

use super::Failure;

/// Environment variable that sets the time, in seconds since 1970 (UTC), as reproducible builds use it.
const SET_BY: &str = "SOURCE_DATE_EPOCH";
/// The end of the year 9999, in seconds since 1970: later years are not written in four digits.
const LAST: u64 = 253_402_300_799;

/// The current time, or that of `SOURCE_DATE_EPOCH` if it is set. Of a clock that is off by millennia it is the nearest
/// time that can be written.
///
/// # Errors
/// When that is no number of seconds.
pub(super) fn now() -> Result<SystemTime, Failure> {
    let Some(set) = std::env::var_os(SET_BY) else {
        return Ok(SystemTime::now().clamp(SystemTime::UNIX_EPOCH, last()));
    };
    let seconds =
        set.to_str().and_then(|text| text.parse().ok()).filter(|&seconds| seconds <= LAST);
    let seconds = seconds.ok_or_else(|| {
        Failure::Usage(format!(
            "{SET_BY} is `{}`: set it to whole seconds since 1970, up to {LAST}, or not at all",
            set.to_string_lossy()
        ))
    })?;
    Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

fn last() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(LAST)
}

/// Today, counted in days from 1 January 1970 (UTC).
///
/// # Errors
/// As [`now`].
pub(super) fn today() -> Result<u64, Failure> {
    const DAY: u64 = 24 * 60 * 60;
    Ok(now()?.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |past| past.as_secs() / DAY))
}
