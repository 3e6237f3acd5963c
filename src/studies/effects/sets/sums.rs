//! Sums of products of a subject's appearances and points under two cases, from sets of battles: the sizes of
//! intersections, several pairs of cases at a time.

use std::ops::Range;

use super::super::tally::{Alone, Together};
use super::super::{Design, EffectTally, Pair};
use super::waiting::ByCase;

/// Number of bits for one packed sum.
const LANE: u32 = 16;
/// A subject appears no more often than this in a battle, and has no more points there.
pub(super) const MOST_FARED: u64 = 2;
/// The most battles whose sums fit; then they must be added to a tally.
pub(super) const MOST_SUMMED: u64 = ((1 << LANE) - 1) / (MOST_FARED * MOST_FARED);

/// A subject's appearances and points under a case in up to 64 battles, as sets of these battles.
pub(super) trait Fared: Copy {
    /// The sums of the products of appearances with the other's appearances, of points with its appearances, of
    /// appearances with its points, and of points with points, packed.
    fn products(self, other: Self) -> u64;

    /// The appearances and the points, packed; and the sums of products with itself.
    fn alone(self) -> [u64; 2];
}

/// Sums in lanes of [`LANE`] bits, the first the lowest.
#[inline]
fn packed(sums: [u64; 4]) -> u64 {
    let [first, second, third, fourth] = sums;
    first + (second << LANE) + (third << (2 * LANE)) + (fourth << (3 * LANE))
}

fn take(packed: &mut u64) -> [u64; 4] {
    let sums = std::mem::take(packed);
    std::array::from_fn(|at| sums >> (at as u32 * LANE) & ((1 << LANE) - 1))
}

#[inline]
fn size(set: u64) -> u64 {
    u64::from(set.count_ones())
}

/// Battles in which it appeared once at most, and either won, two points, or has none: the sets of its battles and of
/// those that it won.
impl Fared for [u64; 2] {
    #[inline]
    fn products(self, other: Self) -> u64 {
        let ([played, won], [other_played, other_won]) = (self, other);
        packed([
            size(played & other_played),
            size(won & other_played) << 1,
            size(played & other_won) << 1,
            size(won & other_won) << 2,
        ])
    }

    #[inline]
    fn alone(self) -> [u64; 2] {
        let [played, won] = self.map(size);
        let points = won << 1;
        [packed([played, points, 0, 0]), packed([played, points, points, won << 2])]
    }
}

/// Any battles: the sets by binary digit of its appearances, the lower first, and of its points. Neither is 3.
impl Fared for [u64; 4] {
    #[inline]
    fn products(self, other: Self) -> u64 {
        // The sum of products of two numbers, no battle of which has both digits.
        let product = |one: [u64; 2], other: [u64; 2]| {
            size(one[0] & other[0])
                + (size(one[0] & other[1] | one[1] & other[0]) << 1)
                + (size(one[1] & other[1]) << 2)
        };
        let halves = |[first, second, third, fourth]: Self| [[first, second], [third, fourth]];
        let ([played, points], [other_played, other_points]) = (halves(self), halves(other));
        packed([
            product(played, other_played),
            product(points, other_played),
            product(played, other_points),
            product(points, other_points),
        ])
    }

    #[inline]
    fn alone(self) -> [u64; 2] {
        let [once, twice, one_point, two_points] = self.map(size);
        [packed([once + (twice << 1), one_point + (two_points << 1), 0, 0]), self.products(self)]
    }
}

/// Pairs that follow one another, with the same first case and second cases and cases of both that follow one another.
#[derive(Clone, Debug)]
struct Run {
    /// The pairs.
    pairs: Range<usize>,
    /// The cases of the first of them.
    of: Pair,
}

fn runs(pairs: &[Pair]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, &pair) in pairs.iter().enumerate() {
        let follows = |run: &&mut Run| {
            let (Pair { first, second, both }, many) = (run.of, run.pairs.len());
            [first, second + many, both + many] == [pair.first, pair.second, pair.both]
        };
        match runs.last_mut().filter(follows) {
            Some(run) => run.pairs.end += 1,
            None => runs.push(Run { pairs: at..at + 1, of: pair }),
        }
    }
    runs
}

/// Packed sums that are not yet added to a tally.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    cases: usize,
    pairs: usize,
    runs: Vec<Run>,
    /// By subject and case: appearances and points, and products with themselves.
    alone: [Vec<u64>; 2],
    /// By subject and case: products with the neutral case; for that case itself they are of no use.
    with_neutral: Vec<u64>,
    /// Products of the first factor with the second, of the first with both, and of the second with both; each by
    /// subject and pair.
    of_pairs: [Vec<u64>; 3],
}

impl Sums {
    pub(super) fn new(design: &Design<'_>) -> Self {
        let (cases, pairs, subjects) = (design.cases.len(), design.pairs.len(), design.subjects());
        let [by_case, by_pair] = [cases, pairs].map(|of| vec![0; subjects * of]);
        Self {
            cases,
            pairs,
            runs: runs(&design.pairs),
            alone: [by_case.clone(), by_case.clone()],
            with_neutral: by_case,
            of_pairs: [by_pair.clone(), by_pair.clone(), by_pair],
        }
    }

    /// Adds battles of a subject.
    pub(super) fn add<const N: usize>(&mut self, subject: usize, battles: &ByCase<N>)
    where
        [u64; N]: Fared,
    {
        let of_subject = subject * self.cases..(subject + 1) * self.cases;
        let all = battles.range(0, self.cases);
        let [alone, products] = &mut self.alone;
        add_alone(&mut alone[of_subject.clone()], &mut products[of_subject.clone()], all);
        add_with_one(&mut self.with_neutral[of_subject], battles.of(0), all);
        let [first_second, first_both, second_both] = &mut self.of_pairs;
        for Run { pairs, of: Pair { first, second, both } } in &self.runs {
            let [seconds, boths] = [second, both].map(|from| battles.range(*from, pairs.len()));
            let first = battles.of(*first);
            let pairs = subject * self.pairs + pairs.start..subject * self.pairs + pairs.end;
            add_with_one(&mut first_second[pairs.clone()], first, seconds);
            add_with_one(&mut first_both[pairs.clone()], first, boths);
            add_each(&mut second_both[pairs], seconds, boths);
        }
    }

    /// Adds all sums to the tally.
    pub(super) fn add_to(&mut self, tally: &mut EffectTally) {
        let (cases, pairs) = (self.cases, self.pairs);
        let subjects = self.with_neutral.len() / cases;
        let together = |packed: &mut u64| {
            let [played_played, points_played, played_points, points_points] = take(packed);
            Together { played_played, points_played, played_points, points_points }
        };
        let (alone, with_neutral, of_pairs) = tally.sums_mut();
        for case in 0..cases {
            for subject in 0..subjects {
                let (from, to) = (subject * cases + case, case * subjects + subject);
                let [played, points, ..] = take(&mut self.alone[0][from]);
                let [played_played, points_played, _, points_points] =
                    take(&mut self.alone[1][from]);
                alone[to].merge(&Alone {
                    played,
                    points,
                    played_played,
                    points_played,
                    points_points,
                });
                let with = together(&mut self.with_neutral[from]);
                if case > 0 {
                    with_neutral[to].merge(&with);
                }
            }
        }
        for pair in 0..pairs {
            for subject in 0..subjects {
                let (from, to) = (subject * pairs + pair, pair * subjects + subject);
                for (sum, packed) in of_pairs[to].iter_mut().zip(&mut self.of_pairs) {
                    sum.merge(&together(&mut packed[from]));
                }
            }
        }
    }
}

/// Adds to each case its own sums. The loops of this and of the next two functions are such that the compiler takes
/// several cases at a time.
fn add_alone<const N: usize>(alone: &mut [u64], products: &mut [u64], of: [&[u64]; N])
where
    [u64; N]: Fared,
{
    let many = alone.len().min(products.len());
    let of = of.map(|digit| &digit[..many]);
    for at in 0..many {
        let [more, more_products] = of.map(|digit| digit[at]).alone();
        alone[at] += more;
        products[at] += more_products;
    }
}

/// Adds to each sum the products of one case with another.
fn add_with_one<const N: usize>(sums: &mut [u64], one: [u64; N], others: [&[u64]; N])
where
    [u64; N]: Fared,
{
    if one == [0; N] {
        return;
    }
    let others = others.map(|digit| &digit[..sums.len()]);
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum += one.products(others.map(|digit| digit[at]));
    }
}

/// Adds to each sum the products of two cases of its own.
fn add_each<const N: usize>(sums: &mut [u64], ones: [&[u64]; N], others: [&[u64]; N])
where
    [u64; N]: Fared,
{
    let [ones, others] = [ones, others].map(|of| of.map(|digit| &digit[..sums.len()]));
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum += ones.map(|digit| digit[at]).products(others.map(|digit| digit[at]));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::tally;
    use super::*;
    use crate::game::{Outcome, Side};
    use crate::tally::OutcomeMeasure;

    /// Up to 64 battles as sets, by digit of the appearances and of the points.
    fn sets(of: &[tally::Fared]) -> [u64; 4] {
        let digit = |number: fn(&tally::Fared) -> u16, digit: u32| {
            of.iter().rev().fold(0, |set, of| set << 1 | u64::from(number(of) >> digit & 1))
        };
        let (played, points) = (|of: &tally::Fared| of.played, |of: &tally::Fared| of.points);
        [digit(played, 0), digit(played, 1), digit(points, 0), digit(points, 1)]
    }

    /// The sums that one case and another come to, each number of battles for itself.
    fn plain(ones: &[tally::Fared], others: &[tally::Fared]) -> (Alone, Together) {
        let (mut alone, mut together) = (Alone::default(), Together::default());
        for (&one, &other) in ones.iter().zip(others) {
            alone.add(one);
            together.add(one, other);
        }
        (alone, together)
    }

    fn check<const N: usize>(ones: [u64; N], others: [u64; N], (alone, together): (Alone, Together))
    where
        [u64; N]: Fared,
    {
        let [mut sums, mut squares] = ones.alone();
        assert_eq!(take(&mut sums), [alone.played, alone.points, 0, 0]);
        let Alone { played_played, points_played, points_points, .. } = alone;
        assert_eq!(
            take(&mut squares),
            [played_played, points_played, points_played, points_points]
        );
        let Together { played_played, points_played, played_points, points_points } = together;
        let expected = [played_played, points_played, played_points, points_points];
        assert_eq!(take(&mut ones.products(others)), expected);
    }

    proptest! {
        /// Sums from sets of battles equal those over the single battles; also from half as many sets, where these
        /// suffice.
        #[test]
        fn sets_of_battles_come_to_the_plain_sums(
            fared in prop::collection::vec(prop::array::uniform4(0u16..3), 0..=64),
            simple in prop::collection::vec(prop::array::uniform2((0u16..2, 0u16..2)), 0..=64),
        ) {
            let both = |of: &dyn Fn(usize) -> [tally::Fared; 2], many: usize| {
                let all: Vec<[tally::Fared; 2]> = (0..many).map(of).collect();
                [0, 1].map(|at| all.iter().map(|two| two[at]).collect::<Vec<_>>())
            };
            let of = |at: usize| {
                let [played, points, other_played, other_points] = fared[at];
                [(played, points), (other_played, other_points)]
                    .map(|(played, points)| tally::Fared { played, points })
            };
            let [ones, others] = both(&of, fared.len());
            check(sets(&ones), sets(&others), plain(&ones, &others));
            let of = |at: usize| simple[at].map(|(played, won)| {
                tally::Fared { played, points: 2 * played * won }
            });
            let [ones, others] = both(&of, simple.len());
            let halves = |of: &[tally::Fared]| {
                let [once, _, _, two_points] = sets(of);
                [once, two_points]
            };
            check(sets(&ones), sets(&others), plain(&ones, &others));
            check(halves(&ones), halves(&others), plain(&ones, &others));
        }
    }

    #[test]
    fn the_fullest_sums_of_a_battle_have_room_in_as_many_as_wait() {
        let most = MOST_FARED as u16;
        let fullest = sets(&[tally::Fared { played: most, points: most }]);
        let mut sums = (0..MOST_SUMMED).map(|_| fullest.products(fullest)).sum();
        assert_eq!(take(&mut sums), [MOST_FARED * MOST_FARED * MOST_SUMMED; 4]);
    }

    #[test]
    fn no_battle_has_more_points_than_there_is_room_for() {
        for measure in [OutcomeMeasure::Score, OutcomeMeasure::Wins, OutcomeMeasure::Decided] {
            for outcome in [Outcome::Win(Side::A), Outcome::Draw, Outcome::Undecided] {
                let points =
                    [Side::A, Side::B].map(|side| measure.points(outcome, side, 2).unwrap_or(0));
                // A unit may be on both sides, and on none more than once.
                assert!(u64::from(points[0] + points[1]) <= MOST_FARED);
            }
        }
    }

    /// Pairs in any order are all summed up, with their own cases.
    #[test]
    fn runs_hold_every_pair_once() {
        let pair = |first, second, both| Pair { first, second, both };
        let pairs = [
            pair(1, 2, 4),
            pair(1, 3, 5),
            pair(2, 3, 6),
            pair(2, 4, 8),
            pair(2, 5, 9),
            pair(3, 5, 10),
            pair(1, 4, 7),
        ];
        let runs = runs(&pairs);
        assert_eq!(runs.len(), 5);
        let of_run = |run: &Run| {
            let Pair { first, second, both } = run.of;
            (0..run.pairs.len())
                .map(move |at| pair(first, second + at, both + at))
                .collect::<Vec<_>>()
        };
        assert_eq!(runs.iter().flat_map(of_run).collect::<Vec<_>>(), pairs);
        assert!(runs.iter().map(|run| run.pairs.start).is_sorted());
    }
}
