//! What a monster does for its team before it attacks, and a summoner at the start of a round: Cleanse,
//! Tank Heal, Repair, Triage, Heal, in this order (step 6).

use enumset::{EnumSet, enum_set};

use super::Battle;
use super::stats::DEBUFFS;
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::event::Event;
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::state::{Monster, Place, Places, Status};

const SUPPORT: Abilities = enum_set!(
    Ability::Cleanse | Ability::TankHeal | Ability::Repair | Ability::Triage | Ability::Heal
);

/// The statuses that are no debuffs and stay through Cleanse.
const KEPT: EnumSet<Status> = enum_set!(Status::Unshielded | Status::LastStanding);

/// Armor given back by Repair (SP-25, SP-X).
const REPAIR: i8 = 2;

/// Health given back by one act of healing: a third of the maximum, rounded down, at least 2 (SP-X).
fn healing(monster: &Monster) -> i8 {
    (monster.max_health / 3).max(2)
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// What a monster does before it attacks (step 6, SP-X).
    #[inline]
    pub(super) fn support(&mut self, who: Place) {
        let abilities = self.state.at(who).abilities & SUPPORT;
        if !abilities.is_empty() {
            self.support_with(abilities, who.side(), Some(who));
        }
    }

    /// What a summoner does at the start of a round (guide, Back to Basics; SP-31, SP-32).
    pub(super) fn summoner_acts(&mut self, side: Side) {
        let abilities = self.state.leaders[side.index()].abilities & SUPPORT;
        self.support_with(abilities, side, None);
    }

    /// Lets a monster, or a summoner, use those of these abilities that it has: Cleanse, Tank Heal, Repair, Triage,
    /// Heal (step 6; SP-31, SP-32, SP-80, SP-X).
    fn support_with(&mut self, abilities: Abilities, side: Side, by: Option<Place>) {
        let team = self.state.team(side);
        let Some(front) = team.first() else { return };
        if abilities.contains(Ability::Cleanse) {
            self.cleanse(front, by);
        }
        if abilities.contains(Ability::TankHeal) {
            self.heal(front, by, Ability::TankHeal);
        }
        if abilities.contains(Ability::Repair) {
            self.repair(team, by);
        }
        if abilities.contains(Ability::Triage) {
            let mut back = team;
            back.remove(front);
            if let Some(worst) = self.most_wounded(back) {
                self.heal(worst, by, Ability::Triage);
            }
        }
        if abilities.contains(Ability::Heal)
            && let Some(who) = by
        {
            self.heal(who, by, Ability::Heal);
        }
    }

    /// Whether a monster can be healed: it is wounded, and neither Affliction nor the enemy's summoner prevents it
    /// (guide, Back to Basics, Healed Out; SP-28, SP-29, SP-30, SP-82).
    fn can_be_healed(&self, place: Place) -> bool {
        let monster = self.state.at(place);
        monster.is_wounded()
            && !monster.is(Status::Afflicted)
            && !self.state.leaders[place.side().index()].cursed
    }

    /// The monster that lacks most health, the foremost of equals, whether it can be healed or not (SP-32, SP-X).
    fn most_wounded(&self, among: Places) -> Option<Place> {
        let lack = |place: Place| {
            let monster = self.state.at(place);
            monster.max_health - monster.now.health
        };
        among.max_by_key(|&place| (lack(place), std::cmp::Reverse(place)))
    }

    /// Heals a monster, by Heal, Tank Heal or Triage (step 6, SP-X).
    fn heal(&mut self, on: Place, by: Option<Place>, ability: Ability) {
        if !self.can_be_healed(on) {
            return;
        }
        let monster = self.state.at_mut(on);
        let amount = healing(monster).min(monster.max_health - monster.now.health);
        monster.now.health += amount;
        self.health_changed(on, -amount);
        self.tell(Event::Mends { by, on, ability, amount });
    }

    /// Gives armor to the monster that lacks most of it, the foremost of equals (guide, Armored Up, Unprotected; SP-25,
    /// SP-60, SP-X).
    fn repair(&mut self, team: Places, by: Option<Place>) {
        let lack = |place: Place| {
            let monster = self.state.at(place);
            monster.max_armor - monster.now.armor
        };
        let most = team.max_by_key(|&place| (lack(place), std::cmp::Reverse(place)));
        let Some(on) = most.filter(|&place| lack(place) > 0) else { return };
        let amount = lack(on).min(REPAIR);
        self.state.at_mut(on).now.armor += amount;
        self.tell(Event::Mends { by, on, ability: Ability::Repair, amount });
    }

    /// Takes off the front ally what enemy monsters have done to it; what their summoner does stays (decision 17;
    /// guide, Earthquake; SP-72, SP-X).
    fn cleanse(&mut self, on: Place, by: Option<Place>) {
        let enemies = self.state.team(on.side().other());
        let weakening = DEBUFFS | Ability::Blind;
        let weakeners =
            enemies.filter(|&place| !self.state.at(place).abilities.is_disjoint(weakening));
        let weakeners = Places(weakeners.fold(0, |bits, place| bits | 1 << place.0));
        let (stunned, poisoned) = (self.state.stunned.has(on), self.state.poisoned.has(on));
        let monster = self.state.at_mut(on);
        let statuses = monster.statuses - KEPT;
        let fresh = weakeners.without(monster.cleansed);
        let clean = statuses.is_empty() && fresh.is_empty();
        if clean && !(stunned || poisoned) {
            return;
        }
        monster.statuses &= KEPT;
        monster.cleansed.0 |= weakeners.0;
        self.state.stunned.remove(on);
        self.state.poisoned.remove(on);
        self.state.refresh(on);
        self.tell(Event::Cleanses { by, on, statuses, stunned, poisoned, weakeners: fresh });
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::games::splinterlands::ability::Works;

    #[test]
    fn support_is_said_in_the_rows() {
        for ability in Ability::iter() {
            let supports = ability.facts().works == Works::Support;
            assert_eq!(SUPPORT.contains(ability), supports, "{ability}");
        }
    }
}
