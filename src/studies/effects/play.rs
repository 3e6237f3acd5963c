//! Plays the battles of a design.

use super::noted::Noted;
use super::{Design, EffectTally};
use crate::batch::{Forgetful, Grouped, Keeper, Workers};
use crate::engine::{Battle, Dice, Engine, Look, Place};
use crate::game::Stratum;
use crate::tally::Record;

/// The result of playing a design.
#[derive(Clone, Debug)]
pub struct Played {
    /// The sums over the battles.
    pub tally: EffectTally,
    /// The number of battles played under each condition, which are the first ones of the design.
    pub battles: u64,
}

/// Plays a design. `go_on` receives the number of battles played under all conditions together, and ends the play by
/// returning false.
pub fn play(
    engine: &dyn Engine,
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    play_kept(engine, design, seed, threads, &mut Forgetful, go_on)
}

/// Plays a design as [`play`] does, resuming from the counts that the keeper has stored, if any.
pub fn play_kept(
    engine: &dyn Engine,
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    keeper: &mut dyn Keeper<EffectTally>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    let cases = design.cases.len() as u64;
    let workers = Workers::new(threads, u64::MAX / 2, || Worker::new(design));
    let matchups = design.layout.matchups.len() as u64;
    let mut workers = workers.of_heavy_battles(cases).of_matchups(matchups);
    let (tally, battles) = workers.count(
        design.battles,
        EffectTally::new(design),
        Worker::settled,
        keeper,
        |worker, battles| worker.play(engine, design, seed, battles),
        &mut |played| go_on(played * cases),
    );
    Played { tally, battles }
}

/// The state of one thread.
struct Worker {
    tally: EffectTally,
    noted: Noted,
    record: Record,
}

impl Worker {
    fn new(design: &Design<'_>) -> Self {
        Self {
            tally: EffectTally::new(design),
            noted: Noted::new(design),
            record: Record::new(design.layout),
        }
    }

    /// Flushes the buffer and returns the complete tally.
    fn settled(&mut self) -> &mut EffectTally {
        self.noted.flush(&mut self.tally);
        &mut self.tally
    }

    /// Plays some battles under every condition.
    fn play(&mut self, engine: &dyn Engine, design: &Design<'_>, seed: u64, battles: Grouped) {
        let Self { tally, noted, record } = self;
        let matchups = design.layout.matchups.len() as u64;
        let look = Look { events: false, fighters: design.units };
        for index in battles {
            let matchup = (index % matchups) as u32;
            for (number, case) in design.cases.iter().enumerate() {
                let place = Place::Stratum(Stratum { matchup, condition: case.condition });
                engine.play(Battle { seed, index, dice: Dice::Keyed, place }, look, record);
                noted.note(design, number, record);
                tally.add_forfeits(number, matchup, record.forfeits);
            }
            noted.settle(design, tally);
        }
    }
}
