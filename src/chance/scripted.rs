//! Dice from a script: every roll is expected by name and given its outcome.

use std::collections::VecDeque;

use super::{Chance, Odds, Roll};

/// Dice whose faces were written down beforehand.
///
/// A roll that the script does not expect next, an outcome that the die does not have, and an outcome
/// that was never asked for each fail loudly: a rulebook case says exactly which dice it throws.
///
/// ```
/// use evens::chance::{Chance, Roll, Scripted};
///
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// enum Die { Coin }
/// impl Roll for Die {
///     fn name(self) -> &'static str { "coin" }
///     fn number(self) -> u8 { self as u8 }
/// }
///
/// let mut dice = Scripted::new([(Die::Coin, 1), (Die::Coin, 0)]);
/// assert!(dice.percent(Die::Coin, 50));
/// assert!(!dice.percent(Die::Coin, 50));
/// dice.finish();
/// ```
#[derive(Clone, Debug)]
pub struct Scripted<R> {
    script: VecDeque<(R, u32)>,
    thrown: usize,
}

impl<R: Roll> Scripted<R> {
    /// A script of (roll, face) in the order in which the dice are thrown. A percentage roll has face 1
    /// for "it happens" and 0 for "it does not".
    pub fn new(script: impl IntoIterator<Item = (R, u32)>) -> Self {
        Self { script: script.into_iter().collect(), thrown: 0 }
    }

    /// A script without a single die.
    #[must_use]
    pub fn nothing() -> Self {
        Self::new([])
    }

    /// Fails if a part of the script was not used.
    ///
    /// # Panics
    /// When outcomes are left over.
    pub fn finish(&self) {
        assert!(
            self.script.is_empty(),
            "{} scripted rolls were never thrown, the next is {:?}",
            self.script.len(),
            self.script[0]
        );
    }
}

impl<R: Roll> Chance<R> for Scripted<R> {
    fn draw(&mut self, roll: R, odds: Odds<'_>) -> u32 {
        self.thrown += 1;
        let number = self.thrown;
        let Some((expected, face)) = self.script.pop_front() else {
            panic!("roll {number} ({roll:?}, {odds:?}) is not in the script");
        };
        assert_eq!(expected, roll, "roll {number} has another name than the script");
        let (numerator, _) = if face < odds.faces() { odds.probability(face) } else { (0, 1) };
        assert!(numerator > 0, "roll {number} ({roll:?}, {odds:?}) cannot come up {face}");
        face
    }
}
