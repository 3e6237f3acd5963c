//! Many estimates at once: the best of many is partly the luckiest, so all are drawn towards their common mean.

use super::{Estimate, Level};
use crate::chance::Seeded;
use crate::sorting::Sorting;

/// How many times ranks are redrawn.
const REDRAWS: usize = 1_000;

/// The least part of a variance that is taken for an estimate's own.
const LEAST_OWN: f64 = 1e-6;

/// One of many estimates, shrunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shrunk {
    /// The estimate drawn towards the mean of all, with its interval.
    pub estimate: Estimate,
    /// The places, from 1 for the highest, that it may truly have, at the same level.
    pub ranks: [usize; 2],
    /// The same for the places of as many such lists as were named, all at once.
    pub ranks_of_all: [usize; 2],
}

/// Empirical Bayes estimates of many means from their values and variances: the means are taken to be normal around a common
/// one (C. N. Morris: "Parametric empirical Bayes inference: theory and applications", 1983, with the interval that accounts
/// for the estimated mean and spread; the spread is that of R. DerSimonian and N. Laird: "Meta-analysis in clinical trials",
/// 1986). The ranks are those of means redrawn from their posterior distributions, always with the same random numbers.
/// Fewer than three means are left as they are.
///
/// `common` is the variance of an error that all values share. It moves none of them against the others, so that means are drawn
/// together and ranked by what of their variances is their own, and each interval has all of it. It is negative where what one
/// gains another loses: differences vary by more than their variances say then, and so do the ranks.
///
/// # Panics
/// When a variance is not positive (in debug builds).
#[must_use]
pub fn shrunk(means: &[(f64, f64)], common: f64, level: Level) -> Vec<Shrunk> {
    shrunk_among(means, common, level, 1)
}

/// The same of one of so many lists, over which the error rate of [`Shrunk::ranks_of_all`] is shared.
///
/// # Panics
/// As [`shrunk`].
#[must_use]
pub fn shrunk_among(means: &[(f64, f64)], common: f64, level: Level, lists: u64) -> Vec<Shrunk> {
    debug_assert!(means.iter().all(|(_, variance)| *variance > 0.0), "variances are positive");
    let without = |common: f64| -> Vec<(f64, f64)> {
        let own = |variance: f64| (variance - common).max(LEAST_OWN * variance);
        posteriors(&means.iter().map(|&(value, of)| (value, own(of))).collect::<Vec<_>>())
    };
    let ranked = without(common);
    let common = common.max(0.0);
    let posteriors = without(common);
    let mut ranks = vec![Vec::with_capacity(REDRAWS); means.len()];
    let mut random = Seeded::from_seed(1);
    let mut drawn: Vec<(f64, usize)> = Vec::with_capacity(means.len());
    for _ in 0..REDRAWS {
        drawn.clear();
        for (at, (value, variance)) in ranked.iter().enumerate() {
            drawn.push((value + variance.sqrt() * random.normal(), at));
        }
        drawn.put_in_order_by(|(a, _), (b, _)| b.total_cmp(a));
        for (rank, (_, at)) in drawn.iter().enumerate() {
            ranks[*at].push(rank + 1);
        }
    }
    let cuts = [level, level.shared_by(lists)]
        .map(|level| ((1.0 - level.confidence()) / 2.0 * REDRAWS as f64) as usize);
    posteriors
        .into_iter()
        .zip(&mut ranks)
        .map(|((value, variance), ranks)| {
            ranks.sort_unstable();
            let half = level.z() * (variance + common).sqrt();
            let [alone, of_all] = cuts.map(|cut| [ranks[cut], ranks[REDRAWS - 1 - cut]]);
            Shrunk {
                estimate: Estimate { value, low: value - half, high: value + half },
                ranks: alone,
                ranks_of_all: of_all,
            }
        })
        .collect()
}

/// The mean and variance of each mean's posterior distribution.
fn posteriors(means: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let count = means.len() as f64;
    if means.len() < 3 {
        return means.to_vec();
    }
    let weighted = |weight: &dyn Fn(f64) -> f64| {
        let total: f64 = means.iter().map(|&(_, variance)| weight(variance)).sum();
        let sum: f64 = means.iter().map(|&(value, variance)| weight(variance) * value).sum();
        (sum / total, total)
    };
    let (centre, total) = weighted(&|variance| 1.0 / variance);
    let squares: f64 =
        means.iter().map(|(value, variance)| (value - centre).powi(2) / variance).sum();
    let of_squares: f64 = means.iter().map(|(_, variance)| variance.powi(-2)).sum();
    let spread = ((squares - (count - 1.0)) / (total - of_squares / total)).max(0.0);
    let (centre, total) = weighted(&|variance| 1.0 / (variance + spread));
    means
        .iter()
        .map(|&(value, variance)| {
            // How far it is drawn to the centre; (k - 3) / (k - 1) because the spread is itself estimated.
            let pull = (count - 3.0) / (count - 1.0) * variance / (variance + spread);
            let own = 1.0 / (variance + spread) / total;
            let drawn = value + pull * (centre - value);
            let of_spread = 2.0 / (count - 3.0).max(1.0)
                * (pull * (value - centre)).powi(2)
                * (count / total / (variance + spread));
            let posterior = variance * (1.0 - pull * (1.0 - own)) + of_spread.min(variance);
            (drawn, posterior.max(1e-12))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two that are alike, of which one gains what the other loses: one in 20 is said to be ahead.
    #[test]
    fn what_one_gains_another_loses() {
        let mut random = Seeded::from_seed(5);
        let ahead = |common: f64, random: &mut Seeded| {
            let told = (0..600).filter(|_| {
                let error = 0.01 * random.normal();
                let means = [(0.5 + error, 1e-4), (0.5 - error, 1e-4)];
                shrunk(&means, common, Level::P95).iter().any(|of| of.ranks == [1, 1])
            });
            told.count()
        };
        let (judged, taken_for_apart) = (ahead(-1e-4, &mut random), ahead(0.0, &mut random));
        assert!((15..45).contains(&judged), "{judged}");
        assert!(taken_for_apart > 70, "{taken_for_apart}");
    }

    #[test]
    fn few_are_left_as_they_are() {
        let two = shrunk(&[(0.4, 1e-4), (0.6, 1e-4)], 0.0, Level::P95);
        assert_eq!(two[0].estimate.value, 0.4);
        assert_eq!((two[1].ranks, two[0].ranks), ([1, 1], [2, 2]));
    }

    #[test]
    fn noise_alone_is_drawn_to_the_mean_and_has_no_ranks() {
        let mut random = Seeded::from_seed(3);
        let means: Vec<(f64, f64)> =
            (0..100).map(|_| (0.5 + 0.02 * random.normal(), 4e-4)).collect();
        let shrunk = shrunk(&means, 0.0, Level::P95);
        let spread = |values: &mut dyn Iterator<Item = f64>| {
            let values: Vec<f64> = values.map(|value| (value - 0.5).powi(2)).collect();
            (values.iter().sum::<f64>() / values.len() as f64).sqrt()
        };
        let after = spread(&mut shrunk.iter().map(|one| one.estimate.value));
        assert!(after < 0.5 * spread(&mut means.iter().map(|one| one.0)), "{after}");
        let wide = shrunk.iter().filter(|one| one.ranks[1] - one.ranks[0] > 60).count();
        assert!(wide > 80, "{wide}");
    }

    #[test]
    fn what_is_far_apart_keeps_its_rank() {
        let means: Vec<(f64, f64)> = (0..10).map(|at| (0.1 * f64::from(at), 1e-6)).collect();
        let shrunk = shrunk(&means, 0.0, Level::P95);
        assert!(shrunk.iter().enumerate().all(|(at, one)| one.ranks == [10 - at; 2]));
        assert!((shrunk[9].estimate.value - 0.9).abs() < 1e-4);
    }

    /// Over 400 sets of 50 means, about 95% of the shrunken intervals cover where means spread widely, a little more where they
    /// hardly do, and so do the intervals of ranks.
    #[test]
    fn shrunken_intervals_and_ranks_cover() {
        for (case, spread) in [0.005, 0.02, 0.1].into_iter().enumerate() {
            let (mut covered, mut ranked, mut all) = (0.0, 0.0, 0.0);
            for set in 0..400 {
                let mut random = Seeded::of_battle(40 + case as u64, set);
                let truths: Vec<f64> = (0..50).map(|_| 0.5 + spread * random.normal()).collect();
                let means: Vec<(f64, f64)> = truths
                    .iter()
                    .map(|truth| {
                        let deviation = 0.01 * (1.0 + f64::from(random.below(3)));
                        (truth + deviation * random.normal(), deviation * deviation)
                    })
                    .collect();
                for (one, truth) in shrunk(&means, 0.0, Level::P95).iter().zip(&truths) {
                    let rank = 1 + truths.iter().filter(|other| *other > truth).count();
                    covered += f64::from(u8::from(!one.estimate.excludes(*truth)));
                    ranked += f64::from(u8::from((one.ranks[0]..=one.ranks[1]).contains(&rank)));
                    all += 1.0;
                }
            }
            let (covered, ranked) = (covered / all, ranked / all);
            assert!((0.935..=0.975).contains(&covered), "{spread}: {covered}");
            assert!((0.935..=1.0).contains(&ranked), "{spread}: {ranked}");
        }
    }

    /// Cards that are together in most battles share most of their error: intervals cover nevertheless, and nothing of it is taken
    /// for a difference between cards. With cards of one fixed team all of the error is shared.
    #[test]
    fn what_all_share_is_no_difference_and_is_in_every_interval() {
        for (case, (shared, own, spread)) in
            [(0.02, 0.01, 0.0), (0.02, 0.01, 0.02), (0.02, 0.0, 0.0)].into_iter().enumerate()
        {
            let (mut covered, mut put_apart, mut all) = (0.0, 0.0, 0.0);
            for set in 0..2_000 {
                let mut random = Seeded::of_battle(80 + case as u64, set);
                let error = shared * random.normal();
                let truths: Vec<f64> = (0..6).map(|_| 0.5 + spread * random.normal()).collect();
                let means: Vec<(f64, f64)> = truths
                    .iter()
                    .map(|truth| {
                        (truth + error + own * random.normal(), shared * shared + own * own)
                    })
                    .collect();
                let apart = shrunk(&means, 0.0, Level::P95);
                for ((one, apart), truth) in
                    shrunk(&means, shared * shared, Level::P95).iter().zip(&apart).zip(&truths)
                {
                    covered += f64::from(u8::from(!one.estimate.excludes(*truth)));
                    put_apart += f64::from(u8::from(!apart.estimate.excludes(*truth)));
                    all += 1.0;
                }
            }
            let (covered, put_apart) = (covered / all, put_apart / all);
            assert!((0.94..=0.97).contains(&covered), "{case}: {covered}");
            assert!(
                spread > 0.0 || put_apart < 0.92,
                "{case}: {put_apart} as if nothing were shared"
            );
        }
    }
}
