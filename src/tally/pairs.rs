//! Counts of two units in one team.

use serde::{Deserialize, Serialize};

use super::by_matchup::{Own, Place};
use super::record::teams;
use super::{Breakdown, Clustered, Fighter, Layout, OutcomeMeasure, Stratified, Tally};
use crate::game::{Outcome, Stratum};

/// How teams fared that had two given units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCount {
    /// How many teams had both, in battles that the measure looks at.
    pub played: u64,
    /// Their points ([`OutcomeMeasure::points`]).
    pub points: u64,
}

impl PairCount {
    #[inline]
    fn merge(&mut self, more: Self) {
        self.played += more.played;
        self.points += more.points;
    }

    /// The sum of both counts.
    pub(super) fn and(mut self, others: Self) -> Self {
        self.merge(others);
        self
    }

    /// These counts as sums for a variance, over battles between so many sides. Battles that nobody won are taken as
    /// wins and losses, which makes the variance too large rather than too small.
    #[must_use]
    pub fn clustered(self, sides: usize) -> Clustered {
        Clustered {
            times: self.played,
            points: self.points,
            times_squared: self.played,
            times_by_points: self.points,
            points_squared: self.points * sides as u64,
        }
    }
}

/// How teams of one contender fared with each pair of units: one count for every pair there is, whether or not the two
/// ever meet, so that counting a battle looks nothing up. That is 16 bytes for each pair, times contenders, times 1 and
/// one more for each part of the breakdown. Where contenders have several match-ups or there are several conditions, it
/// is 16 bytes more, and 16 for each match-up and condition of two units that meet. Conditions are taken together where
/// these would be too many, and match-ups where they still would. Teams of different contenders are never put together:
/// they come from different pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs {
    units: usize,
    contenders: usize,
    breakdown: Breakdown,
    /// All battles first, then each part; within it by contender; within that by pair, sorted by its higher unit and
    /// then its lower one.
    pub(super) counts: Vec<PairCount>,
    /// Counts of all battles by contender and pair, each by match-up of the contender and condition. Empty as a whole
    /// where no contender has several of these or all are taken together, and for two units that have not met.
    pub(super) by_matchup: Vec<Box<[PairCount]>>,
    /// How teams with one unit fared, by contender and unit, each as in `by_matchup`. Empty unless conditions are told
    /// apart.
    pub(super) alone: Vec<Box<[PairCount]>>,
    /// How many conditions are told apart; 1 where all are taken together.
    conditions: usize,
}

/// The match-up, condition and sides of battles, and the measure that they are counted by.
pub(super) struct Among<'a> {
    pub stratum: Stratum,
    /// By side: index of the contender.
    pub contenders: &'a [u16],
    /// By side: which of the contender's match-ups it is.
    pub places: &'a [Place],
    pub measure: OutcomeMeasure,
}

impl Pairs {
    /// No battles yet.
    #[must_use]
    pub fn new(layout: &Layout, breakdown: Breakdown) -> Self {
        let (units, contenders) = (layout.units.len(), layout.contenders().names.len());
        let whole = contenders * of_units(units);
        let counts = vec![PairCount::default(); (1 + breakdown.parts(layout)) * whole];
        let own = Own::of(layout);
        let conditions = conditions_apart(layout, &own);
        let has_several = conditions > 1 || own.matchups.iter().any(|own| own.len() > 1);
        let are_apart = has_several && own.are_apart(of_units(units));
        let by_matchup = vec![Box::default(); if are_apart { whole } else { 0 }];
        let alone = vec![Box::default(); if conditions > 1 { contenders * units } else { 0 }];
        Self { units, contenders, breakdown, counts, by_matchup, alone, conditions }
    }

    /// Whether match-ups of a contender are told apart.
    #[must_use]
    pub fn are_apart(&self) -> bool {
        !self.by_matchup.is_empty()
    }

    /// Whether conditions are told apart, too.
    #[must_use]
    pub fn conditions_are_apart(&self) -> bool {
        self.conditions > 1
    }

    /// How many conditions are told apart; 1 where all are taken together.
    pub(super) fn conditions(&self) -> usize {
        self.conditions
    }

    /// In how many strata pairs are counted of a contender that has so many match-ups.
    pub(super) fn strata(&self, matchups: usize) -> usize {
        if self.are_apart() { matchups * self.conditions } else { 1 }
    }

    /// Whether the parts of the breakdown in which a battle counts follow from its stratum.
    pub(super) fn strata_tell_parts(&self) -> bool {
        self.breakdown == Breakdown::Whole || self.conditions > 1
    }

    /// The parts in which battles under a condition count, the whole first.
    fn parts<'l>(&self, layout: &'l Layout, condition: usize) -> impl Iterator<Item = usize> + 'l {
        let (factors, condition) = match self.breakdown {
            Breakdown::Whole => (&[][..], None),
            Breakdown::Factor => (&layout.conditions[condition].factors[..], None),
            Breakdown::Condition => (&[][..], Some(condition)),
        };
        let factors = factors.iter().map(|&factor| usize::from(factor));
        std::iter::once(0).chain(factors.chain(condition).map(|part| part + 1))
    }

    /// Adds teams of a contender that had two different units, in one of so many [strata](Self::strata), which
    /// [tells](Self::strata_tell_parts) the parts in which they count.
    pub(super) fn add_in_stratum(
        &mut self,
        layout: &Layout,
        contender: usize,
        (stratum, strata): (usize, usize),
        units: [usize; 2],
        more: PairCount,
    ) {
        let (pair, cells) = (place(units[0], units[1]), of_units(self.units));
        for part in self.parts(layout, stratum % self.conditions) {
            self.counts[(part * self.contenders + contender) * cells + pair].merge(more);
        }
        if self.are_apart() {
            let counts = begun(&mut self.by_matchup[contender * cells + pair], strata);
            counts[stratum].merge(more);
        }
    }

    /// Adds teams of a contender with a unit, whatever else they had, to a stratum, where conditions are told apart.
    pub(super) fn add_alone_in_stratum(
        &mut self,
        contender: usize,
        (stratum, strata): (usize, usize),
        unit: usize,
        more: PairCount,
    ) {
        let counts = begun(&mut self.alone[contender * self.units + unit], strata);
        counts[stratum].merge(more);
    }

    /// Adds the teams of so many battles with the same fighters and outcome. Two copies of one unit are no pair.
    pub(super) fn add(
        &mut self,
        layout: &Layout,
        among: &Among<'_>,
        outcome: Outcome,
        fighters: &[Fighter],
        battles: u64,
    ) {
        let cells = of_units(self.units);
        let condition = among.stratum.condition as usize;
        for team in teams(fighters) {
            let side = team[0].side;
            let Some(points) = among.measure.points(outcome, side, layout.sides) else { continue };
            let more = PairCount { played: battles, points: u64::from(points) * battles };
            let contender = usize::from(among.contenders[side.index()]);
            for part in self.parts(layout, condition) {
                let first = (part * self.contenders + contender) * cells;
                add_pairs(&mut self.counts[first..first + cells], team, more);
            }
            if !self.by_matchup.is_empty() {
                let matchup = among.places[side.index()];
                let condition = if self.conditions > 1 { condition } else { 0 };
                let at = matchup.at as usize * self.conditions + condition;
                let strata = matchup.of as usize * self.conditions;
                let add = |counts: &mut Box<[PairCount]>| begun(counts, strata)[at].merge(more);
                pairs_of(team, |pair| add(&mut self.by_matchup[contender * cells + pair]));
                if self.conditions > 1 {
                    for fighter in team {
                        add(&mut self.alone[contender * self.units + usize::from(fighter.unit)]);
                    }
                }
            }
        }
    }

    /// How two units of a contender fared together in each of its match-ups, whose battles `tally` has; empty where they
    /// never met. One sum, whose battles are the teams with both, where match-ups are not told apart.
    #[must_use]
    pub fn by_matchup(
        &self,
        tally: &Tally,
        contender: usize,
        units: [usize; 2],
        sides: usize,
    ) -> Vec<Stratified> {
        let at = contender * of_units(self.units) + place(units[0], units[1]);
        let Some(counts) = self.by_matchup.get(at) else {
            return vec![self.counts[at].clustered(sides).into()];
        };
        let own = tally.own.matchups[contender].iter().zip(counts.chunks(self.conditions));
        own.map(|(&matchup, counts)| {
            let mut sum = PairCount::default();
            counts.iter().for_each(|count| sum.merge(*count));
            let battles = tally.matchups[matchup as usize].battles;
            Stratified { battles, fared: sum.clustered(sides) }
        })
        .collect()
    }

    /// How two units of a contender fared together, by match-up of the contender and then condition; empty where they
    /// never met, or conditions are taken together.
    #[must_use]
    pub fn by_stratum(&self, contender: usize, units: [usize; 2]) -> &[PairCount] {
        let at = contender * of_units(self.units) + place(units[0], units[1]);
        if self.conditions > 1 { &self.by_matchup[at] } else { &[] }
    }

    /// How teams of a contender with one unit fared, whatever else they had, by match-up of the contender and then
    /// condition; a team with copies counts for each. Empty where conditions are taken together.
    #[must_use]
    pub fn alone_by_stratum(&self, contender: usize, unit: usize) -> &[PairCount] {
        self.alone.get(contender * self.units + unit).map_or(&[][..], |counts| &**counts)
    }

    /// Adds the battles of another batch of the same setup.
    pub(super) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.merge(*theirs);
        }
        let mine = self.by_matchup.iter_mut().chain(&mut self.alone);
        for (mine, theirs) in mine.zip(other.by_matchup.iter().chain(&other.alone)) {
            if mine.is_empty() {
                mine.clone_from(theirs);
                continue;
            }
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                mine.merge(*theirs);
            }
        }
    }

    /// The form to be written.
    pub(super) fn form(&self) -> PairsForm {
        let of = |counts: &[Box<[PairCount]>]| counts.iter().map(|of| of.to_vec()).collect();
        PairsForm {
            counts: self.counts.clone(),
            by_matchup: of(&self.by_matchup),
            alone: of(&self.alone),
        }
    }

    /// Reads a form back; none where it has another shape.
    pub(super) fn of_form(&self, form: PairsForm, own: &Own) -> Option<Self> {
        let PairsForm { counts, by_matchup, alone } = form;
        let fit = |read: &[Vec<PairCount>], empty: &[Box<[PairCount]>], cells: usize| {
            let strata = |at: usize| own.matchups[at / cells].len() * self.conditions;
            let mut all = read.iter().enumerate();
            read.len() == empty.len()
                && all.all(|(at, counts)| counts.is_empty() || counts.len() == strata(at))
        };
        let fits = counts.len() == self.counts.len()
            && fit(&by_matchup, &self.by_matchup, of_units(self.units))
            && fit(&alone, &self.alone, self.units);
        let boxed = |of: Vec<Vec<PairCount>>| of.into_iter().map(Vec::into_boxed_slice).collect();
        let (by_matchup, alone) = (boxed(by_matchup), boxed(alone));
        fits.then(|| Self { counts, by_matchup, alone, ..self.clone() })
    }

    /// Every two units that were in one team of a contender at least once, the lower index first.
    pub fn whole(&self, contender: usize) -> impl Iterator<Item = ([usize; 2], PairCount)> {
        self.of(0, contender)
    }

    /// Every two units that were in one team of a contender at least once in a part of the breakdown, the lower index
    /// first; nothing where there is no such part.
    pub fn part(
        &self,
        part: usize,
        contender: usize,
    ) -> impl Iterator<Item = ([usize; 2], PairCount)> {
        self.of(1 + part, contender)
    }

    fn of(&self, part: usize, contender: usize) -> impl Iterator<Item = ([usize; 2], PairCount)> {
        let cells = of_units(self.units);
        let first = (part * self.contenders + contender) * cells;
        let counts = self.counts.get(first..first + cells).unwrap_or_default();
        let units =
            (0..self.units).flat_map(|second| (0..second).map(move |first| [first, second]));
        units.zip(counts.iter().copied()).filter(|(_, count)| count.played > 0)
    }
}

/// The counts of so many strata, allocated when the first of them is met.
#[inline]
fn begun(counts: &mut Box<[PairCount]>, strata: usize) -> &mut [PairCount] {
    if counts.is_empty() {
        *counts = vec![PairCount::default(); strata].into();
    }
    counts
}

/// The form in which pairs are written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PairsForm {
    /// By part, contender and two units.
    pub counts: Vec<PairCount>,
    /// By contender, two units, match-up of the contender and condition.
    by_matchup: Vec<Vec<PairCount>>,
    /// By contender, unit, match-up of the contender and condition.
    alone: Vec<Vec<PairCount>>,
}

impl PairsForm {
    /// Every count.
    pub fn all(&self) -> impl Iterator<Item = &PairCount> {
        self.counts.iter().chain(self.by_matchup.iter().chain(&self.alone).flatten())
    }
}

/// How many conditions are told apart in counts of pairs: all, or 1 where there would be too many counts.
pub(super) fn conditions_apart(layout: &Layout, own: &Own) -> usize {
    let (units, conditions) = (layout.units.len(), layout.conditions.len());
    let cells = of_units(units) + units;
    if own.are_apart(cells.saturating_mul(conditions)) { conditions.max(1) } else { 1 }
}

/// How many pairs so many units have.
fn of_units(units: usize) -> usize {
    units * units.saturating_sub(1) / 2
}

/// Calls `take` with the index of every two different units of a team.
#[inline(always)]
fn pairs_of(team: &[Fighter], mut take: impl FnMut(usize)) {
    for (at, second) in team.iter().enumerate() {
        for first in &team[..at] {
            if first.unit != second.unit {
                take(place(usize::from(first.unit), usize::from(second.unit)));
            }
        }
    }
}

/// Adds to the counts of every two different units of a team.
#[inline(never)]
fn add_pairs(counts: &mut [PairCount], team: &[Fighter], more: PairCount) {
    pairs_of(team, |pair| counts[pair].merge(more));
}

/// Index of the pair of two different units.
#[inline]
fn place(one: usize, other: usize) -> usize {
    // The higher of two different units is above 0, which is why nothing has to be saturated here.
    let high = one.max(other);
    high * (high - 1) / 2 + one.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::fixture::{duel, record};
    use crate::tally::{Record, Tally};

    #[test]
    fn every_two_units_have_a_place_of_their_own() {
        let mut places: Vec<usize> =
            (0..40).flat_map(|second| (0..second).map(move |first| place(second, first))).collect();
        assert!(places.is_sorted());
        places.dedup();
        assert_eq!(places.len(), of_units(40));
        assert_eq!(places.last(), Some(&(of_units(40) - 1)));
    }

    #[test]
    fn pairs_are_those_of_the_records() {
        let layout = duel();
        let mut tally =
            Tally::new(&layout, Breakdown::Whole).with_pairs(&layout, Breakdown::Factor);
        let records: Vec<Record> = (0..300).map(|index| record(&layout, index)).collect();
        records.iter().for_each(|record| tally.add(&layout, record));
        let pairs = tally.pairs.expect("asked for");
        let expected = |[one, other]: [usize; 2], factor: Option<u16>| {
            let mut count = PairCount::default();
            for record in &records {
                let factors = &layout.conditions[record.stratum.condition as usize].factors;
                if factor.is_some_and(|factor| !factors.contains(&factor)) {
                    continue;
                }
                for a in record.fighters.iter().filter(|of| usize::from(of.unit) == one) {
                    let with = record
                        .fighters
                        .iter()
                        .filter(|b| usize::from(b.unit) == other && b.side == a.side)
                        .count() as u64;
                    count.played += with;
                    let points = OutcomeMeasure::Score.points(record.outcome, a.side, 2);
                    count.points += with * u64::from(points.unwrap_or(0));
                }
            }
            count
        };
        let whole = || (0..2).flat_map(|contender| pairs.whole(contender));
        assert_eq!(whole().count(), 6, "three units a side, never with those of the other");
        for (units, count) in whole() {
            assert_eq!(count, expected(units, None));
            assert_eq!(count.played, 300);
        }
        for factor in 0..3 {
            for (units, count) in (0..2).flat_map(|contender| pairs.part(factor, contender)) {
                assert_eq!(count, expected(units, Some(factor as u16)));
            }
        }
        assert_eq!(pairs.part(3, 0).count(), 0);
        let sum = |of: &[PairCount]| {
            of.iter().fold(PairCount::default(), |mut sum, more| {
                sum.merge(*more);
                sum
            })
        };
        assert!(pairs.conditions_are_apart());
        for contender in 0..2 {
            for (units, count) in pairs.whole(contender) {
                let strata = pairs.by_stratum(contender, units);
                assert_eq!(strata.len(), layout.conditions.len());
                assert_eq!(sum(strata), count);
                let alone = pairs.alone_by_stratum(contender, units[0]);
                assert_eq!(sum(alone).played, 300, "three units a side, each in every battle");
                for (condition, count) in strata.iter().enumerate() {
                    let here =
                        records.iter().filter(|of| of.stratum.condition as usize == condition);
                    assert_eq!(count.played, here.count() as u64);
                }
            }
        }
    }
}
