//! Plays the battles of a design.

use std::ops::Range;

use super::Design;
use crate::batch::Crew;
use crate::chance::Keyed;
use crate::game::{Game, Outcome, Stratum, Unwatched, play as play_battle};

/// How the battles of a design ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    sides: usize,
    strata: usize,
    /// Battles by stratum.
    battles: Vec<u64>,
    /// Wins by arm, stratum and side.
    wins: Vec<u64>,
    /// Battles that a side won in this arm and in the first, likewise.
    both: Vec<u64>,
}

impl Tally {
    /// No battles yet.
    #[must_use]
    pub fn new<S>(design: &Design<'_, S>) -> Self {
        let (sides, strata) = (design.sides, design.strata());
        let counts = vec![0; design.arms.len() * strata * sides];
        Self { sides, strata, battles: vec![0; strata], wins: counts.clone(), both: counts }
    }

    /// Battles of a stratum.
    #[must_use]
    pub fn battles(&self, stratum: usize) -> u64 {
        self.battles[stratum]
    }

    /// Battles of a stratum that a side won in an arm.
    #[must_use]
    pub fn wins(&self, arm: usize, stratum: usize, side: usize) -> u64 {
        self.wins[self.at(arm, stratum, side)]
    }

    /// Battles of a stratum that a side won in an arm and in the first one.
    #[must_use]
    pub fn both(&self, arm: usize, stratum: usize, side: usize) -> u64 {
        self.both[self.at(arm, stratum, side)]
    }

    #[inline]
    fn at(&self, arm: usize, stratum: usize, side: usize) -> usize {
        (arm * self.strata + stratum) * self.sides + side
    }

    /// Adds the battles of another part of the same design.
    pub fn merge(&mut self, other: &Self) {
        let pairs = [
            (&mut self.battles, &other.battles),
            (&mut self.wins, &other.wins),
            (&mut self.both, &other.both),
        ];
        for (mine, theirs) in pairs {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
    }
}

/// What came of playing a design.
#[derive(Clone, Debug)]
pub struct Played {
    /// How the battles ended.
    pub tally: Tally,
    /// How many battles of the design were played: its first ones.
    pub battles: u64,
}

/// Plays a design. `go_on` is told how many battles were played and how they stand, and ends the sweep by saying no.
///
/// # Panics
/// When the operating system gives no threads.
pub fn play<G: Game>(
    design: &Design<'_, G::Setup>,
    seed: u64,
    threads: usize,
    mut go_on: impl FnMut(u64) -> bool,
) -> Played {
    let mut crew = Crew::new(threads, u64::MAX / 2, || Tally::new(design));
    let mut played = 0;
    while played < design.battles() {
        let left = played..design.battles();
        (played, _) = crew.wave(left, |tally, battles| chunk::<G>(design, seed, tally, battles));
        if !go_on(played) {
            break;
        }
    }
    let mut tally = Tally::new(design);
    for part in crew.belongings() {
        tally.merge(&part);
    }
    Played { tally, battles: played }
}

/// What keeps the battles after a pilot apart from those of the pilot, which are numbered from 0 as well.
const AFTER_PILOT: u64 = 0x9e37_79b9_0070_1107;

/// Plays a quarter of a design, and then the rest where it narrows the win rates most ([`Design::rest`]).
///
/// # Panics
/// When the operating system gives no threads.
pub fn play_after_pilot<G: Game>(
    design: &Design<'_, G::Setup>,
    seed: u64,
    threads: usize,
    mut go_on: impl FnMut(u64) -> bool,
) -> Played {
    let pilot = design.pilot();
    let mut stopped = false;
    let mut played = play::<G>(&pilot, seed, threads, |battles| {
        stopped = !go_on(battles);
        !stopped
    });
    if stopped {
        return played;
    }
    let before = played.battles;
    let rest = design.rest(&played.tally);
    let after = play::<G>(&rest, seed ^ AFTER_PILOT, threads, |battles| go_on(before + battles));
    played.tally.merge(&after.tally);
    played.battles += after.battles;
    played
}

/// Plays some battles in every arm that has their conditions.
fn chunk<G: Game>(
    design: &Design<'_, G::Setup>,
    seed: u64,
    tally: &mut Tally,
    battles: Range<u64>,
) {
    for index in battles {
        let stratum = design.stratum(index);
        let condition = stratum % design.conditions();
        let matchup = (stratum / design.conditions()) as u32;
        tally.battles[stratum] += 1;
        let mut first = None;
        for (number, arm) in design.arms.iter().enumerate() {
            let Some(condition) = arm.conditions[condition] else { continue };
            let mut luck = Keyed::of_battle(seed, index);
            let place = Stratum { matchup, condition };
            let ended = play_battle::<G, _, _>(arm.setup, place, &mut luck, &mut Unwatched);
            let Outcome::Win(side) = ended.outcome else { continue };
            let at = tally.at(number, stratum, side.index());
            tally.wins[at] += 1;
            if number == 0 {
                first = Some(side);
            }
            tally.both[at] += u64::from(first == Some(side));
        }
    }
}
