//! Splinterlands: 6v6 auto-battles under drawn rulesets, as of May 2020.
//!
//! The rulebook in our words, with its sources, is in this folder's `README.md`.

pub mod ability;
pub mod cards;
pub mod event;
mod measure;
pub mod rolls;
pub mod rules;
pub mod ruleset;
pub mod setup;
pub mod state;
mod story;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Splinterlands;

use std::ops::ControlFlow;

use crate::chance::Chance;
use crate::game::{Game, Outcome, Stratum, Watch};
use event::Event;
use rolls::Roll;
use rules::Battle;
use setup::Setup;
use state::State;

impl Game for Splinterlands {
    const NAME: &'static str = "splinterlands";
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
        let mut state = setup.field(stratum, chance);
        Battle { setup, state: &mut state, chance, watch }.open(setup.identical_teams_draw);
        state
    }

    #[inline]
    fn round<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        state: &mut State,
        chance: &mut C,
        watch: &mut W,
    ) -> ControlFlow<Outcome> {
        Battle { setup, state, chance, watch }.round()
    }
}
