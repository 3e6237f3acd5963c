//! The command line: one file per subcommand, and what they share.

mod args;
mod check;
mod compare;
mod completions;
mod effects;
mod exact;
mod exit;
mod import;
mod list;
mod nightly;
mod output;
mod progress;
mod records;
mod replay;
mod run;
mod schema;
mod score;
mod sweep;
mod terminal;
mod trace;
mod tune;

use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

pub use args::Arguments;
use args::Command;
pub use exit::{Exit, Failure};
use terminal::Terminal;

use crate::games;
use crate::scenario::{Document, Fault, Faults, game_of, suggestion};
use crate::table::{OutputError, Target};

/// Does what the command line says and returns the program's exit code. The one place that prints why
/// something failed.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let terminal = Terminal::detect();
    let result = match arguments.command {
        Command::Run(arguments) => run::run(&arguments, &terminal),
        Command::Sweep(arguments) => sweep::run(&arguments, &terminal),
        Command::Effects(arguments) => effects::run(&arguments, &terminal),
        Command::Exact(arguments) => exact::run(&arguments, &terminal),
        Command::Tune(arguments) => tune::run(&arguments, &terminal),
        Command::Check(arguments) => check::run(&arguments, &terminal),
        Command::Trace(arguments) => trace::run(&arguments, &terminal),
        Command::Replay(arguments) => replay::run(&arguments, &terminal),
        Command::List(arguments) => list::run(&arguments, &terminal),
        Command::Compare(arguments) => compare::run(&arguments, &terminal),
        Command::Nightly(arguments) => nightly::run(&arguments, &terminal),
        Command::Score(arguments) => score::run(&arguments, &terminal),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.print(&terminal);
            failure.exit().into()
        }
    }
}

/// The command line as clap knows it, for completions and tests.
#[must_use]
pub fn command() -> clap::Command {
    Arguments::command()
}

/// A file to be written whole or not at all.
fn target(path: &Path) -> Result<Target, OutputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Target::open(folder.unwrap_or(Path::new(".")), &name)
}

fn known_games() -> String {
    format!("known games: {}", games::NAMES.join(", "))
}

/// Reads a scenario and finds out which game it is for.
fn read(path: &str) -> Result<(Document, String), Failure> {
    let document = Document::read(path)?;
    let (game, span) = game_of(&document.source)?;
    if games::NAMES.contains(&game.as_str()) {
        return Ok((document, game));
    }
    let remedy = suggestion(&game, games::NAMES.iter().copied(), &known_games());
    let fault = Fault::at(&document.source, span, format!("unknown game `{game}`"), remedy);
    Err(Faults::one(path, fault).into())
}
