//! `evens schema`: prints the JSON Schema of a game's scenarios.

use super::args::Schema;
use super::terminal::print;
use super::{Exit, Failure, known_games};
use crate::games::NAMES;
use crate::scenario::{schema, suggestion};
use crate::with_game;

pub(super) fn run(arguments: &Schema) -> Result<Exit, Failure> {
    let text = with_game!(arguments.game.as_str(), G => schema_text::<G>());
    print(&text.ok_or_else(|| unknown_game(&arguments.game))?)?;
    Ok(Exit::Success)
}

fn schema_text<G: crate::scenario::Form>() -> String {
    format!("{:#}\n", schema::<G>())
}

pub(super) fn unknown_game(name: &str) -> Failure {
    let remedy = suggestion(name, NAMES.iter().copied(), &known_games());
    Failure::Usage(format!("unknown game `{name}`; {remedy}"))
}
