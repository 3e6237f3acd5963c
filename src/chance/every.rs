//! Every outcome in turn, with exact probabilities: the source behind exact odds.

use dashu_int::UBig;
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

use super::{Chance, Odds, Roll};

/// One way the dice can fall, remembered so that the next way can be tried after it.
///
/// ```
/// use evens::chance::{Chance, Every, Roll};
///
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// enum Die { Coin }
/// impl Roll for Die {
///     fn name(self) -> &'static str { "coin" }
///     fn number(self) -> u8 { self as u8 }
/// }
///
/// let mut every = Every::new();
/// let mut ways = 0;
/// loop {
///     if every.percent(Die::Coin, 25) && every.percent(Die::Coin, 50) {
///         assert_eq!(every.probability().to_string(), "1/8");
///     }
///     ways += 1;
///     if !every.advance() {
///         break;
///     }
/// }
/// assert_eq!(ways, 3);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Every {
    path: Vec<Branch>,
    depth: usize,
}

#[derive(Clone, Debug)]
struct Branch {
    face: u32,
    /// (numerator, denominator) of every face, in lowest terms.
    odds: Vec<(u64, u64)>,
}

impl Every {
    /// Starts with the first outcome of every die.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The exact probability of the way taken since the last [`advance`](Self::advance).
    #[must_use]
    pub fn probability(&self) -> BigRational {
        let (numerator, denominator) = self.odds();
        BigRational::new(whole(&numerator), whole(&denominator))
    }

    /// The same as (numerator, denominator), which may have a divisor in common: quicker where many are added.
    #[must_use]
    pub(crate) fn odds(&self) -> (UBig, UBig) {
        let faces = || self.path[..self.depth].iter().map(|way| way.odds[way.face as usize]);
        (product(faces().map(|(numerator, _)| numerator)), product(faces().map(|(_, of)| of)))
    }

    /// Turns to the next way; false when all have been taken.
    #[must_use]
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        while let Some(branch) = self.path.last_mut() {
            branch.face += 1;
            while (branch.face as usize) < branch.odds.len() {
                if branch.odds[branch.face as usize].0 > 0 {
                    return true;
                }
                branch.face += 1;
            }
            self.path.pop();
        }
        false
    }
}

impl<R: Roll> Chance<R> for Every {
    fn draw(&mut self, _: R, odds: Odds<'_>) -> u32 {
        if self.depth == self.path.len() {
            let of = |face| {
                let (numerator, denominator) = odds.probability(face);
                lowest_terms(numerator, denominator)
            };
            let odds: Vec<_> = (0..odds.faces()).map(of).collect();
            let face = odds.iter().position(|&(n, _)| n > 0).expect("one face is possible") as u32;
            self.path.push(Branch { face, odds });
        }
        let face = self.path[self.depth].face;
        self.depth += 1;
        face
    }
}

/// A whole number as fractions are made of.
pub(crate) fn whole(number: &UBig) -> BigInt {
    BigInt::from_bytes_le(Sign::Plus, &number.to_le_bytes())
}

/// The product of small numbers, as few large ones as possible on the way.
fn product(factors: impl Iterator<Item = u64>) -> UBig {
    let mut large = UBig::ONE;
    let mut small: u128 = 1;
    for factor in factors {
        small = small.checked_mul(factor.into()).unwrap_or_else(|| {
            large *= UBig::from(small);
            factor.into()
        });
    }
    large * UBig::from(small)
}

/// A fraction of small numbers without common divisors; 0 is 0/1.
fn lowest_terms(numerator: u64, denominator: u64) -> (u64, u64) {
    let (mut one, mut other) = (denominator, numerator);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    (numerator / one, denominator / one)
}
