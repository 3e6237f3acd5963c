//! Buffers for battles that are not yet added to a tally; the fastest one for a design is chosen.

use super::sets::Sets;
use super::tally::Group;
use super::{Design, EffectTally};
use crate::tally::Record;

/// Battles that are not yet added to an [`EffectTally`]. The tally is the same with every variant.
pub(super) enum Noted {
    /// For duels in which no unit is on a side more than once.
    Sets(Box<Sets>),
    /// Any design, battle by battle.
    Plain(Group),
}

impl Noted {
    /// An empty buffer of the fastest kind for a design.
    pub(super) fn new(design: &Design<'_>) -> Self {
        if design.layout.sides > 2 || design.units && !design.layout.units_are_drawn {
            Self::Plain(Group::new(design))
        } else {
            Self::Sets(Box::new(Sets::new(design)))
        }
    }

    /// Notes the battle under a case. The neutral case must come first.
    #[inline]
    pub(super) fn note(&mut self, design: &Design<'_>, case: usize, record: &Record) {
        match self {
            Self::Sets(sets) => sets.note(case, record),
            Self::Plain(group) => group.note(design, case, record),
        }
    }

    /// Ends the battle that was noted. It may be added to the tally later.
    #[inline]
    pub(super) fn settle(&mut self, design: &Design<'_>, tally: &mut EffectTally) {
        match self {
            Self::Sets(sets) => sets.settle(tally),
            Self::Plain(group) => group.settle(design, tally),
        }
    }

    /// Adds all pending battles to the tally.
    pub(super) fn flush(&mut self, tally: &mut EffectTally) {
        match self {
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

    /// A layout of so many rulesets, alone and perhaps each two together, with drawn teams and this many match-ups.
    fn layout(matchups: usize, rulesets: u16, has_pairs: bool) -> Layout {
        let base = duel();
        let condition = |factors: Vec<u16>| Condition {
            label: format!("{factors:?}"),
            factors,
            probability: 0.25,
        };
        let alone = (0..=rulesets).map(|one| vec![one]);
        let pairs =
            (1..=rulesets).flat_map(|one| (one + 1..=rulesets).map(move |of| vec![one, of]));
        let pairs = pairs.filter(|_| has_pairs);
        Layout {
            matchups: vec![base.matchups[0].clone(); matchups],
            conditions: alone.chain(pairs).map(condition).collect(),
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
        /// flushed, in whatever order conditions are listed.
        #[test]
        fn counts_come_to_the_plain_sums(
            matchups in 1usize..3,
            measure in 0usize..3,
            rulesets in prop_oneof![1u16..4, 10u16..13],
            has_pairs: bool,
            is_turned: bool,
            battles in prop::collection::vec(
                prop::collection::vec((0u8..4, 0u8..128, 0u8..64), 1..6),
                1..6,
            ),
            times in prop_oneof![0u64..20, 125u64..140, 450u64..500],
        ) {
            let mut layout = layout(matchups, rulesets, has_pairs);
            if is_turned {
                layout.conditions.reverse();
            }
            let mut design = Design::new(&layout, 1, true).unwrap();
            let measures = [OutcomeMeasure::Score, OutcomeMeasure::Wins, OutcomeMeasure::Decided];
            design.measure = measures[measure];
            let (mut plain, mut counted) = (EffectTally::new(&design), EffectTally::new(&design));
            let mut group = Noted::Plain(Group::new(&design));
            let mut counted_so = Noted::new(&design);
            prop_assert!(matches!(counted_so, Noted::Sets(_)), "nobody is in a battle more than twice");
            for index in 0..times {
                let matchup = (index % matchups as u64) as u32;
                let endings = battles[index as usize % battles.len()].iter().cycle();
                for ((number, case), &ending) in design.cases.iter().enumerate().zip(endings) {
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
            let layout = layout(1, 2, has_pairs);
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
        let drawn = layout(1, 2, true);
        assert!(!is_plain(&drawn, true));
        let given = Layout { units_are_drawn: false, ..drawn.clone() };
        assert!(is_plain(&given, true));
        assert!(!is_plain(&given, false));
        let three = Layout { sides: 3, ..drawn };
        assert!(is_plain(&three, false));
    }
}
