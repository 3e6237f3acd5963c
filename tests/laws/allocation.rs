//! No battle allocates, watched or not, once its thread is warm. The allocator of this binary counts, by thread.

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;

use evens::chance::{Keyed, Seeded};
use evens::game::{Unwatched, play};
use evens::games::eldertale::ElderTale;
use evens::games::sanctum::Sanctum;
use evens::games::solforge::SolForge;
use evens::games::splinterlands::Splinterlands;
use evens::scenario::{Document, Form, load};
use evens::tally::{Breakdown, Draw, Measure, Record, Recorder, Tally};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Counts what this thread asks for.
struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(memory) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, memory: Memory) {
        unsafe { System.dealloc(pointer, memory) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(mut work: impl FnMut()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// Plays the battles of a scenario over and over; the first pass warms up, the second must not allocate.
fn no_battle_allocates<G: Measure + Form>(scenario: &str, battles: u64) {
    let loaded = load::<G>(&Document::read(scenario).unwrap()).unwrap();
    let layout = G::layout(&loaded.setup);
    let draw = Draw::new(&layout);
    let mut record = Record::new(&layout);
    let mut tally = Tally::new(&layout, Breakdown::Factor).with_pairs(&layout, Breakdown::Factor);
    let mut pass = |watched: bool| {
        for index in 0..battles {
            let mut luck = Seeded::of_battle(1, index);
            let stratum = draw.stratum(index, &mut luck);
            record.clear(stratum);
            let ended = if watched {
                let mut recorder = Recorder::<G>::new(&mut record);
                play::<G, _, _>(&loaded.setup, stratum, &mut luck, &mut recorder)
            } else {
                play::<G, _, _>(&loaded.setup, stratum, &mut luck, &mut Unwatched)
            };
            record.outcome = ended.outcome;
            record.rounds = ended.rounds;
            G::metrics(&loaded.setup, &ended.state, &mut record.metrics);
            G::fighters(&loaded.setup, &ended.state, &mut record);
            tally.add(&layout, &record);
        }
    };
    assert!(allocations(|| pass(true)) > 0, "the counter must count");
    assert_eq!(allocations(|| pass(true)), 0, "{scenario}, watched");
    assert_eq!(allocations(|| pass(false)), 0, "{scenario}, unwatched");
    let keyed = || {
        for index in 0..battles {
            let stratum = draw.stratum(index, &mut Seeded::of_battle(1, index));
            play::<G, _, _>(
                &loaded.setup,
                stratum,
                &mut Keyed::of_battle(1, index),
                &mut Unwatched,
            );
        }
    };
    keyed();
    assert_eq!(allocations(keyed), 0, "{scenario}, keyed");
}

#[test]
fn splinterlands_battles_do_not_allocate() {
    no_battle_allocates::<Splinterlands>("splinterlands/mirror", 2_000);
    no_battle_allocates::<Splinterlands>("splinterlands/drawn-teams", 2_000);
}

#[test]
fn solforge_games_and_positions_do_not_allocate() {
    for position in ["dryad-and-patriarch", "zimus-and-fell-walker", "cercee-and-oros"] {
        no_battle_allocates::<SolForge>(&format!("solforge/{position}"), 2_000);
    }
    no_battle_allocates::<SolForge>("solforge/factions", 240);
}

#[test]
fn sanctum_combats_do_not_allocate() {
    no_battle_allocates::<Sanctum>("sanctum/mixed-groups", 2_000);
    no_battle_allocates::<Sanctum>("sanctum/monsters", 2_000);
    no_battle_allocates::<Sanctum>("sanctum/surrounded", 1_000);
}

#[test]
fn eldertale_sessions_do_not_allocate() {
    no_battle_allocates::<ElderTale>("eldertale/classes", 2_000);
    no_battle_allocates::<ElderTale>("eldertale/duel", 2_000);
    no_battle_allocates::<ElderTale>("eldertale/three-way", 2_000);
    no_battle_allocates::<ElderTale>("eldertale/all-in", 2_000);
}
