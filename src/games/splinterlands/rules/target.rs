//! Who can attack, and whom (step 7; guide, Fog of War, Super Sneak, Target Practice, Close Range, Melee Mayhem).

use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::cards::Stats;
use crate::games::splinterlands::event::Attack;
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::{Monster, Place, Places, State};

/// The abilities that let a monster choose its target from behind the front.
const CHOOSING: Abilities =
    enumset::enum_set!(Ability::Sneak | Ability::Snipe | Ability::Opportunity);

impl State {
    /// Whether the monster has an attack that it can use from where it stands, were there anybody to attack (decision 18,
    /// SP-X).
    #[must_use]
    pub(in crate::games::splinterlands) fn can_attack(&self, attacker: Place) -> bool {
        let Stats { melee, ranged, magic, .. } = self.at(attacker).now;
        magic > 0
            || ranged > 0 && self.can_use(attacker, Attack::Ranged)
            || melee > 0 && self.can_use(attacker, Attack::Melee)
    }

    /// Whether a melee, ranged or magic attack can be used from where the attacker stands (guide, Fog of War, Super Sneak,
    /// Target Practice, Close Range, Melee Mayhem; SP-34, SP-35, SP-46, SP-54, SP-55, SP-67, SP-68).
    #[inline(always)]
    fn can_use(&self, attacker: Place, kind: Attack) -> bool {
        let monster = self.at(attacker);
        if self.team(attacker.side()).is_led_by(attacker) {
            return kind != Attack::Ranged
                || self.rules(Ruleset::CloseRange)
                || monster.has(Ability::CloseRange);
        }
        kind != Attack::Melee
            || self.reaches(attacker, kind)
            || !monster.abilities.is_disjoint(Ability::Sneak | Ability::Opportunity)
            || self.rules(Ruleset::MeleeMayhem)
    }

    /// Whether a monster stands second and attacks from there by Reach (guide, Fog of War; SP-34, SP-36, SP-X).
    #[inline(always)]
    fn reaches(&self, attacker: Place, kind: Attack) -> bool {
        let team = self.team(attacker.side());
        kind == Attack::Melee
            && self.at(attacker).has(Ability::Reach)
            && team.before(attacker) == team.first()
    }

    /// Whether a monster attacks the front by Reach, because none of its other abilities gives its melee attack a
    /// choice of target. Snipe does so only under Melee Mayhem, and Taunt never does (guide, Fog of War, Super Sneak,
    /// Target Practice; SP-36, SP-43, SP-56; decision 29).
    #[inline(always)]
    pub(in crate::games::splinterlands) fn reaches_for_the_front(
        &self,
        attacker: Place,
        kind: Attack,
    ) -> bool {
        let abilities = self.at(attacker).abilities;
        let snipes = abilities.contains(Ability::Snipe) && self.rules(Ruleset::MeleeMayhem);
        self.reaches(attacker, kind)
            && !snipes
            && abilities.is_disjoint(Ability::Sneak | Ability::Opportunity)
    }

    /// The target of `attacker`'s melee, ranged or magic attack; None when it cannot use it from where it stands
    /// (guide, Fog of War, Super Sneak, Target Practice, Close Range, Melee Mayhem; SP-33, SP-36, SP-41, SP-42, SP-43,
    /// SP-44, SP-45, SP-46, SP-51, SP-52, SP-56, SP-100, SP-101; Snipe before Opportunity: SP-53, decision 14).
    #[inline(always)]
    #[must_use]
    pub fn target(&self, attacker: Place, kind: Attack) -> Option<Place> {
        let monster = self.at(attacker);
        let team = self.team(attacker.side());
        let enemies = self.team(attacker.side().other());
        let front = enemies.first()?;
        if !self.can_use(attacker, kind) {
            return None;
        }
        if team.is_led_by(attacker) {
            return Some(front);
        }
        let chooses = !monster.abilities.is_disjoint(CHOOSING);
        let taunted = !self.taunters.and(enemies).is_empty();
        if !chooses && !taunted || self.reaches_for_the_front(attacker, kind) {
            return Some(front);
        }
        Some(self.choice(monster, front, enemies))
    }

    /// The target, among these enemies, of a monster that stands behind the front and has a choice or is taunted. This
    /// is apart from [`Self::target`], which has no need of it for most attacks.
    #[inline(never)]
    fn choice(&self, monster: &Monster, front: Place, enemies: Places) -> Place {
        let mut seen = enemies.without(self.hidden);
        seen.insert(front);
        self.chosen_target(monster, front, seen, self.taunters)
    }

    /// The target, among the enemies that it sees, of a monster that stands behind the front and has a choice or may be
    /// taunted by `taunters` (guide, Super Sneak, Target Practice; SP-33, SP-36, SP-41, SP-42, SP-43, SP-44, SP-51,
    /// SP-52, SP-56, SP-100, SP-101; Snipe before Opportunity: SP-53, decision 14).
    #[inline]
    pub(in crate::games::splinterlands) fn chosen_target(
        &self,
        monster: &Monster,
        front: Place,
        seen: Places,
        taunters: Places,
    ) -> Place {
        let chosen = if let Some(taunter) = taunters.and(seen).first() {
            Some(taunter)
        } else if monster.has(Ability::Sneak) {
            seen.last()
        } else if monster.has(Ability::Snipe) {
            Some(self.snipe_target(front, seen))
        } else if monster.has(Ability::Opportunity) {
            seen.min_by_key(|&place| self.at(place).now.health)
        } else {
            None
        };
        chosen.unwrap_or(front)
    }

    /// The first enemy seen behind the front with a ranged, a magic or no attack, else the front (guide, Target Practice;
    /// SP-47, SP-48, SP-49, SP-50).
    #[inline]
    fn snipe_target(&self, front: Place, seen: Places) -> Place {
        let mut back = seen;
        back.remove(front);
        let is_eligible = |place: &Place| {
            let base = &self.at(*place).base;
            base.ranged > 0 || base.magic > 0 || base.melee == 0
        };
        back.find(is_eligible).unwrap_or(front)
    }
}
