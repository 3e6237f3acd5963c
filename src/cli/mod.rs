//! The command line: one file a command, with its arguments, its help and what it does; and what they share.

mod best;
mod check;
mod clock;
mod compare;
mod completions;
mod effects;
mod exact;
mod exit;
mod flags;
mod import;
mod interruption;
mod job;
mod keeping;
mod list;
mod man;
mod merge;
mod new;
mod nightly;
mod output;
mod page;
mod plan;
mod printed;
mod progress;
mod reading;
mod records;
mod replay;
mod report;
mod run;
mod schema;
mod score;
mod sweep;
mod tables;
mod terminal;
mod trace;
mod trend;
mod tune;
mod until;
mod worth;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

pub use exit::{Exit, Failure};
use terminal::{ColourChoice, ProgressChoice, Terminal};

/// Monte Carlo balance analysis for card-battle games: is this fair, and what would make it fairer?
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, after_long_help = EXAMPLES_AND_EXIT_CODES, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    command: Command,

    /// Let scenarios name files that are not below their folder, and folders for results that are not below the one the
    /// program is started in: for scenarios that you trust
    #[arg(long, global = true, help_heading = "What to allow")]
    allow_outside: bool,

    /// Whether there is colour
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "What to print"
    )]
    color: ColourChoice,

    /// How progress is shown
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "HOW",
        default_value_t,
        help_heading = "What to print"
    )]
    progress: ProgressChoice,
}

macro_rules! examples {
    () => {
        "\
Examples:
  evens run splinterlands/mirror               play a bundled scenario
  evens new splinterlands my.toml              begin a scenario of your own
  evens run my.toml -o results --format csv    play it, write tables
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
  3  an input file has faults, or a partial result is of another job; nothing was written
  4  the balance is not what it was (`compare`, `nightly`)
  5  ended early by Ctrl-C, SIGTERM or SIGHUP; an answer so far is written and marked partial
  6  a recorded battle was not reproduced (`replay`)

Colours: teal is favoured or more than before, orange is less, grey is not visible. `--color` has
the last word, then NO_COLOR, CLICOLOR_FORCE and CLICOLOR; else there are colours in a terminal."
);

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a scenario's battles, print a summary, write tables
    Run(run::Arguments),
    /// Play variants of a scenario side by side, and tell what each change changes
    Sweep(sweep::Arguments),
    /// Tell what each ruleset and each pair of them does, from the same battles with and without
    Effects(effects::Arguments),
    /// Work out the exact odds of a scenario by walking all outcomes
    Exact(exact::Arguments),
    /// Find the strongest line-ups, and what holds against them
    Best(best::Arguments),
    /// Tell how many battles a question takes, and what so many battles can see
    Plan(plan::Arguments),
    /// Find the weights that make every contender even, and confirm them
    Tune(Box<tune::Arguments>),
    /// Tell what each card is worth, which to change first, and what the same battles are without it
    Worth(worth::Arguments),
    /// Write a commented scenario that runs as it is, to begin with
    New(new::Arguments),
    /// Look for faults in scenarios, and do nothing else
    Check(check::Arguments),
    /// Tell one battle of a run as a story
    Trace(trace::Arguments),
    /// Make one HTML page of a folder of results: the answer, figures, and weights to play with
    Report(report::Arguments),
    /// Fight recorded battles of the official game again, action for action
    Replay(replay::Arguments),
    /// List games, scenarios, cards, rulesets, abilities
    List(list::Arguments),
    /// Tell what every column of every table holds
    Tables(tables::Arguments),
    /// Add up the shards of a command, and finish it
    Merge(merge::Arguments),
    /// Hold counts against a baseline, or two versions of a card file against each other: what changed?
    Compare(compare::Arguments),
    /// Play scenarios and hold them against their baselines
    Nightly(nightly::Arguments),
    /// Tell how balance and speed have moved over the nights of a history
    Trend(trend::Arguments),
    /// Hold forecasts of real line-ups against how their battles ended
    Score(score::Arguments),
    /// Print the JSON Schema of a game's scenarios, for editors, or of what `--json` prints
    Schema(schema::Arguments),
    /// Turn an official card file into a card catalogue
    Import(import::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Print or write the manual pages
    Man(man::Arguments),
}

/// Runs the command that the command line names, and returns the program's exit code. Failures are printed here and
/// nowhere else.
pub fn main() -> ExitCode {
    interruption::outlive_limits_of_files();
    let colour = asked_for_colour();
    let arguments = match arguments(colour) {
        Ok(arguments) => arguments,
        Err(error) if !error.use_stderr() || is_help(&error) => return print_help(&error),
        Err(error) => {
            let terminal = Terminal::detect(colour, ProgressChoice::None);
            exit::print_misunderstood(&error, &terminal);
            return Exit::Usage.into();
        }
    };
    let terminal = Terminal::detect(arguments.color, arguments.progress);
    reading::allow_outside(arguments.allow_outside);
    crate::shell::allow_outside(arguments.allow_outside);
    let result = match arguments.command {
        Command::Run(arguments) => run::run(&arguments, &terminal),
        Command::Sweep(arguments) => sweep::run(&arguments, &terminal),
        Command::Effects(arguments) => effects::run(&arguments, &terminal),
        Command::Exact(arguments) => exact::run(&arguments, &terminal),
        Command::Best(arguments) => best::run(&arguments, &terminal),
        Command::Plan(arguments) => plan::run(&arguments, &terminal),
        Command::Tune(arguments) => tune::run(&arguments, &terminal),
        Command::Worth(arguments) => worth::run(&arguments, &terminal),
        Command::Check(arguments) => check::run(&arguments, &terminal),
        Command::Trace(arguments) => trace::run(&arguments, &terminal),
        Command::Report(arguments) => report::run(&arguments, &terminal),
        Command::Replay(arguments) => replay::run(&arguments, &terminal),
        Command::List(arguments) => list::run(&arguments, &terminal),
        Command::Tables(arguments) => tables::run(&arguments, &terminal),
        Command::Merge(arguments) => merge::run(&arguments, &terminal),
        Command::Compare(arguments) => compare::run(&arguments, &terminal),
        Command::Nightly(arguments) => nightly::run(&arguments, &terminal),
        Command::Trend(arguments) => trend::run(&arguments, &terminal),
        Command::Score(arguments) => score::run(&arguments, &terminal),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::New(arguments) => new::run(&arguments, &terminal),
        Command::Man(arguments) => man::run(&arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.print(&terminal);
            failure.exit().into()
        }
    }
}

/// Parses the command line, with help in colour or without.
fn arguments(colour: ColourChoice) -> Result<Arguments, clap::Error> {
    let colour = match colour {
        ColourChoice::Auto => clap::ColorChoice::Auto,
        ColourChoice::Always => clap::ColorChoice::Always,
        ColourChoice::Never => clap::ColorChoice::Never,
    };
    let words = words(std::env::args_os());
    Arguments::from_arg_matches(&command().color(colour).try_get_matches_from(words)?)
}

/// Whether only help is to be printed: `evens` alone.
fn is_help(error: &clap::Error) -> bool {
    error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// Prints help or the version, as a page is printed: a full disk is told, a reader who left is not.
fn print_help(error: &clap::Error) -> ExitCode {
    match error.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let failure = Failure::System { what: "cannot print".to_owned(), error };
            failure.print(&Terminal::detect(ColourChoice::Never, ProgressChoice::None));
            failure.exit().into()
        }
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

/// What `--color` says, for messages of a command line that is not understood.
fn asked_for_colour() -> ColourChoice {
    let arguments: Vec<String> =
        std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let value = |at: usize| match arguments[at].strip_prefix("--color") {
        Some("") => arguments.get(at + 1).cloned(),
        Some(rest) => rest.strip_prefix('=').map(str::to_owned),
        None => None,
    };
    let choices = (0..arguments.len()).filter_map(value);
    choices
        .filter_map(|value| ColourChoice::from_str(&value, false).ok())
        .next_back()
        .unwrap_or_default()
}

/// The command line as clap knows it, for completions and tests.
#[must_use]
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Whether `word` is a value below 0 after a flag with a name, such as `--detect -1pp`.
fn is_negative_value(flag: &OsStr, word: &OsStr) -> bool {
    let is_flag = |flag: &str| flag.len() > 2 && flag.starts_with("--") && !flag.contains('=');
    let is_negative = |word: &str| {
        word.strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|of: char| of == '.' || of.is_ascii_digit()))
    };
    flag.to_str().is_some_and(is_flag) && word.to_str().is_some_and(is_negative)
}

/// The words of a command line, a negative number joined to the flag before it, so that it is reported as a wrong value
/// and not as an unknown flag.
fn words(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    let mut is_over = false;
    for word in given {
        is_over |= word == "--";
        match words.last_mut() {
            Some(flag) if !is_over && is_negative_value(flag, &word) => {
                flag.push("=");
                flag.push(&word);
            }
            _ => words.push(word),
        }
    }
    words
}

#[cfg(test)]
mod tests;
