//! Works out the exact odds of a scenario by walking all outcomes of all dice.
//!
//! `cargo run --example exact -- solforge/dryad-and-patriarch`

use evens::Scenario;
use evens::walk::Budget;

fn main() -> miette::Result<()> {
    let name = std::env::args().nth(1);
    let scenario = Scenario::read(name.as_deref().unwrap_or("solforge/zimus-and-fell-walker"))?;
    let engine = scenario.engine();
    // What a walk may cost in memory and in time. Where it would cost more, the odds are lower bounds.
    let budget = Budget { states: 200_000, ways: 20_000_000, rounds: u32::MAX };

    for (at, matchup) in engine.layout().matchups.iter().enumerate() {
        let odds = engine.walk(at, budget, &mut |_| true);
        println!("{} ({} ways, {} states)", matchup.label(), odds.ways, odds.states);
        for (outcome, probability) in &odds.outcomes {
            println!("  {outcome:?}: {probability}");
        }
        for (metric, values) in engine.layout().metrics.iter().zip(&odds.metrics) {
            for (value, probability) in values {
                println!("  {metric} = {value}: {probability}");
            }
        }
        if let Some((round, why)) = odds.stop {
            println!("  open from round {round} on ({why:?}): {}", odds.open());
        }
    }
    Ok(())
}
