//! What the terminal can show.

use std::io::{IsTerminal, Write as _};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};

use crate::report::Style;
use crate::visible::{visible_but_colour, visible_json};

/// The widest that text is set.
const WIDEST: usize = 120;
/// The width where none is known.
const USUAL: usize = 80;
/// The colours of pages, as `report::page` sets them.
const PAGE_COLOURS: [&str; 5] = ["0", "1", "2", "1;32", "1;33"];

/// What standard output and standard error can show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terminal {
    /// Columns.
    pub width: usize,
    /// Whether results may be coloured.
    pub colour: bool,
    /// Whether messages may be coloured.
    pub colour_messages: bool,
    /// Whether somebody watches messages come in.
    pub live: bool,
}

impl Terminal {
    /// Looks at the environment: NO_COLOR, TERM, COLUMNS, and whether the streams are terminals.
    pub(super) fn detect() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let output = std::io::stdout().is_terminal();
        let live = std::io::stderr().is_terminal();
        let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
        let size = || Some(usize::from(console::Term::stdout().size_checked()?.1));
        let width = size().or_else(columns).unwrap_or(USUAL).clamp(40, WIDEST);
        Self { width, colour: output && !plain, colour_messages: live && !plain, live }
    }

    /// How results are set.
    pub(super) fn style(&self) -> Style {
        Style { width: self.width, colour: self.colour }
    }

    /// A diagnostic with its marked text and remedy.
    pub(super) fn report(&self, diagnostic: &dyn Diagnostic) -> String {
        let theme = if self.colour_messages {
            GraphicalTheme::unicode()
        } else {
            GraphicalTheme::unicode_nocolor()
        };
        let mut text = String::new();
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(self.width)
            .with_links(false)
            .with_context_lines(1);
        match handler.render_report(&mut text, diagnostic) {
            Ok(()) => text,
            Err(_) => format!("error: {diagnostic}\n"),
        }
    }
}

/// Says something on standard error. Where nobody can hear it (a full disk, a pipe whose reader has left) nothing is
/// said: what the command does and its exit code stay the same.
pub(super) fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(visible_but_colour(text, &[]).as_bytes());
}

/// Prints a page to standard output. Nobody reading any more is no failure.
pub(super) fn print(text: &str) -> Result<(), super::Failure> {
    print_data(&visible_but_colour(text, &PAGE_COLOURS))
}

/// Prints JSON to standard output.
pub(super) fn print_json(text: &str) -> Result<(), super::Failure> {
    print_data(&visible_json(text))
}

/// Prints something for another program to standard output, byte for byte.
pub(super) fn print_data(text: &str) -> Result<(), super::Failure> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(super::Failure::System { what: "cannot print".to_owned(), error })
        }
        _ => Ok(()),
    }
}
