//! Partial results: what has been counted of a job that is not done, kept in a folder.
//!
//! A checkpoint, a shard and a merger of shards are one thing: which battles of which job were counted, and what they
//! add up to. Tallies are whole numbers and battle `i` is a pure function of (scenario, seed, `i`), so partial results
//! of one job add up to the bytes of the job in one go, in any order and grouping, and a job that goes on from one ends
//! with the bytes of one that was never ended.
//!
//! A partial result is a folder of two files:
//!
//! - `result.partial`: the [`Header`], every stage's tally and a checksum (see [`format`](mod@format)). It is written
//!   under another name, flushed to the disk, and renamed.
//! - `rows.partial`, where the job has a row for every battle: those rows, in the order of the battles. It only ever
//!   grows at its end; a command that continues cuts off what the header does not count.

pub mod format;
mod ranges;
mod rows;
mod store;

pub use format::{Asked, FORMAT, Header, LookNote, Segment, StageNote};
pub use ranges::{NoShard, Ranges, Shard};
pub use rows::{RowLog, RowSource};
pub use store::{Found, PlacesError, RESULT, Store};

use std::path::PathBuf;

use crate::remote::RemoteError;
use crate::report::figures::{are, counted, whole};

/// Why a partial result cannot be used.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum PartialError {
    /// Its bytes are not those that were written.
    #[error("{} is damaged: {why}", path.display())]
    #[diagnostic(help("run the command that wrote it again: it begins anew"))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How it is known to be damaged.
        why: String,
    },
    /// The system does not give its bytes, so its content is unknown.
    #[error("cannot read {}", path.display())]
    #[diagnostic(help("let it be read, or move it away to begin anew: it stays as it is"))]
    Unread {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file of this name was not written by evens.
    #[error("{} is nothing that evens has kept", .0.display())]
    #[diagnostic(help("move it away, or choose another folder"))]
    NotOurs(PathBuf),
    /// Another version wrote it.
    #[error("{} has format {found}, and this program reads format {FORMAT}", path.display())]
    #[diagnostic(help("go on with the version of evens that wrote it, or choose another folder"))]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// It belongs to another job.
    #[error("{} belongs to another job: {what} is {there} there and {here} here", path.display())]
    #[diagnostic(help(
        "repeat the command that began it to go on, choose another folder, or start over with --fresh"
    ))]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// What differs.
        what: String,
        /// What that is in the partial result.
        there: String,
        /// What that is in the command.
        here: String,
    },
    /// It was to be added to others, but belongs to another job.
    #[error("{0}")]
    #[diagnostic(help(
        "only parts of one job add up, played by the same rules: leave this one out, or play it again like the others; \
         --scenario names the scenario as it was, where it has moved or changed"
    ))]
    Unlike(String),
    /// It was given as an earlier play, but is of another job.
    #[error("{0}")]
    #[diagnostic(help(
        "name with --from the parts that this very command played before, with other shards"
    ))]
    NotEarlier(String),
    /// The same battles no longer end as they did: rules or cards have changed.
    #[error("battles end differently than when {} was begun: rules or cards have changed", path.display())]
    #[diagnostic(help(
        "battles of two sets of rules do not add up: start over with --fresh, or go on with the program that began it"
    ))]
    Rules {
        /// The folder.
        path: PathBuf,
    },
    /// It has more battles than were asked for.
    #[error("{} holds {} already, and {} {} asked for", path.display(), counted(*there, "battle"), whole(*here), are(*here))]
    #[diagnostic(help(
        "ask for at least as many, choose another folder, or start over with --fresh"
    ))]
    Longer {
        /// The folder.
        path: PathBuf,
        /// How many it has.
        there: u64,
        /// How many are asked for.
        here: u64,
    },
    /// Two partial results have the same battles.
    #[error(
        "{} and {} both hold battles {} to {}",
        one.display(), other.display(), whole(*from), whole(*to)
    )]
    #[diagnostic(help("every battle counts once: move one of the two away"))]
    Doubled {
        /// A folder.
        one: PathBuf,
        /// Another.
        other: PathBuf,
        /// The first battle that is in both.
        from: u64,
        /// The last of those that follow it.
        to: u64,
    },
    /// Some battles are in none of the partial results.
    #[error("{what}")]
    #[diagnostic(help("{remedy}"))]
    Missing {
        /// Which battles, in words.
        what: String,
        /// How to get them.
        remedy: String,
    },
    /// Partial results of a run with a stopping rule do not follow each other from look to look.
    #[error("{what}")]
    #[diagnostic(help("{remedy}"))]
    OutOfOrder {
        /// What is wrong.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// There is no partial result in the folder.
    #[error("there is no partial result in {}", .0.display())]
    #[diagnostic(help(
        "name folders that `--shard`, `--checkpoint` or `merge --into` has written"
    ))]
    Nothing(PathBuf),
    /// An object store cannot be used.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Remote(#[from] RemoteError),
}

impl PartialError {
    /// The error about a part that was given as an earlier play: nothing of it could be started over.
    #[cfg(feature = "cli")]
    pub(crate) fn of_earlier(self) -> Self {
        match self {
            Self::Foreign { .. } | Self::Rules { .. } => Self::NotEarlier(self.to_string()),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests;
