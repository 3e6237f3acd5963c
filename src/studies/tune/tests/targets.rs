//! Tests of how targets are read and assigned.

use std::sync::Arc;

use miette::NamedSource;

use super::*;
use crate::tally::Matchup;

/// A round robin of duels, both seats and mirror match-ups included.
fn field(names: &[&str]) -> Layout {
    let mut layout = duel();
    let pairs = names.iter().flat_map(|one| names.iter().map(move |other| (one, other)));
    layout.matchups = pairs
        .map(|(one, other)| Matchup { contenders: vec![(*one).to_owned(), (*other).to_owned()] })
        .collect();
    layout
}

fn target(text: &str) -> Target {
    text.parse().unwrap()
}

#[test]
fn the_others_share_what_a_target_leaves() {
    let layout = field(&["Earth", "Fire", "Water"]);
    let mut all = contenders(&layout);
    assign(&mut all, &[target("Fire = 56%")], Some(&[4.0, 4.0, 4.0]), 2).unwrap();
    let targets: Vec<f64> = all.iter().map(|one| one.target).collect();
    for (found, wanted) in targets.iter().zip([0.47, 0.56, 0.47]) {
        assert!((found - wanted).abs() < 1e-12, "{targets:?}");
    }
    let mut all = contenders(&layout);
    assign(&mut all, &[], Some(&[4.0, 4.0, 4.0]), 2).unwrap();
    assert!(all.iter().all(|one| one.target == 0.5));
}

#[test]
fn a_match_up_is_the_same_over_both_seats() {
    let mut pairs = matchups(&field(&["Earth", "Fire", "Water"]));
    let names: Vec<&str> = pairs.iter().map(|pair| pair.name.as_str()).collect();
    assert_eq!(names, ["Earth vs Fire", "Earth vs Water", "Fire vs Water"]);
    // The second and the fourth of the nine match-ups of the field.
    assert_eq!(pairs[0].who, Who::Sides(vec![(1, 0), (3, 1)]));
    assign(&mut pairs, &[target("Fire vs Earth=60%"), target("Fire vs Water=45%")], None, 2)
        .unwrap();
    let targets: Vec<f64> = pairs.iter().map(|one| one.target).collect();
    assert_eq!(targets, [0.4, 0.5, 0.45]);
}

#[test]
fn targets_that_cannot_be_say_why() {
    let layout = field(&["Earth", "Fire", "Water"]);
    let told = |texts: &[&str]| {
        let targets: Vec<Target> = texts.iter().map(|text| target(text)).collect();
        let fault = assign(&mut contenders(&layout), &targets, Some(&[4.0; 3]), 2).unwrap_err();
        format!("{}: {}; {}", fault.which, fault.message, fault.remedy)
    };
    insta::assert_snapshot!(
        [
            told(&["Fire=55%", "Watr=45%"]),
            told(&["Fire=55%", "Fire=52%"]),
            told(&["Fire=50%", "Water=51%", "Earth=50%"]),
            told(&["Fire=90%", "Water=80%"]),
        ]
        .join("\n")
    );
    for wrong in ["Fire", "Fire=", "Fire=55", "Fire=-1%", "Fire=101%", "Fire=many%", "Fire=NaN%"] {
        assert!(wrong.parse::<Target>().is_err(), "{wrong}");
    }
    assert_eq!(target("Up=Down=0%").name, "Up=Down", "the last sign counts");
}

#[test]
fn a_file_holds_targets_of_contenders_or_rows_of_match_ups() {
    let read = |text: &str| {
        let source = Arc::new(NamedSource::new("targets.toml", text.to_owned()));
        read_targets(&source)
    };
    let targets = read("Earth = \"40%\"\n[Fire]\nWater = \"60%\"\n").unwrap();
    let found: Vec<(&str, f64)> =
        targets.iter().map(|one| (one.name.as_str(), one.score)).collect();
    assert_eq!(found, [("Earth", 0.4), ("Fire vs Water", 0.6)]);
    for (wrong, said) in [
        ("Fire = 0.55", "no target for Fire"),
        ("[Fire]\nWater = \"155%\"", "no target for Fire vs Water"),
        ("Fire = ", "not TOML"),
        ("", "names no target"),
    ] {
        let faults = read(wrong).unwrap_err();
        assert!(faults.faults[0].message.contains(said), "{faults:?}");
    }
}
