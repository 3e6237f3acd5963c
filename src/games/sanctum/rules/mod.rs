//! The pipelines, each in a file of its own, each step under the label it has on the page:
//!
//! | file | pipeline | steps |
//! |---|---|---|
//! | `check_for_all_combats` | who fights whom on a map, and in which order | |
//! | `full_combat` | a full combat | C1 to C4 |
//! | `combat_round` | one combat round | R1 to R4 |
//! | `choose_victims_wisely` | whom a minion attacks that chooses wisely | 1 to 6 |
//! | `one_attack` | one attack | A1 to A8 |
//! | `takes_damage` | what damage does to a minion | D1 to D3 |
//! | `minion_death` | dying, burial and blame | |
//! | `effects` | what effects do where a pipeline comes to them | |

pub mod check_for_all_combats;
mod choose_victims_wisely;
mod combat_round;
mod effects;
mod full_combat;
mod known;
mod minion_death;
mod one_attack;
mod takes_damage;

use std::ops::ControlFlow;

use super::Sanctum;
use super::effect::Trigger;
use super::event::Event;
use super::profile::Kind;
use super::rolls::Roll;
use super::setup::Setup;
use super::state::{Place, State};
use crate::chance::Chance;
use crate::game::{Outcome, Watch};
use known::Known;

/// A combat phase while it is played: the setup, the state that changes, the dice and the watch.
pub(super) struct Battle<'a, C, W> {
    pub setup: &'a Setup,
    pub state: &'a mut State,
    pub chance: &'a mut C,
    pub watch: &'a mut W,
    /// Facts about minions worked out in this round.
    known: Known,
}

impl<'a, C: Chance<Roll>, W: Watch<Sanctum>> Battle<'a, C, W> {
    #[inline]
    pub fn new(
        setup: &'a Setup,
        state: &'a mut State,
        chance: &'a mut C,
        watch: &'a mut W,
    ) -> Self {
        Self { setup, state, chance, watch, known: Known::new() }
    }

    #[inline(always)]
    fn tell(&mut self, event: Event) {
        self.watch.see(self.setup, self.state, event);
    }

    #[inline(always)]
    fn kind(&self, who: Place) -> &'a Kind {
        let setup: &'a Setup = self.setup;
        setup.kind(self.state.at(who).kind)
    }

    /// Whether a minion has an effect at a point of a pipeline. `EFFECTS` is false where nobody in the combat has
    /// any effect: then no minion is looked at.
    #[inline(always)]
    fn has_effect<const EFFECTS: bool>(&self, who: Place, at: Trigger) -> bool {
        EFFECTS && self.kind(who).triggers.contains(at)
    }

    /// Plays everything before the first combat round (C1 of the first combat; SA-18).
    pub fn open(&mut self) {
        self.tell(Event::Begins);
        self.next_combat();
    }

    /// Plays one combat round, and everything between it and the next round (Pipelines to Check for All Combats
    /// and for a Full Combat; SA-05, SA-06, SA-23).
    #[inline]
    pub fn round(&mut self) -> ControlFlow<Outcome> {
        if self.state.in_combat {
            self.one_combat_round();
            if self.combat_is_over() {
                self.c4_end_of_combat();
                self.next_combat();
            }
        }
        if self.state.in_combat {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(self.state.outcome(self.setup))
        }
    }
}
