//! The rules of a session, one file per idea, in the order of the rulebook:
//!
//! | file | what it rules |
//! |---|---|
//! | `play` | energy, playing cards, naming targets |
//! | `done` | the order of operations, and whose turn is next |
//! | `deal` | the new hand |
//! | `hits` | attack hits against defense hits, Power, Guard Up, Guard Down, Thorns |
//! | `effects` | when effects start, act and end |
//! | `harm` | hit points, healing, going out, All In |

mod deal;
mod done;
mod effects;
mod harm;
mod hits;
mod play;

pub(super) use deal::DEALT;

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::ElderTale;
use super::cards::EFFECTS;
use super::event::Event;
use super::rolls::Roll;
use super::setup::{Policy, Setup};
use super::state::{PLAYS, Plays, State};
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};
use done::Order;

/// Energy for a first turn, unless one was targeted before it (Gameplay Setup; ET-01, ET-02).
pub const FIRST_ENERGY: u8 = 2;

/// The defense hits of a turn, oldest first: the guard of the hits of each card or effect, and how many are left.
type Standing = ArrayVec<(u8, u8), { PLAYS * (1 + EFFECTS) + 2 }>;

/// A session while it is played: the setup, the state that changes, the dice and the watch.
pub(super) struct Session<'a, C, W> {
    pub setup: &'a Setup,
    pub state: &'a mut State,
    pub chance: &'a mut C,
    pub watch: &'a mut W,
    /// The defense hits of the active character: first those that have fallen, then those that still stand.
    pub standing: Standing,
    /// The number of entries in `standing` that have fallen, counted so that none has to move up when one falls.
    pub fallen: usize,
}

impl<'a, C: Chance<Roll>, W: Watch<ElderTale>> Session<'a, C, W> {
    pub fn new(
        setup: &'a Setup,
        state: &'a mut State,
        chance: &'a mut C,
        watch: &'a mut W,
    ) -> Self {
        Self { setup, state, chance, watch, standing: ArrayVec::new(), fallen: 0 }
    }

    #[inline(always)]
    fn tell(&mut self, event: Event) {
        self.watch.see(self.setup, self.state, event);
    }

    /// Deals everybody a first hand (ET-18, decision 10).
    pub fn open(&mut self) {
        for seat in self.state.standing {
            self.deal(seat);
        }
        self.tell(Event::Begins);
    }

    /// The active character's turn: it plays cards, presses "done", and the next one is active (Basic Gameplay Cycle;
    /// ET-01, ET-09).
    pub fn turn(&mut self) -> ControlFlow<Outcome> {
        let who = self.state.active;
        self.tell(Event::Turn(who));
        self.put_memory_down(who);
        let mut plays = Plays::new();
        self.choose(who, &mut plays);
        let single_use = self.setup.sheet(self.state, who).deck.single_use();
        let mut order = Order::default();
        for (nth, play) in plays.iter().enumerate() {
            let card = self.setup.brief(play.card);
            self.play(who, play, card, single_use);
            order.add(card.kind, nth);
        }
        // Going out ends the turn at once; the session may go on without this character.
        let _ = self.done(who, &plays, order);
        self.pass_on(who)
    }

    /// Chooses the plays of the active character, with its queue in view (Basic Gameplay Cycle; ET-05, ET-08).
    /// They are written into `plays` in place, because they are too many bytes to be returned.
    #[inline(always)]
    fn choose(&mut self, who: Side, plays: &mut Plays) {
        match &self.setup.sheet(self.state, who).policy {
            Policy::Random => {
                super::policy::random(self.setup, self.state, who, self.chance, plays);
            }
            Policy::Greedy => *plays = super::policy::greedy(self.setup, self.state, who),
            Policy::Scripted(script) => {
                *plays = super::policy::scripted(self.setup, self.state, who, script);
            }
        }
    }
}
