//! Estimates what a walk would take, before anything is walked.

use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;

use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::chance::{Descent, Seeded};
use crate::game::{Game, Stratum, Unwatched, round_dyn, start_dyn};

/// The least number of battles to sample in a stratum, whatever is allowed in all.
const BATTLES_OF_EACH: usize = 3;

/// Fewer battles that begin in different states say nothing about how many states there are.
const ENOUGH_APART: usize = 10;

/// How far an outlook looks ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// It ends with the round by whose end a stratum has so many ways.
    pub ways: f64,
    /// The last round to look at.
    pub rounds: u32,
    /// Battles to sample in each match-up. Each of its strata gets three at least.
    pub battles: usize,
    /// Rounds to sample in each match-up, over all battles: what a look costs in time.
    pub played: usize,
}

/// What a walk through one stratum can be expected to take.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// The probability of the stratum within its match-up.
    pub drawn: f64,
    /// By round, as far as was looked: the first entry is the start of battles, before round 1.
    pub rounds: Vec<Prospect>,
    /// Whether sampling ended early, because of the limit on rounds played.
    pub is_cut: bool,
    /// The share of the sampled battles that are open when they begin, if enough are and all of them in different states, so
    /// that about as many states are to be expected as there are ways to such a beginning; 0 otherwise.
    pub begin_apart: f64,
}

/// What can be expected of a walk up to the end of one round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// About how many ways a walk has gone by the end of this round.
    pub ways: f64,
    /// The share of battles that are decided before this round.
    pub decided: f64,
}

impl Outlook {
    /// About how many ways there are for battles to begin.
    #[must_use]
    pub fn at_start(&self) -> f64 {
        self.rounds.first().map_or(0.0, |start| start.ways)
    }

    /// About how many different states battles begin in, as far as that is known.
    #[must_use]
    pub fn states_at_start(&self) -> f64 {
        self.begin_apart * self.at_start()
    }

    /// About how many ways were seen in all.
    #[must_use]
    pub fn ways(&self) -> f64 {
        self.rounds.last().map_or(0.0, |last| last.ways)
    }

    /// The share of battles that a walk of so many ways decides; 1 where that is more ways than were seen.
    #[must_use]
    pub fn decided_by(&self, ways: f64) -> f64 {
        self.rounds.iter().find(|round| round.ways >= ways).map_or(1.0, |round| round.decided)
    }
}

/// Estimates a walk through each stratum of a match-up that can be drawn, by sampling battles.
///
/// From each state that a sampled battle passes, one descent tells how many ways there are through the next round
/// (Knuth 1975). How many different states there are is estimated from how many were met once and how many twice (A.
/// Chao: "Nonparametric estimation of the number of classes in a population", Scandinavian Journal of Statistics 11,
/// 1984). Both tend to be too low: descents are averaged by their geometric mean, which is less than their mean, and
/// states that are hardly ever reached are not seen.
#[must_use]
pub fn outlook<G: Game>(
    setup: &G::Setup,
    matchup: usize,
    drawn: &[BigRational],
    horizon: Horizon,
) -> Vec<Outlook> {
    let possible: Vec<usize> = (0..drawn.len()).filter(|&at| !drawn[at].is_zero()).collect();
    let count = possible.len().max(1);
    let each = Horizon {
        battles: (horizon.battles / count).max(BATTLES_OF_EACH),
        played: horizon.played / count,
        ..horizon
    };
    let of = |&condition: &usize| {
        let stratum = Stratum { matchup: matchup as u32, condition: condition as u32 };
        let drawn = drawn[condition].to_f64().unwrap_or(0.0);
        Outlook { drawn, ..of_stratum::<G>(setup, stratum, each) }
    };
    possible.iter().map(of).collect()
}

/// The outlook of a stratum as if it were always drawn.
fn of_stratum<G: Game>(setup: &G::Setup, stratum: Stratum, horizon: Horizon) -> Outlook {
    let battles = horizon.battles;
    let seeds = 0..battles as u64;
    let mut descents: Vec<Descent> = seeds.clone().map(Descent::new).collect();
    for descent in &mut descents {
        start_dyn::<G>(setup, stratum, descent, &mut Unwatched);
    }
    let logarithms: f64 = descents.iter().map(Descent::log_ways).sum();
    let mut last = Prospect { ways: libm::exp(logarithms / battles as f64), decided: 0.0 };
    let mut found = Outlook { drawn: 1.0, rounds: vec![last], is_cut: false, begin_apart: 0.0 };
    if last.ways >= horizon.ways {
        return found;
    }
    let mut dice: Vec<Seeded> = seeds.map(Seeded::from_seed).collect();
    let mut open: Vec<(G::State, usize)> = Vec::new();
    for (battle, dice) in dice.iter_mut().enumerate() {
        let mut state = start_dyn::<G>(setup, stratum, dice, &mut Unwatched);
        if G::over_at_start(setup, &state).is_none() {
            G::settle(setup, &mut state);
            open.push((state, battle));
        }
    }
    let begun: FxHashSet<u64> =
        open.iter().map(|(state, _)| FxBuildHasher.hash_one(state)).collect();
    if begun.len() == open.len() && open.len() >= ENOUGH_APART {
        found.begin_apart = open.len() as f64 / battles as f64;
    }
    let mut played = 0;
    for _ in 0..horizon.rounds {
        if open.is_empty() || last.ways >= horizon.ways {
            break;
        }
        played += open.len();
        if played > horizon.played {
            return Outlook { is_cut: true, ..found };
        }
        let decided = 1.0 - open.len() as f64 / battles as f64;
        let count = open.len() as f64;
        let states = different(open.iter().map(|(state, _)| state));
        let mut logarithms = 0.0;
        open.retain_mut(|(state, battle)| {
            let descent = &mut descents[*battle];
            let before = descent.log_ways();
            let _ = round_dyn::<G>(setup, &mut state.clone(), descent, &mut Unwatched);
            logarithms += descent.log_ways() - before;
            match round_dyn::<G>(setup, state, &mut dice[*battle], &mut Unwatched) {
                ControlFlow::Break(_) => false,
                ControlFlow::Continue(()) => {
                    G::settle(setup, state);
                    true
                }
            }
        });
        let ways = last.ways + states * libm::exp(logarithms / count);
        last = Prospect { ways, decided };
        found.rounds.push(last);
    }
    found
}

/// About how many different states there are, estimated from those that were met (Chao's estimate, corrected for small
/// samples).
fn different<'s, S: Hash + 's>(met: impl Iterator<Item = &'s S>) -> f64 {
    let mut times: FxHashMap<u64, u32> = FxHashMap::default();
    met.for_each(|state| *times.entry(FxBuildHasher.hash_one(state)).or_default() += 1);
    let met_so_often = |often: u32| times.values().filter(|&&of| of == often).count() as f64;
    let (once, twice) = (met_so_often(1), met_so_often(2));
    times.len() as f64 + once * (once - 1.0) / (2.0 * (twice + 1.0))
}

#[cfg(test)]
mod tests {
    use super::different;

    #[test]
    fn states_that_were_not_met_are_estimated_from_those_that_were_met_once_and_twice() {
        // Five kinds, one of them met twice and three once: 5 + 3 × 2 / (2 × 2).
        assert_eq!(different([1, 1, 2, 3, 4, 5, 5, 5].iter()), 5.0 + 1.5);
        assert_eq!(different([7_u8; 40].iter()), 1.0);
        assert_eq!(different(<[u8; 0]>::default().iter()), 0.0);
    }
}
