//! Elder Tale: the card combat of the Elder Tale Online MUSH.
//!
//! The rulebook in our words, with its sources, is in this folder's `README.md`.

pub mod activity;
mod board;
pub mod cards;
pub mod catalogue;
pub mod combinations;
pub mod effect;
pub mod event;
pub mod form;
pub mod legal;
mod line_ups;
mod lists;
mod measure;
pub mod open_rules;
pub mod policy;
mod recast;
pub mod rolls;
pub mod rules;
mod settle;
pub mod setup;
pub mod state;
mod story;

/// The game, as a type.
#[derive(Clone, Copy, Debug)]
pub struct ElderTale;

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
use rules::Session;
use setup::Setup;
use state::State;

impl Game for ElderTale {
    const NAME: &'static str = "eldertale";
    type Setup = Setup;
    type State = State;
    type Roll = Roll;
    type Event = Event;

    fn start<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        stratum: Stratum,
        chance: &mut C,
        watch: &mut W,
    ) -> State {
        let mut state = setup.session(stratum);
        Session::new(setup, &mut state, chance, watch).open();
        state
    }

    /// Plays one turn: what a character plays, and what its "done" sets off.
    #[inline]
    fn round<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        state: &mut State,
        chance: &mut C,
        watch: &mut W,
    ) -> ControlFlow<Outcome> {
        Session::new(setup, state, chance, watch).turn()
    }

    fn settle(setup: &Setup, state: &mut State) {
        state.settle(setup);
    }

    type Packed = Box<State>;

    fn pack(state: &State) -> Box<State> {
        Box::new(state.clone())
    }

    fn unpack(_: Stratum, packed: &Box<State>) -> State {
        (**packed).clone()
    }
}

impl Playable for ElderTale {
    const SUMMARY: &'static str =
        "sessions of two to six characters with energy, queues, effects and All In";
    const TEMPLATE: &'static str = include_str!("template.toml");
    const SHELVES: &'static [&'static str] = &["cards", "classes", "effects"];

    fn shelf(name: &str) -> Option<Table> {
        match name {
            "cards" => Some(lists::cards()),
            "classes" => Some(lists::classes()),
            "effects" => Some(lists::effects()),
            _ => None,
        }
    }

    fn odds(_: &Setup) -> Option<Table> {
        None
    }

    fn forcing(setup: &Setup, order: usize, first: Side) -> Option<Setup> {
        (order == 0 && first.index() < setup.sides()).then(|| setup.clone().with_first_turn(first))
    }

    const FIGHTERS_ARE_BROUGHT: bool = false;

    const PLAYED_FOR: Option<&'static str> = Some("energy");

    fn brings(setup: &Setup, matchup: usize, side: Side) -> Option<Vec<(u16, u32)>> {
        recast::brings(setup, matchup, side)
    }

    const REPEATS: bool = true;

    fn stand_ins(setup: &Setup, unit: u16) -> Vec<u16> {
        recast::stand_ins(setup, unit)
    }

    fn abilities(setup: &Setup, unit: u16) -> Vec<String> {
        recast::abilities(setup, unit)
    }

    fn recast(setup: &Setup, unit: u16, recast: Recast) -> Option<Setup> {
        recast::recast(setup, unit, recast)
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
        activity::note(setup, state, event, acts.times);
    }
}
