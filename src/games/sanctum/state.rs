//! One combat phase in progress.
//!
//! The two groups that fight have their minions on one field. Between combats each group is kept on its own.

use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use enumset::EnumSet;

use super::effect::{Lasts, Stat, Trigger, Weapon};
pub use super::places::{FIELD, GROUP, Place, Places, Precedence};
use super::setup::Setup;
use crate::game::{Outcome, Side, Stratum};

/// The maximum number of groups on a map.
pub const GROUPS: usize = 16;
/// The maximum number of effects of spells on one group as a whole.
pub const GROUP_EFFECTS: usize = u16::BITS as usize;
/// The maximum number of effects of one minion that have a limit, and so need a counter.
pub const COUNTED: usize = 8;
/// The highest level.
pub const TOP_LEVEL: u8 = 5;
/// The number of misses that makes any attack hit.
pub const INFINITE: u8 = u8::MAX;

/// The numbers of a minion that effects can change. The order of the fields lets them be read as one number.
#[derive(Clone, Copy, Debug, Default, Eq)]
#[repr(C)]
pub struct Stats {
    /// Level, 0 to 5.
    pub level: u8,
    /// Maximum armor.
    pub armor: i8,
    /// Damage of a hand attack.
    pub hand: i8,
    /// Damage of a missile attack.
    pub missile: i8,
    /// Attacks per round.
    pub attacks: u8,
    /// Whether an effect keeps it from attacking, whatever it gains.
    pub stopped: bool,
    /// The weapons whose attacks deal nothing, as bits.
    pub mute: u8,
}

impl Stats {
    const NONE: Self =
        Self { level: 0, armor: 0, hand: 0, missile: 0, attacks: 0, stopped: false, mute: 0 };

    /// Changes one of the numbers, within its bounds. Hit points are not among them: they stay as they are.
    pub fn change(&mut self, stat: Stat, by: i8) {
        match stat {
            Stat::Hand => self.hand = self.hand.saturating_add(by),
            Stat::Missile => self.missile = self.missile.saturating_add(by),
            Stat::Armor => self.armor = self.armor.saturating_add(by),
            // "Any does-not-attack effects will set attacks per round to 0" (R1).
            Stat::Attacks if self.stopped => {}
            Stat::Attacks => self.attacks = self.attacks.saturating_add_signed(by),
            Stat::Level => self.level = self.level.saturating_add_signed(by).min(TOP_LEVEL),
            Stat::HitPoints => {}
        }
    }

    /// One of the numbers; 0 for hit points, which are not among them.
    pub fn get(&self, stat: Stat) -> i16 {
        match stat {
            Stat::Hand => self.hand.into(),
            Stat::Missile => self.missile.into(),
            Stat::Armor => self.armor.into(),
            Stat::Attacks => self.attacks.into(),
            Stat::Level => self.level.into(),
            Stat::HitPoints => 0,
        }
    }

    /// All of them as one number: they take its seven lowest bytes, and the eighth is 1.
    #[inline]
    pub(super) fn packed(self) -> u64 {
        let Self { level, armor, hand, missile, attacks, stopped, mute } = self;
        let [armor, hand, missile] = [armor, hand, missile].map(i8::cast_unsigned);
        u64::from_le_bytes([level, armor, hand, missile, attacks, u8::from(stopped), mute, 1])
    }

    /// Makes the minion a non-combatant (R1; SA-26).
    pub fn stop(&mut self) {
        self.attacks = 0;
        self.stopped = true;
    }

    /// Maximum armor, never less than 0.
    #[inline]
    #[must_use]
    pub fn max_armor(&self) -> i16 {
        i16::from(self.armor.max(0))
    }

    /// Whether attacks with this weapon deal nothing.
    #[inline]
    #[must_use]
    pub fn is_mute(&self, weapon: Weapon) -> bool {
        self.mute >> weapon as u8 & 1 == 1
    }
}

/// A minion in a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minion {
    /// Index into the setup's kinds of minions.
    pub kind: u16,
    /// Current hit points.
    pub hit_points: i16,
    /// Maximum hit points.
    pub max_hit_points: i16,
    /// Its numbers in this round.
    pub stats: Stats,
    /// Its numbers after the next reset, where they differ from `in_combat` because a change lasts for the next
    /// round only.
    pub next_round: Option<Stats>,
    /// Its numbers in this combat, to which a reset returns.
    pub in_combat: Stats,
    /// Its permanent numbers, to which the end of combat returns.
    pub for_good: Stats,
    /// Current armor: the part not used up in this round.
    pub armor: i16,
    /// Remaining attacks in this round.
    pub attacks: u8,
    /// Consecutive misses, whoever the victims were.
    pub misses: u8,
    /// Whom it attacks. A victim that is no longer present counts as none.
    pub victim: Place,
    /// The number of gazes, doses of venom or similar marks on it.
    pub marks: u8,
    /// Whether it has qualified for an experience level in this phase.
    pub qualified: bool,
    /// How often each of its counted effects has happened in this combat.
    pub uses: [u8; COUNTED],
}

impl Minion {
    /// An empty place.
    pub const NOBODY: Self = Self {
        kind: 0,
        hit_points: 0,
        max_hit_points: 0,
        stats: Stats::NONE,
        next_round: None,
        in_combat: Stats::NONE,
        for_good: Stats::NONE,
        armor: 0,
        attacks: 0,
        misses: 0,
        victim: Place::NONE,
        marks: 0,
        qualified: false,
        uses: [0; COUNTED],
    };

    /// Resets everything that lasts only for the combat.
    pub(super) fn leave_combat(&mut self) {
        *self = Kept::of(self).minion();
    }

    /// Changes its numbers. A change that lasts a round ends at the next reset, unless it is `to_come`: then it
    /// outlasts the next reset, and the one after that ends it (R1; SA-26).
    pub fn change(&mut self, lasts: Lasts, to_come: bool, change: impl Fn(&mut Stats)) {
        change(&mut self.stats);
        match lasts {
            Lasts::Round if to_come => change(self.next_round.get_or_insert(self.in_combat)),
            Lasts::Round => {}
            Lasts::Combat | Lasts::Forever => {
                self.next_round.iter_mut().for_each(&change);
                change(&mut self.in_combat);
                if lasts == Lasts::Forever {
                    change(&mut self.for_good);
                }
            }
        }
    }

    /// Its numbers after the next reset (R1; SA-25, SA-26).
    #[inline]
    #[must_use]
    pub fn after_reset(&self) -> Stats {
        self.next_round.unwrap_or(self.in_combat)
    }
}

/// The lasting part of a minion, kept between combats. It is small, because a phase has room for many more groups
/// than usually fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Index into the setup's kinds of minions.
    pub kind: u16,
    /// Current hit points.
    pub hit_points: i16,
    /// Maximum hit points.
    pub max_hit_points: i16,
    /// Its permanent numbers.
    pub stats: Stats,
    /// The number of gazes, doses of venom or similar marks on it.
    pub marks: u8,
    /// Whether it has qualified for an experience level in this phase.
    pub qualified: bool,
}

impl Kept {
    /// An empty place.
    pub const NOBODY: Self = Self {
        kind: 0,
        hit_points: 0,
        max_hit_points: 0,
        stats: Stats::NONE,
        marks: 0,
        qualified: false,
    };

    /// The part of a minion that outlasts a combat.
    #[must_use]
    pub fn of(minion: &Minion) -> Self {
        let &Minion { kind, hit_points, max_hit_points, for_good, marks, qualified, .. } = minion;
        Self { kind, hit_points, max_hit_points, stats: for_good, marks, qualified }
    }

    /// The minion at the start of a combat.
    #[inline]
    #[must_use]
    pub fn minion(&self) -> Minion {
        let &Self { kind, hit_points, max_hit_points, stats, marks, qualified } = self;
        Minion {
            kind,
            hit_points,
            max_hit_points,
            stats,
            in_combat: stats,
            for_good: stats,
            marks,
            qualified,
            ..Minion::NOBODY
        }
    }
}

// Exact odds look up states by the hundred thousand; hashing and comparing a few wide numbers takes a fraction of
// the time that many narrow ones take.
impl PartialEq for Stats {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.packed() == other.packed()
    }
}

impl Hash for Stats {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.packed());
    }
}

impl Hash for Minion {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let &Self {
            kind, hit_points, max_hit_points, stats, next_round, in_combat, for_good, ..
        } = self;
        let &Self { armor, attacks, misses, victim, marks, qualified, uses, .. } = self;
        hasher.write_u64(numbers([
            kind,
            hit_points.cast_unsigned(),
            max_hit_points.cast_unsigned(),
            armor.cast_unsigned(),
        ]));
        hasher.write_u64(stats.packed());
        hasher.write_u64(next_round.map_or(0, Stats::packed));
        hasher.write_u64(in_combat.packed());
        hasher.write_u64(for_good.packed());
        hasher.write_u64(u64::from_le_bytes([
            attacks,
            misses,
            victim.0,
            marks,
            u8::from(qualified),
            0,
            0,
            0,
        ]));
        hasher.write_u64(u64::from_le_bytes(uses));
    }
}

impl Hash for Kept {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let &Self { kind, hit_points, max_hit_points, stats, marks, qualified } = self;
        let rest = u16::from_le_bytes([marks, u8::from(qualified)]);
        hasher.write_u64(numbers([
            kind,
            hit_points.cast_unsigned(),
            max_hit_points.cast_unsigned(),
            rest,
        ]));
        hasher.write_u64(stats.packed());
    }
}

/// Packs four numbers side by side.
fn numbers(of: [u16; 4]) -> u64 {
    of.into_iter().fold(0, |all, number| all << 16 | u64::from(number))
}

/// A group between combats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// Its minions, first to last.
    pub minions: [Kept; GROUP],
    /// The minions that are present, as bits.
    pub present: u8,
    /// The minions that left alive, as bits.
    pub away: u8,
    /// Whether it has withdrawn from its square.
    pub withdrawn: bool,
    /// The effects of spells on the group as a whole that have been dispelled, as bits.
    pub dispelled: u16,
}

impl Group {
    /// The minions that are alive, present or away, as bits.
    #[inline]
    #[must_use]
    pub fn alive(&self) -> u8 {
        self.present | self.away
    }

    /// Whether it has minions on its square and has not withdrawn, so that it can still fight there.
    #[inline]
    #[must_use]
    pub fn stands(&self) -> bool {
        self.present != 0 && !self.withdrawn
    }
}

/// A combat phase in progress.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The battle's stratum.
    pub stratum: Stratum,
    /// All groups, as they stood before the current combat.
    pub groups: ArrayVec<Group, GROUPS>,
    /// The number of fights of the schedule begun or passed over in this phase.
    pub combats: u8,
    /// Whether a combat is in progress.
    pub in_combat: bool,
    /// The two groups that fight, as indices into `groups`, the one with precedence first.
    pub fighting: [u8; 2],
    /// The number of combat rounds begun in this combat.
    pub round: u8,
    /// The minions of both groups, by place.
    pub field: [Minion; FIELD],
    /// The minions that are present: neither buried nor away.
    pub present: Places,
    /// The minions that left this combat alive.
    pub away: Places,
    /// The minions with a missile attack.
    pub shooters: Places,
    /// The minions that wise attackers with non-magical missiles avoid.
    pub repelling: Places,
    /// By group: the points of the pipelines at which any of its minions, or the group itself, has an effect.
    pub triggers: [EnumSet<Trigger>; 2],
    /// Whether the two groups are still hostile.
    pub hostile: bool,
    /// Whether an effect has ended the combat.
    pub ended: bool,
    /// By group: whether it has withdrawn.
    pub withdrawn: [bool; 2],
    /// The number of minions buried in the whole phase.
    pub buried: u8,
    /// By side: the damage dealt in the whole phase beyond the hit points that its victims had left.
    pub overkill: [u32; 3],
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut clone = Self::new(self.stratum, ArrayVec::new());
        clone.clone_from(self);
        clone
    }

    /// Reuses the memory of `self`, because exact odds copy a state for each of its outcomes. Of the groups only
    /// those that exist are copied.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            groups,
            stratum,
            combats,
            in_combat,
            fighting,
            round,
            field,
            present,
            away,
            shooters,
            repelling,
            triggers,
            hostile,
            ended,
            withdrawn,
            buried,
            overkill,
        } = self;
        groups.clear();
        groups.try_extend_from_slice(&source.groups).expect("room for as many groups");
        *stratum = source.stratum;
        *combats = source.combats;
        *in_combat = source.in_combat;
        *fighting = source.fighting;
        *round = source.round;
        *field = source.field;
        *present = source.present;
        *away = source.away;
        *shooters = source.shooters;
        *repelling = source.repelling;
        *triggers = source.triggers;
        *hostile = source.hostile;
        *ended = source.ended;
        *withdrawn = source.withdrawn;
        *buried = source.buried;
        *overkill = source.overkill;
    }
}

impl State {
    /// A state before the first combat, with nobody on the field.
    #[inline]
    #[must_use]
    pub fn new(stratum: Stratum, groups: ArrayVec<Group, GROUPS>) -> Self {
        Self {
            stratum,
            groups,
            combats: 0,
            in_combat: false,
            fighting: [0, 0],
            round: 0,
            field: [Minion::NOBODY; FIELD],
            present: Places::default(),
            away: Places::default(),
            shooters: Places::default(),
            repelling: Places::default(),
            triggers: [EnumSet::empty(); 2],
            hostile: true,
            ended: false,
            withdrawn: [false; 2],
            buried: 0,
            overkill: [0; 3],
        }
    }

    /// The minions of a group that are present.
    #[inline]
    #[must_use]
    pub fn group(&self, precedence: Precedence) -> Places {
        self.present.and(Places::of(precedence))
    }

    /// The present minions of the group opposing this minion's.
    #[inline]
    #[must_use]
    pub fn enemies(&self, of: Place) -> Places {
        self.group(of.precedence().other())
    }

    /// Takes a minion off the field, so that it is nobody's victim any more.
    pub(super) fn remove(&mut self, who: Place) {
        self.present.remove(who);
        for enemy in self.enemies(who) {
            let enemy = self.at_mut(enemy);
            if enemy.victim == who {
                enemy.victim = Place::NONE;
            }
        }
        self.at_mut(who).victim = Place::NONE;
    }

    /// The minion in a place.
    #[inline]
    #[must_use]
    pub fn at(&self, place: Place) -> &Minion {
        &self.field[place.index()]
    }

    /// The minion in a place, mutably.
    #[inline]
    pub fn at_mut(&mut self, place: Place) -> &mut Minion {
        &mut self.field[place.index()]
    }

    /// The victim of a minion, if that victim is still present.
    #[inline]
    #[must_use]
    pub fn victim(&self, of: Place) -> Option<Place> {
        let victim = self.at(of).victim;
        self.present.has(victim).then_some(victim)
    }

    /// Whether a minion has no victim and at least one attack per round. Without attacks it is a
    /// non-combatant instead.
    #[inline]
    #[must_use]
    pub fn is_idle(&self, who: Place) -> bool {
        self.at(who).stats.attacks > 0 && self.victim(who).is_none()
    }

    /// The indices of a minion between combats: its group's in `groups`, and its own in the group.
    #[inline]
    #[must_use]
    pub fn home(&self, place: Place) -> (usize, usize) {
        (usize::from(self.fighting[place.precedence().index()]), place.nth())
    }

    /// The outcome of the phase, once no combat is in progress. A side wins when it alone has minions left in the
    /// field; it is a draw when no side has any. With minions on two sides it is undecided, which is never a draw
    /// by elimination (decision 25; SA-15, SA-16, SA-17).
    #[must_use]
    pub fn outcome(&self, setup: &Setup) -> Outcome {
        let mut standing = [false; 3];
        for (at, group) in self.groups.iter().enumerate() {
            standing[setup.side(self.stratum, at).index()] |= group.stands();
        }
        let mut left = (0..3).filter(|&side| standing[side]);
        match (left.next(), left.next()) {
            (None, _) => Outcome::Draw,
            (Some(side), None) => Outcome::Win(Side(side as u8)),
            (Some(_), Some(_)) => Outcome::Undecided,
        }
    }

    /// A number that identifies a minion in the whole phase, whichever combat is in progress.
    #[inline]
    #[must_use]
    pub fn number(&self, place: Place) -> usize {
        let (group, nth) = self.home(place);
        group * GROUP + nth
    }
}

/// Which player's a group is, as a side: blue is A, red is B, the neutral player C.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Deserialize,
    schemars::JsonSchema,
    strum::Display,
)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Side A. Sees the board as it is written down.
    Blue,
    /// Side B. Sees the board upside down.
    Red,
    /// Side C.
    Neutral,
}

impl Player {
    /// Its side in tables.
    #[inline]
    #[must_use]
    pub fn side(self) -> Side {
        Side(self as u8)
    }
}
