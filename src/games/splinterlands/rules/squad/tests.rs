//! Checks that two teams meet as the steps of the rules say, one step after the other.

use std::sync::Arc;

use strum::IntoEnumIterator;

use super::*;
use crate::chance::Seeded;
use crate::game::Side;
use crate::games::splinterlands::bundled;
use crate::games::splinterlands::cards::{Card, CardKind, Faction, Rarity};
use crate::games::splinterlands::rules::prebattle::{own_abilities, summoner_under};
use crate::games::splinterlands::rules::turn_order::urgency;
use crate::games::splinterlands::state::Place;

/// A monster's abilities under the rulesets: what they take away first, then what they give (guide, Super Sneak, Target
/// Practice; SP-44, SP-45, SP-54, SP-55, SP-83, SP-85).
fn abilities_under(rulesets: Rulesets, level: &Level) -> Abilities {
    let left = own_abilities(rulesets, level);
    rulesets.iter().fold(left, |all, ruleset| all | given_by(ruleset, &level.stats))
}

impl State {
    /// The state before round 1, made by one step of the rules after the other, with every monster checked against
    /// every ruleset.
    fn step_by_step(
        catalogue: &Catalogue,
        rulesets: Rulesets,
        mana_cap: u8,
        teams: [&LineUp; 2],
    ) -> Self {
        let leaders = teams.map(|team| Leader {
            card: team.summoner,
            abilities: Abilities::empty(),
            cursed: false,
        });
        let mut state = State { rulesets, mana_cap, leaders, ..State::NOBODY };
        let mut own = [Abilities::empty(); FIELD];
        for side in [Side::A, Side::B] {
            for (at, &card) in teams[side.index()].monsters.iter().enumerate() {
                let place = Place((side.index() * TEAM + at) as u8);
                own[place.index()] = state.field_monster(catalogue, place, card);
            }
        }
        state.fielded = state.alive;
        if rulesets.contains(Ruleset::NoxiousFumes) {
            state.poisoned = state.alive;
        }
        if rulesets.contains(Ruleset::Equalizer) {
            state.equalize();
        }
        for side in [Side::A, Side::B] {
            let summoner = summoner_under(rulesets, catalogue, teams[side.index()].summoner);
            state.lead(side, &summoner);
        }
        for place in state.alive {
            state.be_known(place);
            state.bring_auras(place, own[place.index()]);
        }
        for side in [Side::A, Side::B] {
            let team = state.team(side);
            if let (1, Some(alone)) = (team.len(), team.first())
                && state.at(alone).has(Ability::LastStand)
            {
                state.at_mut(alone).statuses |= Status::LastStanding;
            }
        }
        for place in state.alive {
            let aura = state.auras[place.side().index()];
            let monster = &mut state.field[place.index()];
            monster.now = numbers(&monster.base, &aura, rulesets);
            if monster.is(Status::LastStanding) {
                monster.now = last_standing(monster.now);
            }
            (monster.max_health, monster.max_armor) = (monster.now.health, monster.now.armor);
            state.urgency[place.index()] = urgency(monster, rulesets);
        }
        state.sort_order();
        state
    }

    /// A card as a monster in its place (guide, Armored Up, Unprotected; SP-23, SP-58), and its own abilities.
    fn field_monster(&mut self, catalogue: &Catalogue, place: Place, card: CardAt) -> Abilities {
        let known = catalogue.card(card);
        let level = &known.levels[usize::from(card.level - 1)];
        let mut base = level.stats;
        if self.rules(Ruleset::ArmoredUp) {
            base.armor += 2;
        }
        if self.rules(Ruleset::Unprotected) {
            base.armor = 0;
        }
        let abilities = abilities_under(self.rulesets, level);
        self.field[place.index()] =
            Monster { card, rarity: known.rarity as u8, base, abilities, ..Monster::NOBODY };
        self.alive.insert(place);
        abilities
    }

    /// Notes a monster that has abilities that the rules look for again and again.
    fn be_known(&mut self, place: Place) {
        const KNOWN: Abilities = enum_set!(
            Ability::Taunt | Ability::Camouflage | Ability::Scavenger | Ability::Resurrect
        );
        let abilities = self.at(place).abilities;
        if abilities.is_disjoint(KNOWN) {
            return;
        }
        let note = |places: &mut Places, ability: Ability| {
            places.0 |= u16::from(abilities.contains(ability)) << place.0;
        };
        note(&mut self.taunters, Ability::Taunt);
        note(&mut self.hidden, Ability::Camouflage);
        note(&mut self.scavengers, Ability::Scavenger);
        note(&mut self.resurrecters, Ability::Resurrect);
    }

    /// Everybody starts with the highest base health of all (guide, Equalizer; SP-77).
    fn equalize(&mut self) {
        let highest = self.alive.map(|place| self.at(place).base.health).max().unwrap_or(1);
        for place in self.alive {
            self.at_mut(place).base.health = highest;
        }
    }

    /// What a summoner gives to its team and does itself (guide, Back to Basics; SP-27, SP-28, SP-30, SP-31; decision
    /// 23).
    fn lead(&mut self, side: Side, summoner: &Level) {
        let given = summoner.abilities - USED_BY_SUMMONER - Ability::Affliction - Ability::Blind;
        if !given.is_empty() {
            for place in self.team(side) {
                self.at_mut(place).abilities |= given;
            }
        }
        self.leaders[side.index()].abilities = (summoner.abilities & USED_BY_SUMMONER) - AURAS;
        self.leaders[side.other().index()].cursed =
            summoner.abilities.contains(Ability::Affliction);
        if summoner.abilities.contains(Ability::Blind) {
            self.blinders[side.other().index()].insert(Place((FIELD + side.index()) as u8));
        }
        let [friends, enemies] = auras_of_summoner(summoner);
        self.auras[side.index()] += friends;
        self.auras[side.other().index()] += enemies;
    }

    /// What a monster's own abilities do to whole teams (step 3; SP-17, SP-24, SP-78, SP-X).
    fn bring_auras(&mut self, place: Place, own: Abilities) {
        if own.is_disjoint(AURAS | Ability::Blind) {
            return;
        }
        let side = place.side();
        if own.contains(Ability::Blind) {
            self.blinders[side.other().index()].insert(place);
        }
        let [friends, enemies] = auras_of(own);
        self.auras[side.index()] += friends;
        self.auras[side.other().index()] += enemies;
    }
}

/// Cards with random numbers and abilities, also combinations that no edition has.
fn any_cards(dice: &mut Seeded) -> Catalogue {
    let mut card = |id: u16| {
        let kind = if id.is_multiple_of(4) { CardKind::Summoner } else { CardKind::Monster };
        let (lowest, highest) = kind.range();
        let mut levels = Vec::new();
        for _ in 0..=dice.below(4) {
            // Small numbers are equal more often, and more often cut off by auras.
            let highest = if dice.below(4) == 0 { highest } else { 4 };
            let mut number = || lowest + dice.below((highest - lowest + 1) as u32) as i8;
            let mut stats = Stats {
                melee: number(),
                ranged: number(),
                magic: number(),
                armor: number(),
                health: number(),
                speed: number(),
            };
            for attack in [&mut stats.melee, &mut stats.ranged, &mut stats.magic] {
                *attack *= dice.below(2) as i8;
            }
            let one_in = 1 + dice.below(30);
            let abilities = Ability::iter().filter(|_| dice.below(one_in) == 0).collect();
            levels.push(Level { stats, abilities });
        }
        let rarity = Rarity::iter().nth(dice.below(4) as usize).unwrap();
        Card { id, name: id.to_string(), faction: Faction::Fire, kind, rarity, mana: 1, levels }
    };
    Catalogue { cards: (0..80).map(|id| Arc::new(card(id))).collect() }
}

/// A random card of this kind at a random level.
fn any_of(catalogue: &Catalogue, kind: CardKind, dice: &mut Seeded) -> CardAt {
    loop {
        let card = dice.below(catalogue.cards.len() as u32) as u16;
        let known = &catalogue.cards[usize::from(card)];
        if known.kind == kind {
            return CardAt { card, level: 1 + dice.below(known.levels.len() as u32) as u8 };
        }
    }
}

#[test]
fn two_teams_meet_as_the_steps_of_the_rules_say() {
    let mut dice = Seeded::from_seed(9);
    for round in 0..60 {
        let made = any_cards(&mut dice);
        let catalogue = if round % 2 == 0 { bundled() } else { &made };
        for _ in 0..400 {
            let one_in = 1 + dice.below(20);
            let rulesets: Rulesets = Ruleset::iter().filter(|_| dice.below(one_in) == 0).collect();
            let mut team = || {
                let summoner = any_of(catalogue, CardKind::Summoner, &mut dice);
                let size = dice.below(TEAM as u32 + 1);
                let monster = |_| any_of(catalogue, CardKind::Monster, &mut dice);
                LineUp { summoner, monsters: (0..size).map(monster).collect() }
            };
            let teams = [team(), team()];
            let mana_cap = dice.below(100) as u8;
            let quick = State::new(catalogue, rulesets, mana_cap, teams.each_ref());
            let plain = State::step_by_step(catalogue, rulesets, mana_cap, teams.each_ref());
            assert_eq!(quick, plain, "{rulesets:?}, {teams:?}");
            let fewer = rulesets & AT_START;
            let alike = State::new(catalogue, fewer, mana_cap, teams.each_ref());
            assert_eq!(State { rulesets, ..alike }, plain, "{rulesets:?}, {teams:?}");
        }
    }
}

#[test]
fn rulesets_change_all_that_is_noted_or_nothing() {
    for ruleset in Ruleset::iter() {
        let taken = taken_by(ruleset) & NOTED;
        let all = if UNNOTING.contains(ruleset) { NOTED } else { Abilities::empty() };
        assert_eq!(taken, all, "{ruleset}");
        let armed = Stats { melee: 1, ranged: 1, magic: 1, ..Stats::default() };
        assert!(given_by(ruleset, &armed).is_disjoint(NOTED), "{ruleset}");
    }
}
