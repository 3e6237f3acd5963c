//! All randomness. Every die in every game, the draw of conditions before a battle included, is thrown through
//! [`Chance`] under the name of its roll, so one choke point serves play, tests, exact odds and replays.
//!
//! | source | what decides | used for |
//! |---|---|---|
//! | [`Seeded`] | xoshiro256++ from (master seed, battle index) | sampling |
//! | [`Keyed`] | a hash of the battle, the round, the roll and whom it is about | comparing variants |
//! | [`Scripted`] | a list of named outcomes; a missing or unused one fails | rulebook cases |
//! | [`Every`] | all outcomes in turn, each with its exact probability | exact odds |
//! | [`Descent`] | each possible outcome as often as the others | how many outcomes there are |
//!
//! [`Arc4`] is no source by itself: a game that can be played with another program's numbers reads them from it.

mod arc4;
mod descent;
mod every;
mod keyed;
mod scripted;
mod seeded;
mod streams;
mod uniform;
mod whole;

pub use arc4::Arc4;
pub use descent::Descent;
pub use every::Every;
pub use keyed::Keyed;
pub use scripted::Scripted;
pub use seeded::{Seeded, battle_index, battle_seed};
pub use streams::{Stream, stream_seed};
pub(crate) use whole::{Whole, common_divisor};

use std::fmt::Debug;

/// The name of a die. Each game has one closed enum of them in its `rolls.rs`.
pub trait Roll: Copy + Eq + Debug + Send + Sync + 'static {
    /// The roll's name as people read it.
    fn name(self) -> &'static str;

    /// The roll's place in the enum, from 0. Which [`Keyed`] dice a roll has depends on it, so new
    /// rolls go to the end.
    fn number(self) -> u8;
}

/// The odds of a die: how many faces it has and how likely each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odds<'a> {
    /// Face 1 (yes) with this many percent, 1 to 99; face 0 (no) otherwise.
    Percent(u32),
    /// Faces 0 to n-1, equally likely; n is at least 2.
    Even(u32),
    /// Face i in proportion to weight i; at least one weight is positive.
    Weighted(&'a [u64]),
    /// Face i in proportion to bound i less the bound before it: [`Odds::Weighted`] by cumulative weights. The last
    /// bound, which is positive, is the sum of all. For dice of many faces that are thrown again and again.
    Cumulative(&'a [u64]),
}

impl Odds<'_> {
    /// How many faces the die has.
    #[must_use]
    pub fn faces(&self) -> u32 {
        match self {
            Odds::Percent(_) => 2,
            Odds::Even(n) => *n,
            Odds::Weighted(weights) => weights.len() as u32,
            Odds::Cumulative(bounds) => bounds.len() as u32,
        }
    }

    /// The probability of a face as (numerator, denominator).
    #[must_use]
    pub fn probability(&self, face: u32) -> (u64, u64) {
        match self {
            Odds::Percent(p) => (u64::from(if face == 1 { *p } else { 100 - *p }), 100),
            Odds::Even(n) => (1, u64::from(*n)),
            Odds::Weighted(weights) => (weights[face as usize], weights.iter().sum()),
            Odds::Cumulative(bounds) => {
                let face = face as usize;
                let before = if face == 0 { 0 } else { bounds[face - 1] };
                (bounds[face] - before, bounds[bounds.len() - 1])
            }
        }
    }
}

/// A source of dice.
///
/// A game calls the provided methods. Outcomes that are certain are never thrown, so a source sees
/// only real dice.
pub trait Chance<R: Roll> {
    /// Throws one die and returns its face.
    fn draw(&mut self, roll: R, odds: Odds<'_>) -> u32;

    /// A round begins. [`play`](crate::game::play) calls this; rules need not.
    #[inline(always)]
    fn round(&mut self, _number: u32) {}

    /// Says which unit the dice thrown from here on are about, by any number that is the same in battles that are to be
    /// compared. It holds until another unit is named or a round begins; 0 is no unit in particular. Only [`Keyed`]
    /// dice listen.
    #[inline(always)]
    fn about(&mut self, _unit: u32) {}

    /// A number that tells the battle of these dice from every other, from a source whose dice are the same wherever
    /// the same thing is thrown in a battle: what was drawn for the battle once need not be drawn again. None from any
    /// other source.
    #[inline(always)]
    fn battle(&self) -> Option<u64> {
        None
    }

    /// Chooses among very many choices that can be numbered: a whole number below `bound`, each equally likely. None
    /// from a source that has to see such a choice step by step, each step with its odds: the choice then has to be
    /// drawn in steps, with the same probabilities, if from other dice.
    #[inline(always)]
    fn number_below(&mut self, _roll: R, _bound: u64) -> Option<u64> {
        None
    }

    /// Whether something of `percent` in 100 happens. 0 or less never does, 100 or more always does.
    #[inline]
    fn percent(&mut self, roll: R, percent: u32) -> bool {
        match percent {
            0 => false,
            1..100 => self.draw(roll, Odds::Percent(percent)) == 1,
            _ => true,
        }
    }

    /// One of `count` equally likely choices, 0 to `count - 1`. `count` must not be 0.
    #[inline]
    fn pick(&mut self, roll: R, count: usize) -> usize {
        debug_assert!(count > 0, "a pick among nothing");
        if count < 2 { 0 } else { self.draw(roll, Odds::Even(count as u32)) as usize }
    }

    /// An index in proportion to its weight. At least one weight must be positive.
    #[inline]
    fn weighted(&mut self, roll: R, weights: &[u64]) -> usize {
        let mut positive = weights.iter().enumerate().filter(|&(_, &w)| w > 0);
        match (positive.next(), positive.next()) {
            (Some((only, _)), None) => only,
            _ => self.draw(roll, Odds::Weighted(weights)) as usize,
        }
    }

    /// A whole number from `low` to `high`, both included, equally likely.
    #[inline]
    fn between(&mut self, roll: R, low: i32, high: i32) -> i32 {
        low + self.pick(roll, (high - low + 1) as usize) as i32
    }

    /// Puts `items` into one of their equally likely orders: position 0 is picked among all, position 1
    /// among the rest, and so on.
    #[inline]
    fn shuffle<T>(&mut self, roll: R, items: &mut [T])
    where
        Self: Sized,
    {
        for first in 0..items.len().saturating_sub(1) {
            let chosen = first + self.pick(roll, items.len() - first);
            items.swap(first, chosen);
        }
    }
}

impl<R: Roll, C: Chance<R> + ?Sized> Chance<R> for &mut C {
    #[inline]
    fn draw(&mut self, roll: R, odds: Odds<'_>) -> u32 {
        (**self).draw(roll, odds)
    }

    #[inline]
    fn round(&mut self, number: u32) {
        (**self).round(number);
    }

    #[inline]
    fn about(&mut self, unit: u32) {
        (**self).about(unit);
    }

    #[inline]
    fn battle(&self) -> Option<u64> {
        (**self).battle()
    }

    #[inline]
    fn number_below(&mut self, roll: R, bound: u64) -> Option<u64> {
        (**self).number_below(roll, bound)
    }

    // A source may throw dice that others need not.
    #[inline]
    fn percent(&mut self, roll: R, percent: u32) -> bool {
        (**self).percent(roll, percent)
    }

    #[inline]
    fn pick(&mut self, roll: R, count: usize) -> usize {
        (**self).pick(roll, count)
    }

    #[inline]
    fn weighted(&mut self, roll: R, weights: &[u64]) -> usize {
        (**self).weighted(roll, weights)
    }
}
