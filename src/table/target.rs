//! A file that is there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::OutputError;

/// A file that takes its name only when it is whole.
#[derive(Debug)]
pub(crate) struct Target {
    temporary: TempPath,
    file: File,
    path: PathBuf,
}

impl Target {
    /// A file to be called `name` in an existing folder.
    ///
    /// # Errors
    /// When it cannot be written there.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<Self, OutputError> {
        let path = folder.join(name);
        if path.is_dir() {
            return Err(OutputError::Occupied(path));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".evens-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Results are as readable as any other file; a temporary file would be its owner's alone.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let (file, temporary) = builder
            .tempfile_in(folder)
            .map_err(|source| OutputError::Open { path: folder.into(), source })?
            .into_parts();
        Ok(Self { temporary, file, path })
    }

    /// The open file, for a writer of its own.
    pub(super) fn handle(&self) -> Result<File, OutputError> {
        self.file
            .try_clone()
            .map_err(|source| OutputError::Open { path: self.path.clone(), source })
    }

    /// The name that it will have.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Where it will be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes text to it.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())
    }

    /// Waits until the disk has what was written.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Writes all of its text and moves it into its place.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    #[cfg(feature = "cli")]
    pub(crate) fn fill(mut self, text: &str) -> Result<(), OutputError> {
        let written = self.write(text).and_then(|()| self.sync());
        written.map_err(|source| {
            let what = self.path.display().to_string();
            OutputError::Write { what, source }
        })?;
        self.settle()
    }

    /// Moves it into its place.
    pub(super) fn settle(self) -> Result<(), OutputError> {
        // The file has to be closed before some systems let it be renamed.
        let Self { temporary, file, path } = self;
        drop(file);
        temporary.persist(&path).map_err(|fault| OutputError::Write {
            what: path.display().to_string(),
            source: fault.error,
        })
    }
}
