//! Claims on output places, so that no two outputs of this process go to the same one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::OutputError;
use crate::parallel::locked;

/// The full paths of files and folders that outputs currently go to.
static TAKEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A claim of one output on a file or folder, held until it is dropped.
#[derive(Debug)]
pub(super) struct Claim(PathBuf);

impl Claim {
    /// Claims a full path for an output.
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

    /// Whether an output of this process has claimed it.
    pub(super) fn is_on(path: &Path) -> bool {
        locked(&TAKEN).contains(path)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        locked(&TAKEN).remove(&self.0);
    }
}
