//! Which files this process has read or goes by, so that no output takes the place of one. Whatever reads files for a command
//! notes them here, and whatever opens an output looks here: no command has to name its inputs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::parallel::locked;

/// Files that were read, by their whole paths.
static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Notes that a file is read.
pub(crate) fn note(path: &Path) {
    if let Ok(path) = fs::canonicalize(path) {
        locked(&READ).insert(path);
    }
}

/// The files that were read so far.
#[cfg(feature = "cli")]
pub(crate) fn all() -> Vec<PathBuf> {
    locked(&READ).iter().cloned().collect()
}
