//! What a blow does (step 9): Divine Shield, Shield or Void, armor, health.

use super::Battle;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::ability::Ability;
use crate::games::splinterlands::event::{Blow, Cause, Event};
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::{Place, Status};

/// The sort of damage that a blow does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// Halved by Shield; hits armor first. What the armor does not take is lost, unless it pierces.
    Physical {
        /// Whether the rest goes on to health.
        pierces: bool,
    },
    /// Halved by Void; passes armor by, except under Weak Magic.
    Magic,
}

/// How strong a blow is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Power {
    /// The strength of the attack that it comes from, before anything multiplies or stops it.
    pub attack: i8,
    /// The damage that it would do to an unprotected target.
    pub now: i8,
}

impl From<i8> for Power {
    #[inline(always)]
    fn from(power: i8) -> Self {
        Self { attack: power, now: power }
    }
}

/// Half of a blow, rounded up; but a blow of 1 does nothing (Shield, Void; SP-65, SP-70, SP-X).
fn softened(power: i8) -> i8 {
    if power <= 1 { 0 } else { power / 2 + power % 2 }
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// A physical blow that nobody can dodge and that does not pierce (guide, Earthquake; SP-70, SP-71).
    #[inline(never)]
    pub(super) fn physical(&mut self, cause: Cause, by: Option<Place>, on: Place, power: i8) -> i8 {
        self.blow(Sort::Physical { pierces: false }, cause, by, on, power.into(), 100)
    }

    /// Deals a blow that has hit and returns the health it cost (guide, Weak Magic; SP-61, SP-62, SP-63, SP-64, SP-65,
    /// SP-66; Divine Shield: decision 15).
    #[inline(always)]
    pub(super) fn blow(
        &mut self,
        sort: Sort,
        cause: Cause,
        by: Option<Place>,
        on: Place,
        power: Power,
        percent: u8,
    ) -> i8 {
        let Power { attack, now: power } = power;
        let weak_magic = self.state.rules(Ruleset::WeakMagic);
        let target = self.state.at_mut(on);
        let (mut force, mut to_armor, mut to_health) = (0, 0, 0);
        let shielded = target.has(Ability::DivineShield) && !target.is(Status::Unshielded);
        if shielded {
            target.statuses |= Status::Unshielded;
        } else {
            let softening = if sort == Sort::Magic { Ability::Void } else { Ability::Shield };
            force = if target.has(softening) { softened(power) } else { power };
            (to_armor, to_health) = match sort {
                Sort::Magic if !weak_magic => (0, force),
                _ if target.now.armor == 0 => (0, force),
                Sort::Physical { pierces: true } => {
                    (force.min(target.now.armor), (force - target.now.armor).max(0))
                }
                _ => (force.min(target.now.armor), 0),
            };
            to_health = to_health.min(target.now.health);
            target.now.armor -= to_armor;
            target.now.health -= to_health;
        }
        self.health_changed(on, to_health);
        self.tell(Event::Blow(Blow {
            cause,
            by,
            on,
            percent,
            hit: true,
            attack,
            power,
            magic: sort == Sort::Magic,
            shielded,
            force,
            to_armor,
            to_health,
        }));
        if shielded {
            self.tell(Event::Shielded(on));
        }
        to_health
    }

    /// Takes health that nothing protects (poison, fatigue; step 4, SP-X).
    pub(super) fn lose_health(&mut self, cause: Cause, on: Place, power: i8) {
        let target = self.state.at_mut(on);
        let to_health = power.min(target.now.health);
        target.now.health -= to_health;
        self.health_changed(on, to_health);
        self.tell(Event::Blow(Blow {
            cause,
            by: None,
            on,
            percent: 100,
            hit: true,
            attack: power,
            power,
            magic: false,
            shielded: false,
            force: power,
            to_armor: 0,
            to_health,
        }));
    }

    /// Enrage comes and goes with wounds (step 3, SP-X). `lost` is how much health has just been lost, below 0 where it
    /// was gained.
    #[inline(always)]
    pub(super) fn health_changed(&mut self, place: Place, lost: i8) {
        if self.state.at(place).has(Ability::Enrage) {
            self.rage(place, lost);
        }
    }

    /// Updates the numbers of a monster with Enrage, where the change of its health makes a difference to them.
    #[inline(never)]
    fn rage(&mut self, place: Place, lost: i8) {
        let monster = self.state.at(place);
        let was_wounded = monster.now.health + lost < monster.max_health;
        // A dying monster may have numbers of an aura that is gone.
        if was_wounded != monster.is_wounded() || monster.now.health <= 0 {
            self.state.refresh(place);
        }
    }
}
