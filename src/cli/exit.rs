//! How the program ends. The numbers are part of its interface.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::terminal::{Terminal, say};
use crate::partial::PartialError;
use crate::scenario::Faults;
use crate::table::OutputError;

/// Why the program ended, as a number for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All is well.
    Success = 0,
    /// Something that no input explains, such as a full disk.
    Unexpected = 1,
    /// The command line is wrong (clap uses the same number).
    Usage = 2,
    /// An input file has faults, or a partial result belongs to another job; nothing was written.
    Faulty = 3,
    /// The balance is not what it was: a change counts.
    Regression = 4,
    /// Ended early by Ctrl-C, SIGTERM or SIGHUP; what was complete is written and marked partial.
    Interrupted = 5,
    /// A recorded battle was not reproduced.
    NotReproduced = 6,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Inputs with faults.
    #[error("inputs have faults")]
    Input(Vec<Faults>),
    /// A command line that makes no sense, and what to say instead.
    #[error("{0}")]
    Usage(String),
    /// Results that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Partial results that are of no use.
    #[error(transparent)]
    Partial(#[from] PartialError),
    /// Anything else with the operating system.
    #[error("{what}: {error}")]
    System {
        /// What was being done.
        what: String,
        /// What went wrong.
        error: std::io::Error,
    },
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        Failure::Input(vec![faults])
    }
}

impl Failure {
    /// The exit code that stands for it.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Input(_) | Failure::Partial(_) => Exit::Faulty,
            Failure::Usage(_) => Exit::Usage,
            Failure::Output(_) | Failure::System { .. } => Exit::Unexpected,
        }
    }

    pub(super) fn print(&self, terminal: &Terminal) {
        match self {
            Failure::Input(inputs) => {
                for faults in inputs {
                    say(&terminal.report(faults));
                }
            }
            Failure::Output(error) => say(&terminal.report(error)),
            Failure::Partial(error) => say(&terminal.report(error)),
            Failure::Usage(_) | Failure::System { .. } => {
                let mut text = format!("error: {self}");
                if matches!(self, Failure::Usage(_)) {
                    let _ = write!(text, "\n\nFor more information, try '--help'.");
                }
                say(&format!("{text}\n"));
            }
        }
    }
}
