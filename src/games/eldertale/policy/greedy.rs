//! The policy that plays whatever is worth most for its energy, with the incoming queue in view.

use super::worth::{Prospects, worth};
use super::{most_named, unaimed};
use crate::game::Side;
use crate::games::eldertale::cards::CardType;
use crate::games::eldertale::combinations::places;
use crate::games::eldertale::setup::Setup;
use crate::games::eldertale::state::{Named, Plays, State};

/// Takes the affordable card that is worth most per energy, again and again, until no card is worth anything. An
/// attack is worth its damage, defense the damage that it keeps off from the queue, and an effect the hit points
/// that it is likely to give, take or keep off: less than nothing where it harms the player or helps its target,
/// and nothing where one as strong acts already. Of equals the cheaper card is taken, then the first in the deck.
/// All hits go to the character with the fewest HP, of equals the next in joining order. It throws no dice.
#[must_use]
pub fn greedy(setup: &Setup, state: &State, who: Side) -> Plays {
    let player = state.at(who);
    let deck = &setup.sheet(state, who).deck;
    let target = weakest(state, who);
    let mut prospects = Prospects::of(setup, state, who);
    let (mut hand, mut energy) = (player.hand, player.energy);
    let mut plays = Plays::new();
    while energy > 0 {
        let mut best: Option<(i32, i32, usize)> = None;
        for place in places(hand) {
            let card = setup.card(deck.card(place));
            let (worth, cost) =
                (worth(setup, state, who, target, card, &prospects), i32::from(card.cost));
            // Worth per energy, compared without dividing.
            let better = best.is_none_or(|(most, its_cost, _)| {
                let (this, that) = (worth * its_cost, most * cost);
                this > that || this == that && cost < its_cost
            });
            if worth > 0 && card.cost <= energy && better {
                best = Some((worth, cost, place));
            }
        }
        let Some((_, cost, place)) = best else { break };
        hand &= !(1 << place);
        energy -= cost as u8;
        let mut play = unaimed(setup, state, who, place);
        let card = setup.card(play.card);
        if most_named(setup, play.card) > 0 {
            play.named = Named::from_iter([target]);
        }
        if card.kind == CardType::Defense {
            prospects.defend(card);
        }
        prospects.expect_effects(card);
        plays.push(play);
    }
    plays
}

/// The other character with the fewest HP; of equals the next in joining order.
fn weakest(state: &State, who: Side) -> Side {
    let others = state.others(who);
    let mut seat = others.after(who).expect("somebody else is not out");
    let mut weakest = seat;
    for _ in 1..others.len() {
        seat = others.after(seat).expect("somebody else is not out");
        if state.at(seat).hp < state.at(weakest).hp {
            weakest = seat;
        }
    }
    weakest
}
