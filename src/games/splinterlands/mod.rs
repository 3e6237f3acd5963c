//! Splinterlands: 6v6 auto-battles under drawn rulesets, as of May 2020.
//!
//! The rulebook in our words, with its sources, is in this folder's `README.md`.

pub mod ability;
pub mod activity;
mod board;
pub mod cards;
pub mod catalogue;
pub mod draw;
pub mod edition;
pub mod event;
pub mod forced;
pub mod form;
pub mod import;
pub mod legal;
mod line_ups;
mod lists;
mod measure;
pub mod pool;
mod recast;
pub mod record;
pub mod rolls;
pub mod rules;
pub mod ruleset;
mod settle;
pub mod setup;
mod starts;
pub mod state;
mod story;
pub mod weights;

/// The Splinterlands game.
#[derive(Clone, Copy, Debug)]
pub struct Splinterlands;

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use miette::NamedSource;
use num_rational::BigRational;

use crate::chance::Chance;
use crate::game::{Game, Outcome, Side, Stratum, Watch};
use crate::games::{Acts, Playable};
use crate::lineups::{Fields, NoLineUps};
use crate::recast::Recast;
use crate::scenario::Source;
use crate::statistics::DrawModel;
use crate::table::Table;
use cards::Catalogue;
use event::Event;
use forced::{Forced, ForcedOrder};
use line_ups::Teams;
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

    const CONDITION: Option<Roll> = Some(Roll::Rulesets);
    // A battle that is still open after the last round is a draw.
    const CAN_BE_UNDECIDED: bool = false;

    #[inline(always)]
    fn start<C: Chance<Roll>, W: Watch<Self>>(
        setup: &Setup,
        stratum: Stratum,
        chance: &mut C,
        watch: &mut W,
    ) -> State {
        let kept = setup.kept(stratum);
        let mut state = *kept.unwrap_or(&State::NOBODY);
        setup.field(&mut state, kept.is_some(), stratum, chance);
        Battle { setup, state: &mut state, chance, watch }.open(setup.identical_teams_draw);
        state
    }

    /// The outcome of a battle that is not fought, because a team may not be brought or the teams are identical
    /// (decisions 3 and 7; SP-92).
    fn over_at_start(_: &Setup, state: &State) -> Option<Outcome> {
        state.verdict
    }

    fn forfeits(state: &State) -> u8 {
        state.forfeits
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

    fn settle(_: &Setup, state: &mut State) {
        state.settle();
    }

    type Packed = Box<State>;

    fn pack(state: &State) -> Box<State> {
        Box::new(*state)
    }

    fn unpack(_: Stratum, packed: &Box<State>) -> State {
        **packed
    }
}

impl Playable for Splinterlands {
    const SUMMARY: &'static str =
        "6v6 auto-battles under drawn rulesets, with the cards of May 2020";
    const TEMPLATE: &'static str = include_str!("template.toml");
    const SHELVES: &'static [&'static str] = &["rulesets", "cards", "abilities"];

    fn shelf(name: &str) -> Option<Table> {
        match name {
            "rulesets" => Some(lists::rulesets()),
            "cards" => Some(lists::cards()),
            "abilities" => Some(lists::abilities()),
            _ => None,
        }
    }

    fn odds(setup: &Setup) -> Option<Table> {
        Some(lists::odds(setup))
    }

    fn plays_alike(one: &Setup, other: &Setup) -> bool {
        one.plays_alike(other)
    }

    fn share(setup: &mut Setup, other: &Setup) {
        setup.share(other);
    }

    fn drawn(setup: &Setup) -> Vec<BigRational> {
        setup.conditions.iter().map(|(_, probability)| probability.clone()).collect()
    }

    fn draw_model(setup: &Setup) -> Option<&dyn DrawModel> {
        setup.draw.as_deref().map(|draw| draw as _)
    }

    fn forcing(setup: &Setup, order: usize, first: Side) -> Option<Setup> {
        let order = *ForcedOrder::of(setup).get(order).filter(|_| first.index() < 2)?;
        Some(setup.clone().with_forced(Forced { order, first }))
    }

    fn cost(setup: &Setup, unit: u16) -> Option<u32> {
        Some(u32::from(setup.catalogue.cards[usize::from(unit)].mana))
    }

    fn is_allowed(setup: &Setup, condition: u32, unit: u16) -> bool {
        recast::is_allowed(setup, condition, unit)
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
        Ok(Box::new(Teams::of(setup, contender)?))
    }

    fn activities(setup: &Setup) -> Vec<String> {
        activity::labels(setup)
    }

    fn note_activity(setup: &Setup, state: &State, event: Event, acts: &mut Acts<'_>) {
        activity::note(setup, state, event, acts.times);
    }
}

/// The bundled catalogue.
///
/// # Panics
/// Never: a test reads it.
#[must_use]
pub fn bundled() -> &'static Catalogue {
    static BUNDLED: LazyLock<Catalogue> = LazyLock::new(|| {
        let source: Source =
            Arc::new(NamedSource::new("bundled cards", catalogue::BUNDLED.to_owned()));
        Catalogue::from_csv(&source).expect("the bundled catalogue has no faults")
    });
    &BUNDLED
}
