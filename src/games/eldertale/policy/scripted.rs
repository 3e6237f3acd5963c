//! The policy that plays a written script.

use super::{most_named, unaimed};
use crate::game::Side;
use crate::games::eldertale::combinations::places;
use crate::games::eldertale::setup::{Line, Setup};
use crate::games::eldertale::state::{Named, Plays, State};

/// Why a line of a script is not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// No copy of its card is in hand, or none that an earlier line has not played.
    NotInHand,
    /// The energy that is left by then does not pay for it.
    Unpaid {
        /// The energy that is left by then.
        energy: u8,
    },
}

/// Plays the script's turn for this round; after the last turn the script starts again. Cards that are not in hand
/// or not paid for are left out.
#[must_use]
pub fn scripted(setup: &Setup, state: &State, who: Side, script: &[Vec<Line>]) -> Plays {
    let mut plays = Plays::new();
    for (line, place) in turn(setup, state, who, script) {
        let Ok(place) = place else { continue };
        let mut play = unaimed(setup, state, who, place);
        play.named = named(setup, state, who, line);
        plays.push(play);
    }
    plays
}

/// The cards of the script's turn for this round that are not played, and why; in the order of the script.
pub fn left_out<'a>(
    setup: &'a Setup,
    state: &'a State,
    who: Side,
    script: &'a [Vec<Line>],
) -> impl Iterator<Item = (u16, LeftOut)> + use<'a> {
    turn(setup, state, who, script).filter_map(|(line, place)| Some((line.card, place.err()?)))
}

/// The lines of the script's turn for this round, each with the place in the deck of the card that it plays.
#[inline]
fn turn<'a>(
    setup: &'a Setup,
    state: &'a State,
    who: Side,
    script: &'a [Vec<Line>],
) -> impl Iterator<Item = (&'a Line, Result<usize, LeftOut>)> {
    let player = state.at(who);
    let deck = &setup.sheet(state, who).deck;
    let (mut hand, mut energy) = (player.hand, player.energy);
    let nth = usize::from(state.round - 1) % script.len().max(1);
    script.get(nth).into_iter().flatten().map(move |line| {
        let cost = setup.card(line.card).cost;
        let place = places(hand).find(|&place| deck.card(place) == line.card);
        let place = match place {
            None => Err(LeftOut::NotInHand),
            Some(_) if cost > energy => Err(LeftOut::Unpaid { energy }),
            Some(place) => {
                hand &= !(1 << place);
                energy -= cost;
                Ok(place)
            }
        };
        (line, place)
    })
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
