//! `evens list`: games, scenarios, and what a game can list.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::printed::print_tables;
use super::schema::unknown_game;
use super::terminal::{StandardOutput, Terminal, print};
use super::{Exit, Failure, reading};
use crate::engine::{GAMES, Rules, Scenario, rules};
use crate::report;
use crate::scenario::bundled;
use crate::table::{Column, Destination, Format, Provenance, Table};

const EXAMPLES: &str = "\
Examples:
  evens list games
  evens list cards splinterlands --format csv
  evens list rulesets --odds splinterlands/drawn-teams";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// What to list: `games`, `scenarios`, or what the game has (`cards`, `abilities`, `rulesets`, ...)
    what: String,
    /// The game; not needed where only one game has such a list
    game: Option<String>,
    /// List the exact probability of everything that this scenario draws before a battle instead
    #[arg(long, value_name = "SCENARIO")]
    odds: Option<PathBuf>,
    /// The format of the list
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    format: ListFormat,
    /// Print one JSON object: the list under `tables`, beside what every command says in JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// The lists that have odds: what games draw before a battle.
const DRAWN: [&str; 1] = ["rulesets"];

/// How a list, or the data dictionary, is printed.
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

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let table = match &arguments.odds {
        Some(_) if !DRAWN.contains(&arguments.what.as_str()) => {
            return Err(Failure::Usage(format!(
                "--odds is of what a scenario draws: `evens list {} --odds SCENARIO`",
                DRAWN[0]
            )));
        }
        Some(scenario) => odds(scenario, arguments.game.as_deref())?,
        None => list(&arguments.what, arguments.game.as_deref())?,
    };
    if arguments.json {
        print_tables("list", &[table])?;
        return Ok(Exit::Success);
    }
    match arguments.format {
        ListFormat::Plain => print(&report::plain(&table, terminal.columns))?,
        ListFormat::Csv => write(&table, Format::Csv)?,
        ListFormat::Json => write(&table, Format::Json)?,
        ListFormat::Markdown => write(&table, Format::Markdown)?,
    }
    Ok(Exit::Success)
}

/// Writes a table to standard output. A reader who has left is no failure.
pub(super) fn write(table: &Table, format: Format) -> Result<(), Failure> {
    let nothing = Provenance::new("", "", "", 0, 0);
    let destination = Destination::on(StandardOutput, format, &table.name)?;
    let mut destination = destination.of_no_run();
    destination.write(table)?;
    destination.finish(&nothing)?;
    Ok(())
}

fn odds(scenario: &Path, game: Option<&str>) -> Result<Table, Failure> {
    let asked = game.map(|name| rules(name).ok_or_else(|| unknown_game(name))).transpose()?;
    let name = scenario;
    let scenario = reading::scenario(scenario)?;
    let engine = scenario.engine();
    if let Some(asked) = asked.filter(|asked| asked.name() != engine.game()) {
        return Err(Failure::Usage(format!(
            "{} is of {}, and not of {}: leave the game out, or name a scenario of it",
            name.display(),
            engine.game(),
            asked.name()
        )));
    }
    let nothing = || {
        let remedy = "`evens exact` and `evens run` say what they do";
        Failure::Usage(format!(
            "{} has no rulesets whose odds could be listed: {remedy}",
            engine.game()
        ))
    };
    engine.odds().ok_or_else(nothing)
}

fn list(what: &str, game: Option<&str>) -> Result<Table, Failure> {
    let game = game.map(|name| rules(name).ok_or_else(|| unknown_game(name))).transpose()?;
    match what {
        "games" => return Ok(games()),
        "scenarios" => return scenarios(game),
        _ => {}
    }
    let having: Vec<&&dyn Rules> =
        GAMES.iter().filter(|rules| rules.shelves().contains(&what)).collect();
    let rules = match (game, having.as_slice()) {
        (Some(rules), _) => rules,
        (None, [only]) => **only,
        (None, []) => return Err(unknown_shelf(what, None)),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|rules| rules.name()).collect();
            let remedy = format!("several games have {what}: name one of {}", names.join(", "));
            return Err(Failure::Usage(remedy));
        }
    };
    rules.shelf(what).ok_or_else(|| unknown_shelf(what, Some(rules)))
}

fn unknown_shelf(what: &str, game: Option<&dyn Rules>) -> Failure {
    let mut known = vec!["games", "scenarios"];
    for rules in game.map_or(GAMES.to_vec(), |game| vec![game]) {
        for shelf in rules.shelves() {
            if !known.contains(shelf) {
                known.push(shelf);
            }
        }
    }
    let place = game.map_or(String::new(), |rules| format!(" in {}", rules.name()));
    Failure::Usage(format!("there are no `{what}`{place}; there are: {}", known.join(", ")))
}

fn games() -> Table {
    let of = |tell: fn(&dyn Rules) -> &'static str| {
        GAMES.iter().map(|&rules| tell(rules).to_owned()).collect()
    };
    Table {
        name: "games".to_owned(),
        columns: vec![
            Column::text("game", "its name", of(|rules| rules.name())),
            Column::text("summary", "what it is", of(|rules| rules.summary())),
        ],
    }
}

fn scenarios(game: Option<&dyn Rules>) -> Result<Table, Failure> {
    let mut names = bundled::names();
    if let Some(game) = game {
        names.retain(|name| name.starts_with(&format!("{}/", game.name())));
    }
    let question = |name: &String| -> Result<String, Failure> {
        Ok(Scenario::read(name)?.common.question.unwrap_or_default())
    };
    let questions = names.iter().map(question).collect::<Result<_, _>>()?;
    Ok(Table {
        name: "scenarios".to_owned(),
        columns: vec![
            Column::text("scenario", "its name for `evens run`", names),
            Column::text("question", "what it answers", questions),
        ],
    })
}
