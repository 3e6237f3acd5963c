//! Every way (path of dice) that one round can go from one place.

use std::collections::BTreeMap;
use std::hash::Hash;

use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::look::{Look, Next, Place};
use super::share::{Denominator, Share};
use crate::chance::Every;
use crate::game::{Game, Stratum};

/// The most ways that are walked at a stretch.
pub(super) const STRETCH: u64 = 256;
/// Into how many parts places are divided, by their hash, so that each can be merged by itself.
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

/// Where some ways from one place lead, and with what probability.
pub(super) struct Led<P, K> {
    /// What the shares are parts of.
    pub(super) denominator: UBig,
    /// By part.
    pub(super) open: [Vec<(P, Share)>; PARTS],
    pub(super) ended: BTreeMap<K, Share>,
    pub(super) ways: u64,
    /// Whether these were the last ways from there.
    pub(super) is_last: bool,
}

/// Adds up ways by where they lead.
struct Sums<S, M, K> {
    denominator: Denominator,
    /// The denominator of the last way, and how many times as large the common one is.
    last: (UBig, UBig),
    open: FxHashMap<Place<S, M>, Share>,
    ended: BTreeMap<K, Share>,
}

impl<S: Eq + Hash, M: Eq + Hash, K: Ord> Sums<S, M, K> {
    fn new() -> Self {
        let one = Denominator::one();
        let last = (one.0.clone(), one.0.clone());
        Self { denominator: one, last, open: FxHashMap::default(), ended: BTreeMap::new() }
    }

    /// The odds of a way in parts of the common denominator.
    fn parts(&mut self, (numerator, denominator): (UBig, UBig)) -> UBig {
        if self.last.0 != denominator {
            if let Some(factor) = self.denominator.make_room(&denominator) {
                let shares = self.open.values_mut().chain(self.ended.values_mut());
                shares.for_each(|share| share.scale(&factor));
            }
            let times = &self.denominator.0 / &denominator;
            self.last = (denominator, times);
        }
        numerator * &self.last.1
    }

    /// The share of where a way leads.
    fn share_of(&mut self, next: Next<S, M, K>) -> &mut Share {
        match next {
            Next::Open(place) => self.open.entry(place).or_default(),
            Next::Ended(key) => self.ended.entry(key).or_default(),
        }
    }

    fn into_led(self, ways: u64, is_last: bool) -> Led<Place<S, M>, K> {
        let mut open: [Vec<(Place<S, M>, Share)>; PARTS] = Default::default();
        for (place, share) in self.open {
            open[place.part(PARTS)].push((place, share));
        }
        Led { denominator: self.denominator.0, open, ended: self.ended, ways, is_last }
    }
}

type PlaceOf<G, L> = Place<<G as Game>::State, <L as Look<G>>::Memory>;

/// Some more places in which battles can begin, by not more than `most` ways.
pub(super) fn begin<G: Game, L: Look<G>>(
    setup: &G::Setup,
    stratum: Stratum,
    look: &L,
    dice: &mut Every,
    most: u64,
    scratch: &mut L::Scratch,
) -> Led<PlaceOf<G, L>, L::Key> {
    let mut sums = Sums::new();
    let (ways, is_last) = stretch(dice, most, |dice| {
        let next = look.start(setup, stratum, dice, scratch);
        let odds = sums.parts(dice.odds());
        sums.share_of(next).add_way(&odds, L::orders(scratch));
    });
    sums.into_led(ways, is_last)
}

/// Some more ways of round `number` from one place, not more than `most`.
pub(super) fn go_on<G: Game, L: Look<G>>(
    setup: &G::Setup,
    look: &L,
    start: &mut Start<PlaceOf<G, L>>,
    number: u32,
    most: u64,
    scratch: &mut L::Scratch,
) -> Led<PlaceOf<G, L>, L::Key> {
    let mut sums = Sums::new();
    let Start { place, dice, .. } = start;
    let (ways, is_last) = stretch(dice, most, |dice| {
        let next = look.round(setup, place, number, dice, scratch);
        let odds = sums.parts(dice.odds());
        sums.share_of(next).add_way(&odds, L::orders(scratch));
    });
    sums.into_led(ways, is_last)
}

/// Follows some ways, one after the other. How many, and whether they were the last.
fn stretch(dice: &mut Every, most: u64, mut take: impl FnMut(&mut Every)) -> (u64, bool) {
    for taken in 1..=most {
        take(dice);
        if !dice.advance() {
            return (taken, true);
        }
    }
    (most, false)
}
