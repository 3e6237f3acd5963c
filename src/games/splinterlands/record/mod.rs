//! Recorded battles of the official game: its `battle/result` and the shapes that people collect them in.
//!
//! A [`Record`] is what the official game says of one battle: the rulesets, both teams, who won and, where it was
//! kept, the random seed and every action. It is read by [`read`], which takes one JSON object, a list of them, JSON
//! lines, or an object with a list `battles`; `details` may be an object or a JSON string in it.
//!
//! What a command needs:
//!
//! 1. [`CardFile::read`] or [`CardFile::bundled`]: the cards of the battles' time.
//! 2. [`collect`]: the battles of several files, each prepared by [`Refight::of`] to be fought again or checked with
//!    [`Record::unknown`], and those that are passed over; or all faults by file.
//! 3. [`Refight::fight`] and [`side_by_side`] for a replay; [`expect`] and [`Record::first_won`] for a score.
//!
//! | file | what it does |
//! |---|---|
//! | `collect` | the battles of several files that can be used, or all that is wrong with them |
//! | `form` | the official shapes, as they are written |
//! | `read` | from a file to records, with what is wrong in which line |
//! | `forecast` | what is to be expected of recorded line-ups |
//! | `cards` | card files, official or our own, and which cards of them we can play |
//! | `act` | what happens in a battle of ours, written as the official game would |
//! | `chance` | the dice of a battle fought again: as recorded, or from the official generator |
//! | `compare` | holds a battle of ours against a record |
//! | `replay` | fights recorded battles again |
//! | `tell` | where a battle and its record part, as both stories side by side |

mod act;
mod cards;
mod chance;
mod collect;
mod compare;
mod forecast;
mod form;
mod read;
mod replay;
mod tell;

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;

pub use cards::{CardFile, Unplayable};
pub use chance::OfficialChance;
pub use collect::{Collected, PassedOver, Tolerance, collect};
pub use compare::{Divergence, Here};
pub use forecast::{Expected, Fights, expect};
pub use form::{Action, Change, GroupState, MonsterState};
pub use read::{Incomplete, Records, read};
pub use replay::{PATIENCE, Refight, Verdict, refight, refight_from_seed};
pub use tell::{Both, side_by_side, winner};

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
    /// The seed of the official random number generator, where it was recorded.
    pub seed: Option<String>,
    /// What summoners and monsters did before round 1.
    pub before: Vec<Action>,
    /// The actions of each round.
    pub rounds: Vec<Vec<Action>>,
}

/// A unit that does something, or that something is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A monster, by its place.
    Monster(Place),
    /// A summoner.
    Summoner(Side),
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unit::Monster(place) => {
                write!(f, "team{}.{}", place.side().0 + 1, place.index() % TEAM)
            }
            Unit::Summoner(side) => write!(f, "team{}.summoner", side.0 + 1),
        }
    }
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

/// Something in a record that is not known, so that the battle cannot be fought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Where: `line 12: team 1's monster 3`.
    pub place: String,
    /// What is not known.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// Turns unknown things into faults; what is unknown in many places is one fault, which names the first of them.
#[must_use]
pub fn faults(unknown: &[Unknown]) -> Vec<Fault> {
    // In the order of the file.
    let mut first_of: Vec<&Unknown> = Vec::new();
    for one in unknown {
        if !first_of.iter().any(|first| first.what == one.what) {
            first_of.push(one);
        }
    }
    let fault = |first: &Unknown| {
        let more = unknown.iter().filter(|other| other.what == first.what).count() - 1;
        let also = match more {
            0 => String::new(),
            1 => ", and in one place more".to_owned(),
            more => format!(", and in {more} places more"),
        };
        Fault::new(format!("{}: {}{also}", first.place, first.what), first.remedy.as_str())
    };
    first_of.into_iter().map(fault).collect()
}

impl Record {
    /// The record as people find it again: `line 12`.
    #[must_use]
    pub fn place(&self) -> String {
        read::place_of(self.line, self.id.as_deref())
    }

    /// The names of its rulesets, as recorded.
    pub fn ruleset_names(&self) -> impl Iterator<Item = &str> {
        self.ruleset.split('|').map(str::trim)
    }

    /// Whether the first team won; None when nobody did.
    #[must_use]
    pub fn first_won(&self) -> Option<bool> {
        match self.winner {
            Outcome::Win(side) => Some(side == Side::A),
            Outcome::Draw | Outcome::Undecided => None,
        }
    }

    /// Its rulesets.
    ///
    /// # Errors
    /// Every ruleset that is not known.
    pub fn rulesets(&self) -> Result<Rulesets, Vec<Unknown>> {
        let mut rulesets = Rulesets::empty();
        let mut unknown = Vec::new();
        for name in self.ruleset_names() {
            match Ruleset::from_str(name) {
                Ok(ruleset) => rulesets |= ruleset,
                Err(_) => unknown.push(Unknown {
                    place: self.place(),
                    what: format!("unknown ruleset `{name}`"),
                    remedy: "`evens list rulesets` names all that are known".to_owned(),
                }),
            }
        }
        if unknown.is_empty() { Ok(rulesets) } else { Err(unknown) }
    }

    /// The line-ups of both teams, with their cards of `file`.
    ///
    /// # Errors
    /// Every card, level or ability that is not known.
    pub fn line_ups(&self, file: &CardFile) -> Result<[LineUp; 2], Vec<Unknown>> {
        let mut unknown = Vec::new();
        let [a, b] = [0, 1].map(|side| self.line_up(side, file, &mut unknown));
        match (a, b) {
            (Some(a), Some(b)) if unknown.is_empty() => Ok([a, b]),
            _ => Err(unknown),
        }
    }

    fn line_up(&self, side: usize, file: &CardFile, unknown: &mut Vec<Unknown>) -> Option<LineUp> {
        let team = &self.teams[side];
        let mut find = |card: &RecordedCard, kind: CardKind, what: String| -> Option<CardAt> {
            let place = format!("{}: team {}'s {what}", self.place(), side + 1);
            let found = file.card(card, kind);
            found.map_err(|why| unknown.push(why.at(place))).ok()
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

    /// Everything in it that is not known, so that it cannot be fought.
    #[must_use]
    pub fn unknown(&self, file: &CardFile) -> Vec<Unknown> {
        let unknown = [self.rulesets().err(), self.line_ups(file).err()];
        unknown.into_iter().flatten().flatten().collect()
    }

    /// The setup in which this battle is fought again, as the official game does: identical teams draw, and the
    /// last round is played to its end.
    ///
    /// # Errors
    /// Everything in it that is not known.
    pub fn setup(&self, file: &CardFile) -> Result<Setup, Vec<Unknown>> {
        let (Ok(rulesets), Ok(teams)) = (self.rulesets(), self.line_ups(file)) else {
            return Err(self.unknown(file));
        };
        let setup = Setup::of_teams(file.catalogue.clone(), rulesets, teams)
            .with_mana_cap(self.mana_cap)
            .with_identical_teams_drawing(true)
            .with_rounds_played_out(true);
        Ok(setup)
    }
}
