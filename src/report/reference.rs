//! How pages refer to tables: to one that is written, or else to how it would be.

use std::fmt::Display;

/// The beginning of a sentence on where the rest of what a page shows is: that the table has it, or how to have that table
/// written where others were asked for.
pub(crate) fn in_table(is_written: bool, table: impl Display, has: &str) -> String {
    match is_written {
        true => format!("the table `{table}` {has}"),
        false => format!("`--table {table}` writes"),
    }
}

/// The same in parentheses.
pub(crate) fn see_table(is_written: bool, table: impl Display) -> String {
    match is_written {
        true => format!("(table `{table}`)"),
        false => format!("(`--table {table}` writes all)"),
    }
}
