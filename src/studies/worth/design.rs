//! The design of a study of worth: whose cards are counted, and which of them are replaced.

use super::Model;
use super::fixed::{Absorbs, FixedEffects};
use super::tally::FitTally;
use crate::chance::Seeded;
use crate::engine::{Engine, LineUps};
use crate::game::Side;
use crate::lineups::{Brought, NoLineUps};
use crate::recast::Recast;
use crate::sorting::Sorting;
use crate::tally::{Layout, Matchup, Unit};

/// The most sides that any game has.
pub(super) const MOST_SIDES: usize = 8;
/// The most units of a game that are counted pair by pair.
const MOST_UNITS: usize = 4_096;
/// The most pairs of units that are counted, summed over scopes.
const MOST_PAIRS: usize = 2_000_000;
/// The most stand-ins of one unit that are played; of more, these are drawn at random.
const MOST_STAND_INS: usize = 12;
/// How many line-ups are drawn in search of one that has a unit.
const MOST_DRAWS: u64 = 2_000;
/// About how many battles of a unit are played again with each of its stand-ins.
const ENOUGH_AGAIN: f64 = 20_000.0;

/// The plan of a study of worth: whose cards are counted, and in which battles.
pub struct Design<'e> {
    /// The engine of the scenario.
    pub engine: &'e dyn Engine,
    /// The names behind the numbers. Where line-ups are drawn, the units are all that line-ups can be made of, and
    /// every contender meets itself.
    pub layout: Layout,
    /// The source of the line-ups, ready to be played.
    pub(super) field: Field<'e>,
    /// How many battles the model is fitted to; as many fresh battles test it.
    pub battles: u64,
    /// By match-up and side: the units that the side always brings and how many of each; None where this is not known
    /// beforehand.
    pub(super) brought: Vec<Option<Vec<(u16, u32)>>>,
    /// Where some contenders' line-ups are drawn: the others, whose line-ups are given, with the units that each brings to
    /// all of its battles.
    pub(super) given: Vec<(String, Vec<u16>)>,
    /// The effects of whole sides, which are taken out of scores before cards are told apart.
    pub(super) fixed: FixedEffects,
}

/// Where line-ups come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Source {
    /// The scenario's: its pools and its own line-ups.
    Own,
    /// Drawn at random for each battle, all legal ones such as its contenders could bring.
    Drawn,
}

/// The source of the line-ups, ready to be played.
pub(super) enum Field<'e> {
    Own,
    /// For each contender of the scenario, the line-ups that it could bring. Both sides of a battle bring line-ups of
    /// the same contender.
    Drawn(Vec<Box<dyn LineUps + 'e>>),
}

impl std::fmt::Debug for Design<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Design").field("battles", &self.battles).finish_non_exhaustive()
    }
}

/// The reasons why no card's worth can be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoWorth {
    /// Line-ups are to be drawn, but there are none to draw from.
    #[error("{0}")]
    NoLineUps(#[from] NoLineUps),
    /// The scenario draws what sides bring, but a battle does not say what was drawn.
    #[error(
        "cards that are made, taken or copied in a game count among its fighters, so that these do not say what was drawn"
    )]
    NotNoted,
    /// What sides bring never varies, and no unit is to be replaced.
    #[error("what sides bring never varies, so that no card's worth can be told")]
    NeverVaries,
    /// Sides bring no units, as in scenarios of positions.
    #[error("nobody brings anything to these battles")]
    NoUnits,
    /// There are too many cards to count them pair by pair.
    #[error("{0} cards are more than {MOST_UNITS}")]
    TooMany(usize),
}

/// A unit that is replaced in battles that are played again.
#[derive(Debug)]
pub struct Target {
    /// The unit, as an index into the layout's units.
    pub unit: u16,
    /// The replacements of the unit.
    pub variants: Vec<Variant>,
    /// How many units could stand in for it, whether they are played or not.
    pub stand_ins: usize,
    /// One in this many battles of a match-up is played again; more than 1 where very many battles have the unit.
    pub stride: u64,
}

/// One replacement of a unit.
#[derive(Debug)]
pub struct Variant {
    /// The kind of replacement.
    pub recast: Recast,
    /// The name of the stand-in, or of the ability that is lost.
    pub name: String,
    /// The engine of the scenario with the variant; None where line-ups are drawn, because engines are then made for
    /// a few battles at a time.
    pub(super) engine: Option<Box<dyn Engine>>,
}

impl<'e> Design<'e> {
    /// Plans to fit a model to `battles` battles, and to test it on as many. If `source` is None, line-ups are drawn,
    /// unless the scenario draws them itself and its battles say what was drawn, or has none that could be drawn.
    ///
    /// # Errors
    /// When there are no units, or too many, or when line-ups are to be drawn but cannot be.
    pub fn new(
        engine: &'e dyn Engine,
        source: Option<Source>,
        battles: u64,
    ) -> Result<Self, NoWorth> {
        let layout = engine.layout();
        let is_drawn = match source {
            Some(source) => source == Source::Drawn,
            None => !layout.units_are_drawn || !engine.fighters_are_brought(),
        };
        if is_drawn {
            match Self::drawn(engine, battles) {
                Err(NoWorth::NoLineUps(_)) if source.is_none() => {}
                drawn => return drawn,
            }
        }
        counted(layout.units.len())?;
        if layout.units_are_drawn && !engine.fighters_are_brought() {
            return Err(NoWorth::NotNoted);
        }
        let places = 0..layout.matchups.len() * layout.sides;
        let brought = places
            .map(|at| engine.brings(at / layout.sides, Side((at % layout.sides) as u8)))
            .collect();
        let layout = layout.clone();
        let fixed = FixedEffects::new(&layout, places_of(&layout), battles);
        let given = match layout.units_are_drawn {
            false => Vec::new(),
            true => {
                let names = layout.contenders().names;
                let given =
                    names.iter().map(|name| ((*name).to_owned(), engine.always_brings(name)));
                given.filter(|(_, units)| !units.is_empty()).collect()
            }
        };
        Ok(Self { engine, layout, field: Field::Own, battles, brought, given, fixed })
    }

    /// A design with line-ups drawn from those that the contenders could bring.
    fn drawn(engine: &'e dyn Engine, battles: u64) -> Result<Self, NoWorth> {
        let own = engine.layout();
        let names = own.contenders().names;
        let spaces: Vec<Box<dyn LineUps + 'e>> =
            names.iter().map(|name| engine.line_ups(name)).collect::<Result<_, NoLineUps>>()?;
        let choices = spaces.first().map_or(&[][..], |space| space.choices());
        counted(choices.len())?;
        let unit = |choice: &crate::lineups::Choice| Unit {
            name: choice.name.clone(),
            kind: choice.kind,
            group: choice.group.clone(),
        };
        let mirrored = |name: &&str| Matchup { contenders: vec![(*name).to_owned(); own.sides] };
        let layout = Layout {
            units: choices.iter().map(unit).collect(),
            matchups: names.iter().map(mirrored).collect(),
            units_are_drawn: true,
            ..own.clone()
        };
        let fixed = FixedEffects::new(&layout, places_of(&layout), battles);
        let field = Field::Drawn(spaces);
        Ok(Self { engine, layout, field, battles, brought: Vec::new(), given: Vec::new(), fixed })
    }

    /// Whether the study draws line-ups that the scenario does not draw.
    #[must_use]
    pub fn draws_line_ups(&self) -> bool {
        matches!(self.field, Field::Drawn(_))
    }

    /// The cost of bringing a unit; None where the game has no price.
    pub(super) fn cost(&self, unit: u16) -> Option<u32> {
        match &self.field {
            Field::Own => self.engine.cost(unit),
            Field::Drawn(spaces) => spaces[0].choices()[usize::from(unit)].cost,
        }
    }

    /// The noun for costs.
    pub(super) fn cost_noun(&self) -> &'static str {
        match &self.field {
            Field::Own => "mana",
            Field::Drawn(spaces) => spaces[0].cost_noun().unwrap_or("cost"),
        }
    }

    /// Whether a contender whose line-up is given, while others are drawn, brings the unit to all of its battles: then the
    /// scenario says how often it is brought.
    pub(super) fn is_given(&self, unit: usize) -> bool {
        self.given.iter().any(|(_, units)| units.iter().any(|&given| usize::from(given) == unit))
    }

    /// What the units have in common that stand in for one: their kind, and whatever else is the same.
    pub(super) fn alike(&self, unit: u16) -> String {
        match (self.cost(unit), self.engine.played_for(), &self.field) {
            (Some(_), ..) => "kind and cost".to_owned(),
            (None, Some(noun), Field::Own) => format!("kind and {noun} cost"),
            (None, Some(noun), Field::Drawn(_)) => format!("kind, whatever their {noun} cost,"),
            (None, None, _) => "kind".to_owned(),
        }
    }

    /// How many rows a battle has in the regression: one in a duel, where one side determines the other, otherwise
    /// one for each side.
    pub(super) fn rows(&self) -> usize {
        rows_of(&self.layout)
    }

    /// How many places there are: the rows of all strata, each of which has its own means.
    pub(super) fn places(&self) -> usize {
        places_of(&self.layout)
    }

    /// In how many scopes the worth of cards is reported: all, or only the first, which is all battles, where
    /// counting the pairs of units of each scope would take too much memory, or where the effects of whole sides in
    /// them cannot be taken out.
    pub(super) fn told_scopes(&self) -> usize {
        let units = self.layout.units.len();
        let can_be_told = !matches!(self.fixed.absorbs, Absorbs::TooFew(_));
        if can_be_told && self.scopes() * units * (units + 1) / 2 <= MOST_PAIRS {
            self.scopes()
        } else {
            1
        }
    }

    /// Whether what sides bring differs from battle to battle, as far as this is known beforehand. Otherwise a unit's
    /// worth can be told only by replacing it.
    #[must_use]
    pub fn varies(&self) -> bool {
        let are_others = self.layout.matchups.windows(2).any(|two| two[0] != two[1]);
        let mut known = self.brought.chunks(self.layout.sides);
        let first = known.next().unwrap_or_default();
        let bring_others =
            first.iter().any(Option::is_none) || known.any(|brought| brought != first);
        self.layout.units_are_drawn || are_others && bring_others
    }

    /// How many match-ups take turns from battle to battle, so that all have as many battles.
    #[must_use]
    pub(super) fn in_turn(&self) -> u64 {
        self.layout.matchups.len() as u64
    }

    pub(super) fn stratum(&self, matchup: u32) -> usize {
        if self.layout.units_are_drawn { matchup as usize } else { 0 }
    }

    /// The number of scopes: all battles, those with each factor, those with each bracket.
    pub(super) fn scopes(&self) -> usize {
        1 + self.layout.factors.len() + self.layout.brackets.len()
    }

    /// The number of battles, without those that are played again.
    #[must_use]
    pub fn total(&self) -> u64 {
        2 * self.battles
    }

    /// The units to be replaced: those in `named`, or, if it is empty, the `first` that head the impact list of the
    /// fitted half, of one kind if a kind is given. A unit without a stand-in and without an ability to lose leaves
    /// its place to the next one.
    #[must_use]
    pub fn targets(
        &self,
        tally: &FitTally,
        model: Option<&Model>,
        named: &[u16],
        (first, kind): (usize, Option<&str>),
        seed: u64,
    ) -> Vec<Target> {
        let target = |unit: u16| {
            let target = self.target(unit, tally, seed);
            (!target.variants.is_empty()).then_some(target)
        };
        if !named.is_empty() {
            return named.iter().filter_map(|&unit| target(unit)).collect();
        }
        let Some(model) = model else { return Vec::new() };
        let impacts = model.impacts(tally);
        let mut order: Vec<usize> = (0..impacts.len()).collect();
        order.put_in_order_by(|&a, &b| impacts[b].1.total_cmp(&impacts[a].1));
        let is_told = |unit: u16| {
            let unit = usize::from(unit);
            kind.is_none_or(|kind| self.layout.units[unit].kind == kind) && !self.is_given(unit)
        };
        let worth_a_look =
            order.into_iter().filter(|&at| impacts[at].1 > 0.0 && is_told(impacts[at].0));
        worth_a_look.filter_map(|at| target(impacts[at].0)).take(first).collect()
    }

    /// The units that could be brought in a unit's place: others of its kind and cost.
    pub(super) fn stand_ins(&self, unit: u16, tally: &FitTally) -> Vec<u16> {
        match &self.field {
            Field::Own => self.engine.stand_ins(unit),
            Field::Drawn(spaces) => {
                let choices = spaces[0].choices();
                let own = &choices[usize::from(unit)];
                let goes_where_it_goes = |other: u16| {
                    spaces.iter().any(|space| space.allows(unit) && space.allows(other))
                };
                let is_like = |&other: &u16| {
                    let choice = &choices[usize::from(other)];
                    let is_brought = tally.fared[usize::from(other)].times > 0;
                    other != unit
                        && is_brought
                        && goes_where_it_goes(other)
                        && (choice.kind, choice.cost) == (own.kind, own.cost)
                };
                (0..choices.len() as u16).filter(is_like).collect()
            }
        }
    }

    fn target(&self, unit: u16, tally: &FitTally, seed: u64) -> Target {
        let mut others = self.stand_ins(unit, tally);
        let stand_ins = others.len();
        if stand_ins > MOST_STAND_INS {
            let mut random = Seeded::of_battle(seed, u64::from(unit));
            while others.len() > MOST_STAND_INS {
                others.swap_remove(random.below(others.len() as u32) as usize);
            }
            others.sort_unstable();
        }
        let variant = |recast: Recast, name: String| {
            let engine = match &self.field {
                Field::Own => Some(self.engine.recast(unit, recast)?),
                Field::Drawn(_) => None,
            };
            Some(Variant { recast, name, engine })
        };
        let stand_in = |&other: &u16| {
            variant(Recast::As(other), self.layout.units[usize::from(other)].name.clone())
        };
        let without = |(at, name): (usize, String)| variant(Recast::Without(at), name);
        let abilities = self.abilities(unit).into_iter().enumerate().filter_map(without);
        let variants = others.iter().filter_map(stand_in).chain(abilities).collect();
        let expected = tally.presence(usize::from(unit)) * self.battles as f64;
        let stride = (expected / ENOUGH_AGAIN).ceil().max(1.0) as u64;
        Target { unit, variants, stand_ins, stride }
    }

    /// The names of the abilities that a unit can lose.
    fn abilities(&self, unit: u16) -> Vec<String> {
        let Field::Drawn(spaces) = &self.field else { return self.engine.abilities(unit) };
        // A battle between line-ups that have the unit shows what it can do.
        for (at, space) in spaces.iter().enumerate() {
            for draw in 0..MOST_DRAWS {
                let line_up = space.draw(&mut Seeded::of_battle(at as u64, draw));
                if line_up.has(unit) {
                    let brought = vec![Brought::LineUp(&line_up); self.layout.sides];
                    let seats = (0..self.layout.sides as u16).collect();
                    let engine = space.engine(&brought, &[seats]);
                    let own = unit_of(&*engine, &self.layout.units[usize::from(unit)].name);
                    return own.map_or_else(Vec::new, |own| engine.abilities(own));
                }
            }
        }
        Vec::new()
    }
}

fn rows_of(layout: &Layout) -> usize {
    if layout.sides == 2 { 1 } else { layout.sides }
}

/// The number of strata: drawn units differ within match-ups, fixed line-ups only between them.
fn strata_of(layout: &Layout) -> usize {
    if layout.units_are_drawn { layout.matchups.len() } else { 1 }
}

fn places_of(layout: &Layout) -> usize {
    strata_of(layout) * rows_of(layout)
}

/// The index of a unit in the layout of an engine for drawn line-ups.
pub(super) fn unit_of(engine: &dyn Engine, name: &str) -> Option<u16> {
    let found = engine.layout().units.iter().position(|unit| unit.name == name);
    found.map(|at| at as u16)
}

/// Checks that units can be counted pair by pair.
fn counted(units: usize) -> Result<(), NoWorth> {
    match units {
        0 => Err(NoWorth::NoUnits),
        units if units > MOST_UNITS => Err(NoWorth::TooMany(units)),
        _ => Ok(()),
    }
}
