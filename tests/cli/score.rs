//! `evens score`.

use super::{Desk, code, flat, stderr, stdout};

/// A battle in the shape of the official record: rulesets, two teams of (card, level), the winner.
fn battle(ruleset: &str, teams: [&[(u32, u8)]; 2], winner: &str) -> String {
    let card =
        |&(id, level): &(u32, u8)| format!(r#"{{"card_detail_id": {id}, "level": {level}}}"#);
    let [one, two] = teams.map(|team| {
        let monsters: Vec<String> = team[1..].iter().map(card).collect();
        format!(r#"{{"summoner": {}, "monsters": [{}]}}"#, card(&team[0]), monsters.join(", "))
    });
    format!(
        r#"{{"ruleset": "{ruleset}", "mana_cap": 30, "team1": {one}, "team2": {two}, "winner": "{winner}"}}"#
    )
}

const MALRIC: (u32, u8) = (5, 1);
const BEETLE: (u32, u8) = (4, 1);
const OGRE: (u32, u8) = (7, 1);
const ALRIC: (u32, u8) = (16, 1);
const TURTLE: (u32, u8) = (13, 1);

/// Five recorded battles: four that can end as recorded, among them a draw of identical teams, and one that a turtle wins
/// against three ogres, which never comes up when it is played.
pub(super) fn results() -> String {
    [
        battle("Standard", [&[MALRIC, OGRE], &[MALRIC, OGRE, BEETLE]], "team2"),
        battle("Standard|Earthquake", [&[ALRIC, TURTLE, TURTLE], &[MALRIC, OGRE]], "team1"),
        battle("Earthquake", [&[MALRIC, OGRE, BEETLE], &[MALRIC, BEETLE, OGRE]], "team1"),
        battle("Standard", [&[MALRIC, OGRE], &[MALRIC, OGRE]], "draw"),
        battle("Standard", [&[ALRIC, TURTLE], &[MALRIC, OGRE, OGRE, OGRE]], "team1"),
    ]
    .join("\n")
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("results.jsonl", &results());
    desk
}

#[test]
fn a_scoring_on_a_page() {
    let output = desk().evens(&["score", "results.jsonl", "--runs", "200"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    assert!(page.contains("1 battle ended in a way that never came up"), "{page}");
    insta::assert_snapshot!(page);
}

/// A battle that is in the files more than once counts as several, which a warning and the page say; equal line-ups may be of
/// different battles.
#[test]
fn battles_that_are_there_again_are_counted() {
    let desk = desk();
    let with_id = |id: &str| {
        let all = results();
        let lines = all.lines().enumerate();
        let named =
            lines.map(|(at, line)| line.replacen('{', &format!("{{\"{id}\": \"sl_{at}\", "), 1));
        named.collect::<Vec<_>>().join("\n")
    };
    desk.write("one.jsonl", &with_id("id")).write("two.jsonl", &with_id("battle_queue_id_1"));
    let first = with_id("id").lines().next().unwrap().to_owned();
    desk.write("first.jsonl", &first);
    let score = |files: &[&str]| {
        let output = desk.evens(&[&["score"], files, &["--runs", "50"]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        (flat(&stdout(&output)), flat(&stderr(&output)))
    };
    let (page, said) = score(&["one.jsonl", "two.jsonl"]);
    let told = "5 line-ups are the same as another one before them, by id or seed, and counted as if independent";
    assert!(page.contains(told), "{page}");
    assert!(said.contains("5 line-ups are of battles that were there before"), "{said}");
    let (page, said) = score(&["one.jsonl", "first.jsonl"]);
    assert!(page.contains("1 line-up is the same as another one before it"), "{page}");
    assert!(said.contains("1 line-up is of battles that were there before"), "{said}");
    for files in [&["one.jsonl"][..], &["results.jsonl", "results.jsonl"]] {
        let (page, said) = score(files);
        assert!(!page.contains("the same as another") && !said.contains("before"), "{page}{said}");
    }
    let json = desk.evens(&["score", "one.jsonl", "two.jsonl", "--runs", "50", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    let warning = json["warnings"][0]["message"].as_str().unwrap();
    assert!(warning.starts_with("5 line-ups are of battles"), "{warning}");
}

/// Of two battles everything is compatible, which is said in points.
#[test]
fn a_few_battles_are_not_taken_for_a_proof_of_the_forecasts() {
    let desk = Desk::new();
    let battles = |number: usize| {
        let teams: [&[(u32, u8)]; 2] = [&[MALRIC, OGRE, BEETLE], &[MALRIC, BEETLE, OGRE]];
        let of = |at: usize| battle("Standard", teams, ["team1", "team2"][at % 2]);
        (0..number).map(of).collect::<Vec<_>>().join("\n")
    };
    let mut points = [2, 40].map(|number| {
        desk.write("few.jsonl", &battles(number));
        let page = flat(&desk.page(&["score", "few.jsonl", "--runs", "200"]));
        let begins = "compatible with what happened. That they favour a team by up to ";
        let (_, told) = page.split_once(begins).unwrap_or_else(|| panic!("{page}"));
        let (points, told) = told.split_once(" points is not ruled out by ").unwrap();
        assert!(told.starts_with(&format!("{number} battles.")), "{told}");
        points.parse::<f64>().unwrap()
    });
    points.reverse();
    assert!(points[0] < 30.0 && points[1] > 60.0, "{points:?}");
}

/// Battles of the same cards in another order, forecast at about one half, of which the record has team 1 win all: their
/// log loss is as expected, but not how often team 1 won.
#[test]
fn forecasts_that_favour_a_team_are_not_called_compatible() {
    const CARDS: [(u32, u8); 3] = [(161, 1), (163, 1), (87, 1)];
    let [first, second, third] = CARDS;
    let teams: [&[(u32, u8)]; 2] =
        [&[MALRIC, first, second, third], &[MALRIC, first, third, second]];
    let records = (0..40).map(|at| battle("Standard", [teams[at % 2], teams[1 - at % 2]], "team1"));
    let desk = Desk::new();
    desk.write("results.jsonl", &records.collect::<Vec<_>>().join("\n"));
    let page = desk.page(&["score", "results.jsonl", "--runs", "200"]);
    assert!(!page.contains("compatible") && !page.contains("than true ones would"), "{page}");
    assert!(page.contains("The forecasts favour team 2 by "), "{page}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    insta::assert_snapshot!(page);
}

/// Draws that are certain in simulations and that no record has are ruled out, and they are missing.
#[test]
fn draws_that_did_not_come_are_named() {
    let desk = Desk::new();
    let of =
        |teams: [&[(u32, u8)]; 2], at: usize| battle("Standard", teams, ["team1", "team2"][at % 2]);
    let mut records: Vec<String> =
        (0..30).map(|at| of([&[MALRIC, OGRE, BEETLE], &[MALRIC, BEETLE, OGRE]], at)).collect();
    records.extend((0..4).map(|at| of([&[MALRIC, OGRE], &[MALRIC, OGRE]], at)));
    desk.write("results.jsonl", &records.join("\n"));
    let page = desk.page(&["score", "results.jsonl", "--runs", "200"]);
    let told = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("expect draws that did not come (0 instead of 4."), "{page}");
    assert!(told.contains("and rule out how 4 battles ended."), "{page}");
    assert!(
        told.contains("Team 1's wins leave out 4 battles that nobody won in simulations."),
        "{page}"
    );
}

#[test]
fn threads_change_nothing() {
    let desk = desk();
    let on = |threads: &str| {
        let arguments = ["score", "results.jsonl", "--table", "forecasts", "-o", "-"];
        let output = desk.evens(&[&arguments[..], &["--threads", threads]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let one = on("1");
    assert_eq!(one.lines().count(), 6, "{one}");
    assert_eq!(one, on("3"));
}

#[test]
fn the_tables_are_written() {
    let desk = desk();
    let output = desk.evens(&["score", "results.jsonl", "-o", "out", "--format", "csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let files = ["calibration.csv", "forecasts.csv", "provenance.json", "scores.csv", "tests.csv"];
    assert_eq!(desk.files("out"), files);
    insta::assert_snapshot!(desk.read("out/scores.csv"));
    insta::assert_snapshot!("the_tests_are_written", desk.read("out/tests.csv"));
}

#[test]
fn a_table_that_is_named_twice_is_filled_once() {
    let desk = desk();
    let score = |out: &str, tables: &[&str]| {
        let tables = tables.iter().flat_map(|table| ["--table", table]);
        let arguments = ["score", "results.jsonl", "--format", "csv", "-o", out];
        let all: Vec<&str> = arguments.into_iter().chain(tables).collect();
        let output = desk.evens(&all);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        desk.read(&format!("{out}/scores.csv"))
    };
    let once = score("once", &["scores"]);
    assert_eq!(score("twice", &["scores", "forecasts", "scores"]), once);
    assert_eq!(desk.files("twice"), ["forecasts.csv", "provenance.json", "scores.csv"]);
}

#[test]
fn what_is_not_known_is_named_or_passed_over() {
    let desk = desk();
    let unknown = [
        results(),
        battle("Noxious Fog", [&[MALRIC, OGRE], &[ALRIC, TURTLE]], "team1"),
        battle("Standard", [&[MALRIC, (99_999, 1)], &[ALRIC, MALRIC]], "team1"),
    ];
    desk.write("unknown.jsonl", &unknown.join("\n"));
    desk.write("broken.jsonl", "{\n\"ruleset\": 7}");
    let output = desk.evens(&["score", "unknown.jsonl", "broken.jsonl", "-o", "out"]);
    assert_eq!(code(&output), 3);
    assert!(!desk.path().join("out").exists(), "nothing is written");
    insta::assert_snapshot!(stderr(&output));

    let arguments = ["score", "unknown.jsonl", "--known-only", "--table", "forecasts", "-o", "-"];
    let output = desk.evens(&arguments);
    assert_eq!((code(&output), stdout(&output).lines().count()), (0, 6));
    assert!(stderr(&output).contains("skipped 2 battles"), "{}", stderr(&output));

    let surrendered = r#"{"ruleset": "Standard", "mana_cap": 9, "details": {"type": "Surrender"}}"#;
    desk.write("surrendered.jsonl", &[results().as_str(), surrendered].join("\n"));
    let arguments = ["score", "surrendered.jsonl", "--table", "forecasts", "-o", "-"];
    let output = desk.evens(&arguments);
    assert_eq!((code(&output), stdout(&output).lines().count()), (0, 6));
    assert!(stderr(&output).contains("skipped 1 battle in which"), "{}", stderr(&output));
    let output = desk.evens(&[&arguments[..], &["--strict"]].concat());
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("surrendered, no teams"), "{}", stderr(&output));

    let output = desk.evens(&["score", "missing.jsonl"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("missing.jsonl"), "{}", stderr(&output));
}

/// One simulation of each record does not tell its odds.
#[test]
fn a_single_run_is_no_certainty() {
    let desk = desk();
    let page = desk.page(&["score", "results.jsonl", "--runs", "1"]);
    let told = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("5 line-ups were each simulated 1 time."), "{page}");
    assert!(!told.contains("could have turned out otherwise"), "{page}");
}
