//! The pipeline to choose victims wisely: six tiebreakers, the first above all others (SA-55).

use super::Battle;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::{Harm, Trigger, Weapon};
use crate::games::sanctum::event::{Choice, Event};
use crate::games::sanctum::open_rules::KillEstimate;
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::state::{GROUP, Minion, Place, Places};

/// The enemies as a group sees them that chooses among them now, by their place in their group.
pub(super) type Prospects = [Prospect; GROUP];

/// One enemy as those see it that choose now.
#[derive(Clone, Copy, Default)]
pub(super) struct Prospect {
    /// Tiebreakers 3 to 5, which are the same for everybody.
    appeal: i64,
    /// What is left of its hit points after all damage past armor that is expected to come in the rest of this round.
    hit_points: i32,
    /// What is left of its armor after all damage that armor soaks; below 0 what goes through.
    armor: i32,
}

impl Prospect {
    /// An enemy as it stands, with nothing expected to come.
    #[inline]
    fn of(enemy: &Minion) -> Self {
        let stats = &enemy.stats;
        Self {
            appeal: appeal([
                // 3 Highest armor: maximum, not current.
                stats.max_armor(),
                // 4 Lowest HP.
                -enemy.hit_points,
                // 5 Highest damage of a single attack.
                i16::from(stats.hand.max(stats.missile)),
            ]),
            hit_points: i32::from(enemy.hit_points),
            armor: i32::from(enemy.armor),
        }
    }

    #[inline(always)]
    fn expect(&mut self, damage: i32, harm: Harm) {
        if harm == Harm::Plain {
            self.armor -= damage;
        } else {
            self.hit_points -= damage;
        }
    }

    /// Whether what is expected takes its last hit point. Armor cancels damage one for one, so the attacks
    /// one after the other do what their sum does (tiebreaker 2; SA-48, decision 5).
    #[inline(always)]
    fn is_killed(&self) -> bool {
        self.hit_points <= (-self.armor).max(0)
    }
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
        for enemy in enemies {
            prospects[enemy.nth()] = self.known.prospect(enemy);
        }
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
        let attacks = i32::from(self.state.at(who).attacks);
        let damage = i32::from(self.damage_of_attack(who, victim)) * attacks;
        prospects[victim.nth()].expect(damage, self.kind(who).harm);
    }

    /// Chooses among the enemies, of whom there is at least one, by the "Wise Targeting Tiebreakers" (SA-47, SA-48, SA-49,
    /// SA-50, SA-51, SA-52, SA-55).
    pub(super) fn choose_victim_wisely(&mut self, who: Place, prospects: &Prospects) -> Place {
        let (strength, weapon) = self.strength_and_weapon(who);
        let kind = self.kind(who);
        let immune = self.seem_immune_to(who, weapon);
        // Most attackers deal the same to everybody.
        let same_to_all = !kind.triggers.contains(Trigger::Attacks);
        let attacks = i32::from(self.state.at(who).attacks);
        let to_all = i32::from(strength) * attacks;
        let mut best = i64::MIN;
        let mut equals = Places::default();
        for enemy in self.state.enemies(who) {
            let mut prospect = prospects[enemy.nth()];
            let damage = if same_to_all {
                to_all
            } else {
                i32::from(self.damage_of_attack(who, enemy)) * attacks
            };
            prospect.expect(damage, kind.harm);
            // 1 Non-immune, then 2 Instant kill, then the others.
            let non_immune = i64::from(!immune.contains(enemy)) << 1;
            let instant_kill = i64::from(prospect.is_killed());
            let appeal = prospect.appeal + ((non_immune | instant_kill) << (3 * DIGIT));
            if appeal > best {
                best = appeal;
                equals = Places::only(enemy);
            } else if appeal == best {
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
    fn seem_immune_to(&self, who: Place, weapon: Weapon) -> Places {
        if self.kind(who).harm == Harm::Magical {
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

/// Bits of a tiebreaker in an appeal.
const DIGIT: u32 = 16;

/// Tiebreakers as one number: a higher one in an earlier place outweighs all later ones.
#[inline(always)]
fn appeal(tiebreakers: [i16; 3]) -> i64 {
    tiebreakers.into_iter().fold(0, |number, digit| (number << DIGIT) + i64::from(digit))
}

#[cfg(test)]
mod tests {
    use super::appeal;

    #[test]
    fn an_earlier_tiebreaker_outweighs_all_later_ones() {
        let in_order = [[0, -999, 0], [0, -999, 99], [0, -1, -99], [99, -999, -99], [99, -1, 99]];
        let appeals = in_order.map(appeal);
        assert!(appeals.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(
            appeals[0] + (1 << (3 * super::DIGIT)) > appeals[4],
            "tiebreakers 1 and 2 come first"
        );
    }
}
