//! The rulebook of Elder Tale's card combat as one plain program. "Guide" is the game's page *Card Combat*, cited by
//! section; "README" is the game's own page of decisions. Plays are given from outside: policies are not rules.

mod deal;
mod done;
mod effects;
mod harm;
mod play;

use evens::games::eldertale::cards::{Card, CardType};
use evens::games::eldertale::effect::Effect;
use evens::games::eldertale::open_rules::OpenRules;

use crate::reference::recorded::Recorded;
use deal::TYPES;

/// The usual maximum of energy (guide, Gameplay Setup).
const ENERGY: u32 = 3;
/// The maximum where the scenario lets attacks give more (README, Decisions).
const MOST_ENERGY: u32 = 6;
/// The energy of the player that goes first (guide, Gameplay Setup).
const FIRST_ENERGY: u32 = 2;

/// A card and its place in the deck, by which it is known.
#[derive(Clone, Debug)]
pub struct InDeck {
    pub place: u8,
    pub card: Card,
}

/// A Memory that a player may put down (guide, All In).
#[derive(Clone, Copy, Debug)]
pub struct Wager {
    /// It is put down at the first own turn that begins with at most this many hit points.
    pub at: i32,
    /// The weights of holding on and of being disabled.
    pub odds: [u64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Kept,
    Down,
    /// Its player has been at 0 hit points or below and is still in the session.
    AllIn,
    Erased,
}

/// An attack that waits in its target's queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub by: usize,
    pub place: u8,
    pub hits: u32,
    /// Whether it carries the card's effects on the attacker itself.
    pub leads: bool,
}

/// A character in a session.
#[derive(Clone, Debug)]
pub struct Player {
    pub full_hp: i32,
    pub hp: i32,
    pub deck: Vec<InDeck>,
    pub wager: Option<Wager>,
    pub energy: u32,
    /// Places in the deck, in rising order.
    pub hand: Vec<u8>,
    /// Single Use cards that have been used up.
    pub used_up: Vec<u8>,
    /// The cards of each deck that are still to be dealt, where discards lie on a pile.
    pub draw_piles: [Vec<u8>; 3],
    pub queue: Vec<Waiting>,
    /// Oldest first.
    pub effects: Vec<Effect>,
    pub memory: Memory,
    pub drops: u32,
    pub energy_used: u32,
    pub energy_left: u32,
    pub out: bool,
}

/// A card that is played, and the characters at whom it is aimed.
#[derive(Clone, Debug)]
pub struct Played {
    pub place: u8,
    pub named: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Won(usize),
    Drawn,
    Undecided,
}

/// A session.
#[derive(Clone, Debug)]
pub struct Book {
    /// In joining order.
    pub players: Vec<Player>,
    pub active: usize,
    pub round: u32,
    pub last_round: u32,
    pub dice: Recorded,
    pub open_rules: OpenRules,
    /// The guard of each defense hit that stands during this turn.
    guards: Vec<i32>,
}

impl Book {
    /// Opens a session: the first to join goes first (README), and everybody is dealt a hand.
    pub fn open(
        players: Vec<Player>,
        last_round: u32,
        dice: Recorded,
        open_rules: OpenRules,
    ) -> Self {
        let guards = Vec::new();
        let mut book = Self { players, active: 0, round: 1, last_round, dice, open_rules, guards };
        for who in 0..book.players.len() {
            book.players[who].energy = FIRST_ENERGY;
            book.players[who].draw_piles = TYPES.map(|kind| book.left(who, kind));
            book.deal(who);
        }
        book
    }

    pub fn card(&self, who: usize, place: u8) -> &Card {
        &self.players[who].deck.iter().find(|in_deck| in_deck.place == place).unwrap().card
    }

    pub fn standing(&self) -> Vec<usize> {
        (0..self.players.len()).filter(|&who| !self.players[who].out).collect()
    }

    /// Whether the session is over, as it is the moment a single character is left; nothing more happens in it then
    /// (README).
    pub fn is_over(&self) -> bool {
        self.standing().len() < 2
    }

    /// Plays one turn of the active player with these cards (guide, Basic Gameplay Cycle).
    pub fn turn(&mut self, plays: &[Played]) -> Option<End> {
        let who = self.active;
        self.guards.clear();
        self.put_memory_down(who);
        for played in plays {
            self.play(who, played);
        }
        self.done(who, plays);
        self.pass_on()
    }

    /// Passes the turn to the next in joining order, or ends the session: the last one standing wins. When everybody
    /// has had a turn, the round is over (README).
    fn pass_on(&mut self) -> Option<End> {
        let standing = self.standing();
        match standing[..] {
            [] => return Some(End::Drawn),
            [last] => return Some(End::Won(last)),
            _ => {}
        }
        let next = standing.iter().copied().find(|&who| who > self.active);
        self.active = next.unwrap_or(standing[0]);
        if next.is_none() {
            if self.round == self.last_round {
                return Some(End::Undecided);
            }
            self.round += 1;
        }
        None
    }

    fn of_type(&self, who: usize, plays: &[Played], kind: CardType) -> Vec<Played> {
        let is_it = |played: &&Played| self.card(who, played.place).kind == kind;
        plays.iter().filter(is_it).cloned().collect()
    }
}
