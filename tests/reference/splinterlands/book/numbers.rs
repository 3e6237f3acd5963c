//! A monster's current numbers: from its card, auras, and what has happened to it.

use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::ruleset::Ruleset;

use super::{Attack, Book, Printed};

/// No number grows beyond this (README).
pub const MOST: i32 = 127;

/// One and a half times a number, rounded up.
pub fn half_again(number: i32) -> i32 {
    ((3 * number + 1) / 2).min(MOST)
}

/// Half, rounded up.
pub fn half_up(number: i32) -> i32 {
    (number + 1) / 2
}

impl Book {
    /// Number of living friends, itself included, that have the ability, except those whose effect was dispelled, plus
    /// its summoner. They stack, one per carrier (README, step 3).
    fn friends_with(&self, unit: usize, ability: Ability) -> i32 {
        let team = self.units[unit].team;
        let dispelled_of = &self.units[unit].dispelled_of;
        let counts = |friend: &usize| self.has(*friend, ability) && !dispelled_of.contains(friend);
        let friends = self.living(team).into_iter().filter(counts);
        friends.count() as i32 + self.summoner_with(team, ability)
    }

    /// Number of living enemies that have the ability, except those from whose effect this unit was cleansed, plus
    /// their summoner, whose effect stays (README: Cleanse).
    fn enemies_with(&self, unit: usize, ability: Ability) -> i32 {
        let team = self.enemy_team(unit);
        let cleansed_of = &self.units[unit].cleansed_of;
        let counts = |enemy: &usize| self.has(*enemy, ability) && !cleansed_of.contains(enemy);
        let enemies = self.living(team).into_iter().filter(counts);
        enemies.count() as i32 + self.summoner_with(team, ability)
    }

    fn summoner_with(&self, team: usize, ability: Ability) -> i32 {
        i32::from(self.summoners[team].card.abilities.contains(&ability))
    }

    /// The sum of what both summoners give a unit: positive numbers go to the summoner's own team, negative ones to the
    /// enemies (README, step 3). Under Silenced Summoners they do nothing (guide).
    fn summoners_give(&self, unit: usize, number: fn(&Printed) -> i32) -> i32 {
        if self.rules(Ruleset::SilencedSummoners) {
            return 0;
        }
        let own = number(&self.summoners[self.units[unit].team].card);
        let enemy = number(&self.summoners[self.enemy_team(unit)].card);
        own.max(0) + enemy.min(0)
    }

    /// The power of its attack of this kind, 0 without one. Auras are added up before the result is raised to at least
    /// 1 (README).
    pub fn attack(&self, unit: usize, kind: Attack) -> i32 {
        let one = &self.units[unit];
        let (printed, aura) = match kind {
            Attack::Melee => (
                one.card.melee,
                self.summoners_give(unit, |card| card.melee)
                    + self.friends_with(unit, Ability::Inspire)
                    - self.enemies_with(unit, Ability::Demoralize),
            ),
            Attack::Ranged => (
                one.card.ranged,
                self.summoners_give(unit, |card| card.ranged)
                    - self.enemies_with(unit, Ability::Headwinds),
            ),
            Attack::Magic => (
                one.card.magic,
                self.summoners_give(unit, |card| card.magic)
                    - self.enemies_with(unit, Ability::Silence),
            ),
        };
        if printed == 0 {
            return 0;
        }
        let mut attack = (printed + aura).max(1);
        if one.stands_last {
            attack = half_again(attack);
        }
        // Halving: rounded down, at least 1 (README, step 3), after Last Stand (README, decision 11).
        if one.halved {
            attack = (attack / 2).max(1);
        }
        // Enrage after all buffs and debuffs (README, decision 11).
        if kind == Attack::Melee && self.is_enraged(unit) {
            attack = half_again(attack);
        }
        attack
    }

    pub fn is_enraged(&self, unit: usize) -> bool {
        self.has(unit, Ability::Enrage) && self.units[unit].health < self.max_health(unit)
    }

    pub fn speed(&self, unit: usize) -> i32 {
        let aura = self.summoners_give(unit, |card| card.speed)
            + self.friends_with(unit, Ability::Swiftness)
            - self.enemies_with(unit, Ability::Slow);
        let mut speed = (self.units[unit].card.speed + aura).max(1);
        if self.units[unit].stands_last {
            speed = half_again(speed);
        }
        if self.is_enraged(unit) {
            speed = half_again(speed);
        }
        speed
    }

    pub fn max_health(&self, unit: usize) -> i32 {
        let one = &self.units[unit];
        let aura = self.summoners_give(unit, |card| card.health)
            + self.friends_with(unit, Ability::Strengthen)
            - self.enemies_with(unit, Ability::Weaken);
        // Weaken takes from what is gained as well (README, decision 9).
        let mut health = (one.card.health + aura + one.gained).clamp(1, MOST);
        if one.stands_last {
            health = half_again(health);
        }
        health
    }

    /// Its maximum armor. Protect and Rust are worth 2 (README, step 3); under Unprotected nobody has any (guide).
    pub fn max_armor(&self, unit: usize) -> i32 {
        if self.rules(Ruleset::Unprotected) {
            return 0;
        }
        let aura = self.summoners_give(unit, |card| card.armor)
            + 2 * self.friends_with(unit, Ability::Protect)
            - 2 * self.enemies_with(unit, Ability::Rust);
        let mut armor = (self.units[unit].card.armor + aura).max(0);
        if self.units[unit].stands_last {
            armor = half_again(armor);
        }
        armor
    }

    /// Whether an enemy has Blind: 15 points, which do not stack (guide, Aim True).
    pub fn is_blinded(&self, unit: usize) -> bool {
        self.enemies_with(unit, Ability::Blind) > 0
    }

    /// Whether it flies: Snare takes Flying away (guide, Earthquake).
    pub fn flies(&self, unit: usize) -> bool {
        self.has(unit, Ability::Flying) && !self.units[unit].snared
    }

    /// Whether it has any attack.
    pub fn is_armed(&self, unit: usize) -> bool {
        let card = &self.units[unit].card;
        card.melee > 0 || card.ranged > 0 || card.magic > 0
    }

    /// Whether it has lost all health but its death has not been handled yet.
    pub fn is_dying(&self, unit: usize) -> bool {
        self.units[unit].alive && self.units[unit].health <= 0
    }

    /// Whether Affliction blocks Heal, Tank Heal and Triage on it (README, step 10); the enemy's summoner may have it
    /// too (guide, Back to Basics).
    pub fn cannot_heal(&self, unit: usize) -> bool {
        let cursed = self.summoner_with(self.enemy_team(unit), Ability::Affliction) > 0;
        cursed || self.units[unit].afflicted
    }

    /// Carries out a change that may affect auras, and adjusts health and armor to the new maxima: a higher maximum
    /// gives the health back, a lower one cuts off only what is above it (README: "An aura ends with its bearer").
    /// Nothing saves a monster that is already dying.
    pub fn change(&mut self, act: impl FnOnce(&mut Self)) {
        let before: Vec<(i32, i32)> = (0..self.units.len())
            .map(|unit| (self.max_health(unit), self.max_armor(unit)))
            .collect();
        act(self);
        for unit in self.all_living() {
            if self.is_dying(unit) {
                continue;
            }
            let (health, armor) = (self.max_health(unit), self.max_armor(unit));
            let one = &mut self.units[unit];
            one.health = (one.health + (health - before[unit].0).max(0)).min(health);
            one.armor = (one.armor + (armor - before[unit].1).max(0)).min(armor);
        }
    }
}
