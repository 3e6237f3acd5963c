//! The data of a page: tables in a compact form, with nothing that HTML could take for markup.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::notes::{Figure, Notes, renumber, rows_drawn};
use crate::table::{Column, Provenance, Table, Values};
use crate::visible::visible;

/// The most bytes that all tables of a page may take. Rows that do not fit are left to the folder.
const MOST: usize = 1_300_000;

/// Everything that the scripts of a page read, as JSON that cannot end the element that it stands in.
pub(super) fn data(provenance: &Provenance, notes: &Notes, tables: &[Table]) -> String {
    let mut figures = notes.figures.clone();
    let mut encoded = Map::new();
    let mut left = MOST;
    let used: Vec<&Table> = tables
        .iter()
        .filter(|table| figures.iter().any(|figure| figure.table == table.name))
        .collect();
    for (at, table) in used.iter().enumerate() {
        // What one table leaves of its share goes to the others.
        let share = left / (used.len() - at);
        let of_it: Vec<&Figure> =
            figures.iter().filter(|figure| figure.table == table.name).collect();
        let cut = Cut::of(table, &of_it, share);
        if let Some(rows) = &cut.rows {
            let is_its = |figure: &&mut Figure| figure.table == table.name;
            renumber(rows, figures.iter_mut().filter(is_its));
        }
        left = left.saturating_sub(cut.bytes);
        encoded.insert(table.name.clone(), cut.value);
    }
    let mut notes = json!(Notes { figures, tables: Vec::new(), ..notes.clone() });
    make_visible(&mut notes);
    let all = json!({ "provenance": provenance, "notes": notes, "tables": encoded });
    all.to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// Replaces characters that turn the direction of writing, which names from files can hold, by visible ones.
fn make_visible(value: &mut Value) {
    match value {
        Value::String(text) => *text = visible(text).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(make_visible),
        Value::Object(values) => values.values_mut().for_each(make_visible),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// As many rows of a table as there is room for.
struct Cut {
    value: Value,
    bytes: usize,
    /// The rows that are in the page; None where all are.
    rows: Option<Vec<usize>>,
}

impl Cut {
    fn of(table: &Table, figures: &[&Figure], share: usize) -> Self {
        let all: Vec<usize> = (0..table.rows()).collect();
        let whole = encoded(table, &table.columns.iter().collect::<Vec<_>>(), &all, false);
        if whole.1 <= share {
            return Self { value: whole.0, bytes: whole.1, rows: None };
        }
        let drawn = |column: &&Column| {
            let name = &*column.name;
            let is_series = |series: &str| {
                let rest = name.strip_prefix(series);
                rest.is_some_and(|rest| ["", "_low", "_high"].contains(&rest))
            };
            !column.values.is_numeric()
                || figures.iter().any(|figure| {
                    figure.series.iter().any(|series| is_series(&series.column))
                        || figure.details.iter().any(|detail| is_series(&detail.column))
                        || figure.across.as_ref().is_some_and(|across| is_series(&across.column))
                })
        };
        let columns: Vec<&Column> = table.columns.iter().filter(drawn).collect();
        let narrow = encoded(table, &columns, &all, true);
        if narrow.1 <= share {
            return Self { value: narrow.0, bytes: narrow.1, rows: None };
        }
        let room = (table.rows() as f64 * share as f64 / narrow.1 as f64) as usize;
        let rows = rows_drawn(table.rows(), figures.iter().copied(), room);
        let (value, bytes) = encoded(table, &columns, &rows, true);
        Self { value, bytes, rows: Some(rows) }
    }
}

/// A table as JSON, and the length of this text: words as numbers of a list, numbers with seven digits.
fn encoded(table: &Table, columns: &[&Column], rows: &[usize], cut: bool) -> (Value, usize) {
    let columns: Vec<Value> = columns.iter().map(|column| one_column(column, rows)).collect();
    let value = json!({ "rows": rows.len(), "all": table.rows(), "cut": cut, "columns": columns });
    let bytes = value.to_string().len();
    (value, bytes)
}

fn one_column(column: &Column, rows: &[usize]) -> Value {
    let named = |kind: &str, rest: Value| {
        let mut value = json!({ "name": column.name, "meaning": column.meaning, "kind": kind });
        if let (Value::Object(value), Value::Object(rest)) = (&mut value, rest) {
            value.extend(rest);
        }
        value
    };
    match &column.values {
        Values::Text(_)
        | Values::Coded(_)
        | Values::TextList(_)
        | Values::CountList(_)
        | Values::Flag(_)
        | Values::Seed(_) => {
            let mut words: Vec<String> = Vec::new();
            let mut known: HashMap<Cow<'_, str>, usize> = HashMap::new();
            let mut at = |text: &'_ str| -> usize {
                words.push(visible(text).into_owned());
                words.len() - 1
            };
            let numbers: Vec<usize> = rows
                .iter()
                .map(|&row| {
                    let text = column.values.shown(row);
                    match known.get(&text) {
                        Some(&number) => number,
                        None => {
                            let number = at(&text);
                            known.insert(text, number);
                            number
                        }
                    }
                })
                .collect();
            named("text", json!({ "words": words, "values": numbers }))
        }
        Values::Count(values) => named(
            "count",
            json!({ "values": rows.iter().map(|&row| values[row]).collect::<Vec<_>>() }),
        ),
        Values::Number(values) => {
            let of = |&row: &usize| rounded(values[row]);
            named("number", json!({ "values": rows.iter().map(of).collect::<Vec<_>>() }))
        }
    }
}

/// A number with seven significant digits; null where it is not known.
fn rounded(number: f64) -> Value {
    if !number.is_finite() {
        return Value::Null;
    }
    let rounded: f64 = format!("{number:.6e}").parse().expect("a number as it was just written");
    // Whole numbers are shorter without their point.
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        json!(rounded as i64)
    } else {
        json!(rounded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::{Mark, Series};

    fn table(rows: usize) -> Table {
        let numbers = (0..rows).map(|row| (row as f64).sqrt() / 3.0).collect();
        Table {
            name: "t".to_owned(),
            columns: vec![
                Column::text(
                    "who",
                    "",
                    (0..rows).map(|row| format!("</script>{}", row % 3)).collect(),
                ),
                Column::number("score", "", numbers),
                Column::number("other", "", vec![0.123_456_789; rows]),
            ],
        }
    }

    fn notes(rows: &[usize]) -> Notes {
        let marks = rows.iter().map(|&row| Mark { row, ..Mark::default() }).collect();
        let series = vec![Series { column: "score".to_owned(), name: String::new() }];
        let figure = Figure { table: "t".to_owned(), marks, series, ..Figure::default() };
        Notes { figures: vec![figure], ..Notes::default() }
    }

    fn provenance() -> Provenance {
        Provenance::new("game", "</script><b>", "", 0, 0)
    }

    #[test]
    fn nothing_in_it_ends_a_script() {
        let text = data(&provenance(), &notes(&[0]), &[table(5)]);
        assert!(!text.contains('<'), "{text}");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["tables"]["t"]["columns"][0]["words"][0], "</script>0");
        assert_eq!(value["tables"]["t"]["columns"][2]["values"][0], json!(0.1234568));
    }

    #[test]
    fn a_table_that_is_too_large_keeps_what_is_drawn() {
        let text = data(&provenance(), &notes(&[299_999, 7]), &[table(300_000)]);
        assert!(text.len() < MOST + 10_000, "{}", text.len());
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let kept = &value["tables"]["t"];
        assert_eq!((&kept["cut"], &kept["all"]), (&json!(true), &json!(300_000)));
        // The column that no figure draws is left out.
        assert_eq!(kept["columns"].as_array().map(Vec::len), Some(2));
        let last = &value["notes"]["figures"][0]["marks"][0];
        let at = last["row"].as_u64().expect("a row") as usize;
        let score = kept["columns"][1]["values"][at].as_f64().expect("a number");
        assert!((score - 299_999_f64.sqrt() / 3.0).abs() < 1e-4, "{score}");
    }
}
