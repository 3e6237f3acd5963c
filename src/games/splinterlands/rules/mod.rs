//! The rules of battle, one file per phase, in the order in which a battle comes to them. "Guide" is the guide to
//! rulesets by its section, steps and decisions are those of the game's README, and SP ids are acceptance cases.
//!
//! | file | what it rules |
//! |---|---|
//! | `prebattle` | what rulesets and summoners change before round 1 |
//! | `squad` | teams, and the state before round 1 as two of them give it |
//! | `stats` | what auras, Halving, Last Stand and Enrage make of a monster's numbers |
//! | `round_start` | earthquake, poison, fatigue, what summoners do |
//! | `turn_order` | who acts next |
//! | `official_order` | the same with the ties of the official program |
//! | `forced_turn` | the first turn where it is forced |
//! | `support` | Cleanse, Tank Heal, Repair, Triage, Heal |
//! | `target` | who can attack, and whom |
//! | `hit` | the chance to hit |
//! | `damage` | Shield, Void, armor, Divine Shield |
//! | `attack` | an attack with everything that comes of it |
//! | `death` | death, Resurrect, Scavenger, Redemption, Last Stand |

mod attack;
mod damage;
mod death;
mod forced_turn;
pub mod hit;
mod official_order;
pub mod prebattle;
mod round_start;
pub(super) mod squad;
pub(super) mod stats;
mod support;
pub mod target;
mod turn_order;

use std::ops::ControlFlow;

use super::Splinterlands;
use super::ability::Ability;
use super::event::Event;
use super::rolls::Roll;
use super::setup::{Setup, TurnTies};
use super::state::{Place, Places, State};
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};

/// A battle still open after this round is a draw (decision 5).
pub const LAST_ROUND: u8 = 50;

/// A battle that is being played: its setup, its state, the source of its dice and its watch.
pub(super) struct Battle<'a, C, W> {
    pub setup: &'a Setup,
    pub state: &'a mut State,
    pub chance: &'a mut C,
    pub watch: &'a mut W,
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    #[inline(always)]
    fn tell(&mut self, event: Event) {
        self.watch.see(self.setup, self.state, event);
    }

    /// Plays one round: what happens at its start, then everybody's turn (steps 4 to 12; SP-X).
    pub fn round(&mut self) -> ControlFlow<Outcome> {
        if let Some(verdict) = self.state.verdict {
            return ControlFlow::Break(verdict);
        }
        self.state.round += 1;
        self.tell(Event::Round(self.state.round));
        self.start_of_round()?;
        self.state.waiting = self.state.alive;
        match self.setup.turn_ties {
            TurnTies::Even => self.turns()?,
            TurnTies::Official => self.turns_in_official_order()?,
        }
        if self.setup.plays_rounds_out {
            self.over()?;
        }
        if self.state.order_is_stale {
            self.state.sort_order();
        }
        if self.state.round >= LAST_ROUND {
            return ControlFlow::Break(Outcome::Draw);
        }
        ControlFlow::Continue(())
    }

    /// Gives every monster its turn; of tied monsters every order is equally likely (SP-88, decision 2).
    #[inline]
    fn turns(&mut self) -> ControlFlow<Outcome> {
        let mut done = 0;
        if self.setup.forced.is_some() {
            // The forced first turn is given away where the order is brought up to date, so that other battles need no
            // check for it.
            self.state.order_is_stale = true;
            done = turn_order::NOBODY_YET;
        }
        while let Some((who, tied)) = self.next_to_act(&mut done) {
            if self.begin_turn(who, tied) {
                self.act(who)?;
                if self.strikes_again(who) {
                    self.strike_again(who)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Begins a turn and returns whether it goes on: not if it is lost to a stun (decision 16, SP-X).
    #[inline(always)]
    fn begin_turn(&mut self, who: Place, tied: u8) -> bool {
        self.tell(Event::Turn { who, tied });
        self.release_stunned_by(who);
        if self.state.stunned.has(who) {
            self.skip_turn(who);
            return false;
        }
        true
    }

    /// Takes a monster's turn: support, then the attacks (step 6, then steps 7 to 11; SP-X).
    #[inline(always)]
    fn act(&mut self, who: Place) -> ControlFlow<Outcome> {
        self.support(who);
        if self.setup.plays_rounds_out && self.state.can_attack(who) {
            // A monster that is about to attack finds that no enemy is left, and the round stops (decision 18).
            self.over()?;
        }
        self.attack_with_all(who);
        self.over_at_once()
    }

    /// Whether a monster has Double Strike and lives to use it (step 10, SP-X).
    #[inline]
    fn strikes_again(&self, who: Place) -> bool {
        self.state.at(who).has(Ability::DoubleStrike) && self.state.alive.has(who)
    }

    /// The second strike: full attacks, no support (step 10, SP-X).
    #[inline(never)]
    fn strike_again(&mut self, who: Place) -> ControlFlow<Outcome> {
        let enemies = self.state.team(who.side().other());
        if !enemies.is_empty() && self.state.can_attack(who) {
            self.tell(Event::StrikesAgain(who));
        }
        self.attack_with_all(who);
        // Its turn is over.
        self.state.trampled = Places::default();
        self.over_at_once()
    }

    /// Breaks if the battle is over in the middle of a round, unless the round has to be played on (decision 18, SP-X).
    #[inline(always)]
    fn over_at_once(&self) -> ControlFlow<Outcome> {
        if !self.state.team(Side::A).is_empty() && !self.state.team(Side::B).is_empty() {
            return ControlFlow::Continue(());
        }
        match self.over() {
            ControlFlow::Break(_) if self.setup.plays_rounds_out => ControlFlow::Continue(()),
            flow => flow,
        }
    }

    /// Breaks with the outcome if a side has nobody left (step 12, SP-76). Both at once is a draw (decision 5, SP-X).
    #[inline]
    pub fn over(&self) -> ControlFlow<Outcome> {
        match (self.state.team(Side::A).is_empty(), self.state.team(Side::B).is_empty()) {
            (false, false) => ControlFlow::Continue(()),
            (true, true) => ControlFlow::Break(Outcome::Draw),
            (true, false) => ControlFlow::Break(Outcome::Win(Side::B)),
            (false, true) => ControlFlow::Break(Outcome::Win(Side::A)),
        }
    }
}
