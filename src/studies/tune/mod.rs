//! The inverse question: which weights give everybody the score that they should have?
//!
//! Every condition is a stratum that is played once ([`Standings`]). A contender's lead under any weights is then a
//! stratified estimate, a sum over conditions of odds times lead, whose gradient is known exactly
//! ([`DrawModel::gradient`]). So the best weights are found without playing another battle, and confirmed on an
//! independent sample of fresh ones.

mod cells;
mod design;
mod json;
mod page;
pub mod patch;
mod problem;
mod report;
mod results;
mod solve;
mod standings;
mod targets;

pub use crate::studies::evenness::{
    Aim, Contender, Limits, Objective, Who, contenders, matchups, units,
};
pub use design::{exploration, remainder};
pub use json::json;
pub use page::tuning as page;
pub use report::{TABLES, report, tables};
use results::CONFIDENCE;
pub use results::{Confirmed, Leads, Tuning};
pub use standings::Standings;
pub use targets::{Target, TargetFault, assign, read_targets};

use crate::chance::{Seeded, Stream, stream_seed};
use crate::parallel::{self, Pool};
use crate::statistics::{Deviation, Deviations, DrawModel, redrawn};
use crate::tally::{Layout, Orders, OutcomeMeasure, Tally};
use problem::Problem;

/// Bootstrap replicates behind the intervals of the weights.
const REDRAWS: usize = 200;
/// Replicates that are computed between two questions whether to go on.
const REDRAWS_BETWEEN_LOOKS: usize = 8;

/// The weights that make everybody as even as the limits allow.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The weights, rounded to four digits, in the order of the model's names. A weight of 0 stays 0, and one that need
    /// not change keeps its value.
    pub weights: Vec<f64>,
    /// The 95% bootstrap interval of each weight; None when there was no time to compute them.
    pub spread: Option<Vec<(f64, f64)>>,
    /// The probability of every condition under the weights.
    pub probabilities: Vec<f64>,
}

impl Tuned {
    /// The weights that differ from the model's, with their names.
    pub fn moved<'m>(&self, model: &'m dyn DrawModel) -> impl Iterator<Item = (&'m str, f64)> {
        let names = model.names().iter().map(String::as_str);
        let weights = names.zip(self.weights.iter().zip(model.weights()));
        weights.filter(|(_, (found, own))| found != own).map(|(name, (found, _))| (name, *found))
    }
}

/// Battles that were played for a tuning, with the contenders whose leads they measure.
#[derive(Clone, Copy)]
pub struct Played<'t> {
    /// The probabilities of the conditions as functions of the weights.
    pub model: &'t dyn DrawModel,
    /// The names of the match-ups, conditions and units that the tally counts.
    pub layout: &'t Layout,
    /// The battles.
    pub tally: &'t Tally,
    /// The contenders, each with its target score.
    pub contenders: &'t [Contender],
    /// The measure that counts as the score.
    pub measure: OutcomeMeasure,
}

impl Played<'_> {
    /// The results of every contender by condition.
    #[must_use]
    pub fn standings(&self) -> Standings {
        Standings::new(self.layout, self.tally, self.contenders, self.measure)
    }

    /// Finds the best weights. Their intervals are computed separately, by `spread`.
    #[must_use]
    pub fn tune(&self, limits: &Limits, aim: Aim) -> Tuned {
        let found = Problem::new(self.model, &self.standings(), limits, aim).solve();
        let all = found.iter().zip(self.model.weights()).enumerate();
        let weights = all.map(|(at, (&found, &was))| {
            if was == 0.0 || (found / was - 1.0).abs() < 1e-4 {
                return was;
            }
            let (low, high) = limits.range(self.model, at);
            rounded(found).clamp(low, high)
        });
        let weights: Vec<f64> = weights.collect();
        let mut probabilities = vec![0.0; self.model.conditions()];
        self.model.probabilities(&weights, &mut probabilities);
        Tuned { weights, spread: None, probabilities }
    }

    /// Computes 95% bootstrap intervals of the weights from replicates of the battles, on `threads` threads (0 is one
    /// for every core). `go_on` receives the number of finished replicates and their total; when it returns false the
    /// result is None.
    #[must_use]
    pub fn spread(
        &self,
        tuned: &Tuned,
        limits: &Limits,
        aim: Aim,
        seed: u64,
        threads: usize,
        go_on: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Vec<(f64, f64)>> {
        // Only results are resampled; copying anything else would cost more than the search.
        let mut slim = self.tally.clone();
        slim.orders = Orders::default();
        slim.pairs = None;
        slim.matchups = Vec::new();
        let seed = stream_seed(seed, Stream::Bootstrap);
        let replicate = |number: usize| {
            let mut random = Seeded::of_battle(seed, number as u64);
            let tally = redrawn(&slim, &mut random);
            let standings = Standings::new(self.layout, &tally, self.contenders, self.measure)
                .with_units_redrawn(self.contenders, &mut random);
            Problem::new(self.model, &standings, limits, aim).solve_near(&tuned.weights)
        };
        let pool = Pool::new(threads);
        let mut found: Vec<Vec<f64>> = Vec::with_capacity(REDRAWS);
        while found.len() < REDRAWS {
            if !go_on(found.len(), REDRAWS) {
                return None;
            }
            let next = REDRAWS.min(found.len() + REDRAWS_BETWEEN_LOOKS);
            let some = found.len()..next;
            found.extend(pool.install(|| parallel::map_all(some, replicate)));
        }
        let spread = (0..tuned.weights.len()).map(|at| {
            let mut of: Vec<f64> = found.iter().map(|weights| weights[at]).collect();
            of.sort_by(f64::total_cmp);
            let [low, high] = [of[REDRAWS / 40], of[REDRAWS - 1 - REDRAWS / 40]];
            // A replicate has more noise than the battles that it comes from, which moves its weights less far from the
            // limits. So the interval is widened to include the weight that was found.
            let found = tuned.weights[at];
            (low.min(found), high.max(found))
        });
        Some(spread.collect())
    }

    /// Tunes under other limits (or other prices, where moving has one), for comparison with the chosen one.
    #[must_use]
    pub fn trade_off(&self, limits: &Limits, aim: Aim) -> Vec<Compromise> {
        let standings = self.standings();
        let mut before = vec![0.0; self.model.conditions()];
        self.model.probabilities(self.model.weights(), &mut before);
        let compromise = |how: How, limits: &Limits, aim: Aim, chosen: bool| {
            let weights = Problem::new(self.model, &standings, limits, aim).solve();
            let mut odds = vec![0.0; self.model.conditions()];
            self.model.probabilities(&weights, &mut odds);
            let leads = || {
                let all =
                    (0..standings.contenders()).map(|at| standings.deviation(at, &odds).value);
                all.filter(|lead| !lead.is_nan())
            };
            let squares: f64 = leads().map(|lead| lead * lead).sum();
            let known = (0..standings.contenders()).map(|at| standings.deviation(at, &odds));
            let known: Vec<Deviation> = known.filter(|of| !of.value.is_nan()).collect();
            // Where nothing is fitted, noise can only be subtracted.
            let typical = match how {
                How::AtMost(1.0) => {
                    Deviations::new(known).map(|of| of.of_typical(CONFIDENCE).value)
                }
                How::AtMost(_) | How::Bounds | How::Price(_) => None,
            };
            let factor = |(new, old): (&f64, &f64)| {
                if *old > 0.0 { (new / old).max(old / new) } else { 1.0 }
            };
            Compromise {
                how,
                chosen,
                largest: leads().map(f64::abs).fold(0.0, f64::max),
                typical: typical
                    .unwrap_or_else(|| (squares / leads().count().max(1) as f64).sqrt()),
                moved: odds.iter().zip(&before).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0,
                factor: weights.iter().zip(self.model.weights()).map(factor).fold(1.0, f64::max),
            }
        };
        if aim.price > 0.0 {
            return [4.0, 2.0, 1.0, 0.5, 0.25, 0.0]
                .into_iter()
                .map(|times| {
                    let price = times * aim.price;
                    compromise(How::Price(price), limits, Aim { price, ..aim }, times == 1.0)
                })
                .collect();
        }
        let mut factors = vec![1.0, 1.25, 1.5, 2.0, 4.0, 8.0];
        factors.extend(limits.factor.filter(|factor| !factors.contains(factor)));
        factors.sort_by(f64::total_cmp);
        let mut found: Vec<Compromise> = factors
            .into_iter()
            .map(|factor| {
                let nearer = Limits { factor: Some(factor), ..limits.clone() };
                compromise(How::AtMost(factor), &nearer, aim, limits.factor == Some(factor))
            })
            .collect();
        if limits.factor.is_none() {
            found.push(compromise(How::Bounds, limits, aim, true));
        }
        found
    }
}

/// How far weights may move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// By this factor at most.
    AtMost(f64),
    /// As far as their bounds.
    Bounds,
    /// At this price.
    Price(f64),
}

/// The predicted outcome of one limit or price on moving, by the battles that the weights were fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compromise {
    /// The limit or the price on how far weights may move.
    pub how: How,
    /// Whether this is the limit or price that was asked for.
    pub chosen: bool,
    /// The largest remaining lead, 0 to 1.
    pub largest: f64,
    /// The root mean square of the remaining leads, 0 to 1; without its noise where no weight moves.
    pub typical: f64,
    /// The share of battles whose draw changes: half the sum of the absolute changes of all probabilities.
    pub moved: f64,
    /// The factor by which the weight that moves most grows or shrinks.
    pub factor: f64,
}

/// Rounds a weight to four significant digits: enough for a scenario.
fn rounded(weight: f64) -> f64 {
    format!("{weight:.3e}").parse().expect("a number as it was just written")
}

/// The share of battles that each name is drawn in, if conditions have these probabilities.
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

#[cfg(test)]
mod tests;
