//! A Markdown table, for pasting into a design document: for people, so without the column `run`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::sink::{Out, Sink};
use super::{Provenance, Table};
use crate::visible::acts;

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

/// Text that stays in its cell and is nothing but text: no HTML, no link, no emphasis. What stands for something else
/// in Markdown is escaped with a backslash, or as HTML has it (`&lt;`, `&#10;`), so reading Markdown gives it back.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_markup) && !text.contains(is_shown_escaped) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '&' => safe.push_str("&amp;"),
            // What else follows, such as the number in `<0.001`, begins no tag.
            '<' if letters.peek().is_some_and(|next| !next.is_ascii_digit() && *next != ' ') => {
                safe.push_str("&lt;");
            }
            '<' => safe.push('<'),
            _ if is_shown_escaped(letter) => {
                let _ = write!(safe, "&#{};", u32::from(letter));
            }
            _ if is_markup(letter) => safe.extend(['\\', letter]),
            _ => safe.push(letter),
        }
    }
    Cow::Owned(safe)
}

fn is_markup(letter: char) -> bool {
    matches!(letter, '&' | '<' | '\\' | '|' | '`' | '*' | '[' | ']' | '~')
}

fn is_shown_escaped(letter: char) -> bool {
    letter == '\n' || acts(letter)
}

#[cfg(test)]
mod tests {
    use super::escaped;

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
}
