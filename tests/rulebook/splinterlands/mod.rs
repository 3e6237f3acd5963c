//! Splinterlands: SP cases from the guide in its order, SP-X cases for what the guide leaves out, SP-L cases
//! for the later edition.

mod arena;

mod any_rulesets;
mod combat;
mod drawing;
mod hitting;
mod later_edition;
mod legality;
mod official_order;
mod primary_rulesets;
mod records;
mod secondary_rulesets;
mod striking_back;
mod turn_order;

/// Source files whose comments cite decisions.
const RULES: [&str; 16] = [
    include_str!("../../../src/games/splinterlands/draw.rs"),
    include_str!("../../../src/games/splinterlands/legal.rs"),
    include_str!("../../../src/games/splinterlands/setup.rs"),
    include_str!("../../../src/games/splinterlands/rules/mod.rs"),
    include_str!("../../../src/games/splinterlands/rules/prebattle.rs"),
    include_str!("../../../src/games/splinterlands/rules/squad.rs"),
    include_str!("../../../src/games/splinterlands/rules/stats.rs"),
    include_str!("../../../src/games/splinterlands/rules/round_start.rs"),
    include_str!("../../../src/games/splinterlands/rules/turn_order.rs"),
    include_str!("../../../src/games/splinterlands/rules/official_order.rs"),
    include_str!("../../../src/games/splinterlands/rules/support.rs"),
    include_str!("../../../src/games/splinterlands/rules/target.rs"),
    include_str!("../../../src/games/splinterlands/rules/hit.rs"),
    include_str!("../../../src/games/splinterlands/rules/damage.rs"),
    include_str!("../../../src/games/splinterlands/rules/attack.rs"),
    include_str!("../../../src/games/splinterlands/rules/death.rs"),
];

#[test]
fn every_decision_that_a_rule_cites_is_in_the_readme() {
    let readme = include_str!("../../../src/games/splinterlands/README.md");
    super::citations::assert_decisions_resolve(&RULES.concat(), readme, 29);
}
