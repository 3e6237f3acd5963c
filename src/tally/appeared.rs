//! Battles of units that change from one to the next, of which a tally gets to know later how each unit fared.
//!
//! Nearly every unit is in a battle once, or once on either side. What that adds to a tally depends on how the battle ended
//! for it alone, so it is enough to count one number for it, and one under each factor.

use super::{Breakdown, Clustered, Fighter, Layout, Record, Tally};
use crate::game::{Outcome, Side, Stratum};

/// Of more numbers than this none is kept: they would not stay close to the processor.
const MOST_NUMBERS: usize = 1 << 20;
/// After so many battles they must be added to the tally.
const MOST_BATTLES: u32 = 1 << 31;

/// How a battle ended for a unit.
const WON: u8 = 0;
const LOST: u8 = 1;
/// Nobody won.
const SHARED: u8 = 2;
/// It was on a side that won and on one that lost.
const BOTH: u8 = 3;
/// It was there more often than that.
const OFTEN: u8 = 4;

/// Battles that wait to be added to a tally, by unit.
#[derive(Clone, Debug)]
pub(crate) struct Appeared {
    units: usize,
    /// By match-up and side: where the units of its contender begin within a part. Sides of one contender share them.
    first: Vec<u32>,
    /// By those: match-up and a side of the contender.
    of: Vec<(u32, Side)>,
    /// As a whole, then by factor; within it by unit of `first`; how many battles ended so.
    counts: Vec<[u32; 4]>,
    battles: u32,
    /// By unit of `first`: its place among `seen` from 1; 0 between battles.
    places: Vec<u16>,
    /// The units of the battle that is being added, and how it ended for each.
    seen: Vec<(u32, u8)>,
}

impl Appeared {
    /// Nothing waits; none where it would be too much.
    pub(super) fn new(layout: &Layout, breakdown: Breakdown) -> Option<Self> {
        let parts = match breakdown {
            Breakdown::Whole => 1,
            Breakdown::Factor => 1 + layout.factors.len(),
            Breakdown::Condition => return None,
        };
        let contenders = layout.contenders();
        let (mut first, mut of) = (Vec::new(), Vec::new());
        for (matchup, sides) in contenders.at.chunks(layout.sides).enumerate() {
            let begins = first.len();
            for (side, contender) in sides.iter().enumerate() {
                let place = match sides[..side].iter().position(|other| other == contender) {
                    Some(other) => first[begins + other],
                    None => {
                        of.push((matchup as u32, Side(side as u8)));
                        ((of.len() - 1) * layout.units.len()) as u32
                    }
                };
                first.push(place);
            }
        }
        let cells = of.len() * layout.units.len();
        let is_small = cells.checked_mul(4 * parts).is_some_and(|numbers| numbers <= MOST_NUMBERS);
        is_small.then(|| Self {
            units: layout.units.len(),
            first,
            of,
            counts: vec![[0; 4]; cells * parts],
            battles: 0,
            places: vec![0; cells],
            seen: Vec::new(),
        })
    }

    /// Adds those who took part in a battle.
    pub(super) fn add(&mut self, tally: &mut Tally, layout: &Layout, record: &Record) {
        let Record { stratum, outcome, fighters, .. } = record;
        if self.battles == MOST_BATTLES {
            self.settle(tally, layout);
        }
        self.battles += 1;
        let at = stratum.matchup as usize * layout.sides;
        let first = &self.first[at..at + layout.sides];
        let mut is_often = false;
        for fighter in fighters {
            let ended = match outcome {
                Outcome::Win(side) if *side == fighter.side => WON,
                Outcome::Win(_) => LOST,
                Outcome::Draw | Outcome::Undecided => SHARED,
            };
            let cell = first[fighter.side.index()] + u32::from(fighter.unit);
            let place = &mut self.places[cell as usize];
            if *place == 0 {
                self.seen.push((cell, ended));
                *place = self.seen.len() as u16;
            } else {
                let before = &mut self.seen[usize::from(*place) - 1].1;
                *before = if *before + ended == WON + LOST { BOTH } else { OFTEN };
                is_often |= *before == OFTEN;
            }
            tally.add_deeds_of(layout, *stratum, fighter);
        }
        for &(cell, _) in &self.seen {
            self.places[cell as usize] = 0;
        }
        if is_often {
            self.add_often(tally, layout, *stratum, *outcome, fighters);
        }
        let cells = self.places.len();
        let mut add_to = |part: usize| {
            let counts = &mut self.counts[part * cells..(part + 1) * cells];
            for &(cell, ended) in &self.seen {
                counts[cell as usize][usize::from(ended)] += 1;
            }
        };
        add_to(0);
        if tally.breakdown() == Breakdown::Factor {
            for &factor in &layout.conditions[stratum.condition as usize].factors {
                add_to(1 + usize::from(factor));
            }
        }
        self.seen.clear();
        tally.add_pairs(layout, *stratum, *outcome, fighters, 1);
    }

    /// Adds to the tally whoever was there often, and counts them no more.
    #[cold]
    #[inline(never)]
    fn add_often(
        &mut self,
        tally: &mut Tally,
        layout: &Layout,
        stratum: Stratum,
        outcome: Outcome,
        fighters: &[Fighter],
    ) {
        let at = stratum.matchup as usize * layout.sides;
        let was_often = |fighter: &&Fighter| {
            let cell = self.first[at + fighter.side.index()] + u32::from(fighter.unit);
            self.seen.contains(&(cell, OFTEN))
        };
        let often: Vec<Fighter> = fighters.iter().filter(was_often).copied().collect();
        tally.add_fighters(layout, stratum, outcome, &often, 1);
        self.seen.retain(|&(_, ended)| ended != OFTEN);
    }

    /// Adds to the tally what waits, so that nothing does.
    pub(super) fn settle(&mut self, tally: &mut Tally, layout: &Layout) {
        self.battles = 0;
        let measure = tally.measure();
        // Whichever side it is.
        let points = |outcome| measure.points(outcome, Side::A, layout.sides);
        let (won, lost, shared) =
            (points(Outcome::Win(Side::A)), points(Outcome::Win(Side::B)), points(Outcome::Draw));
        let once = |points| Clustered::of_appearances(&[points]);
        let steps = [
            won.map(once),
            lost.map(once),
            shared.map(once),
            won.zip(lost).map(|(won, lost)| Clustered::of_appearances(&[won, lost])),
        ];
        let cells = self.places.len();
        for (at, counts) in
            self.counts.iter_mut().enumerate().filter(|(_, counts)| **counts != [0; 4])
        {
            let (part, cell) = (at / cells, at % cells);
            let (matchup, side) = self.of[cell / self.units];
            let to = tally.unit_in(layout, matchup, side, cell % self.units);
            let [won, lost, shared, both] = counts.map(u64::from);
            tally.add_endings(&to, part.checked_sub(1), [won + both, lost + both, shared]);
            for (step, &battles) in steps.iter().zip(&*counts) {
                if let (Some(step), true) = (step, battles > 0) {
                    tally.add_fared(&to, part.checked_sub(1), &step.of(u64::from(battles)));
                }
            }
            *counts = [0; 4];
        }
    }
}
