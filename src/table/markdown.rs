//! A Markdown table, for pasting into a design document: for people, so without the column `run`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::sink::{Out, Sink};
use super::{Provenance, Table};
use crate::visible::{acts, visible};

/// Writes Markdown.
pub(super) struct Markdown {
    out: Out,
    begun: bool,
}

impl Markdown {
    pub(super) fn new(out: Out) -> Self {
        Self { out, begun: false }
    }

    fn head(&mut self, chunk: &Table) -> io::Result<()> {
        for column in &chunk.columns {
            write!(self.out, "| {} ", escaped(&column.name))?;
        }
        self.out.write_all(b"|\n")?;
        for column in &chunk.columns {
            let rule = if column.values.is_numeric() { "| ---: " } else { "| --- " };
            self.out.write_all(rule.as_bytes())?;
        }
        self.out.write_all(b"|\n")
    }
}

impl Sink for Markdown {
    fn write(&mut self, chunk: &Table, _: Option<&str>) -> io::Result<()> {
        if !self.begun {
            self.head(chunk)?;
            self.begun = true;
        }
        for row in 0..chunk.rows() {
            for column in &chunk.columns {
                write!(self.out, "| {} ", escaped(&column.values.shown(row)))?;
            }
            self.out.write_all(b"|\n")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: &Provenance) -> io::Result<()> {
        self.out.flush()
    }
}

/// Escapes text so that it stays in its cell and is nothing but text: no HTML, no link, no emphasis. Markup is escaped
/// with a backslash, or as HTML has it (`&lt;`, `&#10;`), so reading Markdown gives the text back.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_markup) && !text.contains(is_shown_escaped) && links(text).is_empty() {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let links = links(text);
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '&' => safe.push_str("&amp;"),
            // A digit or a blank after it, as in `<0.001`, begins no tag.
            '<' if letters
                .peek()
                .is_some_and(|(_, next)| !next.is_ascii_digit() && *next != ' ') =>
            {
                safe.push_str("&lt;");
            }
            '<' => safe.push('<'),
            _ if is_shown_escaped(letter) => {
                let _ = write!(safe, "&#{};", u32::from(letter));
            }
            _ if is_markup(letter) || links.contains(&at) => safe.extend(['\\', letter]),
            _ => safe.push(letter),
        }
    }
    Cow::Owned(safe)
}

/// Byte positions at which a bare address would become a link on GitHub: the colon of `http://` and the dot of `www.`.
fn links(text: &str) -> Vec<usize> {
    let colons = text.match_indices("://").map(|(at, _)| at);
    let dots = text.match_indices('.').map(|(at, _)| at);
    let begins_host = |at: &usize| {
        let before = at.checked_sub(3).and_then(|from| text.get(from..*at));
        before.is_some_and(|before| before.eq_ignore_ascii_case("www"))
    };
    colons.chain(dots.filter(begins_host)).collect()
}

/// Escapes a paragraph of ours that may hold names from files: they are nothing but text, as in [`escaped`]. Commands
/// of ours between backticks (`` `evens run x` ``) stay code, which is shown as it is written.
pub(crate) fn prose(text: &str) -> String {
    let (mut safe, mut rest) = (String::new(), text);
    let mut from = 0;
    while let Some(at) = rest[from..].find('`').map(|at| from + at) {
        let Some(length) = command_length(&rest[at + 1..]) else {
            from = at + 1;
            continue;
        };
        safe.push_str(&escaped(&rest[..at]));
        let (command, after) = rest[at + 1..].split_at(length);
        safe.push_str(&code(command));
        (rest, from) = (&after[1..], 0);
    }
    safe.push_str(&escaped(rest));
    begun_as_text(safe)
}

/// Length of the command that a text begins with, up to its closing backtick, or of a word of a scenario such as
/// `fill`; None when it begins with neither. A backtick in a quoted word closes nothing.
fn command_length(text: &str) -> Option<usize> {
    let word = text.trim_start_matches(|letter: char| letter.is_ascii_lowercase() || letter == '_');
    if word.len() < text.len() && word.starts_with('`') {
        return Some(text.len() - word.len());
    }
    if !text.starts_with("evens ") && !text.starts_with('-') {
        return None;
    }
    let mut is_quoted = false;
    text.char_indices().find_map(|(at, letter)| {
        is_quoted ^= letter == '\'';
        (letter == '`' && !is_quoted).then_some(at)
    })
}

/// A code span, between more backticks than there are in it. It has no escapes, so invisible characters are written as
/// in a terminal.
fn code(text: &str) -> String {
    let text = visible(text).replace('\n', "\\n");
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A backtick at an end would belong to the fence.
    let space = if text.contains('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Escapes the first letters of a paragraph, so that it becomes no heading, list, quote or block of code.
fn begun_as_text(text: String) -> String {
    let after_digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_counted = after_digits.len() < text.len()
        && [". ", ") "].iter().any(|mark| after_digits.starts_with(mark));
    match text.chars().next() {
        Some(' ') => format!("&#32;{}", &text[1..]),
        Some('#' | '>' | '-' | '+' | '_') => format!("\\{text}"),
        _ if is_counted => {
            let at = text.len() - after_digits.len();
            format!("{}\\{after_digits}", &text[..at])
        }
        _ => text,
    }
}

fn is_markup(letter: char) -> bool {
    matches!(letter, '&' | '<' | '\\' | '|' | '`' | '*' | '[' | ']' | '~')
}

fn is_shown_escaped(letter: char) -> bool {
    letter == '\n' || acts(letter)
}

#[cfg(test)]
mod tests {
    use super::{escaped, prose};

    #[test]
    fn nothing_but_text() {
        assert_eq!(escaped("Pit Ogre, win_rate <0.001"), "Pit Ogre, win_rate <0.001");
        assert_eq!(escaped("<img src=x>"), "&lt;img src=x>");
        assert_eq!(
            escaped("[x](javascript:a) | *b* `c`"),
            "\\[x\\](javascript:a) \\| \\*b\\* \\`c\\`"
        );
        assert_eq!(escaped("&lt; a\\b\n\u{1b}"), "&amp;lt; a\\\\b&#10;&#27;");
    }

    #[test]
    fn bare_addresses_are_no_links() {
        assert_eq!(escaped("http://a.b, Www.a.b, a: b"), "http\\://a.b, Www\\.a.b, a: b");
        assert_eq!(escaped("ünwww.x w.x"), "ünwww\\.x w.x");
    }

    #[test]
    fn names_in_prose_are_text_and_commands_are_code() {
        assert_eq!(
            prose("In <b>[x](y)\n: `evens run 'a<b>`c'` plays it, `--seed 1` too."),
            "In &lt;b>\\[x\\](y)&#10;: `` evens run 'a<b>`c' `` plays it, `--seed 1` too."
        );
        assert_eq!(prose("of `X` and `evens 'y"), "of \\`X\\` and \\`evens 'y");
        assert_eq!(prose("drawing teams (`fill`)"), "drawing teams (`fill`)");
        assert_eq!(prose("`evens run 'a\nb'`"), "`evens run 'a\\nb'`");
        assert_eq!(prose("# x"), "\\# x");
        assert_eq!(prose("12. x"), "12\\. x");
        assert_eq!(prose("1.5 points"), "1.5 points");
        assert_eq!(prose("    x"), "&#32;   x");
        assert_eq!(prose("All 7 battles <0.1: 1.5 (x)."), "All 7 battles <0.1: 1.5 (x).");
    }
}
