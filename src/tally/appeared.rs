//! Units that change from one battle to the next, collected before they are added to a tally.
//!
//! Nearly every unit is in a battle once, or once on either side. What that adds to a tally depends only on how the
//! battle ended for the unit, so it is enough to count one number for it, and one under each factor.

use super::counts::Deeds;
use super::record::teams;
use super::together::{Bounds, Together};
use super::{Breakdown, Clustered, Fighter, Layout, Record, Tally};
use crate::game::{Outcome, Side};

/// Where more numbers than this would be needed, nothing is collected: they would not stay in the processor's caches.
const MOST_NUMBERS: usize = 1 << 20;
/// The most battles that may wait: then they must be added to the tally.
const MOST_BATTLES: u32 = 1 << 31;

/// How a battle ended for a unit: its side won.
const WON: u8 = 0;
const LOST: u8 = 1;
/// It was on a side that won and on one that lost.
const BOTH: u8 = 2;
/// Nobody won.
const SHARED: u8 = 3;
/// It took part more often than that.
const OFTEN: u8 = 4;
/// The number of these endings, rounded up so that three bits say exactly one of them.
const ENDINGS: usize = 8;

/// How a battle ended for a unit that appears once more in it: indexed by how it ended for the unit so far, and then by
/// how it ended for the side of the new appearance.
const AGAIN: [[u8; 4]; ENDINGS] = [
    [OFTEN, BOTH, OFTEN, OFTEN],
    [BOTH, OFTEN, OFTEN, OFTEN],
    [OFTEN; 4],
    [OFTEN; 4],
    [OFTEN; 4],
    [OFTEN; 4],
    [OFTEN; 4],
    [OFTEN; 4],
];

/// Appearances that have not been added to their tally yet, by unit.
#[derive(Clone, Debug)]
pub(crate) struct Appeared {
    units: usize,
    /// By match-up and side: index of the first unit of its contender in `cells`. Sides of one contender share it.
    first: Vec<u32>,
    /// By block of units in `cells`: the match-up, and a side of the contender.
    of: Vec<(u32, Side)>,
    /// By block and unit.
    cells: Vec<OfUnit>,
    /// By factor, then as `cells`: how many battles ended in each way.
    by_factor: Vec<[u32; 4]>,
    battles: u32,
    /// Pairs of these units, where pairs wait too.
    together: Option<Together>,
    /// Scratch for the battle that is being added: by fighter, its unit and how the battle ended for it ([`ending`]), or
    /// [`SEEN_BEFORE`].
    seen: Vec<u32>,
    /// Scratch for the units that took part too often.
    often: Vec<Fighter>,
}

/// What waits to be added for one unit: everything that a battle changes lies together in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct OfUnit {
    /// By ending: how many battles ended so for it. Those in which it took part more often are not added from here.
    ended: [u32; ENDINGS],
    /// What it did in all battles that wait, including those.
    deeds: Deeds,
    /// The number of the last battle that it was in, from 1.
    battle: u32,
    /// How that battle ended for it.
    now: u8,
}

impl OfUnit {
    const NOTHING: Self = Self { ended: [0; ENDINGS], deeds: Deeds::NONE, battle: 0, now: WON };

    /// Notes that it was on a side for which a battle ended so, and returns whether that is its first appearance in the
    /// battle.
    #[inline(always)]
    fn note(&mut self, battle: u32, ended: u8) -> bool {
        let of = |ending: u8| usize::from(ending) % ENDINGS;
        if self.battle == battle {
            // It appears once more: the battle counts for it in another way now.
            let before = self.now;
            self.now = AGAIN[of(before)][usize::from(ended) % 4];
            self.ended[of(before)] -= 1;
            self.ended[of(self.now)] += 1;
            return false;
        }
        self.ended[of(ended)] += 1;
        (self.battle, self.now) = (battle, ended);
        true
    }

    /// By ending that counts: how many battles ended so for it.
    fn counts(&self) -> [u32; 4] {
        [WON, LOST, BOTH, SHARED].map(|ended| self.ended[usize::from(ended)])
    }
}

/// Stands for a unit that took part before in the same battle.
const SEEN_BEFORE: u32 = u32::MAX;

/// How a battle ended for the unit of a cell, as one number: its place among the counts of a factor.
#[inline(always)]
fn ending(cell: u32, ended: u8) -> u32 {
    4 * cell + u32::from(ended)
}

/// The cell of a unit for which a battle ended so.
#[inline(always)]
fn cell_of(ending: u32) -> u32 {
    ending / 4
}

impl Appeared {
    /// Empty; none where too many numbers would be needed, or units are counted by condition.
    pub(super) fn new(layout: &Layout, tally: &Tally) -> Option<Self> {
        let parts = match tally.breakdown() {
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
            cells: vec![OfUnit::NOTHING; cells],
            by_factor: vec![[0; 4]; cells * (parts - 1)],
            battles: 0,
            together: Together::new(layout, tally, Bounds::default()),
            seen: Vec::new(),
            often: Vec::new(),
        })
    }

    /// Adds the units that took part in a battle.
    pub(super) fn add(&mut self, tally: &mut Tally, layout: &Layout, record: &Record) {
        let Record { stratum, outcome, fighters, .. } = record;
        if self.battles == MOST_BATTLES {
            self.settle(tally, layout);
        }
        self.battles += 1;
        let at = stratum.matchup as usize * layout.sides;
        let first = &self.first[at..at + layout.sides];
        if self.seen.len() < fighters.len() {
            self.seen.resize(fighters.len(), 0);
        }
        let (battle, units, measure) = (self.battles, self.units, tally.measure());
        let mut seen = &mut self.seen[..fighters.len()];
        let (mut recurs, mut is_often) = (false, false);
        for team in teams(fighters) {
            let side = team[0].side;
            let ended = match *outcome {
                Outcome::Win(winner) if winner == side => WON,
                Outcome::Win(_) => LOST,
                Outcome::Draw | Outcome::Undecided => SHARED,
            };
            let first = first[side.index()];
            let cells = &mut self.cells[first as usize..][..units];
            let (seen_here, later) = seen.split_at_mut(team.len());
            seen = later;
            for (fighter, seen) in team.iter().zip(seen_here) {
                let of_unit = &mut cells[usize::from(fighter.unit)];
                of_unit.deeds.add(fighter);
                *seen = ending(first + u32::from(fighter.unit), ended);
                if !of_unit.note(battle, ended) {
                    recurs = true;
                    is_often |= of_unit.now == OFTEN;
                    *seen = SEEN_BEFORE;
                }
            }
            if let Some(points) = measure.points(*outcome, side, layout.sides) {
                let to = (at + side.index(), stratum.condition);
                let add = |together: &mut Together| together.add(tally, layout, to, team, points);
                if !self.together.as_mut().is_some_and(add) {
                    self.together = None;
                    tally.add_pairs(layout, *stratum, *outcome, team, 1);
                }
            }
        }
        if is_often {
            self.add_often(tally, layout, record);
        }
        if tally.breakdown() == Breakdown::Factor {
            let count = fighters.len();
            let count = if recurs { self.look_again(count) } else { count };
            self.add_to_factors(&layout.conditions[stratum.condition as usize].factors, count);
        }
    }

    /// Looks at the first `count` numbers of `seen` again after a battle in which units took part several times: moves to
    /// the front, once for each unit that is not to be left out, how the battle ended for it with all its appearances.
    /// Returns how many there are.
    fn look_again(&mut self, count: usize) -> usize {
        let mut left = 0;
        for at in 0..count {
            if self.seen[at] != SEEN_BEFORE {
                let cell = cell_of(self.seen[at]);
                let now = self.cells[cell as usize].now;
                if now != OFTEN {
                    self.seen[left] = ending(cell, now);
                    left += 1;
                }
            }
        }
        left
    }

    /// Adds, under each factor, how the battle ended for the first `seen` of the units that were seen in it.
    fn add_to_factors(&mut self, factors: &[u16], seen: usize) {
        let cells = self.cells.len();
        for &factor in factors {
            let counts = &mut self.by_factor[usize::from(factor) * cells..][..cells];
            let counts = counts.as_flattened_mut();
            self.seen[..seen].iter().for_each(|&ending| counts[ending as usize] += 1);
        }
    }

    /// Adds to the tally the units that took part too often, of which only what they did waits.
    #[cold]
    #[inline(never)]
    fn add_often(&mut self, tally: &mut Tally, layout: &Layout, record: &Record) {
        let Record { stratum, outcome, fighters, .. } = record;
        let at = stratum.matchup as usize * layout.sides;
        let is_often = |fighter: &&Fighter| {
            let cell = self.first[at + fighter.side.index()] + u32::from(fighter.unit);
            self.cells[cell as usize].now == OFTEN
        };
        let mut often = std::mem::take(&mut self.often);
        often.clear();
        often.extend(fighters.iter().filter(is_often));
        tally.add_fighters(layout, *stratum, *outcome, &often, 1, |_| Deeds::NONE);
        self.often = often;
    }

    /// Adds everything that waits to the tally.
    pub(super) fn settle(&mut self, tally: &mut Tally, layout: &Layout) {
        self.battles = 0;
        if let Some(together) = &mut self.together {
            together.settle(tally, layout);
        }
        let measure = tally.measure();
        // The same for every side.
        let points = |outcome| measure.points(outcome, Side::A, layout.sides);
        let (won, lost, shared) =
            (points(Outcome::Win(Side::A)), points(Outcome::Win(Side::B)), points(Outcome::Draw));
        let once = |points| Clustered::of_appearances(&[points]);
        let both = won.zip(lost).map(|(won, lost)| Clustered::of_appearances(&[won, lost]));
        let steps = [won.map(once), lost.map(once), both, shared.map(once)];
        let add = |tally: &mut Tally, cell: usize, factor: Option<usize>, ended: [u32; 4]| {
            let (matchup, side) = self.of[cell / self.units];
            let to = tally.unit_in(layout, matchup, side, cell % self.units);
            let [won, lost, both, shared] = ended.map(u64::from);
            tally.add_endings(&to, factor, [won + both, lost + both, shared]);
            for (step, &battles) in steps.iter().zip(&ended) {
                if let (Some(step), true) = (step, battles > 0) {
                    tally.add_fared(&to, factor, &step.of(u64::from(battles)));
                }
            }
            to
        };
        for (cell, of_unit) in self.cells.iter_mut().enumerate() {
            if *of_unit != OfUnit::NOTHING {
                let to = add(tally, cell, None, of_unit.counts());
                tally.add_deeds_to(&to, &of_unit.deeds);
                *of_unit = OfUnit::NOTHING;
            }
        }
        let cells = self.cells.len();
        for (at, ended) in self.by_factor.iter_mut().enumerate() {
            if *ended != [0; 4] {
                add(tally, at % cells, Some(at / cells), *ended);
                *ended = [0; 4];
            }
        }
    }
}
