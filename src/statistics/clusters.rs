//! Means of appearances that are clustered: several appearances in one battle are not independent of each other.

use super::intervals::wilson;
use super::{Estimate, Level};
use crate::tally::{Clustered, Stratified};

/// The mean score of some appearances and its variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusteredMean {
    /// The mean, 0 to 1.
    pub value: f64,
    /// The variance of the mean: what the battles show, and not less than `least`.
    pub variance: f64,
    /// The part of it that the battles show; 0 where all appearances of every battle cancel out.
    pub shown: f64,
    /// The least variance: what happened to be all alike is not certain. It falls with the square of the battles.
    pub least: f64,
    /// The effective sample size: how many independent wins and losses would give the mean this variance.
    pub effective: f64,
}

/// The mean score of appearances, with battles as the clusters and match-ups as the strata, to which equally many
/// battles were allocated: the combined ratio estimator with its linearised variance (W. G. Cochran: "Sampling
/// Techniques", 1977, sections 6.4 and 6.11). Differences between strata do not count as variance. Where strata have
/// fewer than two battles with appearances each, on average, they are pooled, which makes the variance too large rather
/// than too small. None without appearances.
#[must_use]
pub fn clustered_mean(strata: &[Stratified], sides: usize) -> Option<ClusteredMean> {
    let sum = Clustered::sum_of(strata);
    if sum.times == 0 {
        return None;
    }
    let sides = sides as f64;
    let (times, value) = (sum.times as f64, sum.points as f64 / (sum.times as f64 * sides));
    // The effective number of battles.
    let battles = battles_of(&sum);
    let mut taken = 0.0;
    for of in strata.iter().filter(|of| of.fared.times > 0) {
        let always = (battles_of(&of.fared) / of.battles as f64).min(1.0);
        taken += always * (1.0 - of.fared.times as f64 / times);
    }
    let freedom = battles - 1.0 - taken;
    // What the battles show, and the least that is assumed, because half a battle might have gone otherwise.
    let spreads_of = |of: &Clustered, between: f64, freedom: f64| {
        let residual = of.points_squared as f64 / (sides * sides)
            - 2.0 * value * of.times_by_points as f64 / sides
            + value * value * of.times_squared as f64
            - between;
        let correction = if battles > 1.0 { battles / freedom.max(0.5) } else { 2.0 };
        let least = (0.5 * of.times as f64 / (battles_of(of) + 1.0)).powi(2);
        [correction * residual.max(0.0), least]
    };
    let add = |[all, shown, least]: [f64; 3], [more, at_least]: [f64; 2]| {
        [all + more.max(at_least), shown + more, least + at_least]
    };
    let spreads = if freedom < (battles - 1.0) / 2.0 {
        add([0.0; 3], spreads_of(&sum, 0.0, battles - 1.0))
    } else {
        let of_stratum = |of: &Stratified| {
            let lead = of.fared.points as f64 / sides - value * of.fared.times as f64;
            spreads_of(&of.fared, lead * lead / of.battles as f64, freedom)
        };
        strata.iter().filter(|of| of.fared.times > 0).map(of_stratum).fold([0.0; 3], add)
    };
    let [variance, shown, least] = spreads.map(|spread| spread / (times * times));
    let of_one = value * (1.0 - value);
    let effective = if of_one > 0.0 { of_one / variance } else { battles };
    Some(ClusteredMean { value, variance, shown, least, effective })
}

/// The effective number of battles: how many battles with equally many appearances each would be as informative.
fn battles_of(of: &Clustered) -> f64 {
    (of.times as f64).powi(2) / of.times_squared as f64
}

/// The mean of [`clustered_mean`] with its confidence interval: Wilson's at the effective sample size. Unknown without
/// appearances.
#[must_use]
pub fn clustered(strata: &[Stratified], sides: usize, level: Level) -> Estimate {
    clustered_mean(strata, sides)
        .map_or(Estimate::UNKNOWN, |mean| wilson(mean.value, mean.effective, level))
}

/// The share of one kind among all occurrences, several of which can be in one battle, with its confidence interval.
/// Unknown without occurrences.
///
/// The variance is that of [`clustered_mean`], with n - 1 for the battles. Quantiles are normal: after five or ten
/// battles they cover 94% to 97% of the time, whereas Student's, with as many degrees of freedom as there are battles,
/// cover 97% to 99%.
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
    let correction = battles / (battles - 1.0).max(0.5);
    let least = (0.5 / (battles + 1.0)).powi(2);
    let variance = (correction * residual.max(0.0) / (all * all)).max(least);
    let spread = value * (1.0 - value);
    wilson(value, if spread > 0.0 { spread / variance } else { battles }, level)
}

/// The counts from which [`clustered_share`] is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShareCounts {
    /// How often the kind in question occurred.
    pub times: u64,
    /// How often any kind occurred.
    pub all: u64,
    /// The sum over battles of `times` squared.
    pub times_squared: u64,
    /// The sum over battles of `times` multiplied by `all`.
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
        let (one, plain) =
            (clustered(&[fared.into()], 2, Level::P95), proportion(520, 1000, Level::P95));
        assert_eq!(one.value, plain.value);
        assert!((one.low - plain.low).abs() < 1e-4 && (one.high - plain.high).abs() < 1e-4);
    }

    #[test]
    fn copies_that_fare_alike_say_no_more_than_one() {
        let one = of_battles((0..1000).map(|at| (1, if at < 520 { 2 } else { 0 })));
        let eight = of_battles((0..1000).map(|at| (8, if at < 520 { 16 } else { 0 })));
        let [one, eight] = [one, eight].map(|fared| clustered(&[fared.into()], 2, Level::P95));
        assert!((one.low - eight.low).abs() < 1e-12 && (one.high - eight.high).abs() < 1e-12);
    }

    /// A unit on both sides wins as often as it loses, whoever wins.
    #[test]
    fn on_both_sides_there_is_nothing_to_be_seen() {
        let fared = of_battles((0..1000).map(|_| (2, 2)));
        let mirror = clustered(&[fared.into()], 2, Level::P95);
        assert!(mirror.value == 0.5 && mirror.high - mirror.low < 0.003, "{mirror:?}");
    }

    /// Of 4,000 runs of 150 battles with 0 to 8 copies that share their battle's outcome, 94% to 96% of the intervals
    /// cover; intervals that treat copies as independent trials cover far less often.
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
            covered += u32::from(!clustered(&[fared.into()], 2, Level::P95).excludes(0.5));
            let plain = proportion(fared.points / 2, fared.times, Level::P95);
            plain_covered += u32::from(!plain.excludes(0.5));
        }
        assert!((3_760..=3_840).contains(&covered), "{covered} of 4000");
        assert!(plain_covered < 3_200, "{plain_covered} of 4000");
    }

    /// The share of an order, where a battle has up to six dependent orders.
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

    /// Opponents of very different strength, in a fixed number of battles each: with few battles a match-up and with
    /// many, copies or none, 94% to 96% of 4,000 intervals cover. Pooled, as if match-ups were drawn, over 98% do.
    #[test]
    fn what_differs_between_match_ups_is_no_chance() {
        const RATES: [f64; 4] = [0.05, 0.3, 0.7, 0.95];
        for (case, (battles, copies)) in
            [(10, 1), (25, 1), (25, 8), (100, 0), (100, 8)].into_iter().enumerate()
        {
            let (mut covered, mut together) = (0, 0);
            for run in 0..4_000 {
                let mut random = Seeded::of_battle(19 + case as u64, run);
                let strata = RATES.map(|rate| {
                    let fought = (0..battles).map(|_| {
                        let times = if copies == 0 { u64::from(random.below(9)) } else { copies };
                        (times, if random.unit() < rate { 2 * times } else { 0 })
                    });
                    Stratified { fared: of_battles(fought), battles }
                });
                covered += u32::from(!clustered(&strata, 2, Level::P95).excludes(0.5));
                let sum = Clustered::sum_of(&strata).into();
                together += u32::from(!clustered(&[sum], 2, Level::P95).excludes(0.5));
            }
            assert!((3_760..=3_845).contains(&covered), "{battles}, {copies}: {covered} of 4000");
            assert!(together > 3_880, "{battles}, {copies}: {together} of 4000");
        }
    }

    /// After 5, 10 and 20 battles with one order, up to two and up to six, alike within every battle or within half of
    /// the battles, 93% to 97% of 4,000 intervals cover, for shares of all sizes.
    #[test]
    fn shares_of_few_battles_cover() {
        for battles in [5, 10, 20] {
            for (most, alike) in [(1, 2), (2, 2), (6, 2), (2, 1), (6, 1)] {
                let mut covered = 0;
                for run in 0..4_000 {
                    let mut random = Seeded::of_battle(30 + battles + 100 * most + alike, run);
                    let (share, mut of) = (0.05 + 0.9 * random.unit(), ShareCounts::default());
                    for _ in 0..battles {
                        let all = 1 + u64::from(random.below(most as u32));
                        let (are_alike, first) =
                            (u64::from(random.below(2)) < alike, random.unit() < share);
                        let times: u64 = (0..all)
                            .map(|_| {
                                u64::from(if are_alike { first } else { random.unit() < share })
                            })
                            .sum();
                        of.times += times;
                        of.all += all;
                        of.times_squared += times * times;
                        of.times_by_all += times * all;
                        of.all_squared += all * all;
                    }
                    covered += u32::from(!clustered_share(of, Level::P95).excludes(share));
                }
                println!("{battles} battles, {most}, {alike}: {:.1}%", f64::from(covered) / 40.0);
                assert!(
                    (3_720..=3_890).contains(&covered),
                    "{battles}, {most}, {alike}: {covered}"
                );
            }
        }
    }

    /// Match-ups with fewer than two battles each do not show the variance within them, so they are pooled.
    #[test]
    fn strata_of_one_battle_are_taken_together() {
        let strata: Vec<Stratified> = (0..50)
            .map(|at| Stratified { battles: 1, fared: of_battles([(1, 2 * (at % 2))]) })
            .collect();
        let sum = Clustered::sum_of(&strata).into();
        assert_eq!(clustered(&strata, 2, Level::P95), clustered(&[sum], 2, Level::P95));
        assert!(clustered(&[], 2, Level::P95).value.is_nan());
    }
}
