//! Plays many battles and adds them up.
//!
//! Battles are numbered, and battle `i` is a pure function of (setup, master seed, `i`). The numbers are cut
//! into chunks, rayon hands chunks to threads, every thread adds to a tally of its own, and the tallies are
//! added at the end. Sums of whole numbers do not depend on who added what, so neither do the results.
//!
//! Chunks are played in waves of about a quarter of a second. A wave that has begun is always finished, so a
//! run that is ended early is exactly its first battles. Between waves the run reports how far it is, and the
//! rows of the `battles` table are handed over in order while the next wave is played.

mod crew;
mod evidence;

use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::mpsc::sync_channel;

pub(crate) use crew::Crew;
pub use evidence::{Evidence, NoEvidence, verdict, win_rates};

use crate::chance::{Seeded, battle_seed};
use crate::game::{Unwatched, play};
use crate::studies::run::BattleRows;
use crate::table::Table;
use crate::tally::{Breakdown, Count, Draw, Layout, Measure, Record, Recorder, Tally};

/// The most battles in a wave whose rows are kept.
const MOST_ROWS: u64 = 1 << 16;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The master seed.
    pub seed: u64,
    /// How many battles.
    pub battles: NonZeroU64,
    /// On how many threads; 0 is one for every core.
    pub threads: usize,
    /// How closely to look.
    pub detail: Detail,
}

/// How closely to look at battles; what is not asked for costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Follow every event: orders, damage.
    pub events: bool,
    /// Note who took part and survived.
    pub fighters: bool,
    /// What fighters are counted by.
    pub breakdown: Breakdown,
    /// Count pairs of fighters of one side, also by this.
    pub pairs: Option<Breakdown>,
    /// Keep a row for every battle.
    pub rows: bool,
}

impl Detail {
    /// An empty tally of all that is asked for.
    fn tally(self, layout: &Layout) -> Tally {
        let tally = Tally::new(layout, self.breakdown);
        match self.pairs {
            Some(breakdown) => tally.with_pairs(layout, breakdown),
            None => tally,
        }
    }

    /// Whether anything that is asked for needs to know who took part.
    fn needs_fighters(self) -> bool {
        self.fighters
            || self.events
            || self.rows
            || self.pairs.is_some()
            || self.breakdown != Breakdown::Whole
    }
}

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Battles played.
    pub played: u64,
    /// How the first match-up stands.
    pub first_matchup: Count,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The sum of all battles that were played.
    pub tally: Tally,
    /// How many were played: the first of the plan.
    pub played: u64,
    /// Whether it ended because there was evidence enough.
    pub enough: bool,
}

/// Plays a plan.
///
/// `keep` is given the rows of the `battles` table, in order, from another thread; it is not called unless
/// the plan asks for rows. `go_on` is asked between waves and ends the run by saying no.
///
/// # Errors
/// The first error of `keep`.
///
/// # Panics
/// When the operating system gives no threads.
pub fn run<G: Measure, E: Send>(
    setup: &G::Setup,
    layout: &Layout,
    plan: Plan,
    keep: impl FnMut(&Table) -> Result<(), E> + Send,
    go_on: impl FnMut(&Standing) -> bool,
) -> Result<Finished, E> {
    run_until::<G, E>(setup, layout, plan, None, keep, go_on)
}

/// Plays a plan, or as much of it as it takes until there is evidence enough.
///
/// # Errors
/// The first error of `keep`.
///
/// # Panics
/// When the operating system gives no threads.
pub fn run_until<G: Measure, E: Send>(
    setup: &G::Setup,
    layout: &Layout,
    plan: Plan,
    evidence: Option<Evidence>,
    keep: impl FnMut(&Table) -> Result<(), E> + Send,
    go_on: impl FnMut(&Standing) -> bool,
) -> Result<Finished, E> {
    let draw = Draw::new(layout);
    run_drawn::<G, E>(setup, layout, &draw, plan, evidence, keep, go_on)
}

/// Plays so many battles of every stratum (indexed as the layout does) and adds them up; None when `go_on` has
/// said no before they were.
///
/// # Panics
/// When the operating system gives no threads.
pub fn run_strata<G: Measure>(
    setup: &G::Setup,
    layout: &Layout,
    battles: &[u64],
    seed: u64,
    threads: usize,
    breakdown: Breakdown,
    go_on: impl FnMut(&Standing) -> bool,
) -> Option<Tally> {
    let total = battles.iter().sum();
    let Some(count) = NonZeroU64::new(total) else { return Some(Tally::new(layout, breakdown)) };
    let plan =
        Plan { seed, battles: count, threads, detail: Detail { breakdown, ..Detail::default() } };
    let draw = Draw::dealt(layout, battles);
    let keep = |_: &Table| Ok::<(), std::convert::Infallible>(());
    let finished = run_drawn::<G, _>(setup, layout, &draw, plan, None, keep, go_on);
    let Ok(finished) = finished;
    (finished.played == total).then_some(finished.tally)
}

fn run_drawn<G: Measure, E: Send>(
    setup: &G::Setup,
    layout: &Layout,
    draw: &Draw,
    plan: Plan,
    evidence: Option<Evidence>,
    mut keep: impl FnMut(&Table) -> Result<(), E> + Send,
    mut go_on: impl FnMut(&Standing) -> bool,
) -> Result<Finished, E> {
    let most = if plan.detail.rows { MOST_ROWS } else { u64::MAX / 2 };
    let mut crew = Crew::new(plan.threads, most, || Worker::new(layout, plan));
    let total = plan.battles.get();

    let mut looks = evidence.map(|_| Evidence::looks(layout.matchups.len())).into_iter().flatten();
    let mut look = looks.next();
    let mut enough = false;
    let played = std::thread::scope(|scope| {
        // Two waves of rows may wait: one being written, one ready.
        let (sender, receiver) = sync_channel::<Vec<Table>>(1);
        let writer =
            scope.spawn(move || receiver.iter().flatten().try_for_each(|rows| keep(&rows)));
        let mut played = 0;
        while played < total {
            let left = played..total.min(look.unwrap_or(total));
            let (end, rows) = crew
                .wave(left, |worker, battles| worker.play::<G>(setup, layout, draw, plan, battles));
            let rows: Vec<Table> = rows.into_iter().flatten().collect();
            played = end;
            if !rows.is_empty() && sender.send(rows).is_err() {
                break; // The writer has failed and says why below.
            }
            if look == Some(played) {
                look = looks.next();
                let counts = matchups(&crew, layout);
                enough = evidence.is_some_and(|evidence| evidence.is_enough(&counts));
            }
            if !go_on(&standing(&crew, layout, played)) || enough {
                break;
            }
        }
        drop(sender);
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).map(|()| played)
    })?;

    let mut tally = plan.detail.tally(layout);
    for worker in crew.belongings() {
        tally.merge(&worker.tally);
    }
    Ok(Finished { tally, played, enough })
}

/// How each match-up stands.
fn matchups(crew: &Crew<Worker>, layout: &Layout) -> Vec<Count> {
    let mut counts = vec![Count::new(layout); layout.matchups.len()];
    for worker in crew.belongings() {
        for (stratum, count) in worker.tally.strata.iter().enumerate() {
            counts[layout.stratum(stratum).matchup as usize].merge(count);
        }
    }
    counts
}

/// One thread's belongings.
struct Worker {
    tally: Tally,
    record: Record,
}

impl Worker {
    fn new(layout: &Layout, plan: Plan) -> Self {
        Self { tally: plan.detail.tally(layout), record: Record::new(layout) }
    }

    /// Plays some battles; gives their rows if the plan asks for them.
    fn play<G: Measure>(
        &mut self,
        setup: &G::Setup,
        layout: &Layout,
        draw: &Draw,
        plan: Plan,
        battles: Range<u64>,
    ) -> Option<Table> {
        let mut rows = plan.detail.rows.then(|| BattleRows::new(layout));
        for index in battles {
            play_one::<G>(setup, draw, plan, index, &mut self.record);
            self.tally.add(layout, &self.record);
            if let Some(rows) = &mut rows {
                rows.push(index, battle_seed(plan.seed, index), &self.record);
            }
        }
        rows.map(|mut rows| rows.take())
    }
}

/// Plays battle `index` of a plan into `record`.
#[inline]
fn play_one<G: Measure>(
    setup: &G::Setup,
    draw: &Draw,
    plan: Plan,
    index: u64,
    record: &mut Record,
) {
    let mut luck = Seeded::of_battle(plan.seed, index);
    let stratum = draw.stratum(index, &mut luck);
    record.clear(stratum);
    let ended = if plan.detail.events {
        play::<G, _, _>(setup, stratum, &mut luck, &mut Recorder::<G>::new(record))
    } else {
        play::<G, _, _>(setup, stratum, &mut luck, &mut Unwatched)
    };
    record.outcome = ended.outcome;
    record.rounds = ended.rounds;
    G::metrics(setup, &ended.state, &mut record.metrics);
    if plan.detail.needs_fighters() {
        G::fighters(setup, &ended.state, record);
    }
}

fn standing(crew: &Crew<Worker>, layout: &Layout, played: u64) -> Standing {
    let mut first_matchup = Count::new(layout);
    for worker in crew.belongings() {
        for count in &worker.tally.strata[..layout.conditions.len()] {
            first_matchup.merge(count);
        }
    }
    Standing { played, first_matchup }
}
