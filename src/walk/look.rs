//! What a walk observes, and by what it distinguishes states and ends.

use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::ControlFlow;

use rustc_hash::FxBuildHasher;

use crate::chance::Every;
use crate::game::{Ended, Game, Outcome, Stratum, Unwatched, round_dyn, start_dyn};
use crate::tally::{Layout, Measure, Memory, NotedOrder, Record, Recorder};

/// A battle between two rounds: its state, and what is remembered of the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place<S, M> {
    /// Of the rest, so that a state is read once for all the tables that it is looked up in.
    hash: u64,
    /// In a box, so that tables hold and move an address and not a whole battlefield.
    state: Box<S>,
    memory: M,
}

impl<S: Hash, M: Hash> Place<S, M> {
    fn new(state: Box<S>, memory: M) -> Self {
        Self { hash: FxBuildHasher.hash_one((&*state, &memory)), state, memory }
    }

    /// Its state, to be played on or written over.
    pub(super) fn into_state(self) -> Box<S> {
        self.state
    }

    /// In which of so many parts it is, by bits in the middle of its hash: tables look at those at its ends.
    pub(super) fn part(&self, parts: usize) -> usize {
        (self.hash >> 40) as usize % parts
    }
}

impl<S, M> Hash for Place<S, M> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

/// Where a round leads.
pub(super) enum Next<S, M, K> {
    /// On to another round.
    Open(Place<S, M>),
    /// To the end, and what is read off it.
    Ended(K),
}

/// What a walk observes.
pub(super) trait Look<G: Game>: Sync {
    /// What is remembered between rounds beside the state.
    type Memory: Clone + Eq + Hash + Send + Sync;
    /// By what ended battles are distinguished.
    type Key: Ord + Send + Sync;
    /// The scratch space that playing a round needs; each thread has its own.
    type Scratch: Clone + Send + Sync;

    fn scratch(&self, stratum: Stratum) -> Self::Scratch;

    fn start(
        &self,
        setup: &G::Setup,
        stratum: Stratum,
        dice: &mut Every,
        scratch: &mut Self::Scratch,
    ) -> Next<G::State, Self::Memory, Self::Key>;

    /// One way of a round. The state is played in `spare` where there is one, which saves asking for memory.
    fn round(
        &self,
        setup: &G::Setup,
        from: &Place<G::State, Self::Memory>,
        number: u32,
        dice: &mut Every,
        scratch: &mut Self::Scratch,
        spare: &mut Option<Box<G::State>>,
    ) -> Next<G::State, Self::Memory, Self::Key>;

    /// The orders of the round that was just played, as a record writes them.
    fn orders(scratch: &Self::Scratch) -> impl Iterator<Item = NotedOrder<'_>>;
}

/// A copy of a state, in the place of one that is not needed any more.
fn copied<S: Clone>(state: &S, spare: &mut Option<Box<S>>) -> Box<S> {
    match spare.take() {
        Some(mut copy) => {
            copy.as_mut().clone_from(state);
            copy
        }
        None => Box::new(state.clone()),
    }
}

/// Nothing but ends.
pub(super) struct Ends<F>(pub(super) F);

impl<G: Game, K: Ord + Send + Sync, F: Fn(&Ended<G::State>) -> K + Sync> Look<G> for Ends<F> {
    type Memory = ();
    type Key = K;
    type Scratch = ();

    fn scratch(&self, _: Stratum) {}

    fn start(
        &self,
        setup: &G::Setup,
        stratum: Stratum,
        dice: &mut Every,
        (): &mut (),
    ) -> Next<G::State, (), K> {
        let mut state = Box::new(start_dyn::<G>(setup, stratum, dice, &mut Unwatched));
        if let Some(outcome) = G::over_at_start(setup, &state) {
            return Next::Ended((self.0)(&Ended { state: *state, outcome, rounds: 0 }));
        }
        G::settle(setup, &mut state);
        Next::Open(Place::new(state, ()))
    }

    fn round(
        &self,
        setup: &G::Setup,
        from: &Place<G::State, ()>,
        number: u32,
        dice: &mut Every,
        (): &mut (),
        spare: &mut Option<Box<G::State>>,
    ) -> Next<G::State, (), K> {
        let mut state = copied(&*from.state, spare);
        match round_dyn::<G>(setup, &mut state, dice, &mut Unwatched) {
            ControlFlow::Break(outcome) => {
                Next::Ended((self.0)(&Ended { state: *state, outcome, rounds: number }))
            }
            ControlFlow::Continue(()) => {
                G::settle(setup, &mut state);
                Next::Open(Place::new(state, ()))
            }
        }
    }

    fn orders((): &()) -> impl Iterator<Item = NotedOrder<'_>> {
        std::iter::empty()
    }
}

/// Outcomes, those metrics that last, and orders.
pub(super) struct Records<'a> {
    pub(super) layout: &'a Layout,
    /// How many of the layout's metrics are looked at.
    pub(super) metrics: usize,
}

impl Records<'_> {
    /// What tells a battle apart that has ended.
    fn read_off<G: Measure>(
        &self,
        setup: &G::Setup,
        state: &G::State,
        (outcome, rounds): (Outcome, u32),
        record: &mut Record,
    ) -> (Outcome, Box<[i64]>) {
        (record.outcome, record.rounds) = (outcome, rounds);
        G::metrics(setup, state, &mut record.metrics);
        // Some orders are known only now.
        G::fighters(setup, state, record);
        (outcome, record.metrics[..self.metrics].into())
    }
}

impl<G: Measure> Look<G> for Records<'_> {
    type Memory = Memory;
    type Key = (Outcome, Box<[i64]>);
    type Scratch = Record;

    fn scratch(&self, stratum: Stratum) -> Record {
        let mut record = Record::new(self.layout);
        record.clear(stratum);
        record
    }

    fn start(
        &self,
        setup: &G::Setup,
        stratum: Stratum,
        dice: &mut Every,
        record: &mut Record,
    ) -> Next<G::State, Memory, Self::Key> {
        record.clear(stratum);
        let mut watch = Recorder::<G>::new(record);
        let mut state = Box::new(start_dyn::<G>(setup, stratum, dice, &mut watch));
        if let Some(outcome) = G::over_at_start(setup, &state) {
            return Next::Ended(self.read_off::<G>(setup, &state, (outcome, 0), record));
        }
        G::settle(setup, &mut state);
        G::forget(setup, &mut state);
        Next::Open(Place::new(state, record.memory()))
    }

    fn round(
        &self,
        setup: &G::Setup,
        from: &Place<G::State, Memory>,
        number: u32,
        dice: &mut Every,
        record: &mut Record,
        spare: &mut Option<Box<G::State>>,
    ) -> Next<G::State, Memory, Self::Key> {
        record.resume(&from.memory);
        let mut state = copied(&*from.state, spare);
        match round_dyn::<G>(setup, &mut state, dice, &mut Recorder::<G>::new(record)) {
            ControlFlow::Break(outcome) => {
                let key = self.read_off::<G>(setup, &state, (outcome, number), record);
                *spare = Some(state);
                Next::Ended(key)
            }
            ControlFlow::Continue(()) => {
                G::settle(setup, &mut state);
                G::forget(setup, &mut state);
                Next::Open(Place::new(state, record.memory()))
            }
        }
    }

    fn orders(record: &Record) -> impl Iterator<Item = NotedOrder<'_>> {
        record.orders()
    }
}
