//! The form in which a tally is written and read.

use serde::{Deserialize, Serialize};

use super::orders::BEFORE_ITEMS;
use super::pairs::PairsForm;
use super::{
    Appearances, Breakdown, Clustered, Count, Layout, OrderCount, Pairs, Tally, UnitCount,
};
use super::{Kept, Sum};

/// Everything that a [`Tally`] has counted. Entries without battles are left out where that saves much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyForm {
    /// Counts by match-up.
    matchups: Vec<Count>,
    /// The strata with battles, in order.
    strata: Vec<(u64, Count)>,
    /// Counts by contender and unit.
    units: Vec<UnitCount>,
    /// Appearances by factor, contender and unit.
    appearances: Vec<Appearances>,
    /// Sums of points by contender and unit, and then by match-up of the contender; empty where the unit never took
    /// part in a battle that the measure looks at.
    fared: Vec<Vec<Clustered>>,
    /// Sums of points by factor, contender, unit and match-up of the contender, or by condition, unit and match-up.
    fared_in_part: Vec<Vec<Clustered>>,
    /// Counts by pair of units, where asked for.
    pairs: Option<PairsForm>,
    /// Counts by order, sorted by key.
    orders: Vec<(Vec<u16>, OrderCount)>,
}

/// Upper bounds, exclusive, of the moment, match-up, condition (or the mark of any condition) and items in an order's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyBounds {
    moments: usize,
    matchups: usize,
    conditions: usize,
    items: usize,
}

impl KeyBounds {
    pub(super) fn of(layout: &Layout) -> Self {
        Self {
            moments: layout.moments.len(),
            matchups: layout.matchups.len(),
            conditions: layout.conditions.len(),
            items: layout.order_items.len(),
        }
    }

    fn hold(self, key: &[u16]) -> bool {
        let [moment, high, low, condition, _, items @ ..] = key else { return false };
        usize::from(*moment) < self.moments
            && (usize::from(*high) << 16 | usize::from(*low)) < self.matchups
            && (usize::from(*condition) < self.conditions || *condition == u16::MAX)
            && items.iter().all(|&item| usize::from(item) < self.items)
            && key.len() > BEFORE_ITEMS
    }
}

fn has_shape_of(count: &Count, empty: &Count) -> bool {
    let lengths = |count: &Count| {
        let Count { wins, forfeits, lengths, sums, squares, .. } = count;
        [wins.len(), forfeits.len(), lengths.len(), sums.len(), squares.len()]
    };
    lengths(count) == lengths(empty)
}

impl Sum for Tally {
    fn merge(&mut self, other: &Self) {
        Tally::merge(self, other);
    }
}

impl Kept for Tally {
    type Form = TallyForm;

    fn form(&self) -> TallyForm {
        let met = self.strata.met().filter(|(_, count)| count.battles > 0);
        TallyForm {
            matchups: self.matchups.clone(),
            strata: met.map(|(at, count)| (at as u64, count.clone())).collect(),
            units: self.units.clone(),
            appearances: self.appearances.clone(),
            fared: self.fared.form(),
            fared_in_part: self.fared_in_part.form(),
            pairs: self.pairs.as_ref().map(Pairs::form),
            orders: self.orders.form(),
        }
    }

    fn of_form(&self, form: TallyForm) -> Option<Self> {
        let (mut tally, breakdown) = (self.clone(), self.breakdown());
        let TallyForm { matchups, strata, units, appearances, fared, fared_in_part, pairs, orders } =
            form;
        let fits = matchups.len() == tally.matchups.len()
            && matchups
                .iter()
                .zip(&tally.matchups)
                .all(|(count, empty)| has_shape_of(count, empty))
            && units.len() == tally.units.len()
            && appearances.len() == tally.appearances.len()
            && pairs.is_some() == tally.pairs.is_some();
        if !fits || !matchups.iter().all(Count::is_sound) {
            return None;
        }
        let battles = matchups.iter().try_fold(0, |sum: u64, of| sum.checked_add(of.battles))?;
        let sides = tally.strata.sides() as u64;
        let is_sound = units.iter().all(|count| count.is_sound(battles))
            && appearances.iter().all(|count| count.is_sound(battles))
            && fared
                .iter()
                .chain(&fared_in_part)
                .flatten()
                .all(|sums| sums.is_sound(battles, sides))
            && pairs.iter().flat_map(PairsForm::all).all(|count| count.is_sound(battles, sides));
        if !is_sound {
            return None;
        }
        let mut in_strata: u64 = 0;
        for (at, count) in strata {
            let at = usize::try_from(at).ok().filter(|&at| at < tally.strata.len())?;
            in_strata = in_strata.checked_add(count.battles)?;
            if !has_shape_of(&count, &tally.strata[at]) || !count.is_sound() {
                return None;
            }
            tally.strata[at] = count;
        }
        if in_strata != battles {
            return None;
        }
        let of_contender = tally.units.len() / tally.own.matchups.len().max(1);
        let own = |cell: usize| tally.own.matchups[cell % tally.units.len() / of_contender].len();
        tally.fared = tally.fared.of_form(fared, own)?;
        tally.fared_in_part =
            tally.fared_in_part.of_form(fared_in_part, |cell| match breakdown {
                Breakdown::Whole | Breakdown::Factor => own(cell),
                Breakdown::Condition => matchups.len(),
            })?;
        (tally.matchups, tally.units, tally.appearances) = (matchups, units, appearances);
        if let Some((mine, form)) = tally.pairs.as_mut().zip(pairs) {
            *mine = mine.of_form(form, &tally.own)?;
        }
        for (key, count) in orders {
            let alike = count.battles.wins.len() == tally.strata.sides()
                && count.first.wins.len() == tally.strata.sides()
                && tally.matchups.first().is_some_and(|of| of.sums.len() == count.metrics.len());
            if !alike || !tally.key_bounds.hold(&key) || !count.is_sound(battles) {
                return None;
            }
            tally.orders.put(key, &count);
        }
        Some(tally)
    }

    fn battles(&self) -> Option<u64> {
        Some(Tally::battles(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Breakdown;
    use crate::tally::fixture::{duel, record, round_robin, three_sides};

    fn empty(layout: &Layout) -> Tally {
        Tally::new(layout, Breakdown::Factor).with_pairs(layout, Breakdown::Condition)
    }

    fn played(layout: &Layout, battles: std::ops::Range<u64>) -> Tally {
        let mut tally = empty(layout);
        battles.for_each(|index| tally.add(layout, &record(layout, index)));
        tally
    }

    #[test]
    fn what_was_written_reads_back_and_equal_sums_are_the_same_bytes() {
        for layout in [duel(), three_sides(), round_robin(12)] {
            let whole = played(&layout, 0..500);
            let bytes = postcard::to_allocvec(&whole.form()).unwrap();
            let form = postcard::from_bytes(&bytes).unwrap();
            assert_eq!(empty(&layout).of_form(form), Some(whole));
            let mut other = played(&layout, 321..500);
            other.merge(&played(&layout, 0..321));
            assert_eq!(postcard::to_allocvec(&other.form()).unwrap(), bytes);
        }
    }

    /// The bytes of a tally in partial results: another digest is another format of these.
    #[test]
    fn a_tally_is_written_as_it_always_was() {
        let bytes = postcard::to_allocvec(&played(&duel(), 0..500).form()).unwrap();
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        insta::assert_snapshot!(crate::digest::fingerprint([digits.as_str()]));
    }

    #[test]
    fn another_shape_is_not_taken() {
        let (duel, other) = (duel(), three_sides());
        let form = played(&duel, 0..50).form();
        assert_eq!(empty(&other).of_form(form.clone()), None);
        assert_eq!(Tally::new(&duel, Breakdown::Factor).of_form(form.clone()), None, "no pairs");
        let mut spoilt = form.clone();
        spoilt.orders[0].0[0] = 7;
        assert_eq!(empty(&duel).of_form(spoilt), None, "there is no such moment");
        let mut spoilt = form.clone();
        spoilt.strata[0].0 = 3;
        assert_eq!(empty(&duel).of_form(spoilt), None, "there is no such stratum");
        let mut spoilt = form;
        spoilt.matchups[0].lengths.pop();
        assert_eq!(empty(&duel).of_form(spoilt), None);
    }

    /// A file with a checksum that fits can still have been made by hand; its counts would add up to nonsense.
    #[test]
    fn counts_that_contradict_each_other_are_not_taken() {
        let duel = duel();
        let form = played(&duel, 0..50).form();
        type Spoil = fn(&mut TallyForm);
        let spoils: [(&str, Spoil); 14] = [
            ("wins", |form| form.matchups[0].wins[0] += 1),
            ("wins beyond 64 bits", |form| form.matchups[0].wins[0] = u64::MAX),
            ("lengths", |form| form.matchups[0].lengths[1] += 1),
            ("squares", |form| form.matchups[0].squares[0] = i128::MAX),
            ("sums", |form| form.matchups[0].sums[0] = i128::MIN),
            ("battles of strata", |form| form.strata[0].1 = form.strata[1].1.clone()),
            ("appearances", |form| form.units[0].played = u64::MAX),
            ("more wins than appearances", |form| form.units[0].won = form.units[0].played + 1),
            ("points", |form| form.fared.iter_mut().flatten().for_each(|of| of.points = u64::MAX)),
            ("more points than wins have", |form| {
                form.fared.iter_mut().flatten().for_each(|of| of.points = 2 * of.times + 1);
            }),
            ("more points of pairs", |form| {
                let count = &mut form.pairs.as_mut().unwrap().counts[0];
                count.points = 2 * count.played + 1;
            }),
            ("pairs", |form| form.pairs.as_mut().unwrap().counts[0].played = u64::MAX),
            ("orders", |form| form.orders[0].1.times = u64::MAX),
            ("wins of an order", |form| form.orders[0].1.battles.wins[0] = 51),
        ];
        assert!(empty(&duel).of_form(form.clone()).is_some());
        for (what, spoil) in spoils {
            let mut spoilt = form.clone();
            spoil(&mut spoilt);
            assert_ne!(spoilt, form, "{what}");
            assert_eq!(empty(&duel).of_form(spoilt), None, "{what}");
        }
    }
}
