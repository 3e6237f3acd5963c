//! SolForge games as they are told.

use evens::chance::Seeded;
use evens::game::{Stratum, play};
use evens::games::solforge::SolForge;
use evens::scenario::{Document, load};
use evens::story::{Trace, Weight};

/// The lines of a battle, indented by their weight.
fn story(scenario: &str, seed: u64, lines: usize) -> String {
    let loaded = load::<SolForge>(&Document::read(scenario).unwrap()).unwrap();
    let stratum = Stratum { matchup: 0, condition: 0 };
    let mut trace = Trace::default();
    play::<SolForge, _, _>(&loaded.setup, stratum, &mut Seeded::from_seed(seed), &mut trace);
    let told = trace.lines.iter().take(lines).map(|line| {
        assert!(line.facts["event"].is_string(), "{}", line.text);
        let indent = match line.weight {
            Weight::Heading => 0,
            Weight::Action => 2,
            Weight::Consequence => 4,
            Weight::Detail => 6,
        };
        format!("{:indent$}{}\n", "", line.text)
    });
    told.collect()
}

#[test]
fn a_batch_in_its_drawn_order() {
    insta::assert_snapshot!(story("solforge/dryad-and-patriarch", 1, 100));
}

#[test]
fn a_battle_with_its_batches() {
    insta::assert_snapshot!(story("solforge/zimus-and-fell-walker", 2, 100));
}

#[test]
fn the_first_turns_of_a_whole_game() {
    insta::assert_snapshot!(story("solforge/factions", 3, 70));
}
