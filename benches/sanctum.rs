//! Sanctum combats per second on one core.
//!
//! `cargo bench --bench sanctum`; the figures of record are in `benches/README.md`.

mod common;

use common::{battles, scenario};
use criterion::{Criterion, criterion_group, criterion_main};
use evens::games::sanctum::Sanctum;
use evens::games::sanctum::setup::Setup;
use evens::scenario::{Document, Folder, load};

fn written(text: &str) -> Setup {
    let head = "game = \"sanctum\"\nbattles = 1\n";
    let document = Document::new("bench.toml", format!("{head}{text}"), Folder::Disk("".into()));
    load::<Sanctum>(&document).unwrap().setup
}

/// Eight against eight: bashers and archers of several nations and levels.
fn mixed() -> Setup {
    written(
        "[[groups]]\nname = \"A\"\nminions = [\"3 Human swordsman\", \"2 Dwarf swordsman@2\", \
         \"3 Elf archer\"]\n\
         [[groups]]\nname = \"B\"\nminions = [\"2 Cyclops swordsman\", \"2 Imp swordsman\", \
         \"2 Vision archer\", \"2 Satyr archer\"]\n\
         [sides]\na = [\"A\"]\nb = [\"B\"]\n",
    )
}

/// The same with spells and a monster on each side.
fn enchanted() -> Setup {
    written(
        "[[groups]]\nname = \"A\"\nminions = [\"3 Human swordsman + Berserker Blade\", \
         \"2 Dwarf swordsman@2 + BloodLust\", \"2 Elf archer + Cadre\", \"Cockatrice\"]\n\
         [[groups]]\nname = \"B\"\nminions = [\"2 Cyclops swordsman + Treacherous Armor\", \
         \"2 Imp swordsman + Deflection\", \"3 Vision archer + Soul Jar\", \"Firewyrm\"]\n\
         spells = [\"Berserkers\"]\n\
         [sides]\na = [\"A\"]\nb = [\"B\"]\n",
    )
}

fn sanctum(criterion: &mut Criterion) {
    battles::<Sanctum>(criterion, "mixed", &mixed());
    battles::<Sanctum>(criterion, "enchanted", &enchanted());
    // Whole phases of up to four combats.
    battles::<Sanctum>(criterion, "surrounded", &scenario::<Sanctum>("sanctum/surrounded"));
}

criterion_group!(benches, sanctum);
criterion_main!(benches);
