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

/// Luck with an address (see [`Keyed`]), so that the order in which different dice are thrown does not matter.
#[derive(Clone, Debug)]
pub struct Recorded {
    luck: Keyed,
    about: u32,
    thrown: Vec<Thrown>,
}

impl Recorded {
    pub fn new(seed: u64) -> Self {
        Self { luck: Keyed::of_battle(seed, 0), about: 0, thrown: Vec::new() }
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
        let face = self.luck.draw(roll, odds);
        let odds = format!("{} {odds:?}", roll.name());
        self.thrown.push(Thrown { roll: roll.number(), about: self.about, odds, face });
        face
    }

    fn round(&mut self, number: u32) {
        Chance::<R>::round(&mut self.luck, number);
        self.about = 0;
    }

    fn about(&mut self, unit: u32) {
        Chance::<R>::about(&mut self.luck, unit);
        self.about = unit;
    }
}
