//! The part of a text that is shown with a fault.
//!
//! Lines of ordinary length are shown whole. Of longer ones, such as a card file in a single line, only the part around
//! the fault is shown: miette sets every line in full, and gives up beyond column 65,535.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::visible::visible;

/// Lines up to this many bytes are shown whole.
const LONG_LINE: usize = 240;
/// How many bytes of a longer line are shown on each side of the fault.
const AROUND: usize = 40;
/// The most bytes of a line that are marked.
const LONGEST_MARK: usize = 120;
/// The most lines that are marked.
const MOST_LINES: usize = 12;
/// Stands for omitted parts of a line.
const LEFT_OUT: &str = "…";

/// Some lines of a text with a marked part, as they are shown with a fault.
#[derive(Clone, Debug)]
pub(super) struct Window {
    name: String,
    text: String,
    /// The byte range of the mark in the window's text.
    pub mark: Range<usize>,
    /// The line and the column of the window's first byte in the whole text, from 0.
    line: usize,
    column: usize,
}

impl Window {
    /// The lines around `span`, the one before and the one after included.
    pub(super) fn of(name: &str, text: &str, span: &Range<usize>) -> Self {
        let start = text.floor_char_boundary(span.start);
        let end = shortened(text, start..text.floor_char_boundary(span.end.max(span.start)));
        let line_start = line_start(text, start);
        let line_end = line_end(text, end);
        let before = line_start.checked_sub(1).map(|newline| self::line_start(text, newline));
        let after = (line_end < text.len()).then(|| self::line_end(text, line_end + 1));

        let mut window =
            Self { name: name.to_owned(), text: String::new(), mark: 0..0, line: 0, column: 0 };
        let mut first = line_start;
        if let Some(before) = before {
            let line = &text[before..line_start - 1];
            window.push(line.trim_end_matches('\r'), LONG_LINE);
            window.text.push('\n');
            first = before;
        }
        // Columns are those of the whole text even where its line is cut.
        let from = if start - line_start > LONG_LINE {
            text.floor_char_boundary(start - AROUND)
        } else {
            line_start
        };
        if from > line_start {
            window.text.push_str(LEFT_OUT);
        }
        window.text.push_str(&visible(&text[from..start]));
        window.mark.start = window.text.len();
        window.text.push_str(&visible(&text[start..end]));
        window.mark.end = window.text.len();
        window.column = (start - line_start).wrapping_sub(window.column_in_window());
        window.push(text[end..line_end].trim_end_matches('\r'), LONG_LINE);
        if let Some(after) = after {
            window.text.push('\n');
            window.push(text[line_end + 1..after].trim_end_matches('\r'), LONG_LINE);
        }
        window.line = text.as_bytes()[..first].iter().filter(|&&byte| byte == b'\n').count();
        window
    }

    /// Adds a line, or its first `most` bytes.
    fn push(&mut self, line: &str, most: usize) {
        let end = if line.len() > most { line.floor_char_boundary(AROUND) } else { line.len() };
        self.text.push_str(&visible(&line[..end]));
        if end < line.len() {
            self.text.push_str(LEFT_OUT);
        }
    }

    /// The column of the mark in the window's text.
    fn column_in_window(&self) -> usize {
        self.mark.start - line_start(&self.text, self.mark.start)
    }
}

impl SourceCode for Window {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, context_lines_before, context_lines_after)?;
        // miette takes the position of the mark itself from a read without context lines.
        let column = match context_lines_before {
            0 => inner.column().wrapping_add(self.column),
            _ => inner.column(),
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line() + self.line,
            column,
            inner.line_count(),
        )))
    }
}

/// The end of the part of a span that is marked, limited in bytes per line and in lines.
fn shortened(text: &str, span: Range<usize>) -> usize {
    let marked = &text[span.clone()];
    let mut end = span.start;
    for (at, line) in marked.split_inclusive('\n').enumerate() {
        if at == MOST_LINES {
            return end.max(span.start + 1) - 1;
        }
        if line.len() > LONGEST_MARK {
            return text.floor_char_boundary(end + LONGEST_MARK);
        }
        end += line.len();
    }
    span.end
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_are_shown_whole() {
        let text = "one\ntwo = 2\nthree\nfour";
        let window = Window::of("file", text, &(10..11));
        assert_eq!(
            (window.text.as_str(), &window.text[window.mark.clone()]),
            ("one\ntwo = 2\nthree", "2")
        );
        assert_eq!((window.line, window.column), (0, 0));
        let window = Window::of("file", text, &(18..22));
        assert_eq!((window.text.as_str(), window.mark, window.line), ("three\nfour", 6..10, 2));
    }

    #[test]
    fn of_long_lines_the_part_around_the_fault_is_shown() {
        let text = format!("{}X{}", "a".repeat(98_000), "b".repeat(98_000));
        let window = Window::of("file", &text, &(98_000..98_001));
        assert!(window.text.len() < 200, "{}", window.text.len());
        assert_eq!(&window.text[window.mark.clone()], "X");
        let span = SourceSpan::from(window.mark.clone());
        assert_eq!(window.read_span(&span, 0, 0).expect("the mark").column(), 98_000);
    }

    #[test]
    fn a_long_mark_is_shortened() {
        let text = format!("key = \"{}\"", "é".repeat(1_000_000));
        let window = Window::of("file", &text, &(6..text.len()));
        assert!(window.text.len() < 300);
        let lines = "line\n".repeat(1_000);
        assert!(Window::of("file", &lines, &(0..lines.len())).text.lines().count() < 20);
    }

    #[test]
    fn what_a_terminal_acts_on_is_escaped_and_the_mark_stays_on_it() {
        let text = "name = \"\u{1b}[2J\"\n";
        let window = Window::of("file", text, &(7..text.len() - 1));
        assert_eq!(&window.text[window.mark.clone()], "\"\\u{1b}[2J\"");
    }
}
