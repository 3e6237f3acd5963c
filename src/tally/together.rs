//! Pairs of units that change from one battle to the next, of which a tally gets to know later.
//!
//! A pair is counted where it comes to lie by the order of its team, so that nothing has to be found out of the two: what
//! lies at the same two units the other way round is added to it in the end. Where strata are told apart, only these are counted:
//! what they add up to is worked out in the end, too.

use super::pairs::Pairs;
use super::{Fighter, Layout, PairCount, Tally};

/// How many numbers are kept: more would not stay close to the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// If all units had a place. Otherwise those have one that were met: few of all that there are may be in the pool of a
    /// contender.
    pub of_all: usize,
    /// At all.
    pub numbers: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { of_all: 1 << 18, numbers: 1 << 19 }
    }
}

/// How many units get a place at once.
const MORE: usize = 16;
/// The place of a unit that was not met.
const NOWHERE: u16 = u16::MAX;

/// Pairs that wait to be added to a tally.
#[derive(Clone, Debug)]
pub(super) struct Together {
    sides: usize,
    /// How many conditions are told apart; 1 where all are taken together.
    conditions: usize,
    /// By match-up and side: which contender it is, and its stratum in this match-up under the first condition.
    at: Vec<(u32, u32)>,
    of: Vec<OfContender>,
    bounds: Bounds,
    /// How much may be added to a number before it could be full.
    room: u32,
    /// Room for the places of the team that is being added.
    places: Vec<u16>,
}

/// What waits of a contender.
#[derive(Clone, Debug)]
struct OfContender {
    strata: usize,
    /// Whether conditions are told apart, and with them units by themselves.
    is_alone: bool,
    /// Whether every unit has a place, which is its index.
    have_all: bool,
    /// By unit; nothing where all have one.
    places: Vec<u16>,
    /// By place: which unit it is of.
    units: Vec<u16>,
    /// How many have room.
    row: usize,
    /// By stratum, within it by the places of one unit and another that came before it in a team: how many teams had both in
    /// the lower half, and their points in the upper half. Every unit with itself is left over in the end.
    counts: Vec<u64>,
    /// By stratum, within it by place: the same of teams with a unit; nothing where conditions are taken together.
    alone: Vec<u64>,
}

impl Together {
    /// Nothing waits; none where the tally counts no pairs, or does so in more ways than strata tell.
    pub(super) fn new(layout: &Layout, tally: &Tally, bounds: Bounds) -> Option<Self> {
        let pairs = tally.pairs.as_ref().filter(|pairs| pairs.strata_tell_parts())?;
        let (units, conditions) = (layout.units.len(), pairs.conditions());
        let matchups = &tally.own.matchups;
        let strata = || matchups.iter().map(|own| pairs.strata(own.len()));
        let in_all = strata().sum::<usize>().checked_mul(units.checked_mul(units)?)?;
        let have_all = in_all <= bounds.of_all;
        let of = strata().map(|strata| {
            let mut of = OfContender::new(strata, conditions > 1, have_all);
            if have_all {
                of.units = (0..units as u16).collect();
                of.make_room_for(units);
            } else {
                of.places = vec![NOWHERE; units];
            }
            of
        });
        let contenders = layout.contenders().at;
        let at = tally.own.places.iter().zip(&contenders).map(|(place, &contender)| {
            let own = if pairs.are_apart() { place.at * conditions as u32 } else { 0 };
            (u32::from(contender), own)
        });
        let (at, of) = (at.collect(), of.collect());
        Some(Self {
            sides: layout.sides,
            conditions,
            at,
            of,
            bounds,
            room: u32::MAX,
            places: Vec::new(),
        })
    }

    /// Gives a place to those of a team that have none. False where there is no room for more: then nothing waits.
    #[cold]
    fn give_places(
        &mut self,
        tally: &mut Tally,
        layout: &Layout,
        contender: usize,
        team: &[Fighter],
    ) -> bool {
        let of = &mut self.of[contender];
        for fighter in team {
            let place = &mut of.places[usize::from(fighter.unit)];
            if *place == NOWHERE {
                *place = of.units.len() as u16;
                of.units.push(fighter.unit);
            }
        }
        if of.units.len() <= of.row {
            return true;
        }
        let row = of.units.len().next_multiple_of(MORE);
        let more = of.strata * (row * row - of.row * of.row);
        let numbers: usize = self.of.iter().map(|of| of.counts.len()).sum();
        if numbers + more > self.bounds.numbers {
            self.settle(tally, layout);
            return false;
        }
        let of = &mut self.of[contender];
        if let Some(pairs) = &mut tally.pairs {
            of.settle(pairs, layout, contender);
        }
        of.make_room_for(row);
        true
    }

    /// Adds a team with the points of its side, which is given by match-up and side, under a condition. False where there is no room
    /// for its units: then nothing waits, and the team is not added.
    #[inline]
    #[must_use]
    pub(super) fn add(
        &mut self,
        tally: &mut Tally,
        layout: &Layout,
        (at, condition): (usize, u32),
        team: &[Fighter],
        points: u32,
    ) -> bool {
        // Every two of a team may be the same two units, and it has a point a side at most.
        let most = (team.len() * team.len() * self.sides) as u32;
        if self.room < most {
            self.settle(tally, layout);
        }
        self.room -= most;
        let (contender, stratum) = self.at[at];
        let contender = contender as usize;
        if self.places.len() < team.len() {
            self.places.resize(team.len(), NOWHERE);
        }
        if !self.of[contender].find(team, &mut self.places) {
            if !self.give_places(tally, layout, contender, team) {
                return false;
            }
            self.of[contender].find(team, &mut self.places);
        }
        let condition = if self.conditions > 1 { condition } else { 0 };
        let more = u64::from(points) << 32 | 1;
        let places = &self.places[..team.len()];
        self.of[contender].add((stratum + condition) as usize, places, more);
        true
    }

    /// Adds to the tally what waits, so that nothing does.
    pub(super) fn settle(&mut self, tally: &mut Tally, layout: &Layout) {
        self.room = u32::MAX;
        let Some(pairs) = &mut tally.pairs else { return };
        for (contender, of) in self.of.iter_mut().enumerate() {
            of.settle(pairs, layout, contender);
        }
    }
}

impl OfContender {
    fn new(strata: usize, is_alone: bool, have_all: bool) -> Self {
        let (places, units) = (Vec::new(), Vec::new());
        let (counts, alone) = (Vec::new(), Vec::new());
        Self { strata, is_alone, have_all, places, units, row: 0, counts, alone }
    }

    /// Makes room for so many units. Nothing waits.
    fn make_room_for(&mut self, units: usize) {
        self.row = units;
        self.counts = vec![0; self.strata * units * units];
        self.alone = vec![0; if self.is_alone { self.strata * units } else { 0 }];
    }

    /// Finds the places of a team, and says whether all its units have one.
    #[inline]
    fn find(&self, team: &[Fighter], places: &mut [u16]) -> bool {
        let mut last = 0;
        for (place, fighter) in places.iter_mut().zip(team) {
            *place =
                if self.have_all { fighter.unit } else { self.places[usize::from(fighter.unit)] };
            last = last.max(*place);
        }
        last != NOWHERE
    }

    /// Adds to the numbers of a stratum for every two units in these places.
    #[inline]
    fn add(&mut self, stratum: usize, places: &[u16], more: u64) {
        let row = self.row;
        if self.is_alone {
            let alone = &mut self.alone[stratum * row..][..row];
            places.iter().for_each(|&place| alone[usize::from(place)] += more);
        }
        let counts = &mut self.counts[stratum * row * row..][..row * row];
        for nth in 1..places.len() {
            let (before, second) = places.split_at(nth);
            let counts = &mut counts[usize::from(second[0]) * row..][..row];
            before.iter().for_each(|&first| counts[usize::from(first)] += more);
        }
    }

    /// Adds to pairs what waits, so that nothing does.
    fn settle(&mut self, pairs: &mut Pairs, layout: &Layout, contender: usize) {
        let (row, strata) = (self.row, self.strata);
        let unit = |place: usize| usize::from(self.units[place]);
        let mut alone = self.alone.chunks_mut(row.max(1));
        for (at, counts) in self.counts.chunks_mut((row * row).max(1)).enumerate() {
            for (place, number) in alone.next().into_iter().flatten().enumerate() {
                if *number != 0 {
                    let more = of_number(std::mem::take(number));
                    pairs.add_alone_in_stratum(contender, (at, strata), unit(place), more);
                }
            }
            for second in 0..row {
                for first in 0..second {
                    let here = std::mem::take(&mut counts[second * row + first]);
                    let there = std::mem::take(&mut counts[first * row + second]);
                    if here | there != 0 {
                        let (more, two) =
                            (of_number(here).and(of_number(there)), [first, second].map(unit));
                        pairs.add_in_stratum(layout, contender, (at, strata), two, more);
                    }
                }
                counts[second * row + second] = 0;
            }
        }
    }
}

/// What a number stands for.
fn of_number(number: u64) -> PairCount {
    PairCount { played: number & u64::from(u32::MAX), points: number >> 32 }
}
