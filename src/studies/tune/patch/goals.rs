//! Goals of a patch: the scores that are measured, and their targets.

use super::super::{Contender, Who};
use super::play::Appearances;
use crate::tally::{Layout, Unit};

/// Somebody whose score is measured, with a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Its name.
    pub name: String,
    /// Whose score is measured.
    pub who: Subject,
    /// The factor (in Splinterlands a ruleset) whose battles alone are measured; None for all battles.
    pub under: Option<String>,
    /// The score that it should have, 0 to 1.
    pub target: f64,
    /// The names of the cards that are its own: what changes them is tried first where it is off target.
    pub own: Vec<String>,
}

/// Whose score a goal measures, in terms that hold in every variant of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Sides of match-ups, as pairs of a match-up's index and a side's index.
    Sides(Vec<(usize, usize)>),
    /// Every appearance of these units, each by its kind and its name.
    Units(Vec<(&'static str, String)>),
}

impl Goal {
    /// The goal that a contender of a tuning of weights corresponds to.
    #[must_use]
    pub fn of(contender: &Contender, layout: &Layout, appearances: &Appearances) -> Self {
        let who = match &contender.who {
            Who::Sides(places) => Subject::Sides(places.clone()),
            Who::Unit(unit) => {
                let Unit { kind, name, .. } = &layout.units[*unit];
                Subject::Units(vec![(*kind, name.clone())])
            }
        };
        let own = match &contender.who {
            Who::Sides(places) => Self::own_of(places, layout, appearances),
            Who::Unit(unit) => vec![layout.units[*unit].name.clone()],
        };
        Self { name: contender.name.clone(), who, under: None, target: contender.target, own }
    }

    /// The cards of the contender that has these sides of match-ups, and, where it is one match-up, of all who meet in it.
    fn own_of(
        places: &[(usize, usize)],
        layout: &Layout,
        appearances: &Appearances,
    ) -> Vec<String> {
        let at = layout.contenders().at;
        let contenders = match places {
            [] => &[][..],
            [(matchup, _)] => &at[matchup * layout.sides..][..layout.sides],
            [(matchup, side), ..] => std::slice::from_ref(&at[matchup * layout.sides + side]),
        };
        let own = contenders.iter().flat_map(|&of| &appearances.own[usize::from(of)]);
        own.map(|&unit| layout.units[unit].name.clone()).collect()
    }
}

/// One goal for each faction, nation or class of the layout's units, which measures all of its units together.
#[must_use]
pub fn groups(layout: &Layout, even: f64) -> Vec<Goal> {
    let mut found: Vec<Goal> = Vec::new();
    for unit in &layout.units {
        let one = (unit.kind, unit.name.clone());
        match found.iter_mut().find(|goal| goal.name == unit.group) {
            Some(Goal { who: Subject::Units(units), .. }) => units.push(one),
            Some(_) | None => {
                let (name, who) = (unit.group.clone(), Subject::Units(vec![one]));
                found.push(Goal { name, who, under: None, target: even, own: Vec::new() });
            }
        }
    }
    found.retain(|goal| !goal.name.is_empty());
    found
}

/// Lookup of the goals that a side or a unit counts for, in the battles of one engine.
pub(super) struct Places {
    /// The goals of all battles first, then those under each factor; None where there are none.
    tables: Vec<Option<PlacesUnder>>,
}

/// Indices of goals by match-up and side, and by unit.
#[derive(Default)]
pub(super) struct PlacesUnder {
    pub sides: Vec<Vec<u16>>,
    pub units: Vec<Vec<u16>>,
}

impl Places {
    pub(super) fn new(layout: &Layout, goals: &[Goal]) -> Self {
        let mut tables: Vec<Option<PlacesUnder>> = Vec::new();
        tables.resize_with(1 + layout.factors.len(), || None);
        for (at, goal) in goals.iter().enumerate() {
            let table = match &goal.under {
                None => 0,
                Some(under) => match layout.factors.iter().position(|factor| factor == under) {
                    Some(factor) => 1 + factor,
                    None => continue,
                },
            };
            let table = tables[table].get_or_insert_with(|| PlacesUnder {
                sides: vec![Vec::new(); layout.matchups.len() * layout.sides],
                units: vec![Vec::new(); layout.units.len()],
            });
            match &goal.who {
                Subject::Sides(places) => {
                    for (matchup, side) in places {
                        table.sides[matchup * layout.sides + side].push(at as u16);
                    }
                }
                Subject::Units(units) => {
                    for (unit, place) in layout.units.iter().zip(&mut table.units) {
                        let is_one = |of: &(&str, String)| of.0 == unit.kind && of.1 == unit.name;
                        if units.iter().any(is_one) {
                            place.push(at as u16);
                        }
                    }
                }
            }
        }
        Self { tables }
    }

    /// The tables that apply to a battle under a condition.
    pub(super) fn under<'p>(
        &'p self,
        layout: &'p Layout,
        condition: usize,
    ) -> impl Iterator<Item = &'p PlacesUnder> {
        let factors = layout.conditions[condition].factors.iter();
        let tables = std::iter::once(0).chain(factors.map(|&factor| 1 + usize::from(factor)));
        tables.filter_map(|at| self.tables[at].as_ref())
    }
}
