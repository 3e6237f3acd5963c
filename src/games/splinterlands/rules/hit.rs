//! The chance to hit (step 8; guide, Aim True and Reverse Speed).

use crate::games::splinterlands::ability::Ability;
use crate::games::splinterlands::event::Attack;
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::{FIELD, Place, Places, State};

/// Points of miss chance per point of speed difference.
const SPEED: i32 = 10;
/// Points for a target with Dodge.
const DODGE: i32 = 25;
/// Points for a flying target, unless the attacker flies. An attacker with Snare always hits it.
const FLYING: i32 = 25;
/// Points for a blinded attacker, however many blind it.
const BLIND: i32 = 15;

/// The bits after the field stand for the summoners, who never leave.
const SUMMONERS: u16 = 0b11 << FIELD;

/// Points of miss chance, by what they come from.
#[derive(Clone, Copy, Debug)]
pub(in crate::games::splinterlands) struct MissPoints {
    /// The difference in speed.
    pub speed: i32,
    /// The target's Dodge.
    pub dodge: i32,
    /// The target's Flying.
    pub flying: i32,
    /// Whoever blinds the attacker.
    pub blind: i32,
}

impl MissPoints {
    /// All points added up (SP-16).
    #[inline]
    pub fn sum(self) -> i32 {
        self.speed + self.dodge + self.flying + self.blind
    }
}

impl State {
    /// How likely an attack hits, in percent from 0 to 100 (SP-15, SP-19, SP-21). Magic always does (SP-20), and so does
    /// everything under Aim True (guide, Aim True; SP-22), with True Strike, and with Snare against wings (decision 13).
    #[inline(always)]
    #[must_use]
    pub fn chance_to_hit(&self, attacker: Place, target: Place, kind: Attack) -> u8 {
        let (from, to) = (self.at(attacker), self.at(target));
        let is_sure = self.rules(Ruleset::AimTrue) || from.has(Ability::TrueStrike);
        if kind == Attack::Magic || is_sure || from.has(Ability::Snare) && to.flies() {
            return 100;
        }
        100 - self.miss_points(attacker, target).sum().min(100) as u8
    }

    /// The miss points of a melee or ranged attack that is not sure to hit (guide, Aim True and Reverse Speed; SP-15,
    /// SP-16, SP-17, SP-18, SP-21, SP-91).
    #[inline(always)]
    pub(in crate::games::splinterlands) fn miss_points(
        &self,
        attacker: Place,
        target: Place,
    ) -> MissPoints {
        let (from, to) = (self.at(attacker), self.at(target));
        let faster = i32::from(to.now.speed) - i32::from(from.now.speed);
        let faster = if self.rules(Ruleset::ReverseSpeed) { -faster } else { faster };
        let present = Places(self.alive.0 | SUMMONERS);
        let blinders = self.blinders[attacker.side().index()];
        let blinds = || !blinders.and(present).without(from.cleansed).is_empty();
        let points = |applies: bool, points: i32| if applies { points } else { 0 };
        MissPoints {
            speed: SPEED * faster.max(0),
            dodge: points(to.has(Ability::Dodge), DODGE),
            flying: points(to.flies() && !from.flies(), FLYING),
            blind: points(!blinders.is_empty() && blinds(), BLIND),
        }
    }
}
