//! Mixed Nash equilibria of symmetric zero-sum games.

use nalgebra::{DMatrix, DVector};

use crate::sorting::Sorting;

/// The mixed Nash equilibrium of a symmetric zero-sum game: shares against which no strategy gains. `lead(i, j)` is what
/// `i` gains against `j`; it must be the negative of `lead(j, i)`.
///
/// From the strategies that [`near_equilibrium`] finds, the shares at which none of them gains follow from linear
/// equations (L. S. Shapley and R. N. Snow: "Basic solutions of discrete games", 1950). They are the answer where everybody
/// else loses against them, which then is the only equilibrium; where no such shares are found, as where several mixes hold
/// equally well, it is what was found first, to within a ten-thousandth of the largest lead. The same game always gives the
/// same answer.
///
/// ```
/// use evens::statistics::equilibrium;
/// // Rock, paper, scissors.
/// let lead = |i: usize, j: usize| [0.0, -1.0, 1.0][(3 + j - i) % 3];
/// let shares = equilibrium(3, lead);
/// assert!(shares.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-12));
/// ```
#[must_use]
pub fn equilibrium(count: usize, lead: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let largest = |most: f64, (i, j): (usize, usize)| most.max(lead(i, j).abs());
    let largest = (0..count).flat_map(|i| (0..count).map(move |j| (i, j))).fold(0.0, largest);
    // Leads in a balanced game are small, and as near to the answer as in any other is nearer there.
    let scale = if largest > 0.0 { largest } else { 1.0 };
    let leads = Leads::new(count, |i, j| lead(i, j) / scale);
    let near = of_leads(count, &leads);
    leads.solved_near(&near).unwrap_or(near)
}

/// A mixed Nash equilibrium to within a hundredth of a percentage point of what may be gained against it: for searches,
/// which ask often and in which leads are estimates that soon change.
///
/// Found by regret matching with running averages (O. Tammelin: "Solving large imperfect information games using CFR+",
/// 2014), which converges; [`exploitability`] measures how far. Shares below one in a thousand are set to 0. The same
/// game always gives the same answer.
#[must_use]
pub fn near_equilibrium(count: usize, lead: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    of_leads(count, &Leads::new(count, lead))
}

fn of_leads(count: usize, leads: &Leads) -> Vec<f64> {
    /// About how many leads the iterations evaluate, within limits on their number: large games are solved less closely.
    const LOOKS: usize = 50_000_000;
    let rounds = (LOOKS / (count * count).max(1)).clamp(1_000, 20_000) as u32;
    /// The exploitability at which iteration stops: a hundredth of a percentage point.
    const NEAR: f64 = 1e-4;
    let mut regrets = vec![0.0_f64; count];
    let mut sums = vec![0.0; count];
    let mut shares = vec![1.0 / count as f64; count];
    for round in 1..=rounds {
        let gains = leads.gains(&shares);
        let mean: f64 = gains.iter().zip(&shares).map(|(gain, share)| gain * share).sum();
        for (regret, gain) in regrets.iter_mut().zip(&gains) {
            *regret = (*regret + gain - mean).max(0.0);
        }
        let total: f64 = regrets.iter().sum();
        for (at, share) in shares.iter_mut().enumerate() {
            *share = if total > 0.0 { regrets[at] / total } else { 1.0 / count as f64 };
            // Later iterations weigh more.
            sums[at] += f64::from(round) * *share;
        }
        if round % 500 == 0 && leads.exploitability(&normalised(&sums)) < NEAR {
            break;
        }
    }
    let mut found = normalised(&sums);
    found.iter_mut().filter(|share| **share < 1e-3).for_each(|share| *share = 0.0);
    normalised(&found)
}

/// The exploitability of these shares: what the best response to them gains; 0 in an equilibrium.
#[must_use]
pub fn exploitability(shares: &[f64], lead: impl Fn(usize, usize) -> f64) -> f64 {
    gains(shares, lead).into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// The most even of the mixes whose exploitability is at most `within`. Where many mixes are equally good, it differs
/// from that of [`equilibrium`].
///
/// It is the equilibrium of the game with a reward for entropy, which tends to the equilibrium of maximum entropy as
/// the reward goes to 0: "Nash averaging" (D. Balduzzi, K. Tuyls, J. Perolat and T. Graepel: "Re-evaluating
/// evaluation", 2018); the reward is as large as `within` allows. Found by predictive updates, which converge with such
/// a reward (S. Cen, Y. Wei and Y. Chi: "Fast policy extragradient methods for competitive games with entropy
/// regularization", 2021).
///
/// ```
/// use evens::statistics::most_even_equilibrium;
/// // The second and the third are one and the same.
/// let leads = [[0.0, 0.1, 0.1], [-0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]];
/// let shares = most_even_equilibrium(3, 0.01, |i, j| leads[i][j]);
/// assert!(shares[0] > 0.8 && (shares[1] - shares[2]).abs() < 1e-6);
/// ```
#[must_use]
pub fn most_even_equilibrium(
    count: usize,
    within: f64,
    lead: impl Fn(usize, usize) -> f64,
) -> Vec<f64> {
    /// How often the interval in which the reward is searched for is halved.
    const HALVINGS: usize = 14;
    let leads = Leads::new(count, &lead);
    let even = vec![1.0 / count as f64; count];
    if leads.exploitability(&even) <= within {
        return even;
    }
    let (mut low, mut high) = (1e-4_f64, 10.0_f64);
    let mut best = near_equilibrium(count, lead);
    for _ in 0..HALVINGS {
        let reward = (low * high).sqrt();
        let shares = with_entropy(&leads, reward);
        if leads.exploitability(&shares) <= within {
            (low, best) = (reward, shares);
        } else {
            high = reward;
        }
    }
    best
}

/// The equilibrium with a reward for entropy: each share is proportional to the exponential of its gain divided by the
/// reward.
fn with_entropy(leads: &Leads, reward: f64) -> Vec<f64> {
    const MOST_STEPS: usize = 20_000;
    let count = leads.count;
    let largest = leads.over_each.iter().map(|lead| lead.abs()).fold(0.0, f64::max);
    let step = 0.5 / (reward + largest);
    let mut logs = vec![0.0_f64; count];
    let mut shares = vec![1.0 / count as f64; count];
    // One step from `logs` along the gains against these shares.
    let follow = |logs: &[f64], shares: &[f64]| -> Vec<f64> {
        let gains = leads.gains(shares);
        let moved = logs.iter().zip(gains);
        moved.map(|(log, gain)| (1.0 - step * reward) * log + step * gain).collect()
    };
    for _ in 0..MOST_STEPS {
        // The step uses the gains against the predicted shares, or shares would go round in circles.
        let expected = in_proportion(&follow(&logs, &shares));
        logs = follow(&logs, &expected);
        let next = in_proportion(&logs);
        let moved = shares.iter().zip(&next).map(|(share, next)| (share - next).abs());
        let moved = moved.fold(0.0, f64::max);
        shares = next;
        if moved < 1e-10 {
            break;
        }
    }
    shares
}

/// Shares proportional to the exponentials of `logs`.
fn in_proportion(logs: &[f64]) -> Vec<f64> {
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    normalised(&logs.iter().map(|log| libm::exp(log - highest)).collect::<Vec<_>>())
}

fn gains(shares: &[f64], lead: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let gain = |i: usize| shares.iter().enumerate().map(|(j, share)| share * lead(i, j)).sum();
    (0..shares.len()).map(gain).collect()
}

/// The matrix of leads, column by column: all leads over the first come before those over the second. Gains are then
/// sums of whole columns, which takes a fraction of the time of separate sums and rounds in the same way.
struct Leads {
    count: usize,
    over_each: Vec<f64>,
}

impl Leads {
    fn new(count: usize, lead: impl Fn(usize, usize) -> f64) -> Self {
        let over_each = (0..count * count).map(|at| lead(at % count, at / count)).collect();
        Self { count, over_each }
    }

    fn gains(&self, shares: &[f64]) -> Vec<f64> {
        let mut gains = vec![0.0; self.count];
        for (column, &share) in self.over_each.chunks_exact(self.count.max(1)).zip(shares) {
            if share != 0.0 {
                gains.iter_mut().zip(column).for_each(|(gain, lead)| *gain += share * lead);
            }
        }
        gains
    }

    /// The equilibrium among the strategies that have a share here, or the most frequent of these; None where there is no
    /// single one.
    fn solved_near(&self, shares: &[f64]) -> Option<Vec<f64>> {
        let mut support: Vec<usize> = (0..self.count).filter(|&at| shares[at] > 0.0).collect();
        support.put_in_order_by(|&a, &b| shares[b].total_cmp(&shares[a]));
        while !support.is_empty() {
            // Of an even number of strategies a matrix of leads has no null vector, but for ties.
            if support.len() % 2 == 1
                && let Some(found) = self.balanced(&support)
                && found.iter().all(|&share| share >= 0.0)
                && self.is_only(&found)
            {
                return Some(found);
            }
            support.pop();
        }
        None
    }

    /// Whether nobody gains against these shares, and everybody without a share loses: then nothing else is in equilibrium.
    fn is_only(&self, shares: &[f64]) -> bool {
        /// What may be gained for want of precision.
        const NOTHING: f64 = 1e-9;
        let gains = self.gains(shares);
        let is_fine = |(&gain, &share): (&f64, &f64)| match share > 0.0 {
            true => gain.abs() <= NOTHING,
            false => gain < -NOTHING,
        };
        gains.iter().zip(shares).all(is_fine)
    }

    /// The shares at which none of these strategies gains; negative where there are none such.
    fn balanced(&self, support: &[usize]) -> Option<Vec<f64>> {
        let last = support.len() - 1;
        let lead = |i: usize, j: usize| self.over_each[support[j] * self.count + support[i]];
        // The last equation follows from the others; instead, shares add up to 1.
        let equations = DMatrix::from_fn(support.len(), support.len(), |i, j| {
            if i == last { 1.0 } else { lead(i, j) }
        });
        let mut sums = DVector::zeros(support.len());
        sums[last] = 1.0;
        let solved = equations.lu().solve(&sums)?;
        let mut shares = vec![0.0; self.count];
        support.iter().zip(solved.iter()).for_each(|(&at, &share)| shares[at] = share);
        Some(shares)
    }

    fn exploitability(&self, shares: &[f64]) -> f64 {
        self.gains(shares).into_iter().fold(f64::NEG_INFINITY, f64::max)
    }
}

fn normalised(sums: &[f64]) -> Vec<f64> {
    let total: f64 = sums.iter().sum();
    sums.iter().map(|sum| sum / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn who_beats_everybody_is_all_there_is() {
        let lead = |i: usize, j: usize| (j as f64 - i as f64) / 10.0;
        let shares = equilibrium(4, lead);
        assert_eq!(shares, [1.0, 0.0, 0.0, 0.0]);
        // However little the lead is.
        assert_eq!(equilibrium(3, |i, j| (j as f64 - i as f64) * 1e-4), [1.0, 0.0, 0.0]);
        // Among equals nothing else is told than before.
        assert_eq!(equilibrium(3, |_, _| 0.0), near_equilibrium(3, |_, _| 0.0));
    }

    /// Rock wins double against scissors: nothing gains against 1/4 rock, 1/2 paper, 1/4 scissors.
    #[test]
    fn uneven_stakes_are_answered_as_worked_by_hand() {
        let stakes = [[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]];
        let shares = equilibrium(3, |i, j| stakes[i][j]);
        for (share, expected) in shares.iter().zip([0.25, 0.5, 0.25]) {
            assert!((share - expected).abs() < 1e-12, "{shares:?}");
        }
    }

    /// Rock, paper, scissors and a second rock: any split between the rocks is optimal, and the most even one is half
    /// each.
    #[test]
    fn copies_share_what_one_of_them_would_have() {
        let kind = |at: usize| at % 3;
        let lead = |i: usize, j: usize| [0.0, -1.0, 1.0][(3 + kind(j) - kind(i)) % 3];
        let shares = most_even_equilibrium(4, 1e-3, lead);
        for (share, expected) in shares.iter().zip([1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]) {
            assert!((share - expected).abs() < 2e-3, "{shares:?}");
        }
        // Where nobody leads, all shares are equal.
        let shares = most_even_equilibrium(5, 1e-3, |_, _| 0.0);
        assert_eq!(shares, [0.2; 5]);
    }

    #[test]
    fn most_games_are_solved_exactly() {
        let mut random = crate::chance::Seeded::from_seed(3);
        for largest in [0.3, 0.01, 0.002] {
            let mut solved = 0;
            for _ in 0..40 {
                let entries: Vec<f64> =
                    (0..64).map(|_| largest * (2.0 * random.unit() - 1.0)).collect();
                let lead = |i: usize, j: usize| match i.cmp(&j) {
                    std::cmp::Ordering::Less => entries[8 * i + j],
                    std::cmp::Ordering::Equal => 0.0,
                    std::cmp::Ordering::Greater => -entries[8 * j + i],
                };
                let left = exploitability(&equilibrium(8, lead), lead);
                solved += u32::from(left < 1e-9 * largest);
            }
            assert!(solved >= 37, "{solved} of 40 with leads of up to {largest}");
        }
    }

    proptest! {
        #[test]
        fn nobody_gains_by_leaving_it(
            entries in prop::collection::vec(-0.5..0.5_f64, 45), count in 2..10_usize
        ) {
            let lead = |i: usize, j: usize| match i.cmp(&j) {
                std::cmp::Ordering::Less => entries[j * (j - 1) / 2 + i],
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => -entries[i * (i - 1) / 2 + j],
            };
            let shares = equilibrium(count, lead);
            prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let left = exploitability(&shares, lead);
            prop_assert!(left < 0.005, "{left} {shares:?}");
        }
    }
}
