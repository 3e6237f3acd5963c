//! One baseline and new counts, while they are compared.

use std::collections::{BTreeMap, HashMap};

use super::{Both, Change, Limits, Pair, Quantity, Who, file_changes};
use crate::game::Side;
use crate::statistics::{
    Estimate, Levels, PairedSums, Sample, difference, mean, mean_difference, pooled_z, proportion,
    same_score, score, score_difference, score_sample, two_sided,
};
use crate::studies::nightly::{Baseline, MatchupCount, OrderCount, Unit, UnitCount};
use crate::table::LEVEL;
use crate::tally::{Forfeits, Results};

/// Two proportions are not tested with fewer expected successes or failures than this on either side (W. G. Cochran:
/// "Some methods for strengthening the common chi-squared tests", 1954).
const LEAST_EXPECTED: f64 = 5.0;
/// Means are not compared with fewer battles than this on either side.
const LEAST_BATTLES: u64 = 30;

/// The comparison of one pair, in progress.
pub(super) struct Pairing<'a> {
    at: usize,
    limits: Limits,
    both: Option<Both<'a>>,
    pub(super) pair: Pair,
    pub(super) changes: Vec<Change>,
}

/// A figure before and after, from battles that were not paired.
struct Apart {
    samples: [Sample; 2],
    /// Baseline, new value, difference.
    estimates: [Estimate; 3],
    /// The two values with the errors that they have if nothing changed.
    if_alike: Levels,
    /// The p-value of no change.
    p_value: f64,
    /// The most that a battle can add to the figure.
    most: f64,
    /// The lowest and the highest value that the figure can have.
    range: [f64; 2],
    /// Whether these battles are too few for a test, so that only paired ones can tell.
    are_too_few: bool,
}

/// The range of scores and shares.
const SHARES: [f64; 2] = [0.0, 1.0];
/// The range of counts.
const COUNTS: [f64; 2] = [0.0, f64::INFINITY];
/// The range of other metrics.
const ANYTHING: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl Apart {
    /// Compares means of numbers whose spread changes only if their mean does.
    fn of_samples(samples: [Sample; 2], estimates: [Estimate; 3], range: [f64; 2]) -> Self {
        let [old, new] = samples;
        let if_alike = Levels::of_samples_if_alike(samples, 1.0);
        let p_value = two_sided(pooled_z(new, old));
        Self { samples, estimates, if_alike, p_value, most: 1.0, range, are_too_few: false }
    }
}

/// The items of two lists, matched by key.
struct Matched<'t, T> {
    /// Items that both lists have, in the order of the first.
    both: Vec<(&'t T, &'t T)>,
    /// Items that only the first list has.
    gone: Vec<&'t T>,
    /// Items that only the second list has.
    added: Vec<&'t T>,
}

impl<'t, T> Matched<'t, T> {
    /// Matches the items of two lists. Of several items with the same key, the first of one list goes with the first
    /// of the other.
    fn of<K: Eq + std::hash::Hash>(old: &'t [T], new: &'t [T], key: impl Fn(&T) -> K) -> Self {
        let mut left: HashMap<K, Vec<&T>> = HashMap::new();
        for item in new.iter().rev() {
            left.entry(key(item)).or_default().push(item);
        }
        let (mut both, mut gone, mut added) = (Vec::new(), Vec::new(), Vec::new());
        for item in old {
            match left.get_mut(&key(item)).and_then(Vec::pop) {
                Some(now) => both.push((item, now)),
                None => gone.push(item),
            }
        }
        // The unmatched items of a key are its last ones.
        for item in new.iter().rev() {
            if left.get_mut(&key(item)).and_then(Vec::pop).is_some() {
                added.push(item);
            }
        }
        added.reverse();
        Self { both, gone, added }
    }
}

impl<'a> Pairing<'a> {
    pub(super) fn new(
        at: usize,
        baseline: &'a Baseline,
        new: &'a Baseline,
        limits: Limits,
    ) -> Self {
        let both = Both::of(baseline, new);
        let pair = Pair {
            baseline: baseline.run.clone(),
            new: new.run.clone(),
            compared: 0,
            too_few: 0,
            forfeits: Forfeits {
                battles: new.matchups.iter().map(|count| count.battles).sum(),
                unfought: new.matchups.iter().map(|count| count.unfought).sum(),
                by_side: Vec::new(),
            },
            has_several_contenders: new
                .matchups
                .iter()
                .any(|of| of.contenders.windows(2).any(|two| two[0] != two[1])),
            gone: Vec::new(),
            added: Vec::new(),
            only_drawn: Default::default(),
            again: both.as_ref().map(Both::played_again),
            unmatched: both.is_none() && baseline.paired.is_some() && new.paired.is_some(),
            files: file_changes(baseline, new),
            baseline_knows_files: baseline.settings.is_some() && new.settings.is_some(),
            is_of_files: false,
        };
        Self { at, limits, both, pair, changes: Vec::new() }
    }

    pub(super) fn compare(&mut self, baseline: &Baseline, new: &Baseline) {
        let label = |count: &MatchupCount| count.contenders.join(" vs ");
        let key = |count: &MatchupCount| count.contenders.clone();
        let matchups = self.matched(&baseline.matchups, &new.matchups, key, label);
        let [old_metrics, new_metrics] =
            [baseline, new].map(|of| of.metrics.iter().enumerate().collect::<Vec<_>>());
        let name = |metric: &(usize, &String)| metric.1.clone();
        let metrics = self.matched(&old_metrics, &new_metrics, name, name);
        for &(old, now) in &matchups {
            let at = baseline.matchups.iter().position(|of| std::ptr::eq(of, old));
            let who = Who::Matchup(at.expect("it is one of them"));
            self.ends(&who, old, now);
            for &(&(was_at, metric), &(is_at, _)) in &metrics {
                let quantity = Quantity::Mean(metric.clone());
                let is_count = [baseline, new].iter().any(|of| of.is_never_negative(metric));
                let range = if is_count { COUNTS } else { ANYTHING };
                let samples = [sample(old, was_at), sample(now, is_at)];
                self.mean(&label(old), &who, quantity, samples, range);
            }
            if !old.lengths.is_empty() && !now.lengths.is_empty() {
                let samples = [lengths(old), lengths(now)];
                self.mean(&label(old), &who, Quantity::Length, samples, COUNTS);
            }
        }
        self.contenders(&matchups);
        let key = |unit: &UnitCount| (unit.kind.clone(), unit.group.clone(), unit.name.clone());
        let name = |unit: &UnitCount| unit.name.clone();
        let of = |unit: &UnitCount| {
            let UnitCount { name, kind, group, .. } = unit;
            Unit { name: name.clone(), kind: kind.clone(), group: group.clone() }
        };
        let units = Matched::of(&baseline.units, &new.units, key);
        let pair = &mut self.pair;
        let [before, now] = &mut pair.only_drawn;
        let sorted = [
            (units.gone, new, &mut pair.gone, before),
            (units.added, baseline, &mut pair.added, now),
        ];
        for (alone, other, absent, drawn) in sorted {
            let (missing, left_out): (Vec<&UnitCount>, Vec<&UnitCount>) =
                alone.into_iter().partition(|unit| other.has_no(&of(unit)));
            absent.extend(missing.into_iter().map(name));
            drawn.extend(left_out.into_iter().map(name));
        }
        for (old, now) in units.both {
            let sides = baseline.sides();
            let results = |unit: &UnitCount| Results {
                won: unit.won,
                shared: unit.shared,
                lost: unit.played - unit.won - unit.shared,
                sides,
            };
            let who = Who::Unit(of(now));
            self.score(&now.name, &who, Quantity::UnitScore, results(old), results(now));
        }
        self.orders(baseline, new);
        self.pair.compared = self.changes.len();
    }

    /// The items that both lists have, in the order of the first; records the labels of those that only one has.
    fn matched<'t, T, K: Eq + std::hash::Hash>(
        &mut self,
        old: &'t [T],
        new: &'t [T],
        key: impl Fn(&T) -> K,
        label: impl Fn(&T) -> String,
    ) -> Vec<(&'t T, &'t T)> {
        let Matched { both, gone, added } = Matched::of(old, new, key);
        self.pair.gone.extend(gone.into_iter().map(&label));
        self.pair.added.extend(added.into_iter().map(&label));
        both
    }

    /// Compares how the battles of a match-up end: the score of every side but the last, which follows from the
    /// others, and how often nobody wins, which does not.
    fn ends(&mut self, who: &Who, old: &MatchupCount, new: &MatchupCount) {
        let label = old.contenders.join(" vs ");
        for side in 0..old.wins.len() - 1 {
            let of = |count: &MatchupCount| results(count, side);
            self.score(&label, who, Quantity::Score(Side(side as u8)), of(old), of(new));
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
        self.rate(&label, who, Quantity::Draws, was, is);
        let (was, is) = rate(|count| count.undecided);
        self.rate(&label, who, Quantity::Undecided, was, is);
    }

    /// Compares each contender that has several match-ups with others, over all of these.
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
                let who = Who::Contender(contender.to_owned());
                self.score(contender, &who, Quantity::ContenderScore, old, new);
            }
        }
    }

    /// Compares how often the commonest orders of the baseline came up. Where both have the same dice their battles
    /// are not independent, which can only make the test see less.
    fn orders(&mut self, baseline: &Baseline, new: &Baseline) {
        let Some((was, is)) = baseline.paired.as_ref().zip(new.paired.as_ref()) else { return };
        let commonest = was.clone().kept().orders;
        for order in &commonest {
            let is_it = |of: &&OrderCount| of.moment == order.moment && of.order == order.order;
            let now = is.orders.iter().find(is_it).map(|of| of.battles);
            // A file holds only the commonest orders: how often any other came up is unknown.
            let Some(now) = now.or(is.took_part.as_ref().map(|_| 0)) else { continue };
            let (was, is) = (was.results.len() as u64, is.results.len() as u64);
            if order.battles <= was && now <= is {
                let subject = format!("{}: {}", order.moment, order.order);
                self.rate(&subject, &Who::All, Quantity::Order, (order.battles, was), (now, is));
            }
        }
    }

    /// Compares two scores.
    fn score(&mut self, subject: &str, who: &Who, quantity: Quantity, old: Results, new: Results) {
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
        let are_too_few = least as f64 * share.min(1.0 - share) < LEAST_EXPECTED;
        let [baseline, now] = [old, new].map(|of| score(of, measure, LEVEL));
        let difference = score_difference(new, old, measure, LEVEL);
        let apart = Apart {
            samples,
            estimates: [baseline, now, difference],
            if_alike: Levels::of_scores_if_alike([old, new], measure),
            p_value: same_score(new, old, measure),
            most,
            range: SHARES,
            are_too_few,
        };
        self.add(subject, who, quantity, apart, self.limits.tolerance);
    }

    /// Compares two rates, each given as (successes, trials).
    fn rate(
        &mut self,
        subject: &str,
        who: &Who,
        quantity: Quantity,
        old: (u64, u64),
        new: (u64, u64),
    ) {
        let successes = old.0 + new.0;
        let trials = old.1 + new.1;
        if successes == 0 || successes == trials {
            return; // It never or always happens: nothing can have changed.
        }
        let share = successes as f64 / trials as f64;
        let are_too_few = old.1.min(new.1) as f64 * share.min(1.0 - share) < LEAST_EXPECTED;
        let samples = [old, new].map(|(won, played)| Sample::of_trials(won, played));
        let [baseline, now] = [old, new].map(|(won, played)| proportion(won, played, LEVEL));
        let difference = difference(new, old, LEVEL);
        let apart = Apart::of_samples(samples, [baseline, now, difference], SHARES);
        let apart = Apart { are_too_few, ..apart };
        self.add(subject, who, quantity, apart, self.limits.tolerance);
    }

    /// Compares the means of two samples of numbers in a range.
    fn mean(
        &mut self,
        subject: &str,
        who: &Who,
        quantity: Quantity,
        [old, new]: [Sample; 2],
        range: [f64; 2],
    ) {
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
        let apart = Apart::of_samples([old, new], [baseline, now, difference], range);
        self.add(subject, who, quantity, apart, tolerance);
    }

    fn add(&mut self, subject: &str, who: &Who, quantity: Quantity, apart: Apart, tolerance: f64) {
        let Apart { samples, estimates, if_alike, p_value, most, .. } = apart;
        let [least, greatest] = apart.range;
        let [baseline, now, difference] = estimates;
        let sums =
            self.both.as_ref().map(|both| both.sums(who, &quantity, self.limits.measure, None));
        let sums = sums.filter(|sums| are_enough(sums, most));
        // Half the interval's width is the standard error times its z.
        let unpaired_error = (difference.high - difference.low) / 2.0 / LEVEL.z();
        let ([baseline, now, difference], p_value) = match &sums {
            None if apart.are_too_few => {
                self.pair.too_few += 1;
                return;
            }
            None => ([baseline, now, difference], p_value),
            Some(sums) if apart.are_too_few => {
                (sums.levels(most).estimates(LEVEL), sums.levels_if_alike(most).p_value())
            }
            Some(sums) => {
                let together = Levels::of_samples(samples, most).with(sums.levels(most));
                let alike = if_alike.with(sums.levels_if_alike(most));
                (together.estimates(LEVEL), alike.p_value())
            }
        };
        let [baseline, now] = [baseline, now].map(|of| of.within(least, greatest));
        self.changes.push(Change {
            pair: self.at,
            subject: subject.to_owned(),
            who: who.clone(),
            quantity,
            baseline,
            new: now,
            difference,
            tolerance,
            p_value,
            adjusted: f64::NAN,
            counts: false,
            paired: sums.map_or(0, |sums| sums.times),
            unpaired_error,
        });
    }
}

/// Whether there are enough paired battles for a normal approximation.
fn are_enough(sums: &PairedSums, most: f64) -> bool {
    let all = most * sums.times as f64;
    let [was, is] = sums.points.map(|points| points as f64);
    let share = (was + is) / (2.0 * all);
    sums.times > 0 && sums.times as f64 * share.min(1.0 - share) >= LEAST_EXPECTED
}

pub(in crate::studies::nightly) fn results(count: &MatchupCount, side: usize) -> Results {
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

/// A sample of the number of rounds that battles lasted.
fn lengths(count: &MatchupCount) -> Sample {
    let mut sample = Sample { count: 0, sum: 0, squares: 0 };
    for (rounds, &battles) in count.lengths.iter().enumerate() {
        let (rounds, times) = (rounds as i128, i128::from(battles));
        sample.count += battles;
        sample.sum += rounds * times;
        sample.squares += rounds * rounds * times;
    }
    sample
}
