//! Recorded battles of the official game: its `battle/result` and the shapes that people collect them in.
//!
//! A [`Record`] is what the official game says of one battle: the rulesets, both teams, who won and, where it was
//! kept, the random seed and every action. It is read by [`read`], which takes one JSON object, a list of them, JSON
//! lines, or an object with a list `battles`; `details` may be an object or a JSON string in it.
//!
//! | file | what it does |
//! |---|---|
//! | `form` | the official shapes, as they are written |
//! | `read` | from a file to records, with what is wrong in which line |
//! | `forecast` | what is to be expected of recorded line-ups |
//! | `cards` | card files, official or our own, and which cards of them we can play |

mod cards;
mod forecast;
mod form;
mod read;

use std::str::FromStr;

use arrayvec::ArrayVec;

pub use cards::{CardFile, Unplayable};
pub use forecast::{Expected, expect};
pub use form::{Action, Change, GroupState, MonsterState};
pub use read::read;

use super::cards::{CardKind, Stats};
use super::ruleset::{Ruleset, Rulesets};
use super::setup::{CardAt, LineUp, Setup};
use super::state::{Place, TEAM};
use crate::game::{Outcome, Side};
use crate::scenario::Fault;

/// One battle as the official game recorded it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// Its name in the official game, where the record has one.
    pub id: Option<String>,
    /// The rulesets, as recorded: `Earthquake|Close Range`.
    pub ruleset: String,
    /// The mana cap.
    pub mana_cap: u8,
    /// Both teams, the first one first.
    pub teams: [RecordedTeam; 2],
    /// Who won.
    pub winner: Outcome,
    /// How it was fought, where that was kept.
    pub course: Option<Course>,
}

/// A team as recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedTeam {
    /// Who leads.
    pub summoner: RecordedCard,
    /// Who fights, front first; a real team may have none.
    pub monsters: Vec<RecordedCard>,
}

/// A card of a team as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedCard {
    /// The game's own number for the card.
    pub id: u32,
    /// Its level.
    pub level: u8,
    /// Its numbers after the rulesets and before anybody's abilities, where they were kept.
    pub stats: Option<Stats>,
    /// Its abilities after the rulesets, as recorded.
    pub abilities: Vec<String>,
}

/// How a battle was fought.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// What the official generator of random numbers began with.
    pub seed: Option<String>,
    /// What summoners and monsters did before round 1.
    pub before: Vec<Action>,
    /// The actions of each round.
    pub rounds: Vec<Vec<Action>>,
}

/// Who does something, or whom it is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A monster, by its place.
    Monster(Place),
    /// A summoner.
    Summoner(Side),
}

impl FromStr for Unit {
    type Err = String;

    /// `team1.0` is the first team's front monster, `team2.summoner` the second team's summoner.
    fn from_str(written: &str) -> Result<Self, String> {
        let strange = || format!("unknown unit `{written}`");
        let (team, who) = written.split_once('.').ok_or_else(strange)?;
        let side = match team {
            "team1" => Side::A,
            "team2" => Side::B,
            _ => return Err(strange()),
        };
        if who == "summoner" {
            return Ok(Unit::Summoner(side));
        }
        let at: usize = who.parse().map_err(|_| strange())?;
        if at >= TEAM {
            return Err(strange());
        }
        Ok(Unit::Monster(Place((side.index() * TEAM + at) as u8)))
    }
}

impl Record {
    /// The record as people find it again: `line 12`.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.id {
            Some(id) => format!("line {}, battle {id}", self.line),
            None => format!("line {}", self.line),
        }
    }

    /// Its rulesets.
    ///
    /// # Errors
    /// A fault for each that is not known.
    pub fn rulesets(&self) -> Result<Rulesets, Vec<Fault>> {
        let mut rulesets = Rulesets::empty();
        let mut faults = Vec::new();
        for name in self.ruleset.split('|').map(str::trim) {
            match Ruleset::from_str(name) {
                Ok(ruleset) => rulesets |= ruleset,
                Err(_) => faults.push(Fault::new(
                    format!("{}: unknown ruleset `{name}`", self.place()),
                    "`evens list rulesets` names all that can be fought under",
                )),
            }
        }
        if faults.is_empty() { Ok(rulesets) } else { Err(faults) }
    }

    /// Both teams with their cards of `file`.
    ///
    /// # Errors
    /// A fault for each card, level or ability that is not known.
    pub fn line_ups(&self, file: &CardFile) -> Result<[LineUp; 2], Vec<Fault>> {
        let mut faults = Vec::new();
        let [a, b] = [0, 1].map(|side| self.line_up(side, file, &mut faults));
        match (a, b) {
            (Some(a), Some(b)) if faults.is_empty() => Ok([a, b]),
            _ => Err(faults),
        }
    }

    fn line_up(&self, side: usize, file: &CardFile, faults: &mut Vec<Fault>) -> Option<LineUp> {
        let team = &self.teams[side];
        let mut find = |card: &RecordedCard, kind: CardKind, what: String| -> Option<CardAt> {
            let place = format!("{}: team {}'s {what}", self.place(), side + 1);
            let found = file.card(card, kind);
            found.map_err(|why| faults.push(why.fault(&place))).ok()
        };
        let summoner = find(&team.summoner, CardKind::Summoner, "summoner".to_owned());
        let monsters: Vec<Option<CardAt>> = team
            .monsters
            .iter()
            .enumerate()
            .map(|(at, card)| find(card, CardKind::Monster, format!("monster {}", at + 1)))
            .collect();
        let monsters: Option<ArrayVec<CardAt, TEAM>> = monsters.into_iter().collect();
        Some(LineUp { summoner: summoner?, monsters: monsters? })
    }

    /// Everything in it that is not known, so that it cannot be fought: a fault for each.
    #[must_use]
    pub fn unknown(&self, file: &CardFile) -> Vec<Fault> {
        let faults = [self.rulesets().err(), self.line_ups(file).err()];
        faults.into_iter().flatten().flatten().collect()
    }

    /// The setup in which this battle is fought again, as the official game does: identical teams draw.
    ///
    /// # Errors
    /// A fault for everything in it that is not known.
    pub fn setup(&self, file: &CardFile) -> Result<Setup, Vec<Fault>> {
        let (Ok(rulesets), Ok(teams)) = (self.rulesets(), self.line_ups(file)) else {
            return Err(self.unknown(file));
        };
        let mut setup = Setup::of_teams(file.catalogue.clone(), rulesets, teams);
        setup.mana_caps = vec![self.mana_cap];
        setup.identical_teams_draw = true;
        Ok(setup)
    }
}
