//! Which files this process has read, so that no output takes the place of one.

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
