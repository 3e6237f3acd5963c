//! `evens new`: writes a commented scenario that runs as it is.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use super::schema::unknown_game;
use super::terminal::{Terminal, print_data, say};
use super::{Exit, Failure};
use crate::engine::rules;
use crate::scenario::{Fault, Faults};
use crate::shell::argument;
use crate::table::{OutputError, Target};

const EXAMPLES: &str = "\
Examples:
  evens new splinterlands                 writes splinterlands.toml
  evens new sanctum my/duel.toml
  evens new eldertale - | evens run -";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game
    game: String,
    /// The file to write, or `-` for standard output [default: the game's name, with .toml]
    file: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, _: &Terminal) -> Result<Exit, Failure> {
    let game = rules(&arguments.game).ok_or_else(|| unknown_game(&arguments.game))?;
    let text = game.template();
    let file = arguments.file.clone().unwrap_or_else(|| format!("{}.toml", game.name()).into());
    if file == Path::new("-") {
        print_data(text)?;
        return Ok(Exit::Success);
    }
    write(&file, text)?;
    let (name, word) = (file.display(), argument(&file.display().to_string()));
    say(&format!(
        "wrote {name}: `evens run {word}` plays it, `evens check {word}` looks for mistakes\n"
    ));
    Ok(Exit::Success)
}

/// Writes a new file. A file that exists already is a fault.
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let written = Target::open_new(file).and_then(|target| target.fill(text));
    written.map_err(|error| match error {
        OutputError::Exists(_) => of_input(file, error.to_string(), "name another file"),
        OutputError::Open { ref source, .. } if source.kind() == ErrorKind::NotFound => {
            let message = format!("cannot write {}: its folder is not there", file.display());
            of_input(file, message, "make the folder first")
        }
        other => other.into(),
    })
}

/// A fault of the file name that was given.
fn of_input(file: &Path, message: String, remedy: &str) -> Failure {
    Faults::one(file.display().to_string(), Fault::new(message, remedy)).into()
}

#[cfg(test)]
mod tests {
    use crate::engine::GAMES;

    #[test]
    fn every_game_has_a_scenario_to_begin_with() {
        for game in GAMES {
            let text = game.template();
            assert!(text.contains(&format!("game = \"{}\"", game.name())), "{}", game.name());
        }
    }
}
