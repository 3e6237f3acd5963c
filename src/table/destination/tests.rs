//! Results are whole or absent, and say where they come from.

use std::collections::BTreeMap;
use std::fs;

use super::*;
use crate::scenario::TableName;
use crate::studies::run::{Analysis, build};
use crate::table::LEVEL;
use crate::table::tests::{Shared, provenance};
use crate::tally::fixture::{duel, round_robin, tally};

const TWO: [&str; 2] = ["outcomes", "rulesets"];

fn contents(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    entries.map(|e| (name(&e), fs::read_to_string(e.path()).expect("text"))).collect()
}

fn run(folder: &Path, battles: u64) -> Vec<Written> {
    let layout = duel();
    let mut destination =
        Destination::open(&Place::Folder(folder.into()), Format::Csv, &TWO).expect("a folder");
    let tally = tally(&layout, battles);
    for name in [TableName::Outcomes, TableName::Factors] {
        destination
            .write(&build(name, &Analysis::new(&layout, &tally, LEVEL)).expect("a table"))
            .expect("written");
    }
    destination.finish(&provenance()).expect("moved into place")
}

fn outcomes() -> Table {
    let layout = duel();
    build(TableName::Outcomes, &Analysis::new(&layout, &tally(&layout, 10), LEVEL))
        .expect("a table")
}

#[test]
fn a_run_leaves_its_tables_and_their_provenance() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = folder.path().join("made/on/the/way");
    let written = run(&inside, 100);
    assert_eq!(written[1].path.as_deref(), Some(inside.join("rulesets.csv").as_path()));
    assert_eq!(written.iter().map(|table| table.rows).collect::<Vec<_>>(), [2, 6]);
    let files = contents(&inside);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["outcomes.csv", "provenance.json", "rulesets.csv"]);
    insta::assert_snapshot!("provenance", files["provenance.json"]);
}

#[test]
fn the_same_run_leaves_the_same_bytes() {
    let (one, other) = (tempfile::tempdir().expect("one"), tempfile::tempdir().expect("other"));
    run(one.path(), 100);
    run(other.path(), 50);
    run(other.path(), 100);
    assert_eq!(contents(one.path()), contents(other.path()));
}

#[test]
fn a_run_that_is_not_finished_leaves_the_old_results() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), 100);
    let before = contents(folder.path());
    let place = Place::Folder(folder.path().into());
    let mut destination = Destination::open(&place, Format::Csv, &TWO).expect("a folder");
    destination.write(&outcomes()).expect("written");
    drop(destination);
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn a_table_that_never_came_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::Folder(folder.path().into());
    let mut destination = Destination::open(&place, Format::Json, &TWO).expect("a folder");
    let layout = round_robin(2);
    let tally = tally(&layout, 40);
    for name in [TableName::Outcomes, TableName::Factors] {
        if let Some(table) = build(name, &Analysis::new(&layout, &tally, LEVEL)) {
            destination.write(&table).expect("written");
        }
    }
    destination.finish(&provenance()).expect("moved into place");
    let names: Vec<String> = contents(folder.path()).into_keys().collect();
    assert_eq!(names, ["outcomes.json", "provenance.json"]);
}

#[test]
fn a_table_that_was_not_asked_for_is_let_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::Folder(folder.path().into());
    let mut destination = Destination::open(&place, Format::Csv, &["units"]).expect("a folder");
    assert!(destination.wants("units") && !destination.wants("outcomes"));
    destination.write(&outcomes()).expect("let go");
    assert_eq!(destination.finish(&provenance()).expect("nothing to move"), []);
}

#[test]
fn what_cannot_be_written_is_told_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").expect("a file");
    let opened = Destination::open(&Place::Folder(file.clone()), Format::Csv, &TWO);
    assert!(matches!(opened, Err(OutputError::Open { path, .. }) if path == file));

    let occupied = folder.path().join("outcomes.csv");
    fs::create_dir(&occupied).expect("a folder");
    let opened = Destination::open(&Place::Folder(folder.path().into()), Format::Csv, &TWO);
    assert!(matches!(opened, Err(OutputError::Occupied(path)) if path == occupied));

    let opened = Destination::open(&Place::Stdout, Format::Csv, &TWO);
    assert!(matches!(opened, Err(OutputError::OneTable(2))));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_format_that_was_left_out_is_named() {
    let fault = Destination::open(&Place::Stdout, Format::Parquet, &["units"])
        .err()
        .expect("no Parquet in this build");
    assert_eq!(fault.to_string(), "this build cannot write parquet");
}

#[cfg(unix)]
#[test]
fn results_are_as_readable_as_other_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), 10);
    let other = folder.path().join("other");
    fs::write(&other, "").expect("a file");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode();
    assert_eq!(mode(&folder.path().join("outcomes.csv")), mode(&other));
}

#[test]
fn a_dash_is_standard_output() {
    assert_eq!("-".parse(), Ok(Place::Stdout));
    assert_eq!("results".parse(), Ok(Place::Folder("results".into())));
}

#[test]
fn a_stream_gets_one_table() {
    let out = Shared::default();
    let mut destination = Destination::on(out.clone(), Format::Csv, "outcomes").expect("memory");
    destination.write(&outcomes()).expect("written");
    assert!(!destination.abandoned());
    let written = destination.finish(&provenance()).expect("written");
    assert_eq!(
        written,
        [Written { table: "outcomes".to_owned(), path: None, rows: 2, aside: false }]
    );
    assert!(out.bytes().starts_with(b"matchup,side,"));
}

/// Fails like a terminal program's pipe whose reader has left, or like a full disk.
struct Failing(io::ErrorKind);

impl Write for Failing {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(self.0.into())
    }
}

#[test]
fn a_reader_that_left_is_a_quiet_success() {
    let gone = Failing(io::ErrorKind::BrokenPipe);
    let mut destination = Destination::on(gone, Format::Json, "outcomes").expect("memory");
    for _ in 0..100 {
        destination.write(&outcomes()).expect("let go");
    }
    assert!(destination.abandoned());
    destination.finish(&provenance()).expect("let go");
}

#[test]
fn any_other_trouble_is_told() {
    let full = Failing(io::ErrorKind::StorageFull);
    let mut destination = Destination::on(full, Format::Csv, "outcomes").expect("memory");
    let result =
        destination.write(&outcomes()).and_then(|()| destination.finish(&provenance()).map(|_| ()));
    let fault = result.expect_err("a full disk");
    assert_eq!(fault.to_string(), "cannot write to standard output");
}
