//! The scripted player: cards and lanes by a list.

use super::Script;
use crate::chance::Chance;
use crate::game::Watch;
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::Pick;
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::{Action, Actions, Battle};

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// The most wanted card in hand, into the most wanted free lane (the most wanted at all when none is free);
    /// a card on no list is levelled. Then the battle, and the end of the turn.
    pub(super) fn scripted_action(&self, script: &Script, actions: &Actions) -> Action {
        let hand = &self.state.player(self.state.active).hand;
        let card = |at: u8| self.setup.cards.form(hand[usize::from(at)]).card;
        let wanted = script.cards.iter().find_map(|&wanted| {
            let plays = actions.iter().filter(|action| match action {
                Action::Creature { at, .. } | Action::Spell { at, .. } => card(*at) == wanted,
                _ => false,
            });
            plays.min_by_key(|action| self.rank(script, action))
        });
        if let Some(play) = wanted {
            return *play;
        }
        let rest = [
            actions.iter().find(|action| matches!(action, Action::Level { .. })),
            actions.iter().find(|action| **action == Action::Battle),
        ];
        rest.into_iter().flatten().next().copied().unwrap_or(Action::End)
    }

    /// How soon a way to play a card is taken, least first: a creature by lane, a spell on the target that comes
    /// first, the other player's from left to right before its own.
    fn rank(&self, script: &Script, action: &Action) -> (u8, u8) {
        let side = self.state.active;
        match *action {
            Action::Creature { lane, .. } => {
                let place = script.lanes.iter().position(|&wanted| wanted == lane).unwrap_or(0);
                (u8::from(!self.state.is_free(side, lane)), place as u8)
            }
            Action::Spell { pick: Pick::Creature(of, lane), .. } => (u8::from(of == side), lane),
            Action::Spell { pick: Pick::Player(of), .. } => (2 + u8::from(of == side), 0),
            _ => (4, 0),
        }
    }
}
