//! Means of appearances that come in clusters: several in one battle, which are not independent of each other.

use super::intervals::wilson;
use super::{Estimate, Level};
use crate::tally::Clustered;

/// The mean score of some appearances and its variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredMean {
    /// The mean, 0 to 1.
    pub value: f64,
    /// The variance of the mean.
    pub variance: f64,
    /// Independent appearances that the mean is worth if it is that of wins and losses: the effective sample size.
    pub effective: f64,
}

/// The mean score of appearances, battles being the clusters: the ratio estimator with its linearised variance (W. G.
/// Cochran: "Sampling Techniques", 1977, section 6.4). None where nothing appeared.
#[must_use]
pub fn clustered_mean(fared: Clustered, sides: usize) -> Option<ClusteredMean> {
    if fared.times == 0 {
        return None;
    }
    let whole = fared.times as f64 * sides as f64;
    let (times, value) = (fared.times as f64, fared.points as f64 / whole);
    let sides = sides as f64;
    let residual = fared.points_squared as f64 / (sides * sides)
        - 2.0 * value * fared.times_by_points as f64 / sides
        + value * value * fared.times_squared as f64;
    // Battles of as many appearances each as the average one.
    let battles = times * times / fared.times_squared as f64;
    // Results that happened to be all alike are not certain to stay so: half a battle might have gone otherwise.
    let least = (0.5 / (battles + 1.0)).powi(2);
    let correction = if battles > 1.0 { battles / (battles - 1.0).max(0.5) } else { 2.0 };
    let variance = (correction * residual.max(0.0) / (times * times)).max(least);
    let spread = value * (1.0 - value);
    let effective = if spread > 0.0 { spread / variance } else { battles };
    Some(ClusteredMean { value, variance, effective })
}

/// The same with its confidence interval: Wilson's at the effective sample size.
#[must_use]
pub fn clustered(fared: Clustered, sides: usize, level: Level) -> Estimate {
    clustered_mean(fared, sides)
        .map_or(Estimate::UNKNOWN, |mean| wilson(mean.value, mean.effective, level))
}

/// A share of occurrences, several of which can be in one battle: given how often it was this one and any one, and the sums
/// over battles of this one's squared, of its product with all, and of all squared.
#[must_use]
pub fn clustered_share(of: ShareCounts, level: Level) -> Estimate {
    if of.all == 0 {
        return Estimate::UNKNOWN;
    }
    let (times, all) = (of.times as f64, of.all as f64);
    let value = times / all;
    let residual = of.times_squared as f64 - 2.0 * value * of.times_by_all as f64
        + value * value * of.all_squared as f64;
    let battles = all * all / of.all_squared as f64;
    let variance = (residual.max(0.0) / (all * all)).max((0.5 / (battles + 1.0)).powi(2));
    let spread = value * (1.0 - value);
    wilson(value, if spread > 0.0 { spread / variance } else { battles }, level)
}

/// What [`clustered_share`] is computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShareCounts {
    /// How often it was this one.
    pub times: u64,
    /// How often it was any.
    pub all: u64,
    /// The sum over battles of `times` squared.
    pub times_squared: u64,
    /// The sum over battles of `times` by `all`.
    pub times_by_all: u64,
    /// The sum over battles of `all` squared.
    pub all_squared: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::statistics::proportion;

    fn of_battles(battles: impl IntoIterator<Item = (u64, u64)>) -> Clustered {
        let mut sum = Clustered::default();
        for (times, points) in battles {
            sum.times += times;
            sum.points += points;
            sum.times_squared += times * times;
            sum.times_by_points += times * points;
            sum.points_squared += points * points;
        }
        sum
    }

    #[test]
    fn once_a_battle_it_is_a_proportion() {
        let fared = of_battles((0..1000).map(|at| (1, if at < 520 { 2 } else { 0 })));
        let (one, plain) = (clustered(fared, 2, Level::P95), proportion(520, 1000, Level::P95));
        assert_eq!(one.value, plain.value);
        assert!((one.low - plain.low).abs() < 1e-4 && (one.high - plain.high).abs() < 1e-4);
    }

    #[test]
    fn copies_that_fare_alike_say_no_more_than_one() {
        let one = of_battles((0..1000).map(|at| (1, if at < 520 { 2 } else { 0 })));
        let eight = of_battles((0..1000).map(|at| (8, if at < 520 { 16 } else { 0 })));
        let [one, eight] = [one, eight].map(|fared| clustered(fared, 2, Level::P95));
        assert!((one.low - eight.low).abs() < 1e-12 && (one.high - eight.high).abs() < 1e-12);
    }

    /// A unit of both sides has won as often as it has lost, whoever wins.
    #[test]
    fn on_both_sides_there_is_nothing_to_be_seen() {
        let fared = of_battles((0..1000).map(|_| (2, 2)));
        let mirror = clustered(fared, 2, Level::P95);
        assert!(mirror.value == 0.5 && mirror.high - mirror.low < 0.003, "{mirror:?}");
    }

    /// Of 4,000 runs of 150 battles with 0 to 8 copies that share their battle's fate, 94% to 96% cover; intervals that took
    /// copies for trials of their own cover far fewer.
    #[test]
    fn intervals_cover_with_copies() {
        let (mut covered, mut plain_covered) = (0, 0);
        for run in 0..4_000 {
            let mut random = Seeded::of_battle(17, run);
            let battles = (0..150).map(|_| {
                let times = u64::from(random.below(9));
                let share = [0, 1, 2][random.below(3) as usize];
                (times, times * share)
            });
            let fared = of_battles(battles);
            covered += u32::from(!clustered(fared, 2, Level::P95).excludes(0.5));
            let plain = proportion(fared.points / 2, fared.times, Level::P95);
            plain_covered += u32::from(!plain.excludes(0.5));
        }
        assert!((3_760..=3_840).contains(&covered), "{covered} of 4000");
        assert!(plain_covered < 3_200, "{plain_covered} of 4000");
    }

    /// An order's share, where a battle has up to six orders that hang together.
    #[test]
    fn shares_of_what_comes_several_times_cover() {
        let mut covered = 0;
        for run in 0..4_000 {
            let mut random = Seeded::of_battle(18, run);
            let mut of = ShareCounts::default();
            for _ in 0..200 {
                let all = u64::from(random.below(7));
                let all_alike = random.below(2) == 0;
                let first = u64::from(random.below(10) < 3);
                let times: u64 = (0..all)
                    .map(|_| if all_alike { first } else { u64::from(random.below(10) < 3) })
                    .sum();
                of.times += times;
                of.all += all;
                of.times_squared += times * times;
                of.times_by_all += times * all;
                of.all_squared += all * all;
            }
            covered += u32::from(!clustered_share(of, Level::P95).excludes(0.3));
        }
        assert!((3_760..=3_845).contains(&covered), "{covered} of 4000");
    }
}
