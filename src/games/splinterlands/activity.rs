//! What of a scenario ever had an effect: its rulesets, its cards and their abilities, counted from the events of
//! battles. A 0 after many battles is worth a word: the ability never fired, the ruleset never changed anything, the
//! card was never brought.
//!
//! Counts are whole numbers, one per name of [`labels`]; those of several runs add up. What is counted:
//!
//! - a card: the battles in which it stood on a side;
//! - an ability of a card: the times it worked. What leaves an event of its own (Thorns, Stun, Heal, ...) is counted by
//!   that; what makes an attack possible, turns it, lets it miss or changes its damage once for each such attack; what adds
//!   to a whole team once for each battle in which it changes a number. An ability that a summoner gives counts for the
//!   summoner's card, one that a ruleset gives for the ruleset;
//! - a ruleset: the times it worked, or the battles in which it changed something from the start.
//!
//! Rulesets that only limit which cards can be brought are not among them, because no battle shows what they kept away;
//! nor is Standard, which changes nothing.

use super::ability::{Abilities, Ability};
use super::cards::Stats;
use super::event::{Blow, Cause, Event};
use super::rules::prebattle::{HEALING, given_by, own_abilities, summoner_under};
use super::rules::stats::{AURAS, BUFFS, auras_of};
use super::ruleset::{self, Ruleset, Rulesets};
use super::setup::{CardAt, Setup};
use super::state::{FIELD, Place, State, Status};
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

/// Counts what an event tells of. `counts` has one number for each of [`labels`].
#[inline]
pub fn note(setup: &Setup, state: &State, event: Event, counts: &mut [u64]) {
    Noting { setup, state, slots: setup.slots(), counts }.event(event);
}

/// Where everything of a setup that can have an effect is counted.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The rulesets come first, in the order of the enum.
    rulesets: Rulesets,
    /// By card of the catalogue; none for one that nobody can bring.
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
            Event::Blow(blow) => self.blow(blow),
            Event::Inflicts { by, ability, .. } => self.ability(by, ability),
            Event::Mends { by, on, ability, .. } => self.supports(by, on, ability),
            Event::Cleanses { by, on } => self.supports(by, on, Ability::Cleanse),
            Event::Returns { who, by } => self.supports(by, who, Ability::Resurrect),
            Event::Gains { who, ability, .. } => self.ability(who, ability),
            Event::Shielded(who) => self.ability(who, Ability::DivineShield),
            Event::StandsAlone(who) => self.ability(who, Ability::LastStand),
            Event::Quakes(_) => {
                for place in self.state.alive {
                    if self.state.at(place).flies() {
                        self.ability(place, Ability::Flying);
                    }
                }
            }
            Event::Round(_)
            | Event::Tied(_)
            | Event::Turn { .. }
            | Event::SkipsTurn(_)
            | Event::AttackOver
            | Event::Recovers(_)
            | Event::Dies(_)
            | Event::AurasEnd(_) => {}
        }
    }

    // Where something is counted

    /// A ruleset, if it is in force.
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

    /// An ability of a monster, wherever it has it from: its card, else its summoner, else a ruleset.
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

    /// What a monster does for `on`, or the summoner of its side.
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

    /// The abilities among these of a card that change a number of somebody on the team that they are for.
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
        let of_its_own = match blow.cause {
            Cause::Blast => Some(Ability::Blast),
            Cause::Thorns => Some(Ability::Thorns),
            Cause::MagicReflect => Some(Ability::MagicReflect),
            Cause::ReturnFire => Some(Ability::ReturnFire),
            Cause::Retaliate => Some(Ability::Retaliate),
            Cause::Trample => Some(Ability::Trample),
            Cause::Redemption => Some(Ability::Redemption),
            Cause::Earthquake => {
                self.ruleset(Ruleset::Earthquake);
                None
            }
            Cause::Melee | Cause::Ranged | Cause::Magic | Cause::Poison | Cause::Fatigue => None,
        };
        if let (Some(by), Some(ability)) = (blow.by, of_its_own) {
            self.ability(by, ability);
        }
        if let Some(by) = blow.by {
            match blow.cause {
                Cause::Melee | Cause::Ranged | Cause::Magic => {
                    self.aims(by, blow.on, blow.cause);
                    self.may_miss(by, blow.on, blow.cause);
                }
                Cause::Retaliate | Cause::Trample => self.may_miss(by, blow.on, Cause::Melee),
                Cause::Blast
                | Cause::Thorns
                | Cause::MagicReflect
                | Cause::ReturnFire
                | Cause::Redemption
                | Cause::Earthquake
                | Cause::Poison
                | Cause::Fatigue => {}
            }
        }
        if blow.hit {
            self.hits(blow);
        }
    }

    /// What let a monster attack whom it did on its turn.
    fn aims(&mut self, by: Place, on: Place, kind: Cause) {
        let state = self.state;
        let monster = state.at(by);
        if monster.has(Ability::DoubleStrike) {
            self.ability(by, Ability::DoubleStrike);
        }
        if state.team(by.side()).first() == Some(by) {
            if kind == Cause::Ranged {
                if monster.has(Ability::CloseRange) {
                    self.ability(by, Ability::CloseRange);
                } else {
                    self.ruleset(Ruleset::CloseRange);
                }
            }
            return;
        }
        if kind != Cause::Melee && monster.has(Ability::Scattershot) {
            return self.ability(by, Ability::Scattershot);
        }
        let chooser = [Ability::Sneak, Ability::Snipe, Ability::Opportunity]
            .into_iter()
            .find(|&ability| monster.has(ability));
        let enemies = state.team(on.side());
        let front = enemies.first();
        // A melee attack from behind the front is possible only by one of these.
        let reaches = state.reaches(by, kind) && chooser.is_none();
        let sneaks = [Ability::Sneak, Ability::Opportunity];
        let sneaks = sneaks.into_iter().find(|&ability| monster.has(ability));
        if kind == Cause::Melee {
            match (reaches, sneaks) {
                (true, _) => return self.ability(by, Ability::Reach),
                (false, Some(ability)) => self.ability(by, ability),
                (false, None) => self.ruleset(Ruleset::MeleeMayhem),
            }
        }
        let mut seen = enemies.without(state.hidden);
        front.into_iter().for_each(|front| seen.insert(front));
        let taunts = state.taunters.and(seen).first() == Some(on);
        if front != Some(on) {
            match chooser {
                _ if taunts => self.ability(on, Ability::Taunt),
                Some(ability) if kind != Cause::Melee || sneaks != Some(ability) => {
                    self.ability(by, ability);
                }
                Some(_) | None => {}
            }
        }
        for hidden in enemies.without(seen) {
            if chooser.is_some() || state.at(hidden).has(Ability::Taunt) {
                self.ability(hidden, Ability::Camouflage);
            }
        }
    }

    /// What made a melee or ranged attack likely or sure to miss or hit.
    fn may_miss(&mut self, by: Place, on: Place, kind: Cause) {
        if kind == Cause::Magic {
            return;
        }
        let state = self.state;
        let points = state.miss_points(by, on);
        if points.sum() == 0 {
            return;
        }
        if state.rules(Ruleset::AimTrue) {
            return self.ruleset(Ruleset::AimTrue);
        }
        for sure in [Ability::TrueStrike, Ability::Snare] {
            let applies = sure == Ability::TrueStrike || state.at(on).flies();
            if applies && state.at(by).has(sure) {
                return self.ability(by, sure);
            }
        }
        if points.speed > 0 {
            self.ruleset(Ruleset::ReverseSpeed);
        }
        if points.dodge > 0 {
            self.ability(on, Ability::Dodge);
        }
        if points.flying > 0 {
            self.ability(on, Ability::Flying);
        }
        if points.blind > 0 {
            self.blinds(by);
        }
    }

    /// Everybody who blinds the attacker.
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

    /// What changed the damage of a blow that hit, and what it set off without an event of its own.
    fn hits(&mut self, blow: Blow) {
        let Blow { cause, by, on, power, force, to_armor, to_health, .. } = blow;
        let state = self.state;
        let target = state.at(on);
        if let Some(by) = by
            && let Some(attack) = self.attack_behind(by, cause)
        {
            let attacker = state.at(by);
            if target.has(Ability::Forcefield) && attack > power {
                self.ability(on, Ability::Forcefield);
            } else {
                if attacker.has(Ability::KnockOut) && state.stunned.has(on) {
                    self.ability(by, Ability::KnockOut);
                }
                if attacker.has(Ability::Oppress) && !target.attacks() {
                    self.ability(by, Ability::Oppress);
                }
            }
            if attacker.has(Ability::Piercing) && to_armor > 0 && to_health > 0 {
                self.ability(by, Ability::Piercing);
            }
        }
        let magic = match cause {
            Cause::Magic | Cause::MagicReflect => true,
            Cause::Blast => by.is_some_and(|by| {
                let Stats { melee, ranged, magic, .. } = state.at(by).base;
                magic > 0 && melee == 0 && ranged == 0
            }),
            Cause::Melee
            | Cause::Ranged
            | Cause::Thorns
            | Cause::ReturnFire
            | Cause::Retaliate
            | Cause::Trample
            | Cause::Redemption
            | Cause::Earthquake
            | Cause::Poison
            | Cause::Fatigue => false,
        };
        // A blow of 1 that comes to nothing may have been taken by Divine Shield.
        let softened = force < power && (force > 0 || !target.has(Ability::DivineShield));
        let softener = if magic { Ability::Void } else { Ability::Shield };
        if softened && target.has(softener) {
            self.ability(on, softener);
        }
        if magic && to_armor > 0 {
            self.ruleset(Ruleset::WeakMagic);
        }
        if to_health > 0 && target.now.health > 0 && target.has(Ability::Enrage) {
            self.ability(on, Ability::Enrage);
        }
        let tramples_on = cause == Cause::Trample && target.now.health <= 0;
        if tramples_on && state.team(on.side()).after(on).is_some() {
            self.ruleset(Ruleset::Stampede);
        }
    }

    /// The attack that a blow comes from, before anything multiplies it; none for a blow that is not part of an attack.
    fn attack_behind(&self, by: Place, cause: Cause) -> Option<i8> {
        let Stats { melee, ranged, magic, .. } = self.state.at(by).now;
        match cause {
            Cause::Melee | Cause::Retaliate | Cause::Trample => Some(melee),
            Cause::Ranged => Some(ranged),
            Cause::Magic => Some(magic),
            Cause::Blast => Some(melee.max(ranged).max(magic).saturating_add(1) / 2),
            Cause::Thorns
            | Cause::MagicReflect
            | Cause::ReturnFire
            | Cause::Redemption
            | Cause::Earthquake
            | Cause::Poison
            | Cause::Fatigue => None,
        }
    }
}

#[cfg(test)]
mod tests;
