//! The content of an HTML report that no table holds: sentences, figures, and the strata behind live weights.
//!
//! A study writes it down as [`Draft`], a folder of results keeps it as `report.json` beside its tables, and
//! [`page`](super::page) renders both.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::statistics::Frame;
use crate::table::{Column, Table, Values};

/// The version of the format that is written into a folder of results and read from it.
pub const FORMAT: u32 = 1;

/// The sentences and figures of a report. Numbers are in the tables that the figures name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// The version of the format, [`FORMAT`].
    pub format: u32,
    /// The study that the report is about, by its command: `run`, `sweep`, ...
    pub study: String,
    /// The question that the scenario asks.
    #[serde(default)]
    pub question: Option<String>,
    /// The answer and how sure it is, headline first.
    pub answer: Vec<Said>,
    /// The highlights: what matters most.
    #[serde(default)]
    pub matters: Vec<String>,
    /// What to try next.
    #[serde(default)]
    pub next: Vec<Step>,
    /// The statement on all intervals.
    pub intervals: String,
    /// The command that reproduces the results.
    pub command: String,
    /// The scenario's text, to be copied with other weights.
    #[serde(default)]
    pub scenario: Option<ScenarioText>,
    /// The figures, in order.
    pub figures: Vec<Figure>,
    /// Tables that figures draw and that the folder does not hold, cut to the rows that are drawn.
    #[serde(default)]
    pub tables: Vec<Kept>,
    /// The data with which the page recomputes results for other weights of the rulesets.
    #[serde(default)]
    pub live: Option<Live>,
    /// Whether the report is about several runs, each with a seed of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_several_runs: bool,
}

/// A sentence, and whether it is a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// Whether the sentence is a finding.
    pub tone: Tone,
    /// The sentence.
    pub text: String,
}

/// What a sentence says about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Something was found.
    Found,
    /// Nothing was found so far.
    Open,
    /// The sentence is about something else.
    Plain,
}

impl Said {
    /// A sentence that is not about a finding.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self { tone: Tone::Plain, text: text.into() }
    }

    /// A sentence that says whether something was found.
    #[must_use]
    pub fn found(found: bool, text: impl Into<String>) -> Self {
        Self { tone: if found { Tone::Found } else { Tone::Open }, text: text.into() }
    }
}

/// A suggestion of what to try next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What the command would tell.
    pub text: String,
    /// The command.
    pub command: String,
}

/// A scenario in parts, so that it can be put together with other weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioText {
    /// The scenario's name.
    pub name: String,
    /// Everything but the draw of rulesets, as TOML.
    pub head: String,
    /// The settings of the draw, without the weights and without how often two are drawn, as TOML.
    pub drawn: String,
    /// The weights that the scenario names.
    pub weights: Vec<(String, f64)>,
}

impl ScenarioText {
    /// Takes a scenario's text apart; None where its settings of the draw cannot be put together again line by line.
    #[must_use]
    pub fn of(name: &str, text: &str) -> Option<Self> {
        Self::of_table(name, text.parse().ok()?)
    }

    /// The same of a scenario that was read.
    #[must_use]
    pub fn of_table(name: &str, mut head: toml::Table) -> Option<Self> {
        head.remove("sweep");
        let mut drawn = match head.remove("rulesets") {
            Some(toml::Value::Table(drawn)) => drawn,
            Some(_) => return None,
            None => toml::Table::new(),
        };
        let mut weights = Vec::new();
        if let Some(toml::Value::Table(named)) = drawn.remove("weights") {
            for (name, weight) in named {
                let whole = weight.as_integer().map(|whole| whole as f64);
                weights.push((name, weight.as_float().or(whole)?));
            }
        }
        drawn.remove("two");
        if drawn.values().any(toml::Value::is_table) {
            return None;
        }
        let [head, drawn] = [head, drawn].map(|table| toml::to_string(&table).ok());
        Some(Self { name: name.to_owned(), head: head?, drawn: drawn?, weights })
    }
}

/// One figure of a report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// An identifier that is unique in the report, of letters and hyphens.
    pub id: String,
    /// The name of the figure in the list of figures.
    pub name: String,
    /// The kind of chart.
    pub kind: Kind,
    /// The finding, in a sentence.
    pub title: String,
    /// What the figure shows, how to read it, and what its claims were adjusted for.
    pub about: String,
    /// The name of the table that the figure draws.
    pub table: String,
    /// The columns of estimates that are drawn of each row, each with `_low` and `_high` beside it where there is an
    /// interval.
    pub series: Vec<Series>,
    /// The axis of the series.
    pub axis: Axis,
    /// The other axis, where it is one of numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub across: Option<Across>,
    /// The noun for groups, where marks have several; one group is shown at a time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group_noun: String,
    /// The group that is shown first, if it is not the first one: the one that the title is about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Whether a test decides for each mark if anything is visible.
    #[serde(default, skip_serializing_if = "is_false")]
    pub judged: bool,
    /// What the colours of a judged figure say, where a figure that is larger is not in favour of anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colours: Option<Colours>,
    /// Columns that are shown when a mark is pointed at.
    #[serde(default)]
    pub details: Vec<Detail>,
    /// The rows that are drawn, in order.
    pub marks: Vec<Mark>,
    /// A remark on rows that are not drawn.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rest: String,
}

/// What the colours of a figure say, by what is visible of a mark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Colours {
    /// Of [`Seen::Favoured`].
    pub favoured: String,
    /// Of [`Seen::Against`].
    pub against: String,
    /// Of [`Seen::Open`].
    pub open: String,
}

impl Colours {
    /// The words of a comparison of which a change counts or does not: more or less than what it is compared with, such as
    /// `in the baseline`.
    #[must_use]
    pub fn of_changes(than: &str) -> Self {
        Self {
            favoured: format!("counts: more than {than}"),
            against: format!("counts: less than {than}"),
            open: "does not count".to_owned(),
        }
    }
}

/// The kind of chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A dot and an interval for each mark, one below the other.
    #[default]
    Intervals,
    /// A cell for each mark.
    Heat,
    /// A dot for each mark, by two numbers.
    Scatter,
    /// A column for each mark.
    Columns,
    /// No chart, only the table.
    Table,
}

/// A column of numbers that a figure draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// The column's name.
    pub column: String,
    /// The name of the series beside others.
    pub name: String,
}

/// An axis of numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The text along the axis.
    pub label: String,
    /// The unit of the numbers.
    pub unit: Unit,
    /// A value to compare with, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub even: Option<f64>,
    /// Whether the axis is logarithmic: equal ratios have equal distances.
    #[serde(default, skip_serializing_if = "is_false")]
    pub logarithmic: bool,
}

fn is_false(of: &bool) -> bool {
    !of
}

/// A second axis of numbers, and its column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Across {
    /// The column's name.
    pub column: String,
    /// The axis.
    #[serde(flatten)]
    pub axis: Axis,
}

/// The format of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A probability, as a percentage.
    #[default]
    Percent,
    /// A difference of probabilities, in percentage points.
    Points,
    /// A number.
    Number,
    /// A whole number.
    Count,
    /// A p-value.
    P,
}

/// A column that is shown when a mark is pointed at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// The column's name.
    pub column: String,
    /// The label of the value.
    pub label: String,
    /// The format of the value.
    pub unit: Unit,
}

/// A row of the table as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The index of the row in the table.
    pub row: usize,
    /// The mark's label; for a cell of a heat map, the label of its row.
    pub label: String,
    /// The label of the column of a cell.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub column: String,
    /// The group that the mark belongs to, where there are several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Whether something is visible about the row, and in which direction.
    #[serde(default, skip_serializing_if = "Seen::is_open")]
    pub seen: Seen,
    /// The tier of the mark, from 1, best first; a tier ends only where every interval above is clear of every
    /// interval below. 0 where there are no tiers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tier: usize,
    /// A command that shows a battle of this row.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trace: String,
}

fn is_zero(of: &usize) -> bool {
    *of == 0
}

/// Whether something is visible, by the test that the study names, and in which direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// Nothing is visible.
    #[default]
    Open,
    /// Visibly in favour.
    Favoured,
    /// Visibly against.
    Against,
    /// Nothing was tested of the row, because it is what the others are compared with.
    First,
}

impl Seen {
    fn is_open(&self) -> bool {
        *self == Seen::Open
    }

    /// The direction of a difference, if it is visible.
    #[must_use]
    pub fn of(is_visible: bool, difference: f64) -> Self {
        match is_visible {
            true if difference > 0.0 => Self::Favoured,
            true if difference < 0.0 => Self::Against,
            _ => Self::Open,
        }
    }
}

/// The data with which the page recomputes results for other weights: how odds follow from weights, and how the
/// battles of each stratum ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// What has a weight (such as a ruleset), in the singular.
    pub noun: String,
    /// The noun for scores.
    pub measure: String,
    /// The number of sides.
    pub sides: usize,
    /// How many standard errors an interval reaches to either side, if its variance is known.
    pub z: f64,
    /// The confidence level of the intervals, 0 to 1.
    pub confidence: f64,
    /// How a battle that nobody wins counts: `shared`, `lost` or `left out`.
    pub unwon: String,
    /// How the odds of conditions follow from weights.
    pub frame: Frame,
    /// The sets of battles that results are reweighted from.
    pub arms: Vec<LiveArm>,
    /// Named sets of weights to begin with, the scenario's own first.
    pub presets: Vec<Preset>,
    /// The scenarios of sets of weights that belong to another one than the report's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenarios: Vec<ScenarioText>,
    /// The contenders that should be even.
    pub contenders: Vec<LiveContender>,
    /// What `evens tune` may change, and what it aims at.
    pub aim: LiveAim,
}

/// A set of battles by stratum: match-up, and then condition in the order of the frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveArm {
    /// The contender on each side of each match-up.
    pub matchups: Vec<Vec<String>>,
    /// The number of battles that the measure counts, by stratum.
    pub battles: Vec<u64>,
    /// The number of wins, by stratum and side.
    pub wins: Vec<u64>,
}

/// A set of weights with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    /// The name of the set.
    pub name: String,
    /// The index of the set of battles that is reweighted to these weights.
    pub arm: usize,
    /// The weights, in the order of the frame.
    pub weights: Vec<f64>,
    /// The share of battles in which two are drawn, 0 to 1.
    pub two: f64,
    /// The scenario that has these weights.
    #[serde(default, skip_serializing_if = "Whose::is_own")]
    pub scenario: Whose,
}

/// Whose scenario a set of weights belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// The report's own.
    #[default]
    Own,
    /// Another one, as an index into those of [`Live`].
    Other(usize),
    /// Another one for which there is no room.
    LeftOut,
}

impl Whose {
    fn is_own(&self) -> bool {
        *self == Self::Own
    }
}

/// A contender that should have a given score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveContender {
    /// The contender's name.
    pub name: String,
    /// The score that it should have.
    pub target: f64,
    /// The seats of the contender, as match-up and side, if it is a side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<[usize; 2]>,
    /// If it is a unit, its appearances by match-up and condition: battles, appearances and their points, and over
    /// battles the sums of the square of its appearances, of these times their points, and of the square of these
    /// points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Vec<[u64; 6]>>,
}

/// What `evens tune` may change, and what it aims at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveAim {
    /// The objective: `squares` or `largest`.
    pub objective: String,
    /// The range of each weight, as its least and greatest value.
    pub ranges: Vec<[f64; 2]>,
    /// The least share of battles that anything may be in, as the search aims at it.
    pub rarest: f64,
    /// The penalty for doubling a weight, in units of a lead.
    pub price: f64,
}

/// The most rows of a table that are kept beside the notes where the folder does not hold it; more than a page has
/// room for.
const MOST_KEPT: usize = 20_000;

/// A report in the making: its content, and the tables behind it.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The sentences and figures.
    pub notes: Notes,
    /// The tables that the figures draw, whole or cut.
    pub tables: Vec<Drawn>,
}

/// A table that figures draw.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The whole table, or the part of it that is drawn.
    pub table: Table,
    extent: Extent,
}

/// How much of the table of its name a drawn table has.
#[derive(Clone, Debug)]
enum Extent {
    /// All rows, so that the table in a folder can take its place.
    Whole,
    /// These rows, in ascending order. Marks have the row numbers of the whole table, so that the table in a folder
    /// can take its place.
    Rows(Vec<usize>),
    /// A table that only the report has, with row numbers of its own.
    Part,
}

impl Drawn {
    /// A whole table, as it would be written to a folder.
    #[must_use]
    pub fn whole(table: Table) -> Self {
        Self { table, extent: Extent::Whole }
    }

    /// A table with only the rows that the figure's marks point at, and no more rows than are kept. `table` builds it
    /// from the row numbers. The marks keep the row numbers of the whole table.
    #[must_use]
    pub(crate) fn kept(
        whole_rows: usize,
        figure: &Figure,
        table: impl FnOnce(Option<&[usize]>) -> Table,
    ) -> Self {
        if whole_rows <= MOST_KEPT {
            return Self::whole(table(None));
        }
        let rows = rows_drawn(whole_rows, std::iter::once(figure), MOST_KEPT);
        Self { table: table(Some(&rows)), extent: Extent::Rows(rows) }
    }

    /// A table that only the report has, or of which it has a part with row numbers of its own.
    #[must_use]
    pub fn part(table: Table) -> Self {
        Self { table, extent: Extent::Part }
    }

    fn is_in(&self, written: &[String]) -> bool {
        !matches!(self.extent, Extent::Part) && written.contains(&self.table.name)
    }

    /// Changes the marks of the figures that draw this table to its own row numbers.
    fn renumbered(&self, figures: &mut [Figure]) {
        if let Extent::Rows(rows) = &self.extent {
            renumber(rows, figures.iter_mut().filter(|figure| figure.table == self.table.name));
        }
    }
}

impl Draft {
    /// The notes for a folder that holds the tables of these names. All other tables that are drawn are kept in the
    /// notes, but of long ones no more rows than a page has room for.
    #[must_use]
    pub fn beside(&self, written: &[String]) -> Notes {
        let mut notes = Notes { tables: Vec::new(), ..self.notes.clone() };
        for drawn in self.tables.iter().filter(|drawn| !drawn.is_in(written)) {
            drawn.renumbered(&mut notes.figures);
            let table = &drawn.table;
            if table.rows() <= MOST_KEPT {
                notes.tables.push(Kept::of(table));
                continue;
            }
            let is_its = |figure: &&mut Figure| figure.table == table.name;
            let mut figures: Vec<&mut Figure> = notes.figures.iter_mut().filter(is_its).collect();
            let drawing = figures.iter().map(|figure| &**figure);
            let rows = rows_drawn(table.rows(), drawing, MOST_KEPT);
            renumber(&rows, figures.iter_mut().map(|figure| &mut **figure));
            notes.tables.push(Kept::of(&table.of_rows(&rows)));
        }
        notes
    }

    /// The notes and all tables, for a page.
    #[must_use]
    pub fn into_tables(mut self) -> (Notes, Vec<Table>) {
        for drawn in &self.tables {
            drawn.renumbered(&mut self.notes.figures);
        }
        (self.notes, self.tables.into_iter().map(|drawn| drawn.table).collect())
    }
}

/// The rows of a table of `of` rows that figures draw, and the first of the others up to `most` rows in all, in
/// ascending order.
pub(super) fn rows_drawn<'f>(
    of: usize,
    figures: impl Iterator<Item = &'f Figure>,
    most: usize,
) -> Vec<usize> {
    let marks = figures.flat_map(|figure| figure.marks.iter().map(|mark| mark.row));
    let mut rows: BTreeSet<usize> = marks.collect();
    for row in 0..of {
        if rows.len() >= most {
            break;
        }
        rows.insert(row);
    }
    rows.into_iter().collect()
}

/// Changes the row numbers of figures' marks to indices into `rows`, where only these rows are left.
pub(super) fn renumber<'f>(rows: &[usize], figures: impl Iterator<Item = &'f mut Figure>) {
    for mark in figures.flat_map(|figure| &mut figure.marks) {
        mark.row = rows.binary_search(&mark.row).expect("what is drawn is left");
    }
}

/// A table as JSON: unknown values are null, and lists are written as people read them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// The table's name.
    pub name: String,
    columns: Vec<KeptColumn>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KeptColumn {
    name: String,
    meaning: String,
    values: KeptValues,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeptValues {
    Text(Vec<String>),
    Count(Vec<u64>),
    Number(Vec<Option<f64>>),
}

impl Kept {
    fn of(table: &Table) -> Self {
        let column = |column: &Column| KeptColumn {
            name: column.name.to_string(),
            meaning: column.meaning.to_string(),
            values: match &column.values {
                Values::Count(values) => KeptValues::Count(values.clone()),
                values @ (Values::Text(_)
                | Values::Coded(_)
                | Values::TextList(_)
                | Values::CountList(_)
                | Values::Flag(_)
                | Values::Seed(_)) => {
                    let shown = |row| values.shown(row).into_owned();
                    KeptValues::Text((0..values.len()).map(shown).collect())
                }
                Values::Number(values) => {
                    let known = |&value: &f64| value.is_finite().then_some(value);
                    KeptValues::Number(values.iter().map(known).collect())
                }
            },
        };
        Self { name: table.name.clone(), columns: table.columns.iter().map(column).collect() }
    }

    /// The table; None where its columns differ in length.
    #[must_use]
    pub fn table(&self) -> Option<Table> {
        let column = |column: &KeptColumn| Column {
            name: column.name.clone().into(),
            meaning: column.meaning.clone().into(),
            values: match &column.values {
                KeptValues::Text(values) => Values::Text(values.clone()),
                KeptValues::Count(values) => Values::Count(values.clone()),
                KeptValues::Number(values) => {
                    Values::Number(values.iter().map(|value| value.unwrap_or(f64::NAN)).collect())
                }
            },
        };
        let table =
            Table { name: self.name.clone(), columns: self.columns.iter().map(column).collect() };
        let rows = table.rows();
        table.columns.iter().all(|column| column.values.len() == rows).then_some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of two columns by row, and a figure that draws these rows of it.
    fn draft(rows: usize, drawn: &[usize]) -> Draft {
        let numbers: Vec<f64> = (0..rows).map(|row| row as f64).collect();
        let table = Table { name: "t".to_owned(), columns: vec![Column::number("n", "", numbers)] };
        let marks = drawn.iter().map(|&row| Mark { row, ..Mark::default() }).collect();
        let figure = Figure { table: table.name.clone(), marks, ..Figure::default() };
        let notes = Notes { figures: vec![figure], ..Notes::default() };
        Draft { notes, tables: vec![Drawn::whole(table)] }
    }

    /// A table of which only the kept rows are built gives the same report as one that was built whole.
    #[test]
    fn what_is_built_in_part_is_told_as_if_it_were_whole() {
        for rows in [50, 50_000] {
            let whole = draft(rows, &[rows - 1, 7, rows / 2]);
            let drawn = Drawn::kept(rows, &whole.notes.figures[0], |kept| match kept {
                None => whole.tables[0].table.clone(),
                Some(kept) => whole.tables[0].table.of_rows(kept),
            });
            assert_eq!(drawn.table.rows(), rows.min(MOST_KEPT));
            let part = Draft { notes: whole.notes.clone(), tables: vec![drawn] };
            for written in [&[][..], &["t".to_owned()]] {
                assert_eq!(part.beside(written), whole.beside(written), "{rows} rows, {written:?}");
            }
        }
    }

    #[test]
    fn of_long_tables_what_is_drawn_is_kept() {
        let drawn = [49_999, 7, 30_000];
        let draft = draft(50_000, &drawn);
        assert_eq!(draft.beside(&["t".to_owned()]).tables, [], "the folder has it");
        let notes = draft.beside(&[]);
        let kept = notes.tables[0].table().expect("sound");
        assert_eq!(kept.rows(), MOST_KEPT);
        let Values::Number(numbers) = &kept.columns[0].values else { panic!("{kept:?}") };
        let marks = notes.figures[0].marks.iter().map(|mark| numbers[mark.row] as usize);
        assert_eq!(marks.collect::<Vec<_>>(), drawn);
    }

    #[test]
    fn short_tables_are_kept_whole() {
        let notes = draft(50, &[49, 3]).beside(&[]);
        assert_eq!(notes.tables[0].table().expect("sound").rows(), 50);
        assert_eq!(notes.figures[0].marks.iter().map(|mark| mark.row).collect::<Vec<_>>(), [49, 3]);
    }
}
