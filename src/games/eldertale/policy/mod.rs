//! Who decides what to play. Each policy gives one turn's plays, in the order in which they are played; all of
//! them are legal: cards in hand, paid for by the energy, at characters that are not out.

mod greedy;
mod random;
mod scripted;
mod worth;

pub use greedy::greedy;
pub use random::random;
pub use scripted::scripted;

use super::setup::Setup;
use super::state::{Named, Play, State};
use crate::game::Side;

/// A card of a deck as it is played, naming nobody yet.
#[inline]
fn unaimed(setup: &Setup, state: &State, who: Side, place: usize) -> Play {
    let card = setup.sheet(state, who).deck.card(place);
    Play { place: place as u8, card, named: Named::default() }
}

/// How many targets a card may name (ET-07).
#[inline]
fn most_named(setup: &Setup, card: u16) -> usize {
    usize::from(setup.brief(card).names)
}
