//! Makes states of a game equal if they differ in nothing that can still matter.

use super::policy::Policy;
use super::setup::Setup;
use super::state::State;
use crate::game::Side;

impl State {
    /// Sorts piles and hands between two turns or steps. Piles are drawn from at random, so the order of their cards
    /// does not matter. Nor does that of a hand, unless its player takes the first of equal actions.
    pub(super) fn settle(&mut self, setup: &Setup) {
        for side in [Side::A, Side::B] {
            let at_random = match setup.policy(self, side) {
                Policy::Random | Policy::Answers(_) => true,
                Policy::Greedy | Policy::Thoughtful | Policy::Scripted(_) => false,
            };
            let player = self.player_mut(side);
            player.deck.sort_unstable();
            player.discard.sort_unstable();
            if at_random {
                player.hand.sort_unstable();
            }
        }
        self.dead.sort_unstable();
    }
}
