//! The pipeline for one combat round (R1 to R4). Whole duels, worked out by hand, test all of it: SA-77, SA-78,
//! SA-79, SA-80, SA-81, SA-82, SA-83.

use std::ops::ControlFlow;

use super::Battle;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::sanctum::Sanctum;
use crate::games::sanctum::effect::Trigger;
use crate::games::sanctum::event::{Choice, Event};
use crate::games::sanctum::open_rules::KillEstimate;
use crate::games::sanctum::rolls::Roll;
use crate::games::sanctum::state::{FIELD, INFINITE, Place, Places, Precedence};

impl<C: Chance<Roll>, W: Watch<Sanctum>> Battle<'_, C, W> {
    /// Plays one combat round: round 1 (C2) or one of rounds 2 to 10 (C3) (Pipeline for One Combat Round; SA-19,
    /// SA-22, SA-23, SA-39).
    #[inline]
    pub(super) fn one_combat_round(&mut self) {
        self.state.round += 1;
        if self.r1_start_of_round().is_break() {
            return;
        }
        if self.state.round == 1 {
            self.r2_prepare_missile_round();
        } else {
            self.r2_choose_victims();
        }
        // R3, then R4: the same for the group without precedence.
        let effects = self.state.triggers.iter().any(|triggers| !triggers.is_empty());
        for precedence in Precedence::BOTH {
            if effects {
                self.r3_side_attacks::<true>(precedence);
            } else {
                self.r3_side_attacks::<false>(precedence);
            }
        }
    }

    /// R1: all minions reset, "all start of each combat round and every round effects happen", shooters go idle
    /// (SA-25, SA-26, SA-27, SA-28, SA-29; decisions 13 and 14). Breaks if the round halts.
    fn r1_start_of_round(&mut self) -> ControlFlow<()> {
        for who in self.state.present {
            let minion = self.state.at_mut(who);
            minion.stats = minion.after_reset();
            minion.next_round = None;
            minion.armor = minion.stats.max_armor();
            minion.attacks = minion.stats.attacks;
            self.work_out_strength(who);
        }
        self.tell(Event::Round(self.state.round));
        self.happen(Trigger::RoundStart);
        if self.must_halt() {
            return ControlFlow::Break(());
        }
        for who in self.state.shooters.and(self.state.present) {
            self.state.at_mut(who).victim = Place::NONE;
        }
        ControlFlow::Continue(())
    }

    /// R2 in round 1: "all minions set their misses to infinite" and "forfeit all of their hand attacks. Some spells allow
    /// all hand attacks in round 1." Shooters stay idle until their own attack (SA-19, SA-20, SA-22, SA-30, SA-31, SA-32;
    /// decision 15).
    fn r2_prepare_missile_round(&mut self) {
        for who in self.state.present {
            let strikes_early = self.kind(who).strikes_early;
            let is_shooter = self.state.shooters.has(who);
            let minion = self.state.at_mut(who);
            minion.misses = INFINITE;
            if !is_shooter && !strikes_early {
                minion.attacks = 0;
            }
        }
    }

    /// R2 in rounds 2 to 10: bashers pair up, then compulsion, then "idles wise up" (SA-33, SA-35).
    fn r2_choose_victims(&mut self) {
        let idle = self.idle();
        if idle.is_empty() {
            return;
        }
        let left = self.r2_bashers_pair_up(idle.without(self.state.shooters));
        let mut idle = idle.and(self.state.shooters).or(left);
        if self.anybody_has(Trigger::MustAttack) {
            for who in idle {
                self.compulsion(who);
            }
            idle = self.idle();
        }
        self.r2_idles_wise_up(idle);
    }

    /// The minions that are idle: without a victim and with at least one attack per round (Minions' Combat
    /// Attributes; SA-38).
    fn idle(&self) -> Places {
        let mut idle = Places::default();
        for who in self.state.present {
            idle.0 |= u16::from(self.state.is_idle(who)) << who.index();
        }
        idle
    }

    /// "All idle bashers on each side pair up randomly with each other": each basher of the side that has fewer,
    /// first to last, draws one of the other side that is still alone (R2; SA-33, SA-34; decision 7). Returns the
    /// bashers that are left over.
    fn r2_bashers_pair_up(&mut self, bashers: Places) -> Places {
        let sides = Precedence::BOTH.map(|precedence| bashers.and(Places::of(precedence)));
        let [high, low] = sides;
        let (fewer, mut alone) = if high.len() <= low.len() { (high, low) } else { (low, high) };
        for one in fewer {
            let among = alone.len();
            let other = alone.nth(self.chance.pick(Roll::Pairing, among));
            alone.remove(other);
            self.state.at_mut(one).victim = other;
            self.state.at_mut(other).victim = one;
            self.tell(Event::Chooses {
                who: one,
                victim: other,
                how: Choice::PairsUp,
                among: among as u8,
            });
        }
        for left in alone {
            self.tell(Event::LeftOver(left));
        }
        alone
    }

    /// "All minions on both sides who are still idle now choose victims wisely", in group precedence order (R2; SA-35,
    /// SA-36; decision 6).
    fn r2_idles_wise_up(&mut self, idle: Places) {
        for precedence in Precedence::BOTH {
            let wise = idle.and(Places::of(precedence));
            if wise.is_empty() {
                continue;
            }
            match self.setup.open.kill_estimate {
                KillEstimate::Chosen => {
                    // Idle minions have no victim, so no damage is expected of them.
                    let others = self.state.group(precedence).without(wise);
                    let mut prospects = self.prospects(wise.nth(0), others);
                    for who in wise {
                        let victim = self.choose_victim_wisely(who, &prospects);
                        self.expect(who, victim, &mut prospects);
                    }
                }
                // Each chooser expects damage of comrades that have yet to choose, too.
                KillEstimate::ShootersTogether => {
                    for who in wise {
                        let prospects = self.prospects(who, self.state.group(precedence));
                        self.choose_victim_wisely(who, &prospects);
                    }
                }
            }
        }
    }

    /// R3 and R4: "for each minion m with 1 or more attacks remaining, from first to last in this group" (SA-39, SA-46).
    fn r3_side_attacks<const EFFECTS: bool>(&mut self, precedence: Precedence) {
        for who in self.state.group(precedence) {
            if self.state.present.contains(who) && self.state.at(who).attacks > 0 {
                self.r3_minion_attacks::<EFFECTS>(who);
            }
        }
    }

    /// R3: compulsion II, shooter is wise, basher retaliates, basher forfeits; then one attack at the victim, and
    /// all others at random (SA-36, SA-40, SA-41, SA-42, SA-43, SA-44).
    fn r3_minion_attacks<const EFFECTS: bool>(&mut self, who: Place) {
        if self.state.enemies(who).is_empty() {
            return;
        }
        if self.state.victim(who).is_none() {
            if EFFECTS && self.anybody_has(Trigger::MustAttack) {
                self.compulsion(who);
            }
            if self.state.victim(who).is_none() {
                if self.state.shooters.has(who) {
                    let comrades = self.state.group(who.precedence());
                    let prospects = self.prospects(who, comrades);
                    self.choose_victim_wisely(who, &prospects);
                } else {
                    self.basher_retaliates(who);
                }
            }
        }
        let Some(victim) = self.state.victim(who) else {
            // Basher forfeits.
            self.state.at_mut(who).attacks = 0;
            return self.tell(Event::Forfeits(who));
        };
        self.one_attack::<EFFECTS>(who, victim);
        self.multi_are_random::<EFFECTS>(who);
    }

    /// "If m is still the victim of 1 or more enemy minions, m immediately chooses the first such enemy minion" (R3; SA-37,
    /// SA-42).
    fn basher_retaliates(&mut self, who: Place) {
        let mut enemies = self.state.enemies(who);
        if let Some(victim) = enemies.find(|&enemy| self.state.at(enemy).victim == who) {
            self.state.at_mut(who).victim = victim;
            self.tell(Event::Chooses { who, victim, how: Choice::Retaliates, among: 1 });
        }
    }

    /// "For each of minion m's remaining attacks this round: m sets its victim to a random enemy minion" (R3;
    /// SA-44, SA-45).
    fn multi_are_random<const EFFECTS: bool>(&mut self, who: Place) {
        while self.state.present.has(who) && self.state.at(who).attacks > 0 {
            let enemies = self.state.enemies(who);
            if enemies.is_empty() {
                return;
            }
            let among = enemies.len();
            let victim = enemies.nth(self.chance.pick(Roll::ExtraAttack, among));
            self.state.at_mut(who).victim = victim;
            let how = Choice::AtRandom;
            self.tell(Event::Chooses { who, victim, how, among: among as u8 });
            self.one_attack::<EFFECTS>(who, victim);
        }
    }

    /// Whether any minion or group in this combat has an effect at a point.
    #[inline]
    pub(super) fn anybody_has(&self, trigger: Trigger) -> bool {
        self.state.triggers.iter().any(|triggers| triggers.contains(trigger))
    }
}

const _: () = assert!(FIELD == u16::BITS as usize, "a set of places is sixteen bits");
