//! What an HTML report says that no table holds: sentences, which figures there are, and the strata behind live weights.
//!
//! A study writes it down as [`Draft`], a folder of results keeps it as `report.json` beside its tables, and
//! [`page`](super::page) sets both.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::statistics::Frame;
use crate::table::{Column, Table, Values};

/// What is written into a folder of results, and read from it, is of this format.
pub const FORMAT: u32 = 1;

/// The sentences and figures of a report. Numbers are in the tables that the figures name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// [`FORMAT`].
    pub format: u32,
    /// The command that it is about: `run`, `sweep`, ...
    pub study: String,
    /// What the scenario asks.
    #[serde(default)]
    pub question: Option<String>,
    /// The answer and how sure it is, the headline first.
    pub answer: Vec<Said>,
    /// What matters most.
    #[serde(default)]
    pub matters: Vec<String>,
    /// What to try next.
    #[serde(default)]
    pub next: Vec<Step>,
    /// What holds for all intervals.
    pub intervals: String,
    /// The command that makes the results again.
    pub command: String,
    /// The scenario, to be copied with other weights.
    #[serde(default)]
    pub scenario: Option<ScenarioText>,
    /// The figures, in order.
    pub figures: Vec<Figure>,
    /// Tables that figures draw and that the folder does not hold, cut to what is drawn.
    #[serde(default)]
    pub tables: Vec<Kept>,
    /// What weights of the rulesets need to be changed in the page.
    #[serde(default)]
    pub live: Option<Live>,
    /// Whether several runs are told of, each with a seed of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_several_runs: bool,
}

/// A sentence, and whether it is a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// What it stands for.
    pub tone: Tone,
    /// The sentence.
    pub text: String,
}

/// What a sentence stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Something was found.
    Found,
    /// Nothing was, so far.
    Open,
    /// Neither.
    Plain,
}

impl Said {
    /// A sentence that goes with others.
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

/// Something to try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What it tells.
    pub text: String,
    /// The command.
    pub command: String,
}

/// A scenario in parts, so that it can be put together with other weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioText {
    /// Its name.
    pub name: String,
    /// Everything but what is drawn, as TOML.
    pub head: String,
    /// What is said of what is drawn, but for weights and for how often there are two, as TOML.
    pub drawn: String,
    /// The weights that it names.
    pub weights: Vec<(String, f64)>,
}

impl ScenarioText {
    /// Takes a scenario's text apart; none where what it says of the draw cannot be put together again line by line.
    #[must_use]
    pub fn of(name: &str, text: &str) -> Option<Self> {
        let mut head: toml::Table = text.parse().ok()?;
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

/// One figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Unique in the report, of letters and hyphens.
    pub id: String,
    /// What it is called in a list of figures.
    pub name: String,
    /// How it is drawn.
    pub kind: Kind,
    /// The finding, in a sentence.
    pub title: String,
    /// What is shown, how to read it, and what its claims were adjusted for.
    pub about: String,
    /// The table that it draws.
    pub table: String,
    /// What is drawn of a row: the columns of estimates, each with `_low` and `_high` beside it where there is an interval.
    pub series: Vec<Series>,
    /// The axis of these numbers.
    pub axis: Axis,
    /// The other axis, where it is one of numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub across: Option<Across>,
    /// What groups are, where marks have several: one of them is shown at a time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group_noun: String,
    /// Whether a test says of each mark if anything is visible.
    #[serde(default, skip_serializing_if = "is_false")]
    pub judged: bool,
    /// Columns that are told when a mark is pointed at.
    #[serde(default)]
    pub details: Vec<Detail>,
    /// The rows that are drawn, in order.
    pub marks: Vec<Mark>,
    /// What is told about rows that are not drawn.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rest: String,
}

/// How a figure is drawn.
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
    /// The table alone.
    Table,
}

/// One number of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its column.
    pub column: String,
    /// What it is called beside others.
    pub name: String,
}

/// An axis of numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// In which unit.
    pub unit: Unit,
    /// A value to compare with, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub even: Option<f64>,
    /// Whether equal ratios are equally far.
    #[serde(default, skip_serializing_if = "is_false")]
    pub logarithmic: bool,
}

fn is_false(of: &bool) -> bool {
    !of
}

/// An axis of numbers, and their column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Across {
    /// The column.
    pub column: String,
    /// The axis.
    #[serde(flatten)]
    pub axis: Axis,
}

/// How numbers are set.
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

/// A column that is told of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// The column.
    pub column: String,
    /// What it is called.
    pub label: String,
    /// How it is set.
    pub unit: Unit,
}

/// A row as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Its number in the table.
    pub row: usize,
    /// What it is called; of a cell, the row that it is in.
    pub label: String,
    /// The column of a cell.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub column: String,
    /// Which of several groups it belongs to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Whether something is visible about it.
    #[serde(default, skip_serializing_if = "Seen::is_open")]
    pub seen: Seen,
    /// From 1, the first or the next of those that no interval tells apart; 0 where there are no such tiers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tier: usize,
    /// A command that tells a battle of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trace: String,
}

fn is_zero(of: &usize) -> bool {
    *of == 0
}

/// Whether something is visible, by the test that the study names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// Nothing is.
    #[default]
    Open,
    /// In favour.
    Favoured,
    /// Against.
    Against,
}

impl Seen {
    fn is_open(&self) -> bool {
        *self == Seen::Open
    }

    /// A difference, if it is visible.
    #[must_use]
    pub fn of(is_visible: bool, difference: f64) -> Self {
        match is_visible {
            true if difference > 0.0 => Self::Favoured,
            true if difference < 0.0 => Self::Against,
            _ => Self::Open,
        }
    }
}

/// What changing weights in the page needs: how odds follow from weights, and how the battles of each stratum ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// What has a weight, in the singular.
    pub noun: String,
    /// What scores are called.
    pub measure: String,
    /// How many sides fight.
    pub sides: usize,
    /// How many standard errors an interval reaches to either side, if its variance is known.
    pub z: f64,
    /// How often intervals cover the truth, 0 to 1.
    pub confidence: f64,
    /// What comes of a battle that nobody wins: `shared`, `lost` or `left out`.
    pub unwon: String,
    /// How odds follow from weights.
    pub frame: Frame,
    /// Sets of battles.
    pub arms: Vec<LiveArm>,
    /// Weights to begin with, those of the scenario first.
    pub presets: Vec<Preset>,
    /// Who should be even.
    pub contenders: Vec<LiveContender>,
    /// What `evens tune` may change and wants.
    pub aim: LiveAim,
}

/// Battles by stratum: match-up, and then condition in the order of the frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveArm {
    /// By match-up, who is on each side.
    pub matchups: Vec<Vec<String>>,
    /// Battles that the measure looks at, by stratum.
    pub battles: Vec<u64>,
    /// Wins, by stratum and side.
    pub wins: Vec<u64>,
}

/// Weights with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preset {
    /// What they are called.
    pub name: String,
    /// Whose battles answer for them.
    pub arm: usize,
    /// The weights.
    pub weights: Vec<f64>,
    /// The share of battles with two of them, 0 to 1.
    pub two: f64,
}

/// Somebody who should have a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveContender {
    /// Its name.
    pub name: String,
    /// The score that it should have.
    pub target: f64,
    /// Where it is a side: match-up and side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<[usize; 2]>,
    /// A unit's appearances by match-up and condition: battles, appearances and their points, and over battles the sums of the
    /// square of its appearances, of these times their points, and of the square of these points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Vec<[u64; 6]>>,
}

/// What `evens tune` may change and wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveAim {
    /// `squares` or `largest`.
    pub objective: String,
    /// The least and the most that each weight may be.
    pub ranges: Vec<[f64; 2]>,
    /// The least share of battles that anything may be in, as the search aims at it.
    pub rarest: f64,
    /// What doubling a weight costs, as a lead.
    pub price: f64,
}

/// So many rows of a table that is not in the folder are kept beside the notes, more than a page has room for.
const MOST_KEPT: usize = 20_000;

/// A report in the making: what it says, and the tables behind it.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// What it says.
    pub notes: Notes,
    /// The tables that its figures draw, whole or cut.
    pub tables: Vec<Drawn>,
}

/// A table that figures draw.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The table.
    pub table: Table,
    extent: Extent,
}

/// What a drawn table has of the table of its name.
#[derive(Clone, Debug)]
enum Extent {
    /// All, row by row, so that the one in the folder does.
    Whole,
    /// These rows, in ascending order. Marks have the numbers of the whole table, so that the one in the folder does.
    Rows(Vec<usize>),
    /// What only the report has, by numbers of its own.
    Part,
}

impl Drawn {
    /// A table as it would be written.
    #[must_use]
    pub fn whole(table: Table) -> Self {
        Self { table, extent: Extent::Whole }
    }

    /// Of a table of so many rows those that the marks of its figure point at and no more than are kept, built by their numbers.
    /// The marks keep the numbers of the whole table.
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

    /// One that only the report has, or only so much of it.
    #[must_use]
    pub fn part(table: Table) -> Self {
        Self { table, extent: Extent::Part }
    }

    fn is_in(&self, written: &[String]) -> bool {
        !matches!(self.extent, Extent::Part) && written.contains(&self.table.name)
    }

    /// Lets the figures that draw it have its own numbers of rows.
    fn renumbered(&self, figures: &mut [Figure]) {
        if let Extent::Rows(rows) = &self.extent {
            renumber(rows, figures.iter_mut().filter(|figure| figure.table == self.table.name));
        }
    }
}

impl Draft {
    /// The notes for a folder that holds the tables of these names: whatever else is drawn goes with them, of long tables no more
    /// rows than a page has room for.
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

    /// All tables.
    #[must_use]
    pub fn into_tables(mut self) -> (Notes, Vec<Table>) {
        for drawn in &self.tables {
            drawn.renumbered(&mut self.notes.figures);
        }
        (self.notes, self.tables.into_iter().map(|drawn| drawn.table).collect())
    }
}

/// Of so many rows of a table those that figures draw, and the first of the others up to so many in all: in their order.
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

/// Tells figures the numbers of the rows they draw where only these rows are left.
pub(super) fn renumber<'f>(rows: &[usize], figures: impl Iterator<Item = &'f mut Figure>) {
    for mark in figures.flat_map(|figure| &mut figure.marks) {
        mark.row = rows.binary_search(&mark.row).expect("what is drawn is left");
    }
}

/// A table as JSON has it: what is not known is null, and lists are as people read them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Its name.
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

    /// The table; none where its columns differ in length.
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

    /// A table of which only the rows to be kept are built is told as one that was built whole.
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
