//! The worked examples of the Advanced Rulebook, in its order.

mod arena;

mod batches;
mod combat;
mod doomrider;
mod extra_battles;
mod extremes;
mod games;
mod resolution;
mod revival;
mod spawns;
mod statics;
mod strict;
mod turn;
mod upkeep;
mod verbs;

#[test]
fn every_decision_that_a_comment_cites_is_in_the_readme() {
    const SOURCES: [&str; 10] = [
        include_str!("../../../src/games/solforge/cards/vocabulary/effects.rs"),
        include_str!("../../../src/games/solforge/form/position.rs"),
        include_str!("../../../src/games/solforge/policy/mod.rs"),
        include_str!("../../../src/games/solforge/pool.rs"),
        include_str!("../../../src/games/solforge/rules/damage.rs"),
        include_str!("../../../src/games/solforge/rules/death.rs"),
        include_str!("../../../src/games/solforge/rules/play.rs"),
        include_str!("../../../src/games/solforge/rules/select.rs"),
        include_str!("../../../src/games/solforge/setup.rs"),
        include_str!("../../../src/games/solforge/step.rs"),
    ];
    let readme = include_str!("../../../src/games/solforge/README.md");
    super::citations::assert_decisions_resolve(&SOURCES.concat(), readme, 33);
}
