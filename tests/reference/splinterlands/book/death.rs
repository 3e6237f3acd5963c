//! Death and its consequences.

use evens::games::splinterlands::ability::Ability;

use super::Book;
use super::numbers::{MOST, half_again};

impl Book {
    /// Handles the deaths of those units that are dying, in this order.
    pub fn bury(&mut self, units: &[usize]) {
        for &unit in units {
            if self.is_dying(unit) {
                self.die(unit);
            }
        }
    }

    /// Handles a death: Resurrect, the end of auras, Scavenger, Redemption, Last Stand (README, step 11).
    fn die(&mut self, unit: usize) {
        if self.resurrected(unit) {
            self.come_back(unit);
        } else {
            // An aura ends with its bearer (README).
            self.change(|book| book.units[unit].alive = false);
        }
        self.scavenge(unit);
        if self.has(unit, Ability::Redemption) {
            self.redeem(unit);
        }
        self.let_the_lonely_stand();
    }

    /// Returns whether a Resurrect is used: the summoner's before a monster's, and the foremost carrier's before
    /// another's; each works once (README).
    fn resurrected(&mut self, unit: usize) -> bool {
        let team = self.units[unit].team;
        let summoner = &mut self.summoners[team];
        if summoner.card.abilities.contains(&Ability::Resurrect) && !summoner.resurrect_used {
            summoner.resurrect_used = true;
            return true;
        }
        let carrier = self.living(team).into_iter().find(|&carrier| {
            carrier != unit
                && self.has(carrier, Ability::Resurrect)
                && !self.units[carrier].resurrect_used
                && !self.is_dying(carrier)
        });
        if let Some(carrier) = carrier {
            self.units[carrier].resurrect_used = true;
        }
        carrier.is_some()
    }

    /// Brings a monster back with 1 health, all armor and its Divine Shield, free of Poison and Stun but of no other
    /// status (README, decisions 15 and 21); it does not act again in this round.
    fn come_back(&mut self, unit: usize) {
        let one = &mut self.units[unit];
        one.health = 1;
        one.poisoned = false;
        one.stunned_by = None;
        one.shield_used = false;
        one.acted = true;
        self.units[unit].armor = self.max_armor(unit);
    }

    /// Gives every Scavenger 1 maximum health for the rest of the battle, whichever side the dead was on (README, step
    /// 11).
    fn scavenge(&mut self, dead: usize) {
        for unit in self.all_living() {
            if unit != dead && self.has(unit, Ability::Scavenger) && !self.is_dying(unit) {
                self.gain(unit, 1);
            }
        }
    }

    pub fn gain(&mut self, unit: usize, amount: i32) {
        self.change(|book| {
            let gained = &mut book.units[unit].gained;
            *gained = (*gained + amount).min(MOST);
        });
    }

    /// Redemption: 1 physical damage to every enemy (README, step 11), one after the other, since effects happen in
    /// sequence (guide, Earthquake).
    fn redeem(&mut self, dead: usize) {
        for enemy in self.living(self.enemy_team(dead)) {
            if self.units[enemy].alive {
                self.hurt_physically(enemy, 1, false);
                self.bury(&[enemy]);
            }
        }
    }

    /// Last Stand: a monster that is alone on its team has its numbers raised by half. Damage to health is kept, and
    /// the armor that is left grows (README, decision 22).
    pub fn let_the_lonely_stand(&mut self) {
        for team in [0, 1] {
            if let [alone] = self.living(team)[..]
                && self.has(alone, Ability::LastStand)
                && !self.units[alone].stands_last
                && !self.is_dying(alone)
            {
                let armor = half_again(self.units[alone].armor);
                self.change(|book| book.units[alone].stands_last = true);
                self.units[alone].armor = armor.min(self.max_armor(alone));
            }
        }
    }
}
