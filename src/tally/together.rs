//! Pairs of units that change from one battle to the next, of which a tally gets to know later.
//!
//! A pair is counted where it comes to lie by the order of its team, so that nothing has to be found out of the two: what
//! lies at the same two units the other way round is added to it in the end.

use super::{Breakdown, Fighter, Layout, PairCount, Tally};

/// Of more numbers than this none is kept: they would not stay close to the processor.
const MOST_NUMBERS: usize = 1 << 18;

/// Pairs that wait to be added to a tally.
#[derive(Clone, Debug)]
pub(super) struct Together {
    units: usize,
    sides: usize,
    /// By match-up and side: where the pairs of its contender begin.
    first: Vec<usize>,
    /// By contender, within it by one unit and another that came before it in a team: how many teams had both in the lower
    /// half, and their points in the upper half. Every unit with itself is left over in the end.
    counts: Vec<u64>,
    /// How much may be added to a number before it could be full.
    room: u32,
}

impl Together {
    /// Nothing waits; none where the tally counts no pairs, or more than how they fared as a whole, or where it would be too
    /// much.
    pub(super) fn new(layout: &Layout, tally: &Tally) -> Option<Self> {
        let pairs = tally.pairs.as_ref()?;
        let units = layout.units.len();
        let contenders = layout.contenders();
        let numbers = contenders.names.len().checked_mul(units.checked_mul(units)?)?;
        let fits = numbers <= MOST_NUMBERS;
        (fits && pairs.breakdown() == Breakdown::Whole && !pairs.are_apart()).then(|| Self {
            units,
            sides: layout.sides,
            first: contenders.at.iter().map(|&of| usize::from(of) * units * units).collect(),
            counts: vec![0; numbers],
            room: u32::MAX,
        })
    }

    /// Makes room for the teams of one more battle with so many who take part.
    #[inline]
    pub(super) fn make_room(&mut self, tally: &mut Tally, fighters: usize) {
        // Every two of a battle may be the same two units, and a team has a point a side at most.
        let most = (fighters * fighters * self.sides) as u32;
        if self.room < most {
            self.settle(tally);
        }
        self.room -= most;
    }

    /// Adds a team with the points of its side, which is given by match-up and side.
    #[inline]
    pub(super) fn add(&mut self, at: usize, team: &[Fighter], points: u32) {
        let more = u64::from(points) << 32 | 1;
        let counts = &mut self.counts[self.first[at]..];
        for (nth, second) in team.iter().enumerate() {
            let row = usize::from(second.unit) * self.units;
            for first in &team[..nth] {
                counts[row + usize::from(first.unit)] += more;
            }
        }
    }

    /// Adds to the tally what waits, so that nothing does.
    pub(super) fn settle(&mut self, tally: &mut Tally) {
        self.room = u32::MAX;
        let Some(pairs) = &mut tally.pairs else { return };
        let units = self.units;
        for (contender, counts) in self.counts.chunks_mut((units * units).max(1)).enumerate() {
            for second in 0..units {
                for first in 0..second {
                    let here = std::mem::take(&mut counts[second * units + first]);
                    let there = std::mem::take(&mut counts[first * units + second]);
                    if here | there != 0 {
                        let [here, there] = [here, there].map(of_number);
                        pairs.add_to_whole(contender, [first, second], here);
                        pairs.add_to_whole(contender, [first, second], there);
                    }
                }
                counts[second * units + second] = 0;
            }
        }
    }
}

/// What a number stands for.
fn of_number(number: u64) -> PairCount {
    PairCount { played: number & u64::from(u32::MAX), points: number >> 32 }
}
