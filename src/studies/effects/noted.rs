//! Buffers for battles that are not yet added to a tally; the fastest one for a design is chosen.

use super::counted::Counted;
use super::sets::Sets;
use super::tally::Group;
use super::{Design, EffectTally};
use crate::tally::Record;

/// Battles that are not yet added to an [`EffectTally`]. The tally is the same with every variant.
pub(super) enum Noted {
    /// For duels in which no unit is on a side more than once.
    Counted(Box<Counted>),
    /// For the same duels, in a design with pairs of cases.
    Sets(Box<Sets>),
    /// Any design, battle by battle.
    Plain(Group),
}

impl Noted {
    /// An empty buffer of the fastest kind for a design.
    pub(super) fn new(design: &Design<'_>) -> Self {
        if design.layout.sides > 2 || design.units && !design.layout.units_are_drawn {
            Self::Plain(Group::new(design))
        } else if design.pairs.is_empty() {
            Self::Counted(Box::new(Counted::new(design)))
        } else {
            Self::Sets(Box::new(Sets::new(design)))
        }
    }

    /// Notes the battle under a case. The neutral case must come first.
    #[inline]
    pub(super) fn note(&mut self, design: &Design<'_>, case: usize, record: &Record) {
        match self {
            Self::Counted(counted) => counted.note(design, case, record),
            Self::Sets(sets) => sets.note(design, case, record),
            Self::Plain(group) => group.note(design, case, record),
        }
    }

    /// Ends the battle that was noted. It may be added to the tally later.
    #[inline]
    pub(super) fn settle(&mut self, design: &Design<'_>, tally: &mut EffectTally) {
        match self {
            Self::Counted(counted) => counted.settle(tally),
            Self::Sets(sets) => sets.settle(tally),
            Self::Plain(group) => group.settle(design, tally),
        }
    }

    /// Adds all pending battles to the tally.
    pub(super) fn flush(&mut self, tally: &mut EffectTally) {
        match self {
            Self::Counted(counted) => counted.flush(tally),
            Self::Sets(sets) => sets.flush(tally),
            Self::Plain(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::{Outcome, Side, Stratum};
    use crate::tally::fixture::duel;
    use crate::tally::{Condition, Fighter, Layout, OutcomeMeasure};

    /// A layout of two rulesets alone and together, with drawn teams and this many match-ups.
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
            units_are_brought: true,
            units_are_drawn: true,
            ..base
        }
    }

    /// How a battle ends, and the units of either side as bits; bit 6 of side A's says that it forfeits.
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
        /// The sums equal those that are added battle by battle, whatever is buffered and however often that is
        /// flushed.
        #[test]
        fn counts_come_to_the_plain_sums(
            matchups in 1usize..3,
            measure in 0usize..3,
            has_pairs: bool,
            battles in prop::collection::vec(
                prop::array::uniform4((0u8..4, 0u8..128, 0u8..64)),
                1..6,
            ),
            times in prop_oneof![0u64..20, 220u64..240, 450u64..700],
        ) {
            let mut layout = layout(matchups);
            if !has_pairs {
                layout.conditions.pop();
            }
            let mut design = Design::new(&layout, 1, true).unwrap();
            let measures = [OutcomeMeasure::Score, OutcomeMeasure::Wins, OutcomeMeasure::Decided];
            design.measure = measures[measure];
            let (mut plain, mut counted) = (EffectTally::new(&design), EffectTally::new(&design));
            let mut group = Noted::Plain(Group::new(&design));
            let mut counted_so = Noted::new(&design);
            match counted_so {
                Noted::Sets(_) => prop_assert!(has_pairs),
                Noted::Counted(_) => prop_assert!(!has_pairs),
                Noted::Plain(_) => panic!("nobody is in a battle more than twice"),
            }
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

    /// A layout that says that no unit is in a team twice is wrong where one is, and no sum would be right.
    #[test]
    fn a_unit_that_wins_twice_in_a_team_is_refused() {
        for has_pairs in [false, true] {
            let mut layout = layout(1);
            if !has_pairs {
                layout.conditions.pop();
            }
            let design = Design::new(&layout, 1, true).unwrap();
            let stratum = Stratum { matchup: 0, condition: design.cases[0].condition };
            let mut record = record(&layout, stratum, (2, 1, 0));
            let twice = record.fighters[0];
            record.fighters.push(twice);
            let mut noted = Noted::new(&design);
            noted.note(&design, 0, &record);
            let mut tally = EffectTally::new(&design);
            let settle = std::panic::AssertUnwindSafe(|| noted.settle(&design, &mut tally));
            let told = std::panic::catch_unwind(settle).expect_err("it is there too often");
            let told = told.downcast_ref::<&str>().expect("a sentence");
            assert!(told.contains("no drawn unit is in a team more than once"), "{told}");
        }
    }

    #[test]
    fn who_may_be_there_more_often_is_not_counted_so() {
        let is_plain = |layout: &Layout, units: bool| {
            matches!(Noted::new(&Design::new(layout, 1, units).unwrap()), Noted::Plain(_))
        };
        assert!(!is_plain(&layout(1), true));
        let given = Layout { units_are_drawn: false, ..layout(1) };
        assert!(is_plain(&given, true));
        assert!(!is_plain(&given, false));
        let three = Layout { sides: 3, ..layout(1) };
        assert!(is_plain(&three, false));
    }
}
