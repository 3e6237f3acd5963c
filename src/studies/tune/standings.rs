//! Every contender's lead under every condition: all that tuning has to know of the battles.

use std::collections::BTreeMap;

use crate::statistics::{Estimate, Level};
use crate::tally::{Appearances, Layout, Tally};

/// Somebody who should be even.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// Where it is found in a tally.
    pub who: Who,
}

/// Where somebody is found in a tally.
#[derive(Clone, Debug, PartialEq)]
pub enum Who {
    /// It is a side in these match-ups: match-up and side.
    Sides(Vec<(usize, usize)>),
    /// It is a unit, and in a battle when it is drawn.
    Unit(usize),
}

/// Everybody who takes part in a match-up against somebody else.
#[must_use]
pub fn contenders(layout: &Layout) -> Vec<Contender> {
    let mut places: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, matchup) in layout.matchups.iter().enumerate() {
        if matchup.contenders.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        for (side, name) in matchup.contenders.iter().enumerate() {
            places.entry(name).or_default().push((at, side));
        }
    }
    let contender = |(name, places): (&str, Vec<_>)| Contender {
        name: name.to_owned(),
        who: Who::Sides(places),
    };
    places.into_iter().map(contender).collect()
}

/// The units of a kind (in Splinterlands `summoner` or `monster`) that were ever drawn.
#[must_use]
pub fn units(layout: &Layout, tally: &Tally, kind: &str) -> Vec<Contender> {
    let were_drawn = |&(at, _): &(usize, _)| tally.units[at].played > 0;
    layout
        .units
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.kind == kind)
        .filter(were_drawn)
        .map(|(at, unit)| Contender { name: unit.name.clone(), who: Who::Unit(at) })
        .collect()
}

/// How contenders fared under every condition.
#[derive(Clone, Debug)]
pub struct Standings {
    sides: usize,
    conditions: usize,
    /// Of each contender: of each of its places, what happened under each condition.
    places: Vec<Vec<Vec<Cell>>>,
}

/// What happened to a contender under one condition.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Battles under the condition.
    battles: u64,
    /// Times that it was in one.
    fared: Appearances,
}

/// A lead as a function of the odds: the sum of odds times `lead` over the sum of odds times `presence`.
pub(super) struct Terms {
    pub lead: Vec<f64>,
    pub presence: Vec<f64>,
}

impl Standings {
    /// Of these contenders in these battles. Units need a tally by condition in which every match-up has the same
    /// number of battles under a condition.
    #[must_use]
    pub fn new(layout: &Layout, tally: &Tally, contenders: &[Contender]) -> Self {
        let conditions = layout.conditions.len();
        let of_side = |&(matchup, side): &(usize, usize)| -> Vec<Cell> {
            tally
                .strata
                .range(matchup * conditions..(matchup + 1) * conditions)
                .map(|count| {
                    let won = count.wins[side];
                    let lost = count.wins.iter().sum::<u64>() - won;
                    let fared = Appearances { played: count.battles, won, lost };
                    Cell { battles: count.battles, fared }
                })
                .collect()
        };
        let of_unit = |unit: usize| -> Vec<Cell> {
            (0..conditions)
                .map(|condition| Cell {
                    battles: tally
                        .strata
                        .range(condition..tally.strata.len())
                        .step_by(conditions)
                        .map(|count| count.battles)
                        .sum(),
                    fared: tally.appearances[condition * layout.units.len() + unit],
                })
                .collect()
        };
        let places = contenders.iter().map(|contender| match &contender.who {
            Who::Sides(places) => places.iter().map(of_side).collect(),
            Who::Unit(unit) => vec![of_unit(*unit)],
        });
        Self { sides: layout.sides, conditions, places: places.collect() }
    }

    /// How many contenders there are.
    pub(super) fn contenders(&self) -> usize {
        self.places.len()
    }

    /// How many conditions there are.
    pub(super) fn conditions(&self) -> usize {
        self.conditions
    }

    /// A contender's lead if conditions have these probabilities: its win rate less the mean win rate of the
    /// others in the same battles, over all that it takes part in, -1 to 1.
    #[must_use]
    pub fn lead(&self, contender: usize, probabilities: &[f64]) -> Estimate {
        let terms = self.terms(contender);
        let total = |of: &[f64]| of.iter().zip(probabilities).map(|(x, p)| x * p).sum::<f64>();
        let (sum, presence) = (total(&terms.lead), total(&terms.presence));
        let never_played = self.places[contender].iter().any(|place| {
            let cells = place.iter().zip(probabilities);
            cells.into_iter().any(|(cell, &odds)| odds > 0.0 && cell.battles == 0)
        });
        if presence <= 0.0 || never_played {
            return Estimate::UNKNOWN;
        }
        let value = sum / presence;
        let cells = self.places[contender].iter().flat_map(|place| place.iter().zip(probabilities));
        let variance: f64 = cells
            .filter(|&(_, &odds)| odds > 0.0)
            .map(|(cell, &odds)| odds * odds * cell.variance(self.sides, value))
            .sum();
        let half = Level::P95.z() * variance.sqrt() / presence;
        Estimate { value, low: value - half, high: value + half }
    }

    /// A contender's lead as a function of the odds.
    pub(super) fn terms(&self, contender: usize) -> Terms {
        let conditions = self.conditions();
        let mut terms = Terms { lead: vec![0.0; conditions], presence: vec![0.0; conditions] };
        for place in &self.places[contender] {
            for (at, cell) in place.iter().enumerate() {
                terms.presence[at] += cell.presence();
                terms.lead[at] += cell.presence() * cell.lead(self.sides);
            }
        }
        terms
    }
}

impl Cell {
    /// How often it is in a battle.
    fn presence(&self) -> f64 {
        if self.battles == 0 { 0.0 } else { self.fared.played as f64 / self.battles as f64 }
    }

    /// Its mean lead when it is: in a battle it is 1 when it wins, and less an equal part of 1 when another does.
    fn lead(&self, sides: usize) -> f64 {
        let Appearances { played, won, lost } = self.fared;
        let share = 1.0 / (sides - 1) as f64;
        if played == 0 { 0.0 } else { (won as f64 - share * lost as f64) / played as f64 }
    }

    /// The variance of the mean, over the battles, of its lead less `value` in those it is in.
    fn variance(&self, sides: usize, value: f64) -> f64 {
        let Appearances { played, won, lost } = self.fared;
        if played == 0 {
            return 0.0;
        }
        let share = 1.0 / (sides - 1) as f64;
        let square = (won as f64 + share * share * lost as f64) / played as f64;
        let (mean, presence) = (self.lead(sides), self.presence());
        let off = mean - value;
        let within = (square - mean * mean).max(0.25 / played as f64);
        // Whether it takes part is random as well, unless it always does.
        let variance = presence * (within + off * off * (1.0 - presence.min(1.0)));
        variance / self.battles as f64
    }
}
