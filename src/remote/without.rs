//! Stand-in for object stores in builds without them.

use std::path::Path;

use super::{Listing, RemoteError};

/// A location in an object store; this build has none.
#[derive(Debug)]
pub(crate) enum Remote {}

type Result<T> = std::result::Result<T, RemoteError>;

impl Remote {
    /// # Errors
    /// Always: this build has no object stores.
    pub(crate) fn open(place: &Path) -> Result<Self> {
        Err(RemoteError::NotBuilt(place.to_owned()))
    }

    pub(crate) fn has(&self, _name: &str) -> Result<bool> {
        match *self {}
    }

    pub(crate) fn get(&self, _name: &str) -> Result<Option<Vec<u8>>> {
        match *self {}
    }

    pub(crate) fn fetch(&self, _name: &str, _to: &Path) -> Result<bool> {
        match *self {}
    }

    pub(crate) fn hash(&self, _name: &str) -> Result<Option<String>> {
        match *self {}
    }

    pub(crate) fn put(&self, _name: &str, _bytes: Vec<u8>) -> Result<()> {
        match *self {}
    }

    pub(crate) fn upload(&self, _name: &str, _from: &Path) -> Result<()> {
        match *self {}
    }

    pub(crate) fn copy(&self, _from: &str, _to: &str) -> Result<bool> {
        match *self {}
    }

    pub(crate) fn delete(&self, _name: &str) -> Result<()> {
        match *self {}
    }

    pub(crate) fn list(&self) -> Result<Listing> {
        match *self {}
    }
}
