//! Whole numbers as people write them: `1000000`, `1_000_000`, `1,000,000`, `1e6`, `10k`, `2.5M`.

/// A number without what marks its thousands: commas before groups of three digits, underscores between any two. With
/// commas elsewhere it is none: some write `2,5` for two and a half.
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

/// The number; none where there is none, or it is too large. Nothing stands before or after it.
pub(crate) fn whole(text: &str) -> Option<u64> {
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
    // Digits alone: a number that a float holds only roughly is not the one that was asked for.
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

#[cfg(test)]
mod tests {
    use super::whole;

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
            assert_eq!(whole(text), Some(wanted), "{text}");
        }
        for text in
            ["", "k", "e6", "-5", "+5", "1.5", "1e-3", "0.5k5", "ten", "1e20", "1e99999999999", "١"]
                .into_iter()
                .chain(["2,5k", "0,5k", "1,5", "1,5e1", ",5", "1,,0", "1000,000", "1.5,000k"])
                .chain(["_1", "1_", "1__0", "5.", "1,000_", "1,0000"])
        {
            assert_eq!(whole(text), None, "{text}");
        }
    }
}
