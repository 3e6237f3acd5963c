//! Counts compared with a baseline: what changed, and which changes count.
//!
//! All comparisons of a report are one family: p-values are adjusted by Holm's method for all of them together, so the
//! family-wise error rate of a report is at most [`Limits::alarm_rate`], however many
//! scenarios, match-ups and units it holds and however they depend on each other. A change that is significant
//! still has to be larger than [`Limits::tolerance`] to count.

use std::collections::{BTreeMap, HashMap};

use super::{Baseline, MatchupCount, UnitCount};
use crate::game::Side;
use crate::statistics::{
    Estimate, Level, Power, Sample, difference, holm, mean, mean_difference, pooled_z, proportion,
    score, score_difference, score_sample, two_sided,
};
use crate::table::{LEVEL, Provenance};
use crate::tally::{OutcomeMeasure, Results};

/// Fewer expected successes or failures than this on either side, and two proportions are not tested
/// (W. G. Cochran: "Some methods for strengthening the common chi-squared tests", 1954).
const LEAST_EXPECTED: f64 = 5.0;
/// Fewer battles than this on either side, and means are not compared.
const LEAST_BATTLES: u64 = 30;

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
    /// The same of a contender, over all its match-ups but those against itself.
    ContenderScore,
    /// The same of a unit's side.
    UnitScore,
    /// The mean of the metric of this name.
    Mean(String),
}

impl Quantity {
    /// Whether it is a probability rather than the mean of a metric.
    #[must_use]
    pub fn is_rate(&self) -> bool {
        !matches!(self, Quantity::Mean(_))
    }
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Which pair it belongs to.
    pub pair: usize,
    /// The match-up, contender or unit.
    pub subject: String,
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
    /// Match-ups, metrics and units that only the baseline has.
    pub gone: Vec<String>,
    /// Match-ups, metrics and units that only the new counts have.
    pub added: Vec<String>,
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
}

impl Comparison {
    /// Compares each pair of (baseline, new).
    #[must_use]
    pub fn new(pairs: &[(Baseline, Baseline)], limits: Limits) -> Self {
        let mut comparison = Self { limits, pairs: Vec::new(), changes: Vec::new() };
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
        comparison
    }

    /// The changes that count, pair by pair, the largest for its tolerance first.
    #[must_use]
    pub fn counting(&self) -> Vec<&Change> {
        let mut counting: Vec<&Change> = self.changes.iter().filter(|c| c.counts).collect();
        // A metric and a win rate are put in one row by the same measure: standard deviations.
        let size = |change: &Change| match change.tolerance > 0.0 {
            true => change.difference.value.abs() / change.tolerance,
            false => change.difference.value.abs(),
        };
        counting.sort_by(|a, b| a.pair.cmp(&b.pair).then(size(b).total_cmp(&size(a))));
        counting
    }

    /// How many changes are significant but within their tolerance.
    #[must_use]
    pub fn tolerated(&self) -> usize {
        let significant = |c: &&Change| c.adjusted <= self.limits.alarm_rate;
        self.changes.iter().filter(significant).filter(|change| !change.counts).count()
    }

    /// The smallest changes of a match-up's scores that this report finds with 80% power, over the match-ups of a
    /// pair, smallest and largest; none where none was compared. The level is that of the first step of Holm's method,
    /// which is the strictest, and a change has to be larger than the tolerance.
    #[must_use]
    pub fn visible(&self, pair: usize) -> Option<[f64; 2]> {
        let level = Level::new(1.0 - self.limits.alarm_rate / self.changes.len().max(1) as f64)?;
        let power = Power::new(level, VISIBLE);
        let of_pair =
            |change: &&Change| change.pair == pair && matches!(change.quantity, Quantity::Score(_));
        let mut visible: Vec<f64> = self
            .changes
            .iter()
            .filter(of_pair)
            .map(|change| {
                // Half the interval's width is the standard error times its z.
                let error = (change.difference.high - change.difference.low) / 2.0 / LEVEL.z();
                power.effect_beyond(error, change.tolerance)
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

/// One pair while it is compared.
struct Pairing {
    at: usize,
    limits: Limits,
    pair: Pair,
    changes: Vec<Change>,
}

impl Pairing {
    fn new(at: usize, baseline: &Baseline, new: &Baseline, limits: Limits) -> Self {
        let pair = Pair {
            baseline: baseline.run.clone(),
            new: new.run.clone(),
            compared: 0,
            too_few: 0,
            gone: Vec::new(),
            added: Vec::new(),
        };
        Self { at, limits, pair, changes: Vec::new() }
    }

    fn compare(&mut self, baseline: &Baseline, new: &Baseline) {
        let label = |count: &MatchupCount| count.contenders.join(" vs ");
        let key = |count: &MatchupCount| count.contenders.clone();
        let matchups = self.matched(&baseline.matchups, &new.matchups, key, label);
        let [old_metrics, new_metrics] =
            [baseline, new].map(|of| of.metrics.iter().enumerate().collect::<Vec<_>>());
        let name = |metric: &(usize, &String)| metric.1.clone();
        let metrics = self.matched(&old_metrics, &new_metrics, name, name);
        for &(old, now) in &matchups {
            self.ends(old, now);
            for &(&(was_at, metric), &(is_at, _)) in &metrics {
                let quantity = Quantity::Mean(metric.clone());
                self.mean(&label(old), quantity, sample(old, was_at), sample(now, is_at));
            }
        }
        self.contenders(&matchups);
        let key = |unit: &UnitCount| (unit.kind.clone(), unit.group.clone(), unit.name.clone());
        let name = |unit: &UnitCount| unit.name.clone();
        for (old, now) in self.matched(&baseline.units, &new.units, key, name) {
            let sides = baseline.sides();
            let results = |unit: &UnitCount| Results {
                won: unit.won,
                shared: unit.shared,
                lost: unit.played - unit.won - unit.shared,
                sides,
            };
            self.score(&now.name, Quantity::UnitScore, results(old), results(now));
        }
        self.pair.compared = self.changes.len();
    }

    /// What both lists have, in the order of the first; what only one has is noted by its label. Of several with
    /// the same key the first belongs to the first.
    fn matched<'a, T, K: Eq + std::hash::Hash>(
        &mut self,
        old: &'a [T],
        new: &'a [T],
        key: impl Fn(&T) -> K,
        label: impl Fn(&T) -> String,
    ) -> Vec<(&'a T, &'a T)> {
        let mut left: HashMap<K, Vec<&T>> = HashMap::new();
        for item in new.iter().rev() {
            left.entry(key(item)).or_default().push(item);
        }
        let mut both = Vec::new();
        for item in old {
            match left.get_mut(&key(item)).and_then(Vec::pop) {
                Some(now) => both.push((item, now)),
                None => self.pair.gone.push(label(item)),
            }
        }
        // What is left of a key are its last.
        let mut added = Vec::new();
        for item in new.iter().rev() {
            if left.get_mut(&key(item)).and_then(Vec::pop).is_some() {
                added.push(label(item));
            }
        }
        self.pair.added.extend(added.into_iter().rev());
        both
    }

    /// How battles of a match-up end: the score of every side but the last, which the others decide, and how often nobody
    /// wins, which they do not.
    fn ends(&mut self, old: &MatchupCount, new: &MatchupCount) {
        let label = old.contenders.join(" vs ");
        for side in 0..old.wins.len() - 1 {
            let of = |count: &MatchupCount| results(count, side);
            self.score(&label, Quantity::Score(Side(side as u8)), of(old), of(new));
        }
        let all = |count: &MatchupCount| {
            let ends = [count.draws, count.undecided];
            count.wins.iter().copied().chain(ends).collect::<Vec<_>>()
        };
        let (old_ends, new_ends) = (all(old), all(new));
        let seen = (0..old_ends.len()).filter(|&end| old_ends[end] + new_ends[end] > 0).count();
        if seen <= 2 {
            return; // The score says it all.
        }
        let rate =
            |end: fn(&MatchupCount) -> u64| ((end(old), old.battles), (end(new), new.battles));
        let (was, is) = rate(|count| count.draws);
        self.rate(&label, Quantity::Draws, was, is);
        let (was, is) = rate(|count| count.undecided);
        self.rate(&label, Quantity::Undecided, was, is);
    }

    /// Each contender that has several match-ups with others, over all of them.
    fn contenders(&mut self, matchups: &[(&MatchupCount, &MatchupCount)]) {
        #[derive(Default)]
        struct Sum {
            matchups: usize,
            old: Option<Results>,
            new: Option<Results>,
        }
        let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
        for (old, new) in matchups {
            if old.contenders.windows(2).all(|pair| pair[0] == pair[1]) {
                continue;
            }
            for (side, contender) in old.contenders.iter().enumerate() {
                let sum = sums.entry(contender).or_default();
                sum.matchups += usize::from(!old.contenders[..side].contains(contender));
                for (to, from) in [(&mut sum.old, old), (&mut sum.new, new)] {
                    let of = results(from, side);
                    *to = Some(to.map_or(of, |sum| sum.with(of)));
                }
            }
        }
        for (contender, sum) in sums.into_iter().filter(|(_, sum)| sum.matchups > 1) {
            if let (Some(old), Some(new)) = (sum.old, sum.new) {
                self.score(contender, Quantity::ContenderScore, old, new);
            }
        }
    }

    /// Compares two scores.
    fn score(&mut self, subject: &str, quantity: Quantity, old: Results, new: Results) {
        let measure = self.limits.measure;
        let (old_measured, new_measured) = (old.measured(measure), new.measured(measure));
        if old_measured.battles().min(new_measured.battles()) == 0 {
            self.pair.too_few += 1;
            return; // Nothing was decided.
        }
        let samples = [old, new].map(|of| score_sample(of, measure));
        let deviation = samples[0].with(samples[1]).deviation();
        if deviation == 0.0 {
            return; // Every battle ends alike: nothing can have changed.
        }
        let most = f64::from(old.sides);
        let share = (samples[0].sum + samples[1].sum) as f64
            / (most * (samples[0].count + samples[1].count) as f64);
        let least = old_measured.battles().min(new_measured.battles());
        if least as f64 * share.min(1.0 - share) < LEAST_EXPECTED {
            self.pair.too_few += 1;
            return;
        }
        let [baseline, now] = [old, new].map(|of| score(of, measure, LEVEL));
        let difference = score_difference(new, old, measure, LEVEL);
        let tolerance = self.limits.tolerance;
        self.add(subject, quantity, samples, [baseline, now, difference], tolerance);
    }

    /// Compares two rates, each given as (successes, trials).
    fn rate(&mut self, subject: &str, quantity: Quantity, old: (u64, u64), new: (u64, u64)) {
        let successes = old.0 + new.0;
        let trials = old.1 + new.1;
        if successes == 0 || successes == trials {
            return; // It never or always happens: nothing can have changed.
        }
        let share = successes as f64 / trials as f64;
        if old.1.min(new.1) as f64 * share.min(1.0 - share) < LEAST_EXPECTED {
            self.pair.too_few += 1;
            return;
        }
        let samples = [old, new].map(|(won, played)| Sample::of_trials(won, played));
        let [baseline, now] = [old, new].map(|(won, played)| proportion(won, played, LEVEL));
        let difference = difference(new, old, LEVEL);
        let tolerance = self.limits.tolerance;
        self.add(subject, quantity, samples, [baseline, now, difference], tolerance);
    }

    /// Compares the means of two samples.
    fn mean(&mut self, subject: &str, quantity: Quantity, old: Sample, new: Sample) {
        let deviation = old.with(new).deviation();
        if deviation == 0.0 {
            return; // All numbers are the same.
        }
        if old.count.min(new.count) < LEAST_BATTLES {
            self.pair.too_few += 1;
            return;
        }
        let [baseline, now] =
            [old, new].map(|sample| mean(sample.count, sample.sum, sample.squares, LEVEL));
        let difference = mean_difference(new, old, LEVEL);
        let tolerance = 2.0 * self.limits.tolerance * deviation;
        self.add(subject, quantity, [old, new], [baseline, now, difference], tolerance);
    }

    fn add(
        &mut self,
        subject: &str,
        quantity: Quantity,
        [old, new]: [Sample; 2],
        [baseline, now, difference]: [Estimate; 3],
        tolerance: f64,
    ) {
        self.changes.push(Change {
            pair: self.at,
            subject: subject.to_owned(),
            quantity,
            baseline,
            new: now,
            difference,
            tolerance,
            p_value: two_sided(pooled_z(new, old)),
            adjusted: f64::NAN,
            counts: false,
        });
    }
}

fn results(count: &MatchupCount, side: usize) -> Results {
    let (won, shared) = (count.wins[side], count.draws + count.undecided);
    let lost = count.battles - won - shared;
    Results { won, shared, lost, sides: count.wins.len() as u32 }
}

fn sample(count: &MatchupCount, metric: usize) -> Sample {
    Sample {
        count: count.battles - count.unfought,
        sum: count.sums[metric],
        squares: count.squares[metric],
    }
}
