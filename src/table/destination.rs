//! Where the tables of a run go.

use std::convert::Infallible;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

use super::baselines::holds_baselines;
use super::folder::{Folder, MANIFEST, NOTES, Staged};
#[cfg(feature = "cli")]
use super::partition::check_name;
use super::partition::{Shared, is_shared};
use super::places::Places;
use super::provenance::{ColumnNote, FileNote, TableNote, column_notes};
use super::sink::{Out, sink};
use super::spool::Spool;
#[cfg(feature = "cli")]
use super::target::{full, place_of};
use super::{Format, OutputError, Provenance, Sink, Table};
#[cfg(feature = "cli")]
use super::{kept::CHECKPOINT, partition::RUNS, places::ASIDE};
use crate::digest::hexadecimal;
use crate::parallel::locked;

/// A place that results are written to: a folder, or standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// One file a table, and `provenance.json` beside them. Is made when it is missing. May be a location in an object store
    /// (`s3://BUCKET/KEY`).
    Folder(PathBuf),
    /// A folder that many runs share: `TABLE/scenario=NAME/seed=N/part-RUN.parquet`.
    Shared(PathBuf),
    /// One table, for pipes. Written `-`.
    Stdout,
}

impl Place {
    /// Reads a place from the command line: `-` is standard output, anything else a folder.
    #[must_use]
    pub fn of(text: &OsStr) -> Self {
        if text == "-" { Place::Stdout } else { Place::Folder(text.into()) }
    }
}

impl FromStr for Place {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::of(text.as_ref()))
    }
}

/// A table that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its name.
    pub table: String,
    /// Its file; none when it went to standard output.
    pub path: Option<PathBuf>,
    /// How many rows it has.
    pub rows: u64,
    /// Whether it is partial and was put beside the complete results in the folder instead of replacing them.
    pub aside: bool,
}

/// The open outputs of a run. Dropped without [`finish`](Self::finish) it leaves everything as it was.
pub struct Destination {
    outputs: Vec<Output>,
    /// The folder that the files are made in; None for standard output.
    folder: Option<Folder>,
    /// The folder around it that many runs share, if the place is such a folder.
    shared: Option<Shared>,
    /// The report's notes: what a report says that no table holds.
    notes: Option<String>,
    replace_complete: bool,
    abandoned: Arc<AtomicBool>,
    format: Format,
    run: Of,
}

/// The run that tables belong to.
#[derive(Debug, PartialEq, Eq)]
enum Of {
    /// It is not known yet.
    Unknown,
    Run(String),
    /// There is none: the tables do not come from battles.
    NoRun,
}

/// A table that is being written.
struct Output {
    table: String,
    sink: Box<dyn Sink>,
    staged: Option<Staged>,
    /// SHA-256 of the bytes written so far.
    hash: Arc<Mutex<Sha256>>,
    /// Known with the first chunk; a table that never came leaves no file.
    columns: Option<Vec<ColumnNote>>,
    rows: u64,
    /// Rows that wait until their run is known.
    spool: Option<Spool>,
}

impl Destination {
    /// Opens an output for each of `tables`.
    ///
    /// # Errors
    /// What keeps them from being written, as far as it can be known beforehand.
    pub fn open(place: &Place, format: Format, tables: &[&str]) -> Result<Self, OutputError> {
        let mut once: Vec<&str> = Vec::new();
        for &table in tables {
            if !once.contains(&table) {
                once.push(table);
            }
        }
        match place {
            Place::Folder(folder) if holds_baselines(folder) => {
                Err(OutputError::Baselines(folder.clone()))
            }
            Place::Folder(folder) if is_shared(folder) => {
                Err(OutputError::ManyRuns(folder.clone()))
            }
            Place::Folder(folder) => Self::in_folder(Folder::open(folder)?, format, &once),
            Place::Shared(folder) => {
                let (shared, own) = Shared::open(folder)?;
                let destination = Self::in_folder(own, format, &once)?;
                Ok(Self { shared: Some(shared), ..destination })
            }
            Place::Stdout => match once[..] {
                [table] => Self::on(io::stdout(), format, table),
                _ => Err(OutputError::OneTable(once.len())),
            },
        }
    }

    fn in_folder(folder: Folder, format: Format, tables: &[&str]) -> Result<Self, OutputError> {
        let mut outputs = Vec::with_capacity(tables.len());
        for &table in tables {
            let name = format!("{table}.{}", ending(format));
            folder.claim(&name)?;
            let staged = folder.stage(&name)?;
            let hash = Arc::<Mutex<Sha256>>::default();
            let hashed = Hashed { file: staged.handle()?, hash: hash.clone() };
            let out = Box::new(BufWriter::new(hashed));
            let sink = sink(format, out).ok_or(OutputError::Format(format))?;
            let table = table.to_owned();
            let staged = Some(staged);
            let (columns, rows, spool) = (None, 0, None);
            outputs.push(Output { table, sink, staged, hash, columns, rows, spool });
        }
        folder.claim(MANIFEST)?;
        folder.claim(NOTES)?;
        folder.claim_listed()?;
        Ok(Self {
            outputs,
            folder: Some(folder),
            shared: None,
            notes: None,
            replace_complete: false,
            abandoned: Arc::default(),
            format,
            run: Of::Unknown,
        })
    }

    /// Checks that tables of a scenario can be written here, so that a name that is too long fails before the first
    /// battle.
    ///
    /// # Errors
    /// When the scenario's folder would have a name that is too long.
    #[cfg(feature = "cli")]
    pub(crate) fn accepts(&self, scenario: &str) -> Result<(), OutputError> {
        self.shared.as_ref().map_or(Ok(()), |_| check_name(scenario))
    }

    /// Lets a partial result take the place of a complete one.
    #[must_use]
    pub fn replacing_complete(self, replace_complete: bool) -> Self {
        Self { replace_complete, ..self }
    }

    /// Opens an output for one table on a stream whose reader may leave at any time.
    ///
    /// # Errors
    /// When the format is for files only.
    pub(crate) fn on(
        stream: impl Write + Send + 'static,
        format: Format,
        table: &str,
    ) -> Result<Self, OutputError> {
        let abandoned = Arc::new(AtomicBool::new(false));
        let pipe = Pipe { stream, abandoned: abandoned.clone() };
        let out: Out = Box::new(BufWriter::new(pipe));
        let sink = sink(format, out).ok_or(OutputError::Format(format))?;
        let table = table.to_owned();
        let (hash, staged, columns, rows, spool) = (Arc::default(), None, None, 0, None);
        let outputs = vec![Output { table, sink, staged, hash, columns, rows, spool }];
        Ok(Self {
            outputs,
            folder: None,
            shared: None,
            notes: None,
            replace_complete: false,
            abandoned,
            format,
            run: Of::Unknown,
        })
    }

    /// Whether `table` is to be written.
    #[must_use]
    pub fn wants(&self, table: &str) -> bool {
        self.outputs.iter().any(|output| output.table == table)
    }

    /// Whether this destination may write a table, or a file that is kept beside tables, to this path.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(crate) fn may_take(&self, file: &Path) -> bool {
        let root = match (&self.shared, &self.folder) {
            (Some(shared), _) => shared.path(),
            (None, Some(folder)) => folder.path(),
            (None, None) => return false,
        };
        let (Some(file), Some(root)) = (place_of(file), full(root)) else { return false };
        let Ok(inside) = file.strip_prefix(root) else { return false };
        if [ASIDE, CHECKPOINT].iter().any(|kept| inside == Path::new(kept)) {
            return true;
        }
        let inside = inside.strip_prefix(ASIDE).unwrap_or(inside);
        let mut names = inside.components().map(|part| part.as_os_str().to_string_lossy());
        let Some(first) = names.next() else { return false };
        let is_table = |name: &str| self.outputs.iter().any(|output| output.table == name);
        match (&self.shared, names.next()) {
            (Some(_), Some(_)) => first == RUNS || is_table(&first),
            (None, None) => {
                let table =
                    first.strip_suffix(ending(self.format)).and_then(|of| of.strip_suffix('.'));
                first == MANIFEST || first == NOTES || table.is_some_and(is_table)
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Whether a path is that of the folder which the tables go to.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        let root = match (&self.shared, &self.folder) {
            (Some(shared), _) => shared.path(),
            (None, Some(folder)) => folder.path(),
            (None, None) => return false,
        };
        full(path).is_some_and(|path| full(root) == Some(path))
    }

    /// Is true from when nobody reads standard output any more. Playing on for its sake is pointless, and stopping is a
    /// success.
    #[must_use]
    pub fn abandoned(&self) -> Arc<AtomicBool> {
        self.abandoned.clone()
    }

    /// Sets the identity of the run ([`Provenance::id`]), for the column `run`. Rows that come before wait in a file
    /// until it is set, at the latest when the tables are finished.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    pub fn identify(&mut self, run: &str) -> Result<(), OutputError> {
        if self.run != Of::Unknown {
            return Ok(());
        }
        self.run = Of::Run(run.to_owned());
        for output in &mut self.outputs {
            let Some(mut spool) = output.spool.take() else { continue };
            spool.flush().map_err(|source| output.cannot_wait(source))?;
            let sink = &mut output.sink;
            let written = spool.empty(|chunk| sink.write(chunk, Some(run)));
            written.map_err(|source| failed(output.staged.as_ref(), source))?;
        }
        Ok(())
    }

    /// Marks the tables as not coming from battles: they have no column `run`.
    #[must_use]
    pub fn of_no_run(self) -> Self {
        Self { run: Of::NoRun, ..self }
    }

    /// Appends rows to the table that the chunk names; a table that was not asked for is ignored. The bytes written
    /// depend on the order of the rows, so callers must keep it.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    pub fn write(&mut self, chunk: &Table) -> Result<(), OutputError> {
        let named = |output: &&mut Output| output.table == chunk.name;
        let Some(output) = self.outputs.iter_mut().find(named) else {
            return Ok(());
        };
        output.rows += chunk.rows() as u64;
        let with_run = self.format != Format::Markdown && self.run != Of::NoRun;
        output.columns.get_or_insert_with(|| column_notes(chunk, with_run));
        let written = match &self.run {
            Of::Run(run) => output.sink.write(chunk, Some(run)),
            Of::NoRun => output.sink.write(chunk, None),
            Of::Unknown => {
                return output.waits(chunk).map_err(|source| output.cannot_wait(source));
            }
        };
        written.map_err(|source| failed(output.staged.as_ref(), source))
    }

    /// Sets the report's notes (what a report says that no table holds), for a file beside the tables in a folder.
    pub fn note(&mut self, notes: String) {
        self.notes = self.folder.is_some().then_some(notes);
    }

    /// Writes what is left and the provenance, and moves all files into place as one act. Partial results that would
    /// replace complete ones go to the folder `partial` beside them, unless it was [said](Self::replacing_complete)
    /// that they may replace them.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    pub fn finish(mut self, provenance: &Provenance) -> Result<Vec<Written>, OutputError> {
        let provenance = &match provenance.id.as_str() {
            "" => provenance.clone().identified("", []),
            _ => provenance.clone(),
        };
        self.identify(&provenance.id)?;
        let places =
            Places::of(self.folder.take(), self.shared.take(), self.replace_complete, provenance)?;
        let is_aside = places.as_ref().is_some_and(Places::is_aside);
        let mut written = Vec::new();
        let mut files = Vec::new();
        let mut all = Vec::new();
        for output in self.outputs {
            let Some(columns) = output.columns else { continue };
            let Output { table, sink, mut staged, hash, rows, .. } = output;
            sink.finish(provenance).map_err(|source| failed(staged.as_ref(), source))?;
            let sha256 = hexadecimal(locked(&hash).clone());
            if let (Some(places), Some(staged)) = (&places, &mut staged) {
                staged.name = places.name_of_table(&table, ending(self.format), provenance);
                staged.sha256 = Some(sha256.clone());
            }
            let path = staged
                .as_ref()
                .zip(places.as_ref())
                .map(|(staged, places)| places.folder.path_of(&staged.name));
            let file = staged.as_ref().map_or_else(String::new, |staged| staged.name.clone());
            let note = TableNote { table: table.clone(), rows, columns };
            files.push(FileNote { file, sha256, table: Some(note) });
            written.push(Written { table, path, rows, aside: is_aside });
            all.extend(staged);
        }
        if let Some(places) = places {
            places.put(all, files, self.notes, provenance)?;
        }
        Ok(written)
    }
}

impl Output {
    /// Keeps rows in a file until their run is known.
    fn waits(&mut self, chunk: &Table) -> io::Result<()> {
        if self.spool.is_none() {
            self.spool = Some(Spool::new(chunk, &self.waiting_room())?);
        }
        self.spool.iter_mut().try_for_each(|spool| spool.push(chunk))
    }

    /// The folder where rows wait: that of the file they go to, which needs room for them anyway, or that of temporary
    /// files.
    fn waiting_room(&self) -> PathBuf {
        let made_in = self.staged.as_ref().and_then(|staged| staged.temporary.path.parent());
        made_in.map_or_else(std::env::temp_dir, Path::to_owned)
    }

    fn cannot_wait(&self, source: io::Error) -> OutputError {
        match &self.staged {
            Some(staged) => failed(Some(staged), source),
            None => OutputError::Wait { folder: self.waiting_room(), source },
        }
    }
}

pub(super) fn failed(staged: Option<&Staged>, source: io::Error) -> OutputError {
    let what = staged.map_or_else(|| "to standard output".to_owned(), Staged::place);
    OutputError::Write { what, source }
}

/// A writer that hashes the bytes on their way to a file.
struct Hashed {
    file: File,
    hash: Arc<Mutex<Sha256>>,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        locked(&self.hash).update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The extension of files of a format.
fn ending(format: Format) -> &'static str {
    match format {
        Format::Parquet => "parquet",
        Format::Csv => "csv",
        Format::Json => "json",
        Format::Markdown => "md",
    }
}

/// A stream whose reader may leave (`| head`): from then on everything written is discarded.
struct Pipe<W> {
    stream: W,
    abandoned: Arc<AtomicBool>,
}

impl<W> Pipe<W> {
    fn quietly<T>(&self, result: io::Result<T>, instead: T) -> io::Result<T> {
        match result {
            Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => {
                self.abandoned.store(true, Ordering::Relaxed);
                Ok(instead)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.abandoned.load(Ordering::Relaxed) {
            return Ok(bytes.len());
        }
        let result = self.stream.write(bytes);
        self.quietly(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.stream.flush();
        self.quietly(result, ())
    }
}

#[cfg(test)]
mod tests;
