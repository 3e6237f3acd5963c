//! Dice that each have an address: the source behind comparisons.

use super::seeded::{battle_seed, finalise};
use super::{Chance, Odds, Roll, uniform};

/// How many rolls and units have counters of their own for the dice that were thrown.
const ROLLS: usize = 16;
const UNITS: usize = 32;
/// Separates these dice from everything else that is drawn from a battle's seed.
const APART: u64 = 0x6B65_7965_645F_3031;

/// The value of `last` before any die is thrown: no die has it.
const NEVER: (u64, u64) = (u64::MAX, 0);

/// Dice each of which depends on what it is thrown for, and not on how many dice were thrown before it.
///
/// The address of a die is the battle, the round, the name of the roll, whom it is about, and how many such dice
/// were thrown in this round before. Two variants of a battle that differ in one thing so have the same dice
/// wherever they do the same thing, also after they have parted: common random numbers (P. Glasserman and D. Yao:
/// "Some guidelines and guarantees for common random numbers", 1992). Within one variant all dice are independent
/// and as fair as [`Seeded`](super::Seeded) ones.
///
/// ```
/// use evens::chance::{Chance, Keyed, Roll};
///
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// enum Die { Hit, Stun }
/// impl Roll for Die {
///     fn name(self) -> &'static str { "die" }
///     fn number(self) -> u8 { self as u8 }
/// }
///
/// let hits = |stuns: usize| {
///     let mut dice = Keyed::of_battle(1, 17);
///     (0..stuns).for_each(|_| _ = dice.pick(Die::Stun, 6));
///     (0..9).map(|_| dice.pick(Die::Hit, 6)).collect::<Vec<_>>()
/// };
/// assert_eq!(hits(0), hits(4));
/// ```
#[derive(Clone, Debug)]
pub struct Keyed {
    battle: u64,
    /// Hash of battle and round.
    round: u64,
    unit: u32,
    /// Roll and unit of the last die, and its address but for the count: many dice in a row share these.
    last: (u64, u64),
    thrown: [[u16; UNITS]; ROLLS],
    /// The rolls that were thrown in this round, as bits: most rounds throw few, and only their counters are reset.
    rolled: u16,
}

const _: () = assert!(ROLLS == u16::BITS as usize, "a roll is a bit");

impl Keyed {
    /// The dice of battle `index` in the run with this master seed.
    #[must_use]
    pub fn of_battle(master: u64, index: u64) -> Self {
        let (last, thrown) = (NEVER, [[0; UNITS]; ROLLS]);
        let mut dice = Self { battle: 0, round: 0, unit: 0, last, thrown, rolled: 0 };
        dice.restart(master, index);
        dice
    }

    /// Becomes the dice of another battle.
    #[inline]
    pub fn restart(&mut self, master: u64, index: u64) {
        self.battle = finalise(battle_seed(master, index) ^ APART);
        self.enter(0);
    }

    #[inline]
    fn enter(&mut self, round: u32) {
        self.round = finalise(self.battle.wrapping_add(u64::from(round)));
        self.unit = 0;
        self.last = NEVER;
        while self.rolled != 0 {
            self.thrown[self.rolled.trailing_zeros() as usize].fill(0);
            self.rolled &= self.rolled - 1;
        }
    }
}

impl<R: Roll> Chance<R> for Keyed {
    #[inline]
    fn draw(&mut self, roll: R, odds: Odds<'_>) -> u32 {
        let what = u64::from(roll.number()) << 32 | u64::from(self.unit);
        if self.last.0 != what {
            self.last = (what, finalise(self.round ^ finalise(what ^ APART)));
        }
        let address = self.last.1;
        // Units beyond the counters share them: their dice may differ between variants sooner, but still no die is
        // thrown twice.
        let folded = (self.unit ^ self.unit >> 5 ^ self.unit >> 10) as usize % UNITS;
        let rolled = usize::from(roll.number()) % ROLLS;
        self.rolled |= 1 << rolled;
        let thrown = &mut self.thrown[rolled][folded];
        let mut at = address.wrapping_add(u64::from(*thrown) << 48);
        *thrown = thrown.wrapping_add(1);
        uniform::face(odds, || {
            at = finalise(at);
            at
        })
    }

    #[inline]
    fn round(&mut self, number: u32) {
        self.enter(number);
    }

    #[inline]
    fn about(&mut self, unit: u32) {
        self.unit = unit;
    }

    #[inline]
    fn battle(&self) -> Option<u64> {
        Some(self.battle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Die {
        Hit,
        Stun,
    }

    impl Roll for Die {
        fn name(self) -> &'static str {
            "die"
        }

        fn number(self) -> u8 {
            self as u8
        }
    }

    /// The chi-square statistic of counts that should all be the same.
    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    /// Every coordinate of an address gives fair dice while the others stand still, and so do pairs of neighbours:
    /// 36 counts, 35 degrees of freedom, and 1 statistic in 1000 is above 66.6.
    #[test]
    fn dice_are_uniform_and_neighbours_independent_along_every_coordinate() {
        const THROWS: u64 = 36_000;
        let six = |dice: &mut Keyed, die| dice.pick(die, 6);
        let along = |throw: &mut dyn FnMut(u64) -> usize| {
            let mut pairs = [0; 36];
            let mut last = throw(THROWS);
            for at in 0..THROWS {
                let face = throw(at);
                pairs[last * 6 + face] += 1;
                last = face;
            }
            chi_square(&pairs)
        };
        let mut dice = Keyed::of_battle(5, 0);
        let by_battle = along(&mut |at| {
            dice.restart(5, at);
            six(&mut dice, Die::Hit)
        });
        let by_master_seed = along(&mut |at| {
            dice.restart(at, 3);
            six(&mut dice, Die::Hit)
        });
        let by_round = along(&mut |at| {
            Chance::<Die>::round(&mut dice, at as u32);
            six(&mut dice, Die::Hit)
        });
        let by_unit = along(&mut |at| {
            Chance::<Die>::about(&mut dice, at as u32);
            six(&mut dice, Die::Hit)
        });
        dice.restart(5, 1);
        let by_throw = along(&mut |_| six(&mut dice, Die::Hit));
        let by_roll = along(&mut |at| {
            if at % 2 == 0 {
                dice.restart(9, at / 2);
            }
            six(&mut dice, if at % 2 == 0 { Die::Hit } else { Die::Stun })
        });
        for statistic in [by_battle, by_master_seed, by_round, by_unit, by_throw, by_roll] {
            assert!((10.0..70.0).contains(&statistic), "chi-square {statistic} with 35 degrees");
        }
    }

    #[test]
    fn percentages_and_weights_come_up_as_often_as_they_say() {
        let mut dice = Keyed::of_battle(1, 1);
        let (mut hits, mut faces) = (0, [0u32; 3]);
        for battle in 0..40_000 {
            dice.restart(1, battle);
            hits += u32::from(dice.percent(Die::Hit, 25));
            faces[dice.weighted(Die::Stun, &[1 << 60, 0, 3 << 60])] += 1;
        }
        assert!((9_700..10_300).contains(&hits), "{hits}");
        assert!((9_700..10_300).contains(&faces[0]) && faces[1] == 0, "{faces:?}");
    }

    /// What a die shows is a matter of its address alone.
    #[test]
    fn the_order_of_different_dice_changes_nothing() {
        let throw = |dice: &mut Keyed, die: Die, unit: u32| {
            Chance::<Die>::about(dice, unit);
            dice.pick(die, 1000)
        };
        let mut forth = Keyed::of_battle(2, 2);
        let mut back = forth.clone();
        let dice: Vec<(Die, u32)> =
            (0..12).flat_map(|unit| [(Die::Hit, unit), (Die::Stun, unit)]).collect();
        let there: Vec<usize> =
            dice.iter().map(|&(die, unit)| throw(&mut forth, die, unit)).collect();
        let mut here: Vec<usize> =
            dice.iter().rev().map(|&(die, unit)| throw(&mut back, die, unit)).collect();
        here.reverse();
        assert_eq!(there, here);
        let again = dice.iter().map(|&(die, unit)| throw(&mut forth, die, unit));
        assert!(there.iter().zip(again).any(|(&first, second)| first != second));
    }

    /// A die more in one round leaves the next round as it was.
    #[test]
    fn rounds_begin_in_step() {
        let second_round = |more: usize| {
            let mut dice = Keyed::of_battle(3, 3);
            Chance::<Die>::round(&mut dice, 1);
            (0..more).for_each(|_| _ = dice.pick(Die::Hit, 6));
            Chance::<Die>::round(&mut dice, 2);
            (0..8).map(|_| dice.pick(Die::Hit, 1000)).collect::<Vec<_>>()
        };
        assert_eq!(second_round(1), second_round(2));
    }
}
