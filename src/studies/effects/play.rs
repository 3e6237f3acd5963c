//! Plays the battles of a design.

use std::ops::Range;

use super::tally::Slate;
use super::{Design, Tally};
use crate::batch::Crew;
use crate::chance::Keyed;
use crate::game::{Stratum, Unwatched, play as play_battle};
use crate::tally::{Measure, Record};

/// What came of playing a design.
#[derive(Clone, Debug)]
pub struct Played {
    /// How the battles went.
    pub tally: Tally,
    /// How many battles were played under each condition: the first of the design.
    pub battles: u64,
}

/// Plays a design. `go_on` is told how many battles were played in all, and ends it by saying no.
///
/// # Panics
/// When the operating system gives no threads.
pub fn play<G: Measure>(
    setup: &G::Setup,
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    mut go_on: impl FnMut(u64) -> bool,
) -> Played {
    let cases = design.cases.len() as u64;
    let mut crew = Crew::new(threads, u64::MAX / 2, || Worker::new(design)).of_heavy_battles(cases);
    let mut played = 0;
    while played < design.battles {
        let left = played..design.battles;
        (played, _) =
            crew.wave(left, |worker, battles| worker.play::<G>(setup, design, seed, battles));
        if !go_on(played * cases) {
            break;
        }
    }
    let mut tally = Tally::new(design);
    for worker in crew.belongings() {
        tally.merge(&worker.tally);
    }
    Played { tally, battles: played }
}

/// One thread's belongings.
struct Worker {
    tally: Tally,
    slate: Slate,
    record: Record,
}

impl Worker {
    fn new(design: &Design<'_>) -> Self {
        Self {
            tally: Tally::new(design),
            slate: Slate::new(design),
            record: Record::new(design.layout),
        }
    }

    /// Plays some battles under every condition.
    fn play<G: Measure>(
        &mut self,
        setup: &G::Setup,
        design: &Design<'_>,
        seed: u64,
        battles: Range<u64>,
    ) {
        let Self { tally, slate, record } = self;
        let matchups = design.layout.matchups.len() as u64;
        let mut luck = Keyed::of_battle(seed, battles.start);
        for index in battles {
            let matchup = (index % matchups) as u32;
            for (number, case) in design.cases.iter().enumerate() {
                let stratum = Stratum { matchup, condition: case.condition };
                luck.restart(seed, index);
                record.clear(stratum);
                let ended = play_battle::<G, _, _>(setup, stratum, &mut luck, &mut Unwatched);
                record.outcome = ended.outcome;
                if design.units {
                    G::fighters(setup, &ended.state, record);
                }
                slate.note(design, number, record);
            }
            slate.settle(design, tally);
        }
    }
}
