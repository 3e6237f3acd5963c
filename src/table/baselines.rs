//! Folders of baselines, to which no tables go and no other file that ends in `.json`.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use super::folder::file_name;

/// Text that every baseline has near its beginning.
const BASELINE: &[u8] = b"\"evens_baseline\"";

/// Whether a folder holds baselines of `nightly`, which takes every file there that ends in `.json` for one.
pub(super) fn holds_baselines(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| is_json(&entry.path()) && is_baseline(&entry.path()))
}

/// Whether a file has a name that `nightly` reads in a folder of baselines.
pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json") && !file_name(path).starts_with('.')
}

fn is_baseline(path: &Path) -> bool {
    let mut head = Vec::new();
    // Opening a pipe would block.
    let read = path.is_file()
        && File::open(path)
            .is_ok_and(|file| file.take(BASELINE.len() as u64 + 16).read_to_end(&mut head).is_ok());
    read && head.windows(BASELINE.len()).any(|part| part == BASELINE)
}
