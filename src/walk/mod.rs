//! Exact odds: enumerates every outcome of every die and merges equal states after each round (dynamic programming over
//! states).
//!
//! | file | what it does |
//! |---|---|
//! | `outlook` | how many ways there are, estimated before any is walked |
//! | `look` | what a walk distinguishes: states, what is remembered of the way to them, how battles end |
//! | `ways` | every way one round can go from one place |
//! | `share` | the probability of a place, and of the orders on the way to it, in whole numbers |
//! | `parts` | how such numbers add up, in single words or in more |
//! | `rounds` | round after round, until all is decided or a budget is passed |
//! | `odds` | what a match-up comes to, over everything that is drawn before its battles |
//!
//! The number of states is what a walk costs, so states that differ only in past orders are merged: each place carries
//! the probability of every order on the way to it. That suffices, because the future depends on the state alone (the
//! Markov property). Probabilities are whole numbers over one denominator for the whole round; only results become
//! fractions.

mod look;
mod odds;
mod outlook;
mod parts;
mod rounds;
mod share;
mod ways;

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use thiserror::Error;

use crate::game::{Ended, Game, Outcome, Stratum};

pub use odds::{ConditionOdds, Odds, OrderOdds, matchup};
pub use outlook::{Horizon, Outlook, Prospect, outlook};
pub use rounds::{Budget, Stop};

/// The walk grew past its budget.
#[derive(Debug, Error)]
#[error(
    "more than {budget} different states in round {round}; {:.4} of the probability was decided by then",
    .decided.to_f64().unwrap_or(f64::NAN)
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
/// `budget` bounds the number of different states alive at once. Between rounds states are
/// [settled](Game::settle), and nothing else of them is forgotten.
///
/// # Errors
/// [`BudgetExceeded`] when there are more states than that.
pub fn distribution<G: Game, K: Ord + Send + Sync>(
    setup: &G::Setup,
    stratum: Stratum,
    budget: usize,
    key: impl Fn(&Ended<G::State>) -> K + Sync,
) -> Result<BTreeMap<K, BigRational>, BudgetExceeded> {
    let look = look::Ends(key);
    let most = Budget { states: budget, ..Budget::UNLIMITED };
    let walked = rounds::walk::<G, _>(setup, stratum, most, &look, |_| true);
    let mut ended: BTreeMap<K, BigRational> = BTreeMap::new();
    for ending in walked.endings {
        *ended.entry(ending.key).or_insert_with(BigRational::zero) += ending.probability;
    }
    let decided: BigRational = ended.values().sum();
    if walked.stop.is_some() {
        return Err(BudgetExceeded { budget, round: walked.rounds + 1, decided });
    }
    debug_assert!(decided.is_one());
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
