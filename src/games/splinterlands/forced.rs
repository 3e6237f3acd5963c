//! The orders that can be forced upon a battle.

use strum::{EnumIter, IntoEnumIterator};

use super::measure::Observed;
use super::ruleset::Ruleset;
use super::setup::{Setup, TurnTies};
use crate::forcible::{Forcible, Otherwise};
use crate::game::Side;

/// An order that is forced upon every battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced {
    /// Which order.
    pub order: ForcedOrder,
    /// The side that comes first in this order.
    pub first: Side,
}

/// An order that can be forced, because the rules choose it, by turn or by dice. What results from a battle cannot be
/// forced: the side that loses the first monster, or what an attack sets off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum ForcedOrder {
    /// The side whose monster takes the first turn of the battle: its most urgent one, before all others.
    FirstTurn,
    /// The side whose monster takes the first turn of the battle, only where monsters of both sides are tied for it.
    TieForFirstTurn,
    /// The side that the earthquake shakes first.
    Earthquake,
}

impl ForcedOrder {
    /// The orders that can come up in a setup. A tie cannot be forced in the order of the official program, which has
    /// no die for it: the tie is broken by many comparisons.
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
