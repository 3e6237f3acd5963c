//! The pipeline for a full combat (C1 to C4), and the step from one combat of the phase to the next.

use super::Battle;
use super::known::Known;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::Trigger;
use crate::games::sanctum::event::Event;
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::setup::LAST_ROUND;
use crate::games::sanctum::state::{GROUP, Kept, Places, Precedence};
use enumset::EnumSet;

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// Begins the next combat of the schedule whose groups both still stand: a surrounded group fights on "if it survives"
    /// (Pipeline to Check for All Combats; SA-05, SA-06). One that ends in C1 is closed at once (SA-18).
    pub(super) fn next_combat(&mut self) {
        let schedule = self.setup.schedule(self.state.stratum);
        if self.state.combats == 0
            && let Some(peace) = self.setup.peace(self.state.stratum)
        {
            // No combat is entered, so that nothing of C1 happens either (SA-X; decision 30).
            self.note_effect(peace, None, None);
            self.state.combats = schedule.len() as u8;
            return;
        }
        while let Some(&fight) = schedule.get(usize::from(self.state.combats)) {
            self.state.combats += 1;
            let groups = [fight.high, fight.low];
            if groups.iter().any(|&group| !self.state.groups[usize::from(group)].stands()) {
                self.tell(Event::FallsAway);
                continue;
            }
            self.take_the_field(groups);
            self.c1_start_of_combat();
            if !self.combat_is_over() {
                return;
            }
            self.c4_end_of_combat();
        }
    }

    /// Puts two groups on the field, from where they are kept between combats (Minions' Combat Attributes;
    /// decision 12).
    fn take_the_field(&mut self, groups: [u8; 2]) {
        let state = &mut *self.state;
        state.fighting = groups;
        state.in_combat = true;
        state.round = 0;
        state.hostile = true;
        state.ended = false;
        state.withdrawn = [false; 2];
        state.away = Places::default();
        let mut present = 0;
        for precedence in Precedence::BOTH {
            let group = &state.groups[usize::from(groups[precedence.index()])];
            let first = GROUP * precedence.index();
            for (place, kept) in state.field[first..].iter_mut().zip(&group.minions) {
                *place = kept.minion();
            }
            present |= u16::from(group.present) << first;
        }
        state.present = Places(present);
        self.known = Known::new();
        state.shooters = Places::default();
        state.repelling = Places::default();
        for precedence in Precedence::BOTH {
            let mut triggers = EnumSet::empty();
            for who in state.group(precedence) {
                let minion = state.at_mut(who);
                minion.armor = minion.stats.max_armor();
                let kind = self.setup.kind(minion.kind);
                triggers |= kind.triggers;
                if kind.has_missile {
                    state.shooters.insert(who);
                }
                if kind.repels {
                    state.repelling.insert(who);
                }
            }
            let group = usize::from(groups[precedence.index()]);
            let own = self.setup.group_effects(state.stratum, group);
            triggers.extend(own.iter().map(|effect| effect.when));
            state.triggers[precedence.index()] = triggers;
        }
    }

    /// C1: "all start of combat effects happen, in group precedence order"; some end the combat early (Pipeline for a Full
    /// Combat; SA-18).
    fn c1_start_of_combat(&mut self) {
        self.tell(Event::Combat);
        self.happen(Trigger::CombatStart);
    }

    /// Whether the current combat ends. C2 and C3 are rounds 1 and 2 to 10 of `combat_round`; they end after the
    /// tenth, when a group has no minions left, when the groups are no longer hostile, or when an effect says so
    /// (Pipeline for a Full Combat; SA-15, SA-16, SA-17, SA-18; decisions 24 and 25).
    #[inline]
    pub(super) fn combat_is_over(&self) -> bool {
        self.state.round >= LAST_ROUND || self.must_halt()
    }

    /// Whether the combat must halt at once: a group has died or been displaced, the groups are no longer hostile,
    /// or an effect has ended the combat (R1; SA-16, SA-17, SA-28).
    #[inline]
    pub(super) fn must_halt(&self) -> bool {
        let state = &*self.state;
        Precedence::BOTH.iter().any(|&precedence| state.group(precedence).is_empty())
            || !state.hostile
            || state.ended
            || state.withdrawn != [false; 2]
    }

    /// C4: "all end of combat effects happen", then "all after combat effects", each in group precedence order (Pipeline for
    /// a Full Combat; SA-24). The surviving groups go back to where they are kept.
    pub(super) fn c4_end_of_combat(&mut self) {
        self.happen(Trigger::CombatEnd);
        self.happen(Trigger::AfterCombat);
        self.tell(Event::CombatOver);
        let state = &mut *self.state;
        state.in_combat = false;
        for precedence in Precedence::BOTH {
            let first = GROUP * precedence.index();
            let group = &mut state.groups[usize::from(state.fighting[precedence.index()])];
            for (kept, minion) in group.minions.iter_mut().zip(&state.field[first..]) {
                *kept = Kept::of(minion);
            }
            group.present = (state.present.0 >> first) as u8;
            group.away |= (state.away.0 >> first) as u8;
            group.withdrawn |= state.withdrawn[precedence.index()];
        }
    }
}
