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
    pub(super) fn scripted_action(&mut self, script: &Script) -> Action {
        let actions = self.actions();
        let hand = &self.state.player(self.state.active).hand;
        let card = |at: u8| self.setup.cards.form(hand[usize::from(at)]).card;
        let wanted = script.cards.iter().find_map(|&wanted| {
            let of = actions.iter().filter(|action| match action {
                Action::Creature { at, .. } | Action::Spell { at, .. } => card(*at) == wanted,
                _ => false,
            });
            let of: Actions = of.copied().collect();
            (!of.is_empty()).then_some(of)
        });
        if let Some(plays) = wanted {
            return self.by_script(script, &plays);
        }
        let rest = [
            actions.iter().find(|action| matches!(action, Action::Level { .. })),
            actions.iter().find(|action| **action == Action::Battle),
        ];
        rest.into_iter().flatten().next().copied().unwrap_or(Action::End)
    }

    /// One of the ways to play a card: a creature by lane, a spell on the target that comes first, the other
    /// player's from left to right before its own.
    fn by_script(&self, script: &Script, plays: &Actions) -> Action {
        let side = self.state.active;
        let rank = |action: &Action| match *action {
            Action::Creature { lane, .. } => {
                let place = script.lanes.iter().position(|&wanted| wanted == lane).unwrap_or(0);
                (u8::from(!self.state.is_free(side, lane)), place as u8)
            }
            Action::Spell { pick: Pick::Creature(of, lane), .. } => (u8::from(of == side), lane),
            Action::Spell { pick: Pick::Player(of), .. } => (2 + u8::from(of == side), 0),
            _ => (4, 0),
        };
        *plays.iter().min_by_key(|action| rank(action)).expect("at least one way to play it")
    }
}
