//! Rows of battles, kept beside a partial result.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Segment;
use crate::digest::hexadecimal;
use crate::table::{ColumnKind, Table, Values};

/// The most bytes that a chunk of rows may have, whatever a file says.
const MOST_BYTES: usize = 1 << 28;

/// Whether nothing is there, or a file that is known to have rows, or whose first rows are such as a `RowLog` writes, whole
/// or broken off. A link to a file is none.
///
/// # Errors
/// What the system says.
pub(super) fn may_be_rows(path: &Path, is_known: bool) -> io::Result<bool> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        found => found?,
    };
    if found.is_symlink() {
        // A device keeps nothing that could be written over.
        return Ok(fs::metadata(path).is_ok_and(|of| !of.is_file() && !of.is_dir()));
    }
    if !found.is_file() || is_known {
        return Ok(found.is_file());
    }
    let mut file = File::open(path)?;
    let mut first = Vec::new();
    (&mut file).take(4).read_to_end(&mut first)?;
    let Ok(length) = <[u8; 4]>::try_from(&first[..]) else {
        // A chunk whose length was broken off; text has no byte of 0.
        return Ok(first.is_empty() || first.contains(&0));
    };
    let length = u32::from_le_bytes(length) as usize;
    let mut chunk = Vec::new();
    file.take(length.min(MOST_BYTES) as u64).read_to_end(&mut chunk)?;
    Ok(match chunk.len() == length {
        true => postcard::from_bytes::<Vec<Values>>(&chunk).is_ok(),
        // A chunk has rows of some hundred battles, so that the highest byte of its length is 0.
        false => length < 1 << 24,
    })
}

/// A file of rows that grows at its end. Each chunk is its length (four bytes, lowest first) and its columns as
/// postcard writes them.
#[derive(Debug)]
pub struct RowLog {
    out: BufWriter<File>,
    /// Segments that were there before.
    before: Vec<Segment>,
    from: u64,
    to: u64,
    bytes: u64,
    hash: Sha256,
    /// The error after which nothing more is written.
    pub failed: Option<io::Error>,
}

impl RowLog {
    /// Opens a file to continue after these segments, with the rows of battle `from` and those that follow. Whatever
    /// comes after the segments is cut off.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path, before: Vec<Segment>, from: u64) -> io::Result<Self> {
        let length = before.iter().map(|segment| segment.bytes).sum();
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(false).open(path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        let out = BufWriter::new(file);
        let hash = Sha256::new();
        Ok(Self { out, before, from, to: from, bytes: 0, hash, failed: None })
    }

    /// Adds the rows of the battles that follow. After an error nothing more is written.
    pub fn push(&mut self, rows: &Table) {
        if self.failed.is_none() {
            self.failed = self.written(rows).err();
        }
    }

    fn written(&mut self, rows: &Table) -> io::Result<()> {
        let values: Vec<&Values> = rows.columns.iter().map(|column| &column.values).collect();
        let chunk = postcard::to_allocvec(&values).map_err(io::Error::other)?;
        let length = u32::try_from(chunk.len()).map_err(io::Error::other)?.to_le_bytes();
        for bytes in [&length[..], &chunk] {
            self.out.write_all(bytes)?;
            self.hash.update(bytes);
        }
        self.bytes += (length.len() + chunk.len()) as u64;
        self.to += rows.rows() as u64;
        Ok(())
    }

    /// Waits until the disk has all rows, and returns the segments of the file.
    ///
    /// # Errors
    /// What the system said now or before.
    pub fn settle(&mut self) -> io::Result<Vec<Segment>> {
        if let Some(error) = &self.failed {
            return Err(io::Error::new(error.kind(), error.to_string()));
        }
        self.out.flush()?;
        self.out.get_ref().sync_data()?;
        let mut all = self.before.clone();
        if self.bytes > 0 {
            let sha256 = hexadecimal(self.hash.clone());
            all.push(Segment { from: self.from, to: self.to, bytes: self.bytes, sha256 });
        }
        Ok(all)
    }
}

/// A segment of rows in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSource {
    /// The file.
    pub path: PathBuf,
    /// Where they begin in it.
    pub offset: u64,
    /// The battles, the length and the checksum of these rows.
    pub segment: Segment,
}

impl RowSource {
    /// The sources of all segments of a file, which lie one after the other.
    #[must_use]
    pub fn all(path: &Path, segments: &[Segment]) -> Vec<Self> {
        let mut offset = 0;
        let at = |segment: &Segment| {
            let source = Self { path: path.to_owned(), offset, segment: segment.clone() };
            offset += segment.bytes;
            source
        };
        segments.iter().map(at).collect()
    }

    fn open(&self) -> io::Result<impl Read> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        Ok(BufReader::new(file).take(self.segment.bytes))
    }

    /// Whether the file still has the rows that were written; false where the file is missing.
    ///
    /// # Errors
    /// What the system says.
    pub fn is_whole(&self) -> io::Result<bool> {
        let mut hash = Sha256::new();
        let read = match self.open().and_then(|mut file| io::copy(&mut file, &mut hash)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            read => read?,
        };
        Ok(read == self.segment.bytes && hexadecimal(hash) == self.segment.sha256)
    }

    /// Copies the bytes of its rows.
    ///
    /// # Errors
    /// What the system says.
    pub fn copy(&self, to: &mut impl Write) -> io::Result<()> {
        io::copy(&mut self.open()?, to).map(drop)
    }

    /// Whether its rows have the columns of `like`: those of another build of this version may not. True where rows cannot be read,
    /// which [`read`](Self::read) reports.
    #[must_use]
    pub fn fits(&self, like: &Table) -> bool {
        let kinds: Vec<ColumnKind> =
            like.columns.iter().map(|column| column.values.kind()).collect();
        let first = || -> Option<Vec<Values>> {
            let mut file = self.open().ok()?;
            let mut length = [0; 4];
            file.read_exact(&mut length).ok()?;
            let size = u32::from_le_bytes(length) as usize;
            let mut chunk = vec![0; Some(size).filter(|&size| size <= MOST_BYTES)?];
            file.read_exact(&mut chunk).ok()?;
            postcard::from_bytes(&chunk).ok()
        };
        first().is_none_or(|values| values.iter().map(Values::kind).eq(kinds))
    }

    /// Reads the rows in chunks, as tables with the columns of `like`, and hands these over.
    ///
    /// # Errors
    /// The first error of `take`; where the rows cannot be read or have other columns.
    pub fn read<E: From<io::Error>>(
        &self,
        like: &Table,
        mut take: impl FnMut(&Table) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut file = self.open()?;
        let mut length = [0; 4];
        let (mut left, mut rows_left) = (self.segment.bytes, self.segment.to - self.segment.from);
        let misfit = || io::Error::other("the rows that were kept are not those of this job");
        while left > 0 {
            file.read_exact(&mut length)?;
            let size = u32::from_le_bytes(length) as usize;
            if size > MOST_BYTES {
                return Err(misfit().into());
            }
            let mut chunk = vec![0; size];
            file.read_exact(&mut chunk)?;
            left = left.saturating_sub((length.len() + size) as u64);
            let values: Vec<Values> = postcard::from_bytes(&chunk).map_err(|_| misfit())?;
            if values.len() != like.columns.len() {
                return Err(misfit().into());
            }
            let mut rows = like.clone();
            for (column, values) in rows.columns.iter_mut().zip(values) {
                column.values = values;
            }
            rows_left = rows_left.checked_sub(rows.rows() as u64).ok_or_else(misfit)?;
            take(&rows)?;
        }
        if rows_left == 0 { Ok(()) } else { Err(misfit().into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn only_rows_and_what_is_left_of_them_may_be_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.partial");
        assert!(may_be_rows(&path, false).unwrap(), "nothing is there");
        let mut log = RowLog::open(&path, Vec::new(), 0).unwrap();
        let numbers = Column::count("battle", "The battle.", (0..300).collect());
        log.push(&Table { name: "battles".to_owned(), columns: vec![numbers] });
        log.settle().unwrap();
        drop(log);
        let rows = fs::read(&path).unwrap();
        for left in [rows.len(), rows.len() - 1, 100, 4, 3, 0] {
            fs::write(&path, &rows[..left]).unwrap();
            assert!(may_be_rows(&path, false).unwrap(), "{left} bytes of rows");
        }
        for foreign in ["precious\n", "abc", "abc\n and more", "battle,outcome\n1,2\n"] {
            fs::write(&path, foreign).unwrap();
            assert!(!may_be_rows(&path, false).unwrap(), "{foreign}");
            assert!(may_be_rows(&path, true).unwrap(), "damaged rows beside their counts");
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(!may_be_rows(&path, true).unwrap(), "a folder");
        #[cfg(unix)]
        for (to, may_be) in [("rows of somebody", false), ("missing", false), ("/dev/null", true)] {
            fs::write(folder.path().join("rows of somebody"), &rows).unwrap();
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(folder.path().join(to), &link).unwrap();
            assert_eq!(may_be_rows(&link, true).unwrap(), may_be, "{to}");
            fs::remove_file(&link).unwrap();
        }
    }
}
