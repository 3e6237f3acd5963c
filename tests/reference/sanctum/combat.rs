//! The combat phase, the Pipeline for a Full Combat and the Pipeline for One Combat Round.

use evens::game::{Outcome, Side};
use evens::games::sanctum::effect::{Effect, Harm, Trigger, Verb, Weapon};
use evens::games::sanctum::open_rules::OpenRules;
use evens::games::sanctum::rolls::Roll;

use super::minion::{Minion, Standing};
use crate::reference::tape::Tape;

/// A minion: the rank of its group (0 has precedence over 1) and its index in the group.
pub type Who = (usize, usize);

/// A group.
#[derive(Clone, Debug)]
pub struct Group {
    pub side: Side,
    pub minions: Vec<Minion>,
    pub spells: Vec<Effect>,
    /// The places of those spells that have been dispelled.
    pub dispelled: Vec<usize>,
    pub withdrawn: bool,
}

impl Group {
    pub fn holds_its_square(&self) -> bool {
        !self.withdrawn && self.minions.iter().any(Minion::is_there)
    }
}

/// A combat that is being fought.
#[derive(Clone, Debug)]
pub struct Combat {
    /// The two groups, the one with precedence first.
    pub groups: [usize; 2],
    pub round: i32,
    pub hostile: bool,
    pub ended: bool,
}

/// A combat phase.
#[derive(Clone, Debug)]
pub struct Phase {
    pub groups: Vec<Group>,
    /// The combats that are still to be fought, in order, each with the group that has precedence first.
    pub fights: Vec<[usize; 2]>,
    pub combat: Option<Combat>,
    pub open_rules: OpenRules,
    pub dice: Tape<Roll>,
}

impl Phase {
    pub fn start(
        groups: Vec<Group>,
        fights: Vec<[usize; 2]>,
        open_rules: OpenRules,
        dice: Tape<Roll>,
    ) -> Self {
        let mut phase = Self { groups, fights, combat: None, open_rules, dice };
        let mut spells = phase.groups.iter().flat_map(|group| &group.spells);
        // "No group enters combat."
        let is_peace = spells.any(|effect| effect.does == Verb::KeepPeace);
        if is_peace {
            phase.fights.clear();
        }
        phase.next_combat();
        phase
    }

    /// Plays one combat round, and if it is the combat's last, everything up to the next round. Returns the outcome
    /// after the last combat.
    pub fn round(&mut self) -> Option<Outcome> {
        if self.combat.is_some() {
            self.one_combat_round();
            if self.is_over() {
                self.end_of_combat();
                self.next_combat();
            }
        }
        if self.combat.is_some() { None } else { Some(self.outcome()) }
    }

    /// Begins the next combat: "During the combat phase, every orthogonally adjacent pair of hostile groups will fight
    /// 1 combat per pair" (Pipeline to Check for All Combats), if both are still there.
    fn next_combat(&mut self) {
        while self.combat.is_none() && !self.fights.is_empty() {
            let groups = self.fights.remove(0);
            if groups.iter().all(|&group| self.groups[group].holds_its_square()) {
                self.start_of_combat(groups);
                if self.is_over() {
                    self.end_of_combat();
                }
            }
        }
    }

    /// The outcome: a side wins when only it has minions left in the field.
    fn outcome(&self) -> Outcome {
        let mut standing: Vec<Side> = Vec::new();
        for group in self.groups.iter().filter(|group| !group.withdrawn) {
            if group.minions.iter().any(Minion::is_there) && !standing.contains(&group.side) {
                standing.push(group.side);
            }
        }
        match standing[..] {
            [] => Outcome::Draw,
            [side] => Outcome::Win(side),
            _ => Outcome::Undecided,
        }
    }

    /// C1: "All start of combat effects happen, in group precedence order."
    fn start_of_combat(&mut self, groups: [usize; 2]) {
        self.combat = Some(Combat { groups, round: 0, hostile: true, ended: false });
        for who in self.everybody() {
            self.at_mut(who).leave_combat();
            self.at_mut(who).reset();
            self.at_mut(who).remaining = 0;
        }
        self.effects_in_precedence_order(Trigger::CombatStart);
    }

    /// "Each combat lasts for 10 rounds, or until either group loses all of its minions, or the two groups are no
    /// longer hostile"; and "some spell effects cause combat to end early".
    fn is_over(&self) -> bool {
        self.combat().round >= 10 || self.is_halted()
    }

    /// R1: "If either group has died, or has been displaced, halt. If the two groups are no longer hostile, halt."
    fn is_halted(&self) -> bool {
        let combat = self.combat();
        let gone = combat.groups.iter().any(|&group| !self.groups[group].holds_its_square());
        gone || !combat.hostile || combat.ended
    }

    /// C4: "All end of combat effects happen, in group precedence order", then "after combat" effects likewise.
    fn end_of_combat(&mut self) {
        self.effects_in_precedence_order(Trigger::CombatEnd);
        self.effects_in_precedence_order(Trigger::AfterCombat);
        for rank in 0..2 {
            let group = self.combat().groups[rank];
            for minion in &mut self.groups[group].minions {
                minion.leave_combat();
            }
        }
        self.combat = None;
    }

    fn one_combat_round(&mut self) {
        self.combat_mut().round += 1;
        self.start_of_round();
        if self.is_halted() {
            return;
        }
        self.shooters_go_idle();
        if self.combat().round == 1 {
            self.missile_round();
        } else {
            self.bashers_pair_up();
            for who in self.everybody() {
                if self.at(who).is_idle() {
                    self.must_attack(who);
                }
            }
            for who in self.everybody() {
                if self.at(who).is_idle() {
                    self.choose_wisely(who);
                }
            }
        }
        self.side_attacks(0);
        self.side_attacks(1);
    }

    /// R1: "All minions reset", and "start of each combat round" effects happen.
    fn start_of_round(&mut self) {
        for who in self.everybody() {
            self.at_mut(who).reset();
        }
        self.effects_in_precedence_order(Trigger::RoundStart);
    }

    /// R1: "All shooters go idle."
    fn shooters_go_idle(&mut self) {
        for who in self.everybody() {
            if self.at(who).is_shooter() {
                self.at_mut(who).victim = None;
            }
        }
    }

    /// R2, round 1: misses are infinite, and hand attacks forfeited unless a spell allows them.
    fn missile_round(&mut self) {
        for who in self.everybody() {
            let minion = self.at_mut(who);
            minion.misses = None;
            if !minion.is_shooter() && !minion.has(Trigger::Always, Verb::StrikeEarly) {
                minion.remaining = 0;
            }
        }
    }

    /// R2, rounds 2 to 10: "All idle bashers on each side pair up randomly with each other."
    fn bashers_pair_up(&mut self) {
        let idle = |phase: &Self, rank: usize| -> Vec<Who> {
            let group = phase.group(rank).into_iter();
            group.filter(|&who| phase.at(who).is_idle() && !phase.at(who).is_shooter()).collect()
        };
        let (high, low) = (idle(self, 0), idle(self, 1));
        // "Each basher of the side with fewer idle ones draws among those still alone" (Decisions).
        let (fewer, mut alone) = if low.len() < high.len() { (low, high) } else { (high, low) };
        for one in fewer {
            let drawn = self.dice.pick(Roll::Pairing, alone.len());
            let other = alone.remove(drawn);
            self.at_mut(one).victim = Some(other.1);
            self.at_mut(other).victim = Some(one.1);
        }
    }

    /// R3 and R4.
    fn side_attacks(&mut self, rank: usize) {
        for who in self.group(rank) {
            if !self.at(who).is_there() || self.at(who).remaining == 0 {
                continue;
            }
            // A minion with attacks left is no non-combatant in this round, even if it has none in the next (R1 note).
            if self.at(who).victim.is_none() {
                self.must_attack(who);
            }
            if self.at(who).victim.is_none() {
                if self.at(who).is_shooter() {
                    self.choose_wisely(who);
                } else {
                    self.retaliate(who);
                }
            }
            // "If m is still idle, m forfeits all remaining attacks this round."
            let Some(victim) = self.at(who).victim else {
                self.at_mut(who).remaining = 0;
                continue;
            };
            self.one_attack(who, (1 - rank, victim));
            // "Multi are random."
            while self.at(who).is_there() && self.at(who).remaining > 0 {
                let enemies = self.group(1 - rank);
                if enemies.is_empty() {
                    break;
                }
                let victim = enemies[self.dice.pick(Roll::ExtraAttack, enemies.len())];
                self.at_mut(who).victim = Some(victim.1);
                self.one_attack(who, victim);
            }
        }
    }

    /// Chooses the first attacker: "If m is still the victim of 1 or more enemy minions, m immediately chooses the
    /// first such enemy minion."
    fn retaliate(&mut self, who: Who) {
        let enemies = self.group(1 - who.0);
        let attacker = enemies.into_iter().find(|&enemy| self.at(enemy).victim == Some(who.1));
        self.at_mut(who).victim = attacker.map(|enemy| enemy.1);
    }

    pub fn combat(&self) -> &Combat {
        self.combat.as_ref().expect("a combat is fought")
    }

    pub fn combat_mut(&mut self) -> &mut Combat {
        self.combat.as_mut().expect("a combat is fought")
    }

    pub fn at(&self, who: Who) -> &Minion {
        &self.groups[self.combat().groups[who.0]].minions[who.1]
    }

    pub fn at_mut(&mut self, who: Who) -> &mut Minion {
        let group = self.combat().groups[who.0];
        &mut self.groups[group].minions[who.1]
    }

    /// The minions of a group that are still there, first to last.
    pub fn group(&self, rank: usize) -> Vec<Who> {
        let minions = &self.groups[self.combat().groups[rank]].minions;
        (0..minions.len()).filter(|&nth| minions[nth].is_there()).map(|nth| (rank, nth)).collect()
    }

    /// All minions that are still there, those of the group with precedence first.
    pub fn everybody(&self) -> Vec<Who> {
        [self.group(0), self.group(1)].concat()
    }

    /// Takes a minion off the field: nobody attacks it any more, and it attacks nobody.
    pub fn take_off(&mut self, who: Who, standing: Standing) {
        self.at_mut(who).leave_combat();
        self.at_mut(who).standing = standing;
        for enemy in self.group(1 - who.0) {
            if self.at(enemy).victim == Some(who.1) {
                self.at_mut(enemy).victim = None;
            }
        }
    }

    /// The weapon of a minion in this round: missiles in round 1, then the stronger one, the hand at equal strength
    /// (C2, Decisions).
    pub fn weapon(&self, who: Who) -> Weapon {
        let minion = self.at(who);
        match (minion.card.hand, minion.card.missile) {
            (Some(_), Some(_)) if self.combat().round > 1 => {
                let strength = |weapon| {
                    let deals = !minion.deals_nothing_with(weapon);
                    deals.then(|| self.plain_strength(who, weapon))
                };
                let missile = strength(Weapon::Missile) > strength(Weapon::Hand);
                if missile { Weapon::Missile } else { Weapon::Hand }
            }
            (_, Some(_)) => Weapon::Missile,
            _ => Weapon::Hand,
        }
    }

    pub fn is_magical(&self, who: Who) -> bool {
        self.at(who).card.harm == Harm::Magical
    }
}
