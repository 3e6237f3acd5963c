//! What can be said on the command line.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::batch::Evidence;
use crate::scenario::{Format, TableName};

/// Monte Carlo balance analysis for card-battle games: is this fair, and what would make it fairer?
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, after_long_help = EXAMPLES_AND_EXIT_CODES, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
}

macro_rules! examples {
    () => {
        "\
Examples:
  evens run splinterlands/mirror               play a bundled scenario
  evens run my.toml -o results --format csv    play your own, write tables
  evens check scenarios/*/*.toml               only look for faults
  evens trace my.toml --battle 17              tell battle 17 as a story
"
    };
}

const EXAMPLES: &str = concat!(examples!(), "\n`evens COMMAND --help` tells more about a command.");

const EXAMPLES_AND_EXIT_CODES: &str = concat!(
    examples!(),
    "
Exit codes:
  0  all is well
  1  something unexpected, such as a full disk
  2  the command line is wrong
  3  an input file has faults; nothing was written
  5  ended early by Ctrl-C; what was complete is written and marked partial

Colours are left out when NO_COLOR is set or the output is not a terminal."
);

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play a scenario's battles, print a summary, write tables
    Run(Run),
    /// Find the weights that make every contender even, and confirm them
    Tune(Tune),
    /// Look for faults in scenarios, and do nothing else
    Check(Check),
    /// Tell one battle of a run as a story
    Trace(Trace),
    /// List games, scenarios, cards, rulesets, abilities
    List(List),
    /// Print the JSON Schema of a game's scenarios, for editors
    Schema(Schema),
    /// Turn an official card file into a card catalogue
    Import(Import),
    /// Print a completion script for a shell
    Completions(Completions),
}

const RUN_EXAMPLES: &str = "\
Examples:
  evens run splinterlands/drawn-teams
  evens run my.toml --battles 10000000 --threads 8 -o results
  evens run my.toml --until ci=0.2pp
  evens run my.toml --table outcomes --format csv -o -  | head";

#[derive(Args, Debug)]
#[command(after_help = RUN_EXAMPLES)]
pub(super) struct Run {
    /// A scenario file, or the name of a bundled scenario
    pub scenario: String,

    /// How many battles to play, instead of what the scenario says
    #[arg(long, value_name = "N", help_heading = "What to play")]
    pub battles: Option<NonZeroU64>,
    /// Play until there is evidence enough: `ci=0.2pp` until every win rate is known to 0.2 percentage points,
    /// `sprt(-1pp,1pp)` until it is clear whether side A scores 1 point less or 1 more than half. Valid although
    /// it is looked at all the time
    #[arg(
        long,
        value_name = "EVIDENCE",
        conflicts_with = "battles",
        help_heading = "What to play"
    )]
    pub until: Option<Evidence>,
    /// With --until: end after so many battles in any case
    #[arg(
        long,
        value_name = "N",
        default_value = "100000000",
        requires = "until",
        help_heading = "What to play"
    )]
    pub max_battles: NonZeroU64,
    /// The master seed, instead of the scenario's
    #[arg(long, value_name = "N", help_heading = "What to play")]
    pub seed: Option<u64>,
    /// Threads to play on; 0 is one for every core. Results do not depend on it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        env = "EVENS_THREADS",
        help_heading = "What to play"
    )]
    pub threads: usize,

    /// The folder to write tables to, or `-` for one table on standard output
    #[arg(short, long, value_name = "FOLDER", help_heading = "What to write")]
    pub output: Option<String>,
    /// The tables' format [default: the scenario's, else parquet; csv on standard output]
    #[arg(long, value_name = "FORMAT", help_heading = "What to write")]
    pub format: Option<Format>,
    /// A table to fill, instead of those the scenario names; may be given several times
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    pub tables: Vec<TableName>,

    /// No progress and no summary
    #[arg(short, long, help_heading = "What to print")]
    pub quiet: bool,
}

const TUNE_EXAMPLES: &str = "\
Examples:
  evens tune splinterlands/archetypes
  evens tune my.toml --lowest 0.5 --highest 2 --rarest 2 --battles 2000000";

#[derive(Args, Debug)]
#[command(after_help = TUNE_EXAMPLES)]
pub(super) struct Tune {
    /// A scenario file, or the name of a bundled scenario, that draws rulesets by weight
    pub scenario: String,

    /// The lowest weight; what has weight 0 keeps it
    #[arg(
        long,
        value_name = "WEIGHT",
        default_value_t = 0.25,
        help_heading = "What weights may be"
    )]
    pub lowest: f64,
    /// The highest weight
    #[arg(
        long,
        value_name = "WEIGHT",
        default_value_t = 4.0,
        help_heading = "What weights may be"
    )]
    pub highest: f64,
    /// The least share of the battles, in percent, that anything with a weight is in
    #[arg(
        long,
        value_name = "PERCENT",
        default_value_t = 0.0,
        help_heading = "What weights may be"
    )]
    pub rarest: f64,

    /// How many battles to find the weights with, instead of what the scenario says; as many confirm them
    #[arg(long, value_name = "N", help_heading = "What to play")]
    pub battles: Option<NonZeroU64>,
    /// The master seed, instead of the scenario's; another one confirms
    #[arg(long, value_name = "N", help_heading = "What to play")]
    pub seed: Option<u64>,
    /// Threads to play on; 0 is one for every core. Results do not depend on it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        env = "EVENS_THREADS",
        help_heading = "What to play"
    )]
    pub threads: usize,

    /// One JSON object instead of a page
    #[arg(long, help_heading = "What to print")]
    pub json: bool,
    /// No progress
    #[arg(short, long, help_heading = "What to print")]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub(super) struct Check {
    /// Scenario files, or names of bundled scenarios
    #[arg(required = true)]
    pub scenarios: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct Trace {
    /// A scenario file, or the name of a bundled scenario
    pub scenario: String,
    /// Which battle, counted from 0 as in the `battles` table
    #[arg(long, value_name = "K")]
    pub battle: u64,
    /// The master seed, instead of the scenario's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// One JSON object a line, for machines
    #[arg(long)]
    pub json: bool,
}

/// How a list is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// For people.
    #[default]
    Plain,
    /// Comma-separated values.
    Csv,
    /// A JSON list of objects.
    Json,
    /// A Markdown table.
    Markdown,
}

const LIST_EXAMPLES: &str = "\
Examples:
  evens list games
  evens list cards splinterlands --format csv
  evens list rulesets --odds splinterlands/drawn-teams";

#[derive(Args, Debug)]
#[command(after_help = LIST_EXAMPLES)]
pub(super) struct List {
    /// What to list: `games`, `scenarios`, or what the game has (`cards`, `abilities`, `rulesets`, ...)
    pub what: String,
    /// Of which game; not needed where only one game has such a thing
    pub game: Option<String>,
    /// Instead: the exact probability of everything that this scenario draws before a battle
    #[arg(long, value_name = "SCENARIO")]
    pub odds: Option<String>,
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    pub format: ListFormat,
}

#[derive(Args, Debug)]
pub(super) struct Schema {
    /// The game
    pub game: String,
}

#[derive(Args, Debug)]
pub(super) struct Import {
    /// The game the cards are for; only `splinterlands` has an official card file
    #[arg(value_parser = ["splinterlands"])]
    pub game: String,
    /// The card file, in the shape of the official `cards/get_details`
    pub cards: PathBuf,
    /// The catalogue to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}
