//! Where the tables of a run go.

use std::convert::Infallible;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::provenance::{ColumnNote, FileNote, Sidecar, column_notes};
use super::sink::{Out, sink};
use super::target::Target;
use super::{Format, Provenance, Sink, Table};

/// A folder, or standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// One file a table, and `provenance.json` beside them. Is made when it is missing.
    Folder(PathBuf),
    /// One table, for pipes. Written `-`.
    Stdout,
}

impl FromStr for Place {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == "-" { Place::Stdout } else { Place::Folder(text.into()) })
    }
}

/// Why results cannot be written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum OutputError {
    /// Standard output cannot tell tables apart.
    #[error("standard output takes one table, and {0} are asked for")]
    #[diagnostic(help("name one table, or a folder to write them to"))]
    OneTable(usize),
    /// The format was left out of this build.
    #[error("this build cannot write {0}")]
    #[diagnostic(help("choose csv, json or markdown, or build with `--features {0}`"))]
    Format(Format),
    /// A folder stands where a file belongs.
    #[error("{} is a folder, and a file of that name is to be written", .0.display())]
    #[diagnostic(help("move it away, or choose another folder for the results"))]
    Occupied(PathBuf),
    /// The folder or a file in it cannot be made.
    #[error("cannot write to {}", path.display())]
    #[diagnostic(help("choose a folder that you may write to"))]
    Open {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Writing broke off. Results of earlier runs are as they were.
    #[error("cannot write {what}")]
    Write {
        /// The file, or standard output.
        what: String,
        /// What the system says.
        source: io::Error,
    },
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
}

/// The open outputs of a run. Dropped without [`finish`](Self::finish) it leaves everything as it was.
pub struct Destination {
    outputs: Vec<Output>,
    /// `provenance.json`; none on standard output.
    sidecar: Option<Target>,
    abandoned: Arc<AtomicBool>,
}

/// One table on its way.
struct Output {
    table: String,
    sink: Box<dyn Sink>,
    target: Option<Target>,
    /// Known with the first chunk; a table that never came leaves no file.
    columns: Option<Vec<ColumnNote>>,
    rows: u64,
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
            Place::Folder(folder) => Self::in_folder(folder, format, &once),
            Place::Stdout => match once[..] {
                [table] => Self::on(io::stdout(), format, table),
                _ => Err(OutputError::OneTable(once.len())),
            },
        }
    }

    fn in_folder(folder: &Path, format: Format, tables: &[&str]) -> Result<Self, OutputError> {
        fs::create_dir_all(folder)
            .map_err(|source| OutputError::Open { path: folder.into(), source })?;
        let mut outputs = Vec::with_capacity(tables.len());
        for &table in tables {
            let target = Target::open(folder, &format!("{table}.{}", ending(format)))?;
            let out = Box::new(BufWriter::new(target.handle()?));
            let sink = sink(format, out).ok_or(OutputError::Format(format))?;
            let table = table.to_owned();
            outputs.push(Output { table, sink, target: Some(target), columns: None, rows: 0 });
        }
        let sidecar = Some(Target::open(folder, "provenance.json")?);
        Ok(Self { outputs, sidecar, abandoned: Arc::default() })
    }

    /// One table to a stream whose reader may leave at any time.
    fn on(
        stream: impl Write + Send + 'static,
        format: Format,
        table: &str,
    ) -> Result<Self, OutputError> {
        let abandoned = Arc::new(AtomicBool::new(false));
        let pipe = Pipe { stream, abandoned: abandoned.clone() };
        let out: Out = Box::new(BufWriter::new(pipe));
        let sink = sink(format, out).ok_or(OutputError::Format(format))?;
        let table = table.to_owned();
        let outputs = vec![Output { table, sink, target: None, columns: None, rows: 0 }];
        Ok(Self { outputs, sidecar: None, abandoned })
    }

    /// Whether `table` is to be written.
    #[must_use]
    pub fn wants(&self, table: &str) -> bool {
        self.outputs.iter().any(|output| output.table == table)
    }

    /// Whether nobody reads standard output any more. Playing on for its sake is pointless, and stopping
    /// is a success.
    #[must_use]
    pub fn abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }

    /// Adds rows to the table that the chunk names; one that was not asked for is let go. The bytes
    /// written depend on the order of the rows, so the caller keeps it.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    pub fn write(&mut self, chunk: &Table) -> Result<(), OutputError> {
        let named = |output: &&mut Output| output.table == chunk.name;
        let Some(output) = self.outputs.iter_mut().find(named) else {
            return Ok(());
        };
        output.rows += chunk.rows() as u64;
        output.columns.get_or_insert_with(|| column_notes(chunk));
        output.sink.write(chunk).map_err(|source| failed(output.target.as_ref(), source))
    }

    /// Writes what is left and the provenance, and moves every file into its place.
    ///
    /// # Errors
    /// What the system says, with the file's name.
    pub fn finish(self, provenance: &Provenance) -> Result<Vec<Written>, OutputError> {
        let mut written = Vec::new();
        let mut files = Vec::new();
        let mut targets = Vec::new();
        for output in self.outputs {
            let Some(columns) = output.columns else { continue };
            let Output { table, sink, target, rows, .. } = output;
            sink.finish(provenance).map_err(|source| failed(target.as_ref(), source))?;
            let path = target.as_ref().map(|target| target.path().to_owned());
            let file = target.as_ref().map(Target::name).unwrap_or_default();
            files.push(FileNote { file, table: table.clone(), rows, columns });
            written.push(Written { table, path, rows });
            targets.extend(target);
        }
        if let Some(mut target) = self.sidecar {
            let run = Sidecar { run: provenance, files };
            let text = serde_json::to_string_pretty(&run).map_err(io::Error::from);
            text.and_then(|text| target.write(&format!("{text}\n")))
                .map_err(|source| failed(Some(&target), source))?;
            targets.push(target);
        }
        // Whatever can fail for want of space has been done when the first name changes.
        for target in &targets {
            target.sync().map_err(|source| failed(Some(target), source))?;
        }
        for target in targets {
            target.settle()?;
        }
        Ok(written)
    }
}

fn failed(target: Option<&Target>, source: io::Error) -> OutputError {
    let what = target.map_or_else(
        || "to standard output".to_owned(),
        |target| target.path().display().to_string(),
    );
    OutputError::Write { what, source }
}

/// What the names of files of a format end with.
fn ending(format: Format) -> &'static str {
    match format {
        Format::Parquet => "parquet",
        Format::Csv => "csv",
        Format::Json => "json",
        Format::Markdown => "md",
    }
}

/// A stream whose reader may leave (`| head`): from then on everything written is let go.
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
