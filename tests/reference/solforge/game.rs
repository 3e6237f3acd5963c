//! Triggers, batches and death checks.

use evens::game::Outcome;
use evens::games::solforge::ability::{Ability, AbilityId, Filter, Trigger};
use evens::games::solforge::cards::vocabulary::{Later, Place, Relation, SideForm, TurnOf};
use evens::games::solforge::event::{Event, Ref};
use evens::games::solforge::rolls::Roll;
use evens::games::solforge::setup::Cards;
use evens::games::solforge::state::Form;

use super::table::{Creature, Space, Table, side, spaces};
use crate::reference::tape::Tape;

/// A creature (or a spell, id 0) as it was when something happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    pub id: u16,
    pub form: Form,
    pub space: Space,
}

/// An ability that was triggered and waits for its batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    pub ability: AbilityId,
    pub source: Mark,
    pub subject: Option<Mark>,
    pub dealt: i32,
}

/// A happening that may trigger abilities.
#[derive(Clone, Copy, Debug)]
pub enum Happening {
    Plays { player: usize, card: Form, id: u16 },
    Forged { who: Mark },
    Enters { who: Mark, forged: bool },
    Avenges { who: Mark },
    Dies { who: Mark },
    Moves { who: Mark },
    Damaged { who: Mark },
    TurnStarts,
    TurnEnds,
    RankRises(usize),
}

/// The source of dice.
#[derive(Clone, Debug)]
pub enum Dice {
    /// The dice that the engine threw.
    Thrown(Tape<Roll>),
    /// In a player's head every die shows its middle face.
    Middle,
}

impl Dice {
    /// One of `count` options, each equally likely.
    pub fn pick(&mut self, roll: Roll, count: usize) -> usize {
        match self {
            Dice::Thrown(tape) => tape.pick(roll, count),
            Dice::Middle => count / 2,
        }
    }

    pub fn finish(&self) {
        match self {
            Dice::Thrown(tape) => tape.finish(),
            Dice::Middle => {}
        }
    }
}

/// A game, the dice of the current step, and the engine's events, which tell in which order abilities resolved.
#[derive(Clone, Debug)]
pub struct Game<'a> {
    pub cards: &'a Cards,
    /// Whether steps keep to what a player may do in a turn.
    pub strict: bool,
    pub table: Table,
    pub waiting: Vec<Waiting>,
    pub stamp: u32,
    pub dice: Dice,
    /// Whether the batch is of battle damage, whose triggers "still resolve even if the creature dies".
    pub of_battle: bool,
    /// Whether this game is only imagined by a greedy player.
    pub head: bool,
    /// By player: whether it decides greedily rather than by dice.
    pub greedy: [bool; 2],
    pub told: Vec<Event>,
    /// For each ability in turn that cannot be told apart from others: which of them is assumed to resolve, and among
    /// how many.
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

    /// Where a source is now, or where it was if it has left the field.
    pub fn place_of(&self, mark: Mark) -> Space {
        self.table.find(mark.id).unwrap_or(mark.space)
    }

    /// Whether a filter means a creature, seen from a source.
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
            && (filter.attack_at_least == i16::MIN
                || self.table.find(who.id).is_some_and(|space| {
                    self.table.attack(self.cards, space) >= i32::from(filter.attack_at_least)
                }))
            && (filter.lanes == 0 || filter.lanes >> at.1 & 1 == 1)
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
        let printed = printed.filter(|_| !creature.blank);
        printed.chain(creature.granted.iter().map(|&(id, _)| id)).collect()
    }

    /// Triggers the abilities of all creatures on the field that are not destroyed.
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

    /// Whether a happening triggers an ability: None if not, else the creature that caused it, if any.
    fn sets_off(&self, ability: AbilityId, by: Mark, what: Happening) -> Option<Option<Mark>> {
        let turn = |of: TurnOf| match of {
            TurnOf::Each => true,
            TurnOf::Yours => by.space.0 == self.table.active,
            TurnOf::Theirs => by.space.0 != self.table.active,
        };
        match (self.ability(ability).trigger, what) {
            (Trigger::Forge, Happening::Forged { who }) if who.id == by.id => Some(Some(who)),
            (Trigger::Arrives, Happening::Enters { who, .. }) if who.id == by.id => Some(Some(who)),
            (Trigger::Enters(filter, only), Happening::Enters { who, forged }) => {
                let fits = only.is_none_or(|only| only == forged);
                (fits && self.is_meant(&filter, by, who, who.space)).then_some(Some(who))
            }
            (Trigger::Vengeance, Happening::Avenges { who }) if who.id == by.id => Some(Some(who)),
            (Trigger::Destroyed(filter), Happening::Dies { who, .. }) => {
                self.is_meant(&filter, by, who, who.space).then_some(Some(who))
            }
            (Trigger::IsDamaged, Happening::Damaged { who }) if who.id == by.id => Some(Some(who)),
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

    /// Begins a new moment: everything within one moment happens at the same time.
    pub fn new_moment(&mut self) {
        self.stamp += 1;
    }

    /// Notes which creatures have been killed by now; one whose health is above 0 again was not killed.
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

    /// Removes the dead in the order in which they were killed: the destroyed, and at the end of a batch also all
    /// without health. Each death is seen by the living, and by those "that die before or at the same time". Returns
    /// whether anybody died.
    pub fn bury(&mut self, only_destroyed: bool) -> bool {
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
        let anybody = !dying.is_empty();
        for (dead, at) in &dying {
            let who = Mark { id: dead.id, form: dead.form, space: *at };
            // All orders are equally likely, except in an imagined game, where this trigger waits first.
            self.ask(dead, *at, Happening::Avenges { who });
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
        anybody
    }

    /// Effects that were put off until this moment wait like abilities that it triggers.
    pub fn come_due(&mut self, moment: Later) {
        let active = self.table.active;
        let all = std::mem::take(&mut self.table.put_off);
        for of in all {
            let own = of.owner == active;
            if of.at == moment && (own || moment == Later::EndOfTurn) {
                let mark = |game: &Self, id: Option<u16>| {
                    id.and_then(|id| game.table.find(id)).map(|space| game.mark(space))
                };
                let form = self.ability(of.ability).form;
                let nobody = Mark { id: 0, form, space: (of.owner, 0) };
                let source = mark(self, of.source).unwrap_or(nobody);
                let subject = mark(self, of.subject);
                self.waiting.push(Waiting { ability: of.ability, source, subject, dealt: 0 });
            } else {
                self.table.put_off.push(of);
            }
        }
        for of in &mut self.table.put_off {
            // "The end of the next turn" is that of this turn once it has begun.
            if moment == Later::StartOfNextTurn
                && of.owner == active
                && of.at == Later::EndOfNextTurn
            {
                of.at = Later::EndOfTurn;
            }
        }
    }

    /// Checks for deaths: "All creatures with 0 or lower health are removed from the board, and if either player has 0
    /// or lower life, the player with the lowest life loses the game."
    pub fn death_check(&mut self) {
        while self.bury(false) {}
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

    /// The player with less life loses; in sudden death this is checked only at the end of a turn (SF-05 to SF-07).
    pub fn lower_life_loses(&mut self) {
        let [a, b] = [self.table.players[0].life, self.table.players[1].life];
        if a != b && self.table.verdict.is_none() {
            self.table.verdict = Some(Outcome::Win(side(usize::from(a < b))));
        }
    }

    /// Resolves batch after batch until nothing waits any more.
    pub fn come_to_rest(&mut self) {
        self.batch();
        while !self.waiting.is_empty() && self.table.verdict.is_none() {
            self.batch();
        }
        self.waiting.clear();
    }

    /// Resolves one batch, and makes the death check at its end.
    pub fn batch(&mut self) {
        if self.table.verdict.is_some() {
            return;
        }
        let all = std::mem::take(&mut self.waiting);
        let mut batch: Vec<Waiting> =
            all.into_iter().filter(|of| self.still_triggers(of)).collect();
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
                if self.head && !group.is_empty() {
                    // The middle ability comes first, and the first takes its place.
                    batch.swap(group[0], group[group.len() / 2]);
                    Some(group[0])
                } else {
                    self.next_of(&batch, group)
                }
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
                | Trigger::Later(_)
        );
        let standing = self.table.find(of.source.id).and_then(|at| self.table.standing(at));
        // "If it's dead at this point, it will not trigger Fervent Assault or Frostfang Maiden."
        let moves = matches!(self.ability(of.ability).trigger, Trigger::Moves(_));
        let mover = of.subject.and_then(|who| self.table.find(who.id));
        if moves && mover.and_then(|at| self.table.standing(at)).is_none() {
            return false;
        }
        let damaged = matches!(self.ability(of.ability).trigger, Trigger::IsDamaged);
        needs_nobody || damaged && self.of_battle || of.source.id == 0 || standing.is_some()
    }

    /// Which ability of a group resolves next is decided by dice and told by the engine; it must be one of the group.
    fn next_of(&mut self, batch: &[Waiting], group: Vec<usize>) -> Option<usize> {
        if group.is_empty() {
            return None;
        }
        // All orders are equally likely; the engine's events tell which one it was.
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
        // These differ only in what triggered them, which the engine does not say.
        let nth = self.among.len();
        self.among.push(like.len());
        Some(like[self.guesses.get(nth).copied().unwrap_or(0)])
    }
}
