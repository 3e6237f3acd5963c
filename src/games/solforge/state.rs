//! The state of a game in progress.

use enumset::EnumSet;

use super::ability::{AbilityId, Hook, Number};
use super::cards::vocabulary::{Later, Until};
use super::event::{Gained, Ref};
use super::keyword::Keyword;
use super::list::List;
use crate::game::{Outcome, Side};

/// Number of lanes, and so of spaces on each side.
pub const LANES: usize = 5;
/// Index of the middle lane.
pub const CENTER: u8 = 2;
/// Number of cards in a deck.
pub const CARDS: usize = 30;
/// Maximum number of card forms (cards at a level) in a setup.
pub const FORMS: usize = 512;
/// Maximum number of deaths that are remembered for revival in a game.
pub const DEATHS: usize = 256;
/// Maximum number of abilities that can be put off at once.
pub const PUT_OFF: usize = 16;
/// Maximum number of cards in a player's hand, deck and discard pile together: creatures that return to hand come on
/// top of the deck's thirty.
pub const PILE: usize = 40;
/// Maximum number of abilities that can be granted to a creature.
pub const GRANTS: usize = 8;

/// Lengths of the arrays with a set of spaces for each number and for each hook, rounded up to fill whole registers;
/// the surplus sets stay empty.
const NUMBERS: usize = Number::COUNT.next_multiple_of(8);
const HOOKS: usize = Hook::COUNT.next_multiple_of(8);

/// A card at a level, as an index into the setup's list of forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(pub u16);

/// A pile of cards whose order does not matter, since cards are drawn from it at random.
pub type Pile = List<Form, PILE>;

/// A creature's gains that end with a certain turn: sums that are then subtracted again, whatever has become of the
/// creature (SF-43).
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
    /// Extra battles in a turn.
    pub battles: i16,
    /// Keywords that it has only until then.
    pub keywords: EnumSet<Keyword>,
}

impl Fading {
    /// Whether there is nothing to end.
    #[inline]
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        let Self { attack, health, armor, mobility, battles, keywords } = self;
        attack | health | armor | mobility | battles == 0 && keywords.is_empty()
    }
}

/// An ability that was granted to a creature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grant {
    /// The ability.
    pub ability: AbilityId,
    /// How many ends of turns it lasts; 0 means for ever.
    pub turns: u8,
}

/// A creature on the field. Its numbers, such as attack and health, are its own, including everything it has gained;
/// what statics add is computed when it is read ([`rules::statics`](super::rules)) and never stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Creature {
    /// Identifies the creature; no two creatures of one game step share an id. 0 means nobody.
    pub id: u16,
    /// Its card and level.
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
    /// How many lanes it may move by Mobility.
    pub mobility: i16,
    /// Extra battles in a turn.
    pub battles: i16,
    /// Stamp of when in this batch it was killed; 0 if it was not.
    pub killed: u16,
    /// Keywords it has for ever.
    pub keywords: EnumSet<Keyword>,
    /// Whether it is destroyed and waits for the death check.
    pub destroyed: bool,
    /// Whether it came after its owner's turn last began, and so is on the defensive unless it is Aggressive.
    pub defensive: bool,
    /// Battles it has taken part in this turn.
    pub battled: u16,
    /// How often it was activated this turn.
    pub activated: u8,
    /// Whether it moved by Mobility this turn.
    pub moved: bool,
    /// Whether it has lost the abilities that are printed on it.
    pub blank: bool,
    /// Its gains that end with this turn, and with the next.
    pub fading: [Fading; 2],
    /// How many granted abilities it has.
    pub grants: u8,
    /// The granted abilities, from the start; the rest of the array is empty.
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

    /// Whether this is a creature and not an empty space.
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

    /// Whether it starts battles: on the offensive and without Defender.
    #[inline]
    #[must_use]
    pub fn attacks(&self) -> bool {
        // Without a branch, which would often be mispredicted: half of the creatures asked do not attack.
        self.is_offensive() & !self.has(Keyword::Defender)
    }

    /// Whether it is on the offensive.
    #[inline]
    #[must_use]
    pub fn is_offensive(&self) -> bool {
        !self.defensive | self.has(Keyword::Aggressive)
    }

    /// The abilities that were granted to it.
    #[inline]
    #[must_use]
    pub fn granted(&self) -> &[Grant] {
        &self.granted[..usize::from(self.grants)]
    }

    /// Grants it an ability and returns whether it took it: a creature that has eight takes no more.
    pub(super) fn grant(&mut self, ability: AbilityId, until: Until) -> bool {
        if usize::from(self.grants) >= GRANTS {
            return false;
        }
        self.granted[usize::from(self.grants)] = Grant { ability, turns: turns(until) };
        self.grants += 1;
        true
    }

    /// Takes all abilities from it, printed or granted.
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

    /// Whether something that it gained ends with this turn.
    #[must_use]
    pub fn fades_now(&self) -> bool {
        !self.fading[0].is_nothing() || self.granted().iter().any(|of| of.turns == 1)
    }

    /// Ends the gains that last until this end of a turn, by subtracting them again (SF-43). Returns what it had gained
    /// until now, and how many abilities it had been granted until now.
    pub(super) fn fade(&mut self) -> (Gained, u8) {
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
        let gained = Gained {
            attack: ends.attack,
            health: ends.health,
            armor: ends.armor,
            mobility: ends.mobility,
            battles: ends.battles,
            keywords: ends.keywords,
            ..Gained::default()
        };
        (gained, std::mem::replace(&mut self.grants, kept as u8) - kept as u8)
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

/// An ability that was put off until a later moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PutOff {
    /// The ability that resolves then.
    pub ability: AbilityId,
    /// The moment at which it resolves.
    pub at: Later,
    /// The creature that put it off; its id is 0 (nobody) once it has left the field, and for a spell.
    pub source: Ref,
    /// The creature that it remembers; the id is 0 if it has left the field, or if there is none.
    pub subject: Ref,
}

/// A player's part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Player {
    /// Index of the player's contender among the setup's decks.
    pub contender: u16,
    /// Life.
    pub life: i16,
    /// The player's own armor, without what statics add.
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
    /// The discard pile: cards played, levelled, or discarded.
    pub discard: Pile,
}

/// A set of spaces: lane `l` of side `s` is bit `8 s + l`, a byte for each side, so that the side and lane of a bit are
/// found without a division. Iterates over side A from left to right, then side B.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spaces(u16);

impl Spaces {
    /// All spaces.
    pub const ALL: Self = Self(Self::LANES | Self::LANES << Self::SIDE);
    /// Number of bits for each side.
    const SIDE: u8 = u8::BITS as u8;
    /// The bits of side A's lanes.
    const LANES: u16 = (1 << LANES) - 1;

    #[inline]
    fn bit(side: Side, lane: u8) -> u16 {
        1 << (Self::SIDE * side.0 + lane)
    }

    /// Whether a space is in the set.
    #[inline]
    #[must_use]
    pub fn has(self, side: Side, lane: u8) -> bool {
        self.0 & Self::bit(side, lane) != 0
    }

    /// Adds a space to the set or removes it.
    #[inline]
    pub fn set(&mut self, side: Side, lane: u8, is_in: bool) {
        if is_in {
            self.0 |= Self::bit(side, lane);
        } else {
            self.0 &= !Self::bit(side, lane);
        }
    }

    /// Adds a space to each set whose bit in `are_in` is set, and removes it from the others. This takes a few
    /// instructions for all sets together, since there are no branches. The number of sets fills whole registers.
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

    /// The lanes of the set's spaces on either side, each once, from left to right.
    #[inline]
    pub fn lanes(self) -> impl Iterator<Item = u8> {
        let lanes = (self.0 | self.0 >> Self::SIDE) & Self::LANES;
        Self(lanes).map(|(_, lane)| lane)
    }

    /// The spaces of the set that are on one side.
    #[inline]
    #[must_use]
    pub fn of(self, side: Side) -> Self {
        Self(self.0 & (Self::LANES << (Self::SIDE * side.0)))
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lanes of the set's spaces on one side: bit `l` is lane `l`.
    #[inline]
    #[must_use]
    pub fn lanes_of(self, side: Side) -> u8 {
        (self.0 >> (Self::SIDE * side.0)) as u8
    }

    /// The spaces of both sides in the lanes whose bits are set.
    #[inline]
    #[must_use]
    pub fn in_lanes(lanes: u8) -> Self {
        let lanes = u16::from(lanes) & Self::LANES;
        Self(lanes | lanes << Self::SIDE)
    }

    /// The set with a single space.
    #[inline]
    #[must_use]
    pub fn one(side: Side, lane: u8) -> Self {
        Self(Self::bit(side, lane))
    }

    /// The spaces next to a space, on its side.
    #[inline]
    #[must_use]
    pub fn beside(side: Side, lane: u8) -> Self {
        let here = 1u8 << lane;
        Self::in_lanes(here << 1 | here >> 1).of(side)
    }

    /// The bits of the set.
    #[inline]
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// The side and lane that a bit stands for.
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
    /// Adds a form and returns whether it was new.
    #[inline]
    pub fn insert(&mut self, form: Form) -> bool {
        let (word, bit) = (&mut self.0[usize::from(form.0) / 64], 1 << (form.0 % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// The forms in the set, lowest first.
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

/// The state of a game in progress. It is flat, so that a player who thinks ahead can copy it in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The creatures in the spaces, by side and by lane from left to right.
    pub field: [[Creature; LANES]; 2],
    /// The players.
    pub players: [Player; 2],
    /// Whose turn it is.
    pub active: Side,
    /// Turns begun in this game.
    pub turn: u16,
    /// Number of steps of the position taken so far.
    pub step: u16,
    /// Number of battles that may be fought now.
    pub battles_open: u16,
    /// Whether the turn's own battle was fought.
    pub fought: bool,
    /// Whether both players reached the same life of 0 or less (SF-06).
    pub sudden_death: bool,
    /// How the game ended; None while it goes on.
    pub verdict: Option<Outcome>,
    /// The abilities that were put off, the one put off earliest first.
    pub put_off: List<PutOff, PUT_OFF>,
    /// The creatures that died, one entry for each death, for revival to choose from.
    pub dead: List<Form, DEATHS>,
    /// The forms that each side has had on the field or played; where decks are drawn, also the cards of its deck.
    pub seen: [FormSet; 2],
    /// The spaces with a creature in them.
    pub occupied: Spaces,
    /// The occupied spaces whose creature is not destroyed.
    pub standing: Spaces,
    /// The occupied spaces whose creature is destroyed or was found without health, and leaves at the next death check.
    pub doomed: Spaces,
    /// For each number, the spaces whose creatures have statics that change it.
    pub statics: [Spaces; NUMBERS],
    /// For each hook, the spaces whose creatures have a printed ability that listens to it.
    pub listening: [Spaces; HOOKS],
    /// The spaces whose creatures have granted abilities.
    pub granted: Spaces,
    /// The spaces whose creatures have Mobility and are not destroyed.
    pub mobile: Spaces,
    /// The spaces whose creatures have gains that end with a turn: seldom any.
    pub fading: Spaces,
    /// The id of the next creature that enters.
    pub next_id: u16,
    /// The last stamp that was used for killing in this batch.
    pub kills: u16,
}

impl State {
    /// The creature in a space, or nobody.
    #[inline]
    #[must_use]
    pub fn at(&self, side: Side, lane: u8) -> &Creature {
        // One bounds check rather than two.
        &self.field.as_flattened()[space(side, lane)]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, side: Side, lane: u8) -> &mut Creature {
        &mut self.field.as_flattened_mut()[space(side, lane)]
    }

    /// How many turns both players have begun, those before a position among them.
    #[must_use]
    pub fn turns_begun(&self) -> u32 {
        self.players.iter().map(|player| u32::from(player.turns)).sum()
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

    /// Where a creature stands now, destroyed or not; None once it has left the field.
    #[must_use]
    pub fn locate(&self, who: Ref) -> Option<(Side, u8)> {
        if who.id == 0 {
            return None;
        }
        let side = who.side();
        if self.at(side, who.lane).id == who.id {
            return Some((side, who.lane));
        }
        (0..LANES as u8).find(|&lane| self.at(side, lane).id == who.id).map(|lane| (side, lane))
    }

    /// Whether a creature can enter a space: it is empty, or holds only a destroyed creature.
    #[inline]
    #[must_use]
    pub fn is_free(&self, side: Side, lane: u8) -> bool {
        !self.standing.has(side, lane)
    }

    /// The spaces of a side that a creature can enter.
    #[inline]
    #[must_use]
    pub fn free(&self, side: Side) -> Spaces {
        Spaces::ALL.of(side).without(self.standing)
    }
}

/// For each byte, a word for each of its bits, all ones where the bit is set. It is a table, because no instruction
/// computes this.
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

/// Index of a space: side A from left to right, then side B.
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
