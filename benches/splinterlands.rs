//! Splinterlands battles per second on one core.
//!
//! `cargo bench --bench splinterlands`; the figures of record are in `benches/README.md`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evens::chance::Seeded;
use evens::game::{Outcome, Unwatched, play};
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::setup::{Brings, Contender, Setup};
use evens::scenario::{Document, load};
use evens::tally::{Draw, Layout, Measure, Record, Recorder, Tally};

/// Battles in a measured batch.
const BATTLES: u64 = 1_000;

fn scenario(name: &str) -> Setup {
    load::<Splinterlands>(&Document::read(name).unwrap()).unwrap().setup
}

/// 256 match-ups of teams that were drawn once from the whole set (Silver level caps, 30 mana, full teams of
/// mixed abilities) and then stay, under rulesets drawn as in the official game.
fn typical() -> Setup {
    let mut setup = scenario("splinterlands/drawn-teams");
    let Brings::Drawn(pool) = setup.contenders[0].brings.clone() else { panic!("a pool") };
    let standard = setup
        .conditions
        .iter()
        .position(|(rulesets, _)| rulesets.len() == 1 && rulesets.contains(STANDARD))
        .unwrap();
    let cap = setup.mana_caps.len() - 1;
    let legal = vec![true; setup.conditions.len() * setup.mana_caps.len()];
    let mut luck = Seeded::from_seed(1);
    setup.contenders.clear();
    while setup.contenders.len() < 512 {
        let team = pool.draw(standard, cap, &mut luck);
        if team.monsters.len() == 6 {
            let brings = Brings::Fixed { team, legal: legal.clone() };
            setup.contenders.push(Contender { name: String::new(), brings });
        }
    }
    setup.matchups = (0..256).map(|at| [2 * at, 2 * at + 1]).collect();
    setup
}

const STANDARD: evens::games::splinterlands::ruleset::Ruleset =
    evens::games::splinterlands::ruleset::Ruleset::Standard;

/// Plays battles and nothing else; the sum keeps the optimiser honest and tells two engines apart.
fn unwatched(setup: &Setup, draw: &Draw) -> u64 {
    let mut sum = 0;
    for index in 0..BATTLES {
        let mut luck = Seeded::of_battle(1, index);
        let stratum = draw.stratum(index, &mut luck);
        let ended = play::<Splinterlands, _, _>(setup, stratum, &mut luck, &mut Unwatched);
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
        let mut recorder = Recorder::<Splinterlands>::new(record);
        let ended = play::<Splinterlands, _, _>(setup, stratum, &mut luck, &mut recorder);
        record.outcome = ended.outcome;
        record.rounds = ended.rounds;
        Splinterlands::close(setup, &ended.state, record);
        tally.add(layout, record);
    }
}

fn battles(criterion: &mut Criterion) {
    for (name, setup) in
        [("typical", typical()), ("drawn teams", scenario("splinterlands/drawn-teams"))]
    {
        let layout = Splinterlands::layout(&setup);
        let draw = Draw::new(&layout);
        let mut group = criterion.benchmark_group(format!("splinterlands/{name}"));
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

criterion_group!(benches, battles);
criterion_main!(benches);
