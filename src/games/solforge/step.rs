//! The steps of a position.

use super::SolForge;
use super::ability::{AbilityId, Pick, Picks, Trigger};
use super::cards::vocabulary::Kind;
use super::event::Ref;
use super::policy::is_same;
use super::rolls::Roll;
use super::rules::Battle;
use super::setup::{Position, Step};
use super::state::Form;
use crate::chance::Chance;
use crate::game::{Side, Watch};

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Draws the hands that a game begins with.
    pub(super) fn draw_first_hands(&mut self) {
        let hand = usize::from(self.setup.rules().hand);
        for side in [Side::A, Side::B] {
            self.draw(side, hand);
        }
    }

    /// Takes the next step of a position. What luck has made impossible is left out: a card that is not in the
    /// hand, a creature that is not there, targets that cannot be chosen, a battle that may not be fought.
    pub(super) fn take_step(&mut self, position: &Position) {
        let side = self.state.active;
        let step = position.steps.get(usize::from(self.state.step));
        self.state.step += 1;
        let in_hand = |battle: &Self, form: Form| {
            battle.state.player(side).hand.iter().position(|&card| card == form)
        };
        match step {
            None => {}
            Some(Step::Play { form, lane, picks }) => {
                if let Some(at) = in_hand(self, *form) {
                    match self.setup.cards.form(*form).kind {
                        Kind::Creature => self.play_creature(at, *lane),
                        Kind::Spell => {
                            let source = Ref { form: *form, side: side.0, ..Ref::default() };
                            let choice =
                                self.cast(*form).and_then(|(_, cast)| cast.choice.as_ref());
                            let options = choice.map(|choice| self.cast_options(choice, source));
                            if let Some(picks) = legal(options, picks) {
                                self.play_spell(at, &picks);
                            }
                        }
                    }
                }
            }
            Some(Step::Level(form)) => {
                if let Some(at) = in_hand(self, *form) {
                    self.act(super::rules::Action::Level { at: at as u8 });
                }
            }
            Some(Step::Activate { lane, picks }) => {
                let creature = self.state.at(side, *lane);
                let data = self.setup.cards.form(creature.form);
                let ability = data.abilities.clone().map(AbilityId).find(|&id| {
                    let trigger = self.setup.cards.ability(id).trigger;
                    matches!(trigger, Trigger::Activate(times) if creature.activated < times)
                });
                let can = creature.is_somebody() && creature.is_offensive();
                if let (true, Some(id)) = (can, ability) {
                    let choice = self.setup.cards.ability(id).choice.as_ref();
                    let source = Ref::new(creature, side, *lane);
                    let options = choice.map(|choice| self.options(choice, source));
                    if let Some(picks) = legal(options, picks) {
                        self.activate(*lane, id, &picks);
                    }
                }
            }
            Some(Step::Move { from, to }) if self.state.at(side, *from).is_somebody() => {
                self.walk(*from, *to);
            }
            Some(Step::Battle) if self.state.battles_open > 0 => self.fight(),
            Some(Step::Move { .. } | Step::Battle) => {}
            Some(Step::StartTurn) => self.start_turn(),
            Some(Step::EndTurn) => self.end_turn(),
        }
        self.come_to_rest();
        self.sort_piles();
    }

    /// Piles have no order that matters: positions that differ in nothing else are equal.
    fn sort_piles(&mut self) {
        for player in &mut self.state.players {
            player.deck.sort_unstable();
            player.discard.sort_unstable();
        }
        self.state.dead.sort_unstable();
    }
}

/// The targets of a step that are among the options; None when some were named and none can be chosen.
fn legal(options: Option<Picks>, picks: &[Pick]) -> Option<Picks> {
    let Some(options) = options else { return Some(Picks::new()) };
    let option = |&wanted: &Pick| options.iter().copied().find(|&option| is_same(option, wanted));
    let legal: Picks = picks.iter().filter_map(option).collect();
    (picks.is_empty() || !legal.is_empty()).then_some(legal)
}
