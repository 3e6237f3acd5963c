//! The files that this process has read or depends on, so that no output overwrites one of them. Whatever reads files
//! for a command notes them here, and whatever opens an output checks here: no command has to name its inputs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::parallel::locked;

/// The files that were read, by their canonical paths.
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
