//! What the benches of all games measure: battles and nothing else, and battles with everything counted that
//! `evens run` counts by default. One core.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use evens::chance::Seeded;
use evens::game::{Outcome, Unwatched, play};
use evens::scenario::{Document, Form, load};
use evens::tally::{Breakdown, Draw, Layout, Measure, Record, Recorder, Tally};

/// Battles in a measured batch.
const BATTLES: u64 = 1_000;

/// The setup of a bundled scenario.
#[allow(dead_code, reason = "not every game has its bench's setup among them")]
pub fn scenario<G: Form>(name: &str) -> G::Setup {
    load::<G>(&Document::read(name).unwrap()).unwrap().setup
}

/// Battles per second of a setup, unwatched and tallied.
#[allow(dead_code, reason = "not every bench measures battles alone")]
pub fn battles<G: Measure>(criterion: &mut Criterion, name: &str, setup: &G::Setup) {
    let layout = G::layout(setup);
    let draw = Draw::new(&layout);
    let mut group = criterion.benchmark_group(format!("{}/{name}", G::NAME));
    group.throughput(Throughput::Elements(BATTLES));
    group.bench_function("unwatched", |bench| {
        bench.iter(|| black_box(unwatched::<G>(setup, &draw)));
    });
    group.bench_function("tallied", |bench| {
        let mut record = Record::new(&layout);
        let mut tally = Tally::new(&layout, Breakdown::Whole);
        bench.iter(|| tallied::<G>(setup, &layout, &draw, &mut record, &mut tally));
    });
    group.finish();
}

/// Plays battles and nothing else; the sum keeps the optimiser honest and tells two engines apart.
fn unwatched<G: Measure>(setup: &G::Setup, draw: &Draw) -> u64 {
    let mut sum = 0;
    for index in 0..BATTLES {
        let mut luck = Seeded::of_battle(1, index);
        let stratum = draw.stratum(index, &mut luck);
        let ended = play::<G, _, _>(setup, stratum, &mut luck, &mut Unwatched);
        sum += u64::from(ended.rounds) * 3 + u64::from(matches!(ended.outcome, Outcome::Win(_)));
    }
    sum
}

/// Plays battles and counts outcomes, orders and units.
fn tallied<G: Measure>(
    setup: &G::Setup,
    layout: &Layout,
    draw: &Draw,
    record: &mut Record,
    tally: &mut Tally,
) {
    for index in 0..BATTLES {
        let mut luck = Seeded::of_battle(1, index);
        let stratum = draw.stratum(index, &mut luck);
        record.clear(stratum);
        let mut recorder = Recorder::<G>::new(record);
        let ended = play::<G, _, _>(setup, stratum, &mut luck, &mut recorder);
        record.outcome = ended.outcome;
        record.rounds = ended.rounds;
        G::metrics(setup, &ended.state, &mut record.metrics);
        G::fighters(setup, &ended.state, record);
        tally.add(layout, record);
    }
}
