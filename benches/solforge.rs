//! SolForge positions and whole games per second on one core.
//!
//! `cargo bench --bench solforge`; the figures of record are in `benches/README.md`.

mod common;

use common::{battles, scenario};
use criterion::{Criterion, criterion_group, criterion_main};
use evens::games::solforge::SolForge;

fn solforge(criterion: &mut Criterion) {
    // One battle is one batch.
    let position = "solforge/dryad-and-patriarch";
    battles::<SolForge>(criterion, "one batch", &scenario::<SolForge>(position));
    // Every pair of the four factions, both seats, under the random policy.
    let games = "solforge/factions";
    battles::<SolForge>(criterion, "whole games", &scenario::<SolForge>(games));
}

criterion_group!(benches, solforge);
criterion_main!(benches);
