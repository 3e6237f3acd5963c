//! The sum of many battles.

use super::orders::add_all;
use super::{Layout, Orders, Pairs, Record, Strata};
use crate::game::{Outcome, Side};

/// How a set of battles ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many battles.
    pub battles: u64,
    /// How many of them each side won.
    pub wins: Vec<u64>,
    /// How many were drawn.
    pub draws: u64,
    /// How many ended with nothing decided.
    pub undecided: u64,
    /// How many lasted 0, 1, 2, ... rounds.
    pub lengths: Vec<u64>,
    /// The sum of each metric.
    pub sums: Vec<i128>,
    /// The sum of each metric's squares.
    pub squares: Vec<i128>,
}

impl Count {
    /// No battles yet.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        Self {
            wins: vec![0; layout.sides],
            lengths: vec![0; layout.longest as usize + 1],
            sums: vec![0; layout.metrics.len()],
            squares: vec![0; layout.metrics.len()],
            ..Self::default()
        }
    }

    /// No battles yet, and no place for lengths and metrics.
    pub(super) fn of_sides(sides: usize) -> Self {
        Self { wins: vec![0; sides], ..Self::default() }
    }

    #[inline]
    fn add_outcome(&mut self, outcome: Outcome) {
        self.battles += 1;
        match outcome {
            Outcome::Win(side) => self.wins[side.index()] += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Undecided => self.undecided += 1,
        }
    }

    #[inline]
    fn add(&mut self, record: &Record) {
        self.add_outcome(record.outcome);
        self.lengths[record.rounds as usize] += 1;
        for (metric, &value) in record.metrics.iter().enumerate() {
            self.sums[metric] += i128::from(value);
            self.squares[metric] += i128::from(value) * i128::from(value);
        }
    }

    /// Adds the battles of another set.
    pub fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        add_all(&mut self.wins, &other.wins);
        self.draws += other.draws;
        self.undecided += other.undecided;
        // A stratum has no lengths and no metrics.
        if !other.lengths.is_empty() && !self.lengths.is_empty() {
            add_all(&mut self.lengths, &other.lengths);
            add_all(&mut self.sums, &other.sums);
            add_all(&mut self.squares, &other.squares);
        }
    }
}

/// How one unit fared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitCount {
    /// How often it took part (twice when both sides brought it, or one brought two).
    pub played: u64,
    /// How often its side won.
    pub won: u64,
    /// How often it was still there at the end.
    pub survived: u64,
    /// Hit points it took from others in all.
    pub dealt: u64,
    /// Hit points it lost to others in all.
    pub taken: u64,
}

impl UnitCount {
    fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.won += other.won;
        self.survived += other.survived;
        self.dealt += other.dealt;
        self.taken += other.taken;
    }
}

/// What units are counted by, besides as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Breakdown {
    /// Nothing else.
    #[default]
    Whole,
    /// Each factor by itself: in a battle of two factors a unit counts for both.
    Factor,
    /// Each condition.
    Condition,
}

impl Breakdown {
    /// How many parts there are.
    pub(super) fn parts(self, layout: &Layout) -> usize {
        match self {
            Breakdown::Whole => 0,
            Breakdown::Factor => layout.factors.len(),
            Breakdown::Condition => layout.conditions.len(),
        }
    }
}

/// How a unit fared in a part of the battles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Appearances {
    /// How often it took part.
    pub played: u64,
    /// How often its side won.
    pub won: u64,
    /// How often another side won.
    pub lost: u64,
}

impl Appearances {
    #[inline]
    fn add(&mut self, side: Side, outcome: Outcome) {
        self.played += 1;
        if let Outcome::Win(winner) = outcome {
            let count = if winner == side { &mut self.won } else { &mut self.lost };
            *count += 1;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.won += other.won;
        self.lost += other.lost;
    }
}

/// The sum of many battles of one setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// By match-up.
    pub matchups: Vec<Count>,
    /// By stratum: how its battles ended, without lengths and metrics.
    pub strata: Strata,
    /// By unit.
    pub units: Vec<UnitCount>,
    /// By part of the breakdown that was asked for, then by unit: the entry of part `p` and unit `u` is at
    /// `p * units + u`.
    pub appearances: Vec<Appearances>,
    breakdown: Breakdown,
    /// By two units of one team, where that was asked for.
    pub pairs: Option<Pairs>,
    /// By moment and order.
    pub orders: Orders,
}

impl Tally {
    /// An empty sum.
    #[must_use]
    pub fn new(layout: &Layout, breakdown: Breakdown) -> Self {
        let cells = breakdown.parts(layout) * layout.units.len();
        Self {
            matchups: vec![Count::new(layout); layout.matchups.len()],
            strata: Strata::new(layout.strata(), layout.sides),
            units: vec![UnitCount::default(); layout.units.len()],
            appearances: vec![Appearances::default(); cells],
            breakdown,
            pairs: None,
            orders: Orders::default(),
        }
    }

    /// An empty sum that also counts pairs of units.
    #[must_use]
    pub fn with_pairs(self, layout: &Layout, breakdown: Breakdown) -> Self {
        Self { pairs: Some(Pairs::new(layout, breakdown)), ..self }
    }

    /// Adds one battle.
    pub fn add(&mut self, layout: &Layout, record: &Record) {
        self.matchups[record.stratum.matchup as usize].add(record);
        self.strata[layout.index(record.stratum)].add_outcome(record.outcome);
        for fighter in &record.fighters {
            let won = record.outcome == Outcome::Win(fighter.side);
            let unit = &mut self.units[usize::from(fighter.unit)];
            unit.played += 1;
            unit.won += u64::from(won);
            unit.survived += u64::from(fighter.survived);
            unit.dealt += u64::from(fighter.dealt);
            unit.taken += u64::from(fighter.taken);
        }
        let condition = record.stratum.condition as usize;
        match self.breakdown {
            Breakdown::Whole => {}
            Breakdown::Factor => {
                for &factor in &layout.conditions[condition].factors {
                    self.add_appearances(layout, usize::from(factor), record);
                }
            }
            Breakdown::Condition => self.add_appearances(layout, condition, record),
        }
        if let Some(pairs) = &mut self.pairs {
            pairs.add(layout, record);
        }
        self.orders.add(record, layout.sides);
    }

    #[inline]
    fn add_appearances(&mut self, layout: &Layout, part: usize, record: &Record) {
        let units = layout.units.len();
        let row = &mut self.appearances[part * units..][..units];
        for fighter in &record.fighters {
            row[usize::from(fighter.unit)].add(fighter.side, record.outcome);
        }
    }

    /// Adds the battles of another batch of the same setup.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.matchups.iter_mut().zip(&other.matchups) {
            mine.merge(theirs);
        }
        self.strata.merge(&other.strata);
        for (mine, theirs) in self.units.iter_mut().zip(&other.units) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.appearances.iter_mut().zip(&other.appearances) {
            mine.merge(theirs);
        }
        if let (Some(mine), Some(theirs)) = (&mut self.pairs, &other.pairs) {
            mine.merge(theirs);
        }
        self.orders.merge(&other.orders);
    }

    /// How many battles were added.
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.strata.met().map(|(_, count)| count.battles).sum()
    }

    /// The sum over the strata that `keep` selects by (match-up, condition). Lengths and metrics are those of the
    /// match-ups that are selected under every condition: they are not counted by condition.
    #[must_use]
    pub fn count(&self, layout: &Layout, keep: impl Fn(usize, usize) -> bool) -> Count {
        let mut sum = Count::new(layout);
        for (matchup, count) in self.matchups.iter().enumerate() {
            if (0..layout.conditions.len()).all(|condition| keep(matchup, condition)) {
                sum.merge(count);
                continue;
            }
            let start = matchup * layout.conditions.len();
            for (condition, count) in
                self.strata.range(start..start + layout.conditions.len()).enumerate()
            {
                if count.battles > 0 && keep(matchup, condition) {
                    sum.merge(count);
                }
            }
        }
        sum
    }
}
