//! `evens new`: writes a commented scenario that runs as it is, or a copy of a bundled one.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use super::terminal::{Terminal, print_data, say};
use super::{Exit, Failure};
use crate::engine::{GAMES, rules};
use crate::scenario::{Fault, Faults, ambiguous, bundled, suggestion};
use crate::shell::argument;
use crate::table::{OutputError, Target};

const EXAMPLES: &str = "\
Examples:
  evens new splinterlands                 writes splinterlands.toml
  evens new sanctum duel.toml
  evens new eldertale - | evens run -
  evens new drawn-teams my.toml           copies a bundled scenario";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The game; or a bundled scenario that is to be copied, by its name or the end of it
    #[arg(value_name = "GAME")]
    model: String,
    /// The file to write, or `-` for standard output [default: the name of the game or scenario, with .toml]
    file: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, _: &Terminal) -> Result<Exit, Failure> {
    let (name, text) = model(&arguments.model)?;
    let file = arguments.file.clone().unwrap_or_else(|| format!("{name}.toml").into());
    if file == Path::new("-") {
        print_data(&text)?;
        return Ok(Exit::Success);
    }
    write(&file, &text)?;
    let (name, word) = (file.display(), argument(&file.display().to_string()));
    say(&format!(
        "wrote {name}: `evens run {word}` plays it, `evens check {word}` looks for mistakes\n"
    ));
    Ok(Exit::Success)
}

/// What to begin with: a short name, and the text of a game's template or of a bundled scenario.
fn model(name: &str) -> Result<(String, String), Failure> {
    if let Some(game) = rules(name) {
        return Ok((game.name().to_owned(), game.template().to_owned()));
    }
    let whole = match bundled::find(name) {
        Some(_) => name.to_owned(),
        None => match bundled::ending(name).as_slice() {
            [] => return Err(unknown(name)),
            [whole] => whole.clone(),
            several => return Err(Faults::one(name, ambiguous(name, several)).into()),
        },
    };
    let (text, _) = bundled::find(&whole).expect("its name is listed");
    // The schema is beside the bundled scenarios, and nowhere else.
    let text = match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("#:schema") => rest.to_owned(),
        _ => text,
    };
    let short = whole.rsplit('/').next().unwrap_or(&whole);
    Ok((short.to_owned(), text))
}

fn unknown(name: &str) -> Failure {
    let games: Vec<&str> = GAMES.iter().map(|game| game.name()).collect();
    let scenarios = bundled::names();
    let known = games.iter().copied().chain(scenarios.iter().map(String::as_str));
    let all = format!("known games: {}; `evens list scenarios` lists the others", games.join(", "));
    let near = suggestion(name, known, &all);
    Failure::Usage(format!("no game or bundled scenario is called `{name}`; {near}"))
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
    use super::*;
    use crate::Scenario;

    #[test]
    fn every_game_has_a_scenario_to_begin_with() {
        for game in GAMES {
            let text = game.template();
            assert!(text.contains(&format!("game = \"{}\"", game.name())), "{}", game.name());
        }
    }

    /// Wherever a copy is put, it is the same scenario: it names no file that would not be beside it.
    #[test]
    fn a_copy_of_a_bundled_scenario_is_read_from_any_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in bundled::names() {
            let (short, text) = model(&name).unwrap();
            let file = folder.path().join(format!("{short}.toml"));
            std::fs::write(&file, &text).unwrap();
            let [copy, original] = [file.as_path(), Path::new(&name)].map(Scenario::read);
            let (copy, original) = (copy.unwrap(), original.unwrap());
            assert_eq!(copy.engine().layout(), original.engine().layout(), "{name}");
            assert!(!text.contains("#:schema"), "{name}");
        }
    }
}
