//! The greedy player: tries everything in its head and does what leaves it best off.
//!
//! Its worth of a state is (own life - other life) + the attack and health of its creatures - those of the
//! other's, with the turn's battle fought first if it is still open, and one point for each action left so that
//! cards are rather levelled than wasted. In its head every die shows its middle face.

use crate::chance::{Chance, Odds};
use crate::game::{Outcome, Side, Unwatched, Watch};
use crate::games::solforge::SolForge;
use crate::games::solforge::ability::{Pick, Picks};
use crate::games::solforge::rolls::Roll;
use crate::games::solforge::rules::{Action, Actions, Battle, Waiting, statics};
use crate::games::solforge::state::State;

/// A game won or lost is worth more than anything on the field.
const WON: i32 = 1_000_000;

/// Every die shows its middle face.
struct Middling;

impl Chance<Roll> for Middling {
    fn draw(&mut self, _: Roll, odds: Odds<'_>) -> u32 {
        odds.faces() / 2
    }
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// The action that leaves the active player best off; the first of equals.
    pub(super) fn greedy_action(&mut self, actions: &Actions) -> Action {
        let side = self.state.active;
        let worth = |action: &Action| {
            let mut state = self.state.clone();
            let mut chance = Middling;
            let mut nobody = Unwatched;
            let mut thought = Battle::new(self.setup, &mut state, &mut chance, &mut nobody);
            thought.act(*action);
            thought.worth(side) + levelled(action)
        };
        // The battle comes last among them: it is fought in every thought anyway, so of equals it has time.
        let mut best = (i32::MIN, Action::End);
        for action in actions {
            let worth = worth(action);
            if worth > best.0 {
                best = (worth, *action);
            }
        }
        best.1
    }

    /// The choice that leaves the ability's player best off.
    pub(super) fn greedy_pick(&mut self, cause: &Waiting, options: &Picks, may_stop: bool) -> Pick {
        let side = cause.source.side();
        let mut best = if may_stop {
            (self.think(cause, Pick::Nothing, side), Pick::Nothing)
        } else {
            (i32::MIN, options[0])
        };
        for &pick in options {
            let worth = self.think(cause, pick, side);
            if worth > best.0 {
                best = (worth, pick);
            }
        }
        best.1
    }

    /// What a state is worth in which this choice was made.
    fn think(&self, cause: &Waiting, pick: Pick, side: Side) -> i32 {
        let mut state = self.state.clone();
        let mut chance = Middling;
        let mut nobody = Unwatched;
        let mut thought = Battle::new(self.setup, &mut state, &mut chance, &mut nobody);
        thought.imagine(cause, pick);
        thought.worth(side)
    }

    /// What the state is worth to a player, once the turn's battle is fought.
    fn worth(&mut self, side: Side) -> i32 {
        if self.state.verdict.is_none() && self.state.battles_open > 0 {
            self.fight();
        }
        match self.state.verdict {
            Some(Outcome::Win(winner)) if winner == side => return WON,
            Some(Outcome::Win(_)) => return -WON,
            _ => {}
        }
        let state: &State = self.state;
        let own = i32::from(state.player(side).life) - i32::from(state.player(side.other()).life);
        let creatures = state.standing.map(|(of, lane)| {
            let worth = i32::from(statics::attack(&self.setup.cards, state, of, lane))
                + i32::from(statics::health(&self.setup.cards, state, of, lane));
            if of == side { worth } else { -worth }
        });
        own + creatures.sum::<i32>()
    }
}

/// Playing a card levels it too, which is worth a point.
fn levelled(action: &Action) -> i32 {
    match action {
        Action::Creature { .. } | Action::Spell { .. } | Action::Level { .. } => 1,
        Action::Activate { .. } | Action::Move { .. } | Action::Battle | Action::End => 0,
    }
}
