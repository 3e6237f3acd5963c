//! Fast counting of effects with pairs of cases, in duels where no unit is on a side more than once. The appearances
//! and points of a subject under a case, in up to 64 battles, are held as a few bit sets of these battles, so that a
//! sum of products is the size of an intersection of two sets. The sums of a subject and case are packed into one
//! number, a few bits for each, which is added to an [`EffectTally`] before any of them overflows. The results are
//! those of [`Group`](super::tally::Group), which counts battle by battle.

use super::tally::{Alone, Fared, Together, fought};
use super::{Design, EffectTally, Pair};
use crate::game::Side;
use crate::tally::Record;

/// Number of bits for one packed sum.
const LANE: u32 = 12;
const FULL: u64 = (1 << LANE) - 1;
/// A subject appears no more often than this in a battle, and has no more points there: two binary digits.
const MOST: u64 = 3;
/// The most battles whose sums fit; then they must be added to a tally.
const MOST_SUMMED: u64 = FULL / (MOST * MOST);

/// A subject's appearances in a battle (lower half) and its points (upper half).
type Byte = u8;
/// The bits of such a byte that are in use: the two binary digits of each half, the lower first.
const DIGITS: [u32; 4] = [0, 1, 4, 5];
/// The unused bits, in each of eight bytes.
const UNUSED: u64 = !(0x33 * EACH);
/// The lowest bit of each of eight bytes.
const EACH: u64 = u64::from_ne_bytes([1; 8]);

fn byte(fared: Fared) -> Byte {
    (fared.played | fared.points << 4) as Byte
}

fn fared(byte: Byte) -> Fared {
    Fared { played: (byte & 0xf).into(), points: (byte >> 4).into() }
}

/// A subject's appearances and points in up to 64 battles under a case: for each binary digit, the lower first, the set
/// of the battles where that digit is 1.
#[derive(Clone, Copy, Debug, Default)]
struct Battles {
    played: [u64; 2],
    points: [u64; 2],
}

impl Battles {
    /// The most battles that the sets hold.
    const MOST: usize = u64::BITS as usize;

    /// The sums over these battles under the case alone.
    fn alone(&self) -> Alone {
        const ALWAYS_ONCE: [u64; 2] = [u64::MAX, 0];
        Alone {
            played: product(self.played, ALWAYS_ONCE),
            points: product(self.points, ALWAYS_ONCE),
            played_played: product(self.played, self.played),
            points_played: product(self.points, self.played),
            points_points: product(self.points, self.points),
        }
    }

    /// The sums of products with the same battles under another case, given the sums under each case alone.
    #[inline]
    fn together(&self, alone: &Alone, other: &Self, other_alone: &Alone) -> Together {
        let points_points = product(self.points, other.points);
        if self.played == other.played {
            return Together {
                played_played: alone.played_played,
                points_played: alone.points_played,
                played_points: other_alone.points_played,
                points_points,
            };
        }
        Together {
            played_played: product(self.played, other.played),
            points_played: product(self.points, other.played),
            played_points: product(self.played, other.points),
            points_points,
        }
    }
}

/// The sum over all battles of the products of two numbers, both given as sets by digit.
#[inline]
fn product(one: [u64; 2], other: [u64; 2]) -> u64 {
    let both = |digit: usize, of_other: usize| {
        u64::from((one[digit] & other[of_other]).count_ones()) << (digit + of_other)
    };
    both(0, 0) + both(0, 1) + both(1, 0) + both(1, 1)
}

/// The battles of a subject under every case, in groups of eight: for each group and each digit one byte per case, with
/// one bit per battle.
#[derive(Clone, Debug)]
struct Eights {
    /// Words of eight bytes; the last bytes may belong to no case.
    words: Vec<u64>,
    /// The number of words that hold one byte for each case.
    of_cases: usize,
}

impl Eights {
    fn new(of_cases: usize) -> Self {
        Self { words: vec![0; Battles::MOST / 8 * DIGITS.len() * of_cases], of_cases }
    }

    /// Notes battle number `nth`, given as one byte for each case.
    fn note(&mut self, nth: usize, row: &[Byte]) {
        let of_eight = DIGITS.len() * self.of_cases;
        let eight = &mut self.words[nth / 8 * of_eight..][..of_eight];
        for (digit, sets) in DIGITS.into_iter().zip(eight.chunks_exact_mut(self.of_cases)) {
            for (set, bytes) in sets.iter_mut().zip(row.chunks_exact(8)) {
                *set |= (word(bytes) >> digit & EACH) << (nth % 8);
            }
        }
    }

    /// The battles that were noted, under one case.
    fn battles(&self, case: usize) -> Battles {
        let (word, shift) = (case / 8, case % 8 * 8);
        let mut sets = [0; DIGITS.len()];
        for (eight, words) in self.words.chunks_exact(DIGITS.len() * self.of_cases).enumerate() {
            for (digit, set) in sets.iter_mut().enumerate() {
                *set |= (words[digit * self.of_cases + word] >> shift & 0xff) << (eight * 8);
            }
        }
        let [first, second, third, fourth] = sets;
        Battles { played: [first, second], points: [third, fourth] }
    }
}

/// Eight bytes as one word, the first the lowest.
#[inline]
fn word(bytes: &[Byte]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight of them"))
}

/// Sums that are not yet added to a tally, packed into one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Packed(u64);

impl Packed {
    #[inline]
    fn add<const N: usize>(&mut self, sums: [u64; N]) {
        self.0 += sums.into_iter().rev().fold(0, |packed, sum| packed << LANE | sum);
    }

    fn take<const N: usize>(&mut self) -> [u64; N] {
        let packed = std::mem::take(&mut self.0);
        std::array::from_fn(|at| packed >> (at as u32 * LANE) & FULL)
    }

    fn add_alone(&mut self, of: &Alone) {
        let &Alone { played, points, played_played, points_played, points_points } = of;
        self.add([played, points, played_played, points_played, points_points]);
    }

    fn take_alone(&mut self) -> Alone {
        let [played, points, played_played, points_played, points_points] = self.take();
        Alone { played, points, played_played, points_played, points_points }
    }

    #[inline]
    fn add_together(&mut self, of: &Together) {
        let &Together { played_played, points_played, played_points, points_points } = of;
        self.add([played_played, points_played, played_points, points_points]);
    }

    fn take_together(&mut self) -> Together {
        let [played_played, points_played, played_points, points_points] = self.take();
        Together { played_played, points_played, played_points, points_points }
    }
}

/// Battles under every case that are not yet added to a tally.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    cases: usize,
    subjects: usize,
    pairs: Vec<Pair>,
    has_several_matchups: bool,
    /// By subject and case: its appearances and points in the battle that is being noted; all 0 between two battles.
    now: Vec<Byte>,
    /// The number of bytes of a subject in `now`: one for each case, rounded up to whole words.
    row: usize,
    /// By subject: whether it takes part in the current battle, under any case.
    is_present: Vec<bool>,
    /// The subjects that take part in it.
    present: Vec<usize>,
    matchup: u32,
    /// By subject: its battles that are not summed up yet, and their number.
    noted: Vec<(Eights, usize)>,
    /// By subject and case: sums that are not yet added to the tally.
    alone: Vec<Packed>,
    /// By subject and case: sums of products with the neutral case; 0 for that case itself.
    with_neutral: Vec<Packed>,
    /// By subject and pair: sums of products of the first factor with the second, of the first with both, and of the
    /// second with both.
    of_pairs: Vec<[Packed; 3]>,
    /// The number of battles since sums were last added to the tally.
    battles: u64,
    /// Scratch space, by case: the battles that are being summed up, and their sums.
    by_case: Vec<(Battles, Alone)>,
}

impl Sets {
    /// An empty buffer.
    pub(super) fn new(design: &Design<'_>) -> Self {
        let (cases, subjects) = (design.cases.len(), design.subjects());
        let of_cases = cases.div_ceil(8);
        Self {
            cases,
            subjects,
            pairs: design.pairs.clone(),
            has_several_matchups: design.layout.matchups.len() > 1,
            now: vec![0; subjects * of_cases * 8],
            row: of_cases * 8,
            is_present: vec![false; subjects],
            present: Vec::new(),
            matchup: 0,
            noted: vec![(Eights::new(of_cases), 0); subjects],
            alone: vec![Packed::default(); subjects * cases],
            with_neutral: vec![Packed::default(); subjects * cases],
            of_pairs: vec![Default::default(); subjects * design.pairs.len()],
            battles: 0,
            by_case: vec![Default::default(); cases],
        }
    }

    /// Notes the battle under a case.
    #[inline]
    pub(super) fn note(&mut self, design: &Design<'_>, case: usize, record: &Record) {
        self.matchup = record.stratum.matchup;
        let points = |side: Side| design.measure.points(record.outcome, side, 2);
        let [Some(of_a), Some(of_b)] = [Side::A, Side::B].map(points) else { return };
        let [of_a, of_b] = [of_a, of_b].map(|points| byte(Fared::once(points)));
        let (side_a, first_unit) = (self.matchup as usize * 2, design.sides());
        self.appears(case, side_a, of_a);
        self.appears(case, side_a + 1, of_b);
        for fighter in fought(record) {
            let fared = if fighter.side == Side::A { of_a } else { of_b };
            self.appears(case, first_unit + usize::from(fighter.unit), fared);
        }
    }

    #[inline]
    fn appears(&mut self, case: usize, subject: usize, fared: Byte) {
        let now = &mut self.now[subject * self.row + case];
        *now = now.saturating_add(fared);
        if !std::mem::replace(&mut self.is_present[subject], true) {
            self.present.push(subject);
        }
    }

    /// Ends the battle that was noted. It may be added to the tally later.
    ///
    /// # Panics
    /// When a unit took part more often than can be counted, although the layout says that none is in a team more than
    /// once.
    pub(super) fn settle(&mut self, tally: &mut EffectTally) {
        if self.has_several_matchups {
            self.tell_matchup(tally);
        }
        let mut present = std::mem::take(&mut self.present);
        for subject in present.drain(..) {
            self.is_present[subject] = false;
            let now = &mut self.now[subject * self.row..][..self.row];
            let all = now.chunks_exact(8).fold(0, |all, bytes| all | word(bytes));
            assert!(all & UNUSED == 0, "no drawn unit is in a team more than once");
            let (noted, many) = &mut self.noted[subject];
            noted.note(*many, now);
            now.fill(0);
            *many += 1;
            if *many == Battles::MOST {
                self.sum_up(subject);
            }
        }
        self.present = present;
        self.battles += 1;
        // Up to 64 earlier battles of a subject may not be summed up yet.
        if self.battles + Battles::MOST as u64 > MOST_SUMMED {
            self.add_to(tally);
        }
    }

    /// Adds the sums by match-up to the tally at once.
    fn tell_matchup(&self, tally: &mut EffectTally) {
        tally.begin_battle(self.matchup);
        for &subject in &self.present {
            let now = &self.now[subject * self.row..][..self.cases];
            for (case, &byte) in now.iter().enumerate().filter(|&(_, &byte)| byte != 0) {
                tally.add_of_matchup(self.matchup, case, subject, fared(byte));
            }
        }
    }

    /// Sums up the noted battles of a subject.
    fn sum_up(&mut self, subject: usize) {
        let (noted, many) = &mut self.noted[subject];
        *many = 0;
        let of_subject = subject * self.cases..(subject + 1) * self.cases;
        let by_case = &mut self.by_case[..];
        for (case, (battles, alone)) in by_case.iter_mut().enumerate() {
            *battles = noted.battles(case);
            *alone = battles.alone();
        }
        noted.words.fill(0);
        for (sums, (_, alone)) in self.alone[of_subject.clone()].iter_mut().zip(&*by_case) {
            sums.add_alone(alone);
        }
        let together = |one: usize, other: usize| {
            let ((one, one_alone), (other, other_alone)) = (&by_case[one], &by_case[other]);
            one.together(one_alone, other, other_alone)
        };
        for (case, sums) in self.with_neutral[of_subject].iter_mut().enumerate().skip(1) {
            sums.add_together(&together(0, case));
        }
        let pairs = self.pairs.len();
        let of_pairs = &mut self.of_pairs[subject * pairs..][..pairs];
        for (&Pair { first, second, both }, sums) in self.pairs.iter().zip(of_pairs) {
            sums[0].add_together(&together(first, second));
            sums[1].add_together(&together(first, both));
            sums[2].add_together(&together(second, both));
        }
    }

    /// Adds all pending battles to the tally.
    pub(super) fn flush(&mut self, tally: &mut EffectTally) {
        let mut waits = self.battles > 0;
        for subject in 0..self.subjects {
            if self.noted[subject].1 > 0 {
                self.sum_up(subject);
                waits = true;
            }
        }
        if waits {
            self.add_to(tally);
        }
    }

    /// Adds all sums to the tally.
    fn add_to(&mut self, tally: &mut EffectTally) {
        self.battles = 0;
        let subjects = self.subjects;
        let (alone, with_neutral, of_pairs) = tally.sums_mut();
        for case in 0..self.cases {
            for subject in 0..subjects {
                let (from, to) = (subject * self.cases + case, case * subjects + subject);
                alone[to].merge(&self.alone[from].take_alone());
                with_neutral[to].merge(&self.with_neutral[from].take_together());
            }
        }
        let pairs = self.pairs.len();
        for pair in 0..pairs {
            for subject in 0..subjects {
                let (from, to) = (subject * pairs + pair, pair * subjects + subject);
                for (sum, packed) in of_pairs[to].iter_mut().zip(&mut self.of_pairs[from]) {
                    sum.merge(&packed.take_together());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Outcome;
    use crate::tally::OutcomeMeasure;

    /// The battles of one case of several, noted one after the other.
    fn battles(case: usize, of: &[Fared]) -> Battles {
        let mut eights = Eights::new(2);
        for (nth, &fared) in of.iter().enumerate() {
            let mut row = [byte(Fared { played: 2, points: 1 }); 16];
            row[case] = byte(fared);
            eights.note(nth, &row);
        }
        eights.battles(case)
    }

    #[test]
    fn the_fullest_sums_of_a_battle_have_room_in_as_many_as_wait() {
        let (mut alone, mut together) = (Packed::default(), Packed::default());
        let fullest = battles(9, &[Fared { played: MOST as u16, points: MOST as u16 }]);
        let sums = fullest.alone();
        for _ in 0..MOST_SUMMED {
            alone.add_alone(&sums);
            together.add_together(&fullest.together(&sums, &fullest, &sums));
        }
        let (once, squared) = (MOST * MOST_SUMMED, MOST * MOST * MOST_SUMMED);
        assert_eq!(alone.take::<5>(), [once, once, squared, squared, squared]);
        assert_eq!(together.take::<4>(), [squared; 4]);
    }

    proptest! {
        /// Sums from sets of battles equal those over the single battles.
        #[test]
        fn sets_of_battles_come_to_the_plain_sums(
            case in 0usize..16,
            fared in prop::collection::vec(prop::array::uniform4(0u16..4), 0..=Battles::MOST),
        ) {
            let mut plain = [Alone::default(); 2];
            let mut together = Together::default();
            let (mut ones, mut others) = (Vec::new(), Vec::new());
            for [played, points, other_played, other_points] in fared {
                let one = Fared { played, points };
                let other = Fared { played: other_played, points: other_points };
                plain[0].add(one);
                plain[1].add(other);
                together.add(one, other);
                ones.push(one);
                others.push(other);
            }
            let (one, other) = (battles(case, &ones), battles(15 - case, &others));
            prop_assert_eq!([one.alone(), other.alone()], plain);
            prop_assert_eq!(one.together(&plain[0], &other, &plain[1]), together);
            let Alone { played_played, points_played, points_points, .. } = plain[0];
            let itself = Together { played_played, points_played, played_points: points_played, points_points };
            prop_assert_eq!(one.together(&plain[0], &one, &plain[0]), itself);
        }
    }

    #[test]
    fn no_battle_has_more_points_than_there_is_room_for() {
        for measure in [OutcomeMeasure::Score, OutcomeMeasure::Wins, OutcomeMeasure::Decided] {
            for outcome in [Outcome::Win(Side::A), Outcome::Draw, Outcome::Undecided] {
                let points =
                    [Side::A, Side::B].map(|side| measure.points(outcome, side, 2).unwrap_or(0));
                // A unit may be on both sides, and on none more than once.
                assert!(points.iter().all(|&points| u64::from(points) <= MOST));
                assert!(u64::from(points[0] + points[1]) <= MOST);
            }
        }
    }
}
