//! A random descent through the tree of outcomes, to estimate how large the tree is.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Chance, Odds, Roll, uniform};

/// Takes each possible face of a die equally often, whatever its odds, and multiplies the numbers of possible faces. On
/// average the product is the number of ways that [`Every`](super::Every) has to take (D. E. Knuth: "Estimating the
/// efficiency of backtrack programs", 1975).
#[derive(Clone, Debug)]
pub struct Descent {
    generator: Xoshiro256PlusPlus,
    /// The natural logarithm of the product.
    ways: f64,
}

impl Descent {
    /// A descent with random numbers from this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { generator: Xoshiro256PlusPlus::seed_from_u64(seed), ways: 0.0 }
    }

    /// The natural logarithm of the number of ways, as this descent estimates it.
    #[must_use]
    pub fn log_ways(&self) -> f64 {
        self.ways
    }
}

impl<R: Roll> Chance<R> for Descent {
    fn draw(&mut self, _: R, odds: Odds<'_>) -> u32 {
        let possible = |&face: &u32| odds.probability(face).0 > 0;
        let count = (0..odds.faces()).filter(possible).count() as u32;
        self.ways += libm::log(f64::from(count));
        let chosen = uniform::below(count, || self.generator.next_u64());
        let face = (0..odds.faces()).filter(possible).nth(chosen as usize);
        face.expect("one of those that were counted")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Every;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Die {
        Face,
    }

    impl Roll for Die {
        fn name(self) -> &'static str {
            "face"
        }

        fn number(self) -> u8 {
            0
        }
    }

    /// A tree that is uneven: some ways are long.
    fn throw(chance: &mut impl Chance<Die>) {
        for _ in 0..4 {
            if chance.draw(Die::Face, Odds::Weighted(&[90, 0, 9, 1])) == 3 {
                return;
            }
        }
    }

    #[test]
    fn descents_tell_how_many_ways_there_are() {
        let (mut every, mut ways) = (Every::new(), 0.0);
        loop {
            throw(&mut every);
            ways += 1.0;
            if !every.advance() {
                break;
            }
        }
        let descents = 20_000;
        let of = |seed| {
            let mut descent = Descent::new(seed);
            throw(&mut descent);
            libm::exp(descent.log_ways())
        };
        let mean = (0..descents).map(of).sum::<f64>() / descents as f64;
        assert!((mean / ways - 1.0).abs() < 0.03, "{mean} of {ways}");
    }
}
