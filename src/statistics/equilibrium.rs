//! The mixed equilibrium (Nash) of a symmetric zero-sum game.

/// A mixed equilibrium of a symmetric zero-sum game: the shares in which nobody does better by playing anything else
/// more often. `lead(i, j)` is what `i` gains against `j`; it must be the negative of `lead(j, i)`.
///
/// Found by regret matching with running averages (O. Tammelin: "Solving large imperfect information games using
/// CFR+", 2014), which converges; [`exploitability`] measures how far. Shares below one in a thousand are 0. The
/// same game always gives the same answer.
///
/// ```
/// use evens::statistics::equilibrium;
/// // Rock, paper, scissors.
/// let lead = |i: usize, j: usize| [0.0, -1.0, 1.0][(3 + j - i) % 3];
/// let shares = equilibrium(3, lead);
/// assert!(shares.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-3));
/// ```
#[must_use]
pub fn equilibrium(count: usize, lead: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    /// How many leads are looked at at most: large fields are known less closely.
    const LOOKS: usize = 50_000_000;
    let rounds = (LOOKS / (count * count).max(1)).clamp(1_000, 20_000) as u32;
    /// Nearer than a hundredth of a point is near enough.
    const NEAR: f64 = 1e-4;
    let leads: Vec<f64> = (0..count * count).map(|at| lead(at / count, at % count)).collect();
    let lead = |i: usize, j: usize| leads[i * count + j];
    let mut regrets = vec![0.0_f64; count];
    let mut sums = vec![0.0; count];
    let mut shares = vec![1.0 / count as f64; count];
    for round in 1..=rounds {
        let gains: Vec<f64> = gains(&shares, lead);
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
        if round % 500 == 0 && exploitability(&normalised(&sums), lead) < NEAR {
            break;
        }
    }
    let mut found = normalised(&sums);
    found.iter_mut().filter(|share| **share < 1e-3).for_each(|share| *share = 0.0);
    normalised(&found)
}

/// The exploitability: what the best response to these shares gains; 0 in an equilibrium.
#[must_use]
pub fn exploitability(shares: &[f64], lead: impl Fn(usize, usize) -> f64) -> f64 {
    gains(shares, lead).into_iter().fold(f64::NEG_INFINITY, f64::max)
}

fn gains(shares: &[f64], lead: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let gain = |i: usize| shares.iter().enumerate().map(|(j, share)| share * lead(i, j)).sum();
    (0..shares.len()).map(gain).collect()
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
        assert!(shares[0] > 0.999, "{shares:?}");
    }

    /// Rock wins double over scissors: no answer gains against 1/4 rock, 1/2 paper, 1/4 scissors.
    #[test]
    fn uneven_stakes_are_answered_as_worked_by_hand() {
        let stakes = [[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]];
        let shares = equilibrium(3, |i, j| stakes[i][j]);
        for (share, expected) in shares.iter().zip([0.25, 0.5, 0.25]) {
            assert!((share - expected).abs() < 2e-3, "{shares:?}");
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
