//! Plays many battles and adds them up.
//!
//! Battles are numbered, and battle `i` is a pure function of (setup, master seed, `i`). The numbers are cut
//! into chunks, rayon hands chunks to threads, every thread adds to a tally of its own, and the tallies are
//! added at the end. Sums of whole numbers do not depend on who added what, so neither do the results.
//!
//! Chunks are played in waves of about a quarter of a second. Where no rows are kept, a chunk has battles of as few
//! match-ups of the wave as can be. A wave that has begun is always finished, so a
//! run that is ended early is exactly its first battles. Between waves the run reports how far it is, and the
//! rows of the `battles` table are handed over in order while the next wave is played.

mod keeper;
mod stopping;
mod workers;
mod writer;

use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Mutex;

pub use crate::parallel::MOST_THREADS;
pub use keeper::{Begun, Forgetful, Keeper};
pub use stopping::{Inference, NoStoppingRule, StoppingRule};
pub(crate) use workers::{Grouped, Workers};
use writer::Writer;

use crate::chance::battle_seed;
use crate::engine::{Battle, Dice, Engine, Look, Place};
use crate::table::{OutputError, Table};
use crate::tally::{Assignment, Breakdown, Count, Layout, OutcomeMeasure, Record, Tally, Waiting};

/// The most battles in a wave whose rows are kept.
const MOST_ROWS: u64 = 1 << 16;

/// What to play: seed, number of battles, threads and detail.
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
    /// The measure that comparisons count.
    pub measure: OutcomeMeasure,
}

impl Detail {
    /// An empty tally of all that is asked for.
    fn tally(self, layout: &Layout) -> Tally {
        let tally = Tally::new(layout, self.breakdown).with_measure(self.measure);
        match self.pairs {
            Some(breakdown) => tally.with_pairs(layout, breakdown),
            None => tally,
        }
    }

    /// Whether anything that is asked for needs the fighters.
    fn needs_fighters(self) -> bool {
        self.fighters || self.events || self.pairs.is_some() || self.breakdown != Breakdown::Whole
    }
}

/// The state of a run between two waves.
pub struct Standing<'s> {
    /// Battles played.
    pub played: u64,
    /// Adds up the threads' counts of a match-up.
    matchup: &'s dyn Fn(usize) -> Count,
}

impl<'s> Standing<'s> {
    /// The state after so many battles; `matchup` adds up the counts of a match-up.
    #[must_use]
    pub fn new(played: u64, matchup: &'s dyn Fn(usize) -> Count) -> Self {
        Self { played, matchup }
    }

    /// The counts of a match-up so far.
    #[must_use]
    pub fn matchup(&self, at: usize) -> Count {
        (self.matchup)(at)
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The sum of all battles that were played.
    pub tally: Tally,
    /// How many were played: the first of the plan, or those of a part of it.
    pub played: u64,
    /// Whether it ended because the stopping rule had evidence enough.
    pub enough: bool,
}

/// Collects rows of a table that has one row per battle.
pub trait Rows: Send {
    /// Adds battle `index`, whose dice came from `seed`.
    fn push(&mut self, index: u64, seed: u64, record: &Record);

    /// Hands over the rows and starts again without any.
    fn take(&mut self) -> Table;
}

/// How to make rows of a table, one per battle, and where they go.
pub struct KeepRows<'k> {
    /// Begins a collection of rows; called for every range of battles that a thread plays.
    pub begin: &'k (dyn Fn() -> Box<dyn Rows + 'k> + Sync),
    /// Receives the rows in the order of the battles, on another thread.
    pub keep: &'k mut (dyn FnMut(&Table) -> Result<(), OutputError> + Send),
}

/// Plays a plan, or as much of it as a stopping rule needs.
///
/// `go_on` is asked between waves and ends the run by returning false.
///
/// # Errors
/// The first error of keeping rows.
pub fn run(
    engine: &dyn Engine,
    plan: Plan,
    stop: Option<StoppingRule>,
    rows: Option<KeepRows<'_>>,
    go_on: &mut dyn FnMut(&Standing<'_>) -> bool,
) -> Result<Finished, OutputError> {
    run_kept(engine, plan, stop, rows, &mut Forgetful, go_on)
}

/// Plays battles as [`run`] does, continuing from what the keeper saved before, and lets the keeper save the sum now
/// and then. Rows are those of the battles that are left.
///
/// # Errors
/// The first error of keeping rows.
pub fn run_kept(
    engine: &dyn Engine,
    plan: Plan,
    stop: Option<StoppingRule>,
    rows: Option<KeepRows<'_>>,
    keeper: &mut dyn Keeper<Tally>,
    go_on: &mut dyn FnMut(&Standing<'_>) -> bool,
) -> Result<Finished, OutputError> {
    let assignment = Assignment::new(engine.layout());
    run_assigned(engine, &assignment, plan, stop, rows, keeper, go_on)
}

/// Plays a plan without a stopping rule and without rows.
pub fn run_whole(
    engine: &dyn Engine,
    plan: Plan,
    go_on: &mut dyn FnMut(&Standing<'_>) -> bool,
) -> Finished {
    run(engine, plan, None, None, go_on).expect("only rows can fail")
}

/// Plays so many battles of every stratum (indexed as the layout does) and adds them up, continuing from what the
/// keeper saved before; None when `go_on` returned false before all were played.
pub fn run_strata(
    engine: &dyn Engine,
    battles: &[u64],
    seed: u64,
    threads: usize,
    detail: Detail,
    keeper: &mut dyn Keeper<Tally>,
    go_on: &mut dyn FnMut(&Standing<'_>) -> bool,
) -> Option<Tally> {
    let layout = engine.layout();
    let total = battles.iter().sum();
    let Some(count) = NonZeroU64::new(total) else { return Some(detail.tally(layout)) };
    let plan = Plan { seed, battles: count, threads, detail };
    let assignment = Assignment::dealt(layout, battles);
    let finished = run_assigned(engine, &assignment, plan, None, None, keeper, go_on);
    let finished = finished.expect("only rows can fail");
    (finished.played == total).then_some(finished.tally)
}

fn run_assigned(
    engine: &dyn Engine,
    assignment: &Assignment,
    plan: Plan,
    stop: Option<StoppingRule>,
    rows: Option<KeepRows<'_>>,
    keeper: &mut dyn Keeper<Tally>,
    go_on: &mut dyn FnMut(&Standing<'_>) -> bool,
) -> Result<Finished, OutputError> {
    let layout = engine.layout();
    let (begin, keep) = match rows {
        Some(KeepRows { begin, keep }) => (Some(begin), Some(Mutex::new(keep))),
        None => (None, None),
    };
    let most = if begin.is_some() { MOST_ROWS } else { u64::MAX / 2 };
    let workers = Workers::new(plan.threads, most, || Worker::new(layout, plan));
    let mut workers = workers.of_matchups(assignment.in_turn());
    let empty = plan.detail.tally(layout);
    let Begun { sum, played: before, left } = keeper.begin(plan.battles.get(), empty);
    // The first thread continues from the earlier sum.
    let first = workers.accumulators().next();
    first.expect("there is a thread").tally = sum;
    let look = Look {
        events: plan.detail.events,
        fighters: plan.detail.needs_fighters() || begin.is_some(),
    };
    let counts_fighters = plan.detail.needs_fighters();
    let task = Task { engine, assignment, seed: plan.seed, look, counts_fighters, begin };

    let mut looks = Looks::new(stop, layout, left.start);
    // A run that ended at this look ends there again.
    let mut enough = looks.is_enough_at(left.start, || matchups(&workers, layout));
    let reached = std::thread::scope(|scope| {
        let mut writer = keep.as_ref().map(|keep| Writer::start(scope, keep));
        let mut played = left.start;
        while played < left.end && !enough {
            let next = played..left.end.min(looks.next.unwrap_or(left.end));
            let (end, rows) = if begin.is_some() {
                workers.wave(next, |worker, battles| worker.play(&task, battles))
            } else {
                let play = |worker: &mut Worker, battles| drop(worker.play(&task, battles));
                (workers.grouped_wave(next, play), Vec::new())
            };
            let rows: Vec<Table> = rows.into_iter().flatten().collect();
            played = end;
            let can_go_on =
                rows.is_empty() || writer.as_mut().is_none_or(|writer| writer.write(rows));
            if !can_go_on {
                break; // The writer says why when it ends.
            }
            enough = looks.is_enough_at(played, || matchups(&workers, layout));
            let so_far = before + (played - left.start);
            let matchup = |at| standing(&workers, layout, at);
            if !go_on(&Standing::new(so_far, &matchup)) || enough {
                break;
            }
            if played < left.end && keeper.is_due(false) {
                // Rows and counts must be saved up to the same battle.
                if !writer.as_ref().is_none_or(Writer::wait) {
                    break;
                }
                keeper.keep(played, &sum_of(&workers, layout));
            }
        }
        writer.map_or(Ok(()), Writer::end).map(|()| played)
    })?;

    let tally = added(workers, layout);
    if keeper.is_due(true) {
        keeper.keep(reached, &tally);
    }
    Ok(Finished { tally, played: before + (reached - left.start), enough })
}

/// Plays battles once more for their rows alone, and hands these over in order; false when `go_on` returned false.
///
/// # Errors
/// The first error of keeping rows.
pub fn replay_rows<'k>(
    engine: &dyn Engine,
    plan: Plan,
    battles: Range<u64>,
    begin: &(dyn Fn() -> Box<dyn Rows + 'k> + Sync),
    keep: &mut dyn FnMut(&Table) -> Result<(), OutputError>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<bool, OutputError> {
    let layout = engine.layout();
    let assignment = &Assignment::new(layout);
    let mut workers = Workers::new(plan.threads, MOST_ROWS, || Record::new(layout));
    let look = Look { events: plan.detail.events, fighters: true };
    let mut played = battles.start;
    while played < battles.end {
        let (end, tables) = workers.wave(played..battles.end, |record, battles| {
            let mut rows = begin();
            for index in battles {
                let place = Place::Assigned(assignment);
                let battle = Battle { seed: plan.seed, index, dice: Dice::Seeded, place };
                engine.play(battle, look, record);
                rows.push(index, battle_seed(plan.seed, index), record);
            }
            rows.take()
        });
        tables.iter().try_for_each(&mut *keep)?;
        played = end;
        if !go_on() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A digest of how some battles of a stream end, played with either kind of dice: it changes when the rules, the cards
/// or the dice have changed. Every match-up has a battle in it as long as there are not more than a thousand.
#[must_use]
pub fn sample(engine: &dyn Engine, seed: u64) -> String {
    use std::fmt::Write as _;
    const FEWEST: u64 = 64;
    const MOST: u64 = 1_024;
    let layout = engine.layout();
    let matchups = layout.matchups.len() as u64;
    let battles = matchups.clamp(FEWEST, MOST);
    let (assignment, mut record) = (Assignment::new(layout), Record::new(layout));
    let (place, look) = (Place::Assigned(&assignment), Look { events: false, fighters: true });
    let mut text = String::new();
    for at in 0..battles {
        // Match-ups take turns; where only some are sampled, they are spread from first to last.
        let index = if matchups > battles { at * matchups / battles } else { at };
        for dice in [Dice::Seeded, Dice::Keyed] {
            engine.play(Battle { seed, index, dice, place }, look, &mut record);
            let Record { stratum, outcome, rounds, forfeits, fighters, metrics, .. } = &record;
            writeln!(text, "{stratum:?} {outcome:?} {rounds} {forfeits} {fighters:?} {metrics:?}")
                .expect("text takes any text");
        }
    }
    crate::digest::fingerprint([text.as_str()])
}

/// The sum of what all threads have counted so far.
fn sum_of(workers: &Workers<Worker>, layout: &Layout) -> Tally {
    let mut all = workers.accumulators();
    let mut sum = all.next().expect("there is a thread").settled(layout).clone();
    all.for_each(|mut worker| sum.merge(worker.settled(layout)));
    sum
}

/// The sum of what all threads have counted, once all is played. Each thread's tally is dropped as soon as it is added:
/// a large tally is held twice at most.
fn added(workers: Workers<Worker>, layout: &Layout) -> Tally {
    let mut tallies = workers.into_accumulators().map(|mut worker| {
        worker.settled(layout);
        worker.tally
    });
    let mut sum = tallies.next().expect("there is a thread");
    tallies.for_each(|other| sum.merge(&other));
    sum
}

/// The numbers of battles after which a stopping rule looks at what was counted.
struct Looks {
    rule: Option<StoppingRule>,
    /// The next of them, where there is one.
    next: Option<u64>,
    later: Box<dyn Iterator<Item = u64>>,
}

impl Looks {
    /// The looks from so many battles on.
    fn new(rule: Option<StoppingRule>, layout: &Layout, from: u64) -> Self {
        let all = rule.map(|_| StoppingRule::looks(layout.matchups.len())).into_iter().flatten();
        let mut later = Box::new(all.skip_while(move |&look| look < from));
        Self { rule, next: later.next(), later }
    }

    /// Whether there is a look after so many battles at which the rule finds evidence enough.
    fn is_enough_at(&mut self, played: u64, counts: impl FnOnce() -> Vec<Count>) -> bool {
        if self.next != Some(played) {
            return false;
        }
        self.next = self.later.next();
        self.rule.is_some_and(|rule| rule.is_enough(&counts()))
    }
}

/// What all threads play, and how.
struct Task<'t, 'k> {
    engine: &'t dyn Engine,
    assignment: &'t Assignment,
    seed: u64,
    look: Look,
    /// Whether the tally counts fighters; they may also be noted for the rows alone.
    counts_fighters: bool,
    begin: Option<&'k (dyn Fn() -> Box<dyn Rows + 'k> + Sync)>,
}

/// The counts of each match-up so far.
fn matchups(workers: &Workers<Worker>, layout: &Layout) -> Vec<Count> {
    let mut counts = vec![Count::new(layout); layout.matchups.len()];
    for worker in workers.accumulators() {
        for (sum, count) in counts.iter_mut().zip(&worker.tally.matchups) {
            sum.merge(count);
        }
    }
    counts
}

/// What one thread counts with, and has counted.
struct Worker {
    tally: Tally,
    /// Fighters that are not in the tally yet.
    waiting: Waiting,
    record: Record,
}

impl Worker {
    fn new(layout: &Layout, plan: Plan) -> Self {
        let tally = plan.detail.tally(layout);
        let waiting = Waiting::new(layout, &tally);
        Self { tally, waiting, record: Record::new(layout) }
    }

    /// Everything it has counted, with nothing left waiting.
    fn settled(&mut self, layout: &Layout) -> &mut Tally {
        self.waiting.settle(&mut self.tally, layout);
        &mut self.tally
    }

    /// Plays some battles; returns their rows if they are asked for.
    fn play(&mut self, task: &Task<'_, '_>, battles: impl Iterator<Item = u64>) -> Option<Table> {
        let Task { engine, assignment, seed, look, counts_fighters, begin } = *task;
        let layout = engine.layout();
        let mut rows = begin.map(|begin| begin());
        for index in battles {
            let place = Place::Assigned(assignment);
            engine.play(Battle { seed, index, dice: Dice::Seeded, place }, look, &mut self.record);
            if counts_fighters {
                self.tally.add_to(&mut self.waiting, layout, &self.record);
            } else {
                self.tally.add_ending(layout, &self.record);
            }
            if let Some(rows) = &mut rows {
                rows.push(index, battle_seed(seed, index), &self.record);
            }
        }
        rows.map(|mut rows| rows.take())
    }
}

/// The counts of one match-up so far.
fn standing(workers: &Workers<Worker>, layout: &Layout, matchup: usize) -> Count {
    let mut count = Count::new(layout);
    for worker in workers.accumulators() {
        count.merge(&worker.tally.matchups[matchup]);
    }
    count
}
