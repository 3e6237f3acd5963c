//! Any table as text.

use super::page::{Align, fits, set};
use super::wrap::lines_of;
use crate::table::{Table, Values};

/// A table as people read it in a terminal that is `width` characters wide. Numbers have at most six
/// significant digits; files have them all.
#[must_use]
pub fn plain(table: &Table, width: usize) -> String {
    let align = |values: &Values| if values.is_numeric() { Align::Right } else { Align::Left };
    // With spaces a long heading can be set in several lines.
    let names: Vec<String> = table.columns.iter().map(|c| c.name.replace('_', " ")).collect();
    let aligns = table.columns.iter().map(|column| align(&column.values));
    let columns: Vec<(&str, Align)> = names.iter().map(String::as_str).zip(aligns).collect();
    let rows: Vec<Vec<String>> = (0..table.rows())
        .map(|row| table.columns.iter().map(|column| cell(&column.values, row)).collect())
        .collect();
    match fits(&columns, &rows, width) {
        true => set(&columns, rows, width),
        false => stacked(&columns, &rows, width),
    }
}

/// Sets the rows one below the other, where columns side by side would break words.
fn stacked(columns: &[(&str, Align)], rows: &[Vec<String>], width: usize) -> String {
    let mut text = String::new();
    for row in rows {
        let [first, others @ ..] = row.as_slice() else { continue };
        text.push_str(first);
        text.push('\n');
        let said = columns[1..].iter().zip(others).filter(|(_, value)| !value.is_empty());
        let said: Vec<String> = said.map(|((name, _), value)| format!("{name} {value}")).collect();
        let options = lines_of(width).initial_indent("  ").subsequent_indent("  ");
        for line in textwrap::wrap(&said.join("; "), options) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

fn cell(values: &Values, row: usize) -> String {
    match values {
        Values::Number(values) => short(values[row]),
        values => values.shown(row).into_owned(),
    }
}

/// A number with at most six significant digits; empty when it is not known.
fn short(number: f64) -> String {
    if !number.is_finite() {
        return String::new();
    }
    let rounded: f64 = format!("{number:.5e}").parse().expect("a number that was just written");
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(1.0 / 3.0), "0.333333");
        assert_eq!(short(2.0), "2");
        assert_eq!(short(123_456.789), "123457");
        assert_eq!(short(f64::NAN), "");
    }
}
