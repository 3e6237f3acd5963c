//! Must-attack effects and the Pipeline to Choose Victims Wisely.

use evens::games::sanctum::effect::{Effect, Harm, Trigger, Verb, Weapon};
use evens::games::sanctum::open_rules::KillEstimate;
use evens::games::sanctum::rolls::Roll;

use super::combat::{Phase, Who};

impl Phase {
    /// Compulsion: an idle minion "checks all must attack effects (which could assign its victim)". Its own first,
    /// then those of its enemies, first to last; the first that comes to pass decides (Decisions).
    pub fn must_attack(&mut self, who: Who) {
        let enemies = self.group(1 - who.0);
        for nth in 0..self.at(who).card.effects.len() {
            let effect = self.at(who).card.effects[nth];
            let sought: Vec<Who> =
                enemies.iter().copied().filter(|&enemy| self.is_meant(&effect, enemy)).collect();
            let seeks = (effect.when, effect.does) == (Trigger::MustAttack, Verb::SeekOut);
            if seeks && !sought.is_empty() && self.comes_to_pass(&effect, who, nth) {
                let victim = sought[self.dice.pick(Roll::Compulsion, sought.len())];
                self.at_mut(who).victim = Some(victim.1);
                return;
            }
        }
        for enemy in enemies {
            for nth in 0..self.at(enemy).card.effects.len() {
                let effect = self.at(enemy).card.effects[nth];
                let taunts = (effect.when, effect.does) == (Trigger::MustAttack, Verb::Taunt);
                if taunts && self.is_meant(&effect, who) && self.comes_to_pass(&effect, enemy, nth)
                {
                    self.at_mut(who).victim = Some(enemy.1);
                    return;
                }
            }
        }
    }

    /// Keeps the candidates that are best by one tiebreaker.
    fn best(candidates: Vec<Who>, worth: impl Fn(Who) -> i32) -> Vec<Who> {
        let best = candidates.iter().map(|&who| worth(who)).max();
        candidates.into_iter().filter(|&who| Some(worth(who)) == best).collect()
    }

    /// Chooses a victim by the six Wise Targeting Tiebreakers.
    pub fn choose_wisely(&mut self, who: Who) {
        let mut left = self.group(1 - who.0);
        if left.is_empty() {
            return;
        }
        left = Self::best(left, |enemy| i32::from(!self.is_immune(enemy, who)));
        left = Self::best(left, |enemy| i32::from(self.could_be_killed(enemy, who)));
        left = Self::best(left, |enemy| self.at(enemy).max_armor());
        left = Self::best(left, |enemy| -self.at(enemy).hit_points);
        left = Self::best(left, |enemy| self.at(enemy).now.hand.max(self.at(enemy).now.missile));
        let victim = left[self.dice.pick(Roll::TargetTie, left.len())];
        self.at_mut(who).victim = Some(victim.1);
    }

    /// Tiebreaker 1, "Non-immune": the quasi-immune against non-magical missiles are immune, and so are those that
    /// always take nothing from such attacks, without a die (Decisions). Nothing stops magical damage.
    fn is_immune(&self, enemy: Who, attacker: Who) -> bool {
        if self.is_magical(attacker) {
            return false;
        }
        let weapon = self.weapon(attacker);
        let repels = self.at(enemy).has(Trigger::Always, Verb::Repel);
        let takes_nothing = |effect: &Effect| {
            effect.does == Verb::TakeNothing
                && effect.percent >= 100
                && effect.at_most == 0
                && self.is_in_its_rounds(effect)
                && effect.weapon.is_none_or(|only| only == weapon)
                && self.is_meant(effect, attacker)
        };
        weapon == Weapon::Missile && repels || self.at(enemy).card.effects.iter().any(takes_nothing)
    }

    /// Tiebreaker 2, "Instant kill": "whom you estimate you (and your fellow group members) can kill off in this
    /// round", with the remaining attacks of the chooser and of comrades whose victim it already is (Decisions).
    fn could_be_killed(&self, enemy: Who, attacker: Who) -> bool {
        let mut armor = self.at(enemy).armor;
        let mut hit_points = self.at(enemy).hit_points;
        for comrade in self.group(attacker.0) {
            // Shooters that have yet to choose may count as well (Decisions).
            let yet_to_choose = self.at(comrade).victim.is_none()
                && self.at(comrade).is_shooter()
                && self.open_rules.kill_estimate == KillEstimate::ShootersTogether;
            let counts =
                comrade == attacker || self.at(comrade).victim == Some(enemy.1) || yet_to_choose;
            if !counts {
                continue;
            }
            for _ in 0..self.at(comrade).remaining {
                let mut damage = self.foreseen_damage(comrade, enemy);
                if self.at(comrade).card.harm == Harm::Plain {
                    let soaked = damage.min(armor);
                    armor -= soaked;
                    damage -= soaked;
                }
                hit_points -= damage;
            }
        }
        hit_points <= 0
    }

    /// The damage of one attack against an enemy, as far as neither a die nor a limit decides it.
    fn foreseen_damage(&self, attacker: Who, enemy: Who) -> i32 {
        let minion = self.at(attacker);
        let weapon = self.weapon(attacker);
        let certain = |verb: Verb| {
            minion.card.effects.iter().filter(move |effect| {
                effect.when == Trigger::Attacks
                    && effect.does == verb
                    && effect.percent >= 100
                    && effect.at_most == 0
                    && self.is_in_its_rounds(effect)
                    && effect.weapon.is_none_or(|only| only == weapon)
                    && self.is_meant(effect, enemy)
            })
        };
        if minion.deals_nothing_with(weapon) || certain(Verb::DealNothing).next().is_some() {
            return 0;
        }
        let more: i32 = certain(Verb::DealMore).map(|effect| i32::from(effect.amount)).sum();
        (self.strength_in_this_round(attacker, weapon) + more).max(0)
    }
}
