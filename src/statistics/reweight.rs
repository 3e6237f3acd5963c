//! Reweighting: win rates under other odds of the conditions, from battles that were played once.
//!
//! A battle's conditions (in Splinterlands its rulesets) are drawn before anything else happens, so how it goes
//! under given conditions does not depend on how likely they were. The win rate under any odds is the sum over
//! conditions of odds times win rate: a stratified estimate whose importance weights are known exactly.

use serde::{Deserialize, Serialize};

use super::{Estimate, Level, Part, stratified};
use crate::parallel;
use crate::tally::{Layout, Tally};

/// How the odds of the conditions follow from weights.
pub trait DrawModel: Sync {
    /// What has a weight.
    fn names(&self) -> &[String];

    /// The weights of the scenario.
    fn weights(&self) -> &[f64];

    /// How many conditions there are: those of the layout, in its order.
    fn conditions(&self) -> usize;

    /// What a condition is made of, as indices into the names.
    fn parts(&self, condition: usize) -> Vec<usize>;

    /// The probability of every condition under these weights.
    fn probabilities(&self, weights: &[f64], into: &mut [f64]);

    /// The derivative, by each weight, of the sum over conditions of probability times `of`.
    fn gradient(&self, weights: &[f64], of: &[f64], into: &mut [f64]);

    /// The sum over conditions of probability times `of`, prepared for very many weights.
    fn expectation(&self, of: &[f64]) -> Box<dyn Expectation + '_>;

    /// The model in so many words, for whoever works the odds out elsewhere; none where it cannot be said so.
    fn frame(&self) -> Option<Frame> {
        None
    }

    /// Of the frame what differs between scenarios that differ in nothing but odds: the weights, and the share of battles
    /// with two things.
    fn drawn(&self) -> Option<(Vec<f64>, f64)> {
        self.frame().map(|frame| (frame.weights, frame.two))
    }
}

/// A draw by weight in so many words. A battle has one thing, drawn by weight among all, or, in a share `two` of the battles,
/// a first and a second one: a first by weight among those that anything can follow, and then a second by weight among those
/// that can follow it. Where `pair` holds, two that do not go together are both drawn again, so that a pair comes up in
/// proportion to the product of its weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// What has a weight.
    pub names: Vec<String>,
    /// The weights of the scenario.
    pub weights: Vec<f64>,
    /// The share of battles with two, 0 to 1.
    pub two: f64,
    /// Whether both are drawn again.
    pub pair: bool,
    /// By first: what can follow it, as indices into the names.
    pub seconds: Vec<Vec<usize>>,
    /// What each condition is made of, as indices into the names: one, or two whichever came first.
    pub conditions: Vec<Vec<usize>>,
}

/// A sum over conditions that depends on weights.
pub trait Expectation: Send + Sync {
    /// The sum under these weights.
    fn under(&self, weights: &[f64]) -> f64;
}

/// What was observed under every condition, ready to be reweighted.
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
    /// From the battles of a tally.
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

    /// The win rates of a side in a match-up under very many weights, a list of weights for every name of the model one
    /// after the other. On all cores; 100,000 of them take a few percent of the time of the battles they come from.
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

    /// A win rate with its interval. [`Estimate::UNKNOWN`] when a condition that can come up was never played.
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

    /// The strata of a win rate.
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
