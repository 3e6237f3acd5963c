//! Results where a side is first by itself and where it is not, by stratum: what the association is estimated from.

use super::play::{OrderTally, Origin};
use super::{Battles, Design};
use crate::tally::{Layout, Results};

/// A match-up, a condition (0 where the order is not drawn within conditions), and what the order was drawn among.
type Stratum = Origin;

/// The results of all origins, those of each stratum together, so that the strata of some battles are found without a
/// look at all others.
pub(super) struct Observed<'t> {
    sides: usize,
    none: Results,
    /// Sorted by stratum; with the condition, and the results by the side that was first by itself and within that by
    /// the side whose results they are.
    origins: Vec<OfOrigin<'t>>,
    /// By condition: the places of its origins among all, in order.
    of_conditions: Vec<Vec<u32>>,
}

type OfOrigin<'t> = (Stratum, u32, &'t [Results]);

impl<'t> Observed<'t> {
    /// Sorts what a tally counted.
    pub(super) fn new(design: &Design<'_>, tally: &'t OrderTally) -> Self {
        Self::of(
            design.sides(),
            Results::none(design.layout().sides as u32),
            design.is_compared_within_conditions(),
            tally.by_itself(),
        )
    }

    fn of(
        sides: usize,
        none: Results,
        within_conditions: bool,
        by_itself: impl Iterator<Item = (Origin, &'t [Results])>,
    ) -> Self {
        let of_stratum = |((matchup, condition, among), results)| {
            let stratum = (matchup, if within_conditions { condition } else { 0 }, among);
            (stratum, condition, results)
        };
        let mut origins: Vec<_> = by_itself.map(of_stratum).collect();
        origins.sort_unstable_by_key(|&(stratum, condition, _)| (stratum, condition));
        let mut of_conditions: Vec<Vec<u32>> = Vec::new();
        for (place, &(_, condition, _)) in origins.iter().enumerate() {
            let condition = condition as usize;
            if of_conditions.len() <= condition {
                of_conditions.resize(condition + 1, Vec::new());
            }
            of_conditions[condition].push(place as u32);
        }
        Self { sides, none, origins, of_conditions }
    }

    /// A side's results in battles in which it was first by itself, and in the others; by stratum, in a fixed order. A
    /// stratum is one match-up, one set that the order was drawn among and, where the order is drawn within conditions,
    /// one condition.
    pub(super) fn strata(&self, layout: &Layout, of: Battles, side: usize) -> Vec<[Results; 2]> {
        let all = &self.origins[..];
        match of {
            Battles::All => self.joined(all.iter(), side),
            Battles::OfMatchup(matchup) => {
                let begins = all.partition_point(|((of, ..), ..)| (*of as usize) < matchup);
                let many = all[begins..].partition_point(|((of, ..), ..)| *of as usize == matchup);
                self.joined(all[begins..][..many].iter(), side)
            }
            Battles::WithFactor(factor) => {
                let conditions = layout.conditions.iter().zip(&self.of_conditions);
                let with = conditions.filter(|(of, _)| of.factors.contains(&(factor as u16)));
                let mut places: Vec<u32> = with.flat_map(|(_, places)| places).copied().collect();
                places.sort_unstable();
                self.joined(places.into_iter().map(|place| &all[place as usize]), side)
            }
        }
    }

    /// The strata of some origins, which are in order.
    fn joined<'o>(
        &self,
        some: impl Iterator<Item = &'o OfOrigin<'o>>,
        side: usize,
    ) -> Vec<[Results; 2]> {
        let mut strata: Vec<[Results; 2]> = Vec::new();
        let mut last = None;
        for &(stratum, _, results) in some {
            if last.replace(stratum) != Some(stratum) {
                strata.push([self.none; 2]);
            }
            let of_stratum = strata.last_mut().expect("one was begun");
            for first in 0..self.sides {
                let of = &mut of_stratum[usize::from(first != side)];
                *of = of.with(results[first * self.sides + side]);
            }
        }
        strata
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::tally::Condition;
    use crate::tally::fixture::duel;

    /// The strata as they are defined: every origin is looked at.
    fn plain(
        origins: &BTreeMap<Origin, Vec<Results>>,
        layout: &Layout,
        within_conditions: bool,
        of: Battles,
        side: usize,
    ) -> Vec<[Results; 2]> {
        let none = Results::none(2);
        let mut strata: BTreeMap<Stratum, [Results; 2]> = BTreeMap::new();
        for (&(matchup, condition, among), results) in origins {
            let is_of = match of {
                Battles::All => true,
                Battles::OfMatchup(at) => matchup as usize == at,
                Battles::WithFactor(at) => {
                    layout.conditions[condition as usize].factors.contains(&(at as u16))
                }
            };
            if is_of {
                let condition = if within_conditions { condition } else { 0 };
                let stratum = strata.entry((matchup, condition, among)).or_insert([none; 2]);
                for first in 0..2 {
                    let of = &mut stratum[usize::from(first != side)];
                    *of = of.with(results[first * 2 + side]);
                }
            }
        }
        strata.into_values().collect()
    }

    proptest! {
        /// Whichever battles are asked for, the strata are those that a look at every origin gives, in the same order.
        #[test]
        fn strata_of_some_battles_are_those_among_all(
            origins in prop::collection::btree_map(
                (0u32..5, 0u32..4, 0u16..3),
                prop::collection::vec(0u64..9, 12),
                0..40,
            ),
            within_conditions: bool,
        ) {
            let condition = |factors: &[u16]| Condition {
                label: String::new(),
                factors: factors.to_vec(),
                probability: 0.25,
            };
            let conditions =
                [&[0][..], &[1], &[2], &[1, 2]].into_iter().map(condition).collect();
            let layout = Layout { conditions, ..duel() };
            let results = |of: &Vec<u64>| -> Vec<Results> {
                let of = of.chunks_exact(3);
                of.map(|of| Results { won: of[0], shared: of[1], lost: of[2], sides: 2 }).collect()
            };
            let origins: BTreeMap<Origin, Vec<Results>> =
                origins.iter().map(|(&origin, of)| (origin, results(of))).collect();
            // A tally has them in no order.
            let shuffled = origins.iter().rev().map(|(&origin, of)| (origin, &of[..]));
            let observed = Observed::of(2, Results::none(2), within_conditions, shuffled);
            let matchups = (0..6).map(Battles::OfMatchup);
            let factors = (0..3).map(Battles::WithFactor);
            for of in matchups.chain(factors).chain([Battles::All]) {
                for side in 0..2 {
                    let expected = plain(&origins, &layout, within_conditions, of, side);
                    prop_assert_eq!(observed.strata(&layout, of, side), expected);
                }
            }
        }
    }
}
