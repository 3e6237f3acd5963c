//! Every way (path of dice) that one round can go from one place.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::mem;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::look::{Look, Next, Place, PlaceOf};
use super::share::{Denominator, Names, Share};
use crate::chance::{Every, Whole};
use crate::game::{Game, Stratum};
use crate::tally::OrderKey;

/// The most ways that are walked at a stretch.
pub(super) const STRETCH: u64 = 256;
/// How many parts places are divided into, by their hash, so that each part can be merged by itself.
pub(super) const PARTS: usize = 16;

/// A place whose next round is being walked.
pub(super) struct Start<P> {
    pub(super) place: P,
    /// Its probability.
    pub(super) share: Share,
    /// The ways that have been walked from here.
    dice: Every,
}

impl<P> Start<P> {
    pub(super) fn new(place: P, share: Share) -> Self {
        Self { place, share, dice: Every::new() }
    }
}

/// Where some ways from one place lead, with probabilities.
pub(super) struct Led<P, K> {
    /// The denominator of the shares.
    pub(super) denominator: Whole,
    /// Orders that were not met before: the first of them has the number that was next.
    pub(super) orders: Vec<OrderKey>,
    pub(super) open: Vec<(P, Share)>,
    pub(super) ended: BTreeMap<K, Share>,
    pub(super) ways: u64,
    /// Whether no ways are left from there.
    pub(super) is_last: bool,
}

/// Adds up the probabilities of ways by where they lead.
struct Sums<P, M, K> {
    denominator: Denominator,
    /// The denominator of the last way, and by what the common one is a multiple of it.
    last: (Whole, Whole),
    /// In the order in which they were first met, which is the same on every thread.
    open: IndexMap<Place<P, M>, Share, FxBuildHasher>,
    ended: BTreeMap<K, Share>,
    /// The orders that are new here.
    new: Names,
    /// Scratch for the orders of the way that is being added.
    on_way: Vec<u32>,
}

impl<P: Eq, M: Eq + Hash, K: Ord> Sums<P, M, K> {
    fn new() -> Self {
        Self {
            denominator: Denominator::one(),
            last: (Whole::ONE, Whole::ONE),
            open: IndexMap::default(),
            ended: BTreeMap::new(),
            new: Names::default(),
            on_way: Vec::new(),
        }
    }

    /// Converts the odds of a way to parts of the common denominator, which is made a multiple of the way's own.
    fn parts(&mut self, (numerator, denominator): (Whole, Whole)) -> Whole {
        if self.last.0 != denominator {
            if let Some(factor) = self.denominator.make_room(&denominator) {
                let shares = self.open.values_mut().chain(self.ended.values_mut());
                shares.for_each(|share| share.scale(&factor));
            }
            let times = self.denominator.0.over(&denominator);
            self.last = (denominator, times);
        }
        numerator.times(&self.last.1)
    }

    /// Adds a way with its orders, of which `names` has those that were met in earlier waves.
    fn add(
        &mut self,
        next: Next<P, M, K>,
        odds: (Whole, Whole),
        names: &Names,
        orders: impl Iterator<Item = OrderKey>,
    ) {
        let odds = self.parts(odds);
        let Self { open, ended, new, on_way, .. } = self;
        on_way.clear();
        on_way.extend(
            orders.map(|order| {
                names.known(&order).unwrap_or_else(|| names.len() + new.number(&order))
            }),
        );
        let share = match next {
            Next::Open(place) => open.entry(place).or_default(),
            Next::Ended(key) => ended.entry(key).or_default(),
        };
        share.add_way(&odds, on_way);
    }

    /// What was added, which is forgotten here.
    fn take(&mut self, (ways, is_last): (u64, bool)) -> Led<Place<P, M>, K> {
        self.last = (Whole::ONE, Whole::ONE);
        Led {
            denominator: mem::replace(&mut self.denominator, Denominator::one()).0,
            orders: mem::take(&mut self.new).into_orders(),
            open: self.open.drain(..).collect(),
            ended: mem::take(&mut self.ended),
            ways,
            is_last,
        }
    }
}

/// What a thread walks with.
pub(super) struct Scratch<G: Game, L: Look<G>> {
    of_look: L::Scratch,
    /// The state that ways lead on from, and its copy that is played.
    states: Option<[G::State; 2]>,
    sums: Sums<G::Packed, L::Memory, L::Key>,
}

impl<G: Game, L: Look<G>> Scratch<G, L> {
    pub(super) fn new(of_look: L::Scratch) -> Self {
        Self { of_look, states: None, sums: Sums::new() }
    }

    /// The scratch space of the look.
    pub(super) fn into_look(self) -> L::Scratch {
        self.of_look
    }
}

impl<P, K> Led<P, K> {
    /// Renumbers its orders as in `names`, to which the new ones are added: those numbered from `next` on.
    pub(super) fn renumber(&mut self, names: &mut Names, next: u32) {
        if self.orders.is_empty() {
            return;
        }
        let numbers: Vec<u32> = self.orders.iter().map(|order| names.number(order)).collect();
        let number = |of: u32| of.checked_sub(next).map_or(of, |new| numbers[new as usize]);
        let open = self.open.iter_mut().map(|(_, share)| share);
        open.chain(self.ended.values_mut()).for_each(|share| share.renumber(number));
    }
}

/// Walks some more ways in which battles can begin, at most `most`.
pub(super) fn begin<G: Game, L: Look<G>>(
    setup: &G::Setup,
    stratum: Stratum,
    (look, names): (&L, &Names),
    dice: &mut Every,
    most: u64,
    scratch: &mut Scratch<G, L>,
) -> Led<PlaceOf<G, L>, L::Key> {
    let Scratch { of_look, sums, .. } = scratch;
    let walked = stretch(dice, most, |dice| {
        let next = look.start(setup, stratum, dice, of_look);
        sums.add(next, dice.odds(), names, L::orders(of_look));
    });
    sums.take(walked)
}

/// Walks some more ways of a round from one place, at most `most`.
pub(super) fn go_on<G: Game, L: Look<G>>(
    (setup, stratum, number): (&G::Setup, Stratum, u32),
    (look, names): (&L, &Names),
    start: &mut Start<PlaceOf<G, L>>,
    most: u64,
    scratch: &mut Scratch<G, L>,
) -> Led<PlaceOf<G, L>, L::Key> {
    let Start { place, dice, .. } = start;
    let Scratch { of_look, states, sums } = scratch;
    let [from, state] = match states {
        Some(states) => {
            place.unpack_into::<G>(stratum, &mut states[0]);
            states
        }
        None => states.insert([place.unpack::<G>(stratum), place.unpack::<G>(stratum)]),
    };
    let walked = stretch(dice, most, |dice| {
        state.clone_from(from);
        let next = look.round(setup, state, (from, place), number, dice, of_look);
        sums.add(next, dice.odds(), names, L::orders(of_look));
    });
    sums.take(walked)
}

/// Walks some ways, at most `most`. Returns how many, and whether they were the last.
fn stretch(dice: &mut Every, most: u64, mut take: impl FnMut(&mut Every)) -> (u64, bool) {
    for taken in 1..=most {
        take(dice);
        if !dice.advance() {
            return (taken, true);
        }
    }
    (most, false)
}
