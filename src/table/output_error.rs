//! Why results cannot be written.

use std::io;
use std::path::PathBuf;

use super::Format;
use super::partition::MOST_NAME;
use super::provenance::FORMAT;
use crate::inputs::how_to_read;
use crate::remote::RemoteError;

/// Why results cannot be written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum OutputError {
    /// Standard output cannot tell tables apart.
    #[error("standard output takes one table, and {0} are asked for")]
    #[diagnostic(help("name one table, or a folder to write them to"))]
    OneTable(usize),
    /// The format was left out of this build.
    #[error("this build cannot write {0}")]
    #[diagnostic(help("choose `--format csv`, json or markdown, or build with `--features {0}`"))]
    Format(Format),
    /// A folder stands where a file belongs.
    #[error("{} is a folder, and a file of that name is to be written", .0.display())]
    #[diagnostic(help("move it away, or choose another folder for the results"))]
    Occupied(PathBuf),
    /// Something else stands where a folder belongs.
    #[error("{} is no folder, and results go into one of that name", .0.display())]
    #[diagnostic(help("move it away, or choose another folder for the results"))]
    InTheWay(PathBuf),
    /// The scenario's name is too long for the name of a folder.
    #[error("the folder of `{0}` would have a name of {1} bytes, and systems take {MOST_NAME}")]
    #[diagnostic(help(
        "give the scenario a shorter name (letters that are not of ASCII, blanks and slashes count three bytes and more), or \
         leave --partition out"
    ))]
    LongName(String, usize),
    /// A folder stands where a single file is to be written.
    #[error("{} is a folder, and a file is to be written there", .0.display())]
    #[diagnostic(help("name a file, such as one in that folder"))]
    Folder(PathBuf),
    /// Something stands where a new file is to be made.
    #[error("{} is there already, and is not overwritten", .0.display())]
    #[diagnostic(help("name another file"))]
    Exists(PathBuf),
    /// A file stands there that is not one of those that the new file may replace.
    #[error("{} is there already and is not {noun}: it is not replaced", path.display())]
    #[diagnostic(help("name another file, or remove it first"))]
    NotReplaced {
        /// The file.
        path: PathBuf,
        /// What may be replaced.
        noun: &'static str,
    },
    /// The folder or a file in it cannot be made.
    #[error("cannot write to {}", path.display())]
    #[diagnostic(help("{}", remedy_of(source)))]
    Open {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The note on results that a command left unfinished cannot be used.
    #[error("{} is damaged, or no note of ours", .0.display())]
    #[diagnostic(help(
        "remove this file: what a command put into the folder before is as it was, and what it left unfinished is lost"
    ))]
    Note(PathBuf),
    /// A file there cannot be read, so that nothing says whether it is ours.
    #[error("cannot read {}", path.display())]
    #[diagnostic(help("{}: only results as they were written are replaced", how_to_read(source)))]
    Unread {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file stands there that no command of ours wrote, or that somebody has changed since.
    #[error("{} is no result of an earlier run, or it was changed since", .0.display())]
    #[diagnostic(help(
        "move it away, or choose another folder: only results as they were written are replaced"
    ))]
    Foreign(PathBuf),
    /// A later version of the program wrote the tables that are there.
    #[error("{} says that its tables have format {format}, and this program writes format {FORMAT}", path.display())]
    #[diagnostic(help(
        "choose another folder, or move these away: what a later version of evens wrote is not replaced"
    ))]
    Later {
        /// What lists them.
        path: PathBuf,
        /// Their format.
        format: u32,
    },
    /// Another command has the folder open.
    #[error("another evens is writing to {}", .0.display())]
    #[diagnostic(help("wait for it to end, or choose another folder"))]
    Busy(PathBuf),
    /// The folder holds the results of a single run.
    #[error("{} holds the results of one run, and not those of many", .0.display())]
    #[diagnostic(help("choose another folder for --partition"))]
    OneRun(PathBuf),
    /// The folder holds the results of many runs.
    #[error("{} holds the results of many runs, and not those of one", .0.display())]
    #[diagnostic(help("choose another folder, or add the run to these with --partition"))]
    ManyRuns(PathBuf),
    /// The folder holds baselines.
    #[error("{} holds baselines, and `nightly` takes every `.json` there for one", .0.display())]
    #[diagnostic(help("choose another folder"))]
    Baselines(PathBuf),
    /// Runs share folders of this machine alone.
    #[error("{} is in an object store, where runs cannot share a folder", .0.display())]
    #[diagnostic(help(
        "write to a folder with --partition and copy it there, or leave --partition out"
    ))]
    NotShared(PathBuf),
    /// The output would take the place of a table of the same command.
    #[error("{} belongs to the tables, and another output is to go there", .0.display())]
    #[diagnostic(help("choose another file for it, or another folder for the tables"))]
    OfTables(PathBuf),
    /// A single file has the name of the folder that the tables go to.
    #[error(
        "`{option} {}` and {folder} name the same place, and one is a file and the other a folder",
        path.display()
    )]
    #[diagnostic(help(
        "name a file for `{option}`, such as one in that folder, or another folder for the tables"
    ))]
    OfFolder {
        /// The flag of the file.
        option: &'static str,
        /// The file.
        path: PathBuf,
        /// What names the folder.
        folder: String,
    },
    /// Another output of the same command goes there.
    #[error("{} is where another output of this command goes", .0.display())]
    #[diagnostic(help("choose another place for one of them"))]
    Twice(PathBuf),
    /// A file has the name of the folder that is to be written to.
    #[error("{} is a file, and results go to a folder", .0.display())]
    #[diagnostic(help("name a folder, which is made where it is missing"))]
    NoFolder(PathBuf),
    /// The output would go to a file that is open already, such as what standard output was sent to.
    #[error("{} leads to a file that is open already", .0.display())]
    #[diagnostic(help("name a file of its own"))]
    Stream(PathBuf),
    /// The output would take the place of what a command keeps.
    #[error("{} belongs to what evens keeps in that folder, and is not written over", .0.display())]
    #[diagnostic(help("choose another file for the output"))]
    Kept(PathBuf),
    /// The output would take the place of what is read.
    #[error("{} is an input: it is not written over", .0.display())]
    #[diagnostic(help("choose another file for the output"))]
    Input(PathBuf),
    /// Writing broke off. Results of earlier runs are as they were.
    #[error("cannot write {what}")]
    #[diagnostic(help("{}: what earlier runs wrote is as it was", remedy_of_system(source)))]
    Write {
        /// The file, or standard output.
        what: String,
        /// What the system says.
        source: io::Error,
    },
    /// Rows for standard output have to wait in a file until their run is known, and that file cannot be written.
    #[error("cannot write to {}, where rows wait until the last battle", folder.display())]
    #[diagnostic(help("{}: the variable TMPDIR names the place", remedy_of_system(source)))]
    Wait {
        /// The folder of temporary files.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Writing a single file broke off. What was there is as it was.
    #[error("cannot write {}", path.display())]
    #[diagnostic(help("{}: what was there is as it was", remedy_of_system(source)))]
    WriteFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// What a command kept cannot be removed.
    #[error("cannot remove {}", path.display())]
    #[diagnostic(help("see whether it is a file that may be removed"))]
    Remove {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The new files of a folder are complete, but some of them could not take their names.
    #[error(
        "the new results in {} have not all taken their names: {} is in the way",
        path.display(), at.display()
    )]
    #[diagnostic(help(
        "{}: the next command that writes there finishes it",
        remedy_of_obstacle(source)
    ))]
    HalfDone {
        /// The folder.
        path: PathBuf,
        /// The file or folder that is in the way.
        at: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// An object store failed.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Remote(#[from] RemoteError),
}

impl OutputError {
    /// Whether the command line asks for what another one need not ask for.
    #[cfg(feature = "cli")]
    pub(crate) fn is_of_command_line(&self) -> bool {
        match self {
            Self::Format(_)
            | Self::Later { .. }
            | Self::OfTables(_)
            | Self::OfFolder { .. }
            | Self::Twice(_)
            | Self::NoFolder(_)
            | Self::LongName(..)
            | Self::Stream(_)
            | Self::Baselines(_)
            | Self::Kept(_)
            | Self::NotReplaced { .. }
            | Self::Input(_) => true,
            Self::OneTable(_)
            | Self::Occupied(_)
            | Self::InTheWay(_)
            | Self::Folder(_)
            | Self::Exists(_)
            | Self::Open { .. }
            | Self::Note(_)
            | Self::Unread { .. }
            | Self::Foreign(_)
            | Self::Busy(_)
            | Self::OneRun(_)
            | Self::ManyRuns(_)
            | Self::NotShared(_)
            | Self::Write { .. }
            | Self::Wait { .. }
            | Self::WriteFile { .. }
            | Self::Remove { .. }
            | Self::HalfDone { .. }
            | Self::Remote(_) => false,
        }
    }
}

/// Whether the program may not open any more files: `EMFILE`, which has no name in the standard library.
fn are_too_many_open(source: &io::Error) -> bool {
    cfg!(unix) && source.raw_os_error() == Some(24)
}

/// What to do where a file cannot be made.
fn remedy_of(source: &io::Error) -> &'static str {
    if are_too_many_open(source) {
        return "raise the limit of open files (`ulimit -n`)";
    }
    match source.kind() {
        io::ErrorKind::NotFound => "there is no such folder: make it, or choose another",
        io::ErrorKind::InvalidFilename => "choose a shorter name",
        io::ErrorKind::AlreadyExists | io::ErrorKind::InvalidData => {
            "move what is there away, or choose another folder"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room there, or choose another folder"
        }
        _ => "choose a folder that you may write to",
    }
}

/// What to do where writing broke off.
fn remedy_of_system(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room there, or choose another place"
        }
        io::ErrorKind::FileTooLarge => {
            "raise the limit of a file's size (`ulimit -f`), or choose another place"
        }
        _ => "see whether the place can be written to",
    }
}

/// What to do where a file cannot have the name that was promised to it.
fn remedy_of_obstacle(source: &io::Error) -> &'static str {
    use io::ErrorKind::{
        AlreadyExists, IsADirectory, NotADirectory, PermissionDenied, QuotaExceeded, StorageFull,
    };
    match source.kind() {
        AlreadyExists | IsADirectory | NotADirectory => "move it away",
        PermissionDenied => "let it and its folder be written to",
        StorageFull | QuotaExceeded => "make room there",
        _ => "see whether it can be replaced",
    }
}
