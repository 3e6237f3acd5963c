//! Exact numbers as text: a fraction where that is short, otherwise a decimal.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Fractions with more characters than this are printed as decimals.
const SHORT: usize = 20;
/// The decimal places of these decimals.
const PLACES: u32 = 12;

/// Which way a decimal is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    Nearest,
    Down,
    Up,
}

/// Writes a number that is not negative with this many decimal places.
pub(super) fn decimal(number: &BigRational, places: u32, round: Round) -> String {
    debug_assert!(!number.is_negative(), "odds and lengths are not negative");
    let scale = BigInt::from(10).pow(places);
    let scaled = number * BigRational::from_integer(scale.clone());
    let whole = match round {
        Round::Nearest => scaled.round(),
        Round::Down => scaled.floor(),
        Round::Up => scaled.ceil(),
    }
    .to_integer();
    let (units, rest) = (&whole / &scale, whole % scale);
    if places == 0 {
        return units.to_string();
    }
    format!("{units}.{:0>places$}", rest.to_string(), places = places as usize)
}

/// `25/48`, or `≈ 0.520833333333` where the fraction is long. A number that rounds to 0 or 1 without being equal to it
/// is printed as `≈`, with its distance in scientific notation.
pub(super) fn exactly(number: &BigRational) -> String {
    let fraction = number.to_string();
    if fraction.len() <= SHORT {
        return fraction;
    }
    let nearest = decimal(number, PLACES, Round::Nearest);
    match nearest.trim_end_matches('0') {
        "0." => format!("≈ {}", tiny(number)),
        "1." if *number < BigRational::one() => {
            format!("≈ 1 - {}", tiny(&(BigRational::one() - number)))
        }
        _ => format!("≈ {nearest}"),
    }
}

/// A tiny number in scientific notation: `6.4e-30`.
fn tiny(number: &BigRational) -> String {
    format!("{:.1e}", number.to_f64().unwrap_or(f64::NAN))
}

/// The decimal places of a percentage.
pub(super) const OF_PERCENT: u32 = 4;

/// Odds as a percentage: `52.0833%`; where up to `open` may still be added, the bounds `52.0833% to 53.1000%`.
pub(super) fn percent(odds: &BigRational, open: &BigRational) -> String {
    percent_within(odds, open, OF_PERCENT)
}

/// The same with this many decimal places of bounds.
pub(super) fn percent_within(odds: &BigRational, open: &BigRational, places: u32) -> String {
    let hundred = || BigRational::from_integer(100.into());
    if open.is_zero() {
        return format!("{}%", decimal(&(odds * hundred()), OF_PERCENT, Round::Nearest));
    }
    let low = decimal(&(odds * hundred()), places, Round::Down);
    let high = decimal(&((odds + open) * hundred()), places, Round::Up);
    format!("{low}% to {high}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn short_fractions_are_told_as_they_are() {
        assert_eq!(exactly(&fraction(25, 48)), "25/48");
        assert_eq!(exactly(&fraction(0, 1)), "0");
        assert_eq!(exactly(&fraction(2, 2)), "1");
        let long = fraction(1, 3).pow(40);
        assert_eq!(exactly(&(fraction(2, 3) + &long)), "≈ 0.666666666667");
        assert_eq!(exactly(&long), "≈ 8.2e-20");
        assert_eq!(exactly(&(fraction(1, 1) - long)), "≈ 1 - 8.2e-20");
    }

    #[test]
    fn bounds_are_rounded_away_from_each_other() {
        let nothing = fraction(0, 1);
        assert_eq!(percent(&fraction(2, 3), &nothing), "66.6667%");
        assert_eq!(percent(&fraction(2, 3), &fraction(1, 6)), "66.6666% to 83.3334%");
        assert_eq!(percent_within(&fraction(2, 3), &fraction(1, 6), 2), "66.66% to 83.34%");
        assert_eq!(percent_within(&fraction(2, 3), &nothing, 2), "66.6667%");
        assert_eq!(decimal(&fraction(1, 16), 0, Round::Up), "1");
        assert_eq!(decimal(&fraction(1, 1000), 2, Round::Up), "0.01");
    }
}
