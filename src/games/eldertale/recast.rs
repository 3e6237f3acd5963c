//! Setups in which a card acts as another one or has lost an effect, while decks stay as they are.

use super::setup::Setup;
use crate::game::Side;
use crate::recast::Recast;

/// The cards of a character's deck, with their numbers of copies.
pub(super) fn brings(setup: &Setup, matchup: usize, side: Side) -> Option<Vec<(u16, u32)>> {
    let sheet = &setup.sheets()[usize::from(setup.matchups()[matchup][side.index()])];
    let mut copies: Vec<(u16, u32)> = Vec::new();
    for (_, card) in sheet.deck.iter() {
        match copies.iter_mut().find(|(known, _)| *known == card) {
            Some((_, count)) => *count += 1,
            None => copies.push((card, 1)),
        }
    }
    Some(copies)
}

/// The other cards of the same type and energy cost that the same classes can bring and that are Single Use if
/// this one is.
pub(super) fn stand_ins(setup: &Setup, unit: u16) -> Vec<u16> {
    let cards = setup.cards();
    let Some(card) = cards.get(usize::from(unit)) else { return Vec::new() };
    let is_like = |at: &usize| {
        let other = &cards[*at];
        *at != usize::from(unit)
            && (other.kind, other.cost, other.single_use, &other.requires)
                == (card.kind, card.cost, card.single_use, &card.requires)
    };
    (0..cards.len()).filter(is_like).map(|at| at as u16).collect()
}

/// The names of a card's effects; a second effect of the same kind is numbered, as `Power (2)`.
pub(super) fn abilities(setup: &Setup, unit: u16) -> Vec<String> {
    let Some(card) = setup.cards().get(usize::from(unit)) else { return Vec::new() };
    let kinds: Vec<&str> = card.effects.iter().map(|applies| applies.effect.kind.name()).collect();
    let name = |(at, kind): (usize, &&str)| {
        let before = kinds[..at].iter().filter(|other| *other == kind).count();
        match before {
            0 => (*kind).to_owned(),
            before => format!("{kind} ({})", before + 1),
        }
    };
    kinds.iter().enumerate().map(name).collect()
}

/// This setup with a card recast; a stand-in takes the card's places in all decks.
pub(super) fn recast(setup: &Setup, unit: u16, recast: Recast) -> Option<Setup> {
    let mut card = setup.cards().get(usize::from(unit))?.clone();
    match recast {
        Recast::As(other) if stand_ins(setup, unit).contains(&other) => {
            card = setup.cards()[usize::from(other)].clone();
        }
        Recast::Without(at) if at < card.effects.len() => _ = card.effects.remove(at),
        Recast::As(_) | Recast::Without(_) => return None,
    }
    Some(setup.clone().with_card(unit, card))
}
