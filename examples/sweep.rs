//! Plays the variants of a scenario with common random numbers and compares each with the first.
//!
//! `cargo run --example sweep -- splinterlands/sweep-health`

use evens::engine::variants_of;
use evens::game::Side;
use evens::scenario::Document;
use evens::studies::sweep::{Design, Setups, play, results, table};
use evens::table::LEVEL;
use miette::IntoDiagnostic;

const BATTLES: u64 = 20_000;

fn main() -> miette::Result<()> {
    let name = std::env::args().nth(1);
    let name = name.as_deref().unwrap_or("eldertale/sweep-hp");
    // The variants are those of the scenario's `[sweep]`; `Document::with_axes` adds others.
    let document = Document::read(name)?;
    let mut setups = Setups::default();
    let variants = variants_of(&document, false, &mut |engine| setups.add(engine));
    let variants = variants.map_err(|mut faults| faults.remove(0))?;

    let design = Design::new(&setups, BATTLES).into_diagnostic()?;
    let seed = variants.scenario.common.seed;
    let played = play(&design, seed, 0, &mut |_battles| true); // 0 threads: as many as there are cores
    let rows = results(&design, &played, LEVEL);

    for row in &rows {
        let side = Side(row.side as u8);
        let values = variants.variants[row.variant].values.join(", ");
        let change = row.comparison.map_or(0.0, |comparison| comparison.difference.value);
        println!("{values}: side {side} scores {:.3} ({change:+.3})", row.score.value);
    }
    // The same results as a table for programs, every column with its meaning.
    let values: Vec<_> = variants.variants.iter().map(|one| one.values.clone()).collect();
    for column in table(&variants.axes, &values, &design.members, &rows, design.measure).columns {
        println!("{}: {}", column.name, column.meaning);
    }
    Ok(())
}
