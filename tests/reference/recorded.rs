//! The same dice for both implementations, with a list of the dice that were thrown.

use evens::chance::{Chance, Keyed, Odds, Roll};

/// A die that was thrown. Its face follows from its name, subject and odds, and from how many dice like it were thrown
/// before in the round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thrown {
    /// The number of its roll.
    pub roll: u8,
    /// The number of the unit that the die is about; 0 for none.
    pub about: u32,
    /// Its odds, in readable form.
    pub odds: String,
    /// The face it showed.
    pub face: u32,
}

/// Recorded dice, each a function of its address (see [`Keyed`]), so that the order in which different dice are thrown
/// does not matter.
#[derive(Clone, Debug)]
pub struct Recorded {
    dice: Keyed,
    about: u32,
    /// The number of a roll that counts as being about no unit, whatever the engine says: dice of this roll are told
    /// apart by their order only.
    nobodys: Option<u8>,
    thrown: Vec<Thrown>,
}

impl Recorded {
    pub fn new(seed: u64) -> Self {
        Self { dice: Keyed::of_battle(seed, 0), about: 0, nobodys: None, thrown: Vec::new() }
    }

    /// Treats this roll as being about no unit.
    pub fn with_nobodys(self, roll: impl Roll) -> Self {
        Self { nobodys: Some(roll.number()), ..self }
    }

    /// Takes the dice thrown since the last call, sorted by roll and unit; dice of one roll about one unit stay in the
    /// order in which they were thrown.
    pub fn take(&mut self) -> Vec<Thrown> {
        let mut thrown = std::mem::take(&mut self.thrown);
        thrown.sort_by_key(|die| (die.roll, die.about));
        thrown
    }
}

impl<R: Roll> Chance<R> for Recorded {
    fn draw(&mut self, roll: R, odds: Odds<'_>) -> u32 {
        let about = if self.nobodys == Some(roll.number()) { 0 } else { self.about };
        Chance::<R>::about(&mut self.dice, about);
        let face = self.dice.draw(roll, odds);
        let odds = format!("{} {odds:?}", roll.name());
        self.thrown.push(Thrown { roll: roll.number(), about, odds, face });
        face
    }

    fn round(&mut self, number: u32) {
        Chance::<R>::round(&mut self.dice, number);
        self.about = 0;
    }

    fn about(&mut self, unit: u32) {
        self.about = unit;
    }
}
