//! Whole games, implemented a second time: decks that are drawn, hands, turns, and all legal actions.

use evens::games::solforge::ability::{AbilityId, Trigger};
use evens::games::solforge::cards::vocabulary::{Faction, Kind};
use evens::games::solforge::rolls::Roll;
use evens::games::solforge::state::Form;

use super::choose::Chosen;
use super::game::{Game, Mark};
use super::greedy::Next;
use super::table::{LANES, Space};

/// An action that a player may take.
#[derive(Clone, Debug)]
pub enum Action {
    Creature(usize, usize),
    Spell(usize, Vec<Chosen>),
    Level(usize),
    Activate(Space, AbilityId, Vec<Chosen>),
    Move(Space, usize),
    Battle,
    End,
}

impl Game<'_> {
    /// Draws both decks and then both hands of five. "Deck exactly 30 cards, at most 2 factions, at most 3 copies of a
    /// card": a pair of factions, and thirty cards out of three copies of each of their cards.
    pub fn begin(&mut self) {
        let factions = [Faction::Alloyin, Faction::Nekrium, Faction::Tempys, Faction::Uterra];
        let mut pairs = Vec::new();
        for (at, &first) in factions.iter().enumerate() {
            pairs.extend(factions[at + 1..].iter().map(|&second| [first, second]));
        }
        for side in 0..2 {
            let pair = pairs[self.dice.pick(Roll::DeckFactions, pairs.len())];
            let mut left: Vec<Form> = Vec::new();
            for faction in pair {
                let cards = self.cards.cards.iter().filter(|card| !card.token);
                let cards = cards.filter(|card| card.faction == faction);
                left.extend(cards.flat_map(|card| [Form(card.forms.start); 3]));
            }
            for _ in 0..30 {
                let at = self.dice.pick(Roll::DeckCard, left.len());
                self.table.players[side].deck.push(left.swap_remove(at));
            }
        }
        self.draw_hands();
    }

    /// Begins a game with given decks of thirty cards, from which both hands are drawn.
    pub fn begin_with(&mut self, decks: &[Vec<Form>; 2]) {
        for (player, deck) in self.table.players.iter_mut().zip(decks) {
            player.deck.clone_from(deck);
        }
        self.draw_hands();
    }

    fn draw_hands(&mut self) {
        for side in 0..2 {
            self.draw(side, 5);
        }
    }

    /// Plays a turn of a player that takes any legal action, all equally likely, or of a greedy one.
    pub fn turn(&mut self, first: bool) {
        self.start_turn();
        if first {
            // "First player's first turn: one".
            self.table.players[self.table.active].plays = 1;
        }
        self.table.number();
        let mut planned = None;
        while self.table.verdict.is_none() {
            let mut actions = self.actions();
            let at = if self.greedy[self.table.active] {
                let hand = self.table.players[self.table.active].hand.len();
                let next = planned.take().and_then(|(next, then): (Next, usize)| {
                    let at = actions.iter().position(|action| next.is(action));
                    at.filter(|_| hand == then)
                });
                next.unwrap_or_else(|| {
                    let plan = self.plan(&actions);
                    planned = plan.next;
                    plan.first
                })
            } else {
                self.dice.pick(Roll::Action, actions.len())
            };
            match actions.swap_remove(at) {
                Action::End => break,
                action => self.take(action),
            }
            self.table.number();
        }
        if self.table.verdict.is_none() {
            self.end_turn();
            self.table.number();
        }
    }

    /// Takes an action, with everything that follows from it.
    pub fn take(&mut self, action: Action) {
        match action {
            Action::Creature(at, lane) => self.play_creature(at, lane),
            Action::Spell(at, chosen) => self.cast(at, chosen),
            Action::Level(at) => {
                self.pay();
                self.level(self.table.active, at);
            }
            Action::Activate(space, ability, chosen) => self.use_ability(space, ability, chosen),
            Action::Move(from, to) => {
                self.table.at_mut(from).expect("somebody moves").moved = true;
                self.walk(from, to);
            }
            Action::Battle => return self.battle(),
            Action::End => return,
        }
        self.come_to_rest();
    }

    /// All legal actions: each card of the hand played in every way or levelled, each ability used in every way, each
    /// creature moved, the battle, and the end of the turn once two cards are played and the battle is fought.
    fn actions(&self) -> Vec<Action> {
        let own = self.table.active;
        let player = &self.table.players[own];
        let mut actions = Vec::new();
        for (at, &form) in player.hand.iter().enumerate() {
            if player.hand[..at].contains(&form) {
                continue;
            }
            let data = self.cards.form(form);
            if player.plays > 0 || data.free {
                match data.kind {
                    Kind::Creature => {
                        actions.extend((0..LANES).map(|lane| Action::Creature(at, lane)));
                    }
                    Kind::Spell => {
                        let ways = self.ways(self.cast_of(form), self.spell(form));
                        // A spell cannot choose itself: indices are those of the hand without it.
                        let rest = player.hand.len() - 1;
                        let ways = ways.into_iter().filter(
                            |way| !matches!(way.first(), Some(Chosen::Card(at)) if *at >= rest),
                        );
                        actions.extend(ways.map(|way| Action::Spell(at, way)));
                    }
                }
            }
            if player.plays > 0 {
                actions.push(Action::Level(at));
            }
        }
        let cards_left = !actions.is_empty() && player.plays > 0;
        for lane in 0..LANES {
            let space = (own, lane);
            let Some(creature) = self.table.standing(space) else { continue };
            if !creature.is_offensive() {
                continue;
            }
            let printed = !creature.blank;
            for id in
                self.cards.form(creature.form).abilities.clone().map(AbilityId).filter(|_| printed)
            {
                if let Trigger::Activate(times) = self.ability(id).trigger
                    && creature.activated < i32::from(times)
                {
                    let ways = self.ways(Some(id), self.mark(space));
                    actions.extend(ways.into_iter().map(|way| Action::Activate(space, id, way)));
                }
            }
            for to in 0..LANES {
                let near = to.abs_diff(lane) as i32 <= creature.own.mobility;
                if near && !creature.moved && self.table.is_free((own, to)) {
                    actions.push(Action::Move(space, to));
                }
            }
        }
        if self.table.battles_open > 0 {
            actions.push(Action::Battle);
        } else if !cards_left {
            actions.push(Action::End);
        }
        actions
    }

    /// Every first choice for an ability; a single empty one if it has no choice.
    fn ways(&self, ability: Option<AbilityId>, source: Mark) -> Vec<Vec<Chosen>> {
        match ability.and_then(|id| self.ability(id).choice.as_ref()) {
            None => vec![Vec::new()],
            Some(choice) => {
                let options = self.options(choice, source, &[]);
                let also = ability.and_then(|id| self.ability(id).also.as_ref());
                if options.is_empty()
                    && also.is_some_and(|also| !self.options(also, source, &[]).is_empty())
                {
                    return vec![Vec::new()];
                }
                options.into_iter().map(|of| vec![of]).collect()
            }
        }
    }
}
