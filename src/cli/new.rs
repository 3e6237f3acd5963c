//! `evens new`: writes a commented scenario that runs as it is.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::schema::unknown_game;
use super::terminal::{Terminal, print_data, say};
use super::{Exit, Failure};
use crate::engine::rules;
use crate::scenario::{Fault, Faults};
use crate::shell::argument;

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

/// Writes a file that there is not yet.
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let name = file.display();
    let fault = |message: String, remedy: &str| {
        Failure::from(Faults::one(name.to_string(), Fault::new(message, remedy)))
    };
    match OpenOptions::new().write(true).create_new(true).open(file) {
        Ok(mut opened) => opened
            .write_all(text.as_bytes())
            .map_err(|error| Failure::System { what: format!("cannot write {name}"), error }),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(fault(
            format!("{name} is there already, and is not overwritten"),
            "name another file",
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(fault(
            format!("cannot write {name}: its folder is not there"),
            "make the folder first",
        )),
        Err(error) => Err(Failure::System { what: format!("cannot write {name}"), error }),
    }
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
