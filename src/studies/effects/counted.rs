//! Fast counting of effects in duels where no unit is on a side more than once. A battle then ends for a subject in one
//! of a few ways (endings). Pairs of endings, under a case and under the neutral one, are counted and added to an
//! [`EffectTally`] later.
//!
//! Designs with pairs of cases use [`sets`](super::sets) instead. The results are those of
//! [`Group`](super::tally::Group), which counts battle by battle.

use super::tally::{Fared, fought};
use super::{Design, EffectTally};
use crate::game::{Outcome, Side};
use crate::tally::{Fighter, Record};

/// The ending of a battle for a subject.
type Ending = u8;
/// It took no part, or the measure leaves the battle out.
const NONE: Ending = 0;
const WON: Ending = 1;
const LOST: Ending = 2;
/// Nobody won.
const SHARED: Ending = 3;
/// It was on a side that won and on one that lost.
const BOTH: Ending = 4;
/// Nobody won, and it was on either side.
const SHARED_TWICE: Ending = 5;
/// It took part more often than can be counted.
const OFTEN: Ending = 6;
/// The number of endings, rounded up to 8, all that three bits can tell apart.
const ENDINGS: usize = 8;
/// The number of endings that can be counted.
const COUNTED: usize = OFTEN as usize;
/// The number of countable endings in which the subject took part.
const THERE: usize = COUNTED - 1;

/// The ending for a subject that takes part once more: by its ending so far, and by the ending for the side that it is
/// on this time.
const AGAIN: [[Ending; 4]; ENDINGS] = [
    [NONE, WON, LOST, SHARED],
    [WON, OFTEN, BOTH, OFTEN],
    [LOST, BOTH, OFTEN, OFTEN],
    [SHARED, OFTEN, OFTEN, SHARED_TWICE],
    [OFTEN; 4],
    [OFTEN; 4],
    [OFTEN; 4],
    [OFTEN; 4],
];

/// After this many battles under every case the counts must be added to a tally, so that none overflows.
const MOST_COUNTED: u64 = u16::MAX as u64;

/// Numbers of battles of a subject, by its ending under the neutral case, and within that by its ending under another
/// case.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Cell([u16; 32]);

const _: () = assert!(COUNTED * THERE <= 32);

impl Cell {
    /// Counts a battle with the ending `now` (never `NONE`) under a case; `neutral` is [`THERE`] times the ending under
    /// the neutral one.
    #[inline]
    fn count(&mut self, neutral: u8, now: Ending) {
        self.0[usize::from(neutral + now - 1) % 32] += 1;
    }
}

/// Counts of battles under every case that are not yet added to a tally.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    subjects: usize,
    /// By ending: a subject's appearances and points in such a battle.
    fared: [Fared; ENDINGS],
    /// By case and subject.
    cells: Vec<Cell>,
    /// By subject: its ending under the case that is being noted; all `NONE` between two notes.
    now: Vec<Ending>,
    /// By subject: [`THERE`] times its ending under the neutral case.
    neutral: Vec<u8>,
    /// The number of battles not yet added to a tally.
    battles: u64,
    matchup: u32,
    /// Whether any subject took part in a battle more often than can be counted.
    is_often: bool,
    /// By case: the subjects that took part in the current battle, with their endings. None where there is only one
    /// match-up.
    of_matchup: Option<Vec<Vec<(u32, Ending)>>>,
}

impl Counted {
    /// Empty counts.
    pub(super) fn new(design: &Design<'_>) -> Self {
        let (cases, subjects) = (design.cases.len(), design.subjects());
        let has_several = design.layout.matchups.len() > 1;
        Self {
            subjects,
            fared: fared(design),
            cells: vec![Cell::default(); cases * subjects],
            now: vec![NONE; subjects],
            neutral: vec![0; subjects],
            battles: 0,
            matchup: 0,
            is_often: false,
            of_matchup: has_several.then(|| vec![Vec::new(); cases]),
        }
    }

    /// Notes the battle under a case. The neutral case must come first.
    #[inline]
    pub(super) fn note(&mut self, design: &Design<'_>, case: usize, record: &Record) {
        self.matchup = record.stratum.matchup;
        if case == 0 {
            self.neutral.fill(0);
        }
        if design.measure.points(record.outcome, Side::A, 2).is_none() {
            return;
        }
        let ended: [Ending; 2] = match record.outcome {
            Outcome::Win(Side::A) => [WON, LOST],
            Outcome::Win(_) => [LOST, WON],
            Outcome::Draw | Outcome::Undecided => [SHARED, SHARED],
        };
        let (first_unit, subjects) = (design.sides(), self.subjects);
        let side_a = self.matchup as usize * 2;
        let fighters = fought(record);
        let unit = |fighter: &Fighter| first_unit + usize::from(fighter.unit);
        let now = &mut self.now[..subjects];
        (now[side_a], now[side_a + 1]) = (ended[0], ended[1]);
        for fighter in fighters {
            let ended = ended[usize::from(fighter.side != Side::A)];
            let now = &mut now[unit(fighter)];
            *now = AGAIN[usize::from(*now) % ENDINGS][usize::from(ended) % 4];
        }
        let cells = &mut self.cells[case * subjects..][..subjects];
        let neutral = &mut self.neutral[..subjects];
        let mut is_often = false;
        let mut of_matchup = self.of_matchup.as_mut().map(|of_matchup| &mut of_matchup[case]);
        let mut count = |subject: usize| {
            // A subject that took part twice is counted once.
            let ended = std::mem::take(&mut now[subject]);
            if ended == NONE {
                return;
            }
            is_often |= ended >= OFTEN;
            let before = &mut neutral[subject];
            cells[subject].count(*before, ended);
            if case == 0 {
                *before = THERE as u8 * ended;
            }
            if let Some(present) = &mut of_matchup {
                present.push((subject as u32, ended));
            }
        };
        count(side_a);
        count(side_a + 1);
        fighters.iter().map(unit).for_each(count);
        self.is_often |= is_often;
    }

    /// Ends the battle that was noted. Its counts may be added to the tally later.
    ///
    /// # Panics
    /// When a unit was in a team more than once, although the layout says that none is.
    pub(super) fn settle(&mut self, tally: &mut EffectTally) {
        assert!(!self.is_often, "no drawn unit is in a team more than once");
        if let Some(by_case) = &mut self.of_matchup {
            tally.begin_battle(self.matchup);
            for (case, present) in by_case.iter_mut().enumerate() {
                for (subject, ended) in present.drain(..) {
                    let fared = self.fared[usize::from(ended) % ENDINGS];
                    tally.add_of_matchup(self.matchup, case, subject as usize, fared);
                }
            }
        }
        self.battles += 1;
        if self.battles == MOST_COUNTED {
            self.flush(tally);
        }
    }

    /// Adds all pending counts to the tally.
    pub(super) fn flush(&mut self, tally: &mut EffectTally) {
        if std::mem::take(&mut self.battles) == 0 {
            return;
        }
        let (alone, with_neutral, _) = tally.sums_mut();
        let sums = alone.iter_mut().zip(with_neutral);
        for (cell, (alone, with_neutral)) in self.cells.iter_mut().zip(sums) {
            let counts = std::mem::take(cell).0;
            for (at, times) in counts.into_iter().enumerate().filter(|&(_, times)| times > 0) {
                let [neutral, now] = [self.fared[at / THERE], self.fared[at % THERE + 1]];
                alone.add_times(now, times.into());
                with_neutral.add_times(neutral, now, times.into());
            }
        }
    }
}

/// By ending: a subject's appearances and points in such a battle; none where the ending does not count.
fn fared(design: &Design<'_>) -> [Fared; ENDINGS] {
    let of =
        |outcome| design.measure.points(outcome, Side::A, 2).map_or(Fared::default(), Fared::once);
    let [won, lost] = [Side::A, Side::B].map(|side| of(Outcome::Win(side)));
    let shared = of(Outcome::Draw);
    let none = Fared::default();
    [none, won, lost, shared, won.and(lost), shared.and(shared), none, none]
}
