//! Splinterlands battles per second on one core.
//!
//! `cargo bench --bench splinterlands`; the figures of record are in `benches/README.md`.

mod common;

use common::{battles, scenario};
use criterion::{Criterion, criterion_group, criterion_main};
use evens::chance::Seeded;
use evens::engine;
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::ruleset::Ruleset;
use evens::games::splinterlands::setup::{LineUp, Setup};
use evens::scenario::{Document, load};

const DRAWN: &str = "splinterlands/drawn-teams";

/// 256 match-ups of teams drawn once from the whole set (Silver level caps, 30 mana, full teams of mixed abilities) and
/// kept for all battles, under rulesets drawn as in the official game.
fn typical() -> Setup {
    let setup = load::<Splinterlands>(&Document::read(DRAWN).unwrap()).unwrap().setup;
    let pool = setup.pool(0).expect("a pool").clone();
    let standard = setup
        .conditions()
        .iter()
        .position(|(rulesets, _)| rulesets.len() == 1 && rulesets.contains(Ruleset::Standard))
        .unwrap();
    let cap = setup.mana_caps().len() - 1;
    let mut chance = Seeded::from_seed(1);
    let mut team = || loop {
        let team = pool.draw(standard, cap, &mut chance);
        if team.monsters.len() == 6 {
            break team;
        }
    };
    let duels: Vec<[LineUp; 2]> = (0..256).map(|_| [team(), team()]).collect();
    setup.with_duels(duels)
}

fn splinterlands(criterion: &mut Criterion) {
    battles(criterion, "typical", &*engine::of::<Splinterlands>(typical()));
    battles(criterion, "drawn teams", scenario(DRAWN).engine());
}

criterion_group!(benches, splinterlands);
criterion_main!(benches);
