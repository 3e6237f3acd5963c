//! Sanctum combats per second on one core.
//!
//! `cargo bench --bench sanctum`; the figures of record are in `benches/README.md`.

mod common;

use common::{battles, scenario, written};
use criterion::{Criterion, criterion_group, criterion_main};
use evens::engine::Scenario;

/// Eight minions against eight: bashers and archers of several nations and levels.
fn mixed() -> Scenario {
    written(
        "sanctum",
        "[[groups]]\nname = \"A\"\nminions = [\"3 Human swordsman\", \"2 Dwarf swordsman@2\", \
         \"3 Elf archer\"]\n\
         [[groups]]\nname = \"B\"\nminions = [\"2 Cyclops swordsman\", \"2 Imp swordsman\", \
         \"2 Vision archer\", \"2 Satyr archer\"]\n\
         [sides]\na = [\"A\"]\nb = [\"B\"]\n",
    )
}

/// Groups of much the same kind, with spells and a monster on each side.
fn enchanted() -> Scenario {
    written(
        "sanctum",
        "[[groups]]\nname = \"A\"\nminions = [\"3 Human swordsman + Berserker Blade\", \
         \"2 Dwarf swordsman@2 + BloodLust\", \"2 Elf archer + Cadre\", \"Cockatrice\"]\n\
         [[groups]]\nname = \"B\"\nminions = [\"2 Cyclops swordsman + Treacherous Armor\", \
         \"2 Imp swordsman + Deflection\", \"3 Vision archer\", \"Firewyrm\"]\n\
         spells = [\"Berserkers\", \"Soul Jar\"]\n\
         [sides]\na = [\"A\"]\nb = [\"B\"]\n",
    )
}

fn sanctum(criterion: &mut Criterion) {
    battles(criterion, "mixed", mixed().engine());
    battles(criterion, "enchanted", enchanted().engine());
    // Whole phases of up to four combats.
    battles(criterion, "surrounded", scenario("sanctum/surrounded").engine());
}

criterion_group!(benches, sanctum);
criterion_main!(benches);
