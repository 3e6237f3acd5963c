//! Sums over the battles of a contender in one match-up under one condition, and the variances that follow from them.

use crate::chance::Seeded;
use crate::statistics::Level;
use crate::tally::{Count, OutcomeMeasure, Stratified};

/// Strata in which the contender took part less often than this share one pooled variance.
const FEW: f64 = 20.0;

/// A contender's results in one stratum, as sums over battles. It may take part in one battle several (`times`) times,
/// as where it meets itself or is on several sides; its `lead` in the battle is then the sum, over these times, of its
/// points above even.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cell {
    /// Number of battles.
    pub battles: f64,
    times: f64,
    lead: f64,
    times_squared: f64,
    lead_by_times: f64,
    lead_squared: f64,
    /// Number of sides in a battle.
    sides: f64,
}

impl Cell {
    /// The results of a contender that holds these sides in the battles of a stratum.
    pub(super) fn of_sides(count: &Count, sides: &[usize], measure: OutcomeMeasure) -> Self {
        let all = count.wins.len() as f64;
        let won: u64 = sides.iter().map(|&side| count.wins[side]).sum();
        let lost = count.wins.iter().sum::<u64>() - won;
        let shared = count.draws + count.undecided;
        let (times, even) = (sides.len() as f64, 1.0 / all);
        let mut cell = Self { battles: count.battles as f64, sides: all, ..Self::default() };
        cell.add(won as f64, times, 1.0 - times * even);
        cell.add(lost as f64, times, -times * even);
        match measure {
            OutcomeMeasure::Score => cell.add(shared as f64, times, 0.0),
            OutcomeMeasure::Wins => cell.add(shared as f64, times, -times * even),
            OutcomeMeasure::Decided => {}
        }
        cell
    }

    /// The results of a unit in the battles of a match-up between `sides` sides.
    pub(super) fn of_unit(Stratified { battles, fared }: Stratified, sides: usize) -> Self {
        let all = sides as f64;
        let [times, points, times_squared, times_by_points, points_squared] = [
            fared.times,
            fared.points,
            fared.times_squared,
            fared.times_by_points,
            fared.points_squared,
        ]
        .map(|sum| sum as f64);
        Self {
            battles: battles as f64,
            times,
            lead: (points - times) / all,
            times_squared,
            lead_by_times: (times_by_points - times_squared) / all,
            lead_squared: (points_squared - 2.0 * times_by_points + times_squared) / (all * all),
            sides: all,
        }
    }

    /// The even score: one over the number of sides.
    pub(super) fn even(&self) -> f64 {
        self.sides.recip()
    }

    /// The number of battles that the contender took part in, and its mean score in them, 0 to 1; None without any, or
    /// where it took part in one more than once.
    pub(super) fn score(&self) -> Option<(u64, f64)> {
        let is_once = self.times > 0.0 && self.times_squared == self.times;
        is_once.then(|| (self.times as u64, self.lead / self.times + self.sides.recip()))
    }

    /// A parametric bootstrap replicate: the lead plus normal noise with the standard error that its variance implies.
    pub(super) fn redrawn(self, random: &mut Seeded) -> Self {
        let value = if self.times == 0.0 { 0.0 } else { self.lead / self.times };
        let error = (self.battles * self.variance(value)).sqrt();
        Self { lead: self.lead + random.normal() * error, ..self }
    }

    /// Adds `battles` battles, in each of which the contender took part `times` times and had the lead `lead`.
    fn add(&mut self, battles: f64, times: f64, lead: f64) {
        self.times += battles * times;
        self.lead += battles * lead;
        self.times_squared += battles * times * times;
        self.lead_by_times += battles * lead * times;
        self.lead_squared += battles * lead * lead;
    }

    fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        self.times += other.times;
        self.lead += other.lead;
        self.times_squared += other.times_squared;
        self.lead_by_times += other.lead_by_times;
        self.lead_squared += other.lead_squared;
        self.sides = other.sides;
    }

    /// The mean number of times that the contender takes part in a battle.
    pub(super) fn presence(&self) -> f64 {
        if self.battles == 0.0 { 0.0 } else { self.times / self.battles }
    }

    /// The mean lead per battle.
    pub(super) fn lead(&self) -> f64 {
        if self.battles == 0.0 { 0.0 } else { self.lead / self.battles }
    }

    /// The sum of squared deviations, over battles, of a battle's lead minus `value` for every time that the contender
    /// took part.
    fn scatter(&self, value: f64) -> f64 {
        if self.battles == 0.0 {
            return 0.0;
        }
        let squares = self.lead_squared - 2.0 * value * self.lead_by_times
            + value * value * self.times_squared;
        let sum = self.lead - value * self.times;
        (squares - sum * sum / self.battles).max(0.0)
    }

    /// A floor for the estimated variance of a battle: as if the contender had led, or trailed, in four of the battles
    /// that it took part in. Where none of n battles was decided, the true share may still be up to 3 in n.
    fn least_variance(&self) -> f64 {
        let even = self.sides.recip();
        let least = self.times.min(4.0) * even * (1.0 - even);
        if self.times == 0.0 { 0.0 } else { least / self.battles }
    }

    /// The variance, over battles, of a battle's lead minus `value` for every time that the contender took part.
    fn variance(&self, value: f64) -> f64 {
        if self.battles < 2.0 {
            return self.least_variance();
        }
        (self.scatter(value) / (self.battles - 1.0)).max(self.least_variance())
    }
}

/// The inverse of the number of battles that are as precise as those of these cells together under these odds, times the
/// square of how often a contender takes part. Several appearances in a battle are one trial.
pub(super) fn precision(cells: &[Cell], odds: &[f64]) -> f64 {
    let drawn = cells.iter().zip(odds).filter(|&(cell, &odds)| odds > 0.0 && cell.battles > 0.0);
    drawn.map(|(cell, odds)| odds * odds * cell.times_squared / (cell.battles * cell.battles)).sum()
}

/// The standard error of a score of so many battles, widened by as much as the longer half of E. B. Wilson's interval is
/// longer than that of a normal one. Where nearly all or nearly no battles are won, a sample hardly varies, because the
/// rare outcomes may not occur in it; near one half nothing changes.
pub(super) fn widened(score: f64, error: f64, battles: f64) -> f64 {
    let z = Level::P95.z();
    let variance = (score * (1.0 - score)).max(0.0) / battles;
    let half = z / (2.0 * battles);
    let wilson = ((variance + half * half).sqrt() + z * (score - 0.5).abs() / battles)
        / (1.0 + z * z / battles);
    // In proportion: battles that vary less than wins and losses, such as drawn ones, are as much more precise.
    if variance == 0.0 { error.max(wilson) } else { error * (wilson / variance.sqrt()).max(1.0) }
}

/// The statistic of K. Pearson's chi-square test (1900) of the hypothesis that a contender has the same lead under
/// every condition, with its degrees of freedom: squared distances from the common lead, in units of the variance of
/// battles under all conditions together.
pub(super) fn heterogeneity(cells: &[Cell], odds: &[f64]) -> (f64, u64) {
    let drawn = || cells.iter().zip(odds).filter(|&(cell, &odds)| odds > 0.0 && cell.times > 0.0);
    let mut all = Cell::default();
    drawn().for_each(|(cell, _)| all.merge(cell));
    if all.times == 0.0 {
        return (0.0, 0);
    }
    let common = all.lead / all.times;
    let squares =
        all.lead_squared - 2.0 * common * all.lead_by_times + common * common * all.times_squared;
    let distance = |cell: &Cell| (cell.lead - common * cell.times).powi(2) / cell.times;
    let distances: f64 = drawn().map(|(cell, _)| distance(cell)).sum();
    let variance = squares / all.times;
    // Where battles never vary, conditions do not differ either.
    let statistic = if variance > 0.0 { distances / variance } else { 0.0 };
    (statistic, drawn().count() as u64 - 1)
}

/// The variance of the sum, over the cells, of odds times the mean of the lead minus `value` for every time that the
/// contender took part.
///
/// A few battles are not enough to estimate a variance: cells in which the contender rarely took part share one, pooled
/// within cells. Where even these are too few they are collapsed into one stratum (W. G. Cochran: "Sampling
/// techniques", 1977, section 5A.12), and differences between the cells make the variance too large rather than too
/// small.
pub(super) fn variance(cells: &[Cell], odds: &[f64], value: f64) -> f64 {
    let drawn = || cells.iter().zip(odds).filter(|&(cell, &odds)| odds > 0.0 && cell.battles > 0.0);
    let is_small = |cell: &Cell| cell.times < FEW;
    let (mut small, mut scatter, mut freedom) = (Cell::default(), 0.0, 0.0);
    for (cell, _) in drawn().filter(|(cell, _)| is_small(cell)) {
        small.merge(cell);
        scatter += cell.scatter(value);
        freedom += cell.battles - 1.0;
    }
    let shared = if freedom < FEW {
        small.variance(value)
    } else {
        (scatter / freedom).max(small.least_variance())
    };
    drawn()
        .map(|(cell, odds)| {
            let one = if is_small(cell) { shared } else { cell.variance(value) };
            odds * odds * one / cell.battles
        })
        .sum()
}
