//! What the tables say, and how each format writes them.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::{BattleRows, Column, Provenance, Table, Values, build, sink, snake_case};
use crate::scenario::{Format, TableName};
use crate::tally::Layout;
use crate::tally::fixture::{duel, record, round_robin, tally, three_sides};

/// Bytes that stay readable after their writer is gone.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    pub(super) fn bytes(&self) -> Vec<u8> {
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

pub(super) fn provenance() -> Provenance {
    let mut provenance = Provenance::new("splinterlands", "thorns", "0123abcd", 7, 1000);
    provenance.battles_played = 1000;
    provenance.version = "0.0.0".to_owned();
    provenance
}

pub(super) fn written(format: Format, chunks: &[Table]) -> Vec<u8> {
    let out = Shared::default();
    let mut sink = sink(format, Box::new(out.clone())).expect("a format of this build");
    for chunk in chunks {
        sink.write(chunk).expect("memory takes all");
    }
    sink.finish(&provenance()).expect("memory takes all");
    out.bytes()
}

fn text(format: Format, chunks: &[Table]) -> String {
    String::from_utf8(written(format, chunks)).expect("text")
}

fn number(table: &Table, name: &str, row: usize) -> f64 {
    let column = table.columns.iter().find(|column| column.name == name).expect("the column");
    match &column.values {
        Values::Text(values) => values[row].parse().expect("a number"),
        Values::Count(values) => values[row] as f64,
        Values::Number(values) => values[row],
    }
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
fn every_table_of_a_duel() {
    let layout = duel();
    let tally = tally(&layout, 1000);
    for name in [
        TableName::Outcomes,
        TableName::Rulesets,
        TableName::Orders,
        TableName::OrderEffects,
        TableName::Units,
        TableName::UnitsByRuleset,
    ] {
        let table = build(name, &layout, &tally).expect("made from counts");
        assert_eq!(table.name, name.to_string());
        insta::assert_snapshot!(format!("duel_{name}"), text(Format::Csv, &[table]));
    }
    assert_eq!(build(TableName::Battles, &layout, &tally), None);
}

#[test]
fn three_sides_have_a_row_and_columns_each() {
    let layout = three_sides();
    let tally = tally(&layout, 1000);
    let outcomes = build(TableName::Outcomes, &layout, &tally).expect("made from counts");
    let orders = build(TableName::Orders, &layout, &tally).expect("made from counts");
    insta::assert_snapshot!("three_sides_outcomes", text(Format::Csv, &[outcomes]));
    insta::assert_snapshot!("three_sides_orders", text(Format::Csv, &[orders]));
}

#[test]
fn without_factors_there_are_no_ruleset_tables() {
    let layout = round_robin(2);
    let tally = tally(&layout, 40);
    assert_eq!(build(TableName::Rulesets, &layout, &tally), None);
    assert_eq!(build(TableName::UnitsByRuleset, &layout, &tally), None);
    let orders = build(TableName::Orders, &layout, &tally).expect("made from counts");
    assert_eq!(orders.rows(), 0);
}

#[test]
fn without_battles_nothing_is_known() {
    let layout = duel();
    let tally = tally(&layout, 0);
    let outcomes = build(TableName::Outcomes, &layout, &tally).expect("made from counts");
    assert_eq!(number(&outcomes, "battles", 0), 0.0);
    for name in ["win_rate", "win_rate_low", "length_mean", "length_p50", "damage_in_round_1_mean"]
    {
        assert!(number(&outcomes, name, 0).is_nan(), "{name}");
    }
    let rulesets = build(TableName::Rulesets, &layout, &tally).expect("made from counts");
    assert!(number(&rulesets, "effect", 0).is_nan());
    assert_eq!(number(&rulesets, "expected_share", 2), 0.5);
}

/// Every row of every table has as many values as the first column, and every column its own name.
#[test]
fn tables_are_rectangles_with_distinct_documented_columns() {
    for layout in [duel(), three_sides(), round_robin(3)] {
        let tally = tally(&layout, 200);
        let mut battles = BattleRows::new(&layout);
        (0..20).for_each(|index| battles.push(index, index, &record(&layout, index)));
        let names = [
            TableName::Outcomes,
            TableName::Rulesets,
            TableName::Orders,
            TableName::Units,
            TableName::UnitsByRuleset,
        ];
        let tables = names.iter().filter_map(|&name| build(name, &layout, &tally));
        for table in tables.chain([battles.take()]) {
            let mut names: Vec<&str> = table.columns.iter().map(|c| c.name.as_ref()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.columns.len(), "{}", table.name);
            for column in &table.columns {
                assert_eq!(column.values.len(), table.rows(), "{}.{}", table.name, column.name);
                assert_eq!(column.name, snake_case(&column.name), "{}", table.name);
                assert!(!column.meaning.is_empty(), "{}.{}", table.name, column.name);
            }
        }
    }
}

/// Counted by hand from the records instead of the tally.
#[test]
fn an_effect_is_the_difference_of_win_rates() {
    let layout = duel();
    let rulesets =
        build(TableName::Rulesets, &layout, &tally(&layout, 1000)).expect("made from counts");
    let earthquake_a = 2;
    let mut counts = [[0.0; 2]; 2];
    for index in 0..1000 {
        let record = record(&layout, index);
        let with = usize::from(record.stratum.condition > 0);
        counts[with][0] += 1.0;
        if record.outcome == crate::game::Outcome::Win(crate::game::Side::A) {
            counts[with][1] += 1.0;
        }
    }
    let [without, with] = counts.map(|[battles, wins]| wins / battles);
    assert_eq!(number(&rulesets, "battles", earthquake_a), counts[1][0]);
    assert!((number(&rulesets, "effect", earthquake_a) - (with - without)).abs() < 1e-12);
    assert!((number(&rulesets, "win_rate", earthquake_a) - with).abs() < 1e-12);
}

fn battle_chunks(layout: &Layout, battles: u64, chunk: usize) -> Vec<Table> {
    let mut rows = BattleRows::new(layout);
    let mut chunks = Vec::new();
    for index in 0..battles {
        rows.push(index, crate::chance::battle_seed(9, index), &record(layout, index));
        if rows.len() == chunk {
            chunks.push(rows.take());
        }
    }
    chunks.push(rows.take());
    assert!(rows.is_empty());
    chunks
}

#[test]
fn battles_are_rows() {
    insta::assert_snapshot!("duel_battles", text(Format::Csv, &battle_chunks(&duel(), 8, 3)));
    let no_factors = round_robin(2);
    insta::assert_snapshot!(
        "round_robin_battles",
        text(Format::Csv, &battle_chunks(&no_factors, 3, 3))
    );
}

#[test]
fn the_bytes_do_not_depend_on_the_chunks() {
    let layout = duel();
    let formats: &[Format] = &[
        Format::Csv,
        Format::Json,
        Format::Markdown,
        #[cfg(feature = "parquet")]
        Format::Parquet,
    ];
    for &format in formats {
        let few = written(format, &battle_chunks(&layout, 50, 50));
        let many = written(format, &battle_chunks(&layout, 50, 7));
        assert!(few == many, "{format}");
    }
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

/// A card that was played is no member of a team.
#[test]
fn what_is_not_there_itself_stays_out_of_teams_and_survivors() {
    let layout = three_sides();
    let mut plain = record(&layout, 4);
    let mut rows = BattleRows::new(&layout);
    rows.push(0, 1, &plain);
    let played = plain.fighters[0];
    plain.fighters.push(crate::tally::Fighter { level: 0, survived: true, ..played });
    rows.push(0, 1, &plain);
    let table = rows.take();
    for column in &table.columns {
        match &column.values {
            Values::Text(values) => assert_eq!(values[0], values[1], "{}", column.name),
            Values::Count(values) => assert_eq!(values[0], values[1], "{}", column.name),
            Values::Number(values) => assert_eq!(values[0], values[1], "{}", column.name),
        }
    }
}
