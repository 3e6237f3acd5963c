//! Sanctum combats per second on one core.
//!
//! `cargo bench --bench sanctum`; the figures of record are in `benches/README.md`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evens::chance::Seeded;
use evens::game::{Outcome, Unwatched, play};
use evens::games::sanctum::Sanctum;
use evens::games::sanctum::setup::Setup;
use evens::scenario::{Document, Folder, load};
use evens::tally::{Draw, Layout, Measure, Record, Recorder, Tally};

/// Battles in a measured batch.
const BATTLES: u64 = 1_000;

fn scenario(text: &str) -> Setup {
    let head = "game = \"sanctum\"\nbattles = 1\n";
    let document = Document::new("bench.toml", format!("{head}{text}"), Folder::Disk("".into()));
    load::<Sanctum>(&document).unwrap().setup
}

/// Eight against eight: bashers and archers of several nations and levels.
fn mixed() -> Setup {
    scenario(
        "[[groups]]\nname = \"A\"\nminions = [\"3 Human swordsman\", \"2 Dwarf swordsman@2\", \
         \"3 Elf archer\"]\n\
         [[groups]]\nname = \"B\"\nminions = [\"2 Cyclops swordsman\", \"2 Imp swordsman\", \
         \"2 Vision archer\", \"2 Satyr archer\"]\n\
         [sides]\na = [\"A\"]\nb = [\"B\"]\n",
    )
}

/// The same with spells and a monster on each side.
fn enchanted() -> Setup {
    scenario(
        "[[groups]]\nname = \"A\"\nminions = [\"3 Human swordsman + Berserker Blade\", \
         \"2 Dwarf swordsman@2 + BloodLust\", \"2 Elf archer + Cadre\", \"Cockatrice\"]\n\
         [[groups]]\nname = \"B\"\nminions = [\"2 Cyclops swordsman + Treacherous Armor\", \
         \"2 Imp swordsman + Deflection\", \"3 Vision archer + Soul Jar\", \"Firewyrm\"]\n\
         spells = [\"Berserkers\"]\n\
         [sides]\na = [\"A\"]\nb = [\"B\"]\n",
    )
}

fn surrounded() -> Setup {
    load::<Sanctum>(&Document::read("sanctum/surrounded").unwrap()).unwrap().setup
}

/// Plays battles and nothing else; the sum keeps the optimiser honest and tells two engines apart.
fn unwatched(setup: &Setup, draw: &Draw) -> u64 {
    let mut sum = 0;
    for index in 0..BATTLES {
        let mut luck = Seeded::of_battle(1, index);
        let stratum = draw.stratum(index, &mut luck);
        let ended = play::<Sanctum, _, _>(setup, stratum, &mut luck, &mut Unwatched);
        sum += u64::from(ended.rounds) * 3 + u64::from(matches!(ended.outcome, Outcome::Win(_)));
    }
    sum
}

/// Plays battles and counts everything that `evens run` counts by default.
fn tallied(setup: &Setup, layout: &Layout, draw: &Draw, record: &mut Record, tally: &mut Tally) {
    for index in 0..BATTLES {
        let mut luck = Seeded::of_battle(1, index);
        let stratum = draw.stratum(index, &mut luck);
        record.clear(stratum);
        let mut recorder = Recorder::<Sanctum>::new(record);
        let ended = play::<Sanctum, _, _>(setup, stratum, &mut luck, &mut recorder);
        record.outcome = ended.outcome;
        record.rounds = ended.rounds;
        Sanctum::close(setup, &ended.state, record);
        tally.add(layout, record);
    }
}

fn combats(criterion: &mut Criterion) {
    let setups = [("mixed", mixed()), ("enchanted", enchanted()), ("surrounded", surrounded())];
    for (name, setup) in setups {
        let layout = Sanctum::layout(&setup);
        let draw = Draw::new(&layout);
        let mut group = criterion.benchmark_group(format!("sanctum/{name}"));
        group.throughput(Throughput::Elements(BATTLES));
        group.bench_function("unwatched", |bench| {
            bench.iter(|| black_box(unwatched(&setup, &draw)))
        });
        group.bench_function("tallied", |bench| {
            let mut record = Record::new(&layout);
            let mut tally = Tally::new(&layout, false);
            bench.iter(|| tallied(&setup, &layout, &draw, &mut record, &mut tally));
        });
        group.finish();
    }
}

criterion_group!(benches, combats);
criterion_main!(benches);
