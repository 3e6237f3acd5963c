//! The inverse question: which weights make everybody even?
//!
//! Every condition is a stratum that is played once ([`Standings`]). A contender's lead under any weights is then a
//! stratified estimate, a sum over conditions of odds times lead, whose gradient is known exactly
//! ([`DrawModel::gradient`]). So the best weights are found without playing another battle, and confirmed on an
//! independent sample of fresh ones.

mod page;

pub use page::{Tuning, tuning as page};

mod solve;
mod standings;

pub use standings::{Contender, Standings, Who, contenders, units};

use crate::chance::{Seeded, Stream, stream_seed};
use crate::statistics::{DrawModel, redrawn};
use crate::tally::{Layout, Tally};
use standings::Terms;

/// The constraints on the weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The lowest weight.
    pub lowest: f64,
    /// The highest weight.
    pub highest: f64,
    /// No ruleset may be in a smaller share of battles than this, 0 to 1, if the other limits allow it.
    pub rarest: f64,
}

impl Limits {
    /// The share to aim at, so that neither rounding nor the last digits of the search break the limit.
    fn aim(self) -> f64 {
        if self.rarest > 0.0 { self.rarest * 1.002 + 2e-4 } else { 0.0 }
    }

    /// Whether a share is as small as it may be.
    #[must_use]
    pub fn is_at_rarest(self, share: f64) -> bool {
        share < self.rarest * 1.002 + 4e-4 && self.rarest > 0.0
    }
}

/// How many bootstrap replicates the intervals of the weights come from.
const REDRAWS: usize = 200;
/// The penalty on the distance of the weights from those of the scenario: enough to choose among weights that are
/// equally even, too little to be seen in a win rate.
const NEARNESS: f64 = 1e-7;

/// The weights that make everybody as even as the limits allow.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The weights, rounded to four digits, in the order of the model's names. A weight of 0 stays 0.
    pub weights: Vec<f64>,
    /// The 95% bootstrap interval of each weight.
    pub spread: Vec<(f64, f64)>,
    /// The probability of every condition under the weights.
    pub probabilities: Vec<f64>,
}

/// Finds the weights under which the sum of all squared leads is smallest; None when `go_on`, which is asked between the
/// bootstrap replicates, has said no.
#[must_use]
pub fn tune(
    model: &dyn DrawModel,
    layout: &Layout,
    tally: &Tally,
    contenders: &[Contender],
    limits: Limits,
    seed: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Tuned> {
    let solve = |tally: &Tally| {
        Problem::new(model, &Standings::new(layout, tally, contenders), limits).solve()
    };
    let weights: Vec<f64> = solve(tally).into_iter().map(rounded).collect();
    let mut random = Seeded::from_seed(stream_seed(seed, Stream::Bootstrap));
    let again = |_| go_on().then(|| solve(&redrawn(tally, &mut random)));
    let others: Vec<Vec<f64>> = (0..REDRAWS).map(again).collect::<Option<_>>()?;
    let spread = (0..weights.len()).map(|at| {
        let mut of: Vec<f64> = others.iter().map(|weights| weights[at]).collect();
        of.sort_by(f64::total_cmp);
        (of[REDRAWS / 40], of[REDRAWS - 1 - REDRAWS / 40])
    });
    let spread = spread.collect();
    let mut probabilities = vec![0.0; model.conditions()];
    model.probabilities(&weights, &mut probabilities);
    Some(Tuned { weights, spread, probabilities })
}

/// Four significant digits: enough for a scenario.
fn rounded(weight: f64) -> f64 {
    if weight == 0.0 {
        return 0.0;
    }
    format!("{weight:.3e}").parse().expect("a number as it was just written")
}

/// The share of battles that each name is in.
#[must_use]
pub fn shares(model: &dyn DrawModel, probabilities: &[f64]) -> Vec<f64> {
    let mut shares = vec![0.0; model.names().len()];
    for (condition, probability) in probabilities.iter().enumerate() {
        for part in model.parts(condition) {
            shares[part] += probability;
        }
    }
    shares
}

struct Problem<'p> {
    model: &'p dyn DrawModel,
    limits: Limits,
    /// The names whose weight may change: those that have one.
    free: Vec<usize>,
    /// The parts of each condition.
    parts: Vec<Vec<usize>>,
    /// Each contender's lead as a function of the odds.
    leads: Vec<Terms>,
}

impl<'p> Problem<'p> {
    fn new(model: &'p dyn DrawModel, standings: &Standings, limits: Limits) -> Self {
        let weights = model.weights().iter().enumerate();
        Self {
            model,
            limits,
            free: weights.filter(|(_, weight)| **weight > 0.0).map(|(at, _)| at).collect(),
            parts: (0..model.conditions()).map(|condition| model.parts(condition)).collect(),
            leads: (0..standings.contenders()).map(|at| standings.terms(at)).collect(),
        }
    }

    /// The best weights. The search is over their logarithms, in which doubling and halving are equally far. The limit on
    /// shares is a penalty that grows from one search to the next.
    fn solve(&self) -> Vec<f64> {
        let start: Vec<f64> = self.free.iter().map(|&at| self.model.weights()[at].ln()).collect();
        let low = vec![self.limits.lowest.ln(); start.len()];
        let high = vec![self.limits.highest.ln(); start.len()];
        let mut x = start.clone();
        for patience in [1.0, 100.0, 10_000.0] {
            let penalised = Penalised { problem: self, start: &start, patience };
            solve::minimise(&penalised, &mut x, &low, &high);
            let mut probabilities = vec![0.0; self.parts.len()];
            self.model.probabilities(&self.weights(&x), &mut probabilities);
            let shares = shares(self.model, &probabilities);
            if self.free.iter().all(|&at| shares[at] >= self.limits.aim() - 1e-4) {
                break;
            }
        }
        self.weights(&x)
    }

    fn weights(&self, x: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.model.names().len()];
        for (&at, x) in self.free.iter().zip(x) {
            weights[at] = x.exp();
        }
        weights
    }
}

/// The objective: the sum of squared leads, with penalties for breaking the limit on shares and for the distance from
/// the scenario's weights.
struct Penalised<'p> {
    problem: &'p Problem<'p>,
    start: &'p [f64],
    patience: f64,
}

impl solve::Function for Penalised<'_> {
    fn value(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let problem = self.problem;
        let weights = problem.weights(x);
        let mut probabilities = vec![0.0; problem.parts.len()];
        problem.model.probabilities(&weights, &mut probabilities);
        let mut value = 0.0;
        let mut worth = vec![0.0; problem.parts.len()];
        for Terms { lead, presence } in &problem.leads {
            let total = |of: &[f64]| of.iter().zip(&probabilities).map(|(x, p)| x * p).sum::<f64>();
            let all = total(presence);
            if all <= 0.0 {
                continue;
            }
            let mean = total(lead) / all;
            value += mean * mean;
            for (at, worth) in worth.iter_mut().enumerate() {
                *worth += 2.0 * mean * (lead[at] - mean * presence[at]) / all;
            }
        }
        let shares = shares(problem.model, &probabilities);
        let missing = |at: usize| {
            let is_free = problem.free.binary_search(&at).is_ok();
            if is_free { (problem.limits.aim() - shares[at]).max(0.0) } else { 0.0 }
        };
        for at in 0..shares.len() {
            value += self.patience * missing(at) * missing(at);
        }
        for (worth, parts) in worth.iter_mut().zip(&problem.parts) {
            let missing: f64 = parts.iter().map(|&part| missing(part)).sum();
            *worth -= 2.0 * self.patience * missing;
        }
        let mut by_weight = vec![0.0; weights.len()];
        problem.model.gradient(&weights, &worth, &mut by_weight);
        for (place, &at) in problem.free.iter().enumerate() {
            let strayed = x[place] - self.start[place];
            value += NEARNESS * strayed * strayed;
            gradient[place] = by_weight[at] * weights[at] + 2.0 * NEARNESS * strayed;
        }
        value
    }
}

#[cfg(test)]
mod tests;
