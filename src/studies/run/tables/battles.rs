//! The table `battles`: one row per battle, made in chunks and never held whole.

use crate::batch::Rows;
use crate::game::{Outcome, Side};
use crate::scenario::TableName;
use crate::table::{Coded, Column, CountLists, Table, TextLists, Values, Words, side_suffix};
use crate::tally::{Fighter, Layout, Record};

/// The kind of unit that leads a team without being part of its line-up.
const LEADER: &str = "summoner";

/// The texts that the rows of the table `battles` refer to by number, shared by all rows.
#[derive(Clone, Debug)]
pub struct BattleTexts<'a> {
    layout: &'a Layout,
    matchups: Words,
    contenders: Words,
    /// The contender on each side of each match-up: all sides of the first match-up, then of the next.
    contender_at: Vec<u16>,
    factors: Words,
    units: Words,
    /// The names of units, followed by an empty name for teams without a leader.
    leaders: Words,
    outcomes: Words,
    sides: Words,
    /// By unit: whether it is of the kind that leads a team.
    leads: Vec<bool>,
}

impl<'a> BattleTexts<'a> {
    /// The texts for the battles of a layout.
    #[must_use]
    pub fn new(layout: &'a Layout) -> Self {
        let contenders = layout.contenders();
        let sides: Vec<String> =
            (0..layout.sides).map(|side| Side(side as u8).to_string()).collect();
        let nobody = ["draw", "undecided"].map(str::to_owned);
        let units: Vec<String> = layout.units.iter().map(|unit| unit.name.clone()).collect();
        Self {
            layout,
            matchups: Words::new(layout.matchups.iter().map(|of| of.label()).collect()),
            contenders: Words::new(contenders.names.iter().map(|&of| of.to_owned()).collect()),
            contender_at: contenders.at,
            factors: Words::new(layout.factors.clone()),
            leaders: Words::new(units.iter().cloned().chain([String::new()]).collect()),
            units: Words::new(units),
            outcomes: Words::new(sides.iter().cloned().chain(nobody).collect()),
            sides: Words::new(sides),
            leads: layout.units.iter().map(|unit| unit.kind == LEADER).collect(),
        }
    }
}

/// Rows of the table `battles`, while they are being filled.
///
/// Each thread fills one for its own range of battles. The chunks are written in the order of the battles, whichever
/// is finished first.
#[derive(Clone, Debug)]
pub struct BattleRows<'a> {
    texts: &'a BattleTexts<'a>,
    index: Vec<u64>,
    seed: Vec<u64>,
    matchup: Coded,
    factors: TextLists,
    facts: Vec<Vec<u64>>,
    teams: Vec<Team>,
    winner: Coded,
    is_forfeited: Vec<bool>,
    forfeited: TextLists,
    rounds: Vec<u64>,
}

/// The columns of one side's team.
#[derive(Clone, Debug)]
struct Team {
    contender: Coded,
    leader: Coded,
    leader_level: Vec<u64>,
    units: TextLists,
    levels: CountLists,
    survivors: Vec<u64>,
}

impl Team {
    fn new(texts: &BattleTexts<'_>) -> Self {
        Self {
            contender: Coded::new(texts.contenders.clone()),
            leader: Coded::new(texts.leaders.clone()),
            leader_level: Vec::new(),
            units: TextLists::new(texts.units.clone(), ", "),
            levels: CountLists::default(),
            survivors: Vec::new(),
        }
    }

    /// Makes room for this many rows.
    fn reserve(&mut self, rows: usize) {
        /// Columns of larger teams grow when they need to.
        const USUAL_TEAM: usize = 8;
        for codes in [&mut self.contender.codes, &mut self.leader.codes, &mut self.units.ends] {
            codes.reserve(rows);
        }
        self.levels.ends.reserve(rows);
        for column in [&mut self.leader_level, &mut self.survivors] {
            column.reserve(rows);
        }
        for items in [&mut self.units.codes, &mut self.levels.items] {
            items.reserve(rows * USUAL_TEAM);
        }
    }

    /// Adds a row: a team's fighters, in line-up order.
    #[inline]
    fn push<'f>(
        &mut self,
        contender: u16,
        team: impl Iterator<Item = &'f Fighter>,
        leads: &[bool],
    ) {
        let (mut leader, mut leader_level) = (self.leader.words.len() as u32 - 1, 0);
        let mut survivors = 0;
        for fighter in team.filter(|fighter| fighter.level > 0) {
            let (unit, level) = (u32::from(fighter.unit), fighter.level);
            if leads[usize::from(fighter.unit)] {
                (leader, leader_level) = (unit, u64::from(level));
                continue;
            }
            self.units.codes.push(unit);
            self.levels.items.push(u32::from(level));
            survivors += u64::from(fighter.survived);
        }
        self.contender.codes.push(u32::from(contender));
        self.leader.codes.push(leader);
        self.leader_level.push(leader_level);
        self.survivors.push(survivors);
        self.units.end_row();
        self.levels.end_row();
    }
}

impl<'a> BattleRows<'a> {
    /// A table without rows.
    #[must_use]
    pub fn new(texts: &'a BattleTexts<'a>) -> Self {
        Self {
            texts,
            index: Vec::new(),
            seed: Vec::new(),
            matchup: Coded::new(texts.matchups.clone()),
            factors: TextLists::new(texts.factors.clone(), " + "),
            facts: vec![Vec::new(); texts.layout.facts.len()],
            teams: (0..texts.layout.sides).map(|_| Team::new(texts)).collect(),
            winner: Coded::new(texts.outcomes.clone()),
            is_forfeited: Vec::new(),
            forfeited: TextLists::new(texts.sides.clone(), ", "),
            rounds: Vec::new(),
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Makes room at once for as many battles as a thread plays at a time.
    #[cold]
    fn reserve(&mut self) {
        const ROWS: usize = 256;
        for column in [&mut self.index, &mut self.seed, &mut self.rounds] {
            column.reserve(ROWS);
        }
        self.facts.iter_mut().for_each(|column| column.reserve(ROWS));
        self.teams.iter_mut().for_each(|team| team.reserve(ROWS));
        for codes in [&mut self.matchup.codes, &mut self.winner.codes] {
            codes.reserve(ROWS);
        }
        for lists in [&mut self.factors, &mut self.forfeited] {
            lists.codes.reserve(ROWS);
            lists.ends.reserve(ROWS);
        }
        self.is_forfeited.reserve(ROWS);
    }
}

impl Rows for BattleRows<'_> {
    fn push(&mut self, index: u64, seed: u64, record: &Record) {
        let (texts, layout) = (self.texts, self.texts.layout);
        if self.is_empty() {
            self.reserve();
        }
        self.index.push(index);
        self.seed.push(seed);
        let matchup = record.stratum.matchup;
        self.matchup.codes.push(matchup);
        let condition = &layout.conditions[record.stratum.condition as usize];
        self.factors.codes.extend(condition.factors.iter().copied().map(u32::from));
        self.factors.end_row();
        for (column, &fact) in self.facts.iter_mut().zip(&record.facts) {
            column.push(fact);
        }
        let contenders = &texts.contender_at[matchup as usize * layout.sides..];
        // After a forfeit nobody fought, even where the teams that were brought are known.
        let fighters = if record.forfeits == 0 { &record.fighters[..] } else { &[] };
        for (side, (columns, &contender)) in self.teams.iter_mut().zip(contenders).enumerate() {
            let team = fighters.iter().filter(|fighter| fighter.side.index() == side);
            columns.push(contender, team, &texts.leads);
        }
        self.winner.codes.push(match record.outcome {
            Outcome::Win(side) => u32::from(side.0),
            Outcome::Draw => layout.sides as u32,
            Outcome::Undecided => layout.sides as u32 + 1,
        });
        self.is_forfeited.push(record.forfeits != 0);
        let forfeited = (0..layout.sides as u32).filter(|side| record.forfeits >> side & 1 == 1);
        self.forfeited.codes.extend(forfeited);
        self.forfeited.end_row();
        self.rounds.push(u64::from(record.rounds));
    }

    fn take(&mut self) -> Table {
        let (texts, layout) = (self.texts, self.texts.layout);
        let Self {
            index,
            seed,
            matchup,
            factors,
            facts,
            teams,
            winner,
            is_forfeited,
            forfeited,
            rounds,
            ..
        } = std::mem::replace(self, Self::new(texts));
        let of = |name: String, meaning: String, values| Column {
            name: name.into(),
            meaning: meaning.into(),
            values,
        };
        let mut columns = vec![
            Column::count("index", "the battle's number, from 0", index),
            of(
                "battle_seed".to_owned(),
                "the battle's own seed, which replays it alone (`evens trace --battle-seed`)"
                    .to_owned(),
                Values::Seed(seed),
            ),
            of(
                "matchup".to_owned(),
                "who meets whom, side A first".to_owned(),
                Values::Coded(matchup),
            ),
        ];
        if !layout.factors.is_empty() {
            let noun = layout.factor_noun;
            let name = format!("{noun}s");
            columns.push(of(name, format!("the {noun}s of the battle"), Values::TextList(factors)));
        }
        for (fact, values) in layout.facts.iter().zip(facts) {
            columns.push(Column::count(fact.name, fact.meaning, values));
        }
        let mut ends = Vec::new();
        for (side, team) in teams.into_iter().enumerate() {
            let (suffix, side) = (side_suffix(side), Side(side as u8));
            let name = |of: &str| format!("{of}_{suffix}");
            let contender = Values::Coded(team.contender);
            columns.push(of(name("contender"), format!("who plays side {side}"), contender));
            if texts.leads.contains(&true) {
                columns.push(of(
                    name("summoner"),
                    format!("who leads side {side}; empty where the battle was forfeited"),
                    Values::Coded(team.leader),
                ));
                columns.push(Column::count(
                    name("summoner_level"),
                    "the summoner's level; 0 where the battle was forfeited",
                    team.leader_level,
                ));
            }
            columns.push(of(
                name("team"),
                format!("who fights on side {side}, in order; none where the battle was forfeited"),
                Values::TextList(team.units),
            ));
            columns.push(of(
                name("levels"),
                "their levels, in the same order; 1 where the game has none, and none where the battle was forfeited"
                    .to_owned(),
                Values::CountList(team.levels),
            ));
            ends.push(Column::count(
                name("survivors"),
                format!(
                    "how many of `{}` were there at the end; 0 where the battle was forfeited",
                    name("team")
                ),
                team.survivors,
            ));
        }
        columns.extend([
            of(
                "winner".to_owned(),
                "the letter of the side that won, or draw, or undecided".to_owned(),
                Values::Coded(winner),
            ),
            Column::flag(
                "forfeited",
                "whether any side forfeited the battle before it began, so that nobody fought",
                is_forfeited,
            ),
            of(
                "forfeited_by".to_owned(),
                "the letters of the sides that did; none where it was fought".to_owned(),
                Values::TextList(forfeited),
            ),
            Column::count(
                "rounds",
                format!("how many {}s it lasted; 0 where it was forfeited", layout.round_noun),
                rounds,
            ),
        ]);
        columns.extend(ends);
        Table { name: TableName::Battles.to_string(), columns }
    }
}
