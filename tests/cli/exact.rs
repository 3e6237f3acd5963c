//! `evens exact`.

use std::io::{BufRead as _, BufReader};

use serde_json::Value;

use super::{Desk, code, duel, flat, stderr, stdout};

const SURROUNDED: &str = include_str!("../../scenarios/sanctum/surrounded.toml");

fn page(arguments: &[&str]) -> String {
    let output = Desk::new().evens(&[&["exact"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    page
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&page_of_json(arguments)).unwrap()
}

fn page_of_json(arguments: &[&str]) -> String {
    let output = Desk::new().evens(&[&["exact"], arguments, &["--json"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn odds_on_a_page() {
    for (name, scenario) in [
        ("results", "solforge/dryad-and-patriarch"),
        ("drawn_orders", "solforge/zimus-and-fell-walker"),
        ("conditions", "solforge/cercee-and-oros"),
        ("wins", "splinterlands/earthquake-weaken"),
        ("match_ups", "eldertale/all-in"),
    ] {
        insta::assert_snapshot!(format!("exact_{name}"), page(&[scenario]));
    }
}

#[test]
fn bounds_on_a_page() {
    for (name, scenario, budget) in [
        ("states", "splinterlands/mirror", ["--states", "20"]),
        ("ways", "eldertale/all-in", ["--ways", "1000"]),
        ("rounds", "splinterlands/mirror", ["--rounds", "4"]),
        ("nothing", "sanctum/precedence", ["--ways", "640"]),
    ] {
        insta::assert_snapshot!(
            format!("exact_bounds_{name}"),
            page(&[&[scenario][..], &budget].concat())
        );
    }
}

/// Where a walk stops at a limit, an outcome and a value that it has not reached have bounds, too; where it is complete, only
/// what comes up is shown.
#[test]
fn what_was_not_reached_has_bounds() {
    let part = flat(&page(&["splinterlands/mirror", "--rounds", "4"]));
    assert!(part.contains(" draw 0.0000% to 82.9767% A's score"), "{part}");
    assert!(part.contains("rounds odds ─"), "{part}");
    assert!(part.contains(" any other 0.0000% to 82.9767% "), "{part}");
    assert_eq!(part.matches(" any other value 0.0000% to 82.9767%").count(), 2, "{part}");
    assert!(
        !part.contains("undecided"),
        "a battle still open after the last round is a draw: {part}"
    );
    let part = flat(&page(&["sanctum/surrounded", "--ways", "100000"]));
    assert!(part.contains(" draw 0.0000% to 50.0000% undecided 0.0000% to 50.0000% "), "{part}");
    let whole = flat(&page(&["splinterlands/mirror"]));
    assert!(!whole.contains(" draw ") && !whole.contains("any other"), "{whole}");
}

/// Where bounds of all outcomes do not fit side by side, those that are far apart get by with fewer digits, and otherwise each
/// outcome has a row: no heading and no figure is broken.
#[test]
fn no_figure_is_broken_where_outcomes_do_not_fit_side_by_side() {
    let desk = Desk::new();
    let (head, rest) = SURROUNDED.split_once("groups = [").unwrap();
    let wild = "{ group = \"Patrol\", name = \"Wild ones\", player = \"neutral\", at = [4, 5] },";
    desk.write("wild.toml", &format!("{head}groups = [\n    {wild}{rest}"));
    let page = |width: &str, ways: &str| {
        let mut command = assert_cmd::Command::new(crate::program());
        command.current_dir(desk.path()).env("COLUMNS", width);
        let output = command.args(["exact", "wild.toml", "--ways", ways]).output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    for (width, ways) in [("60", "1000"), ("80", "1000"), ("60", "1000000")] {
        let page = page(width, ways);
        assert!(page.contains("  initiative"), "{page}");
        // A label may be cut between its words, and a figure is not.
        let rows = page.lines().filter(|line| line.contains("Blue has initiative"));
        assert!(width == "60" || rows.count() == 1, "{page}");
        assert!(!page.lines().any(|line| line.contains('%') && line.ends_with(" to")), "{page}");
        let most: usize = width.parse().unwrap();
        assert!(page.lines().all(|line| line.chars().count() <= most), "{page}");
    }
    let narrow = page("80", "1000");
    assert!(
        narrow.contains("  Blue has initiative     1/2   A wins      0.0000% to 100.0000%\n"),
        "{narrow}"
    );
    assert!(
        narrow.contains("\n                                undecided   0.0000% to 100.0000%\n"),
        "{narrow}"
    );
    let wide = page("160", "1000");
    assert_eq!(wide.matches("0.00% to 100.00%").count(), 10, "{wide}");
}

/// JSON and the table have the bounds of the page: what the rules never let happen is exactly 0, however much is open, and what is
/// not listed has bounds.
#[test]
fn what_the_page_says_of_bounds_json_says_too() {
    let zero = serde_json::json!({ "decimal": 0.0, "exactly": "0" });
    let part = json(&["splinterlands/mirror", "--rounds", "4"]);
    let of = &part["matchups"][0];
    assert_eq!(of["outcomes"]["undecided"], zero);
    let most = |of: &Value| of["at_most"]["decimal"].as_f64().unwrap_or(-1.0);
    for open in [&of["outcomes"]["draw"], &of["any_other"]] {
        assert_eq!(open["at_least"], zero, "{of}");
        assert!((most(open) - 0.829_766).abs() < 1e-5, "{of}");
    }
    let rows = part["tables"]["exact"].as_array().unwrap();
    let most_of = |item: &str| {
        let row = rows.iter().find(|row| row["about"] == "outcome" && row["item"] == item).unwrap();
        row["odds_at_most"].as_f64().unwrap()
    };
    assert_eq!(most_of("undecided"), 0.0);
    assert!(most_of("draw") > 0.8);
    let surrounded = json(&["sanctum/surrounded", "--ways", "100000"]);
    assert!(most(&surrounded["matchups"][0]["outcomes"]["undecided"]) > 0.4);
    let whole = json(&["splinterlands/mirror"]);
    assert_eq!(whole["matchups"][0]["any_other"], zero);
}

/// Seats favour neither of two equal teams, and the walk knows it exactly.
#[test]
fn equal_teams_win_as_often_as_each_other() {
    let found = json(&["splinterlands/mirror"]);
    assert_eq!(found["complete"], true);
    let outcomes = &found["matchups"][0]["outcomes"];
    for side in ["A wins", "B wins"] {
        assert_eq!(outcomes[side]["exactly"], "1/2");
        assert_eq!(outcomes[side]["decimal"], 0.5);
    }
    let length = &found["matchups"][0]["lengths"][0];
    assert!(length["odds"]["exactly"].as_str().unwrap().len() > 20, "in full: {length}");
}

/// A walk that is ended early says so, and its bounds contain the exact odds.
#[test]
fn bounds_hold_the_odds() {
    let (part, whole) =
        (json(&["splinterlands/mirror", "--rounds", "5"]), json(&["splinterlands/mirror"]));
    let (part, whole) = (&part["matchups"][0], &whole["matchups"][0]);
    assert_eq!(part["complete"], false);
    assert_eq!((&part["stopped_by"], &part["stopped_in_round"]), (&"rounds".into(), &6.into()));
    assert_eq!(part["orders"], Value::Null);
    for side in ["A wins", "B wins"] {
        let bound = |which: &str| part["outcomes"][side][which]["decimal"].as_f64().unwrap();
        let truth = whole["outcomes"][side]["decimal"].as_f64().unwrap();
        assert!(bound("at_least") < truth && truth < bound("at_most"));
    }
    assert_eq!(part["lengths"][0], whole["lengths"][0], "what is decided is exact");
}

#[test]
fn threads_change_nothing() {
    for arguments in [
        &["sanctum/surrounded", "--ways", "8000"][..],
        &["eldertale/piercing-strike", "--states", "300", "--ways", "20000"],
        &["splinterlands/mirror"],
    ] {
        let on = |threads| page_of_json(&[arguments, &["--threads", threads]].concat());
        let one = on("1");
        assert_eq!(one, on("2"), "{arguments:?}");
        assert_eq!(one, on("5"), "{arguments:?}");
    }
}

#[test]
fn tables_of_exact_odds() {
    let desk = Desk::new();
    let csv = |table: &str| {
        let scenario = "solforge/zimus-and-fell-walker";
        let output = desk.evens(&["exact", scenario, "--table", table, "-o", "-"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    insta::assert_snapshot!("exact_csv", csv("exact"));
    insta::assert_snapshot!("exact_orders_csv", csv("exact_orders"));
    let scenario = "splinterlands/earthquake-weaken";
    let output = desk.evens(&["exact", scenario, "-o", "odds", "--format", "csv", "--quiet"]);
    assert_eq!((code(&output), stdout(&output)), (0, String::new()));
    assert_eq!(
        desk.files("odds"),
        ["exact.csv", "exact_orders.csv", "provenance.json", "report.json"]
    );
    assert!(desk.read("odds/provenance.json").contains("\"partial\": false"));
    let cut = [scenario, "-o", "cut", "--format", "csv", "--quiet", "--rounds", "1"];
    assert_eq!(code(&desk.evens(&[&["exact"][..], &cut].concat())), 0);
    assert!(desk.read("cut/provenance.json").contains("\"partial\": true"));
    assert_eq!(desk.read("cut/exact_orders.csv").lines().count(), 1, "no order is decided");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let desk = Desk::new();
    let scenario = "splinterlands/mirror";
    for (arguments, said) in [
        (&["exact", scenario, "-o", "-"][..], "name it with --table"),
        (&["exact", scenario, "--table", "exact", "-o", "-", "--json"], "not both"),
        (&["exact", scenario, "--format", "csv"], "--format needs -o"),
        (&["exact", scenario, "--table", "outcomes"], "[possible values: exact, exact_orders]"),
        (&["exact", scenario, "--states", "0"], "--states"),
    ] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
    desk.write("faulty.toml", &duel("").replace("Medusa", "Medussa"));
    let output = desk.evens(&["exact", "faulty.toml"]);
    assert_eq!((code(&output), stdout(&output)), (3, String::new()));
    assert!(stderr(&output).contains("did you mean `Medusa`?"), "{}", stderr(&output));
}

/// A walk that would take minutes and decide nothing is refused at once, also where its battles can begin in hardly more
/// ways than are looked at.
#[test]
fn what_new_writes_is_refused_rather_than_walked_for_nothing() {
    let desk = Desk::new();
    desk.page(&["new", "splinterlands"]);
    for ways in ["5000000", "20000000", "50000000"] {
        let output = desk.evens(&["exact", "splinterlands.toml", "--ways", ways]);
        assert_eq!(code(&output), 3, "{ways}: {}", stdout(&output));
        assert!(flat(&stderr(&output)).contains("is too large for exact odds"), "{ways}");
    }
}

/// Scores of each side are printed as fractions, for every measure and in all formats.
#[test]
fn scores_are_told_exactly() {
    let of = |measure: &str| {
        let found = json(&["splinterlands/mirror", "--measure", measure]);
        let side =
            |at: usize| found["matchups"][0][measure][at]["exactly"].as_str().unwrap().to_owned();
        [side(0), side(1)]
    };
    assert_eq!(of("score"), ["1/2", "1/2"]);
    assert_eq!(of("decided"), ["1/2", "1/2"]);
    let [a, b] = of("wins");
    assert_eq!(a, b);
    let page = page(&["eldertale/all-in", "--measure", "decided"]);
    assert!(page.contains("A's win rate of decided"), "{page}");
}

/// "Activate: another creature": where a card does not say whom it means, the creature that has the ability is left
/// out.
#[test]
fn a_creature_does_not_choose_itself_unless_its_card_says_so() {
    let desk = Desk::new();
    let position = |target: &str| {
        format!(
            "game = \"solforge\"\nbattles = 10\n[position]\nsteps = [{{ activate = {{ lane = 2, targets = [\"{target}\"] }} }}]\n\
             [position.a]\ncreatures = [{{ card = \"Mossbeard Patriarch\", lane = 2, damage = 4 }}, \
             {{ card = \"Fell Walker\", lane = 1 }}]\n"
        )
    };
    desk.write("itself.toml", &position("A2")).write("another.toml", &position("A1"));
    desk.page(&["exact", "another.toml"]);
    let output = desk.evens(&["exact", "itself.toml"]);
    assert_ne!(code(&output), 0, "{}", stdout(&output));
    assert!(flat(&stderr(&output)).contains("cannot be chosen"), "{}", stderr(&output));
}

/// The budget bounds the ways that are looked at, so that nobody knows how many are left.
#[cfg(unix)]
#[test]
fn progress_does_not_tell_how_long_ways_take_that_may_never_come() {
    let desk = Desk::new();
    let run = ["exact", "sanctum/mixed-groups", "--ways", "100000000000", "--states", "100000000"];
    let mut child = std::process::Command::new(crate::program())
        .args([&run[..], &["--progress", "json"]].concat())
        .current_dir(desk.path())
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = lines.find_map(|line| serde_json::from_str::<Value>(&line.unwrap()).ok());
    child.kill().unwrap();
    child.wait().unwrap();
    let told = &line.expect("a line of progress")["progress"];
    assert_eq!((&told["at_most"], &told["noun"]), (&Value::Bool(true), &Value::from("ways")));
}

/// Where nobody can win, it is told how the battles end.
#[test]
fn draws_have_odds_where_nobody_wins() {
    let desk = Desk::new();
    desk.write(
        "draws.toml",
        "game = \"sanctum\"\nseed = 1\nbattles = 10\n[[groups]]\nname = \"One\"\nminions = [\"Imp archer\"]\n\
         spells = [\"Armistice\"]\n[[groups]]\nname = \"Other\"\nminions = [\"Imp archer\"]\n\
         [sides]\na = [\"One\"]\nb = [\"Other\"]\nprecedence = \"a\"\n",
    );
    let page = flat(&desk.page(&["exact", "draws.toml"]));
    assert!(page.contains("Nobody wins here."), "{page}");
    assert!(page.contains("undecided 100.0000% 1"), "{page}");
}

/// Battles that end before they begin take no states, however many ways there are to their beginnings.
#[test]
fn forfeits_take_no_states() {
    let desk = Desk::new();
    let monsters = "[\"Pit Ogre\", \"Serpentine Soldier\", \"Kobold Miner\", \"Giant Roc\", \"Cerberus\", \"Fire Beetle\", \
                    \"Fire Demon\", \"Grumpy Dwarf\", \"Elven Cutthroat\", \"Centaur\", \"Cocatrice\", \"Cyclops\"]";
    let scenario = format!(
        "game = \"splinterlands\"\nseed = 1\nbattles = 10\nmana_caps = [99]\nleague = \"silver\"\n\
         illegal_teams = \"lose\"\nrulesets = {{ fixed = [\"Lost Magic\"] }}\n\
         [[pools]]\nname = \"Fire\"\nsummoners = [\"Malric Inferno\"]\nmonsters = {monsters}\n\
         [[teams]]\nname = \"Magic\"\nsummoner = \"Alric Stormbringer\"\nmonsters = [\"Medusa\"]\n\
         [sides]\na = [\"Fire\"]\nb = [\"Magic\"]\n"
    );
    desk.write("forfeits.toml", &scenario);
    let page = flat(&desk.page(&["exact", "forfeits.toml", "--states", "10"]));
    assert!(page.contains("A (Fire) wins 100.0000%"), "{page}");
    assert!(page.contains("at most 0 states at once"), "{page}");
}
