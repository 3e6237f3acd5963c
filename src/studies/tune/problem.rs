//! What is minimised: leads as functions of the weights, with what it costs to move those.

use super::solve::{Function, Precision, minimise};
use super::standings::{Standings, Terms, total};
use super::{Aim, Limits, Objective, shares};
use crate::statistics::DrawModel;

/// The penalty on the distance of the weights from those of the scenario, for a weight that is e times what it was: enough
/// to choose among weights that are equally even, too little to be seen in a score.
const NEARNESS: f64 = 2.5e-8;
/// How sharp the maximum of the leads is, from one search to the next. Within the last one times the logarithm of twice
/// their number it is the largest: within 0.005 points of 30.
const SHARPNESS: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];
/// How much a share below the rarest costs, from one search to the next.
const PATIENCE: [f64; 3] = [1.0, 100.0, 10_000.0];

/// Leads as functions of the weights, and what these may be. The search is over the logarithms of the weights, in which
/// doubling and halving are equally far.
pub(super) struct Problem<'p> {
    model: &'p dyn DrawModel,
    aim: Aim,
    /// No ruleset may be in a smaller share of the battles.
    rarest: f64,
    /// The names whose weight may change.
    free: Vec<usize>,
    /// The logarithms of their weights, and those of the least and the most that they may be.
    start: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// The parts of each condition.
    parts: Vec<Vec<usize>>,
    /// Each contender's lead over even as a function of the odds, and what it should be.
    leads: Vec<(Terms, f64)>,
}

impl<'p> Problem<'p> {
    pub(super) fn new(
        model: &'p dyn DrawModel,
        standings: &Standings,
        limits: &Limits,
        aim: Aim,
    ) -> Self {
        let names = 0..model.names().len();
        let free: Vec<usize> = names.filter(|&at| limits.is_free(model, at)).collect();
        let log = |of: fn((f64, f64)) -> f64| {
            free.iter().map(|&at| libm::log(of(limits.range(model, at)))).collect()
        };
        Self {
            model,
            aim,
            rarest: limits.aim(),
            start: free.iter().map(|&at| libm::log(model.weights()[at])).collect(),
            low: log(|bounds| bounds.0),
            high: log(|bounds| bounds.1),
            parts: (0..model.conditions()).map(|condition| model.parts(condition)).collect(),
            leads: (0..standings.contenders())
                .map(|at| (standings.terms(at), standings.wanted(at)))
                .collect(),
            free,
        }
    }

    /// The best weights, searched for from those of the scenario.
    pub(super) fn solve(&self) -> Vec<f64> {
        let mut x = self.start.clone();
        self.search(&mut x, None, Precision::Full);
        if self.aim.objective == Objective::Largest {
            for sharpness in SHARPNESS {
                self.search(&mut x, Some(sharpness), Precision::Full);
            }
        }
        self.weights(&x)
    }

    /// The best weights, searched for from others that are nearly as good.
    pub(super) fn solve_near(&self, weights: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = self.free.iter().map(|&at| libm::log(weights[at])).collect();
        match self.aim.objective {
            Objective::Squares => self.search(&mut x, None, Precision::Rough),
            Objective::Largest => {
                for &sharpness in &SHARPNESS[1..] {
                    self.search(&mut x, Some(sharpness), Precision::Rough);
                }
            }
        }
        self.weights(&x)
    }

    /// The limit on shares is a penalty that grows until it is kept.
    fn search(&self, x: &mut [f64], sharpness: Option<f64>, precision: Precision) {
        for patience in PATIENCE {
            let penalised = Penalised { problem: self, sharpness, patience };
            minimise(&penalised, x, &self.low, &self.high, precision);
            if self.rarest == 0.0 {
                break;
            }
            let mut probabilities = vec![0.0; self.parts.len()];
            self.model.probabilities(&self.weights(x), &mut probabilities);
            let shares = shares(self.model, &probabilities);
            if self.free.iter().all(|&at| shares[at] >= self.rarest - 1e-4) {
                break;
            }
        }
    }

    fn weights(&self, x: &[f64]) -> Vec<f64> {
        let mut weights = self.model.weights().to_vec();
        for (&at, x) in self.free.iter().zip(x) {
            weights[at] = libm::exp(*x);
        }
        weights
    }
}

/// The objective, with penalties for breaking the limit on shares and for the distance from the scenario's weights.
pub(super) struct Penalised<'p> {
    pub problem: &'p Problem<'p>,
    /// None for the sum of squared leads; else how sharp a maximum of the leads is squared.
    pub sharpness: Option<f64>,
    pub patience: f64,
}

/// Where the weights lead to.
struct At {
    weights: Vec<f64>,
    probabilities: Vec<f64>,
    /// Each contender's lead over its target; 0 for whoever takes part in nothing.
    leads: Vec<f64>,
    /// How much of the rarest share each name lacks.
    missing: Vec<f64>,
}

/// A smooth maximum of the sizes of some numbers, with the share that each one's growing and falling has in it.
struct Maximum {
    value: f64,
    /// The share of the number less that of its negative.
    slopes: Vec<f64>,
    /// The share of both.
    shares: Vec<f64>,
}

impl Maximum {
    /// Not below the largest size and not above it by more than `sharpness` times the logarithm of twice their number.
    fn of(numbers: &[f64], sharpness: f64) -> Self {
        let largest = numbers.iter().map(|number| number.abs()).fold(0.0, f64::max);
        let share = |number: f64| libm::exp((number - largest) / sharpness);
        let both: Vec<(f64, f64)> =
            numbers.iter().map(|&number| (share(number), share(-number))).collect();
        let sum: f64 = both.iter().map(|(up, down)| up + down).sum();
        Self {
            value: largest + sharpness * libm::log(sum),
            slopes: both.iter().map(|(up, down)| (up - down) / sum).collect(),
            shares: both.iter().map(|(up, down)| (up + down) / sum).collect(),
        }
    }
}

impl Penalised<'_> {
    fn at(&self, x: &[f64]) -> At {
        let problem = self.problem;
        let weights = problem.weights(x);
        let mut probabilities = vec![0.0; problem.parts.len()];
        problem.model.probabilities(&weights, &mut probabilities);
        let lead = |(Terms { lead, presence }, wanted): &(Terms, f64)| {
            let all = total(presence, &probabilities);
            if all > 0.0 { total(lead, &probabilities) / all - wanted } else { 0.0 }
        };
        let leads = problem.leads.iter().map(lead).collect();
        let mut missing = vec![0.0; weights.len()];
        if problem.rarest > 0.0 {
            let shares = shares(problem.model, &probabilities);
            for &at in &problem.free {
                missing[at] = (problem.rarest - shares[at]).max(0.0);
            }
        }
        At { weights, probabilities, leads, missing }
    }

    fn worth(&self, at: &At, x: &[f64]) -> f64 {
        let evenness = match self.sharpness {
            None => at.leads.iter().map(|lead| lead * lead).sum(),
            Some(sharpness) => Maximum::of(&at.leads, sharpness).value.powi(2),
        };
        let rare: f64 = at.missing.iter().map(|missing| missing * missing).sum();
        let strayed: f64 =
            x.iter().zip(&self.problem.start).map(|(x, start)| (x - start).powi(2)).sum();
        evenness + self.patience * rare + self.price() * strayed
    }

    /// What a weight costs that is e times what it was.
    fn price(&self) -> f64 {
        NEARNESS + (self.problem.aim.price / std::f64::consts::LN_2).powi(2)
    }

    /// The derivatives, by the logarithm of each free weight, of a sum over conditions of probability times `of`.
    fn derivatives(&self, at: &At, of: &[f64], scratch: &mut [f64]) -> Vec<f64> {
        self.problem.model.gradient(&at.weights, of, scratch);
        self.problem.free.iter().map(|&name| scratch[name] * at.weights[name]).collect()
    }
}

impl Function for Penalised<'_> {
    fn value(&self, x: &[f64]) -> f64 {
        self.worth(&self.at(x), x)
    }

    /// The curvature of the leads themselves is left out, which that of the sum of their squares hardly notices near its
    /// minimum (the method of C. F. Gauss and I. Newton).
    fn slope(&self, x: &[f64], gradient: &mut [f64], curvature: &mut [f64]) -> f64 {
        let (problem, size) = (self.problem, x.len());
        let at = self.at(x);
        gradient.fill(0.0);
        curvature.fill(0.0);
        let mut add = |row: &[f64], slope: f64, bend: f64| {
            for (i, &by) in row.iter().enumerate() {
                gradient[i] += slope * by;
                for (into, other) in curvature[i * size..][..size].iter_mut().zip(row) {
                    *into += bend * by * other;
                }
            }
        };
        let mut scratch = vec![0.0; at.weights.len()];
        let mut of = vec![0.0; problem.parts.len()];
        let maximum =
            self.sharpness.map(|sharpness| (Maximum::of(&at.leads, sharpness), sharpness));
        let mut steepest = vec![0.0; size];
        for (which, ((Terms { lead, presence }, wanted), &off)) in
            problem.leads.iter().zip(&at.leads).enumerate()
        {
            let all = total(presence, &at.probabilities);
            let (slope, bend) = match &maximum {
                None => (2.0 * off, 2.0),
                Some((maximum, sharpness)) => (
                    2.0 * maximum.value * maximum.slopes[which],
                    2.0 * maximum.value * maximum.shares[which] / sharpness,
                ),
            };
            if all <= 0.0 || slope == 0.0 && bend < 1e-12 {
                continue;
            }
            let score = off + wanted;
            for ((of, lead), presence) in of.iter_mut().zip(lead).zip(presence) {
                *of = (lead - score * presence) / all;
            }
            let row = self.derivatives(&at, &of, &mut scratch);
            if let Some((maximum, _)) = &maximum {
                for (steepest, row) in steepest.iter_mut().zip(&row) {
                    *steepest += maximum.slopes[which] * row;
                }
            }
            add(&row, slope, bend);
        }
        if let Some((maximum, sharpness)) = &maximum {
            // The square of the maximum bends by its slope squared, and the maximum less than the sum of its parts.
            add(&steepest, 0.0, 2.0 - 2.0 * maximum.value / sharpness);
        }
        for (name, &missing) in at.missing.iter().enumerate() {
            if missing > 0.0 {
                for (of, parts) in of.iter_mut().zip(&problem.parts) {
                    *of = if parts.contains(&name) { 1.0 } else { 0.0 };
                }
                let row = self.derivatives(&at, &of, &mut scratch);
                add(&row, -2.0 * self.patience * missing, 2.0 * self.patience);
            }
        }
        let price = self.price();
        for i in 0..size {
            gradient[i] += 2.0 * price * (x[i] - problem.start[i]);
            curvature[i * size + i] += 2.0 * price;
        }
        self.worth(&at, x)
    }
}
