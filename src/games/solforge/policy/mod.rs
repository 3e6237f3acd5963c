//! How players decide. Rules ask; a policy answers (decision 6).
//!
//! | policy | plays | chooses |
//! |---|---|---|
//! | [`Policy::Random`] | anything it can, all equally likely | anything, or nothing where it may |
//! | [`Policy::Greedy`] | what leaves it best off by its own reckoning (`greedy.rs`) after this turn's battle | the same |
//! | [`Policy::Thoughtful`] | what leaves it best off after a greedy answer of the other player, too | as greedy |
//! | [`Policy::Scripted`] | the first of a list of cards that it holds, into the first free of a list of lanes | as greedy |
//! | [`Policy::Answers`] | the steps of a position | by a list for each card; at random without one |

mod greedy;
mod outlook;
mod scripted;
mod thoughtful;

use super::SolForge;
use greedy::Plan;

use super::ability::{Options, Pick};
use super::event::{Endless, Event, Ref};
use super::rolls::Roll;
use super::rules::{Action, Actions, Battle, Runs, Waiting};
use super::state::{LANES, Spaces};
use crate::chance::Chance;
use crate::game::Watch;

/// A turn with more actions than this never ends, and the game is left undecided.
const ACTIONS: u32 = 1000;

/// How a player decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Anything that is legal, all equally likely.
    Random,
    /// What leaves it best off after this turn's battle.
    Greedy,
    /// What leaves it best off after the next turn of the other player, who is taken to be greedy.
    Thoughtful,
    /// Cards and lanes by a list.
    Scripted(Script),
    /// In a position: what to choose when a card asks.
    Answers(Vec<Answer>),
}

/// What a scripted player plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Cards, most wanted first. Others are levelled.
    pub cards: Vec<u16>,
    /// Lanes, most wanted first.
    pub lanes: [u8; LANES],
}

/// What to choose when a card asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Which card asks.
    pub card: u16,
    /// What to choose, most wanted first; the first that is possible. [`Pick::Nothing`] declines.
    pub prefer: Vec<Pick>,
}

impl<C: Chance<Roll>, W: Watch<SolForge>> Battle<'_, C, W> {
    /// Plays the active player's turn.
    pub(in crate::games::solforge) fn take_turn(&mut self) {
        // The creatures on the field got their ids when the turn before this one came to rest.
        self.stirred = Spaces::default();
        self.start_turn();
        // Filled in place: they are too large to be moved about.
        let (mut actions, mut runs) = (Actions::new(), Runs::new());
        let policy = self.setup.policy(self.state, self.state.active);
        let mut count = 0;
        let mut plan = None;
        while self.state.verdict.is_none() {
            count += 1;
            if count > ACTIONS {
                return self.give_up(Endless::Actions);
            }
            let action = self.choose_action(policy, &mut actions, &mut runs, &mut plan);
            if matches!(action, Action::End) {
                break;
            }
            self.act(action);
        }
        if self.state.verdict.is_none() {
            self.end_turn();
        }
    }

    fn choose_action(
        &mut self,
        policy: &Policy,
        actions: &mut Actions,
        runs: &mut Runs,
        plan: &mut Option<Plan>,
    ) -> Action {
        match policy {
            // Only one of all actions is looked at.
            Policy::Random | Policy::Answers(_) => {
                self.runs(runs);
                runs.nth(self.chance.pick(Roll::Action, runs.count()))
            }
            Policy::Greedy => {
                self.actions(actions);
                self.planned_action(actions, plan)
            }
            Policy::Thoughtful => {
                self.actions(actions);
                self.thoughtful_action(actions)
            }
            Policy::Scripted(script) => {
                self.actions(actions);
                self.scripted_action(script, actions)
            }
        }
    }

    /// The second of two actions that were planned together, if it is due; otherwise the best action.
    fn planned_action(&self, actions: &Actions, plan: &mut Option<Plan>) -> Action {
        if let Some(next) = plan.take().and_then(|plan| plan.next(self.state, actions)) {
            return next;
        }
        let made = self.best_action(actions);
        plan.insert(made).first
    }

    /// Lets the player of an ability choose among at least one option; [`Pick::Nothing`] where that is
    /// allowed and wanted. `also` is the second of two choices.
    pub(in crate::games::solforge) fn decide(
        &mut self,
        cause: &Waiting,
        options: Options,
        may_stop: bool,
        also: bool,
    ) -> Pick {
        let setup = self.setup;
        let source: Ref = cause.source;
        match setup.policy(self.state, source.side()) {
            Policy::Random => self.any(options, may_stop),
            Policy::Greedy | Policy::Thoughtful | Policy::Scripted(_) => {
                self.greedy_pick(cause, options, may_stop, also)
            }
            Policy::Answers(answers) => {
                let card = setup.cards.form(source.form).card;
                let mut preferred = answers.iter().filter(|answer| answer.card == card).peekable();
                if preferred.peek().is_none() {
                    return self.any(options, may_stop);
                }
                let possible = |&wanted: &Pick| {
                    if wanted == Pick::Nothing {
                        return may_stop.then_some(wanted);
                    }
                    { options }.find(|&option| is_same(option, wanted))
                };
                let found = preferred.flat_map(|answer| &answer.prefer).find_map(possible);
                self.tell(Event::Asked { by: source, possible: found.is_some() });
                found.unwrap_or_else(|| self.any(options, may_stop))
            }
        }
    }

    fn any(&mut self, mut options: Options, may_stop: bool) -> Pick {
        let at = self.chance.pick(Roll::Choice, options.len() + usize::from(may_stop));
        options.nth(at).unwrap_or(Pick::Nothing)
    }
}

/// Whether an answer means an option. `A2` is the creature there or the free space, whichever is asked for.
pub(super) fn is_same(option: Pick, wanted: Pick) -> bool {
    match (option, wanted) {
        (Pick::Space(side, lane), Pick::Creature(of, at)) => (side, lane) == (of, at),
        _ => option == wanted,
    }
}
