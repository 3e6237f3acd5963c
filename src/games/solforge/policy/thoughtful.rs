//! The thoughtful player, who looks two plies ahead: at its own turn to the end, and at what a greedy player would answer
//! in the whole next turn.
//!
//! **Own turn.** The actions that look best to a greedy player are played in the head, each followed by a greedy
//! player's choices up to the end of the turn, with the battle where it is best.
//!
//! **The reply.** Then the other player plays the next turn like a greedy one. Its hand is hidden, so that in the head
//! it holds a typical one: every n-th of the cards that are in its hand or deck, in the order of the card list.
//!
//! **Worth.** What the field is worth then, plus what the cards that left the hand in the player's own turn have gained
//! by levelling. Dice and choices on the way are as in a greedy player's head ([`greedy`](super::greedy)).

use super::greedy::{Best, Candidates, Middling, WON, is_card};
use crate::chance::Chance;
use crate::game::{Side, Unwatched, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::{Action, Actions, Battle};
use crate::games::solforge::state::State;

/// How many of the actions that look best are played on.
const FURTHER: usize = 6;
/// How many of the ways to play creatures in hand (a card and a lane) are looked at.
const LOOKS: usize = 8;
/// How many lanes, targets on each side and moves are looked at for each thing that can be done.
const WAYS: usize = 2;
/// A turn in the head has no more actions than this.
const ACTIONS: usize = 40;

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// The action that leaves the active player best off after the other player's greedy reply.
    pub(super) fn thoughtful_action(&self, actions: &Actions) -> Action {
        if let [only] = actions[..] {
            return only;
        }
        let side = self.state.active;
        let mut candidates = Candidates::new();
        self.candidates::<LOOKS, WAYS>(actions, WON, &mut candidates);
        let rest = actions.iter().filter(|action| match action {
            Action::Level { .. } | Action::Battle | Action::End => true,
            Action::Creature { .. }
            | Action::Spell { .. }
            | Action::Activate { .. }
            | Action::Move { .. } => false,
        });
        let mut promising = Best::<FURTHER>::new();
        let mut fought = *self.state;
        let idle = self.look(&mut fought, None, side);
        for &action in &candidates {
            let mut state = *self.state;
            let worth = self.look(&mut state, Some(action), side) + self.levelled(action);
            promising.offer(worth, action);
        }
        for &action in rest {
            promising.offer(idle + self.levelled(action), action);
        }
        if self.state.battles_open > 0 && fought.occupied != self.state.occupied {
            // The battle comes first only where it changes the field; it is looked at whatever it promises.
            promising.offer(i32::MAX, Action::Battle);
        }
        let mut best = Best::<1>::new();
        for action in promising.actions() {
            best.offer(self.after_the_reply(action, side), action);
        }
        best.actions().next().unwrap_or(Action::End)
    }

    /// What the field is worth to a player once it has taken an action and played its turn to the end, and the other
    /// player has played the next.
    fn after_the_reply(&self, action: Action, side: Side) -> i32 {
        let mut state = *self.state;
        self.hide(&mut state, side.other());
        let (mut chance, mut nobody) = (Middling, Unwatched);
        let mut thought = Battle::in_thought(self.setup, &mut state, &mut chance, &mut nobody);
        let mut levelled = thought.levelled(action);
        if action != Action::End {
            thought.act(action);
            levelled += thought.play_on();
        }
        if thought.state.verdict.is_none() {
            thought.end_turn();
        }
        if thought.state.verdict.is_none() {
            thought.start_turn();
            thought.play_on();
        }
        thought.worth(side) + levelled
    }

    /// Plays the turn to its end like a greedy player, and returns what levelling has gained by it.
    fn play_on(&mut self) -> i32 {
        let mut levelled = 0;
        let mut actions = Actions::new();
        let mut plan = None;
        for _ in 0..ACTIONS {
            if self.state.verdict.is_some() {
                break;
            }
            self.actions(&mut actions);
            let action = self.planned_action(&actions, &mut plan);
            if action == Action::End {
                break;
            }
            if is_card(action) || matches!(action, Action::Level { .. }) {
                levelled += self.levelled(action);
            }
            self.act(action);
        }
        levelled
    }

    /// Gives a player whose hand is hidden a typical one.
    fn hide(&self, state: &mut State, side: Side) {
        let player = state.player_mut(side);
        let held = player.hand.len();
        let mut unseen = player.deck;
        unseen.extend(player.hand.iter().copied());
        unseen.sort_unstable();
        let count = unseen.len();
        player.hand.clear();
        player.deck.clear();
        for (at, &form) in unseen.iter().enumerate() {
            // One card of each stretch of the list.
            let is_held = (at + 1) * held / count > at * held / count;
            if is_held { player.hand.push(form) } else { player.deck.push(form) }
        }
    }
}
