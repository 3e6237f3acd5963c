//! Elder Tale sessions per second on one core.
//!
//! `cargo bench --bench eldertale`; the figures of record are in `benches/README.md`.

mod common;

use common::battles;
use criterion::{Criterion, criterion_group, criterion_main};
use evens::games::eldertale::ElderTale;
use evens::games::eldertale::setup::Setup;
use evens::scenario::{Document, Folder, load};

/// All twelve classes with the example set, each against each on every side.
fn classes(sides: &str, policy: &str) -> Setup {
    let classes = [
        "Acolyte",
        "Bard",
        "Blademaster",
        "Crusader",
        "Druid",
        "Enchanter",
        "Godhand",
        "Heavy Blade",
        "Hunter",
        "Sorcerer",
        "Summoner",
        "Twin Blade",
    ];
    let mut text = "game = \"eldertale\"\nbattles = 1\n".to_owned();
    for class in classes {
        text += &format!(
            "[[characters]]\nname = \"{class}\"\nclasses = [\"{class}\"]\npolicy = \"{policy}\"\n"
        );
    }
    text += "[sides]\n";
    for side in sides.chars() {
        text += &format!("{side} = {classes:?}\n");
    }
    let document = Document::new("bench.toml", text, Folder::Disk("".into()));
    load::<ElderTale>(&document).unwrap().setup
}

fn eldertale(criterion: &mut Criterion) {
    battles::<ElderTale>(criterion, "duels", &classes("ab", "random"));
    battles::<ElderTale>(criterion, "greedy duels", &classes("ab", "greedy"));
    battles::<ElderTale>(criterion, "three-way", &classes("abc", "random"));
}

criterion_group!(benches, eldertale);
criterion_main!(benches);
