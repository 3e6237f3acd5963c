//! The states in which games and positions begin.

use super::list::List;
use super::rolls::Roll;
use super::setup::{Brings, Cards, Games};
use super::state::{Creature, FormSet, LANES, Pile, Player, Spaces, State};
use crate::chance::Chance;
use crate::game::Side;

/// A player with this much life and no cards.
#[must_use]
pub fn player(contender: u16, life: i16) -> Player {
    Player {
        contender,
        life,
        armor: 0,
        armor_used: 0,
        rank: 1,
        turns: 0,
        plays: 2,
        played: 0,
        hand: Pile::new(),
        deck: Pile::new(),
        discard: Pile::new(),
    }
}

/// A state with an empty field between two players.
#[must_use]
pub fn field(players: [Player; 2], active: Side) -> State {
    State {
        field: [[Creature::NOBODY; LANES]; 2],
        players,
        active,
        turn: 0,
        step: 0,
        battles_open: 1,
        fought: false,
        sudden_death: false,
        verdict: None,
        put_off: List::new(),
        dead: List::new(),
        seen: [FormSet::default(); 2],
        occupied: Spaces::default(),
        standing: Spaces::default(),
        statics: Default::default(),
        doomed: Spaces::default(),
        listening: Default::default(),
        granted: Spaces::default(),
        mobile: Spaces::default(),
        fading: Spaces::default(),
        next_id: 2 * LANES as u16 + 1,
        kills: 0,
    }
}

/// The start of a game between two decks, before the first hands are drawn.
pub(super) fn of_game<C: Chance<Roll>>(
    games: &Games,
    contenders: [u16; 2],
    chance: &mut C,
) -> State {
    let players = contenders.map(|contender| player(contender, games.rules.life));
    let mut state = field(players, games.rules.first);
    for side in [Side::A, Side::B] {
        let player = state.player_mut(side);
        match &games.decks[usize::from(player.contender)].brings {
            Brings::Fixed(cards) => player.deck.extend(cards.iter().copied()),
            Brings::Drawn(pool) => {
                chance.about(1 + u32::from(side.0));
                player.deck = pool.draw(chance);
                chance.about(0);
            }
        }
        if games.draws_decks() {
            // A card counts wherever it is in the deck: whether it is played depends on how the game goes.
            for form in state.player(side).deck {
                state.seen[side.index()].insert(form);
            }
        }
    }
    state
}

/// Gives the creatures of a position the ids of their spaces, and brings the state's sets of spaces up to date.
pub(super) fn number(cards: &Cards, state: &mut State) {
    for side in [Side::A, Side::B] {
        for lane in 0..LANES {
            let creature = &mut state.field[side.index()][lane];
            if creature.is_somebody() {
                creature.id = (side.index() * LANES + lane + 1) as u16;
            }
            super::rules::statics::note(cards, state, side, lane as u8);
        }
    }
    state.next_id = 2 * LANES as u16 + 1;
}
