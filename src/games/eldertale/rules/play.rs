//! Energy, playing cards, naming targets (ET-01 to ET-08).

use super::Session;
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::eldertale::ElderTale;
use crate::games::eldertale::cards::{Bearer, CardType, Trigger};
use crate::games::eldertale::combinations::Cards;
use crate::games::eldertale::event::Event;
use crate::games::eldertale::open_rules::EnergyBeyond3;
use crate::games::eldertale::rolls::Roll;
use crate::games::eldertale::setup::Brief;
use crate::games::eldertale::state::{ENERGY, MOST_ENERGY, Play};

impl<C: Chance<Roll>, W: Watch<ElderTale>> Session<'_, C, W> {
    /// Plays a card from the hand: pays for it and starts its effects "on play" (Basic Gameplay Cycle; ET-05,
    /// ET-06, ET-25). `single_use` are the places of the deck whose card is used up when played.
    #[inline]
    pub(super) fn play(&mut self, who: Side, play: &Play, card: Brief, single_use: Cards) {
        let player = self.state.at_mut(who);
        debug_assert!(player.hand >> play.place & 1 == 1, "the card is in hand");
        debug_assert!(player.energy >= card.cost, "the energy is there");
        player.hand &= !(1 << play.place);
        player.used_up |= single_use & 1 << play.place;
        player.energy -= card.cost;
        player.energy_used += u16::from(card.cost);
        if card.kind == CardType::Attack {
            for target in play.named.seats() {
                self.gain_energy(who, target);
            }
        }
        self.tell(Event::Plays { who, play: *play });
        self.apply(who, play, card, Trigger::Play);
    }

    /// Gives energy to a target: "Someone who is targeted by an attack will gain 1 energy for the standard total
    /// of three". It is 1 for each attack and never leads above 3, however many attacks there are, unless the
    /// scenario says so (Gameplay Setup; ET-02, ET-03, ET-04, decision 2). After its first turn no character has
    /// less than 3.
    fn gain_energy(&mut self, by: Side, target: Side) {
        let turn = |seat: Side| self.setup.turn_order(seat);
        let is_first_turn = || self.state.round == 1 && turn(target) > turn(by);
        let most = match self.setup.open.energy_beyond_3 {
            EnergyBeyond3::FirstTurn if is_first_turn() => MOST_ENERGY,
            EnergyBeyond3::Never | EnergyBeyond3::FirstTurn => ENERGY,
            EnergyBeyond3::Always => MOST_ENERGY,
        };
        let target = self.state.at_mut(target);
        target.energy = (target.energy + 1).min(most);
    }

    /// Starts the effects of a card that have this trigger, on its player and on everybody it names (Effects;
    /// ET-07, ET-24, ET-25).
    #[inline(always)]
    pub(super) fn apply(&mut self, who: Side, play: &Play, card: Brief, trigger: Trigger) {
        if card.starts(trigger) {
            self.apply_all(who, play, trigger);
        }
    }

    #[inline(never)]
    fn apply_all(&mut self, who: Side, play: &Play, trigger: Trigger) {
        let setup = self.setup;
        for applies in &setup.card(play.card).effects {
            if applies.trigger != trigger {
                continue;
            }
            match applies.bearer {
                Bearer::Player => self.start(who, applies.effect),
                Bearer::Target => {
                    for target in play.named.seats() {
                        self.start(target, applies.effect);
                    }
                }
            }
        }
    }
}
