//! Elder Tale sessions per second on one core.
//!
//! `cargo bench --bench eldertale`; the figures of record are in `benches/README.md`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evens::chance::Seeded;
use evens::game::{Outcome, Unwatched, play};
use evens::games::eldertale::ElderTale;
use evens::games::eldertale::setup::Setup;
use evens::scenario::{Document, Folder, load};
use evens::tally::{Draw, Layout, Measure, Record, Recorder, Tally};

/// Sessions in a measured batch.
const SESSIONS: u64 = 1_000;

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

/// Plays sessions and nothing else; the sum keeps the optimiser honest and tells two engines apart.
fn unwatched(setup: &Setup, draw: &Draw) -> u64 {
    let mut sum = 0;
    for index in 0..SESSIONS {
        let mut luck = Seeded::of_battle(1, index);
        let stratum = draw.stratum(index, &mut luck);
        let ended = play::<ElderTale, _, _>(setup, stratum, &mut luck, &mut Unwatched);
        sum += u64::from(ended.rounds) * 3 + u64::from(matches!(ended.outcome, Outcome::Win(_)));
    }
    sum
}

/// Plays sessions and counts everything that `evens run` counts by default.
fn tallied(setup: &Setup, layout: &Layout, draw: &Draw, record: &mut Record, tally: &mut Tally) {
    for index in 0..SESSIONS {
        let mut luck = Seeded::of_battle(1, index);
        let stratum = draw.stratum(index, &mut luck);
        record.clear(stratum);
        let mut recorder = Recorder::<ElderTale>::new(record);
        let ended = play::<ElderTale, _, _>(setup, stratum, &mut luck, &mut recorder);
        record.outcome = ended.outcome;
        record.rounds = ended.rounds;
        ElderTale::close(setup, &ended.state, record);
        tally.add(layout, record);
    }
}

fn sessions(criterion: &mut Criterion) {
    for (name, setup) in [
        ("duels", classes("ab", "random")),
        ("greedy duels", classes("ab", "greedy")),
        ("three-way", classes("abc", "random")),
    ] {
        let layout = ElderTale::layout(&setup);
        let draw = Draw::new(&layout);
        let mut group = criterion.benchmark_group(format!("eldertale/{name}"));
        group.throughput(Throughput::Elements(SESSIONS));
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

criterion_group!(benches, sessions);
criterion_main!(benches);
