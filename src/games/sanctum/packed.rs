//! The packed form in which exact odds keep combat phases: a state has room for sixteen groups of eight minions,
//! most of which do not exist.

use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;
use enumset::EnumSet;

use super::state::{
    COUNTED, FIELD, GROUP, GROUPS, Group, Kept, Minion, Place, Places, State, Stats,
};
use crate::game::Stratum;

/// A settled state in the middle of a combat, as bytes: the combat, then the groups as they stood before it, then
/// the offset at which these begin. Two states of a stratum are equal if and only if their bytes are.
#[derive(Debug, PartialEq, Eq)]
pub struct Packed(Box<[u8]>);

/// The number of bytes at the end that hold the offset of the groups.
const WHERE: usize = 2;

// The offset of the groups follows from the bytes before it.
impl Hash for Packed {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0[..self.0.len() - WHERE].hash(hasher);
    }
}

impl Packed {
    pub(super) fn of(state: &State) -> Self {
        Self::with_groups(state, |bytes| {
            state.groups.iter().for_each(|group| bytes.group(group));
        })
    }

    /// Packs a state that one round has led to from the state `before`, which is packed as `packed`. While a
    /// combat goes on, its groups stay as they stood before it, except that settling can move the places of
    /// minions that left in earlier combats, and spells can be dispelled; where these differ, the groups are packed
    /// anew.
    pub(super) fn after(state: &State, before: &State, packed: &Self) -> Self {
        let changes = |of: &State| {
            of.fighting
                .map(|at| &of.groups[usize::from(at)])
                .map(|group| (group.away, group.dispelled))
        };
        if state.is_combat_of(before) && changes(state) == changes(before) {
            Self::with_groups(state, |bytes| bytes.put_all(packed.groups()))
        } else {
            Self::of(state)
        }
    }

    fn with_groups(state: &State, write_groups: impl FnOnce(&mut Writer)) -> Self {
        let mut bytes = Writer(ArrayVec::new());
        bytes.combat(state);
        let groups = bytes.0.len() as u16;
        write_groups(&mut bytes);
        bytes.put(groups.to_le_bytes());
        Self(bytes.0.as_slice().into())
    }

    fn groups(&self) -> &[u8] {
        let (bytes, groups) = self.0.split_last_chunk::<WHERE>().expect("where the groups begin");
        &bytes[usize::from(u16::from_le_bytes(*groups))..]
    }

    pub(super) fn unpack(&self, stratum: Stratum) -> State {
        let mut state = State::new(stratum, ArrayVec::new());
        self.unpack_into(&mut state);
        state
    }

    pub(super) fn unpack_into(&self, state: &mut State) {
        Reader(&self.0).state(state);
    }
}

/// An upper bound on the bytes that a state takes.
const MOST: usize = 64 + GROUPS * (6 + GROUP * 16) + FIELD * 64;

/// Flags for the parts of a minion in combat that are written only where they are not as usual.
const IN_COMBAT: u8 = 1;
const FOR_GOOD: u8 = 1 << 1;
const NEXT_ROUND: u8 = 1 << 2;
const USES: u8 = 1 << 3;
const QUALIFIED: u8 = 1 << 4;

struct Writer(ArrayVec<u8, MOST>);

impl Writer {
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.0.try_extend_from_slice(&bytes).expect("room for any state");
    }

    /// Writes the given number of lowest bytes of a number.
    #[inline(always)]
    fn put_lowest(&mut self, number: u64, bytes: usize) {
        // Writing all eight bytes at once is faster than writing some of them.
        let end = self.0.len() + bytes;
        self.put(number.to_le_bytes());
        self.0.truncate(end);
    }

    fn put_all(&mut self, bytes: &[u8]) {
        self.0.try_extend_from_slice(bytes).expect("room for any state");
    }

    fn combat(&mut self, state: &State) {
        let State { groups, combats, in_combat, fighting, round, field, .. } = state;
        let State { present, away, shooters, repelling, triggers, .. } = state;
        let State { hostile, ended, withdrawn, buried, overkill, .. } = state;
        let [high, low] = *fighting;
        self.put([groups.len() as u8, *combats, high, low, *round, *buried]);
        let flags = [*in_combat, *hostile, *ended, withdrawn[0], withdrawn[1]];
        self.put(flags.map(u8::from));
        for places in [present, away, shooters, repelling] {
            self.put(places.0.to_le_bytes());
        }
        triggers.iter().for_each(|triggers| self.put(triggers.as_u32().to_le_bytes()));
        overkill.iter().for_each(|damage| self.put(damage.to_le_bytes()));
        // Whoever is present is somebody anyway.
        let absent = Places(!present.0).filter(|&at| {
            let minion = &field[at.index()];
            is_somebody(minion.kind, minion.for_good.level)
        });
        let was_there = absent.fold(0_u16, |bits, at| bits | 1 << at.index());
        self.put(was_there.to_le_bytes());
        for (at, minion) in field.iter().enumerate() {
            if present.has(Place(at as u8)) {
                self.fighter(minion);
            } else if was_there >> at & 1 == 1 {
                self.gone(minion.kind, minion.for_good.level);
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let &Group { ref minions, present, away, withdrawn, dispelled } = group;
        let was_there = bits(minions, |minion| is_somebody(minion.kind, minion.stats.level)) as u8;
        let [low, high] = dispelled.to_le_bytes();
        self.put([present, away, u8::from(withdrawn), was_there, low, high]);
        for (nth, minion) in minions.iter().enumerate() {
            if present >> nth & 1 == 0 {
                if was_there >> nth & 1 == 1 {
                    self.gone(minion.kind, minion.stats.level);
                }
                continue;
            }
            let &Kept { kind, hit_points, max_hit_points, stats, marks, qualified } = minion;
            self.numbers([marks, u8::from(qualified)], kind, [hit_points, max_hit_points], stats);
        }
    }

    /// Writes what is left of a minion that no longer fights. Places that were always empty, which is most of
    /// them, are not written at all.
    fn gone(&mut self, kind: u16, level: u8) {
        let [low, high] = kind.to_le_bytes();
        self.put([level, low, high]);
    }

    /// Writes a minion that fights, without the numbers that R1 resets.
    fn fighter(&mut self, minion: &Minion) {
        let &Minion { kind, hit_points, max_hit_points, stats, .. } = minion;
        let &Minion { next_round, in_combat, for_good, misses, victim, marks, .. } = minion;
        let written = [
            (in_combat != stats, IN_COMBAT),
            (for_good != in_combat, FOR_GOOD),
            (next_round.is_some(), NEXT_ROUND),
            (minion.uses != [0; COUNTED], USES),
            (minion.qualified, QUALIFIED),
        ];
        let flags =
            written.iter().fold(0, |flags, &(is, flag)| if is { flags | flag } else { flags });
        self.numbers([flags, misses, victim.0, marks], kind, [hit_points, max_hit_points], stats);
        if flags & IN_COMBAT != 0 {
            self.stats(in_combat);
        }
        if flags & FOR_GOOD != 0 {
            self.stats(for_good);
        }
        if let Some(next_round) = next_round {
            self.stats(next_round);
        }
        if flags & USES != 0 {
            self.put(minion.uses);
        }
    }

    #[inline(always)]
    fn stats(&mut self, stats: Stats) {
        self.put_lowest(stats.packed(), 7);
    }

    /// Writes what every minion has after what some have, all at once: testing for room takes longer than writing.
    #[inline(always)]
    fn numbers<const N: usize>(
        &mut self,
        first: [u8; N],
        kind: u16,
        [hit_points, max_hit_points]: [i16; 2],
        stats: Stats,
    ) {
        let mut bytes = [0; 32];
        bytes[..N].copy_from_slice(&first);
        bytes[N..N + 2].copy_from_slice(&kind.to_le_bytes());
        bytes[N + 2..N + 4].copy_from_slice(&hit_points.to_le_bytes());
        bytes[N + 4..N + 6].copy_from_slice(&max_hit_points.to_le_bytes());
        bytes[N + 6..N + 14].copy_from_slice(&stats.packed().to_le_bytes());
        let end = self.0.len() + N + 13;
        self.put(bytes);
        self.0.truncate(end);
    }
}

/// The minions for which `holds` is true, as bits by place.
#[inline(always)]
fn bits<M>(minions: &[M], holds: impl Fn(&M) -> bool) -> u16 {
    minions.iter().rev().fold(0, |bits, minion| bits << 1 | u16::from(holds(minion)))
}

/// Whether a settled place belongs to a minion, present or gone; false for an empty place.
#[inline(always)]
fn is_somebody(kind: u16, level: u8) -> bool {
    kind != Kept::NOBODY.kind || level != Kept::NOBODY.stats.level
}

/// Reads what a `Writer` has written, in the same order.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().expect("all that was written");
        self.0 = rest;
        *taken
    }

    fn state(&mut self, state: &mut State) {
        let State { stratum: _, groups, combats, in_combat, fighting, round, field, .. } = state;
        let State { present, away, shooters, repelling, triggers, .. } = state;
        let State { hostile, ended, withdrawn, buried, overkill, .. } = state;
        let many;
        [many, *combats, fighting[0], fighting[1], *round, *buried] = self.take();
        [*in_combat, *hostile, *ended, withdrawn[0], withdrawn[1]] =
            self.take().map(|flag: u8| flag != 0);
        for places in [&mut *present, away, shooters, repelling] {
            places.0 = u16::from_le_bytes(self.take());
        }
        for triggers in triggers {
            *triggers = EnumSet::from_u32_truncated(u32::from_le_bytes(self.take()));
        }
        for damage in overkill {
            *damage = u32::from_le_bytes(self.take());
        }
        let was_there = u16::from_le_bytes(self.take());
        for (at, minion) in field.iter_mut().enumerate() {
            if present.has(Place(at as u8)) {
                self.fighter(minion);
            } else {
                *minion = Minion::NOBODY;
                if was_there >> at & 1 == 1 {
                    (minion.kind, minion.for_good) = self.gone();
                }
            }
        }
        groups.clear();
        groups.extend((0..many).map(|_| self.group()));
    }

    fn group(&mut self) -> Group {
        let [present, away, withdrawn, was_there, low, high] = self.take();
        let mut minions = [Kept::NOBODY; GROUP];
        for place in Places(u16::from(present | was_there)) {
            let nth = place.index();
            minions[nth] = if present >> nth & 1 == 0 {
                let (kind, stats) = self.gone();
                Kept { kind, stats, ..Kept::NOBODY }
            } else {
                let [marks, qualified] = self.take();
                Kept { marks, qualified: qualified != 0, ..self.numbers() }
            };
        }
        let dispelled = u16::from_le_bytes([low, high]);
        Group { minions, present, away, withdrawn: withdrawn != 0, dispelled }
    }

    fn gone(&mut self) -> (u16, Stats) {
        let [level, low, high] = self.take();
        (u16::from_le_bytes([low, high]), Stats { level, ..Stats::default() })
    }

    fn fighter(&mut self, minion: &mut Minion) {
        let [flags, misses, victim, marks] = self.take();
        *minion = Kept { marks, qualified: flags & QUALIFIED != 0, ..self.numbers() }.minion();
        if flags & IN_COMBAT != 0 {
            minion.in_combat = self.stats();
        }
        minion.for_good = if flags & FOR_GOOD != 0 { self.stats() } else { minion.in_combat };
        minion.next_round = (flags & NEXT_ROUND != 0).then(|| self.stats());
        if flags & USES != 0 {
            minion.uses = self.take();
        }
        (minion.misses, minion.victim) = (misses, Place(victim));
    }

    fn numbers(&mut self) -> Kept {
        let [kind_low, kind_high] = self.take();
        let [hit_points, max_hit_points] = std::array::from_fn(|_| i16::from_le_bytes(self.take()));
        let kind = u16::from_le_bytes([kind_low, kind_high]);
        Kept { kind, hit_points, max_hit_points, stats: self.stats(), ..Kept::NOBODY }
    }

    fn stats(&mut self) -> Stats {
        let [level, armor, hand, missile, attacks, stopped, mute] = self.take();
        let [armor, hand, missile] = [armor, hand, missile].map(u8::cast_signed);
        Stats { level, armor, hand, missile, attacks, stopped: stopped != 0, mute }
    }
}
