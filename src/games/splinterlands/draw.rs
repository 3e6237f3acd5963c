//! How rulesets are drawn, and exactly how likely each draw is (guide, The Basics, Type and Weight; step 1).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use schemars::JsonSchema;
use serde::Deserialize;
use strum::IntoEnumIterator;

use super::edition::Edition;
use super::ruleset::{Kind, Ruleset, Rulesets};

/// What happens to a pair that is not allowed. The guide does not say (SP-12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Redraw {
    /// The first ruleset stays, the second is drawn again.
    #[default]
    Second,
    /// Both are drawn again.
    Pair,
}

/// The rules of the draw.
#[derive(Clone, Debug)]
pub struct DrawRules {
    /// The probability that a battle has two rulesets, from 0 to 1.
    pub two: BigRational,
    /// What happens to a pair that is not allowed.
    pub redraw: Redraw,
    /// The weight of each ruleset, in the order of the enum; 0 is never drawn.
    pub weights: Vec<BigRational>,
}

impl Default for DrawRules {
    /// The guide's rules: two rulesets in three of four battles, all of them equally likely.
    fn default() -> Self {
        Self::of(Edition::Guide)
    }
}

impl DrawRules {
    /// The rules of an edition: two rulesets in three of four battles (SP-01), all that the edition has equally likely
    /// (SP-04, SP-09, SP-14), whatever a tournament forbids (SP-13).
    #[must_use]
    pub fn of(edition: Edition) -> Self {
        let weight = |ruleset: Ruleset| {
            if ruleset.edition() <= edition { BigRational::one() } else { BigRational::zero() }
        };
        Self {
            two: BigRational::new(BigInt::from(3), BigInt::from(4)),
            redraw: Redraw::default(),
            weights: Ruleset::iter().map(weight).collect(),
        }
    }
}

/// Why nothing can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// All weights are zero.
    NoRuleset,
    /// Two rulesets are wanted, and no two of those with a weight go together.
    NoPair,
}

/// A decimal number as the fraction that it is written as: 0.1 is 1/10.
#[must_use]
pub fn exactly(decimal: f64) -> BigRational {
    let text = format!("{decimal}");
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let digits: BigInt = format!("{whole}{part}").parse().expect("a finite number has digits");
    BigRational::new(digits, BigInt::from(10).pow(part.len() as u32))
}

/// Every possible draw with its probability: single rulesets first, then pairs, in the order of the enum. The order in
/// which the two of a pair were drawn does not matter (SP-01, SP-02, SP-04, SP-11, SP-12).
///
/// # Errors
/// When nothing can be drawn.
pub fn draws(rules: &DrawRules) -> Result<Vec<(Rulesets, BigRational)>, Impossible> {
    let weight = |ruleset: Ruleset| &rules.weights[ruleset as usize];
    let all: BigRational = rules.weights.iter().sum();
    if all.is_zero() {
        return Err(Impossible::NoRuleset);
    }
    let one = BigRational::one() - &rules.two;
    let mut draws: Vec<(Rulesets, BigRational)> = Vec::new();
    for ruleset in Ruleset::iter() {
        draws.push((ruleset.into(), &one * weight(ruleset) / &all));
    }
    if !rules.two.is_zero() {
        let pairs = pairs(rules).ok_or(Impossible::NoPair)?;
        for first in Ruleset::iter() {
            for second in Ruleset::iter().filter(|&second| second > first) {
                let both: BigRational = pairs
                    .iter()
                    .filter(|(a, b, _)| (*a, *b) == (first, second) || (*b, *a) == (first, second))
                    .map(|(.., probability)| probability)
                    .sum();
                draws.push((first | second, &rules.two * both));
            }
        }
    }
    draws.retain(|(_, probability)| !probability.is_zero());
    Ok(draws)
}

/// Every ordered pair with its probability given that two are drawn; None when there is no pair (SP-05, SP-06, SP-07,
/// SP-08, SP-10, SP-11, SP-12).
fn pairs(rules: &DrawRules) -> Option<Vec<(Ruleset, Ruleset, BigRational)>> {
    let weight = |ruleset: Ruleset| &rules.weights[ruleset as usize];
    let possible = |ruleset: &Ruleset| !weight(*ruleset).is_zero();
    let seconds = |first: Ruleset| {
        let can_be_second = move |r: &Ruleset| r.kind() != Kind::Primary && first.goes_with(*r);
        Ruleset::iter().filter(can_be_second).filter(possible)
    };
    // A first ruleset that no second goes with cannot be kept under either redraw rule.
    let firsts: Vec<Ruleset> = Ruleset::iter()
        .filter(|first| first.kind() != Kind::Secondary && possible(first))
        .filter(|&first| seconds(first).next().is_some())
        .collect();
    let mut pairs = Vec::new();
    let all_firsts: BigRational = firsts.iter().map(|&first| weight(first)).sum();
    for &first in &firsts {
        let all_seconds: BigRational = seconds(first).map(weight).sum();
        for second in seconds(first) {
            let share = match rules.redraw {
                Redraw::Second => weight(first) / &all_firsts * weight(second) / &all_seconds,
                Redraw::Pair => weight(first) * weight(second),
            };
            pairs.push((first, second, share));
        }
    }
    let sum: BigRational = pairs.iter().map(|(.., share)| share).sum();
    (!sum.is_zero()).then(|| {
        for (.., share) in &mut pairs {
            *share /= &sum;
        }
        pairs
    })
}

/// The probability that a battle has each ruleset, alone or in a pair (SP-12).
#[must_use]
pub fn appearance(draws: &[(Rulesets, BigRational)]) -> Vec<(Ruleset, BigRational)> {
    Ruleset::iter()
        .map(|ruleset| {
            let having = draws.iter().filter(|(rulesets, _)| rulesets.contains(ruleset));
            (ruleset, having.map(|(_, probability)| probability).sum())
        })
        .collect()
}
