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

#[test]
fn rows_of_forfeits_tell_of_nobody_who_fought() {
    let desk = Desk::new();
    desk.write("half.toml", SCENARIO);
    let output =
        desk.evens(&["run", "half.toml", "--table", "battles", "-o", "-", "--format", "csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let mut rows = csv::Reader::from_reader(output.stdout.as_slice());
    let names = rows.headers().unwrap().clone();
    let mut seen = [false; 2];
    for row in rows.records() {
        let row = row.unwrap();
        let of = |name: &str| &row[names.iter().position(|of| of == name).unwrap()];
        let is_forfeited = of("forfeited") == "true";
        seen[usize::from(is_forfeited)] = true;
        let told = ["team_a", "levels_a", "summoner_a", "summoner_level_a", "survivors_a", "rounds"];
        let fought = ["[\"Pit Ogre\",\"Serpentine Soldier\"]", "[6,6]", "Malric Inferno", "6", "2", "1"];
        let nothing = ["[]", "[]", "", "0", "0", "0"];
        assert_eq!(told.map(of), if is_forfeited { nothing } else { fought });
        // Who would have fought is still told.
        assert_eq!(["contender_a", "mana_cap"].map(of), ["Strong", "30"]);
    }
    assert_eq!(seen, [true, true]);
}
