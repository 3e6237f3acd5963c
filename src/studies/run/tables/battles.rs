//! The table `battles`: one row per battle, made in chunks and never held whole.

use std::fmt::Write;

use crate::batch::Rows;
use crate::game::{Outcome, Side};
use crate::scenario::TableName;
use crate::table::{Column, Table, side_suffix};
use crate::tally::{Fighter, Layout, Record};

/// The kind of units that lead a team without being part of its line-up.
const LEADER: &str = "summoner";

/// Rows of the table `battles` in the making.
///
/// Threads fill one each for their own range of battles. The chunks are written in the order of the
/// battles, whichever was done first.
#[derive(Clone, Debug)]
pub struct BattleRows<'a> {
    layout: &'a Layout,
    index: Vec<u64>,
    seed: Vec<u64>,
    matchup: Vec<String>,
    condition: Vec<String>,
    teams: Vec<Vec<String>>,
    winner: Vec<String>,
    forfeited: Vec<String>,
    rounds: Vec<u64>,
    survivors: Vec<Vec<u64>>,
}

impl<'a> BattleRows<'a> {
    /// No rows yet.
    #[must_use]
    pub fn new(layout: &'a Layout) -> Self {
        Self {
            layout,
            index: Vec::new(),
            seed: Vec::new(),
            matchup: Vec::new(),
            condition: Vec::new(),
            teams: vec![Vec::new(); layout.sides],
            winner: Vec::new(),
            forfeited: Vec::new(),
            rounds: Vec::new(),
            survivors: vec![Vec::new(); layout.sides],
        }
    }

    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    fn leads(&self, fighter: &Fighter) -> bool {
        self.layout.units[usize::from(fighter.unit)].kind == LEADER
    }

    /// A team in line-up order, after its leader where it has one: `Malric Inferno@1: Pit Ogre@3, ...`.
    fn team_text(&self, record: &Record, side: usize) -> String {
        let is_there = |fighter: &&Fighter| fighter.side.index() == side && fighter.level > 0;
        let team = record.fighters.iter().filter(is_there);
        let (leaders, line_up): (Vec<_>, Vec<_>) = team.partition(|fighter| self.leads(fighter));
        let mut text = String::new();
        self.list(&mut text, &leaders);
        if !leaders.is_empty() {
            text.push_str(": ");
        }
        self.list(&mut text, &line_up);
        text
    }

    fn list(&self, text: &mut String, fighters: &[&Fighter]) {
        for (at, fighter) in fighters.iter().enumerate() {
            let gap = if at == 0 { "" } else { ", " };
            let name = &self.layout.units[usize::from(fighter.unit)].name;
            write!(text, "{gap}{name}@{}", fighter.level).expect("text takes any text");
        }
    }

    fn survivors(&self, record: &Record, side: usize) -> u64 {
        let standing = |fighter: &&Fighter| {
            let is_there = fighter.survived && fighter.level > 0;
            is_there && fighter.side.index() == side && !self.leads(fighter)
        };
        record.fighters.iter().filter(standing).count() as u64
    }
}

impl Rows for BattleRows<'_> {
    fn push(&mut self, index: u64, seed: u64, record: &Record) {
        self.index.push(index);
        self.seed.push(seed);
        self.matchup.push(self.layout.matchups[record.stratum.matchup as usize].label());
        let condition = &self.layout.conditions[record.stratum.condition as usize];
        self.condition.push(condition.label.clone());
        for side in 0..self.layout.sides {
            let (team, survivors) = (self.team_text(record, side), self.survivors(record, side));
            self.teams[side].push(team);
            self.survivors[side].push(survivors);
        }
        self.winner.push(match record.outcome {
            Outcome::Win(side) => side.to_string(),
            Outcome::Draw => "draw".to_owned(),
            Outcome::Undecided => "undecided".to_owned(),
        });
        let forfeited = (0..self.layout.sides).filter(|side| record.forfeits >> side & 1 == 1);
        self.forfeited.push(forfeited.map(|side| Side(side as u8).to_string()).collect());
        self.rounds.push(u64::from(record.rounds));
    }

    fn take(&mut self) -> Table {
        let layout = self.layout;
        let Self {
            index,
            seed,
            matchup,
            condition,
            teams,
            winner,
            forfeited,
            rounds,
            survivors,
            ..
        } = std::mem::replace(self, Self::new(layout));
        let mut columns = vec![
            Column::count("index", "the battle's number, from 0", index),
            Column::count("seed", "the battle's own seed, which replays it alone", seed),
            Column::text("matchup", "who meets whom, side A first", matchup),
        ];
        if !layout.factors.is_empty() {
            columns.push(Column::text(
                format!("{}s", layout.factor_noun),
                format!("the {}s of the battle", layout.factor_noun),
                condition,
            ));
        }
        for (side, team) in teams.into_iter().enumerate() {
            columns.push(Column::text(
                format!("team_{}", side_suffix(side)),
                format!("who fights on side {}, name@level in order", Side(side as u8)),
                team,
            ));
        }
        columns.push(Column::text(
            "winner",
            "the letter of the side that won, or draw, or undecided",
            winner,
        ));
        columns.push(Column::text(
            "forfeited_by",
            "the letters of the sides that forfeited the battle before it began; empty where it was fought",
            forfeited,
        ));
        columns.push(Column::count(
            "rounds",
            format!("how many {}s it lasted", layout.round_noun),
            rounds,
        ));
        for (side, survivors) in survivors.into_iter().enumerate() {
            columns.push(Column::count(
                format!("survivors_{}", side_suffix(side)),
                format!("how many of side {} were there at the end", Side(side as u8)),
                survivors,
            ));
        }
        Table { name: TableName::Battles.to_string(), columns }
    }
}
