//! A finished tuning with everything that its page, its report and its JSON need.

use super::{Aim, Compromise, Limits, Played, Standings, Tuned, Who};
use crate::statistics::{Deviations, Equivalence, Estimate, Largest};
use crate::tally::OutcomeMeasure;

/// The confidence of the verdict.
pub(super) const CONFIDENCE: f64 = 0.95;

/// Fresh battles under the weights that were found.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The results of every contender by condition.
    pub standings: Standings,
    /// The number of fresh battles.
    pub battles: u64,
}

/// Everything about a tuning that is shown: its battles, its limits, the weights found and their confirmation.
#[derive(Clone, Copy)]
pub struct Tuning<'t> {
    /// The scenario's question.
    pub question: Option<&'t str>,
    /// The line under the question that describes what was played.
    pub heading: &'t str,
    /// The singular noun for those who should be even, such as `contender`.
    pub contender_noun: &'static str,
    /// The battles that the weights were fitted to.
    pub played: Played<'t>,
    /// The constraints on the weights.
    pub limits: &'t Limits,
    /// The objective and the price of moving weights.
    pub aim: Aim,
    /// The weights that were found.
    pub tuned: &'t Tuned,
    /// The predicted outcomes of other limits or prices.
    pub trade_off: &'t [Compromise],
    /// Fresh battles under the weights that were found; None when the tuning ended early.
    pub confirmed: Option<&'t Confirmed>,
    /// The margin: how far a score may be from its target and still count as even, 0 to 1.
    pub within: f64,
    /// The lines of `[rulesets.weights]` that put the found weights into the scenario.
    pub lines: &'t str,
}

/// One contender's lead before and after tuning.
#[derive(Clone, Copy, Debug)]
pub struct Leads {
    /// The lead under the scenario's weights.
    pub before: Estimate,
    /// The lead under the found weights, in the battles that they were fitted to.
    pub predicted: Estimate,
    /// The lead under the found weights, in fresh battles; None when the tuning ended early.
    pub confirmed: Option<Estimate>,
}

/// The verdict of the fresh battles on whether all leads are within the margin.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub result: Equivalence,
    pub leads: Deviations,
    pub largest: Largest,
    pub typical: f64,
    /// Roughly how many fresh battles would show evenness where the result is still open; None where no number is
    /// expected to.
    pub battles_needed: Option<u64>,
    /// The assumption that this number rests on.
    pub premise: Premise,
}

/// The assumption behind an estimate of the number of battles needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Premise {
    /// Every lead is 0: the largest is no larger than chance alone makes it, and so does not tell how large it truly
    /// is.
    NoLeads,
    /// Leads are about as large as estimated, shrunken towards 0: somebody visibly leads or trails.
    AsTheySeem,
}

impl Tuning<'_> {
    pub(super) fn odds_before(&self) -> Vec<f64> {
        self.played.model.odds()
    }

    /// The share of battles that are forfeits under these odds, 0 to 1, by the battles that the weights were fitted to.
    /// Every match-up has the same weight.
    pub(super) fn unfought(&self, odds: &[f64]) -> f64 {
        let (tally, conditions) = (self.played.tally, odds.len());
        let of_matchup = |matchup: usize| {
            let strata = tally.strata.range(matchup * conditions..(matchup + 1) * conditions);
            let known = strata.zip(odds).filter(|(count, _)| count.battles > 0);
            let (share, all) = known.fold((0.0, 0.0), |(share, all), (count, odds)| {
                (share + odds * count.unfought as f64 / count.battles as f64, all + odds)
            });
            (all > 0.0).then(|| share / all)
        };
        let known: Vec<f64> = (0..tally.matchups.len()).filter_map(of_matchup).collect();
        known.iter().sum::<f64>() / known.len().max(1) as f64
    }

    /// The leads of all contenders, in their order.
    #[must_use]
    pub fn leads(&self) -> Vec<Leads> {
        let (before, after) = (self.odds_before(), &self.tuned.probabilities);
        let played = self.played.standings();
        (0..played.contenders())
            .map(|at| Leads {
                before: played.lead(at, &before),
                predicted: played.lead(at, after),
                confirmed: self.confirmed.map(|fresh| fresh.standings.lead(at, after)),
            })
            .collect()
    }

    /// The leads of all contenders in the battles of `of`, under these odds. None where any of them is unknown.
    pub(super) fn deviations(&self, of: &Standings, odds: &[f64]) -> Option<Deviations> {
        let all = (0..of.contenders()).map(|at| of.deviation(at, odds));
        // A score is 0 to 1.
        let targets = self.played.contenders.iter().map(|contender| contender.target);
        let most = targets.map(|target| target.max(1.0 - target)).fold(0.0, f64::max);
        let all = Deviations::new(all.collect())?.at_most(most);
        // With two contenders, the lead of one is that of the other with the opposite sign.
        let is_side = |at: usize| matches!(self.played.contenders[at].who, Who::Sides(_));
        let opposite = self.played.measure != OutcomeMeasure::Wins
            && self.contender_noun == super::page::CONTENDER
            && of.contenders() == 2
            && self.played.layout.sides == 2
            && is_side(0);
        Some(if opposite { all.of_which_free(1) } else { all })
    }

    /// The verdict of the fresh battles; None without any, or where too few of them leave a lead unknown.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        let Confirmed { standings, battles } = self.confirmed?;
        let leads = self.deviations(standings, &self.tuned.probabilities)?;
        let result = leads.within(self.within, CONFIDENCE);
        let largest = leads.largest(CONFIDENCE);
        let premise = if largest.low > 0.0 { Premise::AsTheySeem } else { Premise::NoLeads };
        let needed = || {
            let factor = match premise {
                Premise::NoLeads => leads.factor_if_none(self.within, CONFIDENCE),
                Premise::AsTheySeem => leads.factor_needed(self.within, CONFIDENCE),
            }?;
            Some(two_digits(factor * *battles as f64).max(battles + battles / 10))
        };
        Some(Verdict {
            result,
            largest,
            premise,
            typical: leads.typical(),
            battles_needed: if result == Equivalence::Open { needed() } else { None },
            leads,
        })
    }

    /// The p-value of the hypothesis that weights make no difference, because every lead is the same under every
    /// condition; adjusted for the number of leads (Bonferroni).
    pub(super) fn same_under_every_draw(&self) -> f64 {
        let (standings, odds) = (self.played.standings(), self.odds_before());
        let free = self.deviations(&standings, &odds).map_or(1, |leads| leads.free());
        let each = (0..standings.contenders()).map(|at| standings.alike(at, &odds));
        (each.fold(1.0, f64::min) * free as f64).min(1.0)
    }

    /// How much a contender at least leads or trails under every single condition, as an absolute value, by the battles
    /// that the weights were fitted to; None where neither is shown. The confidence holds for all contenders at once.
    pub(super) fn leads_always(&self, contender: usize) -> Option<f64> {
        let standings = self.played.standings();
        let alpha = (1.0 - CONFIDENCE) / standings.contenders() as f64;
        standings.leads_always(contender, &self.odds_before(), alpha).map(f64::abs)
    }

    /// The limit that keeps a weight from moving further, in a word; empty when there is none.
    pub(super) fn limit(&self, at: usize, share: f64) -> String {
        let (weight, was) = (self.tuned.weights[at], self.played.model.weights()[at]);
        let bounds = self.limits.bounds[at];
        let (low, high) = self.limits.range(self.played.model, at);
        let near = |end: f64| (weight / end - 1.0).abs() < 1e-3;
        let by =
            |factor: f64| self.limits.factor.filter(|&most| (factor / most - 1.0).abs() < 1e-3);
        if was == 0.0 {
            "never drawn".to_owned()
        } else if bounds == (was, was) {
            "pinned".to_owned()
        } else if near(low) {
            by(was / low).map_or("lowest".to_owned(), |factor| format!("÷{factor}"))
        } else if near(high) {
            by(high / was).map_or("highest".to_owned(), |factor| format!("×{factor}"))
        } else if self.limits.is_at_rarest(share) {
            "rarest".to_owned()
        } else {
            String::new()
        }
    }

    /// Whether any contender's target differs from an even score.
    pub(super) fn has_targets(&self) -> bool {
        let even = OutcomeMeasure::even(self.played.layout.sides);
        self.played.contenders.iter().any(|contender| (contender.target - even).abs() > 1e-12)
    }
}

/// Rounds up to two significant digits.
fn two_digits(number: f64) -> u64 {
    let unit = libm::pow(10.0_f64, libm::log10(number.max(1.0)).floor() - 1.0);
    ((number / unit).ceil() * unit).min(u64::MAX as f64 / 2.0).round() as u64
}
