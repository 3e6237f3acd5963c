//! The orders that can be forced upon a battle.

use strum::{EnumIter, IntoEnumIterator};

use super::measure::Observed;
use super::ruleset::Ruleset;
use super::setup::{Setup, TurnTies};
use crate::forcible::{Forcible, Otherwise};
use crate::game::Side;

/// An order that is forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced {
    /// Which order.
    pub order: ForcedOrder,
    /// The side that is the first.
    pub first: Side,
}

/// An order that can be forced: a choice of the rules, of turn or of dice. What comes of a battle cannot be: the side that
/// loses the first monster, or what an attack sets off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum ForcedOrder {
    /// Whose monster takes the first turn of the battle: the most urgent of that side, before all others.
    FirstTurn,
    /// Whose monster takes the first turn of the battle, only where monsters of both sides are tied for it.
    TieForFirstTurn,
    /// Whom the earthquake shakes first.
    Earthquake,
}

impl ForcedOrder {
    /// Those that can come up in a setup. The official program has no die for a tie: it is the work of many comparisons.
    pub(super) fn of(setup: &Setup) -> Vec<Self> {
        let conditions = &setup.conditions;
        let quakes = conditions.iter().any(|(rulesets, _)| rulesets.contains(Ruleset::Earthquake));
        let comes_up = |order: &Self| match order {
            Self::FirstTurn => true,
            Self::TieForFirstTurn => setup.turn_ties == TurnTies::Even,
            Self::Earthquake => quakes,
        };
        Self::iter().filter(comes_up).collect()
    }

    pub(super) fn forcible(self) -> Forcible {
        let (observed, meaning) = match self {
            Self::FirstTurn => (
                Observed::FirstTurn,
                "the side that takes the first turn of the battle: its most urgent monster acts before all others, which then \
                 act in their order",
            ),
            Self::TieForFirstTurn => (
                Observed::TieForFirstTurn,
                "the side that gets the first turn where monsters of both are tied for it",
            ),
            Self::Earthquake => (Observed::Earthquake, "the side that the earthquake shakes first"),
        };
        let otherwise = Otherwise::AsObserved(observed as u16);
        Forcible { name: observed.name(), meaning, sides: 2, otherwise }
    }
}
