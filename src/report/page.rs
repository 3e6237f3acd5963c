//! A page of the terminal: paragraphs, headings and tables at one width.

use std::borrow::Cow;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width,
};
use textwrap::core::display_width;

/// The spaces around a cell.
const PADDING: usize = 2;

/// How a page is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// How many characters fit into a line; less than 60 is taken as 60.
    pub width: usize,
    /// Whether the terminal shows colour.
    pub colour: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 80, colour: false }
    }
}

/// How a column of a printed table is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// What stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Bold,
    Found,
    NotFound,
    Quiet,
}

/// The paragraphs of a part of a page, each as one line.
pub(crate) fn paragraphs(part: impl FnOnce(&mut Page)) -> Vec<String> {
    const ENDLESS: usize = 1 << 20;
    let mut page = Page::new(Style { width: ENDLESS, colour: false });
    part(&mut page);
    let text = page.into_text();
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Text in the making.
pub(crate) struct Page {
    style: Style,
    text: String,
}

impl Page {
    pub(crate) fn new(style: Style) -> Self {
        Self { style: Style { width: style.width.max(60), ..style }, text: String::new() }
    }

    /// The text, ending with a line break.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// An empty line and a heading.
    pub(crate) fn heading(&mut self, text: &str) {
        self.gap();
        self.toned(Tone::Bold, text);
    }

    /// An empty line, unless the page is.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// A paragraph.
    pub(crate) fn line(&mut self, text: &str) {
        for line in self.wrapped(text) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// A paragraph as an item of a list.
    pub(crate) fn item(&mut self, text: &str) {
        let options = textwrap::Options::new(self.style.width)
            .initial_indent("- ")
            .subsequent_indent("  ")
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        for line in textwrap::wrap(text, options) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// A paragraph cut into lines, but not at hyphens: names and commands are there to be copied.
    fn wrapped<'t>(&self, text: &'t str) -> Vec<Cow<'t, str>> {
        let options = textwrap::Options::new(self.style.width);
        textwrap::wrap(text, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
    }

    /// A line that is never wrapped, such as one to copy into a file.
    pub(crate) fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A paragraph that stands out.
    pub(crate) fn toned(&mut self, tone: Tone, text: &str) {
        if !self.style.colour {
            return self.line(text);
        }
        let code = match tone {
            Tone::Bold => "1",
            Tone::Found => "1;32",
            Tone::NotFound => "1;33",
            Tone::Quiet => "2",
        };
        for line in self.wrapped(text) {
            self.text.push_str(&format!("\u{1b}[{code}m{line}\u{1b}[0m\n"));
        }
    }

    /// A table with a line under its header. Cells that do not fit are wrapped.
    pub(crate) fn table(&mut self, columns: &[(&str, Align)], rows: Vec<Vec<String>>) {
        self.text.push_str(&set(columns, rows, self.style.width));
    }
}

/// A table as text, at most `width` wide.
pub(crate) fn set(columns: &[(&str, Align)], rows: Vec<Vec<String>>, width: usize) -> String {
    const RULED: TableStyle =
        TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));
    let mut table = comfy_table::Table::new();
    table
        .load_style(RULED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .set_header(columns.iter().map(|(name, _)| *name))
        .add_rows(rows);
    for (column, (_, align)) in table.column_iter_mut().zip(columns) {
        column.set_cell_alignment(match align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        });
    }
    keep_whole(&mut table, columns, width);
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Makes each column wide enough for its longest word, and a column of figures for its longest cell, as
/// far as the page has room for that.
fn keep_whole(table: &mut comfy_table::Table, columns: &[(&str, Align)], width: usize) {
    let word = |text: &str| text.split_whitespace().map(display_width).max().unwrap_or(0);
    let line = |text: &str| text.lines().map(display_width).max().unwrap_or(0);
    let least: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(at, (name, align))| {
            let cells = table.column_cells_iter(at).flatten().map(comfy_table::Cell::content);
            let widest = match align {
                Align::Left => cells.map(|cell| word(&cell)).max(),
                Align::Right => cells.map(|cell| line(&cell)).max(),
            };
            PADDING + word(name).max(widest.unwrap_or(0))
        })
        .collect();
    let borders = columns.len() + 1;
    if least.iter().sum::<usize>() + borders <= width {
        for (column, least) in table.column_iter_mut().zip(least) {
            let least = Width::Fixed(u16::try_from(least).unwrap_or(u16::MAX));
            column.set_constraint(ColumnConstraint::LowerBoundary(least));
        }
    }
}
