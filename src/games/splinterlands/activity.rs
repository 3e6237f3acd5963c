//! What in a scenario ever had an effect: its rulesets, its cards and their abilities, counted from the events of
//! battles. A 0 after many battles is worth a word: the ability never fired, the ruleset never changed anything, the
//! card was never brought.
//!
//! Counts are whole numbers, one per name of [`labels`]; the counts of several runs add up. What is counted:
//!
//! - a card: the battles in which it stood on a side;
//! - an ability of a card: the times it worked. An ability with an event of its own (Thorns, Stun, Heal, ...) is
//!   counted by that event; one that makes an attack possible, turns it to another target, changes its chance to hit
//!   or, unless Divine Shield absorbs it, its damage once for each such attack; Flying also whenever an earthquake
//!   passes it by; Double Strike once for each turn with a second strike; Enrage whenever a monster becomes wounded or
//!   returns wounded; one that adds to a whole team, or keeps it from healing, once for each battle in which it changes
//!   a number or the team can heal. An ability that a summoner gives counts for the summoner's card, one that a ruleset
//!   gives for the ruleset;
//! - a ruleset: the times it worked, or the battles in which it changed something from the start.
//!
//! Rulesets that only limit which cards can be brought are not among them, because no battle shows what they kept away;
//! nor is Standard, which changes nothing.

use super::ability::{Abilities, Ability};
use super::cards::Stats;
use super::event::{Attack, Blow, Cause, Event};
use super::rules::prebattle::{HEALING, given_by, own_abilities, summoner_under};
use super::rules::stats::{AURAS, BUFFS, auras_of};
use super::ruleset::{self, Ruleset, Rulesets};
use super::setup::{CardAt, Setup};
use super::state::{FIELD, Place, Places, State, Status};
use crate::game::Side;
use crate::games::before;

/// The names of everything in a setup that could have an effect, in the order of its counts: rulesets (`Earthquake`), then
/// each card that can be brought (`Medusa`) with its abilities (`Medusa: Stun`).
#[must_use]
pub fn labels(setup: &Setup) -> Vec<String> {
    let slots = setup.slots();
    let mut labels: Vec<String> = slots.rulesets.iter().map(|r| r.to_string()).collect();
    for (card, of_card) in setup.catalogue.cards.iter().zip(&slots.cards) {
        if let Some(of_card) = of_card {
            labels.push(card.name.clone());
            let abilities = of_card.abilities.iter();
            labels.extend(abilities.map(|ability| format!("{}: {ability}", card.name)));
        }
    }
    labels
}

/// Counts what an event shows to have worked. `counts` has one number for each of [`labels`].
#[inline]
pub fn note(setup: &Setup, state: &State, event: Event, counts: &mut [u64]) {
    Noting { setup, state, slots: setup.slots(), counts }.event(event);
}

/// Where everything of a setup that can have an effect is counted.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The rulesets that are counted; they come first, in the order of the enum.
    rulesets: Rulesets,
    /// By card of the catalogue: where it is counted; None for a card that nobody can bring.
    cards: Vec<Option<OfCard>>,
}

/// Where a card is counted; its abilities follow it, in the order of the enum.
#[derive(Clone, Copy, Debug)]
struct OfCard {
    first: usize,
    abilities: Abilities,
}

impl Slots {
    pub fn of(setup: &Setup) -> Self {
        let mut rulesets = Rulesets::empty();
        for (of_condition, _) in setup.conditions.iter() {
            rulesets |= *of_condition;
        }
        let shows = |ruleset: &Ruleset| match ruleset.facts().works {
            ruleset::Works::Selection | ruleset::Works::Nowhere => false,
            ruleset::Works::Numbers
            | ruleset::Works::Abilities
            | ruleset::Works::Summoners
            | ruleset::Works::RoundStart
            | ruleset::Works::OrderAndHit
            | ruleset::Works::Target
            | ruleset::Works::Hit
            | ruleset::Works::Damage
            | ruleset::Works::Attack => true,
        };
        let rulesets: Rulesets = rulesets.iter().filter(shows).collect();
        let mut brought: Vec<Option<Abilities>> = vec![None; setup.catalogue.cards.len()];
        for card in setup.cards_that_can_be_brought() {
            let abilities = brought[usize::from(card.card)].get_or_insert_default();
            *abilities |= setup.catalogue.level(card).abilities;
        }
        let mut next = rulesets.len();
        let of_card = |abilities: Option<Abilities>| {
            let abilities = abilities?;
            let first = next;
            next += 1 + abilities.len();
            Some(OfCard { first, abilities })
        };
        Self { rulesets, cards: brought.into_iter().map(of_card).collect() }
    }
}

struct Noting<'a> {
    setup: &'a Setup,
    state: &'a State,
    slots: &'a Slots,
    counts: &'a mut [u64],
}

impl Noting<'_> {
    fn event(&mut self, event: Event) {
        match event {
            Event::Begins => self.begins(),
            Event::Attacks { by, on, kind, cause } => {
                if cause == kind.into() {
                    self.aims(by, on, kind);
                }
                self.may_miss(by, on, kind);
            }
            Event::StrikesAgain(who) => self.ability(who, Ability::DoubleStrike),
            Event::TramplesOn(_) => self.ruleset(Ruleset::Stampede),
            Event::Blow(blow) => self.blow(blow),
            Event::Inflicts { by, ability, .. } => self.ability(by, ability),
            Event::Mends { by, on, ability, .. } => self.supports(by, on, ability),
            Event::Cleanses { by, on, .. } => self.supports(by, on, Ability::Cleanse),
            Event::Returns { who, by } => {
                self.supports(by, who, Ability::Resurrect);
                self.rages(who);
            }
            Event::Gains { who, ability, .. } => self.ability(who, ability),
            Event::Shielded(who) => self.ability(who, Ability::DivineShield),
            Event::StandsAlone(who) => self.ability(who, Ability::LastStand),
            Event::Unshaken(who) => self.ability(who, Ability::Flying),
            Event::Round(_)
            | Event::Tied(_)
            | Event::Turn { .. }
            | Event::SkipsTurn(_)
            | Event::AttackOver
            | Event::Recovers(_)
            | Event::Dies(_)
            | Event::AurasEnd(_)
            | Event::Quakes(_) => {}
        }
    }

    // Where something is counted

    /// Counts a ruleset, if it is in force.
    fn ruleset(&mut self, ruleset: Ruleset) {
        if self.state.rules(ruleset) && self.slots.rulesets.contains(ruleset) {
            self.counts[before(self.slots.rulesets, ruleset)] += 1;
        }
    }

    fn card(&mut self, card: CardAt) {
        if let Some(of_card) = self.slots.cards[usize::from(card.card)] {
            self.counts[of_card.first] += 1;
        }
    }

    fn ability_of_card(&mut self, card: CardAt, ability: Ability) {
        let Some(of_card) = self.slots.cards[usize::from(card.card)] else { return };
        if of_card.abilities.contains(ability) {
            self.counts[of_card.first + 1 + before(of_card.abilities, ability)] += 1;
        }
    }

    /// Counts an ability of a monster for what the monster has it from: its card, else its summoner, else a ruleset.
    fn ability(&mut self, who: Place, ability: Ability) {
        let state = self.state;
        let card = state.at(who).card;
        let level = self.setup.catalogue.level(card);
        if own_abilities(state.rulesets, level).contains(ability) {
            return self.ability_of_card(card, ability);
        }
        if self.leads_with(who.side(), ability) {
            return self.ability_of_card(state.leaders[who.side().index()].card, ability);
        }
        for ruleset in state.rulesets {
            if given_by(ruleset, &level.stats).contains(ability) {
                self.ruleset(ruleset);
            }
        }
    }

    /// Whether the summoner of a side has an ability under the rulesets.
    fn leads_with(&self, side: Side, ability: Ability) -> bool {
        let leader = self.state.leaders[side.index()].card;
        let level = summoner_under(self.state.rulesets, &self.setup.catalogue, leader);
        level.abilities.contains(ability)
    }

    /// Counts what a monster, or else the summoner of its side, does for `on`.
    fn supports(&mut self, by: Option<Place>, on: Place, ability: Ability) {
        match by {
            Some(by) => self.ability(by, ability),
            None => {
                self.ability_of_card(self.state.leaders[on.side().index()].card, ability);
            }
        }
    }

    // The start of a battle

    fn begins(&mut self) {
        let state = self.state;
        for place in state.fielded {
            self.card(state.at(place).card);
        }
        for side in [Side::A, Side::B] {
            self.card(state.leaders[side.index()].card);
        }
        if state.verdict.is_some() {
            return;
        }
        for place in state.fielded {
            let own =
                own_abilities(state.rulesets, self.setup.catalogue.level(state.at(place).card));
            self.auras(place.side(), state.at(place).card, own);
            if state.at(place).is(Status::LastStanding) {
                self.ability(place, Ability::LastStand);
            }
        }
        for side in [Side::A, Side::B] {
            let leader = state.leaders[side.index()].card;
            let level = summoner_under(state.rulesets, &self.setup.catalogue, leader);
            self.auras(side, leader, level.abilities);
            let enemies = side.other();
            if state.leaders[enemies.index()].cursed && self.can_heal(enemies) {
                self.ability_of_card(leader, Ability::Affliction);
            }
        }
        for ruleset in state.rulesets {
            if self.changes_the_start(ruleset) {
                self.ruleset(ruleset);
            }
        }
    }

    /// Counts those of a card's abilities that change a number of any monster on the team that they affect.
    fn auras(&mut self, side: Side, card: CardAt, abilities: Abilities) {
        for ability in abilities & AURAS {
            let [bonus, penalty] = auras_of(ability.into());
            let (mut team, aura) = if BUFFS.contains(ability) {
                (self.state.team(side), bonus)
            } else {
                (self.state.team(side.other()), penalty)
            };
            if team.any(|place| self.state.differs_by(place, aura)) {
                self.ability_of_card(card, ability);
            }
        }
    }

    fn can_heal(&self, side: Side) -> bool {
        let heals = |abilities: Abilities| !abilities.is_disjoint(HEALING);
        self.state.team(side).any(|place| heals(self.state.at(place).abilities))
            || heals(self.state.leaders[side.index()].abilities)
    }

    /// Whether a ruleset has changed something before round 1. Those that work later are counted when they do.
    fn changes_the_start(&self, ruleset: Ruleset) -> bool {
        let state = self.state;
        let level = |place: Place| self.setup.catalogue.level(state.at(place).card);
        let leaders = || state.leaders.iter().map(|leader| self.setup.catalogue.level(leader.card));
        let mut fielded = state.fielded;
        let loses = |card: Abilities, lost: Abilities| !card.is_disjoint(lost);
        match ruleset {
            Ruleset::ArmoredUp => !state.rules(Ruleset::Unprotected),
            Ruleset::BackToBasics => fielded.any(|place| !level(place).abilities.is_empty()),
            Ruleset::FogOfWar => {
                let lost = Ability::Sneak | Ability::Snipe;
                fielded.any(|place| loses(level(place).abilities, lost))
            }
            Ruleset::HealedOut => {
                fielded.any(|place| loses(level(place).abilities, HEALING))
                    || leaders().any(|leader| loses(leader.abilities, HEALING))
            }
            Ruleset::SilencedSummoners => leaders()
                .any(|leader| !leader.abilities.is_empty() || leader.stats != Stats::default()),
            Ruleset::Unprotected => {
                fielded.any(|place| level(place).stats.armor > 0)
                    || state.auras.iter().any(|aura| aura.armor > 0)
            }
            Ruleset::Equalizer => {
                fielded.any(|place| state.at(place).base.health != level(place).stats.health)
            }
            Ruleset::ReverseSpeed => {
                let first = state.urgency[fielded.first().map_or(0, Place::index)];
                fielded.any(|place| state.urgency[place.index()] != first)
            }
            Ruleset::NoxiousFumes => !state.poisoned.is_empty(),
            Ruleset::AimTrue
            | Ruleset::Standard
            | Ruleset::SuperSneak
            | Ruleset::TargetPractice
            | Ruleset::WeakMagic
            | Ruleset::CloseRange
            | Ruleset::Earthquake
            | Ruleset::HeavyHitters
            | Ruleset::BrokenArrows
            | Ruleset::EvenStevens
            | Ruleset::KeepYourDistance
            | Ruleset::LittleLeague
            | Ruleset::LostLegendaries
            | Ruleset::LostMagic
            | Ruleset::MeleeMayhem
            | Ruleset::OddOnesOut
            | Ruleset::RiseOfTheCommons
            | Ruleset::TakingSides
            | Ruleset::UpCloseAndPersonal
            | Ruleset::EqualOpportunity
            | Ruleset::ExplosiveWeaponry
            | Ruleset::HolyProtection
            | Ruleset::SpreadingFury
            | Ruleset::Stampede => false,
        }
    }

    // Blows

    fn blow(&mut self, blow: Blow) {
        if blow.cause == Cause::Earthquake {
            self.ruleset(Ruleset::Earthquake);
        }
        if let (Some(by), Some(ability)) = (blow.by, blow.cause.ability()) {
            self.ability(by, ability);
        }
        if blow.hit {
            self.hits(blow);
        }
    }

    /// Counts the abilities and rulesets that let a monster attack its target on its own turn.
    fn aims(&mut self, by: Place, on: Place, kind: Attack) {
        let state = self.state;
        let monster = state.at(by);
        if state.team(by.side()).is_led_by(by) {
            if kind == Attack::Ranged {
                if monster.has(Ability::CloseRange) {
                    self.ability(by, Ability::CloseRange);
                } else {
                    self.ruleset(Ruleset::CloseRange);
                }
            }
            return;
        }
        if kind != Attack::Melee && monster.has(Ability::Scattershot) {
            if state.target(by, kind) != Some(on) {
                self.ability(by, Ability::Scattershot);
            }
            return;
        }
        // A melee attack from behind the front is possible only by one of these.
        let mut lets = None;
        if kind == Attack::Melee {
            if state.reaches_for_the_front(by, kind) {
                return self.ability(by, Ability::Reach);
            }
            lets = [Ability::Sneak, Ability::Opportunity]
                .into_iter()
                .find(|&ability| monster.has(ability));
            match lets {
                Some(ability) => self.ability(by, ability),
                None => self.ruleset(Ruleset::MeleeMayhem),
            }
        }
        let chooser = [Ability::Sneak, Ability::Snipe, Ability::Opportunity]
            .into_iter()
            .find(|&ability| monster.has(ability));
        let enemies = state.team(on.side());
        let taunters = state.taunters.and(enemies);
        let Some(front) = enemies.first() else { return };
        if chooser.is_none() && taunters.is_empty() {
            return;
        }
        let mut seen = enemies.without(state.hidden);
        seen.insert(front);
        let chosen =
            |seen: Places, taunters: Places| state.chosen_target(monster, front, seen, taunters);
        if taunters.and(seen).first() == Some(on) {
            let mut others = taunters;
            others.remove(on);
            if chosen(seen, others) != on {
                self.ability(on, Ability::Taunt);
            }
        } else if on != front
            && let Some(ability) = chooser
            && lets != Some(ability)
        {
            self.ability(by, ability);
        }
        for hidden in enemies.without(seen) {
            let mut shown = seen;
            shown.insert(hidden);
            if chosen(shown, taunters) == hidden {
                self.ability(hidden, Ability::Camouflage);
            }
        }
    }

    /// Counts what makes a melee or ranged attack likelier or less likely to hit.
    fn may_miss(&mut self, by: Place, on: Place, kind: Attack) {
        if kind == Attack::Magic {
            return;
        }
        let state = self.state;
        let (from, to) = (state.at(by), state.at(on));
        let points = state.miss_points(by, on);
        let sure = [Ability::TrueStrike, Ability::Snare]
            .into_iter()
            .find(|&sure| from.has(sure) && (sure == Ability::TrueStrike || to.flies()));
        if state.rules(Ruleset::AimTrue) || sure.is_some() {
            if points.sum() > 0 {
                match sure {
                    _ if state.rules(Ruleset::AimTrue) => self.ruleset(Ruleset::AimTrue),
                    Some(ability) => self.ability(by, ability),
                    None => {}
                }
            }
            return;
        }
        if from.now.speed != to.now.speed {
            self.ruleset(Ruleset::ReverseSpeed);
        }
        if points.dodge > 0 {
            self.ability(on, Ability::Dodge);
        }
        if points.flying > 0 {
            self.ability(on, Ability::Flying);
        } else if to.flies() {
            // The attacker flies, too, which makes up for the target's wings.
            self.ability(by, Ability::Flying);
        }
        if points.blind > 0 {
            self.blinds(by);
        }
    }

    /// Counts Blind for everybody who blinds the attacker.
    fn blinds(&mut self, attacker: Place) {
        let state = self.state;
        let blinders = state.blinders[attacker.side().index()].without(state.at(attacker).cleansed);
        for blinder in blinders.and(state.alive) {
            self.ability(blinder, Ability::Blind);
        }
        for side in [Side::A, Side::B] {
            if blinders.has(Place((FIELD + side.index()) as u8)) {
                self.ability_of_card(state.leaders[side.index()].card, Ability::Blind);
            }
        }
    }

    /// Counts what changed the damage of a blow that hit, and what it set off without an event of its own.
    fn hits(&mut self, blow: Blow) {
        let Blow { by, on, attack, power, magic, shielded, force, to_armor, to_health, .. } = blow;
        let state = self.state;
        let target = state.at(on);
        if let Some(by) = by
            && !shielded
        {
            let attacker = state.at(by);
            if power < attack {
                self.ability(on, Ability::Forcefield);
            } else if power > attack {
                if attacker.has(Ability::KnockOut) && state.stunned.has(on) {
                    self.ability(by, Ability::KnockOut);
                }
                if attacker.has(Ability::Oppress) && !target.attacks() {
                    self.ability(by, Ability::Oppress);
                }
            }
            if to_armor > 0 && to_health > 0 {
                self.ability(by, Ability::Piercing);
            }
        }
        if force < power && !shielded {
            self.ability(on, if magic { Ability::Void } else { Ability::Shield });
        }
        if magic && to_armor > 0 {
            self.ruleset(Ruleset::WeakMagic);
        }
        let was_whole = target.now.health + to_health >= target.max_health;
        if to_health > 0 && was_whole && target.now.health > 0 {
            self.rages(on);
        }
    }

    /// Counts the Enrage of a monster that has just been wounded, or is wounded when it returns.
    fn rages(&mut self, who: Place) {
        let monster = self.state.at(who);
        if monster.has(Ability::Enrage) && monster.is_wounded() {
            self.ability(who, Ability::Enrage);
        }
    }
}

#[cfg(test)]
mod tests;
