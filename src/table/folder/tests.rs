//! Whatever is removed in the middle of an act, the results of an earlier command are whole, or those of this one are.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::digest::fingerprint;
use crate::table::target::registered;

const OLD: [(&str, &str); 3] =
    [("orders.csv", "old orders"), ("outcomes.csv", "old"), (MANIFEST, "old list")];
const NEW: [(&str, &str); 2] = [("outcomes.csv", "new"), (MANIFEST, "new list")];
/// What a command leaves that was ended before all that it had promised was done.
const PROMISE: &str = r#"{"moves": [[".evens-staged-a", "outcomes.csv"], [".evens-staged-b", "provenance.json"]],
                          "removals": ["orders.csv"]"#;

fn with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

fn contents(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let text = |path: PathBuf| (file_name(&path), fs::read_to_string(path).expect("text"));
    entries.map(|entry| text(entry.path())).collect()
}

fn listed(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
}

/// The new files, staged.
fn staged(folder: &Folder) -> Vec<Staged> {
    let stage = |(name, text): (&str, &str)| {
        let mut staged = folder.stage(name).expect("a file");
        staged.write(text).expect("written");
        staged.sha256 = Some(fingerprint([text]));
        staged
    };
    NEW.map(stage).into()
}

#[test]
fn a_promise_is_kept_as_a_whole_or_dropped() {
    let (a, b) = ((".evens-staged-a", "new"), (".evens-staged-b", "new list"));
    let [outcomes, list] = NEW;
    let [orders, old_outcomes, old_list] = OLD;
    let now = promise();
    for (note, found, expected) in [
        // Nothing is moved yet, and one part after the other.
        (&now, &[orders, old_outcomes, old_list, a, b][..], &NEW[..]),
        (&now, &[orders, outcomes, old_list, b], &NEW),
        (&now, &[orders, outcomes, list], &NEW),
        (&now, &[outcomes, list], &NEW),
        // What was to be moved is gone, all of it or a part.
        (&now, &OLD, &OLD),
        (&now, &[orders, old_outcomes, old_list, a], &OLD),
        (&now, &[orders, old_outcomes, old_list, b], &OLD),
        (&now, &[orders, old_list, b], &[orders, old_list]),
        (&now, &[orders, outcomes, old_list], &[orders, outcomes, old_list]),
    ] {
        let folder = with(found);
        fs::write(folder.path().join(NOTE), note).expect("written");
        drop(Folder::open(folder.path()).expect("it can be written to"));
        assert_eq!(contents(folder.path()), listed(expected), "{note} with {found:?}");
    }
}

/// The note [`PROMISE`] with all that it knows of the files: the hashes of new and of old ones.
fn promise() -> String {
    let told = |of: &[(&str, &str)]| {
        let hash = |(name, text): &(&str, &str)| format!(r#""{name}": "{}""#, fingerprint([*text]));
        of.iter().map(hash).collect::<Vec<_>>().join(", ")
    };
    format!(r#"{PROMISE}, "sha256": {{{}}}, "before": {{{}}}}}"#, told(&NEW), told(&OLD))
}

/// Somebody's work stays, wherever the command was ended, and nothing else changes before it is out of the way.
#[test]
fn a_promise_does_not_cost_what_somebody_has_changed_since() {
    let (a, b) = ((".evens-staged-a", "new"), (".evens-staged-b", "new list"));
    let [outcomes, _] = NEW;
    let [orders, old_outcomes, old_list] = OLD;
    for (changed, rest) in [
        (("orders.csv", "my own"), &[old_outcomes, old_list, a, b][..]),
        (("orders.csv", "my own"), &[outcomes, old_list, b]),
        (("outcomes.csv", "my own"), &[orders, old_list, a, b]),
        ((MANIFEST, "my own"), &[orders, outcomes, b]),
    ] {
        let found = [rest, &[changed]].concat();
        let folder = with(&found);
        fs::write(folder.path().join(NOTE), promise()).expect("written");
        let told = Folder::open(folder.path()).expect_err("it is somebody's");
        assert!(matches!(told, OutputError::Foreign(_)), "{told}");
        let before = contents(folder.path());
        assert_eq!(before[changed.0], "my own");
        assert_eq!(before.len(), found.len() + 1);
        fs::remove_file(folder.path().join(changed.0)).expect("out of the way");
        drop(Folder::open(folder.path()).expect("it can be written to"));
        assert_eq!(contents(folder.path()), listed(&NEW), "{found:?}");
    }
}

/// A folder from elsewhere may hold a note of anybody's.
#[test]
fn a_note_that_does_not_know_what_it_removes_is_none_of_ours() {
    let forged = r#"{"moves": [], "sha256": {}, "removals": ["mine.txt"]}"#;
    let knows_nothing = r#"{"moves": [], "sha256": {}, "before": {}, "removals": ["mine.txt"]}"#;
    for note in [forged, knows_nothing] {
        let folder = with(&[("mine.txt", "mine"), (NOTE, note)]);
        assert!(Folder::open(folder.path()).is_err());
        assert_eq!(contents(folder.path())["mine.txt"], "mine");
    }
}

#[test]
fn files_that_are_gone_before_they_have_their_names_are_no_success() {
    let place = with(&OLD);
    let folder = Folder::open(place.path()).expect("a folder");
    let staged = staged(&folder);
    fs::remove_file(&*staged[0].temporary.path).expect("removed");
    let told = folder.commit(staged).expect_err("it cannot be done");
    assert!(matches!(told, OutputError::Write { .. }), "{told}");
    drop(Folder::open(place.path()).expect("it can be written to"));
    assert_eq!(contents(place.path()), listed(&OLD));
}

/// Whoever ends the program removes what is registered, at any moment.
#[test]
fn nothing_is_registered_that_a_note_promises() {
    // The moment is short, so it is tried many times.
    for _ in 0..50 {
        let place = with(&OLD);
        let folder = Folder::open(place.path()).expect("a folder");
        let staged = staged(&folder);
        let (note, is_done) = (place.path().join(NOTE), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    let registered = registered();
                    let mut here = registered.iter().filter(|path| path.starts_with(place.path()));
                    let is_promised = note.exists();
                    assert!(!is_promised || !here.any(|path| path.exists()));
                }
            });
            folder.commit(staged).expect("committed");
            is_done.store(true, Ordering::Relaxed);
            watch.join().expect("no file was registered");
        });
    }
}

/// Files of a run in a folder that many share, for which there is no room yet.
fn below(folder: &Folder, name: &str) -> Vec<Staged> {
    let mut first = folder.stage(name).expect("a file");
    first.write("new").expect("written");
    first.sha256 = Some(fingerprint(["new"]));
    let mut all = vec![first];
    all.extend(staged(folder));
    all
}

/// What a command leaves that was killed as soon as it had promised files.
fn killed(place: &Path, name: &str) {
    let folder = Folder::open(place).expect("a folder");
    let staged = below(&folder, name);
    let mut note = Note::default();
    for file in &staged {
        note.moves.push(folder.in_note(file).expect("a note"));
        note.sha256.insert(file.name.clone(), file.hash().expect("a hash"));
        let before = folder.hash_of(&file.name).expect("read");
        note.before.extend(before.map(|hash| (file.name.clone(), hash)));
    }
    folder.promise(&note, staged).expect("promised");
}

#[test]
fn what_was_promised_is_done_once_nothing_is_in_the_way() {
    let place = with(&OLD);
    killed(place.path(), "units/part.csv");
    let in_the_way = place.path().join("units");
    fs::write(&in_the_way, "mine").expect("written");
    let told = Folder::open(place.path()).expect_err("there is a file where a folder belongs");
    assert!(told.to_string().contains(&in_the_way.display().to_string()), "{told}");
    assert!(matches!(told, OutputError::HalfDone { .. }), "{told}");
    assert_eq!(fs::read(&in_the_way).expect("still there"), b"mine");
    fs::remove_file(&in_the_way).expect("removed");
    drop(Folder::open(place.path()).expect("it can be written to"));
    assert_eq!(fs::read(in_the_way.join("part.csv")).expect("there"), b"new");
    fs::remove_dir_all(in_the_way).expect("removed");
    let [orders, ..] = OLD;
    assert_eq!(contents(place.path()), listed(&[&[orders], &NEW[..]].concat()));
}

/// Nothing that a user does would let the promise be kept.
#[test]
fn a_promise_of_names_that_are_too_long_locks_nobody_out() {
    let place = with(&OLD);
    killed(place.path(), &format!("{}/part.csv", "n".repeat(256)));
    drop(Folder::open(place.path()).expect("it can be written to"));
    assert_eq!(contents(place.path()), listed(&OLD));
}

/// The system refuses a name that nothing seemed to be in the way of: what has its name already goes back.
#[test]
fn a_promise_that_changes_nothing_old_is_taken_back_where_it_cannot_be_kept() {
    let place = with(&[OLD[0]]);
    let folder = Folder::open(place.path()).expect("a folder");
    let mut all = staged(&folder);
    let mut last = folder.stage("again.csv").expect("a file");
    last.write("new").expect("written");
    last.name = "outcomes.csv/again.csv".to_owned();
    all.push(last);
    assert!(folder.commit(all).is_err());
    assert_eq!(contents(place.path()), listed(&[OLD[0]]));
}

#[cfg(feature = "cli")]
const ENDED: i32 = 5;

/// What is in a folder where this test commits files in a program of its own, which ends with [`ENDED`].
#[cfg(feature = "cli")]
fn where_a_program_ends(test: &str, commit: impl FnOnce(Folder)) -> BTreeMap<String, String> {
    const PLACE: &str = "EVENS_TEST_ENDS_IN";
    if let Some(place) = std::env::var_os(PLACE) {
        commit(Folder::open(Path::new(&place)).expect("a folder"));
        panic!("it has not ended");
    }
    let place = with(&OLD);
    let program = std::env::current_exe().expect("this one");
    let mut alone = std::process::Command::new(program);
    let test = format!("table::folder::tests::{test}");
    let output = alone.args(["--exact", &test]).env(PLACE, place.path()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(ENDED), "{output:?}");
    contents(place.path())
}

/// A program that ends between the removal of temporary files and its end, which takes a moment, promises nothing.
#[cfg(feature = "cli")]
#[test]
fn a_program_that_is_about_to_end_promises_nothing() {
    let found = where_a_program_ends("a_program_that_is_about_to_end_promises_nothing", |folder| {
        let staged = staged(&folder);
        let last = staged[1].temporary.path.to_path_buf();
        std::thread::spawn(|| {
            crate::table::remove_temporary_files();
            std::thread::sleep(std::time::Duration::from_millis(500));
            std::process::exit(ENDED);
        });
        while last.exists() {
            std::thread::yield_now();
        }
        drop(folder.commit(staged));
    });
    assert_eq!(found, listed(&OLD));
}

/// Whoever ends the program while files take their names waits until they have them.
#[cfg(feature = "cli")]
#[test]
fn a_program_that_has_promised_ends_when_it_has_kept_its_word() {
    let test = "a_program_that_has_promised_ends_when_it_has_kept_its_word";
    let found = where_a_program_ends(test, |mut folder| {
        let (place, note) = (folder.path.clone(), folder.path.join(NOTE));
        std::thread::spawn(move || {
            while !note.exists() {
                std::thread::yield_now();
            }
            crate::table::remove_temporary_files();
            std::process::exit(ENDED);
        });
        // The moment is short, so it is tried many times.
        loop {
            let staged = staged(&folder);
            drop(folder.commit(staged));
            folder = Folder::open(&place).expect("a folder");
        }
    });
    // No list that can be read has the orders, so they are not ours to remove.
    let [orders, ..] = OLD;
    let [outcomes, list] = NEW;
    assert_eq!(found, listed(&[orders, outcomes, list]));
}

/// `/dev/null` cannot be synced, like a disk that has become faulty.
#[cfg(target_os = "linux")]
#[test]
fn a_note_that_the_disk_may_not_have_is_taken_back() {
    let place = with(&OLD);
    let mut folder = Folder::open(place.path()).expect("a folder");
    let staged = staged(&folder);
    folder.lock = Some(File::open("/dev/null").expect("it is there"));
    let told = folder.commit(staged).expect_err("the disk is faulty");
    assert!(told.to_string().contains(NOTE), "{told}");
    assert_eq!(contents(place.path()), listed(&OLD));
    drop(Folder::open(place.path()).expect("it can be written to"));
    assert_eq!(contents(place.path()), listed(&OLD));
}
