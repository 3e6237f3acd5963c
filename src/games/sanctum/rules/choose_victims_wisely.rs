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

/// The properties of an enemy that a choice weighs, before any expected damage.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Prospect {
    /// Tiebreakers 3 to 5 as one number, which is the same for every chooser.
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

/// The ranking of a group's minions by appeal (tiebreakers 3 to 5). There is a byte for each rank, the most
/// appealing rank in the lowest byte, with the minions of this rank as bits, so that the best of any set is found
/// without a loop.
#[derive(Clone, Copy, Default)]
struct Ranks(u64);

impl Ranks {
    fn of(appeal: &[i32; GROUP]) -> Self {
        let mut above = [0_i32; GROUP];
        for other in appeal {
            for (above, own) in above.iter_mut().zip(appeal) {
                *above += i32::from(other > own);
            }
        }
        let one = |(nth, above): (usize, i32)| 1 << (8 * above + nth as i32);
        Self(above.into_iter().enumerate().map(one).fold(0, |ranks, one| ranks | one))
    }

    /// The minions of `some` that no other of them surpasses; both are bits by place.
    #[inline(always)]
    fn first_of(self, some: u8) -> u8 {
        let of_each_rank = self.0 & bytes::in_every(some);
        // Takes the first rank that has any of them; all lower bytes are empty.
        (of_each_rank >> (of_each_rank.trailing_zeros() & 56)) as u8
    }
}

/// Words of eight bytes, with a number for each place in a group.
mod bytes {
    /// The top bit of every byte.
    pub const TOPS: u64 = 0x8080_8080_8080_8080;

    /// A word with this number in every byte.
    #[inline(always)]
    pub fn in_every(number: u8) -> u64 {
        u64::from(number) * 0x0101_0101_0101_0101
    }

    /// The top bits of all bytes, the first byte's in the lowest bit.
    #[inline(always)]
    pub fn tops(bytes: u64) -> u8 {
        // The factor has a bit in every seventh place, so that the product's top byte gathers one bit of every
        // byte.
        ((bytes >> 7 & in_every(1)).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }

    /// This word with the byte of one place replaced.
    #[inline(always)]
    pub fn with(bytes: u64, nth: usize, number: u8) -> u64 {
        bytes & !(0xFF << (8 * nth)) | u64::from(number) << (8 * nth)
    }
}

/// The minions of a group as all enemies that choose among them see them, by place in the group.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// Tiebreakers 3 to 5 of each.
    appeal: [i32; GROUP],
    /// Their ranks, hit points and armor, before any expected damage.
    prospects: Prospects,
}

impl Seen {
    /// Adds an enemy. Its rank is set later, by `rank`.
    #[inline]
    pub(super) fn put(&mut self, of: Place, prospect: Prospect) {
        let Prospect { appeal, hit_points, armor } = prospect;
        self.appeal[of.nth()] = appeal;
        self.prospects.hit_points[of.nth()] = hit_points;
        self.prospects.armor[of.nth()] = armor;
        self.prospects.note_need(of.nth());
    }

    /// Their prospects, before any expected damage.
    #[inline]
    pub(super) fn prospects(&self) -> &Prospects {
        &self.prospects
    }

    /// Ranks the minions, once all are added.
    #[inline]
    pub(super) fn rank(&mut self) {
        self.prospects.ranks = Ranks::of(&self.appeal);
    }
}

/// The enemies as a group that chooses now sees them, by place in their group, with the damage expected in the
/// rest of this round. Each field holds one property of all enemies side by side, so that all are weighed at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Prospects {
    /// The ranking by tiebreakers 3 to 5.
    ranks: Ranks,
    /// The hit points left after all damage past armor that is expected in the rest of this round.
    hit_points: [i32; GROUP],
    /// The armor left after all expected damage that armor soaks; a number below 0 is damage that goes through.
    armor: [i32; GROUP],
    /// How much more damage of the sort that armor soaks kills each enemy: a byte for each, at most `ENOUGH`.
    need: u64,
}

/// The damage below which all enemies are compared at once, in `killed`.
const ENOUGH: i32 = 128;

impl Prospects {
    #[inline(always)]
    fn expect(&mut self, on: Place, damage: i32, harm: Harm) {
        let (soaked, past_armor) = split(damage, harm);
        self.armor[on.nth()] -= soaked;
        self.hit_points[on.nth()] -= past_armor;
        self.note_need(on.nth());
    }

    #[inline(always)]
    fn note_need(&mut self, nth: usize) {
        let hit_points = self.hit_points[nth];
        let with_armor = (hit_points + self.armor[nth]).clamp(0, ENOUGH);
        let need = if hit_points > 0 { with_armor } else { 0 };
        self.need = bytes::with(self.need, nth, need as u8);
    }

    /// Whether this much more damage takes an enemy's last hit point, with the damage expected already. Armor
    /// cancels damage one for one, so single attacks in a row do what their sum does (tiebreaker 2; SA-48,
    /// decision 5).
    #[inline(always)]
    fn is_killed(&self, nth: usize, damage: i32, harm: Harm) -> bool {
        let (soaked, past_armor) = split(damage, harm);
        self.hit_points[nth] - past_armor <= (soaked - self.armor[nth]).max(0)
    }

    /// The enemies that the same damage kills, as bits by place; empty places count too.
    #[inline(always)]
    fn killed(&self, damage: i32, harm: Harm) -> u8 {
        if harm == Harm::Plain && damage < ENOUGH {
            // The subtraction leaves a byte's top bit where the need is at most the damage.
            return bytes::tops(
                (bytes::in_every(damage as u8) | bytes::TOPS).wrapping_sub(self.need),
            );
        }
        let is_killed = |&nth: &usize| self.is_killed(nth, damage, harm);
        (0..GROUP).filter(is_killed).fold(0, |killed, nth| killed | 1 << nth)
    }
}

/// Splits damage into the part that armor soaks, as far as there is armor, and the part that ignores armor.
#[inline(always)]
fn split(damage: i32, harm: Harm) -> (i32, i32) {
    if harm == Harm::Plain { (damage, 0) } else { (0, damage) }
}

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// The enemies of a minion that is about to choose, with the damage that its comrades are expected to do in
    /// the rest of this round: comrades that have a victim and attacks left damage that victim, and, where the
    /// scenario counts shooters together, the other shooters damage every enemy (tiebreakers 2 to 5; SA-48, SA-49,
    /// SA-50, SA-51; decision 5). `comrades` must contain everybody from whom damage can be expected.
    #[inline]
    pub(super) fn prospects(&mut self, chooser: Place, comrades: Places) -> Prospects {
        let mut prospects = Prospects::default();
        self.note_prospects(chooser, comrades, &mut prospects);
        prospects
    }

    fn note_prospects(&mut self, chooser: Place, comrades: Places, prospects: &mut Prospects) {
        let precedence = chooser.precedence();
        let enemies = self.state.group(precedence.other());
        let unseen = self.known.unseen(enemies);
        if !unseen.is_empty() {
            for enemy in unseen {
                let prospect = Prospect::of(self.state.at(enemy));
                self.known.note_prospect(enemy, prospect);
            }
            self.known.rank(precedence.other());
        }
        *prospects = *self.known.prospects(precedence.other());
        for who in comrades {
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

    /// Whether a minion without a victim counts in its comrades' estimates (tiebreaker 2; SA-48, decision 5).
    #[inline]
    fn counts_together(&self, who: Place) -> bool {
        match self.setup.open.kill_estimate {
            KillEstimate::Chosen => false,
            KillEstimate::ShootersTogether => self.state.shooters.has(who),
        }
    }

    /// Adds the damage that an attacker is expected to do to its victim in the rest of this round (tiebreaker 2;
    /// SA-48, decision 5).
    #[inline]
    pub(super) fn expect(&self, who: Place, victim: Place, prospects: &mut Prospects) {
        let harm = self.strength(who).harm;
        prospects.expect(victim, self.damage_of_attacks(who, victim), harm);
    }

    /// The damage of all remaining attacks of a minion on an enemy, without anything that a die decides
    /// (tiebreaker 2; SA-48, decision 5).
    #[inline]
    fn damage_of_attacks(&self, who: Place, on: Place) -> i32 {
        let strength = self.strength(who);
        let of_one =
            if strength.is_same_to_all { strength.amount } else { self.damage_of_attack(who, on) };
        i32::from(of_one) * i32::from(self.state.at(who).attacks)
    }

    /// Chooses a minion's victim among the enemies, of which there must be at least one, by the "Wise Targeting
    /// Tiebreakers" (SA-47, SA-48, SA-49, SA-50, SA-51, SA-52, SA-55).
    pub(super) fn choose_victim_wisely(&mut self, who: Place, prospects: &Prospects) -> Place {
        let strength = self.strength(who);
        let their = who.precedence().other();
        let enemies = self.state.group(their);
        // 1 Non-immune.
        let immune = self.seem_immune_to(who, strength);
        let best = enemies.without(immune).or_if_none(enemies);
        // 2 Instant kill.
        let killed = if strength.is_same_to_all {
            let damage = i32::from(strength.amount) * i32::from(self.state.at(who).attacks);
            Places::in_group(their, prospects.killed(damage, strength.harm))
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
        let equals = Places::in_group(their, prospects.ranks.first_of(best.of_group(their)));
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

    /// The enemies that are immune or quasi-immune to a minion's attacks; none are to magical attacks (Combat
    /// Damage (Quasi-)Immunities; SA-47, SA-53, SA-54; decision 9).
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

/// Tiebreakers 3 to 5 as one number: higher armor outweighs any hit points and damage, fewer hit points outweigh
/// any damage. Damage takes 8 bits, hit points 16, and armor is below 128.
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

    /// Whether a minion has no hit point left after these attacks, one after the other.
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
        fn those_are_first_whom_nobody_surpasses(
            appeals in prop::array::uniform8(prop_oneof![0i32..4, any::<i32>()]),
            among in 1u8..,
        ) {
            let all = || (0..GROUP).filter(|nth| among >> nth & 1 == 1);
            let is_first = |&nth: &usize| all().all(|other| appeals[other] <= appeals[nth]);
            let first = all().filter(is_first).fold(0, |first, nth| first | 1 << nth);
            prop_assert_eq!(Ranks::of(&appeals).first_of(among), first);
        }

        #[test]
        fn those_are_killed_who_have_no_hit_point_left(
            enemies in prop::collection::vec((prop_oneof![1i16..30, 100i16..160], 0i16..12), GROUP),
            expected in prop::collection::vec((0..GROUP, 0i32..15, any::<bool>()), 0..12),
            damage in prop_oneof![0i32..30, 100i32..160],
            is_plain: bool,
        ) {
            let harm = |is_plain| if is_plain { Harm::Plain } else { Harm::IgnoresArmor };
            let mut seen = Seen::default();
            for (nth, &(hit_points, armor)) in enemies.iter().enumerate() {
                let [hit_points, armor] = [hit_points, armor].map(i32::from);
                let place = Place::of(Precedence::Low, nth);
                seen.put(place, Prospect { appeal: 0, hit_points, armor });
            }
            let Seen { mut prospects, .. } = seen;
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
