//! Results are whole or absent, and say where they come from.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;
use crate::scenario::TableName;
use crate::studies::run::{Analysis, build};
use crate::table::tests::{Shared, provenance};
use crate::table::{LEVEL, ReadError, Results, Wrong};
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

/// `nightly` would take a table in JSON, or the provenance beside any table, for a baseline. Programs that use the library
/// alone are refused, too.
#[test]
fn tables_do_not_go_among_baselines() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::Folder(folder.path().into());
    fs::write(folder.path().join("duel.json"), "{\"evens_baseline\": 5}").expect("written");
    let refused = Destination::open(&place, Format::Csv, &TWO).err().expect("an error");
    assert!(matches!(refused, OutputError::Baselines(_)), "{refused}");
    assert_eq!(contents(folder.path()).len(), 1, "nothing is left there");
    fs::write(folder.path().join("duel.json"), "{\"of\": \"somebody else\"}").expect("written");
    assert!(Destination::open(&place, Format::Csv, &TWO).is_ok());
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
    assert!(matches!(opened, Err(OutputError::NoFolder(path)) if path == file));

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
    assert!(!destination.abandoned().load(Ordering::Relaxed));
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
    destination.identify("0123456789abcdef").expect("let go");
    for _ in 0..100 {
        destination.write(&outcomes()).expect("let go");
    }
    assert!(destination.abandoned().load(Ordering::Relaxed));
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

fn shared(folder: &Path, run: &Provenance, battles: u64) -> Vec<Written> {
    let layout = duel();
    let place = Place::Shared(folder.into());
    let mut destination = Destination::open(&place, Format::Csv, &TWO).expect("a folder");
    let tally = tally(&layout, battles);
    for name in [TableName::Outcomes, TableName::Factors] {
        destination
            .write(&build(name, &Analysis::new(&layout, &tally, LEVEL)).expect("a table"))
            .expect("written");
    }
    destination.note("{}".to_owned());
    destination.finish(run).expect("moved into place")
}

fn files_below(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(at) = left.pop() {
        for entry in fs::read_dir(at).expect("a folder").map(|entry| entry.expect("an entry")) {
            match entry.path() {
                path if path.is_dir() => left.push(path),
                path => {
                    let name = path.strip_prefix(folder).expect("below").to_string_lossy();
                    files.push(name.into_owned());
                }
            }
        }
    }
    files.sort();
    files
}

#[test]
fn runs_share_a_folder_and_each_takes_the_place_of_its_own_files_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |id: &str, scenario: &str, seed| {
        let mut run = Provenance::new("splinterlands", scenario, "f", seed, 100);
        (run.id, run.battles_played) = (id.to_owned(), 100);
        run
    };
    let (one, other) = (of("aa", "splinterlands/mirror", 1), of("bb", "splinterlands/mirror", 2));
    let written = shared(folder.path(), &one, 100);
    let path = "outcomes/scenario=splinterlands%2Fmirror/seed=1/part-aa.csv";
    assert_eq!(written[0].path.as_deref(), Some(folder.path().join(path).as_path()));
    shared(folder.path(), &other, 100);
    let before = fs::read(folder.path().join(path)).expect("the first");
    shared(folder.path(), &one, 50);
    let files = files_below(folder.path());
    let expected = [
        "outcomes/scenario=splinterlands%2Fmirror/seed=1/part-aa.csv",
        "outcomes/scenario=splinterlands%2Fmirror/seed=2/part-bb.csv",
        "rulesets/scenario=splinterlands%2Fmirror/seed=1/part-aa.csv",
        "rulesets/scenario=splinterlands%2Fmirror/seed=2/part-bb.csv",
        "runs/aa.json",
        "runs/aa.report.json",
        "runs/bb.json",
        "runs/bb.report.json",
    ];
    assert_eq!(files, expected);
    assert_ne!(fs::read(folder.path().join(path)).expect("the second"), before);
    assert_eq!(crate::table::verify(folder.path()), Some(BTreeMap::new()));

    // A partial result of the same run stands aside; a changed file is not written over.
    let partial = Provenance { partial: true, ..one.clone() };
    assert!(shared(folder.path(), &partial, 10)[0].aside);
    assert!(folder.path().join("partial").join(path).exists());
    fs::write(folder.path().join(path), "mine").expect("written");
    let place = Place::Shared(folder.path().into());
    let mut destination = Destination::open(&place, Format::Csv, &["outcomes"]).expect("a folder");
    destination.write(&outcomes()).expect("written");
    assert!(matches!(destination.finish(&one), Err(OutputError::Foreign(_))));
    assert_eq!(fs::read(folder.path().join(path)).expect("still there"), b"mine");
}

/// A command that fails promises nothing, or every later one would fail for want of what it promised.
#[test]
fn what_is_in_the_way_of_a_run_in_a_shared_folder_is_told_before_anything_is_promised() {
    let folder = tempfile::tempdir().expect("a folder");
    let in_the_way = folder.path().join("outcomes");
    let place = Place::Shared(folder.path().into());
    let mut destination = Destination::open(&place, Format::Csv, &["outcomes"]).expect("a folder");
    destination.write(&outcomes()).expect("written");
    fs::write(&in_the_way, "mine").expect("written");
    let run = Provenance { id: "aa".to_owned(), ..provenance() };
    let told = destination.finish(&run).expect_err("there is a file where a folder belongs");
    assert!(matches!(&told, OutputError::InTheWay(at) if *at == in_the_way), "{told}");
    assert_eq!(files_below(folder.path()), ["outcomes"]);
    fs::remove_file(in_the_way).expect("removed");
    shared(folder.path(), &Provenance { id: "bb".to_owned(), ..provenance() }, 100);
    let files = files_below(folder.path());
    assert!(files.iter().all(|name| !name.contains("aa")), "{files:?}");
    assert_eq!(crate::table::verify(folder.path()), Some(BTreeMap::new()));
}

#[test]
fn a_name_that_is_too_long_for_a_folder_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (length, is_refused) in [(82, false), (83, true)] {
        // Each takes three bytes in the name of a folder, beside the nine of `scenario=`.
        let run = Provenance { scenario: "/".repeat(length), ..provenance() };
        let place = Place::Shared(folder.path().into());
        let mut destination = Destination::open(&place, Format::Csv, &["outcomes"]).expect("there");
        destination.write(&outcomes()).expect("written");
        let told = destination.finish(&run).err();
        assert_eq!(told.is_some(), is_refused, "{told:?}");
        assert!(told.is_none_or(|told| matches!(told, OutputError::LongName(_, 258))));
    }
    let place = Place::Shared(folder.path().into());
    Destination::open(&place, Format::Csv, &["outcomes"]).expect("nothing is promised");
}

#[test]
fn a_run_reads_its_tables_out_of_a_shared_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut one = provenance();
    one.id = "aa".to_owned();
    shared(folder.path(), &one, 100);
    let results = Results::open(folder.path()).expect("the only one");
    assert_eq!(results.table("outcomes").expect("read").expect("there").rows(), 2);
    assert_eq!(results.notes().expect("read"), "{}");
    let other = Provenance { id: "bb".to_owned(), seed: 9, ..one };
    shared(folder.path(), &other, 100);
    let several = Results::open(folder.path()).expect_err("two");
    assert!(several.remedy().contains("aa.json"), "{}", several.remedy());
    let named = Results::open(&folder.path().join("runs/bb.json")).expect("one");
    assert_eq!(named.provenance().seed, 9);
}

#[test]
fn a_folder_of_one_run_is_not_shared() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), 100);
    let place = Place::Shared(folder.path().into());
    let refused = Destination::open(&place, Format::Csv, &TWO).map(|_| ());
    assert!(matches!(refused, Err(OutputError::OneRun(_))));
}

#[test]
fn rows_that_come_before_the_run_is_known_are_no_others() {
    let folders = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
    let mut run = provenance();
    run.id = "0123456789abcdef".to_owned();
    for (folder, known) in folders.iter().zip([true, false]) {
        let place = Place::Folder(folder.path().into());
        let mut destination = Destination::open(&place, Format::Csv, &["outcomes"]).expect("open");
        if known {
            destination.identify(&run.id).expect("known");
        }
        destination.write(&outcomes()).expect("written");
        destination.write(&outcomes()).expect("written");
        destination.finish(&run).expect("moved into place");
    }
    let [known, unknown] = &folders;
    assert_eq!(contents(known.path()), contents(unknown.path()));
    let text = &contents(known.path())["outcomes.csv"];
    assert_eq!(text.lines().count(), 5);
    assert!(text.lines().skip(1).all(|row| row.ends_with(",0123456789abcdef")), "{text}");
}

/// What versions before lists wrote: no `format`, no `id`, no kinds but three.
#[test]
fn results_of_the_first_format_are_read_and_those_of_a_later_one_are_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = "matchup,opponents,battles,score\nFire vs Water,\"Water, or not\",10,0.5\n";
    fs::write(folder.path().join("outcomes.csv"), csv).expect("written");
    let sha256 = hexadecimal(Sha256::new_with_prefix(csv));
    let column = |name: &str, kind: &str| serde_json::json!({ "name": name, "meaning": "what", "kind": kind });
    let mut manifest = serde_json::json!({
        "run": {
            "program": "evens", "version": "0.1.0", "game": "splinterlands", "scenario": "mirror",
            "fingerprint": "f", "seed": 1, "battles_asked": 10, "battles_played": 10, "partial": false,
        },
        "files": [{
            "file": "outcomes.csv", "sha256": sha256, "table": "outcomes", "rows": 1,
            "columns": [
                column("matchup", "text"), column("opponents", "text"), column("battles", "count"),
                column("score", "number"),
            ],
        }],
    });
    let write = |manifest: &serde_json::Value| {
        fs::write(folder.path().join("provenance.json"), manifest.to_string()).expect("written");
    };
    write(&manifest);
    let results = Results::open(folder.path()).expect("an older one");
    let table = results.table("outcomes").expect("read").expect("there");
    let row: Vec<_> = table.columns.iter().map(|column| column.values.shown(0)).collect();
    assert_eq!(row, ["Fire vs Water", "Water, or not", "10", "0.5"]);
    assert_eq!(crate::table::verify(folder.path()), Some(BTreeMap::new()));
    manifest["format"] = 3.into();
    write(&manifest);
    let later = Results::open(folder.path()).expect_err("a later one");
    assert_eq!(
        later.to_string(),
        "its tables have format 3, and this program reads formats 1 to 2"
    );
}

/// Whatever is changed in a folder's `provenance.json`, be it one byte of it or a blank more, is told.
#[test]
fn a_list_that_is_not_as_it_was_written_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), 100);
    let path = folder.path().join("provenance.json");
    let written = fs::read(&path).expect("there");
    assert_eq!(crate::table::verify(folder.path()), Some(BTreeMap::new()));
    let told_of = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        let told = crate::table::verify(folder.path());
        assert_ne!(told, Some(BTreeMap::new()), "{}", String::from_utf8_lossy(bytes));
        told
    };
    for at in 0..written.len() {
        let mut other = written.clone();
        other[at] ^= 1;
        told_of(&other);
        other[at] = b' ';
        if other != written {
            told_of(&other);
        }
    }
    told_of(&[&written[..], b"\n"].concat());
    let text = String::from_utf8(written.clone()).expect("text");
    let relisted = || Some(BTreeMap::from([("provenance.json".to_owned(), Wrong::Relisted)]));
    for (from, to) in [("\"seed\": 7", "\"seed\": 8"), ("\"sha256\": \"", "\"sha255\": \"")] {
        let (head, tail) = text.rsplit_once(from).expect("it is there");
        assert_eq!(told_of(format!("{head}{to}{tail}").as_bytes()), relisted());
        let refused = Results::open(folder.path()).expect_err("it is not as it was written");
        assert!(matches!(refused, ReadError::Relisted(_)), "{refused}");
        let place = Place::Folder(folder.path().into());
        let refused = Destination::open(&place, Format::Csv, &TWO).map(|_| ());
        assert!(matches!(refused, Err(OutputError::Foreign(at)) if at == path));
    }
    // The remedy works.
    fs::write(&path, written).expect("written");
    run(folder.path(), 100);
    assert_eq!(crate::table::verify(folder.path()), Some(BTreeMap::new()));
}

/// Lists, flags and seeds come back out of a folder as they went in, but for the column `run`.
#[test]
fn tables_are_read_as_they_were_written() {
    let formats: &[Format] = &[
        Format::Csv,
        #[cfg(feature = "parquet")]
        Format::Parquet,
    ];
    for &format in formats {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::Folder(folder.path().into());
        let mut destination = Destination::open(&place, format, &["awkward"]).expect("a folder");
        let [one, other] = crate::table::tests::awkward();
        destination.write(&one).expect("written");
        destination.write(&other).expect("written");
        destination.finish(&provenance()).expect("moved into place");
        let results = Results::open(folder.path()).expect("results");
        let read = results.table("awkward").expect("read").expect("there");
        assert_eq!(read.columns.len(), one.columns.len());
        for ((read, one), other) in read.columns.iter().zip(&one.columns).zip(&other.columns) {
            let mut all = one.values.clone();
            all.append(&other.values, 0..other.values.len());
            assert_eq!((read.values.kind(), &read.meaning), (all.kind(), &one.meaning));
            for row in 0..all.len() {
                assert_eq!(read.values.shown(row), all.shown(row), "{}", read.name);
            }
        }
    }
}
