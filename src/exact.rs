//! Exact odds: walks every outcome of every die and merges equal states after each round.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::ControlFlow;

use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::chance::Every;
use crate::game::{Ended, Game, Outcome, Stratum, Unwatched};

/// The walk grew past its budget.
#[derive(Debug, Error)]
#[error(
    "more than {budget} different states after round {round}; {decided} of the probability was decided by then"
)]
pub struct BudgetExceeded {
    /// How many states were allowed at once.
    pub budget: usize,
    /// The round that passed it.
    pub round: u32,
    /// The probability of all battles that had ended by then.
    pub decided: BigRational,
}

/// The exact distribution of what `key` reads off an ended battle.
///
/// `budget` bounds the number of different states alive at once.
///
/// # Errors
/// [`BudgetExceeded`] when there are more states than that.
pub fn distribution<G: Game, K: Ord>(
    setup: &G::Setup,
    stratum: Stratum,
    budget: usize,
    key: impl Fn(&Ended<G::State>) -> K,
) -> Result<BTreeMap<K, BigRational>, BudgetExceeded> {
    let mut ended: BTreeMap<K, BigRational> = BTreeMap::new();
    let mut open: FxHashMap<G::State, BigRational> = FxHashMap::default();
    let mut every = Every::new();
    loop {
        let state = G::start(setup, stratum, &mut every, &mut Unwatched);
        add(&mut open, state, every.probability());
        if !every.advance() {
            break;
        }
    }
    let mut rounds = 0;
    while !open.is_empty() {
        rounds += 1;
        let mut next: FxHashMap<G::State, BigRational> = FxHashMap::default();
        for (before, reached) in open {
            let mut every = Every::new();
            loop {
                let mut state = before.clone();
                let step = G::round(setup, &mut state, &mut every, &mut Unwatched);
                let probability = &reached * every.probability();
                match step {
                    ControlFlow::Continue(()) => add(&mut next, state, probability),
                    ControlFlow::Break(outcome) => {
                        let key = key(&Ended { state, outcome, rounds });
                        *ended.entry(key).or_insert_with(BigRational::zero) += probability;
                    }
                }
                if next.len() > budget {
                    let decided = ended.values().sum();
                    return Err(BudgetExceeded { budget, round: rounds, decided });
                }
                if !every.advance() {
                    break;
                }
            }
        }
        open = next;
    }
    debug_assert!(ended.values().sum::<BigRational>().is_one());
    Ok(ended)
}

/// The exact odds of each outcome.
///
/// # Errors
/// [`BudgetExceeded`] as in [`distribution`].
pub fn outcomes<G: Game>(
    setup: &G::Setup,
    stratum: Stratum,
    budget: usize,
) -> Result<BTreeMap<Outcome, BigRational>, BudgetExceeded> {
    distribution::<G, _>(setup, stratum, budget, |ended| ended.outcome)
}

fn add<S: Eq + Hash>(states: &mut FxHashMap<S, BigRational>, state: S, probability: BigRational) {
    *states.entry(state).or_insert_with(BigRational::zero) += probability;
}
