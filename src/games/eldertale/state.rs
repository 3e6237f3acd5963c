//! One session in progress.

use arrayvec::ArrayVec;

use super::cards::HITS;
use super::combinations::Cards;
use super::effect::Effects;
use crate::game::Side;

/// The most characters in a session.
pub const SEATS: usize = 6;
/// Energy for a turn: "the standard total of three" (ET-02, ET-03, ET-04).
pub const ENERGY: u8 = 3;
/// The most energy, where a scenario lets attacks give more than the standard total.
pub const MOST_ENERGY: u8 = 6;
/// The most cards that the most energy pays for.
pub const PLAYS: usize = MOST_ENERGY as usize;
/// The most attacks that can wait for a character: everybody else takes at most one turn between two of its.
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

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there are two or more.
    #[inline]
    #[must_use]
    pub fn are_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The one seat in the set, if there is just one.
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

    /// The next seat in joining order after `seat`, going round.
    #[inline]
    #[must_use]
    pub fn after(self, seat: Side) -> Option<Side> {
        let later = Self(self.0 & !((2u16 << seat.0) - 1) as u8);
        later.lowest().or(self.lowest())
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

/// The seats named as targets, one after the other, the same as often as it was named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Named {
    list: [u8; HITS],
    len: u8,
    /// Who was named at least once.
    seats: Seats,
}

impl Named {
    /// Names one, once.
    #[inline]
    #[must_use]
    pub fn one(seat: Side) -> Self {
        let mut list = [0; HITS];
        list[0] = seat.0;
        Self { list, len: 1, seats: Seats(1 << seat.0) }
    }

    /// Names one more, as long as there is room.
    #[inline]
    pub fn push(&mut self, seat: Side) {
        if usize::from(self.len) < HITS {
            self.list[usize::from(self.len)] = seat.0;
            self.len += 1;
            self.seats.0 |= 1 << seat.0;
        }
    }

    /// How many were named, repetitions counted.
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

    /// The one named at this place.
    #[inline]
    #[must_use]
    pub fn at(&self, place: usize) -> Side {
        Side(self.list[place])
    }

    /// All of them in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Side> + '_ {
        self.list[..self.len()].iter().map(|&seat| Side(seat))
    }

    /// Who was named at least once.
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
    /// Its place in the player's deck.
    pub place: u8,
    /// The card, by its place in the setup.
    pub card: u16,
    /// Who was named.
    pub named: Named,
}

/// The cards of one turn, in the order in which they are played.
pub type Plays = ArrayVec<Play, PLAYS>;

/// An attack that waits in a queue. Aligned, so that it is read and written in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(align(8))]
pub struct Incoming {
    /// Whose it is.
    pub by: Side,
    /// The card, by its place in the setup.
    pub card: u16,
    /// The card's place in its player's deck.
    pub place: u8,
    /// How many hits will land here.
    pub hits: u8,
    /// Whether what the card does to its own player comes with it: so for one target only.
    pub leads: bool,
}

/// What has become of the Memory a character brought.
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
    /// Who it is, by the place in the setup.
    pub sheet: u16,
    /// Hit points; below 1 only after going All In, or out.
    pub hp: i16,
    /// Energy for the coming turn.
    pub energy: u8,
    /// The cards in hand, by place in the deck.
    pub hand: Cards,
    /// Single Use cards that are gone.
    pub used_up: Cards,
    /// With a discard pile: the cards that have been dealt since it was last shuffled into its deck; the rest is still
    /// to be dealt.
    pub dealt: Cards,
    /// The attacks that will land at the next "done".
    pub queue: ArrayVec<Incoming, QUEUE>,
    /// The effects it bears.
    pub effects: Effects,
    /// What has become of its Memory.
    pub memory: Memory,
    /// Drops in HP to 0 or below after the first, with which it went All In.
    pub drops: u16,
    /// Energy it has used in all.
    pub energy_used: u16,
    /// Energy it has left unused in all.
    pub energy_left: u16,
}

impl Character {
    /// Takes the attack that came first out of the queue.
    #[inline]
    pub(super) fn next_in_queue(&mut self) -> Option<Incoming> {
        match self.queue.len() {
            // Nothing waits behind it that has to move up.
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
    /// Who is not out.
    pub standing: Seats,
    /// The characters, in joining order; the rest are nobody.
    pub characters: [Character; SEATS],
}

impl State {
    /// The character in a seat.
    #[inline]
    #[must_use]
    pub fn at(&self, seat: Side) -> &Character {
        &self.characters[seat.index()]
    }

    /// The character in a seat, to change.
    #[inline]
    pub fn at_mut(&mut self, seat: Side) -> &mut Character {
        &mut self.characters[seat.index()]
    }

    /// Everybody else who is not out.
    #[inline]
    #[must_use]
    pub fn others(&self, seat: Side) -> Seats {
        self.standing.without(seat)
    }
}
