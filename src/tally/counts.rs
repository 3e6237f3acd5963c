//! Whole numbers that are added up over battles: outcomes, what units did, and how units fared.

use serde::{Deserialize, Serialize};

use super::orders::add_all;
use super::{Fighter, Layout, Record};
use crate::game::Outcome;

/// How a set of battles ended: outcomes, forfeits, lengths and metrics.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// How many battles.
    pub battles: u64,
    /// How many of them each side won.
    pub wins: Vec<u64>,
    /// How many were drawn.
    pub draws: u64,
    /// How many were undecided.
    pub undecided: u64,
    /// By side: how many it forfeited before they began. They count among wins and draws, but in no length or metric.
    pub forfeits: Vec<u64>,
    /// How many of them were forfeited by any side.
    pub unfought: u64,
    /// How many of those that were fought lasted 0, 1, 2, ... rounds.
    pub lengths: Vec<u64>,
    /// The sum of each metric over the battles that were fought.
    pub sums: Vec<i128>,
    /// The sum of each metric's squares.
    pub squares: Vec<i128>,
}

impl Count {
    /// No battles yet.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        Self {
            lengths: vec![0; layout.longest as usize + 1],
            sums: vec![0; layout.metrics.len()],
            squares: vec![0; layout.metrics.len()],
            ..Self::of_sides(layout.sides)
        }
    }

    /// No battles yet, and no place for lengths and metrics.
    pub(crate) fn of_sides(sides: usize) -> Self {
        Self { wins: vec![0; sides], forfeits: vec![0; sides], ..Self::default() }
    }

    #[inline]
    pub(super) fn add_outcome(&mut self, outcome: Outcome, forfeits: u8) {
        self.battles += 1;
        match outcome {
            Outcome::Win(side) => self.wins[side.index()] += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Undecided => self.undecided += 1,
        }
        if forfeits != 0 {
            self.unfought += 1;
            for (side, count) in self.forfeits.iter_mut().enumerate() {
                *count += u64::from(forfeits >> side & 1);
            }
        }
    }

    #[inline]
    pub(super) fn add(&mut self, record: &Record) {
        self.add_outcome(record.outcome, record.forfeits);
        if record.forfeits != 0 {
            return;
        }
        self.lengths[record.rounds as usize] += 1;
        for (metric, &value) in record.metrics.iter().enumerate() {
            self.sums[metric] += i128::from(value);
            self.squares[metric] += i128::from(value) * i128::from(value);
        }
    }

    /// How many were fought: those that no side forfeited.
    #[must_use]
    pub fn fought(&self) -> u64 {
        self.battles - self.unfought
    }

    /// Adds the battles of another set.
    pub fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        add_all(&mut self.wins, &other.wins);
        self.draws += other.draws;
        self.undecided += other.undecided;
        add_all(&mut self.forfeits, &other.forfeits);
        self.unfought += other.unfought;
        // A stratum has no lengths and no metrics.
        if !other.lengths.is_empty() && !self.lengths.is_empty() {
            add_all(&mut self.lengths, &other.lengths);
            add_all(&mut self.sums, &other.sums);
            add_all(&mut self.squares, &other.squares);
        }
    }
}

/// How often one unit of one contender was in battle, and what it did there. A unit can be in a battle several times:
/// in copies, or on both sides where a contender meets itself. What its score is estimated from is in
/// [`Tally::fared`](super::Tally::fared).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitCount {
    /// How often it took part.
    pub played: u64,
    /// How often its side won.
    pub won: u64,
    /// How often nobody won.
    pub shared: u64,
    /// How often it was still there at the end.
    pub survived: u64,
    /// Hit points it took from others in all.
    pub dealt: u64,
    /// Hit points it lost in all: to others, and to what nobody is credited with, such as a ruleset.
    pub taken: u64,
}

/// What a fighter did in some battles: survivals and damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Deeds {
    survived: u64,
    dealt: u64,
    taken: u64,
}

impl Deeds {
    /// Nothing done.
    pub(super) const NONE: Self = Self { survived: 0, dealt: 0, taken: 0 };

    /// Adds what a fighter did in one more battle.
    #[inline]
    pub(super) fn add(&mut self, fighter: &Fighter) {
        self.merge(&Self::of(fighter));
    }

    #[inline]
    pub(super) fn of(fighter: &Fighter) -> Self {
        Self {
            survived: u64::from(fighter.survived),
            dealt: u64::from(fighter.dealt),
            taken: u64::from(fighter.taken),
        }
    }

    #[inline]
    pub(super) fn merge(&mut self, other: &Self) {
        self.survived += other.survived;
        self.dealt += other.dealt;
        self.taken += other.taken;
    }
}

impl UnitCount {
    #[inline]
    pub(super) fn add_deeds(&mut self, deeds: &Deeds) {
        self.survived += deeds.survived;
        self.dealt += deeds.dealt;
        self.taken += deeds.taken;
    }

    /// Adds the counts of other battles.
    pub fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.won += other.won;
        self.shared += other.shared;
        self.survived += other.survived;
        self.dealt += other.dealt;
        self.taken += other.taken;
    }
}

/// Appearances and their points, with the sums that the variance of the mean needs: several appearances in one battle
/// are not independent of each other, battles are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clustered {
    /// How many appearances there are in battles that the measure looks at.
    pub times: u64,
    /// Their points ([`OutcomeMeasure::points`](super::OutcomeMeasure::points)).
    pub points: u64,
    /// The sum over battles of the number of appearances, squared.
    pub times_squared: u64,
    /// The sum over battles of the number of appearances times their points.
    pub times_by_points: u64,
    /// The sum over battles of the appearances' points, squared.
    pub points_squared: u64,
}

/// The sums of appearances in the battles of one match-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stratified {
    /// How many battles the match-up has, including those without any appearance.
    pub battles: u64,
    /// The appearances in these battles.
    pub fared: Clustered,
}

impl From<Clustered> for Stratified {
    /// Takes everything as one stratum.
    fn from(fared: Clustered) -> Self {
        Self { battles: fared.times, fared }
    }
}

impl Clustered {
    /// The sums over several strata.
    #[must_use]
    pub fn sum_of(strata: &[Stratified]) -> Self {
        let mut sum = Self::default();
        strata.iter().for_each(|of| sum.merge(&of.fared));
        sum
    }

    /// In how many battles the appearances are, where none has more than two of them, as in duels between sides that
    /// have nothing twice; otherwise no more than that.
    #[must_use]
    pub fn battles(&self) -> u64 {
        let of_one_or_two = (3 * self.times).saturating_sub(self.times_squared) / 2;
        let (times, squared) = (u128::from(self.times), u128::from(self.times_squared));
        of_one_or_two.max((times * times / squared.max(1)) as u64)
    }

    /// What one more appearance in a battle adds, given the number of earlier ones in it and their points.
    #[inline]
    pub(super) fn step((times, had): (u32, u32), points: u32) -> Self {
        let (times, had, points) = (u64::from(times), u64::from(had), u64::from(points));
        Self {
            times: 1,
            points,
            times_squared: 2 * times + 1,
            times_by_points: times * points + had + points,
            points_squared: (2 * had + points) * points,
        }
    }

    /// The sums of one battle in which a unit appears once for each of these points.
    pub(super) fn of_appearances(points: &[u32]) -> Self {
        let mut sum = Self::default();
        for (times, &points) in points.iter().enumerate() {
            sum.merge(&Self::step((times as u32, sum.points as u32), points));
        }
        sum
    }

    /// The sums of so many such battles.
    #[inline]
    pub(super) fn of(self, battles: u64) -> Self {
        Self {
            times: self.times * battles,
            points: self.points * battles,
            times_squared: self.times_squared * battles,
            times_by_points: self.times_by_points * battles,
            points_squared: self.points_squared * battles,
        }
    }

    /// Adds the sums of other battles, or what one more appearance adds.
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        self.times += other.times;
        self.points += other.points;
        self.times_squared += other.times_squared;
        self.times_by_points += other.times_by_points;
        self.points_squared += other.points_squared;
    }
}

/// What units are counted by, besides over all battles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Breakdown {
    /// Nothing more.
    #[default]
    Whole,
    /// Each factor by itself: in a battle of two factors a unit counts for both.
    Factor,
    /// Each condition. The sums of single units by condition are then over all contenders; pairs stay by contender.
    Condition,
}

impl Breakdown {
    /// How many parts there are besides the whole.
    pub(super) fn parts(self, layout: &Layout) -> usize {
        match self {
            Breakdown::Whole => 0,
            Breakdown::Factor => layout.factors.len(),
            Breakdown::Condition => layout.conditions.len(),
        }
    }
}

/// How a unit fared under a factor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appearances {
    /// How often it took part.
    pub played: u64,
    /// How often its side won.
    pub won: u64,
    /// How often another side won.
    pub lost: u64,
}

impl Appearances {
    /// How often nobody won.
    #[must_use]
    pub fn shared(&self) -> u64 {
        self.played - self.won - self.lost
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.won += other.won;
        self.lost += other.lost;
    }
}
