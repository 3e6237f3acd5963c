//! The data dictionary: every table that the program writes, and what its columns hold.
//!
//! Columns are described where they are made, and nowhere else. A test gathers the descriptions from the files of every
//! command, writes `dictionary.json`, and checks that it, `docs/tables.md` and the files agree.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::{Column, ColumnKind, FORMAT, Table};

/// The data dictionary: every table that the program writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dictionary {
    /// The version of the files, [`FORMAT`].
    pub format: u32,
    /// The tables, those of `run` first.
    pub tables: Vec<DescribedTable>,
}

/// A table of the dictionary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DescribedTable {
    /// Its name.
    pub table: String,
    /// The commands that write it.
    pub commands: Vec<String>,
    /// What a row is.
    pub row: String,
    /// Its columns, in order.
    pub columns: Vec<DescribedColumn>,
}

/// A column of the dictionary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DescribedColumn {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: ColumnKind,
    /// What it says, with unit and range.
    pub meaning: String,
}

impl Dictionary {
    /// The dictionary of this program.
    ///
    /// # Panics
    /// Never: a test reads it.
    #[must_use]
    pub fn of_this_program() -> Self {
        let dictionary: Self = serde_json::from_str(include_str!("dictionary.json"))
            .expect("the dictionary is written by a test");
        debug_assert_eq!(dictionary.format, FORMAT);
        dictionary
    }

    /// The tables of this name, or of the command of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Vec<&DescribedTable> {
        let is_it = |table: &&DescribedTable| {
            table.table == name || table.commands.iter().any(|command| command == name)
        };
        self.tables.iter().filter(is_it).collect()
    }

    /// All names of tables and commands.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().flat_map(|table| {
            table.commands.iter().map(String::as_str).chain([table.table.as_str()])
        })
    }
}

/// An overview of tables, one a row.
#[must_use]
pub fn overview(tables: &[&DescribedTable]) -> Table {
    let text = |of: fn(&DescribedTable) -> &str| -> Vec<String> {
        tables.iter().map(|table| of(table).to_owned()).collect()
    };
    Table {
        name: "tables".to_owned(),
        columns: vec![
            Column::text("table", "the table", text(|table| &table.table)),
            Column::text_lists(
                "commands",
                "the commands that write it",
                ", ",
                tables.iter().map(|table| &table.commands),
            ),
            Column::text("one_row", "what a row of it is", text(|table| &table.row)),
            Column::count(
                "columns",
                "how many columns it has",
                tables.iter().map(|table| table.columns.len() as u64).collect(),
            ),
        ],
    }
}

/// The columns of all these tables, one a row.
#[must_use]
pub fn columns(tables: &[&DescribedTable]) -> Table {
    let all = || tables.iter().flat_map(|table| table.columns.iter().map(move |of| (table, of)));
    let text = |of: fn(&DescribedColumn) -> Cow<'_, str>| -> Vec<String> {
        all().map(|(_, column)| of(column).into_owned()).collect()
    };
    Table {
        name: "columns".to_owned(),
        columns: vec![
            Column::text("table", "the table", all().map(|(of, _)| of.table.clone()).collect()),
            Column::text("column", "the column", text(|of| Cow::Borrowed(&of.name))),
            Column::text("type", "what its values are", text(|of| Cow::Owned(of.kind.to_string()))),
            Column::text("meaning", "what it says", text(|of| Cow::Borrowed(&of.meaning))),
        ],
    }
}

/// The columns of every table under a heading of its own, as the guide lists them.
#[must_use]
pub fn markdown(tables: &[&DescribedTable]) -> String {
    let mut text = String::new();
    for DescribedTable { table, commands, row, columns } in tables {
        let commands: Vec<String> =
            commands.iter().map(|command| format!("`evens {command}`")).collect();
        let _ = write!(
            text,
            "\n### `{table}`\n\nOne row: {row}. By {}.\n\n| column | type | meaning |\n|---|---|---|\n",
            commands.join(", ")
        );
        for DescribedColumn { name, kind, meaning } in columns {
            let meaning = meaning.replace('|', "\\|");
            let _ = writeln!(text, "| `{name}` | {kind} | {meaning} |");
        }
    }
    text
}
