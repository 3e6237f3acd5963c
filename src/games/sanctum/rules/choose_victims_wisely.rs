//! The pipeline to choose victims wisely: six tiebreakers, the first above all others.

use super::Battle;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::{Harm, Weapon};
use crate::games::sanctum::event::{Choice, Event};
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::state::{GROUP, Place, Places, Precedence};

/// The damage that a group's attackers are expected to do in the rest of this round, by victim.
pub(super) type Expected = [Estimate; GROUP];

/// Damage that is expected to come.
#[derive(Clone, Copy, Default)]
pub(super) struct Estimate {
    /// What armor soaks first.
    plain: i16,
    /// What armor does not soak.
    past_armor: i16,
}

impl Estimate {
    fn add(&mut self, damage: i16, harm: Harm) {
        let of_sort = if harm == Harm::Plain { &mut self.plain } else { &mut self.past_armor };
        *of_sort = of_sort.saturating_add(damage);
    }

    /// Whether it takes the last hit point of a minion with this much armor left. Armor cancels damage one
    /// for one, so the attacks one after the other do what their sum does.
    fn kills(self, armor: i16, hit_points: i16) -> bool {
        (self.plain - armor).max(0).saturating_add(self.past_armor) >= hit_points
    }
}

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// What a group's minions with a victim and attacks left are expected to do (decision 2).
    pub(super) fn expected_damage(&self, precedence: Precedence) -> Expected {
        let mut expected = Expected::default();
        for who in self.state.group(precedence) {
            if self.state.at(who).attacks > 0
                && let Some(victim) = self.state.victim(who)
            {
                self.expect(who, victim, &mut expected);
            }
        }
        expected
    }

    /// Adds what an attacker is expected to do to its victim in the rest of this round.
    pub(super) fn expect(&self, who: Place, victim: Place, expected: &mut Expected) {
        let attacks = i16::from(self.state.at(who).attacks);
        let damage = self.damage_of_attack(who, victim).saturating_mul(attacks);
        expected[victim.nth()].add(damage, self.kind(who).harm);
    }

    /// Chooses among the enemies, of whom there is at least one. `expected` is what comrades are expected
    /// to do.
    pub(super) fn choose_victim_wisely(&mut self, who: Place, expected: &Expected) -> Place {
        let weapon = self.weapon(who);
        let harm = self.kind(who).harm;
        let attacks = i16::from(self.state.at(who).attacks);
        let heeds_repelling = weapon == Weapon::Missile && harm != Harm::Magical;
        let repelling = if heeds_repelling { self.state.repelling } else { Places::default() };
        let mut best = i64::MIN;
        let mut equals = Places::default();
        for enemy in self.state.enemies(who) {
            let minion = self.state.at(enemy);
            let mut estimate = expected[enemy.nth()];
            let damage = self.damage_of_attack(who, enemy).saturating_mul(attacks);
            estimate.add(damage, harm);
            let appeal = appeal([
                // 1 Non-immune.
                i16::from(!repelling.has(enemy)),
                // 2 Instant kill.
                i16::from(estimate.kills(minion.armor, minion.hit_points)),
                // 3 Highest armor: maximum, not current.
                minion.stats.max_armor(),
                // 4 Lowest HP.
                -minion.hit_points,
                // 5 Highest damage of a single attack.
                i16::from(minion.stats.hand.max(minion.stats.missile)),
            ]);
            if appeal > best {
                best = appeal;
                equals = Places::only(enemy);
            } else if appeal == best {
                equals.insert(enemy);
            }
        }
        // 6 Random.
        let among = equals.len();
        let victim = equals.nth(self.chance.pick(Roll::TargetTie, among));
        self.state.at_mut(who).victim = victim;
        self.tell(Event::Chooses { who, victim, how: Choice::Wisely, among: among as u8 });
        victim
    }
}

/// The tiebreakers as one number: a higher one in an earlier place outweighs all later ones.
fn appeal([non_immune, kill, armor, hit_points, damage]: [i16; 5]) -> i64 {
    let digits = [non_immune << 1 | kill, armor, hit_points, damage];
    digits.into_iter().fold(0, |number, digit| (number << 16) + i64::from(digit))
}

#[cfg(test)]
mod tests {
    use super::appeal;

    #[test]
    fn an_earlier_tiebreaker_outweighs_all_later_ones() {
        let in_order = [
            [0, 0, 0, -999, 0],
            [0, 0, 0, -999, 99],
            [0, 0, 0, -1, -99],
            [0, 0, 99, -999, 0],
            [0, 1, 0, -999, 0],
            [1, 0, 0, -999, -99],
            [1, 1, 0, -999, -99],
        ];
        let appeals = in_order.map(appeal);
        assert!(appeals.is_sorted() && appeals.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
