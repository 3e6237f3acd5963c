//! Files that no report, summary or other single output may replace: those that commands keep in a folder of results,
//! of a history, or of the battles played so far.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use super::folder::{MANIFEST, NOTES, file_name};
use super::partition::{RUNS, is_shared, manifest_of_part};
use super::places::ASIDE;
use super::provenance::Manifest;

/// Prefix of files that exist for a moment only.
const MOMENTARY: &str = ".evens-";
/// Suffix of files that hold the battles played so far.
const PLAYED: &str = ".partial";
/// Files and folders that are, or will be, beside the tables of one run.
const OF_ONE_RUN: [&str; 4] = [MANIFEST, NOTES, ASIDE, CHECKPOINT];
/// Text that every baseline has near its beginning.
const BASELINE: &[u8] = b"\"evens_baseline\"";
/// Name of the folder that holds the battles played so far.
pub(crate) const CHECKPOINT: &str = "checkpoint";
/// How many folders deep a table is in a folder that runs share.
const MOST_FOLDERS: usize = 3;

/// Whether one of our commands keeps a file at this full path.
pub(super) fn is_kept(path: &Path) -> bool {
    let name = file_name(path);
    if name.starts_with(MOMENTARY) || name.ends_with(PLAYED) {
        return true;
    }
    path.ancestors().skip(1).take(MOST_FOLDERS + 1).any(|root| {
        let inside = path.strip_prefix(root).unwrap_or(path);
        belongs_to_one_run(root, inside) || belongs_to_many(root, inside)
    })
}

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

/// Whether a file belongs to the tables of the one run in a folder.
fn belongs_to_one_run(root: &Path, inside: &Path) -> bool {
    let Some(manifest) = Manifest::read(&root.join(MANIFEST)) else { return false };
    OF_ONE_RUN.iter().any(|name| inside == Path::new(name)) || lists(&manifest, inside)
}

/// Whether a file belongs to one of the runs that share a folder.
fn belongs_to_many(root: &Path, inside: &Path) -> bool {
    if inside.starts_with(RUNS) {
        return is_shared(root);
    }
    let manifest = manifest_of_part(&file_name(inside));
    let manifest = manifest.and_then(|name| Manifest::read(&root.join(name)));
    manifest.is_some_and(|manifest| lists(&manifest, inside))
}

fn lists(manifest: &Manifest, inside: &Path) -> bool {
    manifest.files.iter().any(|listed| Path::new(&listed.file) == inside)
}
