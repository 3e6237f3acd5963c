//! What an ability does when it resolves.

use evens::games::solforge::ability::{
    Ability, Amount, Demand, Effect, Filter, Gain, Spawned, Trigger, Who,
};
use evens::games::solforge::cards::vocabulary::{CopyOf, Quantity, Space as Where, Until, Whose};
use evens::games::solforge::rolls::Roll;

use super::choose::Chosen;
use super::game::{Game, Happening, Mark, Waiting};
use super::table::{Numbers, PutOff, Space, spaces};

/// A target of an effect.
#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    Creature(Space),
    Player(usize),
}

impl Game<'_> {
    /// Resolves a triggered ability.
    pub fn resolve(&mut self, of: &Waiting) {
        let ability = self.ability(of.ability);
        if !ability.demands.iter().all(|demand| self.is_met(*demand, of)) {
            return;
        }
        if let Some(chosen) = self.choose_all(ability, of, Vec::new()) {
            self.perform(ability, of, &chosen);
        }
    }

    fn is_met(&self, demand: Demand, of: &Waiting) -> bool {
        let here = self.place_of(of.source);
        match demand {
            Demand::Center(center) => (here.1 == 2) == center,
            Demand::SpaceFree => {
                of.subject.is_some_and(|subject| self.table.is_free(subject.space))
            }
            Demand::Allied(faction) => {
                let hand = &self.table.players[here.0].hand;
                hand.iter().any(|&form| self.cards.form(form).faction == faction)
            }
            Demand::Exists(filter) => !self.those(&filter, of.source, &[]).is_empty(),
        }
    }

    /// The spaces of creatures that a filter means, side A's from left to right first.
    pub fn those(&self, filter: &Filter, from: Mark, chosen: &[Chosen]) -> Vec<Space> {
        let is_chosen = |mark: Mark| {
            chosen.iter().any(|of| of.creature().is_some_and(|chosen| chosen.id == mark.id))
        };
        spaces()
            .into_iter()
            .filter(|&space| self.table.standing(space).is_some())
            .filter(|&space| {
                let mark = self.mark(space);
                self.is_meant(filter, from, mark, space) && !(filter.not_chosen && is_chosen(mark))
            })
            .collect()
    }

    /// Performs all effects of an ability, in the order in which they are written.
    pub fn perform(&mut self, ability: &Ability, of: &Waiting, chosen: &[Chosen]) {
        for effect in &ability.effects {
            self.new_moment();
            self.apply(*effect, of, chosen);
            self.note_kills();
        }
    }

    fn whom(&mut self, who: Who, of: &Waiting, chosen: &[Chosen]) -> Vec<On> {
        let here = self.place_of(of.source);
        let standing = |game: &Self, space: Space| game.table.standing(space).is_some();
        let found: Vec<Space> = match who {
            Who::You => return vec![On::Player(here.0)],
            Who::Opponent => return vec![On::Player(1 - here.0)],
            Who::Itself => self.table.find(of.source.id).into_iter().collect(),
            Who::Subject => {
                of.subject.and_then(|who| self.table.find(who.id)).into_iter().collect()
            }
            Who::Opposite => vec![(1 - here.0, here.1)],
            Who::OppositeSubject => {
                let stands = of.subject.map(|who| self.place_of(who));
                stands.map(|(side, lane)| (1 - side, lane)).into_iter().collect()
            }
            Who::Chosen => {
                let mut on = Vec::new();
                for &of in chosen {
                    match of {
                        Chosen::Player(side) => on.push(On::Player(side)),
                        Chosen::Creature(mark) => {
                            let at = self.table.find(mark.id).filter(|&at| standing(self, at));
                            on.extend(at.map(On::Creature));
                        }
                        Chosen::Free(_) | Chosen::Card(_) | Chosen::Also(..) => {}
                    }
                }
                return on;
            }
            Who::AlsoChosen => {
                let mut on = Vec::new();
                for &of in chosen {
                    match of {
                        Chosen::Also((side, _), None) => on.push(On::Player(side)),
                        Chosen::Also(_, Some(mark)) => {
                            let at = self.table.find(mark.id).filter(|&at| standing(self, at));
                            on.extend(at.map(On::Creature));
                        }
                        Chosen::Creature(_)
                        | Chosen::Player(_)
                        | Chosen::Free(_)
                        | Chosen::Card(_) => {}
                    }
                }
                return on;
            }
            Who::Each(filter) => self.those(&filter, of.source, chosen),
            Who::Random(filter, count) => {
                let mut among = self.those(&filter, of.source, chosen);
                let count = usize::from(count);
                if among.len() > count {
                    // The engine decides which creature a face of the die means: the first in line takes the place of
                    // the drawn one.
                    for at in 0..count {
                        let drawn = at + self.dice.pick(Roll::RandomTarget, among.len() - at);
                        among.swap(at, drawn);
                    }
                    among.truncate(count);
                }
                among
            }
            Who::LowestAttack(filter) => {
                let all = self.those(&filter, of.source, chosen);
                let lowest = all.iter().map(|&space| self.table.attack(self.cards, space)).min();
                let equal: Vec<Space> = all
                    .into_iter()
                    .filter(|&space| Some(self.table.attack(self.cards, space)) == lowest)
                    .collect();
                if equal.is_empty() {
                    return Vec::new();
                }
                vec![equal[self.dice.pick(Roll::LowestAttack, equal.len())]]
            }
        };
        found.into_iter().filter(|&space| standing(self, space)).map(On::Creature).collect()
    }

    fn amount(&mut self, amount: Amount, on: On, of: &Waiting, chosen: &[Chosen]) -> i32 {
        match amount {
            Amount::Fixed(number) => number.into(),
            Amount::Random(low, high) => {
                let span = usize::try_from(high - low + 1).expect("low is not above high");
                i32::from(low) + self.dice.pick(Roll::RandomAmount, span) as i32
            }
            Amount::Read(what, whose, times) => {
                let here = self.place_of(of.source);
                let creature: Option<Space> = match whose {
                    Whose::Itself => self.table.find(of.source.id),
                    Whose::Target => match on {
                        On::Creature(space) => Some(space),
                        On::Player(_) => None,
                    },
                    Whose::Chosen => chosen.iter().find_map(|of| match of {
                        Chosen::Creature(mark) => self.table.find(mark.id),
                        _ => None,
                    }),
                    Whose::You | Whose::Opponent => None,
                };
                let player = match whose {
                    Whose::Opponent => 1 - here.0,
                    Whose::Target => match on {
                        On::Creature(space) => space.0,
                        On::Player(side) => side,
                    },
                    Whose::Chosen => creature.map_or(here.0, |space| space.0),
                    Whose::You | Whose::Itself => here.0,
                };
                let number = match what {
                    Quantity::Attack => creature.map_or(0, |at| self.table.attack(self.cards, at)),
                    Quantity::Health => creature.map_or(0, |at| self.table.health(self.cards, at)),
                    Quantity::Poison => {
                        creature.and_then(|at| self.table.at(at)).map_or(0, |of| of.poison)
                    }
                    Quantity::Life => self.table.players[player].life,
                    Quantity::Hand => self.table.players[player].hand.len() as i32,
                    Quantity::Dealt => of.dealt,
                    Quantity::Random => panic!("a random amount has bounds"),
                };
                // "Takes it away, or nothing where it is below 0."
                if times < 0 && number < 0 { 0 } else { number * i32::from(times) }
            }
        }
    }

    fn apply(&mut self, effect: Effect, of: &Waiting, chosen: &[Chosen]) {
        let own = of.source.space.0;
        match effect {
            Effect::Gain(who, gain) => {
                // All gain at the same time: every number is read before anybody changes.
                let mut gains = Vec::new();
                for on in self.whom(who, of, chosen) {
                    if let On::Creature(space) = on {
                        gains.push((space, self.gain_of(space, &gain, of, chosen)));
                    }
                }
                for (space, (more, poison, regenerate)) in gains {
                    self.gain(space, &more, [poison, regenerate], gain.until);
                }
            }
            Effect::Swap(who) => {
                // The numbers are those before the effect, because all swap at the same time.
                let on = self.whom(who, of, chosen);
                let sizes: Vec<(On, i32, i32)> = on
                    .into_iter()
                    .map(|on| match on {
                        On::Creature(at) => {
                            let attack = self.table.attack(self.cards, at);
                            (on, attack, self.table.health(self.cards, at))
                        }
                        On::Player(_) => (on, 0, 0),
                    })
                    .collect();
                for (on, attack, health) in sizes {
                    let On::Creature(space) = on else { continue };
                    let Some(creature) = self.table.at_mut(space) else { continue };
                    creature.own.attack += health - attack;
                    if attack < health {
                        // "It deals damage to the creature."
                        creature.damage += health - attack;
                        self.was_damaged(space, health - attack);
                    } else {
                        creature.own.health += attack - health;
                    }
                }
            }
            Effect::Damage(who, amount) => {
                for (on, amount) in self.numbers(who, amount, of, chosen) {
                    match on {
                        On::Creature(space) => _ = self.damage_creature(space, amount),
                        On::Player(side) => _ = self.damage_player(side, amount),
                    }
                }
            }
            Effect::Heal(who, amount) => {
                for (on, amount) in self.numbers(who, amount, of, chosen) {
                    let amount = amount.max(0);
                    if let On::Creature(space) = on
                        && let Some(creature) = self.table.at_mut(space)
                    {
                        creature.damage = (creature.damage - amount).max(0);
                    }
                }
            }
            Effect::Life(who, amount) => {
                for (on, amount) in self.numbers(who, amount, of, chosen) {
                    if let On::Player(side) = on {
                        self.table.players[side].life += amount;
                    }
                }
            }
            Effect::Destroy(who) => {
                let on = self.whom(who, of, chosen);
                let stamp = self.stamp;
                for on in on {
                    if let On::Creature(space) = on
                        && let Some(creature) = self.table.at_mut(space)
                    {
                        creature.destroyed = true;
                        creature.killed = creature.killed.or(Some(stamp));
                    }
                }
            }
            Effect::Spawn(what, to) => {
                let first: Vec<Chosen> =
                    chosen.iter().copied().filter(|of| !matches!(of, Chosen::Also(..))).collect();
                let for_each = to == Where::Chosen || what == Spawned::Copy(CopyOf::Chosen);
                let times: Vec<&[Chosen]> =
                    if for_each { first.chunks(1).collect() } else { vec![&first] };
                let mut entered = Vec::new();
                for chosen in times {
                    let form = match what {
                        Spawned::Form(form) => Some(form),
                        Spawned::Copy(CopyOf::Itself) => Some(of.source.form),
                        Spawned::Copy(CopyOf::Chosen) => chosen.iter().find_map(|of| match of {
                            Chosen::Creature(mark) => Some(mark.form),
                            _ => None,
                        }),
                    };
                    if let (Some(form), Some(lane)) =
                        (form, self.space(to, Roll::SpawnSpace, of, chosen))
                    {
                        entered.push(self.enter(form, (own, lane)));
                    }
                }
                for who in entered {
                    self.happens(Happening::Enters { who, forged: false });
                }
            }
            Effect::Revive(revival) => self.revive(own, &revival),
            Effect::Move(Who::Itself, to, even_if_destroyed) => {
                // "Even if Storm Bringer dies from poison or from Woebringer, it moves as long as there's an available
                // lane", also when its own space is taken by then.
                let displaced = &self.table.displaced;
                let taken = displaced.iter().position(|(creature, _)| creature.id == of.source.id);
                if let (Some(taken), true) = (taken, even_if_destroyed) {
                    if let Some(lane) = self.space(to, Roll::MoveSpace, of, chosen) {
                        let (creature, _) = self.table.displaced.remove(taken);
                        self.make_room((own, lane));
                        self.table.field[own][lane] = Some(creature);
                    }
                    return;
                }
                let Some(from) = self.table.find(of.source.id) else { return };
                if self.table.standing(from).is_none() && !even_if_destroyed {
                    return;
                }
                if let Some(lane) = self.space(to, Roll::MoveSpace, of, chosen)
                    && lane != from.1
                {
                    self.walk(from, lane);
                }
            }
            Effect::Move(who, to, _) => {
                for on in self.whom(who, of, chosen) {
                    if let On::Creature(from) = on
                        && let Some(lane) = self.space_for(to, from, of, chosen)
                        && lane != from.1
                    {
                        self.walk(from, lane);
                    }
                }
            }
            Effect::Replace(who, form) => {
                // All enter at the same time, so they see each other enter.
                let mut entered = Vec::new();
                for on in self.whom(who, of, chosen) {
                    if let On::Creature(space) = on {
                        entered.push(self.enter(form, space));
                        self.note_kills();
                    }
                }
                for who in entered {
                    self.happens(Happening::Enters { who, forged: false });
                }
            }
            Effect::ReturnToHand(who) => {
                for on in self.whom(who, of, chosen) {
                    if let On::Creature((side, lane)) = on
                        && let Some(creature) = self.table.field[side][lane].take()
                    {
                        let player = &mut self.table.players[side];
                        let cards = player.hand.len() + player.deck.len() + player.discard.len();
                        let token = self.cards.card(creature.form).token;
                        if !token && cards < 40 {
                            player.hand.push(creature.form);
                        }
                    }
                }
            }
            Effect::Later(ability, remembers) => {
                let Trigger::Later(at) = self.ability(ability).trigger else {
                    panic!("what is put off says until when")
                };
                let first = chosen.iter().filter(|of| !matches!(of, Chosen::Also(..)));
                let mut about: Vec<Option<u16>> =
                    first.map(|chosen| chosen.creature().map(|mark| mark.id)).collect();
                if about.is_empty() {
                    about.push(of.subject.map(|mark| mark.id));
                }
                if !remembers {
                    about = vec![None];
                }
                let there =
                    |game: &Self, id: Option<u16>| id.filter(|&id| game.table.find(id).is_some());
                for about in about {
                    self.table.put_off.push(PutOff {
                        ability,
                        at,
                        owner: own,
                        source: there(self, Some(of.source.id)),
                        subject: there(self, about),
                    });
                }
            }
            Effect::Lose(who, keywords, abilities) => {
                for on in self.whom(who, of, chosen) {
                    if let On::Creature(space) = on
                        && let Some(creature) = self.table.at_mut(space)
                    {
                        creature.own.keywords -= keywords;
                        if abilities {
                            creature.blank = true;
                            creature.granted.clear();
                        }
                        for ends in &mut creature.ends {
                            ends.keywords -= keywords;
                        }
                    }
                }
            }
            Effect::Plays(who, amount) => {
                for (on, amount) in self.numbers(who, amount, of, chosen) {
                    if let On::Player(side) = on {
                        let plays = &mut self.table.players[side].plays;
                        *plays = (*plays + amount).max(0);
                    }
                }
            }
            Effect::Grant(who, ability, until) => {
                for on in self.whom(who, of, chosen) {
                    if let On::Creature(space) = on
                        && let Some(creature) = self.table.at_mut(space)
                        && creature.granted.len() < 8
                    {
                        creature.granted.push((ability, ends_of_turns(until)));
                    }
                }
            }
            Effect::Draw(who, amount) => {
                for (on, amount) in self.numbers(who, amount, of, chosen) {
                    if let On::Player(side) = on {
                        self.draw(side, amount);
                    }
                }
            }
            Effect::DiscardDownTo(who, amount) => {
                for (on, amount) in self.numbers(who, amount, of, chosen) {
                    let amount = amount.max(0);
                    if let On::Player(side) = on {
                        self.discard_down_to(side, amount as usize);
                    }
                }
            }
            Effect::LevelChosen => {
                // Chosen cards are named by their place in hand at the time of the choice.
                let hand = self.table.players[own].hand.clone();
                for card in chosen {
                    let Chosen::Card(at) = *card else { continue };
                    // Which of several copies is levelled matters only for which card a later die means.
                    let Some(form) = hand.get(at) else { continue };
                    let now = &self.table.players[own].hand;
                    if let Some(at) = now.iter().position(|copy| copy == form) {
                        self.level(own, at);
                    }
                }
            }
            Effect::LookForBattles => self.look_for_battles(own),
        }
    }

    /// The targets of an effect, each with its number, all read before anything happens.
    fn numbers(
        &mut self,
        who: Who,
        amount: Amount,
        of: &Waiting,
        chosen: &[Chosen],
    ) -> Vec<(On, i32)> {
        let on = self.whom(who, of, chosen).into_iter();
        on.map(|on| (on, self.amount(amount, on, of, chosen))).collect()
    }

    fn gain_of(
        &mut self,
        space: Space,
        gain: &Gain,
        of: &Waiting,
        chosen: &[Chosen],
    ) -> (Numbers, i32, i32) {
        let on = On::Creature(space);
        let mut amount = |amount| self.amount(amount, on, of, chosen);
        let mut more = Numbers {
            attack: amount(gain.attack),
            health: amount(gain.health),
            armor: amount(gain.armor),
            mobility: 0,
            battles: 0,
            keywords: gain.keywords,
        };
        // In the order in which a card lists them, which is the order of their dice.
        let (poison, regenerate) = (amount(gain.poison), amount(gain.regenerate));
        more.mobility = amount(gain.mobility);
        more.battles = amount(gain.battles);
        (more, poison, regenerate)
    }

    fn gain(&mut self, space: Space, more: &Numbers, [poison, regenerate]: [i32; 2], until: Until) {
        let Some(creature) = self.table.at_mut(space) else { return };
        creature.own.attack += more.attack;
        creature.own.health += more.health;
        creature.own.armor += more.armor;
        creature.own.mobility += more.mobility;
        creature.own.battles += more.battles;
        creature.poison += poison;
        creature.regenerate += regenerate;
        let turns = ends_of_turns(until);
        if turns == 0 {
            creature.own.keywords |= more.keywords;
            return;
        }
        let ends = &mut creature.ends[usize::from(turns) - 1];
        ends.attack += more.attack;
        ends.health += more.health;
        ends.armor += more.armor;
        ends.mobility += more.mobility;
        ends.battles += more.battles;
        ends.keywords |= more.keywords;
    }
}

fn ends_of_turns(until: Until) -> u8 {
    match until {
        Until::Forever => 0,
        Until::EndOfTurn => 1,
        Until::EndOfNextTurn => 2,
    }
}
