//! The steps of a position.

use evens::games::solforge::ability::{AbilityId, Pick, Trigger};
use evens::games::solforge::cards::vocabulary::Kind;
use evens::games::solforge::setup::Step;
use evens::games::solforge::state::Form;

use super::game::{Game, Happening, Mark, Waiting};
use super::resolve::{Chosen, is_same};

impl Game<'_> {
    /// Takes a step; what cannot be done is left out.
    pub fn step(&mut self, step: &Step) {
        let own = self.table.active;
        let holds = |form: Form| self.table.players[own].hand.iter().position(|&card| card == form);
        match step {
            Step::Play { form, lane, picks } => {
                if let Some(at) = holds(*form) {
                    match self.cards.form(*form).kind {
                        Kind::Creature => self.play_creature(at, usize::from(*lane)),
                        Kind::Spell => self.play_spell(at, *form, picks),
                    }
                }
                self.come_to_rest();
            }
            Step::Level(form) => {
                if let Some(at) = holds(*form) {
                    self.level(own, at);
                }
                self.come_to_rest();
            }
            Step::Activate { lane, picks } => {
                self.activate(usize::from(*lane), picks);
                self.come_to_rest();
            }
            Step::Move { from, to } => {
                let (from, to) = ((own, usize::from(*from)), usize::from(*to));
                if self.table.at(from).is_some() && self.table.is_free((own, to)) {
                    self.walk(from, to);
                }
                self.come_to_rest();
            }
            Step::Battle if self.table.battles_open > 0 => self.battle(),
            Step::Battle => self.come_to_rest(),
            Step::StartTurn => self.start_turn(),
            Step::EndTurn => self.end_turn(),
        }
    }

    /// "Whenever a creature or spell is played, that card always resolves before anything else."
    fn play_creature(&mut self, at: usize, lane: usize) {
        let own = self.table.active;
        let form = self.level(own, at);
        self.table.players[own].played += 1;
        let who = self.enter(form, (own, lane));
        self.happens(Happening::Plays { player: own, card: form, id: who.id });
        self.happens(Happening::Enters { who, forged: true });
        // "Playing a creature with extra battles" (SF-50).
        if self.table.battles(self.cards, who.space) > 1 {
            self.look_for_battles();
        }
    }

    fn play_spell(&mut self, at: usize, form: Form, picks: &[Pick]) {
        let own = self.table.active;
        let source = Mark { id: 0, form, space: (own, 0) };
        let abilities = || self.cards.form(form).abilities.clone().map(AbilityId);
        let cast = abilities().find(|&id| self.ability(id).trigger == Trigger::Cast);
        let Some(chosen) = self.legal(cast, source, picks) else { return };
        self.level(own, at);
        self.table.players[own].played += 1;
        self.happens(Happening::Plays { player: own, card: form, id: 0 });
        let subject = chosen.iter().find_map(|of| match of {
            Chosen::Creature(mark) => Some(*mark),
            _ => None,
        });
        if let Some(cast) = cast {
            let of = Waiting { ability: cast, source, subject: None, dealt: 0 };
            self.perform(self.ability(cast), &of, &chosen);
        }
        let forge: Vec<AbilityId> =
            self.cards.form(form).abilities.clone().map(AbilityId).collect();
        for ability in forge {
            if self.ability(ability).trigger == Trigger::Forge {
                self.waiting.push(Waiting { ability, source, subject, dealt: 0 });
            }
        }
    }

    fn activate(&mut self, lane: usize, picks: &[Pick]) {
        let space = (self.table.active, lane);
        let Some(creature) = self.table.standing(space) else { return };
        let printed = self.cards.form(creature.form).abilities.clone().map(AbilityId);
        let can = |id: &AbilityId| match self.ability(*id).trigger {
            Trigger::Activate(times) => creature.activated < i32::from(times),
            _ => false,
        };
        let Some(ability) = printed.into_iter().find(can) else { return };
        if !creature.is_offensive() {
            return;
        }
        let source = self.mark(space);
        let Some(chosen) = self.legal(Some(ability), source, picks) else { return };
        self.table.at_mut(space).expect("it is activated").activated += 1;
        let of = Waiting { ability, source, subject: None, dealt: 0 };
        self.perform(self.ability(ability), &of, &chosen);
    }

    /// What was named and can be chosen; none if something was named and nothing can.
    fn legal(&self, ability: Option<AbilityId>, source: Mark, picks: &[Pick]) -> Option<Vec<Chosen>> {
        let Some(choice) = ability.and_then(|id| self.ability(id).choice.as_ref()) else {
            return Some(Vec::new());
        };
        let options = self.options(choice, source);
        let option = |&wanted: &Pick| options.iter().copied().find(|&of| is_same(of, wanted));
        let legal: Vec<Chosen> = picks.iter().filter_map(option).collect();
        (picks.is_empty() || !legal.is_empty()).then_some(legal)
    }
}
