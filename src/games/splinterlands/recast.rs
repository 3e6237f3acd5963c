//! Setups in which a card acts as another one or has lost an ability, while teams are drawn and lined up as before.

use std::sync::{Arc, OnceLock};

use super::ability::{Abilities, Ability};
use super::cards::{Card, CardKind, Faction};
use super::legal::{forbids_monster, forbids_summoner};
use super::setup::{CardAt, Setup};
use crate::recast::Recast;

/// Cards that can stand in for a card: cards that can be brought, of the same kind and mana cost, which whoever leads
/// the card can lead, too (of its faction or, for monsters, neutral).
pub(super) fn stand_ins(setup: &Setup, unit: u16) -> Vec<u16> {
    let Some(card) = setup.catalogue.cards.get(usize::from(unit)) else { return Vec::new() };
    let mut brought: Vec<u16> =
        setup.cards_that_can_be_brought().into_iter().map(|at| at.card).collect();
    brought.sort_unstable();
    brought.dedup();
    brought.retain(|&other| {
        let by = &setup.catalogue.cards[usize::from(other)];
        let is_led = by.faction == card.faction
            || by.kind == CardKind::Monster && by.faction == Faction::Neutral;
        other != unit && by.kind == card.kind && by.mana == card.mana && is_led
    });
    brought
}

/// Whether the rulesets of a condition allow the card; a monster at its lowest level.
pub(super) fn is_allowed(setup: &Setup, condition: u32, unit: u16) -> bool {
    let rulesets = setup.conditions[condition as usize].0;
    let card = &setup.catalogue.cards[usize::from(unit)];
    match card.kind {
        CardKind::Summoner => forbids_summoner(rulesets, card).is_none(),
        CardKind::Monster => card
            .levels
            .first()
            .is_some_and(|level| forbids_monster(rulesets, card, level).is_none()),
    }
}

/// Names of the abilities that the card has at any level at which a contender can bring it, in the order of the enum.
pub(super) fn abilities(setup: &Setup, unit: u16) -> Vec<String> {
    all_abilities(setup, unit).iter().map(|ability| ability.to_string()).collect()
}

fn all_abilities(setup: &Setup, unit: u16) -> Abilities {
    let own = setup.cards_that_can_be_brought().into_iter().filter(|at| at.card == unit);
    own.fold(Abilities::empty(), |all, at: CardAt| all | setup.catalogue.level(at).abilities)
}

/// The setup with one card recast. Another card stands in at the level that is the same part of its rarity's levels.
/// None when a card or ability does not exist, or the other card is of another kind.
pub(super) fn recast(setup: &Setup, unit: u16, recast: Recast) -> Option<Setup> {
    let card = setup.catalogue.cards.get(usize::from(unit))?;
    let card = match recast {
        Recast::As(other) => {
            let other = setup.catalogue.cards.get(usize::from(other))?;
            if other.kind != card.kind {
                return None;
            }
            let (own, all) = (card.levels.len(), other.levels.len());
            let level = |at: usize| {
                let same_part = (2 * all * (at + 1) + own) / (2 * own);
                other.levels[same_part.clamp(1, all) - 1]
            };
            Card { levels: (0..own).map(level).collect(), ..(**other).clone() }
        }
        Recast::Without(at) => {
            let lost: Ability = all_abilities(setup, unit).iter().nth(at)?;
            let mut without = (**card).clone();
            without.levels.iter_mut().for_each(|level| _ = level.abilities.remove(lost));
            without
        }
    };
    let mut other = setup.clone();
    other.catalogue.cards[usize::from(unit)] = Arc::new(card);
    other.slots = OnceLock::new();
    other.starts = OnceLock::new();
    Some(other)
}
