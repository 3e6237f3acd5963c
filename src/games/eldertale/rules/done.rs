//! The order of operations, and whose turn is next (ET-09 to ET-17).

use std::ops::ControlFlow;

use super::Session;
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};
use crate::games::eldertale::ElderTale;
use crate::games::eldertale::cards::{CardType, Targets, Trigger};
use crate::games::eldertale::combinations::places;
use crate::games::eldertale::event::Event;
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::state::{ENERGY, Incoming, PLAYS, Play, Plays, SEATS};

/// The cards of a turn in the order in which they run: by type, and within a type as they were played (Order of
/// Operations; ET-10). Bit 8 t + n stands for the nth card of the turn, which is of type number t.
#[derive(Clone, Copy, Default)]
pub(super) struct Order(u64);

/// The number of bits for the cards of one type.
const A_TYPE: usize = 8;
const _: () = assert!(PLAYS <= A_TYPE);

impl Order {
    /// Adds the nth card of the turn.
    #[inline(always)]
    pub fn add(&mut self, kind: CardType, nth: usize) {
        self.0 |= 1 << (A_TYPE * kind as usize + nth);
    }

    /// The cards that run before the incoming attacks, as numbers in the turn, in the order in which they run.
    #[inline(always)]
    fn utility_and_defense(self) -> impl Iterator<Item = usize> {
        places(self.0 & ((1 << (A_TYPE * CardType::Attack as usize)) - 1)).map(|bit| bit % A_TYPE)
    }

    /// The attacks, as numbers in the turn, in the order in which they run.
    #[inline(always)]
    fn attacks(self) -> impl Iterator<Item = usize> {
        places(self.0 >> (A_TYPE * CardType::Attack as usize))
    }
}

impl<C: Chance<Roll>, W: Watch<ElderTale>> Session<'_, C, W> {
    /// Runs everything that "done" sets off, in its order (Order of Operations; ET-10, ET-11, ET-15). Breaks when the
    /// character goes out: the rest of its turn is lost (ET-16, decision 13).
    pub(super) fn done(&mut self, who: Side, plays: &Plays, order: Order) -> ControlFlow<()> {
        let player = self.state.at_mut(who);
        player.energy_left += u16::from(player.energy);
        self.tell(Event::Done(who));
        self.effects_act(who)?;
        self.durations_fall(who);
        for nth in order.utility_and_defense() {
            self.activate(who, &plays[nth]);
        }
        self.incoming(who)?;
        for nth in order.attacks() {
            self.send(who, &plays[nth]);
        }
        self.end_turn(who);
        ControlFlow::Continue(())
    }

    /// Runs a Utility or Defense card (Order of Operations; ET-10, ET-24).
    #[inline]
    fn activate(&mut self, who: Side, play: &Play) {
        let card = self.setup.brief(play.card);
        self.tell(Event::Activates { who, play: *play });
        if card.kind == CardType::Defense && card.hits > 0 {
            self.guard(who, card.defense, card.hits, None);
        }
        self.apply(who, play, card, Trigger::Activation);
    }

    /// Sends an attack to everybody it names: "Outgoing Attack Cards become Incoming Attack Cards for next turn"
    /// (Order of Operations; ET-11, ET-12, ET-14; decision 15). Targets that went out meanwhile are not hit; their
    /// hits are lost. The attack leads where it is reached first: at the next in the turn order (decision 6).
    fn send(&mut self, who: Side, play: &Play) {
        let mut attack =
            Incoming { by: who, card: play.card, place: play.place, hits: 0, leads: true };
        let seats = play.named.seats();
        // Usually all hits fall on one target.
        if !seats.are_several() {
            if let Some(on) = seats.lowest() {
                attack.hits = self.setup.brief(play.card).hits;
                self.join_queue(on, attack);
            }
            return;
        }
        let hits = self.spread(play);
        let first = (seats & self.state.standing).after(who);
        for on in seats {
            attack.hits = hits[on.index()];
            attack.leads = first == Some(on);
            self.join_queue(on, attack);
        }
    }

    /// Adds an attack to the queue of a character, unless it is out (Order of Operations; ET-12).
    #[inline]
    fn join_queue(&mut self, on: Side, attack: Incoming) {
        if self.state.standing.has(on) {
            self.state.at_mut(on).queue.push(attack);
            self.tell(Event::Queues { on, attack });
        } else {
            self.tell(Event::LostOn { on, attack });
        }
    }

    /// The number of hits of an attack that fall on each seat, where the attack names several (Basic Gameplay
    /// Cycle; ET-07, decision 15).
    #[inline(never)]
    fn spread(&mut self, play: &Play) -> [u8; SEATS] {
        let (named, card) = (&play.named, self.setup.card(play.card));
        let among = named.len();
        let mut hits = [0; SEATS];
        for hit in 0..usize::from(card.hits) {
            let place = match card.targets {
                Targets::Random => self.chance.pick(Roll::HitTarget, among),
                Targets::One | Targets::Area | Targets::Player => hit % among,
            };
            hits[named.at(place).index()] += 1;
        }
        hits
    }

    /// Resets energy, discards the hand and deals a new one; defense hits that met nothing are gone (Basic
    /// Gameplay Cycle; ET-03, ET-17, ET-19; decision 10).
    fn end_turn(&mut self, who: Side) {
        self.state.at_mut(who).energy = ENERGY;
        self.tell(Event::TurnEnds(who));
        let changed = self.deal(who);
        self.tell(Event::Deals { who, changed });
    }

    /// Makes the next character in joining order active, unless the session is over (Basic Gameplay Cycle, Win
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
