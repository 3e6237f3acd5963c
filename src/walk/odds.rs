//! The exact odds of a match-up, over everything that is drawn before its battles.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::look::{End, Records};
use super::rounds::{Budget, Stop, Walked, walk};
use super::share::Order;
use crate::game::{Outcome, Stratum};
use crate::tally::{Layout, Measure};

/// The odds of an order in a battle that is fought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOdds {
    /// How often it comes up in such a battle, on average.
    pub times: BigRational,
    /// The probability that it comes up at least once.
    pub once: BigRational,
    /// By side: the probability that it comes up and that side wins.
    pub wins: Vec<BigRational>,
    /// By metric that is observed: its mean, counting 0 where the order does not come up.
    pub metrics: Vec<BigRational>,
}

/// How battles end under one of the layout's conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionOdds {
    /// Index into the layout's conditions.
    pub condition: usize,
    /// The probability that it is drawn.
    pub drawn: BigRational,
    /// The probability of each outcome of a battle under it.
    pub outcomes: BTreeMap<Outcome, BigRational>,
}

impl ConditionOdds {
    /// The probability of an outcome under it: a lower bound.
    #[must_use]
    pub fn of(&self, outcome: Outcome) -> BigRational {
        known(&self.outcomes, outcome)
    }

    /// The probability of the battles under it that were not decided.
    #[must_use]
    pub fn open(&self) -> BigRational {
        rest(&self.outcomes)
    }
}

fn known(outcomes: &BTreeMap<Outcome, BigRational>, outcome: Outcome) -> BigRational {
    outcomes.get(&outcome).cloned().unwrap_or_else(BigRational::zero)
}

fn rest(outcomes: &BTreeMap<Outcome, BigRational>) -> BigRational {
    BigRational::one() - outcomes.values().sum::<BigRational>()
}

/// The exact odds of a match-up, as far as they are decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// The probability of each outcome.
    pub outcomes: BTreeMap<Outcome, BigRational>,
    /// The probability of each outcome by condition, where several can be drawn.
    pub conditions: Vec<ConditionOdds>,
    /// The probability that any side forfeits the battle before it begins. The fields from `lengths` to `orders` are
    /// about the other battles, which are fought; they are empty if there are none.
    pub forfeited: BigRational,
    /// The probability of each length in rounds of a battle that is fought.
    pub lengths: BTreeMap<u32, BigRational>,
    /// By metric that is observed: the distribution of its final value in a battle that is fought.
    pub metrics: Vec<BTreeMap<i64, BigRational>>,
    /// Orders by moment and items.
    pub orders: BTreeMap<(u16, Vec<u16>), OrderOdds>,
    /// How many ways were walked.
    pub ways: u64,
    /// The most different states at once.
    pub states: usize,
    /// If anything is left open: the first round that was not walked to its end, and why.
    pub stop: Option<(u32, Stop)>,
}

impl Odds {
    fn new(metrics: usize) -> Self {
        Self {
            outcomes: BTreeMap::new(),
            conditions: Vec::new(),
            forfeited: BigRational::zero(),
            lengths: BTreeMap::new(),
            metrics: vec![BTreeMap::new(); metrics],
            orders: BTreeMap::new(),
            ways: 0,
            states: 0,
            stop: None,
        }
    }

    /// The probability of an outcome: a lower bound.
    #[must_use]
    pub fn of(&self, outcome: Outcome) -> BigRational {
        known(&self.outcomes, outcome)
    }

    /// The probability of the battles that were not decided: what may be added to the odds of any outcome.
    #[must_use]
    pub fn open(&self) -> BigRational {
        rest(&self.outcomes)
    }

    /// The probability that a battle is fought, that is, forfeited by no side: an upper bound.
    #[must_use]
    pub fn fought(&self) -> BigRational {
        BigRational::one() - &self.forfeited
    }

    /// By how much the probability that a battle is fought may still be lower.
    #[must_use]
    pub fn open_fought(&self) -> BigRational {
        match self.stop {
            // A walk that was stopped in round 1 may have been stopped before every way to begin was seen.
            Some((1, _)) => self.open(),
            _ => BigRational::zero(),
        }
    }

    /// What may be added to the odds of any result of a battle that is fought.
    ///
    /// Open battles may turn out fought or forfeited. The odds are largest, or smallest, if all are fought, since
    /// forfeits make them larger by less than battles that end so.
    #[must_use]
    pub fn open_result(&self) -> BigRational {
        let open = self.open();
        if open.is_zero() { open } else { open / self.fought() }
    }

    /// What may be added to the odds that a battle that is fought lasts so many rounds.
    #[must_use]
    pub fn open_length(&self, rounds: u32) -> BigRational {
        match self.stop {
            Some((1, _)) => self.open_result(),
            Some((round, _)) if rounds >= round => self.open_result(),
            _ => BigRational::zero(),
        }
    }

    /// The mean length of a battle that is fought, if all is decided.
    #[must_use]
    pub fn mean_length(&self) -> BigRational {
        self.lengths
            .iter()
            .map(|(&rounds, odds)| odds * BigRational::from_integer(rounds.into()))
            .sum()
    }

    /// Adds the walk of a condition that is drawn with these odds.
    fn add(&mut self, walked: Walked<End>, drawn: &BigRational, sides: usize) {
        for ending in walked.endings {
            let End { outcome, metrics } = ending.key;
            let probability = ending.probability * drawn;
            add(&mut self.outcomes, outcome, &probability);
            let Some(metrics) = metrics else {
                self.forfeited += probability;
                continue;
            };
            for (order, times, once) in ending.orders {
                self.add_order(&order, times * drawn, once * drawn, outcome, &metrics, sides);
            }
            for (odds, &value) in self.metrics.iter_mut().zip(&metrics) {
                add(odds, value, &probability);
            }
            add(&mut self.lengths, ending.rounds, &probability);
        }
        self.ways += walked.ways;
        self.states = self.states.max(walked.states);
        let stop = walked.stop.map(|stop| (walked.rounds + 1, stop));
        self.stop = match (self.stop, stop) {
            (Some((first, why)), Some((other, also))) => {
                let (round, reason) = (first, why).min((other, also));
                // A budget is no reason for what an interruption left open.
                let is_interrupted = [why, also].contains(&Stop::Interrupted);
                Some((round, if is_interrupted { Stop::Interrupted } else { reason }))
            }
            (stop, None) | (None, stop) => stop,
        };
    }

    /// Turns what was summed over all battles into odds of a battle that is fought.
    fn given_fought(&mut self) {
        let fought = self.fought();
        if fought.is_one() || fought.is_zero() {
            return;
        }
        let metrics = self.metrics.iter_mut().flat_map(BTreeMap::values_mut);
        let orders = self.orders.values_mut().flat_map(|order| {
            let OrderOdds { times, once, wins, metrics } = order;
            [times, once].into_iter().chain(wins).chain(metrics)
        });
        for odds in self.lengths.values_mut().chain(metrics).chain(orders) {
            *odds /= &fought;
        }
    }

    fn add_order(
        &mut self,
        order: &Order,
        times: BigRational,
        once: BigRational,
        outcome: Outcome,
        metrics: &[i64],
        sides: usize,
    ) {
        let zeros = |count| vec![BigRational::zero(); count];
        let odds =
            self.orders.entry((order[0], order[1..].to_vec())).or_insert_with(|| OrderOdds {
                times: BigRational::zero(),
                once: BigRational::zero(),
                wins: zeros(sides),
                metrics: zeros(metrics.len()),
            });
        odds.times += times;
        if let Outcome::Win(side) = outcome {
            odds.wins[side.index()] += &once;
        }
        for (sum, &value) in odds.metrics.iter_mut().zip(metrics) {
            *sum += &once * BigRational::from_integer(value.into());
        }
        odds.once += once;
    }
}

fn add<K: Ord>(odds: &mut BTreeMap<K, BigRational>, of: K, probability: &BigRational) {
    *odds.entry(of).or_insert_with(BigRational::zero) += probability;
}

/// Enumerates all battles of a match-up. `drawn` has the odds of each of the layout's conditions; the ways of the
/// budget are shared by all of them. `go_on` is told now and then how many ways were walked, and ends the walk by
/// returning false.
#[must_use]
pub fn matchup<G: Measure>(
    setup: &G::Setup,
    layout: &Layout,
    matchup: usize,
    drawn: &[BigRational],
    budget: Budget,
    mut go_on: impl FnMut(u64) -> bool,
) -> Odds {
    let metrics = G::lasting(setup);
    let look = Records { layout, metrics };
    let mut odds = Odds::new(metrics);
    let possible: Vec<usize> = (0..drawn.len()).filter(|&at| !drawn[at].is_zero()).collect();
    for (done, &condition) in possible.iter().enumerate() {
        let left = budget.ways.saturating_sub(odds.ways) / (possible.len() - done) as u64;
        let budget = Budget { ways: left, ..budget };
        let stratum = Stratum { matchup: matchup as u32, condition: condition as u32 };
        let before = odds.ways;
        let go_on = |ways| go_on(before + ways);
        let walked = walk::<G, _>(setup, stratum, budget, &look, go_on);
        if possible.len() > 1 {
            let mut outcomes = BTreeMap::new();
            for ending in &walked.endings {
                add(&mut outcomes, ending.key.outcome, &ending.probability);
            }
            let drawn = drawn[condition].clone();
            odds.conditions.push(ConditionOdds { condition, drawn, outcomes });
        }
        odds.add(walked, &drawn[condition], layout.sides);
    }
    odds.given_fought();
    odds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a budget ended the walk of one condition, and an interruption that of another one later on, everything from the
    /// earlier round on is open, and the interruption is the reason.
    #[test]
    fn an_interruption_leaves_open_what_a_budget_left_open() {
        let half = BigRational::new(1.into(), 2.into());
        let walked = |rounds: u32, stop: Option<Stop>| {
            let (endings, ways, states) = (Vec::new(), 1, 1);
            Walked { endings, rounds, ways, states, stop }
        };
        let of = |walks: [(u32, Option<Stop>); 3]| {
            let mut odds = Odds::new(0);
            for (rounds, stop) in walks {
                odds.add(walked(rounds, stop), &half, 2);
            }
            odds
        };
        let odds = of([(0, Some(Stop::Ways)), (9, None), (4, Some(Stop::Interrupted))]);
        assert_eq!(odds.stop, Some((1, Stop::Interrupted)));
        assert!(odds.open_length(1).is_one() && odds.open_fought().is_one());
        let odds = of([(7, Some(Stop::Rounds)), (4, Some(Stop::States)), (9, None)]);
        assert_eq!(odds.stop, Some((5, Stop::States)));
        assert!(odds.open_length(4).is_zero() && odds.open_length(5).is_one());
    }
}
