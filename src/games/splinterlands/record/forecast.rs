//! Forecasts for recorded line-ups: each battle is fought many times with dice of its own.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::chance::{Seeded, battle_seed};
use crate::game::{Outcome, Side, Stratum, Unwatched, play};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::setup::{Setup, TurnTies};

use super::{CardFile, Record};
use crate::parallel;
use crate::statistics::Known;

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

/// How often each outcome of a battle came up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// How often each team won.
    pub wins: [u64; 2],
    /// How often nobody won.
    pub draws: u64,
    /// Whether the real outcome never came up, not even in a hundred times as many battles.
    pub held_impossible: bool,
}

impl Expected {
    fn count(&mut self, outcome: Outcome) -> &mut u64 {
        match outcome {
            Outcome::Win(side) => &mut self.wins[side.index()],
            Outcome::Draw | Outcome::Undecided => &mut self.draws,
        }
    }
}

impl Record {
    /// The real outcome of the battle, and what was expected of it; `place` is where people find it.
    #[must_use]
    pub fn known(&self, place: String, expected: &Expected) -> Known {
        Known {
            place,
            factors: self.ruleset_names().map(str::to_owned).collect(),
            wins: expected.wins,
            draws: expected.draws,
            first_won: self.first_won(),
            held_impossible: expected.held_impossible,
        }
    }
}

/// How often each battle is fought, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Fights {
    /// How many times each battle is fought.
    pub runs: u64,
    /// The master seed.
    pub seed: u64,
    /// How ties in the turn order are broken.
    pub turn_ties: TurnTies,
}

/// Fights each of `records` many times. How it ended in reality is only asked for after the runs, to find out whether
/// that can happen at all. Which thread fights which battle changes nothing. None when `stop` was set.
///
/// # Panics
/// When a record cannot be fought, which [`Record::setup`] tells beforehand.
#[must_use]
pub fn expect(
    records: &[&Record],
    cards: &CardFile,
    fights: Fights,
    stop: &AtomicBool,
) -> Option<Vec<Expected>> {
    let of = |record: &&Record| {
        let setup = record.setup(cards).expect("a record that can be fought");
        let setup = setup.with_turn_ties(fights.turn_ties);
        let seed = battle_seed(fights.seed, record.number as u64);
        fight(&setup, record.winner, fights.runs, seed, stop)
    };
    parallel::map_all(records, of).into_iter().collect()
}

/// Fights one battle many times and counts its outcomes. None when `stop` was set.
fn fight(
    setup: &Setup,
    real: Outcome,
    runs: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Expected> {
    /// After how many battles `stop` is checked.
    const ASKED_EVERY: u64 = 1 << 12;
    let goes_on = |run: u64| !run.is_multiple_of(ASKED_EVERY) || !stop.load(Ordering::Relaxed);
    let ends = |run: u64| {
        let mut chance = Seeded::of_battle(seed, run);
        play::<Splinterlands, _, _>(setup, STRATUM, &mut chance, &mut Unwatched).outcome
    };
    let mut expected = Expected::default();
    for run in 0..runs {
        if !goes_on(run) {
            return None;
        }
        *expected.count(ends(run)) += 1;
    }
    let real = match real {
        Outcome::Win(Side::A) => |outcome| outcome == Outcome::Win(Side::A),
        Outcome::Win(_) => |outcome| outcome == Outcome::Win(Side::B),
        Outcome::Draw | Outcome::Undecided => {
            |outcome: Outcome| !matches!(outcome, Outcome::Win(_))
        }
    };
    for run in 0..runs.saturating_mul(Known::PATIENCE) {
        if !goes_on(run) {
            return None;
        }
        if real(ends(run)) {
            return Some(expected);
        }
    }
    expected.held_impossible = true;
    Some(expected)
}
