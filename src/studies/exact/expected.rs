use crate::engine::Engine;
use crate::walk::{Budget, Horizon, Outlook};

/// The usual numbers of battles and of rounds that are sampled, over all match-ups.
const BATTLES: usize = 1_000;
const ROUNDS: usize = 50_000;
/// The first look takes this part of the samples, and the last look this many times as many.
const AT_FIRST: f64 = 0.1;
const AT_LAST: f64 = 10.0;
/// If a first look that was not cut off finds this many times fewer ways than are allowed, a second look would not find
/// too many.
const FAR_WITHIN: f64 = 10.0;
/// A stratum that is estimated to need this many times its share of the ways exceeds it for sure: estimates were 0.06
/// to 2.3 of what complete walks of all bundled scenarios took, by match-up.
const BEYOND: f64 = 10.0;
/// A stratum whose ways for battles to begin are this many times its share exceeds it for sure, and so does one whose ways
/// lead to as many states, of which there may be only so many at once: no number of states has to be estimated for it,
/// and what is estimated is rather too few.
const BEYOND_AT_START: f64 = 1.0;

/// An estimate of how far a walk of all match-ups will come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The estimated number of ways, as far as the samples looked.
    pub ways: f64,
    /// Whether `ways` counts only the ways for battles to begin, which are already too many.
    pub at_start: bool,
    /// The estimated share of battles that would be decided, 0 to 1, averaged over match-ups with equal weight. Rather
    /// too high than too low.
    pub decided: f64,
}

/// Estimates how far a walk of all match-ups will come within its budget, in a small part of the time that the walk
/// takes.
#[must_use]
pub fn expected(engine: &dyn Engine, budget: Budget) -> Expected {
    let ways = budget.ways as f64;
    let (first, is_cut) = look(engine, budget, AT_FIRST);
    if !is_cut && first.ways * FAR_WITHIN <= ways {
        return first;
    }
    let (second, _) = look(engine, budget, 1.0);
    // A walk that is to use up all its ways takes minutes, and few samples hide how many states there are.
    if second.ways <= ways { second } else { look(engine, budget, AT_LAST).0 }
}

/// Estimates how far a walk will come from this part of the usual number of samples, and returns whether sampling was cut
/// off.
fn look(engine: &dyn Engine, budget: Budget, part: f64) -> (Expected, bool) {
    let matchups = engine.layout().matchups.len();
    let of_each = |samples: usize| (samples as f64 * part) as usize / matchups;
    let horizon = Horizon {
        ways: BEYOND * budget.ways as f64,
        rounds: budget.rounds,
        battles: of_each(BATTLES),
        played: of_each(ROUNDS),
    };
    let outlooks: Vec<Outlook> = (0..matchups).flat_map(|at| engine.outlook(at, horizon)).collect();
    let share = share_of_the_large(&outlooks, budget.ways as f64);
    let states = budget.states as f64;
    let has_too_many_ways = |outlook: &Outlook| outlook.at_start() >= BEYOND_AT_START * share;
    let has_too_many_states =
        |outlook: &Outlook| outlook.states_at_start() >= BEYOND_AT_START * states;
    let decided = outlooks.iter().map(|outlook| match outlook {
        of if has_too_many_ways(of) => 0.0,
        // Only what ends at once is decided.
        of if has_too_many_states(of) => of.drawn * (1.0 - of.begin_apart),
        of => of.drawn * of.decided_by(BEYOND * share),
    });
    let at_start = outlooks.iter().all(|of| has_too_many_ways(of) || has_too_many_states(of));
    let ways = if at_start { Outlook::at_start } else { Outlook::ways };
    let expected = Expected {
        ways: outlooks.iter().map(ways).sum(),
        at_start,
        decided: decided.sum::<f64>() / matchups as f64,
    };
    (expected, outlooks.iter().any(|outlook| outlook.is_cut))
}

/// The share of the ways that each large stratum can have, if strata that need less than an equal share leave the rest
/// to the others.
fn share_of_the_large(outlooks: &[Outlook], ways: f64) -> f64 {
    let mut needed: Vec<f64> = outlooks.iter().map(Outlook::ways).collect();
    needed.sort_by(f64::total_cmp);
    let mut left = ways;
    for (small, &ways) in needed.iter().enumerate() {
        let share = left / (needed.len() - small) as f64;
        if ways > share {
            return share;
        }
        left -= ways;
    }
    left.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Scenario;
    use crate::walk::Prospect;

    fn outlooks(ways: &[f64]) -> Vec<Outlook> {
        let of = |&ways: &f64| {
            let rounds = vec![Prospect { ways, decided: 0.0 }];
            Outlook { drawn: 1.0, rounds, is_cut: false, begin_apart: 0.0 }
        };
        ways.iter().map(of).collect()
    }

    #[test]
    fn a_look_says_whether_it_came_to_the_end() {
        let scenario = Scenario::read("sanctum/level-gaps").expect("it is bundled");
        let is_cut = |played: usize| {
            let horizon = Horizon { ways: f64::INFINITY, rounds: u32::MAX, battles: 3, played };
            let outlooks = scenario.engine().outlook(0, horizon);
            assert!(!outlooks.is_empty());
            outlooks.iter().map(|outlook| outlook.is_cut).collect::<Vec<_>>()
        };
        assert!(is_cut(12).iter().all(|&is_cut| is_cut), "four rounds of three battles");
        assert!(!is_cut(10_000).contains(&true));
    }

    #[test]
    fn what_the_small_leave_is_shared_by_the_large() {
        assert_eq!(share_of_the_large(&outlooks(&[1e9, 10.0, 1e12, 10.0]), 120.0), 50.0);
        assert_eq!(share_of_the_large(&outlooks(&[1e9, 40.0, 1e12]), 90.0), 30.0);
        assert_eq!(share_of_the_large(&outlooks(&[5.0, 5.0]), 100.0), 90.0);
        assert_eq!(share_of_the_large(&[], 100.0), 100.0);
    }
}
