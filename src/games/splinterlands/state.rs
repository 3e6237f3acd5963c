//! One battle in progress.
//!
//! Monsters keep their place in one array from beginning to end: side A in line-up order, then side B.
//! Who lives is a bit mask, so a team's front is its lowest living bit and "positions close up after a
//! death" needs no moving.

use enumset::{EnumSet, EnumSetType};

use super::ability::{Abilities, Ability};
use super::cards::{Rarity, Stats};
use super::ruleset::{Ruleset, Rulesets};
use super::setup::CardAt;
use crate::game::{Outcome, Side};

/// The number of places in a team.
pub const TEAM: usize = 6;
/// The number of places on the field.
pub const FIELD: usize = 2 * TEAM;
/// The number of places on the field, rounded up to what vectors hold.
pub const LANES: usize = FIELD.next_power_of_two();

/// A monster's place on the field, 0 to 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(pub u8);

impl Place {
    /// The side whose monster stands there.
    #[inline]
    #[must_use]
    pub fn side(self) -> Side {
        Side(u8::from(self.0 >= TEAM as u8))
    }

    /// The number, from 1, that tells the dice which monster they are about.
    #[inline]
    #[must_use]
    pub fn unit(self) -> u32 {
        u32::from(self.0) + 1
    }

    /// The place as an index into the field.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of places. Single bits are shifted in 32 bits: 16 are narrower than what the processor shifts, which would
/// cost more instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Places(pub u16);

impl Places {
    /// All places of a side.
    #[inline]
    #[must_use]
    pub fn of(side: Side) -> Self {
        const FRONT: u16 = (1 << TEAM) - 1;
        Self(if side == Side::A { FRONT } else { FRONT << TEAM })
    }

    /// Whether the place is in the set.
    #[inline]
    #[must_use]
    pub fn has(self, place: Place) -> bool {
        u32::from(self.0) >> place.0 & 1 == 1
    }

    /// Adds a place to the set.
    #[inline]
    pub fn insert(&mut self, place: Place) {
        self.0 |= Self::from(place).0;
    }

    /// Removes a place from the set.
    #[inline]
    pub fn remove(&mut self, place: Place) {
        self.0 &= !Self::from(place).0;
    }

    /// The places that are in both sets.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The places of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of places in the set.
    #[inline]
    #[must_use]
    pub fn len(self) -> u32 {
        // Counts the bits of sets of up to 14 by multiplication (S. E. Anderson: "Bit Twiddling Hacks"): not every
        // processor that the program runs on can count them itself. Four copies, every fourth bit of each, and the sum
        // of what is left.
        const COPIES: u64 = 0x2000_4000_8001;
        const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
        let bits = u64::from(self.0).wrapping_mul(COPIES) & EVERY_FOURTH;
        (bits.wrapping_mul(EVERY_FOURTH) >> 60) as u32
    }

    /// Whether the set has exactly one place.
    #[inline]
    #[must_use]
    pub fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Whether the place is in the set and no other is nearer to the front.
    #[inline]
    #[must_use]
    pub fn is_led_by(self, place: Place) -> bool {
        self.0.trailing_zeros() == u32::from(place.0)
    }

    /// The place nearest to the front.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Place> {
        (self.0 != 0).then(|| Place(self.0.trailing_zeros() as u8))
    }

    /// The place farthest back.
    #[inline]
    #[must_use]
    pub fn last(self) -> Option<Place> {
        (self.0 != 0).then(|| Place(15 - self.0.leading_zeros() as u8))
    }

    /// The nearest place in front of `place`.
    #[inline]
    #[must_use]
    pub fn before(self, place: Place) -> Option<Place> {
        Self(self.0 & (Self::from(place).0 - 1)).last()
    }

    /// The nearest place behind `place`.
    #[inline]
    #[must_use]
    pub fn after(self, place: Place) -> Option<Place> {
        Self(self.0 & (2_u32 << place.0).wrapping_neg() as u16).first()
    }

    /// The nearest places in front of `place` and behind it.
    #[inline]
    #[must_use]
    pub fn beside(self, place: Place) -> Self {
        let set = |nearest: Option<Place>| nearest.map_or(Self(0), Self::from);
        Self(set(self.before(place)).0 | set(self.after(place)).0)
    }
}

impl From<Place> for Places {
    #[inline]
    fn from(place: Place) -> Self {
        Self((1_u32 << place.0) as u16)
    }
}

impl Iterator for Places {
    type Item = Place;

    #[inline]
    fn next(&mut self) -> Option<Place> {
        let first = self.first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

/// A status that a monster can have. Stun and poison are kept in the battle's state instead.
#[derive(EnumSetType, Debug, Hash)]
pub enum Status {
    /// It cannot be healed.
    Afflicted,
    /// It cannot fly.
    Snared,
    /// Its attacks are halved.
    Halved,
    /// Its Divine Shield is used up.
    Unshielded,
    /// It makes its Last Stand.
    LastStanding,
}

/// A monster in battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Monster {
    /// Its card.
    pub card: CardAt,
    /// Its rarity as a number from 1.
    pub rarity: u8,
    /// Its numbers as the rulesets make them, before anybody's abilities change them.
    pub base: Stats,
    /// Its numbers now; health and armor are what is left.
    pub now: Stats,
    /// The health it can be healed to.
    pub max_health: i8,
    /// The armor it can be repaired to.
    pub max_armor: i8,
    /// Health gained for good by Life Leech and Scavenger.
    pub gained: i8,
    /// Its abilities after rulesets and summoners.
    pub abilities: Abilities,
    /// Its statuses.
    pub statuses: EnumSet<Status>,
    /// Who stunned it last.
    pub stunned_by: Place,
    /// The enemies whose team-wide penalties Cleanse has taken off it.
    pub cleansed: Places,
    /// The friends whose team-wide bonuses Dispel has taken off it.
    pub dispelled: Places,
}

impl Monster {
    /// An empty place.
    pub const NOBODY: Self = Self {
        card: CardAt { card: u16::MAX, level: 0 },
        rarity: Rarity::Common as u8,
        base: Stats { melee: 0, ranged: 0, magic: 0, armor: 0, health: 0, speed: 0 },
        now: Stats { melee: 0, ranged: 0, magic: 0, armor: 0, health: 0, speed: 0 },
        max_health: 0,
        max_armor: 0,
        gained: 0,
        abilities: EnumSet::empty(),
        statuses: EnumSet::empty(),
        stunned_by: Place(0),
        cleansed: Places(0),
        dispelled: Places(0),
    };

    /// Whether it has the ability.
    #[inline]
    #[must_use]
    pub fn has(&self, ability: Ability) -> bool {
        self.abilities.contains(ability)
    }

    /// Whether it has the status.
    #[inline]
    #[must_use]
    pub fn is(&self, status: Status) -> bool {
        self.statuses.contains(status)
    }

    /// Whether it flies now (SP-72).
    #[inline]
    #[must_use]
    pub fn flies(&self) -> bool {
        self.has(Ability::Flying) && !self.is(Status::Snared)
    }

    /// Whether it has any attack at all.
    #[inline]
    #[must_use]
    pub fn attacks(&self) -> bool {
        self.base.melee | self.base.ranged | self.base.magic != 0
    }

    /// Whether it has lost health.
    #[inline]
    #[must_use]
    pub fn is_wounded(&self) -> bool {
        self.now.health < self.max_health
    }
}

/// What summoners and monsters add to the numbers of everybody in a team; negative for penalties.
pub type Aura = Stats;

/// A summoner in battle; what it adds to numbers is in the auras.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leader {
    /// Its card.
    pub card: CardAt,
    /// The abilities it uses itself (Repair, Triage, ...).
    pub abilities: Abilities,
    /// Whether the enemy's summoner keeps this team from healing (Mimosa's Affliction).
    pub cursed: bool,
}

/// One battle in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The rulesets of this battle.
    pub rulesets: Rulesets,
    /// Rounds begun.
    pub round: u8,
    /// The mana cap that was drawn.
    pub mana_cap: u8,
    /// The monsters.
    pub field: [Monster; FIELD],
    /// The living monsters.
    pub alive: Places,
    /// The monsters that were on the field at the start.
    pub fielded: Places,
    /// The monsters that have yet to act this round.
    pub waiting: Places,
    /// By place: the rank in the turn order, from 1; the highest acts first. Beyond the field 0.
    pub urgency: [i16; LANES],
    /// The stunned monsters, which skip their turns.
    pub stunned: Places,
    /// The poisoned monsters, which lose health each round.
    pub poisoned: Places,
    /// By team: the sum of all auras on it whose sources are still in the battle.
    pub auras: [Aura; 2],
    /// By team: who blinds it; places, and bits 12 and 13 for the summoners.
    pub blinders: [Places; 2],
    /// The summoners.
    pub leaders: [Leader; 2],
    /// Who has Taunt, dead or alive.
    pub taunters: Places,
    /// Who has Camouflage, dead or alive.
    pub hidden: Places,
    /// Who has Scavenger, dead or alive.
    pub scavengers: Places,
    /// Who has Resurrect, dead or alive.
    pub resurrecters: Places,
    /// The turn order: under the number of monsters that are more urgent, the monsters with that many ahead of them.
    /// Tied ones stand together, and the entries after them are empty, one for each further monster of the tie. Brought
    /// up to date between turns.
    pub ranks: [Places; LANES],
    /// Whether a monster's urgency has changed since `ranks` was last brought up to date.
    pub order_is_stale: bool,
    /// Whose Resurrect is used up: places, and bits 12 and 13 for the summoners.
    pub resurrected: u16,
    /// Whoever has trampled in the first strike of a turn with Double Strike.
    pub trampled: Places,
    /// The side that the earthquake shakes first.
    pub shaken_first: Side,
    /// The outcome of a battle that is over before it begins; None for one that is fought.
    pub verdict: Option<Outcome>,
    /// The sides whose team may not be brought, as bits.
    pub forfeits: u8,
}

impl State {
    /// An empty field, whose turn order is not up to date.
    pub(super) const NOBODY: Self = Self {
        rulesets: EnumSet::empty(),
        round: 0,
        mana_cap: 0,
        field: [Monster::NOBODY; FIELD],
        alive: Places(0),
        fielded: Places(0),
        waiting: Places(0),
        urgency: [0; LANES],
        stunned: Places(0),
        poisoned: Places(0),
        auras: [Monster::NOBODY.base; 2],
        blinders: [Places(0); 2],
        leaders: [Leader { card: Monster::NOBODY.card, abilities: EnumSet::empty(), cursed: false };
            2],
        taunters: Places(0),
        hidden: Places(0),
        scavengers: Places(0),
        resurrecters: Places(0),
        ranks: [Places(0); LANES],
        order_is_stale: true,
        resurrected: 0,
        trampled: Places(0),
        shaken_first: Side::A,
        verdict: None,
        forfeits: 0,
    };

    /// Whether the ruleset is in force.
    #[inline]
    #[must_use]
    pub fn rules(&self, ruleset: Ruleset) -> bool {
        self.rulesets.contains(ruleset)
    }

    /// The living monsters of a side.
    #[inline]
    #[must_use]
    pub fn team(&self, side: Side) -> Places {
        self.alive.and(Places::of(side))
    }

    /// The monster in a place.
    #[inline]
    #[must_use]
    pub fn at(&self, place: Place) -> &Monster {
        &self.field[place.index()]
    }

    /// The monster in a place, to change.
    #[inline]
    pub fn at_mut(&mut self, place: Place) -> &mut Monster {
        &mut self.field[place.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted_and_led_as_their_members_say() {
        // The field and the summoners.
        for bits in 0..1 << (FIELD + 2) {
            let places = Places(bits);
            assert_eq!(places.len(), bits.count_ones());
            assert_eq!(places.is_one(), places.len() == 1);
            for place in (0..FIELD as u8).map(Place) {
                assert_eq!(places.is_led_by(place), places.first() == Some(place));
            }
        }
    }
}
