//! The dice that the engine has rolled, recorded for the reference implementation.
//!
//! The reference implementation asks for a die by its name and odds. It gets the first die of that name that it has not
//! had yet. A die with other odds, a die that was never thrown and a die that nobody asked for are failures. So both
//! implementations must throw the same dice of every name in the same order, and only dice of different names may
//! change places.

use std::collections::VecDeque;

use evens::chance::{Chance, Odds, Roll, Seeded};

/// One die that was thrown.
#[derive(Clone, Debug)]
pub struct Thrown<R> {
    roll: R,
    chances: Vec<(u64, u64)>,
    face: u32,
}

fn chances(odds: Odds<'_>) -> Vec<(u64, u64)> {
    (0..odds.faces()).map(|face| odds.probability(face)).collect()
}

/// Dice for the engine, which records what it rolled.
#[derive(Clone, Debug)]
pub struct Recorder<R> {
    dice: Seeded,
    thrown: Vec<Thrown<R>>,
}

impl<R: Roll> Recorder<R> {
    /// Dice from a seed; any seed will do.
    pub fn new(seed: u64) -> Self {
        Self { dice: Seeded::from_seed(seed), thrown: Vec::new() }
    }

    /// Takes the dice that were thrown since the last call.
    pub fn take(&mut self) -> Tape<R> {
        Tape { left: std::mem::take(&mut self.thrown).into() }
    }
}

impl<R: Roll> Chance<R> for Recorder<R> {
    fn draw(&mut self, roll: R, odds: Odds<'_>) -> u32 {
        let chances = chances(odds);
        let possible: Vec<usize> = (0..chances.len()).filter(|&face| chances[face].0 > 0).collect();
        let face = possible[self.dice.below(possible.len() as u32) as usize] as u32;
        self.thrown.push(Thrown { roll, chances, face });
        face
    }
}

/// The dice of one round.
#[derive(Clone, Debug)]
pub struct Tape<R> {
    left: VecDeque<Thrown<R>>,
}

impl<R: Roll> Tape<R> {
    fn find(&mut self, roll: R, odds: Odds<'_>) -> u32 {
        let Some(at) = self.left.iter().position(|thrown| thrown.roll == roll) else {
            panic!("the engine threw no (further) {}: {odds:?}", roll.name());
        };
        let thrown = self.left.remove(at).expect("it was there");
        assert_eq!(thrown.chances, chances(odds), "odds of {}", roll.name());
        thrown.face
    }

    /// Whether something of `percent` in 100 happens.
    pub fn percent(&mut self, roll: R, percent: u32) -> bool {
        match percent {
            0 => false,
            1..100 => self.find(roll, Odds::Percent(percent)) == 1,
            _ => true,
        }
    }

    /// One of `count` options, each equally likely.
    pub fn pick(&mut self, roll: R, count: usize) -> usize {
        assert!(count > 0, "{} among nobody", roll.name());
        if count == 1 { 0 } else { self.find(roll, Odds::Even(count as u32)) as usize }
    }

    /// Fails if the engine threw a die that nobody asked for.
    pub fn finish(&self) {
        assert!(self.left.is_empty(), "thrown by the engine alone: {:?}", self.left);
    }
}
