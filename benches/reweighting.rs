//! What it costs to ask one run for the win rates under 100,000 lists of ruleset weights, compared with the run itself.
//! All cores.
//!
//! `cargo bench --bench reweighting`; the figures of record are in `benches/README.md`.

mod common;

use std::hint::black_box;
use std::num::NonZeroU64;

use common::scenario;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evens::batch::{Detail, Plan, run_whole};
use evens::chance::Seeded;
use evens::engine::Engine;
use evens::statistics::Reweighting;
use evens::tally::Tally;

/// Battles of the run.
const BATTLES: NonZeroU64 = NonZeroU64::new(400_000).unwrap();
/// Lists of weights that the run is asked about.
const LISTS: usize = 100_000;

fn battles(engine: &dyn Engine) -> Tally {
    let plan = Plan { seed: 2, battles: BATTLES, threads: 0, detail: Detail::default() };
    run_whole(engine, plan, &mut |_| true).tally
}

fn reweighting(criterion: &mut Criterion) {
    let scenario = scenario("splinterlands/sweep-rulesets");
    let engine = scenario.engine();
    let model = engine.draw_model().unwrap();
    let mut group = criterion.benchmark_group("splinterlands/reweighting");
    group.sample_size(10).throughput(Throughput::Elements(BATTLES.get()));
    group.bench_function("the run", |bench| {
        bench.iter(|| black_box(battles(engine)));
    });
    let played = Reweighting::new(engine.layout(), &battles(engine));
    let mut dice = Seeded::from_seed(1);
    let weights: Vec<f64> =
        (0..LISTS * model.names().len()).map(|_| 0.25 + 3.75 * dice.unit()).collect();
    group.throughput(Throughput::Elements(LISTS as u64));
    group.bench_function("100,000 lists of weights", |bench| {
        bench.iter(|| black_box(played.win_rates(model, 0, 0, black_box(&weights))));
    });
    group.finish();
}

criterion_group!(benches, reweighting);
criterion_main!(benches);
