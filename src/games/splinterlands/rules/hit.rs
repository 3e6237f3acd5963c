//! The chance to hit (section 4; SP-15 to SP-22, SP-91).

use crate::games::splinterlands::ability::Ability;
use crate::games::splinterlands::event::Cause;
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::{FIELD, Place, Places, State};

/// Points of miss chance per point of speed difference.
const SPEED: i32 = 10;
/// Points for a target with Dodge.
const DODGE: i32 = 25;
/// Points for a flying target, unless the attacker flies. Who snares always hits it.
const FLYING: i32 = 25;
/// Points for a blinded attacker, however many blind it.
const BLIND: i32 = 15;

/// The bits after the field stand for the summoners, who never leave.
const SUMMONERS: u16 = 0b11 << FIELD;

impl State {
    /// How likely an attack hits, in percent from 0 to 100. Magic always does.
    #[must_use]
    pub fn chance_to_hit(&self, attacker: Place, target: Place, kind: Cause) -> u8 {
        let (from, to) = (self.at(attacker), self.at(target));
        let is_sure = self.rules(Ruleset::AimTrue) || from.has(Ability::TrueStrike);
        if kind == Cause::Magic || is_sure {
            return 100;
        }
        if from.has(Ability::Snare) && to.flies() {
            return 100;
        }
        let faster = i32::from(to.now.speed) - i32::from(from.now.speed);
        let faster = if self.rules(Ruleset::ReverseSpeed) { -faster } else { faster };
        let present = Places(self.alive.0 | SUMMONERS);
        let blinders = self.blinders[attacker.side().index()].and(present);
        let mut miss = SPEED * faster.max(0);
        if to.has(Ability::Dodge) {
            miss += DODGE;
        }
        if to.flies() && !from.flies() {
            miss += FLYING;
        }
        if !blinders.without(from.cleansed).is_empty() {
            miss += BLIND;
        }
        100 - miss.min(100) as u8
    }
}
