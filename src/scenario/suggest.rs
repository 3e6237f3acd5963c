//! Suggestions for unknown names: "did you mean ...?"

/// The known name that looks most like `unknown`, if one is near enough to be a slip of the keyboard.
pub(super) fn did_you_mean<'a>(
    unknown: &str,
    known: &mut dyn Iterator<Item = &'a str>,
) -> Option<&'a str> {
    /// Longer than any known name: nothing this long is a misspelling of one.
    const LONGEST: usize = 100;
    if unknown.len() > LONGEST {
        return None;
    }
    let plain = |name: &str| name.to_lowercase().replace(['_', '-'], " ");
    let wanted = plain(unknown);
    known
        .map(|name| (strsim::jaro_winkler(&wanted, &plain(name)), name))
        .filter(|&(likeness, _)| likeness >= 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// The remedy for an unknown name: the most similar known one, if any, then `listing`, which tells where all of them
/// are found and begins with an ASCII letter or sign.
pub fn suggestion<'a>(
    unknown: &str,
    known: impl IntoIterator<Item = &'a str>,
    listing: &str,
) -> String {
    remedy(did_you_mean(unknown, &mut known.into_iter()), listing)
}

fn remedy(near: Option<&str>, listing: &str) -> String {
    match near {
        Some(near) if listing.is_empty() => format!("did you mean `{near}`?"),
        Some(near) => {
            let (first, rest) = listing.split_at(1);
            format!("did you mean `{near}`? {}{rest}", first.to_uppercase())
        }
        None => listing.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn a_slip_is_mended_and_a_stranger_is_not() {
        let known = ["Earthquake", "Equalizer", "Even Stevens"];
        let meant = |unknown| did_you_mean(unknown, &mut known.into_iter());
        assert_eq!(meant("Earthqake"), Some("Earthquake"));
        assert_eq!(meant("even_stevens"), Some("Even Stevens"));
        assert_eq!(meant("Poison"), None);
    }
}
