//! Leads of contenders over opponents: wins less losses per battle, for each seat in which they met.

use super::strata::{SMOOTHED_BY, freedom, variance_of_mean};
use super::{Estimate, Level, Sample, ScorePart, stratified};

/// Wins, losses and battles in one seat against one opponent.
pub type Seat = (u64, u64, u64);

/// The points of a win; a battle that nobody wins counts 1.
const MOST: u32 = 2;

fn sample((won, lost, battles): Seat) -> Sample {
    let shared = battles - won - lost;
    let most = i128::from(MOST);
    let [won, shared] = [won, shared].map(i128::from);
    Sample { count: battles, sum: most * won + shared, squares: most * most * won + shared }
}

/// The mean lead over several opponents, with equal weight for each opponent and for each seat against it, however many
/// battles a seat has. -1 to 1, with the interval of [`stratified`] scores. [`Estimate::UNKNOWN`] when an opponent was
/// never met in one of the seats.
#[must_use]
pub fn mean_of_leads(opponents: &[&[Seat]], level: Level) -> Estimate {
    if opponents.iter().any(|seats| seats.is_empty()) {
        return Estimate::UNKNOWN;
    }
    let parts = opponents.iter().flat_map(|seats| {
        let weight = 1.0 / seats.len() as f64;
        seats.iter().map(move |&seat| ScorePart { weight, sample: sample(seat), most: MOST })
    });
    let Estimate { value, low, high } = stratified(parts, level);
    let [value, low, high] = [value, low, high].map(|score| 2.0 * score - 1.0);
    Estimate { value, low, high }
}

/// A weighted sum of leads over opponents; weights may be negative, so that it can be a difference of
/// [`mean_of_leads`]. The interval is Student's, with the variances of [`stratified`] scores; a seat with a single
/// battle has the largest possible variance. [`Estimate::UNKNOWN`] when an opponent was never met in one of the seats.
#[must_use]
pub fn sum_of_leads(parts: &[(f64, &[Seat])], level: Level) -> Estimate {
    let mut value = 0.0;
    let mut variances = Vec::new();
    for (weight, seats) in parts {
        let part = weight / seats.len() as f64;
        for &(won, lost, battles) in *seats {
            if battles == 0 {
                return Estimate::UNKNOWN;
            }
            let n = battles as f64;
            value += part * (won as f64 - lost as f64) / n;
            let Sample { sum, squares, .. } = sample((won, lost, battles));
            let most = f64::from(MOST);
            let (sum, squares) = (sum as f64 / most, squares as f64 / (most * most));
            let known = variance_of_mean(n, sum, squares, SMOOTHED_BY);
            let variance = if battles == 1 { 0.25 } else { known };
            variances.push((4.0 * part * part * variance, n));
        }
    }
    let half = level.with_freedom(freedom(variances.iter().copied())).z()
        * variances.iter().map(|of| of.0).sum::<f64>().sqrt();
    Estimate { value, low: value - half, high: value + half }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_wins_less_losses() {
        let even = mean_of_leads(&[&[(60, 40, 100)], &[(40, 60, 100)]], Level::P95);
        assert!(even.value.abs() < 1e-12);
        // Two of 0.96 / 99 each, averaged.
        let half = 1.959_963_984_540_054 * (2.0 * 0.96 / 99.0_f64).sqrt() / 2.0;
        assert!((even.high / half - 1.0).abs() < 0.01, "{even:?}");
        assert!(mean_of_leads(&[&[(1, 0, 1)], &[(0, 0, 0)]], Level::P95).value.is_nan());
        let all = mean_of_leads(&[&[(10, 0, 10)]], Level::P95);
        assert!(all.value == 1.0 && all.high == 1.0 && all.low < 1.0);
        // One contender's lead is the other's deficit.
        let [one, other] = [(7, 2, 10), (2, 7, 10)]
            .map(|seat| mean_of_leads(&[&[seat], &[(5, 5, 10)]], Level::P95));
        assert!((one.value + other.value).abs() < 1e-12 && (one.low + other.high).abs() < 1e-12);
    }

    /// Whoever has the first seat wins, however often each has it.
    #[test]
    fn a_seat_is_no_lead() {
        let seats = [(42, 0, 42), (0, 21, 21)];
        let equals = mean_of_leads(&[&seats], Level::P95);
        assert!(equals.value.abs() < 1e-12 && equals.high < 0.11, "{equals:?}");
    }

    #[test]
    fn a_difference_of_leads_is_their_sum_with_signs() {
        let [one, other] = [[(60, 40, 100)], [(45, 50, 100)]];
        let ahead = sum_of_leads(&[(1.0, &one), (-1.0, &other)], Level::P95);
        assert!((ahead.value - 0.25).abs() < 1e-12);
        let half = 1.972 * (0.96 / 99.0 + (0.95 - 0.0025) / 99.0_f64).sqrt();
        assert!((ahead.high - 0.25 - half).abs() < 2e-3, "{ahead:?}");
        assert!(sum_of_leads(&[(1.0, &[(0, 0, 0)])], Level::P95).value.is_nan());
    }
}
