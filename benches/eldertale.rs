//! Elder Tale sessions per second on one core.
//!
//! `cargo bench --bench eldertale`; the figures of record are in `benches/README.md`.

mod common;

use common::{battles, written};
use criterion::{Criterion, criterion_group, criterion_main};
use evens::engine::Scenario;

/// All twelve classes with the example set of cards: on every side, so that each meets each.
fn classes(sides: &str, policy: &str) -> Scenario {
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
    let mut text = String::new();
    for class in classes {
        text += &format!(
            "[[characters]]\nname = \"{class}\"\nclasses = [\"{class}\"]\npolicy = \"{policy}\"\n"
        );
    }
    text += "[sides]\n";
    for side in sides.chars() {
        text += &format!("{side} = {classes:?}\n");
    }
    written("eldertale", &text)
}

fn eldertale(criterion: &mut Criterion) {
    battles(criterion, "duels", classes("ab", "random").engine());
    battles(criterion, "greedy duels", classes("ab", "greedy").engine());
    battles(criterion, "three-way", classes("abc", "random").engine());
}

criterion_group!(benches, eldertale);
criterion_main!(benches);
