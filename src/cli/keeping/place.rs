//! Where a partial result is kept, as the command line says it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::Why;
use crate::cli::job::Job;
use crate::cli::reading::may_write_to;
use crate::cli::terminal::Terminal;
use crate::cli::{Failure, flags, until};
use crate::partial::{Found, Shard};
use crate::scenario::Output;
use crate::table::CHECKPOINT;

/// What is kept of a long command.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What to keep")]
pub(in crate::cli) struct Keep {
    /// Keep what was counted in this folder, so that the same command goes on where it was ended [default: `checkpoint` in
    /// the folder of -o, if there is one. Without the flag, commands that take over a minute or are ended early keep it
    /// there, except `nightly` and `tune` without --stats]
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = "")]
    pub checkpoint: Option<OsString>,
    /// How many seconds to let pass between checkpoints, or more where writing one takes long
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub checkpoint_every: Seconds,
    /// Begin anew and forget what was kept
    #[arg(long)]
    pub fresh: bool,
    /// What a merger hands over.
    #[arg(skip)]
    pub merged: Option<Merged>,
}

impl Keep {
    /// How long to let pass between checkpoints.
    pub(super) fn every(&self) -> Duration {
        self.checkpoint_every.0
    }

    /// The seed of the checkpoint that the command line asks for, by its name or in the folder of the results; None when
    /// there is none, or when it is to be forgotten.
    pub(in crate::cli) fn kept_seed(&self, folder: Option<&Path>) -> Option<u64> {
        let path = self.checkpoint.as_ref().filter(|_| !self.fresh)?;
        let path = match path.is_empty() {
            true => folder?.join(CHECKPOINT),
            false => path.into(),
        };
        let found = Found::read(&path).ok()??;
        Some(found.header.asked.seed)
    }

    /// The folder of the results, for a command that keeps a checkpoint only where it is asked for one.
    pub(in crate::cli) fn only_if_asked<'f>(&self, folder: Option<&'f Path>) -> Option<&'f Path> {
        folder.filter(|_| self.checkpoint.is_some())
    }
}

/// The part of a command that is played.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "What to play")]
pub(in crate::cli) struct Part {
    /// Play only this part of the battles, such as `2/8` or `1000..2000`, and keep what it counts in a folder below that
    /// of -o: `evens merge` adds all parts up to what one command would have written
    #[arg(long, value_name = "PART", conflicts_with = "json")]
    pub shard: Option<Shard>,
}

/// The plays before the one that a part is of.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What to play")]
pub(in crate::cli) struct Earlier {
    /// Play a part of the play that comes after those in this folder, which holds all parts of the earlier ones, or their
    /// sum: each play depends on all battles of those before it
    #[arg(long, value_name = "FOLDER", requires = "shard", conflicts_with = "json")]
    pub from: Option<PathBuf>,
}

/// A time in seconds, 30 by default.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Seconds(Duration);

impl Default for Seconds {
    fn default() -> Self {
        Self(Duration::from_secs(30))
    }
}

fn seconds(text: &str) -> Result<Seconds, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let seconds = seconds.filter(|&seconds| seconds <= until::YEAR);
    seconds.map(Seconds).ok_or_else(|| {
        format!(
            "`{text}` is no time between checkpoints: write seconds up to a year, such as 30 or 0.5"
        )
    })
}

/// Partial results that are to be finished without playing anything.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Merged {
    /// The partial results that were found.
    pub parts: Vec<Found>,
    /// The folder that takes their sum as a partial result; None when its tables are wanted.
    pub into: Option<PathBuf>,
    /// Whether tables are wanted although battles are missing.
    pub allow_missing: bool,
}

/// Why and where a partial result of a command is kept; the path is empty when it is kept nowhere.
pub(super) fn place(
    keep: &Keep,
    part: Part,
    folder: Option<&Path>,
) -> Result<(Why, PathBuf), Failure> {
    let inside = |name: &str| folder.map(|folder| folder.join(name));
    if let Some(merged) = &keep.merged {
        return Ok((Why::Merged, merged.into.clone().unwrap_or_default()));
    }
    if let Some(shard) = part.shard {
        let place = match (&keep.checkpoint, inside(&shard.folder())) {
            (Some(_), _) => {
                let remedy = "a shard is its own checkpoint: leave --checkpoint out";
                return Err(Failure::Usage(remedy.to_owned()));
            }
            (None, Some(place)) => place,
            (None, None) => {
                let remedy = "--shard needs -o FOLDER: what it counts is kept in a folder below";
                return Err(Failure::Usage(remedy.to_owned()));
            }
        };
        return Ok((Why::Shard(shard), place));
    }
    match &keep.checkpoint {
        Some(path) if !path.is_empty() => Ok((Why::Asked, path.into())),
        Some(_) => match inside(CHECKPOINT) {
            Some(place) => Ok((Why::Asked, place)),
            None => {
                let remedy = "--checkpoint needs a folder: `--checkpoint FOLDER`, or a folder for the results of this run alone (`-o FOLDER`)";
                Err(Failure::Usage(remedy.to_owned()))
            }
        },
        None => Ok(match inside(CHECKPOINT) {
            Some(place) => (Why::Long, place),
            None => (Why::Not, PathBuf::new()),
        }),
    }
}

/// The folder that shards are kept in: that of the command line, or else that of the scenario.
pub(in crate::cli) fn folder_of_shards(
    output: &flags::Output,
    scenario: &Output,
) -> Option<PathBuf> {
    let of_scenario = || scenario.folder.as_ref().filter(|folder| may_write_to(folder));
    match &output.output {
        Some(place) if place == "-" => None,
        Some(place) => Some(place.into()),
        None => of_scenario().map(PathBuf::from),
    }
}

/// Whether all that is wanted is a partial result.
pub(in crate::cli) fn is_partial(keep: &Keep, part: Part) -> bool {
    part.shard.is_some() || keep.merged.as_ref().is_some_and(|merged| merged.into.is_some())
}

/// A job, and the folder that partial results of it may go to. A job that only makes a partial result writes no tables.
pub(in crate::cli) fn job<'t>(
    terminal: &'t Terminal,
    output: &flags::Output,
    scenario: &Output,
    tables: &[String],
    quiet: bool,
    (keep, part): (&Keep, Part),
) -> Result<(Job<'t>, Option<PathBuf>), Failure> {
    let plays_nothing = keep.merged.is_some();
    if is_partial(keep, part) {
        let folder = folder_of_shards(output, scenario);
        return Ok((Job::without_tables(terminal, quiet).adding_up(plays_nothing), folder));
    }
    let job = Job::open(terminal, output, scenario, tables, quiet)?.adding_up(plays_nothing);
    let folder = job.outlet.own_folder().map(Path::to_owned);
    Ok((job, folder))
}
