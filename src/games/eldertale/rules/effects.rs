//! When effects start, act and end (ET-24 to ET-33, ET-E2 to ET-E4).

use std::ops::ControlFlow;

use super::Session;
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::eldertale::ElderTale;
use crate::games::eldertale::effect::{Effect, Kind};
use crate::games::eldertale::event::{Cause, Event};
use crate::games::eldertale::rolls::Roll;

impl<C: Chance<Roll>, W: Watch<ElderTale>> Session<'_, C, W> {
    /// An effect starts. What acts at once acts now and leaves nothing behind.
    pub(super) fn start(&mut self, who: Side, effect: Effect) {
        if !self.state.standing.has(who) {
            return;
        }
        match effect.kind {
            Kind::Heal => {
                self.tell(Event::Starts { who, effect });
                self.heal(who, effect.intensity, Kind::Heal);
            }
            // Defense hits stand for a turn, and nobody has any outside its own.
            Kind::GainDefense if effect.is_instant() => {
                debug_assert!(who == self.state.active, "gained in the own turn");
                self.tell(Event::Starts { who, effect });
                self.guard(who, effect.intensity, 1, Some(Kind::GainDefense));
            }
            _ => {
                self.state.at_mut(who).effects.add(effect);
                self.tell(Event::Starts { who, effect });
            }
        }
    }

    /// Everything without a hit duration acts; the rest waits for hits (ET-31, ET-33). Breaks when the
    /// character goes out.
    pub(super) fn effects_act(&mut self, who: Side) -> ControlFlow<()> {
        const ACTING: [Kind; 4] =
            [Kind::GainDefense, Kind::StartGuard, Kind::HealOverTime, Kind::Poison];
        if self.state.at(who).effects.kinds().is_empty() {
            return ControlFlow::Continue(());
        }
        for kind in ACTING {
            let effects = &self.state.at(who).effects;
            let Some(&Effect { intensity, hits: 0, .. }) = effects.acting(kind) else { continue };
            match kind {
                Kind::HealOverTime => self.heal(who, intensity, kind),
                Kind::Poison => {
                    self.lose(who, u16::from(intensity), Cause::Poison);
                    if !self.state.standing.has(who) {
                        return ControlFlow::Break(());
                    }
                }
                _ => self.guard(who, intensity, 1, Some(kind)),
            }
        }
        ControlFlow::Continue(())
    }

    /// All round durations fall by one, tick effects lose one intensity, and what has run out ends.
    pub(super) fn durations_fall(&mut self, who: Side) {
        self.state.at_mut(who).effects.fall();
        self.tell(Event::DurationsFell(who));
    }
}
