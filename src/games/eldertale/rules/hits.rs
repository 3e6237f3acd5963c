//! Attack hits against defense hits (Order of Operations, Effects; decisions 3 to 7).

use std::ops::ControlFlow;

use super::Session;
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::eldertale::ElderTale;
use crate::games::eldertale::cards::{Bearer, Trigger};
use crate::games::eldertale::effect::Kind;
use crate::games::eldertale::event::{Cause, Event, Met};
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::state::Incoming;

impl<C: Chance<Roll>, W: Watch<ElderTale>> Session<'_, C, W> {
    /// Puts defense hits up for this turn (ET-13, decision 4).
    pub(super) fn guard(&mut self, who: Side, guard: u8, hits: u8, through: Option<Kind>) {
        if self.standing.is_full() {
            self.standing.drain(..self.fallen);
            self.fallen = 0;
        }
        self.standing.push((guard, hits));
        self.tell(Event::Guards { who, guard, hits, through });
    }

    /// "Incoming Attack Cards are activated": all attacks in the queue land, first come first (Order of
    /// Operations; ET-11, ET-12, ET-13, ET-14). Breaks when the character goes out or nobody else is left.
    pub(super) fn incoming(&mut self, who: Side) -> ControlFlow<()> {
        // No attack joins the queue meanwhile; a character that goes out loses its queue.
        while let Some(attack) = self.state.at_mut(who).next_in_queue() {
            self.tell(Event::Lands { on: who, attack });
            let card = self.setup.brief(attack.card);
            if card.starts(Trigger::Activation) {
                self.apply_attack(who, attack);
            }
            for _ in 0..attack.hits {
                self.hit(who, attack, card.damage);
                if !self.state.standing.has(who) || !self.state.standing.are_several() {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Starts the effects of an attack, which come before its hits (ET-23, ET-24; decision 6).
    #[inline(never)]
    fn apply_attack(&mut self, on: Side, attack: Incoming) {
        let setup = self.setup;
        for applies in &setup.card(attack.card).effects {
            match (applies.trigger, applies.bearer) {
                (Trigger::Activation, Bearer::Target) => self.start(on, applies.effect),
                (Trigger::Activation, Bearer::Player) if attack.leads => {
                    self.start(attack.by, applies.effect);
                }
                // Effects on the attacker start at another target; effects "on play" started when the card was
                // played.
                (Trigger::Activation, Bearer::Player)
                | (Trigger::Play, Bearer::Target | Bearer::Player) => {}
            }
        }
    }

    /// One hit with this damage: it meets the first defense hit that still stands, or nothing (ET-23, ET-26,
    /// ET-E1; decisions 3, 5 and 7).
    #[inline]
    fn hit(&mut self, on: Side, attack: Incoming, damage: u8) {
        let (raised, power_ends) = self.affect(attack.by, Kind::Power);
        let power = damage + raised;
        let (mut up_ends, mut down_ends) = (false, false);
        let met = self.next_guard().map(|guard| {
            let (lifted, lowered);
            (lifted, up_ends) = self.affect(on, Kind::GuardUp);
            (lowered, down_ends) = self.affect(on, Kind::GuardDown);
            Met { guard, lifted, lowered }
        });
        self.tell(Event::Hit { on, attack, power, raised, met });
        let Met { lifted, lowered, .. } = met.unwrap_or_default();
        self.tell_end(power_ends, attack.by, Kind::Power, raised);
        self.tell_end(up_ends, on, Kind::GuardUp, lifted);
        self.tell_end(down_ends, on, Kind::GuardDown, lowered);
        let lost = power.saturating_sub(met.map_or(0, Met::power));
        self.lose(on, u16::from(lost), Cause::Hit { by: attack.by, place: attack.place });
        // Thorns that would affect nobody use up none of their hits (decision 7).
        if self.state.standing.has(attack.by) {
            let (thorns, thorns_end) = self.affect(on, Kind::Thorns);
            if thorns > 0 {
                self.lose(attack.by, u16::from(thorns), Cause::Thorns(on));
            }
            self.tell_end(thorns_end, on, Kind::Thorns, thorns);
        }
    }

    /// Uses up the first defense hit that still stands, and returns its guard (decision 3).
    #[inline]
    fn next_guard(&mut self) -> Option<u8> {
        let (guard, hits) = self.standing.get_mut(self.fallen)?;
        *hits -= 1;
        self.fallen += usize::from(*hits == 0);
        Some(*guard)
    }

    /// The intensity with which an effect changes a hit, 0 without it; the hit counts on the effect's hit duration
    /// (Effects; ET-26, ET-28, ET-29, ET-33). Also returns whether the effect ends with this hit.
    #[inline]
    fn affect(&mut self, who: Side, kind: Kind) -> (u8, bool) {
        let acted = self.state.at_mut(who).effects.affect_hit(kind);
        acted.map_or((0, false), |(effect, ends)| (effect.intensity, ends))
    }

    /// Tells that an effect has ended with a hit, if it has.
    #[inline]
    fn tell_end(&mut self, ends: bool, who: Side, kind: Kind, intensity: u8) {
        if ends {
            self.tell(Event::Ends { who, kind, intensity });
        }
    }
}
