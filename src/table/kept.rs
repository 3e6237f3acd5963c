//! Files that no report, summary or other single output may replace: those that commands keep in a folder of results,
//! of a history, or of the battles played so far.

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
