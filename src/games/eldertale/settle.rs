//! Settling: makes session states equal that differ in nothing that can still matter.

use arrayvec::ArrayVec;

use super::setup::{Deck, Setup};
use super::state::{Incoming, PLAYS, SEATS, State};
use crate::game::Side;

impl State {
    /// Brings the state between two turns into a canonical form: effects of different kinds have no order, copies
    /// of a card are interchangeable, and characters that are out have no cards any more.
    pub(super) fn settle(&mut self, setup: &Setup) {
        for seat in (0..setup.sides as u8).map(Side) {
            if self.standing.has(seat) {
                self.stack_copies(setup, seat);
            } else {
                self.lay_down(seat);
            }
            self.at_mut(seat).effects.settle();
        }
        self.name_copies(setup);
    }

    /// Reorders copies that lie side by side in the deck: the first are those used up, the next those in hand, the
    /// next those discarded.
    fn stack_copies(&mut self, setup: &Setup, seat: Side) {
        let deck = &setup.sheet(self, seat).deck;
        let character = self.at_mut(seat);
        for (place, _) in deck.iter().filter(|&(place, _)| first_copy(deck, place) == place) {
            let copies = deck.iter().skip_while(|&(of, _)| of < place);
            let copies = copies.take_while(|&(of, _)| first_copy(deck, of) == place).count() as u32;
            let mask = ((1 << copies) - 1) << place;
            let used_up = (character.used_up & mask).count_ones();
            let held = (character.hand & mask).count_ones();
            let dealt = (character.dealt & !character.used_up & mask).count_ones();
            let first = |count: u32| ((1 << count) - 1) << place;
            character.used_up = character.used_up & !mask | first(used_up);
            character.hand = character.hand & !mask | (first(used_up + held) & !first(used_up));
            // With a discard pile the cards in hand count as dealt too.
            let dealt = first(used_up + dealt) & !first(used_up);
            character.dealt = character.dealt & !mask | dealt;
        }
    }

    /// Ascribes the queued attacks to the copies of their cards in the order in which they are queued. What one card
    /// has sent to several targets stays one attack.
    fn name_copies(&mut self, setup: &Setup) {
        let mut named: ArrayVec<(Side, u8, u8), { SEATS * PLAYS }> = ArrayVec::new();
        for seat in self.standing {
            for at in 0..self.at(seat).queue.len() {
                let Incoming { by, place, .. } = self.at(seat).queue[at];
                let deck = &setup.sheet(self, by).deck;
                let mut of_it = named.iter().filter(|&&(of, was, _)| (of, was) == (by, place));
                let known = of_it.next().map(|&(.., is)| is);
                let is = known.unwrap_or_else(|| {
                    let first = first_copy(deck, usize::from(place));
                    let is_copy = |&(of, was, _): &(Side, u8, u8)| {
                        of == by && first_copy(deck, usize::from(was)) == first
                    };
                    let is = (first + named.iter().filter(|one| is_copy(one)).count()) as u8;
                    named.push((by, place, is));
                    is
                });
                self.at_mut(seat).queue[at].place = is;
            }
        }
    }

    /// Takes everything from a character that is out, except the effects that its attacks on their way still need.
    fn lay_down(&mut self, seat: Side) {
        let waits = |of: Side| self.at(of).queue.iter().any(|attack| attack.by == seat);
        let mut standing = self.standing;
        let is_waited_for = standing.any(waits);
        let character = self.at_mut(seat);
        character.hand = 0;
        character.dealt = 0;
        character.energy = 0;
        character.queue.clear();
        if !is_waited_for {
            character.effects = Default::default();
        }
    }
}

/// The first place of the copies that lie side by side with the card in this place.
fn first_copy(deck: &Deck, place: usize) -> usize {
    let is_copy = |of: usize| deck.all() >> of & 1 == 1 && deck.card(of) == deck.card(place);
    let mut first = place;
    while first > 0 && is_copy(first - 1) {
        first -= 1;
    }
    first
}
