//! Counts compared with a baseline: what changed, and which changes count.
//!
//! All comparisons of a report are one family: p-values are adjusted by Holm's method for all of them together, so the
//! family-wise error rate of a report is at most [`Limits::alarm_rate`], however many
//! scenarios, match-ups and units it holds and however they depend on each other. A change that is significant
//! still has to be larger than [`Limits::tolerance`] to count.
//!
//! Battles that were played in both with the same dice are independent of those that were not. Both kinds estimate
//! how a score has changed, and the two estimates are combined by their precision.

mod both;
mod pairing;

pub(super) use both::Both;
use pairing::Pairing;
pub(super) use pairing::results;

use super::alarms::{Alarm, alarms};
use super::{Baseline, Coverage, FileChange, Settings, Unit};
use crate::game::Side;
use crate::sorting::Sorting;
use crate::statistics::{Estimate, Level, Power, holm, largest_change};
use crate::table::Provenance;
use crate::tally::{Forfeits, OutcomeMeasure};

/// The power with which a report finds the changes that it calls visible.
const VISIBLE: f64 = 0.8;

/// The thresholds that a change has to pass in order to count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// How far a score may move, as a probability. A metric may move by the same fraction of its standard deviation
    /// as this is of a score's at one half: twice the tolerance, because that standard deviation is one half.
    pub tolerance: f64,
    /// The family-wise error rate: at most the chance that a report raises any alarm although nothing changed.
    pub alarm_rate: f64,
    /// The measure by which battles are compared: score, wins or decided.
    pub measure: OutcomeMeasure,
}

impl Default for Limits {
    fn default() -> Self {
        Self { tolerance: 0.005, alarm_rate: 0.01, measure: OutcomeMeasure::Score }
    }
}

/// The figure that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A side's score, or the other measure that [`Limits::measure`] asks for.
    Score(Side),
    /// The share of battles that are drawn.
    Draws,
    /// The share of battles that end with nothing decided.
    Undecided,
    /// A contender's score over all its match-ups except those against itself, or the other measure that
    /// [`Limits::measure`] asks for.
    ContenderScore,
    /// The score of a unit's side, or the other measure that [`Limits::measure`] asks for.
    UnitScore,
    /// The mean of the metric of this name.
    Mean(String),
    /// The mean number of rounds.
    Length,
    /// The share of battles in which one order of events came up.
    Order,
}

/// The subject whose figure is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// A match-up, as an index into the baseline's match-ups.
    Matchup(usize),
    /// A contender.
    Contender(String),
    /// A unit.
    Unit(Unit),
    /// All battles of the scenario.
    All,
}

impl Quantity {
    /// Whether the figure is a probability, rather than the mean of a metric or of the length.
    #[must_use]
    pub fn is_rate(&self) -> bool {
        !matches!(self, Quantity::Mean(_) | Quantity::Length)
    }
}

/// One figure compared between a baseline and new counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The pair of baseline and new counts, as an index into `Comparison::pairs`.
    pub pair: usize,
    /// The name of the match-up, contender, unit or order.
    pub subject: String,
    /// The subject that `subject` names in words.
    pub who: Who,
    /// The figure of the subject that is compared.
    pub quantity: Quantity,
    /// The value in the baseline.
    pub baseline: Estimate,
    /// The value in the new counts.
    pub new: Estimate,
    /// The new value less the baseline's.
    pub difference: Estimate,
    /// How far the value may move without counting, in the figure's own unit.
    pub tolerance: f64,
    /// The two-sided p-value of this comparison alone.
    pub p_value: f64,
    /// The p-value adjusted for all comparisons of the report.
    pub adjusted: f64,
    /// Whether it is significant and larger than its tolerance.
    pub counts: bool,
    /// How many appearances in battles that were played in both with the same dice contribute; 0 if none do.
    pub paired: u64,
    /// The standard error of the difference without those battles.
    pub unpaired_error: f64,
}

impl Change {
    /// The size of the change in units of its tolerance, which makes metrics and scores comparable: tolerances of both
    /// are the same fraction of a standard deviation. Where the tolerance is 0, the difference itself.
    #[must_use]
    pub fn size(&self) -> f64 {
        match self.tolerance > 0.0 {
            true => self.difference.value.abs() / self.tolerance,
            false => self.difference.value.abs(),
        }
    }
}

/// A summary of the battles of a baseline that were played again with the same dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedAgain {
    /// The number of battles.
    pub battles: u64,
    /// How many of them ended with another outcome than before.
    pub ended_otherwise: u64,
    /// How many of them ended with another outcome, lasted longer or shorter, or have other metrics, as far as a
    /// digest tells.
    pub otherwise: u64,
    /// Whether the same teams fought; otherwise units are compared by other battles only.
    pub same_teams: bool,
}

/// A baseline and the counts compared with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Where the baseline comes from.
    pub baseline: Provenance,
    /// Where the new counts come from.
    pub new: Provenance,
    /// The number of comparisons made.
    pub compared: usize,
    /// The number of comparisons left out because there were too few battles.
    pub too_few: usize,
    /// The forfeits among the new battles; baselines do not say who forfeited.
    pub forfeits: Forfeits,
    /// Whether different contenders meet, over all of which the score of a unit is.
    pub has_several_contenders: bool,
    /// Match-ups, metrics and units that only the baseline has.
    pub gone: Vec<String>,
    /// Match-ups, metrics and units that only the new counts have.
    pub added: Vec<String>,
    /// Units that took part only in the battles of the baseline, and units that took part only in the new battles,
    /// though both runs may have them: chance may have left them out.
    pub only_drawn: [Vec<String>; 2],
    /// The battles played again with the same dice; None where the baseline holds no such battles, or battles of
    /// other match-ups.
    pub again: Option<PlayedAgain>,
    /// Whether both hold battles one by one, but of other match-ups or with other dice, so that none can be compared
    /// with itself.
    pub unmatched: bool,
    /// The changes of the scenario's files, as far as the baseline knows what they said.
    pub files: Vec<FileChange>,
    /// Whether the baseline knows what the scenario's files said.
    pub baseline_knows_files: bool,
    /// Whether two files are compared, so that the scenario has other cards on purpose.
    pub is_of_files: bool,
}

impl Pair {
    /// Whether the scenario, or a file that it reads, has changed since the baseline was written.
    #[must_use]
    pub fn scenario_changed(&self) -> bool {
        !self.is_of_files && self.baseline.fingerprint != self.new.fingerprint
    }

    /// Whether both were played with the same seed, so that their random numbers are not independent.
    #[must_use]
    pub fn same_dice(&self) -> bool {
        self.baseline.seed == self.new.seed
    }
}

/// Everything that was compared in one report.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The thresholds that a change has to pass in order to count.
    pub limits: Limits,
    /// The baselines and the new counts compared with them.
    pub pairs: Vec<Pair>,
    /// All comparisons, pair by pair.
    pub changes: Vec<Change>,
    /// The changes that count, grouped by what goes together. The alarm whose shown change is largest for its
    /// tolerance comes first.
    pub alarms: Vec<Alarm>,
    /// What the battles cover, where two card files are compared.
    pub coverage: Option<Coverage>,
}

impl Comparison {
    /// Compares each pair of (baseline, new).
    #[must_use]
    pub fn new(pairs: &[(Baseline, Baseline)], limits: Limits) -> Self {
        let mut comparison = Self {
            limits,
            pairs: Vec::new(),
            changes: Vec::new(),
            alarms: Vec::new(),
            coverage: None,
        };
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

    /// Whether nothing counts, and no card changed only where no battle has it.
    #[must_use]
    pub fn is_all_clear(&self) -> bool {
        let covers_all = |coverage: &Coverage| coverage.unplayed().is_empty();
        self.alarms.is_empty() && self.coverage.as_ref().is_none_or(covers_all)
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

    /// The range, from smallest to largest, of the smallest changes that this report finds with 80% power, over the
    /// figures of a pair for which `is_such` holds; None where none was compared. The level is that of the first step
    /// of Holm's method, the strictest one, and a change has to be larger than the tolerance; infinite where none that is
    /// possible is large enough.
    #[must_use]
    pub fn visible(&self, pair: usize, is_such: impl Fn(&Quantity) -> bool) -> Option<[f64; 2]> {
        let level = Level::new(1.0 - self.limits.alarm_rate / self.changes.len().max(1) as f64)?;
        let power = Power::new(level, VISIBLE);
        let of_pair = |change: &&Change| change.pair == pair && is_such(&change.quantity);
        let mut visible: Vec<f64> = self
            .changes
            .iter()
            .filter(of_pair)
            .map(|change| {
                let found = power.effect_beyond(change.unpaired_error, change.tolerance);
                let (score, is_rate) = (change.baseline.value, change.quantity.is_rate());
                let most = if is_rate { largest_change(score) } else { f64::INFINITY };
                if found < most { found } else { f64::INFINITY }
            })
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

/// How the files of a new run differ from those of its baseline; empty where either is unknown.
fn file_changes(baseline: &Baseline, new: &Baseline) -> Vec<FileChange> {
    let both: Option<(&Settings, &Settings)> =
        baseline.settings.as_ref().zip(new.settings.as_ref());
    both.map_or_else(Vec::new, |(earlier, later)| later.changes_since(earlier))
}
