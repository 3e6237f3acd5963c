//! What stays the same from battle to battle.

use arrayvec::ArrayVec;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;

use super::cards::Catalogue;
use super::pool::Pool;
use super::rolls::Roll;
use super::ruleset::Rulesets;
use super::state::{State, TEAM};
use super::weights::Weights;
use crate::chance::Chance;
use crate::game::{Outcome, Side, Stratum};
use crate::tally::{Condition, Matchup};

/// A card at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardAt {
    /// Its place in the catalogue.
    pub card: u16,
    /// Its level, from 1.
    pub level: u8,
}

/// A team in line-up order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineUp {
    /// Who leads.
    pub summoner: CardAt,
    /// Who fights, front first; at least one.
    pub monsters: ArrayVec<CardAt, TEAM>,
}

/// Somebody who brings teams to battles.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// Where its teams come from.
    pub brings: Brings,
}

/// Where teams come from.
#[derive(Clone, Debug)]
pub enum Brings {
    /// Always the same team.
    Fixed {
        /// The team.
        team: LineUp,
        /// Whether it may be brought, by condition and then mana cap. One that may not loses at once.
        legal: Vec<bool>,
    },
    /// A team drawn for each battle.
    Drawn(Box<Pool>),
}

/// Everything that stays the same from battle to battle.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The cards.
    pub catalogue: Catalogue,
    /// The rulesets of each condition of the layout, with their exact probability.
    pub conditions: Vec<(Rulesets, BigRational)>,
    /// The draw behind the conditions; None where the rulesets are fixed.
    pub draw: Option<Weights>,
    /// The mana caps, one of which is drawn for each battle.
    pub mana_caps: Vec<u8>,
    /// Who takes part.
    pub contenders: Vec<Contender>,
    /// The contenders of each match-up, side A first, as indices into `contenders`.
    pub matchups: Vec<[u16; 2]>,
    /// Whether identical teams draw without a fight (decision 3).
    pub identical_teams_draw: bool,
    /// How monsters are put in order that nothing else tells apart (decision 2).
    pub turn_ties: TurnTies,
    /// Whether the round in which the last enemy falls is played to its end, as the official program does: nobody is
    /// left to attack, but the winners still heal and repair. No outcome depends on it.
    pub plays_rounds_out: bool,
}

/// How monsters are put in order that nothing else tells apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TurnTies {
    /// Every order is equally likely (SP-88).
    #[default]
    Even,
    /// As the official program does it, which favours the first team.
    Official,
}

impl Setup {
    /// One match-up of two given teams under given rulesets, whatever the rules of legality say.
    #[must_use]
    pub fn of_teams(catalogue: Catalogue, rulesets: Rulesets, teams: [LineUp; 2]) -> Self {
        let contenders = teams.into_iter().zip(["A", "B"]).map(|(team, name)| Contender {
            name: name.to_owned(),
            brings: Brings::Fixed { team, legal: vec![true] },
        });
        Self {
            catalogue,
            conditions: vec![(rulesets, num_traits::One::one())],
            draw: None,
            mana_caps: vec![99],
            contenders: contenders.collect(),
            matchups: vec![[0, 1]],
            identical_teams_draw: false,
            turn_ties: TurnTies::Even,
            plays_rounds_out: false,
        }
    }

    /// The battlefield before the first round's dice: draws the mana cap and the teams.
    pub(super) fn field<C: Chance<Roll>>(&self, stratum: Stratum, chance: &mut C) -> State {
        let condition = stratum.condition as usize;
        let rulesets = self.conditions[condition].0;
        let cap = chance.pick(Roll::ManaCap, self.mana_caps.len());
        let mut legal = [true; 2];
        let teams = [Side::A, Side::B].map(|side| {
            chance.about(u32::from(side.0) + 1);
            let contender = self.matchups[stratum.matchup as usize][side.index()];
            match &self.contenders[usize::from(contender)].brings {
                Brings::Drawn(pool) => pool.draw(condition, cap, chance),
                Brings::Fixed { team, legal: by_condition } => {
                    legal[side.index()] = by_condition[condition * self.mana_caps.len() + cap];
                    team.clone()
                }
            }
        });
        let mut state =
            State::new(&self.catalogue, rulesets, self.mana_caps[cap], [&teams[0], &teams[1]]);
        state.verdict = match legal {
            [true, true] => None,
            [false, false] => Some(Outcome::Draw),
            [a, _] => Some(Outcome::Win(if a { Side::A } else { Side::B })),
        };
        state
    }

    /// Whether this setup plays every condition of another just as that does.
    pub(super) fn plays_alike(&self, other: &Self) -> bool {
        let place = |(rulesets, _): &(Rulesets, BigRational)| {
            self.conditions.iter().position(|(mine, _)| mine == rulesets)
        };
        let Some(places) = other.conditions.iter().map(place).collect::<Option<Vec<usize>>>()
        else {
            return false;
        };
        let caps = self.mana_caps.len();
        let alike = |(mine, theirs): (&Contender, &Contender)| {
            mine.name == theirs.name
                && match (&mine.brings, &theirs.brings) {
                    (Brings::Drawn(mine), Brings::Drawn(theirs)) => {
                        mine.draws_alike(theirs, &places)
                    }
                    (
                        Brings::Fixed { team, legal },
                        Brings::Fixed { team: their_team, legal: their_legal },
                    ) => {
                        let legal = places.iter().flat_map(|at| &legal[at * caps..(at + 1) * caps]);
                        team == their_team && legal.eq(their_legal)
                    }
                    _ => false,
                }
        };
        self.identical_teams_draw == other.identical_teams_draw
            && self.turn_ties == other.turn_ties
            && self.mana_caps == other.mana_caps
            && self.matchups == other.matchups
            && self.catalogue == other.catalogue
            && self.contenders.len() == other.contenders.len()
            && self.contenders.iter().zip(&other.contenders).all(alike)
    }

    pub(super) fn matchup_labels(&self) -> Vec<Matchup> {
        let name = |contender: u16| self.contenders[usize::from(contender)].name.clone();
        let label = |matchup: &[u16; 2]| Matchup { contenders: matchup.map(name).to_vec() };
        self.matchups.iter().map(label).collect()
    }

    pub(super) fn condition_labels(&self) -> Vec<Condition> {
        let label = |(rulesets, probability): &(Rulesets, BigRational)| Condition {
            label: label_of(*rulesets),
            factors: rulesets.iter().map(|ruleset| ruleset as u16).collect(),
            probability: probability.to_f64().unwrap_or(f64::NAN),
        };
        self.conditions.iter().map(label).collect()
    }
}

/// Rulesets as people read them: `Earthquake + Close Range`.
#[must_use]
pub fn label_of(rulesets: Rulesets) -> String {
    let names: Vec<&str> = rulesets.iter().map(Into::into).collect();
    names.join(" + ")
}
