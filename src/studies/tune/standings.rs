//! The results of contenders under each condition, and their leads under any probabilities of conditions.

use std::collections::BTreeMap;

use super::cells::{Cell, heterogeneity, precision, variance, widened};
use super::{Contender, Who};
use crate::chance::Seeded;
use crate::statistics::distributions::chi_square_tail;
use crate::statistics::{Deviation, Estimate, Level, upper_bound};
use crate::tally::{Layout, OutcomeMeasure, Tally};

/// The results of all contenders by match-up and condition.
#[derive(Clone, Debug)]
pub struct Standings {
    conditions: usize,
    /// The even score: one over the number of sides.
    even: f64,
    /// By contender: its target minus the even score.
    wanted: Vec<f64>,
    /// By contender, then by match-up that it is or may be in, then by condition: its results.
    places: Vec<Vec<Vec<Cell>>>,
}

/// A lead as a function of the odds: the sum of odds times `lead` over the sum of odds times `presence`.
pub(super) struct Terms {
    pub lead: Vec<f64>,
    pub presence: Vec<f64>,
}

impl Standings {
    /// Collects the results of these contenders in the battles of a tally. Units need a tally by condition, of this
    /// measure, in which all match-ups have equally many battles under a condition.
    #[must_use]
    pub fn new(
        layout: &Layout,
        tally: &Tally,
        contenders: &[Contender],
        measure: OutcomeMeasure,
    ) -> Self {
        let conditions = layout.conditions.len();
        let of_sides = |(matchup, sides): (usize, Vec<usize>)| -> Vec<Cell> {
            let strata = tally.strata.range(matchup * conditions..(matchup + 1) * conditions);
            strata.map(|count| Cell::of_sides(count, &sides, measure)).collect()
        };
        let of_unit = |unit: usize| -> Vec<Vec<Cell>> {
            let mut places = vec![Vec::with_capacity(conditions); layout.matchups.len()];
            for condition in 0..conditions {
                let by_matchup = tally.fared_under(layout, condition, unit);
                for (place, of) in places.iter_mut().zip(by_matchup) {
                    place.push(Cell::of_unit(of, layout.sides));
                }
            }
            places
        };
        let places = contenders.iter().map(|contender| match &contender.who {
            Who::Sides(places) => {
                let mut by_matchup: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
                for &(matchup, side) in places {
                    by_matchup.entry(matchup).or_default().push(side);
                }
                by_matchup.into_iter().map(of_sides).collect()
            }
            Who::Unit(unit) => of_unit(*unit),
        });
        let places = places.collect();
        let even = OutcomeMeasure::even(layout.sides);
        let wanted = contenders.iter().map(|contender| contender.target - even).collect();
        Self { conditions, even, wanted, places }
    }

    /// Replaces the results of units by a bootstrap replicate. Those of sides are resampled with the tally, which keeps
    /// to it that what one side wins the others do not.
    pub(super) fn with_units_redrawn(
        mut self,
        contenders: &[Contender],
        random: &mut Seeded,
    ) -> Self {
        for (contender, places) in contenders.iter().zip(&mut self.places) {
            if matches!(contender.who, Who::Unit(_)) {
                for cell in places.iter_mut().flatten() {
                    *cell = cell.redrawn(random);
                }
            }
        }
        self
    }

    /// How many contenders there are.
    #[must_use]
    pub fn contenders(&self) -> usize {
        self.places.len()
    }

    /// How many conditions there are.
    pub(super) fn conditions(&self) -> usize {
        self.conditions
    }

    /// How often a contender takes part in a battle if conditions have these probabilities, summed over its match-ups.
    #[must_use]
    pub fn presence(&self, contender: usize, probabilities: &[f64]) -> f64 {
        total(&self.terms(contender).presence, probabilities)
    }

    /// A contender's lead if conditions have these probabilities, with its standard error: its score minus its target
    /// over all battles that it takes part in, -1 to 1. NaN where a condition of positive probability was never played,
    /// or the contender takes part in no battle.
    #[must_use]
    pub fn deviation(&self, contender: usize, probabilities: &[f64]) -> Deviation {
        let unknown = Deviation { value: f64::NAN, error: f64::NAN };
        let terms = self.terms(contender);
        let presence = total(&terms.presence, probabilities);
        let never_played = self.places[contender].iter().any(|place| {
            let mut cells = place.iter().zip(probabilities);
            cells.any(|(cell, &odds)| odds > 0.0 && cell.battles == 0.0)
        });
        if presence <= 0.0 || never_played {
            return unknown;
        }
        let above_even = total(&terms.lead, probabilities) / presence;
        let places = self.places[contender].iter();
        let variance: f64 =
            places.clone().map(|cells| variance(cells, probabilities, above_even)).sum();
        let battles =
            presence * presence / places.map(|cells| precision(cells, probabilities)).sum::<f64>();
        let error = widened(self.even + above_even, variance.sqrt() / presence, battles);
        Deviation { value: above_even - self.wanted[contender], error }
    }

    /// A contender's lead under these probabilities as an estimate with its 95% confidence interval, clipped to the
    /// leads that a score from 0 to 1 allows.
    #[must_use]
    pub fn lead(&self, contender: usize, probabilities: &[f64]) -> Estimate {
        let Deviation { value, error } = self.deviation(contender, probabilities);
        let half = Level::P95.z() * error;
        let of = Estimate { value, low: value - half, high: value + half };
        let target = self.even + self.wanted[contender];
        of.within(-target, 1.0 - target)
    }

    /// The p-value of the hypothesis that a contender's lead is the same under every condition of positive probability;
    /// 1 where there is nothing to compare.
    pub(super) fn alike(&self, contender: usize, probabilities: &[f64]) -> f64 {
        let parts = self.places[contender].iter().map(|cells| heterogeneity(cells, probabilities));
        let (statistic, degrees) =
            parts.fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        if degrees == 0 { 1.0 } else { chi_square_tail(statistic, degrees) }
    }

    /// A lower bound of a contender's lead that holds under every single condition of positive probability; negative,
    /// an upper bound, where it trails under all of them; None where neither is shown. It is wrong with a probability
    /// of at most `alpha`, however few battles a condition has. Under any probabilities the lead is a weighted mean of
    /// those under single conditions.
    pub(super) fn leads_always(
        &self,
        contender: usize,
        probabilities: &[f64],
        alpha: f64,
    ) -> Option<f64> {
        let drawn = || {
            let cells =
                self.places[contender].iter().flat_map(|cells| cells.iter().zip(probabilities));
            cells.filter(|&(_, &odds)| odds > 0.0).map(|(cell, _)| cell)
        };
        let each = alpha / (2 * drawn().count()) as f64;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for cell in drawn() {
            let target = self.wanted[contender] + cell.even();
            let (battles, score) = cell.score()?;
            least = least.min(1.0 - upper_bound(1.0 - score, battles, each) - target);
            most = most.max(upper_bound(score, battles, each) - target);
        }
        match (least, most) {
            (least, _) if least > 0.0 && least.is_finite() => Some(least),
            (_, most) if most < 0.0 && most.is_finite() => Some(most),
            _ => None,
        }
    }

    /// The lead over even that a contender should have: its target minus the even score.
    pub(super) fn wanted(&self, contender: usize) -> f64 {
        self.wanted[contender]
    }

    /// A contender's lead over even as a function of the odds.
    pub(super) fn terms(&self, contender: usize) -> Terms {
        let conditions = self.conditions();
        let mut terms = Terms { lead: vec![0.0; conditions], presence: vec![0.0; conditions] };
        for place in &self.places[contender] {
            for (at, cell) in place.iter().enumerate() {
                terms.presence[at] += cell.presence();
                terms.lead[at] += cell.lead();
            }
        }
        terms
    }
}

/// The sum over conditions of odds times `of`.
pub(super) fn total(of: &[f64], odds: &[f64]) -> f64 {
    of.iter().zip(odds).map(|(of, odds)| of * odds).sum()
}
