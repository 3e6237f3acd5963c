//! Battles that are forfeited before they begin.

use serde_json::Value;

use super::report::data;
use super::{Desk, code, flat, stderr};

/// A strong team against a weak one, under a ruleset that allows both and one that allows neither, so that half of the
/// battles are forfeited.
const SCENARIO: &str = "game = \"splinterlands\"\nseed = 1\nbattles = 500\nmana_caps = [30]\nleague = \"gold\"\n\
    illegal_teams = \"lose\"\n\
    [[teams]]\nname = \"Strong\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\", \"Serpentine Soldier\"]\n\
    [[teams]]\nname = \"Weak\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Furious Chicken\"]\n\
    [rulesets]\ntwo = 0\nonly = [\"Lost Magic\", \"Keep Your Distance\"]\n\
    [sides]\na = [\"Strong\"]\nb = [\"Weak\"]\n";

/// The page of a command, as one line.
fn told(desk: &Desk, arguments: &[&str]) -> String {
    desk.page(arguments).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_measured_is_of_battles_that_were_fought() {
    let desk = Desk::new();
    desk.write("half.toml", SCENARIO);
    let page = told(&desk, &["run", "half.toml", "--full"]);
    assert!(page.contains("survivors_a 2.00 (1.98 to 2.02)"), "{page}");
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

/// Exact lengths and results are those of the battles that are fought, as in a run.
#[test]
fn exact_odds_of_lengths_and_results_are_of_battles_that_are_fought() {
    let desk = Desk::new();
    desk.write("half.toml", SCENARIO);
    let page = told(&desk, &["exact", "half.toml"]);
    for line in [
        "50.0000%, exactly 1/2, of the battles are forfeited before they begin.",
        "Every battle that is fought lasts 1 round.",
        "survivors_a 2 100.0000% 1 survivors_b 0 100.0000% 1",
        "order comes up exactly A wins then",
        "A 100.0000% 1 100.0000%",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    assert!(page.contains("A's score 75.0000% 3/4"), "forfeits are among the outcomes: {page}");
    let run = told(&desk, &["run", "half.toml", "--full"]);
    assert!(run.contains("Every one of these battles that was fought lasts 1 round."), "{run}");

    let fought = SCENARIO.replace(", \"Keep Your Distance\"", "");
    desk.write("all.toml", &fought);
    let page = told(&desk, &["exact", "all.toml"]);
    assert!(page.contains("Every battle lasts 1 round."), "{page}");
    assert!(!page.contains("fought") && !page.contains("forfeit"), "{page}");

    desk.write("none.toml", &SCENARIO.replace("\"Lost Magic\", ", ""));
    let page = told(&desk, &["exact", "none.toml"]);
    assert!(page.contains("Every battle is forfeited before it begins, so that none is fought."));
    assert!(!page.contains("survivors_a") && !page.contains("lasts"), "{page}");
}

/// Bounds, too, are those of the battles that are fought, and they contain what a longer walk finds.
#[test]
fn bounds_of_battles_that_are_fought_hold_their_odds() {
    let desk = Desk::new();
    // A team that misses sometimes, so that a battle may take long.
    let slow = SCENARIO.replace("\"Pit Ogre\", \"Serpentine Soldier\"", "\"Serpentine Soldier\"");
    let slow = slow.replace("[\"Lost Magic\", ", "[\"Lost Magic\", \"Unprotected\", ");
    desk.write("slow.toml", &slow.replace("\"Furious Chicken\"", "\"Pit Ogre\", \"Fire Beetle\""));
    let of = |limits: &[&str]| -> Value {
        let output = desk.evens(&[&["exact", "slow.toml", "--json"], limits].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        found["matchups"][0].clone()
    };
    let whole = of(&[]);
    assert_eq!(whole["fought"]["exactly"], "2/3");
    let mut lengths = 0.0;
    for length in whole["lengths"].as_array().unwrap() {
        lengths += length["odds"]["decimal"].as_f64().unwrap();
    }
    assert!((lengths - 1.0).abs() < 1e-9, "{whole:#}");
    let mut are_open = 0;
    for limits in [["--rounds", "2"], ["--rounds", "4"], ["--ways", "3"]] {
        let part = of(&limits);
        let rows = |of: &Value| -> Vec<(String, Value)> {
            let results = of["results"].as_object().unwrap().iter();
            let results = results.flat_map(|(name, values)| {
                values.as_array().unwrap().iter().map(move |row| (name.clone(), row.clone()))
            });
            let lengths = of["lengths"].as_array().unwrap().iter();
            results.chain(lengths.map(|row| ("length".to_owned(), row.clone()))).collect()
        };
        let truths = rows(&whole);
        for (name, row) in rows(&part) {
            let odds = &row["odds"];
            let end = |which: &str| odds[which]["decimal"].as_f64();
            let [low, high] = ["at_least", "at_most"]
                .map(|which| end(which).or_else(|| odds["decimal"].as_f64()).unwrap());
            let is_same = |of: &&(String, Value)| of.0 == name && of.1["value"] == row["value"];
            let truth = truths.iter().find(is_same).unwrap();
            let truth = truth.1["odds"]["decimal"].as_f64().unwrap();
            assert!(low <= truth + 1e-12 && truth <= high + 1e-12, "{limits:?} {name}: {row}");
            are_open += u32::from(low < high);
        }
        assert_eq!(part["complete"], false, "{limits:?}");
    }
    assert!(are_open > 0);
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
        let told =
            ["team_a", "levels_a", "summoner_a", "summoner_level_a", "survivors_a", "rounds"];
        let fought =
            ["[\"Pit Ogre\",\"Serpentine Soldier\"]", "[6,6]", "Malric Inferno", "6", "2", "1"];
        let nothing = ["[]", "[]", "", "0", "0", "0"];
        assert_eq!(told.map(of), if is_forfeited { nothing } else { fought });
        // The contenders that would have fought are still listed.
        assert_eq!(["contender_a", "mana_cap"].map(of), ["Strong", "30"]);
    }
    assert_eq!(seen, [true, true]);
}

/// A team that may never be brought does not lose if its opponent may not be brought either.
#[test]
fn a_team_that_is_never_allowed_is_said_to_forfeit() {
    let desk = Desk::new();
    desk.write("none.toml", &SCENARIO.replace("\"Lost Magic\", ", ""));
    let output = desk.evens(&["check", "none.toml"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let told = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("the team forfeits every") && !told.contains("loses every"), "{told}");
    let page = self::told(&desk, &["run", "none.toml"]);
    assert!(page.contains("of the battles are drawn."), "{page}");
}

/// Every study says how many of the battles were forfeited, by whom, and how these count.
#[test]
fn every_study_says_how_many_battles_were_forfeited() {
    let desk = Desk::new();
    desk.write("half.toml", SCENARIO);
    desk.write("third.toml", &SCENARIO.replace("only = [", "only = [\"Standard\", "));
    desk.write("fought.toml", &SCENARIO.replace(", \"Keep Your Distance\"", ""));
    let scored = "They count as won and lost, or as drawn where neither may be, in all results of sides and in no other figure.";
    let left_out = "They are left out of all figures.";
    let change = ["--set", "changes.Furious Chicken.health=+0,+1"];
    for (command, file, more, how) in [
        ("sweep", "half.toml", &change[..], scored),
        ("effects", "third.toml", &["--battles", "100"], scored),
        ("effects", "half.toml", &["--order", "first-turn"], left_out),
        ("worth", "half.toml", &["--battles", "400"], left_out),
        ("plan", "half.toml", &["--detect", "1pp", "--pilot", "400"], scored),
        ("tune", "half.toml", &["--stats", "--only", "Furious Chicken.health"], scored),
        (
            "best",
            "half.toml",
            &["--for", "Weak", "--battles", "2000"],
            "They count as won and lost",
        ),
    ] {
        let page = told(&desk, &[&[command, file][..], more].concat());
        let many =
            "of the battles that were played are forfeits, because a team may not be brought: ";
        let which = format!("{command} {more:?}: {page}");
        assert!(page.contains(many) && page.contains(how), "{which}");
        let by_whom = page.split(many).nth(1).unwrap();
        let is_told = by_whom.contains(" by both.") || by_whom.contains("% by side B.");
        assert!(is_told || command == "best", "{which}");
    }
    assert!(
        told(&desk, &["sweep", "half.toml", change[0], change[1]])
            .contains("because a team may not be brought: 50.0% by both.")
    );
    desk.page(&["nightly", "--write", "half.toml", "-q"]);
    let page = told(&desk, &["nightly"]);
    assert!(
        page.contains("% of the battles that were played are forfeits, because a team may not be brought. They count as won"),
        "{page}"
    );
    for command in ["sweep", "worth"] {
        let more = if command == "sweep" {
            &change[..]
        } else {
            &["--line-ups", "own", "--unit", "Pit Ogre"]
        };
        let page = told(&desk, &[&[command, "fought.toml"][..], more].concat());
        assert!(!page.contains("forfeit"), "{page}");
    }
}

/// Where all battles are forfeits, the score of a side only says who may bring what, and these forfeits are part of its
/// score without any other ruleset, too. So no such comparison heads a list, and `effects` tells what each ruleset does
/// in the same battles.
#[test]
fn where_a_ruleset_leaves_only_forfeits_nothing_is_compared_with_them() {
    let desk = Desk::new();
    let text = SCENARIO
        .replace("battles = 500", "battles = 4000")
        .replace("Furious Chicken", "Goblin Fireballer")
        .replace("only = [\"Lost Magic\"", "only = [\"Standard\", \"Lost Magic\", \"Equalizer\"");
    desk.write("half.toml", &text);
    for more in [&[][..], &["--full"]] {
        let run = told(&desk, &[&["run", "half.toml"], more].concat());
        let named = "Not compared: with Keep Your Distance all battles are forfeits";
        assert_eq!(run.contains(named), more.len() == 1, "{run}");
        for ruleset in ["Lost Magic", "Equalizer", "Keep Your Distance"] {
            assert!(!run.contains(&format!("With {ruleset}, Strong")), "{run}");
        }
        let run = run.replace("the fewest changes of numbers", "");
        assert!(!run.contains("change"), "no list of what rulesets change: {run}");
    }
    let effects = told(&desk, &["effects", "half.toml", "--battles", "2000"]);
    let named = "Not listed, because all battles then are forfeits: Keep Your Distance.";
    assert!(effects.contains(named), "{effects}");
    assert_eq!(effects.matches("Keep Your Distance").count(), 1, "{effects}");
    assert!(effects.contains("None of 2 is significant"), "the others are tested: {effects}");
    let none = "No ruleset that was tested is seen to change that.";
    assert!(effects.contains(none), "only forfeits change it: {effects}");

    desk.write("one.toml", &text.replace(", \"Lost Magic\", \"Equalizer\"", ""));
    let effects = told(&desk, &["effects", "one.toml", "--battles", "500"]);
    assert!(effects.contains(named) && !effects.contains("want of battles"), "{effects}");
}

/// What the page says of forfeits its report says, too: of each match-up where there are several.
#[test]
fn reports_say_what_pages_say_of_forfeits() {
    let desk = Desk::new();
    desk.write("half.toml", SCENARIO);
    let answer = |arguments: &[&str]| {
        told(&desk, &[arguments, &["--report", "page.html"]].concat());
        data(&desk.read("page.html"))["notes"]["answer"].to_string()
    };
    let said = answer(&["exact", "half.toml"]);
    assert!(said.contains("50.0000%, exactly 1/2, of the battles are forfeited"), "{said}");
    let said = answer(&["effects", "half.toml", "--order", "first-turn", "--battles", "400"]);
    assert!(said.contains("They are left out of all figures."), "{said}");
    let two = SCENARIO
        .replace("only = [", "only = [\"Standard\", ")
        .replace("b = [\"Weak\"]", "b = [\"Weak\", \"Able\"]");
    let able =
        "[[teams]]\nname = \"Able\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Giant Roc\"]\n";
    desk.write(
        "two.toml",
        &format!(
            "{}{able}",
            two.replace("[\"Pit Ogre\", \"Serpentine Soldier\"]", "[\"Giant Roc\"]")
        ),
    );
    let said = answer(&["effects", "two.toml", "--battles", "400"]);
    let named = "Strong against Weak: Not listed, because all battles then are forfeits: Keep Your Distance.";
    assert!(said.contains(named), "{said}");
}

/// A battle that is drawn before it begins has no length that anybody fought for.
#[test]
fn battles_that_end_before_the_first_round_are_told_apart() {
    let desk = Desk::new();
    let text = SCENARIO
        .replace("battles = 500", "battles = 500\nidentical_teams = \"draw\"")
        .replace(", \"Keep Your Distance\"", "")
        .replace("b = [\"Weak\"]", "b = [\"Weak\", \"Strong\"]");
    desk.write("same.toml", &text);
    let page = told(&desk, &["run", "same.toml", "--full"]);
    assert!(page.contains("50.0% end before the first round, with a length of 0."), "{page}");
    desk.write("other.toml", &text.replace(", \"Strong\"]", "]"));
    assert!(!told(&desk, &["run", "other.toml", "--full"]).contains("before the first round"));
}

/// A battle that is not fought says why.
#[test]
fn a_battle_that_is_not_fought_says_why() {
    let desk = Desk::new();
    desk.write("none.toml", &SCENARIO.replace("\"Lost Magic\", ", ""));
    let page = told(&desk, &["trace", "none.toml", "--battle", "0"]);
    for side in [
        "Side A forfeits, since its team is illegal: Keep Your Distance does not allow `Pit Ogre`; Keep Your Distance does not \
         allow `Serpentine Soldier`",
        "Side B forfeits, since its team is illegal: Keep Your Distance does not allow `Furious Chicken` The end: a draw after \
         0 rounds",
    ] {
        assert!(page.contains(side), "{side}: {page}");
    }
    let lines = told(&desk, &["trace", "none.toml", "--battle", "0", "--json"]);
    assert!(lines.contains("\"event\":\"forfeit\""), "{lines}");
    let output = desk.evens(&["trace", "none.toml", "--pick", "typical"]);
    assert_eq!(code(&output), 2);
    let said = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("all are forfeited before they begin"), "{said}");

    let dear = SCENARIO.replace("[30]", "[5]").replace(", \"Keep Your Distance\"", "");
    desk.write("dear.toml", &dear);
    let page = told(&desk, &["trace", "dear.toml", "--battle", "0"]);
    assert!(page.contains("Side A forfeits, since its team is illegal: the team costs "), "{page}");
    assert!(page.contains(" mana and the cap is 5 The end: side B wins"), "{page}");
    assert!(!page.contains("Side B forfeits"), "{page}");

    let alike = SCENARIO.replace("[\"Furious Chicken\"]", "[\"Pit Ogre\", \"Serpentine Soldier\"]");
    let alike = alike.replace(", \"Keep Your Distance\"", "");
    desk.write("fight.toml", &alike);
    desk.write(
        "alike.toml",
        &alike.replace("battles = 500", "battles = 500\nidentical_teams = \"draw\""),
    );
    let page = told(&desk, &["trace", "alike.toml", "--battle", "0"]);
    let why =
        "The battle is not fought, since both teams are identical The end: a draw after 0 rounds";
    assert!(page.contains(why), "{page}");
    let page = told(&desk, &["trace", "fight.toml", "--battle", "0"]);
    assert!(!page.contains("identical") && !page.contains("forfeits"), "{page}");
}

/// The page of a run in which nobody fights speaks of no figures where it has none, and says what is next.
#[test]
fn a_report_without_battles_speaks_of_no_figures() {
    let desk = Desk::new();
    desk.write("none.toml", &SCENARIO.replace("\"Lost Magic\", ", ""));
    told(&desk, &["run", "none.toml", "--report", "none.html"]);
    let page = desk.read("none.html");
    assert!(!page.contains("class=\"figure card"), "{page}");
    assert!(!page.contains("Skip to the figures") && !page.contains("<noscript>"), "{page}");
    assert!(page.contains("let the teams be brought"), "{page}");
}

/// Where nobody fights there is nothing to plan or to tune, and nothing else to ask.
#[test]
fn what_depends_on_battles_is_not_told_where_all_are_forfeited() {
    let desk = Desk::new();
    let none = SCENARIO.replace("\"Lost Magic\", ", "");
    desk.write("none.toml", &none);
    desk.write("won.toml", &none.replace("[\"Furious Chicken\"]", "[\"Spark Pixies\"]"));
    for file in ["none.toml", "won.toml"] {
        for command in [
            &["plan", file][..],
            &["plan", file, "--detect", "1pp"],
            &["tune", file],
            &["tune", file, "--stats"],
        ] {
            let output = desk.evens(command);
            let told = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(code(&output), 3, "{command:?}: {told}");
            assert!(output.stdout.is_empty(), "{command:?}");
            assert!(told.contains("that were played were forfeited, because"), "{told}");
        }
        let page = told(&desk, &["run", file, "--report", "page.html"]);
        assert!(page.contains("Next: let the teams be brought;"), "{page}");
        for other in ["evens effects", "evens tune", "evens plan", "had no effect"] {
            assert!(!page.contains(other), "{other}: {page}");
        }
        for other in ["evens effects", "evens tune"] {
            assert!(!desk.read("page.html").contains(&format!("{other} {file}")), "{other}");
        }
    }
    desk.write("half.toml", SCENARIO);
    assert!(told(&desk, &["run", "half.toml"]).contains("evens effects half.toml"));
}

/// Half of the battles are forfeits under these weights, and `tune` can find others: it tells the share under both, and not
/// that of the battles that it chose to play.
#[test]
fn tune_tells_the_share_of_forfeits_under_both_weights() {
    let desk = Desk::new();
    desk.write(
        "tenth.toml",
        &SCENARIO.replace("two = 0", "two = 0\nweights = { \"Lost Magic\" = 9 }"),
    );
    let page = told(&desk, &["tune", "tenth.toml", "--battles", "400", "--confirm", "100"]);
    let share = "10.0% of the battles are forfeits with the scenario's weights and";
    assert!(page.contains(share), "{page}");
    assert!(
        page.contains("They count as won and lost, or as drawn where neither may be"),
        "{page}"
    );
    let run = told(&desk, &["run", "tenth.toml", "--battles", "20000"]);
    assert!(run.contains("10.3% (9.9 to 10.7) of the battles are forfeits"), "{run}");
}

/// What is not listed because everything is forfeited does not hide that the rest was not tested.
#[test]
fn what_was_not_tested_is_told_beside_what_is_forfeited() {
    let desk = Desk::new();
    let rulesets = "only = [\"Standard\", \"Lost Magic\", \"Weak Magic\", \"Keep Your Distance\"]";
    desk.write(
        "few.toml",
        &SCENARIO.replace("only = [\"Lost Magic\", \"Keep Your Distance\"]", rulesets),
    );
    let page = told(&desk, &["effects", "few.toml", "--battles", "8"]);
    let said = "Not listed, because all battles then are forfeits: Keep Your Distance. None of the others was tested, for \
                want of battles";
    assert!(page.contains(said), "{page}");
}

/// Weights of rulesets decide how many battles are forfeited, and scores of variants can differ for no other reason.
#[test]
fn a_sweep_tells_the_share_of_forfeits_of_each_variant() {
    let desk = Desk::new();
    desk.write("half.toml", SCENARIO);
    let sweep = |axis: &str| {
        let set = ["sweep", "half.toml", "--battles", "4000", "--set", axis];
        let page = told(&desk, &set);
        let table = desk.evens(&[&set[..], &["--format", "csv", "-o", "-", "--quiet"]].concat());
        let mut rows = csv::Reader::from_reader(table.stdout.as_slice());
        let headers = rows.headers().expect("a row of names").clone();
        let at =
            headers.iter().position(|name| name == "forfeit_rate").expect("a column of forfeits");
        let share = |row: csv::StringRecord| row[at].parse::<f64>().expect("a number");
        (page, rows.records().map(|row| share(row.expect("a row"))).collect::<Vec<_>>())
    };
    // Both sides have a row for each variant. Of battles with weights of 1 to 3, three quarters are forfeited.
    let (page, shares) = sweep("rulesets.weights.Lost Magic=1,3,1");
    assert!(
        page.contains(
            "From 25.0% to 50.0% of a variant's battles are forfeits, because a team may not be brought: the table `sweep` has the \
             share of each. They count as won and lost"
        ),
        "{page}"
    );
    assert_eq!(shares.len(), 6, "{shares:?}");
    for (share, expected) in shares.iter().zip([0.5, 0.5, 0.25, 0.25, 0.5, 0.5]) {
        assert!((share - expected).abs() < 1e-9, "{shares:?}");
    }
    let (page, _) = sweep("league=gold,diamond");
    assert!(page.contains("of the battles that were played are forfeits"), "{page}");
}

/// Two equal teams, which one of the two rulesets forbids both of.
const HALF: &str = "game = \"splinterlands\"\nbattles = 2000\nmana_caps = [24]\nillegal_teams = \"lose\"\n\
    [rulesets]\nonly = [\"Little League\", \"Standard\"]\ntwo = 0\n\
    [[teams]]\nname = \"X\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\", \"Serpentine Soldier\"]\n\
    [[teams]]\nname = \"Small\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Fire Beetle\"]\n\
    [sides]\na = [\"X\"]\nb = [\"X\", \"Small\"]\n";

/// Pages in the terminal and in the browser suggest the same.
#[test]
fn effects_of_rulesets_under_which_nothing_is_fought_are_not_suggested() {
    let desk = Desk::new();
    desk.write("half.toml", &HALF.replace("[\"X\", \"Small\"]", "[\"X\"]"));
    let page = told(&desk, &["run", "half.toml", "--report", "half.html"]);
    assert!(!page.contains("with and without each ruleset"), "{page}");
    assert!(!desk.read("half.html").contains("What each ruleset does"));
    desk.write(
        "both.toml",
        &HALF.replace("illegal_teams = \"lose\"", "").replace("Little League", "Fog of War"),
    );
    let page = told(&desk, &["run", "both.toml", "--report", "both.html"]);
    assert!(page.contains("with and without each ruleset"), "{page}");
    assert!(desk.read("both.html").contains("What each ruleset does"));
}

#[test]
fn a_match_up_without_such_battles_is_not_looked_at_for_ever() {
    let desk = Desk::new();
    desk.write("half.toml", HALF);
    let said = |more: &[&str]| {
        let output = desk.evens(&[&["trace", "half.toml", "--pick", "typical"][..], more].concat());
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        flat(&stderr(&output))
    };
    let forfeited = said(&["--matchup", "X vs X", "--ruleset", "Little League"]);
    assert!(forfeited.contains("all that are like that are forfeited"), "{forfeited}");
    let battle = forfeited.split("--battle ").nth(1).unwrap().split('`').next().unwrap();
    let page = told(&desk, &["trace", "half.toml", "--battle", battle]);
    assert!(page.contains("X vs X") && page.contains("forfeits"), "{page}");
    let nobody = said(&["--matchup", "X vs X", "--with", "Fire Beetle"]);
    assert!(nobody.contains("nobody in this match-up can have `Fire Beetle`"), "{nobody}");
    told(&desk, &["trace", "half.toml", "--pick", "typical", "--matchup", "X vs Small"]);
}
