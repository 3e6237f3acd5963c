//! Death and what follows from it: Resurrect, the end of the dead monster's auras, Scavenger, Redemption, Last Stand
//! (step 11).

use super::Battle;
use super::stats::{AURAS, auras_of, half_again};
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::ability::Ability;
use crate::games::splinterlands::event::{Cause, Event};
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::state::{Aura, FIELD, Place, Places, Status};

/// Damage of Redemption.
const REDEMPTION: i8 = 1;

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// Deals with the death of a monster at no health, unless that was done already (step 11, SP-74).
    #[inline]
    pub(super) fn bury_if_dead(&mut self, place: Place) {
        if self.state.alive.has(place) && self.state.at(place).now.health <= 0 {
            self.dies(place);
        }
    }

    /// A monster at no health dies. Everything that follows from it is resolved before this returns (step 11; guide,
    /// Earthquake; SP-74, SP-76, SP-X).
    #[inline(never)]
    pub(super) fn dies(&mut self, who: Place) {
        let side = who.side();
        let who_died = Places::from(who);
        self.state.alive = self.state.alive.without(who_died);
        self.state.waiting = self.state.waiting.without(who_died);
        self.state.stunned = self.state.stunned.without(who_died);
        self.state.poisoned = self.state.poisoned.without(who_died);
        self.tell(Event::Dies(who));
        if let Some(by) = self.resurrecter(who) {
            self.returns(who, by);
        } else {
            self.end_auras(who);
        }
        let scavengers = self.state.scavengers.and(self.state.alive).without(who_died);
        if !scavengers.is_empty() {
            self.scavenge(scavengers);
        }
        if self.state.at(who).has(Ability::Redemption) {
            self.redeem(who);
        }
        self.last_stand(side);
    }

    /// The health that these scavengers gain from a death (step 11; guide, Healed Out; SP-81, SP-X).
    #[inline(never)]
    fn scavenge(&mut self, scavengers: Places) {
        for scavenger in scavengers {
            self.gain_health(scavenger, 1, Ability::Scavenger);
        }
    }

    /// A monster that is left alone and has Last Stand makes it, once: all its numbers become half as much again, armor
    /// too. The dying do not (decision 22, SP-X).
    fn last_stand(&mut self, side: Side) {
        let left = self.state.team(side);
        if left.is_one()
            && let Some(last) = left.first()
            && self.state.at(last).has(Ability::LastStand)
        {
            self.stand_alone(last);
        }
    }

    /// Makes the Last Stand of the last monster of a team, unless it has made it or is dying (decision 22, SP-X).
    #[inline(never)]
    fn stand_alone(&mut self, last: Place) {
        let monster = self.state.at_mut(last);
        let is_dying = monster.now.health <= 0;
        if !monster.is(Status::LastStanding) && !is_dying {
            monster.statuses |= Status::LastStanding;
            let armor = half_again(monster.now.armor);
            self.state.refresh(last);
            let monster = self.state.at_mut(last);
            monster.now.armor = armor.min(monster.max_armor);
            self.tell(Event::StandsAlone(last));
        }
    }

    /// Gives a monster health for good, at once and as a new maximum, half as much again after a Last Stand; the dying
    /// gain nothing (step 11; decision 22; guide, Healed Out; SP-81, SP-X).
    pub(super) fn gain_health(&mut self, who: Place, amount: i8, ability: Ability) {
        let monster = self.state.at_mut(who);
        if monster.now.health <= 0 {
            return;
        }
        monster.gained = monster.gained.saturating_add(amount);
        let before = monster.max_health;
        if monster.is(Status::LastStanding) || before == 1 {
            // Of a maximum of 1 auras may have taken more than there was (decision 9).
            self.state.refresh(who);
        } else {
            // Has the same result as `refresh`: everything else is as it was, a wound too.
            monster.max_health = before.saturating_add(amount);
            monster.now.health += monster.max_health - before;
        }
        let amount = self.state.at(who).max_health - before;
        if amount == 0 {
            // It already had as much health as numbers hold (decision 12), or auras took it (decision 9).
            return;
        }
        self.tell(Event::Gains { who, ability, amount });
    }

    /// Whose Resurrect brings the dead monster back: its summoner's, else the foremost living carrier's; None where
    /// there is none. Each is used once; the dying bring nobody back (decision 21; guide, Back to Basics; SP-31, SP-X).
    /// The inner None stands for the summoner.
    fn resurrecter(&self, dead: Place) -> Option<Option<Place>> {
        let side = dead.side();
        let unused = |bit: usize| self.state.resurrected >> bit & 1 == 0;
        if self.state.leaders[side.index()].abilities.contains(Ability::Resurrect)
            && unused(FIELD + side.index())
        {
            return Some(None);
        }
        self.state
            .resurrecters
            .and(self.state.team(side))
            .find(|&place| unused(place.index()) && self.state.at(place).now.health > 0)
            .map(Some)
    }

    /// Brings a dead monster back with 1 health and full armor (decision 21; SP-31, SP-74, SP-X).
    #[inline(never)]
    fn returns(&mut self, who: Place, by: Option<Place>) {
        let bit = by.map_or(FIELD + who.side().index(), Place::index);
        self.state.resurrected |= 1 << bit;
        self.state.alive.insert(who);
        // Auras that ended while it was dying count now, and give it nothing.
        self.state.refresh(who);
        let monster = self.state.at_mut(who);
        monster.statuses -= Status::Unshielded;
        monster.now.health = 1;
        self.state.refresh(who);
        let monster = self.state.at_mut(who);
        monster.now.armor = monster.max_armor;
        self.tell(Event::Returns { who, by });
    }

    /// Ends what the dead monster added to teams or took from them (decision 10; guide, Earthquake; SP-74, SP-76).
    #[inline]
    fn end_auras(&mut self, who: Place) {
        let abilities = self.state.at(who).abilities;
        if !abilities.is_disjoint(AURAS) {
            self.take_back(who, auras_of(abilities));
        }
        self.tell(Event::AurasEnd(who));
    }

    /// Takes the dead monster's auras on (friends, enemies) from both teams (decision 10, SP-X).
    #[inline(never)]
    fn take_back(&mut self, who: Place, auras: [Aura; 2]) {
        let side = who.side();
        for (side, aura) in [side, side.other()].into_iter().zip(auras) {
            if aura != Aura::default() {
                self.state.auras[side.index()] -= aura;
                self.state.refresh_team(side, aura);
                if side == who.side() {
                    // The dead monster's own numbers as well, which the official order of ties looks at.
                    self.state.refresh(who);
                }
            }
        }
    }

    /// Redemption: 1 to every enemy, one after the other (step 11, SP-X).
    #[inline(never)]
    fn redeem(&mut self, who: Place) {
        for enemy in Places::of(who.side().other()) {
            if self.state.alive.has(enemy) {
                self.physical(Cause::Redemption, Some(who), enemy, REDEMPTION);
                self.bury_if_dead(enemy);
            }
        }
    }
}
