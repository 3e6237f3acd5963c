//! Whether the files of a folder are as they were written.

use std::collections::BTreeMap;
use std::io::ErrorKind::PermissionDenied;
use std::path::{Path, PathBuf};

use super::{MANIFEST, NOTE, bytes_of, has_bad_note};
use crate::table::partition;
use crate::table::provenance::{FORMAT, Manifest};

/// What is wrong with a file in a folder of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// A command was ended before all files had taken their names.
    #[error(
        "a command was ended while it put its results here: the next one that writes here finishes it"
    )]
    Unfinished,
    /// The note of such a command cannot be used.
    #[error("it is damaged, or no note of ours, so that nobody can finish what it is about")]
    Note,
    /// The file is the manifest of tables that a later version of the program wrote.
    #[error("its tables have format {0}, and this program reads formats 1 to {FORMAT}")]
    Later(u32),
    /// Its name leads out of the folder.
    #[error("it is not in this folder")]
    Elsewhere,
    /// It is missing.
    #[error("it is missing")]
    Missing,
    /// It is there and cannot be read.
    #[error("it cannot be read")]
    Unreadable,
    /// Its bytes are not those that were written.
    #[error("it is not the file that was written: its hash differs")]
    Changed,
    /// The file is a manifest, and its digest is not the one that it states.
    #[error("it is not the file that was written: it has another digest than it says")]
    Relisted,
}

impl Wrong {
    /// What to do about it.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Unfinished | Self::Missing => {
                "run the command again: its results take the place of these"
            }
            Self::Later(_) => "read it with the version of evens that wrote it, or a later one",
            Self::Elsewhere => "write the results to another folder",
            Self::Note => "remove this file: the results that are there are as they were",
            Self::Unreadable => {
                "make it readable (`chmod u+r`), or move it away and run the command again"
            }
            Self::Changed => MOVE_AWAY,
            Self::Relisted => PUT_BACK,
        }
    }
}

/// What to do about a file that is not as it was written.
pub(in crate::table) const MOVE_AWAY: &str =
    "move it away and run the command again: only results as they were written are replaced";

/// What to do about a manifest that is not as it was written: without it, nothing says that the tables are ours to replace.
pub(in crate::table) const PUT_BACK: &str = "put back the file that was written, or run the command again with another \
                                             folder: what it says of the run and of the files may be wrong";

/// Checks a folder of tables against its manifests. Returns what is wrong, by file: empty when all listed files are as
/// they were written, None when there is no manifest.
#[must_use]
pub fn verify(folder: &Path) -> Option<BTreeMap<String, Wrong>> {
    if folder.join(NOTE).exists() {
        let wrong = if has_bad_note(folder) { Wrong::Note } else { Wrong::Unfinished };
        return Some([(NOTE.to_owned(), wrong)].into());
    }
    if bytes_of(&folder.join(MANIFEST)).is_err_and(|error| error.kind() == PermissionDenied) {
        return Some([(MANIFEST.to_owned(), Wrong::Unreadable)].into());
    }
    let manifests: Vec<(String, Manifest)> = match Manifest::read(&folder.join(MANIFEST)) {
        Some(manifest) => vec![(MANIFEST.to_owned(), manifest)],
        None => {
            let runs = partition::runs(folder).ok()?;
            let read = |run: &PathBuf| {
                let name = run.strip_prefix(folder).ok()?.to_string_lossy().into_owned();
                Some((name, Manifest::read(run)?))
            };
            runs.iter().map(read).collect::<Option<_>>()?
        }
    };
    let of_itself = |(name, manifest): &(String, Manifest)| {
        let changed = manifest.is_changed.then_some(Wrong::Relisted);
        Some((name.clone(), manifest.later_format().map(Wrong::Later).or(changed)?))
    };
    let mut wrong: BTreeMap<String, Wrong> = manifests.iter().filter_map(of_itself).collect();
    let files = manifests.iter().flat_map(|(_, manifest)| &manifest.files);
    wrong.extend(files.filter_map(|listed| Some((listed.file.clone(), listed.wrong_in(folder)?))));
    Some(wrong)
}
