//! Settling: makes states of a combat phase equal that differ in nothing that can still matter.

use super::effect::{Effect, Stat, Verb};
use super::setup::Setup;
use super::state::{
    GROUP, Group, Kept, Minion, Place, Places, Precedence, State, Stats, TOP_LEVEL,
};

impl State {
    /// Brings the state between two rounds into a canonical form: the next round begins with a reset (R1), minions
    /// that are gone do not come back, and of places only their order counts.
    pub(super) fn settle(&mut self, setup: &Setup) {
        self.settle_from(setup, None);
    }

    /// Settles a state, as [`settle`](Self::settle) does, that one round has led to from a settled state: a group
    /// that has lost nobody since is still in its ranks.
    pub(super) fn settle_after(&mut self, setup: &Setup, before: &Self) {
        self.settle_from(setup, self.is_combat_of(before).then_some(before));
    }

    /// Whether the same combat is in progress as in an earlier state of the phase.
    pub(super) fn is_combat_of(&self, before: &Self) -> bool {
        self.in_combat && before.in_combat && self.combats == before.combats
    }

    /// Settles a state; `before` is a settled one of the same combat, if there was one.
    fn settle_from(&mut self, setup: &Setup, before: Option<&Self>) {
        // A phase can be over before its first round (C1).
        if self.in_combat {
            self.forget_round(setup);
            for precedence in Precedence::BOTH {
                let were_there = before.map(|before| before.group(precedence));
                if were_there != Some(self.group(precedence)) {
                    self.close_ranks(precedence, were_there);
                }
            }
            // The end of combat writes these anew, and nothing does before: to clear them once is enough.
            if self.round == 0 {
                for at in self.fighting {
                    let group = &mut self.groups[usize::from(at)];
                    group.minions = [Kept::NOBODY; GROUP];
                    group.present = 0;
                }
            }
        }
        if !self.in_combat || self.round == 0 {
            self.groups.iter_mut().for_each(Group::settle);
        }
    }

    /// Clears the numbers that R1 resets, and caps misses at the number that matters.
    fn forget_round(&mut self, setup: &Setup) {
        let mut levels_change = None;
        for who in self.present {
            let is_shooter = self.shooters.has(who);
            let minion = self.at_mut(who);
            minion.stats = minion.after_reset();
            minion.armor = 0;
            minion.attacks = 0;
            if is_shooter {
                minion.victim = Place::NONE;
            }
            if minion.misses > 0 {
                let level = minion.stats.level;
                // Misses beyond the greatest possible level difference change nothing (A1).
                let enough = match *levels_change.get_or_insert_with(|| self.levels_change(setup)) {
                    true => TOP_LEVEL,
                    false => self.highest_level(who.precedence().other()).saturating_sub(level),
                };
                let minion = self.at_mut(who);
                minion.misses = minion.misses.min(enough);
            }
        }
    }

    /// Whether any effect in this combat can change a level.
    fn levels_change(&self, setup: &Setup) -> bool {
        let changes = |effect: &Effect| effect.does == Verb::Gain && effect.stat == Stat::Level;
        let of_group =
            |&group: &u8| setup.group_effects(self.stratum, usize::from(group)).iter().any(changes);
        let of_minion = |who: Place| setup.kind(self.at(who).kind).effects.iter().any(changes);
        let mut present = self.present;
        self.fighting.iter().any(of_group) || present.any(of_minion)
    }

    fn highest_level(&self, of: Precedence) -> u8 {
        self.group(of).map(|who| self.at(who).after_reset().level).max().unwrap_or(0)
    }

    /// Moves the minions that are present to the front, in their order, and the others behind them, sorted by what
    /// they were. Of `were_there`, if that is known, the places have not changed since all others were in their ranks.
    fn close_ranks(&mut self, precedence: Precedence, were_there: Option<Places>) {
        let first = GROUP * precedence.index();
        let at = usize::from(self.fighting[precedence.index()]);
        let earlier = Places(u16::from(self.groups[at].away) << first);
        let others = Places::of(precedence).without(self.present);
        for who in were_there.map_or(others, |were_there| others.and(were_there)) {
            *self.at_mut(who) = gone(self.at(who));
        }
        // Usually nobody has left since the last round.
        let present = self.present.of_group(precedence);
        let are_in_front = present & present.wrapping_add(1) == 0;
        let earlier = if are_in_front && others.is_sorted_by_key(|who| self.rank(who, earlier)) {
            earlier
        } else {
            // Minions of the same rank keep their order.
            let mut ranks: [u32; GROUP] = std::array::from_fn(|nth| {
                self.rank(Place::of(precedence, nth), earlier) * GROUP as u32 + nth as u32
            });
            ranks.sort_unstable();
            self.reorder(precedence, ranks.map(|rank| rank as usize % GROUP), earlier)
        };
        self.shooters = self.shooters.and(self.present);
        self.repelling = self.repelling.and(self.present);
        self.groups[at].away = (earlier.0 >> first) as u8;
    }

    /// A minion's sort key in its group, the lowest first: whether it is present, when it left, and then what it
    /// was.
    fn rank(&self, who: Place, earlier: Places) -> u32 {
        let minion = self.at(who);
        let is_present = self.present.has(who);
        let what = match is_present {
            true => 0,
            false => u32::from(minion.kind) << 8 | u32::from(minion.for_good.level),
        };
        u32::from(!is_present) << 26
            | u32::from(self.away.has(who)) << 25
            | u32::from(earlier.has(who)) << 24
            | what
    }

    /// Reorders a group, with everything that is stored by place. Returns the new places of the minions that left
    /// in earlier combats.
    fn reorder(
        &mut self,
        precedence: Precedence,
        order: [usize; GROUP],
        earlier: Places,
    ) -> Places {
        let first = GROUP * precedence.index();
        let mut were = [Minion::NOBODY; GROUP];
        were.copy_from_slice(&self.field[first..first + GROUP]);
        let sets = [self.shooters, self.repelling, self.present, self.away, earlier];
        let mut moved = sets;
        for set in &mut moved {
            *set = set.without(Places::of(precedence));
        }
        for (to, &from) in order.iter().enumerate() {
            for (moved, set) in moved.iter_mut().zip(sets) {
                moved.0 |= (set.0 >> (first + from) & 1) << (first + to);
            }
            // Usually most minions stay where they are.
            if to != from {
                self.field[first + to] = were[from];
            }
        }
        let [shooters, repelling, present, away, earlier] = moved;
        for enemy in self.group(precedence.other()) {
            let victim = self.at(enemy).victim;
            if victim == Place::NONE {
                continue;
            }
            let own = order.iter().position(|&from| Place::of(precedence, from) == victim);
            if let Some(to) = own {
                self.at_mut(enemy).victim = Place::of(precedence, to);
            }
        }
        (self.shooters, self.repelling) = (shooters, repelling);
        (self.present, self.away) = (present, away);
        earlier
    }
}

impl Group {
    /// Clears everything about minions that are gone except their kind and level.
    fn settle(&mut self) {
        for (nth, minion) in self.minions.iter_mut().enumerate() {
            if self.present >> nth & 1 == 0 && *minion != Kept::NOBODY {
                let stats = Stats { level: minion.stats.level, ..Stats::default() };
                *minion = Kept { kind: minion.kind, stats, ..Kept::NOBODY };
            }
        }
    }
}

/// What is left of a minion that no longer fights: its kind and level.
fn gone(minion: &Minion) -> Minion {
    let mut left = Minion { kind: minion.kind, ..Minion::NOBODY };
    left.for_good.level = minion.for_good.level;
    left
}
