//! Teams as they are assembled before they meet, and the state before round 1 that two of them make (step 3).
//!
//! A team is assembled once: a fixed one by the setup, which keeps it, a drawn one before each battle. What the
//! rulesets and the other team change about it is left for the moment when both meet.

use arrayvec::ArrayVec;
use enumset::enum_set;

use super::prebattle::{
    CHANGING_ABILITIES, HEALING, USED_BY_SUMMONER, auras_of_summoner, given_by, taken_by,
};
use super::stats::{AURAS, auras_of, last_standing, numbers};
use super::turn_order::{standing, urgency_of};
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::cards::{Catalogue, Level, Stats};
use crate::games::splinterlands::ruleset::{Ruleset, Rulesets};
use crate::games::splinterlands::setup::{CardAt, LineUp};
use crate::games::splinterlands::state::{
    Aura, FIELD, Leader, Monster, Places, State, Status, TEAM,
};

/// A team that is assembled, but not yet changed by rulesets or the other team.
#[derive(Clone, Debug)]
pub(in crate::games::splinterlands) struct Squad {
    summoner: CardAt,
    leads: Leads,
    recruits: ArrayVec<Recruit, TEAM>,
    notes: Notes,
    /// `leads` and `notes` combined, for battles in which no ruleset takes anything from them.
    brought: Brought,
}

/// A card as a monster that no ruleset and no aura has changed, and whose current numbers are not set.
#[derive(Clone, Debug)]
struct Recruit {
    monster: Monster,
    /// The part of its rank in the turn order that does not depend on its speed.
    standing: i16,
}

/// What a summoner gives to its team and does itself (SP-27, SP-28, SP-30, SP-31; decision 23).
#[derive(Clone, Copy, Debug, Default)]
struct Leads {
    /// The abilities that its monsters have from it.
    given: Abilities,
    /// The abilities that it uses itself.
    used: Abilities,
    /// Whether it keeps the enemies from healing.
    curses: bool,
    /// Whether it blinds the enemies.
    blinds: bool,
    /// Its auras on (friends, enemies).
    auras: [Aura; 2],
}

/// The auras of a team's monsters, and which members have the abilities that the rules look for again and again: one
/// bit for each member, the front lowest.
#[derive(Clone, Copy, Debug, Default)]
struct Notes {
    /// The monsters' auras on (friends, enemies).
    auras: [Aura; 2],
    blinders: u16,
    taunters: u16,
    hidden: u16,
    scavengers: u16,
    resurrecters: u16,
}

/// What a team brings besides its monsters' numbers: its summoner's part and its monsters' part combined.
#[derive(Clone, Copy, Debug, Default)]
struct Brought {
    given: Abilities,
    used: Abilities,
    curses: bool,
    blinds: bool,
    notes: Notes,
}

/// The abilities that [`Notes`] are about.
const NOTED: Abilities = enum_set!(
    AURAS
        | Ability::Blind
        | Ability::Taunt
        | Ability::Camouflage
        | Ability::Scavenger
        | Ability::Resurrect
);

/// The rulesets that take all of these abilities from the monsters; no other ruleset changes any of them.
const UNNOTING: Rulesets = enum_set!(Ruleset::BackToBasics);

/// The rulesets that take away something that a team brings besides its monsters' numbers.
const TAKING: Rulesets = enum_set!(UNNOTING | Ruleset::SilencedSummoners | Ruleset::HealedOut);

/// The rulesets that change the monsters of a team, in their base numbers or abilities.
const ORDERING: Rulesets =
    enum_set!(CHANGING_ABILITIES | Ruleset::ArmoredUp | Ruleset::Equalizer | Ruleset::Unprotected);

/// The rulesets that the state before round 1 depends on, besides listing their names. Two battles of the same teams
/// begin alike if they have the same of these rulesets.
pub(in crate::games::splinterlands) const AT_START: Rulesets = enum_set!(
    CHANGING_ABILITIES
        | Ruleset::ArmoredUp
        | Ruleset::Equalizer
        | Ruleset::NoxiousFumes
        | Ruleset::ReverseSpeed
        | Ruleset::SilencedSummoners
        | Ruleset::Unprotected
);

impl Leads {
    fn of(level: &Level) -> Self {
        let abilities = level.abilities;
        Self {
            given: abilities - USED_BY_SUMMONER - Ability::Affliction - Ability::Blind,
            used: (abilities & USED_BY_SUMMONER) - AURAS,
            curses: abilities.contains(Ability::Affliction),
            blinds: abilities.contains(Ability::Blind),
            auras: auras_of_summoner(level),
        }
    }

    /// What the rulesets leave of it (guide, Silenced Summoners, Healed Out; SP-37, SP-38, SP-79).
    fn under(self, rulesets: Rulesets) -> Self {
        if rulesets.contains(Ruleset::SilencedSummoners) {
            Self::default()
        } else if rulesets.contains(Ruleset::HealedOut) {
            Self { given: self.given - HEALING, used: self.used - HEALING, ..self }
        } else {
            self
        }
    }
}

impl Notes {
    /// Notes the abilities of a member (SP-17, SP-24, SP-78, SP-X).
    #[inline]
    fn add(&mut self, at: usize, abilities: Abilities) {
        if abilities.is_disjoint(NOTED) {
            return;
        }
        let note =
            |members: &mut u16, ability| *members |= u16::from(abilities.contains(ability)) << at;
        note(&mut self.blinders, Ability::Blind);
        note(&mut self.taunters, Ability::Taunt);
        note(&mut self.hidden, Ability::Camouflage);
        note(&mut self.scavengers, Ability::Scavenger);
        note(&mut self.resurrecters, Ability::Resurrect);
        let [friends, enemies] = auras_of(abilities);
        self.auras[0] += friends;
        self.auras[1] += enemies;
    }

    /// What the rulesets leave of these notes.
    fn under(self, rulesets: Rulesets) -> Self {
        if rulesets.is_disjoint(UNNOTING) { self } else { Self::default() }
    }
}

impl Brought {
    /// Combines both, and notes what the summoner gives to all members.
    fn of(leads: Leads, mut notes: Notes, members: u16) -> Self {
        let Leads { given, used, curses, blinds, auras } = leads;
        if !given.is_disjoint(NOTED) {
            let all = |ability| if given.contains(ability) { members } else { 0 };
            notes.taunters |= all(Ability::Taunt);
            notes.hidden |= all(Ability::Camouflage);
            notes.scavengers |= all(Ability::Scavenger);
        }
        notes.auras[0] += auras[0];
        notes.auras[1] += auras[1];
        Self { given, used, curses, blinds, notes }
    }
}

impl Squad {
    /// Assembles the team of a line-up.
    pub(in crate::games::splinterlands) fn of(catalogue: &Catalogue, team: &LineUp) -> Self {
        let mut notes = Notes::default();
        let leads = Leads::of(catalogue.level(team.summoner));
        let mut squad = Self {
            summoner: team.summoner,
            leads,
            recruits: ArrayVec::new(),
            notes,
            brought: Brought::default(),
        };
        for (at, &card) in team.monsters.iter().enumerate() {
            let known = catalogue.card(card);
            let Level { stats: base, abilities } = known.levels[usize::from(card.level - 1)];
            notes.add(at, abilities);
            let rarity = known.rarity as u8;
            let standing = standing(&base, rarity, card.level);
            let monster = Monster { card, rarity, base, abilities, ..Monster::NOBODY };
            squad.recruits.push(Recruit { monster, standing });
        }
        squad.notes = notes;
        squad.brought = Brought::of(leads, notes, squad.members());
        squad
    }

    /// All members as bits, the front lowest.
    fn members(&self) -> u16 {
        (1 << self.recruits.len()) - 1
    }

    /// The highest base health of its monsters; None where it has none (guide, Equalizer; SP-77).
    fn highest_health(&self) -> Option<i8> {
        self.recruits.iter().map(|recruit| recruit.monster.base.health).max()
    }

    /// What the team brings under rulesets that take something away from it.
    fn brought_under(&self, rulesets: Rulesets) -> Brought {
        Brought::of(self.leads.under(rulesets), self.notes.under(rulesets), self.members())
    }
}

/// The changes that the rulesets of a battle make to every monster in it.
struct Orders {
    unarmored: bool,
    taken: Abilities,
    to_all: Abilities,
    to_melee: Abilities,
    to_ranged_and_magic: Abilities,
    more_armor: i8,
    /// The base health of every monster, where rulesets make it the same (guide, Equalizer; SP-77).
    health: Option<i8>,
}

impl Orders {
    fn of(rulesets: Rulesets, squads: [&Squad; 2]) -> Self {
        let mut orders = Self {
            unarmored: rulesets.contains(Ruleset::Unprotected),
            taken: Abilities::empty(),
            to_all: Abilities::empty(),
            to_melee: Abilities::empty(),
            to_ranged_and_magic: Abilities::empty(),
            more_armor: if rulesets.contains(Ruleset::ArmoredUp) { 2 } else { 0 },
            health: None,
        };
        for ruleset in rulesets & CHANGING_ABILITIES {
            const UNARMED: Stats =
                Stats { melee: 0, ranged: 0, magic: 0, armor: 0, health: 0, speed: 0 };
            orders.taken |= taken_by(ruleset);
            orders.to_all |= given_by(ruleset, &UNARMED);
            orders.to_melee |= given_by(ruleset, &Stats { melee: 1, ..UNARMED });
            orders.to_ranged_and_magic |= given_by(ruleset, &Stats { ranged: 1, ..UNARMED });
        }
        if rulesets.contains(Ruleset::Equalizer) {
            orders.health = squads.iter().filter_map(|squad| squad.highest_health()).max();
        }
        orders
    }

    /// Changes a monster's base numbers (guide, Armored Up, Unprotected, Equalizer; SP-23, SP-58, SP-77) and its
    /// abilities: what is taken away first, then what is given (guide, Super Sneak, Target Practice; SP-44, SP-45,
    /// SP-54, SP-55, SP-83, SP-85).
    fn change(&self, monster: &mut Monster) {
        let base = &mut monster.base;
        base.armor = if self.unarmored { 0 } else { base.armor + self.more_armor };
        base.health = self.health.unwrap_or(base.health);
        let to_those = |have: bool, given: Abilities| if have { given } else { Abilities::empty() };
        monster.abilities = (monster.abilities - self.taken)
            | self.to_all
            | to_those(base.melee > 0, self.to_melee)
            | to_those(base.ranged > 0 || base.magic > 0, self.to_ranged_and_magic);
    }
}

impl State {
    /// The state before round 1 of a battle between two teams, and before its first die (step 3; SP-23, SP-77, SP-78,
    /// SP-X).
    #[must_use]
    pub fn new(
        catalogue: &Catalogue,
        rulesets: Rulesets,
        mana_cap: u8,
        teams: [&LineUp; 2],
    ) -> Self {
        let [a, b] = teams.map(|team| Squad::of(catalogue, team));
        let mut state = Self { rulesets, mana_cap, ..Self::NOBODY };
        state.meet([&a, &b]);
        state.sort_order();
        state
    }

    /// Puts two assembled teams on an empty field whose rulesets are known, and applies rulesets and auras. The turn
    /// order is left to be brought up to date at the first turn.
    #[inline(never)]
    pub(in crate::games::splinterlands) fn meet(&mut self, squads: [&Squad; 2]) {
        let rulesets = self.rulesets;
        let left;
        let [a, b] = if rulesets.is_disjoint(TAKING) {
            squads.map(|squad| &squad.brought)
        } else {
            left = squads.map(|squad| squad.brought_under(rulesets));
            left.each_ref()
        };
        let both = |a: u16, b: u16| Places(a | b << TEAM);
        self.alive = both(squads[0].members(), squads[1].members());
        self.fielded = self.alive;
        if rulesets.contains(Ruleset::NoxiousFumes) {
            self.poisoned = self.alive;
        }
        let by_summoner = |team: &Brought, side: usize| u16::from(team.blinds) << (FIELD + side);
        self.blinders = [
            Places(b.notes.blinders << TEAM | by_summoner(b, 1)),
            Places(a.notes.blinders | by_summoner(a, 0)),
        ];
        self.taunters = both(a.notes.taunters, b.notes.taunters);
        self.hidden = both(a.notes.hidden, b.notes.hidden);
        self.scavengers = both(a.notes.scavengers, b.notes.scavengers);
        self.resurrecters = both(a.notes.resurrecters, b.notes.resurrecters);
        for (side, [own, other]) in [[a, b], [b, a]].into_iter().enumerate() {
            let card = squads[side].summoner;
            self.leaders[side] = Leader { card, abilities: own.used, cursed: other.curses };
            self.auras[side] = own.notes.auras[0];
            self.auras[side] += other.notes.auras[1];
        }
        let ordered = !rulesets.is_disjoint(ORDERING);
        let orders = ordered.then(|| Orders::of(rulesets, squads));
        for (side, own) in [a, b].into_iter().enumerate() {
            let aura = self.auras[side];
            let places = side * TEAM..(side + 1) * TEAM;
            let places = self.field[places.clone()].iter_mut().zip(&mut self.urgency[places]);
            for ((monster, urgency), recruit) in places.zip(&squads[side].recruits) {
                *monster = recruit.monster;
                if let Some(orders) = &orders {
                    orders.change(monster);
                }
                let now = numbers(&monster.base, &aura, rulesets);
                monster.now = now;
                monster.max_health = now.health;
                monster.max_armor = now.armor;
                monster.abilities |= own.given;
                *urgency = urgency_of(now.speed, recruit.standing, rulesets);
            }
            if let [alone] = &squads[side].recruits[..] {
                self.let_stand_alone(side * TEAM, alone.standing);
            }
        }
    }

    /// The only monster of a team makes its Last Stand from the beginning, if it has that ability (SP-X).
    #[inline(always)]
    fn let_stand_alone(&mut self, at: usize, standing: i16) {
        let alone = &mut self.field[at];
        if alone.has(Ability::LastStand) {
            alone.statuses |= Status::LastStanding;
            alone.now = last_standing(alone.now);
            (alone.max_health, alone.max_armor) = (alone.now.health, alone.now.armor);
            self.urgency[at] = urgency_of(alone.now.speed, standing, self.rulesets);
        }
    }
}

#[cfg(test)]
mod tests;
