//! The rules of battle, one file per phase, in the order in which a battle comes to them:
//!
//! | file | what it rules |
//! |---|---|
//! | `prebattle` | teams, rulesets, summoners and auras before round 1 |
//! | `stats` | what auras, Halving, Last Stand and Enrage make of a monster's numbers |
//! | `round_start` | earthquake, poison, fatigue, what summoners do |
//! | `turn_order` | who acts next |
//! | `support` | Cleanse, Tank Heal, Repair, Triage, Heal |
//! | `target` | who can attack, and whom |
//! | `hit` | the chance to hit |
//! | `damage` | Shield, Void, armor, Divine Shield |
//! | `attack` | an attack with everything that comes of it |
//! | `death` | death, Resurrect, Scavenger, Redemption, Last Stand |

mod attack;
mod damage;
mod death;
pub mod hit;
pub mod prebattle;
mod round_start;
mod stats;
mod support;
pub mod target;
mod turn_order;

use std::ops::ControlFlow;

use super::Splinterlands;
use super::ability::Ability;
use super::event::Event;
use super::rolls::Roll;
use super::setup::Setup;
use super::state::State;
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};

/// A battle still open after this round is a draw (decision 5).
pub const LAST_ROUND: u8 = 50;

/// A battle at the moment of playing: what never changes, what does, and who is asked and told.
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

    /// One round: what happens at its start, then everybody's turn.
    pub fn round(&mut self) -> ControlFlow<Outcome> {
        if let Some(verdict) = self.state.verdict {
            return ControlFlow::Break(verdict);
        }
        self.state.round += 1;
        self.tell(Event::Round(self.state.round));
        self.start_of_round()?;
        self.state.waiting = self.state.alive;
        let mut done = 0;
        while let Some((who, tied)) = self.next_to_act(&mut done) {
            self.state.waiting.remove(who);
            self.tell(Event::Turn { who, tied });
            self.release_stunned_by(who);
            if self.state.stunned.has(who) {
                self.skip_turn(who);
                continue;
            }
            self.support(who);
            self.attack_with_all(who);
            self.over()?;
            if self.state.at(who).has(Ability::DoubleStrike) && self.state.alive.has(who) {
                self.attack_with_all(who);
                self.over()?;
            }
        }
        if self.state.order_is_stale {
            self.state.sort_order();
        }
        if self.state.round >= LAST_ROUND {
            return ControlFlow::Break(Outcome::Draw);
        }
        ControlFlow::Continue(())
    }

    /// Whether a side has nobody left. Both at once is a draw (decision 5).
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
