//! Every outcome in turn, with exact probabilities: the source behind exact odds.

use dashu_int::UBig;
use num_rational::BigRational;

use super::whole::common_divisor;
use super::{Chance, Odds, Roll, Whole};

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
    faces: Faces,
    /// The odds of all faces up to this one, where they are not too long: ways mostly differ in their last dice alone.
    so_far: Option<(u128, u128)>,
}

/// The faces of a die.
#[derive(Clone, Debug)]
enum Faces {
    /// So many faces, equally likely: nothing has to be stored for each.
    Even(u32),
    /// (numerator, denominator) of every one, in lowest terms.
    Uneven(Vec<(u64, u64)>),
}

impl Faces {
    fn of(odds: Odds<'_>) -> Self {
        if let Odds::Even(count) = odds {
            return Self::Even(count);
        }
        let of = |face| {
            let (numerator, denominator) = odds.probability(face);
            lowest_terms(numerator, denominator)
        };
        Self::Uneven((0..odds.faces()).map(of).collect())
    }

    /// (numerator, denominator) of a face; none where there is no such face.
    #[inline]
    fn get(&self, face: u32) -> Option<(u64, u64)> {
        match self {
            Self::Even(count) => (face < *count).then_some((1, u64::from(*count))),
            Self::Uneven(odds) => odds.get(face as usize).copied(),
        }
    }

    /// The first possible face from this one on.
    #[inline]
    fn first_from(&self, face: u32) -> Option<u32> {
        let faces = (face..).map_while(|face| Some((face, self.get(face)?.0)));
        faces.filter(|&(_, numerator)| numerator > 0).map(|(face, _)| face).next()
    }
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
        BigRational::new(numerator.to_integer(), denominator.to_integer())
    }

    /// The [`probability`](Self::probability) of the way taken as (numerator, denominator), not necessarily in
    /// lowest terms: quicker where many are added.
    #[must_use]
    pub(crate) fn odds(&self) -> (Whole, Whole) {
        let path = &self.path[..self.depth];
        if let Some((numerator, denominator)) = so_far(path) {
            return (Whole::from(numerator), Whole::from(denominator));
        }
        let faces = || path.iter().filter_map(|branch| branch.faces.get(branch.face));
        (product(faces().map(|(numerator, _)| numerator)), product(faces().map(|(_, of)| of)))
    }

    /// Goes on along this face of a die.
    #[inline]
    fn take(&mut self, face: u32, faces: Faces) {
        let so_far = so_far(&self.path).zip(faces.get(face)).and_then(|(before, of)| {
            Some((before.0.checked_mul(of.0.into())?, before.1.checked_mul(of.1.into())?))
        });
        self.path.push(Branch { face, faces, so_far });
    }

    /// Turns to the next way; returns false when all have been taken.
    #[must_use]
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        while let Some(branch) = self.path.pop() {
            if let Some(next) = branch.faces.first_from(branch.face + 1) {
                self.take(next, branch.faces);
                return true;
            }
        }
        false
    }
}

/// The odds of all faces on a path; none where they are too long for 128 bits.
#[inline]
fn so_far(path: &[Branch]) -> Option<(u128, u128)> {
    path.last().map_or(Some((1, 1)), |branch| branch.so_far)
}

impl<R: Roll> Chance<R> for Every {
    fn draw(&mut self, _: R, odds: Odds<'_>) -> u32 {
        if self.depth == self.path.len() {
            let faces = Faces::of(odds);
            let face = faces.first_from(0).expect("one face is possible");
            self.take(face, faces);
        }
        let face = self.path[self.depth].face;
        self.depth += 1;
        face
    }
}

/// The product of small numbers, in 128 bits as long as it fits.
fn product(factors: impl Iterator<Item = u64>) -> Whole {
    let mut large: Option<UBig> = None;
    let mut small: u128 = 1;
    for factor in factors {
        small = small.checked_mul(factor.into()).unwrap_or_else(|| {
            large = Some(large.take().unwrap_or(UBig::ONE) * UBig::from(small));
            factor.into()
        });
    }
    match large {
        None => Whole::from(small),
        Some(large) => Whole::from(large * UBig::from(small)),
    }
}

/// A fraction of small numbers in lowest terms; 0 is 0/1.
fn lowest_terms(numerator: u64, denominator: u64) -> (u64, u64) {
    let divisor = common_divisor(denominator.into(), numerator.into()) as u64;
    (numerator / divisor, denominator / divisor)
}
