//! The order of operations, and whose turn is next (ET-09 to ET-17).

use std::ops::ControlFlow;

use super::Session;
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};
use crate::games::eldertale::ElderTale;
use crate::games::eldertale::cards::{CardType, Targets, Trigger};
use crate::games::eldertale::event::Event;
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::state::{ENERGY, Incoming, Play, Plays, SEATS};

impl<C: Chance<Roll>, W: Watch<ElderTale>> Session<'_, C, W> {
    /// Runs everything that "done" sets off, in its order (Order of Operations; ET-10, ET-11, ET-15). Breaks when the
    /// character goes out: the rest of its turn is lost (ET-16, decision 13).
    pub(super) fn done(&mut self, who: Side, plays: &Plays) -> ControlFlow<()> {
        let player = self.state.at_mut(who);
        player.energy_left += u16::from(player.energy);
        self.tell(Event::Done(who));
        self.effects_act(who)?;
        self.durations_fall(who);
        for kind in [CardType::Utility, CardType::Defense] {
            for play in plays {
                if self.setup.brief(play.card).kind == kind {
                    self.activate(who, play);
                }
            }
        }
        self.incoming(who)?;
        for play in plays {
            if self.setup.brief(play.card).kind == CardType::Attack {
                self.send(who, play);
            }
        }
        self.end_turn(who);
        ControlFlow::Continue(())
    }

    /// A Utility or Defense card runs (Order of Operations; ET-10, ET-24).
    fn activate(&mut self, who: Side, play: &Play) {
        let card = self.setup.brief(play.card);
        self.tell(Event::Activates { who, play: *play });
        if card.kind == CardType::Defense && card.hits > 0 {
            self.guard(who, card.defense, card.hits, None);
        }
        self.apply(who, play, Trigger::Activation);
    }

    /// "Outgoing Attack Cards become Incoming Attack Cards for next turn", for everybody named (Order of Operations; ET-11,
    /// ET-12, ET-14; decision 15). Those who went out
    /// meanwhile are not hit; their hits are lost.
    fn send(&mut self, who: Side, play: &Play) {
        let hits = self.spread(play);
        let mut leads = true;
        for on in play.named.seats() {
            if !self.state.standing.has(on) {
                continue;
            }
            let attack = Incoming {
                by: who,
                card: play.card,
                place: play.place,
                hits: hits[on.index()],
                leads,
            };
            leads = false;
            self.state.at_mut(on).queue.push(attack);
            self.tell(Event::Queues { on, attack });
        }
    }

    /// How many hits of an attack fall on each seat, by whom it names (Basic Gameplay Cycle; ET-07, decision 15).
    #[inline]
    fn spread(&mut self, play: &Play) -> [u8; SEATS] {
        let (named, count) = (&play.named, self.setup.brief(play.card).hits);
        let mut hits = [0; SEATS];
        match named.len() {
            0 => {}
            _ if !named.seats().are_several() => hits[named.at(0).index()] = count,
            among => {
                for hit in 0..usize::from(count) {
                    let place = match self.setup.card(play.card).targets {
                        Targets::Random => self.chance.pick(Roll::HitTarget, among),
                        Targets::One | Targets::Area | Targets::Player => hit % among,
                    };
                    hits[named.at(place).index()] += 1;
                }
            }
        }
        hits
    }

    /// Energy is reset, the hand discarded and dealt anew; defense hits that met nothing are gone (Basic
    /// Gameplay Cycle; ET-03, ET-17, ET-19; decision 10).
    fn end_turn(&mut self, who: Side) {
        self.state.at_mut(who).energy = ENERGY;
        self.tell(Event::TurnEnds(who));
        self.deal(who);
        self.tell(Event::Deals(who));
    }

    /// The next character in joining order is active, unless the session is over (Basic Gameplay Cycle, Win
    /// Condition; ET-09, ET-21; decision 16).
    pub(super) fn pass_on(&mut self, who: Side) -> ControlFlow<Outcome> {
        let standing = self.state.standing;
        if !standing.are_several() {
            return ControlFlow::Break(standing.lowest().map_or(Outcome::Draw, Outcome::Win));
        }
        let next = standing.after(who).expect("two are standing");
        if self.setup.turn_order(next) <= self.setup.turn_order(who) {
            if self.state.round >= self.setup.last_round {
                return ControlFlow::Break(Outcome::Undecided);
            }
            self.state.round += 1;
        }
        self.state.active = next;
        ControlFlow::Continue(())
    }
}
