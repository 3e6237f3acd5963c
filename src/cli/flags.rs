//! Flags that several commands share.

use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::builder::{
    OsStringValueParser, PathBufValueParser, PossibleValuesParser, TypedValueParser,
};
use clap::{Args, ValueEnum};

use crate::batch::MOST_THREADS;
use crate::numerals::read;
use crate::report::figures::named;
use crate::scenario::suggestion;
use crate::table::Format;
use crate::tally::{Layout, OutcomeMeasure};

use super::Failure;

/// The name of a value on the command line.
pub(super) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// The most that can be asked for of anything: so many battles would take years, and what they are multiplied by must
/// not overflow.
pub(super) const MOST: u64 = 100_000_000_000_000;

/// A number of battles, or of whatever else is counted, as people write it: `1000000`, `1_000_000`, `1,000,000`, `1e6`, `10k`,
/// `2.5M`.
pub(super) fn count(text: &str) -> Result<NonZeroU64, String> {
    let wrong = || {
        format!(
            "`{text}` is no count: write a whole number from 1 to 1e14, such as 50000, 50_000, 5e4, 50k or 2.5M"
        )
    };
    read(text.trim()).filter(|&number| number <= MOST).and_then(NonZeroU64::new).ok_or_else(wrong)
}

/// A whole number as people write it, where 0 is one too: `--battle 20k`, `--paired 0`.
pub(super) fn number<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = read(text.trim()).ok_or_else(|| {
        format!("`{text}` is no whole number: write one from 0, such as 3, 20_000, 2e4 or 20k")
    });
    number?.try_into().map_err(|_| format!("`{text}` is larger than anything here can be"))
}

/// Reads percentage points, such as `0.5pp`, as a share.
pub(super) fn points(text: &str) -> Option<f64> {
    hundredths(text.trim().strip_suffix("pp")?)
}

/// Reads percentage points from 0 to below 100, such as `0.5pp`, as a share.
pub(super) fn points_from_0(text: &str) -> Result<f64, String> {
    points(text)
        .filter(|share| (0.0..1.0).contains(share))
        .ok_or_else(|| "write percentage points such as `0.5pp`".to_owned())
}

/// Reads a percentage, such as `95%`, as a share.
pub(super) fn percent(text: &str) -> Option<f64> {
    hundredths(text.trim().strip_suffix('%')?)
}

fn hundredths(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|of| of.is_finite()).map(|of| of / 100.0)
}

/// Parses the path of a file to write, which cannot be standard output.
pub(super) fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path == Path::new("-") {
        true => Err("standard output cannot take it: name a file"),
        false => Ok(path),
    })
}

/// Parses a folder to write to, or `-`. A name with the ending of a table that is no folder yet is refused: a file was
/// meant.
fn folder() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|folder| {
        let path = Path::new(&folder);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_like_a_table = ["csv", "parquet", "md", "json", "jsonl"].contains(&ending);
        match folder.is_empty() {
            true => Err("it has no name: name a folder, or `.` for this one"),
            false if is_like_a_table && !path.is_dir() => Err(
                "a folder takes all tables: name it without an ending, or write a single one with `-o - > FILE` (of several tables, `--table NAME` says which)",
            ),
            false => Ok(folder),
        }
    })
}

/// Reads a seed as tables have it (a number, or hexadecimal after `0x`), or a number as people write it.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let seed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => read(text),
    };
    seed.ok_or_else(|| {
        format!("`{text}` is no seed: write a whole number below 2^64, or hexadecimal after `0x`")
    })
}

/// Reads a number from 1, as people write it, that is a limit of memory.
pub(super) fn size(text: &str) -> Result<NonZeroUsize, String> {
    let count = count(text)?;
    NonZeroUsize::try_from(count)
        .map_err(|_| format!("`{text}` is more than this machine can count"))
}

/// Dice and threads.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Play {
    /// The master seed, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = seed, help_heading = "What to play")]
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
    // An empty variable counts as not set.
    let text = if text.is_empty() { "0" } else { text };
    let threads = number(text).ok().filter(|&threads| threads <= MOST_THREADS);
    threads.ok_or_else(|| {
        format!("write a number from 0 to {MOST_THREADS}, here or in the variable EVENS_THREADS")
    })
}

/// Where tables go.
#[derive(Args, Clone, Debug)]
pub(super) struct Output {
    /// The folder to write tables to (or `s3://BUCKET/KEY`, where the program was built for it), or `-` for one table on
    /// standard output
    #[arg(short, long, value_name = "FOLDER", value_parser = folder(), help_heading = "What to write")]
    pub output: Option<OsString>,
    /// The tables' format [default: the scenario's, else parquet; csv on standard output and where the build has no Parquet]
    #[arg(long, value_name = "FORMAT", help_heading = "What to write")]
    pub format: Option<Format>,
    /// Share the folder among runs: each table goes to `FOLDER/TABLE/scenario=NAME/seed=N/part-RUN.parquet`, which DuckDB and
    /// polars read as one table of all runs
    #[arg(long, help_heading = "What to write")]
    pub partition: bool,
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

/// What comparisons count where the very same battles are compared, decided or not.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct MeasuredInPairs {
    /// What comparisons count: `score` is wins and an equal share of what nobody won, `wins` is wins per battle
    #[arg(
        long,
        value_parser = of_pairs(),
        value_name = "MEASURE",
        default_value = "score",
        help_heading = "What to compare"
    )]
    pub measure: OutcomeMeasure,
}

fn of_pairs() -> impl TypedValueParser<Value = OutcomeMeasure> {
    let all = [OutcomeMeasure::Score, OutcomeMeasure::Wins];
    PossibleValuesParser::new(all.iter().filter_map(ValueEnum::to_possible_value))
        .try_map(|name| OutcomeMeasure::from_str(&name, false))
}

/// Whether to be quiet.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Quiet {
    /// No progress and no page
    #[arg(short, long, help_heading = "What to print")]
    pub quiet: bool,
    /// Print one JSON object instead of a page: where the results come from, and their tables. `evens schema results` says
    /// what is in it
    #[arg(long, conflicts_with = "quiet", help_heading = "What to print")]
    pub json: bool,
}

/// Index of the unit with this name, in letters of either case, into the units of the layout.
pub(super) fn unit_of(name: &str, layout: &Layout) -> Result<usize, Failure> {
    let found = layout.units.iter().position(|unit| unit.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        /// How many units are named where none has a similar name.
        const NAMED: usize = 8;
        let known: Vec<&str> = layout.units.iter().map(|unit| unit.name.as_str()).collect();
        let listing = format!("there are {}", named(&known, NAMED));
        let remedy = suggestion(name, known.iter().copied(), &listing);
        Failure::Usage(format!("there is no unit `{name}` in this scenario; {remedy}"))
    })
}

/// Indices of the units with these names, each once, as tables that are named twice are written once.
pub(super) fn units_of(names: &[String], layout: &Layout) -> Result<Vec<usize>, Failure> {
    let mut units = Vec::new();
    for name in names {
        let unit = unit_of(name, layout)?;
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    Ok(units)
}
