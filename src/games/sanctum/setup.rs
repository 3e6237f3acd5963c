//! Setups: everything that stays the same from battle to battle.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::effect::{Effect, Verb};
use super::line_ups::Bench;
use super::nation::House;
use super::open_rules::OpenRules;
use super::profile::Kind;
pub use super::profile::{LAST_ROUND, Profile};
use super::rules::check_for_all_combats::{Board, Fight};
use super::state::{GROUP, GROUP_EFFECTS, GROUPS, Group, Kept, Minion, Player, State};
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
    /// The effects of the spells on the group as a whole.
    pub effects: Vec<Effect>,
}

/// A group in the form in which battles use it.
#[derive(Clone, Debug)]
struct Ready {
    name: String,
    effects: Vec<Effect>,
    group: Group,
}

/// One group of a match-up.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Index into the setup's groups.
    company: usize,
    /// Its owner.
    player: Player,
}

/// Everything that stays the same from battle to battle. Every value of this type can be played.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The names of minions and spells that effects come from.
    pub(super) names: Vec<String>,
    /// The different kinds of minions.
    kinds: Vec<Kind>,
    /// The units of the layout: one for each minion's name.
    units: Vec<Unit>,
    /// Every different effect of minions and groups, indexed by its number.
    pub(super) effects: Vec<Effect>,
    /// All groups.
    companies: Vec<Ready>,
    /// The groups of each match-up.
    matchups: Vec<Vec<Entry>>,
    /// The names of the contenders of each match-up.
    labels: Vec<Matchup>,
    /// Who has precedence (on a map the initiative) unless it is forced.
    first: First,
    /// By condition: the fights of the phase, in order.
    schedules: Vec<Vec<Fight>>,
    /// The names of the conditions.
    conditions: Vec<String>,
    /// The board, where a whole map is played.
    board: Option<Board>,
    /// The number of sides.
    pub(super) sides: usize,
    /// How the scenario reads open rules.
    pub(super) open: OpenRules,
    /// The minions and groups that line-ups can be made of, where a scenario file gave them.
    pub(super) bench: Option<Arc<Bench>>,
}

/// Who has precedence (on a map the initiative).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Always this player's groups.
    Always(Player),
    /// Blue's or red's groups, equally likely.
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

/// The schedule of a duel in which this player's group has precedence: one combat.
fn duel(player: Player) -> Vec<Fight> {
    let (high, low) = if player == Player::Blue { (0, 1) } else { (1, 0) };
    vec![Fight { high, low, from: None }]
}

/// The message where a match-up is too large.
const TOO_MANY: &str = "a map has at most 16 groups, and a group at most 8 minions";

/// The message where a group has too many spells on it as a whole.
const TOO_MANY_EFFECTS: &str = "a group as a whole has at most 16 effects";

impl Setup {
    /// Single combats: each match-up is one group of side A against one of side B, as indices into `companies`.
    ///
    /// # Panics
    /// When a group has more than 8 minions, or none, or more than 16 effects as a whole.
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

    /// A combat phase on a map. `companies` are the groups of the board, in the board's order.
    ///
    /// # Panics
    /// When there are more than 16 groups, or one of them has more than 8 minions, or none, or more than 16 effects as a
    /// whole.
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

    /// Adds these groups; equal minions share a kind, and minions of the same name a unit.
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
            let group = Group { minions, present, away: 0, withdrawn: false, dispelled: 0 };
            assert!(company.effects.len() <= GROUP_EFFECTS, "{TOO_MANY_EFFECTS}");
            let effects = self.numbered(&company.effects);
            self.companies.push(Ready { name: company.name, effects, group });
        }
        self
    }

    /// The different effects of the minions that count as this unit.
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

    /// This setup with every minion of a unit replaced by the first minion of another unit. None where no group
    /// has a minion of the other unit.
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

    /// This setup with one effect removed from all minions of a unit.
    pub(super) fn without_effect(&self, unit: u16, effect: Effect) -> Option<Self> {
        let mut changed = self.clone();
        for kind in changed.kinds.iter_mut().filter(|kind| kind.unit == unit) {
            *kind = kind.without(effect.number);
        }
        Some(changed)
    }

    /// The order that a study can force: which side has precedence, or on a map the initiative.
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

    /// This setup with precedence (on a map the initiative) forced to this side. None for the neutral side.
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

    /// This setup with the open rules read in this way.
    #[must_use]
    pub fn with_open_rules(self, open: OpenRules) -> Self {
        Self { open, ..self }
    }

    /// This setup with the minions and groups that line-ups can be made of.
    #[must_use]
    pub(super) fn with_bench(self, bench: Bench) -> Self {
        Self { bench: Some(Arc::new(bench)), ..self }
    }

    /// Single combats between these groups, under the rules and with the precedence of this setup.
    #[must_use]
    pub(super) fn with_companies(&self, companies: Vec<Company>, matchups: &[[usize; 2]]) -> Self {
        let mut setup = Self::of_duels(companies, self.names.clone(), matchups, self.first);
        // Precedence that is forced here stays forced.
        setup.schedules.clone_from(&self.schedules);
        setup.bench.clone_from(&self.bench);
        setup.with_open_rules(self.open)
    }

    /// These effects with their numbers in the setup; equal effects have the same number.
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

    /// Index of the unit that a minion counts as: minions of the same name are one unit, whatever their levels and
    /// spells.
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

    /// The kind with this index.
    #[inline]
    #[must_use]
    pub(super) fn kind(&self, kind: u16) -> &Kind {
        &self.kinds[usize::from(kind)]
    }

    /// Whether any group has a minion or a spell of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        // A minion's name is followed by those of the spells on it.
        let of_units = self.units.iter().flat_map(|unit| unit.name.split(" + "));
        let groups = self.bench.iter().flat_map(|bench| &bench.groups);
        let on_all = groups.flat_map(|group| &group.spells).map(|spell| spell.name.as_str());
        let source = |effect: &Effect| self.names[usize::from(effect.source)].as_str();
        of_units.chain(on_all).chain(self.effects.iter().map(source)).any(|of| of == name)
    }

    /// The units of the layout: one for each minion's name.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The unit that a minion counts as.
    #[must_use]
    pub fn unit_of(&self, minion: &Minion) -> &Unit {
        &self.units[usize::from(self.kind(minion.kind).unit)]
    }

    /// How the scenario reads open rules.
    #[must_use]
    pub fn open_rules(&self) -> OpenRules {
        self.open
    }

    /// The state of a phase before its first combat: all groups of the stratum's match-up.
    #[inline]
    pub(super) fn field(&self, stratum: Stratum) -> State {
        let matchup = &self.matchups[stratum.matchup as usize];
        // Groups are written in place: a state has room for many more than usually fight, and would be copied
        // whole.
        let mut state = State::new(stratum, ArrayVec::new());
        let groups = matchup.iter().map(|entry| self.companies[entry.company].group);
        state.groups.extend(groups);
        state
    }

    /// The fights of a stratum, in order.
    #[inline]
    #[must_use]
    pub fn schedule(&self, stratum: Stratum) -> &[Fight] {
        &self.schedules[stratum.condition as usize]
    }

    /// The board, where a map is played.
    #[must_use]
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The owner of a group of a stratum.
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

    /// The effects of the spells on a group of a stratum as a whole.
    #[inline]
    pub(super) fn group_effects(&self, stratum: Stratum, group: usize) -> &[Effect] {
        &self.ready(stratum, group).effects
    }

    /// The spell that keeps every group of a stratum out of combat, if one of them has such a spell.
    #[inline]
    pub(super) fn peace(&self, stratum: Stratum) -> Option<&Effect> {
        let matchup = &self.matchups[stratum.matchup as usize];
        let effects = matchup.iter().flat_map(|entry| &self.companies[entry.company].effects);
        effects.into_iter().find(|effect| effect.does == Verb::KeepPeace)
    }

    /// The number of minions that a group of a stratum has at the beginning.
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
        // One factor is enough: without it the other side is first.
        let label = |(at, label): (usize, &String)| Condition {
            label: label.clone(),
            factors: if at == 0 && !self.factors().is_empty() { vec![0] } else { Vec::new() },
            probability,
        };
        self.conditions.iter().enumerate().map(label).collect()
    }

    /// The layout's factors: that side A is first, where this is drawn; none otherwise.
    pub(super) fn factors(&self) -> Vec<String> {
        let drawn = usize::from(self.conditions.len() > 1);
        self.conditions[..drawn].to_vec()
    }

    /// The maximum number of combat rounds in a battle.
    pub(super) fn longest(&self) -> u32 {
        let combats = self.schedules.iter().map(Vec::len).max().unwrap_or(0).max(1);
        combats as u32 * u32::from(LAST_ROUND)
    }
}
