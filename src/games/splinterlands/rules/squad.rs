//! A team before it meets another, and the state before round 1 as two of them give it (step 3).
//!
//! What a team brings to every battle is put together once: for given teams in the setup, which keeps it, for drawn ones
//! before each battle. What the rulesets and the other team make of it is left for the moment when both meet.

use arrayvec::ArrayVec;
use enumset::enum_set;

use super::prebattle::{
    CHANGING_ABILITIES, HEALING, USED_BY_SUMMONER, auras_of_summoner, given_by, taken_by,
};
use super::stats::{AURAS, auras_of, last_standing, numbers};
use super::turn_order::{standing, urgency_of};
use crate::game::Side;
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::cards::{Catalogue, Level, Stats};
use crate::games::splinterlands::ruleset::{Ruleset, Rulesets};
use crate::games::splinterlands::setup::{CardAt, LineUp};
use crate::games::splinterlands::state::{
    Aura, FIELD, Leader, Monster, Place, Places, State, Status, TEAM,
};

/// A team before it meets another.
#[derive(Clone, Debug)]
pub(in crate::games::splinterlands) struct Squad {
    summoner: CardAt,
    leads: Leads,
    recruits: ArrayVec<Recruit, TEAM>,
    notes: Notes,
}

/// A card as a monster that no ruleset and no aura has touched.
#[derive(Clone, Debug)]
struct Recruit {
    base: Stats,
    abilities: Abilities,
    card: CardAt,
    rarity: u8,
    /// What its turn depends on beside its speed.
    standing: i16,
}

/// What a summoner gives and does (SP-27, SP-28, SP-30, SP-31; decision 23).
#[derive(Clone, Copy, Debug, Default)]
struct Leads {
    /// What its monsters have from it.
    given: Abilities,
    /// What it uses itself.
    used: Abilities,
    /// Whether it keeps the enemies from healing.
    curses: bool,
    /// Whether it blinds the enemies.
    blinds: bool,
    /// On (friends, enemies).
    auras: [Aura; 2],
}

/// What a team's monsters do to whole teams, and who has what the rules look for again and again: members by bits, the front
/// lowest.
#[derive(Clone, Copy, Debug, Default)]
struct Notes {
    /// On (friends, enemies).
    auras: [Aura; 2],
    blinders: u16,
    taunters: u16,
    hidden: u16,
    scavengers: u16,
    resurrecters: u16,
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

/// The rulesets that take all of them from the monsters; no other changes any.
const UNNOTING: Rulesets = enum_set!(Ruleset::BackToBasics);

/// The rulesets that the state before round 1 depends on, beside naming them. Two battles of the same teams begin alike
/// where they have the same of these.
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

    /// What of it the rulesets leave (guide, Silenced Summoners, Healed Out; SP-37, SP-38, SP-79).
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
    /// Notes what a member can do (SP-17, SP-24, SP-78, SP-X).
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

    /// What of them the rulesets leave, and what a summoner gives to all members besides.
    fn under(self, rulesets: Rulesets, given: Abilities, members: u16) -> Self {
        let mut left = if rulesets.is_disjoint(UNNOTING) { self } else { Self::default() };
        if !given.is_disjoint(NOTED) {
            let all = |ability| if given.contains(ability) { members } else { 0 };
            left.taunters |= all(Ability::Taunt);
            left.hidden |= all(Ability::Camouflage);
            left.scavengers |= all(Ability::Scavenger);
        }
        left
    }
}

impl Squad {
    /// The team of these cards.
    pub(in crate::games::splinterlands) fn of(catalogue: &Catalogue, team: &LineUp) -> Self {
        let mut notes = Notes::default();
        let leads = Leads::of(catalogue.level(team.summoner));
        let mut squad = Self { summoner: team.summoner, leads, recruits: ArrayVec::new(), notes };
        for (at, &card) in team.monsters.iter().enumerate() {
            let known = catalogue.card(card);
            let Level { stats: base, abilities } = known.levels[usize::from(card.level - 1)];
            notes.add(at, abilities);
            let rarity = known.rarity as u8;
            let standing = standing(&base, rarity, card.level);
            squad.recruits.push(Recruit { base, abilities, card, rarity, standing });
        }
        squad.notes = notes;
        squad
    }

    /// All members, the front lowest.
    fn members(&self) -> u16 {
        (1 << self.recruits.len()) - 1
    }

    /// The highest health of all; none where there is nobody (guide, Equalizer; SP-77).
    fn highest_health(&self) -> Option<i8> {
        self.recruits.iter().map(|recruit| recruit.base.health).max()
    }
}

/// What the rulesets of a battle make of every monster in it.
struct Orders {
    rulesets: Rulesets,
    taken: Abilities,
    to_all: Abilities,
    to_melee: Abilities,
    to_ranged_and_magic: Abilities,
    more_armor: i8,
    /// Everybody's, where it is the same (guide, Equalizer; SP-77).
    health: Option<i8>,
}

impl Orders {
    fn of(rulesets: Rulesets, squads: [&Squad; 2]) -> Self {
        let mut orders = Self {
            rulesets,
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

    /// Base numbers after the rulesets (guide, Armored Up, Unprotected, Equalizer; SP-23, SP-58, SP-77).
    #[inline]
    fn base(&self, recruit: &Recruit) -> Stats {
        let base = &recruit.base;
        let no_armor = self.rulesets.contains(Ruleset::Unprotected);
        Stats {
            armor: if no_armor { 0 } else { base.armor + self.more_armor },
            health: self.health.unwrap_or(base.health),
            ..*base
        }
    }

    /// Abilities after the rulesets: what they take away first, then what they give (guide, Super Sneak, Target Practice;
    /// SP-44, SP-45, SP-54, SP-55, SP-83, SP-85).
    #[inline]
    fn abilities(&self, recruit: &Recruit) -> Abilities {
        let stats = &recruit.base;
        let to_those = |have: bool, given: Abilities| if have { given } else { Abilities::empty() };
        (recruit.abilities - self.taken)
            | self.to_all
            | to_those(stats.melee > 0, self.to_melee)
            | to_those(stats.ranged > 0 || stats.magic > 0, self.to_ranged_and_magic)
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
        let mut state = Self::meeting(rulesets, mana_cap, [&a, &b]);
        state.sort_order();
        state
    }

    /// The same of two teams that have been put together. The order is left for the first turn to put right: whatever is
    /// called with the whole state here makes a copy of it.
    pub(in crate::games::splinterlands) fn meeting(
        rulesets: Rulesets,
        mana_cap: u8,
        squads: [&Squad; 2],
    ) -> Self {
        let orders = Orders::of(rulesets, squads);
        let leads = squads.map(|squad| squad.leads.under(rulesets));
        let [a, b] = [0, 1].map(|side: usize| {
            squads[side].notes.under(rulesets, leads[side].given, squads[side].members())
        });
        let both = |a: u16, b: u16| Places(a | b << TEAM);
        let alive = both(squads[0].members(), squads[1].members());
        let by_summoner = |side: usize| u16::from(leads[side].blinds) << (FIELD + side);
        let leader = |side: usize| Leader {
            card: squads[side].summoner,
            abilities: leads[side].used,
            cursed: leads[1 - side].curses,
        };
        let auras = |own: &Notes, other: &Notes, side: usize| {
            let mut sum = own.auras[0];
            sum += leads[side].auras[0];
            sum += other.auras[1];
            sum += leads[1 - side].auras[1];
            sum
        };
        let mut state = State {
            rulesets,
            round: 0,
            mana_cap,
            field: [Monster::NOBODY; FIELD],
            alive,
            fielded: alive,
            waiting: Places::default(),
            urgency: [0; FIELD],
            stunned: Places::default(),
            poisoned: if rulesets.contains(Ruleset::NoxiousFumes) {
                alive
            } else {
                Places::default()
            },
            auras: [auras(&a, &b, 0), auras(&b, &a, 1)],
            blinders: [
                Places(b.blinders << TEAM | by_summoner(1)),
                Places(a.blinders | by_summoner(0)),
            ],
            leaders: [leader(0), leader(1)],
            taunters: both(a.taunters, b.taunters),
            hidden: both(a.hidden, b.hidden),
            scavengers: both(a.scavengers, b.scavengers),
            resurrecters: both(a.resurrecters, b.resurrecters),
            order: std::array::from_fn(|at| Place(at as u8)),
            ranks: [Places::default(); FIELD],
            order_is_stale: true,
            resurrected: 0,
            shaken_first: Side::A,
            verdict: None,
            forfeits: 0,
        };
        for side in [0, 1] {
            let squad = squads[side];
            let (aura, given) = (state.auras[side], leads[side].given);
            for (at, recruit) in squad.recruits.iter().enumerate() {
                let base = orders.base(recruit);
                let now = numbers(&base, &aura, rulesets);
                let place = side * TEAM + at;
                state.field[place] = Monster {
                    card: recruit.card,
                    rarity: recruit.rarity,
                    base,
                    now,
                    max_health: now.health,
                    max_armor: now.armor,
                    abilities: orders.abilities(recruit) | given,
                    ..Monster::NOBODY
                };
                state.urgency[place] = urgency_of(now.speed, recruit.standing, rulesets);
            }
            if let [alone] = &squad.recruits[..] {
                state.let_stand_alone(side * TEAM, alone.standing);
            }
        }
        state
    }

    /// The only one of a team makes its Last Stand from the beginning, if it has one (SP-X).
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
