//! `evens tables`, folders that runs share, and the column that says which run a row belongs to.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{Desk, code, duel, flat, rows, stderr, stdout};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    desk
}

fn ran(desk: &Desk, line: &str) -> String {
    let output = desk.evens(&line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(code(&output), 0, "{line}: {}", stderr(&output));
    stdout(&output)
}

/// The run's id: the last cell of the first row, as tables end with the column `run`.
fn run_of(table: &str) -> String {
    let mut lines = table.lines();
    assert!(lines.next().unwrap().ends_with(",run"), "{table}");
    lines.next().unwrap().rsplit(',').next().unwrap().to_owned()
}

#[test]
fn the_data_dictionary_is_printed() {
    let desk = desk();
    insta::assert_snapshot!("tables", ran(&desk, "tables"));
    insta::assert_snapshot!("tables_field", ran(&desk, "tables field"));
    let of_tune = ran(&desk, "tables tune --format csv");
    assert!(
        of_tune.starts_with("table,column,type,meaning\ntuned_leads,contender,text,"),
        "{of_tune}"
    );
    let all: serde_json::Value = serde_json::from_str(&ran(&desk, "tables --json")).unwrap();
    let battles = all["tables"]["tables"].as_array().unwrap().iter();
    let battles: Vec<_> = battles.filter(|table| table["table"] == "battles").collect();
    assert_eq!(battles[0]["commands"], serde_json::json!(["run"]));
    let unknown = desk.evens(&["tables", "unit"]);
    assert_eq!(code(&unknown), 2);
    assert!(stderr(&unknown).contains("did you mean `units`"), "{}", stderr(&unknown));
}

#[test]
fn runs_share_a_folder() {
    let desk = desk();
    for seed in [1, 2] {
        ran(&desk, &format!("run duel.toml --seed {seed} -o all --partition --format csv"));
    }
    assert_eq!(stdout(&desk.evens(&["check", "all"])), "all: ok\n");
    let scenario = fs::read_dir(desk.path().join("all/outcomes")).unwrap().next().unwrap().unwrap();
    let mut seeds: Vec<String> = fs::read_dir(scenario.path())
        .unwrap()
        .map(|seed| seed.unwrap().file_name().into_string().unwrap())
        .collect();
    seeds.sort();
    assert_eq!(seeds, ["seed=1", "seed=2"]);
    // No temporary file is left.
    assert!(desk.files("all").iter().all(|name| !name.starts_with('.')), "{:?}", desk.files("all"));

    let several = desk.evens(&["report", "all", "-o", "page.html"]);
    assert_eq!(code(&several), 3);
    assert!(
        stderr(&several).contains("name one of them, such as `all/runs/"),
        "{}",
        stderr(&several)
    );
    let run = desk.files("all/runs").into_iter().find(|name| !name.contains("report")).unwrap();
    ran(&desk, &format!("report all/runs/{run} -o page.html --quiet"));
    assert!(Path::new(&desk.path().join("page.html")).exists());

    let nowhere = desk.evens(&["run", "duel.toml", "--partition"]);
    assert_eq!(code(&nowhere), 2);
    ran(&desk, "run duel.toml -o one --format csv");
    let taken = desk.evens(&["run", "duel.toml", "-o", "one", "--format", "csv", "--partition"]);
    assert!(stderr(&taken).contains("holds the results of one run"), "{}", stderr(&taken));
}

#[test]
fn a_run_has_one_name_in_all_tables_and_every_other_run_another() {
    let desk = desk();
    ran(&desk, "run duel.toml -o one --format csv --table outcomes --table battles --table units");
    let run = run_of(&desk.read("one/outcomes.csv"));
    assert_eq!(run_of(&desk.read("one/battles.csv")), run);
    assert_eq!(desk.manifest("one")["run"]["id"], run);
    // Neither the number of threads nor the choice of tables makes it another run.
    assert_eq!(run_of(&ran(&desk, "run duel.toml --threads 2 -o - --table units")), run);
    for other in ["--seed 9", "--battles 17", "--measure wins"] {
        assert_ne!(run_of(&ran(&desk, &format!("run duel.toml {other} -o - --table units"))), run);
    }
}

#[test]
fn a_run_that_time_has_ended_is_the_run_of_as_many_battles() {
    let desk = desk();
    ran(&desk, "run duel.toml --until 0.2s -o timed --format csv --table battles --table outcomes");
    let battles = desk.manifest("timed")["run"]["battles_played"].to_string();
    let again = "-o again --format csv --table battles --table outcomes";
    ran(&desk, &format!("run duel.toml --battles {battles} {again}"));
    for table in ["battles.csv", "outcomes.csv", "provenance.json"] {
        let [timed, again] =
            ["timed", "again"].map(|folder| desk.read(&format!("{folder}/{table}")));
        assert!(timed == again, "{table}");
    }
}

/// This also holds where the unit dies in its first turn, after which nobody is left who has acted.
#[test]
fn the_first_turn_comes_once_in_a_battle() {
    let desk = desk();
    let run = "run splinterlands/drawn-teams --battles 4000 --table orders --format csv -o -";
    let table = ran(&desk, run);
    let rows = rows(&table);
    let first = || rows.iter().filter(|row| row["moment"] == "first turn");
    let sum = |of: &str| first().map(|row| row[of].parse::<u32>().unwrap()).sum::<u32>();
    assert_eq!((sum("times"), sum("battles")), (4000, 4000));
}

/// Among equals the side in front wins, so one battle more in one seat gives nobody a lead.
#[test]
fn a_seat_is_nobodys_lead_in_a_field() {
    let desk = desk();
    let table = ran(&desk, "run sanctum/nations --battles 200 --table field --format csv -o -");
    let rows = rows(&table);
    let lead = |own: &str, other: &str| {
        let row = rows.iter().find(|row| (row["contender"], row["opponent"]) == (own, other));
        row.unwrap()["lead"].parse::<f64>().unwrap()
    };
    assert_eq!(lead("Imps", "Humans"), 0.0, "{table}");
    assert_eq!(lead("Cyclopes", "Misfits"), 0.0, "{table}");
    assert!(lead("Cyclopes", "Imps") > 0.5, "{table}");
    let page = ran(&desk, "run sanctum/nations --battles 150 --only field");
    let flat = flat(&page);
    let highest =
        flat.split("to +").skip(1).filter_map(|rest| rest.split(')').next()?.parse().ok());
    let highest: Vec<f64> = highest.collect();
    assert!(!highest.is_empty() && highest.iter().all(|&lead| lead <= 100.0), "{page}");
}

#[test]
fn pairs_in_few_teams_have_a_lift_without_an_interval() {
    let desk = desk();
    let run = "run splinterlands/drawn-teams --battles 400 --table unit_pairs --format csv -o -";
    let table = ran(&desk, run);
    let rows = rows(&table);
    let rare = || rows.iter().filter(|row| row["played"].parse::<u32>().unwrap() < 100);
    assert!(rare().count() > 100);
    assert!(rare().all(|row| row["lift_low"].is_empty() && row["p_value"].is_empty()), "{table}");
}

/// This also holds for minions whose side lost every battle, because it is not certain that it always loses.
#[test]
fn shrunken_scores_and_their_intervals_are_scores() {
    let desk = desk();
    let table = ran(&desk, "run sanctum/monsters --battles 1500 --table units --format csv -o -");
    let rows = rows(&table);
    let number = |row: &BTreeMap<&str, &str>, of: &str| row[of].parse::<f64>().ok();
    let highest = rows.iter().filter_map(|row| number(row, "shrunken_high")).fold(0.0, f64::max);
    let lowest = rows.iter().filter_map(|row| number(row, "shrunken_low")).fold(1.0, f64::min);
    assert!(highest < 1.0 && 0.0 < lowest && lowest < 0.001, "{table}");
}

/// A page refers to a table that is written, or says how it would be.
#[test]
fn a_page_refers_to_no_table_that_is_not_written() {
    let desk = Desk::new();
    let units = "--battles 20k --only units --only pairs";
    let activity = "--battles 2000 --only activity";
    for (run, told) in [
        (units.to_owned(), &["The table `units` holds all", "`--table unit_pairs` writes all"][..]),
        (
            format!("{units} --table unit_pairs --table units_by_ruleset"),
            &["`--table units` writes all", "The table `unit_pairs` holds all"],
        ),
        (activity.to_owned(), &["(`--table activity` writes all)"]),
        (format!("{activity} --table activity"), &["(table `activity`)"]),
    ] {
        let page = flat(&ran(&desk, &format!("run splinterlands/drawn-teams {run}")));
        for told in told {
            assert!(page.contains(told), "{run} {told}: {page}");
        }
    }
}
