//! Shrinkage of many estimates: the best of many is partly the luckiest, so all are drawn towards their common mean.

use super::log_odds::{log_odds, logistic, variance_of_one};
use super::{ClusteredMean, Estimate, Level};
use crate::chance::Seeded;
use crate::sorting::Sorting;

/// How many times ranks are redrawn. Of more than 25 lists at a time that is too few to tell any rank with 95% confidence.
const REDRAWS: usize = 1_000;

/// The smallest share of a variance that counts as an estimate's own.
const LEAST_OWN: f64 = 1e-6;

/// The number of spreads of the true scores in the numerical integration.
const SPREADS: usize = 32;

/// The smallest of these spreads, in standard errors of a typical score, and the largest, in these or in standard
/// deviations of the scores, whichever is larger.
const LEAST_SPREAD: f64 = 0.02;
const MOST_SPREAD: f64 = 10.0;

/// One of many estimates after shrinkage, with its ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shrunk {
    /// The estimate drawn towards the mean of all, with its interval.
    pub estimate: Estimate,
    /// The lowest and highest number of its true rank, from 1 for the highest score: an interval at the same level.
    pub ranks: [usize; 2],
    /// The same interval of ranks, at a level at which those of all lists hold at once: the error rate is shared by as
    /// many lists as were named.
    pub ranks_of_all: [usize; 2],
}

/// Hierarchical estimates of many scores: their log odds are taken to be normal around a common mean (C. N. Morris:
/// "Parametric empirical Bayes inference: theory and applications", 1983), so that no interval reaches beyond 0 or 1,
/// and a score of exactly 0 or 1 is as uncertain as if half a battle had gone otherwise. The spread of the true scores
/// is not fixed at its likeliest value, which is often 0: estimates are averaged over all spreads, each weighted by its
/// likelihood with the common mean integrated out, under a uniform prior on the variance (C. N. Morris and R. Tang:
/// "Estimating random effects via adjustment for density maximization", 2011). The ranks are those of scores redrawn
/// from their joint posterior distribution, always with the same random numbers. Fewer than three scores are left as
/// they are.
///
/// Intervals cover on average over the list. Where a score's own interval excludes the mean of all, the interval after
/// shrinkage contains it, so that a single score that stands out is covered, too.
///
/// `common` is the variance of an error that all values share. It moves none of them against the others, so scores are
/// shrunken and ranked by the rest of their variances, and each interval includes all of `common`. It is negative where
/// one gains what another loses: then differences, and so ranks, vary by more than the variances alone suggest.
///
/// # Panics
/// When a variance is not positive (in debug builds).
#[must_use]
pub fn shrunk(scores: &[ClusteredMean], common: f64, level: Level) -> Vec<Shrunk> {
    shrunk_among(scores, common, level, 1)
}

/// The estimates of [`shrunk`] for one of `lists` lists, among which the error rate of [`Shrunk::ranks_of_all`] is
/// shared.
///
/// # Panics
/// As [`shrunk`].
#[must_use]
pub fn shrunk_among(
    scores: &[ClusteredMean],
    common: f64,
    level: Level,
    lists: u64,
) -> Vec<Shrunk> {
    debug_assert!(scores.iter().all(|of| of.variance > 0.0), "variances are positive");
    let ranks = redrawn_ranks(&own_log_odds(scores, common));
    let cuts = [level, level.shared_by(lists)]
        .map(|level| ((1.0 - level.confidence()) / 2.0 * REDRAWS as f64) as usize);
    let common = common.max(0.0);
    let own = own_log_odds(scores, common);
    let spreads = spreads(&own);
    own.into_iter()
        .zip(ranks)
        .map(|(one, ranks)| {
            let parts = || spreads.iter().map(|of| (of.weight, of.posterior(one)));
            let value: f64 = parts().map(|(weight, (mean, _))| weight * mean).sum();
            let variance: f64 = parts()
                .map(|(weight, (mean, variance))| weight * (variance + (mean - value).powi(2)))
                .sum();
            let shared = common / variance_of_one(logistic(value)).powi(2);
            let around = |value: f64, variance: f64| {
                let half = level.z() * (variance + shared).sqrt();
                Estimate { value, low: value - half, high: value + half }
            };
            let drawn = around(value, variance);
            // A score that stands out may be beyond what the spread of all allows for.
            let (observed, own) = one;
            let centre: f64 = spreads.iter().map(|of| of.weight * of.centre).sum();
            let stands_out = (observed - centre).abs() > level.z() * own.sqrt();
            let drawn = if stands_out { drawn.reaching(&around(observed, own)) } else { drawn };
            let [value, low, high] = [drawn.value, drawn.low, drawn.high].map(logistic);
            // What so few redraws do not reach may be any rank.
            let [alone, of_all] = cuts.map(|cut| match cut {
                0 => [1, scores.len()],
                cut => [ranks[cut], ranks[REDRAWS - 1 - cut]],
            });
            Shrunk { estimate: Estimate { value, low, high }, ranks: alone, ranks_of_all: of_all }
        })
        .collect()
}

/// The log odds of each score, and their variance without the part that scores share.
fn own_log_odds(scores: &[ClusteredMean], common: f64) -> Vec<(f64, f64)> {
    let of = |of: &ClusteredMean| {
        // Half a battle goes otherwise, so that a score of 0 or 1 has finite log odds.
        let end = 0.5 / (of.effective + 1.0);
        let score = of.value.clamp(end, 1.0 - end);
        let own = (of.variance - common).max(LEAST_OWN * of.variance);
        (log_odds(score), own / variance_of_one(score).powi(2))
    };
    scores.iter().map(of).collect()
}

/// One possible spread of the true log odds, and what follows from it.
struct Spread {
    /// Its posterior probability; those of all spreads add up to 1.
    weight: f64,
    variance: f64,
    /// The estimated common mean, and its variance as `error`.
    centre: f64,
    error: f64,
}

impl Spread {
    /// The posterior mean and variance of a true value, given the observed one and its variance.
    fn posterior(&self, (value, variance): (f64, f64)) -> (f64, f64) {
        let pull = variance / (variance + self.variance);
        let drawn = value + pull * (self.centre - value);
        (drawn, variance * (1.0 - pull) + pull * pull * self.error)
    }
}

/// The possible spreads with their weights, for numerical integration over the logarithm of the standard deviation.
fn spreads(values: &[(f64, f64)]) -> Vec<Spread> {
    let count = values.len() as f64;
    if values.len() < 3 {
        return vec![Spread { weight: 1.0, variance: f64::INFINITY, centre: 0.0, error: 0.0 }];
    }
    let mean = values.iter().map(|of| of.0).sum::<f64>() / count;
    let squares: f64 = values.iter().map(|of| (of.0 - mean).powi(2)).sum();
    let typical = (count / values.iter().map(|of| of.1.recip()).sum::<f64>()).sqrt();
    let least = LEAST_SPREAD * typical;
    let most = MOST_SPREAD * typical.max((squares / (count - 1.0)).sqrt());
    let step = libm::log(most / least) / (SPREADS - 1) as f64;
    let mut spreads: Vec<Spread> = (0..SPREADS)
        .map(|at| {
            let variance = (least * libm::exp(step * at as f64)).powi(2);
            let precision = |of: &(f64, f64)| (of.1 + variance).recip();
            let total: f64 = values.iter().map(precision).sum();
            let centre = values.iter().map(|of| precision(of) * of.0).sum::<f64>() / total;
            let of_one = |of: &(f64, f64)| {
                libm::log(precision(of)) - (of.0 - centre).powi(2) * precision(of)
            };
            let likelihood = values.iter().map(of_one).sum::<f64>() - libm::log(total);
            // A step of the logarithm covers a range of variances in proportion to the variance.
            let weight = likelihood / 2.0 + libm::log(variance);
            Spread { weight, variance, centre, error: total.recip() }
        })
        .collect();
    let likeliest = spreads.iter().map(|of| of.weight).fold(f64::NEG_INFINITY, f64::max);
    spreads.iter_mut().for_each(|of| of.weight = libm::exp(of.weight - likeliest));
    let total: f64 = spreads.iter().map(|of| of.weight).sum();
    spreads.iter_mut().for_each(|of| of.weight /= total);
    spreads
}

/// For each value, its ranks in all redraws from the posterior, sorted.
fn redrawn_ranks(values: &[(f64, f64)]) -> Vec<Vec<usize>> {
    let spreads = spreads(values);
    let mut ranks = vec![Vec::with_capacity(REDRAWS); values.len()];
    let mut random = Seeded::from_seed(1);
    let mut drawn: Vec<(f64, usize)> = Vec::with_capacity(values.len());
    for _ in 0..REDRAWS {
        let mut left = random.unit();
        let within = spreads.iter().find(|of| {
            left -= of.weight;
            left < 0.0
        });
        // Rounding may leave a remainder after the last.
        let Some(spread) = within.or(spreads.last()) else { break };
        let centre = spread.centre + spread.error.sqrt() * random.normal();
        let of_spread = Spread { centre, error: 0.0, ..*spread };
        drawn.clear();
        for (at, &of) in values.iter().enumerate() {
            let (mean, variance) = of_spread.posterior(of);
            drawn.push((mean + variance.sqrt() * random.normal(), at));
        }
        drawn.put_in_order_by(|(a, _), (b, _)| b.total_cmp(a));
        for (rank, (_, at)) in drawn.iter().enumerate() {
            ranks[*at].push(rank + 1);
        }
    }
    ranks.iter_mut().for_each(|ranks| ranks.sort_unstable());
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{clustered_mean, proportion};
    use crate::tally::{Clustered, Stratified};

    fn score((value, variance): (f64, f64)) -> ClusteredMean {
        let effective = value * (1.0 - value) / variance;
        ClusteredMean { value, variance, shown: variance, least: 0.0, effective }
    }

    /// Two equal scores, where one gains what the other loses: in one of 20 sets one is said to be ahead.
    #[test]
    fn what_one_gains_another_loses() {
        let mut random = Seeded::from_seed(5);
        let ahead = |common: f64, random: &mut Seeded| {
            let told = (0..600).filter(|_| {
                let error = 0.01 * random.normal();
                let means = [(0.5 + error, 1e-4), (0.5 - error, 1e-4)].map(score);
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
        let two = shrunk(&[(0.4, 1e-4), (0.6, 1e-4)].map(score), 0.0, Level::P95);
        assert!((two[0].estimate.value - 0.4).abs() < 1e-12);
        assert_eq!((two[1].ranks, two[0].ranks), ([1, 1], [2, 2]));
    }

    #[test]
    fn noise_alone_is_drawn_to_the_mean_and_has_no_ranks() {
        let mut random = Seeded::from_seed(3);
        let means: Vec<ClusteredMean> =
            (0..100).map(|_| score((0.5 + 0.02 * random.normal(), 4e-4))).collect();
        let shrunk = shrunk(&means, 0.0, Level::P95);
        let spread = |values: &mut dyn Iterator<Item = f64>| {
            let values: Vec<f64> = values.map(|value| (value - 0.5).powi(2)).collect();
            (values.iter().sum::<f64>() / values.len() as f64).sqrt()
        };
        let after = spread(&mut shrunk.iter().map(|one| one.estimate.value));
        assert!(after < 0.5 * spread(&mut means.iter().map(|one| one.value)), "{after}");
        let wide = shrunk.iter().filter(|one| one.ranks[1] - one.ranks[0] > 60).count();
        assert!(wide > 80, "{wide}");
    }

    #[test]
    fn what_is_far_apart_keeps_its_rank() {
        let means: Vec<ClusteredMean> =
            (0..10).map(|at| score((0.05 + 0.1 * f64::from(at), 1e-6))).collect();
        let shrunk = shrunk(&means, 0.0, Level::P95);
        assert!(shrunk.iter().enumerate().all(|(at, one)| one.ranks == [10 - at; 2]));
        assert!((shrunk[9].estimate.value - 0.95).abs() < 1e-4);
    }

    /// Redraws are too few to share an error rate among more than 25 lists: then no rank is told for all of them, and not
    /// the highest and lowest redraw, which would miss in one of 500 cards.
    #[test]
    fn ranks_among_many_lists_are_not_told_by_too_few_redraws() {
        let means: Vec<ClusteredMean> =
            (0..10).map(|at| score((0.05 + 0.1 * f64::from(at), 1e-6))).collect();
        let of_all = |lists: u64| shrunk_among(&means, 0.0, Level::P95, lists)[9];
        assert_eq!((of_all(25).ranks, of_all(25).ranks_of_all), ([1, 1], [1, 1]));
        assert_eq!((of_all(26).ranks, of_all(26).ranks_of_all), ([1, 1], [1, 10]));
    }

    /// One of twenty is far above all others, which are alike.
    #[test]
    fn what_stands_out_alone_is_within_its_interval() {
        let (mut held, mut told) = (0, 0);
        for set in 0..1_000 {
            let mut random = Seeded::of_battle(50, set);
            let truths: Vec<f64> = (0..20).map(|at| if at == 7 { 0.6 } else { 0.5 }).collect();
            let means: Vec<ClusteredMean> =
                truths.iter().map(|truth| score((truth + 0.02 * random.normal(), 4e-4))).collect();
            let found = shrunk(&means, 0.0, Level::P95);
            let others = || found.iter().enumerate().filter(|(at, _)| *at != 7);
            if others().all(|(_, other)| other.estimate.value < found[7].estimate.value) {
                told += 1;
                held += u32::from(!found[7].estimate.excludes(truths[7]));
            }
        }
        println!("{held} of {told}");
        assert!(told > 300, "{told}");
        assert!(f64::from(held) > 0.93 * f64::from(told), "{held} of {told}");
    }

    /// Over 400 sets of 50 means, about 95% of the shrunken intervals cover where means spread widely, 99% where they
    /// hardly do, and the intervals of ranks cover as often or more.
    #[test]
    fn shrunken_intervals_and_ranks_cover() {
        for (case, (spread, most)) in
            [(0.005, 0.992), (0.02, 0.975), (0.1, 0.975)].into_iter().enumerate()
        {
            let (mut covered, mut ranked, mut all) = (0.0, 0.0, 0.0);
            for set in 0..400 {
                let mut random = Seeded::of_battle(40 + case as u64, set);
                let truths: Vec<f64> = (0..50).map(|_| 0.5 + spread * random.normal()).collect();
                let means: Vec<ClusteredMean> = truths
                    .iter()
                    .map(|truth| {
                        let deviation = 0.01 * (1.0 + f64::from(random.below(3)));
                        score((truth + deviation * random.normal(), deviation * deviation))
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
            assert!((0.935..=most).contains(&covered), "{spread}: {covered}");
            assert!((0.935..=1.0).contains(&ranked), "{spread}: {ranked}");
        }
    }

    /// Cards that are together in most battles share most of their error: intervals cover nevertheless, and none of the
    /// shared error is taken for a difference between cards. With cards of one fixed team all of the error is shared.
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
                let means: Vec<ClusteredMean> = truths
                    .iter()
                    .map(|truth| {
                        let value = truth + error + own * random.normal();
                        score((value, shared * shared + own * own))
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

    /// The true and the observed scores of cards that were in 200 to 600 battles, given the number of cards, the centre
    /// of their scores and the spread of their log odds.
    fn world(
        random: &mut Seeded,
        (cards, centre, spread): (usize, f64, f64),
    ) -> Vec<(f64, ClusteredMean)> {
        let of_card = |random: &mut Seeded| {
            let truth = logistic(log_odds(centre) + spread * random.normal());
            let battles = 200 + u64::from(random.below(400));
            let won = (0..battles).filter(|_| random.unit() < truth).count() as u64;
            let fared = Clustered {
                times: battles,
                points: 2 * won,
                times_squared: battles,
                times_by_points: 2 * won,
                points_squared: 4 * won,
            };
            (truth, clustered_mean(&[Stratified { battles, fared }], 2).expect("it was there"))
        };
        (0..cards).map(|_| of_card(random)).collect()
    }

    /// Over 300 sets each of 3, 6 and 20 cards, at 50%, 5%, 1% and 99% and with a spread of nothing, little or much, no
    /// fewer than 94% of the intervals hold the true score, 92% at 1% and 99%; with the likeliest spread, on the scale
    /// of scores, 79% did. Where cards are all alike intervals hold it more often, and are shorter thanks to shrinkage.
    #[test]
    fn scores_cover_wherever_they_are_and_however_they_spread() {
        for cards in [3, 6, 20] {
            for centre in [0.5, 0.05, 0.01, 0.99] {
                for (case, spread) in [0.0, 0.05, 0.15, 0.4, 1.0].into_iter().enumerate() {
                    let (mut covered, mut all, mut width, mut plain) = (0.0, 0.0, 0.0, 0.0);
                    for set in 0..300 {
                        let mut random = Seeded::of_battle(60 + case as u64, set);
                        let world = world(&mut random, (cards, centre, spread));
                        let scores: Vec<ClusteredMean> = world.iter().map(|of| of.1).collect();
                        for (one, (truth, score)) in
                            shrunk(&scores, 0.0, Level::P95).iter().zip(&world)
                        {
                            let Estimate { value, low, high } = one.estimate;
                            assert!(0.0 < low && low <= value && value <= high && high < 1.0);
                            covered += f64::from(u8::from(!one.estimate.excludes(*truth)));
                            all += 1.0;
                            width += high - low;
                            let played = score.effective.round() as u64;
                            let won = (score.value * played as f64).round() as u64;
                            let alone = proportion(won, played, Level::P95);
                            plain += alone.high - alone.low;
                        }
                    }
                    let covered = covered / all;
                    println!("{cards} at {centre}, {spread}: {covered:.3}, {:.2}", width / plain);
                    let least = if (0.02..0.98).contains(&centre) { 0.938 } else { 0.92 };
                    assert!(covered >= least, "{cards} at {centre}, {spread}: {covered}");
                    assert!(spread > 0.0 || cards < 20 || width < 0.75 * plain, "{width} {plain}");
                }
            }
        }
    }

    /// Sets whose scores happen to lie close together are those for which a likeliest spread of 0 would mislead most:
    /// of the fifth of 2,000 sets that spread least, nine intervals in ten still hold.
    #[test]
    fn scores_that_happened_to_be_close_cover() {
        let mut sets: Vec<(f64, f64)> = (0..2_000)
            .map(|set| {
                let mut random = Seeded::of_battle(70, set);
                let world = world(&mut random, (6, 0.5, 0.15));
                let scores: Vec<ClusteredMean> = world.iter().map(|of| of.1).collect();
                let mean = scores.iter().map(|of| of.value).sum::<f64>() / 6.0;
                let squares = scores.iter().map(|of| (of.value - mean).powi(2)).sum();
                let shrunk = shrunk(&scores, 0.0, Level::P95);
                let covers =
                    shrunk.iter().zip(&world).filter(|(of, (t, _))| !of.estimate.excludes(*t));
                (squares, covers.count() as f64 / 6.0)
            })
            .collect();
        sets.put_in_order_by(|a, b| a.0.total_cmp(&b.0));
        let closest = sets[..400].iter().map(|of| of.1).sum::<f64>() / 400.0;
        println!("{closest:.3}");
        assert!(closest > 0.9, "{closest}");
    }
}
