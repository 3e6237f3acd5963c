//! Effects as data: whether one comes to pass, to whom, and what it does.

use evens::games::sanctum::effect::{Effect, Stat, Target, Trigger, Verb, Weapon};
use evens::games::sanctum::rolls::Roll;

use super::combat::{Phase, Who};
use super::minion::{Change, Standing};

impl Phase {
    /// "In group precedence order" (C1, R1, C4): the spells on the group as a whole, then its minions.
    pub fn effects_in_precedence_order(&mut self, when: Trigger) {
        for rank in 0..2 {
            let group = self.combat().groups[rank];
            for (nth, effect) in self.groups[group].spells.clone().into_iter().enumerate() {
                if effect.when == when && !self.groups[group].dispelled.contains(&nth) {
                    self.try_effect(&effect, rank, None, None);
                }
            }
            for who in self.group(rank) {
                if !self.at(who).is_there() {
                    continue;
                }
                self.effects_of(who, when, None, None);
            }
        }
    }

    /// Runs all effects of a minion at one point of a pipeline, in their order, whatever happens to it on the way.
    pub fn effects_of(
        &mut self,
        who: Who,
        when: Trigger,
        foe: Option<Who>,
        weapon: Option<Weapon>,
    ) {
        for nth in 0..self.at(who).card.effects.len() {
            self.effect_of(who, nth, when, foe, weapon);
        }
    }

    pub fn effect_of(
        &mut self,
        who: Who,
        nth: usize,
        when: Trigger,
        foe: Option<Who>,
        weapon: Option<Weapon>,
    ) {
        let effect = self.at(who).card.effects[nth];
        // For "deal nothing", `weapon` says which weapon deals nothing, so it is no condition.
        let with_it = effect.weapon.is_none()
            || weapon.is_none()
            || effect.weapon == weapon
            || effect.does == Verb::DealNothing;
        if effect.when == when && with_it {
            self.try_effect(&effect, who.0, Some((who, nth)), foe);
        }
    }

    pub fn is_in_its_rounds(&self, effect: &Effect) -> bool {
        let round = self.combat().round;
        // The start of combat is in no round, and an effect there has none to wait for.
        round == 0 || (i32::from(effect.rounds.0)..=i32::from(effect.rounds.1)).contains(&round)
    }

    /// Whether an effect applies to this minion.
    pub fn is_meant(&self, effect: &Effect, who: Who) -> bool {
        self.at(who).is_any_of(effect.only) && self.at(who).marks >= i32::from(effect.if_marks)
    }

    /// Whether an effect comes to pass: in its rounds, below its limit of uses, and if the die says so.
    pub fn comes_to_pass(&mut self, effect: &Effect, bearer: Who, nth: usize) -> bool {
        let spent = effect.at_most > 0 && self.at(bearer).uses[nth] >= i32::from(effect.at_most);
        if spent || !self.is_in_its_rounds(effect) {
            return false;
        }
        let happens = self.dice.percent(Roll::Effect, u32::from(effect.percent));
        if happens {
            self.at_mut(bearer).uses[nth] += 1;
        }
        happens
    }

    fn targets(
        &self,
        effect: &Effect,
        rank: usize,
        bearer: Option<Who>,
        foe: Option<Who>,
    ) -> Vec<Who> {
        let named: Vec<Who> = match effect.on {
            Target::Bearer => bearer.into_iter().collect(),
            Target::Foe => foe.into_iter().collect(),
            Target::Comrades => {
                self.group(rank).into_iter().filter(|&who| Some(who) != bearer).collect()
            }
            Target::Group => self.group(rank),
            Target::Enemies => self.group(1 - rank),
            Target::Everybody => self.everybody(),
        };
        let meant = named.into_iter().filter(|&who| self.at(who).is_there());
        // A minion without such a weapon gains nothing for it (Decisions).
        let can_gain = |who: Who| {
            let card = &self.at(who).card;
            effect.does != Verb::Gain
                || match effect.stat {
                    Stat::Hand => card.hand.is_some(),
                    Stat::Missile => card.missile.is_some(),
                    Stat::Attacks => card.hand.is_some() || card.missile.is_some(),
                    Stat::Armor | Stat::Level | Stat::HitPoints => true,
                }
        };
        meant.filter(|&who| self.is_meant(effect, who) && can_gain(who)).collect()
    }

    fn try_effect(
        &mut self,
        effect: &Effect,
        rank: usize,
        bearer: Option<(Who, usize)>,
        foe: Option<Who>,
    ) {
        let who = bearer.map(|(who, _)| who);
        let targets = self.targets(effect, rank, who, foe);
        // No die is thrown where nobody is affected or nothing would change.
        let matters = match effect.does {
            Verb::Withdraw => !self.groups[self.combat().groups[rank]].withdrawn,
            Verb::StopHostility => self.combat().hostile,
            Verb::EndCombat => !self.combat().ended,
            _ => targets.iter().any(|&target| self.would_change(effect, target)),
        };
        if !matters {
            return;
        }
        let happens = match bearer {
            Some((who, nth)) => self.comes_to_pass(effect, who, nth),
            None => {
                self.is_in_its_rounds(effect)
                    && self.dice.percent(Roll::Effect, u32::from(effect.percent))
            }
        };
        if !happens {
            return;
        }
        match effect.does {
            Verb::Withdraw => {
                let group = self.combat().groups[rank];
                self.groups[group].withdrawn = true;
            }
            Verb::StopHostility => self.combat_mut().hostile = false,
            Verb::EndCombat => self.combat_mut().ended = true,
            _ => {
                for target in targets {
                    if self.at(target).is_there() {
                        self.do_to(effect, target, who);
                    }
                }
            }
        }
    }

    /// Whether an effect is blocked on a target that is dying of an attack: its death is up to A7, and nothing else
    /// gives or takes hit points or removes it.
    fn is_for_a7(&self, effect: &Effect, target: Who) -> bool {
        let of_hit_points = matches!(effect.does, Verb::Damage | Verb::Heal | Verb::Leave)
            || (effect.does, effect.stat) == (Verb::Gain, Stat::HitPoints);
        of_hit_points && self.at(target).hit_points <= 0
    }

    /// Whether an effect would change a minion.
    fn would_change(&self, effect: &Effect, target: Who) -> bool {
        if self.is_for_a7(effect, target) {
            return false;
        }
        if matches!(effect.does, Verb::Damage | Verb::Kill | Verb::Leave) {
            return true;
        }
        let mut after = self.clone();
        after.do_to(effect, target, None);
        !after.at(target).is_as(self.at(target))
    }

    fn do_to(&mut self, effect: &Effect, target: Who, by: Option<Who>) {
        if self.is_for_a7(effect, target) {
            return;
        }
        let amount = i32::from(effect.amount);
        let attacks = self.at(target).now.attacks;
        // "Even those that were received in the immediately preceding combat round" count in a round (R1): armor, which
        // follows its maximum at a reset, and attacks outside of a reset; before round 1 everything (Decisions).
        let of_attacks = effect.does == Verb::StopAttacking
            || (effect.does, effect.stat) == (Verb::Gain, Stat::Attacks);
        let in_next_round = self.combat().round == 0
            || (effect.does, effect.stat) == (Verb::Gain, Stat::Armor)
            || of_attacks && effect.when != Trigger::RoundStart;
        let lasts = effect.lasts;
        match effect.does {
            Verb::Gain if effect.stat == Stat::HitPoints => {
                // Losing maximum hit points takes only what is above the new maximum, and never the last hit point.
                let minion = self.at_mut(target);
                minion.max_hit_points = (minion.max_hit_points + amount).max(1);
                minion.hit_points += amount.max(0);
                minion.hit_points = minion.hit_points.min(minion.max_hit_points);
            }
            Verb::Gain => {
                let change = Change::Add(effect.stat, amount);
                self.at_mut(target).change(lasts, in_next_round, change);
            }
            Verb::Damage => self.takes_damage(target, amount, effect.harm, by),
            Verb::Heal => {
                let minion = self.at_mut(target);
                minion.hit_points = (minion.hit_points + amount).min(minion.max_hit_points);
            }
            Verb::Kill => {
                self.at_mut(target).hit_points = 0;
                self.minion_death(target, by);
            }
            // "From the next reset on"; at the start of a round, from this one on.
            Verb::StopAttacking => {
                self.at_mut(target).change(lasts, in_next_round, Change::StopAttacking);
            }
            Verb::Mark => {
                let minion = self.at_mut(target);
                minion.marks = (minion.marks + amount.max(1)).min(255);
            }
            Verb::Leave => self.take_off(target, Standing::Away),
            Verb::DealNothing => {
                let change = Change::DealNothing(effect.weapon);
                self.at_mut(target).change(lasts, in_next_round, change);
            }
            other => panic!("{other} is done where its pipeline comes to it"),
        }
        // "Effects at the start of a round are part of its reset" (Decisions).
        let minion = self.at_mut(target);
        if effect.when == Trigger::RoundStart && minion.now.attacks != attacks && minion.is_there()
        {
            minion.remaining = minion.now.attacks;
        }
    }
}
