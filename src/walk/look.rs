//! What a walk observes, and how it distinguishes states and endings.

use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::ControlFlow;

use rustc_hash::FxBuildHasher;

use crate::chance::Every;
use crate::game::{Ended, Game, Outcome, Stratum, Unwatched, round_dyn, start_dyn};
use crate::tally::{Layout, Measure, Memory, OrderKey, Record, Recorder};

/// A battle between two rounds: its packed state, and what is remembered of the way to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place<P, M> {
    /// Hash of state and memory, so that both are read once for all the tables that the place is looked up in. A budget
    /// can end a walk within a round: which places had their turn by then depends on this hash.
    hash: u64,
    packed: P,
    memory: M,
}

/// A place of a battle of game `G`, as the look `L` distinguishes it.
pub(super) type PlaceOf<G, L> = Place<<G as Game>::Packed, <L as Look<G>>::Memory>;

impl<P, M> Place<P, M> {
    fn of(packed: P, memory: M) -> Self
    where
        P: Hash,
        M: Hash,
    {
        Self { hash: FxBuildHasher.hash_one((&packed, &memory)), packed, memory }
    }

    /// What is remembered of the way to this place.
    pub(super) fn memory(&self) -> &M {
        &self.memory
    }

    /// The unpacked state, to be played on.
    pub(super) fn unpack<G: Game<Packed = P>>(&self, stratum: Stratum) -> G::State {
        G::unpack(stratum, &self.packed)
    }

    /// Unpacks the state in place of another one of its stratum.
    pub(super) fn unpack_into<G: Game<Packed = P>>(&self, stratum: Stratum, state: &mut G::State) {
        G::unpack_into(stratum, &self.packed, state);
    }

    /// Which of so many parts it belongs to, by bits in the middle of its hash: tables use those at its ends.
    pub(super) fn part(&self, parts: usize) -> usize {
        (self.hash >> 40) as usize % parts
    }
}

impl<P, M> Hash for Place<P, M> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

/// Where a round leads.
pub(super) enum Next<P, M, K> {
    /// On to another round.
    Open(Place<P, M>),
    /// To an ending, with the key read off it.
    Ended(K),
}

/// What a walk observes.
pub(super) trait Look<G: Game>: Sync {
    /// What is remembered between rounds besides the state.
    type Memory: Clone + Eq + Hash + Send + Sync;
    /// What distinguishes endings.
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
    ) -> Next<G::Packed, Self::Memory, Self::Key>;

    /// Plays one way of round `number`. `state` is a copy of the state in `from`, which comes with its place.
    fn round(
        &self,
        setup: &G::Setup,
        state: &mut G::State,
        from: (&G::State, &PlaceOf<G, Self>),
        number: u32,
        dice: &mut Every,
        scratch: &mut Self::Scratch,
    ) -> Next<G::Packed, Self::Memory, Self::Key>;

    /// The orders of the round that was just played, as a record writes them.
    fn orders(scratch: &Self::Scratch) -> impl Iterator<Item = OrderKey>;
}

/// A look at endings only.
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
    ) -> Next<G::Packed, (), K> {
        let mut state = start_dyn::<G>(setup, stratum, dice, &mut Unwatched);
        if let Some(outcome) = G::over_at_start(setup, &state) {
            return Next::Ended((self.0)(&Ended { state, outcome, rounds: 0 }));
        }
        G::settle(setup, &mut state);
        Next::Open(Place::of(G::pack(&state), ()))
    }

    fn round(
        &self,
        setup: &G::Setup,
        state: &mut G::State,
        (before, place): (&G::State, &PlaceOf<G, Self>),
        number: u32,
        dice: &mut Every,
        (): &mut (),
    ) -> Next<G::Packed, (), K> {
        match round_dyn::<G>(setup, state, dice, &mut Unwatched) {
            ControlFlow::Break(outcome) => {
                Next::Ended((self.0)(&Ended { state: state.clone(), outcome, rounds: number }))
            }
            ControlFlow::Continue(()) => {
                G::settle_after(setup, state, before);
                Next::Open(Place::of(G::pack_after(state, (before, &place.packed)), ()))
            }
        }
    }

    fn orders((): &()) -> impl Iterator<Item = OrderKey> {
        std::iter::empty()
    }
}

/// What distinguishes endings in a look at records.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct End {
    pub(super) outcome: Outcome,
    /// The lasting metrics; none where the battle was forfeited, which measures nothing.
    pub(super) metrics: Option<Box<[i64]>>,
}

/// A look at outcomes, lasting metrics, and orders.
pub(super) struct Records<'a> {
    pub(super) layout: &'a Layout,
    /// How many of the layout's metrics are lasting, and looked at.
    pub(super) metrics: usize,
}

impl Records<'_> {
    fn read_off<G: Measure>(
        &self,
        setup: &G::Setup,
        state: &G::State,
        (outcome, rounds): (Outcome, u32),
        record: &mut Record,
    ) -> End {
        if G::forfeits(state) != 0 {
            return End { outcome, metrics: None };
        }
        (record.outcome, record.rounds) = (outcome, rounds);
        G::metrics(setup, state, &mut record.metrics);
        // Some orders are known only now.
        G::fighters(setup, state, record);
        End { outcome, metrics: Some(record.metrics[..self.metrics].into()) }
    }
}

impl<G: Measure> Look<G> for Records<'_> {
    type Memory = Memory;
    type Key = End;
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
    ) -> Next<G::Packed, Memory, Self::Key> {
        record.clear(stratum);
        let mut watch = Recorder::<G>::new(record);
        let mut state = start_dyn::<G>(setup, stratum, dice, &mut watch);
        if let Some(outcome) = G::over_at_start(setup, &state) {
            return Next::Ended(self.read_off::<G>(setup, &state, (outcome, 0), record));
        }
        G::settle(setup, &mut state);
        G::forget(setup, &mut state);
        Next::Open(Place::of(G::pack(&state), record.memory()))
    }

    fn round(
        &self,
        setup: &G::Setup,
        state: &mut G::State,
        (before, place): (&G::State, &PlaceOf<G, Self>),
        number: u32,
        dice: &mut Every,
        record: &mut Record,
    ) -> Next<G::Packed, Memory, Self::Key> {
        record.resume(place.memory());
        // Exact odds of one match-up play hundreds of thousands of rounds: compiling the rules once more for them pays.
        match G::round(setup, state, dice, &mut Recorder::<G>::new(record)) {
            ControlFlow::Break(outcome) => {
                Next::Ended(self.read_off::<G>(setup, state, (outcome, number), record))
            }
            ControlFlow::Continue(()) => {
                G::settle_after(setup, state, before);
                G::forget(setup, state);
                let packed = G::pack_after(state, (before, &place.packed));
                Next::Open(Place::of(packed, record.memory()))
            }
        }
    }

    fn orders(record: &Record) -> impl Iterator<Item = OrderKey> {
        record.order_keys()
    }
}
