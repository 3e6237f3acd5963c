//! Batches, death checks, the phases of a turn, battles.

use evens::game::Outcome;
use evens::games::solforge::ability::{Ability, AbilityId, Filter, Trigger};
use evens::games::solforge::cards::vocabulary::{Place, Relation, SideForm, TurnOf};
use evens::games::solforge::event::{Event, Ref};
use evens::games::solforge::keyword::Keyword;
use evens::games::solforge::rolls::Roll;
use evens::games::solforge::setup::Cards;
use evens::games::solforge::state::Form;

use super::table::{Creature, LANES, Space, Table, side, spaces};
use crate::tape::Tape;

/// A creature (or a spell, id 0) as it was when something happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    pub id: u16,
    pub form: Form,
    pub space: Space,
}

/// An ability that was set off and waits for its batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    pub ability: AbilityId,
    pub source: Mark,
    pub subject: Option<Mark>,
    pub dealt: i32,
}

/// What happens and may set something off.
#[derive(Clone, Copy, Debug)]
pub enum Happening {
    Plays { player: usize, card: Form, id: u16 },
    Enters { who: Mark, forged: bool },
    Dies { who: Mark },
    Moves { who: Mark },
    TurnStarts,
    TurnEnds,
    RankRises(usize),
}

/// A game, the dice of this step, and in which order the engine's luck had abilities resolve.
#[derive(Clone, Debug)]
pub struct Game<'a> {
    pub cards: &'a Cards,
    pub table: Table,
    pub waiting: Vec<Waiting>,
    pub stamp: u32,
    pub dice: Tape<Roll>,
    pub told: Vec<Event>,
    /// Which of several equal-looking abilities resolves, time after time; and among how many.
    pub guesses: Vec<usize>,
    pub among: Vec<usize>,
    pub answers: [Vec<(u16, Vec<evens::games::solforge::ability::Pick>)>; 2],
}

impl<'a> Game<'a> {
    pub fn ability(&self, id: AbilityId) -> &'a Ability {
        self.cards.ability(id)
    }

    pub fn mark(&self, space: Space) -> Mark {
        let creature = self.table.at(space).expect("somebody is here");
        Mark { id: creature.id, form: creature.form, space }
    }

    /// A source where it is now, if it is on the field; where it was otherwise.
    pub fn place_of(&self, mark: Mark) -> Space {
        self.table.find(mark.id).unwrap_or(mark.space)
    }

    /// Whether a creature is one of those that a filter means, seen from a source.
    pub fn is_meant(&self, filter: &Filter, from: Mark, who: Mark, at: Space) -> bool {
        let here = self.place_of(from);
        let data = self.cards.form(who.form);
        let creature = self.table.find(who.id).and_then(|space| self.table.at(space));
        let of_side = match filter.side {
            SideForm::Any => true,
            SideForm::Friend => at.0 == from.space.0,
            SideForm::Enemy => at.0 != from.space.0,
        };
        let in_place = match filter.place {
            Place::Anywhere => true,
            Place::Adjacent => at.0 == here.0 && at.1.abs_diff(here.1) == 1,
            Place::Opposite => at.0 != here.0 && at.1 == here.1,
        };
        of_side
            && in_place
            && !(filter.other && from.id != 0 && who.id == from.id)
            && (filter.attack_at_most == i16::MAX
                || self.table.find(who.id).is_some_and(|space| {
                    self.table.attack(self.cards, space) <= i32::from(filter.attack_at_most)
                }))
            && data.level <= filter.level_at_most
            && filter.faction.is_none_or(|faction| data.faction == faction)
            && filter.not_faction.is_none_or(|faction| data.faction != faction)
            && (filter.tribes == 0 || data.tribes & filter.tribes != 0)
            && data.tribes & filter.not_tribes == 0
            && filter.keyword.is_none_or(|keyword| creature.is_some_and(|c| c.has(keyword)))
            && (!filter.poisoned || creature.is_some_and(|c| c.poison > 0))
    }

    pub fn abilities_of(&self, creature: &Creature) -> Vec<AbilityId> {
        let printed = self.cards.form(creature.form).abilities.clone().map(AbilityId);
        printed.chain(creature.granted.iter().map(|&(id, _)| id)).collect()
    }

    /// Sets off whatever listens: everybody on the field who is not destroyed.
    pub fn happens(&mut self, what: Happening) {
        for space in spaces() {
            if let Some(creature) = self.table.standing(space) {
                self.ask(&creature.clone(), space, what);
            }
        }
    }

    fn ask(&mut self, creature: &Creature, space: Space, what: Happening) {
        let source = Mark { id: creature.id, form: creature.form, space };
        for ability in self.abilities_of(creature) {
            if let Some(subject) = self.sets_off(ability, source, what) {
                self.waiting.push(Waiting { ability, source, subject, dealt: 0 });
            }
        }
    }

    /// Whether it does; with the creature that did, if one did.
    fn sets_off(&self, ability: AbilityId, by: Mark, what: Happening) -> Option<Option<Mark>> {
        let turn = |of: TurnOf| match of {
            TurnOf::Each => true,
            TurnOf::Yours => by.space.0 == self.table.active,
            TurnOf::Theirs => by.space.0 != self.table.active,
        };
        match (self.ability(ability).trigger, what) {
            (Trigger::Forge, Happening::Enters { who, forged: true }) if who.id == by.id => {
                Some(Some(who))
            }
            (Trigger::Arrives, Happening::Enters { who, .. }) if who.id == by.id => Some(Some(who)),
            (Trigger::Enters(filter, only), Happening::Enters { who, forged }) => {
                let fits = only.is_none_or(|only| only == forged);
                (fits && self.is_meant(&filter, by, who, who.space)).then_some(Some(who))
            }
            (Trigger::Vengeance, Happening::Dies { who, .. }) if who.id == by.id => Some(Some(who)),
            (Trigger::Destroyed(filter), Happening::Dies { who, .. }) => {
                self.is_meant(&filter, by, who, who.space).then_some(Some(who))
            }
            (Trigger::Flank, Happening::Moves { who }) if who.id == by.id => Some(Some(who)),
            (Trigger::Moves(filter), Happening::Moves { who }) => {
                self.is_meant(&filter, by, who, who.space).then_some(Some(who))
            }
            (Trigger::Plays(of), Happening::Plays { player, card, id }) => {
                let data = self.cards.form(card);
                let whose = match of.player {
                    Relation::You => player == by.space.0,
                    Relation::Opponent => player != by.space.0,
                };
                let fits = whose
                    && by.id != id
                    && of.kind.is_none_or(|kind| data.kind == kind)
                    && of.faction.is_none_or(|faction| data.faction == faction)
                    && data.level <= of.level_at_most
                    && (of.nth == 0 || self.table.players[player].played == i32::from(of.nth));
                fits.then_some(None)
            }
            (Trigger::TurnStarts(of), Happening::TurnStarts) => turn(of).then_some(None),
            (Trigger::TurnEnds(of), Happening::TurnEnds) => turn(of).then_some(None),
            (Trigger::RankRises, Happening::RankRises(player)) => {
                (by.space.0 == player).then_some(None)
            }
            _ => None,
        }
    }

    /// Something new happens: all that it does happens at the same time.
    pub fn new_moment(&mut self) {
        self.stamp += 1;
    }

    /// Notes who was killed by now; who is above 0 again was not.
    pub fn note_kills(&mut self) {
        for space in spaces() {
            let health = self.table.health(self.cards, space);
            let stamp = self.stamp;
            let Some(creature) = self.table.at_mut(space) else { continue };
            if !creature.destroyed {
                creature.killed = match creature.killed {
                    Some(before) if health <= 0 => Some(before),
                    None if health <= 0 => Some(stamp),
                    _ => None,
                };
            }
        }
    }

    /// Those who are dead leave in the order in which they were killed: the destroyed, and at the end of a batch all
    /// without health. Each death is seen by the living, and by those "that die before or at the same time".
    pub fn bury(&mut self, only_destroyed: bool) {
        self.note_kills();
        let mut dying = std::mem::take(&mut self.table.displaced);
        for space in spaces() {
            if let Some(creature) = self.table.at(space)
                && creature.killed.is_some()
                && (creature.destroyed || !only_destroyed)
            {
                dying.push((creature.clone(), space));
            }
        }
        dying.sort_by_key(|(creature, _)| creature.killed);
        for (dead, at) in &dying {
            let who = Mark { id: dead.id, form: dead.form, space: *at };
            let what = Happening::Dies { who };
            for space in spaces() {
                let Some(creature) = self.table.standing(space) else { continue };
                if !dying.iter().any(|(other, _)| other.id == creature.id) {
                    self.ask(&creature.clone(), space, what);
                }
            }
            for (other, space) in &dying {
                if other.killed >= dead.killed {
                    self.ask(other, *space, what);
                }
            }
        }
        for (dead, (side, lane)) in dying {
            if self.table.at((side, lane)).is_some_and(|creature| creature.id == dead.id) {
                self.table.field[side][lane] = None;
            }
            self.table.dead.push(dead.form);
        }
    }

    /// "All creatures with 0 or lower health are removed from the board, and if either player has 0 or lower life,
    /// the player with the lowest life loses the game."
    pub fn death_check(&mut self) {
        self.bury(false);
        let lives = [self.table.players[0].life, self.table.players[1].life];
        if lives.iter().any(|&life| life <= 0) && !self.table.sudden_death {
            if lives[0] == lives[1] {
                self.table.sudden_death = true;
            } else {
                self.lower_life_loses();
            }
        }
        self.stamp = 0;
    }

    fn lower_life_loses(&mut self) {
        let [a, b] = [self.table.players[0].life, self.table.players[1].life];
        if a != b && self.table.verdict.is_none() {
            self.table.verdict = Some(Outcome::Win(side(usize::from(a < b))));
        }
    }

    /// Resolves what waits, and what that sets off, until nothing does.
    pub fn come_to_rest(&mut self) {
        self.batch();
        while !self.waiting.is_empty() && self.table.verdict.is_none() {
            self.batch();
        }
        self.waiting.clear();
    }

    /// One batch and the death check at its end.
    pub fn batch(&mut self) {
        if self.table.verdict.is_some() {
            return;
        }
        let all = std::mem::take(&mut self.waiting);
        let mut batch: Vec<Waiting> = all.into_iter().filter(|of| self.still_triggers(of)).collect();
        // "1. Active player's untargeted abilities 2. Non-active player's untargeted 3. Active player's targeted";
        // the other player's targeted ones come last (Decisions).
        for (targeted, active) in [(false, true), (false, false), (true, true), (true, false)] {
            let is_now = |game: &Self, of: &Waiting| {
                game.ability(of.ability).choice.is_some() == targeted
                    && (of.source.space.0 == game.table.active) == active
            };
            while let Some(next) = {
                let group: Vec<usize> =
                    (0..batch.len()).filter(|&at| is_now(self, &batch[at])).collect();
                self.next_of(&batch, group)
            } {
                let next = batch.remove(next);
                self.resolve(&next);
            }
        }
        self.death_check();
    }

    /// "A trigger needs its creature alive when its batch forms, except after deaths and battle damage" (Decisions).
    fn still_triggers(&self, of: &Waiting) -> bool {
        let needs_nobody = matches!(
            self.ability(of.ability).trigger,
            Trigger::Vengeance
                | Trigger::Destroyed(_)
                | Trigger::HitsPlayer(_)
                | Trigger::HitsCreature(_)
        );
        let standing = self.table.find(of.source.id).and_then(|at| self.table.standing(at));
        // "If it's dead at this point, it will not trigger Fervent Assault or Frostfang Maiden."
        let moves = matches!(self.ability(of.ability).trigger, Trigger::Moves(_));
        let mover = of.subject.and_then(|who| self.table.find(who.id));
        if moves && mover.and_then(|at| self.table.standing(at)).is_none() {
            return false;
        }
        needs_nobody || of.source.id == 0 || standing.is_some()
    }

    /// Which of a group resolves next is luck, and told by the engine; it must be one of the group.
    fn next_of(&mut self, batch: &[Waiting], group: Vec<usize>) -> Option<usize> {
        if group.is_empty() {
            return None;
        }
        // All orders are equally likely; which one it is, the engine tells.
        self.dice.pick(Roll::BatchOrder, group.len());
        let next = loop {
            assert!(!self.told.is_empty(), "the engine resolves none of {:?}", &batch[group[0]]);
            if let Event::Resolves { by, ability, .. } = self.told.remove(0) {
                break (by, ability);
            }
        };
        let is_it = |of: &Waiting| {
            let Ref { id, form, side, .. } = next.0;
            of.ability == next.1
                && (of.source.id, of.source.form, of.source.space.0)
                    == (id, form, usize::from(side))
        };
        let mut like: Vec<usize> = Vec::new();
        for &at in &group {
            if is_it(&batch[at]) && !like.iter().any(|&other| batch[other] == batch[at]) {
                like.push(at);
            }
        }
        assert!(
            !like.is_empty(),
            "the engine resolves {next:?}, of this group wait {:?}",
            group.iter().map(|&at| &batch[at]).collect::<Vec<_>>()
        );
        if like.len() == 1 {
            return Some(like[0]);
        }
        // Told apart only by what set them off, which the engine does not say.
        let nth = self.among.len();
        self.among.push(like.len());
        Some(like[self.guesses.get(nth).copied().unwrap_or(0)])
    }

    /// A battle (SF-46 to SF-49).
    pub fn battle(&mut self) {
        // "Having a creature with extra battles on the field when you battle" (SF-50).
        let more = |&lane: &usize| {
            let space = (self.table.active, lane);
            self.table.at(space).is_some() && self.table.battles(self.cards, space) > 1
        };
        let looks = (0..LANES).any(|lane| more(&lane));
        let extra = self.table.fought;
        self.table.battles_open -= 1;
        self.table.fought = true;
        self.new_moment();
        // In an additional battle those fight who have battles left; the others strike back (Decisions).
        let fights = |space: Space| {
            self.table.at(space).is_some_and(|creature| {
                let left = self.table.battles(self.cards, space) - creature.battled;
                let may = if space.0 == self.table.active { left > 0 } else { !extra };
                creature.attacks() && may
            })
        };
        let fighting: Vec<Space> = spaces().into_iter().filter(|&space| fights(space)).collect();
        for &space in &fighting {
            if space.0 == self.table.active {
                self.table.at_mut(space).expect("it fights").battled += 1;
            }
        }
        let mut hits: Vec<(Mark, Option<Mark>, i32)> = Vec::new();
        for lane in 0..LANES {
            let there = [(0, lane), (1, lane)].map(|space| self.table.at(space).is_some());
            let healths = [(0, lane), (1, lane)].map(|space| self.table.health(self.cards, space));
            // "Damage is dealt in left to right order": what the lanes before have done counts here.
            let attacks = [(0, lane), (1, lane)].map(|space| self.table.attack(self.cards, space));
            for own in [self.table.active, 1 - self.table.active] {
                let (space, other) = ((own, lane), (1 - own, lane));
                if !there[own] {
                    continue;
                }
                let by = self.mark(space);
                let fights = fighting.contains(&space);
                let strikes_back = there[1 - own] && fighting.contains(&other);
                if !fights && !strikes_back {
                    continue;
                }
                if !there[1 - own] {
                    let lost = self.damage_player(1 - own, attacks[own]);
                    if lost > 0 {
                        hits.push((by, None, lost));
                    }
                    continue;
                }
                let lost = self.damage_creature(other, attacks[own]);
                if lost > 0 {
                    hits.push((by, Some(self.mark(other)), lost));
                }
                let through = lost - healths[1 - own].max(0);
                let breaks = self.table.at(space).is_some_and(|c| c.has(Keyword::Breakthrough));
                if fights && breaks && through > 0 {
                    let lost = self.damage_player(1 - own, through);
                    if lost > 0 {
                        hits.push((by, None, lost));
                    }
                }
            }
        }
        self.note_kills();
        for (by, on, lost) in hits {
            self.hit(by, on, lost);
        }
        let damage_triggers = std::mem::take(&mut self.waiting);
        self.death_check();
        let deaths = std::mem::replace(&mut self.waiting, damage_triggers);
        if self.table.verdict.is_none() && !self.waiting.is_empty() {
            self.batch();
        }
        let later = std::mem::replace(&mut self.waiting, deaths);
        self.waiting.extend(later);
        self.come_to_rest();
        if looks && self.table.verdict.is_none() {
            self.look_for_battles(self.table.active);
        }
    }

    /// Battle damage sets off its own abilities, which resolve even if their creature dies.
    fn hit(&mut self, by: Mark, on: Option<Mark>, dealt: i32) {
        let Some(creature) = self.table.at(by.space) else { return };
        for ability in self.abilities_of(creature) {
            let fits = match (self.ability(ability).trigger, on) {
                (Trigger::HitsPlayer(of), None) => match of {
                    TurnOf::Each => true,
                    TurnOf::Yours => by.space.0 == self.table.active,
                    TurnOf::Theirs => by.space.0 != self.table.active,
                },
                (Trigger::HitsCreature(filter), Some(on)) => {
                    self.is_meant(&filter, by, on, on.space)
                }
                _ => false,
            };
            if fits {
                self.waiting.push(Waiting { ability, source: by, subject: on, dealt });
            }
        }
    }

    /// "If there are no creatures that can battle additional times when this effect happens, you don't get any
    /// additional battles" (SF-51).
    pub fn look_for_battles(&mut self, side: usize) {
        // Before the turn's own battle there is nothing to look for, nor in the other player's turn.
        if side != self.table.active || !self.table.fought {
            return;
        }
        for lane in 0..LANES {
            let space = (self.table.active, lane);
            let Some(creature) = self.table.standing(space) else { continue };
            if creature.attacks() {
                let left = self.table.battles(self.cards, space) - creature.battled;
                self.table.battles_open = self.table.battles_open.max(left);
            }
        }
    }

    /// Armor prevents the first damage of a turn. What was lost.
    pub fn damage_creature(&mut self, space: Space, amount: i32) -> i32 {
        let armor = self.table.armor(self.cards, space);
        let Some(creature) = self.table.at_mut(space) else { return 0 };
        let prevented = (armor - creature.armor_used).clamp(0, amount.max(0));
        creature.armor_used += prevented;
        let lost = amount.max(0) - prevented;
        creature.damage += lost;
        lost
    }

    pub fn damage_player(&mut self, side: usize, amount: i32) -> i32 {
        let armor = self.table.player_armor(self.cards, side);
        let player = &mut self.table.players[side];
        let prevented = (armor - player.armor_used).clamp(0, amount.max(0));
        player.armor_used += prevented;
        let lost = amount.max(0) - prevented;
        player.life -= lost;
        lost
    }

    /// "Start of turn (a batch forms here with all start of turn effects)"; Poison first, then Regenerate.
    pub fn start_turn(&mut self) {
        let active = self.table.active;
        self.table.players[active].turns += 1;
        self.table.players[active].played = 0;
        self.table.battles_open = 1;
        self.table.fought = false;
        for player in &mut self.table.players {
            player.armor_used = 0;
        }
        for space in spaces() {
            let Some(creature) = self.table.at_mut(space) else { continue };
            creature.armor_used = 0;
            if space.0 == active {
                creature.battled = 0;
                creature.activated = 0;
                creature.defensive = false;
            }
        }
        self.new_moment();
        for space in spaces() {
            let poison = self.table.at(space).map_or(0, |creature| creature.poison);
            self.damage_creature(space, poison);
        }
        self.note_kills();
        self.new_moment();
        for space in spaces() {
            if let Some(creature) = self.table.at_mut(space) {
                creature.damage = (creature.damage - creature.regenerate.max(0)).max(0);
            }
        }
        self.note_kills();
        self.happens(Happening::TurnStarts);
        self.come_to_rest();
    }

    /// "Discard your hand and draw 5 new cards. If your rank has gone up, your discard pile is shuffled back into
    /// your deck", "end of turn and rank up effects", "effects that last until end of turn wear off".
    pub fn end_turn(&mut self) {
        let active = self.table.active;
        let hand = std::mem::take(&mut self.table.players[active].hand);
        self.table.players[active].discard.extend(hand);
        let turns = self.table.players[active].turns;
        let rises = turns > 0 && turns % 4 == 0;
        if rises {
            self.table.players[active].rank += 1;
            self.reshuffle(active);
        }
        self.draw(active, 5);
        self.happens(Happening::TurnEnds);
        if rises {
            self.happens(Happening::RankRises(active));
        }
        self.come_to_rest();
        if self.table.verdict.is_some() {
            return;
        }
        self.new_moment();
        for space in spaces() {
            if let Some(creature) = self.table.at_mut(space) {
                creature.end_of_turn();
            }
        }
        self.note_kills();
        self.come_to_rest();
        if self.table.sudden_death {
            self.lower_life_loses();
        }
        self.table.active = 1 - active;
    }

    /// "Cards of a level above your rank stay in the discard pile."
    pub fn reshuffle(&mut self, side: usize) {
        let rank = self.table.players[side].rank;
        let pile = std::mem::take(&mut self.table.players[side].discard);
        for form in pile {
            let player = &mut self.table.players[side];
            if i32::from(self.cards.form(form).level) <= rank {
                player.deck.push(form);
            } else {
                player.discard.push(form);
            }
        }
    }

    /// "Empty deck while drawing: draw what is left, reshuffle the discard, continue drawing."
    pub fn draw(&mut self, side: usize, count: i32) {
        for _ in 0..count.max(0) {
            if self.table.players[side].deck.is_empty() {
                self.reshuffle(side);
            }
            if self.table.players[side].deck.is_empty() {
                return;
            }
            let deck = self.table.players[side].deck.clone();
            // Where a card lies in a pile means nothing; the engine fills gaps from the end, and so does this.
            let at = self.drawn(Roll::Draw, &deck);
            let card = self.table.players[side].deck.swap_remove(at);
            self.table.players[side].hand.push(card);
        }
    }

    /// One of a pile; copies leave nothing to luck.
    pub fn drawn(&mut self, roll: Roll, pile: &[Form]) -> usize {
        if pile.iter().all(|&form| form == pile[0]) { 0 } else { self.dice.pick(roll, pile.len()) }
    }
}
