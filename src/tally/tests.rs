//! A tally is the same however its battles were split and in whatever order they came.

use proptest::prelude::*;

use super::fixture::{Die, duel, record, round_robin, three_sides};
use super::record::teams;
use super::together::{Bounds, Together};
use super::{
    Assignment, Breakdown, Clustered, Kept, Layout, OutcomeMeasure, Record, Stratified, Tally,
    Waiting,
};
use crate::chance::Seeded;
use crate::game::{Outcome, Side};

fn sum<'a>(layout: &Layout, records: impl IntoIterator<Item = &'a Record>) -> Tally {
    let mut tally = Tally::new(layout, Breakdown::Factor);
    for record in records {
        tally.add(layout, record);
    }
    tally
}

fn layouts() -> impl Strategy<Value = Layout> {
    prop_oneof![Just(duel()), Just(three_sides()), Just(round_robin(3))]
}

/// Battles of a layout, the same battles shuffled, and for each of the shuffled ones the part that it is played in.
fn split_batches() -> impl Strategy<Value = (Layout, Vec<Record>, Vec<Record>, Vec<usize>)> {
    (layouts(), prop::collection::vec(any::<u64>(), 0..60)).prop_flat_map(|(layout, indices)| {
        let records: Vec<Record> = indices.iter().map(|&index| record(&layout, index)).collect();
        let parts = prop::collection::vec(0usize..4, records.len());
        (Just(layout), Just(records.clone()), Just(records).prop_shuffle(), parts)
    })
}

proptest! {
    #[test]
    fn any_split_in_any_order_adds_up_to_the_same(
        (layout, records, shuffled, parts) in split_batches(),
        merged_last_first in any::<bool>(),
    ) {
        let whole = sum(&layout, &records);
        let of_part = |part| {
            let chosen = shuffled.iter().zip(&parts).filter(move |(_, of)| **of == part);
            sum(&layout, chosen.map(|(record, _)| record))
        };
        let mut order = [0, 1, 2, 3];
        if merged_last_first {
            order.reverse();
        }
        let mut merged = Tally::new(&layout, Breakdown::Factor);
        for part in order {
            merged.merge(&of_part(part));
        }
        prop_assert_eq!(merged.battles(), records.len() as u64);
        prop_assert_eq!(&merged, &whole);
        prop_assert_eq!(merged.orders.sorted(), whole.orders.sorted());
    }

    #[test]
    fn adding_to_a_merged_tally_is_adding_to_the_whole(
        (layout, records, _, _) in split_batches(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (before, after) = records.split_at(cut.index(records.len() + 1));
        let (first, rest) = after.split_at(after.len() / 2);
        let mut tally = sum(&layout, before);
        tally.merge(&sum(&layout, first));
        for record in rest {
            tally.add(&layout, record);
        }
        prop_assert_eq!(tally, sum(&layout, &records));
    }
}

fn breakdowns() -> impl Strategy<Value = Breakdown> {
    prop_oneof![Just(Breakdown::Whole), Just(Breakdown::Factor), Just(Breakdown::Condition)]
}

proptest! {
    /// Battles that wait add the same as battles that are added one by one, whenever they are settled: whether units
    /// stay, change now and then or in every battle or are drawn, come in copies or on both sides, and whether a
    /// contender meets itself or a battle is forfeited.
    #[test]
    fn battles_that_wait_add_up_to_the_same(
        layout in layouts(),
        units_are_drawn: bool,
        measure in prop_oneof![
            Just(OutcomeMeasure::Score), Just(OutcomeMeasure::Wins), Just(OutcomeMeasure::Decided)
        ],
        breakdown in breakdowns(),
        pairs in prop::option::of(breakdowns()),
        changes_one_in in prop_oneof![Just(1u64), 2u64..40, Just(u64::MAX)],
        indices in prop::collection::vec(0u64..1_000, 0..120),
        settled_after in prop::collection::vec(0usize..120, 0..3),
    ) {
        let layout = Layout { units_are_drawn, ..layout };
        let empty = || {
            let tally = Tally::new(&layout, breakdown).with_measure(measure);
            match pairs {
                Some(of) => tally.with_pairs(&layout, of),
                None => tally,
            }
        };
        let (mut tally, mut one_by_one) = (empty(), empty());
        let mut waiting = Waiting::new(&layout, &tally);
        for (at, &index) in indices.iter().enumerate() {
            let mut record = record(&layout, index);
            if index % changes_one_in == 1 % changes_one_in {
                // Sometimes in copies.
                record.fighters.swap_remove(0);
                record.fighters.sort_by_key(|fighter| fighter.side);
                let unit = record.fighters[0].unit;
                record.fighters[1].unit = unit;
                // And on other sides.
                if index % 2 == 0 {
                    record.fighters.last_mut().expect("there are some").unit = unit;
                }
            }
            record.forfeits = u8::from(index % 17 == 0);
            one_by_one.add(&layout, &record);
            tally.add_to(&mut waiting, &layout, &record);
            if settled_after.contains(&at) {
                waiting.settle(&mut tally, &layout);
            }
        }
        waiting.settle(&mut tally, &layout);
        prop_assert_eq!(tally, one_by_one);
    }
}

proptest! {
    /// Pairs that wait add the same as teams that are added one by one, also where only units that were met have a
    /// place, and once there is no room for more of them.
    #[test]
    fn pairs_that_wait_add_up_to_the_same(
        layout in layouts(),
        measure in prop_oneof![Just(OutcomeMeasure::Score), Just(OutcomeMeasure::Decided)],
        breakdown in breakdowns(),
        of_all in prop_oneof![Just(0usize), Just(usize::MAX)],
        numbers in prop_oneof![Just(usize::MAX), 0usize..20_000],
        indices in prop::collection::vec(0u64..1_000, 0..60),
        settled_after in 0usize..60,
    ) {
        let empty = || {
            let tally = Tally::new(&layout, Breakdown::Whole).with_measure(measure);
            tally.with_pairs(&layout, breakdown)
        };
        let (mut tally, mut one_by_one) = (empty(), empty());
        let mut together = Together::new(&layout, &tally, Bounds { of_all, numbers });
        for (at, &index) in indices.iter().enumerate() {
            let Record { stratum, outcome, fighters, .. } = record(&layout, index);
            one_by_one.add_pairs(&layout, stratum, outcome, &fighters, 1);
            for team in teams(&fighters) {
                let side = team[0].side;
                let Some(points) = measure.points(outcome, side, layout.sides) else { continue };
                let to = (stratum.matchup as usize * layout.sides + side.index(), stratum.condition);
                let add = |together: &mut Together| {
                    together.add(&mut tally, &layout, to, team, points)
                };
                if !together.as_mut().is_some_and(add) {
                    together = None;
                    tally.add_pairs(&layout, stratum, outcome, team, 1);
                }
            }
            let Some(together) = &mut together else { continue };
            if at == settled_after {
                together.settle(&mut tally, &layout);
            }
        }
        if let Some(mut together) = together {
            together.settle(&mut tally, &layout);
        }
        prop_assert_eq!(tally, one_by_one);
    }
}

#[test]
fn a_tally_counts_what_a_record_says() {
    let layout = duel();
    let records: Vec<Record> = (0..500).map(|index| record(&layout, index)).collect();
    let tally = sum(&layout, &records);
    let fighters = || records.iter().flat_map(|record| &record.fighters);
    let all = tally.count(&layout, |_, _| true);
    assert_eq!(all.battles, 500);
    assert_eq!(all.wins.iter().sum::<u64>() + all.draws + all.undecided, 500);
    assert_eq!(all.lengths.iter().sum::<u64>(), 500);
    let measured: i128 = records.iter().map(|record| i128::from(record.metrics[0])).sum();
    assert_eq!(all.sums, [measured]);
    let played: u64 = tally.units.iter().map(|unit| unit.played).sum();
    assert_eq!(played, fighters().count() as u64);
    let dealt: u64 = tally.units.iter().map(|unit| unit.dealt).sum();
    assert_eq!(dealt, fighters().map(|fighter| u64::from(fighter.dealt)).sum::<u64>());
    let orders: u64 = tally.orders.sorted().iter().map(|(_, count)| count.times).sum();
    assert_eq!(orders, records.iter().map(|record| record.orders().count() as u64).sum::<u64>());
}

#[test]
fn battles_that_are_dealt_out_fill_every_stratum_exactly() {
    let layout = three_sides();
    let wanted = [3, 0, 5, 1, 0, 2];
    let draw = Assignment::dealt(&layout, &wanted);
    let mut dice = Seeded::from_seed(1);
    let mut dealt = [0; 6];
    for index in 0..11 {
        dealt[layout.index(draw.stratum(index, Some(Die::Condition), &mut dice))] += 1;
    }
    assert_eq!(dealt, wanted);
}

/// Units are counted by the contender that brings them; summed over contenders, they are what the records say.
#[test]
fn what_contenders_bring_adds_up_over_all_of_them() {
    let layout = Layout { units_are_drawn: true, ..three_sides() };
    let records: Vec<Record> = (0..400).map(|index| record(&layout, index)).collect();
    let mut tally = Tally::new(&layout, Breakdown::Condition);
    records.iter().for_each(|record| tally.add(&layout, record));
    for unit in 0..layout.units.len() {
        let appeared = |condition: Option<u32>| {
            let of = records.iter().filter(|record| {
                condition.is_none_or(|condition| record.stratum.condition == condition)
            });
            of.flat_map(|record| &record.fighters).filter(|at| usize::from(at.unit) == unit).count()
                as u64
        };
        assert_eq!(tally.unit_of_all(&layout, unit).played, appeared(None));
        for condition in 0..layout.conditions.len() {
            let all = Clustered::sum_of(&tally.fared_under(&layout, condition, unit));
            assert_eq!(all.times, appeared(Some(condition as u32)), "{unit} under {condition}");
        }
    }
}

/// With too many match-ups and units, the match-ups of a contender are one stratum: the same score, and no more memory.
#[test]
fn match_ups_beyond_counting_are_taken_together() {
    let layout = round_robin(100);
    let mut units = layout.units.clone();
    units.extend(std::iter::repeat_n(units[0].clone(), 160));
    let many = Layout { units, ..layout.clone() };
    let mut apart = Tally::new(&layout, Breakdown::Whole).with_pairs(&layout, Breakdown::Whole);
    let mut together = Tally::new(&many, Breakdown::Whole).with_pairs(&many, Breakdown::Whole);
    for index in 0..20_000 {
        let record = record(&layout, index);
        apart.add(&layout, &record);
        together.add(&many, &record);
    }
    for contender in 0..100 {
        for unit in 0..40 {
            let strata = apart.fared(&layout, contender, unit);
            let one = together.fared(&many, contender, unit);
            assert_eq!(Clustered::sum_of(&strata), Clustered::sum_of(&one));
            assert!(one.len() <= 1 && (strata.is_empty() || strata.len() == 199));
            let battles = |strata: &[Stratified]| strata.iter().map(|of| of.battles).sum::<u64>();
            assert_eq!(battles(&strata), battles(&one));
        }
    }
    let empty = Tally::new(&many, Breakdown::Whole).with_pairs(&many, Breakdown::Whole);
    assert_eq!(empty.of_form(together.form()), Some(together));
}

#[test]
fn results_of_battles_that_were_fought_leave_forfeits_out() {
    let layout = duel();
    let (mut all, mut fought) =
        (Tally::new(&layout, Breakdown::Factor), Tally::new(&layout, Breakdown::Factor));
    for index in 0..500 {
        let mut record = record(&layout, index);
        if index % 3 == 0 {
            record.forfeits = 1 + (index / 3 % 3) as u8;
            record.outcome = match record.forfeits {
                1 => Outcome::Win(Side::B),
                2 => Outcome::Win(Side::A),
                _ => Outcome::Draw,
            };
        } else {
            fought.add(&layout, &record);
        }
        all.add(&layout, &record);
    }
    for side in [Side::A, Side::B] {
        assert!(all.matchups[0].results(side) != fought.matchups[0].results(side));
        assert_eq!(all.matchups[0].results_fought(side), fought.matchups[0].results(side));
    }
}
