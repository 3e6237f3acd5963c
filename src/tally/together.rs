//! Pairs of units in teams that change from one battle to the next, collected before they are added to a tally.
//!
//! A pair is counted in the order in which its units stand in the team, so that nothing has to be compared: the count
//! of the same two units the other way round is added to it in the end. Where strata are told apart, only strata are
//! counted: their totals are worked out in the end, too.

use super::pairs::Pairs;
use super::{Fighter, Layout, PairCount, Tally};

/// Bounds on how many numbers are kept: more would not stay in the processor's caches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Up to so many numbers, all units have a place from the start. Beyond, only units that were met have one: a
    /// contender's pool may have few of all units.
    pub of_all: usize,
    /// The most numbers that are kept.
    pub numbers: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { of_all: 1 << 18, numbers: 1 << 19 }
    }
}

/// The number of places grows by multiples of this.
const MORE: usize = 16;
/// The place of a unit that was not met.
const NOWHERE: u16 = u16::MAX;

/// Pairs that have not been added to their tally yet.
#[derive(Clone, Debug)]
pub(super) struct Together {
    sides: usize,
    /// How many conditions are told apart; 1 where all are taken together.
    conditions: usize,
    /// By match-up and side: the contender, and its stratum in this match-up under the first condition.
    at: Vec<(u32, u32)>,
    of: Vec<OfContender>,
    bounds: Bounds,
    /// How much may still be added to a number before it could overflow.
    room: u32,
    /// Scratch for the places of a team.
    places: Vec<u16>,
}

/// The pairs of one contender that have not been added to the tally yet.
#[derive(Clone, Debug)]
struct OfContender {
    strata: usize,
    /// Whether conditions are told apart, in which case single units are counted too.
    is_alone: bool,
    /// Whether every unit has a place, which is its index.
    have_all: bool,
    /// By unit: its place; empty where every unit has one.
    places: Vec<u16>,
    /// By place: the unit.
    units: Vec<u16>,
    /// How many places there is room for.
    row: usize,
    /// By stratum, then by the places of one unit and another that came before it in a team: how many teams had both in
    /// the lower half, and their points in the upper half. What a unit has with its own copies is dropped in the end.
    counts: Vec<u64>,
    /// By stratum, then by place: the same numbers for teams with one unit; empty where conditions are taken together.
    alone: Vec<u64>,
}

impl Together {
    /// Empty; none where the tally counts no pairs, or breaks them down further than strata tell.
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

    /// Gives places to the units of a team that have none. Returns false where there is no room: then everything has
    /// been settled.
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

    /// Adds a team with the points of its side, which is given by match-up and side, under a condition. Returns false
    /// where there is no room for its units: then everything has been settled, and the team is not added.
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
        // All pairs in a team may be the same two units, and a team has at most one point for each side.
        let most = (team.len() * team.len() * self.sides) as u32;
        if self.room < most {
            self.settle(tally, layout);
        }
        self.room -= most;
        let (contender, stratum) = self.at[at];
        let contender = contender as usize;
        let condition = if self.conditions > 1 { condition } else { 0 };
        let (stratum, more) = ((stratum + condition) as usize, u64::from(points) << 32 | 1);
        if self.of[contender].add(stratum, team, more, &mut self.places) {
            return true;
        }
        self.give_places(tally, layout, contender, team)
            && self.of[contender].add(stratum, team, more, &mut self.places)
    }

    /// Adds everything that waits to the tally.
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

    /// Makes room for so many units. Everything must have been settled.
    fn make_room_for(&mut self, units: usize) {
        self.row = units;
        self.counts = vec![0; self.strata * units * units];
        self.alone = vec![0; if self.is_alone { self.strata * units } else { 0 }];
    }

    /// Adds to the numbers of a stratum for every two units of a team. Returns false, and adds nothing, where not all of
    /// them have a place.
    #[inline]
    fn add(&mut self, stratum: usize, team: &[Fighter], more: u64, scratch: &mut Vec<u16>) -> bool {
        // Most teams are full ones: told how many units there are, the compiler needs no loops.
        match team.len() {
            6 => self.add_team::<6>(stratum, team, more),
            7 => self.add_team::<7>(stratum, team, more),
            8 => self.add_team::<8>(stratum, team, more),
            _ => {
                scratch.clear();
                scratch.extend(team.iter().map(|fighter| self.place(fighter)));
                self.add_places(stratum, scratch, more)
            }
        }
    }

    #[inline(always)]
    fn add_team<const UNITS: usize>(
        &mut self,
        stratum: usize,
        team: &[Fighter],
        more: u64,
    ) -> bool {
        let Some(team) = team.first_chunk::<UNITS>() else { return false };
        let places = team.each_ref().map(|fighter| self.place(fighter));
        self.add_places(stratum, &places, more)
    }

    /// The place of a unit; [`NOWHERE`] if it has none.
    #[inline(always)]
    fn place(&self, fighter: &Fighter) -> u16 {
        if self.have_all { fighter.unit } else { self.places[usize::from(fighter.unit)] }
    }

    #[inline(always)]
    fn add_places(&mut self, stratum: usize, places: &[u16], more: u64) -> bool {
        if !self.have_all && places.contains(&NOWHERE) {
            return false;
        }
        let row = self.row;
        if self.is_alone {
            let alone = &mut self.alone[stratum * row..][..row];
            places.iter().for_each(|&place| alone[usize::from(place)] += more);
        }
        let counts = &mut self.counts[stratum * row * row..][..row * row];
        for second in 1..places.len() {
            let counts = &mut counts[usize::from(places[second]) * row..][..row];
            for &first in &places[..second] {
                counts[usize::from(first)] += more;
            }
        }
        true
    }

    /// Adds everything that waits to the pairs of a tally.
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

/// Unpacks a number into teams and points.
fn of_number(number: u64) -> PairCount {
    PairCount { played: number & u64::from(u32::MAX), points: number >> 32 }
}
