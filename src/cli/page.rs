//! Where a command writes a page for a browser.

use std::path::Path;

use super::Failure;
use super::terminal::{print_data, say};
use crate::table::{Content, Target};

/// A page that is there whole or not at all, or standard output (`-`).
pub(super) struct PageFile<'p> {
    path: &'p Path,
    target: Option<Target>,
}

impl<'p> PageFile<'p> {
    /// Opens the file before anything is played, so that a bad path fails at once.
    pub(super) fn open(path: &'p Path) -> Result<Self, Failure> {
        let is_stdout = path == Path::new("-");
        let target = (!is_stdout).then(|| Target::open(path, Content::Page)).transpose()?;
        Ok(Self { path, target })
    }

    /// Writes the page, and says so with what is in it.
    pub(super) fn write(self, html: &str, holds: &str) -> Result<(), Failure> {
        match self.target {
            None => print_data(html),
            Some(target) => {
                target.fill(html)?;
                say(&format!("wrote {} ({holds})\n", self.path.display()));
                Ok(())
            }
        }
    }

    /// Whether standard output takes the page, and so nothing else.
    pub(super) fn is_stdout(&self) -> bool {
        self.target.is_none()
    }
}
