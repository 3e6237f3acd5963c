//! Dice from a seed: the source behind every sampled battle.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Chance, Odds, Roll, uniform};

/// The seed of battle `index` of a run: a pure function of the run's master seed and the index, never
/// of a thread, so that any battle can be played again alone.
///
/// Two rounds of the SplitMix64 finaliser (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", 2014) keep neighbouring indices and neighbouring master seeds apart.
#[must_use]
pub fn battle_seed(master: u64, index: u64) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    finalise(finalise(master.wrapping_add(GOLDEN)) ^ finalise(index.wrapping_mul(GOLDEN) ^ GOLDEN))
}

/// The index of the battle whose own seed this is under a master seed: there is exactly one, by the inverse of
/// [`battle_seed`]. For a seed of another master it is a number that no run reaches.
#[must_use]
pub fn battle_index(master: u64, seed: u64) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let inner = unfinalise(seed) ^ finalise(master.wrapping_add(GOLDEN));
    (unfinalise(inner) ^ GOLDEN).wrapping_mul(inverse(GOLDEN))
}

/// The inverse of [`finalise`].
fn unfinalise(mut z: u64) -> u64 {
    let unshift = |z: u64, by: u32| (1..64 / by + 1).fold(z, |x, _| z ^ (x >> by));
    z = unshift(z, 31).wrapping_mul(inverse(0x94D0_49BB_1331_11EB));
    z = unshift(z, 27).wrapping_mul(inverse(0xBF58_476D_1CE4_E5B9));
    unshift(z, 30)
}

/// The inverse of an odd number, modulo 2 to the 64th (Newton's iteration doubles the bits).
const fn inverse(odd: u64) -> u64 {
    let mut found = odd;
    let mut step = 0;
    while step < 5 {
        found = found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found)));
        step += 1;
    }
    found
}

/// Spreads every bit of a number over all bits of the result; different numbers have different results.
#[inline]
pub(super) fn finalise(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Dice drawn from xoshiro256++.
#[derive(Clone, Debug)]
pub struct Seeded {
    generator: Xoshiro256PlusPlus,
}

impl Seeded {
    /// The dice of battle `index` in the run with this master seed.
    #[inline]
    #[must_use]
    pub fn of_battle(master: u64, index: u64) -> Self {
        Self::from_seed(battle_seed(master, index))
    }

    /// The dice that a battle's own seed stands for (the `seed` column of the `battles` table).
    #[inline]
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self { generator: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.generator.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number from the standard normal distribution (G. Box and M. Muller: "A note on the generation of random
    /// normal deviates", 1958). For statistics; no game throws it.
    pub fn normal(&mut self) -> f64 {
        let (one, other) = (1.0 - self.unit(), self.unit());
        (-2.0 * libm::log(one)).sqrt() * libm::cos(std::f64::consts::TAU * other)
    }

    /// A whole number below `bound`, without bias.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        uniform::below(bound, || self.generator.next_u64())
    }

    /// Like [`below`](Self::below) for bounds beyond 32 bits.
    #[inline]
    pub fn below_wide(&mut self, bound: u64) -> u64 {
        uniform::below_wide(bound, || self.generator.next_u64())
    }
}

impl<R: Roll> Chance<R> for Seeded {
    /// Always inlined: where a die is thrown its kind is known, and for all but one kind the rest is a multiplication.
    #[inline(always)]
    fn draw(&mut self, _: R, odds: Odds<'_>) -> u32 {
        uniform::face(odds, || self.generator.next_u64())
    }

    #[inline(always)]
    fn number_below(&mut self, _: R, bound: u64) -> Option<u64> {
        Some(self.below_wide(bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_battles_have_unrelated_seeds() {
        let seeds: Vec<u64> = (0..1000).map(|index| battle_seed(1, index)).collect();
        let differing: u32 = seeds.windows(2).map(|pair| (pair[0] ^ pair[1]).count_ones()).sum();
        let mean = f64::from(differing) / 999.0;
        assert!((31.0..33.0).contains(&mean), "mean differing bits {mean}");
    }

    #[test]
    fn below_is_uniform() {
        let mut dice = Seeded::from_seed(7);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[dice.below(7) as usize] += 1;
        }
        let chi_square: f64 =
            counts.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi_square < 22.5, "chi-square {chi_square} with 6 degrees of freedom");
    }
}
