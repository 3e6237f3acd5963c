//! How each format writes a table.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::{Column, Format, Provenance, Table, sink, snake_case};

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
        sink.write(chunk).expect("memory takes all");
    }
    sink.finish(&provenance()).expect("memory takes all");
    out.bytes()
}

pub(crate) fn text(format: Format, chunks: &[Table]) -> String {
    String::from_utf8(written(format, chunks)).expect("text")
}

/// Awkward values: separators, quotes, line breaks, long numbers, nothing.
pub(super) fn awkward() -> [Table; 2] {
    let chunk = |names: [&str; 2], counts: [u64; 2], numbers: [f64; 2]| Table {
        name: "awkward".to_owned(),
        columns: vec![
            Column::text("name", "a name", names.map(str::to_owned).to_vec()),
            Column::count("count", "a count", counts.to_vec()),
            Column::number("number", "a number", numbers.to_vec()),
        ],
    };
    [
        chunk(["plain", "a, \"b\" | c\\d"], [0, u64::MAX], [0.1 + 0.2, f64::NAN]),
        chunk(["two\nlines", "é"], [1, 2], [1.0, -1e-7]),
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
    let rows: Vec<(String, u64, Option<f64>)> =
        reader.deserialize().collect::<Result<_, _>>().expect("what was written");
    assert_eq!(rows[0], ("plain".to_owned(), 0, Some(0.1 + 0.2)));
    assert_eq!(rows[1], ("a, \"b\" | c\\d".to_owned(), u64::MAX, None));
    assert_eq!(rows[2], ("two\nlines".to_owned(), 1, Some(1.0)));
    assert_eq!(rows[3], ("é".to_owned(), 2, Some(-1e-7)));
}

#[test]
fn json_reads_back() {
    let rows: serde_json::Value =
        serde_json::from_slice(&written(Format::Json, &awkward())).expect("JSON");
    assert_eq!(rows[1]["count"], u64::MAX);
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
