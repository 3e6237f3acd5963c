//! Plays what is written down.

use super::{most_named, unaimed};
use crate::game::Side;
use crate::games::eldertale::combinations::places;
use crate::games::eldertale::setup::{Line, Setup};
use crate::games::eldertale::state::{Named, Plays, State};

/// Plays the turn of the script that is due; after the last turn the script starts again. What is not in hand
/// or not paid for is left out.
#[must_use]
pub fn scripted(setup: &Setup, state: &State, who: Side, script: &[Vec<Line>]) -> Plays {
    let mut plays = Plays::new();
    if script.is_empty() {
        return plays;
    }
    let player = state.at(who);
    let deck = &setup.sheet(state, who).deck;
    let (mut hand, mut energy) = (player.hand, player.energy);
    for line in &script[usize::from(state.round - 1) % script.len()] {
        let cost = setup.card(line.card).cost;
        let place = places(hand).find(|&place| deck.card(place) == line.card);
        let Some(place) = place.filter(|_| cost <= energy) else { continue };
        hand &= !(1 << place);
        energy -= cost;
        let mut play = unaimed(setup, state, who, place);
        play.named = named(setup, state, who, line);
        plays.push(play);
    }
    plays
}

/// The seats of those named. A character is the next one so called in joining order who is not out; where
/// there is none, and where nobody is named, it is the next one of all.
fn named(setup: &Setup, state: &State, who: Side, line: &Line) -> Named {
    let others = state.others(who);
    let next = others.after(who).expect("somebody else is not out");
    let seat_of = |&sheet: &u16| {
        let mut seat = next;
        for _ in 0..others.len() {
            if state.at(seat).sheet == sheet {
                return seat;
            }
            seat = others.after(seat).expect("somebody else is not out");
        }
        next
    };
    match most_named(setup, line.card) {
        0 => Named::default(),
        _ if line.named.is_empty() => Named::from_iter([next]),
        most => line.named.iter().take(most).map(seat_of).collect(),
    }
}
