//! Laws that hold for every battle and every run: determinism above all.

#[allow(unsafe_code, reason = "an allocator that counts")]
mod allocation;
mod effects;
mod eldertale;
mod exact;
mod forced;
mod house;
mod line_ups;
mod pools;
mod recast;
mod sanctum;
mod solforge;
mod splinterlands;
mod sweep;

use std::num::NonZeroU64;

use evens::batch::{Detail, Finished, KeepRows, Plan, Rows, StoppingRule, run, run_whole};
use evens::engine::{Engine, Scenario};
use evens::scenario::{Document, Faults, Form, Loaded, load};
use evens::studies::run::{BattleRows, BattleTexts};
use evens::table::{OutputError, Table};
use evens::tally::Breakdown;

fn told(faults: &[Faults]) -> String {
    let all = faults.iter().flat_map(|faults| &faults.faults);
    all.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn bundled_scenario<G: Form>(name: &str) -> Loaded<G::Setup> {
    load::<G>(&Document::read(name).unwrap()).unwrap()
}

const ALL: Detail = Detail {
    events: true,
    fighters: true,
    breakdown: Breakdown::Factor,
    pairs: Some(Breakdown::Factor),
    measure: evens::tally::OutcomeMeasure::Score,
};

fn plan(battles: u64, threads: usize) -> Plan {
    let battles = NonZeroU64::new(battles).unwrap();
    Plan { seed: 11, battles, threads, detail: Detail::default() }
}

fn played(engine: &dyn Engine, battles: u64, threads: usize) -> (Finished, Vec<Table>) {
    let mut rows = Vec::new();
    let texts = BattleTexts::new(engine.layout());
    let begin = || Box::new(BattleRows::new(&texts)) as Box<dyn Rows>;
    let mut keep = |chunk: &Table| {
        rows.push(chunk.clone());
        Ok(())
    };
    let kept = KeepRows { begin: &begin, keep: &mut keep };
    let plan = Plan { detail: ALL, ..plan(battles, threads) };
    let finished = run(engine, plan, None, Some(kept), &mut |_| true).unwrap();
    (finished, rows)
}

/// Runs give the same tallies and the same rows, whatever the number of threads.
fn threads_change_nothing(scenario: &str, battles: u64) {
    let loaded = Scenario::read(scenario).unwrap();
    let (one, rows) = played(loaded.engine(), battles, 1);
    assert_eq!(one.tally.battles(), battles);
    for threads in [2, 3, 16] {
        let (other, other_rows) = played(loaded.engine(), battles, threads);
        assert!(one.tally == other.tally, "{scenario}, {threads} threads");
        assert!(rows == other_rows, "{scenario}, {threads} threads");
    }
}

#[test]
fn splinterlands_gives_the_same_results_on_1_2_3_and_16_threads() {
    threads_change_nothing("splinterlands/drawn-teams", 5_000);
}

#[test]
fn solforge_gives_the_same_results_on_1_2_3_and_16_threads() {
    threads_change_nothing("solforge/factions", 1_200);
    threads_change_nothing("solforge/cercee-and-oros", 5_000);
}

#[test]
fn sanctum_gives_the_same_results_on_1_2_3_and_16_threads() {
    threads_change_nothing("sanctum/monsters", 5_000);
    threads_change_nothing("sanctum/surrounded", 5_000);
}

#[test]
fn eldertale_gives_the_same_results_on_1_2_3_and_16_threads() {
    for scenario in ["classes", "three-way", "all-in"] {
        threads_change_nothing(&format!("eldertale/{scenario}"), 3_000);
    }
}

#[test]
fn a_run_that_is_ended_early_is_exactly_its_first_battles() {
    let loaded = Scenario::read("splinterlands/mirror").unwrap();
    let part = run_whole(loaded.engine(), plan(100_000, 2), &mut |_| false);
    assert!(part.played > 0 && part.played < 100_000);
    let whole = run_whole(loaded.engine(), plan(part.played, 2), &mut |_| true);
    assert!(part.tally == whole.tally);
}

/// Metrics do not depend on which tables are asked for, and so not on whether battles are watched.
fn watching_changes_nothing(scenario: &str) {
    let loaded = Scenario::read(scenario).unwrap();
    let (watched, _) = played(loaded.engine(), 500, 1);
    let unwatched = run_whole(loaded.engine(), plan(500, 1), &mut |_| true);
    assert!(watched.tally.matchups.iter().any(|count| count.sums.iter().any(|&sum| sum != 0)));
    assert!(watched.tally.matchups == unwatched.tally.matchups, "{scenario}");
}

#[test]
fn metrics_are_the_same_watched_or_not() {
    watching_changes_nothing("splinterlands/mirror");
    watching_changes_nothing("solforge/factions");
    watching_changes_nothing("sanctum/monsters");
    watching_changes_nothing("eldertale/all-in");
}

/// Where a stopping rule ends a run is a matter of the seed alone, and the run is exactly its first battles.
#[test]
fn a_run_that_ends_on_evidence_ends_at_the_same_battle_on_any_threads() {
    let loaded = Scenario::read("splinterlands/mirror").unwrap();
    for rule in ["ci=2pp", "sprt(-5pp,5pp)"] {
        let rule: StoppingRule = rule.parse().unwrap();
        let ended = |threads| {
            let plan = plan(1_000_000, threads);
            run(loaded.engine(), plan, Some(rule), None, &mut |_| true).unwrap()
        };
        let one = ended(1);
        assert!(one.enough && one.played < 1_000_000, "{}", one.played);
        let whole = run_whole(loaded.engine(), plan(one.played, 2), &mut |_| true);
        for threads in [2, 3, 16] {
            let other = ended(threads);
            assert_eq!(other.played, one.played, "{threads} threads");
            assert!(other.tally == one.tally && other.tally == whole.tally);
        }
    }
}

#[test]
fn a_failing_sink_ends_the_run_with_its_error() {
    let loaded = Scenario::read("splinterlands/mirror").unwrap();
    let engine = loaded.engine();
    let texts = BattleTexts::new(engine.layout());
    let begin = || Box::new(BattleRows::new(&texts)) as Box<dyn Rows>;
    let mut full = |_: &Table| Err(OutputError::OneTable(0));
    let kept = KeepRows { begin: &begin, keep: &mut full };
    let failed = run(engine, plan(10_000_000_000, 2), None, Some(kept), &mut |_| true);
    assert!(matches!(failed, Err(OutputError::OneTable(0))));
}
