//! Reweighting: win rates under other odds of the conditions, from battles that were played once.
//!
//! A battle's condition (in Splinterlands its rulesets) is drawn before anything else happens, so how the battle goes
//! under a given condition does not depend on how likely that condition was. The win rate under any odds is the sum
//! over conditions of odds times win rate: a stratified estimate whose importance weights are known exactly.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{Estimate, Level, Part, stratified};
use crate::parallel;
use crate::tally::{Layout, Tally};

/// The range of a weight, besides 0: lower odds could not be told from none.
pub const WEIGHTS: RangeInclusive<f64> = 1e-9..=1e9;

/// A model of how the odds of the conditions follow from the weights of factors.
pub trait DrawModel: Sync {
    /// The names of the factors, each of which has a weight.
    fn names(&self) -> &[String];

    /// The weights of the factors in the scenario.
    fn weights(&self) -> &[f64];

    /// How many conditions there are. They are the layout's, in its order.
    fn conditions(&self) -> usize;

    /// The factors of a condition, as indices into the names.
    fn parts(&self, condition: usize) -> Vec<usize>;

    /// Writes the probability of every condition under these weights into `into`.
    fn probabilities(&self, weights: &[f64], into: &mut [f64]);

    /// The probability of every condition under the scenario's weights.
    fn odds(&self) -> Vec<f64> {
        let mut odds = vec![0.0; self.conditions()];
        self.probabilities(self.weights(), &mut odds);
        odds
    }

    /// Writes into `into` the derivative by each weight of the sum over conditions of probability times `of`.
    fn gradient(&self, weights: &[f64], of: &[f64], into: &mut [f64]);

    /// The sum over conditions of probability times `of`, prepared for evaluation under very many sets of weights.
    fn expectation(&self, of: &[f64]) -> Box<dyn Expectation + '_>;

    /// A self-contained description of the model, so that the odds can be computed elsewhere; None where a frame cannot
    /// describe it.
    fn frame(&self) -> Option<Frame> {
        None
    }

    /// The parts of the frame in which scenarios that differ only in odds may differ: the weights, and the share of
    /// battles with two factors.
    fn drawn(&self) -> Option<(Vec<f64>, f64)> {
        self.frame().map(|frame| (frame.weights, frame.two))
    }
}

/// A self-contained description of a draw by weight. A battle has one factor, drawn by weight among all, or, in a share
/// `two` of the battles, a first and a second one: the first by weight among those that any other can follow, then the
/// second by weight among those that can follow it. If `pair` is set, two that do not go together are both drawn again,
/// so that a pair comes up in proportion to the product of its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// The names of the factors, each of which has a weight.
    pub names: Vec<String>,
    /// The weights of the factors in the scenario.
    pub weights: Vec<f64>,
    /// The share of battles with two factors, 0 to 1.
    pub two: f64,
    /// Whether both factors are drawn again if they do not go together.
    pub pair: bool,
    /// For each factor as the first: the factors that can follow it, as indices into the names.
    pub seconds: Vec<Vec<usize>>,
    /// The factors of each condition, as indices into the names: one, or two in either order of the draw.
    pub conditions: Vec<Vec<usize>>,
}

/// A sum over conditions as a function of the weights.
pub trait Expectation: Send + Sync {
    /// The sum under these weights.
    fn under(&self, weights: &[f64]) -> f64;
}

/// The win rates under every condition, ready to be reweighted.
#[derive(Clone, Debug, PartialEq)]
pub struct Reweighting {
    sides: usize,
    conditions: usize,
    /// Battles by match-up and condition.
    battles: Vec<u64>,
    /// Wins by match-up, side and condition.
    wins: Vec<u64>,
    /// Win rates by match-up, side and condition; 0 where nothing was played.
    rates: Vec<f64>,
}

impl Reweighting {
    /// Takes the battles and wins of a tally.
    #[must_use]
    pub fn new(layout: &Layout, tally: &Tally) -> Self {
        let (sides, conditions) = (layout.sides, layout.conditions.len());
        let battles: Vec<u64> = tally.strata.iter().map(|count| count.battles).collect();
        let mut wins = Vec::with_capacity(tally.strata.len() * sides);
        for matchup in 0..layout.matchups.len() {
            let strata = tally.strata.range(matchup * conditions..(matchup + 1) * conditions);
            for side in 0..sides {
                wins.extend(strata.clone().map(|count| count.wins[side]));
            }
        }
        Self::of_counts(sides, conditions, battles, wins)
    }

    fn of_counts(sides: usize, conditions: usize, battles: Vec<u64>, wins: Vec<u64>) -> Self {
        let rate = |(at, &won): (usize, &u64)| {
            let matchup = at / (sides * conditions);
            let played = battles[matchup * conditions + at % conditions];
            if played == 0 { 0.0 } else { won as f64 / played as f64 }
        };
        let rates = wins.iter().enumerate().map(rate).collect();
        Self { sides, conditions, battles, wins, rates }
    }

    /// How many match-ups there are.
    #[must_use]
    pub fn matchups(&self) -> usize {
        self.battles.len() / self.conditions
    }

    /// The win rates of a side in a match-up by condition; 0 where nothing was played.
    #[must_use]
    pub fn rates(&self, matchup: usize, side: usize) -> &[f64] {
        let first = (matchup * self.sides + side) * self.conditions;
        &self.rates[first..first + self.conditions]
    }

    /// The win rate of a side in a match-up if conditions had these probabilities.
    #[must_use]
    pub fn win_rate(&self, matchup: usize, side: usize, probabilities: &[f64]) -> f64 {
        self.rates(matchup, side).iter().zip(probabilities).map(|(rate, p)| rate * p).sum()
    }

    /// The win rates of a side in a match-up under very many sets of weights, which `weights` holds one after the
    /// other, each with one weight for every name of the model. Runs on all cores; 100,000 sets take a few percent of
    /// the time of the battles they come from.
    #[must_use]
    pub fn win_rates(
        &self,
        model: &dyn DrawModel,
        matchup: usize,
        side: usize,
        weights: &[f64],
    ) -> Vec<f64> {
        let expectation = model.expectation(self.rates(matchup, side));
        parallel::map_all(weights.chunks(model.names().len()), |list| expectation.under(list))
    }

    /// The win rate of a side in a match-up if conditions had these probabilities, with its interval.
    /// [`Estimate::UNKNOWN`] when a condition that can come up was never played.
    #[must_use]
    pub fn estimate(
        &self,
        matchup: usize,
        side: usize,
        probabilities: &[f64],
        level: Level,
    ) -> Estimate {
        stratified(self.parts(matchup, side, probabilities), level)
    }

    /// The strata of this win rate: one part for every condition.
    pub fn parts(
        &self,
        matchup: usize,
        side: usize,
        probabilities: &[f64],
    ) -> impl Iterator<Item = Part> {
        let first = (matchup * self.sides + side) * self.conditions;
        probabilities.iter().enumerate().map(move |(at, &weight)| Part {
            weight,
            successes: self.wins[first + at],
            trials: self.battles[matchup * self.conditions + at],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::proportion;
    use crate::tally::fixture::{duel, tally};

    #[test]
    fn with_the_shares_that_were_played_it_is_the_plain_win_rate() {
        let layout = duel();
        let tally = tally(&layout, 5_000);
        let whole = tally.count(&layout, |_, _| true);
        let shares: Vec<f64> =
            tally.strata.iter().map(|count| count.battles as f64 / 5_000.0).collect();
        let reweighting = Reweighting::new(&layout, &tally);
        for side in 0..2 {
            let plain = proportion(whole.wins[side], whole.battles, Level::P95);
            let weighed = reweighting.estimate(0, side, &shares, Level::P95);
            assert!((weighed.value - plain.value).abs() < 1e-12);
            assert!((reweighting.win_rate(0, side, &shares) - plain.value).abs() < 1e-12);
            // Stratification never adds variance.
            assert!(weighed.high - weighed.low <= plain.high - plain.low + 1e-4);
        }
    }

    #[test]
    fn all_weight_on_one_condition_is_that_condition() {
        let layout = duel();
        let tally = tally(&layout, 2_000);
        let reweighting = Reweighting::new(&layout, &tally);
        let count = &tally.strata[1];
        let alone = reweighting.estimate(0, 0, &[0.0, 1.0, 0.0], Level::P95);
        assert_eq!(alone.value, count.wins[0] as f64 / count.battles as f64);
    }
}
