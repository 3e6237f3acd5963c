//! The death check ("Batching: Death Check"): creatures that are destroyed or have no health left leave, in the order
//! of killing, and a player without life loses.

use arrayvec::ArrayVec;

use crate::chance::Chance;
use crate::game::{Outcome, Side, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::Hook;
use crate::games::solforge::event::{Event, Ref};
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::trigger::News;
use crate::games::solforge::rules::{Battle, Because, DISPLACED, Displaced, statics};
use crate::games::solforge::state::{Creature, LANES, Spaces};

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Checks for deaths at the end of a batch, first of creatures and then of players (SF-05).
    pub(super) fn death_check(&mut self) {
        // A creature that dies takes with it the health that it lent to others, which may die of that.
        while self.bury(false) && self.cards().lends_health {}
        self.state.kills = 0;
        if self.state.verdict.is_none() {
            self.check_players();
        }
    }

    /// Removes dead creatures: those that an effect destroyed and, unless `only_destroyed`, those without health, in
    /// the order of killing (SF-11, SF-12, SF-13). A card that destroys has done so before its batch forms (SF-08).
    /// Returns whether any creature left (decision 3).
    #[inline(always)]
    pub(super) fn bury(&mut self, only_destroyed: bool) -> bool {
        // Mostly no creature is doomed. Where statics change health, all creatures are checked.
        let asked =
            if statics::lend_health(self.state) { self.state.occupied } else { self.state.doomed };
        (!asked.is_empty() || !self.displaced.is_empty()) && self.bury_among(asked, only_destroyed)
    }

    #[inline(never)]
    fn bury_among(&mut self, asked: Spaces, only_destroyed: bool) -> bool {
        let mut dead = Spaces::default();
        for (side, lane) in asked {
            let dies = self.state.at(side, lane).destroyed
                || !only_destroyed && statics::health(self.cards(), self.state, side, lane) <= 0;
            dead.set(side, lane, dies);
        }
        if dead.is_empty() && self.displaced.is_empty() {
            return false;
        }
        let mut dying: ArrayVec<Displaced, { 2 * LANES + DISPLACED }> = ArrayVec::new();
        dying.extend(self.displaced.drain(..));
        for (side, lane) in dead {
            let mut creature = *self.state.at(side, lane);
            // A creature that lost its health without anything happening to it comes last.
            if creature.killed == 0 {
                creature.killed = u16::MAX;
            }
            dying.push(Displaced { creature, side, lane });
        }
        dying.sort_by_key(|dead| dead.creature.killed);
        for dead in &dying {
            self.set_off_by_death(dead, &dying);
        }
        for dead in &dying {
            let who = Ref::new(&dead.creature, dead.side, dead.lane);
            if self.state.at(dead.side, dead.lane).id == who.id {
                *self.state.at_mut(dead.side, dead.lane) = Creature::NOBODY;
            }
            statics::note(self.cards(), self.state, dead.side, dead.lane);
            if self.cards().revives {
                // A game with more deaths than can be remembered forgets the later ones.
                let _remembered = self.state.dead.try_push(who.form);
            }
            self.tell(Event::Dies(who));
        }
        for side in [Side::A, Side::B] {
            self.statics_changed(side);
        }
        for dead in &dying {
            let Displaced { creature, side, lane } = *dead;
            let had_statics = !creature.destroyed && !creature.blank;
            if had_statics && !self.cards().form(creature.form).touches.is_empty() {
                let who = Ref::new(&creature, side, lane);
                self.tell(Event::Statics(who, Some(lane), None));
            }
        }
        true
    }

    /// Sets off the abilities that react to a creature's death: its own Vengeance, those of the living, and those of
    /// creatures that die with or after it in the same check ("Dr. Frankenbaum and Yuru", SF-64, SF-65). A creature
    /// does not react to its own death unless its filter counts itself (SF-68, decision 7).
    fn set_off_by_death(&mut self, dead: &Displaced, dying: &[Displaced]) {
        let subject = Ref::new(&dead.creature, dead.side, dead.lane);
        let vengeance = News::of(Hook::Vengeance, subject);
        self.ask(&dead.creature, dead.side, dead.lane, vengeance, Because::Anyway);
        let news = News::of(Hook::Destroyed, subject);
        for (side, lane) in self.listeners(Hook::Destroyed) {
            let id = self.state.at(side, lane).id;
            if !dying.iter().any(|other| other.creature.id == id) {
                self.ask_at(side, lane, news, Because::Anyway);
            }
        }
        for other in dying {
            if other.creature.killed >= dead.creature.killed {
                self.ask(&other.creature, other.side, other.lane, news, Because::Anyway);
            }
        }
    }

    /// The player with less life loses once somebody is at 0 or less; equal life is sudden death (SF-05,
    /// SF-06), in which only the ends of turns decide.
    fn check_players(&mut self) {
        let [a, b] = [Side::A, Side::B].map(|side| self.state.player(side).life);
        if a > 0 && b > 0 || self.state.sudden_death {
            return;
        }
        if a == b {
            self.state.sudden_death = true;
            self.tell(Event::SuddenDeath);
        } else {
            self.state.verdict = Some(Outcome::Win(if a < b { Side::B } else { Side::A }));
        }
    }

    /// In sudden death a turn that ends with unequal life decides the game (SF-07).
    pub(super) fn check_sudden_death(&mut self) {
        let [a, b] = [Side::A, Side::B].map(|side| self.state.player(side).life);
        if self.state.sudden_death && a != b {
            self.state.verdict = Some(Outcome::Win(if a < b { Side::B } else { Side::A }));
        }
    }
}
