//! The first turn of a battle that is forced upon a side. This is no rule of the game but an experiment, which leaves
//! every rule as it is except for this one choice.

use super::Battle;
use crate::chance::Chance;
use crate::game::{Side, Watch};
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::event::Event;
use crate::games::splinterlands::forced::{Forced, ForcedOrder};
use crate::games::splinterlands::rolls::Roll;
use crate::games::splinterlands::state::{Place, Places};

impl<C: Chance<Roll>, W: Watch<Splinterlands>> Battle<'_, C, W> {
    /// Decides the first turn of a battle in which it is forced. A monster of the forced side that would have had it
    /// anyway keeps it, so that such a battle stays exactly the same; otherwise it goes to the most urgent monster of
    /// that side. All others then act in their order.
    #[cold]
    #[inline(never)]
    pub(super) fn forced_first_turn(&mut self) -> Option<(Place, u8)> {
        let waiting = self.state.waiting;
        let most_urgent = self.most_urgent(waiting);
        let by_itself = self.any_of(most_urgent);
        let tied = match self.forced_side(most_urgent) {
            Some(side) if by_itself.is_some_and(|who| who.side() != side) => {
                self.most_urgent(waiting.and(Places::of(side)))
            }
            _ => most_urgent,
        };
        let who = if tied == most_urgent { by_itself } else { self.any_of(tied) };
        let who = who?;
        // A tie is reported even where force and not a die chooses among the tied.
        let all_tied = if most_urgent.has(who) { most_urgent } else { tied };
        if all_tied.len() > 1 {
            self.tell(Event::Tied(all_tied));
        }
        self.state.waiting.remove(who);
        Some((who, all_tied.len() as u8))
    }

    /// Forces the first turn in the order of the official program: brings the first monster of that side to the head of
    /// the queue.
    pub(super) fn bring_forward(&mut self, queue: &mut [Place]) {
        if let Some(Forced { order: ForcedOrder::FirstTurn, first }) = self.setup.forced
            && self.state.round == 1
            && let Some(at) = queue
                .iter()
                .position(|&place| place.side() == first && self.state.waiting.has(place))
        {
            queue[..=at].rotate_right(1);
        }
    }

    /// The side that must have the first turn, given the monsters that would be tied for it without force; None where
    /// the turn is not forced.
    fn forced_side(&self, tied: Places) -> Option<Side> {
        let Forced { order, first } = self.setup.forced?;
        let both_are_tied =
            [Side::A, Side::B].iter().all(|&side| !tied.and(Places::of(side)).is_empty());
        match order {
            ForcedOrder::FirstTurn => Some(first),
            ForcedOrder::TieForFirstTurn => both_are_tied.then_some(first),
            ForcedOrder::Earthquake => None,
        }
    }

    /// All monsters among these that are tied as the most urgent.
    fn most_urgent(&self, among: Places) -> Places {
        let rank = |place: Place| self.state.urgency[place.index()];
        let highest = among.map(rank).max();
        only(among, |place| Some(rank(place)) == highest)
    }

    /// Draws one of the tied monsters, each equally likely (SP-88).
    fn any_of(&mut self, mut tied: Places) -> Option<Place> {
        let first = tied.first()?;
        if tied.len() == 1 {
            return Some(first);
        }
        self.chance.about(self.state.urgency[first.index()] as u32);
        tied.nth(self.chance.pick(Roll::TurnTie, tied.len() as usize))
    }
}

/// The places among `places` for which `holds` is true.
fn only(places: Places, holds: impl Fn(Place) -> bool) -> Places {
    places.filter(|&place| holds(place)).fold(Places::default(), |mut only, place| {
        only.insert(place);
        only
    })
}
