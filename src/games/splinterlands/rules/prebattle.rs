//! Everything before round 1: teams, rulesets, summoners, auras (section 3).

use enumset::enum_set;

use super::Battle;
use super::stats::{AURAS, auras_of};
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::cards::{Catalogue, Level, Stats};
use crate::games::splinterlands::event::Event;
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::ruleset::{Ruleset, Rulesets};
use crate::games::splinterlands::setup::{CardAt, LineUp};
use crate::games::splinterlands::state::{
    Aura, FIELD, Leader, Monster, Place, Places, State, Status, TEAM,
};

/// What a summoner uses itself, rather than give it to its monsters (SP-31, SP-38).
const USED_BY_SUMMONER: Abilities = enum_set!(
    Ability::Repair
        | Ability::TankHeal
        | Ability::Triage
        | Ability::Cleanse
        | Ability::Resurrect
        | AURAS
);

/// The abilities that Healed Out takes from monsters and summoners (SP-79).
const HEALING: Abilities = enum_set!(Ability::Heal | Ability::TankHeal | Ability::Triage);

/// The rulesets under which everybody has an ability (SP-83, and the later edition's).
const GIVEN_TO_ALL: [(Ruleset, Ability); 5] = [
    (Ruleset::HeavyHitters, Ability::KnockOut),
    (Ruleset::EqualOpportunity, Ability::Opportunity),
    (Ruleset::ExplosiveWeaponry, Ability::Blast),
    (Ruleset::HolyProtection, Ability::DivineShield),
    (Ruleset::SpreadingFury, Ability::Enrage),
];

/// What a summoner's numbers and aura abilities add to (friends, enemies): bonuses to its own team,
/// penalties to the other.
fn auras_of_summoner(summoner: &Level) -> [Aura; 2] {
    let part = |pick: fn(i8) -> i8, stats: Stats, aura: Aura| Aura {
        melee: pick(stats.melee) + aura.melee,
        ranged: pick(stats.ranged) + aura.ranged,
        magic: pick(stats.magic) + aura.magic,
        armor: pick(stats.armor) + aura.armor,
        health: pick(stats.health) + aura.health,
        speed: pick(stats.speed) + aura.speed,
    };
    let [friends, enemies] = auras_of(summoner.abilities);
    [
        part(|bonus| bonus.max(0), summoner.stats, friends),
        part(|penalty| penalty.min(0), summoner.stats, enemies),
    ]
}

/// A monster's own abilities under the rulesets: what they take away first, then what they give.
fn abilities_under(rulesets: Rulesets, level: &Level) -> Abilities {
    let Stats { melee, ranged, magic, .. } = level.stats;
    let mut abilities = level.abilities;
    if rulesets.contains(Ruleset::BackToBasics) {
        abilities = Abilities::empty();
    }
    if rulesets.contains(Ruleset::FogOfWar) {
        abilities -= Ability::Sneak | Ability::Snipe;
    }
    if rulesets.contains(Ruleset::HealedOut) {
        abilities -= HEALING;
    }
    if rulesets.contains(Ruleset::SuperSneak) && melee > 0 {
        abilities |= Ability::Sneak;
    }
    if rulesets.contains(Ruleset::TargetPractice) && (ranged > 0 || magic > 0) {
        abilities |= Ability::Snipe;
    }
    for (ruleset, given) in GIVEN_TO_ALL {
        if rulesets.contains(ruleset) {
            abilities |= given;
        }
    }
    abilities
}

/// A summoner under the rulesets (SP-37, SP-79).
fn summoner_under(rulesets: Rulesets, catalogue: &Catalogue, card: CardAt) -> Level {
    if rulesets.contains(Ruleset::SilencedSummoners) {
        return Level::default();
    }
    let mut level = *catalogue.level(card);
    if rulesets.contains(Ruleset::HealedOut) {
        level.abilities -= HEALING;
    }
    level
}

impl State {
    /// The state before round 1 of a battle between two teams, and before its first die.
    #[must_use]
    pub fn new(
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
        let mut state = State {
            rulesets,
            round: 0,
            mana_cap,
            field: [Monster::NOBODY; FIELD],
            alive: Places::default(),
            fielded: Places::default(),
            waiting: Places::default(),
            urgency: [0; FIELD],
            stunned: Places::default(),
            poisoned: Places::default(),
            auras: [Aura::default(); 2],
            blinders: [Places::default(); 2],
            leaders,
            taunters: Places::default(),
            hidden: Places::default(),
            scavengers: Places::default(),
            resurrecters: Places::default(),
            order: std::array::from_fn(|at| Place(at as u8)),
            order_is_stale: true,
            resurrected: 0,
            shaken_first: Side::A,
            verdict: None,
        };
        for side in [Side::A, Side::B] {
            for (at, &card) in teams[side.index()].monsters.iter().enumerate() {
                state.field_monster(catalogue, Place((side.index() * TEAM + at) as u8), card);
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
        state.taunters = state.with(Ability::Taunt);
        state.hidden = state.with(Ability::Camouflage);
        state.scavengers = state.with(Ability::Scavenger);
        state.resurrecters = state.with(Ability::Resurrect);
        for place in state.alive {
            let own = abilities_under(rulesets, catalogue.level(state.at(place).card));
            state.bring_auras(place, own);
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
            state.refresh(place);
            let monster = state.at_mut(place);
            monster.now.armor = monster.max_armor;
        }
        state
    }

    fn field_monster(&mut self, catalogue: &Catalogue, place: Place, card: CardAt) {
        let known = catalogue.card(card);
        let level = catalogue.level(card);
        let mut base = level.stats;
        if self.rules(Ruleset::ArmoredUp) {
            base.armor += 2;
        }
        if self.rules(Ruleset::Unprotected) {
            base.armor = 0;
        }
        self.field[place.index()] = Monster {
            card,
            mana: known.mana,
            rarity: known.rarity as u8,
            base,
            abilities: abilities_under(self.rulesets, level),
            ..Monster::NOBODY
        };
        self.alive.insert(place);
    }

    /// Everybody starts with the highest base health of all (SP-77).
    fn equalize(&mut self) {
        let highest = self.alive.map(|place| self.at(place).base.health).max().unwrap_or(1);
        for place in self.alive {
            self.at_mut(place).base.health = highest;
        }
    }

    fn lead(&mut self, side: Side, summoner: &Level) {
        let given = summoner.abilities - USED_BY_SUMMONER - Ability::Affliction - Ability::Blind;
        for place in self.team(side) {
            self.at_mut(place).abilities |= given;
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

    fn bring_auras(&mut self, place: Place, own: Abilities) {
        let side = place.side();
        if own.contains(Ability::Blind) {
            self.blinders[side.other().index()].insert(place);
        }
        let [friends, enemies] = auras_of(own);
        self.auras[side.index()] += friends;
        self.auras[side.other().index()] += enemies;
    }

    /// Whether both teams are the same cards in the same order at the same levels (decision 3).
    #[must_use]
    pub fn teams_are_identical(&self) -> bool {
        let (a, b) = self.field.split_at(TEAM);
        self.leaders[0].card == self.leaders[1].card
            && a.iter().zip(b).all(|(one, other)| one.card == other.card)
    }
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// The last steps before round 1: draws which side the earthquake shakes first (SP-75), and ends a
    /// battle that is not fought.
    pub fn open(&mut self, identical_teams_draw: bool) {
        if identical_teams_draw && self.state.teams_are_identical() {
            self.state.verdict = Some(Outcome::Draw);
        }
        if self.state.verdict.is_none() && self.state.rules(Ruleset::Earthquake) {
            self.chance.about(0);
            self.state.shaken_first = Side(self.chance.pick(Roll::EarthquakeSide, 2) as u8);
        }
        self.tell(Event::Begins);
    }
}
