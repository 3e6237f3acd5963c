//! Every legal play is equally likely.

use super::{most_named, unaimed};
use crate::chance::Chance;
use crate::game::Side;
use crate::games::eldertale::combinations::{Cards, chosen, numbered, places, ways, ways_up_to};
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::setup::Setup;
use crate::games::eldertale::state::{Plays, Seats, State};

/// Draws one of all sets of cards in hand that the energy pays for, the empty one included, each equally
/// likely; then for each card that names targets as many as it has hits (one, where only one may be named),
/// each drawn among all others who are not out.
#[must_use]
pub fn random<C: Chance<Roll>>(setup: &Setup, state: &State, who: Side, chance: &mut C) -> Plays {
    let others = state.others(who);
    let only = others.only();
    let mut plays = Plays::new();
    for place in places(any_affordable(setup, state, who, chance)) {
        let mut play = unaimed(setup, state, who, place);
        for _ in 0..most_named(setup, play.card) {
            // With one to choose there is no die.
            let target = only.unwrap_or_else(|| one_of(others, chance));
            play.named.push(target);
        }
        plays.push(play);
    }
    plays
}

/// Apart, since with two characters there is nothing to draw.
#[inline(never)]
fn one_of<C: Chance<Roll>>(seats: Seats, chance: &mut C) -> Side {
    let mut seats = seats;
    seats.nth(chance.pick(Roll::Target, seats.len())).expect("somebody else is not out")
}

/// One of the sets of cards that the energy pays for (ET-05). They are numbered by how many cards they hold that cost
/// 2, then by which, then by how many that cost 1, then by which, always as [`numbered`] does.
fn any_affordable<C: Chance<Roll>>(
    setup: &Setup,
    state: &State,
    who: Side,
    chance: &mut C,
) -> Cards {
    let player = state.at(who);
    let energy = usize::from(player.energy);
    let costing = setup.sheet(state, who).deck.costing();
    let (ones, twos) = (player.hand & costing[0], player.hand & costing[1]);
    let (count_ones, count_twos) = (ones.count_ones() as usize, twos.count_ones() as usize);
    // All sets of ones that so much energy pays for.
    let beside = |doubles: usize| ways_up_to(count_ones, energy - 2 * doubles);
    let with = |doubles: usize| ways(count_twos, doubles) * beside(doubles);
    let without = beside(0);
    let mut total = without;
    for doubles in 1..=energy / 2 {
        total += with(doubles);
    }
    let mut number = chance.pick(Roll::Play, total as usize) as u32;
    let (mut doubles, mut which) = (0, 0);
    if number >= without {
        number -= without;
        doubles = 1;
        while number >= with(doubles) {
            number -= with(doubles);
            doubles += 1;
        }
        let beside = beside(doubles);
        (which, number) = (number / beside, number % beside);
    }
    let mut size = 0;
    while number >= ways(count_ones, size) {
        number -= ways(count_ones, size);
        size += 1;
    }
    chosen(numbered(which, doubles), twos) | chosen(numbered(number, size), ones)
}
