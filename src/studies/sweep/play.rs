//! Plays the battles of a design.

use serde::{Deserialize, Serialize};

use super::Design;
use crate::batch::{Forgetful, Grouped, Keeper, Workers};
use crate::chance::{Stream, stream_seed};
use crate::engine::{Battle, Dice, Look, Place};
use crate::game::{Side, Stratum};
use crate::tally::{Forfeits, Kept, Record, Sum};

/// The largest number of sides that a game has.
const MOST_SIDES: usize = 8;

/// The counts of a sweep's battles: the points of each side in each arm, and their products with the points of the same
/// battles in the first arm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedTally {
    sides: usize,
    strata: usize,
    /// The number of battles of each stratum.
    battles: Vec<u64>,
    /// The points by arm, stratum and side.
    fared: Vec<Fared>,
    /// By arm and stratum: how many battles were forfeited.
    unfought: Vec<u64>,
    /// The forfeits of all arms together.
    forfeits: Forfeits,
}

/// Sums of a side's points over some battles ([`OutcomeMeasure::points`](crate::tally::OutcomeMeasure::points)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fared {
    /// The sum of the points.
    pub points: u64,
    /// The sum of the squared points.
    pub squares: u64,
    /// The sum over battles of the points in this arm times the points in the first arm.
    pub products: u64,
}

impl PairedTally {
    /// An empty tally for a design.
    #[must_use]
    pub fn new(design: &Design<'_>) -> Self {
        let (sides, strata) = (design.sides, design.strata());
        let of_arms = design.arms.len() * strata;
        Self {
            sides,
            strata,
            battles: vec![0; strata],
            fared: vec![Fared::default(); of_arms * sides],
            unfought: vec![0; of_arms],
            forfeits: Forfeits::new(sides),
        }
    }

    /// The number of battles of a stratum.
    #[must_use]
    pub fn battles(&self, stratum: usize) -> u64 {
        self.battles[stratum]
    }

    /// The points of a side in an arm's battles of a stratum.
    #[must_use]
    pub fn fared(&self, arm: usize, stratum: usize, side: usize) -> Fared {
        self.fared[self.at(arm, stratum, side)]
    }

    /// How many of an arm's battles of a stratum were forfeited.
    #[must_use]
    pub fn unfought(&self, arm: usize, stratum: usize) -> u64 {
        self.unfought[arm * self.strata + stratum]
    }

    /// How many battles were forfeited, over all arms together.
    #[must_use]
    pub fn forfeits(&self) -> &Forfeits {
        &self.forfeits
    }

    #[inline]
    fn at(&self, arm: usize, stratum: usize, side: usize) -> usize {
        (arm * self.strata + stratum) * self.sides + side
    }

    /// Adds the battles of another part (partial result) of the same design.
    pub fn merge(&mut self, other: &Self) {
        self.battles.iter_mut().zip(&other.battles).for_each(|(mine, theirs)| *mine += theirs);
        for (mine, theirs) in self.fared.iter_mut().zip(&other.fared) {
            mine.points += theirs.points;
            mine.squares += theirs.squares;
            mine.products += theirs.products;
        }
        self.unfought.iter_mut().zip(&other.unfought).for_each(|(mine, theirs)| *mine += theirs);
        self.forfeits.merge(&other.forfeits);
    }
}

impl Sum for PairedTally {
    fn merge(&mut self, other: &Self) {
        Self::merge(self, other);
    }
}

impl Kept for PairedTally {
    type Form = Self;

    fn form(&self) -> Self {
        self.clone()
    }

    fn of_form(&self, form: Self) -> Option<Self> {
        let shape = |tally: &Self| {
            let lengths = [&tally.battles, &tally.unfought, &tally.forfeits.by_side].map(Vec::len);
            (tally.sides, tally.strata, lengths, tally.fared.len())
        };
        (shape(&form) == shape(self)).then_some(form)
    }

    fn battles(&self) -> Option<u64> {
        Some(self.battles.iter().fold(0, |sum, battles| sum.saturating_add(*battles)))
    }
}

/// The result of playing a design.
#[derive(Clone, Debug)]
pub struct Played {
    /// The counts of the battles.
    pub tally: PairedTally,
    /// How many battles of the design were played, counted from its first.
    pub battles: u64,
}

/// Plays a design. `go_on` is told how many battles were played so far, and ends the sweep by returning false.
pub fn play(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    play_kept(design, seed, threads, &mut Forgetful, go_on)
}

/// Plays a design as [`play`] does, resuming from earlier counts if the keeper has any.
pub fn play_kept(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    keeper: &mut dyn Keeper<PairedTally>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    let first = &design.arms[0].engine;
    let accumulator = || (PairedTally::new(design), Record::new(first.layout()));
    let mut workers = Workers::new(threads, u64::MAX / 2, accumulator);
    let (tally, battles) = workers.count(
        design.battles(),
        PairedTally::new(design),
        |(tally, _)| tally,
        keeper,
        |(tally, record), battles| chunk(design, seed, tally, record, battles),
        go_on,
    );
    Played { tally, battles }
}

/// Plays the pilot of a design ([`Design::pilot`]), and then the rest by Neyman allocation ([`Design::rest`]).
pub fn play_after_pilot(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    play_after_pilot_kept(design, seed, threads, &mut |_, _| Some(Box::new(Forgetful)), go_on)
}

/// Returns the keeper for each of the two phases of a sweep, `pilot` and `rest`, given the design of that phase. None
/// ends the sweep before that phase.
pub type KeeperOf<'f, 'k> =
    &'f mut dyn FnMut(&str, &Design<'_>) -> Option<Box<dyn Keeper<PairedTally> + 'k>>;

/// Plays a design as [`play_after_pilot`] does, resuming from earlier counts if the keepers have any.
pub fn play_after_pilot_kept(
    design: &Design<'_>,
    seed: u64,
    threads: usize,
    keeper: KeeperOf<'_, '_>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Played {
    let pilot = design.pilot();
    let mut stopped = false;
    let Some(mut of_pilot) = keeper("pilot", &pilot) else {
        return Played { tally: PairedTally::new(design), battles: 0 };
    };
    let mut played = play_kept(&pilot, seed, threads, &mut *of_pilot, &mut |battles| {
        stopped = !go_on(battles);
        !stopped
    });
    // If a keeper lets only part of the pilot be played, the design of the rest is not known yet.
    if stopped || played.battles < pilot.battles() {
        return played;
    }
    let before = played.battles;
    let rest = design.rest(&played.tally);
    let after_pilot = stream_seed(seed, Stream::AfterPilot);
    let Some(mut of_rest) = keeper("rest", &rest) else { return played };
    let after = play_kept(&rest, after_pilot, threads, &mut *of_rest, &mut |battles| {
        go_on(before + battles)
    });
    played.tally.merge(&after.tally);
    played.battles += after.battles;
    played
}

/// Plays some battles, each in every arm that has its condition.
fn chunk(
    design: &Design<'_>,
    seed: u64,
    tally: &mut PairedTally,
    record: &mut Record,
    battles: Grouped,
) {
    for index in battles {
        let stratum = design.stratum(index);
        let condition = stratum % design.conditions();
        let matchup = (stratum / design.conditions()) as u32;
        tally.battles[stratum] += 1;
        let mut first = [0; MOST_SIDES];
        for (number, arm) in design.arms.iter().enumerate() {
            let Some(condition) = arm.conditions[condition] else { continue };
            let place = Place::Stratum(Stratum { matchup, condition });
            let battle = Battle { seed, index, dice: Dice::Keyed, place };
            arm.engine.play(battle, Look::default(), record);
            tally.unfought[number * tally.strata + stratum] += u64::from(record.forfeits != 0);
            tally.forfeits.add(record.forfeits);
            for (side, in_first) in first.iter_mut().enumerate().take(design.sides) {
                // A battle that the measure leaves out counts no points here: a sweep compares all battles.
                let of = design.measure.points(record.outcome, Side(side as u8), design.sides);
                let points = u64::from(of.unwrap_or(0));
                if number == 0 {
                    *in_first = points;
                }
                let at = tally.at(number, stratum, side);
                let fared = &mut tally.fared[at];
                fared.points += points;
                fared.squares += points * points;
                fared.products += points * *in_first;
            }
        }
    }
}
