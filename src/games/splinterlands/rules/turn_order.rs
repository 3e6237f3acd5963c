//! Who acts next (step 5; guide, Reverse Speed).

use super::Battle;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::cards::Stats;
use crate::games::splinterlands::event::Event;
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::ruleset::{Ruleset, Rulesets};
use crate::games::splinterlands::state::{FIELD, LANES, Monster, Place, Places, State};

/// The value of `done` at the beginning of a round in which the first turn may be forced.
pub(super) const NOBODY_YET: usize = usize::MAX;

/// A monster's rank in the turn order, never negative: speed, then magic before ranged before everything else,
/// then rarity, then level (guide, Reverse Speed; SP-87, SP-90). Reverse Speed turns all four around (SP-89).
pub(super) fn urgency(monster: &Monster, rulesets: Rulesets) -> i16 {
    let standing = standing(&monster.base, monster.rarity, monster.card.level);
    urgency_of(monster.now.speed, standing, rulesets)
}

/// The part of a monster's rank that does not depend on its speed, and that no battle changes.
#[inline]
pub(super) fn standing(base: &Stats, rarity: u8, level: u8) -> i16 {
    let class = match base {
        base if base.magic > 0 => 2,
        base if base.ranged > 0 => 1,
        _ => 0,
    };
    class << 6 | (i16::from(rarity) - 1) << 4 | i16::from(level).min(15)
}

/// The rank of a monster by its speed and [`standing`].
#[inline]
pub(super) fn urgency_of(speed: i8, standing: i16, rulesets: Rulesets) -> i16 {
    // Turned around: subtracted from the highest value, which flipping the bits does for what is never negative.
    let turned = if rulesets.contains(Ruleset::ReverseSpeed) { i16::MAX } else { 0 };
    (i16::from(speed) << 8 | standing) ^ turned
}

impl State {
    /// Brings the turn order up to date (step 5; guide, Reverse Speed; SP-87, SP-89). Nothing is sorted: each place
    /// goes to the rank given by the number of more urgent places.
    #[inline(never)]
    pub(in crate::games::splinterlands) fn sort_order(&mut self) {
        self.order_is_stale = false;
        self.ranks = [Places::default(); LANES];
        for (place, ahead) in more_urgent(&self.urgency).into_iter().enumerate().take(FIELD) {
            self.ranks[ahead as usize % LANES].insert(Place(place as u8));
        }
    }
}

/// For each place, the number of places on the field that are more urgent. This is a function of its own, and as wide
/// as vectors are, because the compiler then counts for all places at once; where it knows what becomes of the counts
/// it takes them apart.
#[inline(never)]
fn more_urgent(urgency: &[i16; LANES]) -> [i16; LANES] {
    let mut ahead = [0; LANES];
    for one in &urgency[..FIELD] {
        for (ahead, other) in ahead.iter_mut().zip(urgency) {
            *ahead += i16::from(one > other);
        }
    }
    ahead
}

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// Picks the most urgent of the monsters that have yet to act, marks it as having acted, and returns it with the
    /// number of monsters that were tied for the turn; None when all have acted. Speeds change within a round, and then
    /// the order does too; drawing one of the tied for every turn makes every order of theirs equally likely (SP-88,
    /// decision 2).
    ///
    /// `done` is how many ranks at the beginning of the order have nobody left to act, for a quick start.
    #[inline]
    pub(super) fn next_to_act(&mut self, done: &mut usize) -> Option<(Place, u8)> {
        if self.state.order_is_stale {
            self.state.sort_order();
            if std::mem::take(done) == NOBODY_YET && self.state.round == 1 {
                return self.forced_first_turn();
            }
        }
        let waiting = self.state.waiting;
        if waiting.is_empty() {
            return None;
        }
        // Every waiting monster is in one of the ranks, so this loop ends.
        let mut tied = self.state.ranks[*done % LANES].and(waiting);
        while tied.is_empty() {
            *done += 1;
            tied = self.state.ranks[*done % LANES].and(waiting);
        }
        let first = tied.first()?;
        if tied.is_one() {
            self.state.waiting = waiting.without(tied);
            return Some((first, 1));
        }
        let count = tied.len();
        self.tell(Event::Tied(tied));
        self.chance.about(self.state.urgency[first.index()] as u32);
        let chosen = self.chance.pick(Roll::TurnTie, count as usize);
        let chosen = tied.nth(chosen)?;
        self.state.waiting.remove(chosen);
        Some((chosen, count as u8))
    }

    /// A stun lasts until just before the stunner's next turn (decision 16, SP-X).
    #[inline]
    pub(super) fn release_stunned_by(&mut self, stunner: Place) {
        for place in self.state.stunned {
            if self.state.at(place).stunned_by == stunner {
                self.state.stunned.remove(place);
                self.tell(Event::Recovers(place));
            }
        }
    }

    /// A stunned monster does nothing. A stunner that has died cannot release it, so then the lost turn
    /// does (decision 16, SP-X).
    pub(super) fn skip_turn(&mut self, who: Place) {
        self.tell(Event::SkipsTurn(who));
        if !self.state.alive.has(self.state.at(who).stunned_by) {
            self.state.stunned.remove(who);
            self.tell(Event::Recovers(who));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use arrayvec::ArrayVec;

    use super::*;
    use crate::chance::Seeded;
    use crate::games::splinterlands::bundled;
    use crate::games::splinterlands::setup::{CardAt, LineUp};

    #[test]
    fn places_stand_by_rank_and_equals_together() {
        let nobody = LineUp { summoner: CardAt { card: 0, level: 1 }, monsters: ArrayVec::new() };
        let mut state = State::new(bundled(), Rulesets::empty(), 99, [&nobody, &nobody]);
        let mut dice = Seeded::from_seed(1);
        for ranks in [1, 2, 5, 1 << 15] {
            for _ in 0..100 {
                for _ in 0..=dice.below(FIELD as u32) {
                    state.urgency[dice.below(FIELD as u32) as usize] = dice.below(ranks) as i16;
                }
                state.sort_order();
                let rank = |place: &Place| state.urgency[place.index()];
                let mut order: Vec<Place> = (0..FIELD as u8).map(Place).collect();
                order.sort_by_key(|place| (Reverse(rank(place)), *place));
                let mut together = [const { Vec::new() }; LANES];
                for equals in order.chunk_by(|one, other| rank(one) == rank(other)) {
                    let ahead = order.iter().filter(|place| rank(place) > rank(&equals[0])).count();
                    together[ahead] = equals.to_vec();
                }
                assert_eq!(state.ranks.map(Iterator::collect::<Vec<Place>>), together);
            }
        }
    }
}
