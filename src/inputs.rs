//! The files that this process has read or depends on, so that no output overwrites one of them. Whatever reads files
//! for a command notes them here, and whatever opens an output checks here: no command has to name its inputs. What to
//! do about a file that cannot be read is said here, too.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
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

/// The remedy for a file that cannot be read because of this error.
pub(crate) fn how_to_read(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::InvalidData if error.to_string().contains("UTF-16") => {
            "save it as UTF-8, which editors offer under \"encoding\"; `iconv -f UTF-16 -t UTF-8 OLD > NEW` converts it"
        }
        ErrorKind::InvalidData => {
            "save it as UTF-8, which editors offer under \"encoding\"; `iconv -f LATIN1 -t UTF-8 OLD > NEW` converts it"
        }
        ErrorKind::PermissionDenied => {
            "make it readable (`chmod u+r`), or run as somebody who may read it"
        }
        ErrorKind::FileTooLarge => {
            "name another file if this is not the one that was meant, or take out of it what is not needed"
        }
        _ => "check the path",
    }
}
