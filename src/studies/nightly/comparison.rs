//! Counts compared with a baseline: what changed, and which changes count.
//!
//! All comparisons of a report are one family: p-values are adjusted by Holm's method for all of them together, so the
//! family-wise error rate of a report is at most [`Limits::alarm_rate`], however many
//! scenarios, match-ups and units it holds and however they depend on each other. A change that is significant
//! still has to be larger than [`Limits::tolerance`] to count.
//!
//! Battles that were played in both with the same dice, and battles that were not, are independent of each other: both
//! say how a score has changed, and are put together by their precision.

mod both;
mod pairing;

pub(super) use both::Both;
use pairing::Pairing;
pub(super) use pairing::results;

use super::alarms::{Alarm, alarms};
use super::{Baseline, FileChange, Settings, Unit};
use crate::game::Side;
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, Power, holm};
use crate::table::Provenance;
use crate::tally::{Forfeits, OutcomeMeasure};

/// How often a report shall find what it is said to be able to see.
const VISIBLE: f64 = 0.8;

/// What a change has to be in order to count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// How far a score may move, as a probability. A metric may move by the same part of its standard deviation
    /// as a score of one half by this: twice the tolerance, since its standard deviation is one half.
    pub tolerance: f64,
    /// The family-wise error rate: at most the chance that a report raises any alarm although nothing changed.
    pub alarm_rate: f64,
    /// What is compared of how battles end: scores, wins or decided wins.
    pub measure: OutcomeMeasure,
}

impl Default for Limits {
    fn default() -> Self {
        Self { tolerance: 0.005, alarm_rate: 0.01, measure: OutcomeMeasure::Score }
    }
}

/// What is compared of a match-up, contender or unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The score of the side, or what else [`Limits::measure`] asks for.
    Score(Side),
    /// How often battles are drawn.
    Draws,
    /// How often battles end with nothing decided.
    Undecided,
    /// The score of a contender, over all its match-ups but those against itself, or what else [`Limits::measure`] asks for.
    ContenderScore,
    /// The score of a unit's side, or what else [`Limits::measure`] asks for.
    UnitScore,
    /// The mean of the metric of this name.
    Mean(String),
    /// The mean number of rounds.
    Length,
    /// In how many battles things happened in an order.
    Order,
}

/// Whose figure it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A match-up, as an index into the baseline's.
    Matchup(usize),
    /// A contender.
    Contender(String),
    /// A unit.
    Unit(Unit),
    /// All battles of the scenario.
    All,
}

impl Quantity {
    /// Whether it is a probability rather than the mean of a metric.
    #[must_use]
    pub fn is_rate(&self) -> bool {
        !matches!(self, Quantity::Mean(_) | Quantity::Length)
    }
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Which pair it belongs to.
    pub pair: usize,
    /// The match-up, contender, unit or order.
    pub subject: String,
    /// Whose figure it is, which `subject` has in words.
    pub who: Who,
    /// What of it.
    pub quantity: Quantity,
    /// What it was.
    pub baseline: Estimate,
    /// What it is now.
    pub new: Estimate,
    /// How much more it is now.
    pub difference: Estimate,
    /// What it may move by without counting, in its own unit.
    pub tolerance: f64,
    /// The two-sided p-value of this comparison alone.
    pub p_value: f64,
    /// The p-value adjusted for all comparisons of the report.
    pub adjusted: f64,
    /// Whether it is significant and larger than its tolerance.
    pub counts: bool,
    /// How many appearances in battles that were played in both with the same dice are part of it; 0 where none are.
    pub paired: u64,
    /// The standard error of the difference without those.
    pub unpaired_error: f64,
}

impl Change {
    /// How large it is for its tolerance, which puts metrics and scores in one row: both in standard deviations.
    #[must_use]
    pub fn size(&self) -> f64 {
        match self.tolerance > 0.0 {
            true => self.difference.value.abs() / self.tolerance,
            false => self.difference.value.abs(),
        }
    }
}

/// Battles that a night played again with the same dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedAgain {
    /// How many.
    pub battles: u64,
    /// How many of them ended otherwise than before.
    pub ended_otherwise: u64,
    /// How many ended otherwise, lasted longer or shorter, or have other metrics, as far as a digest tells.
    pub otherwise: u64,
    /// Whether the same teams fought; otherwise units are compared by other battles alone.
    pub same_teams: bool,
}

/// A baseline and the counts compared with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Where the baseline comes from.
    pub baseline: Provenance,
    /// Where the new counts come from.
    pub new: Provenance,
    /// How many comparisons were made.
    pub compared: usize,
    /// How many were not made because there were too few battles to say anything.
    pub too_few: usize,
    /// How many of the new battles were forfeited; by whom is in no baseline.
    pub forfeits: Forfeits,
    /// Match-ups, metrics and units that only the baseline has.
    pub gone: Vec<String>,
    /// Match-ups, metrics and units that only the new counts have.
    pub added: Vec<String>,
    /// Units that took part in the battles of the baseline alone, and in the new ones alone, as far as both may have them: chance may
    /// have left them out.
    pub only_drawn: [Vec<String>; 2],
    /// What was played again with the same dice; none where the baseline holds no such battles, or those of other match-ups.
    pub again: Option<PlayedAgain>,
    /// Whether both hold battles one by one, but of other match-ups or with other dice, so that none is compared with itself.
    pub unmatched: bool,
    /// What the scenario's files say otherwise, as far as the baseline knows what they said.
    pub files: Vec<FileChange>,
    /// Whether the baseline knows what the files said.
    pub baseline_knows_files: bool,
}

impl Pair {
    /// Whether the scenario, or a file that it reads, is another than it was.
    #[must_use]
    pub fn scenario_changed(&self) -> bool {
        self.baseline.fingerprint != self.new.fingerprint
    }

    /// Whether both were played with the same random numbers, so that they are not independent.
    #[must_use]
    pub fn same_dice(&self) -> bool {
        self.baseline.seed == self.new.seed
    }
}

/// Everything that was compared in one report.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What a change has to be in order to count.
    pub limits: Limits,
    /// What was compared with what.
    pub pairs: Vec<Pair>,
    /// All comparisons, pair by pair.
    pub changes: Vec<Change>,
    /// What counts, put together by what goes with what, the one that is shown largest for its tolerance first.
    pub alarms: Vec<Alarm>,
}

impl Comparison {
    /// Compares each pair of (baseline, new).
    #[must_use]
    pub fn new(pairs: &[(Baseline, Baseline)], limits: Limits) -> Self {
        let mut comparison =
            Self { limits, pairs: Vec::new(), changes: Vec::new(), alarms: Vec::new() };
        for (at, (baseline, new)) in pairs.iter().enumerate() {
            let mut pairing = Pairing::new(at, baseline, new, limits);
            pairing.compare(baseline, new);
            comparison.changes.append(&mut pairing.changes);
            comparison.pairs.push(pairing.pair);
        }
        let p_values: Vec<f64> = comparison.changes.iter().map(|change| change.p_value).collect();
        for (change, adjusted) in comparison.changes.iter_mut().zip(holm(&p_values)) {
            change.adjusted = adjusted;
            change.counts =
                adjusted <= limits.alarm_rate && change.difference.value.abs() > change.tolerance;
        }
        for (at, (baseline, new)) in pairs.iter().enumerate() {
            let mut found = alarms(at, baseline, new, &comparison);
            comparison.alarms.append(&mut found);
        }
        let changes = &comparison.changes;
        comparison
            .alarms
            .put_in_order_by(|a, b| changes[b.shown].size().total_cmp(&changes[a.shown].size()));
        comparison
    }

    /// The changes that count, pair by pair, the largest for its tolerance first.
    #[must_use]
    pub fn counting(&self) -> Vec<&Change> {
        let mut counting: Vec<&Change> = self.changes.iter().filter(|c| c.counts).collect();
        counting.put_in_order_by(|a, b| a.pair.cmp(&b.pair).then(b.size().total_cmp(&a.size())));
        counting
    }

    /// How many changes are significant but within their tolerance.
    #[must_use]
    pub fn tolerated(&self) -> usize {
        let significant = |c: &&Change| c.adjusted <= self.limits.alarm_rate;
        self.changes.iter().filter(significant).filter(|change| !change.counts).count()
    }

    /// The smallest changes of such scores that this report finds with 80% power, over those of a pair, smallest and largest; none
    /// where none was compared. The level is that of the first step of Holm's method,
    /// which is the strictest, and a change has to be larger than the tolerance.
    #[must_use]
    pub fn visible(&self, pair: usize, is_such: impl Fn(&Quantity) -> bool) -> Option<[f64; 2]> {
        let level = Level::new(1.0 - self.limits.alarm_rate / self.changes.len().max(1) as f64)?;
        let power = Power::new(level, VISIBLE);
        let of_pair = |change: &&Change| change.pair == pair && is_such(&change.quantity);
        let mut visible: Vec<f64> = self
            .changes
            .iter()
            .filter(of_pair)
            .map(|change| power.effect_beyond(change.unpaired_error, change.tolerance))
            .collect();
        visible.sort_by(f64::total_cmp);
        Some([*visible.first()?, *visible.last()?])
    }

    /// How many p-values are below `level` before adjustment; of `n` comparisons chance alone gives about `level * n`.
    #[must_use]
    pub fn below(&self, level: f64) -> usize {
        self.changes.iter().filter(|change| change.p_value < level).count()
    }
}

/// What the files of a new run say otherwise than those of its baseline, as far as both are known.
fn file_changes(baseline: &Baseline, new: &Baseline) -> Vec<FileChange> {
    let both: Option<(&Settings, &Settings)> =
        baseline.settings.as_ref().zip(new.settings.as_ref());
    both.map_or_else(Vec::new, |(earlier, later)| later.changes_since(earlier))
}
