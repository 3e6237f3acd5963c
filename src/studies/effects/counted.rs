//! Counting effects where nobody is in a battle more than twice, once on either side: how a battle ended for a subject under a case,
//! and under the neutral one, is one of a few ways, which are counted and added to an [`EffectTally`] later.
//!
//! What interactions need besides, sums of products under two other cases, lies in one number, a few bits for each sum, and is added
//! to the tally before any of them is full. What is counted is what [`Group`](super::tally::Group) counts sum by sum.

use super::tally::{Fared, Together, fought};
use super::{Design, EffectTally, Pair};
use crate::game::{Outcome, Side};
use crate::tally::{Fighter, Record};

/// How a battle ended for a subject.
type Ending = u8;
/// It was not there, or the measure does not look at the battle.
const NONE: Ending = 0;
const WON: Ending = 1;
const LOST: Ending = 2;
/// Nobody won.
const SHARED: Ending = 3;
/// It was on a side that won and on one that lost.
const BOTH: Ending = 4;
/// Nobody won, and it was on either side.
const SHARED_TWICE: Ending = 5;
/// It was there more often than that.
const OFTEN: Ending = 6;
/// As many numbers as there are of these, and some more, so that eight of them are all that three bits can say.
const ENDINGS: usize = 8;
/// How many of them count.
const COUNTED: usize = OFTEN as usize;
/// All of those but that it was not there.
const THERE: usize = COUNTED - 1;

/// By how a battle ended for a subject so far, and how it ended for the side that it is on once more: how it ended for it.
const AGAIN: [[Ending; 4]; ENDINGS] = [
    [NONE, WON, LOST, SHARED],
    [WON, OFTEN, BOTH, OFTEN],
    [LOST, BOTH, OFTEN, OFTEN],
    [SHARED, OFTEN, OFTEN, SHARED_TWICE],
    [OFTEN; 4],
    [OFTEN; 4],
    [OFTEN; 4],
    [OFTEN; 4],
];

/// After so many battles under every case what was counted must be added to a tally.
const MOST_COUNTED: u64 = u16::MAX as u64;

/// Bits of a sum of products.
const LANE: u32 = 12;
const FULL: u64 = (1 << LANE) - 1;
/// A subject appears no more often than this in a battle, and has no more points there.
const MOST: u64 = 3;
/// After so many battles the sums of products must be added to a tally.
const MOST_SUMMED: u64 = FULL / (MOST * MOST);

/// How a subject fared in one battle: appearances, and points beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line(u64);

impl Line {
    fn of(fared: Fared) -> Self {
        Self(u64::from(fared.played) | u64::from(fared.points) << LANE)
    }

    /// The products with another one, in the order of [`Together`].
    #[inline]
    fn together(self, other: Self) -> u64 {
        // Its numbers further apart, so that no two products fall into one place.
        self.0 * (other.0 & FULL | other.0 >> LANE << (2 * LANE))
    }
}

/// How many battles ended so for a subject under the neutral case and so under another: by the first, and within it by the second.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Cell([u16; 32]);

const _: () = assert!(COUNTED * THERE <= 32);

impl Cell {
    /// Counts a battle that ended so under a case for who was there; `neutral` is [`THERE`] times how it ended under the neutral one.
    #[inline]
    fn count(&mut self, neutral: u8, now: Ending) {
        self.0[usize::from(neutral + now - 1) % 32] += 1;
    }
}

/// Battles under every case that wait to be added to a tally.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    subjects: usize,
    /// By ending: how a subject fared in such a battle.
    fared: [Fared; ENDINGS],
    /// By case and subject.
    cells: Vec<Cell>,
    /// By subject: how the battle ended for it under the case that is being noted; nothing in between.
    now: Vec<Ending>,
    /// By subject: [`THERE`] times how it ended under the neutral case.
    neutral: Vec<u8>,
    /// How many battles wait.
    battles: u64,
    /// What there is to it beside single cases, if there is anything.
    more: Option<More>,
    matchup: u32,
    /// Whether anybody was in a battle more often than can be counted.
    is_often: bool,
}

/// What is needed of how everybody fared in one battle beside how it ended under single cases.
#[derive(Clone, Debug)]
struct More {
    /// By two endings: what the battle adds to sums of products.
    products: [[u64; ENDINGS]; ENDINGS],
    /// By case and subject: how the battle ended for it. Bytes, of which many fit close to the processor.
    ended: Vec<Ending>,
    /// Who took part, by case.
    present: Vec<Vec<u32>>,
    /// By pair and subject: products of the first with the second, the first with both, the second with both.
    of_pairs: Vec<[u64; 3]>,
    /// How many battles these are of.
    battles: u64,
}

impl Counted {
    /// Nothing waits; none where somebody might be in a battle more often than can be counted.
    pub(super) fn new(design: &Design<'_>) -> Option<Self> {
        let (cases, subjects) = (design.cases.len(), design.subjects());
        let are_few = design.layout.sides == 2 && (!design.units || design.layout.units_are_drawn);
        let has_more = !design.pairs.is_empty() || design.layout.matchups.len() > 1;
        let fared = fared(design);
        are_few.then(|| Self {
            subjects,
            fared,
            cells: vec![Cell::default(); cases * subjects],
            now: vec![NONE; subjects],
            neutral: vec![0; subjects],
            battles: 0,
            more: has_more.then(|| More {
                products: products(fared),
                ended: vec![NONE; cases * subjects],
                present: vec![Vec::new(); cases],
                of_pairs: vec![[0; 3]; design.pairs.len() * subjects],
                battles: 0,
            }),
            matchup: 0,
            is_often: false,
        })
    }

    /// Writes down how the battle went under a case, the neutral one first.
    #[inline]
    pub(super) fn note(&mut self, design: &Design<'_>, case: usize, record: &Record) {
        self.matchup = record.stratum.matchup;
        if case == 0 {
            self.neutral.fill(0);
        }
        if design.measure.points(record.outcome, Side::A, 2).is_none() {
            return;
        }
        let ended: [Ending; 2] = match record.outcome {
            Outcome::Win(Side::A) => [WON, LOST],
            Outcome::Win(_) => [LOST, WON],
            Outcome::Draw | Outcome::Undecided => [SHARED, SHARED],
        };
        let (first_unit, subjects) = (design.sides(), self.subjects);
        let side_a = self.matchup as usize * 2;
        let fighters = fought(record);
        let unit = |fighter: &Fighter| first_unit + usize::from(fighter.unit);
        let now = &mut self.now[..subjects];
        (now[side_a], now[side_a + 1]) = (ended[0], ended[1]);
        for fighter in fighters {
            let ended = ended[usize::from(fighter.side != Side::A)];
            let now = &mut now[unit(fighter)];
            *now = AGAIN[usize::from(*now) % ENDINGS][usize::from(ended) % 4];
        }
        let cells = &mut self.cells[case * subjects..][..subjects];
        let neutral = &mut self.neutral[..subjects];
        let (mut is_often, mut more) = (false, self.more.as_mut());
        let mut count = |subject: usize| {
            // Whoever was there twice is counted once.
            let ended = std::mem::take(&mut now[subject]);
            if ended == NONE {
                return;
            }
            is_often |= ended >= OFTEN;
            let before = &mut neutral[subject];
            cells[subject].count(*before, ended);
            if case == 0 {
                *before = THERE as u8 * ended;
            }
            if let Some(more) = &mut more {
                more.keep(case, subjects, subject, ended);
            }
        };
        count(side_a);
        count(side_a + 1);
        fighters.iter().map(unit).for_each(count);
        self.is_often |= is_often;
    }

    /// Counts the battle, which may wait, and forgets it.
    ///
    /// # Panics
    /// When a unit was in a team more than once, although the layout says that none is.
    pub(super) fn settle(&mut self, design: &Design<'_>, tally: &mut EffectTally) {
        assert!(!self.is_often, "no drawn unit is in a team more than once");
        if let Some(more) = &mut self.more {
            more.tell_matchup(self.subjects, self.matchup, &self.fared, tally);
            more.add_pairs(self.subjects, &design.pairs);
            more.forget(self.subjects);
            if more.battles == MOST_SUMMED {
                more.flush(tally);
            }
        }
        self.battles += 1;
        if self.battles == MOST_COUNTED {
            self.flush(tally);
        }
    }

    /// Adds to the tally what waits, so that nothing does.
    pub(super) fn flush(&mut self, tally: &mut EffectTally) {
        if std::mem::take(&mut self.battles) == 0 {
            return;
        }
        let (alone, with_neutral, _) = tally.sums_mut();
        let sums = alone.iter_mut().zip(with_neutral);
        for (cell, (alone, with_neutral)) in self.cells.iter_mut().zip(sums) {
            let counts = std::mem::take(cell).0;
            for (at, times) in counts.into_iter().enumerate().filter(|&(_, times)| times > 0) {
                let [neutral, now] = [self.fared[at / THERE], self.fared[at % THERE + 1]];
                alone.add_times(now, times.into());
                with_neutral.add_times(neutral, now, times.into());
            }
        }
        if let Some(more) = &mut self.more {
            more.flush(tally);
        }
    }
}

/// How a subject fares in a battle that ends so for it: as if it was not there where the ending does not count.
fn fared(design: &Design<'_>) -> [Fared; ENDINGS] {
    let of =
        |outcome| design.measure.points(outcome, Side::A, 2).map_or(Fared::default(), Fared::once);
    let [won, lost] = [Side::A, Side::B].map(|side| of(Outcome::Win(side)));
    let shared = of(Outcome::Draw);
    let none = Fared::default();
    [none, won, lost, shared, won.and(lost), shared.and(shared), none, none]
}

/// By how a battle ended for a subject under one case and under another: what it adds to sums of products.
fn products(fared: [Fared; ENDINGS]) -> [[u64; ENDINGS]; ENDINGS] {
    let lines = fared.map(Line::of);
    lines.map(|one| lines.map(|other| one.together(other)))
}

impl More {
    /// Keeps how the battle ended for a subject for as long as it lasts.
    #[inline]
    fn keep(&mut self, case: usize, subjects: usize, subject: usize, ended: Ending) {
        self.ended[case * subjects + subject] = ended;
        self.present[case].push(subject as u32);
    }

    /// Adds what is told match-up by match-up to the tally at once.
    fn tell_matchup(
        &self,
        subjects: usize,
        matchup: u32,
        fared: &[Fared; ENDINGS],
        tally: &mut EffectTally,
    ) {
        tally.begin_battle(matchup);
        for (case, present) in self.present.iter().enumerate() {
            for &subject in present {
                let ended = self.ended[case * subjects + subject as usize];
                let fared = fared[usize::from(ended) % ENDINGS];
                tally.add_of_matchup(matchup, case, subject as usize, fared);
            }
        }
    }

    /// Adds the products that interactions need.
    fn add_pairs(&mut self, subjects: usize, pairs: &[Pair]) {
        self.battles += 1;
        let ended = |case: usize| &self.ended[case * subjects..][..subjects];
        let of = |ending: Ending| usize::from(ending) % ENDINGS;
        for (parts, sums) in pairs.iter().zip(self.of_pairs.chunks_exact_mut(subjects)) {
            let [first, second, both] = [parts.first, parts.second, parts.both].map(ended);
            for subject in self.present[parts.first].iter().map(|&subject| subject as usize) {
                let products = &self.products[of(first[subject])];
                sums[subject][0] += products[of(second[subject])];
                sums[subject][1] += products[of(both[subject])];
            }
            for subject in self.present[parts.second].iter().map(|&subject| subject as usize) {
                sums[subject][2] += self.products[of(second[subject])][of(both[subject])];
            }
        }
    }

    fn forget(&mut self, subjects: usize) {
        for (case, present) in self.present.iter_mut().enumerate() {
            for subject in present.drain(..) {
                self.ended[case * subjects + subject as usize] = NONE;
            }
        }
    }

    /// Adds the sums of products to the tally, so that none waits.
    fn flush(&mut self, tally: &mut EffectTally) {
        self.battles = 0;
        let (_, _, of_pairs) = tally.sums_mut();
        let sums = of_pairs.as_flattened_mut().iter_mut();
        for (packed, sum) in self.of_pairs.as_flattened_mut().iter_mut().zip(sums) {
            if *packed != 0 {
                sum.merge(&unpacked(std::mem::take(packed)));
            }
        }
    }
}

fn unpacked(packed: u64) -> Together {
    let [played_played, points_played, played_points, points_points] =
        std::array::from_fn(|at| packed >> (at as u32 * LANE) & FULL);
    Together { played_played, points_played, played_points, points_points }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tally::Group;
    use super::*;
    use crate::game::{Outcome, Stratum};
    use crate::tally::fixture::duel;
    use crate::tally::{Condition, Layout, OutcomeMeasure};

    /// Two rulesets alone and together, and teams that are drawn, as many match-ups as said.
    fn layout(matchups: usize) -> Layout {
        let base = duel();
        let condition = |label: &str, factors: &[u16]| Condition {
            label: label.to_owned(),
            factors: factors.to_vec(),
            probability: 0.25,
        };
        Layout {
            matchups: vec![base.matchups[0].clone(); matchups],
            conditions: vec![
                condition("Earthquake, Healed Out", &[1, 2]),
                condition("Earthquake", &[1]),
                condition("Standard", &[0]),
                condition("Healed Out", &[2]),
            ],
            units_are_drawn: true,
            ..base
        }
    }

    /// How a battle ends, and the units of either side as bits; one bit more says that side A forfeits it.
    type Ending = (u8, u8, u8);

    fn record(layout: &Layout, stratum: Stratum, (ending, a, b): Ending) -> Record {
        let mut record = Record::new(layout);
        record.clear(stratum);
        record.forfeits = a >> 6;
        record.outcome = match ending {
            0 => Outcome::Draw,
            1 => Outcome::Undecided,
            side => Outcome::Win(Side(side - 2)),
        };
        for (side, team) in [a, b].into_iter().enumerate() {
            let units = (0..layout.units.len()).filter(|unit| team >> unit & 1 == 1);
            record.fighters.extend(units.map(|unit| Fighter {
                unit: unit as u16,
                level: 1,
                side: Side(side as u8),
                survived: true,
                dealt: 0,
                taken: 0,
            }));
        }
        record
    }

    proptest! {
        /// Whatever waits and however often it is added to a tally, the sums are those that are added battle by battle.
        #[test]
        fn counts_come_to_the_plain_sums(
            matchups in 1usize..3,
            measure in 0usize..3,
            battles in prop::collection::vec(
                prop::array::uniform4((0u8..4, 0u8..128, 0u8..64)),
                1..6,
            ),
            times in prop_oneof![0u64..20, 220u64..240, 450u64..700],
        ) {
            let layout = layout(matchups);
            let mut design = Design::new(&layout, 1, true).unwrap();
            let measures = [OutcomeMeasure::Score, OutcomeMeasure::Wins, OutcomeMeasure::Decided];
            design.measure = measures[measure];
            prop_assert_eq!(design.pairs.len(), 1);
            let (mut plain, mut counted) = (EffectTally::new(&design), EffectTally::new(&design));
            let (mut group, mut counted_so) = (Group::new(&design), Counted::new(&design).unwrap());
            for index in 0..times {
                let matchup = (index % matchups as u64) as u32;
                let cases = battles[index as usize % battles.len()];
                for ((number, case), ending) in design.cases.iter().enumerate().zip(cases) {
                    let stratum = Stratum { matchup, condition: case.condition };
                    let record = record(&layout, stratum, ending);
                    group.note(&design, number, &record);
                    counted_so.note(&design, number, &record);
                }
                group.settle(&design, &mut plain);
                counted_so.settle(&design, &mut counted);
                if index == 100 {
                    counted_so.flush(&mut counted);
                    prop_assert_eq!(&counted, &plain);
                }
            }
            counted_so.flush(&mut counted);
            prop_assert_eq!(&counted, &plain);
        }
    }

    #[test]
    fn the_fullest_sum_of_a_battle_has_room_in_as_many_as_wait() {
        let fullest = Line(MOST | MOST << LANE);
        let sums = (0..MOST_SUMMED).fold(0u64, |sums, _| sums + fullest.together(fullest));
        let all = MOST * MOST * MOST_SUMMED;
        let expected = Together {
            played_played: all,
            points_played: all,
            played_points: all,
            points_points: all,
        };
        assert_eq!(unpacked(sums), expected);
    }

    #[test]
    fn no_battle_has_more_points_than_there_is_room_for() {
        let layout = layout(1);
        let mut design = Design::new(&layout, 1, true).unwrap();
        for measure in [OutcomeMeasure::Score, OutcomeMeasure::Wins, OutcomeMeasure::Decided] {
            design.measure = measure;
            for Fared { played, points } in fared(&design) {
                assert!(u64::from(played) <= MOST && u64::from(points) <= MOST);
            }
        }
    }

    #[test]
    fn who_may_be_there_more_often_is_not_counted_so() {
        let drawn = layout(1);
        assert!(Counted::new(&Design::new(&drawn, 1, true).unwrap()).is_some());
        let given = Layout { units_are_drawn: false, ..layout(1) };
        assert!(Counted::new(&Design::new(&given, 1, true).unwrap()).is_none());
        assert!(Counted::new(&Design::new(&given, 1, false).unwrap()).is_some());
        let three = Layout { sides: 3, ..layout(1) };
        assert!(Counted::new(&Design::new(&three, 1, false).unwrap()).is_none());
    }
}
