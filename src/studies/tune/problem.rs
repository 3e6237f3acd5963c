//! The objective function of a tuning: leads as functions of the weights, and the price of moving weights.

use super::solve::{Function, Precision, minimise};
use super::standings::{Standings, Terms, total};
use super::{Aim, Limits, Objective, shares};
use crate::statistics::DrawModel;

/// The penalty on the distance from the scenario's weights, for a weight that grows or shrinks by a factor of e: enough
/// to choose among equally even weights, too small to show in a score.
const NEARNESS: f64 = 2.5e-8;
/// The `sharpness` of the smooth maximum of the leads, from one search to the next. It exceeds the true maximum by at
/// most the sharpness times the logarithm of twice the number of leads: with the last one, and 30 leads, by 0.005
/// points.
const SHARPNESS: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];
/// Factors of the penalty on shares below the rarest allowed, from one search to the next.
const PATIENCE: [f64; 3] = [1.0, 100.0, 10_000.0];

/// The optimisation problem of a tuning: leads as functions of the weights, and the limits on these. The search is over
/// the logarithms of the weights, in which doubling and halving are equally far.
pub(super) struct Problem<'p> {
    model: &'p dyn DrawModel,
    aim: Aim,
    /// The smallest share of battles that any ruleset may have, 0 to 1; 0 is without this limit.
    rarest: f64,
    /// Indices of the names whose weights may change.
    free: Vec<usize>,
    /// The logarithms of the free weights in the scenario, followed by those of their lower and upper bounds.
    start: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// The parts of each condition.
    parts: Vec<Vec<usize>>,
    /// Each contender's lead over even as a function of the odds, with the lead that it should have.
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

    /// Minimises the objective from `x`. The limit on shares is a penalty, which grows until the limit holds.
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
    /// None to minimise the sum of squared leads; otherwise the sharpness of the smooth maximum of the leads, whose
    /// square is minimised.
    pub sharpness: Option<f64>,
    pub patience: f64,
}

/// The objective's parts at one point of the search.
struct At {
    weights: Vec<f64>,
    probabilities: Vec<f64>,
    /// Each contender's lead over its target; 0 where it takes part in no battle.
    leads: Vec<f64>,
    /// By how much each name's share falls short of the rarest allowed; 0 where it does not.
    missing: Vec<f64>,
}

/// A smooth maximum (log-sum-exp) of the absolute values of some numbers, with the weight that each number and its
/// negative have in it.
struct Maximum {
    value: f64,
    /// The weight of each number minus that of its negative: the derivative of the maximum by the number.
    slopes: Vec<f64>,
    /// The weight of each number plus that of its negative.
    shares: Vec<f64>,
}

impl Maximum {
    /// Computes it: at least the largest absolute value, and above that by at most `sharpness` times the logarithm of
    /// twice the count of the numbers.
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

    /// The penalty on a weight that grows or shrinks by a factor of e.
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

    /// The second derivatives of the leads themselves are left out: near the minimum they hardly matter to the
    /// curvature of the sum of squares (the Gauss-Newton method of C. F. Gauss and I. Newton).
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
            // The curvature of the squared maximum has a term for the squared slope of the maximum, and the maximum
            // curves less than the sum of its parts does.
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
