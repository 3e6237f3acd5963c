//! The steps of a position.

use evens::games::solforge::ability::{AbilityId, Choice, Pick, Trigger};
use evens::games::solforge::cards::vocabulary::Kind;
use evens::games::solforge::setup::Step;
use evens::games::solforge::state::Form;

use super::choose::{Chosen, is_same};
use super::game::{Game, Happening, Mark, Waiting};
use super::table::Space;

impl Game<'_> {
    /// Takes a step; one that is not possible is left out.
    pub fn step(&mut self, step: &Step) {
        let own = self.table.active;
        let holds = |form: Form| self.table.players[own].hand.iter().position(|&card| card == form);
        match step {
            Step::Play { form, lane, picks } => {
                if let Some(at) = holds(*form)
                    && self.may_play(self.cards.form(*form).free)
                {
                    match self.cards.form(*form).kind {
                        Kind::Creature => self.play_creature(at, usize::from(*lane)),
                        Kind::Spell => self.play_spell(at, *form, picks),
                    }
                }
                self.come_to_rest();
            }
            Step::Level(form) => {
                if let Some(at) = holds(*form)
                    && self.may_play(false)
                {
                    self.pay();
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
                if self.may_move(from, to) && self.table.is_free((own, to)) && from.1 != to {
                    if self.strict {
                        self.table.at_mut(from).expect("somebody moves").moved = true;
                    }
                    self.walk(from, to);
                }
                self.come_to_rest();
            }
            Step::Battle if self.table.battles_open > 0 => self.battle(),
            Step::Battle => {}
            Step::StartTurn => self.start_turn(),
            Step::EndTurn => self.end_turn(),
        }
        self.table.tidy();
    }

    /// Whether another card may be played: "Two plays a turn"; a loose position does not count them.
    fn may_play(&self, free: bool) -> bool {
        !self.strict || free || self.table.players[self.table.active].plays > 0
    }

    pub fn pay(&mut self) {
        let plays = &mut self.table.players[self.table.active].plays;
        *plays = (*plays - 1).max(0);
    }

    /// Whether a creature may move to a lane: "Mobility X: while on the offensive move up to X lanes once a turn"; a
    /// loose position moves any creature.
    fn may_move(&self, from: Space, to: usize) -> bool {
        self.table.at(from).is_some_and(|creature| {
            let reach = if creature.moved { 0 } else { creature.own.mobility };
            let may = creature.is_offensive() && from.1.abs_diff(to) as i32 <= reach;
            !self.strict || may
        })
    }

    /// Plays a creature: "Whenever a creature or spell is played, that card always resolves before anything else."
    pub fn play_creature(&mut self, at: usize, lane: usize) {
        let own = self.table.active;
        let form = self.level(own, at);
        if !self.cards.form(form).free {
            self.pay();
        }
        self.table.players[own].played += 1;
        let who = self.enter(form, (own, lane));
        // All orders are equally likely, except in an imagined game, where the creature's own ability waits first.
        self.happens(Happening::Forged { who });
        self.happens(Happening::Enters { who, forged: true });
        self.happens(Happening::Plays { player: own, card: form, id: who.id });
        // "Playing a creature with extra battles" (SF-50).
        if self.table.battles(self.cards, who.space) > 1 {
            self.look_for_battles(own);
        }
    }

    fn play_spell(&mut self, at: usize, form: Form, picks: &[Pick]) {
        let source = self.spell(form);
        if let Some(chosen) = self.legal(self.cast_of(form), source, picks) {
            self.cast(at, chosen);
        }
    }

    /// A spell as a source; it stands in no space.
    pub fn spell(&self, form: Form) -> Mark {
        Mark { id: 0, form, space: (self.table.active, 0) }
    }

    /// The ability that is a spell's own effect.
    pub fn cast_of(&self, form: Form) -> Option<AbilityId> {
        let mut abilities = self.cards.form(form).abilities.clone().map(AbilityId);
        abilities.find(|&id| self.ability(id).trigger == Trigger::Cast)
    }

    /// Plays a spell from an index in the hand on the targets that were chosen.
    pub fn cast(&mut self, at: usize, chosen: Vec<Chosen>) {
        let own = self.table.active;
        let form = self.level(own, at);
        let (source, cast) = (self.spell(form), self.cast_of(form));
        if !self.cards.form(form).free {
            self.pay();
        }
        self.table.players[own].played += 1;
        let chosen = cast.map_or(chosen.clone(), |cast| self.carry_out(cast, source, chosen));
        let subject = chosen.iter().find_map(|of| match of {
            Chosen::Creature(mark) => Some(*mark),
            _ => None,
        });
        for ability in self.cards.form(form).abilities.clone().map(AbilityId) {
            if self.ability(ability).trigger == Trigger::Forge {
                self.waiting.push(Waiting { ability, source, subject, dealt: 0 });
            }
        }
        // Creatures that are there when the spell has resolved notice it (Decisions).
        self.happens(Happening::Plays { player: own, card: form, id: 0 });
        // "When a creature is killed by a spell that directly destroys that creature, the batch that forms includes
        // any abilities triggered by the creature dying."
        self.bury(true);
    }

    /// Carries out a spell or an activated ability at once; its player makes the choices that were not named.
    fn carry_out(&mut self, id: AbilityId, source: Mark, chosen: Vec<Chosen>) -> Vec<Chosen> {
        let ability = self.ability(id);
        let of = Waiting { ability: id, source, subject: None, dealt: 0 };
        let chosen = self.choose_all(ability, &of, chosen);
        if let Some(chosen) = &chosen {
            self.perform(ability, &of, chosen);
        }
        chosen.unwrap_or_default()
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
        if !creature.is_offensive() || creature.blank {
            return;
        }
        let source = self.mark(space);
        if let Some(chosen) = self.legal(Some(ability), source, picks) {
            self.use_ability(space, ability, chosen);
        }
    }

    /// Uses an activated ability on the targets that were chosen.
    pub fn use_ability(&mut self, space: Space, ability: AbilityId, chosen: Vec<Chosen>) {
        let source = self.mark(space);
        self.table.at_mut(space).expect("it is activated").activated += 1;
        self.carry_out(ability, source, chosen);
        self.bury(true);
    }

    /// The named targets that can be chosen. None if targets were named and none can be chosen; in a strict position if
    /// any cannot.
    fn legal(
        &self,
        ability: Option<AbilityId>,
        source: Mark,
        picks: &[Pick],
    ) -> Option<Vec<Chosen>> {
        let ability = ability.map(|id| self.ability(id));
        let Some(choice) = ability.and_then(|ability| ability.choice.as_ref()) else {
            return Some(Vec::new());
        };
        let of_one = |choice: &Choice, picks: &[Pick], before: &[Chosen]| {
            let options = self.options(choice, source, before);
            let mut legal: Vec<Chosen> = Vec::new();
            for &wanted in picks {
                let option = options.iter().copied().find(|&of| is_same(of, wanted));
                legal.extend(option.filter(|option| !legal.contains(option)));
            }
            let enough = if self.strict { legal.len() == picks.len() } else { !legal.is_empty() };
            (picks.is_empty() || enough).then_some(legal)
        };
        match ability.and_then(|ability| ability.also.as_ref()) {
            None => of_one(choice, picks, &[]),
            Some(also) => {
                // The first choice takes as many of the named targets as it can.
                let (first, rest) = picks.split_at(picks.len().min(choice.count.into()));
                let mut legal = of_one(choice, first, &[])?;
                let second = of_one(also, rest, &legal)?;
                legal.extend(second.into_iter().map(Chosen::also));
                Some(legal)
            }
        }
    }
}
