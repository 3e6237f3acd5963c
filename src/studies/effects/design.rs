//! The design of the experiment that estimates effects: the conditions that are played, and what is compared.

use crate::tally::{Layout, OutcomeMeasure};

/// The design of an experiment that estimates effects.
#[derive(Clone, Debug)]
pub struct Design<'l> {
    /// The names of match-ups, conditions, factors and units.
    pub layout: &'l Layout,
    /// The conditions that are played, the neutral one first.
    pub cases: Vec<Case>,
    /// Cases of two factors that are also played alone.
    pub pairs: Vec<Pair>,
    /// Whether units are counted.
    pub units: bool,
    /// How many battles are played under each condition; match-ups take turns.
    pub battles: u64,
    /// The measure whose values are compared.
    pub measure: OutcomeMeasure,
}

/// A condition that is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Index into the layout's conditions.
    pub condition: u32,
    /// Its factors, as indices into the layout's; empty for the neutral condition.
    pub factors: Vec<u16>,
}

/// A case of two factors and the cases of each of them alone, as indices into the design's cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The first factor alone.
    pub first: usize,
    /// The second factor alone.
    pub second: usize,
    /// Both together.
    pub both: usize,
}

/// Why no effects can be estimated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEffects {
    /// There is only one condition.
    #[error("every battle has the same conditions, so there is nothing to tell apart")]
    NothingDrawn,
    /// The game has no neutral factor, with which others could be compared.
    #[error("this game has nothing that leaves a battle as it is")]
    NoNeutral,
    /// It has one, but no battle has it alone.
    #[error("no battle has {0} alone, which everything else is compared with")]
    NeverNeutral(String),
}

impl<'l> Design<'l> {
    /// Plans `battles` under each condition. A condition of the neutral factor and another one equals that of the other
    /// alone and is not played.
    ///
    /// # Errors
    /// When nothing is drawn, or the neutral factor is never drawn alone.
    pub fn new(layout: &'l Layout, battles: u64, units: bool) -> Result<Self, NoEffects> {
        if layout.conditions.len() < 2 {
            return Err(NoEffects::NothingDrawn);
        }
        let neutral = layout.neutral.ok_or(NoEffects::NoNeutral)?;
        let Some(alone) = layout.neutral_condition() else {
            return Err(NoEffects::NeverNeutral(layout.factors[usize::from(neutral)].clone()));
        };
        let mut cases = vec![Case { condition: alone as u32, factors: Vec::new() }];
        for (condition, drawn) in layout.conditions.iter().enumerate() {
            if drawn.probability > 0.0 && !drawn.factors.contains(&neutral) {
                cases.push(Case { condition: condition as u32, factors: drawn.factors.clone() });
            }
        }
        if cases.len() < 2 {
            return Err(NoEffects::NothingDrawn);
        }
        let alone = |factor: u16| cases.iter().position(|case| case.factors == [factor]);
        let pair = |(both, case): (usize, &Case)| match case.factors[..] {
            [one, other] => Some(Pair { first: alone(one)?, second: alone(other)?, both }),
            _ => None,
        };
        let pairs = cases.iter().enumerate().filter_map(pair).collect();
        Ok(Self { layout, cases, pairs, units, battles, measure: OutcomeMeasure::default() })
    }

    /// How many battles are played in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.battles * self.cases.len() as u64
    }

    /// How many subjects there are: every side of every match-up, then every unit that is counted.
    #[must_use]
    pub fn subjects(&self) -> usize {
        self.sides() + if self.units { self.layout.units.len() } else { 0 }
    }

    /// How many subjects are sides of match-ups.
    #[must_use]
    pub fn sides(&self) -> usize {
        self.layout.matchups.len() * self.layout.sides
    }

    /// Whether a side is shown. Under a mirrored measure side B loses in a duel what side A gains: only side A is shown.
    #[must_use]
    pub fn is_told(&self, side: usize) -> bool {
        side.is_multiple_of(self.layout.sides) || !self.measure.is_mirrored(self.layout.sides)
    }

    /// Whether one side is all that is shown, so that its single factors are the whole list.
    #[must_use]
    pub fn is_about_one_side(&self) -> bool {
        (0..self.sides()).filter(|&side| self.is_told(side)).count() == 1
    }

    /// The name of a case: `Earthquake`, `Earthquake + Close Range`.
    #[must_use]
    pub fn label(&self, case: usize) -> &str {
        &self.layout.conditions[self.cases[case].condition as usize].label
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Condition;
    use crate::tally::fixture::{duel, round_robin};

    #[test]
    fn the_neutral_case_is_the_first_and_pairs_know_their_parts() {
        let mut layout = duel();
        let condition = |label: &str, factors: &[u16], probability| Condition {
            label: label.to_owned(),
            factors: factors.to_vec(),
            probability,
        };
        layout.conditions = vec![
            condition("Earthquake", &[1], 0.2),
            condition("Standard", &[0], 0.2),
            condition("Healed Out", &[2], 0.2),
            condition("Standard + Earthquake", &[0, 1], 0.2),
            condition("Earthquake + Healed Out", &[1, 2], 0.2),
            condition("never", &[1, 0], 0.0),
        ];
        let design = Design::new(&layout, 10, false).unwrap();
        let conditions: Vec<u32> = design.cases.iter().map(|case| case.condition).collect();
        assert_eq!(conditions, [1, 0, 2, 4]);
        assert_eq!(design.pairs, [Pair { first: 1, second: 2, both: 3 }]);
        assert_eq!((design.total(), design.subjects()), (40, 2));
        // Without one of its parts a pair has an effect and no interaction.
        layout.conditions.remove(2);
        let design = Design::new(&layout, 10, true).unwrap();
        assert_eq!((design.cases.len(), design.pairs.len(), design.subjects()), (3, 0, 8));
    }

    #[test]
    fn without_a_neutral_condition_there_is_nothing_to_compare_with() {
        let never = NoEffects::NeverNeutral("Standard".to_owned());
        let mut layout = duel();
        assert!(layout.has_effects());
        layout.conditions[0].probability = 0.0;
        assert_eq!(Design::new(&layout, 1, false).unwrap_err(), never);
        assert!(!layout.has_effects());
        layout.neutral = None;
        assert_eq!(Design::new(&layout, 1, false).unwrap_err(), NoEffects::NoNeutral);
        let fixed = round_robin(2);
        assert_eq!(Design::new(&fixed, 1, false).unwrap_err(), NoEffects::NothingDrawn);
    }
}
