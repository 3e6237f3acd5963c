//! Which abilities, effects, cards and conditions of a scenario ever had an effect.

use crate::batch::Workers;
use crate::engine::{Battle, Dice, Engine, Place};
use crate::table::{Column, Table};
use crate::tally::Assignment;

/// The most and the fewest battles of a run that are watched for activity.
const MOST: u64 = 10_000;
const FEWEST: u64 = 500;
/// The first battles of a run are watched: one in this many of all, within these limits.
const ONE_IN: u64 = 20;

/// How often each ability, effect, card and condition of a scenario had an effect in the watched battles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// How many battles were watched: the first ones of the run.
    pub battles: u64,
    /// How often each had an effect, with its name (of an ability, effect, card or condition) as the game gives it.
    pub times: Vec<(String, u64)>,
}

impl Activity {
    /// Watches the first battles of a run of `played` battles: a twentieth of them, but at least 500, at most 10,000,
    /// and never fewer than one of every match-up; all of them where the run has fewer. They are played again for this, because watching every event so
    /// closely is slow.
    #[must_use]
    pub fn of(engine: &dyn Engine, seed: u64, played: u64, threads: usize) -> Self {
        let names = engine.activities();
        let matchups = engine.layout().matchups.len() as u64;
        let battles = (played / ONE_IN).clamp(FEWEST, MOST).max(matchups).min(played);
        let mut counts = vec![0; names.len()];
        if !names.is_empty() {
            let assignment = Assignment::new(engine.layout());
            let place = Place::Assigned(&assignment);
            let mut workers = Workers::new(threads, u64::MAX / 2, || vec![0; names.len()]);
            let mut watched = 0;
            while watched < battles {
                (watched, _) = workers.wave(watched..battles, |counts: &mut Vec<u64>, range| {
                    for index in range {
                        let battle = Battle { seed, index, dice: Dice::Seeded, place };
                        engine.count_activity(battle, counts);
                    }
                });
            }
            for part in workers.accumulators() {
                counts.iter_mut().zip(part.iter()).for_each(|(sum, count)| *sum += count);
            }
        }
        Self { battles, times: names.into_iter().zip(counts).collect() }
    }

    /// The names of everything that never had an effect in the watched battles.
    pub fn idle(&self) -> impl Iterator<Item = &str> {
        self.times.iter().filter(|(_, times)| *times == 0).map(|(name, _)| name.as_str())
    }

    /// The table `activity`: one row for each name.
    #[must_use]
    pub fn table(&self) -> Table {
        let names = self.times.iter().map(|(name, _)| name.clone()).collect();
        let times = self.times.iter().map(|(_, times)| *times).collect();
        Table {
            name: "activity".to_owned(),
            columns: vec![
                Column::text("what", "an ability, effect, card or condition", names),
                Column::count("times", "how often it had an effect in the watched battles", times),
                Column::count(
                    "battles",
                    "how many battles were watched: the first of the run",
                    vec![self.battles; self.times.len()],
                ),
            ],
        }
    }
}
