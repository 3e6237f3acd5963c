//! The policy that plays a written script.

use super::{most_named, unaimed};
use crate::game::Side;
use crate::games::eldertale::combinations::places;
use crate::games::eldertale::setup::{Line, Setup};
use crate::games::eldertale::state::{Named, Plays, State};

/// Plays the script's turn for this round; after the last turn the script starts again. Cards that are not in hand
/// or not paid for are left out.
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

/// The seats that a script's line targets. A character's name stands for the next seat of that character in
/// joining order that is not out. Where there is none, or no character is named, the target is the next seat of
/// all.
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
