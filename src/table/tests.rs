//! How each format writes a table.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::{
    Coded, Column, CountLists, Format, Provenance, Table, Values, Words, sink, snake_case,
};

/// Bytes that stay readable after their writer is gone.
#[derive(Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.lock().expect("one thread").clone()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn provenance() -> Provenance {
    let mut provenance = Provenance::new("splinterlands", "thorns", "0123abcd", 7, 1000);
    provenance.battles_played = 1000;
    provenance.version = "0.0.0".to_owned();
    provenance
}

pub(crate) fn written(format: Format, chunks: &[Table]) -> Vec<u8> {
    let out = Shared::default();
    let mut sink = sink(format, Box::new(out.clone())).expect("a format of this build");
    for chunk in chunks {
        sink.write(chunk, Some("0123456789abcdef")).expect("memory takes all");
    }
    sink.finish(&provenance()).expect("memory takes all");
    out.bytes()
}

pub(crate) fn text(format: Format, chunks: &[Table]) -> String {
    String::from_utf8(written(format, chunks)).expect("text")
}

/// Awkward values: separators, quotes, line breaks, long numbers, nothing.
pub(super) fn awkward() -> [Table; 2] {
    let chunk =
        |names: [&str; 2], counts: [u64; 2], numbers: [f64; 2], lists: [&[&str]; 2]| Table {
            name: "awkward".to_owned(),
            columns: vec![
                Column::text("name", "a name", names.map(str::to_owned).to_vec()),
                Column::count("count", "a count", counts.to_vec()),
                Column::number("number", "a number", numbers.to_vec()),
                Column::text_lists("list", "a list", " + ", lists.map(|list| list.iter())),
                column(
                    "counts",
                    Values::CountList(CountLists { items: vec![3, 1, 3], ends: vec![0, 3] }),
                ),
                Column::flag("flag", "yes or no", vec![counts[0] == 0, true]),
                column("seed", Values::Seed(counts.to_vec())),
                column(
                    "coded",
                    Values::Coded(Coded {
                        words: Words::new(names.map(str::to_owned).to_vec()),
                        codes: vec![1, 0],
                    }),
                ),
            ],
        };
    fn column(name: &'static str, values: Values) -> Column {
        Column { name: name.into(), meaning: format!("a {name}").into(), values }
    }
    [
        chunk(
            ["plain", "a, \"b\" | c\\d"],
            [0, u64::MAX],
            [0.1 + 0.2, f64::NAN],
            [&["a, b", "=1+2", "\"c\"; d"], &[]],
        ),
        chunk(["two\nlines", "é"], [1, 2], [1.0, -1e-7], [&["é"], &["a, b", ""]]),
    ]
}

#[test]
fn formats_keep_awkward_values_apart() {
    for format in [Format::Csv, Format::Json, Format::Markdown] {
        insta::assert_snapshot!(format!("awkward_{format}"), text(format, &awkward()));
    }
}

#[test]
fn csv_reads_back() {
    let bytes = written(Format::Csv, &awkward());
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Row(String, u64, Option<f64>, String, String, bool, String, String, String);
    let rows: Vec<Row> = reader.deserialize().collect::<Result<_, _>>().expect("what was written");
    let row = |at: usize| (rows[at].0.as_str(), rows[at].1, rows[at].2);
    assert_eq!(row(0), ("plain", 0, Some(0.1 + 0.2)));
    assert_eq!(row(1), ("a, \"b\" | c\\d", u64::MAX, None));
    assert_eq!(row(2), ("two\nlines", 1, Some(1.0)));
    assert_eq!(row(3), ("é", 2, Some(-1e-7)));
    let list: Vec<String> = serde_json::from_str(&rows[0].3).expect("a JSON array");
    assert_eq!(list, ["a, b", "=1+2", "\"c\"; d"]);
    assert_eq!((rows[1].3.as_str(), rows[1].6.as_str()), ("[]", "0xffffffffffffffff"));
    assert_eq!(rows[0].8, "0123456789abcdef");
}

#[test]
fn json_reads_back() {
    let rows: serde_json::Value =
        serde_json::from_slice(&written(Format::Json, &awkward())).expect("JSON");
    assert_eq!(rows[1]["count"], u64::MAX);
    assert_eq!(rows[1]["seed"], "0xffffffffffffffff");
    assert_eq!(rows[0]["list"], serde_json::json!(["a, b", "=1+2", "\"c\"; d"]));
    assert_eq!(rows[0]["run"], "0123456789abcdef");
    assert_eq!(rows[1]["number"], serde_json::Value::Null);
    assert_eq!(rows[0]["number"], 0.1 + 0.2);
    assert_eq!(rows.as_array().map(Vec::len), Some(4));
    assert_eq!(text(Format::Json, &[]), "[]\n");
}

#[test]
fn labels_become_column_names() {
    assert_eq!(snake_case("Damage in round 1 (side A)"), "damage_in_round_1_side_a");
    assert_eq!(snake_case("  odd -- one"), "odd_one");
}
