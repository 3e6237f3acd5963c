//! What stays the same from battle to battle.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::effect::Effect;
use super::line_ups::Bench;
use super::nation::House;
use super::open_rules::OpenRules;
use super::profile::Kind;
pub use super::profile::{LAST_ROUND, Profile};
use super::rules::check_for_all_combats::{Board, Fight};
use super::state::{GROUP, GROUPS, Group, Kept, Minion, Player, State};
use crate::forcible::{Forcible, Otherwise};
use crate::game::{Side, Stratum};
use crate::tally::{Condition, Matchup, Unit};

/// A group as it enters the combat phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    /// Its name.
    pub name: String,
    /// Its minions, first to last; at most eight.
    pub minions: Vec<Profile>,
    /// What spells on the group as a whole do.
    pub effects: Vec<Effect>,
}

/// A group that is ready to fight.
#[derive(Clone, Debug)]
struct Ready {
    name: String,
    effects: Vec<Effect>,
    group: Group,
}

/// One group of a match-up.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Its place in the list of groups.
    company: usize,
    /// Whose it is.
    player: Player,
}

/// Everything that stays the same from battle to battle. One that exists can be played.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The names of minions and spells that effects come from.
    pub(super) names: Vec<String>,
    /// What minions can be.
    kinds: Vec<Kind>,
    /// The units of the layout: every minion once.
    units: Vec<Unit>,
    /// Every different effect of minions and groups, by its number.
    pub(super) effects: Vec<Effect>,
    /// All groups.
    companies: Vec<Ready>,
    /// The groups of each match-up.
    matchups: Vec<Vec<Entry>>,
    /// How match-ups are called, contender by contender.
    labels: Vec<Matchup>,
    /// Who has precedence, or the initiative on a map, where nobody forces it.
    first: First,
    /// By condition: who fights whom, in order.
    schedules: Vec<Vec<Fight>>,
    /// The conditions' names.
    conditions: Vec<String>,
    /// Whether a whole map is played.
    board: Option<Board>,
    /// How many sides there are.
    pub(super) sides: usize,
    /// How open rules are read.
    pub(super) open: OpenRules,
    /// What the groups could be made of, where that is known.
    pub(super) bench: Option<Arc<Bench>>,
}

/// Who has precedence, or the initiative on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Always this player's groups.
    Always(Player),
    /// Blue's or red's, equally likely.
    Either,
}

impl First {
    fn players(self) -> Vec<Player> {
        match self {
            First::Always(player) => vec![player],
            First::Either => vec![Player::Blue, Player::Red],
        }
    }
}

/// The one combat of a duel in which this player's group has precedence.
fn duel(player: Player) -> Vec<Fight> {
    let (high, low) = if player == Player::Blue { (0, 1) } else { (1, 0) };
    vec![Fight { high, low, from: None }]
}

/// What no match-up has.
const TOO_MANY: &str = "a map has at most 16 groups, and a group at most 8 minions";

impl Setup {
    /// Single combats: in each match-up one group of side A against one of side B, as places in `companies`.
    ///
    /// # Panics
    /// When a group has more than 8 minions, or none.
    #[must_use]
    pub fn of_duels(
        companies: Vec<Company>,
        names: Vec<String>,
        matchups: &[[usize; 2]],
        first: First,
    ) -> Self {
        let entry = |company, player| Entry { company, player };
        let labels = matchups.iter().map(|pair| Matchup {
            contenders: pair.iter().map(|&company| companies[company].name.clone()).collect(),
        });
        let labels = labels.collect();
        let entries = matchups
            .iter()
            .map(|&[a, b]| vec![entry(a, Player::Blue), entry(b, Player::Red)])
            .collect();
        let players = first.players();
        let schedules = players.iter().map(|&player| duel(player)).collect();
        let conditions =
            players.iter().map(|player| format!("{} has precedence", player.side())).collect();
        let setup = Self {
            names,
            kinds: Vec::new(),
            units: Vec::new(),
            effects: Vec::new(),
            companies: Vec::new(),
            matchups: entries,
            labels,
            first,
            schedules,
            conditions,
            board: None,
            sides: 2,
            open: OpenRules::default(),
            bench: None,
        };
        setup.with(companies)
    }

    /// A combat phase on a map. `companies` are the groups of the board, in its order.
    ///
    /// # Panics
    /// When there are more than 16 groups, or one of them has more than 8 minions, or none.
    #[must_use]
    pub fn of_map(companies: Vec<Company>, names: Vec<String>, board: Board, first: First) -> Self {
        let groups = board.groups.iter().enumerate();
        let entries: Vec<Entry> =
            groups.map(|(company, placed)| Entry { company, player: placed.player }).collect();
        assert!(entries.len() <= GROUPS, "{TOO_MANY}");
        let neutral = entries.iter().any(|entry| entry.player == Player::Neutral);
        let sides = if neutral { 3 } else { 2 };
        let players = [Player::Blue, Player::Red, Player::Neutral];
        let contenders = players[..sides].iter().map(ToString::to_string).collect();
        let initiatives = first.players();
        let schedules = initiatives.iter().map(|&player| board.check_for_all_combats(player));
        let schedules = schedules.collect();
        let conditions =
            initiatives.iter().map(|player| format!("{player} has initiative")).collect();
        let setup = Self {
            names,
            kinds: Vec::new(),
            units: Vec::new(),
            effects: Vec::new(),
            companies: Vec::new(),
            matchups: vec![entries],
            labels: vec![Matchup { contenders }],
            first,
            schedules,
            conditions,
            board: Some(board),
            sides,
            open: OpenRules::default(),
            bench: None,
        };
        setup.with(companies)
    }

    /// Resolves minions to kinds and units, each different one once.
    fn with(mut self, companies: Vec<Company>) -> Self {
        let mut profiles: Vec<Profile> = Vec::new();
        for company in companies {
            let count = company.minions.len();
            assert!((1..=GROUP).contains(&count), "{TOO_MANY}");
            let mut minions = [Kept::NOBODY; GROUP];
            for (place, profile) in minions.iter_mut().zip(company.minions) {
                let known = profiles.iter().position(|other| *other == profile);
                let kind = known.unwrap_or_else(|| {
                    let unit = self.unit(&profile);
                    let numbered = self.numbered(&profile.effects);
                    self.kinds.push(Kind::of(&profile, unit, &numbered));
                    profiles.push(profile);
                    profiles.len() - 1
                });
                *place = profiles[kind].kept(kind as u16);
            }
            let present = ((1u16 << count) - 1) as u8;
            let group = Group { minions, present, away: 0, withdrawn: false };
            let effects = self.numbered(&company.effects);
            self.companies.push(Ready { name: company.name, effects, group });
        }
        self
    }

    /// The effects of the minions of a unit, each once.
    pub(super) fn effects_of(&self, unit: u16) -> Vec<Effect> {
        let kinds = self.kinds.iter().filter(|kind| kind.unit == unit);
        let mut all: Vec<Effect> = Vec::new();
        for effect in kinds.flat_map(Kind::all_effects) {
            if !all.iter().any(|known| known.number == effect.number) {
                all.push(effect);
            }
        }
        all
    }

    /// This setup with minions of another unit in the place of those of this one: each as the first of them is. None where
    /// there is none.
    pub(super) fn with_stand_in(&self, unit: u16, other: u16) -> Option<Self> {
        let minions = || self.companies.iter().flat_map(|ready| ready.group.minions.iter());
        let is_there = |minion: &&Kept| *minion != &Kept::NOBODY;
        let of_other = |minion: &&Kept| self.kind(minion.kind).unit == other;
        let stand_in = *minions().filter(is_there).find(of_other)?;
        let mut changed = self.clone();
        for ready in &mut changed.companies {
            for minion in &mut ready.group.minions {
                if is_there(&&*minion) && self.kind(minion.kind).unit == unit {
                    *minion = stand_in;
                }
            }
        }
        Some(changed)
    }

    /// This setup with minions of a unit that do not have one of its effects.
    pub(super) fn without_effect(&self, unit: u16, effect: Effect) -> Option<Self> {
        let mut changed = self.clone();
        for kind in changed.kinds.iter_mut().filter(|kind| kind.unit == unit) {
            *kind = kind.without(effect.number);
        }
        Some(changed)
    }

    /// The order that can be forced: who has precedence, or on a map the initiative.
    pub(super) fn forcible(&self) -> Forcible {
        let side = |player: Player| player.side();
        let otherwise = match self.first {
            First::Always(player) => Otherwise::Always(side(player)),
            First::Either => {
                Otherwise::AsDrawn(self.first.players().into_iter().map(side).collect())
            }
        };
        let (name, meaning) = match self.board {
            None => ("precedence", "the side whose group has precedence, so that it attacks first"),
            Some(_) => (
                "initiative",
                "the side that has the initiative, which says who fights first and with precedence",
            ),
        };
        Forcible { name, meaning, sides: 2, otherwise }
    }

    /// This setup with that order forced: this side has precedence, or on a map the initiative.
    pub(super) fn forcing(&self, first: Side) -> Option<Self> {
        let player =
            [Player::Blue, Player::Red].into_iter().find(|player| player.side() == first)?;
        let schedule = match &self.board {
            None => duel(player),
            Some(board) => board.check_for_all_combats(player),
        };
        let mut forced = self.clone();
        forced.schedules.fill(schedule);
        Some(forced)
    }

    /// This setup with open rules read in another way.
    #[must_use]
    pub fn with_open_rules(self, open: OpenRules) -> Self {
        Self { open, ..self }
    }

    /// This setup with what its groups could be made of.
    #[must_use]
    pub(super) fn with_bench(self, bench: Bench) -> Self {
        Self { bench: Some(Arc::new(bench)), ..self }
    }

    /// Single combats between these groups instead, under the same rules and with the same precedence.
    #[must_use]
    pub(super) fn with_companies(&self, companies: Vec<Company>, matchups: &[[usize; 2]]) -> Self {
        let mut setup = Self::of_duels(companies, self.names.clone(), matchups, self.first);
        // Where precedence is forced it is so here.
        setup.schedules.clone_from(&self.schedules);
        setup.bench.clone_from(&self.bench);
        setup.with_open_rules(self.open)
    }

    /// Effects with their numbers: equal ones have the same.
    fn numbered(&mut self, effects: &[Effect]) -> Vec<Effect> {
        let number = |&effect: &Effect| {
            let known = self.effects.iter().position(|known| *known == effect);
            let number = known.unwrap_or_else(|| {
                self.effects.push(effect);
                self.effects.len() - 1
            });
            Effect { number: number as u16, ..effect }
        };
        effects.iter().map(number).collect()
    }

    /// The unit that a minion counts as: the same name is the same unit, whatever its level and spells.
    fn unit(&mut self, profile: &Profile) -> u16 {
        let known = self.units.iter().position(|unit| unit.name == profile.name);
        let unit = known.unwrap_or_else(|| {
            self.units.push(Unit {
                name: profile.name.clone(),
                kind: if profile.recruit { "recruit" } else { "monster" },
                group: profile.house.map_or("none", House::into).to_owned(),
            });
            self.units.len() - 1
        });
        unit as u16
    }

    /// What a minion is.
    #[inline]
    #[must_use]
    pub(super) fn kind(&self, kind: u16) -> &Kind {
        &self.kinds[usize::from(kind)]
    }

    /// The units of the layout: every minion once, by name.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The unit that a minion counts as.
    #[must_use]
    pub fn unit_of(&self, minion: &Minion) -> &Unit {
        &self.units[usize::from(self.kind(minion.kind).unit)]
    }

    /// How open rules are read.
    #[must_use]
    pub fn open_rules(&self) -> OpenRules {
        self.open
    }

    /// All groups, before the first combat.
    #[inline]
    pub(super) fn field(&self, stratum: Stratum) -> State {
        let matchup = &self.matchups[stratum.matchup as usize];
        // Groups are put where they stay: a state has room for many more than mostly fight, and is copied with all of it.
        let mut state = State::new(stratum, ArrayVec::new());
        let groups = matchup.iter().map(|entry| self.companies[entry.company].group);
        state.groups.extend(groups);
        state
    }

    /// Who fights whom in a stratum, in order.
    #[inline]
    #[must_use]
    pub fn schedule(&self, stratum: Stratum) -> &[Fight] {
        &self.schedules[stratum.condition as usize]
    }

    /// The board of a map.
    #[must_use]
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// Whose a group of a stratum is.
    #[inline]
    #[must_use]
    pub fn player(&self, stratum: Stratum, group: usize) -> Player {
        self.matchups[stratum.matchup as usize][group].player
    }

    /// The side of a group of a stratum.
    #[inline]
    #[must_use]
    pub fn side(&self, stratum: Stratum, group: usize) -> Side {
        self.player(stratum, group).side()
    }

    /// The name of a group of a stratum.
    #[must_use]
    pub fn group_name(&self, stratum: Stratum, group: usize) -> &str {
        &self.ready(stratum, group).name
    }

    /// What spells on a group of a stratum do.
    #[inline]
    pub(super) fn group_effects(&self, stratum: Stratum, group: usize) -> &[Effect] {
        &self.ready(stratum, group).effects
    }

    /// How many minions a group of a stratum has at the beginning.
    #[inline]
    pub(super) fn group_size(&self, stratum: Stratum, group: usize) -> usize {
        self.ready(stratum, group).group.present.count_ones() as usize
    }

    fn ready(&self, stratum: Stratum, group: usize) -> &Ready {
        &self.companies[self.matchups[stratum.matchup as usize][group].company]
    }

    /// The names of all groups of a map, in the order of the board.
    pub(super) fn group_names(&self) -> impl Iterator<Item = &str> {
        self.companies.iter().map(|ready| ready.name.as_str())
    }

    pub(super) fn matchup_labels(&self) -> Vec<Matchup> {
        self.labels.clone()
    }

    pub(super) fn condition_labels(&self) -> Vec<Condition> {
        let probability = 1.0 / self.conditions.len() as f64;
        // One factor says it all: a battle without it has the other side first.
        let label = |(at, label): (usize, &String)| Condition {
            label: label.clone(),
            factors: if at == 0 && !self.factors().is_empty() { vec![0] } else { Vec::new() },
            probability,
        };
        self.conditions.iter().enumerate().map(label).collect()
    }

    /// What is drawn, where anything is: that side A is first.
    pub(super) fn factors(&self) -> Vec<String> {
        let drawn = usize::from(self.conditions.len() > 1);
        self.conditions[..drawn].to_vec()
    }

    /// No battle lasts longer than this many combat rounds.
    pub(super) fn longest(&self) -> u32 {
        let combats = self.schedules.iter().map(Vec::len).max().unwrap_or(0).max(1);
        combats as u32 * u32::from(LAST_ROUND)
    }
}
