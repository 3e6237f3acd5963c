//! A folder that many runs share: `TABLE/scenario=NAME/seed=N/part-RUN.parquet`.
//!
//! DuckDB, polars and pyarrow read such folders as one table and `scenario` and `seed` as columns of it. A run makes its
//! files in a folder of its own inside, so that several may play at once; only the moment in which the files take their
//! names has the lock of the shared folder. `runs/RUN.json` is to the files of a run what `provenance.json` is to a folder
//! of one run. The same run again takes the place of its own files and of no others.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::claim::Claim;
use super::folder::{Folder, Made, NOTE, STAGED};
use super::provenance::Manifest;
use super::{OutputError, Provenance};
use crate::remote::is_remote;

/// The folder of what is known of each run.
pub(super) const RUNS: &str = "runs";
/// What a name of a run's notes ends with.
const NOTES: &str = ".report.json";
/// What a run that was killed has left behind goes after so long.
const DAY: Duration = Duration::from_secs(24 * 3600);

/// A shared folder, and the folder in it where one run makes its files.
#[derive(Debug)]
pub(super) struct Shared {
    root: PathBuf,
    /// The folder in it; removed with all that is still there.
    own: TempDir,
    _made: Made,
}

impl Shared {
    /// Opens a shared folder, which is made when it is missing, and the folder inside that a run makes its files in.
    pub(super) fn open(root: &Path) -> Result<(Self, Folder), OutputError> {
        if is_remote(root) {
            return Err(OutputError::NotShared(root.to_owned()));
        }
        let unopened = |source| OutputError::Open { path: root.to_owned(), source };
        let made = Made::at(root)?;
        if fs::canonicalize(root).is_ok_and(|root| Claim::is_on(&root)) {
            return Err(OutputError::Twice(root.to_owned()));
        }
        if Manifest::read(&root.join(super::folder::MANIFEST)).is_some() {
            return Err(OutputError::OneRun(root.to_owned()));
        }
        remove_leftovers(root);
        let own = tempfile::Builder::new().prefix(STAGED).tempdir_in(root).map_err(unopened)?;
        let folder = Folder::open(own.path())?;
        Ok((Self { root: root.to_owned(), own, _made: made }, folder))
    }

    /// The shared folder.
    #[cfg(feature = "cli")]
    pub(super) fn path(&self) -> &Path {
        &self.root
    }

    /// The shared folder itself, once nobody else gives files their names there.
    pub(super) fn root(&self) -> Result<Folder, OutputError> {
        Folder::open_waiting(&self.root)
    }

    /// Lets go of it once the files did not take their names: as long as a note may promise some, they stay for the next
    /// command.
    pub(super) fn leave(self) {
        if is_promised(&self.root) {
            let _ = self.own.keep();
        }
    }
}

/// As many bytes as the usual file systems take of a name.
pub(super) const MOST_NAME: usize = 255;

/// The folder of a scenario.
fn folder_of(scenario: &str) -> String {
    format!("scenario={}", encoded(scenario))
}

/// Makes sure that a scenario's folder can have its name.
///
/// # Errors
/// When that is too long.
pub(super) fn check_name(scenario: &str) -> Result<(), OutputError> {
    match folder_of(scenario).len() {
        length if length > MOST_NAME => Err(OutputError::LongName(scenario.to_owned(), length)),
        _ => Ok(()),
    }
}

/// Where a table of a run goes.
pub(super) fn part(table: &str, ending: &str, run: &Provenance) -> String {
    let Provenance { scenario, seed, id, .. } = run;
    format!("{table}/{}/seed={seed}/part-{id}.{ending}", folder_of(scenario))
}

/// What is known of the run that a file of a table is of, by the file's name; none where it is no such name.
#[cfg(feature = "cli")]
pub(super) fn manifest_of_part(file: &str) -> Option<String> {
    let (run, _) = file.strip_prefix("part-")?.split_once('.')?;
    Some(manifest_name(run))
}

/// What is known of a run.
pub(super) fn manifest_name(run: &str) -> String {
    format!("{RUNS}/{run}.json")
}

/// What the report of a run says that no table holds.
pub(super) fn notes_name(run: &str) -> String {
    format!("{RUNS}/{run}{NOTES}")
}

/// The runs of a shared folder; none where it is none.
pub(super) fn runs(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut runs = Vec::new();
    for entry in fs::read_dir(root.join(RUNS))? {
        let path = entry?.path();
        let name = super::folder::file_name(&path);
        if name.ends_with(".json") && !name.ends_with(NOTES) {
            runs.push(path);
        }
    }
    runs.sort();
    Ok(runs)
}

/// Whether a folder holds the results of many runs.
pub(super) fn is_shared(root: &Path) -> bool {
    !is_remote(root)
        && runs(root).is_ok_and(|runs| runs.iter().any(|run| Manifest::read(run).is_some()))
}

/// A value as it stands in the name of a folder, the way Hive writes it: all but letters, digits and `-._` by their bytes.
fn encoded(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => text.push(byte.into()),
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

/// Whether a note in a shared folder promises files, which may be in any folder inside.
fn is_promised(root: &Path) -> bool {
    !matches!(root.join(NOTE).try_exists(), Ok(false))
}

/// Removes folders of runs that were killed: nobody holds their lock any more.
fn remove_leftovers(root: &Path) {
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let is_own = entry.file_name().to_string_lossy().starts_with(STAGED);
        let age = entry.metadata().and_then(|found| found.modified()).ok();
        let age = age.and_then(|then| SystemTime::now().duration_since(then).ok());
        if is_own && entry.path().is_dir() && age.is_some_and(|age| age > DAY) {
            let lock = File::open(entry.path());
            // Whoever has ended writes no note any more.
            if lock.is_ok_and(|lock| lock.try_lock().is_ok() && !is_promised(root)) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_encoded_as_hive_does() {
        assert_eq!(encoded("splinterlands/mirror"), "splinterlands%2Fmirror");
        assert_eq!(encoded("a=b é"), "a%3Db%20%C3%A9");
        let run = Provenance { id: "ab12".to_owned(), ..Provenance::new("g", "a/b", "f", 7, 10) };
        assert_eq!(part("units", "csv", &run), "units/scenario=a%2Fb/seed=7/part-ab12.csv");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_note_may_promise_is_no_leftover() {
        let root = tempfile::tempdir().expect("a folder");
        let (own, note) = (root.path().join(".evens-staged-a"), root.path().join(NOTE));
        fs::create_dir(&own).expect("a folder");
        fs::write(own.join(".evens-staged-b"), "new").expect("written");
        fs::write(&note, "{}").expect("written");
        let long_ago = SystemTime::now() - 2 * DAY;
        File::open(&own).and_then(|own| own.set_modified(long_ago)).expect("it has a time");
        remove_leftovers(root.path());
        assert!(own.join(".evens-staged-b").exists());
        fs::remove_file(note).expect("removed");
        remove_leftovers(root.path());
        assert!(!own.exists());
    }
}
