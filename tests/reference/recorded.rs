//! The same dice for both opinions, and a list of what was thrown.

use evens::chance::{Chance, Keyed, Odds, Roll};

/// A die that was thrown. What it shows follows from these and from how many like it were thrown in the round before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thrown {
    /// The number of its roll.
    pub roll: u8,
    /// Whom it was about.
    pub about: u32,
    /// Its odds, as people read them.
    pub odds: String,
    /// What it showed.
    pub face: u32,
}

/// Recorded dice, each a function of its address (see [`Keyed`]), so that the order in which different dice are thrown does not matter.
#[derive(Clone, Debug)]
pub struct Recorded {
    dice: Keyed,
    about: u32,
    /// The number of a roll that is about nobody whatever the engine says: its dice are told apart by their order.
    nobodys: Option<u8>,
    thrown: Vec<Thrown>,
}

impl Recorded {
    pub fn new(seed: u64) -> Self {
        Self { dice: Keyed::of_battle(seed, 0), about: 0, nobodys: None, thrown: Vec::new() }
    }

    /// Has this roll be about nobody.
    pub fn with_nobodys(self, roll: impl Roll) -> Self {
        Self { nobodys: Some(roll.number()), ..self }
    }

    /// What was thrown since this was last asked, sorted by die; dice of one name about one unit stay in the order in
    /// which they were thrown.
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
