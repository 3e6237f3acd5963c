//! The policy under which every legal play is equally likely.

use super::most_named;
use crate::chance::Chance;
use crate::game::Side;
use crate::games::eldertale::combinations::{Cards, Hand, affordable, chosen, nth_affordable};
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::setup::{Deck, Setup};
use crate::games::eldertale::state::{Named, Play, Plays, Seats, State};

/// Draws one of all sets of cards in hand that the energy pays for, the empty set included, each equally likely
/// (ET-05). Each card that names targets then names as many as it has hits (one, where only one may be named),
/// each drawn among all other characters that are not out. The plays are appended to `plays`.
#[inline(always)]
pub fn random<C: Chance<Roll>>(
    setup: &Setup,
    state: &State,
    who: Side,
    chance: &mut C,
    plays: &mut Plays,
) {
    let (player, deck) = (state.at(who), &setup.sheet(state, who).deck);
    let energy = usize::from(player.energy);
    let others = state.others(who);
    let only = others.only();
    // The same for each card, so it is put together once.
    let alone = only.map(Named::one);
    let hand = Hand::of(player.hand, deck.costing()[1]);
    let (hand, set) = match hand.and_then(|hand| Some((hand, hand.affordable(energy)?))) {
        Some((hand, sets)) => (hand, sets[chance.pick(Roll::Play, sets.len())]),
        None => any_affordable(deck, player.hand, energy, chance),
    };
    for place in hand.places(set) {
        let card = deck.card(place);
        let names = most_named(setup, card);
        let named = match (names, alone) {
            (0, _) => Named::default(),
            // With only one possible target no die is thrown.
            (1, Some(alone)) => alone,
            _ => (0..names).map(|_| only.unwrap_or_else(|| one_of(others, chance))).collect(),
        };
        plays.push(Play { place: place as u8, card, named });
    }
}

/// Draws one of several seats. Kept out of line, since with two characters there is nothing to draw.
#[inline(never)]
fn one_of<C: Chance<Roll>>(seats: Seats, chance: &mut C) -> Side {
    let mut seats = seats;
    seats.nth(chance.pick(Roll::Target, seats.len())).expect("somebody else is not out")
}

/// Draws one of the affordable sets of cards where they are not listed in a table.
#[cold]
#[inline(never)]
fn any_affordable<C: Chance<Roll>>(
    deck: &Deck,
    hand: Cards,
    energy: usize,
    chance: &mut C,
) -> (Hand, u8) {
    let by_cost = deck.costing().map(|costing| hand & costing);
    let counts = by_cost.map(|cards| cards.count_ones() as usize);
    let number = chance.pick(Roll::Play, affordable(energy, counts) as usize);
    let of_each = nth_affordable(number as u32, energy, counts);
    let set = chosen(of_each[0], by_cost[0]) | chosen(of_each[1], by_cost[1]);
    let hand = Hand::of(set, 0).expect("no energy pays for more cards than that");
    (hand, hand.whole())
}
