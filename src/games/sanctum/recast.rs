//! Setups in which minions act as other ones or have lost an effect, while groups stay as they are.

use super::activity::label;
use super::setup::Setup;
use crate::recast::Recast;

/// The other minions of the scenario that are recruits, or monsters, as this one is. The game has no price to
/// compare.
pub(super) fn stand_ins(setup: &Setup, unit: u16) -> Vec<u16> {
    let units = setup.units();
    let Some(own) = units.get(usize::from(unit)) else { return Vec::new() };
    let is_like = |at: &usize| *at != usize::from(unit) && units[*at].kind == own.kind;
    (0..units.len()).filter(is_like).map(|at| at as u16).collect()
}

/// The names of the effects of a unit's minions, with those of the spells on them; each effect once, even if only
/// some of the minions have it.
pub(super) fn abilities(setup: &Setup, unit: u16) -> Vec<String> {
    setup.effects_of(unit).iter().map(|effect| label(setup, effect)).collect()
}

pub(super) fn recast(setup: &Setup, unit: u16, recast: Recast) -> Option<Setup> {
    match recast {
        Recast::As(other) => setup.with_stand_in(unit, other),
        Recast::Without(at) => setup.without_effect(unit, *setup.effects_of(unit).get(at)?),
    }
}
