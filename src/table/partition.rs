//! A folder that many runs share: `TABLE/scenario=NAME/seed=N/part-RUN.parquet`.
//!
//! DuckDB, polars and pyarrow read such folders as one table and `scenario` and `seed` as columns of it. A run makes
//! its files in a folder of its own inside, so that several may play at once; the shared folder is locked only for the
//! moment in which the files take their names. `runs/RUN.json` is to the files of a run what `provenance.json` is to a
//! folder of one run. Playing the same run again replaces its own files and no others.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::claim::Claim;
use super::folder::{Folder, Made, NOTE, STAGED};
use super::provenance::Manifest;
use super::{OutputError, Provenance};
use crate::remote::is_remote;

/// Name of the folder with the manifest of each run.
pub(super) const RUNS: &str = "runs";
/// Suffix of the file names of report notes.
const NOTES: &str = ".report.json";
/// Age at which the leftovers of a killed run are removed.
const DAY: Duration = Duration::from_secs(24 * 3600);

/// A shared folder, and the folder in it where one run makes its files.
#[derive(Debug)]
pub(super) struct Shared {
    root: PathBuf,
    /// The run's own folder inside it, removed on drop with everything that is still there.
    own: TempDir,
    _made: Made,
}

impl Shared {
    /// Opens a shared folder, which is made when it is missing, and makes the run's own folder inside.
    pub(super) fn open(root: &Path) -> Result<(Self, Folder), OutputError> {
        if is_remote(root) {
            return Err(OutputError::NotShared(root.to_owned()));
        }
        let (made, own) = Self::make(root)?;
        if fs::canonicalize(root).is_ok_and(|root| Claim::is_on(&root)) {
            return Err(OutputError::Twice(root.to_owned()));
        }
        if Manifest::read(&root.join(super::folder::MANIFEST)).is_some() {
            return Err(OutputError::OneRun(root.to_owned()));
        }
        remove_leftovers(root);
        let folder = Folder::open(own.path())?;
        Ok((Self { root: root.to_owned(), own, _made: made }, folder))
    }

    /// Makes the shared folder, where it is missing, and the run's own folder inside. Another run that made the shared one
    /// and was done before anything was in it may have removed it in between.
    fn make(root: &Path) -> Result<(Made, TempDir), OutputError> {
        const TIMES: u32 = 100;
        let is_gone = |error: &OutputError| matches!(error, OutputError::Open { source, .. } if source.kind() == ErrorKind::NotFound);
        let once = || {
            let made = Made::at(root)?;
            let own = tempfile::Builder::new().prefix(STAGED).tempdir_in(root);
            let unopened = |source| OutputError::Open { path: root.to_owned(), source };
            Ok((made, own.map_err(unopened)?))
        };
        for _ in 1..TIMES {
            match once() {
                Err(error) if is_gone(&error) => {}
                done => return done,
            }
        }
        once()
    }

    /// The path of the shared folder.
    #[cfg(feature = "cli")]
    pub(super) fn path(&self) -> &Path {
        &self.root
    }

    /// Opens and locks the shared folder itself, once no other run moves files into place there.
    pub(super) fn root(&self) -> Result<Folder, OutputError> {
        Folder::open_waiting(&self.root)
    }

    /// Closes it after the files could not take their names. While a commit note may promise some of them, the run's
    /// own folder stays for the next command.
    pub(super) fn leave(self) {
        if is_promised(&self.root) {
            let _ = self.own.keep();
        }
    }
}

/// The longest file name, in bytes, that the usual file systems take.
pub(super) const MOST_NAME: usize = 255;

/// The name of a scenario's folder.
fn folder_of(scenario: &str) -> String {
    format!("scenario={}", encoded(scenario))
}

/// Checks the length of the name of a scenario's folder.
///
/// # Errors
/// When that is too long.
pub(super) fn check_name(scenario: &str) -> Result<(), OutputError> {
    match folder_of(scenario).len() {
        length if length > MOST_NAME => Err(OutputError::LongName(scenario.to_owned(), length)),
        _ => Ok(()),
    }
}

/// The path of a run's table, relative to the shared folder.
pub(super) fn part(table: &str, ending: &str, run: &Provenance) -> String {
    let Provenance { scenario, seed, id, .. } = run;
    format!("{table}/{}/seed={seed}/part-{id}.{ending}", folder_of(scenario))
}

/// The path of the manifest that lists a table's file, by the name of that file; None when it is not such a name.
#[cfg(feature = "cli")]
pub(super) fn manifest_of_part(file: &str) -> Option<String> {
    let (run, _) = file.strip_prefix("part-")?.split_once('.')?;
    Some(manifest_name(run))
}

/// The path of a run's manifest, relative to the shared folder.
pub(super) fn manifest_name(run: &str) -> String {
    format!("{RUNS}/{run}.json")
}

/// The path of a run's report notes (what a report says that no table holds), relative to the shared folder.
pub(super) fn notes_name(run: &str) -> String {
    format!("{RUNS}/{run}{NOTES}")
}

/// The manifest paths of all runs in a shared folder, sorted; an error when the folder is not a shared one.
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

/// Encodes a value for a folder name as Hive does: every byte but ASCII letters, digits and `-._` becomes `%XX`.
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

/// Whether there may be a commit note in a shared folder, which may promise files in any folder inside.
fn is_promised(root: &Path) -> bool {
    !matches!(root.join(NOTE).try_exists(), Ok(false))
}

/// Removes the folders that killed runs left in a shared folder: those older than a day that nobody has locked.
fn remove_leftovers(root: &Path) {
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let is_own = entry.file_name().to_string_lossy().starts_with(STAGED);
        let age = entry.metadata().and_then(|found| found.modified()).ok();
        let age = age.and_then(|then| SystemTime::now().duration_since(then).ok());
        if is_own && entry.path().is_dir() && age.is_some_and(|age| age > DAY) {
            let lock = File::open(entry.path());
            // A run that has ended writes no more notes.
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

    /// A run that only looks whether it may write removes the folder that it made, while another one begins.
    #[test]
    fn runs_that_begin_at_once_make_the_folder_again() {
        let above = tempfile::tempdir().expect("a folder");
        let root = above.path().join("history");
        let open = || (0..200).try_for_each(|_| Shared::open(&root).map(drop));
        std::thread::scope(|scope| {
            let runs: Vec<_> = (0..6).map(|_| scope.spawn(open)).collect();
            for run in runs {
                run.join().expect("no panic").expect("it can be opened");
            }
        });
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
