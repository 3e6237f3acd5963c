//! Laws that hold for every battle and every run: determinism above all.

mod allocation;
mod effects;
mod eldertale;
mod exact;
mod pools;
mod sanctum;
mod solforge;
mod splinterlands;
mod sweep;

use std::num::NonZeroU64;

use evens::batch::{Detail, Evidence, Finished, Plan, run, run_until};
use evens::games::eldertale::ElderTale;
use evens::games::sanctum::Sanctum;
use evens::games::solforge::SolForge;
use evens::games::splinterlands::Splinterlands;
use evens::scenario::{Document, Faults, Form, Loaded, load};
use evens::table::Table;
use evens::tally::{Breakdown, Layout, Measure};

fn told(faults: &[Faults]) -> String {
    let all = faults.iter().flat_map(|faults| &faults.faults);
    all.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn bundled_scenario<G: Form>(name: &str) -> Loaded<G> {
    load(&Document::read(name).unwrap()).unwrap()
}

const ALL: Detail = Detail {
    events: true,
    fighters: true,
    breakdown: Breakdown::Factor,
    pairs: Some(Breakdown::Factor),
    rows: true,
};

fn played<G: Measure>(
    setup: &G::Setup,
    layout: &Layout,
    battles: u64,
    threads: usize,
) -> (Finished, Vec<Table>) {
    let plan = Plan { seed: 11, battles: NonZeroU64::new(battles).unwrap(), threads, detail: ALL };
    let mut rows = Vec::new();
    let keep = |chunk: &Table| {
        rows.push(chunk.clone());
        Ok::<(), ()>(())
    };
    let finished = run::<G, _>(setup, layout, plan, keep, |_| true).unwrap();
    (finished, rows)
}

/// The same tallies and the same rows, whatever the number of threads.
fn threads_change_nothing<G: Measure + Form>(scenario: &str, battles: u64) {
    let loaded = bundled_scenario::<G>(scenario);
    let layout = G::layout(&loaded.setup);
    let (one, rows) = played::<G>(&loaded.setup, &layout, battles, 1);
    assert_eq!(one.tally.battles(), battles);
    for threads in [2, 3, 16] {
        let (other, other_rows) = played::<G>(&loaded.setup, &layout, battles, threads);
        assert!(one.tally == other.tally, "{scenario}, {threads} threads");
        assert!(rows == other_rows, "{scenario}, {threads} threads");
    }
}

#[test]
fn splinterlands_gives_the_same_results_on_1_2_3_and_16_threads() {
    threads_change_nothing::<Splinterlands>("splinterlands/drawn-teams", 5_000);
}

#[test]
fn solforge_gives_the_same_results_on_1_2_3_and_16_threads() {
    threads_change_nothing::<SolForge>("solforge/factions", 1_200);
    threads_change_nothing::<SolForge>("solforge/cercee-and-oros", 5_000);
}

#[test]
fn sanctum_gives_the_same_results_on_1_2_3_and_16_threads() {
    threads_change_nothing::<Sanctum>("sanctum/monsters", 5_000);
    threads_change_nothing::<Sanctum>("sanctum/surrounded", 5_000);
}

#[test]
fn eldertale_gives_the_same_results_on_1_2_3_and_16_threads() {
    for scenario in ["classes", "three-way", "all-in"] {
        threads_change_nothing::<ElderTale>(&format!("eldertale/{scenario}"), 3_000);
    }
}

#[test]
fn a_run_that_is_ended_early_is_exactly_its_first_battles() {
    let loaded = bundled_scenario::<Splinterlands>("splinterlands/mirror");
    let layout = Splinterlands::layout(&loaded.setup);
    let battles = NonZeroU64::new(100_000).unwrap();
    let plan = Plan { seed: 11, battles, threads: 2, detail: Detail::default() };
    let keep = |_: &Table| Ok::<(), ()>(());
    let part = run::<Splinterlands, _>(&loaded.setup, &layout, plan, keep, |_| false).unwrap();
    assert!(part.played > 0 && part.played < battles.get());
    let plan = Plan { battles: NonZeroU64::new(part.played).unwrap(), ..plan };
    let whole = run::<Splinterlands, _>(&loaded.setup, &layout, plan, keep, |_| true).unwrap();
    assert!(part.tally == whole.tally);
}

/// Metrics do not depend on which tables are asked for, and so neither on who watches.
fn watching_changes_nothing<G: Measure + Form>(scenario: &str) {
    let loaded = bundled_scenario::<G>(scenario);
    let layout = G::layout(&loaded.setup);
    let (watched, _) = played::<G>(&loaded.setup, &layout, 500, 1);
    let battles = NonZeroU64::new(500).unwrap();
    let plan = Plan { seed: 11, battles, threads: 1, detail: Detail::default() };
    let keep = |_: &Table| Ok::<(), ()>(());
    let unwatched = run::<G, _>(&loaded.setup, &layout, plan, keep, |_| true).unwrap();
    assert!(watched.tally.strata.iter().any(|count| count.sums.iter().any(|&sum| sum != 0)));
    assert!(watched.tally.strata == unwatched.tally.strata, "{scenario}");
}

#[test]
fn metrics_are_the_same_watched_or_not() {
    watching_changes_nothing::<Splinterlands>("splinterlands/mirror");
    watching_changes_nothing::<SolForge>("solforge/factions");
    watching_changes_nothing::<Sanctum>("sanctum/monsters");
    watching_changes_nothing::<ElderTale>("eldertale/all-in");
}

/// Where a run ends on evidence is a matter of the seed alone, and it is exactly its first battles.
#[test]
fn a_run_that_ends_on_evidence_ends_at_the_same_battle_on_any_threads() {
    let loaded = bundled_scenario::<Splinterlands>("splinterlands/mirror");
    let layout = Splinterlands::layout(&loaded.setup);
    let most = NonZeroU64::new(1_000_000).unwrap();
    for evidence in ["ci=2pp", "sprt(-5pp,5pp)"] {
        let evidence: Evidence = evidence.parse().unwrap();
        let ended = |threads| {
            let plan = Plan { seed: 11, battles: most, threads, detail: Detail::default() };
            let keep = |_: &Table| Ok::<(), ()>(());
            let (setup, until) = (&loaded.setup, Some(evidence));
            run_until::<Splinterlands, _>(setup, &layout, plan, until, keep, |_| true).unwrap()
        };
        let one = ended(1);
        assert!(one.enough && one.played < most.get(), "{}", one.played);
        let battles = NonZeroU64::new(one.played).unwrap();
        let plan = Plan { seed: 11, battles, threads: 2, detail: Detail::default() };
        let keep = |_: &Table| Ok::<(), ()>(());
        let whole = run::<Splinterlands, _>(&loaded.setup, &layout, plan, keep, |_| true).unwrap();
        for threads in [2, 3, 16] {
            let other = ended(threads);
            assert_eq!(other.played, one.played, "{threads} threads");
            assert!(other.tally == one.tally && other.tally == whole.tally);
        }
    }
}

#[test]
fn a_failing_sink_ends_the_run_with_its_error() {
    let loaded = bundled_scenario::<Splinterlands>("splinterlands/mirror");
    let layout = Splinterlands::layout(&loaded.setup);
    let battles = NonZeroU64::new(10_000_000_000).unwrap();
    let detail = Detail { rows: true, ..Detail::default() };
    let plan = Plan { seed: 11, battles, threads: 2, detail };
    let failed = run::<Splinterlands, _>(&loaded.setup, &layout, plan, |_| Err("full"), |_| true);
    assert_eq!(failed.err(), Some("full"));
}
