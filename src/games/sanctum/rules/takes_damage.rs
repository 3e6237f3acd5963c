//! The pipeline for damage to a minion (D1 to D3; decision 20). The page names it in A3 and does not print it.

use super::Battle;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::{Harm, Trigger, Verb, Weapon};
use crate::games::sanctum::event::{Blow, DamageResult, Event};
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::setup::Setup;
use crate::games::sanctum::state::{Place, State};

/// Damage that a minion is about to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    /// The amount, not less than 0.
    pub amount: i16,
    /// How it meets armor.
    pub harm: Harm,
}

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// Deals damage to a minion: "this returns a result of bounced, damaged, or killed" (A3; SA-63, SA-73). `by`
    /// is to blame for it. A `weapon` is given if an attack deals the damage; only then do "is hit" effects
    /// happen, so that damage dealt back is not dealt back again.
    pub(super) fn takes_damage<const EFFECTS: bool>(
        &mut self,
        on: Place,
        damage: Damage,
        by: Option<Place>,
        weapon: Option<Weapon>,
    ) -> DamageResult {
        let mut damage = damage;
        if EFFECTS && let (Some(weapon), Some(attacker)) = (weapon, by) {
            if self.state.is_answered(self.setup, on) {
                self.tell(Event::Struck { by: attacker, on });
            }
            if self.is_guarded(on, attacker, damage) {
                return DamageResult::Bounced;
            }
            damage = self.d1_before_armor(on, attacker, weapon, damage);
            if !self.state.present.has(on) {
                return DamageResult::Bounced;
            }
        }
        let power = damage.amount;
        let (left, to_armor) = self.d2_armor_soak(on, damage);
        let left = match (weapon, by) {
            (Some(weapon), Some(attacker)) if EFFECTS && left > 0 => {
                self.d3_after_armor(on, attacker, (weapon, damage.harm), left)
            }
            _ => left,
        };
        self.d3_apply::<EFFECTS>(on, by, weapon.is_some(), power, to_armor, left)
    }

    /// D1: "is hit" effects change the damage (SA-X).
    #[inline]
    fn d1_before_armor(&mut self, on: Place, by: Place, weapon: Weapon, damage: Damage) -> Damage {
        if self.kind(on).triggers.contains(Trigger::IsHit) {
            let mut amount = damage.amount;
            self.answer_hit(on, by, Trigger::IsHit, (weapon, damage.harm), &mut amount);
            return Damage { amount, ..damage };
        }
        damage
    }

    /// D2: damage and current armor cancel one for one, unless the damage ignores armor (Minions' Combat
    /// Attributes; SA-75, SA-76). Returns the damage that is left and the damage soaked.
    #[inline]
    fn d2_armor_soak(&mut self, on: Place, damage: Damage) -> (i16, i16) {
        if damage.harm != Harm::Plain {
            return (damage.amount, 0);
        }
        let minion = self.state.at_mut(on);
        let soaked = damage.amount.min(minion.armor);
        minion.armor -= soaked;
        (damage.amount - soaked, soaked)
    }

    /// D3, first part: effects change the damage that came through armor. Damage they deal back may bury the
    /// attacker (SA-73, SA-74).
    #[inline]
    fn d3_after_armor(&mut self, on: Place, by: Place, attack: (Weapon, Harm), left: i16) -> i16 {
        let mut left = left;
        if self.kind(on).triggers.contains(Trigger::AfterArmor) {
            self.answer_hit(on, by, Trigger::AfterArmor, attack, &mut left);
        }
        left
    }

    /// D3, second part: the minion loses hit points, no more than it has (A3; SA-63). A dying-cancel can work here
    /// already (SA-69).
    #[inline]
    fn d3_apply<const EFFECTS: bool>(
        &mut self,
        on: Place,
        by: Option<Place>,
        attack: bool,
        power: i16,
        to_armor: i16,
        left: i16,
    ) -> DamageResult {
        if !self.state.present.has(on) {
            return DamageResult::Bounced;
        }
        let minion = self.state.at_mut(on);
        let to_hit_points = left.min(minion.hit_points.max(0));
        minion.hit_points -= to_hit_points;
        self.known.forget_prospect(on);
        let result = match (left > 0, self.state.at(on).hit_points > 0) {
            (false, _) => DamageResult::Bounced,
            (true, true) => DamageResult::Damaged,
            (true, false) => DamageResult::Killed,
        };
        let overkill = left - to_hit_points;
        if overkill > 0
            && let Some(by) = by
        {
            let side = self.setup.side(self.state.stratum, self.state.home(by).0);
            self.state.overkill[side.index()] += u32::from(overkill.unsigned_abs());
        }
        self.tell(Event::Blow(Blow {
            by,
            on,
            attack,
            power,
            to_armor,
            to_hit_points,
            overkill,
            result,
        }));
        if EFFECTS && result == DamageResult::Killed {
            self.cancel_dying(on, Trigger::Lethal);
        }
        result
    }

    /// D1: whether a comrade takes the hit in the victim's stead, ignoring armor. A hit of no damage that nothing
    /// answers is not guarded (SA-X; decisions 20 and 21).
    #[inline]
    fn is_guarded(&mut self, on: Place, by: Place, damage: Damage) -> bool {
        if !self.state.triggers[on.precedence().index()].contains(Trigger::ComradeIsHit) {
            return false;
        }
        if damage.amount <= 0 && !self.kind(on).triggers.contains(Trigger::IsHit) {
            return false;
        }
        let Some(guard) = self.guard_of(on) else { return false };
        let harm = if damage.harm == Harm::Plain { Harm::IgnoresArmor } else { damage.harm };
        let result = self.takes_damage::<true>(guard, Damage { harm, ..damage }, Some(by), None);
        self.bury_if_killed(guard, Some(by), result);
        true
    }

    /// The first comrade with a guard effect that comes to pass for `on`; none if there is none (SA-X, decision
    /// 21).
    fn guard_of(&mut self, on: Place) -> Option<Place> {
        let mut found = None;
        for comrade in self.state.group(on.precedence()) {
            let kind = self.kind(comrade);
            if comrade == on || !kind.triggers.contains(Trigger::ComradeIsHit) {
                continue;
            }
            for effect in &kind.effects {
                if effect.when == Trigger::ComradeIsHit
                    && effect.does == Verb::Guard
                    && found.is_none()
                    && self.comes_to_pass(effect, Some(comrade), Some(on))
                {
                    self.note_effect(effect, Some(comrade), Some(on));
                    found = Some(comrade);
                }
            }
        }
        found
    }
}

impl State {
    /// Whether any effect can answer an attack on a minion before its damage is reported (D1, D3; SA-X).
    #[inline]
    pub(in crate::games::sanctum) fn is_answered(&self, setup: &Setup, on: Place) -> bool {
        let own = setup.kind(self.at(on).kind).triggers;
        let group = self.triggers[on.precedence().index()];
        own.contains(Trigger::IsHit)
            || own.contains(Trigger::AfterArmor)
            || group.contains(Trigger::ComradeIsHit)
    }
}
