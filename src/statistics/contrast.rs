//! Linear contrasts of scores under several conditions, under all of which the same battles were played.

use super::{Comparison, Estimate, Level, two_sided};

/// The counts of one subject (a side or a card) under `N` conditions: its appearances and points, with their cross
/// products over the battles.
///
/// A side of a match-up takes part once in every battle. A card whose team is drawn takes part in some battles, in some
/// on both sides, and not in the same ones under every condition. Sums of products over the battles give the
/// covariances of these numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint<const N: usize> {
    /// How often it took part under each condition.
    pub played: [u64; N],
    /// Its points in these battles: `most` for a win.
    pub points: [u64; N],
    /// The points of a win.
    pub most: u32,
    /// The sum over battles of appearances under one condition times appearances under another.
    pub played_played: [[u64; N]; N],
    /// The sum over battles of points under the first condition times appearances under the second.
    pub points_played: [[u64; N]; N],
    /// The sum over battles of points under one condition times points under another.
    pub points_points: [[u64; N]; N],
}

/// The counts of one subject in one match-up, whose number of battles was fixed by design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointPart<const N: usize> {
    /// How many battles, each played under all conditions.
    pub battles: u64,
    /// How often it took part in them under each condition.
    pub played: [u64; N],
    /// Its points in them under each condition.
    pub points: [u64; N],
}

impl<const N: usize> Joint<N> {
    fn rates(&self) -> [f64; N] {
        let most = f64::from(self.most);
        std::array::from_fn(|at| self.points[at] as f64 / (most * self.played[at] as f64))
    }

    /// The sums of products as floating-point numbers, points as shares of a win.
    fn products(&self) -> Products<N> {
        let most = f64::from(self.most);
        let floats = |sums: &[[u64; N]; N]| sums.map(|row| row.map(|sum| sum as f64));
        Products {
            most,
            played_played: floats(&self.played_played),
            points_played: floats(&self.points_played),
            scores_scores: floats(&self.points_points)
                .map(|row| row.map(|sum| sum / (most * most))),
        }
    }
}

/// The sums of products of a [`Joint`], converted once for many residuals.
struct Products<const N: usize> {
    most: f64,
    played_played: [[f64; N]; N],
    points_played: [[f64; N]; N],
    scores_scores: [[f64; N]; N],
}

impl<const N: usize> Products<N> {
    /// The sum over battles of the residual from these rates under condition `i`, times the residual under `j`.
    fn of_residuals(&self, rates: &[f64; N], i: usize, j: usize) -> f64 {
        self.scores_scores[i][j]
            - rates[j] * self.points_played[i][j] / self.most
            - rates[i] * self.points_played[j][i] / self.most
            + rates[i] * rates[j] * self.played_played[i][j]
    }
}

/// A contrast: the sum of coefficients times scores, such as the score under one condition less that under another.
///
/// Coefficients add up to 0. The variance is estimated over battles, each with all conditions together: a ratio of two
/// counts is linearised (the delta method; W. G. Cochran: "Sampling techniques", 1977, section 6.4). One pseudo-battle
/// that may have gone either way is added, as in [`paired`](super::paired), to which this reduces for two conditions
/// under which it takes part once in every battle. The interval reaches at least as far as battles that were not seen may
/// move the contrast (C. J. Clopper and E. S. Pearson, 1934, where none does). The p-value is that of the score test: its variance is taken at the
/// rates nearest to the observed ones, weighted by how often it took part, for which the contrast is 0; for two rates
/// that is the pooled rate. [`Comparison::UNKNOWN`] where it took part less than twice under a condition.
///
/// Differences between match-ups are not due to chance, and are left out of the variance if `parts` are given (section
/// 6.11), unless match-ups have, on average, fewer than two battles each in which it took part.
#[must_use]
pub fn contrast<const N: usize>(
    joint: &Joint<N>,
    parts: &[JointPart<N>],
    coefficients: [f64; N],
    level: Level,
) -> Comparison {
    let least = joint.played.into_iter().min().unwrap_or(0);
    if least < 2 {
        return Comparison::UNKNOWN;
    }
    let rates = joint.rates();
    let per_play: [f64; N] = std::array::from_fn(|at| coefficients[at] / joint.played[at] as f64);
    let products = joint.products();
    let term = |rates: &[f64; N], i: usize, j: usize| {
        per_play[i] * per_play[j] * products.of_residuals(rates, i, j)
    };
    let (parts, freedom) = strata(joint, parts, least);
    // The sum over match-ups of the squared sum of residuals under these conditions, per battle.
    let between = |rates: &[f64; N], of: std::ops::Range<usize>| -> f64 {
        let squared = |part: &JointPart<N>| {
            let beyond = |at: usize| {
                let points = part.points[at] as f64 / f64::from(joint.most);
                per_play[at] * (points - rates[at] * part.played[at] as f64)
            };
            of.clone().map(beyond).sum::<f64>().powi(2) / part.battles.max(1) as f64
        };
        parts.iter().map(squared).sum()
    };
    let whole = |rates: &[f64; N]| -> f64 {
        let all = (0..N).flat_map(|i| (0..N).map(move |j| (i, j)));
        all.map(|(i, j)| term(rates, i, j)).sum::<f64>() - between(rates, 0..N)
    };
    let one_less = least as f64 / freedom;
    let either_way = (per_play.iter().map(|share| share.abs()).sum::<f64>() / 2.0).powi(2);
    let seen = whole(&rates).max(0.0);
    let variance = seen * one_less + either_way;
    let alone = |at: usize| term(&rates, at, at) - between(&rates, at..at + 1);
    let separate = (0..N).map(alone).sum::<f64>() * one_less + either_way;

    let value: f64 = coefficients.iter().zip(&rates).map(|(share, rate)| share * rate).sum();
    let scale: f64 = coefficients.iter().zip(&per_play).map(|(share, per)| share * per).sum();
    let without: [f64; N] = std::array::from_fn(|at| rates[at] - value * per_play[at] / scale);
    let error = (variance + (whole(&without) - seen).max(0.0)).sqrt();
    let half = level.z() * variance.sqrt();
    let most = coefficients.iter().map(|share| share.abs()).sum::<f64>() / 2.0;
    let around = Estimate { value, low: value - half, high: value + half };
    // However alike the battles were, as large a share of all may go otherwise as can be without that being seen.
    let battles =
        (0..N).map(|at| (joint.played[at] as f64).powi(2) / joint.played_played[at][at] as f64);
    let battles = battles.fold(f64::INFINITY, f64::min);
    let unseen = 1.0 - libm::pow((1.0 - level.confidence()) / 2.0, 1.0 / battles);
    let (low, high) = (value - unseen * (most + value), value + unseen * (most - value));
    Comparison {
        difference: around.reaching(&Estimate { value, low, high }).within(-most, most),
        p_value: two_sided(value / error),
        variance_ratio: separate / variance,
    }
}

/// The match-ups whose differences are left out of the variance (none if they are too small), and the degrees of
/// freedom of the variance: a match-up's mean takes one if the subject appears in all its battles, and hardly any if it
/// appears in few.
fn strata<'p, const N: usize>(
    joint: &Joint<N>,
    parts: &'p [JointPart<N>],
    least: u64,
) -> (&'p [JointPart<N>], f64) {
    let rarest = (0..N).min_by_key(|&at| joint.played[at]).unwrap_or(0);
    let taken = parts.iter().map(|part| {
        let played = part.played[rarest] as f64;
        (played / part.battles.max(1) as f64).min(1.0) * (1.0 - played / least as f64)
    });
    let one_less = (least - 1) as f64;
    match one_less - taken.sum::<f64>() {
        freedom if freedom >= one_less / 2.0 => (parts, freedom),
        _ => (&[], one_less),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;
    use crate::statistics::{Pair, difference, paired};

    /// Battle by battle, (appearances, wins) under each condition.
    fn joint<const N: usize>(battles: &[[(u64, u64); N]]) -> Joint<N> {
        let mut joint = Joint {
            played: [0; N],
            points: [0; N],
            most: 1,
            played_played: [[0; N]; N],
            points_played: [[0; N]; N],
            points_points: [[0; N]; N],
        };
        for battle in battles {
            for (i, &(played, won)) in battle.iter().enumerate() {
                joint.played[i] += played;
                joint.points[i] += won;
                for (j, &(other_played, other_won)) in battle.iter().enumerate() {
                    joint.played_played[i][j] += played * other_played;
                    joint.points_played[i][j] += won * other_played;
                    joint.points_points[i][j] += won * other_won;
                }
            }
        }
        joint
    }

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found} is not {expected}");
    }

    #[test]
    fn two_conditions_of_every_battle_are_a_paired_difference() {
        let mut battles = vec![[(1, 1), (1, 1)]; 40];
        battles.extend(vec![[(1, 1), (1, 0)]; 10]);
        battles.extend(vec![[(1, 0), (1, 1)]; 25]);
        battles.extend(vec![[(1, 0), (1, 0)]; 25]);
        let found = contrast(&joint(&battles), &[], [-1.0, 1.0], Level::P95);
        let pair = Pair { weights: [1.0; 2], battles: 100, wins: [50, 65], both: 40 };
        let expected = paired([pair], Level::P95);
        close(found.difference.value, 0.15, 1e-12);
        let variance = (35.0 / 100.0 - 0.15 * 0.15) / 99.0 + 1e-4;
        close(found.difference.low, 0.15 - Level::P95.z() * f64::sqrt(variance), 1e-12);
        close(found.difference.high, 0.15 + Level::P95.z() * f64::sqrt(variance), 1e-12);
        close(found.p_value, expected.p_value, 1e-12);
        close(found.variance_ratio, expected.variance_ratio, 1e-12);
    }

    /// A subject that never takes part in the same battle under both conditions has independent rates: the interval is
    /// that of two proportions, and the test is K. Pearson's.
    #[test]
    fn appearances_in_different_battles_are_two_samples() {
        let mut battles = Vec::new();
        for (count, battle) in [
            (300, [(1, 1), (0, 0)]),
            (700, [(1, 0), (0, 0)]),
            (200, [(0, 0), (1, 1)]),
            (300, [(0, 0), (1, 0)]),
            (50, [(0, 0), (0, 0)]),
        ] {
            battles.extend(vec![battle; count]);
        }
        let found = contrast(&joint(&battles), &[], [-1.0, 1.0], Level::P95);
        let expected = difference((200, 500), (300, 1000), Level::P95);
        close(found.difference.low, expected.low, 1e-3);
        close(found.difference.high, expected.high, 1e-3);
        close(found.variance_ratio, 1.0, 1e-12);
        let pooled: f64 = 1.0 / 3.0 * 2.0 / 3.0 * (1.0 / 500.0 + 1.0 / 1000.0);
        close(found.p_value, two_sided(0.1 / pooled.sqrt()), 1e-4);
    }

    #[test]
    fn an_interaction_is_judged_battle_by_battle() {
        // x_AB - x_A - x_B + x_0 is 1, -1 and 0 in 30, 10 and 60 battles.
        let once = |wins: [u64; 4]| wins.map(|won| (1, won));
        let mut battles = vec![once([0, 0, 0, 1]); 30];
        battles.extend(vec![once([0, 1, 1, 1]); 10]);
        battles.extend(vec![once([1, 1, 0, 0]); 60]);
        let found = contrast(&joint(&battles), &[], [1.0, -1.0, -1.0, 1.0], Level::P95);
        close(found.difference.value, 0.2, 1e-12);
        let variance: f64 = (0.4 - 0.04) / 99.0 + 4e-4;
        close(found.difference.high, 0.2 + Level::P95.z() * variance.sqrt(), 1e-12);
        close(found.p_value, two_sided(0.2 / (variance + 0.04 / 100.0).sqrt()), 1e-12);
    }

    #[test]
    fn what_took_part_less_than_twice_is_not_known() {
        let battles = vec![[(1, 1), (0, 0)], [(1, 0), (1, 1)]];
        assert!(contrast(&joint(&battles), &[], [-1.0, 1.0], Level::P95).p_value.is_nan());
    }

    /// A card that comes to 0, 1 or 2 sides, more often under one condition: 95 of 100 intervals cover the difference,
    /// and without one at most 5 of 100 tests see one.
    #[test]
    fn intervals_of_drawn_cards_hold_the_truth_and_tests_their_level() {
        const REPEATS: u32 = 2_000;
        let mut random = Seeded::from_seed(12);
        for effect in [0.0, 0.15] {
            let (mut held, mut alarms) = (0, 0);
            for _ in 0..REPEATS {
                let mut battle = || {
                    let (draw, fight) = (random.unit(), random.unit());
                    // When both sides have the card, one of its two appearances wins, except in draws.
                    let under = |share: f64, rate: f64| match draw {
                        draw if draw < share * share => (2, u64::from(fight < 0.98)),
                        draw if draw < share => (1, u64::from(fight < rate)),
                        _ => (0, 0),
                    };
                    [under(0.3, 0.49), under(0.45, 0.49 + effect)]
                };
                let battles: Vec<_> = (0..600).map(|_| battle()).collect();
                let found = contrast(&joint(&battles), &[], [-1.0, 1.0], Level::P95);
                // Of the appearances at 0.45, 0.405 of 0.6525 are with the other side.
                let truth = effect * (0.45 - 0.2025) / (0.45 + 0.2025);
                held += u32::from(!found.difference.excludes(truth));
                alarms += u32::from(found.p_value < 0.05);
            }
            let share = |count: u32| f64::from(count) / f64::from(REPEATS);
            assert!((0.935..0.965).contains(&share(held)), "{}", share(held));
            if effect == 0.0 {
                assert!(share(alarms) < 0.065, "{}", share(alarms));
            }
        }
    }
    /// A card that is in all battles of four match-ups, with a different effect in each: 94% to 96% of 4,000 intervals
    /// cover. With differences between match-ups counted as variance, over 97% do.
    #[test]
    fn what_differs_between_match_ups_is_no_chance() {
        const RATES: [[f64; 2]; 4] = [[0.1, 0.9], [0.9, 0.1], [0.2, 0.9], [0.9, 0.3]];
        let truth: f64 = RATES.iter().map(|[before, after]| (after - before) / 4.0).sum();
        let (mut covered, mut together) = (0, 0);
        for run in 0..4_000 {
            let mut random = Seeded::of_battle(13, run);
            let (mut battles, mut parts) = (Vec::new(), Vec::new());
            for rates in RATES {
                let mut part = JointPart { battles: 50, played: [50; 2], points: [0; 2] };
                for _ in 0..50 {
                    let fight = random.unit();
                    let won = rates.map(|rate| u64::from(fight < rate));
                    battles.push(won.map(|won| (1, won)));
                    part.points = [part.points[0] + won[0], part.points[1] + won[1]];
                }
                parts.push(part);
            }
            let all = joint(&battles);
            let of = |parts: &[_]| contrast(&all, parts, [-1.0, 1.0], Level::P95).difference;
            covered += u32::from(!of(&parts).excludes(truth));
            together += u32::from(!of(&[]).excludes(truth));
        }
        assert!((3_760..=3_845).contains(&covered), "{covered} of 4000");
        assert!(together > 3_880, "{together} of 4000");
    }

    /// Where chance alone decides who wins under either condition, a few battles all go the same way now and then.
    #[test]
    fn a_few_battles_that_all_go_one_way_show_nothing() {
        for (battles, excludes) in [(2, false), (3, false), (4, false), (5, false), (6, true)] {
            let all = vec![[(1, 0), (1, 1)]; battles];
            let found = contrast(&joint(&all), &[], [-1.0, 1.0], Level::P95).difference;
            assert_eq!(found.value, 1.0);
            // Two-sided: all of them go one way, or all the other.
            let by_chance = 2.0_f64.powi(1 - battles as i32);
            assert_eq!(found.low > 0.0, by_chance < 0.05, "{battles}: {found:?}");
            assert_eq!(found.low > 0.0, excludes, "{battles}: {found:?}");
        }
        // Several appearances in one battle are no more battles.
        let twice = vec![[(2, 0), (2, 2)]; 3];
        let found = contrast(&joint(&twice), &[], [-1.0, 1.0], Level::P95).difference;
        assert!(found.low < 0.0, "{found:?}");
        // None of very many goes otherwise: at most 3.7 in as many may.
        let none = vec![[(1, 1), (1, 1)]; 1_000];
        let found = contrast(&joint(&none), &[], [-1.0, 1.0], Level::P95).difference;
        assert!((found.high - 0.003_68).abs() < 1e-4 && found.low == -found.high, "{found:?}");
    }
}
