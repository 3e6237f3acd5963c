//! Elder Tale: ET cases in the order of the guide, ET-E cases from the game's wiki, ET-X cases for what neither says.

mod arena;

mod all_in;
mod decisions;
mod effects;
mod energy_and_play;
mod order_of_operations;

const TESTS: [&str; 5] = [
    include_str!("energy_and_play.rs"),
    include_str!("order_of_operations.rs"),
    include_str!("effects.rs"),
    include_str!("all_in.rs"),
    include_str!("decisions.rs"),
];

const RULES: [&str; 8] = [
    include_str!("../../../src/games/eldertale/rules/mod.rs"),
    include_str!("../../../src/games/eldertale/rules/play.rs"),
    include_str!("../../../src/games/eldertale/rules/done.rs"),
    include_str!("../../../src/games/eldertale/rules/deal.rs"),
    include_str!("../../../src/games/eldertale/rules/hits.rs"),
    include_str!("../../../src/games/eldertale/rules/effects.rs"),
    include_str!("../../../src/games/eldertale/rules/harm.rs"),
    include_str!("../../../src/games/eldertale/effect.rs"),
];

/// ET-01 to ET-38 of the guide, and ET-E1 to ET-E4 of the wiki.
fn cases() -> impl Iterator<Item = String> {
    (1..=38).map(|case| format!("{case:02}")).chain((1..=4).map(|case| format!("E{case}")))
}

#[test]
fn every_case_has_a_test() {
    let tests = TESTS.concat();
    let is_there = |case: &String| tests.contains(&format!("\nfn et_{}_", case.to_lowercase()));
    let missing: Vec<String> = cases().filter(|case| !is_there(case)).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}

#[test]
fn every_case_is_cited_by_a_rule() {
    let rules = RULES.concat();
    let missing: Vec<String> =
        cases().filter(|case| !rules.contains(&format!("ET-{case}"))).collect();
    assert!(missing.is_empty(), "no rule cites {missing:?}");
}

#[test]
fn every_decision_that_a_rule_cites_is_in_the_readme() {
    let readme = include_str!("../../../src/games/eldertale/README.md");
    super::citations::assert_decisions_resolve(&RULES.concat(), readme, 16);
}
