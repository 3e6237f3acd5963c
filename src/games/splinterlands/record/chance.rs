//! The dice of a battle that is fought again: from its record, or from the official generator.

use super::compare::Progress;
use super::{Action, Unit};
use crate::chance::{Arc4, Chance, Odds};
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::state::Place;

/// The dice of one stretch of a battle, and which of their faces have been tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Dice {
    thrown: Vec<Die>,
    depth: usize,
}

#[derive(Clone, Copy, Debug)]
struct Die {
    /// The face that the record suggests, which is tried first.
    likely: u32,
    faces: u32,
    /// How many faces have been tried before the present one.
    tried: u32,
}

impl Die {
    fn face(self) -> u32 {
        match self.tried {
            0 => self.likely,
            tried if tried <= self.likely => tried - 1,
            tried => tried,
        }
    }
}

impl Dice {
    /// Throws from the first die again.
    pub(super) fn rewind(&mut self) {
        self.depth = 0;
    }

    /// Turns the last die that has an untried face; false when there is none.
    pub(super) fn advance(&mut self) -> bool {
        self.thrown.truncate(self.depth);
        while let Some(mut die) = self.thrown.pop() {
            die.tried += 1;
            if die.tried < die.faces {
                self.thrown.push(die);
                return true;
            }
        }
        false
    }
}

/// Dice as recorded: where the next action tells how a die fell, that face is tried first; all others are tried in
/// turn.
pub(super) struct Recorded<'a> {
    pub progress: &'a Progress<'a>,
    pub dice: &'a mut Dice,
    /// The unit that the next dice are about.
    pub unit: u32,
}

impl Recorded<'_> {
    /// The face of a die that the record suggests.
    fn likely(&self, roll: Roll) -> u32 {
        let Some(next) = self.progress.upcoming() else { return 0 };
        match roll {
            Roll::Hit => u32::from(next.result.as_deref() != Some("miss")),
            Roll::TurnTie => {
                let acts = |&place: &Place| next.initiator == Some(Unit::Monster(place));
                self.progress.tied.get().position(|place| acts(&place)).unwrap_or(0) as u32
            }
            Roll::Retaliate => {
                let by = |action: &Action| match action.initiator {
                    Some(Unit::Monster(place)) => place.unit() == self.unit,
                    _ => false,
                };
                u32::from(next.kind == "melee attack" && by(next))
            }
            _ => 0,
        }
    }
}

impl Chance<Roll> for Recorded<'_> {
    fn draw(&mut self, roll: Roll, odds: Odds<'_>) -> u32 {
        if self.progress.parted.get() {
            return 0;
        }
        if self.dice.depth == self.dice.thrown.len() {
            let likely = self.likely(roll);
            self.dice.thrown.push(Die { likely, faces: odds.faces(), tried: 0 });
        }
        self.dice.depth += 1;
        self.dice.thrown[self.dice.depth - 1].face()
    }

    fn about(&mut self, unit: u32) {
        self.unit = unit;
    }
}

/// Dice as the official program throws them from a battle's seed. It takes a number for every die that the
/// official program throws, also where the outcome is certain.
#[derive(Clone, Debug)]
pub struct OfficialChance {
    numbers: Arc4,
}

impl OfficialChance {
    /// The dice of the battle with this seed.
    #[must_use]
    pub fn of_seed(seed: &str) -> Self {
        Self { numbers: Arc4::from_seed(seed) }
    }
}

impl Chance<Roll> for OfficialChance {
    fn draw(&mut self, roll: Roll, odds: Odds<'_>) -> u32 {
        match (roll, odds) {
            // The first team is always shaken first.
            (Roll::EarthquakeSide, _) => 0,
            // The one whose number is the larger is put last.
            (Roll::TurnTie, _) => {
                let (one, other) = (self.numbers.double(), self.numbers.double());
                u32::from(other < one)
            }
            (_, Odds::Percent(percent)) => {
                u32::from(self.numbers.double() < f64::from(percent) / 100.0)
            }
            (_, odds) => (self.numbers.double() * f64::from(odds.faces())) as u32,
        }
    }

    /// Throws the die even if its outcome is certain, as the official program does.
    fn percent(&mut self, roll: Roll, percent: u32) -> bool {
        self.draw(roll, Odds::Percent(percent)) == 1
    }

    /// Throws the die of Scattershot even if only one enemy is left, as the official program does.
    fn pick(&mut self, roll: Roll, count: usize) -> usize {
        if count > 1 || roll == Roll::Scattershot {
            self.draw(roll, Odds::Even(count as u32)) as usize
        } else {
            0
        }
    }
}
