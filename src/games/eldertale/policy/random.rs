//! Every legal play is equally likely.

use super::{most_named, unaimed};
use crate::chance::Chance;
use crate::game::Side;
use crate::games::eldertale::combinations::{Cards, numbered, places, ways};
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::setup::{DECKS, Setup};
use crate::games::eldertale::state::{MOST_ENERGY, Plays, Seats, State};

/// Draws one of all sets of cards in hand that the energy pays for, the empty one included, each equally
/// likely; then for each card that names targets as many as it has hits (one, where only one may be named),
/// each drawn among all others who are not out.
#[must_use]
pub fn random<C: Chance<Roll>>(setup: &Setup, state: &State, who: Side, chance: &mut C) -> Plays {
    let others = state.others(who);
    let mut plays = Plays::new();
    for place in places(any_affordable(setup, state, who, chance)) {
        let mut play = unaimed(setup, state, who, place);
        for _ in 0..most_named(setup, play.card) {
            play.named.push(one_of(others, chance));
        }
        plays.push(play);
    }
    plays
}

fn one_of<C: Chance<Roll>>(seats: Seats, chance: &mut C) -> Side {
    let mut seats = seats;
    seats.nth(chance.pick(Roll::Target, seats.len())).expect("somebody else is not out")
}

/// One of the sets of cards that the energy pays for. It pays for one card that costs 2 at most, so the sets
/// are numbered: first those without, by how many cards they hold and then as [`numbered`] does; then those
/// with each card that costs 2, likewise.
fn any_affordable<C: Chance<Roll>>(
    setup: &Setup,
    state: &State,
    who: Side,
    chance: &mut C,
) -> Cards {
    const { assert!(MOST_ENERGY < 4, "two cards that cost 2 cannot be paid for") };
    let player = state.at(who);
    let energy = usize::from(player.energy);
    let costing = setup.sheet(state, who).deck.costing;
    let (mut ones, mut twos) = ([0u8; DECKS], [0u8; DECKS]);
    let (mut count_ones, mut count_twos) = (0, 0);
    for place in places(player.hand) {
        (ones[count_ones], twos[count_twos]) = (place as u8, place as u8);
        count_ones += (costing[0] >> place & 1) as usize;
        count_twos += (costing[1] >> place & 1) as usize;
    }
    let of_ones = [0, 1, 2, 3].map(|size| ways(count_ones, size));
    let sets_up_to = |size: usize| of_ones[..=size].iter().sum::<u32>();
    let without = sets_up_to(energy);
    let beside = if energy < 2 { 0 } else { sets_up_to(energy - 2) };
    let total = without + count_twos as u32 * beside;
    let mut number = chance.pick(Roll::Play, total as usize) as u32;
    let mut set = 0;
    if number >= without {
        number -= without;
        set |= 1 << twos[(number / beside) as usize];
        number %= beside;
    }
    let mut size = 0;
    while number >= of_ones[size] {
        number -= of_ones[size];
        size += 1;
    }
    places(numbered(number, size)).fold(set, |set, at| set | 1 << ones[at])
}
