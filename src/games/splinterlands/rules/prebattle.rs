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
use crate::games::splinterlands::setup::CardAt;
use crate::games::splinterlands::state::{Aura, State, TEAM};

/// The abilities that a summoner uses itself, instead of giving them to its monsters (SP-31, SP-38).
pub(in crate::games::splinterlands) const USED_BY_SUMMONER: Abilities = enum_set!(
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
pub(super) fn auras_of_summoner(summoner: &Level) -> [Aura; 2] {
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

/// The abilities that a ruleset takes away from those of monsters' cards (guide, Back to Basics, Fog of War, Healed
/// Out; SP-26, SP-33, SP-79).
pub(super) fn taken_by(ruleset: Ruleset) -> Abilities {
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

/// The abilities that a ruleset gives to a monster with these numbers (guide, Super Sneak, Target Practice, Heavy
/// Hitters, and the later edition; SP-41, SP-47, SP-83).
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

/// The abilities of a monster's card that the rulesets leave it (guide, Back to Basics; SP-26, SP-27, SP-73).
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

/// The rulesets that take abilities away or give some. Most battles have none of them, and then no monster has to be
/// checked.
pub(super) const CHANGING_ABILITIES: Rulesets = enum_set!(
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

/// A summoner's numbers and abilities as the rulesets leave them (guide, Silenced Summoners, Healed Out; SP-37, SP-38,
/// SP-79).
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
    /// Whether both teams have the same cards in the same order at the same levels (decision 3, SP-X).
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
