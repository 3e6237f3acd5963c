//! Every legal play is equally likely.

use super::{most_named, unaimed};
use crate::chance::Chance;
use crate::game::Side;
use crate::games::eldertale::combinations::{Cards, chosen, numbered, places, ways};
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::setup::Setup;
use crate::games::eldertale::state::{Plays, Seats, State};

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

/// One of the sets of cards that the energy pays for. They are numbered by how many cards that cost 2 are in
/// them, then by how many that cost 1, then as [`numbered`] does.
fn any_affordable<C: Chance<Roll>>(
    setup: &Setup,
    state: &State,
    who: Side,
    chance: &mut C,
) -> Cards {
    let player = state.at(who);
    let deck = &setup.sheet(state, who).deck;
    let [ones, twos] = deck.costing.map(|cards| cards & player.hand);
    let (among_ones, among_twos) = (ones.count_ones(), twos.count_ones());
    let energy = usize::from(player.energy);
    let shapes =
        || (0..=energy / 2).flat_map(move |two| (0..=energy - 2 * two).map(move |one| (two, one)));
    let sets = |(two, one)| (ways(among_twos, two), ways(among_ones, one));
    let total: u32 = shapes().map(sets).map(|(of_twos, of_ones)| of_twos * of_ones).sum();
    let mut number = chance.pick(Roll::Play, total as usize) as u32;
    for shape in shapes() {
        let (of_twos, of_ones) = sets(shape);
        if number < of_twos * of_ones {
            let (two, one) = shape;
            return chosen(numbered(number / of_ones, two), twos)
                | chosen(numbered(number % of_ones, one), ones);
        }
        number -= of_twos * of_ones;
    }
    unreachable!("the number is below the sum of all shapes")
}
