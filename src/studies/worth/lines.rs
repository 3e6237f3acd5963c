//! Who brings what to a battle, as the regression reads it.

use super::design::{Design, MOST_SIDES};
use crate::game::{Outcome, Side};
use crate::lineups::LineUp;
use crate::tally::{OutcomeMeasure, Record};

/// How many copies of each unit the sides of one battle bring.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// One line for each unit, in the order of units.
    pub units: Vec<Line>,
    read: Vec<(u16, u8, u16)>,
}

/// How many copies of one unit each side brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub unit: u16,
    pub copies: [u16; MOST_SIDES],
}

impl Line {
    /// How many sides bring the unit.
    pub(super) fn sides(&self) -> u64 {
        self.copies.iter().filter(|&&copies| copies > 0).count() as u64
    }

    /// How many copies of the unit are in the battle.
    pub(super) fn all(&self) -> i64 {
        self.copies.iter().map(|&copies| i64::from(copies)).sum()
    }

    /// How many more copies a side brings than the mean of the other sides, times the number of these: the unit adds
    /// this many times its worth. In a duel, the side's own copies less the other's.
    pub(super) fn lead(&self, side: usize, sides: usize) -> i64 {
        sides as i64 * i64::from(self.copies[side]) - self.all()
    }
}

impl Lines {
    /// Reads a battle. Fighters of level 0 are not anybody: they are what happened, not what was brought.
    pub(super) fn read(&mut self, design: &Design<'_>, record: &Record) {
        self.read.clear();
        let matchup = record.stratum.matchup as usize;
        let sides = design.layout.sides;
        let mut is_known = [false; MOST_SIDES];
        for (side, known) in is_known.iter_mut().enumerate().take(sides) {
            if let Some(brought) = &design.brought[matchup * sides + side] {
                *known = true;
                let of = |&(unit, copies): &(u16, u32)| (unit, side as u8, copies as u16);
                self.read.extend(brought.iter().map(of));
            }
        }
        let fighters = record
            .fighters
            .iter()
            .filter(|fighter| fighter.level > 0 && !is_known[fighter.side.index()]);
        self.read.extend(fighters.map(|fighter| (fighter.unit, fighter.side.0, 1)));
        self.sort();
    }

    /// Reads the line-ups of a battle directly.
    pub(super) fn set(&mut self, line_ups: &[LineUp]) {
        self.read.clear();
        for (side, line_up) in line_ups.iter().enumerate() {
            self.read.extend(line_up.choices().iter().map(|&choice| (choice, side as u8, 1)));
        }
        self.sort();
    }

    fn sort(&mut self) {
        self.read.sort_unstable();
        self.units.clear();
        for &(unit, side, copies) in &self.read {
            if self.units.last().is_none_or(|last| last.unit != unit) {
                self.units.push(Line { unit, copies: [0; MOST_SIDES] });
            }
            let last = self.units.last_mut().expect("one was pushed");
            last.copies[usize::from(side)] += copies;
        }
    }
}

/// A side's points less an equal share of all points, in parts of a win; a win has as many parts as there are sides.
pub(super) fn lead(outcome: Outcome, side: usize, sides: usize) -> i64 {
    let points = OutcomeMeasure::Score.points(outcome, Side(side as u8), sides);
    i64::from(points.unwrap_or(1)) - 1
}
