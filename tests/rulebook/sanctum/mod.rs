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
