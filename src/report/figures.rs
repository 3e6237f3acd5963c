//! How numbers are formatted for people: rounded to what their interval supports, and never without it.

pub(crate) use crate::numerals::{counted, plural, whole};
use crate::statistics::Estimate;

/// A part of a whole, with the verb: `2 of 7 pairs are`, `1 of 7 pairs is`. Without a noun `1 of 7 is`.
pub(crate) fn part(count: u64, all: u64, noun: &str) -> String {
    let all = if noun.is_empty() { whole(all) } else { counted(all, noun) };
    format!("{} of {all} {}", whole(count), are(count))
}

/// How many there are beyond those that are shown, with the verb: `9 more are`, `1 more is`.
pub(crate) fn more(count: u64) -> String {
    format!("{} more {}", whole(count), are(count))
}

/// The verb for a count: `is` for one, `are` otherwise.
pub(crate) fn are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// At most `most` of these names in a sentence, and how many more there are: `Fire, Water and 3 more`.
pub(crate) fn named(names: &[impl AsRef<str>], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), whole(more as u64)),
    }
}

/// All of these names in a sentence: `Fire, Water and Earth`.
pub(crate) fn joined(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match &names[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// A word with its first letter in upper case, as headings begin.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A number with `digits` decimals. A number that rounds to zero has no sign.
pub(crate) fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(size) if is_zero(size) => size.to_owned(),
        _ => text,
    }
}

/// A number with `digits` decimals and with its sign, as `+3.2`, `-3.2` or `0.0`.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    if is_zero(&text[1..]) { text[1..].to_owned() } else { text }
}

fn is_zero(size: &str) -> bool {
    size.bytes().all(|letter| letter == b'0' || letter == b'.')
}

/// A probability: `52.1% (51.9 to 52.3)`.
pub(crate) fn rate(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = scaled(estimate, 100.0);
    if value.is_nan() {
        return "not known".to_owned();
    }
    let digits = digits_off([value, low, high], &[50.0]);
    let [value, low, high] = [value, low, high].map(|number| fixed(number, digits));
    format!("{value}% ({low} to {high})")
}

/// A score among so many sides in the brief form: `52.1% ±0.2`, or `98.0% -6.7 +1.6` where its interval is lopsided.
pub(crate) fn brief_rate(estimate: &Estimate, sides: usize) -> String {
    let Estimate { value, low, high } = scaled(estimate, 100.0);
    if value.is_nan() {
        return "not known".to_owned();
    }
    let digits = digits_off([value, low, high], &[100.0 / sides as f64]);
    format!(
        "{}% {}",
        fixed(value, digits),
        halves([value, low, high], &[0.0, 100.0 / sides as f64, 100.0], digits)
    )
}

/// A difference of probabilities in the brief form: `+3.2 pp ±2.2`, or `+3.2 pp -2.8 +4.9` where its interval is
/// lopsided.
pub(crate) fn brief_points(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = scaled(estimate, 100.0);
    let digits = digits_off([value, low, high], &[0.0]);
    format!("{} pp {}", signed(value, digits), halves([value, low, high], &[0.0], digits))
}

/// A difference that is never below 0, in the brief form: `3.2 pp ±2.2`.
pub(crate) fn brief_plain_points(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = scaled(estimate, 100.0);
    let digits = digits_off([value, low, high], &[0.0]);
    format!("{} pp {}", fixed(value, digits), halves([value, low, high], &[0.0], digits))
}

/// How far the ends of an interval are from its estimate. This is one number, the longer half, where it says nearly
/// the same; otherwise both halves, without a half that rounds to 0. It does not say nearly the same where the halves
/// differ by more than a fifth of the longer one, or where the interval would then hold one of `bounds` that it does
/// not hold, such as no difference at all.
pub(crate) fn halves([value, low, high]: [f64; 3], bounds: &[f64], digits: usize) -> String {
    let [below, above] =
        [value - low, high - value].map(|half| if half < 0.0 { 0.0 } else { half });
    let longer = below.max(above);
    let gains = |bound: &f64| {
        low > *bound && value - longer <= *bound || high < *bound && value + longer >= *bound
    };
    let half = |sign: char, size: f64| {
        let size = format!("{size:.digits$}");
        (!is_zero(&size)).then(|| format!("{sign}{size}"))
    };
    let halves: Vec<String> = half('-', below).into_iter().chain(half('+', above)).collect();
    match (below.min(above) < 0.8 * longer || bounds.iter().any(gains)) && !halves.is_empty() {
        true => halves.join(" "),
        false => format!("±{longer:.digits$}"),
    }
}

/// A difference of probabilities in percentage points: `+3.2 pp (+1.0 to +5.4)`.
pub(crate) fn points(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = scaled(estimate, 100.0);
    let digits = digits_off([value, low, high], &[0.0]);
    let [value, low, high] = [value, low, high].map(|number| signed(number, digits));
    format!("{value} pp ({low} to {high})")
}

/// A positive difference of probabilities, in percentage points and without a sign: `3.2 pp (1.0 to 5.4)`.
pub(crate) fn plain_points(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = scaled(estimate, 100.0);
    let digits = digits_off([value, low, high], &[0.0]);
    let [value, low, high] = [value, low, high].map(|number| fixed(number, digits));
    format!("{value} pp ({low} to {high})")
}

/// A p-value: `0.042`, `<0.0001`; empty where nothing was tested.
pub(crate) fn p_value(p: f64) -> String {
    match p {
        p if p.is_nan() => String::new(),
        p if p < 0.0001 => "<0.0001".to_owned(),
        p if p < 0.0995 => format!("{p:.4}"),
        p => format!("{p:.2}"),
    }
}

/// A mean: `7.31 (7.28 to 7.34)`. Says so where there is no interval because it is from one battle.
pub(crate) fn amount(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = *estimate;
    if value.is_nan() {
        return "not known".to_owned();
    }
    if low.is_nan() {
        return format!("{value} (one battle)");
    }
    let digits = digits(high - low, 1);
    let [value, low, high] = [value, low, high].map(|number| fixed(number, digits));
    format!("{value} ({low} to {high})")
}

/// A difference of means: `+0.31 (+0.28 to +0.34)`.
pub(crate) fn shift(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = *estimate;
    let digits = digits_off([value, low, high], &[0.0]);
    let [value, low, high] = [value, low, high].map(|number| signed(number, digits));
    format!("{value} ({low} to {high})")
}

/// A probability as a bar of `cells` characters.
pub(crate) fn bar(value: f64, cells: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if value.is_nan() {
        return String::new();
    }
    let eighths = (value * 8.0 * cells as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

fn scaled(estimate: &Estimate, by: f64) -> Estimate {
    Estimate { value: estimate.value * by, low: estimate.low * by, high: estimate.high * by }
}

/// The number of decimals that tell the ends of an interval of this width apart; at least `least`, at most 4.
fn digits(width: f64, least: usize) -> usize {
    let needed = if width > 0.0 { libm::log10(0.2 / width).ceil().max(0.0) as usize } else { 0 };
    (least + needed).min(4)
}

/// The number of decimals of an interval: as many as [`digits`] gives, or more where its ends would otherwise look as if
/// the interval held one of `bounds` that it does not hold, such as no difference at all. At most 4.
fn digits_off([value, low, high]: [f64; 3], bounds: &[f64]) -> usize {
    let least = digits(high - low, 1);
    let longer = (value - low).max(high - value);
    let looks_held = |digits: usize, bound: f64| {
        let unit = libm::exp10(digits as f64);
        let round = |number: f64| libm::round(number * unit);
        // The brief form has both halves where the longer one would reach the bound.
        let end = |from: f64, half: f64, sign: f64| {
            let half = if (value - sign * longer - bound) * sign > 0.0 { longer } else { half };
            [round(from), round(value) - sign * round(half)]
        };
        let bound_shown = round(bound);
        low > bound && end(low, value - low, 1.0).iter().any(|&end| end <= bound_shown)
            || high < bound && end(high, high - value, -1.0).iter().any(|&end| end >= bound_shown)
    };
    let is_clear = |&digits: &usize| !bounds.iter().any(|&bound| looks_held(digits, bound));
    (least..4).find(is_clear).unwrap_or(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(value: f64, half: f64) -> Estimate {
        Estimate { value, low: value - half, high: value + half }
    }

    #[test]
    fn verbs_go_with_their_counts() {
        assert_eq!(part(1, 7, "pair"), "1 of 7 pairs is");
        assert_eq!(part(2, 1_000, ""), "2 of 1,000 are");
        assert_eq!(part(1, 1, "pair"), "1 of 1 pair is");
        assert_eq!([1, 1_000].map(more), ["1 more is", "1,000 more are"]);
    }

    #[test]
    fn narrow_intervals_get_the_decimals_they_support() {
        assert_eq!(rate(&around(0.5214, 0.0123)), "52.1% (50.9 to 53.4)");
        assert_eq!(rate(&around(0.5214, 0.0002)), "52.14% (52.12 to 52.16)");
        assert_eq!(points(&around(-0.03, 0.01)), "-3.0 pp (-4.0 to -2.0)");
        assert_eq!(brief_rate(&around(0.5214, 0.0123), 2), "52.1% ±1.2");
        assert_eq!(brief_points(&around(-0.03, 0.0004)), "-3.00 pp ±0.04");
        assert_eq!(shift(&around(0.31, 0.03)), "+0.31 (+0.28 to +0.34)");
        assert_eq!(amount(&around(7.5, 0.004)), "7.500 (7.496 to 7.504)");
        assert_eq!(amount(&around(7.0, 0.0)), "7.0 (7.0 to 7.0)");
    }

    #[test]
    fn an_interval_without_a_bound_does_not_look_as_if_it_held_it() {
        let above = Estimate { value: 0.0034, low: 0.0004, high: 0.0064 };
        assert_eq!(points(&above), "+0.34 pp (+0.04 to +0.64)");
        assert_eq!(brief_points(&above), "+0.34 pp ±0.30");
        let below = Estimate { value: -0.0034, low: -0.0064, high: -0.0004 };
        assert_eq!(points(&below), "-0.34 pp (-0.64 to -0.04)");
        assert_eq!(brief_points(&below), "-0.34 pp ±0.30");
        let more_than_even = Estimate { value: 0.5034, low: 0.5004, high: 0.5064 };
        assert_eq!(rate(&more_than_even), "50.34% (50.04 to 50.64)");
        assert_eq!(brief_rate(&more_than_even, 2), "50.34% ±0.30");
        // What holds the bound, or ends there, has no more decimals than usual.
        assert_eq!(points(&around(0.003, 0.0034)), "+0.3 pp (0.0 to +0.6)");
        assert_eq!(
            points(&Estimate { value: 0.003, low: 0.0, high: 0.006 }),
            "+0.3 pp (0.0 to +0.6)"
        );
    }

    #[test]
    fn lopsided_intervals_are_told_by_both_halves() {
        assert_eq!(
            brief_rate(&Estimate { value: 0.98, low: 0.913, high: 0.996 }, 2),
            "98.0% -6.7 +1.6"
        );
        assert_eq!(brief_rate(&Estimate { value: 1.0, low: 0.968, high: 1.0 }, 2), "100.0% -3.2");
        let above_even = Estimate { value: 0.02, low: 0.004, high: 0.081 };
        assert_eq!(brief_points(&above_even), "+2.0 pp -1.6 +6.1");
        assert_eq!(brief_plain_points(&above_even), "2.0 pp -1.6 +6.1");
        // The longer half says nearly the same, unless no difference, or even, lies between the two.
        assert_eq!(brief_points(&Estimate { value: 0.03, low: 0.012, high: 0.05 }), "+3.0 pp ±2.0");
        assert_eq!(
            brief_points(&Estimate { value: 0.019, low: 0.001, high: 0.039 }),
            "+1.9 pp -1.8 +2.0"
        );
        assert_eq!(
            brief_rate(&Estimate { value: 0.519, low: 0.501, high: 0.539 }, 2),
            "51.9% -1.8 +2.0"
        );
        assert_eq!(
            brief_rate(&Estimate { value: 0.981, low: 0.961, high: 0.999 }, 2),
            "98.1% -2.0 +1.8"
        );
        // Even is a third among three.
        let above_third = Estimate { value: 0.352, low: 0.334, high: 0.372 };
        assert_eq!(brief_rate(&above_third, 2), "35.2% ±2.0");
        assert_eq!(brief_rate(&above_third, 3), "35.2% -1.8 +2.0");
        // A Wilson interval close to even is all but symmetric.
        assert_eq!(
            brief_rate(&Estimate { value: 0.52, low: 0.4892, high: 0.5507 }, 2),
            "52.0% ±3.1"
        );
    }

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!(points(&around(-0.000_01, 0.01)), "0.0 pp (-1.0 to +1.0)");
        assert_eq!(points(&around(0.000_01, 0.01)), "0.0 pp (-1.0 to +1.0)");
        assert_eq!(brief_points(&around(-0.0, 0.02)), "0.0 pp ±2.0");
        assert_eq!(plain_points(&around(0.01, 0.0101)), "1.0 pp (0.0 to 2.0)");
        assert_eq!(shift(&around(0.01, 0.0101)), "+0.01 (0.00 to +0.02)");
        assert_eq!([fixed(-0.04, 1), fixed(-0.06, 1), signed(0.04, 1)], ["0.0", "-0.1", "0.0"]);
    }

    #[test]
    fn p_values_keep_the_digits_that_matter() {
        let set = [0.0, 0.00012, 0.0421, 0.31, 1.0, f64::NAN].map(p_value);
        assert_eq!(set, ["<0.0001", "0.0001", "0.0421", "0.31", "1.00", ""]);
    }

    #[test]
    fn what_is_not_known_is_said_to_be() {
        assert_eq!(rate(&Estimate::UNKNOWN), "not known");
        assert_eq!(brief_rate(&Estimate::UNKNOWN, 2), "not known");
        assert_eq!(amount(&Estimate::UNKNOWN), "not known");
        assert_eq!(amount(&Estimate { value: 3.0, ..Estimate::UNKNOWN }), "3 (one battle)");
    }

    #[test]
    fn bars_fill_with_the_value() {
        assert_eq!([0.0, 0.5, 1.0].map(|value| bar(value, 4)), ["", "██", "████"]);
        assert_eq!(bar(0.53, 4), "██▏");
    }
}
