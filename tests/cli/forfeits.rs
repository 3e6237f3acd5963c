//! Battles that are forfeited before they begin.

use super::{Desk, code, stderr};

/// A strong team against a weak one, under a ruleset that allows both and one that allows neither.
const SCENARIO: &str = "game = \"splinterlands\"\nseed = 1\nbattles = 500\nmana_caps = [30]\nleague = \"gold\"\n\
    illegal_teams = \"lose\"\n\
    [[teams]]\nname = \"Strong\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\", \"Serpentine Soldier\"]\n\
    [[teams]]\nname = \"Weak\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Furious Chicken\"]\n\
    [rulesets]\ntwo = 0\nonly = [\"Lost Magic\", \"Keep Your Distance\"]\n\
    [sides]\na = [\"Strong\"]\nb = [\"Weak\"]\n";

/// The page of a command on one line.
fn told(desk: &Desk, arguments: &[&str]) -> String {
    desk.page(arguments).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_measured_is_of_battles_that_were_fought() {
    let desk = Desk::new();
    desk.write("half.toml", SCENARIO);
    let page = told(&desk, &["run", "half.toml", "--full"]);
    assert!(page.contains("survivors_a 2.0 (2.0 to 2.0)"), "{page}");
    assert!(
        page.contains("They count as won and lost, or as drawn where neither may be"),
        "{page}"
    );
    let output =
        desk.evens(&["run", "half.toml", "--table", "outcomes", "-o", "-", "--format", "csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let mut rows = csv::Reader::from_reader(output.stdout.as_slice());
    let at = rows.headers().unwrap().iter().position(|name| name == "survivors_a_mean").unwrap();
    assert!(rows.records().all(|row| &row.unwrap()[at] == "2.0"));
}

#[test]
fn where_nothing_is_fought_nothing_is_measured() {
    let desk = Desk::new();
    desk.write("none.toml", &SCENARIO.replace("\"Lost Magic\", ", ""));
    let page = told(&desk, &["run", "none.toml", "--full"]);
    assert!(page.contains("No battle was fought."), "{page}");
    assert!(!page.contains("survivors_a") && !page.contains("lasts 0"), "{page}");
}

#[test]
fn exact_odds_say_which_battles_they_count() {
    let desk = Desk::new();
    desk.write("half.toml", SCENARIO);
    let page = told(&desk, &["exact", "half.toml"]);
    assert!(page.contains("Battles of 0 rounds were over before they began."), "{page}");
    let fought = SCENARIO.replace(", \"Keep Your Distance\"", "");
    desk.write("all.toml", &fought);
    assert!(!told(&desk, &["exact", "all.toml"]).contains("Battles of 0 rounds"));
}
