//! Everything before round 1 (step 3): teams, rulesets, summoners, auras.

use enumset::enum_set;

use super::Battle;
use super::stats::{AURAS, auras_of};
use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::cards::{Catalogue, Level, Stats};
use crate::games::splinterlands::event::Event;
use crate::games::splinterlands::forced::{Forced, ForcedOrder};
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
pub(in crate::games::splinterlands) const HEALING: Abilities =
    enum_set!(Ability::Heal | Ability::TankHeal | Ability::Triage);

/// What a summoner's numbers and aura abilities add to (friends, enemies): bonuses to its own team,
/// penalties to the other (step 3; guide, Equalizer; SP-78, SP-X).
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

/// What a ruleset takes from monsters' own abilities (guide, Back to Basics, Fog of War, Healed Out; SP-26, SP-33,
/// SP-79).
fn taken_by(ruleset: Ruleset) -> Abilities {
    match ruleset {
        Ruleset::BackToBasics => Abilities::all(),
        Ruleset::FogOfWar => Ability::Sneak | Ability::Snipe,
        Ruleset::HealedOut => HEALING,
        Ruleset::AimTrue
        | Ruleset::ArmoredUp
        | Ruleset::SilencedSummoners
        | Ruleset::Standard
        | Ruleset::SuperSneak
        | Ruleset::TargetPractice
        | Ruleset::Unprotected
        | Ruleset::WeakMagic
        | Ruleset::CloseRange
        | Ruleset::Earthquake
        | Ruleset::Equalizer
        | Ruleset::HeavyHitters
        | Ruleset::ReverseSpeed
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
        | Ruleset::NoxiousFumes
        | Ruleset::SpreadingFury
        | Ruleset::Stampede => Abilities::empty(),
    }
}

/// What a ruleset gives a monster with these numbers (guide, Super Sneak, Target Practice, Heavy Hitters, and the later
/// edition; SP-41, SP-47, SP-83).
pub(in crate::games::splinterlands) fn given_by(ruleset: Ruleset, stats: &Stats) -> Abilities {
    let to_those = |have: bool, ability: Ability| {
        if have { ability.into() } else { Abilities::empty() }
    };
    match ruleset {
        Ruleset::SuperSneak => to_those(stats.melee > 0, Ability::Sneak),
        Ruleset::TargetPractice => to_those(stats.ranged > 0 || stats.magic > 0, Ability::Snipe),
        Ruleset::HeavyHitters => Ability::KnockOut.into(),
        Ruleset::EqualOpportunity => Ability::Opportunity.into(),
        Ruleset::ExplosiveWeaponry => Ability::Blast.into(),
        Ruleset::HolyProtection => Ability::DivineShield.into(),
        Ruleset::SpreadingFury => Ability::Enrage.into(),
        Ruleset::AimTrue
        | Ruleset::ArmoredUp
        | Ruleset::BackToBasics
        | Ruleset::FogOfWar
        | Ruleset::SilencedSummoners
        | Ruleset::Standard
        | Ruleset::Unprotected
        | Ruleset::WeakMagic
        | Ruleset::CloseRange
        | Ruleset::Earthquake
        | Ruleset::Equalizer
        | Ruleset::HealedOut
        | Ruleset::ReverseSpeed
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
        | Ruleset::NoxiousFumes
        | Ruleset::Stampede => Abilities::empty(),
    }
}

/// What the rulesets leave a monster of its card's abilities (guide, Back to Basics; SP-26, SP-27, SP-73).
pub(in crate::games::splinterlands) fn own_abilities(
    rulesets: Rulesets,
    level: &Level,
) -> Abilities {
    if rulesets.is_disjoint(CHANGING_ABILITIES) {
        return level.abilities;
    }
    let takers = rulesets & CHANGING_ABILITIES;
    takers.iter().fold(level.abilities, |left, ruleset| left - taken_by(ruleset))
}

/// The rulesets that take abilities away or give some: in most battles there is none, and nobody has to be asked.
const CHANGING_ABILITIES: Rulesets = enum_set!(
    Ruleset::BackToBasics
        | Ruleset::FogOfWar
        | Ruleset::HealedOut
        | Ruleset::SuperSneak
        | Ruleset::TargetPractice
        | Ruleset::HeavyHitters
        | Ruleset::EqualOpportunity
        | Ruleset::ExplosiveWeaponry
        | Ruleset::HolyProtection
        | Ruleset::SpreadingFury
);

/// A monster's abilities under the rulesets: what they take away first, then what they give (guide, Super Sneak, Target
/// Practice; SP-44, SP-45, SP-54, SP-55, SP-83, SP-85).
fn abilities_under(rulesets: Rulesets, level: &Level) -> Abilities {
    if rulesets.is_disjoint(CHANGING_ABILITIES) {
        return level.abilities;
    }
    let left = own_abilities(rulesets, level);
    let givers = rulesets & CHANGING_ABILITIES;
    givers.iter().fold(left, |all, ruleset| all | given_by(ruleset, &level.stats))
}

/// A summoner under the rulesets (guide, Silenced Summoners, Healed Out; SP-37, SP-38, SP-79).
pub(in crate::games::splinterlands) fn summoner_under(
    rulesets: Rulesets,
    catalogue: &Catalogue,
    card: CardAt,
) -> Level {
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
    /// The state before round 1 of a battle between two teams, and before its first die (step 3; SP-23, SP-77, SP-78,
    /// SP-X).
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
            ranks: [Places::default(); FIELD],
            order_is_stale: true,
            resurrected: 0,
            shaken_first: Side::A,
            verdict: None,
            forfeits: 0,
        };
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
            state.begin_with_numbers(place);
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

    /// Notes who has what the rules look for again and again.
    #[inline]
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

    /// What a summoner gives and does (guide, Back to Basics; SP-27, SP-28, SP-30, SP-31; decision 23).
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

    /// Whether both teams are the same cards in the same order at the same levels (decision 3, SP-X).
    #[must_use]
    pub fn teams_are_identical(&self) -> bool {
        let (a, b) = self.field.split_at(TEAM);
        self.leaders[0].card == self.leaders[1].card
            && a.iter().zip(b).all(|(one, other)| one.card == other.card)
    }
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// The last steps before round 1: draws which side the earthquake shakes first (guide, Earthquake; SP-75), and ends a
    /// battle that is not fought (decisions 3 and 7; SP-92).
    pub fn open(&mut self, identical_teams_draw: bool) {
        if identical_teams_draw && self.state.teams_are_identical() {
            self.state.verdict = Some(Outcome::Draw);
        }
        if self.state.verdict.is_none() && self.state.rules(Ruleset::Earthquake) {
            self.chance.about(0);
            self.state.shaken_first = Side(self.chance.pick(Roll::EarthquakeSide, 2) as u8);
            if let Some(Forced { order: ForcedOrder::Earthquake, first }) = self.setup.forced {
                self.state.shaken_first = first;
            }
        }
        self.tell(Event::Begins);
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::games::splinterlands::ability::Works as AbilityWorks;
    use crate::games::splinterlands::ruleset::Works;

    /// Whether a summoner with the ability gives it to its monsters (decision 23).
    fn is_given(ability: Ability) -> bool {
        match ability.facts().works {
            AbilityWorks::TeamBonus | AbilityWorks::TeamPenalty => false,
            AbilityWorks::Support => ability == Ability::Heal,
            AbilityWorks::Death => ability != Ability::Resurrect,
            AbilityWorks::Hit => ability != Ability::Blind,
            AbilityWorks::Infliction => ability != Ability::Affliction,
            AbilityWorks::Numbers
            | AbilityWorks::Target
            | AbilityWorks::Damage
            | AbilityWorks::Attack
            | AbilityWorks::Answer => true,
        }
    }

    #[test]
    fn a_summoner_gives_what_it_does_not_do_itself() {
        for ability in Ability::iter() {
            let kept = USED_BY_SUMMONER.contains(ability)
                || ability == Ability::Affliction
                || ability == Ability::Blind;
            assert_eq!(is_given(ability), !kept, "{ability}");
        }
    }

    #[test]
    fn a_ruleset_about_abilities_takes_or_gives_some_and_no_other_does() {
        let armed = Stats { melee: 1, ranged: 1, magic: 1, ..Stats::default() };
        for ruleset in Ruleset::iter() {
            let changes = !taken_by(ruleset).is_empty() || !given_by(ruleset, &armed).is_empty();
            assert_eq!(CHANGING_ABILITIES.contains(ruleset), changes, "{ruleset}");
            assert_eq!(changes, ruleset.facts().works == Works::Abilities, "{ruleset}");
        }
    }
}
