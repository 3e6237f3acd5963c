//! The odds of the ruleset draw as functions of the weights, in floating point and with their derivatives: for
//! trying very many weights. [`draw`](super::draw) has the same odds as exact fractions.

use super::draw::Redraw;
use super::ruleset::{Kind, Ruleset, Rulesets};
use crate::statistics::{DrawModel, Expectation, Frame};
use strum::IntoEnumIterator;

/// The draw of a setup whose weights may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    two: f64,
    redraw: Redraw,
    weights: Vec<f64>,
    names: Vec<String>,
    /// The rulesets of each condition, as indices: one, or two in the order of the enum.
    conditions: Vec<(usize, Option<usize>)>,
    /// By ruleset: the rulesets that can be drawn after it; empty where it cannot be drawn first of two.
    seconds: Vec<Vec<usize>>,
}

impl Weights {
    /// The draw with these weights, for these conditions. Rulesets at the end of the enum that have no weight here are
    /// those of a later edition, which are never drawn.
    #[must_use]
    pub fn new(two: f64, redraw: Redraw, weights: &[f64], conditions: &[Rulesets]) -> Self {
        let drawable = || Ruleset::iter().take(weights.len());
        let place = |rulesets: &Rulesets| {
            let mut rulesets = rulesets.iter().map(|ruleset| ruleset as usize);
            (rulesets.next().expect("a condition has a ruleset"), rulesets.next())
        };
        let seconds = |first: Ruleset| -> Vec<usize> {
            if first.kind() == Kind::Secondary {
                return Vec::new();
            }
            drawable()
                .filter(|&second| second.kind() != Kind::Primary && first.goes_with(second))
                .map(|second| second as usize)
                .collect()
        };
        Self {
            two,
            redraw,
            weights: weights.to_vec(),
            names: drawable().map(|ruleset| ruleset.to_string()).collect(),
            conditions: conditions.iter().map(place).collect(),
            seconds: drawable().map(seconds).collect(),
        }
    }

    /// The probability of every ordered pair given that two are drawn, at `first * count + second`; and what is
    /// needed to differentiate it.
    fn pairs(&self, weights: &[f64]) -> Pairs {
        let count = self.names.len();
        let mut pairs = Pairs {
            odds: vec![0.0; count * count],
            after: self.seconds.iter().map(|list| list.iter().map(|&s| weights[s]).sum()).collect(),
            firsts: 0.0,
        };
        // A first ruleset that no second goes with cannot be kept under either redraw rule.
        let keeps = |first: usize| weights[first] > 0.0 && pairs.after[first] > 0.0;
        let firsts: Vec<usize> = (0..count).filter(|&first| keeps(first)).collect();
        pairs.firsts = firsts
            .iter()
            .map(|&first| match self.redraw {
                Redraw::Second => weights[first],
                Redraw::Pair => weights[first] * pairs.after[first],
            })
            .sum();
        for &first in &firsts {
            let scale = match self.redraw {
                Redraw::Second => weights[first] / pairs.firsts / pairs.after[first],
                Redraw::Pair => weights[first] / pairs.firsts,
            };
            for &second in &self.seconds[first] {
                pairs.odds[first * count + second] = scale * weights[second];
            }
        }
        pairs
    }
}

/// At least the number of rulesets that can be drawn first of two: 16 of the guide, 22 of the later edition.
const FIRSTS: usize = 24;

/// An expectation over the conditions, prepared by how each weight enters into it. All firsts are worked out side by
/// side, which the processor can do in one go.
struct Prepared {
    two: f64,
    redraw: Redraw,
    /// What each ruleset adds when it is drawn alone.
    alone: Vec<f64>,
    firsts: [usize; FIRSTS],
    seconds: Vec<Second>,
}

/// A ruleset that can be drawn second of two.
struct Second {
    ruleset: usize,
    /// What it adds after each first; 0 where it cannot follow.
    worth: [f64; FIRSTS],
    /// 1 for each first that it can follow, else 0.
    follows: [f64; FIRSTS],
}

impl Prepared {
    fn new(model: &Weights, of: &[f64]) -> Self {
        let count = model.names.len();
        let mut alone = vec![0.0; count];
        let mut worth = vec![0.0; count * count];
        for (&of, &(one, other)) in of.iter().zip(&model.conditions) {
            match other {
                None => alone[one] = of,
                Some(other) => {
                    worth[one * count + other] = of;
                    worth[other * count + one] = of;
                }
            }
        }
        let can_be_first = |&first: &usize| !model.seconds[first].is_empty();
        let firsts: Vec<usize> = (0..count).filter(can_be_first).collect();
        let known = firsts.len();
        // Entries beyond the known firsts are followed by nothing, and count for nothing.
        let firsts: [usize; FIRSTS] =
            std::array::from_fn(|at| firsts.get(at).copied().unwrap_or_default());
        let seconds = (0..count).map(|ruleset| {
            let can: [bool; FIRSTS] = std::array::from_fn(|at| {
                at < known && model.seconds[firsts[at]].contains(&ruleset)
            });
            Second {
                ruleset,
                worth: std::array::from_fn(|at| match can[at] {
                    true => worth[firsts[at] * count + ruleset],
                    false => 0.0,
                }),
                follows: can.map(|can| f64::from(u8::from(can))),
            }
        });
        let seconds = seconds.filter(|second| second.follows.contains(&1.0)).collect();
        Self { two: model.two, redraw: model.redraw, alone, firsts, seconds }
    }
}

impl Expectation for Prepared {
    fn under(&self, weights: &[f64]) -> f64 {
        let (mut alone, mut all) = (0.0, 0.0);
        for (worth, weight) in self.alone.iter().zip(weights) {
            alone += worth * weight;
            all += weight;
        }
        let singles = if self.two < 1.0 { (1.0 - self.two) * alone / all } else { 0.0 };
        if self.two == 0.0 {
            return singles;
        }
        let (mut worth, mut after) = ([0.0; FIRSTS], [0.0; FIRSTS]);
        for second in &self.seconds {
            let weight = weights[second.ruleset];
            for at in 0..FIRSTS {
                worth[at] += weight * second.worth[at];
                after[at] += weight * second.follows[at];
            }
        }
        let (mut sum, mut firsts) = (0.0, 0.0);
        for at in 0..FIRSTS {
            let weight = weights[self.firsts[at]];
            // A first ruleset that no second goes with cannot be kept under either redraw rule.
            if after[at] > 0.0 {
                match self.redraw {
                    Redraw::Second => {
                        sum += weight * worth[at] / after[at];
                        firsts += weight;
                    }
                    Redraw::Pair => {
                        sum += weight * worth[at];
                        firsts += weight * after[at];
                    }
                }
            }
        }
        singles + self.two * sum / firsts
    }
}

struct Pairs {
    odds: Vec<f64>,
    /// By first: the weight of all rulesets that can come after it.
    after: Vec<f64>,
    /// The weight of all rulesets that can come first; where both are drawn again, that of all pairs.
    firsts: f64,
}

impl DrawModel for Weights {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn conditions(&self) -> usize {
        self.conditions.len()
    }

    fn parts(&self, condition: usize) -> Vec<usize> {
        let (one, other) = self.conditions[condition];
        std::iter::once(one).chain(other).collect()
    }

    fn probabilities(&self, weights: &[f64], into: &mut [f64]) {
        let all: f64 = weights.iter().sum();
        let (count, pairs) = (self.names.len(), self.pairs(weights));
        for (probability, &(one, other)) in into.iter_mut().zip(&self.conditions) {
            *probability = match other {
                None => (1.0 - self.two) * weights[one] / all,
                Some(other) => {
                    let both = pairs.odds[one * count + other] + pairs.odds[other * count + one];
                    self.two * both
                }
            };
        }
    }

    fn expectation(&self, of: &[f64]) -> Box<dyn Expectation + '_> {
        Box::new(Prepared::new(self, of))
    }

    fn frame(&self) -> Option<Frame> {
        Some(Frame {
            names: self.names.clone(),
            weights: self.weights.clone(),
            two: self.two,
            pair: self.redraw == Redraw::Pair,
            seconds: self.seconds.clone(),
            conditions: (0..self.conditions.len()).map(|at| self.parts(at)).collect(),
        })
    }

    fn drawn(&self) -> Option<(Vec<f64>, f64)> {
        Some((self.weights.clone(), self.two))
    }

    fn gradient(&self, weights: &[f64], of: &[f64], into: &mut [f64]) {
        into.fill(0.0);
        let all: f64 = weights.iter().sum();
        let (count, pairs) = (self.names.len(), self.pairs(weights));
        // The worth of each ordered pair, per unit of its probability.
        let mut worth = vec![0.0; count * count];
        let mut singles = 0.0;
        for (&worth_of_it, &(one, other)) in of.iter().zip(&self.conditions) {
            match other {
                None => {
                    let slope = (1.0 - self.two) * worth_of_it / all;
                    into[one] += slope;
                    singles += slope * weights[one] / all;
                }
                Some(other) => {
                    worth[one * count + other] = self.two * worth_of_it;
                    worth[other * count + one] = self.two * worth_of_it;
                }
            }
        }
        for slope in into.iter_mut() {
            *slope -= singles;
        }
        if self.two == 0.0 || pairs.firsts <= 0.0 {
            return;
        }
        let mut by_first = vec![0.0; count];
        for first in 0..count {
            let after = pairs.after[first];
            if after <= 0.0 {
                continue;
            }
            // The odds of (first, second) over the weight of either, without dividing by a weight of 0.
            let per_weight = match self.redraw {
                Redraw::Second => 1.0 / pairs.firsts / after,
                Redraw::Pair => 1.0 / pairs.firsts,
            };
            for &second in &self.seconds[first] {
                let at = first * count + second;
                into[second] += worth[at] * weights[first] * per_weight;
                into[first] += worth[at] * weights[second] * per_weight;
                by_first[first] += worth[at] * pairs.odds[at];
            }
        }
        let total: f64 = by_first.iter().sum();
        for first in 0..count {
            let after = pairs.after[first];
            if after <= 0.0 {
                continue;
            }
            match self.redraw {
                Redraw::Second => {
                    into[first] -= total / pairs.firsts;
                    for &second in &self.seconds[first] {
                        into[second] -= by_first[first] / after;
                    }
                }
                Redraw::Pair => {
                    into[first] -= total * after / pairs.firsts;
                    for &second in &self.seconds[first] {
                        into[second] -= total * weights[first] / pairs.firsts;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::EnumCount;

    use super::*;
    use crate::games::splinterlands::draw::{DrawRules, draws, exactly};
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

    fn model(two: f64, redraw: Redraw, weights: &[f64]) -> (Weights, Vec<f64>) {
        let rules = DrawRules {
            two: exactly(two),
            redraw,
            weights: weights.iter().map(|&weight| exactly(weight)).collect(),
        };
        let draws = draws(&rules).unwrap();
        let conditions: Vec<Rulesets> = draws.iter().map(|(rulesets, _)| *rulesets).collect();
        let odds = draws.iter().map(|(_, odds)| odds.to_f64().unwrap()).collect();
        (Weights::new(two, redraw, weights, &conditions), odds)
    }

    fn any_weights() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(
            (1..40_u32).prop_map(|tenths| f64::from(tenths) / 10.0),
            Ruleset::COUNT,
        )
    }

    proptest! {
        #[test]
        fn odds_are_the_exact_ones(
            weights in any_weights(), none in prop::collection::vec(any::<bool>(), Ruleset::COUNT),
            two in 0..=4_u32, pair: bool
        ) {
            let redraw = if pair { Redraw::Pair } else { Redraw::Second };
            let mut weights = weights;
            // Some rulesets may be out, but not those that always leave a pair.
            for (at, weight) in weights.iter_mut().enumerate() {
                if none[at] && ![Ruleset::Standard as usize].contains(&at) && at % 3 == 0 {
                    *weight = 0.0;
                }
            }
            let (model, exact) = model(f64::from(two) / 4.0, redraw, &weights);
            let mut odds = vec![0.0; exact.len()];
            model.probabilities(&weights, &mut odds);
            for (found, exact) in odds.iter().zip(&exact) {
                prop_assert!((found - exact).abs() < 1e-12, "{found} is not {exact}");
            }
        }

        /// Prepared or not, the sum is the same, also for weights that the scenario does not have.
        #[test]
        fn an_expectation_is_the_sum_over_the_conditions(
            weights in any_weights(), tried in any_weights(), out in 0..27_usize,
            two in 0..=4_u32, pair: bool
        ) {
            let redraw = if pair { Redraw::Pair } else { Redraw::Second };
            let (model, exact) = model(f64::from(two) / 4.0, redraw, &weights);
            let worth: Vec<f64> = (0..exact.len()).map(|at| (at * 37 % 101) as f64 / 101.0).collect();
            let mut tried = tried;
            tried[out] = 0.0;
            let mut odds = vec![0.0; exact.len()];
            model.probabilities(&tried, &mut odds);
            let sum: f64 = odds.iter().zip(&worth).map(|(odds, worth)| odds * worth).sum();
            let found = model.expectation(&worth).under(&tried);
            prop_assert!((found - sum).abs() < 1e-12, "{found} is not {sum}");
        }

        #[test]
        fn the_gradient_is_the_slope(weights in any_weights(), seed in 0..1000_u64, pair: bool) {
            let redraw = if pair { Redraw::Pair } else { Redraw::Second };
            let (model, exact) = model(0.75, redraw, &weights);
            let worth: Vec<f64> =
                (0..exact.len()).map(|at| ((at as u64 * 37 + seed) % 101) as f64 / 101.0).collect();
            let value = |weights: &[f64]| -> f64 {
                let mut odds = vec![0.0; exact.len()];
                model.probabilities(weights, &mut odds);
                odds.iter().zip(&worth).map(|(odds, worth)| odds * worth).sum()
            };
            let mut gradient = vec![0.0; weights.len()];
            model.gradient(&weights, &worth, &mut gradient);
            for at in 0..weights.len() {
                let nudged = |by: f64| {
                    let mut weights = weights.clone();
                    weights[at] += by;
                    value(&weights)
                };
                let slope = (nudged(1e-5) - nudged(-1e-5)) / 2e-5;
                prop_assert!((gradient[at] - slope).abs() < 1e-7, "{at}: {} {slope}", gradient[at]);
            }
        }
    }
}
