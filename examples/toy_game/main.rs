//! A fifth game, written against the public seams alone, and everything that it gets for free: a run with its page, a
//! battle told as a story, and exact odds.
//!
//! `cargo run --example toy_game`

mod game;
#[cfg(test)]
mod tests;

use evens::engine::{Battle, Dice, Place, Rulebook};
use evens::game::Outcome;
use evens::report::Style;
use evens::scenario::{Document, Folder};
use evens::studies::run::Sections;
use evens::tally::Assignment;
use evens::walk::Budget;
use evens::{Faults, Scenario};
use game::Toy;

const DUEL: &str = include_str!("duel.toml");

/// Checks a scenario of the toy game.
fn read(text: &str) -> Result<Scenario, Faults> {
    let document = Document::new("duel.toml", text.to_owned(), Folder::Disk("".into()));
    Rulebook::<Toy>::NEW.read(&document)
}

fn main() -> miette::Result<()> {
    let scenario = read(DUEL)?;
    println!("{}", scenario.run().page(&Sections::all(), Style::default()));

    let engine = scenario.engine();
    let assignment = Assignment::new(engine.layout());
    let place = Place::Assigned(&assignment);
    let seed = scenario.common.seed;
    println!("Battle 0 of seed {seed}");
    for line in engine.tell(Battle { seed, index: 0, dice: Dice::Seeded, place }).lines {
        println!("{:indent$}{}", "", line.text, indent = 2 * line.weight as usize);
    }

    let odds = engine.walk(0, Budget::UNLIMITED, &mut |_| true);
    let matchup = &engine.layout().matchups[0];
    println!("\n{}, by walking {} ways", matchup.label(), odds.ways);
    for (outcome, probability) in &odds.outcomes {
        let result = match outcome {
            Outcome::Win(side) => format!("{} wins", matchup.contenders[side.index()]),
            Outcome::Draw => "a draw".to_owned(),
            Outcome::Undecided => "undecided".to_owned(),
        };
        println!("  {result}: {:.12}", to_f64(probability));
    }
    Ok(())
}

fn to_f64(odds: &num_rational::BigRational) -> f64 {
    num_traits::ToPrimitive::to_f64(odds).unwrap_or(f64::NAN)
}
