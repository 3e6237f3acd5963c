//! Sanctum: SA cases from the combat pipeline page in its order, SA-X cases for effects, monsters and spells.

mod arena;

mod check_for_all_combats;
mod choosing;
mod combat_round;
mod effects;
mod full_combat;
mod one_attack;
mod outcomes;

#[test]
fn every_case_has_a_test() {
    let sources = [
        include_str!("check_for_all_combats.rs"),
        include_str!("full_combat.rs"),
        include_str!("combat_round.rs"),
        include_str!("choosing.rs"),
        include_str!("one_attack.rs"),
        include_str!("outcomes.rs"),
    ]
    .concat();
    let missing: Vec<u32> =
        (1..=83).filter(|case| !sources.contains(&format!("\nfn sa_{case:02}_"))).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}

const RULES: [&str; 9] = [
    include_str!("../../../src/games/sanctum/rules/mod.rs"),
    include_str!("../../../src/games/sanctum/rules/check_for_all_combats.rs"),
    include_str!("../../../src/games/sanctum/rules/full_combat.rs"),
    include_str!("../../../src/games/sanctum/rules/combat_round.rs"),
    include_str!("../../../src/games/sanctum/rules/choose_victims_wisely.rs"),
    include_str!("../../../src/games/sanctum/rules/one_attack.rs"),
    include_str!("../../../src/games/sanctum/rules/takes_damage.rs"),
    include_str!("../../../src/games/sanctum/rules/minion_death.rs"),
    include_str!("../../../src/games/sanctum/rules/effects.rs"),
];

#[test]
fn every_case_is_cited_by_a_rule() {
    let rules = RULES.concat();
    let missing: Vec<u32> =
        (1..=83).filter(|case| !rules.contains(&format!("SA-{case:02}"))).collect();
    assert!(missing.is_empty(), "no rule cites {missing:?}");
}

#[test]
fn every_decision_that_a_rule_cites_is_in_the_readme() {
    let readme = include_str!("../../../src/games/sanctum/README.md");
    super::citations::assert_decisions_resolve(&RULES.concat(), readme, 30);
}
