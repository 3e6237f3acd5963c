//! What the benches of all games measure: battles alone, and battles with everything counted that `evens run` counts by
//! default. One core.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use evens::engine::{Battle, Dice, Engine, Look, Place, Scenario};
use evens::game::Outcome;
use evens::scenario::{Document, Folder};
use evens::tally::{Assignment, Breakdown, Record, Tally};

/// Battles in one measured batch.
const BATTLES: u64 = 1_000;

/// Reads a bundled scenario.
#[allow(dead_code, reason = "not every bench has its scenario among them")]
pub fn scenario(name: &str) -> Scenario {
    Scenario::read(name).unwrap()
}

/// Reads a scenario that is written in the bench: `text` is what follows its first two lines.
#[allow(dead_code, reason = "some benches have bundled scenarios")]
pub fn written(game: &str, text: &str) -> Scenario {
    let text = format!("game = \"{game}\"\nbattles = 1\n{text}");
    Scenario::of(&Document::new("bench.toml", text, Folder::Disk("".into()))).unwrap()
}

/// Measures battles per second, unwatched and tallied.
#[allow(dead_code, reason = "not every bench measures battles alone")]
pub fn battles(criterion: &mut Criterion, name: &str, engine: &dyn Engine) {
    let layout = engine.layout();
    let mut group = criterion.benchmark_group(format!("{}/{name}", engine.game()));
    group.throughput(Throughput::Elements(BATTLES));
    let mut record = Record::new(layout);
    group.bench_function("unwatched", |bench| {
        bench.iter(|| black_box(unwatched(engine, &mut record)));
    });
    group.bench_function("tallied", |bench| {
        let mut tally = Tally::new(layout, Breakdown::Whole);
        let look = Look { events: true, fighters: true };
        bench.iter(|| {
            play(engine, look, &mut record, |record| tally.add(layout, record));
        });
    });
    group.finish();
}

/// Plays battles and nothing else. The sum keeps the optimiser from removing them, and tells two engines apart.
fn unwatched(engine: &dyn Engine, record: &mut Record) -> u64 {
    let mut sum = 0;
    play(engine, Look::default(), record, |record| {
        let won = matches!(record.outcome, Outcome::Win(_));
        sum += u64::from(record.rounds) * 3 + u64::from(won);
    });
    sum
}

fn play(engine: &dyn Engine, look: Look, record: &mut Record, mut count: impl FnMut(&Record)) {
    let assignment = Assignment::new(engine.layout());
    for index in 0..BATTLES {
        let place = Place::Assigned(&assignment);
        engine.play(Battle { seed: 1, index, dice: Dice::Seeded, place }, look, record);
        count(record);
    }
}
