//! Making text from files safe to show: it can only be read.
//!
//! Whatever is printed for people passes through here once, on its way to the terminal: a name in a scenario can hold
//! sequences that clear the screen, change its title, or turn the direction of writing.

use std::borrow::Cow;
#[cfg(feature = "cli")]
use std::fmt::Write as _;

/// Whether a terminal may act on a character rather than show it: control characters (C0, DEL, C1) but for line breaks,
/// and marks that change the direction of writing.
pub(crate) fn acts(letter: char) -> bool {
    letter != '\n' && (letter.is_control() || is_direction(letter))
}

fn is_direction(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with every character that a terminal would act on written as Rust does: `\u{1b}`. Line breaks stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    shown(text, |_| None)
}

/// Text that we have coloured, shown as [`visible`] shows text, but that escape sequences for these colours (such as
/// `1;32`) stay, or for any colour where none are named.
#[cfg(feature = "cli")]
pub(crate) fn visible_but_colour<'t>(text: &'t str, colours: &[&str]) -> Cow<'t, str> {
    shown(text, |rest| {
        let parameters = rest.strip_prefix("\u{1b}[")?;
        let length = parameters.find(|letter: char| !letter.is_ascii_digit() && letter != ';')?;
        let known = colours.is_empty() || colours.contains(&&parameters[..length]);
        (known && parameters[length..].starts_with('m')).then_some(length + 3)
    })
}

/// A single line: line breaks are escaped too, as `\n`.
#[cfg(feature = "cli")]
pub(crate) fn visible_line(text: &str) -> Cow<'_, str> {
    match visible(text) {
        Cow::Borrowed(text) => unbroken(text),
        Cow::Owned(text) => Cow::Owned(unbroken(&text).into_owned()),
    }
}

/// Escapes line breaks alone, for text whose other characters are escaped elsewhere.
pub(crate) fn unbroken(text: &str) -> Cow<'_, str> {
    match text.contains('\n') {
        true => Cow::Owned(text.replace('\n', "\\n")),
        false => Cow::Borrowed(text),
    }
}

/// Escapes JSON text with JSON's own escapes, so that it reads back unchanged.
#[cfg(feature = "cli")]
pub(crate) fn visible_json(text: &str) -> Cow<'_, str> {
    escaped(
        text,
        |_| None,
        |letter, to| {
            let _ = write!(to, "\\u{:04x}", u32::from(letter));
        },
    )
}

/// Escapes text, except for sequences that `pass` recognises: it returns the length in bytes of one at the start of a
/// text.
fn shown(text: &str, pass: impl Fn(&str) -> Option<usize>) -> Cow<'_, str> {
    escaped(text, pass, |letter, to| to.extend(letter.escape_unicode()))
}

fn escaped(
    text: &str,
    pass: impl Fn(&str) -> Option<usize>,
    escape: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(acts) {
        safe.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (pass(rest), rest.chars().next()) {
            (Some(length), _) => {
                safe.push_str(&rest[..length]);
                length
            }
            (None, Some(letter)) => {
                escape(letter, &mut safe);
                letter.len_utf8()
            }
            (None, None) => 0,
        };
        rest = &rest[length..];
    }
    safe.push_str(rest);
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_escaped_and_all_else_stays() {
        assert_eq!(visible("Pit Ogre\nÉowyn ━ 50%"), "Pit Ogre\nÉowyn ━ 50%");
        assert_eq!(visible("a\u{1b}[2Jb\u{7}\r"), "a\\u{1b}[2Jb\\u{7}\\u{d}");
        assert_eq!(visible("\u{9b}31m\u{202e}"), "\\u{9b}31m\\u{202e}");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn a_line_stays_one() {
        assert_eq!(visible_line("a\nb"), "a\\nb");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn colour_stays_where_it_is_ours() {
        assert_eq!(visible_but_colour("\u{1b}[1mA\u{1b}[0m", &["0", "1"]), "\u{1b}[1mA\u{1b}[0m");
        assert_eq!(visible_but_colour("\u{1b}[2Jx\u{1b}[31;", &[]), "\\u{1b}[2Jx\\u{1b}[31;");
        assert_eq!(visible_but_colour("\u{1b}[8m", &["0", "1"]), "\\u{1b}[8m");
        assert_eq!(visible_but_colour("\u{1b}]0;title\u{7}", &[]), "\\u{1b}]0;title\\u{7}");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn json_reads_back() {
        let text = serde_json::to_string("a\u{1b}\u{9b}\u{202e}\u{7f}").expect("a string");
        let safe = visible_json(&text);
        assert!(!safe.contains(acts));
        assert_eq!(
            serde_json::from_str::<String>(&safe).expect("JSON"),
            "a\u{1b}\u{9b}\u{202e}\u{7f}"
        );
    }
}
