//! The folder of a partial result, for reading and for writing.

use std::cell::Cell;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::{Unreadable, of_bytes, to_bytes};
use super::rows::may_be_rows;
use super::{Header, PartialError, RowLog, RowSource, Segment};
use crate::remote::{Remote, RemoteError, Scratch, is_remote};
use crate::table::{Folder, OutputError, bytes_of};

/// The name of the file with the header and the tallies.
pub const RESULT: &str = "result.partial";
/// The name of the file with the rows.
const ROWS: &str = "rows.partial";

/// A partial result that was found in a folder.
#[derive(Clone, Debug)]
pub struct Found {
    /// The folder.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
    /// The tally of each stage, in its written form.
    pub tallies: Vec<Vec<u8>>,
    /// Where its files are on this machine.
    here: Here,
}

/// Where files are on this machine.
#[derive(Clone, Debug)]
struct Here {
    folder: PathBuf,
    /// Lives as long as the files are needed, where they were copied from an object store.
    _scratch: Option<Arc<Scratch>>,
}

impl Found {
    /// Reads the partial result in a folder; none where there is none.
    ///
    /// # Errors
    /// When it cannot be read or is damaged, or another version wrote it.
    pub fn read(path: &Path) -> Result<Option<Self>, PartialError> {
        if !is_remote(path) {
            return Self::read_from(path, Here { folder: path.to_owned(), _scratch: None });
        }
        let (remote, scratch) = (Remote::open(path)?, Scratch::new()?);
        fetch(&remote, scratch.path())?;
        let here = Here { folder: scratch.path().to_owned(), _scratch: Some(Arc::new(scratch)) };
        Self::read_from(path, here)
    }

    /// The paths of the partial results in a folder: the folder itself, or those right below it, by name. In
    /// an object store these are all folders right below it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn places(folder: &Path) -> Result<Vec<PathBuf>, PlacesError> {
        if is_remote(folder) {
            let listing = Remote::open(folder)?.list()?;
            if listing.files.iter().any(|entry| entry.name == RESULT) {
                return Ok(vec![folder.to_owned()]);
            }
            let mut paths: Vec<PathBuf> =
                listing.folders.iter().map(|name| folder.join(name)).collect();
            paths.sort();
            return Ok(paths);
        }
        if folder.join(RESULT).exists() {
            return Ok(vec![folder.to_owned()]);
        }
        let listed = fs::read_dir(folder).map_err(PlacesError::System)?;
        let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.join(RESULT).exists());
        paths.sort();
        Ok(paths)
    }

    /// Whether there is a partial result at a path, damaged or not.
    ///
    /// # Errors
    /// When the system or an object store does not tell.
    pub fn is_at(path: &Path) -> Result<bool, PartialError> {
        if is_remote(path) {
            return Ok(Remote::open(path)?.has(RESULT)?);
        }
        let path = path.join(RESULT);
        path.try_exists().map_err(|source| PartialError::Unread { path, source })
    }

    fn read_from(path: &Path, here: Here) -> Result<Option<Self>, PartialError> {
        let file = path.join(RESULT);
        let damaged = |why: String| PartialError::Damaged { path: file.clone(), why };
        let bytes = match bytes_of(&here.folder.join(RESULT)) {
            Ok(bytes) => bytes,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            // A pipe or a folder has no bytes of ours that could be damaged or kept from us.
            Err(_)
                if fs::metadata(here.folder.join(RESULT)).is_ok_and(|found| !found.is_file()) =>
            {
                return Err(PartialError::NotOurs(file));
            }
            Err(source) => return Err(PartialError::Unread { path: file, source }),
        };
        let (header, tallies) = of_bytes(&bytes).map_err(|unreadable| match unreadable {
            Unreadable::Damaged(why) => damaged(why.to_owned()),
            Unreadable::Foreign => PartialError::NotOurs(file.clone()),
            Unreadable::OtherFormat(found) => {
                PartialError::OtherFormat { path: file.clone(), found }
            }
        })?;
        let found = Self { path: path.to_owned(), header, tallies, here };
        for rows in found.rows() {
            let path = rows.path.clone();
            match rows.is_whole() {
                Ok(true) => {}
                Ok(false) => {
                    let why = "the checksum of its rows does not fit their bytes".to_owned();
                    return Err(PartialError::Damaged { path, why });
                }
                Err(source) => return Err(PartialError::Unread { path, source }),
            }
        }
        Ok(Some(found))
    }

    /// The sources of its rows.
    #[must_use]
    pub fn rows(&self) -> Vec<RowSource> {
        RowSource::all(&self.here.folder.join(ROWS), &self.header.rows)
    }
}

/// Why a folder could not be searched for partial results.
#[derive(Debug, thiserror::Error)]
pub enum PlacesError {
    /// The system does not list it.
    #[error(transparent)]
    System(io::Error),
    /// An object store does not list it.
    #[error(transparent)]
    Remote(#[from] RemoteError),
}

/// Copies the files of a partial result to a folder. The counts come first, so that the rows are at least those that
/// the counts know.
fn fetch(remote: &Remote, to: &Path) -> Result<(), RemoteError> {
    if remote.fetch(RESULT, &to.join(RESULT))? {
        remote.fetch(ROWS, &to.join(ROWS))?;
    }
    Ok(())
}

/// The folder of a partial result, opened for writing by this process alone.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    folder: Folder,
    /// Whether rows are kept.
    has_rows: Cell<bool>,
}

impl Store {
    /// Opens the folder, which is made when it is missing.
    ///
    /// # Errors
    /// When it cannot be written to, another command has it open, or a file of somebody else has the name of its rows.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let folder = Folder::open(path)?;
        let rows = folder.here().join(ROWS);
        // Rows beside counts belong to these, damaged or not.
        match may_be_rows(&rows, folder.here().join(RESULT).is_file()) {
            Ok(true) => {}
            Ok(false) => return Err(OutputError::Foreign(path.join(ROWS))),
            Err(source) => return Err(OutputError::Open { path: rows, source }),
        }
        Ok(Self { path: path.to_owned(), folder, has_rows: Cell::new(false) })
    }

    /// The partial result that is there; none where there is none. Its rows are in this store's own file, which this
    /// command continues.
    ///
    /// # Errors
    /// As [`Found::read`] has them.
    pub fn found(&self) -> Result<Option<Found>, PartialError> {
        if let Some(away) = self.folder.away() {
            fetch(&away.remote, self.folder.here())?;
        }
        let here = Here { folder: self.folder.here().to_owned(), _scratch: None };
        Found::read_from(&self.path, here)
    }

    /// The sources of the rows in its own file.
    #[must_use]
    pub fn row_sources(&self, segments: &[Segment]) -> Vec<RowSource> {
        RowSource::all(&self.folder.here().join(ROWS), segments)
    }

    /// Opens its file of rows, to continue it after those that are there.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn rows(&self, before: Vec<Segment>, from: u64) -> Result<RowLog, OutputError> {
        let path = self.folder.here().join(ROWS);
        self.has_rows.set(true);
        RowLog::open(&path, before, from).map_err(|source| OutputError::Open { path, source })
    }

    /// Replaces the partial result, and its rows by rows from elsewhere, in this order. At any time either all of the old
    /// one or all of the new one is there, or the next command on the folder makes it so.
    ///
    /// # Errors
    /// What the system says.
    pub fn save_sum(
        &self,
        header: &Header,
        tallies: &[Vec<u8>],
        rows: &[RowSource],
    ) -> Result<(), OutputError> {
        let copy = |file: &mut fs::File| {
            let mut file = io::BufWriter::new(file);
            rows.iter().try_for_each(|source| source.copy(&mut file))?;
            file.flush()
        };
        if self.folder.away().is_some() {
            // Only this process reads what is made there, until it is sent: the counts last.
            let path = self.folder.here().join(ROWS);
            let copied = fs::File::create(&path).and_then(|mut file| copy(&mut file));
            let what = || path.display().to_string();
            copied.map_err(|source| OutputError::Write { what: what(), source })?;
            return self.save(header, tallies);
        }
        let bytes = to_bytes(header, tallies.iter().map(Vec::as_slice));
        let write = |file: &mut fs::File| file.write_all(&bytes);
        match rows {
            [] => self.folder.put_all(&[(RESULT, &write)]),
            _ => self.folder.put_all(&[(ROWS, &copy), (RESULT, &write)]),
        }
    }

    /// Replaces the partial result. At any time either the old or the new one is there as a whole.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, header: &Header, tallies: &[Vec<u8>]) -> Result<(), OutputError> {
        let tallies = tallies.iter().map(Vec::as_slice);
        if let Some(away) = self.folder.away().filter(|_| !header.rows.is_empty()) {
            // The counts come last: rows that they do not know are cut off.
            away.remote.upload(ROWS, &self.folder.here().join(ROWS))?;
        }
        let bytes = to_bytes(header, tallies);
        // What is complete can be asked for again where nothing may be written any more.
        let is_there = self.folder.away().is_none()
            && bytes_of(&self.folder.here().join(RESULT)).is_ok_and(|there| there == bytes);
        if is_there { Ok(()) } else { self.folder.put(RESULT, &bytes) }
    }

    /// Removes the partial result, so that the next command begins anew.
    ///
    /// # Errors
    /// What the system says.
    pub fn clear(&self) -> Result<(), OutputError> {
        for name in [RESULT, ROWS] {
            if let Some(away) = self.folder.away() {
                away.remote.delete(name)?;
            }
            match fs::remove_file(self.folder.here().join(name)) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(OutputError::Remove { path: self.path.join(name), source });
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
        // The folder stays where anything else is in it.
        let _ = fs::remove_dir(path);
        Ok(())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let here = self.folder.here();
        // Rows without counts, such as after a full disk: no command could continue from them.
        if self.has_rows.get() && matches!(here.join(RESULT).try_exists(), Ok(false)) {
            let _ = fs::remove_file(here.join(ROWS));
        }
    }
}
