//! Locations in object stores: `s3://BUCKET/KEY` where a folder may stand.
//!
//! A location is used as a folder is: tables, partial results and pages have the same names below it. What object
//! stores lack is made up for here and by the writers: an object is replaced by one put (or by an upload in parts that
//! is completed last), so it is there whole or not at all; nothing is appended or renamed, so files are made in a
//! scratch folder on this machine and sent when they are whole. Requests that fail because a connection is lost, or
//! because the store is overloaded, are repeated for up to three minutes.
//!
//! Without the feature `s3` no location can be opened, and trying it is an error that says so.

#[cfg(feature = "s3")]
mod s3;
#[cfg(not(feature = "s3"))]
mod without;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use tempfile::TempDir;

use crate::parallel::locked;

#[cfg(feature = "s3")]
pub(crate) use s3::Remote;
#[cfg(not(feature = "s3"))]
pub(crate) use without::Remote;

const SCHEME: &str = "s3://";

/// Why a location in an object store cannot be used.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum RemoteError {
    /// This build has no support for object stores.
    #[error("{} is in an object store, and this evens was built without them", .0.display())]
    #[diagnostic(help("name a folder, or build evens with `--features s3`"))]
    NotBuilt(PathBuf),
    /// The path is not a valid location.
    #[error("{} names nothing in an object store", .0.display())]
    #[diagnostic(help(
        "write `s3://BUCKET/KEY`, with a key: results are never put at the top of a bucket"
    ))]
    Malformed(PathBuf),
    /// The store cannot be reached, or does not do what is asked of it.
    #[error("cannot {what} {}: {why}", path.display())]
    #[diagnostic(help(
        "the store is the one of AWS_ENDPOINT_URL and AWS_REGION, opened with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; \
         what was complete there before is as it was, and the same command may be repeated"
    ))]
    Failed {
        /// What was being done.
        what: &'static str,
        /// The location it was done to.
        path: PathBuf,
        /// Why it failed.
        why: String,
    },
    /// The folder on this machine for files on their way cannot be used.
    #[error("cannot use {} for what is on its way to an object store: {source}", path.display())]
    #[diagnostic(help("name another folder for temporary files with TMPDIR"))]
    Scratch {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

impl RemoteError {
    /// Whether another command line would help, rather than another machine or a later time.
    #[must_use]
    pub fn is_of_command_line(&self) -> bool {
        match self {
            Self::NotBuilt(_) | Self::Malformed(_) => true,
            Self::Failed { .. } | Self::Scratch { .. } => false,
        }
    }
}

/// Whether a path is a location in an object store rather than a file on this machine.
#[must_use]
pub fn is_remote(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.starts_with(SCHEME))
}

/// The objects and folders below a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The names of the objects right below it.
    pub files: Vec<Entry>,
    /// The names of the folders right below it, which have something in them.
    pub folders: Vec<String>,
}

/// An object of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub name: String,
    /// Its age in seconds, by the store's clock.
    pub age: u64,
}

/// The scratch folders of this process. A program that ends at once removes them first.
static SCRATCH: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A temporary folder on this machine for files on their way to a location or from one.
#[derive(Debug)]
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn new() -> Result<Self, RemoteError> {
        let folder = tempfile::Builder::new().prefix("evens-").tempdir();
        let folder =
            folder.map_err(|source| RemoteError::Scratch { path: std::env::temp_dir(), source })?;
        scratch().insert(folder.path().to_owned());
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        scratch().remove(self.path());
    }
}

fn scratch() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    locked(&SCRATCH)
}

/// Removes every scratch folder, for a program that ends at once.
#[cfg(feature = "cli")]
pub(crate) fn remove_scratch_folders() {
    for path in scratch().iter() {
        let _ = std::fs::remove_dir_all(path);
    }
}

/// The bucket and the key of a location.
#[cfg(any(feature = "s3", test))]
fn split(place: &Path) -> Result<(String, String), RemoteError> {
    let malformed = || RemoteError::Malformed(place.to_owned());
    let text = place.to_str().ok_or_else(malformed)?;
    // Joined paths have this machine's separators.
    let text = text.replace(std::path::MAIN_SEPARATOR, "/");
    let (bucket, key) =
        text.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/')).ok_or_else(malformed)?;
    let key = key.trim_matches('/');
    let is_sound = |part: &str| !matches!(part, "" | "." | "..");
    if bucket.is_empty() || !key.split('/').all(is_sound) {
        return Err(malformed());
    }
    Ok((bucket.to_owned(), key.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_have_a_bucket_and_a_key() {
        let of = |text: &str| split(Path::new(text)).ok();
        let both = |bucket: &str, key: &str| Some((bucket.to_owned(), key.to_owned()));
        assert_eq!(of("s3://bucket/key"), both("bucket", "key"));
        assert_eq!(of("s3://bucket/a b/c/"), both("bucket", "a b/c"));
        let joined = Path::new("s3://bucket/key").join("shard-1-of-2");
        assert_eq!(split(&joined).ok(), both("bucket", "key/shard-1-of-2"));
        for wrong in
            ["s3://bucket", "s3://bucket/", "s3:///key", "s3://", "s3://b/../c", "s3://b/a//c"]
        {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn nothing_else_is_a_location() {
        assert!(is_remote(Path::new("s3://bucket/key")));
        for other in ["results", "./s3://x", "s3:/bucket", "/s3://", "https://bucket/key"] {
            assert!(!is_remote(Path::new(other)), "{other}");
        }
    }

    #[cfg(not(feature = "s3"))]
    #[test]
    fn without_the_feature_every_location_is_refused_with_the_remedy() {
        let error = Remote::open(Path::new("s3://bucket/key")).expect_err("it was left out");
        assert!(error.is_of_command_line());
        let help = miette::Diagnostic::help(&error).expect("a remedy").to_string();
        assert!(help.contains("--features s3"), "{help}");
    }
}
