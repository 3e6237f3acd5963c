//! The pipeline to choose victims wisely: six tiebreakers, the first above all others (SA-55).

use super::Battle;
use super::known::Strength;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::{Harm, Trigger, Weapon};
use crate::games::sanctum::event::{Choice, Event};
use crate::games::sanctum::open_rules::KillEstimate;
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::state::{GROUP, Minion, Place, Places};

/// One enemy as those see it that choose now, with nothing expected to come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Prospect {
    /// Tiebreakers 3 to 5, which are the same for everybody.
    appeal: i32,
    hit_points: i32,
    armor: i32,
}

impl Prospect {
    #[inline]
    fn of(enemy: &Minion) -> Self {
        let stats = &enemy.stats;
        Self {
            // 3 Highest armor: maximum, not current. 4 Lowest HP. 5 Highest damage of a single attack.
            appeal: appeal(stats.max_armor(), enemy.hit_points, stats.hand.max(stats.missile)),
            hit_points: i32::from(enemy.hit_points),
            armor: i32::from(enemy.armor),
        }
    }
}

/// The enemies as a group sees them that chooses among them now, by their place in their group. One number of all side by side,
/// so that all are weighed at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Prospects {
    /// Tiebreakers 3 to 5.
    appeal: [i32; GROUP],
    /// What is left of their hit points after all damage past armor that is expected to come in the rest of this round.
    hit_points: [i32; GROUP],
    /// What is left of their armor after all damage that armor soaks; below 0 what goes through.
    armor: [i32; GROUP],
}

impl Prospects {
    /// Puts an enemy in.
    #[inline]
    pub(super) fn put(&mut self, of: Place, prospect: Prospect) {
        let Prospect { appeal, hit_points, armor } = prospect;
        self.appeal[of.nth()] = appeal;
        self.hit_points[of.nth()] = hit_points;
        self.armor[of.nth()] = armor;
    }

    #[inline(always)]
    fn expect(&mut self, on: Place, damage: i32, harm: Harm) {
        let (soaked, past_armor) = split(damage, harm);
        self.armor[on.nth()] -= soaked;
        self.hit_points[on.nth()] -= past_armor;
    }

    /// Whether that much more takes an enemy's last hit point, with what is expected. Armor cancels damage one for one, so the
    /// attacks one after the other do what their sum does (tiebreaker 2; SA-48, decision 5).
    #[inline(always)]
    fn is_killed(&self, nth: usize, damage: i32, harm: Harm) -> bool {
        let (soaked, past_armor) = split(damage, harm);
        self.hit_points[nth] - past_armor <= (soaked - self.armor[nth]).max(0)
    }

    /// Whom the same damage kills, as bits; places where nobody is count as well.
    #[inline(always)]
    fn killed(&self, damage: i32, harm: Harm) -> u8 {
        let mut killed = 0;
        for nth in 0..GROUP {
            killed |= u8::from(self.is_killed(nth, damage, harm)) << nth;
        }
        killed
    }
}

/// How much of some damage armor soaks, as far as there is armor, and how much comes past it.
#[inline(always)]
fn split(damage: i32, harm: Harm) -> (i32, i32) {
    if harm == Harm::Plain { (damage, 0) } else { (0, damage) }
}

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// The enemies of a minion that is about to choose, with what its comrades are expected to do to them in the rest
    /// of this round: those with a victim and attacks left to that one, and, where the scenario counts them together,
    /// the other shooters to any (tiebreakers 2 to 5; SA-48, SA-49, SA-50, SA-51; decision 5).
    #[inline]
    pub(super) fn prospects(&mut self, chooser: Place) -> Prospects {
        let mut prospects = Prospects::default();
        self.note_prospects(chooser, &mut prospects);
        prospects
    }

    fn note_prospects(&mut self, chooser: Place, prospects: &mut Prospects) {
        let precedence = chooser.precedence();
        let enemies = self.state.group(precedence.other());
        for enemy in self.known.unseen(enemies) {
            let prospect = Prospect::of(self.state.at(enemy));
            self.known.note_prospect(enemy, prospect);
        }
        *prospects = *self.known.prospects(precedence.other());
        for who in self.state.group(precedence) {
            if self.state.at(who).attacks == 0 {
                continue;
            }
            if let Some(victim) = self.state.victim(who) {
                self.expect(who, victim, prospects);
            } else if who != chooser && self.counts_together(who) {
                for enemy in self.state.enemies(who) {
                    self.expect(who, enemy, prospects);
                }
            }
        }
    }

    /// Whether a minion without a victim counts in the estimates of its comrades (tiebreaker 2; SA-48, decision 5).
    #[inline]
    fn counts_together(&self, who: Place) -> bool {
        match self.setup.open.kill_estimate {
            KillEstimate::Chosen => false,
            KillEstimate::ShootersTogether => self.state.shooters.has(who),
        }
    }

    /// Adds what an attacker is expected to do to its victim in the rest of this round (tiebreaker 2; SA-48, decision 5).
    #[inline]
    pub(super) fn expect(&mut self, who: Place, victim: Place, prospects: &mut Prospects) {
        let harm = self.strength(who).harm;
        prospects.expect(victim, self.damage_of_attacks(who, victim), harm);
    }

    /// What all its remaining attacks deal to an enemy, as far as no die decides that (tiebreaker 2; SA-48, decision 5).
    #[inline]
    fn damage_of_attacks(&mut self, who: Place, on: Place) -> i32 {
        let strength = self.strength(who);
        let of_one =
            if strength.is_same_to_all { strength.amount } else { self.damage_of_attack(who, on) };
        i32::from(of_one) * i32::from(self.state.at(who).attacks)
    }

    /// Chooses among the enemies, of whom there is at least one, by the "Wise Targeting Tiebreakers" (SA-47, SA-48, SA-49,
    /// SA-50, SA-51, SA-52, SA-55).
    pub(super) fn choose_victim_wisely(&mut self, who: Place, prospects: &Prospects) -> Place {
        let strength = self.strength(who);
        let enemies = self.state.enemies(who);
        // 1 Non-immune.
        let immune = self.seem_immune_to(who, strength);
        let best = enemies.without(immune).or_if_none(enemies);
        // 2 Instant kill.
        let killed = if strength.is_same_to_all {
            let damage = i32::from(strength.amount) * i32::from(self.state.at(who).attacks);
            let killed = prospects.killed(damage, strength.harm);
            Places::in_group(who.precedence().other(), killed)
        } else {
            let mut killed = Places::default();
            for enemy in best {
                let damage = self.damage_of_attacks(who, enemy);
                if prospects.is_killed(enemy.nth(), damage, strength.harm) {
                    killed.insert(enemy);
                }
            }
            killed
        };
        let best = best.and(killed).or_if_none(best);
        // 3 to 5.
        let mut most = i32::MIN;
        let mut equals = Places::default();
        for enemy in best {
            let appeal = prospects.appeal[enemy.nth()];
            if appeal > most {
                most = appeal;
                equals = Places::only(enemy);
            } else if appeal == most {
                equals.insert(enemy);
            }
        }
        // 6 Random.
        let (victim, among) = match equals.single() {
            Some(victim) => (victim, 1),
            None => {
                let among = equals.len();
                (equals.nth(self.chance.pick(Roll::TargetTie, among)), among)
            }
        };
        self.state.at_mut(who).victim = victim;
        self.tell(Event::Chooses { who, victim, how: Choice::Wisely, among: among as u8 });
        victim
    }

    /// The enemies that are immune or quasi-immune to a minion's attacks; nobody is to magical ones (Combat Damage
    /// (Quasi-)Immunities; SA-47, SA-53, SA-54; decision 9).
    #[inline(always)]
    fn seem_immune_to(&self, who: Place, strength: Strength) -> Places {
        let Strength { weapon, harm, .. } = strength;
        if harm == Harm::Magical {
            return Places::default();
        }
        let quasi =
            if weapon == Weapon::Missile { self.state.repelling } else { Places::default() };
        let triggers = self.state.triggers[who.precedence().other().index()];
        if triggers.is_disjoint(Trigger::IsHit | Trigger::AfterArmor) {
            quasi
        } else {
            quasi.or(self.immune_to(who, weapon))
        }
    }
}

/// Tiebreakers 3 to 5 as one number: a higher armor outweighs all hit points and damage, fewer hit points all damage. Damage
/// takes 8 bits, hit points 16, armor is below 128.
#[inline(always)]
fn appeal(max_armor: i16, hit_points: i16, damage: i8) -> i32 {
    (i32::from(max_armor) << 24) - (i32::from(hit_points) << 8) + i32::from(damage)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::sanctum::state::Precedence;

    #[test]
    fn an_earlier_tiebreaker_outweighs_all_later_ones() {
        let in_order =
            [(0, 999, 0), (0, 999, 99), (0, 1, -99), (99, 999, -99), (99, 1, 99), (127, 999, -128)];
        let appeals = in_order.map(|(armor, hp, damage)| appeal(armor, hp, damage));
        assert!(appeals.windows(2).all(|pair| pair[0] < pair[1]));
    }

    /// What is left of a minion after attacks one after the other.
    fn is_killed_by_and_by(hit_points: i16, armor: i16, attacks: &[(i32, Harm)]) -> bool {
        let (mut hit_points, mut armor) = (i32::from(hit_points), i32::from(armor));
        for &(damage, harm) in attacks {
            let soaked = if harm == Harm::Plain { damage.min(armor) } else { 0 };
            armor -= soaked;
            hit_points -= damage - soaked;
        }
        hit_points <= 0
    }

    proptest! {
        #[test]
        fn appeals_are_in_the_order_of_their_tiebreakers(
            one in (0i16..128, any::<i16>(), any::<i8>()),
            other in (0i16..128, any::<i16>(), any::<i8>()),
        ) {
            let number = |(armor, hp, damage)| appeal(armor, hp, damage);
            let tiebreakers = |(armor, hp, damage): (i16, i16, i8)| (armor, -i32::from(hp), damage);
            let of_numbers = number(one).cmp(&number(other));
            prop_assert_eq!(of_numbers, tiebreakers(one).cmp(&tiebreakers(other)));
        }

        #[test]
        fn those_are_killed_who_have_no_hit_point_left(
            enemies in prop::collection::vec((1i16..30, 0i16..12), GROUP),
            expected in prop::collection::vec((0..GROUP, 0i32..15, any::<bool>()), 0..12),
            damage in 0i32..30,
            is_plain: bool,
        ) {
            let harm = |is_plain| if is_plain { Harm::Plain } else { Harm::IgnoresArmor };
            let mut prospects = Prospects::default();
            for (nth, &(hit_points, armor)) in enemies.iter().enumerate() {
                let [hit_points, armor] = [hit_points, armor].map(i32::from);
                let place = Place::of(Precedence::Low, nth);
                prospects.put(place, Prospect { appeal: 0, hit_points, armor });
            }
            for &(nth, damage, is_plain) in &expected {
                prospects.expect(Place::of(Precedence::Low, nth), damage, harm(is_plain));
            }
            let killed = prospects.killed(damage, harm(is_plain));
            for (nth, &(hit_points, armor)) in enemies.iter().enumerate() {
                let on_it = expected.iter().filter(|(on, ..)| *on == nth);
                let attacks = on_it.map(|&(_, damage, is_plain)| (damage, harm(is_plain)));
                let attacks: Vec<_> = attacks.chain([(damage, harm(is_plain))]).collect();
                let is_killed = is_killed_by_and_by(hit_points, armor, &attacks);
                prop_assert_eq!(killed >> nth & 1 == 1, is_killed);
                prop_assert_eq!(prospects.is_killed(nth, damage, harm(is_plain)), is_killed);
            }
        }
    }
}
