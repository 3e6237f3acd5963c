//! One game in progress.

use enumset::EnumSet;

use super::ability::{AbilityId, Hook, Number};
use super::cards::vocabulary::{Later, Until};
use super::event::Ref;
use super::keyword::Keyword;
use super::list::List;
use crate::game::{Outcome, Side};

/// Lanes, and so spaces on each side.
pub const LANES: usize = 5;
/// The lane in the middle.
pub const CENTER: u8 = 2;
/// The cards of a deck.
pub const CARDS: usize = 30;
/// The most card forms in a setup.
pub const FORMS: usize = 512;
/// The most deaths that revival remembers in a game.
pub const DEATHS: usize = 256;
/// The most that can be put off at once.
pub const PUT_OFF: usize = 16;
/// The most cards that a player has in hand, deck and discard pile together: creatures that return to hand come on top
/// of the thirty.
pub const PILE: usize = 40;
/// The most abilities that a creature can be given.
pub const GRANTS: usize = 8;

/// Sets of spaces by number, and by hook: as many as fill whole registers, the last ones always empty.
const NUMBERS: usize = Number::COUNT.next_multiple_of(8);
const HOOKS: usize = Hook::COUNT.next_multiple_of(8);

/// A card at a level, as its place in the setup's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(pub u16);

/// A pile of cards in no order that matters: what is drawn is drawn at random.
pub type Pile = List<Form, PILE>;

/// What ends with a turn: sums to take off again, whatever has become of the creature (SF-43).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fading {
    /// Attack.
    pub attack: i16,
    /// Maximum health.
    pub health: i16,
    /// Armor.
    pub armor: i16,
    /// Mobility.
    pub mobility: i16,
    /// Battles in a turn.
    pub battles: i16,
    /// Keywords it has only so long.
    pub keywords: EnumSet<Keyword>,
}

impl Fading {
    /// Whether nothing ends.
    #[inline]
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        let Self { attack, health, armor, mobility, battles, keywords } = self;
        attack | health | armor | mobility | battles == 0 && keywords.is_empty()
    }
}

/// An ability that a creature was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grant {
    /// Which.
    pub ability: AbilityId,
    /// How many ends of turns it lasts; 0 is for ever.
    pub turns: u8,
}

/// A creature on the field. Attack, health and the like are its own, with everything it gained; what
/// statics add is read through [`Field`](super::rules) and never stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Creature {
    /// Which creature; no two of a game step share one. 0 is nobody.
    pub id: u16,
    /// What it is.
    pub form: Form,
    /// Attack.
    pub attack: i16,
    /// Maximum health.
    pub health: i16,
    /// Damage on it.
    pub damage: i16,
    /// Armor.
    pub armor: i16,
    /// Armor that has prevented damage this turn.
    pub armor_used: i16,
    /// Damage it takes at the start of each turn.
    pub poison: i16,
    /// Damage it heals at the start of each turn.
    pub regenerate: i16,
    /// Lanes it may move.
    pub mobility: i16,
    /// Battles more in a turn.
    pub battles: i16,
    /// When in this batch it was killed; 0 is not.
    pub killed: u16,
    /// Keywords it has for ever.
    pub keywords: EnumSet<Keyword>,
    /// Whether it is destroyed and waits for the death check.
    pub destroyed: bool,
    /// Whether it is on the defensive: new since its owner's last turn.
    pub defensive: bool,
    /// Battles it has taken part in this turn.
    pub battled: u16,
    /// How often it was activated this turn.
    pub activated: u8,
    /// Whether it moved by Mobility this turn.
    pub moved: bool,
    /// Whether it has lost the abilities that are printed on it.
    pub blank: bool,
    /// What ends with this turn, and with the next.
    pub fading: [Fading; 2],
    /// How many abilities it was given.
    pub grants: u8,
    /// The abilities it was given.
    pub granted: [Grant; GRANTS],
}

impl Creature {
    /// An empty space.
    pub const NOBODY: Creature = Creature {
        id: 0,
        form: Form(0),
        attack: 0,
        health: 0,
        damage: 0,
        armor: 0,
        armor_used: 0,
        poison: 0,
        regenerate: 0,
        mobility: 0,
        battles: 0,
        killed: 0,
        keywords: EnumSet::empty(),
        destroyed: false,
        defensive: false,
        battled: 0,
        activated: 0,
        moved: false,
        blank: false,
        fading: [Fading {
            attack: 0,
            health: 0,
            armor: 0,
            mobility: 0,
            battles: 0,
            keywords: EnumSet::empty(),
        }; 2],
        grants: 0,
        granted: [Grant { ability: AbilityId(0), turns: 0 }; GRANTS],
    };

    /// Whether somebody is here.
    #[inline]
    #[must_use]
    pub fn is_somebody(&self) -> bool {
        self.id != 0
    }

    /// Whether it has a keyword now.
    #[inline]
    #[must_use]
    pub fn has(&self, keyword: Keyword) -> bool {
        (self.keywords | self.fading[0].keywords | self.fading[1].keywords).contains(keyword)
    }

    /// Whether it starts battles.
    #[inline]
    #[must_use]
    pub fn attacks(&self) -> bool {
        // Without a branch: half of those who are asked do not.
        self.is_offensive() & !self.has(Keyword::Defender)
    }

    /// Whether it is on the offensive.
    #[inline]
    #[must_use]
    pub fn is_offensive(&self) -> bool {
        !self.defensive | self.has(Keyword::Aggressive)
    }

    /// The abilities it was given.
    #[inline]
    #[must_use]
    pub fn granted(&self) -> &[Grant] {
        &self.granted[..usize::from(self.grants)]
    }

    /// Gives it an ability, and says whether it took it: one that has eight takes no more.
    pub(super) fn grant(&mut self, ability: AbilityId, until: Until) -> bool {
        if usize::from(self.grants) >= GRANTS {
            return false;
        }
        self.granted[usize::from(self.grants)] = Grant { ability, turns: turns(until) };
        self.grants += 1;
        true
    }

    /// Takes all abilities from it, printed or given.
    pub(super) fn lose_abilities(&mut self) {
        self.blank = true;
        self.granted[..usize::from(self.grants)].fill(Grant::default());
        self.grants = 0;
    }

    /// Whether something that it gained ends with this turn or the next.
    #[inline]
    #[must_use]
    pub fn fades(&self) -> bool {
        let [one, other] = &self.fading;
        !(one.is_nothing() && other.is_nothing() && self.granted().iter().all(|of| of.turns == 0))
    }

    /// Takes off what ends now, at the end of a turn, by its inverse (SF-43).
    pub(super) fn fade(&mut self) {
        let [ends, next] = self.fading;
        self.attack = self.attack.saturating_sub(ends.attack);
        self.health = self.health.saturating_sub(ends.health);
        self.armor = self.armor.saturating_sub(ends.armor);
        self.mobility = self.mobility.saturating_sub(ends.mobility);
        self.battles = self.battles.saturating_sub(ends.battles);
        self.fading = [next, Fading::default()];
        let mut kept = 0;
        for at in 0..usize::from(self.grants) {
            let mut grant = self.granted[at];
            if grant.turns != 1 {
                grant.turns = grant.turns.saturating_sub(1);
                self.granted[kept] = grant;
                kept += 1;
            }
        }
        self.granted[kept..usize::from(self.grants)].fill(Grant::default());
        self.grants = kept as u8;
    }
}

/// How many ends of turns something lasts; 0 is for ever.
fn turns(until: Until) -> u8 {
    match until {
        Until::Forever => 0,
        Until::EndOfTurn => 1,
        Until::EndOfNextTurn => 2,
    }
}

/// What was put off until a moment to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PutOff {
    /// Which ability resolves then.
    pub ability: AbilityId,
    /// When.
    pub at: Later,
    /// Who put it off; one that has left the field is nobody (0).
    pub source: Ref,
    /// The creature that it remembers, if it is still on the field.
    pub subject: Ref,
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Player {
    /// Whose deck this is, as its place among the setup's.
    pub contender: u16,
    /// Life.
    pub life: i16,
    /// Armor of the player's own.
    pub armor: i16,
    /// Armor that has prevented damage this turn.
    pub armor_used: i16,
    /// Rank, from 1.
    pub rank: u8,
    /// Turns begun.
    pub turns: u16,
    /// Cards that may still be played this turn.
    pub plays: u8,
    /// Cards played this turn.
    pub played: u8,
    /// Cards in hand.
    pub hand: Pile,
    /// Cards to draw from.
    pub deck: Pile,
    /// Cards played, levelled, or discarded.
    pub discard: Pile,
}

/// A set of spaces: lane `l` of side `s` is bit `8 s + l`, a byte for each side, so that side and lane of a bit take no
/// division. Iterates over side A from left to right, then side B.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spaces(u16);

impl Spaces {
    /// All spaces.
    pub const ALL: Self = Self(Self::LANES | Self::LANES << Self::SIDE);
    /// How many bits a side has.
    const SIDE: u8 = u8::BITS as u8;
    /// The lanes of side A.
    const LANES: u16 = (1 << LANES) - 1;

    #[inline]
    fn bit(side: Side, lane: u8) -> u16 {
        1 << (Self::SIDE * side.0 + lane)
    }

    /// Whether a space is in.
    #[inline]
    #[must_use]
    pub fn has(self, side: Side, lane: u8) -> bool {
        self.0 & Self::bit(side, lane) != 0
    }

    /// Puts a space in or takes it out.
    #[inline]
    pub fn set(&mut self, side: Side, lane: u8, is_in: bool) {
        if is_in {
            self.0 |= Self::bit(side, lane);
        } else {
            self.0 &= !Self::bit(side, lane);
        }
    }

    /// Puts a space into those of the sets whose bit is set, and takes it out of the others: all of them in a few
    /// instructions, since nothing here depends on what is found. There are as many sets as fill whole registers.
    #[inline(always)]
    pub fn set_all<const N: usize>(sets: &mut [Self; N], side: Side, lane: u8, are_in: u16) {
        const { assert!(N == 8 || N == 16, "whole registers, and a bit for each set") };
        let bit = Self::bit(side, lane);
        for (eight, bits) in sets.chunks_exact_mut(8).zip(are_in.to_le_bytes()) {
            for (set, is_in) in eight.iter_mut().zip(WORDS[usize::from(bits)]) {
                set.0 = (set.0 & !bit) | (bit & is_in);
            }
        }
    }

    /// The lanes in which there is a space of either side, from left to right.
    #[inline]
    pub fn lanes(self) -> impl Iterator<Item = u8> {
        let lanes = (self.0 | self.0 >> Self::SIDE) & Self::LANES;
        Self(lanes).map(|(_, lane)| lane)
    }

    /// The spaces of one side.
    #[inline]
    #[must_use]
    pub fn of(self, side: Side) -> Self {
        Self(self.0 & (Self::LANES << (Self::SIDE * side.0)))
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lanes of one side's spaces: bit `l` is lane `l`.
    #[inline]
    #[must_use]
    pub fn lanes_of(self, side: Side) -> u8 {
        (self.0 >> (Self::SIDE * side.0)) as u8
    }

    /// The spaces of both sides in lanes of which the bit is set.
    #[inline]
    #[must_use]
    pub fn in_lanes(lanes: u8) -> Self {
        let lanes = u16::from(lanes) & Self::LANES;
        Self(lanes | lanes << Self::SIDE)
    }

    /// One space.
    #[inline]
    #[must_use]
    pub fn one(side: Side, lane: u8) -> Self {
        Self(Self::bit(side, lane))
    }

    /// The spaces next to one, on its side.
    #[inline]
    #[must_use]
    pub fn beside(side: Side, lane: u8) -> Self {
        let here = 1u8 << lane;
        Self::in_lanes(here << 1 | here >> 1).of(side)
    }

    /// The sets' bits.
    #[inline]
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// The space of a bit.
    #[inline]
    pub(super) fn at_bit(bit: u8) -> (Side, u8) {
        (Side(bit / Self::SIDE), bit % Self::SIDE)
    }

    /// The spaces that are in both sets.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The spaces that are in this set and not in the other.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The spaces that are in this set or in the other.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Iterator for Spaces {
    type Item = (Side, u8);

    #[inline]
    fn next(&mut self) -> Option<(Side, u8)> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Self::at_bit(bit))
    }
}

/// A set of card forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FormSet([u64; FORMS / 64]);

impl FormSet {
    /// Puts a form in. Whether it was not.
    #[inline]
    pub fn insert(&mut self, form: Form) -> bool {
        let (word, bit) = (&mut self.0[usize::from(form.0) / 64], 1 << (form.0 % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// The forms that are in, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = Form> + use<'_> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (bit < 64).then(|| Form(word as u16 * 64 + bit as u16))
            })
        })
    }
}

/// A game in progress. It is flat, so that a player who thinks ahead copies it in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The spaces, by side and lane from left to right.
    pub field: [[Creature; LANES]; 2],
    /// The players.
    pub players: [Player; 2],
    /// Whose turn it is.
    pub active: Side,
    /// Turns begun in this game.
    pub turn: u16,
    /// Steps of a position that were played.
    pub step: u16,
    /// Battles that may be fought now.
    pub battles_open: u16,
    /// Whether the turn's own battle was fought.
    pub fought: bool,
    /// Whether both players reached the same life of 0 or less (SF-06).
    pub sudden_death: bool,
    /// How the game ended.
    pub verdict: Option<Outcome>,
    /// What was put off, earliest first.
    pub put_off: List<PutOff, PUT_OFF>,
    /// The deaths that revival can choose from.
    pub dead: List<Form, DEATHS>,
    /// What each side has had on the field or played; where decks are drawn, also the cards of its deck.
    pub seen: [FormSet; 2],
    /// The spaces in which somebody is.
    pub occupied: Spaces,
    /// Those of them in which somebody is who is not destroyed.
    pub standing: Spaces,
    /// Those of them in which somebody is destroyed or was seen without health, and leaves at the next death check.
    pub doomed: Spaces,
    /// Those of them whose creatures have statics, by the number that these change.
    pub statics: [Spaces; NUMBERS],
    /// Those of them whose creatures listen, by what they listen to.
    pub listening: [Spaces; HOOKS],
    /// Those of them whose creatures were given abilities.
    pub granted: Spaces,
    /// Those of them in which somebody stands who has Mobility.
    pub mobile: Spaces,
    /// Those of them in which somebody has something that ends with a turn: seldom any.
    pub fading: Spaces,
    /// The next creature's id.
    pub next_id: u16,
    /// The last stamp of killing in this batch.
    pub kills: u16,
}

impl State {
    /// The creature in a space, or nobody.
    #[inline]
    #[must_use]
    pub fn at(&self, side: Side, lane: u8) -> &Creature {
        // One bound to look at rather than two.
        &self.field.as_flattened()[space(side, lane)]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, side: Side, lane: u8) -> &mut Creature {
        &mut self.field.as_flattened_mut()[space(side, lane)]
    }

    /// A side's player.
    #[inline]
    #[must_use]
    pub fn player(&self, side: Side) -> &Player {
        &self.players[side.index()]
    }

    #[inline]
    pub(super) fn player_mut(&mut self, side: Side) -> &mut Player {
        &mut self.players[side.index()]
    }

    /// Whether something can enter a space: nobody is in it, or only somebody destroyed.
    #[inline]
    #[must_use]
    pub fn is_free(&self, side: Side, lane: u8) -> bool {
        !self.standing.has(side, lane)
    }

    /// The spaces of a side that something can enter.
    #[inline]
    #[must_use]
    pub fn free(&self, side: Side) -> Spaces {
        Spaces::ALL.of(side).without(self.standing)
    }
}

/// A word for each bit of a byte, all ones where the bit is set. Looked up, because there are no instructions for it.
static WORDS: [[u16; 8]; 256] = {
    let mut words = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            words[byte][bit] = if byte >> bit & 1 == 1 { u16::MAX } else { 0 };
            bit += 1;
        }
        byte += 1;
    }
    words
};

/// The number of a space: side A from left to right, then side B.
#[inline]
fn space(side: Side, lane: u8) -> usize {
    debug_assert!(usize::from(lane) < LANES, "there is no lane {lane}");
    LANES * side.index() + usize::from(lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_all_sets_is_setting_each() {
        for are_in in [0, 1, 0b101, 0x7FFF, u16::MAX] {
            for before in [0, Spaces::ALL.0, 0b1_0011_0000_1001] {
                for (side, lane) in Spaces::ALL {
                    let mut all = [Spaces(before); 16];
                    let mut eight = [Spaces(before); 8];
                    Spaces::set_all(&mut all, side, lane, are_in);
                    Spaces::set_all(&mut eight, side, lane, are_in);
                    assert_eq!(eight, all[..8]);
                    for (at, set) in all.into_iter().enumerate() {
                        let mut alone = Spaces(before);
                        alone.set(side, lane, are_in >> at & 1 == 1);
                        assert_eq!(set, alone);
                    }
                }
            }
        }
    }

    #[test]
    fn a_form_is_new_to_a_set_once() {
        let mut set = FormSet::default();
        for form in [Form(0), Form(63), Form(64), Form(511)] {
            assert!(set.insert(form));
            assert!(!set.insert(form));
        }
        assert_eq!(set.iter().count(), 4);
    }

    #[test]
    fn lanes_are_those_of_either_side_once() {
        let mut spaces = Spaces::default();
        for (side, lane) in [(Side::B, 4), (Side::A, 1), (Side::B, 1)] {
            spaces.set(side, lane, true);
        }
        assert_eq!(spaces.lanes().collect::<Vec<_>>(), [1, 4]);
    }
}
