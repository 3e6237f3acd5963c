//! Whatever is removed in the middle of an act, the results of an earlier command are whole, or those of this one are.

use super::*;
use crate::digest::fingerprint;

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
    let hashes = format!(
        r#", "sha256": {{"outcomes.csv": "{}", "provenance.json": "{}"}}}}"#,
        fingerprint(["new"]),
        fingerprint(["new list"])
    );
    let (now, before) = (format!("{PROMISE}{hashes}"), format!("{PROMISE}}}"));
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
        // Notes of older versions tell no hashes.
        (&before, &[orders, old_outcomes, old_list, a, b], &NEW),
        (&before, &[orders, outcomes, old_list, b], &NEW),
        (&before, &OLD, &OLD),
    ] {
        let folder = with(found);
        fs::write(folder.path().join(NOTE), note).expect("written");
        drop(Folder::open(folder.path()).expect("it can be written to"));
        assert_eq!(contents(folder.path()), listed(expected), "{note} with {found:?}");
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
