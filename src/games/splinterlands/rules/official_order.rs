//! The turn order of the official program: its monsters stand in a queue, which is sorted at the start of a round and
//! again after every action, and two that nothing tells apart are compared by two random numbers. So much of it is left
//! to the sorting algorithm that the first team acts first more often than not (decision 2, SP-X).

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::Battle;
use crate::chance::Chance;
use crate::game::{Outcome, Watch};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::state::{FIELD, Place};

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// Gives every monster its turn. The dead stay in the queue until they come to its head, and are compared like the
    /// living (step 5, decision 2; SP-X).
    #[cold]
    #[inline(never)]
    pub(super) fn turns_in_official_order(&mut self) -> ControlFlow<Outcome> {
        let mut queue: ArrayVec<Place, FIELD> = self.state.fielded.collect();
        self.sort(&mut queue);
        if self.setup.forced.is_some() {
            self.bring_forward(&mut queue);
        }
        while let Some(who) = queue.pop_at(0) {
            if !self.state.waiting.has(who) {
                continue;
            }
            let rank = |place: Place| self.state.urgency[place.index()];
            let tied = self.state.waiting.filter(|&place| rank(place) == rank(who)).count();
            self.state.waiting.remove(who);
            if self.begin_turn(who, tied as u8) {
                self.act(who)?;
                if self.strikes_again(who) {
                    self.sort(&mut queue);
                    self.strike_again(who)?;
                }
            }
            self.sort(&mut queue);
        }
        ControlFlow::Continue(())
    }

    /// Whether one monster comes before another, which is drawn where nothing tells them apart (step 5, decision 2;
    /// SP-X).
    fn comes_before(&mut self, one: Place, other: Place) -> bool {
        let rank = |place: Place| self.state.urgency[place.index()];
        match rank(one).cmp(&rank(other)) {
            std::cmp::Ordering::Equal => {
                self.chance.about(one.unit() * FIELD as u32 + other.unit());
                self.chance.pick(Roll::TurnTie, 2) == 1
            }
            unequal => unequal.is_gt(),
        }
    }

    /// Sorts as V8 does a short array: the run at the beginning is kept, or turned around when it strictly descends,
    /// and every further element is inserted by halving. With comparisons that are drawn the result depends on which
    /// are made, and in which order (step 5, decision 2; SP-X).
    fn sort(&mut self, queue: &mut [Place]) {
        if queue.len() < 2 {
            return;
        }
        let descends = self.comes_before(queue[1], queue[0]);
        let mut sorted = 2;
        while sorted < queue.len()
            && self.comes_before(queue[sorted], queue[sorted - 1]) == descends
        {
            sorted += 1;
        }
        if descends {
            queue[..sorted].reverse();
        }
        for at in sorted..queue.len() {
            let pivot = queue[at];
            let (mut left, mut right) = (0, at);
            while left < right {
                let middle = left + (right - left) / 2;
                if self.comes_before(pivot, queue[middle]) {
                    right = middle;
                } else {
                    left = middle + 1;
                }
            }
            queue[left..=at].rotate_right(1);
        }
    }
}
