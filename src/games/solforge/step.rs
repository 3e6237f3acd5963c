//! How the steps of a position are taken.

use super::SolForge;
use super::ability::{Ability, AbilityId, Options, Pick, Picks, Trigger};
use super::cards::vocabulary::Kind;
use super::event::{Agent, Event, Ref, Refusal};
use super::policy::is_same;
use super::rolls::Roll;
use super::rules::{Action, Battle};
use super::setup::{Position, Step};
use super::state::{Creature, Form};
use crate::chance::Chance;
use crate::game::{Side, Watch};

/// What a loose position does with a step that a strict one leaves out (decision 26).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loosely {
    /// It takes the step: only a rule forbids it.
    Taken,
    /// It takes the step on those targets that can be chosen; where none can, it leaves it out and tells it.
    TakenInPart,
    /// It leaves the step out as well, and tells it.
    LeftOut,
}

impl Refusal {
    /// What becomes of a step in a loose position that a strict one refuses for this reason (decision 26).
    pub(super) fn loosely(self, step: &Step) -> Loosely {
        match self {
            Self::NoPlayLeft | Self::OutOfReach => Loosely::Taken,
            // Whoever is on the defensive moves freely, but uses no ability.
            Self::OnTheDefensive if matches!(step, Step::Move { .. }) => Loosely::Taken,
            Self::IllegalTarget => Loosely::TakenInPart,
            Self::OnTheDefensive
            | Self::NotInHand
            | Self::Nobody
            | Self::NothingToActivate
            | Self::SpaceTaken
            | Self::NoBattle => Loosely::LeftOut,
        }
    }
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Draws the hands that a game begins with.
    pub(super) fn draw_first_hands(&mut self) {
        let hand = usize::from(self.setup.rules().hand);
        for side in [Side::A, Side::B] {
            // The beginning is told with the hands as they are then.
            self.draw_in_silence(side, hand, Agent::Player);
        }
    }

    /// Takes the next step of a position. A step that cannot be taken is left out, and the watch is told.
    pub(super) fn take_step(&mut self, position: &Position) {
        let step = position.steps.get(usize::from(self.state.step));
        self.state.step += 1;
        if let Some(step) = step
            && let Err(why) = self.try_step(step, position.strict)
        {
            self.tell(Event::Refused { step: self.state.step, why });
        }
        self.come_to_rest();
        self.sort_piles();
    }

    /// Takes a step if it can be taken. Beyond what cannot be done at all, a strict position refuses what a player may
    /// not do (decision 26): a third card in a turn, a target that cannot be chosen among others that can, a move
    /// without Mobility. That comes last, so that what is said of a loose position holds ([`Loosely`]).
    fn try_step(&mut self, step: &Step, strict: bool) -> Result<(), Refusal> {
        let side = self.state.active;
        match step {
            Step::Play { form, lane, picks } => {
                let at = self.in_hand(*form)?;
                let data = self.setup.cards.form(*form);
                let may_play = !strict || data.free || self.state.player(side).plays > 0;
                match data.kind {
                    Kind::Creature if !may_play => return Err(Refusal::NoPlayLeft),
                    Kind::Creature => self.play_creature(at, *lane),
                    Kind::Spell => {
                        let source = Ref { form: *form, side: side.0, ..Ref::default() };
                        let cast = self.cast(*form).map(|(_, cast)| cast);
                        let choice = cast.and_then(|cast| cast.choice.as_ref());
                        let options = choice.map(|choice| self.cast_options(choice, source));
                        let (picks, also) = self.named(cast, options, source, picks, strict)?;
                        if !may_play {
                            return Err(Refusal::NoPlayLeft);
                        }
                        self.play_spell(at, &picks, &also);
                    }
                }
            }
            Step::Level(form) => {
                let at = self.in_hand(*form)?;
                if strict && self.state.player(side).plays == 0 {
                    return Err(Refusal::NoPlayLeft);
                }
                self.act(Action::Level { at: at as u8 });
            }
            Step::Activate { lane, picks } => {
                let creature = self.standing(*lane)?;
                let data = self.setup.cards.form(creature.form);
                let ability = data.abilities.clone().map(AbilityId).find(|&id| {
                    let trigger = self.setup.cards.ability(id).trigger;
                    matches!(trigger, Trigger::Activate(times) if creature.activated < times)
                });
                let id = ability.ok_or(Refusal::NothingToActivate)?;
                if !creature.is_offensive() {
                    return Err(Refusal::OnTheDefensive);
                }
                if creature.blank {
                    return Err(Refusal::NothingToActivate);
                }
                let setup = self.setup;
                let ability = setup.cards.ability(id);
                let source = Ref::new(creature, side, *lane);
                let options = ability.choice.as_ref().map(|choice| self.options(choice, source));
                let (picks, also) = self.named(Some(ability), options, source, picks, strict)?;
                self.activate(*lane, id, &picks, &also);
            }
            Step::Move { from, to } => {
                let creature = self.standing(*from)?;
                if !self.state.is_free(side, *to) {
                    return Err(Refusal::SpaceTaken);
                }
                if strict && !creature.is_offensive() {
                    return Err(Refusal::OnTheDefensive);
                }
                let reach = if creature.moved { 0 } else { creature.mobility };
                if strict && i16::from(from.abs_diff(*to)) > reach {
                    return Err(Refusal::OutOfReach);
                }
                if strict {
                    self.act(Action::Move { from: *from, to: *to });
                } else {
                    self.walk(*from, *to);
                }
            }
            Step::Battle => {
                if self.state.battles_open == 0 {
                    return Err(Refusal::NoBattle);
                }
                self.fight();
            }
            Step::StartTurn => self.start_turn(),
            Step::EndTurn => self.end_turn(),
        }
        Ok(())
    }

    /// The legal targets among those that a step names, for each of the ability's two choices: the first choice takes
    /// as many as it can, the second takes the rest.
    fn named(
        &self,
        ability: Option<&Ability>,
        options: Option<Options>,
        source: Ref,
        picks: &[Pick],
        strict: bool,
    ) -> Result<(Picks, Picks), Refusal> {
        let also = ability.and_then(|ability| ability.also.as_ref());
        let choice = ability.and_then(|ability| ability.choice.as_ref());
        let (Some(also), Some(choice)) = (also, choice) else {
            return Ok((legal(options, picks, strict)?, Picks::new()));
        };
        let (first, rest) = picks.split_at(picks.len().min(choice.count.into()));
        let first = legal(options, first, strict)?;
        let options = self.also_options(also, source, &first);
        Ok((first, legal(Some(options), rest, strict)?))
    }

    fn in_hand(&self, form: Form) -> Result<usize, Refusal> {
        let hand = &self.state.player(self.state.active).hand;
        hand.iter().position(|&card| card == form).ok_or(Refusal::NotInHand)
    }

    fn standing(&self, lane: u8) -> Result<&Creature, Refusal> {
        let creature = self.state.at(self.state.active, lane);
        if creature.is_somebody() { Ok(creature) } else { Err(Refusal::Nobody) }
    }

    /// Sorts piles, whose order does not matter, so that positions that differ in nothing else are equal.
    fn sort_piles(&mut self) {
        for player in &mut self.state.players {
            player.deck.sort_unstable();
            player.discard.sort_unstable();
        }
        self.state.dead.sort_unstable();
    }
}

/// The targets of a step that are among the options. An error when some were named and none can be chosen; in a strict
/// position when any cannot, or one is named twice.
fn legal(options: Option<Options>, picks: &[Pick], strict: bool) -> Result<Picks, Refusal> {
    let Some(options) = options else { return Ok(Picks::new()) };
    let mut legal = Picks::new();
    for &wanted in picks {
        let option = { options }.find(|&option| is_same(option, wanted));
        legal.extend(option.filter(|option| !legal.contains(option)));
    }
    let enough = if strict { legal.len() == picks.len() } else { !legal.is_empty() };
    if enough || picks.is_empty() { Ok(legal) } else { Err(Refusal::IllegalTarget) }
}
