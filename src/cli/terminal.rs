//! What the terminal can show.

use std::io::{IsTerminal, Write};

use clap::ValueEnum;
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, Severity, SourceCode,
    ThemeStyles,
};
use owo_colors::{Style as Ink, XtermColors};

use super::interruption::{interrupted, printing};
use crate::report::Style;
use crate::report::page::COLOURS;
use crate::report::wrap::WORDS;
use crate::visible::{visible, visible_but_colour, visible_json, visible_line};

/// The widest that text is set, in columns.
const WIDEST: usize = 120;
/// The width, in columns, where none is known.
const USUAL: usize = 80;
/// Teal, orange and grey, as pages have them.
const TEAL: u8 = 30;
const ORANGE: u8 = 130;
const GREY: u8 = 243;

/// How much is printed at once, in bytes: a page is longer than what a pipe holds, and whether its reader takes more of it is
/// seen between two pieces.
const PIECE: usize = 4096;

/// Whether there is colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ColourChoice {
    /// Where the output is a terminal, and NO_COLOR, CLICOLOR and TERM do not speak against it; CLICOLOR_FORCE speaks for it
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How the progress of long commands is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressChoice {
    /// A bar where standard error is a terminal, else a line every 5 seconds
    #[default]
    Auto,
    /// As `auto`
    Bar,
    /// A line every 5 seconds
    Plain,
    /// A JSON object a line, five a second, for programs that show it themselves
    Json,
    /// Nothing
    None,
}

/// What standard output and standard error can show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terminal {
    /// Width of text, in columns.
    pub width: usize,
    /// Columns for lists, which may be as wide as the terminal is.
    pub columns: usize,
    /// Whether results may be coloured.
    pub colour: bool,
    /// Whether messages may be coloured.
    pub colour_messages: bool,
    /// Whether somebody watches messages come in.
    pub live: bool,
    /// How progress is shown.
    pub progress: ProgressChoice,
}

impl Terminal {
    /// Looks at what is asked for and at the environment: NO_COLOR, CLICOLOR_FORCE, CLICOLOR, TERM, COLUMNS, and whether the
    /// streams are terminals.
    pub(super) fn detect(colour: ColourChoice, progress: ProgressChoice) -> Self {
        let is = |name: &str, wanted: fn(&str) -> bool| {
            std::env::var_os(name).is_some_and(|value| wanted(&value.to_string_lossy()))
        };
        let colour = match colour {
            ColourChoice::Auto if is("NO_COLOR", |value| !value.is_empty()) => ColourChoice::Never,
            ColourChoice::Auto if is("CLICOLOR_FORCE", |value| !matches!(value, "" | "0")) => {
                ColourChoice::Always
            }
            ColourChoice::Auto if is("CLICOLOR", |value| value == "0") => ColourChoice::Never,
            ColourChoice::Auto if is("TERM", |value| value == "dumb") => ColourChoice::Never,
            asked => asked,
        };
        let coloured = |is_terminal| match colour {
            ColourChoice::Auto => is_terminal,
            ColourChoice::Always => true,
            ColourChoice::Never => false,
        };
        let output = std::io::stdout().is_terminal();
        let live = std::io::stderr().is_terminal();
        let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
        let size = || Some(usize::from(console::Term::stdout().size_checked()?.1));
        let columns = size().or_else(columns).unwrap_or(USUAL).max(40);
        let width = columns.min(WIDEST);
        let (colour, colour_messages) = (coloured(output), coloured(live));
        Self { width, columns, colour, colour_messages, live, progress }
    }

    /// The style in which results are set.
    pub(super) fn style(&self) -> Style {
        Style { width: self.width, colour: self.colour }
    }

    /// A diagnostic with its marked text and remedy.
    pub(super) fn report(&self, diagnostic: &dyn Diagnostic) -> String {
        let mut theme = GraphicalTheme::unicode_nocolor();
        if self.colour_messages {
            theme.styles = inks();
        }
        let mut text = String::new();
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(self.width)
            .with_links(false)
            .with_break_words(false)
            .with_word_separator(WORDS)
            .with_word_splitter(textwrap::WordSplitter::NoHyphenation)
            .with_context_lines(1);
        match handler.render_report(&mut text, &Readable(diagnostic)) {
            Ok(()) => without_commands(&text),
            Err(_) => format!("error: {}\n", Readable(diagnostic)),
        }
    }
}

/// Marks lines that begin with `::`, whatever blanks are before it: runners of CI jobs take such a line for a command
/// of theirs, and a name that is quoted may be cut into lines anywhere.
fn without_commands(text: &str) -> String {
    let line = |line: &str| {
        let command = line.trim_start();
        let blanks = &line[..line.len() - command.len()];
        let mark = if command.starts_with("::") { "│ " } else { "" };
        format!("{blanks}{mark}{command}\n")
    };
    text.lines().map(line).collect()
}

/// The colours of messages: those of pages.
fn inks() -> ThemeStyles {
    let ink = |colour: u8| Ink::new().color(XtermColors::from(colour));
    ThemeStyles {
        error: ink(ORANGE).bold(),
        warning: ink(ORANGE),
        advice: ink(TEAL),
        help: ink(TEAL),
        link: ink(TEAL).underline(),
        linum: ink(GREY),
        highlights: vec![ink(ORANGE).bold()],
    }
}

/// A diagnostic whose texts, such as the path of a file, are shown with control characters made visible.
struct Readable<'d>(&'d dyn Diagnostic);

impl std::fmt::Debug for Readable<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self.0, f)
    }
}

impl std::fmt::Display for Readable<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&visible(&self.0.to_string()))
    }
}

impl std::error::Error for Readable<'_> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

impl Diagnostic for Readable<'_> {
    fn severity(&self) -> Option<Severity> {
        self.0.severity()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        let help = self.0.help()?.to_string();
        Some(Box::new(visible(&help).into_owned()))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}

/// A diagnostic that is shown as a warning.
pub(super) struct Warning<'d>(pub &'d dyn Diagnostic);

impl std::fmt::Debug for Warning<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self.0, f)
    }
}

impl std::fmt::Display for Warning<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self.0, f)
    }
}

impl std::error::Error for Warning<'_> {}

impl Diagnostic for Warning<'_> {
    fn severity(&self) -> Option<Severity> {
        Some(Severity::Warning)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.0.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}

/// Prints one line to standard error, ending with a line break. Text that it quotes breaks no line and has no colour,
/// so that no part of a file's name passes for a line of ours. Where it cannot be written (a full disk, a pipe whose
/// reader has left) it is lost: what the command does and its exit code stay the same.
pub(super) fn say(line: &str) {
    say_as_it_is(&one_line(line));
}

/// Prints several lines to standard error, none of them in colour; text that they quote is without line breaks already.
pub(super) fn say_lines(lines: &str) {
    say_as_it_is(&visible(lines));
}

/// Prints what [`Terminal::report`] has set to standard error, perhaps in colour.
pub(super) fn say_report(report: &str) {
    say_as_it_is(&visible_but_colour(report, &[]));
}

/// Prints JSON for another program to standard error.
pub(super) fn say_json(text: &str) {
    say_as_it_is(&visible_json(text));
}

fn say_as_it_is(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Text whose only line break is the one at its end.
fn one_line(text: &str) -> String {
    let line = text.strip_suffix('\n').unwrap_or(text);
    format!("{}\n", visible_line(line))
}

/// Prints a page to standard output. A reader who has left is no failure.
pub(super) fn print(text: &str) -> Result<(), super::Failure> {
    let text = visible_but_colour(text, &COLOURS);
    // A line may begin with a cell that holds a name.
    if text.contains("::") { print_data(&without_commands(&text)) } else { print_data(&text) }
}

/// Prints one line to standard output, in the same way as [`say`].
pub(super) fn print_line(line: &str) -> Result<(), super::Failure> {
    print_data(&one_line(line))
}

/// Prints JSON to standard output.
pub(super) fn print_json(text: &str) -> Result<(), super::Failure> {
    print_data(&visible_json(text))
}

/// Prints something for another program to standard output, byte for byte.
pub(super) fn print_data(text: &str) -> Result<(), super::Failure> {
    let printing = printing();
    let mut output = std::io::stdout().lock();
    let mut pieces = text.as_bytes().chunks(PIECE);
    let printed = pieces.try_for_each(|piece| {
        output.write_all(piece)?;
        printing.is_taken_on();
        Ok(())
    });
    match printed.and_then(|()| output.flush()) {
        Err(error) if !nobody_reads(&error) => {
            Err(super::Failure::System { what: "cannot print".to_owned(), error })
        }
        _ => Ok(()),
    }
}

/// Standard output for the rows of a table. As a page does, it ends the command at the first signal that comes while its reader
/// takes nothing.
pub(super) struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let printing = printing();
        let taken = std::io::stdout().lock().write(&bytes[..bytes.len().min(PIECE)])?;
        printing.is_taken_on();
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let _printing = printing();
        std::io::stdout().lock().flush()
    }
}

/// Whether a page cannot be printed because its reader has gone: a pipe that was closed, or the terminal that ended the command
/// when it went (SIGHUP), to which no byte can be written any more.
fn nobody_reads(error: &std::io::Error) -> bool {
    const EIO: i32 = 5;
    let has_hung_up = cfg!(unix) && interrupted() && error.raw_os_error() == Some(EIO);
    error.kind() == std::io::ErrorKind::BrokenPipe || has_hung_up
}
