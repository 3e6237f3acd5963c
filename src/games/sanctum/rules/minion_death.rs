//! The pipeline of a minion's death (decision 22): a dying-cancel, or burial; and who is to blame.
//!
//! With an enemy to blame, the minion is killed: "killed" and "dies" effects happen. Without one, it just dies.

use super::Battle;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::{Effect, Trigger};
use crate::games::sanctum::event::{DamageResult, Event};
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::state::{Place, Places};

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// Lets a minion die: "The victim will either cancel this dying, or be buried" (A7; SA-70, SA-X; decision 22).
    /// Returns whether it was buried.
    pub(super) fn minion_death<const EFFECTS: bool>(
        &mut self,
        who: Place,
        blame: Option<Place>,
    ) -> bool {
        if EFFECTS && self.cancel_dying(who, Trigger::Dying) {
            return false;
        }
        // Buried before its effects happen: nothing more can be done to it, and nothing kills it twice.
        self.state.remove(who);
        self.state.buried += 1;
        self.state.at_mut(who).hit_points = 0;
        self.tell(Event::Buried { who, blame });
        let is_enemy = |by: Place| by.precedence() != who.precedence();
        if blame.is_some_and(is_enemy) && self.has_effect::<EFFECTS>(who, Trigger::Killed) {
            self.happen_to(who, Trigger::Killed, blame, None);
        }
        if self.has_effect::<EFFECTS>(who, Trigger::Dies) {
            self.happen_to(who, Trigger::Dies, None, None);
        }
        let group = who.precedence();
        if EFFECTS && self.state.triggers[group.index()].contains(Trigger::ComradeDies) {
            for comrade in Places::of(group) {
                if self.state.present.has(comrade)
                    && self.kind(comrade).triggers.contains(Trigger::ComradeDies)
                {
                    self.happen_to(comrade, Trigger::ComradeDies, None, None);
                }
            }
        }
        // Its part in this combat no longer matters; it is reset, so that states that differ in nothing else are
        // equal.
        self.state.at_mut(who).leave_combat();
        true
    }

    /// Lets a minion's dying-cancels happen, and returns whether one has worked: the minion stands again, or has
    /// left alive. The first one that works is the last, since a minion that is no longer dying cancels nothing
    /// (A7; SA-69, SA-70; SA-X).
    pub(super) fn cancel_dying(&mut self, who: Place, when: Trigger) -> bool {
        if !self.state.triggers[who.precedence().index()].contains(when) {
            return false;
        }
        if self.cancel_dying_in_group(who, when) {
            return true;
        }
        let kind = self.kind(who);
        if !kind.triggers.contains(when) {
            return false;
        }
        kind.effects.iter().filter(|effect| effect.when == when).any(|effect| {
            self.apply(effect, Some(who), who.precedence(), None);
            !self.state.present.has(who) || self.state.at(who).hit_points > 0
        })
    }

    /// Lets the dying-cancels of a group as a whole happen for one of its minions, and returns whether one has worked
    /// (SA-X; decision 16). A spell that is dispelled by it cancels no other dying.
    fn cancel_dying_in_group(&mut self, who: Place, when: Trigger) -> bool {
        let precedence = who.precedence();
        for (nth, effect) in self.effects_of_group(precedence) {
            if effect.when != when
                || self.is_dispelled(precedence, nth)
                || !self.state.suits(self.setup, effect, who)
            {
                continue;
            }
            self.apply(effect, Some(who), precedence, None);
            if self.state.present.has(who) && self.state.at(who).hit_points <= 0 {
                continue;
            }
            if effect.dispels {
                let spell = |(_, other): &(usize, &Effect)| other.source == effect.source;
                let all = self.effects_of_group(precedence).filter(spell);
                let dispelled = all.fold(0, |bits, (nth, _)| bits | 1 << nth);
                let group = usize::from(self.state.fighting[precedence.index()]);
                self.state.groups[group].dispelled |= dispelled;
            }
            return true;
        }
        false
    }

    /// Buries a minion killed by damage that has no step of its own for this; an attack has one, A7 (SA-X,
    /// decision 22).
    #[inline]
    pub(super) fn bury_if_killed(
        &mut self,
        who: Place,
        blame: Option<Place>,
        result: DamageResult,
    ) {
        if result == DamageResult::Killed
            && self.state.present.has(who)
            && self.state.at(who).hit_points <= 0
        {
            self.minion_death::<true>(who, blame);
        }
    }
}
