//! Reading a folder of results again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::away::Mirror;
use super::csv::read_csv;
use super::folder::{MANIFEST, MOVE_AWAY, NOTE, NOTES, PUT_BACK, Wrong, file_name, is_below};
use super::partition::runs;
use super::provenance::{FORMAT, Listed, Manifest, RUN};
use super::{Column, ColumnKind, Provenance, Table, TextLists, Values, Words};
use crate::inputs;
use crate::inputs::how_to_read;
use crate::remote::{RemoteError, is_remote};

/// The results of one run, as the manifest in their folder lists them.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    /// The local copies of its files, if they are in an object store.
    mirror: Option<Mirror>,
    manifest: Manifest,
    /// The file that the manifest was read from.
    described_in: PathBuf,
}

/// Why results cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no folder of this name.
    #[error("there is no such folder")]
    Missing,
    /// The folder is there and cannot be looked into.
    #[error("it cannot be looked into: {0}")]
    Closed(#[source] io::Error),
    /// The folder holds no results.
    #[error("there are no results of evens in it: {MANIFEST} is missing or is not ours")]
    NoResults,
    /// A command was ended before all its files had taken their names.
    #[error("a command was ended while it put its results here")]
    Unfinished,
    /// The folder holds the results of several runs.
    #[error("several runs share it")]
    Several(String),
    /// The folder holds tables and nothing that says what they are about.
    #[error("its tables were written without {NOTES}, which says what they are about")]
    NoNotes,
    /// A file is not the one that was written.
    #[error("{file} is not the file that was written: {}", if *.is_there { "its hash is another one" } else { "it is missing" })]
    Changed {
        /// Its name.
        file: String,
        /// Whether there is a file of that name.
        is_there: bool,
    },
    /// The file that lists the others is not the one that was written.
    #[error("{0} is not the file that was written: it has another digest than it says")]
    Relisted(String),
    /// A later version of the program wrote it, in a way that this one does not know.
    #[error("its tables have format {0}, and this program reads formats 1 to {FORMAT}")]
    Later(u32),
    /// The format cannot be read again, or not by this build.
    #[error("{0} is in a format that is not read again: CSV is, and Parquet where it is built in")]
    Format(String),
    /// A file cannot be read.
    #[error("{file}: {source}")]
    File {
        /// Its name.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// An object store failed.
    #[error(transparent)]
    Remote(#[from] RemoteError),
}

impl ReadError {
    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> String {
        let remedy = match self {
            Self::Missing | Self::NoResults => {
                "name the folder that a command wrote with `-o FOLDER`"
            }
            Self::Closed(error) => how_to_read(error),
            Self::Unfinished => {
                "run the command again: it finishes what was begun there, and writes its results"
            }
            Self::Several(one) => return format!("name one of them, such as `{one}`"),
            Self::NoNotes => {
                "`evens report --help` names the commands that write it; where one did not, being older, run it again"
            }
            Self::Changed { is_there: true, .. } | Self::File { .. } => MOVE_AWAY,
            Self::Changed { is_there: false, .. } => "run the command again",
            Self::Relisted(_) => PUT_BACK,
            Self::Later(_) => "read it with the version of evens that wrote it, or a later one",
            Self::Remote(_) => "see where AWS_ENDPOINT_URL and the other variables of AWS lead",
            Self::Format(_) => {
                "write the tables as CSV (`--format csv`), or as Parquet and read them with a build that has Parquet"
            }
        };
        remedy.to_owned()
    }
}

/// Checks that there is a folder, and that what is in it can be listed.
fn look_into(folder: &Path) -> Result<(), ReadError> {
    match fs::read_dir(folder) {
        Ok(_) => Ok(()),
        Err(error) => Err(match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::Missing,
            _ => ReadError::Closed(error),
        }),
    }
}

impl Results {
    /// Opens the results in a folder, or those of the run whose manifest in a shared folder is named.
    ///
    /// # Errors
    /// When there are no results in it, or when they are those of several runs, of an unfinished command or of a later
    /// format.
    pub fn open(folder: &Path) -> Result<Self, ReadError> {
        if is_remote(folder) {
            let mirror = Mirror::open(folder)?;
            let manifest = mirror.fetch(MANIFEST)?.and_then(|path| Manifest::read(&path));
            let manifest = manifest.ok_or(ReadError::NoResults)?;
            let (folder, described_in) = (mirror.here().to_owned(), mirror.here().join(MANIFEST));
            return known(Self { folder, mirror: Some(mirror), manifest, described_in });
        }
        if folder.is_file() {
            return Self::of_shared(folder);
        }
        look_into(folder)?;
        if folder.join(NOTE).exists() {
            return Err(ReadError::Unfinished);
        }
        let path = folder.join(MANIFEST);
        if path.exists() {
            let manifest = Manifest::read(&path).ok_or(ReadError::NoResults)?;
            let (folder, described_in) = (folder.to_owned(), path);
            return known(Self { folder, mirror: None, manifest, described_in });
        }
        match &runs(folder).unwrap_or_default()[..] {
            [] => Err(ReadError::NoResults),
            [run] => Self::of_shared(run),
            [first, ..] => Err(ReadError::Several(first.display().to_string())),
        }
    }

    /// Opens the results of every run in a folder that many share, each with the path of its manifest, sorted by that
    /// path.
    ///
    /// # Errors
    /// When there are none. A run that cannot be read has its own error in the list.
    #[expect(clippy::type_complexity, reason = "a list of files and what is in each")]
    pub fn of_every_run(
        folder: &Path,
    ) -> Result<Vec<(PathBuf, Result<Self, ReadError>)>, ReadError> {
        look_into(folder)?;
        let all: Vec<PathBuf> = runs(folder).unwrap_or_default();
        if all.is_empty() {
            return Err(ReadError::NoResults);
        }
        let opened = |run: PathBuf| {
            let results = Self::of_shared(&run);
            (run, results)
        };
        Ok(all.into_iter().map(opened).collect())
    }

    /// Opens the results of one run in a folder that many share, by its manifest in `runs`.
    fn of_shared(run: &Path) -> Result<Self, ReadError> {
        let manifest = Manifest::read(run).ok_or(ReadError::NoResults)?;
        let folder = run.parent().and_then(Path::parent).ok_or(ReadError::NoResults)?;
        let (folder, described_in) = (folder.to_owned(), run.to_owned());
        known(Self { folder, mirror: None, manifest, described_in })
    }

    /// Where the results come from.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.manifest.run
    }

    /// The paths of all its files, including the manifest.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let listed = self.manifest.files.iter().map(|listed| self.folder.join(&listed.file));
        listed.chain([self.described_in.clone()])
    }

    /// The report's notes: what a report says that no table holds.
    ///
    /// # Errors
    /// When it was not written, or has changed since.
    pub fn notes(&self) -> Result<String, ReadError> {
        let are_notes = |listed: &&Listed| listed.table.is_none() && listed.file.ends_with(NOTES);
        let listed = self.manifest.files.iter().find(are_notes);
        let path = self.checked(listed.ok_or(ReadError::NoNotes)?)?;
        fs::read_to_string(path).map_err(|source| failed(NOTES, source))
    }

    /// Whether there is a table of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.manifest.files.iter().any(|listed| listed.table.as_deref() == Some(name))
    }

    /// Reads a table; None when there is no table of this name.
    ///
    /// # Errors
    /// When it has changed since it was written, or is in a format that is not read again.
    pub fn table(&self, name: &str) -> Result<Option<Table>, ReadError> {
        let of_it = |listed: &&Listed| listed.table.as_deref() == Some(name);
        let Some(listed) = self.manifest.files.iter().find(of_it) else { return Ok(None) };
        let path = self.checked(listed)?;
        let mut columns: Vec<(Column, ColumnKind)> = Vec::new();
        for column in listed.columns.iter().filter(|column| column.name != RUN.name) {
            let kind = column.kind.ok_or(ReadError::NoNotes)?;
            let values = match kind {
                ColumnKind::TextList => {
                    let joint = column.joint.clone().unwrap_or_else(|| ", ".to_owned());
                    Values::TextList(TextLists::new(Words::default(), joint))
                }
                _ => Values::Text(Vec::new()),
            };
            let (name, meaning) = (column.name.clone().into(), column.meaning.clone().into());
            columns.push((Column { name, meaning, values }, kind));
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        let read = match ending {
            Some("csv") => read_csv(&path, &columns),
            #[cfg(feature = "parquet")]
            Some("parquet") => super::parquet::read_parquet(&path, &columns),
            _ => return Err(ReadError::Format(listed.file.clone())),
        };
        let values = read.map_err(|source| failed(&listed.file, source))?;
        let columns = columns.into_iter().zip(values);
        let columns = columns.map(|((column, _), values)| Column { values, ..column }).collect();
        Ok(Some(Table { name: name.to_owned(), columns }))
    }

    /// The path of a listed file, after a check that it is as it was written.
    fn checked(&self, listed: &Listed) -> Result<PathBuf, ReadError> {
        let path = self.folder.join(&listed.file);
        if let Some(mirror) = self.mirror.as_ref().filter(|_| is_below(&listed.file)) {
            mirror.fetch(&listed.file)?;
        }
        // Files of older versions have no hash, so nothing shows that they are as they were written.
        match listed.wrong_in(&self.folder) {
            None if listed.sha256.is_some() => Ok(path),
            why => {
                let (file, is_there) = (listed.file.clone(), why != Some(Wrong::Missing));
                Err(ReadError::Changed { file, is_there })
            }
        }
    }
}

/// Lets only results through that are as they were listed and whose format this program knows, and notes their files as
/// inputs.
fn known(results: Results) -> Result<Results, ReadError> {
    match results.manifest.later_format() {
        Some(later) => Err(ReadError::Later(later)),
        None if results.manifest.is_changed => {
            Err(ReadError::Relisted(file_name(&results.described_in)))
        }
        None => {
            // Tables are read only when they are asked for; no output may replace any of them.
            results.files().for_each(|file| inputs::note(&file));
            Ok(results)
        }
    }
}

fn failed(file: &str, source: io::Error) -> ReadError {
    ReadError::File { file: file.to_owned(), source }
}
