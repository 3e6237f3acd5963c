//! A round: damage between rounds, what summoners do, and the turns in their order.

use evens::chance::Chance;
use evens::games::splinterlands::ability::Ability;
use evens::games::splinterlands::rolls::Roll;
use evens::games::splinterlands::ruleset::Ruleset;

use super::{Attack, Book, End};

/// A battle that is still open after this round is a draw (README, decision 5).
const LAST_ROUND: u32 = 50;
const FIRST_FATIGUE: u32 = 21;

impl Book {
    pub fn play_round(&mut self) -> Option<End> {
        if self.verdict.is_some() {
            return self.verdict;
        }
        self.round += 1;
        Chance::<Roll>::round(&mut self.dice, self.round);
        for strike in [Self::earthquake, Self::poison, Self::fatigue] {
            strike(self);
            if let Some(end) = self.end() {
                return Some(end);
            }
        }
        for team in [0, 1] {
            self.summoner_acts(team);
        }
        for unit in &mut self.units {
            unit.acted = false;
        }
        while let Some(next) = self.who_acts_next() {
            let was_over = self.end().is_some();
            self.units[next].acted = true;
            let could_attack = self.turn(next);
            if self.end().is_some() && (!self.plays_rounds_out || was_over && could_attack) {
                break;
            }
        }
        self.end().or((self.round == LAST_ROUND).then_some(End::Drawn))
    }

    /// Guide, Earthquake: 2 melee damage to everybody who does not fly, front to back, one team after the other.
    fn earthquake(&mut self) {
        if self.round < 2 || !self.rules(Ruleset::Earthquake) {
            return;
        }
        for team in [self.shaken_first, 1 - self.shaken_first] {
            for unit in self.living(team) {
                if self.units[unit].alive && !self.flies(unit) {
                    self.hurt_physically(unit, 2, false);
                    self.bury(&[unit]);
                }
            }
        }
    }

    /// Poison: takes 2 health from the poisoned between rounds, the first team first, past Divine Shield (README, step
    /// 4).
    fn poison(&mut self) {
        if self.round < 2 {
            return;
        }
        for unit in self.all_living() {
            if self.units[unit].alive && self.units[unit].poisoned {
                self.units[unit].health -= 2;
                self.bury(&[unit]);
            }
        }
    }

    /// Fatigue: takes 1, 2, 3, ... health from everybody, past armor, from round 21 on (README).
    fn fatigue(&mut self) {
        if self.round < FIRST_FATIGUE {
            return;
        }
        let damage = (self.round - FIRST_FATIGUE + 1) as i32;
        for unit in self.all_living() {
            if self.units[unit].alive {
                self.units[unit].health -= damage;
                self.bury(&[unit]);
            }
        }
    }

    /// The unit with the highest urgency among those that have yet to act; ties are drawn (guide, Reverse Speed;
    /// README).
    fn who_acts_next(&mut self) -> Option<usize> {
        let waiting: Vec<usize> =
            self.all_living().into_iter().filter(|&unit| !self.units[unit].acted).collect();
        let highest = waiting.iter().map(|&unit| self.urgency(unit)).max()?;
        let tied: Vec<usize> =
            waiting.into_iter().filter(|&unit| self.urgency(unit) == highest).collect();
        Chance::<Roll>::about(&mut self.dice, 0);
        Some(tied[self.dice.pick(Roll::TurnTie, tied.len())])
    }

    /// What decides who acts first: speed, attack type, rarity, level; Reverse Speed turns all four around (guide,
    /// Reverse Speed).
    fn urgency(&self, unit: usize) -> Vec<i32> {
        let card = &self.units[unit].card;
        let class = if card.magic > 0 {
            2
        } else if card.ranged > 0 {
            1
        } else {
            0
        };
        let urgency = vec![self.speed(unit), class, card.rarity, card.level];
        if self.rules(Ruleset::ReverseSpeed) {
            urgency.into_iter().map(|number| -number).collect()
        } else {
            urgency
        }
    }

    /// Takes a unit's turn. Returns whether it came to its attacks and can attack from where it stands; if so, a round
    /// that is played on after the last enemy's death stops there (README, decision 18).
    fn turn(&mut self, unit: usize) -> bool {
        self.release_whom_it_stunned(unit);
        if self.skips_its_turn(unit) {
            return false;
        }
        self.support(unit);
        let kinds = [Attack::Magic, Attack::Ranged, Attack::Melee];
        let can_attack = kinds.into_iter().any(|kind| self.can_attack(unit, kind));
        let mut tramples = 0;
        self.attacks(unit, &mut tramples);
        // README, step 10: a second full attack.
        if self.has(unit, Ability::DoubleStrike) && self.units[unit].alive {
            self.attacks(unit, &mut tramples);
        }
        can_attack
    }

    /// README: a stun lasts until just before the stunner's next turn.
    fn release_whom_it_stunned(&mut self, stunner: usize) {
        for unit in &mut self.units {
            if unit.stunned_by == Some(stunner) {
                unit.stunned_by = None;
            }
        }
    }

    /// Returns whether a stunned unit skips this turn. When the stunner is dead, the stun costs one turn (README).
    fn skips_its_turn(&mut self, unit: usize) -> bool {
        let Some(stunner) = self.units[unit].stunned_by else { return false };
        if !self.units[stunner].alive {
            self.units[unit].stunned_by = None;
        }
        true
    }

    /// Carries out its attacks: magic, ranged, melee (README, step 10).
    fn attacks(&mut self, unit: usize, tramples: &mut u32) {
        for kind in [Attack::Magic, Attack::Ranged, Attack::Melee] {
            let over = self.end().is_some();
            if !over && self.units[unit].alive && self.can_attack(unit, kind) {
                let target = self.draw_target(unit, kind);
                self.strike(unit, kind, target, tramples);
            }
        }
    }
}
