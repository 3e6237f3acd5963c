//! The folder of a partial result.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::format::{Unreadable, of_bytes, to_bytes};
use super::{Header, PartialError, RowLog, RowSource, Segment};
use crate::table::{Folder, OutputError};

/// The file of the header and the tallies.
pub const RESULT: &str = "result.partial";
/// The file of the rows.
const ROWS: &str = "rows.partial";

/// A partial result that was found in a folder.
#[derive(Clone, Debug)]
pub struct Found {
    /// The folder.
    pub path: PathBuf,
    /// What it is.
    pub header: Header,
    /// The tally of each stage, as it is written.
    pub tallies: Vec<Vec<u8>>,
}

impl Found {
    /// The partial result in a folder; none where there is none.
    ///
    /// # Errors
    /// When it is damaged, or another version wrote it.
    pub fn read(path: &Path) -> Result<Option<Self>, PartialError> {
        let file = path.join(RESULT);
        let damaged = |why: String| PartialError::Damaged { path: file.clone(), why };
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(damaged(error.to_string())),
        };
        let (header, tallies) = of_bytes(&bytes).map_err(|unreadable| match unreadable {
            Unreadable::Damaged(why) => damaged(why.to_owned()),
            Unreadable::OtherFormat(found) => {
                PartialError::OtherFormat { path: file.clone(), found }
            }
        })?;
        let found = Self { path: path.to_owned(), header, tallies };
        match found.rows().iter().find(|rows| !rows.is_whole()) {
            None => Ok(Some(found)),
            Some(rows) => Err(PartialError::Damaged {
                path: rows.path.clone(),
                why: "the checksum of its rows does not fit their bytes".to_owned(),
            }),
        }
    }

    /// Where its rows are.
    #[must_use]
    pub fn rows(&self) -> Vec<RowSource> {
        RowSource::all(&self.path.join(ROWS), &self.header.rows)
    }
}

/// The folder of a partial result that nobody else writes to.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    folder: Folder,
}

impl Store {
    /// Opens the folder, which is made when it is missing.
    ///
    /// # Errors
    /// When it cannot be written to, or another command has it open.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        Ok(Self { path: path.to_owned(), folder: Folder::open(path)? })
    }

    /// Begins to keep rows, after those that are there.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn rows(&self, before: Vec<Segment>, from: u64) -> Result<RowLog, OutputError> {
        let path = self.path.join(ROWS);
        RowLog::open(&path, before, from).map_err(|source| OutputError::Open { path, source })
    }

    /// Copies rows from elsewhere to a file of rows of its own, in this order.
    ///
    /// # Errors
    /// What the system says.
    pub fn take_rows(&self, sources: &[RowSource]) -> Result<(), OutputError> {
        let path = self.path.join(ROWS);
        let copy = || {
            let mut file = io::BufWriter::new(fs::File::create(&path)?);
            sources.iter().try_for_each(|source| source.copy(&mut file))?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
        };
        let what = || path.display().to_string();
        copy().map_err(|source| OutputError::Write { what: what(), source })
    }

    /// Puts a partial result into the place of the one that is there: either of them is there whole at any time.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, header: &Header, tallies: &[Vec<u8>]) -> Result<(), OutputError> {
        let tallies = tallies.iter().map(Vec::as_slice);
        self.folder.put(RESULT, &to_bytes(header, tallies))
    }

    /// Removes the partial result, so that the next command begins anew.
    ///
    /// # Errors
    /// What the system says.
    pub fn clear(&self) -> Result<(), OutputError> {
        for name in [RESULT, ROWS] {
            match fs::remove_file(self.path.join(name)) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    let what = self.path.join(name).display().to_string();
                    return Err(OutputError::Write { what, source });
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Removes the partial result, and the folder if nothing else is in it.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove(self) -> Result<(), OutputError> {
        self.clear()?;
        let path = self.path.clone();
        drop(self);
        // Whoever has put something else there keeps it.
        let _ = fs::remove_dir(path);
        Ok(())
    }
}
