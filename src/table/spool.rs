//! Rows that wait in a file until their run is known, which may be after the last battle.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Table, Values};

/// Rows of one table, in an unnamed file that vanishes when it is closed.
pub(super) struct Spool {
    /// The table without its rows.
    like: Table,
    out: BufWriter<File>,
    chunks: u64,
}

impl Spool {
    /// Makes a spool in a folder, for chunks with the columns of this one.
    pub(super) fn new(chunk: &Table, folder: &Path) -> io::Result<Self> {
        let out = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { like: chunk.of_rows(&[]), out, chunks: 0 })
    }

    pub(super) fn push(&mut self, chunk: &Table) -> io::Result<()> {
        let values: Vec<&Values> = chunk.columns.iter().map(|column| &column.values).collect();
        let bytes = postcard::to_allocvec(&values).map_err(io::Error::other)?;
        self.out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        self.out.write_all(&bytes)?;
        self.chunks += 1;
        Ok(())
    }

    /// Writes all buffered chunks to the file.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Hands over all chunks, in the order in which they came.
    pub(super) fn empty<E: From<io::Error>>(
        self,
        mut take: impl FnMut(&Table) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut file = self.out.into_inner().map_err(|error| error.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        let mut file = BufReader::new(file);
        let mut chunk = self.like;
        for _ in 0..self.chunks {
            let mut length = [0; 8];
            file.read_exact(&mut length)?;
            let mut bytes = vec![0; u64::from_le_bytes(length) as usize];
            file.read_exact(&mut bytes)?;
            let values: Vec<Values> = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
            for (column, values) in chunk.columns.iter_mut().zip(values) {
                column.values = values;
            }
            take(&chunk)?;
        }
        Ok(())
    }
}
