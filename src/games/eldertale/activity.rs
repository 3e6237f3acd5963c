//! Counts how often each card and each effect of a scenario does something, so that a run can report those that
//! never did.

use super::effect::Kind;
use super::event::{Cause, Event, Met};
use super::setup::Setup;
use super::state::State;
use crate::game::Side;
use crate::games::before;

/// The names of every card in a deck, every kind of effect that one of these applies, and every Memory that a
/// character brings, in the order in which [`note`] counts them.
#[must_use]
pub fn labels(setup: &Setup) -> Vec<String> {
    let cards = setup.cards.iter().map(|card| format!("card {}", card.title));
    let effects = setup.applied.iter().map(|kind| format!("effect {}", kind.name()));
    let brings = setup.sheets.iter().filter(|sheet| sheet.wager.is_some());
    let memories = brings.map(|sheet| format!("All In of {}", sheet.name));
    cards.chain(effects).chain(memories).collect()
}

/// Counts an event in `counts`, which has one number for each of [`labels`]: a card counts each time it is played;
/// an effect each time it changes a hit, hit points, a guard, a healing or a hand; a Memory each time its owner
/// goes All In.
pub fn note(setup: &Setup, state: &State, event: Event, counts: &mut [u64]) {
    let mut acts = |kind: Kind, is_true: bool| {
        // Effects that a test case makes up and no card applies have no label.
        if is_true && setup.applied.contains(kind) {
            counts[setup.cards.len() + before(setup.applied, kind)] += 1;
        }
    };
    match event {
        Event::Plays { play, .. } => counts[usize::from(play.card)] += 1,
        Event::Guards { through: Some(kind), .. } => acts(kind, true),
        Event::Heals { amount, through, doomed, .. } => {
            acts(through, amount > 0);
            acts(Kind::Doom, doomed);
        }
        Event::Hit { raised, met, .. } => {
            acts(Kind::Power, raised > 0);
            if let Some(Met { lifted, lowered, .. }) = met {
                acts(Kind::GuardUp, lifted > 0);
                acts(Kind::GuardDown, lowered > 0);
            }
        }
        Event::Loses { cause, .. } => match cause {
            Cause::Poison => acts(Kind::Poison, true),
            Cause::Thorns(_) => acts(Kind::Thorns, true),
            Cause::Hit { .. } => {}
        },
        Event::Deals { changed, .. } => {
            for kind in changed {
                acts(kind, true);
            }
        }
        Event::GoesAllIn(who) => {
            let at = setup.cards.len() + setup.applied.len() + memory(setup, state, who);
            counts[at] += 1;
        }
        Event::Begins
        | Event::Turn(_)
        | Event::PutsMemoryDown(_)
        | Event::Done(_)
        | Event::Activates { .. }
        | Event::Guards { through: None, .. }
        | Event::Lands { .. }
        | Event::Starts { .. }
        | Event::Lost { .. }
        | Event::Ends { .. }
        | Event::DurationsFall(_)
        | Event::DurationsFell(_)
        | Event::LostOn { .. }
        | Event::LostWith { .. }
        | Event::HoldsOn(_)
        | Event::Disabled(_)
        | Event::Out(_)
        | Event::Queues { .. }
        | Event::TurnEnds(_) => {}
    }
}

/// Index, among all Memories of the setup, of the Memory of the character in a seat.
fn memory(setup: &Setup, state: &State, seat: Side) -> usize {
    let before = &setup.sheets[..usize::from(state.at(seat).sheet)];
    before.iter().filter(|sheet| sheet.wager.is_some()).count()
}
