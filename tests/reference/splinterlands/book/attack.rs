//! One attack and everything that follows from it, in the order of the README, step 10.

use evens::chance::Chance;
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::numbers::{MOST, half_up};
use super::{Attack, Book};

impl Book {
    /// Carries out an attack on its target and, with Trample, one on the monster behind it, with a roll of its own,
    /// once a turn (README, step 10); under Stampede as long as it kills (README, the later edition).
    pub fn strike(&mut self, unit: usize, kind: Attack, target: usize, tramples: &mut u32) {
        let mut target = target;
        loop {
            let killed = self.blow(unit, kind, target, 0);
            let may = kind == Attack::Melee && self.has(unit, Ability::Trample);
            let again = *tramples == 0 || self.rules(Ruleset::Stampede);
            if !killed || !may || !again || !self.units[unit].alive {
                return;
            }
            let team = self.units[target].team;
            let Some(&behind) = self.living(team).iter().find(|&&enemy| enemy > target) else {
                return;
            };
            target = behind;
            *tramples += 1;
        }
    }

    /// Carries out one blow, the last of so many Retaliates in a row. Returns whether it killed the target.
    fn blow(&mut self, unit: usize, kind: Attack, target: usize, retaliates: u32) -> bool {
        let power = self.attack(unit, kind);
        if !self.hits(unit, kind, target) {
            return false;
        }
        let neighbours = self.neighbours(target);
        let lost = self.hit(unit, kind, target, power);
        let killed = self.is_dying(target);
        self.inflict(unit, target);
        if self.has(unit, Ability::Blast) {
            for neighbour in neighbours {
                self.blast(unit, kind, neighbour, half_up(power));
            }
        }
        self.leech(unit, lost);
        self.answer(unit, kind, target, power);
        if kind == Attack::Melee && retaliates < 16 {
            self.retaliate(unit, target, retaliates);
        }
        self.bury(&[target]);
        killed
    }

    /// Rolls whether an attack hits (guide, Aim True and Reverse Speed; README, step 8).
    fn hits(&mut self, unit: usize, kind: Attack, target: usize) -> bool {
        let percent = self.chance_to_hit(unit, kind, target);
        let number = self.number(unit);
        Chance::<Roll>::about(&mut self.dice, number);
        self.dice.percent(Roll::Hit, percent.max(0) as u32)
    }

    fn chance_to_hit(&self, unit: usize, kind: Attack, target: usize) -> i32 {
        if kind == Attack::Magic || self.rules(Ruleset::AimTrue) {
            return 100;
        }
        // README, the later edition: attacks with True Strike cannot miss.
        if self.has(unit, Ability::TrueStrike) {
            return 100;
        }
        if self.has(unit, Ability::Snare) && self.flies(target) {
            return 100;
        }
        let mut slower_by = self.speed(target) - self.speed(unit);
        if self.rules(Ruleset::ReverseSpeed) {
            slower_by = -slower_by;
        }
        let mut percent = 100 - 10 * slower_by.max(0);
        if self.has(target, Ability::Dodge) {
            percent -= 25;
        }
        if self.flies(target) && !self.flies(unit) {
            percent -= 25;
        }
        if self.is_blinded(unit) {
            percent -= 15;
        }
        percent
    }

    /// The power of an attack: doubled by Knock Out against a stunned target and by Oppress against one without an
    /// attack; both together make four times (guide, Heavy Hitters). Forcefield: an attack of 5 or more, before it is
    /// doubled, does 1 (README, the later edition).
    fn multiplied(&self, unit: usize, target: usize, power: i32) -> i32 {
        if self.has(target, Ability::Forcefield) && power >= 5 {
            return 1;
        }
        let mut power = power;
        if self.has(unit, Ability::KnockOut) && self.units[target].stunned_by.is_some() {
            power *= 2;
        }
        if self.has(unit, Ability::Oppress) && !self.is_armed(target) {
            power *= 2;
        }
        power.min(MOST)
    }

    /// Deals an attack's damage. Returns the health that was lost.
    fn hit(&mut self, unit: usize, kind: Attack, target: usize, power: i32) -> i32 {
        let power = self.multiplied(unit, target, power);
        match kind {
            Attack::Magic => self.hurt_magically(target, power),
            _ => self.hurt_physically(target, power, self.has(unit, Ability::Piercing)),
        }
    }

    /// Uses up the Divine Shield, which takes any blow (README). Returns whether there was one.
    fn divine_shield(&mut self, target: usize) -> bool {
        let takes = self.has(target, Ability::DivineShield) && !self.units[target].shield_used;
        if takes {
            self.units[target].shield_used = true;
        }
        takes
    }

    /// Half of the power, rounded up, but nothing of 1 (README, step 9).
    fn reduced(power: i32) -> i32 {
        if power == 1 { 0 } else { half_up(power) }
    }

    /// Deals physical damage: to armor first; what exceeds it is lost, except with Piercing (guide, Weak Magic).
    /// Returns the health that was lost.
    pub fn hurt_physically(&mut self, target: usize, power: i32, pierces: bool) -> i32 {
        if self.divine_shield(target) {
            return 0;
        }
        let power = if self.has(target, Ability::Shield) { Self::reduced(power) } else { power };
        self.wear_down(target, power, pierces)
    }

    /// Deals magic damage, which goes past armor, except under Weak Magic (guide). Returns the health that was lost.
    pub fn hurt_magically(&mut self, target: usize, power: i32) -> i32 {
        if self.divine_shield(target) {
            return 0;
        }
        let power = if self.has(target, Ability::Void) { Self::reduced(power) } else { power };
        if self.rules(Ruleset::WeakMagic) {
            self.wear_down(target, power, false)
        } else {
            self.wound(target, power)
        }
    }

    fn wear_down(&mut self, target: usize, power: i32, pierces: bool) -> i32 {
        let armor = self.units[target].armor;
        if armor == 0 {
            return self.wound(target, power);
        }
        let worn = power.min(armor);
        self.units[target].armor -= worn;
        if pierces { self.wound(target, power - worn) } else { 0 }
    }

    /// Takes health, at most what is there. Returns how much was lost.
    fn wound(&mut self, target: usize, power: i32) -> i32 {
        let lost = power.min(self.units[target].health);
        self.units[target].health -= lost;
        lost
    }

    /// Applies the statuses that a hit causes. Those that depend on chance work half the time, and no die is thrown for
    /// a target that has the status already, nor for a dying one (README, step 10 and Known differences).
    fn inflict(&mut self, unit: usize, target: usize) {
        if self.is_dying(target) {
            return;
        }
        let number = self.number(unit);
        Chance::<Roll>::about(&mut self.dice, number);
        if self.has(unit, Ability::Stun)
            && self.units[target].stunned_by.is_none()
            && self.dice.percent(Roll::Stun, 50)
        {
            self.units[target].stunned_by = Some(unit);
        }
        if self.has(unit, Ability::Poison)
            && !self.units[target].poisoned
            && self.dice.percent(Roll::Poison, 50)
        {
            self.units[target].poisoned = true;
        }
        if self.has(unit, Ability::Affliction)
            && !self.units[target].afflicted
            && self.dice.percent(Roll::Affliction, 50)
        {
            self.units[target].afflicted = true;
        }
        self.snare(unit, target);
        let has_attack = |kind| self.attack(target, kind) > 0;
        if self.has(unit, Ability::Halving)
            && [Attack::Magic, Attack::Ranged, Attack::Melee].into_iter().any(has_attack)
        {
            self.units[target].halved = true;
        }
        if self.has(unit, Ability::Shatter) {
            self.units[target].armor = 0;
        }
        if self.has(unit, Ability::Dispel) {
            self.dispel(target);
        }
    }

    /// Takes off the team-wide abilities of the living of its team, itself included, but not what its summoner gives
    /// (README, the later edition).
    fn dispel(&mut self, target: usize) {
        let friends = self.living(self.units[target].team);
        self.change(|book| book.units[target].dispelled_of.extend(friends));
    }

    fn snare(&mut self, unit: usize, target: usize) {
        if self.has(unit, Ability::Snare) && self.has(target, Ability::Flying) {
            self.units[target].snared = true;
        }
    }

    /// The living monsters before and behind the target.
    fn neighbours(&self, target: usize) -> Vec<usize> {
        let team = self.living(self.units[target].team);
        let at = self.position(target);
        let before = at.checked_sub(1).map(|at| team[at]);
        let behind = team.get(at + 1).copied();
        [before, behind].into_iter().flatten().collect()
    }

    /// Blasts a neighbour, which takes half, modified by its own state. A blast never misses, the neighbour reacts like
    /// a target, and it dies at once (rules text, 4 and 7).
    fn blast(&mut self, unit: usize, kind: Attack, neighbour: usize, power: i32) {
        if !self.units[neighbour].alive {
            return;
        }
        let lost = self.hit(unit, kind, neighbour, power);
        if !self.is_dying(neighbour) {
            self.snare(unit, neighbour);
        }
        self.leech(unit, lost);
        // Magic Reflect and Return Fire answer a blast; Thorns do not (README, step 10).
        if kind != Attack::Melee {
            self.answer(unit, kind, neighbour, power);
        }
        self.bury(&[neighbour]);
    }

    /// Life Leech: gains half of the health that was lost, for the rest of the battle (README, step 10). Not for the
    /// dying.
    fn leech(&mut self, unit: usize, lost: i32) {
        if self.has(unit, Ability::LifeLeech) && lost > 0 && !self.is_dying(unit) {
            self.gain(unit, half_up(lost));
        }
    }

    /// Thorns, Magic Reflect and Return Fire, also of the dying, also to a blast (README, step 10). By Thorns the
    /// attacker's death comes before the target's, by the other two after it (README, decision 19).
    fn answer(&mut self, unit: usize, kind: Attack, target: usize, power: i32) {
        if !self.units[unit].alive {
            return;
        }
        match kind {
            Attack::Melee if self.has(target, Ability::Thorns) => {
                self.hurt_physically(unit, 2, false);
            }
            Attack::Magic if self.has(target, Ability::MagicReflect) => {
                self.hurt_magically(unit, half_up(power));
            }
            Attack::Ranged if self.has(target, Ability::ReturnFire) => {
                self.hurt_physically(unit, half_up(power), false);
            }
            _ => return,
        }
        match kind {
            Attack::Melee => self.bury(&[unit]),
            Attack::Magic | Attack::Ranged if self.is_dying(unit) => self.bury(&[target, unit]),
            Attack::Magic | Attack::Ranged => {}
        }
    }

    /// Retaliate: half the time a melee attack back, which can miss (README, step 10), has all the effects of an
    /// attack, and may be retaliated itself; the stunned do not retaliate, and nobody retaliates against the dying (README,
    /// decision 20).
    fn retaliate(&mut self, unit: usize, target: usize, before: u32) {
        let able = self.has(target, Ability::Retaliate)
            && self.attack(target, Attack::Melee) > 0
            && self.units[target].stunned_by.is_none();
        if !able || !self.units[unit].alive || self.is_dying(unit) || !self.units[target].alive {
            return;
        }
        let number = self.number(target);
        Chance::<Roll>::about(&mut self.dice, number);
        if self.dice.percent(Roll::Retaliate, 50) {
            self.blow(target, Attack::Melee, unit, before + 1);
        }
    }
}
