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
    let mut pass = |dice, events, waits| {
        for index in 0..battles {
            let place = Place::Assigned(&assignment);
            let look = Look { events, fighters: true };
            engine.play(Battle { seed: 1, index, dice, place }, look, &mut record);
            if waits {
                tally.add_to(&mut waiting, layout, &record);
            } else {
                tally.add(layout, &record);
            }
        }
    };
    let name = &scenario.name;
    let (seeded, keyed) = (Dice::Seeded, Dice::Keyed);
    assert!(allocations(|| pass(seeded, true, false)) > 0, "the counter must count");
    pass(keyed, true, true);
    for (dice, events) in [(seeded, true), (seeded, false), (keyed, true), (keyed, false)] {
        pass(dice, events, false);
        assert_eq!(allocations(|| pass(dice, events, false)), 0, "{name}, watched: {events}");
        // As a batch counts: what waits is added to the tally now and then, which allocates a few times.
        pass(dice, events, true);
        let now_and_then = allocations(|| pass(dice, events, true));
        assert!(now_and_then <= battles / 100, "{name}, watched: {events}: {now_and_then}");
    }
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
