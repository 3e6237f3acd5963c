//! The source of a study's battles: the scenario itself, or line-ups that are drawn for them.

use rustc_hash::FxHashMap;

use super::design::{Design, Field, Target, Variant, unit_of};
use super::lines::Lines;
use super::tally::FitTally;
use crate::chance::{Seeded, Stream, stream_seed};
use crate::engine::{Battle, Dice, Engine, LineUps, Look, Place};
use crate::game::Stratum;
use crate::lineups::{Brought, LineUp};
use crate::recast::Recast;
use crate::tally::{Assignment, Layout, Record};

/// Only who took part is recorded of a battle.
const LOOK: Look = Look { events: false, fighters: true };
/// How many battles of a contender share one engine where line-ups are drawn, at most. Each has line-ups of its own, so that
/// battles are independent.
const BLOCK: u64 = 64;
/// The fewest, where very many contenders take turns.
const LEAST_BLOCK: u64 = 4;
/// How many contenders' blocks a thread keeps until it comes back to them. With more contenders blocks are smaller.
const KEPT: u64 = 16;
/// How many battles, or one of each match-up if that is more, are looked at for what could be replaced in them.
const LOOKED_AT: u64 = 200;

/// Plays battles of a design for one thread.
pub(super) struct Player<'d> {
    design: &'d Design<'d>,
    assignment: Assignment,
    seed: u64,
    dice: Dice,
    /// The last block of each contender; of several contenders, where there are very many.
    blocks: Vec<Option<Block>>,
}

/// The engine that plays a variant, and for each battle of the block its match-up there; None where the battle cannot
/// be played.
type Varied = (Box<dyn Engine>, Vec<Option<u32>>);

/// A block of battles between drawn line-ups.
struct Block {
    number: u64,
    /// The contender from whose line-ups all are drawn, as an index into the design's match-ups.
    contender: usize,
    /// By battle, then side: the line-up.
    line_ups: Vec<Vec<LineUp>>,
    /// By battle: the condition.
    conditions: Vec<u32>,
    engine: Box<dyn Engine>,
    /// By target and variant: what plays the variant in this block.
    variants: FxHashMap<(usize, usize), Varied>,
}

impl Design<'_> {
    /// The number of a battle within its match-up, from 0. Every n-th battle of a match-up is picked by this; picking
    /// by the battle's own number would leave out some of the match-ups that take turns.
    pub(super) fn in_matchup(&self, index: u64) -> u64 {
        index / self.in_turn()
    }

    /// How many battles of a contender have one block.
    fn block(&self) -> u64 {
        match self.in_turn() {
            ..=KEPT => BLOCK,
            many => (BLOCK * KEPT / many).max(LEAST_BLOCK),
        }
    }

    /// Those of some units that can be replaced: one side alone brings it to one of a few battles, and another unit may take
    /// its place there.
    pub(super) fn replaceable(&self, mut units: Vec<u16>, tally: &FitTally) -> Vec<u16> {
        let (mut record, mut lines) = (Record::new(&self.layout), Lines::default());
        let mut player = Player::new(self, 0, Dice::Seeded);
        let mut found = Vec::new();
        let in_turn = self.in_turn();
        let most = LOOKED_AT.max(in_turn);
        // All of a match-up before those of the next one: they share what is made for them.
        let indices = (0..in_turn).flat_map(|first| (first..most).step_by(in_turn as usize));
        for index in indices {
            if units.is_empty() {
                break;
            }
            player.play(index, &mut record, &mut lines);
            let (lines, condition) = (&lines.units, record.stratum.condition);
            let side_of = |unit: u16| {
                let line = lines.iter().find(|line| line.unit == unit && line.sides() == 1)?;
                line.copies.iter().position(|&copies| copies > 0)
            };
            let may_stand_in = |other: u16, side: usize| {
                let is_there = lines.iter().any(|line| line.unit == other && line.copies[side] > 0);
                match self.field {
                    Field::Own => self.engine.may_stand_in(condition, other, is_there),
                    Field::Drawn(_) => !is_there,
                }
            };
            units.retain(|&unit| {
                let side = side_of(unit).filter(|_| record.forfeits == 0);
                let is_replaced = side.is_some_and(|side| {
                    self.stand_ins(unit, tally).into_iter().any(|of| may_stand_in(of, side))
                });
                found.extend(is_replaced.then_some(unit));
                !is_replaced
            });
        }
        found
    }
}

impl<'d> Player<'d> {
    pub(super) fn new(design: &'d Design<'d>, seed: u64, dice: Dice) -> Self {
        let assignment = Assignment::new(&design.layout);
        let kept = design.in_turn().min(KEPT);
        Self { design, assignment, seed, dice, blocks: (0..kept).map(|_| None).collect() }
    }

    /// Plays a battle, and reads who brings what to it. The recorded stratum is the design's.
    pub(super) fn play(&mut self, index: u64, record: &mut Record, lines: &mut Lines) {
        let (design, seed, dice) = (self.design, self.seed, self.dice);
        let Field::Drawn(spaces) = &design.field else {
            let place = Place::Assigned(&self.assignment);
            design.engine.play(Battle { seed, index, dice, place }, LOOK, record);
            return lines.read(design, record);
        };
        let block = self.block_of(index, spaces);
        let at = (design.in_matchup(index) % design.block()) as usize;
        let condition = block.conditions[at];
        let place = Place::Stratum(Stratum { matchup: at as u32, condition });
        block.engine.play(Battle { seed, index, dice, place }, LOOK, record);
        record.stratum.matchup = block.contender as u32;
        lines.set(&block.line_ups[at]);
    }

    /// Plays the last battle again with a variant of a target that only one side brings. Returns whether this is
    /// possible.
    pub(super) fn again(
        &mut self,
        index: u64,
        (target, variant): (usize, usize),
        targets: &[Target],
        was: (&Record, bool),
        record: &mut Record,
    ) -> bool {
        let (design, seed, dice) = (self.design, self.seed, self.dice);
        let (unit, of) = (targets[target].unit, &targets[target].variants[variant]);
        let Field::Drawn(spaces) = &design.field else {
            let (was, is_there) = was;
            let may = match of.recast {
                Recast::As(other) => {
                    design.engine.may_stand_in(was.stratum.condition, other, is_there)
                }
                Recast::Without(_) => true,
            };
            let Some(engine) = of.engine.as_ref().filter(|_| may) else { return false };
            let place = Place::Assigned(&self.assignment);
            engine.play(Battle { seed, index, dice, place }, Look::default(), record);
            return true;
        };
        let block = self.block_of(index, spaces);
        let space = &*spaces[block.contender];
        let name = &design.layout.units[usize::from(unit)].name;
        let at = (design.in_matchup(index) % design.block()) as usize;
        let condition = block.conditions[at];
        if !block.variants.contains_key(&(target, variant)) {
            let Some(made) = block.varied(space, unit, name, of) else { return false };
            block.variants.insert((target, variant), made);
        }
        let (engine, matchups) = &block.variants[&(target, variant)];
        let Some(matchup) = matchups[at] else { return false };
        let place = Place::Stratum(Stratum { matchup, condition });
        engine.play(Battle { seed, index, dice, place }, Look::default(), record);
        true
    }

    fn block_of(&mut self, index: u64, spaces: &[Box<dyn LineUps + 'd>]) -> &mut Block {
        let (contenders, size) = (spaces.len() as u64, self.design.block());
        let contender = index % contenders;
        let number = self.design.in_matchup(index) / size * contenders + contender;
        let kept = self.blocks.len() as u64;
        let block = &mut self.blocks[(contender % kept) as usize];
        if block.as_ref().is_none_or(|block| block.number != number) {
            let stream = stream_seed(self.seed, Stream::LineUps);
            let mut random = Seeded::of_battle(stream, number);
            let drawn = Block::drawn((number, size), spaces, &self.design.layout, &mut random);
            *block = Some(drawn);
        }
        block.as_mut().expect("it was drawn")
    }
}

impl Block {
    fn drawn(
        (number, size): (u64, u64),
        spaces: &[Box<dyn LineUps + '_>],
        layout: &Layout,
        random: &mut Seeded,
    ) -> Self {
        let contender = (number % spaces.len() as u64) as usize;
        let space = &*spaces[contender];
        let line_ups: Vec<Vec<LineUp>> =
            (0..size).map(|_| (0..layout.sides).map(|_| space.draw(random)).collect()).collect();
        let drawn = |random: &mut Seeded| {
            let mut left = random.unit();
            let likely = layout.conditions.iter().position(|condition| {
                left -= condition.probability;
                left < 0.0
            });
            likely.unwrap_or(layout.conditions.len() - 1) as u32
        };
        let conditions = (0..size).map(|_| drawn(random)).collect();
        let brought: Vec<Brought<'_>> = line_ups.iter().flatten().map(Brought::LineUp).collect();
        let engine = space.engine(&brought, &seats(line_ups.len(), layout.sides));
        Self { number, contender, line_ups, conditions, engine, variants: FxHashMap::default() }
    }

    /// Builds the engine of all battles of the block that can be played with a variant of a unit.
    fn varied(
        &self,
        space: &dyn LineUps,
        unit: u16,
        name: &str,
        variant: &Variant,
    ) -> Option<Varied> {
        let other = match variant.recast {
            Recast::Without(ability) => {
                let own = unit_of(&*self.engine, name)?;
                let engine = self.engine.recast(own, Recast::Without(ability))?;
                let all = (0..self.line_ups.len() as u32).map(Some).collect();
                return Some((engine, all));
            }
            Recast::As(other) => other,
        };
        let changed = |line_up: &LineUp| {
            let replace = |&choice: &u16| if choice == unit { other } else { choice };
            let space: &dyn crate::lineups::Space = space;
            space.in_order(line_up.choices().iter().map(replace).collect())
        };
        let mut swapped: Vec<Vec<LineUp>> = Vec::new();
        let matchups = self.line_ups.iter().map(|sides| {
            let brings = sides.iter().filter(|line_up| line_up.has(unit)).count();
            let sides: Vec<LineUp> = sides.iter().map(changed).collect();
            let is_legal = brings == 1 && sides.iter().all(|of| space.legal(of).is_ok());
            is_legal.then(|| {
                swapped.push(sides);
                swapped.len() as u32 - 1
            })
        });
        let matchups: Vec<Option<u32>> = matchups.collect();
        let sides = swapped.first()?.len();
        let brought: Vec<Brought<'_>> = swapped.iter().flatten().map(Brought::LineUp).collect();
        let engine = space.engine(&brought, &seats(swapped.len(), sides));
        Some((engine, matchups))
    }
}

/// The match-ups for line-ups that are listed by battle and then side.
fn seats(battles: usize, sides: usize) -> Vec<Vec<u16>> {
    (0..battles).map(|at| (0..sides).map(|side| (at * sides + side) as u16).collect()).collect()
}
