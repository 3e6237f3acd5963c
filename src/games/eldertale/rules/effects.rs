//! When effects start, act and end (ET-24 to ET-33, ET-E2 to ET-E4).

use std::ops::ControlFlow;

use super::Session;
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::eldertale::ElderTale;
use crate::games::eldertale::effect::{AT_DONE, Effect, Kind};
use crate::games::eldertale::event::{Cause, Event};
use crate::games::eldertale::rolls::Roll;

impl<C: Chance<Roll>, W: Watch<ElderTale>> Session<'_, C, W> {
    /// Starts an effect on a character. Instant effects act now and nothing of them remains (Effects; ET-23,
    /// ET-24, ET-25; decisions 9 and 12).
    #[inline]
    pub(super) fn start(&mut self, who: Side, effect: Effect) {
        if !self.state.standing.has(who) {
            return;
        }
        match effect.kind {
            Kind::Heal => {
                self.tell(Event::Starts { who, effect });
                self.heal(who, effect.intensity, Kind::Heal);
            }
            // Defense hits stand for one turn, and only the active character has any.
            Kind::GainDefense if effect.is_instant() => {
                debug_assert!(who == self.state.active, "gained in the own turn");
                self.tell(Event::Starts { who, effect });
                self.guard(who, effect.intensity, 1, Some(Kind::GainDefense));
            }
            Kind::GainDefense
            | Kind::StartGuard
            | Kind::GuardUp
            | Kind::GuardDown
            | Kind::Power
            | Kind::Thorns
            | Kind::Doom
            | Kind::HealOverTime
            | Kind::Poison
            | Kind::DrawUpUtility
            | Kind::DrawUpDefense
            | Kind::DrawUpAttack
            | Kind::DrawUpRandom
            | Kind::DrawDownUtility
            | Kind::DrawDownDefense
            | Kind::DrawDownAttack
            | Kind::DrawDownRandom => {
                let lost = self.state.at_mut(who).effects.add(effect);
                if let Some(effect) = lost {
                    self.tell(Event::Lost { who, effect });
                }
                if lost != Some(effect) {
                    self.tell(Event::Starts { who, effect });
                }
            }
        }
    }

    /// "All Effects without <Hit Duration> are activated": of these the kinds that act at "done", in the order of
    /// [`Kind`]; effects with a hit duration wait for hits (Order of Operations; ET-31, ET-33, ET-E2, ET-E3).
    /// Breaks when the character goes out.
    pub(super) fn effects_act(&mut self, who: Side) -> ControlFlow<()> {
        for kind in self.state.at(who).effects.kinds() & AT_DONE {
            let intensity = |session: &Self| match session.state.at(who).effects.acting(kind) {
                Some(&Effect { intensity, hits: 0, .. }) => Some(intensity),
                Some(_) | None => None,
            };
            match kind {
                Kind::GainDefense | Kind::StartGuard => {
                    if let Some(intensity) = intensity(self) {
                        self.guard(who, intensity, 1, Some(kind));
                    }
                }
                Kind::HealOverTime => {
                    if let Some(intensity) = intensity(self) {
                        self.heal(who, intensity, kind);
                    }
                }
                Kind::Poison => {
                    if let Some(intensity) = intensity(self) {
                        self.lose(who, u16::from(intensity), Cause::Poison);
                        if !self.state.standing.has(who) {
                            return ControlFlow::Break(());
                        }
                    }
                }
                // These act at once, on hits, or on healing or dealing.
                Kind::GuardUp
                | Kind::GuardDown
                | Kind::Power
                | Kind::Thorns
                | Kind::Doom
                | Kind::Heal
                | Kind::DrawUpUtility
                | Kind::DrawUpDefense
                | Kind::DrawUpAttack
                | Kind::DrawUpRandom
                | Kind::DrawDownUtility
                | Kind::DrawDownDefense
                | Kind::DrawDownAttack
                | Kind::DrawDownRandom => {}
            }
        }
        ControlFlow::Continue(())
    }

    /// All round durations fall by one, tick effects lose one intensity, and effects that have run out end (Order
    /// of Operations; ET-27, ET-31, ET-32, ET-E2; decisions 8 and 11).
    pub(super) fn durations_fall(&mut self, who: Side) {
        self.tell(Event::DurationsFall(who));
        self.state.at_mut(who).effects.fall();
        self.tell(Event::DurationsFell(who));
    }
}
