//! The pipeline for one attack (A1 to A8). Some spells can cause the attacker to die during it.

use super::Battle;
use super::known::Strength;
use super::takes_damage::Damage;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::{Class, Trigger, Weapon};
use crate::games::sanctum::event::{DamageResult, Event};
use crate::games::sanctum::profile::Kind;
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::setup::Setup;
use crate::games::sanctum::state::{Place, State};

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// Makes one attack, steps A1 to A8. "Some defensive spells can cause your attacker to die in the middle of
    /// her attack": then A4 and A5 are skipped, A6 is checked, A7 may be gone through, and A8 halts (Pipeline for
    /// One Attack, Questions; SA-64, SA-67, SA-73, SA-74; decisions 18 and 19).
    pub(super) fn one_attack<const EFFECTS: bool>(&mut self, by: Place, on: Place) {
        if !self.a1_check_for_hit(by, on) {
            return;
        }
        // The weapon of the attack stays the same, whatever effects do to the attacker's numbers.
        let weapon = self.weapon(by);
        self.tell(Event::Attack { by, on, weapon });
        // A3: the victim takes the damage, "even if 0" (SA-63, SA-64).
        let damage = self.a2_calculate_damage::<EFFECTS>(by, on);
        let result = self.takes_damage::<EFFECTS>(on, damage, Some(by), Some(weapon));
        let both_here =
            |battle: &Self| battle.state.present.has(by) && battle.state.present.has(on);
        // If one of the two is buried at any step, the next step is A6.
        if EFFECTS && both_here(self) {
            self.a4_attacker_hits(by, on, weapon);
        }
        if EFFECTS && both_here(self) && result != DamageResult::Bounced {
            self.a5_attacker_damages(by, on, weapon);
        }
        // A6: the victim died early.
        if !self.state.present.has(on) {
            return;
        }
        if self.a7_apply_damage_result::<EFFECTS>(by, on, result) {
            self.a8_attacker_kills::<EFFECTS>(by, on, weapon);
        }
    }

    /// A1: whether the attempt hits; it costs an attack either way. It misses if the victim's level is greater
    /// than the sum of the attacker's level and misses (SA-56, SA-57, SA-58, SA-59, SA-60).
    #[inline]
    fn a1_check_for_hit(&mut self, by: Place, on: Place) -> bool {
        let victim_level = self.state.at(on).stats.level;
        let attacker = self.state.at_mut(by);
        attacker.attacks -= 1;
        if victim_level > attacker.stats.level.saturating_add(attacker.misses) {
            // Infinity plus one is infinity.
            attacker.misses = attacker.misses.saturating_add(1);
            let misses = attacker.misses;
            self.tell(Event::Misses { by, on, misses });
            return false;
        }
        attacker.misses = 0;
        true
    }

    /// A2: the damage of this attack, "including all nation abilities, combat round modifiers, and active spell effects"
    /// (SA-61, SA-62; decision 10).
    #[inline]
    fn a2_calculate_damage<const EFFECTS: bool>(&mut self, by: Place, on: Place) -> Damage {
        let amount = if self.has_effect::<EFFECTS>(by, Trigger::Attacks) {
            self.with_chances_of_attack(by, on)
        } else {
            self.strength(by).amount
        };
        Damage { amount, harm: self.kind(by).harm }
    }

    /// The damage of an attack, with nation abilities, round modifiers and spells, but without anything that a die
    /// decides: the estimate of tiebreaker 2 (SA-48, decision 5). Never less than 0.
    #[inline(always)]
    pub(super) fn damage_of_attack(&self, by: Place, on: Place) -> i16 {
        let strength = self.strength(by);
        if strength.is_same_to_all {
            strength.amount
        } else {
            self.with_certainties_of_attack(by, on).unwrap_or(0).max(0)
        }
    }

    /// The strength of a minion's attacks against anybody, before effects that look at the victim (A2; SA-61,
    /// SA-62): as worked out when its numbers were last reset or changed. Its amount is never less than 0.
    #[inline(always)]
    pub(super) fn strength(&self, by: Place) -> Strength {
        self.known.strength(by)
    }

    /// Works out the strength of a minion's attacks after its numbers have changed.
    #[inline(always)]
    pub(super) fn work_out_strength(&mut self, by: Place) {
        let kind = self.kind(by);
        let weapon = self.state.weapon_of(kind, by);
        let amount = self.state.strength_of(kind, by, weapon).unwrap_or(0).max(0);
        let is_same_to_all = !kind.triggers.contains(Trigger::Attacks);
        let strength = Strength { amount, weapon, harm: kind.harm, is_same_to_all };
        self.known.note_strength(by, strength);
    }

    /// The damage of an attack with this weapon, before "if the damage quantity is negative, it rounds up to 0".
    /// None where attacks with it deal nothing, whatever is added (A2; SA-21, SA-61; decision 10).
    #[inline]
    pub(super) fn strength_with(&self, by: Place, weapon: Weapon) -> Option<i16> {
        self.state.strength_of(self.kind(by), by, weapon)
    }

    /// The weapon of a minion's attacks in this round (C2; SA-20, decision 8).
    #[inline(always)]
    pub(super) fn weapon(&self, who: Place) -> Weapon {
        self.strength(who).weapon
    }

    /// A4: "when hits" and "hits give" effects happen, even if the hit has bounced (SA-65).
    #[inline]
    fn a4_attacker_hits(&mut self, by: Place, on: Place, weapon: Weapon) {
        if self.kind(by).triggers.contains(Trigger::Hits) {
            self.happen_to(by, Trigger::Hits, Some(on), Some(weapon));
        }
    }

    /// A5: "if the result of A3 is damaged or killed, attacker applies all when damages effects" (SA-66).
    #[inline]
    fn a5_attacker_damages(&mut self, by: Place, on: Place, weapon: Weapon) {
        if self.kind(by).triggers.contains(Trigger::Damages) {
            self.happen_to(by, Trigger::Damages, Some(on), Some(weapon));
        }
    }

    /// A7: whether the victim is killed now. It is not if a dying-cancel has already saved it, nor if its dying is
    /// cancelled within Minion Death, unless the scenario counts that as a kill (SA-68, SA-69, SA-70; decision
    /// 23).
    #[inline]
    fn a7_apply_damage_result<const EFFECTS: bool>(
        &mut self,
        by: Place,
        on: Place,
        result: DamageResult,
    ) -> bool {
        let dying = result == DamageResult::Killed && self.state.at(on).hit_points <= 0;
        if !dying {
            return false;
        }
        let is_buried = self.minion_death::<EFFECTS>(on, Some(by));
        is_buried || self.setup.open.cancelled_kills
    }

    /// A8: kill effects happen and an experience level is earned, unless the attacker itself is dead by now
    /// (SA-71, SA-72; decision 27).
    #[inline]
    fn a8_attacker_kills<const EFFECTS: bool>(&mut self, by: Place, on: Place, weapon: Weapon) {
        if !self.state.present.has(by) {
            return;
        }
        let kind = self.kind(by);
        if self.has_effect::<EFFECTS>(by, Trigger::Kills) {
            self.happen_to(by, Trigger::Kills, Some(on), Some(weapon));
        }
        let qualified = self.state.at(by).qualified;
        if kind.classes.contains(Class::Recruit) && !kind.experienced && !qualified {
            self.state.at_mut(by).qualified = true;
            self.tell(Event::Qualifies(by));
        }
    }
}

impl State {
    /// The damage of a minion's attacks with this weapon, with what its nation and spells add in this round. None
    /// where its attacks with this weapon deal nothing (A2; SA-21, SA-61, SA-62; decision 10).
    #[inline(always)]
    fn strength_of(&self, kind: &Kind, by: Place, weapon: Weapon) -> Option<i16> {
        let stats = self.at(by).stats;
        if stats.is_mute(weapon) {
            return None;
        }
        let strength = match weapon {
            Weapon::Hand => stats.hand,
            Weapon::Missile => stats.missile,
        };
        let bonus = kind.bonus[weapon as usize][usize::from(self.round)];
        Some(i16::from(strength) + i16::from(bonus))
    }

    /// The weapon a minion attacks with: missiles in round 1; from round 2 on, the stronger attack where it has
    /// both, by hand at equal strength (C2; SA-20, decision 8).
    #[inline]
    pub(in crate::games::sanctum) fn weapon(&self, setup: &Setup, who: Place) -> Weapon {
        self.weapon_of(setup.kind(self.at(who).kind), who)
    }

    #[inline(always)]
    fn weapon_of(&self, kind: &Kind, who: Place) -> Weapon {
        if !self.shooters.contains(who) {
            return Weapon::Hand;
        }
        let strength = |weapon| self.strength_of(kind, who, weapon);
        let by_hand =
            self.round > 1 && kind.has_hand && strength(Weapon::Hand) >= strength(Weapon::Missile);
        if by_hand { Weapon::Hand } else { Weapon::Missile }
    }
}
