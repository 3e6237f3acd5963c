//! The list of every column in `docs/tables.md`, as the program itself has them. `UPDATE_DOCS=1` writes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

/// Commands that fill every table there is between them, and what a row of each table is.
const COMMANDS: [&str; 10] = [
    "run splinterlands/archetypes --battles 400 --table outcomes --table rulesets --table orders --table order_effects \
     --table units --table units_by_ruleset --table unit_pairs --table unit_pairs_by_ruleset --table activity --table battles",
    "run sanctum/nations --battles 1440 --table field",
    "effects splinterlands/drawn-teams --battles 20",
    "effects splinterlands/archetypes --battles 50 --order first-turn",
    "sweep splinterlands/sweep-health --battles 200",
    "exact splinterlands/mirror",
    "score results.jsonl --runs 50",
    "tune splinterlands/archetypes --battles 2000",
    "tune rivals.toml --stats --within 8pp",
    "nightly splinterlands/mirror --battles 200 --seed 1 --baseline base",
];

/// What the nightly of these commands is compared with.
const BASELINE: &str =
    "nightly --write splinterlands/mirror --battles 200 --seed 1 --baseline base --quiet";

const ROWS: [(&str, &str); 29] = [
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
        "a variant, a match-up and a side; its first columns are the axes, under the end of their paths",
    ),
    ("exact", "a match-up and an outcome, a length or a result"),
    ("exact_orders", "a match-up, a moment and an order"),
    ("scores", "a ruleset, and one for all"),
    ("calibration", "a tenth of the forecasts"),
    ("forecasts", "a recorded battle"),
    ("tuned_leads", "somebody who should have a score"),
    ("tuned_weights", "what has a weight"),
    ("tuned_trade_off", "a limit on how far weights may move, or a price of moving them"),
    ("patch_frontier", "a number of edits, and the best patch that was found with so many"),
    ("patch_edits", "an edit of such a patch"),
    ("patch_leads", "somebody who should have a score"),
    ("patch_effects", "a number that was tried alone, by so much, and a score"),
    ("side_effects", "a score that was not aimed at"),
    ("changes", "a comparison with the baseline"),
];

const RESULTS: &str = r#"{"ruleset": "Standard", "mana_cap": 30, "team1": {"summoner": {"card_detail_id": 5, "level": 1}, "monsters": [{"card_detail_id": 7, "level": 1}]}, "team2": {"summoner": {"card_detail_id": 16, "level": 1}, "monsters": [{"card_detail_id": 13, "level": 1}]}, "winner": "team1"}"#;

/// A scenario in which a card hits too hard.
const RIVALS: &str = "game = \"sanctum\"\nbattles = 900\nsides = { a = [\"Ash's\", \"Bog's\"], b = [\"Ash's\", \"Bog's\"] }\n\
    minions = [{ name = \"Ash\", hand = 6, hit_points = 14 }, { name = \"Bog\", hand = 4, hit_points = 14 }]\n\
    groups = [{ name = \"Ash's\", minions = [\"Ash\"] }, { name = \"Bog's\", minions = [\"Bog\"] }]\n";

/// A table's columns in order: name, type, meaning.
type Columns = Vec<[String; 3]>;

/// Every table that the program writes.
fn tables() -> BTreeMap<String, Columns> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("results.jsonl"), RESULTS).unwrap();
    fs::write(folder.path().join("rivals.toml"), RIVALS).unwrap();
    let mut tables = BTreeMap::new();
    let written = Command::new(cargo_bin("evens"))
        .current_dir(folder.path())
        .args(BASELINE.split_whitespace())
        .output()
        .unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    for command in COMMANDS {
        for format in ["csv", "json"] {
            let output = Command::new(cargo_bin("evens"))
                .current_dir(folder.path())
                .args(command.split_whitespace())
                .args(["-o", "results", "--format", format, "--quiet"])
                .output()
                .unwrap();
            assert!(
                output.status.success(),
                "{command}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let read =
            |name: &str| fs::read_to_string(folder.path().join("results").join(name)).unwrap();
        let provenance: Value = serde_json::from_str(&read("provenance.json")).unwrap();
        let files = provenance["files"].as_array().unwrap().iter();
        for file in files.filter(|file| file["table"].is_string()) {
            let name = file["table"].as_str().unwrap().to_owned();
            let rows: Value = serde_json::from_str(&read(file["file"].as_str().unwrap())).unwrap();
            let column = |column: &Value| {
                let text = |key: &str| column[key].as_str().unwrap().to_owned();
                [text("name"), kind(&rows, &text("name")).to_owned(), text("meaning")]
            };
            let columns = file["columns"].as_array().unwrap().iter().map(column).collect();
            tables.insert(name, columns);
        }
        fs::remove_dir_all(folder.path().join("results")).unwrap();
    }
    tables
}

/// What a column holds, by what its cells are in JSON: a number that can be unknown is null there.
fn kind(rows: &Value, column: &str) -> &'static str {
    let cells = || rows.as_array().unwrap().iter().map(|row| &row[column]);
    match () {
        () if cells().any(Value::is_string) => "text",
        () if cells().all(Value::is_u64) && cells().count() > 0 => "count",
        () => "number",
    }
}

fn listed() -> String {
    let tables = tables();
    let mut text = String::new();
    for (name, row) in ROWS {
        let columns = tables.get(name).unwrap_or_else(|| panic!("no command writes `{name}`"));
        text.push_str(&format!(
            "\n### `{name}`\n\nOne row: {row}.\n\n| column | type | meaning |\n|---|---|---|\n"
        ));
        for [column, kind, meaning] in columns {
            text.push_str(&format!("| `{column}` | {kind} | {} |\n", meaning.replace('|', "\\|")));
        }
    }
    let unknown: Vec<&String> =
        tables.keys().filter(|name| !ROWS.iter().any(|(known, _)| known == name)).collect();
    assert!(unknown.is_empty(), "say what a row of these is: {unknown:?}");
    text
}

#[test]
fn every_column_is_listed_as_the_program_has_it() {
    const BEGIN: &str = "<!-- columns, written by UPDATE_DOCS=1 cargo test docs::tables -->\n";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tables.md");
    let text = fs::read_to_string(&file).unwrap();
    let (head, written) = text.split_once(BEGIN).expect("the mark where the list begins");
    let listed = listed();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, format!("{head}{BEGIN}{listed}")).unwrap();
    } else {
        assert!(
            written == listed,
            "docs/tables.md is not up to date: UPDATE_DOCS=1 cargo test docs::tables writes it"
        );
    }
}
