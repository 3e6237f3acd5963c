//! Tables: one shape for everything that is written or printed.

use std::borrow::Cow;

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

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Words.
    Text(Vec<String>),
    /// Counts.
    Count(Vec<u64>),
    /// Numbers; NaN stands for "not known" and is written as an empty cell or null.
    Number(Vec<f64>),
}

impl Values {
    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Text(values) => values.len(),
            Values::Count(values) => values.len(),
            Values::Number(values) => values.len(),
        }
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Table {
    /// How many rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }
}
