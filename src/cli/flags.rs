//! Flags that several commands have, once.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use crate::batch::MOST_THREADS;
use crate::table::Format;
use crate::tally::OutcomeMeasure;

/// A value as it is written on the command line.
pub(super) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Dice and threads.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Play {
    /// The master seed, instead of the scenario's
    #[arg(long, value_name = "N", help_heading = "What to play")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub threads: Threads,
}

/// Threads.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Threads {
    /// Threads to play on, up to 1024; 0 is one for every core. Results do not depend on it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = threads,
        env = "EVENS_THREADS",
        help_heading = "What to play"
    )]
    pub threads: usize,
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|&threads| threads <= MOST_THREADS);
    threads.ok_or_else(|| format!("a number from 0 to {MOST_THREADS}"))
}

/// Where tables go.
#[derive(Args, Clone, Debug)]
pub(super) struct Output {
    /// The folder to write tables to, or `-` for one table on standard output
    #[arg(short, long, value_name = "FOLDER", help_heading = "What to write")]
    pub output: Option<OsString>,
    /// The tables' format [default: the scenario's, else parquet; csv on standard output]
    #[arg(long, value_name = "FORMAT", help_heading = "What to write")]
    pub format: Option<Format>,
    /// Let partial results (after Ctrl-C, or bounds of `exact`) take the place of complete ones in the folder, instead of
    /// going to `FOLDER/partial`
    #[arg(long, help_heading = "What to write")]
    pub replace_complete: bool,
}

/// What comparisons count.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Measured {
    /// What comparisons count: `score` is wins and an equal share of what nobody won, `wins` is wins per battle, `decided`
    /// is wins per decided battle
    #[arg(
        long,
        value_enum,
        value_name = "MEASURE",
        default_value_t,
        help_heading = "What to compare"
    )]
    pub measure: OutcomeMeasure,
}

/// Whether to be quiet.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Quiet {
    /// No progress and no page
    #[arg(short, long, help_heading = "What to print")]
    pub quiet: bool,
}
