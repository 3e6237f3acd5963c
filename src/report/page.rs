//! A page for the terminal: paragraphs, headings and tables of one width.

use std::borrow::Cow;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width,
};
use textwrap::core::display_width;

use super::wrap::lines_of;
use crate::shell::is_quote_open;
use crate::statistics::Estimate;
use crate::visible::unbroken;

/// The total width of the spaces on both sides of a cell.
const PADDING: usize = 2;

/// The narrowest width that a page is set in.
pub(super) const NARROWEST: usize = 60;

/// The width and colour of a page.
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

/// The meaning of a colour. Words say the same, so that nothing is lost without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// A question or a heading.
    Bold,
    /// Visibly more than even or than before; as a headline, a finding, or that all is well.
    Favoured,
    /// Visibly less; as a headline, that something is amiss.
    Against,
    /// No difference can be told from chance.
    NotVisible,
    /// Small print.
    Quiet,
}

/// The colours of [`Tone`], as escape sequences have them: teal, orange and grey of the 256-colour palette, which
/// differ for colour-blind readers too and have a contrast of at least 4.3 on white and on black.
#[cfg(feature = "cli")]
pub(crate) const COLOURS: [&str; 8] =
    [RESET, BOLD, TEAL, ORANGE, GREY, "1;38;5;30", "1;38;5;130", "1;38;5;243"];
#[cfg(feature = "cli")]
const RESET: &str = "0";
const BOLD: &str = "1";
const TEAL: &str = "38;5;30";
const ORANGE: &str = "38;5;130";
const GREY: &str = "38;5;243";

impl Tone {
    /// The tone of an estimate, by its interval and the even value.
    pub(crate) fn of(estimate: &Estimate, even: f64) -> Self {
        match estimate {
            Estimate { low, .. } if *low > even => Self::Favoured,
            Estimate { high, .. } if *high < even => Self::Against,
            _ => Self::NotVisible,
        }
    }

    /// The tone of a difference that was tested together with others: its direction where it is significant.
    pub(crate) fn of_change(change: f64, is_significant: bool) -> Self {
        match is_significant {
            true if change > 0.0 => Self::Favoured,
            true => Self::Against,
            false => Self::NotVisible,
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::Bold => BOLD,
            Self::Favoured => TEAL,
            Self::Against => ORANGE,
            Self::NotVisible | Self::Quiet => GREY,
        }
    }
}

/// The colour of one cell of a row: its column, and the tone.
pub(crate) type Toned = Option<(usize, Tone)>;

/// The paragraphs of a part of a page, each as one unwrapped line.
pub(crate) fn paragraphs(part: impl FnOnce(&mut Page)) -> Vec<String> {
    const ENDLESS: usize = 1 << 20;
    let mut page = Page::new(Style { width: ENDLESS, colour: false });
    part(&mut page);
    let text = page.into_text();
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The text of a page, while it is being written.
pub(crate) struct Page {
    style: Style,
    text: String,
}

impl Page {
    pub(crate) fn new(style: Style) -> Self {
        Self { style: Style { width: style.width.max(NARROWEST), ..style }, text: String::new() }
    }

    /// The text, ending with a line break.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// The current length of the page, in bytes.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// Adds an empty line and a heading.
    pub(crate) fn heading(&mut self, text: &str) {
        self.gap();
        self.toned(Tone::Bold, text);
    }

    /// Adds an empty line, unless the page is empty.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Adds a paragraph.
    pub(crate) fn line(&mut self, text: &str) {
        for line in self.wrapped(text) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// Adds a paragraph as an item of a list.
    pub(crate) fn item(&mut self, text: &str) {
        self.hanging(text, "- ", "  ");
    }

    /// Adds a paragraph whose first line begins with `indent`, all others with four more spaces.
    #[cfg(feature = "cli")]
    pub(crate) fn entry(&mut self, indent: &str, text: &str) {
        let further = format!("{:1$}", "", indent.len() + 4);
        self.hanging(text, indent, &further);
    }

    /// Adds a paragraph with what its first line begins with, and all others.
    fn hanging(&mut self, text: &str, first: &str, others: &str) {
        let options = lines_of(self.style.width).initial_indent(first).subsequent_indent(others);
        for line in textwrap::wrap(&unbroken(text), options) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    /// Cuts a paragraph into lines. Line breaks in a scenario's names do not start new paragraphs.
    fn wrapped(&self, text: &str) -> Vec<String> {
        let text = unbroken(text);
        textwrap::wrap(&text, lines_of(self.style.width)).into_iter().map(Cow::into_owned).collect()
    }

    /// Adds a line that is never wrapped, such as one to copy into a file.
    pub(crate) fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Adds a command that can be pasted into a shell as it stands: what does not fit in a line goes on in the next one,
    /// behind a backslash, and is broken before a flag alone.
    pub(crate) fn command(&mut self, text: &str) {
        let mut line = String::from(" ");
        for (at, part) in flagged(text).into_iter().enumerate() {
            // Space for the backslash.
            if at > 0 && display_width(&line) + display_width(&part) + 3 > self.style.width {
                self.verbatim(&format!("{line} \\"));
                line = String::from("   ");
            }
            line.push(' ');
            line.push_str(&part);
        }
        self.verbatim(&line);
    }

    /// Adds a paragraph in the colour of a tone.
    pub(crate) fn toned(&mut self, tone: Tone, text: &str) {
        if !self.style.colour {
            return self.line(text);
        }
        let bold = if matches!(tone, Tone::Favoured | Tone::Against) { "1;" } else { "" };
        let code = tone.code();
        for line in self.wrapped(text) {
            self.text.push_str(&format!("\u{1b}[{bold}{code}m{line}\u{1b}[0m\n"));
        }
    }

    /// Adds a table with a line under its header. Cells that do not fit are wrapped.
    pub(crate) fn table(&mut self, columns: &[(&str, Align)], rows: Vec<Vec<String>>) {
        self.text.push_str(&set(columns, rows, self.style.width));
    }

    /// Whether a table can be set without breaking a word, or a figure into two lines.
    pub(crate) fn has_room_for(&self, columns: &[(&str, Align)], rows: &[Vec<String>]) -> bool {
        fits(columns, rows, self.style.width)
    }

    /// Whether a table can be set without breaking a word, if figures may be set in two lines.
    pub(crate) fn keeps_words_of(&self, columns: &[(&str, Align)], rows: &[Vec<String>]) -> bool {
        least_widths(columns, rows, self.style.width).is_some()
    }

    /// Adds a table as [`table`](Self::table) does, with at most one coloured cell in each row.
    pub(crate) fn toned_table(
        &mut self,
        columns: &[(&str, Align)],
        rows: Vec<Vec<String>>,
        tones: &[Toned],
    ) {
        if !self.style.colour {
            return self.table(columns, rows);
        }
        let mut marked = rows.clone();
        for (row, toned) in marked.iter_mut().zip(tones) {
            if let Some((column, tone)) = *toned
                && let Some(cell) = row.get_mut(column)
            {
                *cell = Mark::of(tone).put_on(cell);
            }
        }
        // A name may consist of the very characters that marks are made of.
        let is_taken =
            rows.iter().flatten().any(|cell| cell.chars().any(|c| Mark::read(c).is_some()));
        match is_taken {
            true => self.table(columns, rows),
            false => self.text.push_str(&coloured(&set(columns, marked, self.style.width))),
        }
    }
}

/// A command, parted before each flag that stands outside of quotes.
fn flagged(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(" --") {
        match parts.last_mut() {
            Some(last) if is_quote_open(last) => {
                last.push_str(" --");
                last.push_str(part);
            }
            Some(_) => parts.push(format!("--{part}")),
            None => parts.push(part.to_owned()),
        }
    }
    parts
}

/// A colour put on text in such a way that the text keeps its width and its words, and so its place in a table,
/// however its lines are broken: every character is moved to a block of the private use area that stands for the
/// colour.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mark {
    block: u32,
}

impl Mark {
    const FIRST: u32 = 0xE000;
    const SIZE: u32 = 0x400;
    const TONES: [Tone; 5] =
        [Tone::Bold, Tone::Favoured, Tone::Against, Tone::NotVisible, Tone::Quiet];

    fn of(tone: Tone) -> Self {
        let block = Self::TONES.iter().position(|of| *of == tone).expect("every tone is listed");
        Self { block: block as u32 }
    }

    fn tone(self) -> Tone {
        Self::TONES[self.block as usize]
    }

    fn put_on(self, text: &str) -> String {
        let moved = |c: char| match u32::from(c) {
            code if c.is_whitespace() || code >= Self::SIZE => c,
            code => {
                char::from_u32(Self::FIRST + self.block * Self::SIZE + code).expect("private use")
            }
        };
        text.chars().map(moved).collect()
    }

    /// The mark on a character and the character without it; None for a character without a mark.
    fn read(c: char) -> Option<(Self, char)> {
        let at = u32::from(c).checked_sub(Self::FIRST)?;
        let block = at / Self::SIZE;
        let is_mark = (block as usize) < Self::TONES.len();
        is_mark.then(|| (Self { block }, char::from_u32(at % Self::SIZE).expect("was one before")))
    }
}

/// Replaces the marks in a text by the terminal's colours.
fn coloured(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut now: Option<Mark> = None;
    // Spaces between two words of one colour belong to the coloured text.
    let mut spaces = String::new();
    for c in text.chars() {
        let next = Mark::read(c);
        if c == ' ' && now.is_some() {
            spaces.push(c);
            continue;
        }
        let mark = next.map(|(mark, _)| mark);
        if mark != now || spaces.len() > 1 {
            out.push_str(if now.is_some() { "\u{1b}[0m" } else { "" });
            out.push_str(&spaces);
            if let Some(mark) = mark {
                out.push_str(&format!("\u{1b}[{}m", mark.tone().code()));
            }
        } else {
            out.push_str(&spaces);
        }
        spaces.clear();
        now = mark;
        out.push(next.map_or(c, |(_, plain)| plain));
    }
    out
}

/// Whether a table can be set without breaking a word, or a figure into two lines.
pub(crate) fn fits(columns: &[(&str, Align)], rows: &[Vec<String>], width: usize) -> bool {
    let word = |text: &str| text.split_whitespace().map(display_width).max().unwrap_or(0);
    let least = |at: usize| {
        let (name, align) = columns[at];
        let cells = rows.iter().filter_map(|row| row.get(at));
        let widest = match align {
            Align::Left => cells.map(|cell| word(cell)).max(),
            Align::Right => cells.map(|cell| display_width(cell)).max(),
        };
        PADDING + word(name).max(widest.unwrap_or(0))
    };
    (0..columns.len()).map(least).sum::<usize>() + columns.len() < width
}

/// A table as text, at most `width` wide.
pub(crate) fn set(columns: &[(&str, Align)], mut rows: Vec<Vec<String>>, width: usize) -> String {
    const RULED: TableStyle =
        TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));
    break_paths(columns, &mut rows, width);
    let glued = all_glued(columns, &rows);
    let least = least_widths(columns, &glued, width);
    let mut table = comfy_table::Table::new();
    table
        .load_style(RULED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .set_header(columns.iter().map(|(name, _)| *name))
        .add_rows(if least.is_some() { glued } else { rows });
    for (column, (_, align)) in table.column_iter_mut().zip(columns) {
        column.set_cell_alignment(match align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        });
    }
    for (column, least) in table.column_iter_mut().zip(least.into_iter().flatten()) {
        let least = Width::Fixed(u16::try_from(least).unwrap_or(u16::MAX));
        column.set_constraint(ColumnConstraint::LowerBoundary(least));
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(&line.trim_end().replace(GLUE, " "));
        text.push('\n');
    }
    text
}

/// Breaks paths such as `abilities.0.amount` after dots where the table could not be set otherwise without breaking
/// a word, as few of them as will do.
fn break_paths(columns: &[(&str, Align)], rows: &mut [Vec<String>], width: usize) {
    let words = rows.iter().flatten().flat_map(|cell| cell.split_whitespace());
    let longest = words.map(display_width).max().unwrap_or(0);
    if fits(columns, rows, width) {
        return;
    }
    for limit in (1..longest).rev() {
        let mut broken = rows.to_vec();
        for row in &mut broken {
            for (cell, (_, align)) in row.iter_mut().zip(columns) {
                if *align == Align::Left {
                    *cell = cell
                        .split(' ')
                        .map(|word| after_dots(word, limit))
                        .collect::<Vec<_>>()
                        .join(" ");
                }
            }
        }
        if fits(columns, &broken, width) {
            return rows.clone_from_slice(&broken);
        }
    }
}

/// A word in lines of at most this width, broken after dots alone.
fn after_dots(word: &str, limit: usize) -> String {
    if display_width(word) <= limit {
        return word.to_owned();
    }
    let (mut text, mut line) = (String::new(), 0);
    for piece in word.split_inclusive('.') {
        let wide = display_width(piece);
        if line > 0 && line + wide > limit {
            text.push('\n');
            line = 0;
        }
        text.push_str(piece);
        line += wide;
    }
    text
}

/// Stands for a space at which no line is cut, while a table is set.
const GLUE: char = '\u{f8fe}';

/// A figure whose intervals (`(1.0 to 5.4)`, `-0.3 +0.5`), counts (`1 to 27 of 210`) and units (`3.2 pp`) are not cut.
fn glued(cell: &str) -> String {
    let plain = |word: &str| -> String {
        word.chars().map(|c| Mark::read(c).map_or(c, |(_, plain)| plain)).collect()
    };
    let mut text = String::with_capacity(cell.len());
    let mut before = String::new();
    let mut depth = 0;
    for word in cell.split(' ') {
        let now = plain(word);
        if !text.is_empty() {
            let joins = |word: &str| matches!(word, "of" | "to");
            let is_signed = |word: &str| word.starts_with(['+', '-']);
            let is_whole = depth > 0
                || joins(&before)
                || joins(&now)
                || matches!(now.as_str(), "pp" | "each")
                || is_signed(&before) && is_signed(&now);
            text.push(if is_whole { GLUE } else { ' ' });
        }
        depth += now.matches('(').count();
        depth -= now.matches(')').count().min(depth);
        text.push_str(word);
        before = now;
    }
    text
}

/// The rows of a table with [glued] figures.
fn all_glued(columns: &[(&str, Align)], rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let of_row = |row: &Vec<String>| {
        let cells = row.iter().zip(columns);
        let whole = cells.map(|(cell, (_, align))| match align {
            Align::Left => cell.clone(),
            Align::Right => glued(cell),
        });
        whole.collect()
    };
    rows.iter().map(of_row).collect()
}

/// The least width of each column that keeps words whole, and figures in one line as far as the page has room for that:
/// otherwise some are set in two lines, those with intervals last, cut where nothing [glues](glued) them. None where there
/// is no room even then.
fn least_widths(
    columns: &[(&str, Align)],
    rows: &[Vec<String>],
    width: usize,
) -> Option<Vec<usize>> {
    let widest = |at: usize, of: &dyn Fn(&str) -> usize| {
        rows.iter().filter_map(|row| row.get(at)).map(|cell| of(cell)).max().unwrap_or(0)
    };
    let word = |text: &str| text.split_whitespace().map(display_width).max().unwrap_or(0);
    let line = |text: &str| text.lines().map(display_width).max().unwrap_or(0);
    let least =
        |at: usize, of: &dyn Fn(&str) -> usize| PADDING + word(columns[at].0).max(widest(at, of));
    let mut found: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(at, (_, align))| match align {
            Align::Left => least(at, &word),
            Align::Right => least(at, &line),
        })
        .collect();
    let borders = columns.len() + 1;
    let fits = |found: &[usize]| found.iter().sum::<usize>() + borders <= width;
    let has_intervals =
        |at: usize| rows.iter().filter_map(|row| row.get(at)).any(|cell| cell.contains('('));
    let mut cut: Vec<(bool, usize, usize)> = (0..columns.len())
        .filter(|&at| columns[at].1 == Align::Right && least(at, &word) < found[at])
        .map(|at| (has_intervals(at), least(at, &word), at))
        .collect();
    // Those that make the most room come first, as long as they have no intervals.
    cut.sort_unstable_by_key(|&(intervals, least, at)| {
        (intervals, std::cmp::Reverse(found[at] - least), at)
    });
    for (_, least, at) in cut {
        if fits(&found) {
            break;
        }
        found[at] = least;
    }
    fits(&found).then_some(found)
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    /// The relative luminance of a colour of the 256-colour palette (WCAG 2.2).
    fn luminance(code: &str) -> f64 {
        let number: u8 = code.rsplit(';').next().unwrap().parse().unwrap();
        let levels = [0, 95, 135, 175, 215, 255];
        let rgb = match number {
            232.. => [8 + 10 * (number - 232); 3],
            _ => [(number - 16) / 36, (number - 16) / 6 % 6, (number - 16) % 6]
                .map(|level| levels[usize::from(level)]),
        };
        let linear = |part: u8| match f64::from(part) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => libm::pow((part + 0.055) / 1.055, 2.4),
        };
        let [red, green, blue] = rgb.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn every_colour_can_be_read_on_white_and_on_black() {
        for code in [TEAL, ORANGE, GREY] {
            let luminance = luminance(code);
            let on_white = 1.05 / (luminance + 0.05);
            let on_black = (luminance + 0.05) / 0.05;
            assert!(on_white >= 4.3 && on_black >= 4.3, "{code}: {on_white} {on_black}");
        }
    }

    /// A command is broken before flags, never within quotes, and a shell puts it together again.
    #[test]
    fn a_command_goes_on_in_the_next_line() {
        let mut page = Page::new(Style { width: 60, colour: false });
        let command =
            "evens tune a.toml --only 'Ogre --x y' --battles 5000 --seed 1 --write-scenario b.toml";
        page.command(command);
        let text = page.into_text();
        assert!(text.lines().count() > 1, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        let joined = text.replace("\\\n", " ");
        assert_eq!(joined.split_whitespace().collect::<Vec<_>>().join(" "), command);
    }

    #[test]
    fn a_command_is_not_broken_within_quotes() {
        let lair = "'the dragon'\\''s lair.toml'";
        let mut page = Page::new(Style { width: 60, colour: false });
        page.command(&format!("evens tune 'a --x'\\'' --y b' --flag {lair} --battles 5000"));
        let text = page.into_text();
        assert!(text.contains("'a --x'\\'' --y b' ") && text.contains(lair), "{text}");
    }

    /// A path is broken after a dot, and only where the table has no room for it.
    #[test]
    fn a_path_is_broken_after_a_dot_and_not_within_a_word() {
        let columns = [("card", Align::Left), ("number", Align::Left), ("was", Align::Right)];
        let path = "abilities.0.do.0.discard_down_to.amount";
        let rows =
            vec![vec!["Shardplate Behemoth".to_owned(), path.to_owned(), "10 to 25".to_owned()]];
        assert!(set(&columns, rows.clone(), 80).contains(path));
        let narrow = set(&columns, rows.clone(), 60);
        assert!(narrow.contains("discard_down_to.") && narrow.contains("Behemoth"), "{narrow}");
        assert!(narrow.lines().all(|line| line.chars().count() <= 60), "{narrow}");
        let words = |text: &str| text.split_whitespace().collect::<String>();
        let plain = vec![vec!["Shardplate".to_owned(), "amount".to_owned(), "10".to_owned()]];
        assert!(words(&set(&columns, plain, 60)).contains("Shardplateamount10"));
        // A table with room keeps its cells as they are.
        assert_eq!(after_dots("1.5", 3), "1.5");
        assert_eq!(after_dots("a.toml", 3), "a.\ntoml");
    }

    #[test]
    fn one_cell_of_a_row_is_coloured_and_nothing_moves() {
        let style = Style { width: 60, colour: true };
        let columns = [("who", Align::Left), ("score", Align::Right), ("again", Align::Right)];
        let row = |who: &str, score: &str| vec![who.to_owned(), score.to_owned(), score.to_owned()];
        let rows = vec![row("A", "51%"), row("B", "49%"), row("C", "50%")];
        let mut page = Page::new(style);
        page.toned_table(
            &columns,
            rows.clone(),
            &[Some((1, Tone::Favoured)), None, Some((1, Tone::NotVisible))],
        );
        let coloured = page.into_text();
        let mut plain = Page::new(Style { colour: false, ..style });
        plain.table(&columns, rows);
        let stripped = [TEAL, GREY, "0"]
            .iter()
            .fold(coloured.clone(), |text, code| text.replace(&format!("\u{1b}[{code}m"), ""));
        assert_eq!(stripped, plain.into_text());
        let marked: Vec<bool> = coloured.lines().map(|line| line.contains('\u{1b}')).collect();
        assert_eq!(marked, [false, false, true, false, true]);
    }

    #[test]
    fn a_cell_is_coloured_in_its_own_column_and_on_all_of_its_lines() {
        let text = |cell: &str| {
            let mut page = Page::new(Style { width: 60, colour: true });
            let row = vec!["Somebody".to_owned(), cell.to_owned(), cell.to_owned()];
            let columns = [("who", Align::Left), ("one", Align::Left), ("same again", Align::Left)];
            page.toned_table(&columns, vec![row], &[Some((1, Tone::Against))]);
            page.into_text()
        };
        let short = text("+1.2 pp");
        let line = short.lines().last().unwrap();
        assert!(line.contains("\u{1b}[38;5;130m+1.2 pp\u{1b}[0m"), "{line:?}");
        assert!(line.ends_with("  +1.2 pp"), "the last column is as it was: {line:?}");
        let long = text("a difference that does not fit into one line of a narrow column");
        let lines: Vec<&str> = long.lines().skip(2).collect();
        assert!(lines.len() > 1, "{long}");
        assert!(lines.iter().all(|line| line.matches(ORANGE).count() == 1), "{long}");
        // A name that contains such characters is printed as it is.
        assert!(!text("\u{e041}").contains('\u{1b}'));
    }
}
