//! Plays a scenario and reads what was counted.
//!
//! `cargo run --example run -- splinterlands/mirror`

use evens::Scenario;
use evens::report::Style;
use evens::statistics::{Level, proportion};
use evens::studies::run::Sections;

fn main() -> miette::Result<()> {
    let name = std::env::args().nth(1);
    let scenario = Scenario::read(name.as_deref().unwrap_or("solforge/dryad-and-patriarch"))?;
    let run = scenario.run();

    // A page for people.
    println!("{}", run.page(&Sections::all(), Style::default()));

    // Tables for programs: named columns of words, counts and numbers, each with its meaning.
    for table in run.tables() {
        let columns: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
        println!("{} has {} rows of {}", table.name, table.rows(), columns.join(", "));
    }

    // The whole numbers behind both, by match-up and side.
    let layout = scenario.engine().layout();
    for (at, matchup) in layout.matchups.iter().enumerate() {
        let count = run.tally().count(layout, |matchup, _condition| matchup == at);
        for (contender, &wins) in matchup.contenders.iter().zip(&count.wins) {
            let rate = proportion(wins, count.battles, Level::P95);
            println!("{contender} wins {:.4} ({:.4} to {:.4})", rate.value, rate.low, rate.high);
        }
    }
    Ok(())
}
