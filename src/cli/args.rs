//! What can be said on the command line.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::batch::Evidence;
use crate::games::splinterlands::edition::Edition;
use crate::games::splinterlands::record::PATIENCE;
use crate::games::splinterlands::setup::TurnTies;
use crate::scenario::TableName;
use crate::table::Format;

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
  4  the balance is not what it was (`compare`, `nightly`)
  5  ended early by Ctrl-C; what was complete is written and marked partial
  6  a recorded battle was not reproduced (`replay`)

Colours are left out when NO_COLOR is set or the output is not a terminal."
);

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play a scenario's battles, print a summary, write tables
    Run(Run),
    /// Play variants of a scenario side by side, and tell what each change changes
    Sweep(Sweep),
    /// Tell what each ruleset and each pair of them does, from the same battles with and without
    Effects(Effects),
    /// Work out the exact odds of a scenario by walking all outcomes
    Exact(Exact),
    /// Find the weights that make every contender even, and confirm them
    Tune(Tune),
    /// Look for faults in scenarios, and do nothing else
    Check(Check),
    /// Tell one battle of a run as a story
    Trace(Trace),
    /// Fight recorded battles of the official game again, action for action
    Replay(Replay),
    /// List games, scenarios, cards, rulesets, abilities
    List(List),
    /// Hold counts against a baseline: what changed?
    Compare(Compare),
    /// Play scenarios and hold them against their baselines
    Nightly(Nightly),
    /// Hold forecasts of real line-ups against how their battles ended
    Score(Score),
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

const SWEEP_EXAMPLES: &str = "\
Examples:
  evens sweep splinterlands/sweep-health
  evens sweep my.toml --set rulesets.weights.Earthquake=0,1,2,4
  evens sweep my.toml --set 'changes.\"Pit Ogre\".health=+0,+1' --set rulesets.two=0,75
  evens sweep my.toml --set mana_caps.0=24,30 -o results --format csv";

#[derive(Args, Debug)]
#[command(after_help = SWEEP_EXAMPLES)]
pub(super) struct Sweep {
    /// A scenario file, or the name of a bundled scenario
    pub scenario: String,

    /// Something to vary, beside or instead of what the scenario's `[sweep]` varies: where the scenario says it, as
    /// keys joined by dots, and the values that stand there in turn; may be given several times
    #[arg(long = "set", value_name = "PATH=VALUE,...", help_heading = "What to vary")]
    pub set: Vec<String>,
    /// Take the first values of all axes together, then the second ones, and so on, instead of every value with every
    /// other
    #[arg(long, help_heading = "What to vary")]
    pub zip: bool,

    /// How many battles to play of each kind, instead of what the scenario says
    #[arg(long, value_name = "N", help_heading = "What to play")]
    pub battles: Option<NonZeroU64>,
    /// How battles are shared out over match-ups and rulesets
    #[arg(long, value_name = "HOW", default_value = "proportional", help_heading = "What to play")]
    pub allocation: Allocation,
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

    /// The folder to write the table `sweep` to, or `-` for standard output
    #[arg(short, long, value_name = "FOLDER", help_heading = "What to write")]
    pub output: Option<String>,
    /// The table's format [default: the scenario's, else parquet; csv on standard output]
    #[arg(long, value_name = "FORMAT", help_heading = "What to write")]
    pub format: Option<Format>,

    /// No progress and no report
    #[arg(short, long, help_heading = "What to print")]
    pub quiet: bool,
}

/// How a sweep shares its battles out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Allocation {
    /// By how likely the rulesets are, in the root mean square over the variants.
    #[default]
    Proportional,
    /// A quarter like that; the rest also by how much the battles of each differ.
    Neyman,
}

const EFFECTS_EXAMPLES: &str = "\
Examples:
  evens effects splinterlands/archetypes
  evens effects splinterlands/drawn-teams --battles 20000 -o results
  evens effects my.toml --table unit_effects -o - > unit_effects.csv";

#[derive(Args, Debug)]
#[command(after_help = EFFECTS_EXAMPLES)]
pub(super) struct Effects {
    /// A scenario file, or the name of a bundled scenario, that draws rulesets
    pub scenario: String,

    /// How many battles to play under each ruleset and pair, instead of an equal share of what the scenario says
    #[arg(long, value_name = "N", help_heading = "What to play")]
    pub battles: Option<NonZeroU64>,
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
    /// A table to fill, and to tell of, instead of both; units are only counted where their teams are drawn
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    pub table: Option<EffectsTable>,

    /// No progress and no report
    #[arg(short, long, help_heading = "What to print")]
    pub quiet: bool,
}

/// A table of effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[clap(rename_all = "snake_case")]
pub(super) enum EffectsTable {
    /// Win rates of sides.
    RulesetEffects,
    /// Win rates of cards and summoners.
    UnitEffects,
}

/// What `--even` calls those who meet each other as sides.
pub(super) const CONTENDERS: &str = "contenders";

const EXACT_EXAMPLES: &str = "\
Examples:
  evens exact solforge/dryad-and-patriarch
  evens exact my.toml --states 1000000 --ways 500000000
  evens exact my.toml --json
  evens exact my.toml --table exact_orders --format csv -o -

Where the budget is passed the answer is bounds: what was decided by then, and
what the rest may add. That is no failure (exit code 0): the page says so, and
with --json `complete` is false.";

/// A table of exact odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum ExactTable {
    /// Outcomes, lengths and results.
    Exact,
    /// Orders.
    ExactOrders,
}

#[derive(Args, Debug)]
#[command(after_help = EXACT_EXAMPLES)]
pub(super) struct Exact {
    /// A scenario file, or the name of a bundled scenario
    pub scenario: String,

    /// The most different states at once, in each match-up under each condition; what it costs in memory
    #[arg(long, value_name = "N", default_value = "200000", help_heading = "How far to walk")]
    pub states: NonZeroUsize,
    /// The most ways through a round in all, merged or not; what it costs in time
    #[arg(long, value_name = "N", default_value = "20000000", help_heading = "How far to walk")]
    pub ways: NonZeroU64,
    /// The most rounds of a battle [default: all]
    #[arg(long, value_name = "N", help_heading = "How far to walk")]
    pub rounds: Option<NonZeroU32>,
    /// Threads to walk on; 0 is one for every core. Results do not depend on it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        env = "EVENS_THREADS",
        help_heading = "How far to walk"
    )]
    pub threads: usize,

    /// The folder to write tables to, or `-` for one table on standard output
    #[arg(short, long, value_name = "FOLDER", help_heading = "What to write")]
    pub output: Option<String>,
    /// The tables' format [default: the scenario's, else parquet; csv on standard output]
    #[arg(long, value_name = "FORMAT", help_heading = "What to write")]
    pub format: Option<Format>,
    /// A table to fill, instead of both; may be given several times
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    pub tables: Vec<ExactTable>,

    /// One JSON object instead of a page, with every fraction in full
    #[arg(long, help_heading = "What to print")]
    pub json: bool,
    /// No page
    #[arg(short, long, conflicts_with = "json", help_heading = "What to print")]
    pub quiet: bool,
}

const TUNE_EXAMPLES: &str = "\
Examples:
  evens tune splinterlands/archetypes
  evens tune splinterlands/drawn-teams --even summoner
  evens tune my.toml --lowest 0.5 --highest 2 --rarest 2 --battles 2000000";

#[derive(Args, Debug)]
#[command(after_help = TUNE_EXAMPLES)]
pub(super) struct Tune {
    /// A scenario file, or the name of a bundled scenario, that draws rulesets by weight
    pub scenario: String,

    /// Who should be even: `contenders`, or a kind of unit that teams are drawn from, such as `summoner`
    #[arg(long, value_name = "WHOM", default_value = CONTENDERS, help_heading = "What to make even")]
    pub even: String,

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

/// What counts, and where it is told.
#[derive(Args, Debug)]
pub(super) struct Judging {
    /// A win rate may move this far without counting; a metric by the same part of its standard deviation, which
    /// is 1% at 0.5pp
    #[arg(
        long,
        value_name = "POINTS",
        default_value = "0.5pp",
        value_parser = points,
        help_heading = "What counts"
    )]
    pub tolerance: f64,
    /// At most so many reports raise any alarm although nothing changed
    #[arg(
        long,
        value_name = "PERCENT",
        default_value = "1%",
        value_parser = percent,
        help_heading = "What counts"
    )]
    pub alarm_rate: f64,
    /// Also write the report as Markdown, for the page of a CI job; `-` prints it instead of the usual report
    #[arg(long, value_name = "FILE", help_heading = "What to print")]
    pub summary: Option<PathBuf>,
}

/// `0.5pp` as a probability.
fn points(text: &str) -> Result<f64, String> {
    let points = text.strip_suffix("pp").and_then(|number| number.trim().parse::<f64>().ok());
    match points.filter(|points| (0.0..100.0).contains(points)) {
        Some(points) => Ok(points / 100.0),
        None => Err("write percentage points such as `0.5pp`".to_owned()),
    }
}

/// `1%` as a probability.
fn percent(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    match percent.filter(|&percent| 0.0 < percent && percent < 100.0) {
        Some(percent) => Ok(percent / 100.0),
        None => Err("write a percentage such as `1%`".to_owned()),
    }
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  evens compare before/solforge-my.json after/solforge-my.json
  evens compare reports/baseline new --tolerance 1pp";

#[derive(Args, Debug)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(super) struct Compare {
    /// What was counted before: a file that `evens nightly --write` wrote, or a folder of them
    pub baseline: PathBuf,
    /// What was counted since: likewise, and of a folder the files of the same names
    pub new: PathBuf,

    #[command(flatten)]
    pub judging: Judging,
}

const NIGHTLY_EXAMPLES: &str = "\
Examples:
  evens nightly                        every baseline in the folder
  evens nightly --summary balance.md   and a page for a CI job
  evens nightly --seed 20778           that night again
  evens nightly --write my.toml        write or renew a baseline

Exit code 4 says that a change counts.";

#[derive(Args, Debug)]
#[command(after_help = NIGHTLY_EXAMPLES)]
pub(super) struct Nightly {
    /// Scenario files, or names of bundled scenarios [default: all that have a baseline in the folder]
    pub scenarios: Vec<String>,

    /// The folder of the baselines, one file a scenario, called GAME-SCENARIO.json
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = "reports/baseline",
        help_heading = "What to play"
    )]
    pub baseline: PathBuf,
    /// Write the baselines instead of comparing with them; into an empty folder those of the bundled set
    #[arg(
        long,
        conflicts_with_all = ["tolerance", "alarm_rate", "summary"],
        help_heading = "What to play"
    )]
    pub write: bool,
    /// How many battles of each scenario to play [default: as many as its baseline holds; for a new baseline what
    /// the scenario says]
    #[arg(long, value_name = "N", help_heading = "What to play")]
    pub battles: Option<NonZeroU64>,
    /// The master seed of every scenario [default: the day, counted from 1 January 1970, so that every night has
    /// fresh dice; for a new baseline the scenario's]
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

    #[command(flatten)]
    pub judging: Judging,

    /// No progress
    #[arg(short, long, help_heading = "What to print")]
    pub quiet: bool,
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  evens replay battle.json                         with the bundled cards of May 2020
  evens replay logs.jsonl --cards cards.json       with the card file of the battles' time
  evens replay logs.jsonl --cards cards.json --from-seed

Exit code 6 says that a battle was not reproduced.";

#[derive(Args, Debug)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(super) struct Replay {
    /// Records in the shape of the official `battle/result`: one, a list, or one on each line
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,

    /// The cards: an official card file, or a catalogue [default: the bundled cards of May 2020]
    #[arg(long, value_name = "FILE", help_heading = "What to fight")]
    pub cards: Option<PathBuf>,
    /// Pass over battles with cards, abilities or rulesets that are not known, or whose course was not kept
    #[arg(long, help_heading = "What to fight")]
    pub known_only: bool,
    /// Take surrendered battles, and others without both teams, for faults, instead of passing over them
    #[arg(long, help_heading = "What to fight")]
    pub strict: bool,

    /// Draw the luck from each battle's seed as the official game does, and do not read its actions; they are only
    /// compared
    #[arg(long, help_heading = "How to fight")]
    pub from_seed: bool,
    /// Rounds to fight, all attempts together, before a battle is left undecided
    #[arg(long, value_name = "N", default_value_t = PATIENCE, help_heading = "How to fight",
          conflicts_with = "from_seed")]
    pub patience: u32,
}

const SCORE_EXAMPLES: &str = "\
Examples:
  evens score results.jsonl --cards cards.json
  evens score results.jsonl --runs 10000 -o scores --format csv
  evens score results.jsonl --table forecasts -o - | head";

#[derive(Args, Debug)]
#[command(after_help = SCORE_EXAMPLES)]
pub(super) struct Score {
    /// Files of battles with known winners, in the shape of the official `battle/result`: one, a list, or one on each
    /// line
    #[arg(required = true)]
    pub results: Vec<PathBuf>,
    /// The cards of the time: an official card file, or a catalogue from `evens import` [default: those of May 2020]
    #[arg(long, value_name = "FILE", help_heading = "What to play")]
    pub cards: Option<PathBuf>,
    /// Pass over battles with cards, abilities or rulesets that are not known
    #[arg(long, help_heading = "What to play")]
    pub known_only: bool,
    /// Take surrendered battles, and others without both teams, for faults, instead of passing over them
    #[arg(long, help_heading = "What to play")]
    pub strict: bool,
    /// How many times to fight each battle
    #[arg(long, value_name = "N", default_value = "1000", help_heading = "What to play")]
    pub runs: NonZeroU64,
    /// Who of several equals acts first: any of them equally likely, or as the official program sorts them
    #[arg(long, value_name = "HOW", default_value = "even", help_heading = "What to play")]
    pub turn_ties: TurnTies,
    /// The master seed
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "What to play")]
    pub seed: u64,
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
    /// The tables' format [default: parquet; csv on standard output]
    #[arg(long, value_name = "FORMAT", help_heading = "What to write")]
    pub format: Option<Format>,
    /// A table to write, instead of all; may be given several times
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    pub tables: Vec<ScoreTable>,

    /// No progress and no page
    #[arg(short, long, help_heading = "What to print")]
    pub quiet: bool,
}

/// A table that `evens score` fills.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ScoreTable {
    /// Accuracy, Brier score and log loss, in all and by ruleset
    Scores,
    /// Forecasts by what they said, and how often they came true
    Calibration,
    /// One row per battle
    Forecasts,
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
    /// The edition the catalogue is for: 2020, or 2022 with more abilities
    #[arg(long, value_name = "YEAR", default_value_t = Edition::default())]
    pub edition: Edition,
    /// The catalogue to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}
