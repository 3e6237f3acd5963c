//! The Pipelines for One Attack, Takes Damage and Minion Death.

use evens::games::sanctum::effect::{Effect, Harm, Trigger, Verb, Weapon};
use evens::games::sanctum::rolls::Roll;

use super::combat::{Phase, Who};
use super::minion::Standing;

/// The result of damage (A3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Result {
    Bounced,
    Damaged,
    Killed,
}

impl Phase {
    fn is_buried(&self, who: Who) -> bool {
        self.at(who).standing == Standing::Buried
    }

    pub fn one_attack(&mut self, attacker: Who, victim: Who) {
        // A1 Check for Hit.
        self.at_mut(attacker).remaining -= 1;
        let (level, misses) = (self.at(attacker).now.level, self.at(attacker).misses);
        if let Some(misses) = misses
            && self.at(victim).now.level > level + misses
        {
            self.at_mut(attacker).misses = Some(misses + 1);
            return;
        }
        self.at_mut(attacker).misses = Some(0);
        // A2 Calculate Damage.
        let weapon = self.weapon(attacker);
        let damage = self.calculate_damage(attacker, victim, weapon);
        // A3 Victim Takes Damage.
        let result = self.takes_hit(attacker, victim, weapon, damage);
        // A4 Attacker "hits", A5 Attacker "damages".
        self.own_effects(attacker, victim, weapon, Trigger::Hits);
        if result != Result::Bounced {
            self.own_effects(attacker, victim, weapon, Trigger::Damages);
        }
        // A6 Victim "died" early.
        if self.is_buried(victim) {
            return;
        }
        // A7 Apply damage result.
        let dying = self.at(victim).is_there() && self.at(victim).hit_points <= 0;
        if result != Result::Killed || !dying {
            return;
        }
        self.minion_death(victim, Some(attacker));
        // A8 Attacker "kills": a victim that is buried, or (an open rule) also one that has cancelled its dying by now
        // (Decisions).
        let killed = self.is_buried(victim) || self.open_rules.cancelled_kills;
        if !killed || !self.at(attacker).is_there() {
            return;
        }
        self.effects_of(attacker, Trigger::Kills, Some(victim), Some(weapon));
        if self.at(attacker).card.recruit && !self.at(attacker).card.experienced {
            self.at_mut(attacker).qualified = true;
        }
    }

    /// A4 and A5: all effects of the attacker at this point; none if one of the two is buried or gone by now.
    fn own_effects(&mut self, attacker: Who, victim: Who, weapon: Weapon, when: Trigger) {
        if self.at(attacker).is_there() && self.at(victim).is_there() {
            self.effects_of(attacker, when, Some(victim), Some(weapon));
        }
    }

    /// The damage of an attack in this round, as far as it depends on the attacker only.
    pub fn strength_in_this_round(&self, who: Who, weapon: Weapon) -> i32 {
        let numbers = &self.at(who).now;
        match weapon {
            Weapon::Hand => numbers.hand,
            // "All missile attacks are at -1 damage in this round" (C2).
            Weapon::Missile => numbers.missile - i32::from(self.combat().round == 1),
        }
    }

    /// The same damage, with what the attacker's nation and spells add against every victim.
    pub fn plain_strength(&self, who: Who, weapon: Weapon) -> i32 {
        let effects = self.at(who).card.effects.iter().filter(|effect| {
            effect.does == Verb::DealMore
                && effect.percent >= 100
                && effect.only.is_empty()
                && effect.if_marks == 0
                && effect.at_most == 0
                && self.is_in_its_rounds(effect)
                && effect.weapon.is_none_or(|only| only == weapon)
        });
        let more: i32 = effects.map(|effect| i32::from(effect.amount)).sum();
        self.strength_in_this_round(who, weapon) + more
    }

    /// A2: "including all nation abilities, combat round modifiers, and active spell effects".
    fn calculate_damage(&mut self, attacker: Who, victim: Who, weapon: Weapon) -> i32 {
        // A minion that deals nothing deals nothing whatever is added, and no die is thrown then (Decisions).
        if self.at(attacker).deals_nothing_with(weapon) {
            return 0;
        }
        let mut damage = self.strength_in_this_round(attacker, weapon);
        // What is certain comes first, then what a die or a limit decides, in the order in which effects are written.
        for certain in [true, false] {
            for nth in 0..self.at(attacker).card.effects.len() {
                let effect = self.at(attacker).card.effects[nth];
                let fits = effect.when == Trigger::Attacks
                    && certain == (effect.percent >= 100 && effect.at_most == 0)
                    && effect.weapon.is_none_or(|only| only == weapon)
                    && self.is_meant(&effect, victim);
                let more = |of: &Effect| {
                    of.when == Trigger::Attacks
                        && of.does == Verb::DealMore
                        && of.amount > 0
                        && (of.percent < 100 || of.at_most > 0)
                        && of.weapon.is_none_or(|only| only == weapon)
                };
                // Damage of 0 or less needs no die, unless a later effect may add to it.
                let silences = effect.does == Verb::DealNothing;
                let then = if silences { 0 } else { damage + i32::from(effect.amount) };
                let later = &self.at(attacker).card.effects[nth + 1..];
                if !certain && damage.max(then) <= 0 && !later.iter().any(more) {
                    continue;
                }
                if fits && self.comes_to_pass(&effect, attacker, nth) {
                    if effect.does == Verb::DealNothing {
                        return 0;
                    }
                    damage += i32::from(effect.amount);
                }
            }
        }
        damage.max(0)
    }

    /// A3: the Takes Damage Pipeline for the damage of an attack. Returns the result.
    fn takes_hit(&mut self, attacker: Who, victim: Who, weapon: Weapon, mut damage: i32) -> Result {
        let harm = self.at(attacker).card.harm;
        // A hit of 0 to which nothing reacts need not be guarded against.
        let answered = self.at(victim).card.effects.iter().any(|of| of.when == Trigger::IsHit);
        let may_guard = damage > 0 || answered;
        // D1: a comrade takes the hit, ignoring armor. It is not the victim of the attack: no "is hit" effects, and
        // it is buried at once (Decisions).
        if may_guard && let Some(guard) = self.guard(victim) {
            let harm = if harm == Harm::Plain { Harm::IgnoresArmor } else { harm };
            self.takes_damage(guard, damage, harm, Some(attacker));
            return Result::Bounced;
        }
        // D1: "is hit" effects.
        for nth in 0..self.at(victim).card.effects.len() {
            let effect = self.at(victim).card.effects[nth];
            if effect.when != Trigger::IsHit {
                continue;
            }
            let fits =
                effect.weapon.is_none_or(|only| only == weapon) && self.is_meant(&effect, attacker);
            match effect.does {
                Verb::TakeMore => {
                    let each = if effect.per_armor { self.at(victim).max_armor() } else { 1 };
                    let then = (damage + i32::from(effect.amount) * each).max(0);
                    // An effect that changes nothing is not used up (README).
                    if then != damage && fits && self.comes_to_pass(&effect, victim, nth) {
                        damage = then;
                    }
                }
                Verb::TakeNothing => {
                    let stops = harm != Harm::Magical && damage > 0;
                    if stops && fits && self.comes_to_pass(&effect, victim, nth) {
                        damage = 0;
                    }
                }
                _ => self.effect_of(victim, nth, Trigger::IsHit, Some(attacker), Some(weapon)),
            }
        }
        if !self.at(victim).is_there() {
            return Result::Bounced;
        }
        // D2: armor soak.
        damage = self.soak(victim, damage, harm);
        if damage == 0 {
            return Result::Bounced;
        }
        // D3: effects on the damage that is left.
        for nth in 0..self.at(victim).card.effects.len() {
            let effect = self.at(victim).card.effects[nth];
            if effect.when != Trigger::AfterArmor {
                continue;
            }
            let fits =
                effect.weapon.is_none_or(|only| only == weapon) && self.is_meant(&effect, attacker);
            match effect.does {
                Verb::TakeNothing => {
                    let stops = harm != Harm::Magical && damage > 0;
                    if stops && fits && self.comes_to_pass(&effect, victim, nth) {
                        damage = 0;
                    }
                }
                Verb::DealBack => {
                    // "Remaining damage is capped to the minion's current HP" (D3).
                    let damage = damage.min(self.at(victim).hit_points);
                    let back = self.at(attacker).is_there() && damage > 0 && fits;
                    if back && self.comes_to_pass(&effect, victim, nth) {
                        self.takes_damage(attacker, damage, Harm::IgnoresArmor, Some(victim));
                    }
                }
                _ => self.effect_of(victim, nth, Trigger::AfterArmor, Some(attacker), Some(weapon)),
            }
        }
        if !self.at(victim).is_there() {
            return Result::Bounced;
        }
        self.lose_hit_points(victim, damage)
    }

    /// The first comrade that takes the hit in the victim's place.
    fn guard(&mut self, victim: Who) -> Option<Who> {
        for comrade in self.group(victim.0) {
            for nth in 0..self.at(comrade).card.effects.len() {
                let effect = self.at(comrade).card.effects[nth];
                let fits = comrade != victim
                    && effect.does == Verb::Guard
                    && self.is_meant(&effect, victim);
                if fits && self.comes_to_pass(&effect, comrade, nth) {
                    return Some(comrade);
                }
            }
        }
        None
    }

    /// D2: "Damage and remaining current armor cancel 1 for 1", unless armor is ignored.
    fn soak(&mut self, victim: Who, damage: i32, harm: Harm) -> i32 {
        if harm != Harm::Plain {
            return damage;
        }
        let soaked = damage.min(self.at(victim).armor);
        self.at_mut(victim).armor -= soaked;
        damage - soaked
    }

    /// The end of D3: takes the hit points and returns the result; the minion is not buried here.
    fn lose_hit_points(&mut self, victim: Who, damage: i32) -> Result {
        if damage <= 0 {
            return Result::Bounced;
        }
        if damage >= self.at(victim).hit_points && self.death_is_cancelled(victim, Trigger::Lethal)
        {
            return Result::Killed;
        }
        // "Remaining damage is capped to the minion's current HP."
        let minion = self.at_mut(victim);
        minion.hit_points = (minion.hit_points - damage).max(0);
        if self.at(victim).hit_points <= 0 { Result::Killed } else { Result::Damaged }
    }

    /// Deals the damage of an effect; a minion that dies of it is buried at once.
    pub fn takes_damage(&mut self, victim: Who, damage: i32, harm: Harm, by: Option<Who>) {
        let damage = self.soak(victim, damage, harm);
        if self.lose_hit_points(victim, damage) == Result::Killed
            && self.at(victim).is_there()
            && self.at(victim).hit_points <= 0
        {
            self.minion_death(victim, by);
        }
    }

    /// Returns whether an effect cancels the death: the minion survives with some hit points, or vanishes fully healed.
    fn death_is_cancelled(&mut self, who: Who, when: Trigger) -> bool {
        if self.death_is_cancelled_by_group(who, when) {
            return true;
        }
        for nth in 0..self.at(who).card.effects.len() {
            let effect = self.at(who).card.effects[nth];
            if effect.when != when || !self.comes_to_pass(&effect, who, nth) {
                continue;
            }
            let max = self.at(who).max_hit_points;
            if effect.does == Verb::Survive {
                self.at_mut(who).hit_points = i32::from(effect.amount).min(max);
            } else {
                self.at_mut(who).hit_points = max;
                self.take_off(who, Standing::Away);
            }
            return true;
        }
        false
    }

    /// The same by a spell on the group as a whole, which comes first, and is dispelled where it says so.
    fn death_is_cancelled_by_group(&mut self, who: Who, when: Trigger) -> bool {
        let group = self.combat().groups[who.0];
        for (nth, effect) in self.groups[group].spells.clone().into_iter().enumerate() {
            let is_there = !self.groups[group].dispelled.contains(&nth);
            if effect.when != when || !is_there || !self.is_meant(&effect, who) {
                continue;
            }
            let happens = self.is_in_its_rounds(&effect)
                && self.dice.percent(Roll::Effect, u32::from(effect.percent));
            if !happens {
                continue;
            }
            let max = self.at(who).max_hit_points;
            if effect.does == Verb::Survive {
                self.at_mut(who).hit_points = i32::from(effect.amount).min(max);
            } else {
                self.at_mut(who).hit_points = max;
                self.take_off(who, Standing::Away);
            }
            if effect.dispels {
                let all = self.groups[group].spells.iter().enumerate();
                let same = all.filter(|(_, other)| other.source == effect.source);
                let same: Vec<usize> = same.map(|(at, _)| at).collect();
                self.groups[group].dispelled.extend(same);
            }
            return true;
        }
        false
    }

    /// Minion Death: cancelled, or buried; then "killed" and "dies" effects, and those of comrades (Decisions).
    pub fn minion_death(&mut self, who: Who, blame: Option<Who>) {
        if self.death_is_cancelled(who, Trigger::Dying) {
            return;
        }
        self.take_off(who, Standing::Buried);
        self.at_mut(who).hit_points = 0;
        if let Some(enemy) = blame.filter(|blame| blame.0 != who.0) {
            self.effects_of(who, Trigger::Killed, Some(enemy), None);
        }
        self.effects_of(who, Trigger::Dies, None, None);
        for comrade in self.group(who.0) {
            if self.at(comrade).is_there() {
                self.effects_of(comrade, Trigger::ComradeDies, None, None);
            }
        }
    }
}
