//! `evens schema`: prints the JSON Schema of a game's scenarios.

use clap::Args;

use super::terminal::print_data;
use super::{Exit, Failure, printed};
use crate::engine::{rules, suggested_game};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game, or `results` for what `--json` prints
    game: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.game == "results" {
        print_data(&format!("{:#}\n", printed::schema()))?;
        return Ok(Exit::Success);
    }
    let rules = rules(&arguments.game).ok_or_else(|| unknown_game(&arguments.game))?;
    print_data(&format!("{:#}\n", rules.schema()))?;
    Ok(Exit::Success)
}

pub(super) fn unknown_game(name: &str) -> Failure {
    Failure::Usage(format!("unknown game `{name}`; {}", suggested_game(name)))
}
