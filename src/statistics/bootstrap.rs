//! The parametric bootstrap (B. Efron: "Bootstrap methods: another look at the
//! jackknife", 1979).

use crate::chance::Seeded;
use crate::tally::Tally;

/// A bootstrap replicate of a tally: in every stratum the outcomes are redrawn at the observed rates. All battles that
/// nobody wins become draws. Units, lengths, metrics and orders stay as they are.
#[must_use]
pub fn redrawn(tally: &Tally, random: &mut Seeded) -> Tally {
    let mut tally = tally.clone();
    tally.strata.change_met(|count| {
        // Each side in turn wins its share of the battles that earlier sides did not win: together a multinomial draw.
        let (mut left, mut expected) = (count.battles, count.battles as f64);
        for won in &mut count.wins {
            let seen = *won as f64;
            // If all remaining battles were won by this side, and another has won some, it wins the rest: no draws
            // appear where there were none.
            let rest_is_its = seen >= expected && left < count.battles;
            *won = if rest_is_its { left } else { binomial(left, seen, expected, random) };
            left -= *won;
            expected -= seen;
        }
        (count.draws, count.undecided) = (left, 0);
    });
    tally
}

/// A binomial draw of `trials` at the rate of `successes` in `seen`, by the normal approximation. Smoothing by half a
/// success keeps observed rates of 0 and 1 uncertain; without trials or observations it is 0.
fn binomial(trials: u64, successes: f64, seen: f64, random: &mut Seeded) -> u64 {
    if trials == 0 || seen <= 0.0 {
        return 0;
    }
    let rate = (successes + 0.5) / (seen + 1.0);
    let n = trials as f64;
    (n * rate + random.normal() * (n * rate * (1.0 - rate)).sqrt()).round().clamp(0.0, n) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::fixture::{duel, tally, three_sides};

    /// Mean and variance over many redraws of every side's wins in a stratum are those of a multinomial.
    #[test]
    fn wins_scatter_as_a_multinomial() {
        for layout in [duel(), three_sides()] {
            let seen = tally(&layout, 4_000);
            let mut random = Seeded::from_seed(1);
            let redraws: Vec<Tally> = (0..2_000).map(|_| redrawn(&seen, &mut random)).collect();
            let count = &seen.strata[0];
            let n = count.battles as f64;
            let of = |side: usize| redraws.iter().map(move |of| of.strata[0].wins[side] as f64);
            for side in 0..layout.sides {
                let rate = count.wins[side] as f64 / n;
                let mean = of(side).sum::<f64>() / 2_000.0;
                let variance = of(side).map(|won| (won - mean).powi(2)).sum::<f64>() / 1_999.0;
                let expected = n * rate * (1.0 - rate);
                assert!((mean - n * rate).abs() < 5.0 * (expected / 2_000.0).sqrt() + 1.0);
                assert!((variance / expected - 1.0).abs() < 0.15, "{variance} {expected}");
            }
            // Two sides compete for the same battles, so their wins covary negatively.
            let [p, q] = [0, 1].map(|side| count.wins[side] as f64 / n);
            let [a, b] = [0, 1].map(|side| of(side).sum::<f64>() / 2_000.0);
            let covariance =
                of(0).zip(of(1)).map(|(x, y)| (x - a) * (y - b)).sum::<f64>() / 1_999.0;
            assert!((covariance / (-n * p * q) - 1.0).abs() < 0.2, "{covariance}");
        }
    }

    #[test]
    fn nobody_wins_more_than_was_played() {
        let layout = three_sides();
        let mut random = Seeded::from_seed(2);
        for battles in [1, 2, 5, 40] {
            let seen = tally(&layout, battles);
            for _ in 0..200 {
                let again = redrawn(&seen, &mut random);
                for (count, before) in again.strata.iter().zip(seen.strata.iter()) {
                    assert_eq!(count.battles, before.battles);
                    assert!(count.wins.iter().sum::<u64>() <= count.battles);
                }
            }
        }
    }
}
