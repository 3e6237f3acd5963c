//! Tables: one shape for everything that is written or printed, and where it goes.
//!
//! The way of a result to a file:
//! 1. [`Destination::open`] opens every file before the first battle, so that a bad path fails at once.
//! 2. [`Destination::identify`] says which run the rows are of, for the column that every table ends with.
//! 3. [`Destination::write`] takes a table whole or in chunks of rows, in order.
//! 4. [`Destination::finish`] adds the [`Provenance`] and moves all files into their places as one act.
//!
//! Whatever ends before step 4 leaves the results of an earlier run as they were. A partial result never takes the place
//! of a complete one, and a file that is not ours is never written over.

mod away;
mod baselines;
mod claim;
mod csv;
#[cfg(feature = "dataframes")]
mod data_frame;
mod destination;
pub mod dictionary;
mod folder;
mod format;
mod json;
#[cfg(feature = "cli")]
mod kept;
mod markdown;
mod output_error;
#[cfg(feature = "parquet")]
mod parquet;
mod partition;
mod places;
mod provenance;
mod read;
#[cfg(feature = "cli")]
mod replace;
mod sink;
mod spool;
mod target;
mod values;

pub use destination::{Destination, Place, Written};
pub use folder::{Wrong, verify};
pub use format::Format;
#[cfg(feature = "cli")]
pub(crate) use json::Tables;
pub use output_error::OutputError;
pub(crate) use provenance::run_id;
pub use provenance::{FORMAT, Provenance, Stopping};
pub use read::{ReadError, Results};
pub use sink::{Sink, sink};
#[cfg(feature = "cli")]
pub(crate) use values::seed_text;
pub use values::{Coded, ColumnKind, CountLists, TextLists, Values, Words};

pub(crate) use folder::{Folder, bytes_of};
#[cfg(feature = "cli")]
pub(crate) use kept::CHECKPOINT;
pub(crate) use markdown::{escaped as markdown_text, prose as markdown_prose};
#[cfg(feature = "cli")]
pub(crate) use replace::Content;
#[cfg(feature = "cli")]
pub(crate) use target::{Target, remove_temporary_files};

use std::borrow::Cow;

use crate::statistics::{Estimate, Level};

/// The confidence level of the intervals in result tables.
pub const LEVEL: Level = Level::P95;

/// A table of named, documented columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The table's name; a file's name without its ending.
    pub name: String,
    /// The columns, in order.
    pub columns: Vec<Column>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, in snake_case.
    pub name: Cow<'static, str>,
    /// What it says, with unit and range.
    pub meaning: Cow<'static, str>,
    /// Its values, one a row.
    pub values: Values,
}

impl Column {
    /// A column of words.
    pub fn text(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        values: Vec<String>,
    ) -> Self {
        Self { name: name.into(), meaning: meaning.into(), values: Values::Text(values) }
    }

    /// A column of counts.
    pub fn count(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        values: Vec<u64>,
    ) -> Self {
        Self { name: name.into(), meaning: meaning.into(), values: Values::Count(values) }
    }

    /// A column of numbers.
    pub fn number(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        values: Vec<f64>,
    ) -> Self {
        Self { name: name.into(), meaning: meaning.into(), values: Values::Number(values) }
    }

    /// A column of lists of text; where people read them, `joint` stands between their items.
    pub fn text_lists<S: AsRef<str>>(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        joint: &'static str,
        lists: impl IntoIterator<Item = impl IntoIterator<Item = S>>,
    ) -> Self {
        let values = Values::TextList(TextLists::of(joint, lists));
        Self { name: name.into(), meaning: meaning.into(), values }
    }

    /// A column of yes and no.
    pub fn flag(
        name: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        values: Vec<bool>,
    ) -> Self {
        Self { name: name.into(), meaning: meaning.into(), values: Values::Flag(values) }
    }

    /// Three columns for one list of estimates: the value as `name`, and the ends of its interval as
    /// `name_low` and `name_high`.
    pub fn estimates(name: &str, meaning: &str, estimates: &[Estimate]) -> [Self; 3] {
        let percent = 100.0 * LEVEL.confidence();
        let list = |pick: fn(&Estimate) -> f64| estimates.iter().map(pick).collect();
        [
            Self::number(name.to_owned(), meaning.to_owned(), list(|e| e.value)),
            Self::number(
                format!("{name}_low"),
                format!("lower end of the {percent}% interval of {name}"),
                list(|e| e.low),
            ),
            Self::number(
                format!("{name}_high"),
                format!("upper end of the {percent}% interval of {name}"),
                list(|e| e.high),
            ),
        ]
    }
}

impl Table {
    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The table with only the given rows, in the given order.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn of_rows(&self, rows: &[usize]) -> Self {
        let column = |column: &Column| Column {
            name: column.name.clone(),
            meaning: column.meaning.clone(),
            values: column.values.of_rows(rows),
        };
        Self { name: self.name.clone(), columns: self.columns.iter().map(column).collect() }
    }
}

/// The letter that ends the column names of a side, `a` for side 0.
pub(crate) fn side_suffix(side: usize) -> char {
    char::from(b'a' + side as u8)
}

/// Turns a label into a column name: lower case, words joined by underscores.
pub(crate) fn snake_case(label: &str) -> String {
    let mut name = String::with_capacity(label.len());
    for letter in label.chars() {
        if letter.is_alphanumeric() {
            name.extend(letter.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    name.truncate(name.trim_end_matches('_').len());
    name
}

#[cfg(test)]
pub(crate) mod tests;
