//! Two units in one team.

use serde::{Deserialize, Serialize};

use super::by_matchup::{Own, Place};
use super::record::teams;
use super::{Breakdown, Clustered, Fighter, Layout, OutcomeMeasure, Stratified, Tally};
use crate::game::{Outcome, Stratum};

/// How teams with two units fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCount {
    /// How many teams had both, as far as the measure looks at their battles.
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

    /// The same as sums over battles between so many sides. What nobody won counts as wins and losses, which makes the variance
    /// too large rather than too small.
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

/// How teams of one contender with each two units fared: one count for every two units there are, whether or not they ever
/// meet, so that counting a battle looks nothing up. 16 bytes for each, times contenders, times 1 and one more for each part
/// of the breakdown, and where contenders have several match-ups 16 more, and 16 for each match-up of two that meet, unless
/// these would be too many. Teams of different contenders are never put together: they come from different pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs {
    units: usize,
    contenders: usize,
    breakdown: Breakdown,
    /// The whole first, then by part; within it by contender; within it, first unit below second, by second and then first.
    pub(super) counts: Vec<PairCount>,
    /// The whole by contender, two units and match-up of the contender; nothing where no contender has several match-ups, all
    /// are taken together, or the two have not met.
    pub(super) by_matchup: Vec<Box<[PairCount]>>,
}

/// Where battles belong, and what counts there.
pub(super) struct Among<'a> {
    pub stratum: Stratum,
    /// By side: which contender.
    pub contenders: &'a [u16],
    /// By side: which of its match-ups.
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
        let has_several = own.matchups.iter().any(|own| own.len() > 1);
        let are_apart = has_several && own.are_apart(of_units(units));
        let by_matchup = vec![Box::default(); if are_apart { whole } else { 0 }];
        Self { units, contenders, breakdown, counts, by_matchup }
    }

    /// What two units are counted by.
    pub(super) fn breakdown(&self) -> Breakdown {
        self.breakdown
    }

    /// Whether match-ups of a contender are told apart.
    #[must_use]
    pub fn are_apart(&self) -> bool {
        !self.by_matchup.is_empty()
    }

    /// Adds teams of a contender that had two different units.
    #[inline]
    pub(super) fn add_to_whole(&mut self, contender: usize, units: [usize; 2], more: PairCount) {
        self.counts[contender * of_units(self.units) + place(units[0], units[1])].merge(more);
    }

    /// Adds so many battles that ended alike. Two of the same unit are no pair.
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
            let mut add_to = |part: usize| {
                let first = (part * self.contenders + contender) * cells;
                add_pairs(&mut self.counts[first..first + cells], team, more);
            };
            add_to(0);
            match self.breakdown {
                Breakdown::Whole => {}
                Breakdown::Factor => {
                    for &factor in &layout.conditions[condition].factors {
                        add_to(1 + usize::from(factor));
                    }
                }
                Breakdown::Condition => add_to(1 + condition),
            }
            if !self.by_matchup.is_empty() {
                let matchup = among.places[side.index()];
                pairs_of(team, |pair| {
                    let counts = &mut self.by_matchup[contender * cells + pair];
                    if counts.is_empty() {
                        *counts = vec![PairCount::default(); matchup.of as usize].into();
                    }
                    counts[matchup.at as usize].merge(more);
                });
            }
        }
    }

    /// How two units of a contender fared together in each of its match-ups, which it has in a tally.
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
        let own = tally.own.matchups[contender].iter().zip(counts);
        own.map(|(&matchup, count)| Stratified {
            battles: tally.matchups[matchup as usize].battles,
            fared: count.clustered(sides),
        })
        .collect()
    }

    /// Adds the battles of another batch of the same setup.
    pub(super) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            mine.merge(*theirs);
        }
        for (mine, theirs) in self.by_matchup.iter_mut().zip(&other.by_matchup) {
            if mine.is_empty() {
                mine.clone_from(theirs);
                continue;
            }
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                mine.merge(*theirs);
            }
        }
    }

    /// What is written down.
    pub(super) fn form(&self) -> (Vec<PairCount>, Vec<Vec<PairCount>>) {
        (self.counts.clone(), self.by_matchup.iter().map(|counts| counts.to_vec()).collect())
    }

    /// What was written down; none where it has another shape.
    pub(super) fn of_form(
        &self,
        (counts, by_matchup): (Vec<PairCount>, Vec<Vec<PairCount>>),
        own: &Own,
    ) -> Option<Self> {
        let of = |at: usize| own.matchups[at / of_units(self.units)].len();
        let mut cells = by_matchup.iter().enumerate();
        let fits = counts.len() == self.counts.len()
            && by_matchup.len() == self.by_matchup.len()
            && cells.all(|(at, counts)| counts.is_empty() || counts.len() == of(at));
        let by_matchup = by_matchup.into_iter().map(Vec::into_boxed_slice).collect();
        fits.then(|| Self { counts, by_matchup, ..self.clone() })
    }

    /// Every two units that were in one team of a contender at least once, the lower index first.
    pub fn whole(&self, contender: usize) -> impl Iterator<Item = ([usize; 2], PairCount)> {
        self.of(0, contender)
    }

    /// The same for a part of the breakdown; nothing where there is no such part.
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

/// How many pairs so many units make.
fn of_units(units: usize) -> usize {
    units * units.saturating_sub(1) / 2
}

/// Hands over the places of every two of a team that are different units.
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

/// Adds to the counts of every two of a team.
#[inline(never)]
fn add_pairs(counts: &mut [PairCount], team: &[Fighter], more: PairCount) {
    pairs_of(team, |pair| counts[pair].merge(more));
}

/// The place of two different units.
#[inline]
fn place(one: usize, other: usize) -> usize {
    // One of two that differ is above 0, which is why nothing has to be saturated here.
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
    }
}
