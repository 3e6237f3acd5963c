//! Tuning against answers known beforehand.

use super::*;
use crate::statistics::Expectation;
use crate::tally::fixture::duel;
use crate::tally::{Appearances, Breakdown, Condition};

/// Two or more names, one of which is drawn in proportion to its weight.
struct Urn {
    names: Vec<String>,
    weights: Vec<f64>,
}

impl Urn {
    fn new(weights: &[f64]) -> Self {
        let names = (0..weights.len()).map(|at| format!("Ball {at}")).collect();
        Self { names, weights: weights.to_vec() }
    }
}

impl DrawModel for Urn {
    fn names(&self) -> &[String] {
        &self.names
    }
    fn weights(&self) -> &[f64] {
        &self.weights
    }
    fn conditions(&self) -> usize {
        self.names.len()
    }
    fn parts(&self, condition: usize) -> Vec<usize> {
        vec![condition]
    }
    fn probabilities(&self, weights: &[f64], into: &mut [f64]) {
        let all: f64 = weights.iter().sum();
        for (into, weight) in into.iter_mut().zip(weights) {
            *into = weight / all;
        }
    }
    fn expectation(&self, of: &[f64]) -> Box<dyn Expectation + '_> {
        Box::new(Mean(of.to_vec()))
    }
    fn gradient(&self, weights: &[f64], of: &[f64], into: &mut [f64]) {
        let all: f64 = weights.iter().sum();
        let mean: f64 = weights.iter().zip(of).map(|(weight, of)| weight * of).sum::<f64>() / all;
        for (into, of) in into.iter_mut().zip(of) {
            *into = (of - mean) / all;
        }
    }
}

/// The mean of these numbers, weighted.
struct Mean(Vec<f64>);

impl Expectation for Mean {
    fn under(&self, weights: &[f64]) -> f64 {
        let sum: f64 = weights.iter().zip(&self.0).map(|(weight, of)| weight * of).sum();
        sum / weights.iter().sum::<f64>()
    }
}

/// A duel of which side A wins so many of 10,000 battles under each condition, and B the rest.
fn played(wins: &[u64]) -> (Layout, Tally) {
    let condition = |at: usize| Condition {
        label: format!("Ball {at}"),
        factors: vec![at as u16],
        probability: 1.0 / wins.len() as f64,
    };
    let layout = Layout { conditions: (0..wins.len()).map(condition).collect(), ..duel() };
    let mut tally = Tally::new(&layout, Breakdown::Whole);
    for (at, &won) in wins.iter().enumerate() {
        let count = &mut tally.strata[at];
        count.battles = 10_000;
        count.wins = vec![won, 10_000 - won];
    }
    (layout, tally)
}

const WIDE: Limits = Limits { lowest: 0.01, highest: 100.0, rarest: 0.0 };

#[test]
fn two_conditions_are_weighed_so_that_both_sides_are_even() {
    // A leads by 20 points under one and trails by 40 under the other: two to one makes them even.
    let (layout, played) = played(&[6000, 3000]);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&layout);
    let tuned =
        tune(&urn, &layout, &played, &contenders, WIDE, 1, &mut || true).expect("it goes on");
    assert!((tuned.weights[0] / tuned.weights[1] - 2.0).abs() < 0.01, "{tuned:?}");
    let lead = Standings::new(&layout, &played, &contenders).lead(0, &tuned.probabilities);
    assert!(lead.value.abs() < 1e-3 && lead.low < 0.0 && lead.high > 0.0, "{lead:?}");
    assert!(tuned.spread.iter().zip(&tuned.weights).all(|(of, w)| of.0 <= *w && *w <= of.1));
}

#[test]
fn limits_bind() {
    let (layout, played) = played(&[6000, 4900]);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&layout);
    let narrow = Limits { lowest: 0.5, highest: 2.0, rarest: 0.0 };
    let tuned =
        tune(&urn, &layout, &played, &contenders, narrow, 1, &mut || true).expect("it goes on");
    assert_eq!(tuned.weights, [0.5, 2.0], "as far as it may go");
    let not_rare = Limits { rarest: 0.3, ..WIDE };
    let tuned =
        tune(&urn, &layout, &played, &contenders, not_rare, 1, &mut || true).expect("it goes on");
    let shares = shares(&urn, &tuned.probabilities);
    assert!((0.3..0.3015).contains(&shares[0]), "{shares:?}");
    assert!(not_rare.is_at_rarest(shares[0]) && !not_rare.is_at_rarest(shares[1]));
}

#[test]
fn weights_that_need_not_change_stay() {
    let (layout, played) = played(&[5000, 5000, 5000]);
    let urn = Urn::new(&[1.0, 3.0, 0.5]);
    let tuned = tune(&urn, &layout, &played, &contenders(&layout), WIDE, 1, &mut || true)
        .expect("it goes on");
    assert_eq!(tuned.weights, [1.0, 3.0, 0.5]);
}

#[test]
fn what_has_no_weight_gets_none() {
    let (layout, played) = played(&[6000, 3000, 9000]);
    let urn = Urn::new(&[1.0, 1.0, 0.0]);
    let tuned = tune(&urn, &layout, &played, &contenders(&layout), WIDE, 1, &mut || true)
        .expect("it goes on");
    assert_eq!(tuned.weights[2], 0.0);
    assert_eq!(tuned.probabilities[2], 0.0);
}

#[test]
fn a_lead_is_known_as_well_as_its_battles_allow() {
    let (layout, played) = played(&[5200, 5200]);
    let contenders = contenders(&layout);
    let lead = Standings::new(&layout, &played, &contenders).lead(0, &[0.5, 0.5]);
    // 20,000 battles: one standard deviation of the lead is 2 x 0.5 / sqrt(20,000).
    let half = 1.96 * (1.0 - 0.04_f64 * 0.04).sqrt() / 20_000_f64.sqrt();
    assert!((lead.value - 0.04).abs() < 1e-12);
    assert!((lead.high - lead.value - half).abs() < 1e-5, "{lead:?}");
}

/// The same duels, in which side A brings the first unit whenever it is drawn: in `present` of 10,000 battles under each
/// condition, `wins` of which it wins.
fn drawn(present: &[u64], wins: &[u64]) -> (Layout, Tally) {
    let (layout, _) = played(wins);
    let mut tally = Tally::new(&layout, Breakdown::Condition);
    for (at, (&present, &won)) in present.iter().zip(wins).enumerate() {
        tally.strata[at].battles = 10_000;
        tally.appearances[at * layout.units.len()] =
            Appearances { played: present, won, lost: present - won };
        tally.units[0].played += present;
    }
    (layout, tally)
}

#[test]
fn a_unit_counts_as_often_as_it_is_drawn() {
    // Ahead by 20 points under one, behind by 40 under the other, but there half as often under the first: four to one
    // makes it even.
    let (layout, played) = drawn(&[1000, 2000], &[600, 600]);
    let urn = Urn::new(&[1.0, 1.0]);
    let units = units(&layout, &played, "summoner");
    assert_eq!(units.len(), 1, "only what was drawn");
    let tuned = tune(&urn, &layout, &played, &units, WIDE, 1, &mut || true).expect("it goes on");
    assert!((tuned.weights[0] / tuned.weights[1] - 4.0).abs() < 0.02, "{tuned:?}");
    assert!(
        Standings::new(&layout, &played, &units).lead(0, &tuned.probabilities).value.abs() < 1e-3
    );
}

#[test]
fn a_units_lead_is_known_as_well_as_its_appearances_allow() {
    let (layout, played) = drawn(&[1000, 3000], &[550, 1650]);
    let units = units(&layout, &played, "summoner");
    let lead = Standings::new(&layout, &played, &units).lead(0, &[0.5, 0.5]);
    let half = 1.96 * (1.0 - 0.1_f64 * 0.1).sqrt() / 4000_f64.sqrt();
    assert!((lead.value - 0.1).abs() < 1e-12);
    assert!((lead.high - lead.value - half).abs() < 1e-4, "{lead:?}");
}

#[test]
fn the_slope_is_that_of_the_value() {
    use solve::Function;
    let (layout, played) = drawn(&[1000, 2500, 400], &[600, 900, 300]);
    let urn = Urn::new(&[1.0, 1.0, 1.0]);
    let standings = Standings::new(&layout, &played, &units(&layout, &played, "summoner"));
    let limits = Limits { rarest: 0.2, ..WIDE };
    let problem = Problem::new(&urn, &standings, limits);
    let penalised = Penalised { problem: &problem, start: &[0.0; 3], patience: 10.0 };
    let at = [0.4, -0.9, 0.2];
    let mut slope = [0.0; 3];
    penalised.value(&at, &mut slope);
    for which in 0..3 {
        let moved = |by: f64| {
            let mut x = at;
            x[which] += by;
            penalised.value(&x, &mut [0.0; 3])
        };
        let estimate = (moved(1e-6) - moved(-1e-6)) / 2e-6;
        assert!((estimate - slope[which]).abs() < 1e-6, "{estimate} {slope:?}");
    }
}
