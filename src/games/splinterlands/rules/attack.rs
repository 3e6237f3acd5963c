//! An attack with everything that follows from it (step 10), in this order: the hit and its effects on the target,
//! Blast on the neighbours, Life Leech, Thorns or Magic Reflect or Return Fire, Retaliate, the target's death, Trample.

use super::Battle;
use super::damage::{Power, Sort};
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::ability::{Abilities, Ability, Infliction};
use crate::games::splinterlands::event::{Attack, Blow, Cause, Event};
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::ruleset::Ruleset;
use crate::games::splinterlands::state::{Place, Places, Status};

/// The chance of Stun, Poison, Affliction and Retaliate, in percent.
const CHANCE_PERCENT: u8 = 50;
/// The most Retaliates in a row: two that cannot hurt each other would go on for ever with some probability.
const MOST_RETALIATES: u8 = 16;
/// Damage of Thorns.
const THORNS: i8 = 2;

const INFLICTING: Abilities = enumset::enum_set!(
    Ability::Stun
        | Ability::Poison
        | Ability::Affliction
        | Ability::Snare
        | Ability::Halving
        | Ability::Shatter
        | Ability::Dispel
);

/// The abilities of the attacker that a hit sets off.
const OF_THE_HITTING: Abilities =
    enumset::enum_set!(INFLICTING | Ability::Blast | Ability::LifeLeech);

/// The abilities of the target that a hit sets off (step 10).
#[inline(always)]
fn answers_to(kind: Attack) -> Abilities {
    match kind {
        Attack::Magic => Ability::MagicReflect.into(),
        Attack::Ranged => Ability::ReturnFire.into(),
        Attack::Melee => Ability::Thorns | Ability::Retaliate,
    }
}

/// The weakest attack that Forcefield stops, and the damage that it lets through.
const FORCEFIELD: (i8, i8) = (5, 1);

/// Half, rounded up (Blast, Magic Reflect, Return Fire, Life Leech; SP-X).
fn half(value: i8) -> i8 {
    value / 2 + value % 2
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// Attacks with everything it has: magic, then ranged, then melee (guide, Super Sneak, Target Practice; SP-45, SP-46,
    /// SP-56).
    ///
    /// The code of an attack that sets nothing off is inlined here, once for each kind; what is rarer is a function
    /// call.
    #[inline(always)]
    pub(super) fn attack_with_all(&mut self, who: Place) {
        self.attack_with(who, Attack::Magic);
        self.attack_with(who, Attack::Ranged);
        self.attack_with(who, Attack::Melee);
    }

    /// Attacks with one kind of attack, if the monster has it, lives, and finds a target (step 7; SP-45, SP-46, SP-56).
    #[inline(always)]
    fn attack_with(&mut self, who: Place, kind: Attack) {
        if self.power(who, kind) > 0
            && self.state.alive.has(who)
            && let Some(target) = self.state.target(who, kind)
        {
            let target = self.scattered(who, target, kind);
            self.attack(who, target, kind, kind.into(), 0);
            self.tell(Event::AttackOver);
        }
    }

    /// The target of an attack after Scattershot, which turns an attack from behind the front on any living enemy (the
    /// later edition, SP-L).
    #[inline(always)]
    fn scattered(&mut self, by: Place, on: Place, kind: Attack) -> Place {
        if kind == Attack::Melee
            || !self.state.at(by).has(Ability::Scattershot)
            || self.state.team(by.side()).is_led_by(by)
        {
            return on;
        }
        let mut enemies = self.state.team(on.side());
        self.chance.about(by.unit());
        let chosen = self.chance.pick(Roll::Scattershot, enemies.len() as usize);
        enemies.nth(chosen).unwrap_or(on)
    }

    /// The strength of the monster's attack of this kind now; 0 where it has none (decision 11).
    #[inline(always)]
    fn power(&self, who: Place, kind: Attack) -> i8 {
        let now = &self.state.at(who).now;
        match kind {
            Attack::Magic => now.magic,
            Attack::Ranged => now.ranged,
            Attack::Melee => now.melee,
        }
    }

    /// One attack. `kind` is the attack used, `cause` why it happens (an own turn, Trample, Retaliate), and `retaliates` of
    /// how many Retaliates in a row it is the last (steps 10 and 11; decisions 19 and 20; SP-20, SP-81, SP-X; Stampede:
    /// SP-L).
    #[inline(always)]
    fn attack(&mut self, by: Place, on: Place, kind: Attack, cause: Cause, retaliates: u8) {
        self.tell(Event::Attacks { by, on, kind, cause });
        let percent = self.state.chance_to_hit(by, on, kind);
        let power = self.power(by, kind);
        self.chance.about(by.unit());
        if kind != Attack::Magic && !self.chance.percent(Roll::Hit, u32::from(percent)) {
            let missed = Blow {
                cause,
                by: Some(by),
                on,
                percent,
                hit: false,
                attack: power,
                power,
                magic: false,
                shielded: false,
                force: 0,
                to_armor: 0,
                to_health: 0,
            };
            self.tell(Event::Blow(missed));
            return;
        }
        let sort = match kind {
            Attack::Magic => Sort::Magic,
            Attack::Ranged | Attack::Melee => {
                Sort::Physical { pierces: self.state.at(by).has(Ability::Piercing) }
            }
        };
        let lost = self.blow(sort, cause, Some(by), on, self.multiplied(by, on, power), percent);
        let felled = self.state.at(on).now.health <= 0;
        if !self.state.at(by).abilities.is_disjoint(OF_THE_HITTING)
            || !self.state.at(on).abilities.is_disjoint(answers_to(kind))
        {
            self.set_off(Hit { by, on, kind, sort, power, lost, retaliates });
        }
        // Otherwise, if the target is dead, it died of what it brought on itself by striking back.
        if felled {
            // While it struck back it may have died already, and even have returned.
            self.bury_if_dead(on);
            if kind == Attack::Melee && self.state.at(by).has(Ability::Trample) {
                self.trample(by, on, cause);
            }
        }
    }

    /// Everything that a hit sets off except for the target's death (step 10; decisions 19 and 20; SP-X).
    #[inline(never)]
    fn set_off(&mut self, hit: Hit) {
        let Hit { by, on, kind, sort, power, lost, retaliates } = hit;
        // Nobody has been buried yet.
        let team = self.state.team(on.side());
        self.inflict(by, on);
        if self.state.at(by).has(Ability::Blast) {
            self.blast(by, on, team, kind, sort, power);
        }
        self.leech(by, lost);
        self.react(by, on, kind, power);
        if kind == Attack::Melee {
            self.retaliate(by, on, retaliates);
        }
    }

    /// The power of a blow: Knock Out and Oppress each double it (guide, Heavy Hitters; SP-83, SP-84, SP-85). Of a blow
    /// that is strong before that, Forcefield lets only 1 through.
    #[inline(always)]
    fn multiplied(&self, by: Place, on: Place, power: i8) -> Power {
        if power >= FORCEFIELD.0 && self.state.at(on).has(Ability::Forcefield) {
            return Power { attack: power, now: FORCEFIELD.1 };
        }
        let attacker = self.state.at(by);
        if attacker.abilities.is_disjoint(Ability::KnockOut | Ability::Oppress) {
            return power.into();
        }
        let stunned = self.state.stunned.has(on) && attacker.has(Ability::KnockOut);
        let unarmed = attacker.has(Ability::Oppress) && !self.state.at(on).attacks();
        let now = power.saturating_mul(1 << (u8::from(stunned) + u8::from(unarmed)));
        Power { attack: power, now }
    }

    /// The effects of a hit on its target, if that lives: who is killed still answers unstunned, and returns, if at all,
    /// without them. The official game throws the dice for dead targets, too; here they fall one way only then, so that
    /// only a source of dice that follows the official numbers takes notice (README, known differences; step 10; guide,
    /// Earthquake, Unprotected; SP-60, SP-72, SP-82, SP-X, SP-L).
    #[inline]
    fn inflict(&mut self, by: Place, on: Place) {
        let abilities = self.state.at(by).abilities & INFLICTING;
        if abilities.is_empty() {
            return;
        }
        self.chance.about(by.unit());
        let lives = self.state.at(on).now.health > 0;
        for ability in abilities {
            let Some(infliction) = ability.infliction() else { continue };
            if !self.can_suffer(on, infliction) {
                continue;
            }
            let die = match infliction {
                Infliction::Stun => Some(Roll::Stun),
                Infliction::Poison => Some(Roll::Poison),
                Infliction::Affliction => Some(Roll::Affliction),
                Infliction::Halving
                | Infliction::Shatter
                | Infliction::Snare
                | Infliction::Dispel => None,
            };
            let percent = if die.is_some() { CHANCE_PERCENT } else { 100 };
            let odds = if lives { u32::from(percent) } else { 0 };
            if die.map_or(lives, |die| self.chance.percent(die, odds)) {
                self.lay_on(by, on, infliction);
                self.tell(Event::Inflicts { by, on, ability, percent });
            }
        }
    }

    /// Whether the effect would change anything about its target (step 10, SP-X).
    #[inline]
    fn can_suffer(&self, on: Place, infliction: Infliction) -> bool {
        let target = self.state.at(on);
        match infliction {
            Infliction::Stun => !self.state.stunned.has(on),
            Infliction::Poison => !self.state.poisoned.has(on),
            Infliction::Affliction => !target.is(Status::Afflicted),
            Infliction::Snare => target.flies(),
            Infliction::Halving => !target.is(Status::Halved) && target.attacks(),
            Infliction::Shatter => target.now.armor > 0,
            Infliction::Dispel => !self.state.strengtheners(on).is_empty(),
        }
    }

    /// Applies the effect to its target (step 10; SP-72, SP-X, SP-L).
    fn lay_on(&mut self, by: Place, on: Place, infliction: Infliction) {
        let target = self.state.at_mut(on);
        match infliction {
            Infliction::Stun => {
                target.stunned_by = by;
                self.state.stunned.insert(on);
            }
            Infliction::Poison => self.state.poisoned.insert(on),
            Infliction::Affliction => target.statuses |= Status::Afflicted,
            Infliction::Snare => target.statuses |= Status::Snared,
            Infliction::Halving => {
                target.statuses |= Status::Halved;
                self.state.refresh(on);
            }
            Infliction::Shatter => target.now.armor = 0,
            Infliction::Dispel => {
                let strengtheners = self.state.strengtheners(on);
                self.state.at_mut(on).dispelled.0 |= strengtheners.0;
                self.state.refresh(on);
            }
        }
    }

    /// Deals half the attack to both neighbours of the target; never misses (step 10; guide, Back to Basics; SP-31,
    /// SP-X).
    fn blast(&mut self, by: Place, on: Place, team: Places, kind: Attack, sort: Sort, power: i8) {
        for neighbour in team.beside(on) {
            if !self.state.alive.has(neighbour) {
                continue;
            }
            let power = half(power);
            if kind != Attack::Magic {
                // It cannot miss, but the official game throws the die.
                self.chance.percent(Roll::Hit, 100);
            }
            let force = self.multiplied(by, neighbour, power);
            let lost = self.blow(sort, Cause::Blast, Some(by), neighbour, force, 100);
            let hit = self.state.at(neighbour);
            if self.state.at(by).has(Ability::Snare) && hit.flies() && hit.now.health > 0 {
                self.lay_on(by, neighbour, Infliction::Snare);
                let ability = Ability::Snare;
                self.tell(Event::Inflicts { by, on: neighbour, ability, percent: 100 });
            }
            self.leech(by, lost);
            if kind != Attack::Melee {
                self.react(by, neighbour, kind, power);
            }
            self.bury_if_dead(neighbour);
        }
    }

    /// The attacker's Life Leech (step 10; guide, Healed Out; SP-81).
    #[inline]
    fn leech(&mut self, by: Place, lost: i8) {
        if lost > 0 && self.state.at(by).has(Ability::LifeLeech) && self.state.alive.has(by) {
            self.gain_health(by, half(lost), Ability::LifeLeech);
        }
    }

    /// The target's reaction to its attacker, even if it is dying. If both die, the target dies first, except by
    /// Thorns, where the attacker does (step 10, decision 19; SP-X).
    #[inline(always)]
    fn react(&mut self, by: Place, on: Place, kind: Attack, power: i8) {
        let own = self.state.at(on).abilities;
        if !own.is_disjoint(answers_to(kind)) && self.state.alive.has(by) {
            self.answer(by, on, kind, power);
        }
    }

    /// The reaction of a target that has an ability for it: Thorns, Return Fire or Magic Reflect (step 10, decision 19;
    /// SP-X).
    #[inline(never)]
    fn answer(&mut self, by: Place, on: Place, kind: Attack, power: i8) {
        let (ability, cause, sort, force) = match kind {
            Attack::Melee => (Ability::Thorns, Cause::Thorns, PHYSICAL, THORNS),
            Attack::Ranged => (Ability::ReturnFire, Cause::ReturnFire, PHYSICAL, half(power)),
            Attack::Magic => (Ability::MagicReflect, Cause::MagicReflect, Sort::Magic, half(power)),
        };
        if !self.state.at(on).has(ability) {
            return;
        }
        self.blow(sort, cause, Some(on), by, force.into(), 100);
        if self.state.at(by).now.health > 0 {
            return;
        }
        if cause != Cause::Thorns {
            self.bury_if_dead(on);
        }
        self.bury_if_dead(by);
    }

    /// A melee target may strike back at once, even when the attack kills it, unless it is stunned; and so may whom it
    /// strikes. Nobody strikes back at the dying (decision 20, SP-X).
    #[inline]
    fn retaliate(&mut self, by: Place, on: Place, before: u8) {
        self.chance.about(on.unit());
        if self.state.at(on).has(Ability::Retaliate)
            && self.state.at(on).now.melee > 0
            && self.state.alive.has(by)
            && self.state.at(by).now.health > 0
            && self.state.alive.has(on)
            && !self.state.stunned.has(on)
            && before < MOST_RETALIATES
            && self.chance.percent(Roll::Retaliate, u32::from(CHANCE_PERCENT))
        {
            self.attack(on, by, Attack::Melee, Cause::Retaliate, before + 1);
        }
    }

    /// After a kill with its own attack, a monster with Trample goes on to the enemy that stood behind the dead one, once
    /// in a turn (step 10, SP-X; Stampede: SP-L).
    #[inline(never)]
    fn trample(&mut self, by: Place, dead: Place, cause: Cause) {
        let goes_on = match cause {
            Cause::Melee => !self.state.trampled.has(by) || self.state.rules(Ruleset::Stampede),
            Cause::Trample => self.state.rules(Ruleset::Stampede),
            _ => false,
        };
        if goes_on
            && self.state.alive.has(by)
            && let Some(next) = self.state.team(dead.side()).after(dead)
        {
            if self.state.at(by).has(Ability::DoubleStrike) {
                self.state.trampled.insert(by);
            }
            if cause == Cause::Trample {
                self.tell(Event::TramplesOn(by));
            }
            self.attack(by, next, Attack::Melee, Cause::Trample, 0);
        }
    }
}

/// An attack that has hit.
struct Hit {
    by: Place,
    on: Place,
    kind: Attack,
    sort: Sort,
    power: i8,
    /// The health that it cost the target.
    lost: i8,
    /// Of how many Retaliates in a row it is the last.
    retaliates: u8,
}

const PHYSICAL: Sort = Sort::Physical { pierces: false };

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn all_that_a_hit_can_lay_on_is_looked_for() {
        for ability in Ability::iter() {
            assert_eq!(INFLICTING.contains(ability), ability.infliction().is_some(), "{ability}");
        }
    }

    #[test]
    fn all_that_a_hit_can_set_off_is_looked_for() {
        use crate::games::splinterlands::ability::Works;
        for ability in Ability::iter() {
            let answers = ability.facts().works == Works::Answer;
            let is_answer = |kind: Attack| answers_to(kind).contains(ability);
            let kinds = [Attack::Magic, Attack::Ranged, Attack::Melee];
            assert_eq!(kinds.into_iter().any(is_answer), answers, "{ability}");
            let inflicts = ability.facts().works == Works::Infliction;
            let comes_of_it = matches!(ability, Ability::Blast | Ability::LifeLeech);
            assert_eq!(OF_THE_HITTING.contains(ability), inflicts || comes_of_it, "{ability}");
        }
    }
}
