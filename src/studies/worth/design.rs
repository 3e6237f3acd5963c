//! The design: whose cards are counted, and which of them are replaced.

use super::Model;
use super::tally::FitTally;
use crate::chance::Seeded;
use crate::engine::Engine;
use crate::game::Side;
use crate::recast::Recast;
use crate::tally::Layout;

/// No game has more sides.
pub(super) const MOST_SIDES: usize = 8;
/// The most units of a game that every two of are counted together.
const MOST_UNITS: usize = 4_096;
/// The most stand-ins of one unit that are played; more are drawn from.
const MOST_STAND_INS: usize = 12;
/// About how many battles of a unit are played again with each of its stand-ins.
const ENOUGH_AGAIN: f64 = 20_000.0;

/// Whose cards are counted.
#[derive(Debug)]
pub struct Design<'e> {
    /// What is played.
    pub engine: &'e dyn Engine,
    /// The names behind the numbers.
    pub layout: &'e Layout,
    /// How many battles the model is fitted to; as many fresh ones test it.
    pub battles: u64,
    /// By match-up and side: what it always brings, where that is known beforehand.
    pub(super) brought: Vec<Option<Vec<(u16, u32)>>>,
}

/// Why no card's worth can be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoWorth {
    /// Positions and the like.
    #[error("nobody brings anything to these battles")]
    NoUnits,
    /// There are more cards than every two of them can be counted.
    #[error("{0} cards are more than {MOST_UNITS}")]
    TooMany(usize),
}

/// A unit whose battles are played again.
#[derive(Debug)]
pub struct Target {
    /// Which: an index into the layout's units.
    pub unit: u16,
    /// What it is in them instead.
    pub variants: Vec<Variant>,
    /// How many units could stand in for it, played or not.
    pub stand_ins: usize,
    /// One of so many battles is played again, where it is brought to so many.
    pub stride: u64,
}

/// What a unit is instead.
#[derive(Debug)]
pub struct Variant {
    /// What it is.
    pub recast: Recast,
    /// What that is called.
    pub name: String,
    pub(super) engine: Box<dyn Engine>,
}

impl<'e> Design<'e> {
    /// Plans so many battles to fit a model, and as many to test it.
    ///
    /// # Errors
    /// When there are no units, or too many.
    pub fn new(engine: &'e dyn Engine, battles: u64) -> Result<Self, NoWorth> {
        let layout = engine.layout();
        match layout.units.len() {
            0 => return Err(NoWorth::NoUnits),
            units if units > MOST_UNITS => return Err(NoWorth::TooMany(units)),
            _ => {}
        }
        let places = 0..layout.matchups.len() * layout.sides;
        let brought = places
            .map(|at| engine.brings(at / layout.sides, Side((at % layout.sides) as u8)))
            .collect();
        Ok(Self { engine, layout, battles, brought })
    }

    /// How many rows a battle has in the regression. In a duel one side says what the other one does.
    pub(super) fn rows(&self) -> usize {
        if self.layout.sides == 2 { 1 } else { self.layout.sides }
    }

    /// How many strata have means of their own. What is drawn differs within match-ups; fixed line-ups differ only between
    /// them.
    pub(super) fn strata(&self) -> usize {
        if self.layout.units_are_drawn { self.layout.matchups.len() } else { 1 }
    }

    pub(super) fn stratum(&self, matchup: u32) -> usize {
        if self.layout.units_are_drawn { matchup as usize } else { 0 }
    }

    /// What scopes there are: all battles, those with each factor, those with each bracket.
    pub(super) fn scopes(&self) -> usize {
        1 + self.layout.factors.len() + self.layout.brackets.len()
    }

    /// How many battles are played in all, but for those that are played again.
    #[must_use]
    pub fn total(&self) -> u64 {
        2 * self.battles
    }

    /// The units to be replaced: those that are named, or so many, of a kind where one is asked
    /// for, that head the impact list of the fitted half.
    #[must_use]
    pub fn targets(
        &self,
        tally: &FitTally,
        model: Option<&Model>,
        named: &[u16],
        (first, kind): (usize, Option<&str>),
        seed: u64,
    ) -> Vec<Target> {
        let mut units: Vec<u16> = named.to_vec();
        if named.is_empty()
            && let Some(model) = model
        {
            let impacts = model.impacts(tally);
            let mut order: Vec<usize> = (0..impacts.len()).collect();
            order.sort_by(|&a, &b| impacts[b].1.total_cmp(&impacts[a].1));
            let is_told = |unit: u16| {
                kind.is_none_or(|kind| self.layout.units[usize::from(unit)].kind == kind)
            };
            let worth_a_look =
                order.into_iter().filter(|&at| impacts[at].1 > 0.0 && is_told(impacts[at].0));
            units.extend(worth_a_look.take(first).map(|at| impacts[at].0));
        }
        let target = |&unit: &u16| self.target(unit, tally, seed);
        units.iter().map(target).filter(|target| !target.variants.is_empty()).collect()
    }

    fn target(&self, unit: u16, tally: &FitTally, seed: u64) -> Target {
        let mut others = self.engine.stand_ins(unit);
        let stand_ins = others.len();
        if stand_ins > MOST_STAND_INS {
            let mut random = Seeded::of_battle(seed, u64::from(unit));
            while others.len() > MOST_STAND_INS {
                others.swap_remove(random.below(others.len() as u32) as usize);
            }
            others.sort_unstable();
        }
        let stand_in = |&other: &u16| {
            let recast = Recast::As(other);
            let engine = self.engine.recast(unit, recast)?;
            let name = self.layout.units[usize::from(other)].name.clone();
            Some(Variant { recast, name, engine })
        };
        let without = |(at, name): (usize, String)| {
            let recast = Recast::Without(at);
            Some(Variant { recast, name, engine: self.engine.recast(unit, recast)? })
        };
        let abilities = self.engine.abilities(unit).into_iter().enumerate().filter_map(without);
        let variants = others.iter().filter_map(stand_in).chain(abilities).collect();
        let expected = tally.presence(usize::from(unit)) * self.battles as f64;
        let stride = (expected / ENOUGH_AGAIN).ceil().max(1.0) as u64;
        Target { unit, variants, stand_ins, stride }
    }
}
