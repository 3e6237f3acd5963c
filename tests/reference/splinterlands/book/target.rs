//! Which monsters can attack, and which enemy they attack.

use evens::chance::Chance;
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::{Attack, Book};

impl Book {
    /// Whether a unit can attack in this way from where it stands (README, step 7; guide, Close Range, Super Sneak,
    /// Melee Mayhem).
    pub fn can_attack(&self, unit: usize, kind: Attack) -> bool {
        if self.attack(unit, kind) == 0 {
            return false;
        }
        let position = self.position(unit);
        match kind {
            Attack::Magic => true,
            Attack::Ranged => {
                position > 0
                    || self.rules(Ruleset::CloseRange)
                    || self.has(unit, Ability::CloseRange)
            }
            Attack::Melee => {
                position == 0
                    || self.reaches(unit)
                    || self.has(unit, Ability::Sneak)
                    || self.has(unit, Ability::Opportunity)
                    || self.rules(Ruleset::MeleeMayhem)
            }
        }
    }

    /// Reach: whether it can use its melee attack from the second position.
    fn reaches(&self, unit: usize) -> bool {
        self.has(unit, Ability::Reach) && self.position(unit) == 1
    }

    /// The enemy that a monster attacks on its turn: its target, or with Scattershot any living enemy, each equally
    /// likely, unless the monster stands in front; melee is not scattered (README, the later edition).
    pub fn draw_target(&mut self, unit: usize, kind: Attack) -> usize {
        let scatters = self.has(unit, Ability::Scattershot) && self.position(unit) > 0;
        if !scatters || kind == Attack::Melee {
            return self.target(unit, kind);
        }
        let enemies = self.living(self.enemy_team(unit));
        let number = self.number(unit);
        Chance::<Roll>::about(&mut self.dice, number);
        enemies[self.dice.pick(Roll::Scattershot, enemies.len())]
    }

    fn target(&self, unit: usize, kind: Attack) -> usize {
        let mut enemies = self.living(self.enemy_team(unit));
        let front = enemies[0];
        // Camouflage: no attack chooses it unless it is in front (README, the later edition).
        enemies.retain(|&enemy| enemy == front || !self.has(enemy, Ability::Camouflage));
        // From the front everybody attacks the front.
        if self.position(unit) == 0 {
            return front;
        }
        // README, step 7: Reach in position 2 hits the front even with Taunt. Sneak beats Reach (guide, Super Sneak), Snipe
        // only where the melee attack would snipe (guide, Target Practice).
        let chooses = self.has(unit, Ability::Sneak)
            || self.has(unit, Ability::Opportunity)
            || self.has(unit, Ability::Snipe) && self.rules(Ruleset::MeleeMayhem);
        if kind == Attack::Melee && self.reaches(unit) && !chooses {
            return front;
        }
        if let Some(&taunter) = enemies.iter().find(|&&enemy| self.has(enemy, Ability::Taunt)) {
            return taunter;
        }
        // Sneak before Snipe before Opportunity (guide; README).
        if self.has(unit, Ability::Sneak) {
            return *enemies.last().unwrap();
        }
        if self.has(unit, Ability::Snipe) {
            return self.snipers_target(&enemies);
        }
        if self.has(unit, Ability::Opportunity) {
            return self.weakest(&enemies);
        }
        front
    }

    /// The first enemy in the back with a ranged, a magic or no attack; the front where there is none (guide, Target
    /// Practice).
    fn snipers_target(&self, enemies: &[usize]) -> usize {
        let eligible = |enemy: usize| {
            let card = &self.units[enemy].card;
            card.ranged > 0 || card.magic > 0 || card.melee == 0
        };
        let in_the_back = enemies.iter().skip(1).copied().find(|&enemy| eligible(enemy));
        in_the_back.unwrap_or(enemies[0])
    }

    /// The enemy with the lowest health, the front included, the foremost of equals (README, step 7).
    fn weakest(&self, enemies: &[usize]) -> usize {
        let lowest = enemies.iter().map(|&enemy| self.units[enemy].health).min().unwrap();
        *enemies.iter().find(|&&enemy| self.units[enemy].health == lowest).unwrap()
    }
}
