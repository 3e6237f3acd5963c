//! Policies, which decide what a character plays. Each returns the plays of one turn in the order in which they
//! are played. All plays are legal: cards in hand, paid for by the energy, at characters that are not out.

mod greedy;
mod random;
mod scripted;
mod worth;

pub use greedy::greedy;
pub use random::random;
pub use scripted::{LeftOut, left_out, scripted};

use super::setup::Setup;
use super::state::{Named, Play, State};
use crate::game::Side;

/// A play of the card in this place of the deck, without targets yet.
#[inline]
fn unaimed(setup: &Setup, state: &State, who: Side, place: usize) -> Play {
    let card = setup.sheet(state, who).deck.card(place);
    Play { place: place as u8, card, named: Named::default() }
}

/// The maximum number of targets that a card may name (ET-07).
#[inline]
fn most_named(setup: &Setup, card: u16) -> usize {
    usize::from(setup.brief(card).names)
}
