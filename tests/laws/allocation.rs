//! No battle allocates, watched or not, once its thread is warm. The allocator of this test binary counts allocations,
//! by thread.

use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;

use evens::engine::{Battle, Dice, Look, Place, Scenario};
use evens::tally::{Assignment, Breakdown, Record, Tally, Waiting};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
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

/// Plays the battles of a scenario again and again: the first pass warms up, the later ones must not allocate.
fn no_battle_allocates(scenario: &str, battles: u64) {
    let scenario = Scenario::read(scenario).unwrap();
    let engine = scenario.engine();
    let layout = engine.layout();
    let assignment = Assignment::new(layout);
    let mut record = Record::new(layout);
    let mut tally = Tally::new(layout, Breakdown::Factor).with_pairs(layout, Breakdown::Factor);
    let mut waiting = Waiting::new(layout, &tally);
    let mut pass = |dice, events| {
        for index in 0..battles {
            let place = Place::Assigned(&assignment);
            let look = Look { events, fighters: true };
            engine.play(Battle { seed: 1, index, dice, place }, look, &mut record);
            tally.add_to(&mut waiting, layout, &record);
        }
    };
    let name = &scenario.name;
    assert!(allocations(|| pass(Dice::Seeded, true)) > 0, "the counter must count");
    assert_eq!(allocations(|| pass(Dice::Seeded, true)), 0, "{name}, watched");
    assert_eq!(allocations(|| pass(Dice::Seeded, false)), 0, "{name}, unwatched");
    pass(Dice::Keyed, false);
    assert_eq!(allocations(|| pass(Dice::Keyed, false)), 0, "{name}, keyed");
    pass(Dice::Keyed, true);
    assert_eq!(allocations(|| pass(Dice::Keyed, true)), 0, "{name}, keyed and watched");
}

#[test]
fn splinterlands_battles_do_not_allocate() {
    no_battle_allocates("splinterlands/mirror", 2_000);
    no_battle_allocates("splinterlands/drawn-teams", 2_000);
}

#[test]
fn solforge_games_and_positions_do_not_allocate() {
    for position in ["dryad-and-patriarch", "zimus-and-fell-walker", "cercee-and-oros"] {
        no_battle_allocates(&format!("solforge/{position}"), 2_000);
    }
    no_battle_allocates("solforge/factions", 240);
}

#[test]
fn sanctum_combats_do_not_allocate() {
    no_battle_allocates("sanctum/mixed-groups", 2_000);
    no_battle_allocates("sanctum/monsters", 2_000);
    no_battle_allocates("sanctum/surrounded", 1_000);
}

#[test]
fn eldertale_sessions_do_not_allocate() {
    no_battle_allocates("eldertale/classes", 2_000);
    no_battle_allocates("eldertale/duel", 2_000);
    no_battle_allocates("eldertale/three-way", 2_000);
    no_battle_allocates("eldertale/all-in", 2_000);
}
