//! Counting effects where nobody is in a battle more than twice: all sums of a subject and case that a battle changes lie in
//! two numbers, a few bits for each sum, and are added to an [`EffectTally`] before any of them is full.
//!
//! How a subject fared in a battle is one number as well, so that a multiplication gives the products of two of them side by
//! side. What is counted is what [`Group`](super::tally::Group) counts sum by sum.

use super::tally::{Alone, Fared, Together};
use super::{Design, EffectTally, Pair};
use crate::game::Side;
use crate::tally::{Fighter, Record};

/// Bits of a sum.
const LANE: u32 = 12;
const FULL: u64 = (1 << LANE) - 1;
/// A subject appears no more often than this in a battle, and has no more points there.
const MOST: u64 = 3;
/// A battle adds most to the sum of appearances times points, which is counted twice: after so many battles the sums must
/// be added to a tally.
const MOST_BATTLES: u64 = FULL / (2 * MOST * MOST);

/// How a subject fared in one battle: appearances, and points beside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line(u64);

impl Line {
    fn once(points: u32) -> Self {
        Self(1 | u64::from(points) << LANE)
    }

    /// The products that the plain sums of a subject under one case need, and the two numbers themselves above these.
    fn alone(self) -> u64 {
        self.0 * self.0 + (self.0 << (3 * LANE))
    }

    /// The products with another one, in the order of [`Together`].
    #[inline]
    fn together(self, other: Wide) -> u64 {
        self.0 * other.0
    }

    /// The same with its numbers further apart, so that no two products with a line fall into one place.
    #[inline]
    fn wide(self) -> Wide {
        Wide(self.0 & FULL | self.0 >> LANE << (2 * LANE))
    }

    fn fared(self) -> Fared {
        Fared { played: (self.0 & FULL) as u16, points: (self.0 >> LANE) as u16 }
    }
}

/// See [`Line::wide`].
#[derive(Clone, Copy, Debug)]
struct Wide(u64);

/// What waits of a subject under one case.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Sums of [`Line::alone`].
    alone: u64,
    /// Sums of the products with the neutral case.
    with_neutral: u64,
}

/// What one appearance adds.
#[derive(Clone, Copy, Debug)]
struct Step {
    once: Line,
    alone: u64,
    twice: u64,
    wide: Wide,
}

impl Step {
    fn of(points: u32) -> Self {
        let once = Line::once(points);
        Self { once, alone: once.alone(), twice: 2 * once.0, wide: once.wide() }
    }
}

/// Battles under every case that wait to be added to a tally.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    subjects: usize,
    /// By case and subject.
    cells: Vec<Cell>,
    /// By pair and subject: products of the first with the second, the first with both, the second with both.
    of_pairs: Vec<[u64; 3]>,
    /// By subject: how it fared under the case that is being noted; nothing in between.
    now: Vec<Line>,
    /// By subject: how it fared under the neutral case of the battle that is being noted.
    neutral: Vec<Line>,
    /// That battle once more, where there is more to it than single cases.
    battle: Option<OfBattle>,
    matchup: u32,
    /// How many battles wait.
    battles: u64,
    /// Every bit that has been set in a line.
    lines: u64,
}

/// How everybody fared in one battle.
#[derive(Clone, Debug)]
struct OfBattle {
    /// By case and subject; nothing but for those that are listed.
    fared: Vec<Line>,
    /// Who took part, by case.
    present: Vec<Vec<u32>>,
}

impl Packed {
    /// Nothing waits; none where somebody might be in a battle more often than there is room for.
    pub(super) fn new(design: &Design<'_>) -> Option<Self> {
        let (cases, subjects) = (design.cases.len(), design.subjects());
        let are_few = design.layout.sides == 2 && (!design.units || design.layout.units_are_drawn);
        let has_more = !design.pairs.is_empty() || design.layout.matchups.len() > 1;
        are_few.then(|| Self {
            subjects,
            cells: vec![Cell::default(); cases * subjects],
            of_pairs: vec![[0; 3]; design.pairs.len() * subjects],
            now: vec![Line::default(); subjects],
            neutral: vec![Line::default(); subjects],
            battle: has_more.then(|| OfBattle {
                fared: vec![Line::default(); cases * subjects],
                present: vec![Vec::new(); cases],
            }),
            matchup: 0,
            battles: 0,
            lines: 0,
        })
    }

    /// Writes down how the battle went under a case, the neutral one first.
    #[inline]
    pub(super) fn note(&mut self, design: &Design<'_>, case: usize, record: &Record) {
        self.matchup = record.stratum.matchup;
        if case == 0 {
            self.neutral.fill(Line::default());
        }
        let step = |side| design.measure.points(record.outcome, side, 2).map(Step::of);
        let (Some(of_a), Some(of_b)) = (step(Side::A), step(Side::B)) else { return };
        let steps = [of_a, of_b];
        let (first_unit, subjects) = (design.sides(), self.subjects);
        let (now, neutral) = (&mut self.now[..subjects], &self.neutral[..subjects]);
        let cells = &mut self.cells[case * subjects..][..subjects];
        let mut lines = self.lines;
        let mut appears = |subject: usize, side: Side| {
            // Looked up rather than chosen: one of two would be chosen number by number.
            let step = &steps[usize::from(side != Side::A)];
            let before = now[subject];
            let after = Line(before.0 + step.once.0);
            cells[subject].alone += step.alone + before.0 * step.twice;
            cells[subject].with_neutral += neutral[subject].together(step.wide);
            now[subject] = after;
            lines |= after.0;
        };
        let side_a = self.matchup as usize * 2;
        appears(side_a, Side::A);
        appears(side_a + 1, Side::B);
        let unit = |fighter: &Fighter| first_unit + usize::from(fighter.unit);
        for fighter in &record.fighters {
            appears(unit(fighter), fighter.side);
        }
        self.lines = lines;
        let subjects = [side_a, side_a + 1].into_iter().chain(record.fighters.iter().map(unit));
        if case == 0 || self.battle.is_some() {
            subjects.for_each(|subject| self.keep(case, subject));
        } else {
            subjects.for_each(|subject| self.now[subject] = Line::default());
        }
    }

    /// Keeps how a subject fared under the case that was noted for as long as the battle lasts. Whoever was there twice is kept
    /// once.
    #[inline]
    fn keep(&mut self, case: usize, subject: usize) {
        let now = std::mem::take(&mut self.now[subject]);
        if now == Line::default() {
            return;
        }
        if case == 0 {
            self.neutral[subject] = now;
        }
        if let Some(battle) = &mut self.battle {
            battle.fared[case * self.subjects + subject] = now;
            battle.present[case].push(subject as u32);
        }
    }

    /// Counts the battle, whose sums may wait, and forgets it.
    ///
    /// # Panics
    /// When a unit was in a team more than once, although the layout says that none is.
    pub(super) fn settle(&mut self, design: &Design<'_>, tally: &mut EffectTally) {
        let has_room = self.lines & !(MOST | MOST << LANE) == 0;
        assert!(has_room, "no drawn unit is in a team more than once");
        if let Some(battle) = &mut self.battle {
            battle.tell_matchup(self.subjects, self.matchup, tally);
            battle.add_pairs(self.subjects, &design.pairs, &mut self.of_pairs);
            battle.forget(self.subjects);
        }
        self.battles += 1;
        if self.battles == MOST_BATTLES {
            self.flush(tally);
        }
    }

    /// Adds to the tally what waits, so that nothing does.
    pub(super) fn flush(&mut self, tally: &mut EffectTally) {
        self.battles = 0;
        let (alone, with_neutral, of_pairs) = tally.sums_mut();
        let sums = alone.iter_mut().zip(with_neutral);
        for (cell, (alone, with_neutral)) in self.cells.iter_mut().zip(sums) {
            if cell.alone != 0 {
                alone.merge(&unpacked_alone(std::mem::take(&mut cell.alone)));
                with_neutral.merge(&unpacked(std::mem::take(&mut cell.with_neutral)));
            }
        }
        let sums = of_pairs.as_flattened_mut().iter_mut();
        for (packed, sum) in self.of_pairs.as_flattened_mut().iter_mut().zip(sums) {
            if *packed != 0 {
                sum.merge(&unpacked(std::mem::take(packed)));
            }
        }
    }
}

impl OfBattle {
    /// Adds what is told match-up by match-up to the tally at once.
    fn tell_matchup(&self, subjects: usize, matchup: u32, tally: &mut EffectTally) {
        tally.begin_battle(matchup);
        for (case, present) in self.present.iter().enumerate() {
            for &subject in present {
                let fared = self.fared[case * subjects + subject as usize].fared();
                tally.add_of_matchup(matchup, case, subject as usize, fared);
            }
        }
    }

    /// Adds the products that interactions need.
    fn add_pairs(&self, subjects: usize, pairs: &[Pair], sums: &mut [[u64; 3]]) {
        let fared = |case: usize| &self.fared[case * subjects..][..subjects];
        for (parts, sums) in pairs.iter().zip(sums.chunks_exact_mut(subjects)) {
            let compared = [
                (parts.first, parts.second),
                (parts.first, parts.both),
                (parts.second, parts.both),
            ];
            for (which, (one, other)) in compared.into_iter().enumerate() {
                let (first, second) = (fared(one), fared(other));
                for &subject in &self.present[one] {
                    let at = subject as usize;
                    sums[at][which] += first[at].together(second[at].wide());
                }
            }
        }
    }

    fn forget(&mut self, subjects: usize) {
        for (case, present) in self.present.iter_mut().enumerate() {
            for subject in present.drain(..) {
                self.fared[case * subjects + subject as usize] = Line::default();
            }
        }
    }
}

/// The sums in their places, lowest first.
fn lanes<const N: usize>(packed: u64) -> [u64; N] {
    std::array::from_fn(|at| packed >> (at as u32 * LANE) & FULL)
}

fn unpacked_alone(packed: u64) -> Alone {
    let [played_played, twice_points_played, points_points, played, points] = lanes(packed);
    let points_played = twice_points_played / 2;
    Alone { played, points, played_played, points_played, points_points }
}

fn unpacked(packed: u64) -> Together {
    let [played_played, points_played, played_points, points_points] = lanes(packed);
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

    /// How a battle ends, and the units of either side as bits.
    type Ending = (u8, u8, u8);

    fn record(layout: &Layout, stratum: Stratum, (ending, a, b): Ending) -> Record {
        let mut record = Record::new(layout);
        record.clear(stratum);
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
        fn packed_sums_are_the_plain_ones(
            matchups in 1usize..3,
            measure in 0usize..3,
            battles in prop::collection::vec(
                prop::array::uniform4((0u8..4, 0u8..64, 0u8..64)),
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
            let (mut group, mut packed) = (Group::new(&design), Packed::new(&design).unwrap());
            for index in 0..times {
                let matchup = (index % matchups as u64) as u32;
                let cases = battles[index as usize % battles.len()];
                for ((number, case), ending) in design.cases.iter().enumerate().zip(cases) {
                    let stratum = Stratum { matchup, condition: case.condition };
                    let record = record(&layout, stratum, ending);
                    group.note(&design, number, &record);
                    packed.note(&design, number, &record);
                }
                group.settle(&design, &mut plain);
                packed.settle(&design, &mut counted);
                if index == 100 {
                    packed.flush(&mut counted);
                    prop_assert_eq!(&counted, &plain);
                }
            }
            packed.flush(&mut counted);
            prop_assert_eq!(&counted, &plain);
        }
    }

    #[test]
    fn the_fullest_sum_of_a_battle_has_room_in_as_many_as_wait() {
        let fullest = Line(MOST | MOST << LANE);
        let sums = (0..MOST_BATTLES).fold(0u64, |sums, _| sums + fullest.alone());
        let product = (MOST * MOST) * MOST_BATTLES;
        let expected = Alone {
            played: MOST * MOST_BATTLES,
            points: MOST * MOST_BATTLES,
            played_played: product,
            points_played: product,
            points_points: product,
        };
        assert_eq!(unpacked_alone(sums), expected);
    }

    #[test]
    fn who_may_be_there_more_often_is_not_packed() {
        let drawn = layout(1);
        assert!(Packed::new(&Design::new(&drawn, 1, true).unwrap()).is_some());
        let given = Layout { units_are_drawn: false, ..layout(1) };
        assert!(Packed::new(&Design::new(&given, 1, true).unwrap()).is_none());
        assert!(Packed::new(&Design::new(&given, 1, false).unwrap()).is_some());
        let three = Layout { sides: 3, ..layout(1) };
        assert!(Packed::new(&Design::new(&three, 1, false).unwrap()).is_none());
    }
}
