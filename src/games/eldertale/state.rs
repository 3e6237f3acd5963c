//! One session in progress.

use std::ops::BitAnd;

use arrayvec::ArrayVec;

use super::cards::HITS;
use super::combinations::Cards;
use super::effect::Effects;
use crate::game::Side;

/// The most characters in a session.
pub const SEATS: usize = 6;
/// Energy for a turn: "the standard total of three" (ET-02, ET-03, ET-04).
pub const ENERGY: u8 = 3;
/// The maximum energy where a scenario lets attacks give more than the standard total.
pub const MOST_ENERGY: u8 = 6;
/// The maximum number of cards in a turn: as many as the maximum energy pays for.
pub const PLAYS: usize = MOST_ENERGY as usize;
/// The maximum number of attacks in a queue: everybody else takes at most one turn between two turns of a
/// character.
pub(super) const QUEUE: usize = (SEATS - 1) * PLAYS;

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seats(pub u8);

impl Seats {
    /// The first `count` seats.
    #[must_use]
    pub fn first(count: usize) -> Self {
        Self(((1u16 << count) - 1) as u8)
    }

    /// Whether the seat is in the set.
    #[inline]
    #[must_use]
    pub fn has(self, seat: Side) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// Takes a seat out.
    #[inline]
    pub fn remove(&mut self, seat: Side) {
        self.0 &= !(1 << seat.0);
    }

    /// The set without a seat.
    #[inline]
    #[must_use]
    pub fn without(mut self, seat: Side) -> Self {
        self.remove(seat);
        self
    }

    /// The number of seats in the set.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has two or more seats.
    #[inline]
    #[must_use]
    pub fn are_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The seat in the set if there is exactly one.
    #[inline]
    #[must_use]
    pub fn only(self) -> Option<Side> {
        if self.are_several() { None } else { self.lowest() }
    }

    /// The first seat in the set.
    #[inline]
    #[must_use]
    pub fn lowest(self) -> Option<Side> {
        (self.0 != 0).then(|| Side(self.0.trailing_zeros() as u8))
    }

    /// The next seat of the set in joining order after `seat`, going round. None for an empty set.
    #[inline]
    #[must_use]
    pub fn after(self, seat: Side) -> Option<Side> {
        let later = Self(self.0 & !((2u16 << seat.0) - 1) as u8);
        later.lowest().or(self.lowest())
    }
}

impl BitAnd for Seats {
    type Output = Self;

    /// The seats that are in both sets.
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Iterator for Seats {
    type Item = Side;

    #[inline]
    fn next(&mut self) -> Option<Side> {
        let lowest = self.lowest()?;
        self.0 &= self.0 - 1;
        Some(lowest)
    }
}

/// The seats named as a card's targets, in order; a seat named several times is listed several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Named {
    list: [u8; HITS],
    len: u8,
    /// The seats named at least once.
    seats: Seats,
}

impl Named {
    /// One seat, named once.
    #[inline]
    #[must_use]
    pub fn one(seat: Side) -> Self {
        let mut list = [0; HITS];
        list[0] = seat.0;
        Self { list, len: 1, seats: Seats(1 << seat.0) }
    }

    /// Names one more seat, as long as there is room.
    #[inline]
    pub fn push(&mut self, seat: Side) {
        if usize::from(self.len) < HITS {
            self.list[usize::from(self.len)] = seat.0;
            self.len += 1;
            self.seats.0 |= 1 << seat.0;
        }
    }

    /// The number of names, repetitions counted.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether nobody was named.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The seat named at this place.
    #[inline]
    #[must_use]
    pub fn at(&self, place: usize) -> Side {
        Side(self.list[place])
    }

    /// All named seats in order, repetitions included.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Side> + '_ {
        self.list[..self.len()].iter().map(|&seat| Side(seat))
    }

    /// The seats named at least once.
    #[inline]
    #[must_use]
    pub fn seats(&self) -> Seats {
        self.seats
    }
}

impl FromIterator<Side> for Named {
    fn from_iter<I: IntoIterator<Item = Side>>(seats: I) -> Self {
        let mut named = Self::default();
        seats.into_iter().for_each(|seat| named.push(seat));
        named
    }
}

/// A card as it is played. Aligned, so that it is read and written in two pieces and not in five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(align(8))]
pub struct Play {
    /// The card's place in the player's deck.
    pub place: u8,
    /// Index of the card in the setup's cards.
    pub card: u16,
    /// The targets named.
    pub named: Named,
}

/// The cards of one turn, in the order in which they are played.
pub type Plays = ArrayVec<Play, PLAYS>;

/// An attack that waits in a queue. Aligned, so that it is read and written in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(align(8))]
pub struct Incoming {
    /// The attacker's seat.
    pub by: Side,
    /// Index of the card in the setup's cards.
    pub card: u16,
    /// The card's place in its player's deck.
    pub place: u8,
    /// The number of hits that will land on the bearer of this queue.
    pub hits: u8,
    /// Whether the card's effects on its own player start when this attack lands: true only for the target at whom
    /// it lands first (decision 6).
    pub leads: bool,
}

/// The state of the Memory that a character brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Memory {
    /// It was not put down, or there is none.
    #[default]
    Kept,
    /// It is down: its owner will fight on beyond 0 HP.
    Down,
    /// Its owner has gone All In: it has fallen to 0 HP or below and fights on.
    AllIn,
    /// It is gone for good, and its owner with it.
    Erased,
}

/// A character in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Character {
    /// Index of the character in the setup's sheets.
    pub sheet: u16,
    /// Hit points; below 1 only for a character that is All In or out.
    pub hp: i16,
    /// Energy for the coming turn.
    pub energy: u8,
    /// The cards in hand, by place in the deck.
    pub hand: Cards,
    /// The Single Use cards that have been used up, by place in the deck.
    pub used_up: Cards,
    /// With a discard pile: the cards dealt since the pile was last shuffled into the deck; all others are still
    /// to be dealt.
    pub dealt: Cards,
    /// The attacks that will land at the next "done".
    pub queue: ArrayVec<Incoming, QUEUE>,
    /// The effects it bears.
    pub effects: Effects,
    /// The state of its Memory.
    pub memory: Memory,
    /// How often its HP dropped to 0 or below, not counting the first drop, with which it went All In.
    pub drops: u16,
    /// Total energy used.
    pub energy_used: u16,
    /// Total energy left unused.
    pub energy_left: u16,
}

impl Character {
    /// Removes and returns the oldest attack in the queue.
    #[inline]
    pub(super) fn next_in_queue(&mut self) -> Option<Incoming> {
        match self.queue.len() {
            // No attack behind it has to move up.
            0 | 1 => self.queue.pop(),
            _ => self.queue.pop_at(0),
        }
    }
}

/// One session in progress.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The round, from 1.
    pub round: u16,
    /// Whose turn it is.
    pub active: Side,
    /// The seats that are not out.
    pub standing: Seats,
    /// The characters in joining order; the seats beyond the session's sides are empty.
    pub characters: [Character; SEATS],
}

impl State {
    /// The character in a seat.
    #[inline]
    #[must_use]
    pub fn at(&self, seat: Side) -> &Character {
        &self.characters[seat.index()]
    }

    /// The character in a seat, mutably.
    #[inline]
    pub fn at_mut(&mut self, seat: Side) -> &mut Character {
        &mut self.characters[seat.index()]
    }

    /// The other seats that are not out.
    #[inline]
    #[must_use]
    pub fn others(&self, seat: Side) -> Seats {
        self.standing.without(seat)
    }
}
