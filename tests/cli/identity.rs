//! The identity of a run: what else is asked for has another, and what is the same has the same.

use super::{Desk, code, duel, flat, stderr, stdout};

/// A command that writes results, and the identity that they have.
fn identity(desk: &Desk, arguments: &[&str]) -> String {
    let output = desk.evens(&[arguments, &["-o", "results"]].concat());
    assert!([0, 4].contains(&code(&output)), "{arguments:?}: {}", stderr(&output));
    let provenance: serde_json::Value =
        serde_json::from_str(&desk.read("results/provenance.json")).expect("an object");
    provenance["run"]["id"].as_str().expect("an identity").to_owned()
}

/// Each of these commands has another identity than all others, and the same once more.
fn are_apart(desk: &Desk, commands: &[&[&str]]) {
    let ids: Vec<String> = commands.iter().map(|command| identity(desk, command)).collect();
    for (at, id) in ids.iter().enumerate() {
        assert_eq!(*id, identity(desk, commands[at]), "{:?}", commands[at]);
        assert!(!ids[..at].contains(id), "{:?}: {ids:?}", commands[at]);
    }
}

#[test]
fn weights_under_other_limits_are_another_run() {
    let desk = Desk::new();
    let tune = ["tune", "splinterlands/archetypes", "--battles", "2000"];
    let with = |flags: &[&'static str]| [&tune[..], flags].concat();
    let commands = [
        with(&[]),
        with(&["--pin", "Earthquake"]),
        with(&["--target", "Malric's melee=55%"]),
        with(&["--objective", "largest"]),
        with(&["--at-most", "2"]),
        with(&["--within", "3pp"]),
        with(&["--confirm", "300"]),
    ];
    are_apart(&desk, &commands.each_ref().map(Vec::as_slice));
}

#[test]
fn the_worth_of_other_cards_is_another_run() {
    let desk = Desk::new();
    let of = |unit: &'static str| {
        ["worth", "splinterlands/drawn-teams", "--battles", "3000", "--unit", unit]
    };
    are_apart(&desk, &[&of("Medusa"), &of("Pit Ogre")]);
    // A run only tells more of the units that it is asked about.
    desk.write("duel.toml", &duel(""));
    let run = |unit: &'static str| ["run", "duel.toml", "--unit", unit];
    assert_eq!(identity(&desk, &run("Pit Ogre")), identity(&desk, &run("Medusa")));
}

#[test]
fn a_comparison_of_other_card_files_is_another_run() {
    let desk = Desk::new();
    let cards = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
    desk.write("cards.csv", cards);
    desk.write("other.csv", &cards.replace("Pit Ogre,", "Pit Oger,"));
    desk.write("same.csv", cards);
    let of = |new: &'static str| ["compare", "cards.csv", new, "--battles", "300"];
    let ids = [of("other.csv"), of("same.csv")].map(|command| identity(&desk, &command));
    assert_ne!(ids[0], ids[1]);
    let provenance = desk.read("results/provenance.json");
    // SHA-256 of nothing.
    assert!(!provenance.contains("e3b0c44298fc1c14"), "{provenance}");
    let page = desk.page(&of("same.csv"));
    assert!(!flat(&page).contains("changed since the baseline"), "{page}");
}

#[test]
fn comparisons_tell_where_they_come_from_in_json() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    desk.page(&["nightly", "duel.toml", "--write", "--baseline", "kept"]);
    let night = stdout(&desk.evens(&["nightly", "--baseline", "kept", "--seed", "7", "--json"]));
    let night: serde_json::Value = serde_json::from_str(&night).expect("an object");
    assert_eq!(night["provenance"]["seed"], 7);
    let rows = night["tables"]["changes"].as_array().expect("rows");
    assert_eq!(rows.len(), night["changes"].as_array().expect("changes").len());
    assert!(rows[0]["baseline_low"].is_number(), "{}", rows[0]);
}

#[test]
fn a_fault_in_json_names_the_file_that_has_it() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    desk.page(&["nightly", "duel.toml", "--write", "--baseline", "kept"]);
    let output = desk.evens(&["compare", "kept", "nowhere", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("an object");
    assert_eq!(told["faults"][0]["file"], "nowhere", "{told}");
}

#[test]
fn pages_are_written_for_programs_too() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    desk.page(&["run", "duel.toml", "-o", "results", "--quiet"]);
    let told = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&stdout(&desk.evens(arguments))).expect("an object")
    };
    assert_eq!(told(&["report", "results", "-o", "page.html", "--json"])["written"], "page.html");
    let trace = ["trace", "duel.toml", "--battle", "0", "--json", "--html"];
    assert_eq!(told(&[&trace[..], &["battle.html"]].concat())["written"], "battle.html");
    for refused in [
        told(&["report", "nothing", "-o", "page.html", "--json"]),
        told(&[&trace[..], &["-"]].concat()),
    ] {
        assert!(refused["faults"][0]["message"].is_string(), "{refused}");
    }
}

/// What a file of targets says is asked for, whatever it is called.
#[test]
fn a_patch_for_other_targets_is_another_run() {
    let desk = Desk::new();
    let search =
        ["tune", "splinterlands/archetypes", "--stats", "--even", "contenders", "--battles", "60"];
    let of = |score: u32| {
        desk.write("targets.toml", &format!("\"Malric's melee\" = \"{score}%\"\n"));
        let limits = ["--edits", "1", "--only", "Goblin Shaman.speed", "--targets", "targets.toml"];
        identity(&desk, &[&search[..], &limits].concat())
    };
    let ids = [of(55), of(40), of(55)];
    assert_eq!(ids[0], ids[2]);
    assert_ne!(ids[0], ids[1]);
}
