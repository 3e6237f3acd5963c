//! Every way (path of dice) that one round can go from one place.

use std::collections::BTreeMap;
use std::hash::Hash;

use rustc_hash::FxHashMap;

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
struct Sums<'n, P, M, K> {
    denominator: Denominator,
    /// The denominator of the last way, and by what the common one is a multiple of it.
    last: (Whole, Whole),
    open: FxHashMap<Place<P, M>, Share>,
    ended: BTreeMap<K, Share>,
    /// The orders that were met in earlier waves.
    names: &'n Names,
    /// The orders that are new here.
    new: Names,
    /// Scratch for the orders of the way that is being added.
    on_way: Vec<u32>,
}

impl<'n, P: Eq, M: Eq + Hash, K: Ord> Sums<'n, P, M, K> {
    fn new(names: &'n Names) -> Self {
        Self {
            denominator: Denominator::one(),
            last: (Whole::ONE, Whole::ONE),
            open: FxHashMap::default(),
            ended: BTreeMap::new(),
            names,
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

    /// Adds a way with its orders.
    fn add(
        &mut self,
        next: Next<P, M, K>,
        odds: (Whole, Whole),
        orders: impl Iterator<Item = OrderKey>,
    ) {
        let odds = self.parts(odds);
        let Self { open, ended, names, new, on_way, .. } = self;
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

    fn into_led(self, ways: u64, is_last: bool) -> Led<Place<P, M>, K> {
        Led {
            denominator: self.denominator.0,
            orders: self.new.into_orders(),
            open: self.open.into_iter().collect(),
            ended: self.ended,
            ways,
            is_last,
        }
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
    scratch: &mut L::Scratch,
) -> Led<PlaceOf<G, L>, L::Key> {
    let mut sums = Sums::new(names);
    let (ways, is_last) = stretch(dice, most, |dice| {
        let next = look.start(setup, stratum, dice, scratch);
        sums.add(next, dice.odds(), L::orders(scratch));
    });
    sums.into_led(ways, is_last)
}

/// Walks some more ways of a round from one place, at most `most`.
pub(super) fn go_on<G: Game, L: Look<G>>(
    (setup, stratum, number): (&G::Setup, Stratum, u32),
    (look, names): (&L, &Names),
    start: &mut Start<PlaceOf<G, L>>,
    most: u64,
    scratch: &mut L::Scratch,
) -> Led<PlaceOf<G, L>, L::Key> {
    let mut sums = Sums::new(names);
    let Start { place, dice, .. } = start;
    let from = place.state::<G>(stratum);
    let mut state = from.clone();
    let (ways, is_last) = stretch(dice, most, |dice| {
        state.clone_from(&from);
        let next = look.round(setup, &mut state, (&from, place), number, dice, scratch);
        sums.add(next, dice.odds(), L::orders(scratch));
    });
    sums.into_led(ways, is_last)
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
