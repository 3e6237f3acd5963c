//! Sanctum: the combat pipelines of version 2.20, for one combat of two groups or a whole combat phase on a
//! map.
//!
//! The rulebook in our words, with its sources, is in this folder's `README.md`.

pub mod activity;
mod board;
pub mod catalogue;
pub mod effect;
pub mod event;
pub mod form;
pub mod legal;
mod line_ups;
mod lists;
mod measure;
pub mod nation;
pub mod open_rules;
mod packed;
mod places;
mod profile;
mod recast;
pub mod rolls;
pub mod rules;
mod settle;
pub mod setup;
pub mod state;
mod story;

/// The game, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Sanctum;

use std::ops::ControlFlow;

use crate::chance::Chance;
use crate::game::{Game, Outcome, Side, Stratum, Watch};
use crate::games::{Acts, Playable};
use crate::lineups::{Fields, NoLineUps};
use crate::recast::Recast;
use crate::table::Table;
use event::Event;
use line_ups::Groups;
use packed::Packed;
use rolls::Roll;
use rules::Battle;
use setup::Setup;
use state::State;

impl Game for Sanctum {
    const NAME: &'static str = "sanctum";
    type Setup = Setup;
    type State = State;
    type Roll = Roll;
    type Event = Event;

    const CONDITION: Option<Roll> = Some(Roll::Condition);

    fn start<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        stratum: Stratum,
        chance: &mut C,
        watch: &mut W,
    ) -> State {
        let mut state = setup.field(stratum);
        Battle::new(setup, &mut state, chance, watch).open();
        state
    }

    /// The outcome of a phase without a combat round: no groups meet, or every combat ends in C1.
    fn over_at_start(setup: &Setup, state: &State) -> Option<Outcome> {
        (!state.in_combat).then(|| state.outcome(setup))
    }

    #[inline]
    fn round<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        state: &mut State,
        chance: &mut C,
        watch: &mut W,
    ) -> ControlFlow<Outcome> {
        Battle::new(setup, state, chance, watch).round()
    }

    fn settle(setup: &Setup, state: &mut State) {
        state.settle(setup);
    }

    fn settle_after(setup: &Setup, state: &mut State, before: &State) {
        state.settle_after(setup, before);
    }

    type Packed = Packed;

    fn pack(state: &State) -> Packed {
        Packed::of(state)
    }

    fn pack_after(state: &State, (before, packed): (&State, &Packed)) -> Packed {
        Packed::after(state, before, packed)
    }

    fn unpack(stratum: Stratum, packed: &Packed) -> State {
        packed.unpack(stratum)
    }

    fn unpack_into(_: Stratum, packed: &Packed, state: &mut State) {
        packed.unpack_into(state);
    }
}

impl Playable for Sanctum {
    const SUMMARY: &'static str =
        "combats of two groups of up to 8 minions, alone or a whole phase on a map";
    const TEMPLATE: &'static str = include_str!("template.toml");
    const SHELVES: &'static [&'static str] =
        &["minions", "spells", "nations", "effects", "moments"];

    fn shelf(name: &str) -> Option<Table> {
        match name {
            "minions" => Some(lists::minions()),
            "spells" => Some(lists::spells()),
            "nations" => Some(lists::nations()),
            "effects" => Some(lists::effects()),
            "moments" => Some(lists::moments()),
            _ => None,
        }
    }

    fn odds(_: &Setup) -> Option<Table> {
        None
    }

    fn forcing(setup: &Setup, order: usize, first: Side) -> Option<Setup> {
        setup.forcing(first).filter(|_| order == 0)
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
        Ok(Box::new(Groups::of(setup, contender)?))
    }

    fn activities(setup: &Setup) -> Vec<String> {
        activity::labels(setup)
    }

    fn note_activity(setup: &Setup, state: &State, event: Event, acts: &mut Acts<'_>) {
        activity::note(setup, state, event, acts.times);
    }
}
