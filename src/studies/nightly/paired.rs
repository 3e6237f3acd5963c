//! Battles that a baseline keeps one by one, and that a night plays again with the same dice (common random numbers).
//!
//! They are played with keyed dice, each of which depends on what it is thrown for: a card that hits harder, or a
//! rule that throws an extra die, leaves all other dice as they were. So a battle that ends otherwise does so because
//! something changed, and the difference between the two has little noise.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::{OrderCount, Unit};
use crate::batch::Workers;
use crate::chance::battle_seed;
use crate::digest::hexadecimal;
use crate::engine::{Battle, Dice, Engine, Look, Place};
use crate::game::{Outcome, Side};
use crate::tally::{Assignment, Layout, Origin, Record};

/// How many battles a baseline keeps one by one by default.
pub const PAIRED: u64 = 20_000;

/// How many bits of each battle's result are a digest of everything that is measured besides the outcome.
const DIGEST_BITS: u32 = 2;
/// How many orders of each moment a file keeps: the commonest ones.
pub(super) const COMMONEST: usize = 3;
/// How many hexadecimal digits the digest of many battles has.
const DIGITS: usize = 16;

/// The first battles of a stream of keyed dice, one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedBattles {
    /// The seed of the stream of dice.
    pub seed: u64,
    /// The result of each battle: its outcome, and a digest of its length and metrics.
    pub results: Vec<BattleResult>,
    /// A digest of who took part, where teams are drawn: the same teams fought only if it is the same.
    pub teams: Option<String>,
    /// How often each order of events came up, the commonest orders of each moment first.
    pub orders: Vec<OrderCount>,
    /// Who took part in each battle, while this is remembered: no file holds it.
    pub took_part: Option<TookPart>,
}

/// A battle's outcome, and a digest of everything else that is measured in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BattleResult(u8);

impl BattleResult {
    fn of(record: &Record, sides: usize) -> Self {
        let end = match record.outcome {
            Outcome::Win(side) => side.0,
            Outcome::Draw => sides as u8,
            Outcome::Undecided => sides as u8 + 1,
        };
        let first = u64::from(record.rounds) << 8 | u64::from(record.forfeits);
        let metrics = record.metrics.iter().map(|&metric| metric as u64);
        let digest = metrics.fold(battle_seed(first, 0), battle_seed);
        Self(end << DIGEST_BITS | (digest >> (u64::BITS - DIGEST_BITS)) as u8)
    }

    /// The outcome of a battle with this number of sides.
    #[must_use]
    pub fn outcome(self, sides: usize) -> Outcome {
        match usize::from(self.0 >> DIGEST_BITS) {
            end if end < sides => Outcome::Win(Side(end as u8)),
            end if end == sides => Outcome::Draw,
            _ => Outcome::Undecided,
        }
    }
}

/// The units that took part in each of many battles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TookPart {
    units: Vec<Unit>,
    /// For each unit, every appearance: the battle and the side.
    appearances: Vec<Vec<(u32, u8)>>,
}

impl TookPart {
    /// The names of all units that took part in any battle.
    #[must_use]
    pub fn names(&self) -> BTreeSet<&str> {
        let all = self.units.iter().zip(&self.appearances);
        all.filter(|(_, of)| !of.is_empty()).map(|(unit, _)| unit.name.as_str()).collect()
    }

    /// Adds the units that a side always brings to all of its battles: a card influences what is played even where it
    /// is held back.
    fn add_brought(&mut self, engine: &dyn Engine, battles: u64) {
        let layout = engine.layout();
        let matchups = layout.matchups.len();
        let mut grown = BTreeSet::new();
        for (matchup, side) in
            (0..matchups).flat_map(|at| (0..layout.sides).map(move |of| (at, of)))
        {
            let side = side as u8;
            for (unit, _) in engine.brings(matchup, Side(side)).unwrap_or_default() {
                let all = (matchup as u32..battles as u32).step_by(matchups);
                self.appearances[usize::from(unit)].extend(all.map(|battle| (battle, side)));
                grown.insert(unit);
            }
        }
        for unit in grown {
            let appearances = &mut self.appearances[usize::from(unit)];
            appearances.sort_unstable();
            appearances.dedup();
        }
    }

    /// The appearances of a unit, as battle and side, in the order of battles; empty where there is no such unit.
    pub fn of(&self, is_it: impl Fn(&Unit) -> bool) -> &[(u32, u8)] {
        let at = self.units.iter().position(is_it);
        at.map_or(&[], |at| &self.appearances[at])
    }
}

/// The results of a range of battles, as one thread has played it.
struct Part {
    results: Vec<BattleResult>,
    /// For all battles in turn: unit and side of each fighter.
    fighters: Vec<(u16, u8)>,
    /// The index in `fighters` at which each battle ends.
    ends: Vec<usize>,
}

/// The state of one thread.
struct Worker {
    record: Record,
    /// Counts the battles in which each order came up, keyed by moment and then items.
    orders: FxHashMap<Box<[u16]>, u64>,
}

impl Worker {
    /// Counts each distinct order of the battle just played once.
    fn count_orders(&mut self) {
        for (at, order) in self.record.orders().enumerate() {
            let order = order.at_its_moment();
            if self.record.orders().take(at).any(|earlier| earlier.at_its_moment() == order) {
                continue;
            }
            match self.orders.get_mut(order) {
                Some(battles) => *battles += 1,
                None => _ = self.orders.insert(order.into(), 1),
            }
        }
    }
}

impl PairedBattles {
    /// Plays the first battles of a stream. `go_on` is called with the number of finished battles, and ends the play
    /// by returning false: then there are fewer battles.
    #[must_use]
    pub fn play(
        engine: &dyn Engine,
        seed: u64,
        battles: u64,
        threads: usize,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Self {
        let layout = engine.layout();
        let assignment = Assignment::new(layout);
        let worker = || Worker { record: Record::new(layout), orders: FxHashMap::default() };
        let mut workers = Workers::new(threads, u64::MAX / 2, worker);
        let mut parts: Vec<Part> = Vec::new();
        let mut played = 0;
        while played < battles {
            let (end, wave) = workers.wave(played..battles, |worker, range| {
                part(engine, &assignment, seed, worker, range)
            });
            parts.extend(wave);
            played = end;
            if !go_on(played) {
                break;
            }
        }
        let mut orders: BTreeMap<Box<[u16]>, u64> = BTreeMap::new();
        for worker in workers.accumulators() {
            for (order, battles) in &worker.orders {
                *orders.entry(order.clone()).or_default() += battles;
            }
        }
        let mut took_part = TookPart {
            units: layout.units.iter().map(Unit::of).collect(),
            appearances: vec![Vec::new(); layout.units.len()],
        };
        let mut teams = Sha256::new();
        let mut at = 0;
        for part in &parts {
            let mut begin = 0;
            for &end in &part.ends {
                for &(unit, side) in &part.fighters[begin..end] {
                    let place = usize::from(unit);
                    took_part.appearances[place].push((at, side));
                    teams.update([side]);
                    teams.update(took_part.units[place].name.as_bytes());
                }
                teams.update([u8::MAX]);
                (begin, at) = (end, at + 1);
            }
        }
        took_part.add_brought(engine, u64::from(at));
        let digest = || hexadecimal(teams)[..DIGITS].to_owned();
        Self {
            seed,
            results: parts.into_iter().flat_map(|part| part.results).collect(),
            teams: layout.units_are_drawn.then(digest),
            orders: counted(layout, orders),
            took_part: Some(took_part),
        }
    }

    /// The battles as a file keeps them: without who took part, and with only the commonest orders of each moment.
    #[must_use]
    pub fn kept(mut self) -> Self {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        self.orders.retain(|order| {
            let seen = seen.entry(order.moment.clone()).or_default();
            *seen += 1;
            *seen <= COMMONEST
        });
        Self { took_part: None, ..self }
    }

    /// The results of each match-up, packed as text; battles belong to match-ups in turn.
    pub(super) fn packed(&self, matchups: usize, sides: usize) -> Vec<String> {
        let bits = bits(sides);
        let of_matchup = |matchup: usize| {
            let (mut bytes, mut buffer, mut filled) = (Vec::new(), 0_u32, 0);
            for result in self.results.iter().skip(matchup).step_by(matchups) {
                buffer = buffer << bits | u32::from(result.0);
                filled += bits;
                while filled >= u8::BITS {
                    filled -= u8::BITS;
                    bytes.push((buffer >> filled) as u8);
                }
                buffer &= (1 << filled) - 1;
            }
            if filled > 0 {
                bytes.push((buffer << (u8::BITS - filled)) as u8);
            }
            STANDARD_NO_PAD.encode(bytes)
        };
        (0..matchups).map(of_matchup).collect()
    }

    /// The results from their packed form; None where this is not `battles` results of battles with `sides` sides.
    pub(super) fn unpacked(
        packed: &[String],
        battles: u64,
        sides: usize,
    ) -> Option<Vec<BattleResult>> {
        let (bits, matchups) = (bits(sides), packed.len());
        if matchups == 0 && battles > 0 {
            return None;
        }
        let most = ((sides as u8 + 2) << DIGEST_BITS) - 1;
        let battles = usize::try_from(battles).ok()?;
        let decoded: Option<Vec<Vec<u8>>> =
            packed.iter().map(|text| STANDARD_NO_PAD.decode(text).ok()).collect();
        let decoded = decoded?;
        for (matchup, bytes) in decoded.iter().enumerate() {
            let results = (battles + matchups - 1 - matchup) / matchups;
            if bytes.len() != (results * bits as usize).div_ceil(8) {
                return None;
            }
        }
        let result = |battle: usize| {
            let (bytes, first) = (&decoded[battle % matchups], battle / matchups * bits as usize);
            let bit = |at: usize| bytes[at / 8] >> (7 - at % 8) & 1;
            let symbol = (first..first + bits as usize).fold(0, |sum, at| sum << 1 | bit(at));
            (symbol <= most).then_some(BattleResult(symbol))
        };
        (0..battles).map(result).collect()
    }

    /// A digest of the results, by which a file that was altered is recognised.
    pub(super) fn digest(&self) -> String {
        let bytes: Vec<u8> = self.results.iter().map(|result| result.0).collect();
        let head = format!("{} {:?} ", self.seed, self.teams);
        hexadecimal(Sha256::new().chain_update(head).chain_update(bytes))[..DIGITS].to_owned()
    }
}

/// The number of bits of a result with this number of sides.
fn bits(sides: usize) -> u32 {
    let ends = sides + 2;
    ends.next_power_of_two().trailing_zeros() + DIGEST_BITS
}

fn part(
    engine: &dyn Engine,
    assignment: &Assignment,
    seed: u64,
    worker: &mut Worker,
    battles: Range<u64>,
) -> Part {
    let layout = engine.layout();
    let look = Look { events: true, fighters: true };
    let mut part = Part { results: Vec::new(), fighters: Vec::new(), ends: Vec::new() };
    for index in battles {
        let place = Place::Assigned(assignment);
        let record = &mut worker.record;
        engine.play(Battle { seed, index, dice: Dice::Keyed, place }, look, record);
        part.results.push(BattleResult::of(record, layout.sides));
        if record.forfeits == 0 {
            let first = part.fighters.len();
            part.fighters.extend(record.fighters.iter().map(|of| (of.unit, of.side.0)));
            // Teams are the same in whatever order they line up.
            part.fighters[first..].sort_unstable_by_key(|&(unit, side)| (side, unit));
            worker.count_orders();
        }
        part.ends.push(part.fighters.len());
    }
    part
}

/// In how many battles each order came up, whoever fought, the commonest of each moment first. Orders that name how
/// the battle ended are left out: they say nothing beyond the scores.
fn counted(layout: &Layout, orders: BTreeMap<Box<[u16]>, u64>) -> Vec<OrderCount> {
    let moment = |order: &[u16]| &layout.moments[usize::from(order[0])];
    let mut rows: Vec<(Box<[u16]>, u64)> = orders.into_iter().collect();
    rows.retain(|(order, _)| moment(order).origin != Origin::Ending);
    // Orders of one moment that came up equally often stay in the order of their items.
    rows.sort_by_key(|(order, battles)| (order[0], Reverse(*battles)));
    rows.into_iter()
        .map(|(order, battles)| OrderCount {
            moment: moment(&order).name.clone(),
            order: layout.order_label(&order[1..]),
            battles,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn battles(symbols: Vec<u8>) -> PairedBattles {
        let results = symbols.into_iter().map(BattleResult).collect();
        PairedBattles { seed: 7, results, teams: None, orders: Vec::new(), took_part: None }
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(
            (sides, symbols) in (2_usize..6).prop_flat_map(|sides| {
                (Just(sides), prop::collection::vec(0..(sides as u8 + 2) * 4, 1..200))
            }),
            matchups in 1_usize..9,
        ) {
            let kept = battles(symbols);
            let packed = kept.packed(matchups, sides);
            let count = kept.results.len() as u64;
            prop_assert_eq!(PairedBattles::unpacked(&packed, count, sides), Some(kept.results));
            // The same text cannot hold another number of battles.
            prop_assert_eq!(PairedBattles::unpacked(&packed, count + 40, sides), None);
        }
    }

    /// A duel's result takes half a byte, so that 20,000 are 13 kB of text.
    #[test]
    fn results_are_small() {
        let packed = battles(vec![9; 20_000]).packed(1, 2);
        assert_eq!(packed[0].len(), 13_334);
        assert_eq!(bits(3), 5);
    }

    #[test]
    fn what_is_no_result_is_not_taken_for_one() {
        let spoilt = battles(vec![31, 0]).packed(1, 3);
        assert_eq!(PairedBattles::unpacked(&spoilt, 2, 3), None);
        assert_eq!(PairedBattles::unpacked(&["!".to_owned()], 2, 2), None);
        assert_eq!(PairedBattles::unpacked(&[], 2, 2), None);
    }

    #[test]
    fn ends_are_told_apart() {
        let end = |symbol: u8, sides| BattleResult(symbol).outcome(sides);
        assert_eq!(end(3, 2), Outcome::Win(Side(0)));
        assert_eq!(end(4, 2), Outcome::Win(Side(1)));
        assert_eq!([end(8, 2), end(12, 2)], [Outcome::Draw, Outcome::Undecided]);
        assert_eq!([end(8, 3), end(16, 3)], [Outcome::Win(Side(2)), Outcome::Undecided]);
    }
}
