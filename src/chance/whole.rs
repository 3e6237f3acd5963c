//! Whole numbers for odds: two machine words where these suffice, and as many as it takes beyond that.

use std::borrow::Cow;

use dashu_int::UBig;
use dashu_int::ops::Gcd;
use num_bigint::{BigInt, Sign};

/// A whole number that is not negative. Equal numbers are stored alike: in two words wherever these suffice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// The lower word first: as one number of 128 bits it would be aligned to sixteen bytes, and take half as much
    /// space again.
    Words([u64; 2]),
    /// At least two to the power of 128.
    Large(Box<UBig>),
}

impl Default for Whole {
    fn default() -> Self {
        Self::from(0)
    }
}

impl From<u128> for Whole {
    #[inline]
    fn from(number: u128) -> Self {
        Self::Words([number as u64, (number >> u64::BITS) as u64])
    }
}

impl From<UBig> for Whole {
    fn from(number: UBig) -> Self {
        u128::try_from(&number).map_or_else(|_| Self::Large(Box::new(number)), Self::from)
    }
}

impl Whole {
    pub(crate) const ONE: Self = Self::Words([1, 0]);

    /// Its value, if it is stored in two words.
    #[inline]
    fn words(&self) -> Option<u128> {
        match self {
            Self::Words([low, high]) => Some(u128::from(*low) | u128::from(*high) << u64::BITS),
            Self::Large(_) => None,
        }
    }

    /// Its value, if it fits into a single word.
    #[inline]
    pub(crate) fn word(&self) -> Option<u64> {
        match self {
            Self::Words([low, 0]) => Some(*low),
            Self::Words(_) | Self::Large(_) => None,
        }
    }

    /// Its value as a large number.
    fn large(&self) -> Cow<'_, UBig> {
        match self {
            Self::Words(_) => Cow::Owned(UBig::from(self.words().unwrap_or_default())),
            Self::Large(number) => Cow::Borrowed(number),
        }
    }

    #[inline]
    fn both(&self, other: &Self) -> Option<(u128, u128)> {
        self.words().zip(other.words())
    }

    #[inline]
    pub(crate) fn is_one(&self) -> bool {
        *self == Self::ONE
    }

    #[inline]
    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::Words([0, 0])
    }

    /// Whether it has no more bits than this, which are at most 128.
    #[inline]
    pub(crate) fn has_at_most(&self, bits: u32) -> bool {
        self.words().is_some_and(|number| u128::BITS - number.leading_zeros() <= bits)
    }

    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        if !other.words().is_some_and(|other| self.add_words(other)) {
            *self = Self::from(&*self.large() + &*other.large());
        }
    }

    /// Adds two words in place, without allocating. Returns false where the sum needs more words: then nothing has
    /// changed.
    #[inline]
    fn add_words(&mut self, more: u128) -> bool {
        let sum = self.words().and_then(|words| words.checked_add(more));
        match (self, sum) {
            (Self::Words(words), Some(sum)) => *words = [sum as u64, (sum >> u64::BITS) as u64],
            _ => return false,
        }
        true
    }

    /// The difference to another number, which is not larger.
    #[inline]
    pub(crate) fn less(&self, other: &Self) -> Self {
        match self.both(other) {
            Some((a, b)) => Self::from(a - b),
            None => Self::from(&*self.large() - &*other.large()),
        }
    }

    #[inline]
    pub(crate) fn times(&self, other: &Self) -> Self {
        match self.both(other).and_then(|(a, b)| product(a, b)) {
            Some(product) => Self::from(product),
            None => Self::from(&*self.large() * &*other.large()),
        }
    }

    /// Adds the product of two numbers.
    #[inline]
    pub(crate) fn add_product(&mut self, one: &Self, other: &Self) {
        let small = one.both(other).and_then(|(one, other)| product(one, other));
        if !small.is_some_and(|product| self.add_words(product)) {
            self.add(&one.times(other));
        }
    }

    /// The quotient by another number, which is not 0, rounded down.
    #[inline]
    pub(crate) fn over(&self, other: &Self) -> Self {
        match self.both(other) {
            Some((a, b)) => match (u64::try_from(a), u64::try_from(b)) {
                (Ok(a), Ok(b)) => Self::from(u128::from(a / b)),
                _ => Self::from(a / b),
            },
            None => Self::from(&*self.large() / &*other.large()),
        }
    }

    /// Whether another number, which is not 0, divides it.
    #[inline]
    pub(crate) fn is_multiple_of(&self, other: &Self) -> bool {
        match self.both(other) {
            Some((a, b)) => match (u64::try_from(a), u64::try_from(b)) {
                (Ok(a), Ok(b)) => a.is_multiple_of(b),
                _ => a.is_multiple_of(b),
            },
            None => (&*self.large() % &*other.large()).is_zero(),
        }
    }

    /// The greatest common divisor; of 0 and another number it is that number.
    pub(crate) fn common_divisor(&self, other: &Self) -> Self {
        match self.both(other) {
            Some((a, b)) => Self::from(common_divisor(a, b)),
            None if self.is_zero() => other.clone(),
            None if other.is_zero() => self.clone(),
            None => Self::from((&*self.large()).gcd(&*other.large())),
        }
    }

    /// Its value as the integer type of fractions.
    pub(crate) fn to_integer(&self) -> BigInt {
        match self.words() {
            Some(number) => BigInt::from(number),
            None => BigInt::from_bytes_le(Sign::Plus, &self.large().to_le_bytes()),
        }
    }
}

/// The product; none where it has more than 128 bits.
#[inline]
fn product(one: u128, other: u128) -> Option<u128> {
    match (u64::try_from(one), u64::try_from(other)) {
        // The product of two words fits into two words: most need no test.
        (Ok(one), Ok(other)) => Some(u128::from(one) * u128::from(other)),
        _ => one.checked_mul(other),
    }
}

/// The greatest common divisor, by Euclid, in one word as soon as both fit.
pub(crate) fn common_divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        if let (Ok(mut one), Ok(mut other)) = (u64::try_from(one), u64::try_from(other)) {
            while other != 0 {
                (one, other) = (other, one % other);
            }
            return u128::from(one);
        }
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Small numbers, and such as lie around one, two and four words.
    fn number() -> impl Strategy<Value = UBig> {
        let near = |bits: usize| {
            (0u64..5, any::<bool>()).prop_map(move |(by, above)| {
                let edge = UBig::ONE << bits;
                if above { edge + UBig::from(by) } else { edge - UBig::from(by) }
            })
        };
        prop_oneof![
            (0u64..50).prop_map(UBig::from),
            any::<u64>().prop_map(UBig::from),
            any::<u128>().prop_map(UBig::from),
            near(32),
            near(64),
            near(128),
            any::<[u64; 4]>().prop_map(|words| {
                words.iter().fold(UBig::ZERO, |number, &word| (number << 64) + UBig::from(word))
            }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Whether a result fits two words or not, it equals the one that large numbers give, and is stored like every
        /// other of its size.
        #[test]
        fn whole_numbers_are_those_of_large_ones(a in number(), b in number(), c in number()) {
            let of = |number: &UBig| Whole::from(number.clone());
            let fits = |whole: &Whole| {
                matches!(whole, Whole::Words(_)) == (*whole.large() < (UBig::ONE << 128))
            };
            let (one, other) = (of(&a), of(&b));
            prop_assert_eq!(one.to_integer().to_string(), a.to_string());
            let mut sum = one.clone();
            sum.add(&other);
            prop_assert_eq!(&sum, &of(&(&a + &b)));
            prop_assert_eq!(sum.less(&other), one.clone());
            prop_assert_eq!(one.times(&other), of(&(&a * &b)));
            let mut more = of(&c);
            more.add_product(&one, &other);
            prop_assert!(fits(&sum) && fits(&more));
            prop_assert_eq!(more, of(&(&c + &a * &b)));
            prop_assert_eq!(one.is_one(), a.is_one());
            prop_assert_eq!(one.is_zero(), a.is_zero());
            for bits in [0, 31, 32, 64, 128] {
                prop_assert_eq!(one.has_at_most(bits), a < UBig::ONE << bits as usize);
            }
            if !b.is_zero() {
                prop_assert_eq!(one.over(&other), of(&(&a / &b)));
                prop_assert_eq!(one.times(&other).over(&other), one.clone());
                prop_assert!(one.times(&other).is_multiple_of(&other));
                prop_assert_eq!(one.is_multiple_of(&other), (&a % &b).is_zero());
                let divisor = if a.is_zero() { b.clone() } else { (&a).gcd(&b) };
                prop_assert_eq!(one.common_divisor(&other), of(&divisor));
                prop_assert_eq!(other.common_divisor(&one), of(&divisor));
            }
        }
    }
}
