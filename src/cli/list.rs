//! `evens list`: games, scenarios, and whatever a game has to list.

use super::args::{List, ListFormat};
use super::schema::unknown_game;
use super::terminal::{Terminal, print};
use super::{Exit, Failure, read};
use crate::games::{NAMES, Playable};
use crate::report;
use crate::scenario::{Document, Form, bundled, load};
use crate::table::Format;
use crate::table::{Column, Provenance, Table, sink};
use crate::with_game;

pub(super) fn run(arguments: &List, terminal: &Terminal) -> Result<Exit, Failure> {
    let table = match &arguments.odds {
        Some(scenario) => odds(scenario)?,
        None => list(&arguments.what, arguments.game.as_deref())?,
    };
    match arguments.format {
        ListFormat::Plain => print(&report::plain(&table, terminal.width))?,
        ListFormat::Csv => write(&table, Format::Csv)?,
        ListFormat::Json => write(&table, Format::Json)?,
        ListFormat::Markdown => write(&table, Format::Markdown)?,
    }
    Ok(Exit::Success)
}

/// Writes a table to standard output. Nobody reading any more is no failure.
fn write(table: &Table, format: Format) -> Result<(), Failure> {
    let nothing = Provenance::new("", "", "", 0, 0);
    let mut sink = sink(format, Box::new(std::io::stdout())).expect("a text format");
    match sink.write(table).and_then(|()| sink.finish(&nothing)) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::System { what: "cannot print".to_owned(), error })
        }
        _ => Ok(()),
    }
}

fn odds(scenario: &str) -> Result<Table, Failure> {
    let (document, game) = read(scenario)?;
    let table = with_game!(game.as_str(), G => G::odds(&load::<G>(&document)?.setup));
    let nothing = || Failure::Usage(format!("{game} draws nothing before a battle"));
    table.expect("the game is known").ok_or_else(nothing)
}

fn list(what: &str, game: Option<&str>) -> Result<Table, Failure> {
    match what {
        "games" => return Ok(games()),
        "scenarios" => return scenarios(game),
        _ => {}
    }
    let having: Vec<&str> =
        NAMES.iter().copied().filter(|name| shelves(name).contains(&what)).collect();
    let game = match (game, having.as_slice()) {
        (Some(game), _) if !NAMES.contains(&game) => return Err(unknown_game(game)),
        (Some(game), _) => game,
        (None, [only]) => only,
        (None, []) => return Err(unknown_shelf(what, None)),
        (None, several) => {
            let remedy = format!("several games have {what}: name one of {}", several.join(", "));
            return Err(Failure::Usage(remedy));
        }
    };
    with_game!(game, G => G::shelf(what))
        .expect("the game is known")
        .ok_or_else(|| unknown_shelf(what, Some(game)))
}

fn shelves(game: &str) -> &'static [&'static str] {
    with_game!(game, G => G::SHELVES).unwrap_or_default()
}

fn unknown_shelf(what: &str, game: Option<&str>) -> Failure {
    let mut known = vec!["games", "scenarios"];
    for name in game.map_or(NAMES.to_vec(), |game| vec![game]) {
        known.extend(
            shelves(name).iter().filter(|shelf| !known.contains(shelf)).collect::<Vec<_>>(),
        );
    }
    let place = game.map_or(String::new(), |game| format!(" in {game}"));
    Failure::Usage(format!("there are no `{what}`{place}; there are: {}", known.join(", ")))
}

fn games() -> Table {
    let summaries = NAMES
        .iter()
        .map(|name| with_game!(*name, G => G::SUMMARY).unwrap_or_default().to_owned())
        .collect();
    Table {
        name: "games".to_owned(),
        columns: vec![
            Column::text("game", "its name", NAMES.iter().map(|&name| name.to_owned()).collect()),
            Column::text("summary", "what it is", summaries),
        ],
    }
}

fn scenarios(game: Option<&str>) -> Result<Table, Failure> {
    if let Some(game) = game
        && !NAMES.contains(&game)
    {
        return Err(unknown_game(game));
    }
    let mut names = bundled::names();
    if let Some(game) = game {
        names.retain(|name| name.starts_with(&format!("{game}/")));
    }
    let questions = names.iter().map(|name| question(name)).collect::<Result<_, _>>()?;
    Ok(Table {
        name: "scenarios".to_owned(),
        columns: vec![
            Column::text("scenario", "its name for `evens run`", names),
            Column::text("question", "what it answers", questions),
        ],
    })
}

fn question(name: &str) -> Result<String, Failure> {
    fn of<G: Form>(document: &Document) -> Result<String, Failure> {
        Ok(load::<G>(document)?.common.question.unwrap_or_default())
    }
    let (document, game) = read(name)?;
    with_game!(game.as_str(), G => of::<G>(&document)).expect("the game is known")
}
