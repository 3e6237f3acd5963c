//! An attack with everything that comes of it (section 7), in this order: the hit and what it lays on the
//! target, Blast on the neighbours, Life Leech, Thorns or Magic Reflect or Return Fire, Retaliate, the
//! target's death, Trample.

use super::Battle;
use super::damage::Sort;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::ability::{Abilities, Ability};
use crate::games::splinterlands::event::{Blow, Cause, Event};
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::state::{Place, Places, Status};

/// Percent of Stun, Poison, Affliction and Retaliate.
const LUCK: u8 = 50;
/// Damage of Thorns.
const THORNS: i8 = 2;

const INFLICTING: Abilities = enumset::enum_set!(
    Ability::Stun
        | Ability::Poison
        | Ability::Affliction
        | Ability::Snare
        | Ability::Halving
        | Ability::Shatter
);

/// Half, rounded up (Blast, Magic Reflect, Return Fire, Life Leech).
fn half(value: i8) -> i8 {
    value / 2 + value % 2
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// Attacks with everything it has: magic, then ranged, then melee.
    pub(super) fn attack_with_all(&mut self, who: Place) {
        for kind in [Cause::Magic, Cause::Ranged, Cause::Melee] {
            let power = self.power(who, kind);
            if power > 0
                && self.state.alive.has(who)
                && let Some(target) = self.state.target(who, kind)
            {
                self.attack(who, target, kind, kind);
                self.tell(Event::AttackOver);
            }
        }
    }

    fn power(&self, who: Place, kind: Cause) -> i8 {
        let now = &self.state.at(who).now;
        match kind {
            Cause::Magic => now.magic,
            Cause::Ranged => now.ranged,
            _ => now.melee,
        }
    }

    /// One attack. `kind` is the attack used, `cause` why it happens (an own turn, Trample, Retaliate).
    fn attack(&mut self, by: Place, on: Place, kind: Cause, cause: Cause) {
        let percent = self.state.chance_to_hit(by, on, kind);
        let power = self.power(by, kind);
        self.chance.about(by.unit());
        if !self.chance.percent(Roll::Hit, u32::from(percent)) {
            let missed = Blow {
                cause,
                by: Some(by),
                on,
                percent,
                hit: false,
                power,
                to_armor: 0,
                to_health: 0,
            };
            self.tell(Event::Blow(missed));
            return;
        }
        let sort = match kind {
            Cause::Magic => Sort::Magic,
            _ => Sort::Physical { pierces: self.state.at(by).has(Ability::Piercing) },
        };
        let team = self.state.team(on.side());
        let lost = self.blow(sort, cause, Some(by), on, self.multiplied(by, on, power), percent);
        self.inflict(by, on);
        if self.state.at(by).has(Ability::Blast) {
            self.blast(by, on, team, kind, sort, power);
        }
        self.leech(by, lost);
        self.react(by, on, kind, power);
        if kind == Cause::Melee && cause != Cause::Retaliate {
            self.retaliate(by, on);
        }
        if self.state.at(on).now.health > 0 || !self.state.alive.has(on) {
            return;
        }
        self.dies(on);
        if kind == Cause::Melee && cause == Cause::Melee {
            self.trample(by, on);
        }
    }

    /// Knock Out and Oppress each double a blow (SP-83, SP-84).
    fn multiplied(&self, by: Place, on: Place, power: i8) -> i8 {
        let attacker = self.state.at(by);
        let stunned = self.state.stunned.has(on) && attacker.has(Ability::KnockOut);
        let unarmed = attacker.has(Ability::Oppress) && !self.state.at(on).attacks();
        power.saturating_mul(1 << (u8::from(stunned) + u8::from(unarmed)))
    }

    /// What a hit lays on its target, if that lives.
    #[inline]
    fn inflict(&mut self, by: Place, on: Place) {
        let abilities = self.state.at(by).abilities & INFLICTING;
        if abilities.is_empty() || self.state.at(on).now.health <= 0 {
            return;
        }
        self.chance.about(by.unit());
        for ability in abilities {
            let target = self.state.at(on);
            let percent = match ability {
                Ability::Stun if !self.state.stunned.has(on) => self.lucky(Roll::Stun),
                Ability::Poison if !self.state.poisoned.has(on) => self.lucky(Roll::Poison),
                Ability::Affliction if !target.is(Status::Afflicted) => {
                    self.lucky(Roll::Affliction)
                }
                Ability::Snare if target.flies() => Some(100),
                Ability::Halving if !target.is(Status::Halved) => Some(100),
                Ability::Shatter if target.now.armor > 0 => Some(100),
                _ => None,
            };
            if let Some(percent) = percent {
                self.lay_on(by, on, ability);
                self.tell(Event::Inflicts { by, on, ability, percent });
            }
        }
    }

    fn lucky(&mut self, roll: Roll) -> Option<u8> {
        self.chance.percent(roll, u32::from(LUCK)).then_some(LUCK)
    }

    fn lay_on(&mut self, by: Place, on: Place, ability: Ability) {
        let target = self.state.at_mut(on);
        match ability {
            Ability::Stun => {
                target.stunned_by = by;
                self.state.stunned.insert(on);
            }
            Ability::Poison => self.state.poisoned.insert(on),
            Ability::Affliction => target.statuses |= Status::Afflicted,
            Ability::Snare => target.statuses |= Status::Snared,
            Ability::Halving => {
                target.statuses |= Status::Halved;
                self.state.refresh(on);
            }
            Ability::Shatter => target.now.armor = 0,
            other => unreachable!("{other} is not laid on by a hit"),
        }
    }

    /// Half the attack on both neighbours of the target; never misses (section 4).
    fn blast(&mut self, by: Place, on: Place, team: Places, kind: Cause, sort: Sort, power: i8) {
        for neighbour in [team.before(on), team.after(on)].into_iter().flatten() {
            if !self.state.alive.has(neighbour) {
                continue;
            }
            let power = half(power);
            let force = self.multiplied(by, neighbour, power);
            let lost = self.blow(sort, Cause::Blast, Some(by), neighbour, force, 100);
            if self.state.at(by).has(Ability::Snare) && self.state.at(neighbour).flies() {
                self.lay_on(by, neighbour, Ability::Snare);
                let ability = Ability::Snare;
                self.tell(Event::Inflicts { by, on: neighbour, ability, percent: 100 });
            }
            self.leech(by, lost);
            if kind != Cause::Melee {
                self.react(by, neighbour, kind, power);
            }
            if self.state.at(neighbour).now.health <= 0 && self.state.alive.has(neighbour) {
                self.dies(neighbour);
            }
        }
    }

    #[inline]
    fn leech(&mut self, by: Place, lost: i8) {
        if lost > 0 && self.state.at(by).has(Ability::LifeLeech) && self.state.alive.has(by) {
            self.gain_health(by, half(lost), Ability::LifeLeech);
        }
    }

    /// What the target does to its attacker, dying or not.
    #[inline]
    fn react(&mut self, by: Place, on: Place, kind: Cause, power: i8) {
        let target = self.state.at(on);
        let (ability, cause, sort, force) = match kind {
            Cause::Melee => (Ability::Thorns, Cause::Thorns, PHYSICAL, THORNS),
            Cause::Ranged => (Ability::ReturnFire, Cause::ReturnFire, PHYSICAL, half(power)),
            _ => (Ability::MagicReflect, Cause::MagicReflect, Sort::Magic, half(power)),
        };
        if target.has(ability) && self.state.alive.has(by) {
            self.blow(sort, cause, Some(on), by, force, 100);
            if self.state.at(by).now.health <= 0 {
                self.dies(by);
            }
        }
    }

    /// A melee target may strike back at once, even when the attack kills it.
    #[inline]
    fn retaliate(&mut self, by: Place, on: Place) {
        self.chance.about(on.unit());
        if self.state.at(on).has(Ability::Retaliate)
            && self.state.at(on).now.melee > 0
            && self.state.alive.has(by)
            && self.state.alive.has(on)
            && self.chance.percent(Roll::Retaliate, u32::from(LUCK))
        {
            self.attack(on, by, Cause::Melee, Cause::Retaliate);
        }
    }

    /// After a kill the attacker goes on to whoever stood behind the dead.
    #[inline]
    fn trample(&mut self, by: Place, dead: Place) {
        if self.state.at(by).has(Ability::Trample)
            && self.state.alive.has(by)
            && let Some(next) = self.state.team(dead.side()).after(dead)
        {
            self.attack(by, next, Cause::Melee, Cause::Trample);
        }
    }
}

const PHYSICAL: Sort = Sort::Physical { pierces: false };
