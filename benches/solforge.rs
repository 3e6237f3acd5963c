//! SolForge positions and whole games per second on one core.
//!
//! `cargo bench --bench solforge`; the figures of record are in `benches/README.md`.

mod common;

use common::{battles, scenario};
use criterion::{Criterion, criterion_group, criterion_main};
use evens::engine::Scenario;
use evens::scenario::{Document, Folder};

fn solforge(criterion: &mut Criterion) {
    // One battle is one batch.
    let position = "solforge/dryad-and-patriarch";
    battles(criterion, "one batch", scenario(position).engine());
    // Every pair of the four factions, both seats, under the greedy policy.
    let games = "solforge/factions";
    battles(criterion, "whole games", scenario(games).engine());
    battles(criterion, "random games", random_players().engine());
}

/// The same decks with players who choose at random among all legal actions.
fn random_players() -> Scenario {
    let text = include_str!("../scenarios/solforge/factions.toml");
    let text = text.replace("policy = \"greedy\"", "policy = \"random\"");
    Scenario::of(&Document::new("bench.toml", text, Folder::Disk("".into()))).unwrap()
}

criterion_group!(benches, solforge);
criterion_main!(benches);
