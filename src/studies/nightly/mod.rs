//! Balance regression tests: the counts of a run, kept as a baseline for later runs.
//!
//! A [`Baseline`] holds whole numbers and where they come from. It is written to a small JSON file that a project
//! commits; [`Comparison`] tests later counts for changes and says which changes count. A baseline may also hold some
//! battles one by one ([`PairedBattles`]), which are played again with the same dice, and what the scenario's files
//! said ([`Settings`]). Changes that belong together form one [`Alarm`].

mod forge;
mod markdown;
mod page;
mod report;

pub use forge::{github, junit};
pub use markdown::comparison_markdown as markdown;
pub use page::{Compared, comparison as page};
pub use report::{About, CHANGES, report, table};

mod alarms;
mod comparison;
mod coverage;
mod file;
mod history;
mod paired;
mod settings;
pub mod trend;

pub use alarms::{Alarm, Leader};
pub use comparison::{Change, Comparison, Limits, Pair, Quantity, Who};
pub use coverage::{CardChange, CardFate, Coverage};
pub use file::{FORMAT, file_name};
pub use history::{HISTORY, Night, history};
pub use paired::{BattleResult, PAIRED, PairedBattles, TookPart};
pub use settings::{FileChange, Settings};

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::table::Provenance;
use crate::tally::{self, Count, Layout, Tally};

/// Scenarios that have a committed baseline, and how many battles each baseline holds: scenarios of every game, in
/// all about half a minute on two cores. Every match-up gets 15,000 battles or more.
pub const BUNDLED: &[(&str, u64)] = &[
    ("splinterlands/drawn-teams", 1_000_000),
    ("splinterlands/archetypes", 500_000),
    ("solforge/factions", 240_000),
    ("solforge/zimus-and-fell-walker", 500_000),
    ("sanctum/mixed-groups", 500_000),
    ("sanctum/surrounded", 400_000),
    ("eldertale/classes", 2_160_000),
    ("eldertale/three-way", 300_000),
];

/// The counts of a run with which later runs are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    /// Where the counts come from.
    pub run: Provenance,
    /// The names of the metrics.
    pub metrics: Vec<String>,
    /// The counts of each match-up, in the order of the scenario.
    pub matchups: Vec<MatchupCount>,
    /// The counts of each unit that took part, where teams are drawn; otherwise empty.
    pub units: Vec<UnitCount>,
    /// Battles that are played again with the same dice; None in files of older versions.
    pub paired: Option<PairedBattles>,
    /// What the scenario's files said; None in files of older versions.
    pub settings: Option<Settings>,
    /// What is known only of counts that were just played, because no file holds it; None for a baseline read from a
    /// file.
    pub just_played: Option<JustPlayed>,
}

/// Facts about a scenario whose battles were just played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JustPlayed {
    /// Metrics that are never below 0.
    pub never_negative: BTreeSet<String>,
    /// All units that can take part.
    pub units: BTreeSet<Unit>,
}

impl JustPlayed {
    fn of(layout: &Layout) -> Self {
        let metrics = layout.metrics.iter().zip(&layout.are_counts);
        let never_negative = metrics.filter(|(_, is_count)| **is_count);
        Self {
            never_negative: never_negative.map(|(name, _)| name.clone()).collect(),
            units: layout.units.iter().map(Unit::of).collect(),
        }
    }
}

/// The counts of one match-up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "the counts of a match-up, in braces")]
pub struct MatchupCount {
    /// The name of the contender on each side, side A first.
    pub contenders: Vec<String>,
    /// The number of battles.
    pub battles: u64,
    /// The number of battles that each side won.
    pub wins: Vec<u64>,
    /// The number of draws.
    pub draws: u64,
    /// The number of battles that ended with nothing decided.
    pub undecided: u64,
    /// The number of battles that somebody forfeited before they began; sums and squares are of the other battles.
    pub unfought: u64,
    /// The sum of each metric.
    pub sums: Vec<i128>,
    /// The sum of the squares of each metric.
    pub squares: Vec<i128>,
    /// How many of the fought battles lasted 0, 1, 2, ... rounds, up to the longest; empty in files of older
    /// versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lengths: Vec<u64>,
}

/// What identifies a unit among all others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// Its kind, as the game calls it.
    pub kind: String,
    /// The group that it belongs to.
    pub group: String,
}

impl Unit {
    fn of(unit: &tally::Unit) -> Self {
        Self { name: unit.name.clone(), kind: unit.kind.to_owned(), group: unit.group.clone() }
    }
}

/// How many battles had one order of events at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "the count of an order, in braces")]
pub struct OrderCount {
    /// The name of the moment.
    pub moment: String,
    /// The order: what happened, first to last.
    pub order: String,
    /// The number of battles in which the order came up.
    pub battles: u64,
}

/// The counts of one unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "the counts of a unit, in braces")]
pub struct UnitCount {
    /// Its name.
    pub name: String,
    /// Its kind, as the game calls it.
    pub kind: String,
    /// The group that it belongs to.
    pub group: String,
    /// How often the unit took part.
    pub played: u64,
    /// How often the unit's side won.
    pub won: u64,
    /// How often nobody won.
    pub shared: u64,
}

impl Baseline {
    /// The counts of a run, summed over all conditions that were drawn.
    #[must_use]
    pub fn new(run: Provenance, layout: &Layout, tally: &Tally) -> Self {
        let matchups = layout.matchups.iter().enumerate().map(|(at, matchup)| {
            let Count { battles, wins, draws, undecided, unfought, sums, squares, .. } =
                tally.matchups[at].clone();
            let contenders = matchup.contenders.clone();
            let mut lengths = tally.matchups[at].lengths.clone();
            let longest = lengths.iter().rposition(|&battles| battles > 0);
            lengths.truncate(longest.map_or(0, |longest| longest + 1));
            MatchupCount {
                contenders,
                battles,
                wins,
                draws,
                undecided,
                unfought,
                sums,
                squares,
                lengths,
            }
        });
        let units = layout.units.iter().enumerate().map(|(at, unit)| {
            let count = tally.unit_of_all(layout, at);
            UnitCount {
                name: unit.name.clone(),
                kind: unit.kind.to_owned(),
                group: unit.group.clone(),
                played: count.played,
                won: count.won,
                shared: count.shared,
            }
        });
        let units = units.filter(|unit| layout.units_are_drawn && unit.played > 0);
        Self {
            run,
            metrics: layout.metrics.clone(),
            matchups: matchups.collect(),
            units: units.collect(),
            paired: None,
            settings: None,
            just_played: Some(JustPlayed::of(layout)),
        }
    }

    /// Whether a metric is known never to be below 0.
    pub(super) fn is_never_negative(&self, metric: &str) -> bool {
        self.just_played.as_ref().is_some_and(|of| of.never_negative.contains(metric))
    }

    /// Whether a unit is known not to be able to take part.
    pub(super) fn has_no(&self, unit: &Unit) -> bool {
        self.just_played.as_ref().is_some_and(|of| !of.units.contains(unit))
    }

    /// The number of sides.
    #[must_use]
    pub fn sides(&self) -> u32 {
        self.matchups.first().map_or(2, |count| count.wins.len() as u32)
    }

    /// Whether any match-up is in both baselines, so that there is something to compare.
    #[must_use]
    pub fn shares_a_matchup(&self, other: &Self) -> bool {
        let known = |count: &MatchupCount| {
            other.matchups.iter().any(|theirs| theirs.contenders == count.contenders)
        };
        self.matchups.iter().any(known)
    }
}

#[cfg(test)]
mod tests;
