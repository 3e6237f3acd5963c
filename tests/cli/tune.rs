//! `evens tune`.

use super::{Desk, code, stderr, stdout};

const ARCHETYPES: [&str; 5] = ["tune", "splinterlands/archetypes", "--battles", "20000", "--quiet"];

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = Desk::new().evens(arguments);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn a_tuning_on_a_page() {
    let output = Desk::new().evens(&ARCHETYPES);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    insta::assert_snapshot!(page);
}

#[test]
fn fresh_battles_confirm_that_everybody_is_even() {
    let found = json(&[&ARCHETYPES[..], &["--json"]].concat());
    for contender in found["contenders"].as_array().unwrap() {
        let number = |of: &str, what: &str| contender[of][what].as_f64().unwrap();
        assert!(number("lead_before", "value").abs() > 0.04, "it was uneven");
        assert!(number("lead_predicted", "value").abs() < 0.002);
        // Twice the interval: a fresh sample and the one that the weights come from.
        let width = number("lead_confirmed", "high") - number("lead_confirmed", "low");
        assert!(number("lead_confirmed", "value").abs() < width, "{contender}");
    }
}

#[test]
fn threads_change_nothing() {
    let on = |threads: &str| json(&[&ARCHETYPES[..], &["--json", "--threads", threads]].concat());
    assert_eq!(on("1"), on("3"));
}

const SUMMONERS: [&str; 7] =
    ["tune", "splinterlands/drawn-teams", "--even", "summoner", "--battles", "20000", "--quiet"];

#[test]
fn a_tuning_of_summoners_on_a_page() {
    let output = Desk::new().evens(&SUMMONERS);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    insta::assert_snapshot!(page);
}

/// No weights make a summoner even that wins under every ruleset; but fresh battles must show the typical lead to be
/// smaller than it was.
#[test]
fn fresh_battles_confirm_that_summoners_are_nearer_to_even() {
    let found = json(&[&SUMMONERS[..], &["--json"]].concat());
    let contenders = found["contenders"].as_array().unwrap();
    assert!(contenders.len() > 25, "every summoner of the set");
    let squares = |of: &str| -> f64 {
        contenders.iter().map(|one| one[of]["value"].as_f64().unwrap().powi(2)).sum()
    };
    assert!(squares("lead_confirmed") < 0.6 * squares("lead_before"));
}

#[test]
fn limits_are_kept_and_told() {
    let limits = ["--json", "--lowest", "0.9", "--highest", "1.5", "--rarest", "3.5"];
    let found = json(&[&ARCHETYPES[..], &limits].concat());
    let mut binding = 0;
    for entry in found["weights"].as_array().unwrap() {
        let (weight, share) = (entry["weight"].as_f64().unwrap(), entry["share"].as_f64().unwrap());
        assert!((0.9..=1.5).contains(&weight), "{entry}");
        assert!(share >= 0.035, "{entry}");
        binding += u32::from(entry["limit"] != "");
    }
    assert!(binding > 0);
}

/// Rulesets are drawn, teams are not.
const FIXED_TEAMS: &str = r#"
game = "splinterlands"
illegal_teams = "lose"
battles = 100
[[teams]]
name = "Fire"
summoner = "Malric Inferno"
monsters = ["Fire Beetle"]
[[teams]]
name = "Water"
summoner = "Alric Stormbringer"
monsters = ["Spineback Turtle"]
[sides]
a = ["Fire"]
b = ["Water"]
"#;

#[test]
fn what_cannot_be_tuned_says_why() {
    let desk = Desk::new();
    desk.write("fixed.toml", FIXED_TEAMS);
    for (arguments, said) in [
        (&["tune", "solforge/factions"][..], "draws nothing by weight"),
        (&["tune", "splinterlands/drawn-teams"], "say --even monster or --even summoner"),
        (&["tune", "splinterlands/archetypes", "--even", "sumoner"], "did you mean `summoner`?"),
        (&["tune", "fixed.toml", "--even", "summoner"], "are not drawn"),
        (&["tune", "splinterlands/archetypes", "--lowest", "3", "--highest", "2"], "--lowest 3"),
        (&["tune", "splinterlands/archetypes", "--rarest", "100"], "--rarest 100"),
    ] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}
