//! The data dictionary: the program (`evens tables`) and `docs/tables.md` describe columns as the commands do that
//! write them, and the files have exactly these columns. `UPDATE_DOCS=1` writes it into both.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use evens::studies::nightly::trend::Trend;
use evens::table::dictionary::{DescribedColumn, DescribedTable, Dictionary, markdown};
use evens::table::{Column, ColumnKind, FORMAT};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Commands that between them write every table. `ROWS` says what a row of each table is.
const COMMANDS: [&str; 13] = [
    "run splinterlands/archetypes --battles 400 --table outcomes --table rulesets --table orders --table order_effects \
     --table units --table units_by_ruleset --table unit_pairs --table unit_pairs_by_ruleset --table activity --table battles",
    "run sanctum/nations --battles 1440 --table field",
    "effects splinterlands/drawn-teams --battles 20",
    "effects splinterlands/archetypes --battles 50 --order first-turn",
    "sweep splinterlands/sweep-health --battles 200",
    "exact splinterlands/mirror",
    "score results.jsonl --runs 50",
    "tune splinterlands/archetypes --battles 2000",
    "best splinterlands/archetypes --battles 600 --metagame --set illegal_teams=lose",
    "worth splinterlands/drawn-teams --battles 600 --replace 1",
    "tune rivals.toml --stats --within 8pp",
    "nightly splinterlands/mirror --battles 200 --seed 1 --baseline base --history history",
    "compare base base",
];

/// Writes the baseline that the nightly of these commands is compared with.
const BASELINE: &str =
    "nightly --write splinterlands/mirror --battles 200 --seed 1 --baseline base --quiet";

const ROWS: [(&str, &str); 41] = [
    ("outcomes", "a match-up and a side"),
    ("rulesets", "a ruleset, a match-up and a side"),
    ("orders", "a moment and an order of things"),
    ("order_effects", "a moment, or a batch of things that happen at once"),
    ("field", "two contenders of a round robin"),
    ("units", "a contender and a card, summoner or minion"),
    ("units_by_ruleset", "a ruleset, a contender and a unit"),
    ("unit_pairs", "a contender and two units of one team, where teams are drawn"),
    ("unit_pairs_by_ruleset", "a ruleset and two units of one team"),
    ("activity", "an ability, effect, card or ruleset"),
    ("battles", "a battle"),
    ("ruleset_effects", "a ruleset or a pair, a match-up and a side"),
    ("unit_effects", "a ruleset or a pair, and a unit"),
    ("order_experiment", "all battles, a match-up or a ruleset, and a side"),
    (
        "sweep",
        "a variant, a match-up and a side; after the first column come the axes, each under its path",
    ),
    ("exact", "a match-up and an outcome, a length or a result"),
    ("exact_orders", "a match-up, a moment and an order"),
    ("scores", "a ruleset, and one for all"),
    ("tests", "a test of the forecasts, for a ruleset and for all"),
    ("calibration", "a tenth of the forecasts"),
    ("forecasts", "a recorded battle"),
    ("tuned_leads", "somebody who should have a score"),
    ("tuned_weights", "what has a weight"),
    ("tuned_trade_off", "a limit on how far weights may move, or a price of moving them"),
    ("best_line_ups", "a line-up that is shown"),
    ("best_choices", "something that these are made of"),
    ("metagame", "a line-up of the metagame"),
    ("metagame_matchups", "a line-up of the metagame and another"),
    ("metagame_choices", "something that line-ups can be made of"),
    ("metagame_rulesets", "a ruleset and a line-up of the metagame"),
    ("worth", "a unit that somebody brought"),
    ("impact", "a unit, or a unit and what is drawn for a battle, or two units of one side"),
    ("replacements", "a unit and what stood in for it, or what it had lost"),
    ("patch_frontier", "a number of edits, and the best patch that was found with so many"),
    ("patch_edits", "an edit of such a patch"),
    ("patch_leads", "somebody who should have a score"),
    ("patch_effects", "a number that was tried alone, by so much, and a score"),
    ("side_effects", "a score besides the leads"),
    ("changes", "a comparison with the baseline"),
    ("history", "a figure that was compared, in a night of a scenario (`--history`)"),
    (
        "trend",
        "a figure that was compared, in a night of a scenario (`--json` has it, and no file)",
    ),
];

const RESULTS: &str = r#"{"ruleset": "Standard", "mana_cap": 30, "team1": {"summoner": {"card_detail_id": 5, "level": 1}, "monsters": [{"card_detail_id": 7, "level": 1}]}, "team2": {"summoner": {"card_detail_id": 16, "level": 1}, "monsters": [{"card_detail_id": 13, "level": 1}]}, "winner": "team1"}"#;

/// A scenario in which one card hits too hard, for `tune --stats`.
const RIVALS: &str = "game = \"sanctum\"\nbattles = 900\nsides = { a = [\"Ash's\", \"Bog's\"], b = [\"Ash's\", \"Bog's\"] }\n\
    minions = [{ name = \"Ash\", hand = 6, hit_points = 14 }, { name = \"Bog\", hand = 4, hit_points = 14 }]\n\
    groups = [{ name = \"Ash's\", minions = [\"Ash\"] }, { name = \"Bog's\", minions = [\"Bog\"] }]\n";

/// Every table that the program writes, by name: the commands that write it, and its columns.
fn tables() -> BTreeMap<String, (Vec<String>, Vec<DescribedColumn>)> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("results.jsonl"), RESULTS).unwrap();
    fs::write(folder.path().join("rivals.toml"), RIVALS).unwrap();
    let mut tables: BTreeMap<String, (Vec<String>, Vec<DescribedColumn>)> = BTreeMap::new();
    let written = Command::new(crate::program())
        .current_dir(folder.path())
        .args(BASELINE.split_whitespace())
        .output()
        .unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    for command in COMMANDS {
        let name = command.split_whitespace().next().unwrap().to_owned();
        for format in ["csv", "json"] {
            let output = Command::new(crate::program())
                .current_dir(folder.path())
                .args(command.split_whitespace())
                .args(["-o", "results", "--format", format])
                .output()
                .unwrap();
            assert!(
                output.status.success(),
                "{command}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            let read =
                |name: &str| fs::read_to_string(folder.path().join("results").join(name)).unwrap();
            let provenance: Value = serde_json::from_str(&read("provenance.json")).unwrap();
            assert_eq!(provenance["format"], FORMAT);
            let run = provenance["run"]["id"].as_str().unwrap().to_owned();
            assert_eq!(run.len(), 16, "{command}");
            let files = provenance["files"].as_array().unwrap().iter();
            for file in files.filter(|file| file["table"].is_string()) {
                let table = file["table"].as_str().unwrap().to_owned();
                let columns: Vec<DescribedColumn> =
                    serde_json::from_value(file["columns"].clone()).unwrap();
                holds(&read(file["file"].as_str().unwrap()), format, &columns, &run);
                let (commands, known) =
                    tables.entry(table.clone()).or_insert_with(|| (Vec::new(), columns.clone()));
                assert_eq!(*known, columns, "{command} has other columns in {table}");
                if !commands.contains(&name) {
                    commands.push(name.clone());
                }
            }
        }
        fs::remove_dir_all(folder.path().join("results")).unwrap();
    }
    // A history is a folder that nights share: each night describes its own files.
    let night = fs::read_dir(folder.path().join("history/runs")).unwrap().next().unwrap().unwrap();
    let night: Value = serde_json::from_str(&fs::read_to_string(night.path()).unwrap()).unwrap();
    let columns = serde_json::from_value(night["files"][0]["columns"].clone()).unwrap();
    tables.insert("history".to_owned(), (vec!["nightly".to_owned()], columns));
    let described = |column: Column| DescribedColumn {
        name: column.name.into_owned(),
        kind: column.values.kind(),
        meaning: column.meaning.into_owned(),
    };
    let columns = Trend::new(vec![], []).table().columns.into_iter().map(described).collect();
    tables.insert("trend".to_owned(), (vec!["trend".to_owned()], columns));
    tables
}

/// Checks that a file has exactly these columns in this order, with values of their types, and that its rows belong to
/// this run.
fn holds(file: &str, format: &str, columns: &[DescribedColumn], run: &str) {
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names.last(), Some(&"run"));
    if format == "csv" {
        let mut reader = csv::Reader::from_reader(file.as_bytes());
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), names);
        for row in reader.records() {
            assert_eq!(row.unwrap().iter().next_back(), Some(run));
        }
        return;
    }
    let rows: Value = serde_json::from_str(file).unwrap();
    for row in rows.as_array().unwrap() {
        let row = row.as_object().unwrap();
        assert_eq!(row["run"], run);
        assert_eq!(row.len(), names.len(), "{names:?}");
        for DescribedColumn { name, kind, .. } in columns {
            let value = &row[name];
            let all =
                |is: fn(&Value) -> bool| value.as_array().is_some_and(|all| all.iter().all(is));
            let is_it = match kind {
                ColumnKind::Text => value.is_string(),
                ColumnKind::Count => value.is_u64(),
                ColumnKind::Number => value.is_number() || value.is_null(),
                ColumnKind::TextList => all(Value::is_string),
                ColumnKind::CountList => all(Value::is_u64),
                ColumnKind::Flag => value.is_boolean(),
                ColumnKind::Seed => value.as_str().is_some_and(|text| text.starts_with("0x")),
            };
            assert!(is_it, "{name} is said to be {kind} and holds {value}");
        }
    }
}

/// The dictionary as the commands describe it.
fn dictionary() -> Dictionary {
    let mut tables = tables();
    let described = |(name, row): (&str, &str)| {
        let found = tables.remove(name);
        let (commands, columns) = found.unwrap_or_else(|| panic!("no command writes `{name}`"));
        DescribedTable { table: name.to_owned(), commands, row: row.to_owned(), columns }
    };
    let all = ROWS.into_iter().map(described).collect();
    assert!(tables.is_empty(), "say what a row of these is: {:?}", tables.keys());
    Dictionary { format: FORMAT, tables: all }
}

#[test]
fn every_column_is_listed_as_the_program_has_it() {
    const BEGIN: &str = "<!-- columns, written by UPDATE_DOCS=1 cargo test docs::tables -->\n";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("docs/tables.md");
    let text = fs::read_to_string(&file).unwrap();
    let (head, written) = text.split_once(BEGIN).expect("the mark where the list begins");
    let dictionary = dictionary();
    let listed = markdown(&dictionary.tables.iter().collect::<Vec<_>>());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let json = serde_json::to_string_pretty(&dictionary).unwrap();
        fs::write(root.join("src/table/dictionary.json"), format!("{json}\n")).unwrap();
        fs::write(&file, format!("{head}{BEGIN}{listed}")).unwrap();
        return;
    }
    let remedy = "UPDATE_DOCS=1 cargo test docs::tables writes it";
    assert!(
        Dictionary::of_this_program() == dictionary,
        "src/table/dictionary.json is not up to date: {remedy}"
    );
    assert!(written == listed, "docs/tables.md is not up to date: {remedy}");
}
