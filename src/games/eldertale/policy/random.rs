//! Every legal play is equally likely.

use super::most_named;
use crate::chance::Chance;
use crate::game::Side;
use crate::games::eldertale::combinations::{
    Cards, affordable, chosen, listed, nth_affordable, places,
};
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::setup::{Deck, Setup};
use crate::games::eldertale::state::{Character, Named, Play, Plays, Seats, State};

/// Draws one of all sets of cards in hand that the energy pays for, the empty one included, each equally
/// likely; then for each card that names targets as many as it has hits (one, where only one may be named),
/// each drawn among all others who are not out.
#[must_use]
#[inline(always)]
pub fn random<C: Chance<Roll>>(setup: &Setup, state: &State, who: Side, chance: &mut C) -> Plays {
    let others = state.others(who);
    let only = others.only();
    let deck = &setup.sheet(state, who).deck;
    let mut plays = Plays::new();
    for place in places(any_affordable(deck, state.at(who), chance)) {
        let card = deck.card(place);
        let names = most_named(setup, card);
        let named = match (names, only) {
            (0, _) => Named::default(),
            // With one to choose there is no die.
            (1, Some(only)) => Named::one(only),
            _ => (0..names).map(|_| only.unwrap_or_else(|| one_of(others, chance))).collect(),
        };
        plays.push(Play { place: place as u8, card, named });
    }
    plays
}

/// Apart, since with two characters there is nothing to draw.
#[inline(never)]
fn one_of<C: Chance<Roll>>(seats: Seats, chance: &mut C) -> Side {
    let mut seats = seats;
    seats.nth(chance.pick(Roll::Target, seats.len())).expect("somebody else is not out")
}

/// One of the sets of cards that the energy pays for, each equally likely (ET-05).
#[inline]
fn any_affordable<C: Chance<Roll>>(deck: &Deck, player: &Character, chance: &mut C) -> Cards {
    let energy = usize::from(player.energy);
    let by_cost = deck.costing().map(|costing| player.hand & costing);
    let counts = by_cost.map(|cards| cards.count_ones() as usize);
    let of_each = match listed(energy, counts) {
        Some(sets) => sets[chance.pick(Roll::Play, sets.len())].map(Cards::from),
        None => {
            let number = chance.pick(Roll::Play, affordable(energy, counts) as usize);
            nth_affordable(number as u32, energy, counts)
        }
    };
    chosen(of_each[0], by_cost[0]) | chosen(of_each[1], by_cost[1])
}
