//! Whole numbers as people write them: read as `1000000`, `1_000_000`, `1,000,000`, `1e6`, `10k`, `2.5M`, and written
//! as `1,000,000`.

/// A number without its thousands marks: commas before groups of three digits, underscores between any two digits. None
/// where commas stand elsewhere: some write `2,5` for two and a half.
fn without_marks(text: &str) -> Option<String> {
    let is_marked = |(at, mark): (usize, char)| {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (before, after) = (&text[..at], &text[at + 1..]);
        let ends_in_digit = before.ends_with(|of: char| of.is_ascii_digit());
        match mark {
            '_' => ends_in_digit && digits(after) > 0,
            _ => ends_in_digit && digits(after) == 3 && !before.contains(['.', 'e', 'E']),
        }
    };
    let mut marks = text.char_indices().filter(|(_, letter)| matches!(letter, '_' | ','));
    let first_group = text.split(',').next().unwrap_or_default();
    let is_grouped = !text.contains(',') || first_group.len() <= 3;
    (is_grouped && marks.all(is_marked)).then(|| text.replace(['_', ','], ""))
}

/// Reads a whole number; none where the text is not exactly that, or the number is too large.
pub(crate) fn read(text: &str) -> Option<u64> {
    let plain = without_marks(text)?;
    let (number, zeros) = match plain.char_indices().next_back()? {
        (at, 'k' | 'K') => (&plain[..at], 3),
        (at, 'm' | 'M') => (&plain[..at], 6),
        (at, 'g' | 'G' | 'b' | 'B') => (&plain[..at], 9),
        _ => (plain.as_str(), 0),
    };
    let (number, exponent) = match number.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.trim_start_matches('+').parse::<u32>().ok()?),
        None => (number, 0),
    };
    // Only digits are used: a number that a float holds only roughly is not the one that was asked for.
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let fraction = fraction.trim_end_matches('0');
    let zeros = exponent.checked_add(zeros)?.checked_sub(fraction.len() as u32)?;
    let digits = format!("{whole}{fraction}");
    let is_cut_off = digits.is_empty() || number.ends_with('.');
    if is_cut_off || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(zeros)?)
}

/// A count with thousands marks: `1,000,000`.
pub(crate) fn whole(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number for people: in digits, or with an exponent where it would have too many digits to count.
pub(crate) fn plain(number: f64) -> String {
    let is_usual = number == 0.0 || (1e-12..1e15).contains(&number.abs());
    if is_usual || !number.is_finite() { number.to_string() } else { format!("{number:e}") }
}

/// A count with a noun that has a regular plural: `12 battles`, `1 battle`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        several => format!("{} {}", whole(several), plural(noun)),
    }
}

/// The regular plural of a noun: `battles`, `classes`, `utilities`.
pub(crate) fn plural(noun: &str) -> String {
    let before_y = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match before_y {
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") => {
            format!("{noun}es")
        }
        None => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, plain, plural, read, whole};

    #[test]
    fn counts_have_marked_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(whole), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "battle"), "1 battle");
        assert_eq!(counted(2000, "battle"), "2,000 battles");
        assert_eq!(counted(2, "utility"), "2 utilities");
    }

    /// The kinds of units of every game have regular plurals.
    #[test]
    fn nouns_have_a_regular_plural() {
        let of = ["summoner", "utility", "defense", "class", "borne effect", "day", "match"];
        let wanted =
            ["summoners", "utilities", "defenses", "classes", "borne effects", "days", "matches"];
        assert_eq!(of.map(plural), wanted);
    }

    #[test]
    fn numbers_have_an_exponent_where_they_would_have_hundreds_of_digits() {
        assert_eq!([0.0, 0.001, -2.5, 1e9].map(plain), ["0", "0.001", "-2.5", "1000000000"]);
        assert_eq!([1e308, 5e-324, -1e15].map(plain), ["1e308", "5e-324", "-1e15"]);
    }

    #[test]
    fn counts_are_read_as_people_write_them() {
        for (text, wanted) in [
            ("1000000", 1_000_000),
            ("1_000_000", 1_000_000),
            ("1,000,000", 1_000_000),
            ("1e6", 1_000_000),
            ("1E+6", 1_000_000),
            ("2.5M", 2_500_000),
            ("1.50e2", 150),
            ("10k", 10_000),
            (".5k", 500),
            ("12,345k", 12_345_000),
            ("3g", 3_000_000_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(read(text), Some(wanted), "{text}");
        }
        for text in
            ["", "k", "e6", "-5", "+5", "1.5", "1e-3", "0.5k5", "ten", "1e20", "1e99999999999", "١"]
                .into_iter()
                .chain(["2,5k", "0,5k", "1,5", "1,5e1", ",5", "1,,0", "1000,000", "1.5,000k"])
                .chain(["_1", "1_", "1__0", "5.", "1,000_", "1,0000"])
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
