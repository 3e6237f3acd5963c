//! What auras, Halving, Last Stand and Enrage make of a monster's numbers (step 3; decisions 9 to 12).

use enumset::enum_set;

use super::turn_order::urgency;
use crate::game::Side;
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::cards::Stats;
use crate::games::splinterlands::ruleset::{Ruleset, Rulesets};
use crate::games::splinterlands::state::{Aura, Monster, Place, Places, State, Status};

/// The abilities that add to the numbers of everybody on their bearer's team while it is there.
pub(in crate::games::splinterlands) const BUFFS: Abilities =
    enum_set!(Ability::Inspire | Ability::Protect | Ability::Strengthen | Ability::Swiftness);

/// The abilities that take from the numbers of everybody on the other team while their bearer is there.
pub(in crate::games::splinterlands) const DEBUFFS: Abilities = enum_set!(
    Ability::Demoralize
        | Ability::Headwinds
        | Ability::Silence
        | Ability::Slow
        | Ability::Weaken
        | Ability::Rust
);

/// The abilities with which their bearer gains health for good.
const GAINING: Abilities = enum_set!(Ability::LifeLeech | Ability::Scavenger);

/// All abilities that change the numbers of whole teams.
pub(in crate::games::splinterlands) const AURAS: Abilities = enum_set!(BUFFS | DEBUFFS);

/// What the auras among these abilities add to (friends, enemies) (step 3; SP-24, SP-59, SP-60, SP-78, SP-X).
pub(in crate::games::splinterlands) fn auras_of(abilities: Abilities) -> [Aura; 2] {
    if abilities.is_disjoint(AURAS) {
        return [Aura::default(); 2];
    }
    let one = |ability| i8::from(abilities.contains(ability));
    [
        Aura {
            melee: one(Ability::Inspire),
            armor: 2 * one(Ability::Protect),
            health: one(Ability::Strengthen),
            speed: one(Ability::Swiftness),
            ..Aura::default()
        },
        Aura {
            melee: -one(Ability::Demoralize),
            ranged: -one(Ability::Headwinds),
            magic: -one(Ability::Silence),
            armor: -2 * one(Ability::Rust),
            health: -one(Ability::Weaken),
            speed: -one(Ability::Slow),
        },
    ]
}

/// Half as much again, rounded up (Enrage, Last Stand; SP-X).
pub(super) fn half_again(value: i8) -> i8 {
    i8::try_from((i16::from(value) * 3 + 1) / 2).unwrap_or(i8::MAX)
}

/// Half, rounded down, but not below 1 (Halving; SP-X).
fn halved(value: i8) -> i8 {
    (value / 2).max(i8::from(value > 0))
}

/// Base numbers with an aura; attacks, speed and health do not fall below 1 by it, and armor not below 0. Bonuses and
/// penalties cancel before anything is cut off, as recorded battles show (decision 9, SP-X). Unprotected: nobody has armor
/// (guide; SP-57, SP-58, SP-59, SP-60).
#[inline]
pub(super) fn numbers(base: &Stats, aura: &Aura, rulesets: Rulesets) -> Stats {
    let attack = |value: i8, change: i8| if value > 0 { (value + change).max(1) } else { 0 };
    let no_armor = rulesets.contains(Ruleset::Unprotected);
    Stats {
        melee: attack(base.melee, aura.melee),
        ranged: attack(base.ranged, aura.ranged),
        magic: attack(base.magic, aura.magic),
        armor: if no_armor { 0 } else { (base.armor + aura.armor).max(0) },
        health: (base.health + aura.health).max(1),
        speed: (base.speed + aura.speed).max(1),
    }
}

/// A monster's numbers when it makes its Last Stand as the last of its team (SP-X).
pub(super) fn last_standing(mut sum: Stats) -> Stats {
    for value in [
        &mut sum.melee,
        &mut sum.ranged,
        &mut sum.magic,
        &mut sum.armor,
        &mut sum.health,
        &mut sum.speed,
    ] {
        *value = half_again(*value);
    }
    sum
}

impl State {
    /// Computes a monster's numbers anew. A higher maximum raises health and armor by as much; a lower one only cuts off
    /// what is above it (decision 10; SP-74, SP-76, SP-X). The dying gain nothing.
    #[inline(never)]
    pub(super) fn refresh(&mut self, place: Place) {
        let mut sum = self.with_aura(place, self.aura_on(place));
        let monster = &mut self.field[place.index()];
        if monster.is(Status::LastStanding) {
            sum = last_standing(sum);
        }
        if monster.is(Status::Halved) {
            for value in [&mut sum.melee, &mut sum.ranged, &mut sum.magic] {
                *value = halved(*value);
            }
        }
        let is_dying = monster.max_health > 0 && monster.now.health <= 0;
        if !is_dying {
            monster.now.health += (sum.health - monster.max_health).max(0);
            monster.now.armor += (sum.armor - monster.max_armor).max(0);
        }
        monster.max_health = sum.health;
        monster.now.health = monster.now.health.min(sum.health);
        monster.max_armor = sum.armor;
        monster.now.armor = monster.now.armor.min(sum.armor);
        if monster.has(Ability::Enrage) && monster.is_wounded() {
            sum.melee = half_again(sum.melee);
            sum.speed = half_again(sum.speed);
        }
        monster.now.melee = sum.melee;
        monster.now.ranged = sum.ranged;
        monster.now.magic = sum.magic;
        if monster.now.speed != sum.speed {
            monster.now.speed = sum.speed;
            self.urgency[place.index()] = urgency(monster, self.rulesets);
            self.order_is_stale = true;
        }
    }

    /// The living friends whose bonuses a monster has and Dispel can take off it; its summoner's bonuses stay (the
    /// later edition, SP-L).
    pub(super) fn strengtheners(&self, place: Place) -> Places {
        let mut found = Places::default();
        for friend in self.team(place.side()).without(self.at(place).dispelled) {
            if !self.at(friend).abilities.is_disjoint(BUFFS) {
                found.insert(friend);
            }
        }
        found
    }

    /// Computes anew the numbers of every monster of a side that the lost part of an aura has made a difference to, the
    /// dying too: they may still strike back (decision 10).
    pub(super) fn refresh_team(&mut self, side: Side, gone: Aura) {
        let on_all = gone.armor | gone.health | gone.speed != 0;
        for place in self.team(side) {
            let Monster { base, .. } = self.at(place);
            let has_more = |attack: i8, gone: i8| attack > 0 && gone != 0;
            let differs = on_all
                || has_more(base.melee, gone.melee)
                || has_more(base.ranged, gone.ranged)
                || has_more(base.magic, gone.magic);
            if differs {
                self.refresh(place);
            }
        }
    }

    /// The sum of all auras that are on the monster (step 3; decisions 9, 10 and 17; SP-X; Dispel: SP-L).
    #[inline]
    fn aura_on(&self, place: Place) -> Aura {
        let monster = self.at(place);
        let aura = self.auras[place.side().index()];
        if Places(monster.cleansed.0 | monster.dispelled.0).and(self.alive).is_empty() {
            return aura;
        }
        self.aura_left_on(monster, aura)
    }

    /// The auras that are left on a monster from which Cleanse or Dispel has taken some (decision 17, SP-X; SP-L).
    #[inline(never)]
    fn aura_left_on(&self, monster: &Monster, mut aura: Aura) -> Aura {
        for source in monster.cleansed.and(self.alive) {
            aura -= auras_of(self.at(source).abilities)[1];
        }
        for source in monster.dispelled.and(self.alive) {
            aura -= auras_of(self.at(source).abilities)[0];
        }
        aura
    }

    /// Whether this part of the auras on the monster makes a difference to its numbers, or may make one to the health that
    /// it gains (decision 9).
    pub(in crate::games::splinterlands) fn differs_by(&self, place: Place, part: Aura) -> bool {
        let all = self.aura_on(place);
        let mut others = all;
        others -= part;
        let gains = !self.at(place).abilities.is_disjoint(GAINING);
        part.health != 0 && gains || self.with_aura(place, all) != self.with_aura(place, others)
    }

    /// Whether the end of this part of the auras, by the death of its source, has changed the monster's numbers.
    pub(in crate::games::splinterlands) fn differed_by(
        &self,
        place: Place,
        part: Aura,
        dead: Place,
    ) -> bool {
        let monster = self.at(place);
        if monster.cleansed.has(dead) || monster.dispelled.has(dead) {
            return false;
        }
        let left = self.aura_on(place);
        let mut before = left;
        before += part;
        self.with_aura(place, before) != self.with_aura(place, left)
    }

    /// A monster's base numbers with an aura and the health that it has gained, which the aura may take first (decision 9,
    /// SP-X).
    #[inline]
    fn with_aura(&self, place: Place, aura: Aura) -> Stats {
        let Monster { base, gained, .. } = self.at(place);
        let health = (base.health + aura.health).saturating_add(*gained).max(1);
        Stats { health, ..numbers(base, &aura, self.rulesets) }
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::chance::Seeded;
    use crate::game::{Stratum, Watch, play};
    use crate::games::splinterlands::Splinterlands;
    use crate::games::splinterlands::ability::Works;
    use crate::games::splinterlands::event::Event;
    use crate::games::splinterlands::setup::Setup;
    use crate::scenario::{Document, load};

    /// Checks before every turn that computing anybody's numbers anew would change nothing.
    struct UpToDate {
        gained: u32,
        raging: u32,
    }

    impl Watch<Splinterlands> for UpToDate {
        fn see(&mut self, _: &Setup, state: &State, event: Event) {
            if let Event::Turn { .. } = event {
                let mut anew = *state;
                for place in state.alive {
                    anew.refresh(place);
                    let monster = state.at(place);
                    self.gained += u32::from(monster.gained > 0);
                    self.raging += u32::from(monster.has(Ability::Enrage) && monster.is_wounded());
                }
                assert_eq!(anew, *state);
            }
        }
    }

    #[test]
    fn what_makes_no_difference_to_numbers_need_not_be_worked_out() {
        let setup = load::<Splinterlands>(&Document::read("splinterlands/drawn-teams").unwrap());
        let setup = setup.unwrap().setup;
        let mut watch = UpToDate { gained: 0, raging: 0 };
        for condition in 0..setup.conditions().len() as u32 {
            for seed in 0..4 {
                let mut dice = Seeded::from_seed(u64::from(condition) << 8 | seed);
                play(&setup, Stratum { matchup: 0, condition }, &mut dice, &mut watch);
            }
        }
        assert!(watch.gained > 100 && watch.raging > 100, "{} {}", watch.gained, watch.raging);
    }

    #[test]
    fn bonuses_and_penalties_of_teams_are_said_in_the_rows() {
        for ability in Ability::iter() {
            let works = ability.facts().works;
            assert_eq!(BUFFS.contains(ability), works == Works::TeamBonus, "{ability}");
            assert_eq!(DEBUFFS.contains(ability), works == Works::TeamPenalty, "{ability}");
            let adds = auras_of(ability.into()) != [Aura::default(); 2];
            assert_eq!(adds, AURAS.contains(ability), "{ability}");
        }
    }
}
