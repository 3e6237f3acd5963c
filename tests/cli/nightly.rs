//! `evens compare` and `evens nightly`, and how often they raise false alarms.

use std::fs;
use std::path::Path;

use super::{Desk, code, flat, stderr, stdout};
use evens::engine::Scenario;
use evens::studies::nightly::{BUNDLED, Baseline, file_name};

/// The bundled cards of Splinterlands, with the melee attack of one card raised by this much at all levels.
fn catalogue(card: &str, raised: u32) -> String {
    let cards = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
    let lines = cards.lines().map(|line| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        if cells[0] == card {
            cells[7] = (cells[7].parse::<u32>().unwrap() + raised).to_string();
        }
        cells.join(",") + "\n"
    });
    lines.collect()
}

/// A duel of two small teams with cards from `cards.csv`.
const ROC: &str = "game = \"splinterlands\"\nbattles = 4000\nleague = \"silver\"\ncards = \"cards.csv\"\n\
    [rulesets]\nfixed = [\"Standard\"]\n\
    [[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Giant Roc\", \"Pit Ogre\"]\n\
    [[teams]]\nname = \"Water\"\nsummoner = \"Alric Stormbringer\"\nmonsters = [\"Water Elemental\", \"Sea Genie\"]\n\
    [sides]\na = [\"Fire\"]\nb = [\"Water\"]\n";

/// A position in which two creatures fight once; the predator is the scenario's own card.
fn predator(attack: u32) -> String {
    format!(
        "game = \"solforge\"\nbattles = 400\n\
         [position]\nactive = \"random\"\nsteps = [\"battle\"]\n\
         results = [{{ name = \"life lost\", read = {{ life = \"B\" }} }}]\n\
         [position.a]\ncreatures = [{{ card = \"Grimgaunt Predator\", lane = 1 }}]\n\
         [position.b]\ncreatures = [{{ card = \"Oros, Deepwood's Chosen\", lane = 2 }}]\n\
         [[cards]]\nname = \"Grimgaunt Predator\"\nfaction = \"nekrium\"\nattack = [{attack}]\nhealth = [5]\n"
    )
}

/// A desk with the roc's scenario and its baseline.
fn roc() -> Desk {
    let desk = Desk::new();
    desk.write("roc.toml", ROC).write("cards.csv", &catalogue("Giant Roc", 0));
    let output = desk.evens(&["nightly", "--write", "roc.toml", "-q"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(desk.files("reports/baseline"), ["splinterlands-roc.json"]);
    desk
}

/// Blanks out the last figure of each row of what was played, which is a speed and depends on the machine.
fn without_speeds(text: &str) -> String {
    let mut settled = String::new();
    for line in text.lines() {
        let (row, end) = line.strip_suffix(" |").map_or((line, ""), |row| (row, " |"));
        let figure = |last: &str| last.chars().all(|sign| sign.is_ascii_digit() || sign == ',');
        match row.rsplit_once(' ').filter(|(head, last)| head.contains(".toml") && figure(last)) {
            Some((head, _)) => settled += &format!("{} [speed]{end}", head.trim_end()),
            None => settled += line,
        }
        settled.push('\n');
    }
    settled
}

#[test]
fn the_baseline_of_a_scenario_that_was_renamed_is_named() {
    let desk = roc();
    fs::rename(desk.path().join("roc.toml"), desk.path().join("bird.toml")).unwrap();
    let output = desk.evens(&["nightly"]);
    assert_eq!(code(&output), 3);
    let said = flat(&stderr(&output));
    let file = "reports/baseline/splinterlands-roc.json";
    assert!(
        said.contains(&format!("{file} is the baseline of roc.toml, which cannot be read")),
        "{said}"
    );
    assert!(said.contains("`evens nightly --write SCENARIO`, and remove"), "{said}");
}

/// A file that would stop the next night of all baselines is named by the command that fills the folder.
#[test]
fn a_file_that_is_no_baseline_is_named_when_baselines_are_written() {
    let desk = roc();
    desk.write("reports/baseline/notes.json", "{}");
    let output = desk.evens(&["nightly", "--write", "roc.toml"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let said = flat(&stderr(&output));
    assert!(said.contains("reports/baseline/notes.json cannot be read as a baseline"), "{said}");
    assert_eq!(code(&desk.evens(&["nightly"])), 3);
    assert_eq!(said.matches("cannot be read").count(), 1, "{said}");
}

#[test]
fn a_card_with_one_more_attack_is_caught() {
    let desk = roc();
    let clean = desk.evens(&["nightly"]);
    assert_eq!(code(&clean), 0, "{}", stdout(&clean));
    assert!(stdout(&clean).starts_with("No balance regression"), "{}", stdout(&clean));
    assert!(!stdout(&clean).contains("The scenario changed"));

    desk.write("cards.csv", &catalogue("Giant Roc", 1));
    let night = ["nightly", "--seed", "99", "--summary", "balance.md"];
    let caught = desk.evens(&night);
    assert_eq!(code(&caught), 4, "{}", stdout(&caught));
    let told = stdout(&caught);
    assert!(
        told.starts_with("Balance regression") && told.contains("The scenario changed: roc.toml")
    );
    assert!(told.contains("`evens nightly --write roc.toml`"));
    // The first sentence says where, what is other in the file, and the score now and then.
    let first = told.split("\n\n").next().unwrap().replace('\n', " ");
    for part in [
        "Balance regression in roc.toml (changed in its files: Giant Roc: ",
        "% now, and ",
        "% in the baseline.",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    // What it suggests can be pasted.
    let hint = told.lines().find(|line| line.starts_with("  evens plan ")).expect("a command");
    let words: Vec<&str> = hint.split_whitespace().skip(1).collect();
    let planned = desk.evens(&words);
    assert_eq!(code(&planned), 0, "{hint}: {}", stderr(&planned));
    insta::assert_snapshot!("one_more_attack", without_speeds(&told));
    insta::assert_snapshot!("one_more_attack_markdown", without_speeds(&desk.read("balance.md")));

    let printed = desk.evens(&["nightly", "--seed", "99", "--summary", "-", "-q"]);
    assert_eq!(without_speeds(&stdout(&printed)), without_speeds(&desk.read("balance.md")));
    // With `-q`, only the exit code reports the alarm.
    let quiet = desk.evens(&["nightly", "--seed", "99", "-q"]);
    assert_eq!((code(&quiet), stdout(&quiet)), (4, String::new()));
    let tolerant = desk.evens(&["nightly", "--seed", "99", "--tolerance", "99pp"]);
    assert_eq!(code(&tolerant), 0, "{}", stdout(&tolerant));
}

/// Battles that are played again suffice to see a change, however few fresh ones there are.
#[test]
fn a_change_is_caught_with_few_fresh_battles() {
    let desk = roc();
    let few = ["nightly", "--seed", "99", "--battles", "6"];
    let clean = desk.evens(&few);
    assert_eq!(code(&clean), 0, "{}", stdout(&clean));
    desk.write("cards.csv", &catalogue("Giant Roc", 1));
    let caught = desk.evens(&few);
    assert_eq!(code(&caught), 4, "{}", stdout(&caught));
    assert!(stdout(&caught).starts_with("Balance regression"), "{}", stdout(&caught));
}

#[test]
fn what_goes_to_standard_output_is_one_thing() {
    let desk = roc();
    for other in [&["--json"][..], &["-o", "-"]] {
        let night = [&["nightly", "--battles", "10", "--summary", "-"], other].concat();
        let told = desk.told(&night, 2);
        assert!(flat(&told).contains("both go to standard output"), "{told}");
    }
    let told = desk.told(&["nightly", "--write", "--json"], 2);
    assert!(flat(&told).contains("--write compares nothing"), "{told}");
    // A night later, standard input has another scenario, or none.
    let told = desk.told(&["nightly", "--write", "-", "--baseline", "other"], 2);
    assert!(flat(&told).contains("could not read standard input again"), "{told}");
}

#[test]
fn a_changed_line_up_is_caught() {
    let desk = roc();
    desk.write(
        "roc.toml",
        &ROC.replace("\"Giant Roc\", \"Pit Ogre\"", "\"Pit Ogre\", \"Giant Roc\""),
    );
    let caught = desk.evens(&["nightly", "--seed", "99"]);
    assert_eq!(code(&caught), 4, "{}", stdout(&caught));
    assert!(stdout(&caught).contains("The scenario changed"));
}

/// The winner stays the same, but a metric changes.
#[test]
fn a_solforge_creature_with_one_more_attack_is_caught() {
    let desk = Desk::new();
    desk.write("predator.toml", &predator(5));
    assert_eq!(code(&desk.evens(&["nightly", "--write", "predator.toml"])), 0);
    assert_eq!(code(&desk.evens(&["nightly"])), 0);
    desk.write("predator.toml", &predator(6));
    let caught = desk.evens(&["nightly", "--summary", "-"]);
    assert_eq!(code(&caught), 4, "{}{}", stdout(&caught), stderr(&caught));
    assert!(stdout(&caught).contains("Grimgaunt Predator: attack 5 → 6.\n"), "told once");
    assert!(stdout(&caught).contains("life lost"), "{}", stdout(&caught));
}

/// Writing the baseline again accepts a change that is meant.
#[test]
fn a_change_that_is_meant_is_written() {
    let desk = roc();
    desk.write("cards.csv", &catalogue("Giant Roc", 1));
    assert_eq!(code(&desk.evens(&["nightly", "--write"])), 0);
    let output = desk.evens(&["nightly"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(!stdout(&output).contains("The scenario changed"));
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let desk = roc();
    let write = |threads: &str, seed: &str| {
        let there = ["nightly", "--write", "roc.toml", "--baseline", "new"];
        let output = desk.evens(&[&there[..], &["--threads", threads, "--seed", seed]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        desk.read("new/splinterlands-roc.json")
    };
    let one = write("1", "5");
    assert_eq!(write("3", "5"), one);
    assert_ne!(write("3", "6"), one);
    let run = desk.evens(&["run", "roc.toml", "--seed", "6", "--table", "outcomes", "-o", "-"]);
    let wins = stdout(&run).lines().nth(1).unwrap().split(',').nth(5).unwrap().to_owned();
    assert!(
        desk.read("new/splinterlands-roc.json").contains(&format!("\"wins\":[{wins},")),
        "`run` with its seed plays a baseline's battles"
    );
}

#[test]
fn files_and_folders_are_compared() {
    let desk = roc();
    let there = ["nightly", "--write", "roc.toml", "--baseline", "new", "--seed", "2"];
    assert_eq!(code(&desk.evens(&there)), 0);
    let [old, new] = ["reports/baseline", "new"].map(|of| format!("{of}/splinterlands-roc.json"));
    let files = desk.evens(&["compare", &old, &new]);
    assert_eq!(code(&files), 0, "{}{}", stdout(&files), stderr(&files));
    let folders = desk.evens(&["compare", "reports/baseline", "new"]);
    assert_eq!(stdout(&folders), stdout(&files));
    assert!(!stdout(&files).contains("battles/s"), "nothing was played");
    let mixed = desk.evens(&["compare", "reports/baseline", &new]);
    assert_eq!(code(&mixed), 2, "{}", stderr(&mixed));
    let same = desk.evens(&["compare", &old, &old]);
    assert!(stdout(&same).contains("played with the seed of its baseline"), "{}", stdout(&same));
}

/// A fault is reported with its file and a remedy; nothing is played, and nothing is overwritten.
#[test]
fn what_is_missing_or_spoilt_is_a_fault() {
    let desk = roc();
    let file = "reports/baseline/splinterlands-roc.json";
    let good = desk.read(file);
    let refused = |name: &str, arguments: &[&str]| {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 3, "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
        insta::assert_snapshot!(format!("fault_{name}"), stderr(&output));
    };
    refused("no_baseline", &["nightly", "splinterlands/mirror"]);
    refused("no_folder", &["nightly", "--baseline", "nowhere"]);
    refused("no_file", &["compare", file, "new.json"]);
    for (name, spoilt) in [
        ("broken_json", good[..good.len() - 40].to_owned()),
        ("newer_format", good.replace("\"evens_baseline\": 3", "\"evens_baseline\": 4")),
        ("untrue", good.replace("\"battles\":4000", "\"battles\":3999")),
    ] {
        desk.write(file, &spoilt);
        refused(name, &["nightly"]);
        for arguments in [&["nightly", "--write"][..], &["nightly", "--write", "roc.toml"]] {
            assert_eq!(code(&desk.evens(arguments)), 3, "{name}: {arguments:?}");
        }
        assert_eq!(desk.read(file), spoilt, "{name}: nothing is written over");
    }
    desk.write(file, &good).write("roc.toml", &ROC.replace("Sea Genie", "Sea Genius"));
    let output = desk.evens(&["nightly"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("`evens check roc.toml` shows them"), "{}", stderr(&output));
}

#[test]
fn scenarios_that_have_nothing_in_common_are_a_fault() {
    let desk = roc();
    desk.write("roc.toml", &ROC.replace("\"Water\"", "\"Ice\""));
    let output = desk.evens(&["nightly"]);
    assert_eq!(code(&output), 3, "{}", stdout(&output));
    assert!(stderr(&output).contains("no match-up in common"), "{}", stderr(&output));
    desk.write("predator.toml", &predator(5));
    assert_eq!(code(&desk.evens(&["nightly", "--write", "predator.toml"])), 0);
    let [roc, predator] =
        ["splinterlands-roc", "solforge-predator"].map(|of| format!("reports/baseline/{of}.json"));
    let output = desk.evens(&["compare", &roc, &predator]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("splinterlands") && stderr(&output).contains("solforge"));
    fs::create_dir(desk.path().join("less")).unwrap();
    desk.write("less/splinterlands-roc.json", &desk.read(&roc));
    let output = desk.evens(&["compare", "reports/baseline", "less"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("less has no solforge-predator.json"), "{}", stderr(&output));
}

#[test]
fn a_wrong_command_line_exits_with_2() {
    let desk = roc();
    for arguments in [
        &["nightly", "--tolerance", "0.5"][..],
        &["nightly", "--tolerance", "-1pp"],
        &["nightly", "--alarm-rate", "0%"],
        &["nightly", "--alarm-rate", "5"],
        &["nightly", "--write", "--tolerance", "1pp"],
        &["nightly", "--battles", "0"],
        &["compare", "one.json"],
    ] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
    }
}

/// A baseline never replaces that of another scenario of the same name, whether they are written at once or one after
/// the other.
#[test]
fn no_baseline_takes_the_place_of_another_scenarios() {
    let desk = roc();
    fs::create_dir(desk.path().join("more")).unwrap();
    desk.write("more/roc.toml", ROC).write("more/cards.csv", &catalogue("Giant Roc", 0));
    let file = "reports/baseline/splinterlands-roc.json";
    let before = desk.read(file);
    let refused = |scenarios: &[&str], why: &str| {
        let output = desk.evens(&[&["nightly", "--write"][..], scenarios].concat());
        let told = stderr(&output).replace('│', " ");
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code(&output), 2, "{told}");
        assert!(told.contains(why), "{told}");
    };
    refused(
        &["more/roc.toml"],
        "is the baseline of roc.toml, and more/roc.toml would take its place: rename one",
    );
    refused(
        &["roc.toml", "more/roc.toml", "--baseline", "new"],
        "roc.toml and more/roc.toml would both have the baseline new/",
    );
    refused(&["roc.toml", "./roc.toml"], "roc.toml is named twice");
    assert_eq!(desk.read(file), before);
    assert!(!desk.path().join("new").exists(), "nothing was written");
    // Another path to the same scenario does not make it another scenario.
    let again = desk.evens(&["nightly", "--write", "./roc.toml"]);
    assert_eq!(code(&again), 0, "{}", stderr(&again));
    let elsewhere = ["nightly", "--write", "more/roc.toml", "--baseline", "more"];
    assert_eq!(code(&desk.evens(&elsewhere)), 0);
}

/// A copy of a baseline would have its scenario played and judged twice, and the two nights are one file of the history.
#[test]
fn a_scenario_with_two_baselines_is_not_played() {
    let desk = roc();
    let old = desk.read("reports/baseline/splinterlands-roc.json");
    desk.write("reports/baseline/old.json", &old);
    let output = desk.evens(&["nightly", "--history", "history"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let told = flat(&stderr(&output));
    assert!(told.contains("are both baselines of roc.toml: move away the one"), "{told}");
    assert!(!desk.path().join("history").exists(), "nothing was written");
}

#[test]
fn what_is_compared_with_the_baseline_of_another_scenario_is_told() {
    let desk = roc();
    fs::create_dir(desk.path().join("more")).unwrap();
    desk.write("more/roc.toml", ROC).write("more/cards.csv", &catalogue("Giant Roc", 2));
    let told = flat(&stdout(&desk.evens(&["nightly", "more/roc.toml"])));
    assert!(told.contains("The baseline is that of roc.toml, and more/roc.toml is not"), "{told}");
    assert!(told.contains("remove the baseline and write it again"), "{told}");
}

#[test]
fn remedies_for_baselines_and_labels_are_not_what_has_just_failed() {
    let desk = roc();
    fs::create_dir_all(desk.path().join("b/splinterlands-roc.json")).unwrap();
    let output = desk.evens(&["nightly", "--baseline", "b", "--write", "roc.toml"]);
    assert_eq!(code(&output), 3);
    assert!(flat(&stderr(&output)).contains("move the folder away"), "{}", stderr(&output));
    for label in ["", "two\nlines", "\u{1b}[31mred"] {
        let output = desk.evens(&["nightly", "--history", "history", "--label", label]);
        assert_eq!(code(&output), 2, "{label:?}");
        assert!(flat(&stderr(&output)).contains("without --label it is the day"), "{label:?}");
    }
}

#[test]
fn a_summary_that_cannot_be_written_fails_before_the_night() {
    let desk = roc();
    let night = ["nightly", "--battles", "100000000000", "--summary", "nowhere/balance.md"];
    let output = desk.evens(&night);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_and_compares_nothing() {
    let desk = roc();
    let file = "reports/baseline/splinterlands-roc.json";
    let before = desk.read(file);
    for more in [&["--write"][..], &["--summary", "balance.md"]] {
        let mut child = std::process::Command::new(crate::program())
            .args(["nightly", "--battles", "100000000000"])
            .args(more)
            .current_dir(desk.path())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        super::until_it_plays(&child);
        let mut interrupt = std::process::Command::new("kill");
        assert!(interrupt.args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(5));
    }
    assert_eq!(desk.read(file), before);
    assert_eq!(desk.files("."), ["cards.csv", "reports", "roc.toml"]);
}

/// The effect of one card's changed attack is seen in battles with common dice and shown with what changed in the file,
/// and every other change that counts is listed under it.
#[test]
fn a_change_of_one_card_is_one_alarm() {
    let desk = Desk::new();
    let pools = "game = \"splinterlands\"\nbattles = 3000\nmana_caps = [26]\nleague = \"silver\"\n\
        illegal_teams = \"lose\"\n[rulesets]\nfixed = [\"Standard\"]\n\
        [[pools]]\nname = \"Fire\"\nsummoners = [\"Malric Inferno\"]\npolicy = \"fill\"\n\
        [[pools]]\nname = \"Water\"\nsummoners = [\"Alric Stormbringer\"]\npolicy = \"fill\"\n\
        [sides]\na = [\"Fire\"]\nb = [\"Water\"]\n";
    desk.write("pools.toml", pools);
    assert_eq!(code(&desk.evens(&["nightly", "--write", "pools.toml", "-q"])), 0);
    let clean = desk.evens(&["nightly", "--seed", "7"]);
    assert_eq!(code(&clean), 0, "{}", stdout(&clean));
    let same = "All 3,000 battles that were played again with the same dice end as before";
    assert!(stdout(&clean).contains(same), "{}", stdout(&clean));

    desk.write("pools.toml", &format!("{pools}[changes.Cerberus]\nmelee = \"+4\"\n"));
    let night = ["nightly", "--seed", "7", "--junit", "balance.xml", "--annotations", "github"];
    let caught = desk.evens(&[&night[..], &["--summary", "balance.md"]].concat());
    assert_eq!(code(&caught), 4, "{}", stdout(&caught));
    let told = without_speeds(&stdout(&caught));
    insta::assert_snapshot!("one_alarm", told);
    insta::assert_snapshot!("one_alarm_markdown", without_speeds(&desk.read("balance.md")));
    assert_eq!(stderr(&caught).matches("::error").count(), 1, "{}", stderr(&caught));
    let junit = desk.read("balance.xml");
    assert_eq!(junit.matches("<failure").count(), 1, "{junit}");

    let json = desk.evens(&["nightly", "--seed", "7", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    let [alarm] = &json["alarms"].as_array().unwrap()[..] else { panic!("{}", json["alarms"]) };
    assert_eq!(
        (alarm["leader"].as_str(), &alarm["is_changed_card"]),
        (Some("Cerberus"), &true.into())
    );
    let counting = json["changes"].as_array().unwrap().iter().filter(|of| of["counts"] == true);
    assert_eq!(counting.count(), 1 + alarm["with"].as_array().unwrap().len());
    assert_eq!(junit.matches("<skipped").count(), alarm["with"].as_array().unwrap().len());
    let [file] = &json["file_changes"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!(file["card"], "Cerberus");
    assert!(file["what"].as_str().unwrap().starts_with("melee "), "{file}");
}

/// Baselines of the previous format are read; what they do not hold is not compared.
#[test]
fn baselines_of_the_format_before_are_read() {
    let desk = roc();
    let file = "reports/baseline/splinterlands-roc.json";
    let text = desk.read(file).replace("\"evens_baseline\": 3", "\"evens_baseline\": 2");
    let (counts, _) = text.split_once(",\n  \"settings\"").unwrap();
    let lengths = counts.find(",\"lengths\":[").unwrap();
    let end = lengths + counts[lengths..].find(']').unwrap() + 1;
    desk.write(file, &format!("{}{}\n}}\n", &counts[..lengths], &counts[end..]));
    let output = desk.evens(&["nightly", "--seed", "9"]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!(!stdout(&output).contains("played again"), "{}", stdout(&output));
}

/// A baseline whose single battles are not those that were written is refused.
#[test]
fn spoilt_battles_are_refused() {
    let desk = roc();
    let file = "reports/baseline/splinterlands-roc.json";
    let good = desk.read(file);
    let digest = good.find("\"digest\": \"").unwrap() + 11;
    let mut spoilt = good.clone();
    spoilt.replace_range(digest..digest + 4, "0000");
    desk.write(file, &spoilt);
    let output = desk.evens(&["nightly"]);
    assert_eq!(code(&output), 3, "{}", stdout(&output));
    assert!(stderr(&output).contains("are not those that were written"), "{}", stderr(&output));
}

#[test]
fn a_night_can_be_given_a_time() {
    let desk = roc();
    desk.write("two.toml", &ROC.replace("[\"Water Elemental\", \"Sea Genie\"]", "[\"Sea Genie\"]"));
    assert_eq!(code(&desk.evens(&["nightly", "--write", "two.toml", "-q"])), 0);
    let night = ["nightly", "--battles", "100000000000", "--until", "2s", "--json", "--seed", "5"];
    let began = std::time::Instant::now();
    let output = desk.evens(&night);
    let took = began.elapsed().as_secs_f64();
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!((1.0..60.0).contains(&took), "{took}");
    assert_eq!(stderr(&output).matches("the time is over after").count(), 2, "{}", stderr(&output));
    let wrong = desk.evens(&["nightly", "--until", "soon"]);
    assert_eq!(code(&wrong), 2, "{}", stderr(&wrong));
}

/// What happened in one night is not attributed to another, and a shell reads recommended commands as they stand.
#[test]
fn a_night_that_compared_nothing_has_no_figures() {
    let desk = Desk::new();
    let told = |command: &[&str]| {
        let output = desk.evens(command);
        (code(&output), stdout(&output), stderr(&output))
    };
    assert_eq!(told(&["new", "sanctum", "my own.toml"]).0, 0);
    let (_, _, faults) = told(&["nightly", "my own.toml"]);
    assert!(faults.contains("--write 'my own.toml'"), "{faults}");
    // The dragon wins every battle, unless it is weaker.
    let scenario =
        desk.read("my own.toml").replace("\"4 Dwarf swordsman\"", "\"3 Dwarf swordsman\"");
    assert!(
        scenario.contains("\"+4\"") && scenario.contains("\"3 Dwarf swordsman\""),
        "{scenario}"
    );
    desk.write("my own.toml", &scenario);
    assert_eq!(told(&["nightly", "--write", "my own.toml", "--battles", "1000"]).0, 0);
    for (label, seed, hit_points) in [("one", "7", "+4"), ("two", "8", "-4"), ("three", "9", "+4")]
    {
        let changed = scenario.replace("\"+4\"", &format!("\"{hit_points}\""));
        desk.write("my own.toml", &changed);
        let (_, page, _) =
            told(&["nightly", "--history", "nights", "--label", label, "--seed", seed]);
        let again = flat(&page).contains("`evens nightly --write 'my own.toml'`");
        assert_eq!(again, label == "two", "{page}");
    }
    let (exit, trend, faults) = told(&["trend", "nights"]);
    assert_eq!(exit, 0, "{faults}");
    let score = trend.lines().find(|line| line.contains("Recruits vs Dragon")).expect("it is told");
    assert_eq!(score.matches("not compared").count(), 2, "{trend}");
}

/// Each night adds files and removes none; the trend shows all nights.
#[test]
fn nights_are_kept_and_their_trend_is_told() {
    let desk = roc();
    let night = |day: u64, label: &str, more: &[&str]| {
        let seed = day.to_string();
        let all = ["nightly", "--seed", &seed, "--history", "history", "--label", label];
        let mut command = assert_cmd::Command::new(crate::program());
        command.current_dir(desk.path()).args(all).args(more);
        command.env("SOURCE_DATE_EPOCH", (day * 86_400).to_string()).output().unwrap()
    };
    assert_eq!(code(&night(20_000, "first", &[])), 0);
    let files = |folder: &str| desk.files(folder);
    let runs = files("history/runs");
    assert_eq!(runs.len(), 1);
    let before = desk.read(&format!("history/runs/{}", runs[0]));
    desk.write("cards.csv", &catalogue("Giant Roc", 1));
    assert_eq!(code(&night(20_001, "sharper", &[])), 4);
    assert_eq!(code(&night(20_002, "sharpest", &["--battles", "3000"])), 4);
    // A night that is played again is not added once more.
    assert_eq!(code(&night(20_002, "sharpest", &["--battles", "3000"])), 4);
    assert_eq!(files("history/runs").len(), 3);
    assert_eq!(desk.read(&format!("history/runs/{}", runs[0])), before);

    let trend = desk.evens(&["trend", "history", "--report", "trend.html"]);
    assert_eq!(code(&trend), 0, "{}{}", stdout(&trend), stderr(&trend));
    let speeds = |line: &str| -> String {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.get(1).is_some_and(|day| day.starts_with("2024-")) {
            words[3] = "[speed]";
        }
        words.join(" ") + "\n"
    };
    insta::assert_snapshot!("trend", stdout(&trend).lines().map(speeds).collect::<String>());
    let page = desk.read("trend.html");
    assert!(!page.contains("seed 0"), "every night has a seed of its own");
    assert!(page.contains("sharpest") && page.contains("battles_per_second"));
    let json = desk.evens(&["trend", "history", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    let rows = json["tables"]["trend"].as_array().unwrap();
    let nights: Vec<&str> = rows.iter().map(|row| row["night"].as_str().unwrap()).collect();
    assert_eq!(nights.first(), Some(&"first"));
    assert_eq!(nights.last(), Some(&"sharpest"));
    assert!(rows.iter().any(|row| row["counts"] == true));
    let none = desk.evens(&["trend", "reports"]);
    assert_eq!(code(&none), 3, "{}", stderr(&none));
    assert!(stderr(&none).contains("evens nightly --history FOLDER"), "{}", stderr(&none));

    // No command plays a past night again, so a night with a changed file is left out or the file is put back.
    let run = format!("history/runs/{}", runs[0]);
    let listed: serde_json::Value = serde_json::from_str(&before).unwrap();
    let files = listed["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["table"] == "history").expect("its table");
    desk.write(&format!("history/{}", file["file"].as_str().unwrap()), "mine");
    let damaged = desk.evens(&["trend", "history"]);
    assert_eq!(code(&damaged), 3);
    let told = flat(&stderr(&damaged));
    assert!(told.contains(&format!("move {run} away to leave that night out")), "{told}");
    fs::remove_file(desk.path().join(&run)).unwrap();
    assert_eq!(code(&desk.evens(&["trend", "history"])), 0);
}

/// One night plays all scenarios that it is given.
#[test]
fn a_night_of_several_scenarios_is_one_night() {
    let desk = roc();
    let other = |name: &str| ROC.replace("Fire\"", &format!("{name}\"")).replace("4000", "400");
    desk.write("two.toml", &other("Flame"));
    let all = ["nightly", "roc.toml", "two.toml", "-q"];
    assert_eq!(code(&desk.evens(&[&all[..], &["--write"]].concat())), 0);
    let night = desk.evens(&[&all[..], &["--history", "history"]].concat());
    assert_eq!(code(&night), 0, "{}", stderr(&night));
    let page = desk.page(&["trend", "history", "--report", "trend.html"]);
    assert!(page.starts_with("1 night of 2 scenarios, and nothing counted in any.\n"), "{page}");
    assert!(!desk.read("trend.html").contains("in the folder"));
}

fn fingerprint(scenario: &str) -> String {
    Scenario::read(scenario).unwrap().fingerprint
}

/// Checks that they are of the scenarios as they stand; `evens nightly` in `.ci/run` checks that their battles are
/// still won as they say.
#[test]
fn the_committed_baselines_are_those_of_the_bundled_scenarios() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/baseline");
    let mut files: Vec<String> = Vec::new();
    for &(scenario, battles) in BUNDLED {
        let file = file_name(scenario.split('/').next().unwrap(), scenario);
        let baseline = Baseline::read(&folder.join(&file), "write it").unwrap();
        assert_eq!(baseline.run.scenario, scenario);
        assert_eq!(baseline.run.battles_played, battles, "{scenario}");
        let fresh = fingerprint(scenario);
        assert!(
            baseline.run.fingerprint == fresh,
            "{scenario} changed: if that is meant, `cargo run --release -- nightly --write {scenario}`"
        );
        files.push(file);
    }
    files.sort();
    let mut there: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(there, files);
    for game in evens::engine::names() {
        assert!(BUNDLED.iter().any(|(name, _)| name.starts_with(game)), "{game} has a baseline");
    }
}

/// A changed card of a fixed team takes part in every battle, so no battle without it shows what depends on it: it
/// leads all changes that count, before any card that is drawn against it.
#[test]
fn a_changed_card_that_is_in_every_battle_leads() {
    let desk = Desk::new();
    let scenario = "game = \"splinterlands\"\nbattles = 4000\nleague = \"silver\"\n[rulesets]\nfixed = [\"Standard\"]\n\
        [[teams]]\nname = \"Given\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Cerberus\", \"Goblin Shaman\"]\n\
        [[pools]]\nname = \"Drawn\"\nsummoners = [\"Alric Stormbringer\"]\npolicy = \"fill\"\n\
        [sides]\na = [\"Given\"]\nb = [\"Drawn\"]\n";
    desk.write("given.toml", &format!("mana_caps = [20]\n{scenario}"));
    assert_eq!(code(&desk.evens(&["nightly", "--write", "given.toml", "-q"])), 0);
    let changed = format!("mana_caps = [20]\n{scenario}[changes.Cerberus]\nmelee = \"+4\"\n");
    desk.write("given.toml", &changed);
    let night = desk.evens(&["nightly", "--seed", "7"]);
    assert_eq!(code(&night), 4, "{}", stdout(&night));
    let page = flat(&stdout(&night));
    assert!(page.contains("Every battle has Cerberus, so nobody can tell"), "{page}");
    let json = desk.evens(&["nightly", "--seed", "7", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    let [alarm] = &json["alarms"].as_array().unwrap()[..] else { panic!("{}", json["alarms"]) };
    assert_eq!(
        (alarm["leader"].as_str(), &alarm["is_changed_card"]),
        (Some("Cerberus"), &true.into())
    );
}

/// The seed of a night and its label come from one clock; a value that is no time is refused.
#[test]
fn a_night_has_the_time_that_is_set() {
    let desk = roc();
    let night = |time: &str| {
        let mut command = assert_cmd::Command::new(crate::program());
        command.current_dir(desk.path()).args(["nightly", "--history", "history"]);
        command.env("SOURCE_DATE_EPOCH", time).output().unwrap()
    };
    let day = (20_003 * 86_400 + 5).to_string();
    let output = night(&day);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        flat(&stdout(&output)).contains("seed 20,003")
            || flat(&stdout(&output)).contains("--seed 20003"),
        "{}",
        stdout(&output)
    );
    for wrong in ["1764288000000", "18446744073709551615", "-5", "today"] {
        let output = night(wrong);
        assert_eq!(code(&output), 2, "{wrong}");
        assert!(
            flat(&stderr(&output)).contains(&format!("SOURCE_DATE_EPOCH is `{wrong}`")),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_baseline_of_another_folder_is_not_to_be_thrown_away() {
    let desk = roc();
    let elsewhere = desk.told(&["nightly", "--baseline", "reports/baseline/../baseline"], 0);
    assert!(!elsewhere.contains("remove"), "{elsewhere}");
    fs::rename(desk.path().join("roc.toml"), desk.path().join("reports/roc.toml"))
        .expect("it is there");
    let said = flat(&desk.told(&["nightly"], 3));
    assert!(said.contains("start it in the folder where the baseline was written"), "{said}");
}

/// A seed that is given is another job than each scenario's own seed, whichever it is.
#[test]
fn baselines_do_not_go_on_with_battles_of_another_seed() {
    let desk = Desk::new();
    let write = ["nightly", "--write", "splinterlands/mirror", "--battles", "100000000"];
    let keep = ["--paired", "0", "--checkpoint", "kept", "--checkpoint-every", "0.1"];
    let write = [&write[..], &keep].concat();
    let (exit, _) = desk.interrupted_after(20_000, &write);
    assert_eq!(exit, 5);
    let output = desk.evens(&[&write[..], &["--seed", "0"]].concat());
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(flat(&stderr(&output)).contains("another job"), "{}", stderr(&output));
}
