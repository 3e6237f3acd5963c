//! What a player can do in a main phase ("Basic Spell Resolution"). A card that is played resolves first; then come the
//! abilities that it set off (SF-01).

use arrayvec::ArrayVec;

use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{
    ACTIVATED, Ability, AbilityId, Choice, Hook, Options, PICKS, Pick, Trigger,
};
use crate::games::solforge::cards::vocabulary::Kind;
use crate::games::solforge::event::{Agent, Entry, Event, Ref, Source};
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::trigger::News;
use crate::games::solforge::rules::{Battle, Because, ManyChosen, Waiting, first_chosen, statics};
use crate::games::solforge::state::{CARDS, Form, FormSet, LANES, PILE};

/// An action that a player can take in a main phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::games::solforge) enum Action {
    /// Play the creature at a place of the hand into a lane.
    Creature { at: u8, lane: u8 },
    /// Play the spell at a place of the hand.
    Spell { at: u8, pick: Pick },
    /// Discard the card at a place of the hand and level it.
    Level { at: u8 },
    /// Use an activated ability of the creature in a lane.
    Activate { lane: u8, ability: AbilityId, pick: Pick },
    /// Move a creature by Mobility.
    Move { from: u8, to: u8 },
    /// Fight.
    Battle,
    /// End the turn.
    End,
}

impl Action {
    /// This action on a target, if it takes one.
    #[inline]
    fn on(self, pick: Pick) -> Self {
        match self {
            Action::Spell { at, .. } => Action::Spell { at, pick },
            Action::Activate { lane, ability, .. } => Action::Activate { lane, ability, pick },
            Action::Creature { .. }
            | Action::Level { .. }
            | Action::Move { .. }
            | Action::Battle
            | Action::End => self,
        }
    }
}

/// Everything that a player can do at one moment: each card of the hand played in every way or levelled, each
/// activated ability used in every way, each creature moved; battle, and the end of the turn.
pub(in crate::games::solforge) type Actions =
    ArrayVec<Action, { CARDS * (PICKS + 1) + LANES * (ACTIVATED * PICKS + LANES) + 2 }>;

/// Something that collects all actions that a player can take.
trait Sink {
    /// Takes an action.
    fn push(&mut self, action: Action);

    /// Takes the creature at a place of the hand, played into each lane, and levelled if it can be.
    #[inline]
    fn creature(&mut self, at: u8, levels: bool) {
        for lane in 0..LANES as u8 {
            self.push(Action::Creature { at, lane });
        }
        if levels {
            self.push(Action::Level { at });
        }
    }

    /// Takes an action on each of its possible targets.
    #[inline]
    fn choices(&mut self, action: Action, options: Options) {
        for pick in options {
            self.push(action.on(pick));
        }
    }
}

impl Sink for Actions {
    #[inline]
    fn push(&mut self, action: Action) {
        Actions::push(self, action);
    }
}

/// Everything that a player can do, in short: one run stands for a creature of the hand in all lanes and for its
/// levelling, or for an action on all its targets. For players who look at one action alone.
pub(in crate::games::solforge) struct Runs {
    /// Each card of the hand is played or levelled, each ability used, each creature moved.
    list: ArrayVec<Run, { PILE * 2 + LANES * (ACTIVATED + LANES) + 2 }>,
    /// How many actions there are.
    count: usize,
}

/// Actions that differ only in the lane or the target. The run of a creature in hand may end with its levelling.
struct Run {
    action: Action,
    /// The number of its first action.
    start: u16,
    /// The targets of its actions; empty where an action takes none.
    options: Options,
}

impl Runs {
    /// No actions yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { list: ArrayVec::new(), count: 0 }
    }

    /// How many actions there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The action with a number, counted from 0 in the order of the plain list.
    #[inline]
    pub fn nth(&self, number: usize) -> Action {
        // Dice decide the number, so a search that stops at its run would branch in a way that nothing predicts.
        let begun = self.list.iter().filter(|run| usize::from(run.start) <= number).count();
        let Some(run) = self.list[..begun].last() else { return Action::End };
        let before = number - usize::from(run.start);
        let mut options = run.options;
        match run.action {
            Action::Creature { at, .. } if before < LANES => {
                Action::Creature { at, lane: before as u8 }
            }
            Action::Creature { at, .. } => Action::Level { at },
            action => options.nth(before).map_or(action, |pick| action.on(pick)),
        }
    }

    #[inline]
    fn add(&mut self, action: Action, count: usize, options: Options) {
        self.list.push(Run { action, start: self.count as u16, options });
        self.count += count;
    }
}

impl Sink for Runs {
    #[inline]
    fn push(&mut self, action: Action) {
        self.add(action, 1, Options::NONE);
    }

    #[inline]
    fn creature(&mut self, at: u8, levels: bool) {
        let count = LANES + usize::from(levels);
        self.add(Action::Creature { at, lane: 0 }, count, Options::NONE);
    }

    #[inline]
    fn choices(&mut self, action: Action, options: Options) {
        if !options.is_empty() {
            self.add(action, options.len(), options);
        }
    }
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Lists everything that the active player can do now. The turn can end once the battle is fought and no card can
    /// be played any more ("Phases in a turn"; SF-30; decisions 2 and 6).
    pub(in crate::games::solforge) fn actions(&self, actions: &mut Actions) {
        actions.clear();
        self.every_action(actions);
    }

    /// Lists everything that the active player can do now, in short: actions that differ only in the lane or the target
    /// are one run.
    pub(in crate::games::solforge) fn runs(&self, runs: &mut Runs) {
        runs.list.clear();
        runs.count = 0;
        self.every_action(runs);
    }

    /// Gives a sink every action, in a fixed order.
    #[inline(always)]
    fn every_action<S: Sink>(&self, actions: &mut S) {
        let side = self.state.active;
        let player = self.state.player(side);
        let hand: &[Form] = &player.hand;
        let levels = player.plays > 0;
        let mut met = FormSet::default();
        for (at, &form) in hand.iter().enumerate() {
            let data = self.cards().form(form);
            // Two copies of a card are one choice.
            if !(levels || data.free) || !met.insert(form) {
                continue;
            }
            let at = at as u8;
            // Every way to play the card (decisions 6 and 24; SF-X).
            match data.kind {
                Kind::Creature => actions.creature(at, levels),
                Kind::Spell => {
                    self.casts(at, form, actions);
                    if levels {
                        actions.push(Action::Level { at });
                    }
                }
            }
        }
        let must_act = levels && !hand.is_empty() || self.state.battles_open > 0;
        // No other creature can do anything but fight.
        let able = self.state.listening[Hook::Activate as usize].or(self.state.mobile);
        for (side, lane) in able.of(side) {
            self.activations(side, lane, actions);
            self.moves(side, lane, actions);
        }
        if self.state.battles_open > 0 {
            actions.push(Action::Battle);
        }
        if !must_act {
            actions.push(Action::End);
        }
    }

    /// Every way to play the spell at a place of the hand.
    fn casts<S: Sink>(&self, at: u8, form: Form, actions: &mut S) {
        let spell = Action::Spell { at, pick: Pick::Nothing };
        let Some((_, cast)) = self.cast(form) else { return actions.push(spell) };
        match &cast.choice {
            None => actions.push(spell),
            Some(choice) => {
                let source = Ref { form, side: self.state.active.0, ..Ref::default() };
                let options = self.cast_options(choice, source);
                if options.is_empty() && self.has_other_options(cast, source) {
                    actions.push(spell);
                }
                actions.choices(spell, options);
            }
        }
    }

    /// Whether an ability's second choice has options where the first has none.
    fn has_other_options(&self, ability: &Ability, source: Ref) -> bool {
        ability.also.as_ref().is_some_and(|also| !self.also_options(also, source, &[]).is_empty())
    }

    /// What a spell in hand can choose once it has left the hand (SF-X).
    pub(in crate::games::solforge) fn cast_options(&self, choice: &Choice, source: Ref) -> Options {
        let others = self.state.player(source.side()).hand.len() - 1;
        let mut options = self.options(choice, source);
        // Cards are chosen by their place in the hand without the spell.
        options.remove(Pick::Card(others as u8));
        options
    }

    /// Every way to use an activated ability of a creature (decision 15, SF-X).
    fn activations<S: Sink>(&self, side: Side, lane: u8, actions: &mut S) {
        let creature = self.state.at(side, lane);
        if !creature.is_offensive() || creature.blank {
            return;
        }
        let data = self.cards().form(creature.form);
        if !data.hooks.contains(Hook::Activate) {
            return;
        }
        for id in data.abilities.clone().map(AbilityId) {
            let ability = self.cards().ability(id);
            let Trigger::Activate(times) = ability.trigger else { continue };
            if creature.activated >= times {
                continue;
            }
            let use_it = Action::Activate { lane, ability: id, pick: Pick::Nothing };
            match &ability.choice {
                None => actions.push(use_it),
                Some(choice) => {
                    let source = self.reference(side, lane);
                    let options = self.options(choice, source);
                    if options.is_empty() && self.has_other_options(ability, source) {
                        actions.push(use_it);
                    }
                    actions.choices(use_it, options);
                }
            }
        }
    }

    /// Every free space that a creature can move to by Mobility (decision 15, SF-X).
    fn moves<S: Sink>(&self, side: Side, lane: u8, actions: &mut S) {
        let creature = self.state.at(side, lane);
        if creature.mobility <= 0 || creature.moved || !creature.is_offensive() {
            return;
        }
        for to in 0..LANES as u8 {
            let reach = i16::from(to.abs_diff(lane)) <= creature.mobility;
            if reach && self.state.is_free(side, to) {
                actions.push(Action::Move { from: lane, to });
            }
        }
    }

    /// The ability that is a spell's own effect.
    pub(in crate::games::solforge) fn cast(&self, form: Form) -> Option<(AbilityId, &Ability)> {
        let range = self.cards().form(form).abilities.clone();
        range.map(AbilityId).find_map(|id| {
            let ability = self.cards().ability(id);
            (ability.trigger == Trigger::Cast).then_some((id, ability))
        })
    }

    /// Takes an action of the active player, with everything that it sets off ("Phases in a turn"; SF-30; decision 2).
    pub(in crate::games::solforge) fn act(&mut self, action: Action) {
        match action {
            Action::Creature { at, lane } => self.play_creature(usize::from(at), lane),
            Action::Spell { at, pick } => self.play_spell(usize::from(at), &[pick], &[]),
            Action::Level { at } => {
                self.pay();
                self.level(self.state.active, usize::from(at), Agent::Player);
            }
            Action::Activate { lane, ability, pick } => self.activate(lane, ability, &[pick], &[]),
            Action::Move { from, to } => {
                self.state.at_mut(self.state.active, from).moved = true;
                self.walk(from, to);
            }
            Action::Battle => self.fight(),
            Action::End => {}
        }
        self.come_to_rest();
    }

    fn pay(&mut self) {
        let player = self.state.player_mut(self.state.active);
        player.plays = player.plays.saturating_sub(1);
    }

    /// Takes a card out of the hand to play it ("Basic Spell Resolution"; SF-01; decision 2).
    fn begin_play(&mut self, at: usize) -> (Form, u8) {
        let side = self.state.active;
        let form = self.take_from_hand(side, at);
        if !self.cards().form(form).free {
            self.pay();
        }
        let player = self.state.player_mut(side);
        player.played = player.played.saturating_add(1);
        let nth = player.played;
        self.state.seen[side.index()].insert(form);
        self.tell(Event::Plays(side, form));
        (form, nth)
    }

    /// Plays a creature into a lane; a creature that stands there is replaced (decision 24). Its own abilities on
    /// entering have no priority over others that its entry sets off (SF-01, SF-03).
    pub(in crate::games::solforge) fn play_creature(&mut self, at: usize, lane: u8) {
        let side = self.state.active;
        let (form, nth) = self.begin_play(at);
        let who = self.place(side, lane, form, Entry::Forged);
        self.ask_at(side, lane, News::of(Hook::Forge, who), Because::Alive);
        self.announce_entry(who, true);
        self.announce(News { played: Some((form, side, nth)), ..News::of(Hook::Plays, who) });
        if statics::extra_battles(self.cards(), self.state, side, lane) > 0 {
            self.look_for_battles(side);
        }
        self.resolve(Source::Play);
    }

    /// Plays a spell on the picked targets. It has resolved before anything reacts (SF-01, SF-02), and what it destroys
    /// is gone before its batch forms (SF-08).
    pub(in crate::games::solforge) fn play_spell(
        &mut self,
        at: usize,
        picks: &[Pick],
        also: &[Pick],
    ) {
        let side = self.state.active;
        let (form, nth) = self.begin_play(at);
        let source = Ref { form, side: side.0, ..Ref::default() };
        let mut on = Ref::default();
        if let Some((ability, _)) = self.cast(form) {
            on = self.carry_out(ability, source, picks, also);
        }
        for id in self.cards().form(form).abilities.clone().map(AbilityId) {
            if self.cards().ability(id).trigger == Trigger::Forge {
                let because = Because::Anyway;
                self.wait(Waiting { ability: id, source, subject: on, amount: 0, because });
            }
        }
        let news = News {
            played: Some((form, side, nth)),
            ..News::of(Hook::Plays, Ref { id: u16::MAX, ..source })
        };
        self.announce(news);
        self.bury(true);
        self.resolve(Source::Play);
    }

    /// Uses an activated ability ("Batching: Death Check"; SF-29, SF-43; decision 15).
    pub(in crate::games::solforge) fn activate(
        &mut self,
        lane: u8,
        ability: AbilityId,
        picks: &[Pick],
        also: &[Pick],
    ) {
        let side = self.state.active;
        self.state.at_mut(side, lane).activated += 1;
        let source = self.reference(side, lane);
        self.tell(Event::Activates(source, ability));
        self.carry_out(ability, source, picks, also);
        self.bury(true);
        self.resolve(Source::Activation);
    }

    /// Moves a creature, and resolves everything that this sets off (decision 15).
    pub(in crate::games::solforge) fn walk(&mut self, from: u8, to: u8) {
        self.move_to(self.state.active, from, to, Agent::Player);
        self.resolve(Source::Motion);
    }

    /// Carries out an ability at once, on what was picked for each of its choices and as many more targets as its
    /// player chooses. Returns the first creature that was chosen ("Basic Spell Resolution"; SF-01, SF-02; decisions 6
    /// and 23).
    fn carry_out(&mut self, ability: AbilityId, source: Ref, picks: &[Pick], also: &[Pick]) -> Ref {
        let of = self.cards().ability(ability);
        let cause =
            Waiting { ability, source, subject: source, amount: 0, because: Because::Alive };
        if !of.demands.iter().all(|&demand| self.is_met(demand, &cause)) {
            self.tell(Event::Fizzles(source, ability, false));
            return Ref::default();
        }
        let mut chosen = ManyChosen::new();
        for (picks, also, choice) in [(picks, false, &of.choice), (also, true, &of.also)] {
            let most = choice.map_or(0, |choice| choice.count.into());
            let picks = picks.iter().filter(|&&pick| pick != Pick::Nothing).take(most);
            chosen.extend(picks.map(|&pick| self.remember(pick, source.side(), also)));
        }
        if !self.choose(of, &cause, &mut chosen) {
            self.tell(Event::Fizzles(source, ability, true));
            return Ref::default();
        }
        for effect in &of.effects {
            self.take_effect(effect, &cause, &chosen);
        }
        self.tell(Event::Resolved(source, ability));
        first_chosen(&chosen).next().map_or_else(Ref::default, |chosen| chosen.who)
    }
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Carries out what an ability would do if `pick` were chosen, by the second of two choices if `also`: its effects
    /// and the deaths that follow, but nothing that these set off.
    pub(in crate::games::solforge) fn imagine(&mut self, cause: &Waiting, pick: Pick, also: bool) {
        if pick != Pick::Nothing {
            let chosen = [self.remember(pick, cause.source.side(), also)];
            for effect in &self.cards().ability(cause.ability).effects {
                self.take_effect(effect, cause, &chosen);
            }
        }
        self.waiting.clear();
        self.bury(false);
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{Action, Actions, Options, Pick, Runs, Sink};
    use crate::game::Side;
    use crate::games::solforge::ability::AbilityId;
    use crate::games::solforge::state::LANES;

    /// What a sink is given.
    #[derive(Clone, Copy, Debug)]
    enum Given {
        One(Action),
        Creature { at: u8, levels: bool },
        Choices(Action, Options),
    }

    /// Things that a player can choose among, often none.
    fn options() -> impl Strategy<Value = Options> {
        let picks = prop_oneof![
            (any::<bool>(), 0..LANES as u8).prop_map(|(b, lane)| Pick::Creature(side(b), lane)),
            any::<bool>().prop_map(|b| Pick::Player(side(b))),
            (0..LANES as u8).prop_map(|lane| Pick::Space(Side::A, lane)),
            (0..8_u8).prop_map(Pick::Card),
        ];
        vec(picks, 0..6).prop_map(|picks| {
            let mut options = Options::NONE;
            picks.into_iter().for_each(|pick| options.add(pick));
            options
        })
    }

    fn side(b: bool) -> Side {
        if b { Side::B } else { Side::A }
    }

    fn given() -> impl Strategy<Value = Given> {
        let spell = |at| Action::Spell { at, pick: Pick::Nothing };
        let used =
            |lane| Action::Activate { lane, ability: AbilityId::default(), pick: Pick::Nothing };
        prop_oneof![
            (0..8_u8).prop_map(move |at| Given::One(spell(at))),
            (0..8_u8).prop_map(|at| Given::One(Action::Level { at })),
            (0..5_u8, 0..5_u8).prop_map(|(from, to)| Given::One(Action::Move { from, to })),
            Just(Given::One(Action::Battle)),
            Just(Given::One(Action::End)),
            (0..8_u8, any::<bool>()).prop_map(|(at, levels)| Given::Creature { at, levels }),
            (0..8_u8, options()).prop_map(move |(at, of)| Given::Choices(spell(at), of)),
            (0..5_u8, options()).prop_map(move |(lane, of)| Given::Choices(used(lane), of)),
        ]
    }

    fn give(to: &mut impl Sink, all: &[Given]) {
        for &given in all {
            match given {
                Given::One(action) => to.push(action),
                Given::Creature { at, levels } => to.creature(at, levels),
                Given::Choices(action, options) => to.choices(action, options),
            }
        }
    }

    proptest! {
        /// Runs have the same actions in the same order as the plain list, so that a die of so many faces makes the
        /// same choice.
        #[test]
        fn runs_are_the_list_of_actions_in_short(all in vec(given(), 0..24)) {
            let (mut actions, mut runs) = (Actions::new(), Runs::new());
            give(&mut actions, &all);
            give(&mut runs, &all);
            prop_assert_eq!(runs.count(), actions.len());
            for (number, &action) in actions.iter().enumerate() {
                prop_assert_eq!(runs.nth(number), action);
            }
        }
    }
}
