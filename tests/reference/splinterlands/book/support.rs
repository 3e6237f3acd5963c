//! Support by monsters before they attack, and by summoners before the first turn of a round.

use evens::games::splinterlands::ability::Ability;

use super::Book;

impl Book {
    /// Uses a monster's Cleanse, Tank Heal, Repair, Triage and Heal (README, step 6).
    pub fn support(&mut self, unit: usize) {
        let team = self.units[unit].team;
        for ability in [Ability::Cleanse, Ability::TankHeal, Ability::Repair, Ability::Triage] {
            if self.has(unit, ability) {
                self.help(team, ability);
            }
        }
        if self.has(unit, Ability::Heal) {
            self.heal(unit);
        }
    }

    /// Uses the same abilities of a summoner at the start of a round (README, step 4).
    pub fn summoner_acts(&mut self, team: usize) {
        for ability in [Ability::Cleanse, Ability::TankHeal, Ability::Repair, Ability::Triage] {
            if self.summoners[team].card.abilities.contains(&ability) {
                self.help(team, ability);
            }
        }
    }

    fn help(&mut self, team: usize, ability: Ability) {
        match ability {
            Ability::Cleanse => self.cleanse(self.front(team)),
            Ability::TankHeal => self.heal(self.front(team)),
            Ability::Repair => self.repair(team),
            _ => self.triage(team),
        }
    }

    /// README: removes Poison, Affliction, Stun, Snare, Halving and the auras of enemy monsters.
    fn cleanse(&mut self, unit: usize) {
        let enemies = self.living(self.enemy_team(unit));
        self.change(|book| {
            let one = &mut book.units[unit];
            one.poisoned = false;
            one.afflicted = false;
            one.stunned_by = None;
            one.snared = false;
            one.halved = false;
            one.cleansed_of.extend(enemies);
        });
    }

    /// Heals a third of the maximum health, at least 2, up to the maximum (README, step 6).
    fn heal(&mut self, unit: usize) {
        if self.cannot_heal(unit) {
            return;
        }
        let full = self.max_health(unit);
        let amount = (full / 3).max(2);
        self.units[unit].health = (self.units[unit].health + amount).min(full);
    }

    fn lacks_health(&self, unit: usize) -> i32 {
        self.max_health(unit) - self.units[unit].health
    }

    fn lacks_armor(&self, unit: usize) -> i32 {
        self.max_armor(unit) - self.units[unit].armor
    }

    /// Gives 2 armor to the monster that lacks the most, the foremost of equals (README, step 6).
    fn repair(&mut self, team: usize) {
        let team = self.living(team);
        let most = team.iter().map(|&unit| self.lacks_armor(unit)).max().unwrap();
        let unit = *team.iter().find(|&&unit| self.lacks_armor(unit) == most).unwrap();
        self.units[unit].armor += most.min(2);
    }

    /// Heals the most damaged monster in the back, the foremost of equals, even if it cannot be healed (README, step
    /// 6).
    fn triage(&mut self, team: usize) {
        let mut back = self.living(team);
        back.remove(0);
        let Some(most) = back.iter().map(|&unit| self.lacks_health(unit)).max() else { return };
        let unit = *back.iter().find(|&&unit| self.lacks_health(unit) == most).unwrap();
        self.heal(unit);
    }
}
