//! SolForge: a two-player card game on five lanes, in which triggered abilities resolve in batches whose order is
//! partly random. It follows the Advanced Rulebook v5.0 of June 2014.
//!
//! The rulebook in our words, with its sources, is in this folder's `README.md`.

pub mod ability;
pub mod activity;
mod board;
pub mod cards;
pub mod event;
pub mod form;
pub mod keyword;
pub mod legal;
mod line_ups;
pub mod list;
mod lists;
mod measure;
pub mod policy;
pub mod pool;
mod recast;
pub mod rolls;
pub mod rules;
mod settle;
pub mod setup;
mod start;
pub mod state;
mod step;
mod story;

/// The SolForge game, as the engine plays it.
#[derive(Clone, Copy, Debug)]
pub struct SolForge;

use std::ops::ControlFlow;

use crate::chance::Chance;
use crate::game::{Game, Outcome, Side, Stratum, Watch};
use crate::games::{Acts, Playable};
use crate::lineups::{Fields, NoLineUps};
use crate::recast::Recast;
use crate::table::Table;
use event::Event;
use line_ups::Decks;
use rolls::Roll;
use rules::Battle;
use setup::{Play, Setup};
use state::State;

impl Game for SolForge {
    const NAME: &'static str = "solforge";
    type Setup = Setup;
    type State = State;
    type Roll = Roll;
    type Event = Event;
    const CONDITION: Option<Roll> = Some(Roll::ActiveSide);

    fn start<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        stratum: Stratum,
        chance: &mut C,
        watch: &mut W,
    ) -> State {
        let state = match &setup.play {
            Play::Position(position) => position.starts[stratum.condition as usize],
            Play::Games(games) => {
                let mut state = start::of_game(games, setup.contenders(stratum), chance);
                Battle::new(setup, &mut state, chance, watch).draw_first_hands();
                state
            }
        };
        watch.see(setup, &state, Event::Begins);
        state
    }

    #[inline]
    fn round<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        state: &mut State,
        chance: &mut C,
        watch: &mut W,
    ) -> ControlFlow<Outcome> {
        let over = match &setup.play {
            Play::Position(position) => {
                Battle::new(setup, state, chance, watch).take_step(position);
                usize::from(state.step) >= position.steps.len()
            }
            Play::Games(games) => {
                Battle::new(setup, state, chance, watch).take_turn();
                state.turn >= games.rules.last_turn
            }
        };
        match state.verdict {
            Some(outcome) => ControlFlow::Break(outcome),
            None if over => ControlFlow::Break(Outcome::Undecided),
            None => ControlFlow::Continue(()),
        }
    }

    fn settle(setup: &Setup, state: &mut State) {
        state.settle(setup);
    }

    type Packed = Box<State>;

    fn pack(state: &State) -> Box<State> {
        Box::new(*state)
    }

    fn unpack(_: Stratum, packed: &Box<State>) -> State {
        **packed
    }
}

impl Playable for SolForge {
    const SUMMARY: &'static str =
        "five lanes, batches of triggered abilities in drawn orders, cards that level";
    const TEMPLATE: &'static str = include_str!("template.toml");
    const SHELVES: &'static [&'static str] = &["cards", "tokens", "triggers", "effects"];

    fn shelf(name: &str) -> Option<Table> {
        match name {
            "cards" => Some(lists::cards(false)),
            "tokens" => Some(lists::cards(true)),
            "triggers" => Some(lists::triggers()),
            "effects" => Some(lists::effects()),
            _ => None,
        }
    }

    fn odds(_: &Setup) -> Option<Table> {
        None
    }

    fn forcing(setup: &Setup, order: usize, first: Side) -> Option<Setup> {
        let forcible = setup.forcible().filter(|_| order == 0)?;
        (first.index() < forcible.sides).then(|| setup.forcing(first))
    }

    const FIGHTERS_ARE_BROUGHT: bool = false;

    fn brings(setup: &Setup, matchup: usize, side: Side) -> Option<Vec<(u16, u32)>> {
        recast::brings(setup, matchup, side)
    }

    fn stand_ins(setup: &Setup, unit: u16) -> Vec<u16> {
        recast::stand_ins(setup, unit)
    }

    fn abilities(setup: &Setup, unit: u16) -> Vec<String> {
        recast::abilities(setup, unit)
    }

    fn recast(setup: &Setup, unit: u16, recast: Recast) -> Option<Setup> {
        recast::recast(setup, unit, recast)
    }

    fn may_bring(setup: &Setup, contender: &str) -> Vec<u16> {
        setup.cards_of(contender)
    }

    fn always_brings(setup: &Setup, contender: &str) -> Vec<u16> {
        match setup.is_drawn(contender) {
            true => Vec::new(),
            false => setup.cards_of(contender),
        }
    }

    fn line_ups<'s>(
        setup: &'s Setup,
        contender: &str,
    ) -> Result<Box<dyn Fields<Setup> + 's>, NoLineUps> {
        Ok(Box::new(Decks::of(setup, contender)?))
    }

    fn activities(setup: &Setup) -> Vec<String> {
        activity::labels(setup)
    }

    fn note_activity(setup: &Setup, state: &State, event: Event, acts: &mut Acts<'_>) {
        activity::note(setup, state, event, acts);
    }
}
