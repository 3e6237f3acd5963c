//! Fast counting of effects in duels in which no unit is on a side more than once.
//!
//! 1. A battle under every case is noted by line-up (`lineups`), as sets of cases.
//! 2. Up to 64 battles of a subject wait until they are summed up, and are then turned into sets of battles by case
//!    (`waiting`). Battles in which the subject appeared once at most and had no share of a draw under any case, which are
//!    most, take half as many sets. Those without an appearance under the neutral case wait apart: many products are
//!    then 0 for all of them.
//! 3. A sum of products over battles is the size of an intersection of two such sets (`sums`). Four sums are packed into
//!    one number, and are added to an [`EffectTally`] before any of them overflows.
//!
//! The results are those of [`Group`](super::tally::Group), which counts battle by battle.

mod lineups;
mod sums;
mod waiting;

use self::lineups::Battle;
use self::sums::{MOST_SUMMED, Sums};
use self::waiting::{ByCase, Waiting};
use super::tally::Fared;
use super::{Design, EffectTally};
use crate::tally::Record;

/// The number of cases in a word of a set of cases, and of battles in a set of battles.
const IN_WORD: usize = u64::BITS as usize;

/// Battles under every case that are not yet added to a tally.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    /// The number of words in a set of cases.
    words: usize,
    /// The subjects that are sides of match-ups, before all units.
    sides: usize,
    has_several_matchups: bool,
    battle: Battle,
    matchup: u32,
    /// By subject and side: the cases under which the subject is on that side in the current battle; empty between two
    /// battles.
    now: Vec<u64>,
    /// By subject: whether it takes part in the current battle, under any case.
    is_present: Vec<bool>,
    /// The subjects that take part in it.
    present: Vec<usize>,
    /// By subject: its battles that are not summed up yet.
    waiting: Vec<OfSubject>,
    /// Scratch space: a battle that is to wait, by digit, and battles that are being summed up.
    digits: [Vec<u64>; 4],
    by_case: (ByCase<2>, ByCase<4>),
    sums: Sums,
    /// The number of battles since sums were last added to the tally.
    battles: u64,
}

/// The battles of a subject that are not summed up yet.
#[derive(Clone, Debug, Default)]
struct OfSubject {
    /// Those with one appearance at most, and no point or two, under each case; first those without an appearance under
    /// the neutral case, then those with one. The digits are the lower of the appearances and the higher of the points.
    simple: [Waiting<2>; 2],
    /// All others, divided in the same way, with all four digits.
    other: [Waiting<4>; 2],
}

/// The kinds of battles that wait apart.
const KINDS: u64 = 4;

/// Bytes for the waiting battles of a subject of which so many wait at most, by the number of cases: as much as their
/// lists have grown to.
pub(super) fn memory(cases: u64, battles: u64) -> u64 {
    let of_set = cases.div_ceil(IN_WORD as u64) * 8;
    2 * (2 + 4) * of_set * battles.min(IN_WORD as u64).next_power_of_two()
}

impl Sets {
    /// An empty buffer.
    pub(super) fn new(design: &Design<'_>) -> Self {
        let (cases, subjects) = (design.cases.len(), design.subjects());
        let words = cases.div_ceil(IN_WORD);
        Self {
            words,
            sides: design.sides(),
            has_several_matchups: design.layout.matchups.len() > 1,
            battle: Battle::new(design),
            matchup: 0,
            now: vec![0; subjects * 2 * words],
            is_present: vec![false; subjects],
            present: Vec::new(),
            waiting: vec![Default::default(); subjects],
            digits: std::array::from_fn(|_| vec![0; words]),
            by_case: (ByCase::new(cases), ByCase::new(cases)),
            sums: Sums::new(design),
            battles: 0,
        }
    }

    /// Notes the battle under a case. The neutral case must come first.
    #[inline]
    pub(super) fn note(&mut self, case: usize, record: &Record) {
        self.matchup = record.stratum.matchup;
        self.battle.note(case, record);
    }

    /// Ends the battle that was noted. It may be added to the tally later.
    ///
    /// # Panics
    /// When a unit was in a team more than once, although the layout says that none is.
    pub(super) fn settle(&mut self, tally: &mut EffectTally) {
        // Where all cases fit into one word, most of the time would go into loops that end at once; the compiler leaves
        // them out where it knows how many words there are.
        match self.words {
            1 => self.settle_words(1, tally),
            words => self.settle_words(words, tally),
        }
        self.battles += 1;
        // Up to 64 earlier battles of each kind may not be summed up yet.
        if self.battles + KINDS * IN_WORD as u64 > MOST_SUMMED {
            self.add_to(tally);
        }
    }

    /// Ends the battle, whose sets of cases have so many words.
    #[inline(always)]
    fn settle_words(&mut self, words: usize, tally: &mut EffectTally) {
        self.gather(words);
        if self.has_several_matchups {
            self.tell_matchup(tally);
        }
        let mut present = std::mem::take(&mut self.present);
        for subject in present.drain(..) {
            self.is_present[subject] = false;
            self.let_wait(subject, words);
        }
        self.present = present;
        self.battle.clear();
    }

    /// Gathers for every subject the cases under which it took part in the current battle.
    #[inline(always)]
    fn gather(&mut self, words: usize) {
        let Self { sides, battle, now, is_present, present, .. } = self;
        for side in 0..2 {
            let subject = self.matchup as usize * 2 + side;
            let now = now[(subject * 2 + side) * words..][..words].iter_mut();
            now.zip(battle.counted()).for_each(|(now, counted)| *now = counted);
            is_present[subject] = true;
            present.push(subject);
        }
        let mut twice = 0;
        for lineup in battle.lineups() {
            let (from, cases) = lineup.cases(words);
            for (unit, side) in lineup.fighters() {
                let subject = *sides + unit;
                let now = &mut now[(subject * 2 + side) * words + from..][..cases.len()];
                for (now, &cases) in now.iter_mut().zip(cases) {
                    twice |= *now & cases;
                    *now |= cases;
                }
                if !std::mem::replace(&mut is_present[subject], true) {
                    present.push(subject);
                }
            }
        }
        assert!(twice == 0, "no drawn unit is in a team more than once");
    }

    /// Moves the current battle of a subject to those that wait, and sums these up if there are enough.
    #[inline(always)]
    fn let_wait(&mut self, subject: usize, words: usize) {
        let now = &mut self.now[subject * 2 * words..][..2 * words];
        let (of_a, of_b) = now.split_at_mut(words);
        let [played, played_twice, one_point, two_points] =
            self.digits.each_mut().map(|digit| &mut digit[..words]);
        let sides = of_a.iter_mut().zip(of_b).zip(self.battle.points());
        let into = played.iter_mut().zip(played_twice).zip(one_point).zip(two_points);
        let mut is_other = 0;
        for (((a, b), points), (((first, second), third), fourth)) in sides.zip(into) {
            let digits = digits([std::mem::take(a), std::mem::take(b)], points);
            [*first, *second, *third, *fourth] = digits;
            is_other |= digits[1] | digits[2];
        }
        let [played, played_twice, one_point, two_points] =
            self.digits.each_ref().map(|digit| &digit[..words]);
        let waiting = &mut self.waiting[subject];
        // The neutral case is the first.
        let kind = ((played[0] | played_twice[0]) & 1) as usize;
        let is_full = if is_other == 0 {
            waiting.simple[kind].add([played, two_points])
        } else {
            waiting.other[kind].add([played, played_twice, one_point, two_points])
        };
        if is_full {
            self.sum_up(subject, IN_WORD);
        }
    }

    /// Adds the sums by match-up to the tally at once.
    fn tell_matchup(&self, tally: &mut EffectTally) {
        tally.begin_battle(self.matchup);
        for &subject in self.present.iter().filter(|&&subject| subject >= self.sides) {
            let now = &self.now[subject * 2 * self.words..][..2 * self.words];
            let (of_a, of_b) = now.split_at(self.words);
            let sides = of_a.iter().zip(of_b).zip(self.battle.points());
            for (word, ((&a, &b), points)) in sides.enumerate() {
                let [played, played_twice, one_point, two_points] = digits([a, b], points);
                let mut left = played | played_twice;
                while left != 0 {
                    let bit = left.trailing_zeros();
                    let digit = |set: u64| (set >> bit & 1) as u16;
                    let fared = Fared {
                        played: digit(played) + 2 * digit(played_twice),
                        points: digit(one_point) + 2 * digit(two_points),
                    };
                    let case = word * IN_WORD + bit as usize;
                    tally.add_of_matchup(self.matchup, case, subject, fared);
                    left &= left - 1;
                }
            }
        }
    }

    /// Sums up the battles of a subject of every kind of which at least so many wait.
    fn sum_up(&mut self, subject: usize, least: usize) {
        let OfSubject { simple, other } = &mut self.waiting[subject];
        let (simple_by_case, other_by_case) = &mut self.by_case;
        for simple in simple.iter_mut().filter(|of| of.battles() >= least) {
            simple.take(simple_by_case);
            self.sums.add(subject, simple_by_case);
        }
        for other in other.iter_mut().filter(|of| of.battles() >= least) {
            other.take(other_by_case);
            self.sums.add(subject, other_by_case);
        }
    }

    /// Adds all pending battles to the tally.
    pub(super) fn flush(&mut self, tally: &mut EffectTally) {
        for subject in 0..self.waiting.len() {
            self.sum_up(subject, 1);
        }
        self.add_to(tally);
    }

    /// Adds all sums to the tally.
    fn add_to(&mut self, tally: &mut EffectTally) {
        self.battles = 0;
        self.sums.add_to(tally);
    }
}

/// The binary digits of the appearances in a battle, the lower first, and of the points there, as sets of cases: from
/// the cases under which a subject is on either side, and those under which side A has won, side B has won, and either
/// has one point.
#[inline]
fn digits([a, b]: [u64; 2], [won_by_a, won_by_b, shared]: [u64; 3]) -> [u64; 4] {
    let (once, twice) = (a ^ b, a & b);
    [once, twice, once & shared, a & won_by_a | b & won_by_b | twice & shared]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Digits as sets of cases are the binary digits of appearances and points.
        #[test]
        fn digits_are_those_of_the_sums_of_both_sides(
            a: u64, b: u64, won_by_a: u64, others: u64, is_shared: bool,
        ) {
            let won_by_b = others & !won_by_a;
            let shared = if is_shared { !(won_by_a | others) } else { 0 };
            let found = digits([a, b], [won_by_a, won_by_b, shared]);
            for case in 0..IN_WORD {
                let at = |set: u64| (set >> case & 1) as u16;
                let of_side = |on: u64, won: u64| {
                    Fared { played: at(on), points: at(on) * (2 * at(won) + at(shared)) }
                };
                let expected = of_side(a, won_by_a).and(of_side(b, won_by_b));
                let [once, twice, one, two] = found.map(at);
                prop_assert_eq!(Fared { played: once + 2 * twice, points: one + 2 * two }, expected);
            }
        }
    }
}
