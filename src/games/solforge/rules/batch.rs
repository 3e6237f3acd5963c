//! Batches: abilities that something set off resolve together, in an order that is partly random, and deaths are
//! checked only once all of them have resolved ("Batching", SF-04).

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{Hook, Trigger};
use crate::games::solforge::event::{Endless, Event, Source};
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::{BATCHES, Battle, Because, ManyChosen, Waiting};
use crate::games::solforge::setup::Setup;

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Resolves everything that waits as one batch, checks for deaths, goes on with what that set off, and so on until
    /// the field is at rest (SF-04, SF-10, SF-21). The first batch takes place even if it is empty: a creature may have
    /// died of the card itself (SF-09).
    pub(super) fn resolve(&mut self, source: Source) {
        self.resolve_first(self.waiting.len(), source);
    }

    /// Resolves everything that waits, as [`resolve`](Self::resolve) does, but with only the first `first` waiting
    /// abilities in the first batch: those after them were set off in it.
    pub(super) fn resolve_first(&mut self, first: usize, source: Source) {
        let (mut source, mut end) = (Some(source), first);
        loop {
            self.batch(end, source);
            self.death_check();
            if self.state.verdict.is_some() {
                self.waiting.clear();
                return;
            }
            if self.waiting.is_empty() {
                return;
            }
            (source, end) = (None, self.waiting.len());
        }
    }

    /// Resolves the first `end` waiting abilities as one batch. What they set off waits behind them ("Batching"; SF-04,
    /// SF-14, SF-49).
    #[inline(always)]
    pub(super) fn batch(&mut self, end: usize, source: Option<Source>) {
        if end > 0 {
            self.batch_of(end, source);
        }
    }

    #[inline(never)]
    fn batch_of(&mut self, end: usize, source: Option<Source>) {
        let size = self.form(end);
        if size > 0 {
            self.batches += 1;
            if self.batches > BATCHES {
                self.give_up(Endless::Batches);
                self.waiting.clear();
                return;
            }
            let source = match source {
                Some(Source::Deaths) | None => self.what_happened(size, source.is_some()),
                Some(source) => source,
            };
            let (drawn, between_cards) = self.order(size);
            self.tell(Event::Batch { source, size: size as u8, drawn });
            for at in 0..size {
                let next = self.waiting[at];
                self.perform(next, between_cards);
            }
            self.tell(Event::BatchOver(source));
        }
        self.waiting.drain(..end);
    }

    /// What set off the first `size` waiting abilities, which wait because of the batch before or of the deaths after
    /// it; deaths are those of a battle where this is the last of its three batches.
    fn what_happened(&self, size: usize, is_last_of_battle: bool) -> Source {
        let source = |waiting: &Waiting| match self.cards().ability(waiting.ability).trigger.hook()
        {
            Hook::Enters => Source::Entry,
            Hook::Moves => Source::Motion,
            Hook::Vengeance | Hook::Destroyed if is_last_of_battle => Source::Deaths,
            Hook::Vengeance | Hook::Destroyed => Source::Dying,
            Hook::IsDamaged => Source::Harm,
            // These never wait for what a batch does.
            Hook::Cast | Hook::Forge | Hook::Plays => Source::Play,
            Hook::Activate => Source::Activation,
            Hook::HitsPlayer | Hook::HitsCreature => Source::Damage,
            Hook::TurnStarts => Source::TurnStart,
            Hook::TurnEnds | Hook::RankRises | Hook::Later => Source::TurnEnd,
        };
        let first = source(&self.waiting[0]);
        let is_one = self.waiting[1..size].iter().all(|waiting| source(waiting) == first);
        if is_one { first } else { Source::Several }
    }

    /// Moves those of the first `end` waiting abilities that resolve to the front, and returns their number. A creature
    /// that is dead when its batch forms no longer reacts (SF-38, SF-69), except to deaths and to battle damage, dealt
    /// or taken (SF-49); and nobody reacts to the move of a creature that is dead by then (SF-69) (decision 19).
    fn form(&mut self, end: usize) -> usize {
        let mut size = 0;
        for at in 0..end {
            let waiting = self.waiting[at];
            let resolves = match waiting.because {
                Because::Anyway => true,
                Because::Alive => self.alive(waiting.source).is_some() && self.has_mover(&waiting),
            };
            if resolves {
                self.waiting.swap(size, at);
                size += 1;
            }
        }
        size
    }

    /// Whether the creature whose move set the ability off is still alive; true for abilities that no move sets off.
    fn has_mover(&self, waiting: &Waiting) -> bool {
        let trigger = self.cards().ability(waiting.ability).trigger;
        !matches!(trigger, Trigger::Moves(_)) || self.alive(waiting.subject).is_some()
    }

    /// Sorts the first `size` waiting abilities by group, and puts each group into a random order drawn for this batch
    /// alone (SF-14, SF-15, SF-16, SF-17, SF-18; SF-19, SF-20, SF-22, SF-23, SF-24, SF-31, SF-33; SF-60, SF-61, SF-63,
    /// SF-71). Returns whether dice decided any of the order, and whether they decided the order of different cards
    /// ("Batching", decision 5).
    fn order(&mut self, size: usize) -> (bool, bool) {
        let (mut drawn, mut between_cards) = (false, false);
        if size < 2 {
            return (drawn, between_cards);
        }
        let first = self.group(&self.waiting[0]);
        if (1..size).any(|at| self.group(&self.waiting[at]) != first) {
            let (setup, active) = (self.setup, self.state.active);
            self.waiting[..size].sort_by_key(|waiting| group(setup, active, waiting));
        }
        let card =
            |battle: &Self, at: usize| battle.cards().form(battle.waiting[at].source.form).card;
        let mut start = 0;
        while start < size {
            let of = self.group(&self.waiting[start]);
            let end = (start..size).find(|&at| self.group(&self.waiting[at]) != of).unwrap_or(size);
            drawn |= end - start > 1;
            between_cards |= (start + 1..end).any(|at| card(self, at) != card(self, start));
            self.chance.shuffle(Roll::BatchOrder, &mut self.waiting[start..end]);
            start = end;
        }
        (drawn, between_cards)
    }

    fn group(&self, waiting: &Waiting) -> u8 {
        group(self.setup, self.state.active, waiting)
    }

    /// Resolves one ability ("Batching", "Grimgaunt Doomrider"; SF-15, SF-20, SF-66, SF-67, SF-72).
    fn perform(&mut self, waiting: Waiting, between_cards: bool) {
        let ability = self.cards().ability(waiting.ability);
        let Waiting { ability: id, source: by, subject, .. } = waiting;
        self.tell(Event::Resolves { by, ability: id, subject, between_cards });
        let mut chosen = ManyChosen::new();
        let met = ability.demands.iter().all(|&demand| self.is_met(demand, &waiting));
        let goes_on = met && self.choose(ability, &waiting, &mut chosen);
        if !goes_on {
            self.tell(Event::Fizzles(waiting.source, waiting.ability, met));
            return;
        }
        for effect in &ability.effects {
            self.take_effect(effect, &waiting, &chosen);
        }
        self.tell(Event::Resolved(by, id));
    }
}

/// The group of an ability inside its batch: first the active player's untargeted ones, then the other player's
/// untargeted ones, then the active player's targeted ones (SF-14). The seed names no targeted ones of the other
/// player; they come last (decision 23).
fn group(setup: &Setup, active: Side, waiting: &Waiting) -> u8 {
    let targeted = setup.cards.ability(waiting.ability).choice.is_some();
    2 * u8::from(targeted) + u8::from(waiting.source.side() != active)
}
