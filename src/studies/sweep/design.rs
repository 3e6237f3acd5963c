//! The design of a sweep: which battles are played for which variants, and how they are allocated to strata.

use std::sync::Arc;

use super::setups::OneVariant;
use super::{PairedTally, Setups};
use crate::engine::Engine;
use crate::statistics::share_out;
use crate::tally::{Matchup, OutcomeMeasure};

/// The fewest battles that a stratum gets, so that its variance can be estimated.
pub(super) const LEAST: u64 = 2;
/// One battle in this many belongs to the pilot.
const PILOT: u64 = 4;

/// The design of a sweep: its arms, its variants, and the stratum of every battle.
#[derive(Debug)]
pub struct Design<'s> {
    /// The distinct setups that are played, the first variant's first.
    pub arms: Vec<Arm<'s>>,
    /// One member for each variant, in their order.
    pub members: Vec<Member>,
    /// How many match-ups every variant has.
    pub matchups: usize,
    /// How many sides a battle has.
    pub sides: usize,
    /// The measure that is compared.
    pub measure: OutcomeMeasure,
    /// The number of distinct conditions over all variants; 1 where nothing is drawn in any of them.
    conditions: usize,
    /// The cumulative number of battles up to and including each stratum, by match-up and then condition.
    cumulative: Vec<u64>,
    /// Interleaves the strata, so that the battles played first are spread over all of them.
    stride: u64,
}

/// A setup whose battles are used for one or more variants.
#[derive(Debug)]
pub struct Arm<'s> {
    /// The engine that plays the battles.
    pub engine: &'s dyn Engine,
    /// For each condition of the design, its number in this setup; None where the setup lacks it or no variant needs
    /// it.
    pub conditions: Vec<Option<u32>>,
}

/// One variant in the design.
#[derive(Clone, Debug)]
pub struct Member {
    /// Index of the arm whose battles are used for it.
    pub arm: usize,
    /// The probability of each of the design's conditions in this variant.
    pub weights: Vec<f64>,
    /// Its match-ups.
    pub matchups: Arc<[Matchup]>,
}

/// A variant that cannot be compared with the first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has {found}, and the first variant has {expected}")]
pub struct Uneven {
    /// The variant's number, from 0.
    pub variant: usize,
    found: String,
    expected: String,
}

/// With fewer pilot battles than this, a stratum's observed variance is ignored.
const FEWEST_OF_PILOT: f64 = 5.0;

impl<'s> Design<'s> {
    /// Allocates `battles` for each arm, at least two for each stratum. Conditions are matched by their labels, or, where
    /// nothing is drawn in any variant, all taken as one. Arms that have only some of the conditions play only those
    /// strata; the one with the largest part plays `battles`.
    ///
    /// # Errors
    /// When a variant's number of match-ups or of sides differs from the first's.
    ///
    /// # Panics
    /// When there is no variant.
    pub fn new(setups: &'s Setups, battles: u64) -> Result<Self, Uneven> {
        let first = &setups.variants[0];
        let (sides, matchups) = (first.sides, first.matchups.len());
        for (variant, one) in setups.variants.iter().enumerate() {
            if (one.sides, one.matchups.len()) != (sides, matchups) {
                return Err(Uneven { variant, found: one.told(), expected: first.told() });
            }
        }
        let is_without_draws = setups.are_without_draws();
        let conditions = if is_without_draws { 1 } else { setups.names.len() };
        let place = |condition: u32| if is_without_draws { 0 } else { condition as usize };
        let weights = |one: &OneVariant| {
            let mut weights = vec![0.0; conditions];
            for &(condition, probability) in &one.odds {
                weights[place(condition)] = probability;
            }
            weights
        };
        let (owners, arm_of) = setups.arms();
        let members: Vec<Member> = setups
            .variants
            .iter()
            .zip(&arm_of)
            .map(|(one, &arm)| Member {
                arm,
                weights: weights(one),
                matchups: Arc::clone(&one.matchups),
            })
            .collect();
        let arm = |(arm, &engine): (usize, &&'s dyn Engine)| {
            let mut own = vec![None; conditions];
            for (number, condition) in engine.layout().conditions.iter().enumerate() {
                let at = place(setups.names[&condition.label]);
                let asked = |member: &Member| member.arm == arm && member.weights[at] > 0.0;
                own[at] = members.iter().any(asked).then_some(number as u32);
            }
            Arm { engine, conditions: own }
        };
        let arms: Vec<Arm<'s>> = owners.iter().enumerate().map(arm).collect();
        let played: Vec<&[Option<u32>]> = arms.iter().map(|arm| &arm.conditions[..]).collect();
        let (scores, total) = shares(&played, &members, matchups, battles);
        let cumulative = cumulative(&scores, total, LEAST);
        let (stride, measure) = (stride(total), OutcomeMeasure::default());
        Ok(Self { arms, members, matchups, sides, measure, conditions, cumulative, stride })
    }

    /// This design with another number of battles, allocated in proportion to `scores`; a stratum with a positive score
    /// gets at least `least`.
    fn with(&self, scores: &[f64], total: u64, least: u64) -> Self {
        let arm = |arm: &Arm<'s>| Arm { engine: arm.engine, conditions: arm.conditions.clone() };
        Self {
            arms: self.arms.iter().map(arm).collect(),
            members: self.members.clone(),
            cumulative: cumulative(scores, total, least),
            stride: stride(total),
            ..*self
        }
    }

    /// The pilot: a quarter of the battles, allocated like the whole design.
    #[must_use]
    pub fn pilot(&self) -> Self {
        let scores = self.scores(|_, _| 1.0);
        let wanted = scores.iter().filter(|&&score| score > 0.0).count() as u64;
        self.with(&scores, (self.battles() / PILOT).max(LEAST * wanted), LEAST)
    }

    /// The design of the battles that follow the pilot, by Neyman allocation: in proportion to the root mean square
    /// over the variants of a stratum's weight times the standard deviation of its pilot battles (J. Neyman: "On the
    /// two different aspects of the representative method", 1934).
    #[must_use]
    pub fn rest(&self, pilot: &PairedTally) -> Self {
        let played = (0..self.strata()).map(|stratum| pilot.battles(stratum)).sum();
        let variance = |arm: usize, stratum: usize| {
            let battles = pilot.battles(stratum) as f64;
            let of_side = |side: usize| {
                // The variance of a few battles says little about the stratum: assume the largest possible one.
                if battles < FEWEST_OF_PILOT {
                    return 0.25;
                }
                // Smoothed by half a success: a small pilot does not establish a score of exactly 0 or 1.
                let (fared, most) = (pilot.fared(arm, stratum, side), self.sides as f64);
                let mean = (fared.points as f64 / most + 0.5) / (battles + 1.0);
                let square = (fared.squares as f64 / (most * most) + 0.5) / (battles + 1.0);
                (square - mean * mean).max(0.0)
            };
            (0..self.sides).map(of_side).sum::<f64>()
        };
        let scores = self.scores(|member, stratum| variance(member.arm, stratum));
        self.with(&scores, self.battles().saturating_sub(played), 0)
    }

    /// For each stratum, the root of the sum over the variants of its condition's squared weight times `spread`.
    fn scores(&self, spread: impl Fn(&Member, usize) -> f64) -> Vec<f64> {
        let score = |stratum: usize| {
            let condition = stratum % self.conditions;
            let of = |member: &Member| {
                let weight = member.weights[condition];
                if weight > 0.0 { weight * weight * spread(member, stratum) } else { 0.0 }
            };
            self.members.iter().map(of).sum::<f64>().sqrt()
        };
        (0..self.strata()).map(score).collect()
    }

    /// How many strata there are.
    #[must_use]
    pub fn strata(&self) -> usize {
        self.cumulative.len()
    }

    /// The number of distinct conditions over all variants; 1 where nothing is drawn in any of them.
    #[must_use]
    pub fn conditions(&self) -> usize {
        self.conditions
    }

    /// How many battles are planned.
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.cumulative.last().copied().unwrap_or(0)
    }

    /// The cumulative number of battles up to and including each stratum, which decides which stratum each battle
    /// belongs to.
    #[must_use]
    pub fn allocation(&self) -> &[u64] {
        &self.cumulative
    }

    /// How many strata at least one variant needs.
    #[must_use]
    pub fn wanted(&self) -> u64 {
        let before = [0].iter().chain(&self.cumulative);
        before.zip(&self.cumulative).filter(|(before, end)| before < end).count() as u64
    }

    /// The index of the stratum that a battle belongs to.
    #[inline]
    #[must_use]
    pub fn stratum(&self, battle: u64) -> usize {
        let place = u128::from(battle) * u128::from(self.stride) % u128::from(self.battles());
        self.cumulative.partition_point(|&end| end <= place as u64)
    }
}

/// The scores by which battles are allocated, stratum by stratum, and the total number of battles. A score is
/// proportional to the root mean square of a stratum's weights over the variants: if all variances are equal, this
/// minimises the sum of the variances of all variants.
fn shares(
    arms: &[&[Option<u32>]],
    members: &[Member],
    matchups: usize,
    battles: u64,
) -> (Vec<f64>, u64) {
    let score = |condition: usize| {
        let squares: f64 = members.iter().map(|member| member.weights[condition].powi(2)).sum();
        squares.sqrt()
    };
    let scores: Vec<f64> = (0..arms[0].len()).map(score).collect();
    let all: f64 = scores.iter().sum();
    let part = |arm: &&[Option<u32>]| -> f64 {
        let played = scores.iter().zip(*arm).filter(|(_, own)| own.is_some());
        played.map(|(score, _)| score).sum::<f64>() / all
    };
    let largest = arms.iter().map(part).fold(0.0, f64::max);
    let wanted = (scores.iter().filter(|&&score| score > 0.0).count() * matchups) as u64;
    let total = ((battles as f64 / largest).round() as u64).max(LEAST * wanted);
    ((0..matchups).flat_map(|_| scores.iter().copied()).collect(), total)
}

/// Allocates `total` battles to strata in proportion to `scores`, at least `least` to each with a positive score, and
/// returns the cumulative numbers.
fn cumulative(scores: &[f64], total: u64, least: u64) -> Vec<u64> {
    let wanted = scores.iter().filter(|&&score| score > 0.0).count() as u64;
    // `share_out` already gives one to each, so only the rest of `least` is set aside beforehand.
    let before = least.saturating_sub(1);
    let rest = share_out(scores, total - before * wanted);
    let mut sum = 0;
    scores
        .iter()
        .zip(rest)
        .map(|(&score, share)| {
            sum += if score > 0.0 { share + before } else { 0 };
            sum
        })
        .collect()
}

/// A number coprime to `total`, near its golden section: its multiples modulo `total` visit every battle once, and any
/// run of consecutive multiples is spread evenly.
fn stride(total: u64) -> u64 {
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let golden = (total as f64 * 0.618_033_988_749_895) as u64;
    (golden.max(1)..).find(|&stride| divisor(stride, total) == 1).expect("total + 1 is one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_visit_every_battle_once() {
        for total in [1, 2, 3, 10, 97, 360, 1024] {
            let stride = stride(total);
            let mut visited: Vec<u64> = (0..total).map(|at| at * stride % total).collect();
            visited.sort_unstable();
            assert!(visited.into_iter().eq(0..total), "{total}");
        }
    }

    fn shares(weights: &[&[f64]], arms: &[&[bool]], matchups: usize, battles: u64) -> Vec<u64> {
        let members: Vec<Member> = weights
            .iter()
            .map(|weights| Member { arm: 0, weights: weights.to_vec(), matchups: Arc::new([]) })
            .collect();
        let conditions =
            |has: &&[bool]| has.iter().map(|&has| has.then_some(0)).collect::<Vec<_>>();
        let arms: Vec<Vec<Option<u32>>> = arms.iter().map(conditions).collect();
        let arms: Vec<&[Option<u32>]> = arms.iter().map(|arm| &arm[..]).collect();
        let mut before = 0;
        let difference = |end: u64| {
            let share = end - before;
            before = end;
            share
        };
        let (scores, total) = super::shares(&arms, &members, matchups, battles);
        cumulative(&scores, total, LEAST).into_iter().map(difference).collect()
    }

    #[test]
    fn battles_follow_the_weights_and_every_stratum_has_two() {
        let found = shares(&[&[0.75, 0.25]], &[&[true, true]], 2, 4_002);
        assert_eq!(found.iter().sum::<u64>(), 4_002);
        assert!(found[0].abs_diff(1_500) < 5 && found[1].abs_diff(500) < 5, "{found:?}");
        assert_eq!(shares(&[&[0.999, 0.001, 0.0]], &[&[true; 3]], 1, 1), [2, 2, 0]);
    }

    /// Two arms without a common condition play as many battles each as two runs would.
    #[test]
    fn arms_of_different_conditions_play_their_own_battles() {
        let found =
            shares(&[&[1.0, 0.0], &[0.0, 1.0]], &[&[true, false], &[false, true]], 1, 1_000);
        assert_eq!(found, [1_000, 1_000]);
    }
}
