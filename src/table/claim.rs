//! Where the outputs of this process go: no two of them to one place.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::OutputError;
use crate::parallel::locked;

/// Files and folders that outputs go to now, by their whole paths.
static TAKEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file or folder that one output of this process goes to, until it is dropped.
#[derive(Debug)]
pub(super) struct Claim(PathBuf);

impl Claim {
    /// Takes a whole path for an output.
    ///
    /// # Errors
    /// When another output has it.
    pub(super) fn on(path: PathBuf) -> Result<Self, OutputError> {
        if locked(&TAKEN).insert(path.clone()) {
            Ok(Self(path))
        } else {
            Err(OutputError::Twice(path))
        }
    }

    /// Whether an output of this process has it.
    pub(super) fn is_on(path: &Path) -> bool {
        locked(&TAKEN).contains(path)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        locked(&TAKEN).remove(&self.0);
    }
}
