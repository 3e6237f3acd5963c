//! What happens between rounds (step 4): earthquake, poison, fatigue, and what summoners do.

use std::ops::ControlFlow;

use super::Battle;
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::event::{Cause, Event};
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::Places;

/// Melee damage of an earthquake (SP-69).
const EARTHQUAKE: i8 = 2;
/// Health lost to poison each round.
const POISON: i8 = 2;
/// The first round with fatigue (decision 5).
const FATIGUE_FROM: u8 = 21;

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// Everything at the start of a round: earthquake, poison, fatigue, then what summoners do (step 4, decision 4;
    /// SP-31, SP-69, SP-X).
    #[inline]
    pub(super) fn start_of_round(&mut self) -> ControlFlow<Outcome> {
        if self.state.round > 1 {
            if self.state.rules(Ruleset::Earthquake) {
                self.earthquake();
                self.over()?;
            }
            if !self.state.poisoned.is_empty() {
                self.poison();
                self.over()?;
            }
            if self.state.round >= FATIGUE_FROM {
                self.fatigue();
                self.over()?;
            }
        }
        for side in [Side::A, Side::B] {
            if !self.state.leaders[side.index()].abilities.is_empty() {
                self.summoner_acts(side);
            }
        }
        ControlFlow::Continue(())
    }

    /// Shakes one team after the other, each from the front, every death resolved before the next monster is shaken
    /// (guide, Earthquake; SP-69, SP-70, SP-71, SP-72, SP-73, SP-74, SP-75, SP-76).
    fn earthquake(&mut self) {
        let first = self.state.shaken_first;
        self.tell(Event::Quakes(first));
        for side in [first, first.other()] {
            for place in Places::of(side) {
                if !self.state.alive.has(place) {
                    continue;
                }
                if self.state.at(place).flies() {
                    self.tell(Event::Unshaken(place));
                    continue;
                }
                self.physical(Cause::Earthquake, None, place, EARTHQUAKE);
                self.bury_if_dead(place);
            }
        }
    }

    /// Takes health from poisoned monsters, side A first (decision 6); nothing protects from it (step 4, SP-X).
    fn poison(&mut self) {
        for place in self.state.poisoned {
            if self.state.alive.has(place) && self.state.poisoned.has(place) {
                self.lose_health(Cause::Poison, place, POISON);
                self.bury_if_dead(place);
            }
        }
    }

    /// Everybody tires, one after the other; the whole field does so before anybody has won, so that both
    /// sides can fall together (decision 5, SP-X).
    fn fatigue(&mut self) {
        let damage = (self.state.round - FATIGUE_FROM + 1) as i8;
        for place in self.state.alive {
            if self.state.alive.has(place) {
                self.lose_health(Cause::Fatigue, place, damage);
                self.bury_if_dead(place);
            }
        }
    }
}
