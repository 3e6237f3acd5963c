//! Stratified estimates: win rates from strata whose probabilities are known exactly.

use super::{Estimate, Level, intervals::wilson};

/// The battles of one stratum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The probability of the stratum. Those of all parts need not add up to 1; only their ratios count.
    pub weight: f64,
    /// Successes in it.
    pub successes: u64,
    /// Battles in it.
    pub trials: u64,
}

/// The probability of success over all strata, each with its own weight: the sum of weight times rate.
///
/// The interval is Wilson's at the effective sample size: the number of unstratified battles that would have the same
/// variance. For the variance (and only for it) rates are smoothed by half a success, because rates of 0 and 1 in small
/// strata are not known that well. [`Estimate::UNKNOWN`] when a stratum that has weight was never played.
#[must_use]
pub fn stratified(parts: impl IntoIterator<Item = Part>, level: Level) -> Estimate {
    let (mut total, mut sum, mut smoothed_sum, mut variance) = (0.0, 0.0, 0.0, 0.0);
    for Part { weight, successes, trials } in parts {
        if weight <= 0.0 {
            continue;
        }
        if trials == 0 {
            return Estimate::UNKNOWN;
        }
        let (successes, trials) = (successes as f64, trials as f64);
        let smoothed = (successes + 0.5) / (trials + 1.0);
        total += weight;
        sum += weight * successes / trials;
        smoothed_sum += weight * smoothed;
        variance += weight * weight * smoothed * (1.0 - smoothed) / trials;
    }
    if total <= 0.0 {
        return Estimate::UNKNOWN;
    }
    let smoothed = smoothed_sum / total;
    let battles = smoothed * (1.0 - smoothed) / (variance / (total * total));
    // Rounding must not carry a sum of weights past 1.
    wilson((sum / total).clamp(0.0, 1.0), battles, level)
}

/// Neyman allocation: how many of `battles` each stratum should get so that [`stratified`] has the smallest variance,
/// in proportion to weight times the standard deviation seen so far (J. Neyman: "On the two different aspects of the
/// representative method", 1934). A stratum with weight gets at least one.
#[must_use]
pub fn neyman(parts: &[Part], battles: u64) -> Vec<u64> {
    let score = |part: &Part| {
        let rate = (part.successes as f64 + 0.5) / (part.trials as f64 + 1.0);
        part.weight.max(0.0) * (rate * (1.0 - rate)).sqrt()
    };
    share_out(&parts.iter().map(score).collect::<Vec<_>>(), battles)
}

/// `battles` in proportion to scores, by largest remainders; whatever has a score gets at least one if there is
/// one for each.
#[must_use]
pub fn share_out(scores: &[f64], battles: u64) -> Vec<u64> {
    let wanted = scores.iter().filter(|&&score| score > 0.0).count() as u64;
    let total: f64 = scores.iter().filter(|&&score| score > 0.0).sum();
    if wanted == 0 {
        return vec![0; scores.len()];
    }
    let least = u64::from(battles >= wanted);
    let free = (battles - least * wanted) as f64;
    let exact = |&score: &f64| if score > 0.0 { free * score / total } else { 0.0 };
    let exact: Vec<f64> = scores.iter().map(exact).collect();
    let mut shares: Vec<u64> = exact
        .iter()
        .zip(scores)
        .map(|(&share, &score)| share as u64 + if score > 0.0 { least } else { 0 })
        .collect();
    let mut order: Vec<usize> = (0..scores.len()).filter(|&at| scores[at] > 0.0).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()).then(a.cmp(&b)));
    let rest = battles - shares.iter().sum::<u64>().min(battles);
    for &at in order.iter().cycle().take(rest as usize) {
        shares[at] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::proportion;
    use proptest::prelude::*;

    fn part(weight: f64, successes: u64, trials: u64) -> Part {
        Part { weight, successes, trials }
    }

    #[test]
    fn one_stratum_is_a_proportion() {
        let whole = stratified([part(0.3, 520, 1000)], Level::P95);
        let plain = proportion(520, 1000, Level::P95);
        assert_eq!(whole.value, plain.value);
        assert!((whole.low - plain.low).abs() < 1e-4 && (whole.high - plain.high).abs() < 1e-4);
    }

    #[test]
    fn weights_decide_and_only_their_ratios_count() {
        let parts = |scale: f64| [part(0.75 * scale, 10, 100), part(0.25 * scale, 90, 100)];
        let estimate = stratified(parts(1.0), Level::P95);
        assert!((estimate.value - 0.3).abs() < 1e-12);
        let scaled = stratified(parts(8.0), Level::P95);
        assert!((scaled.low - estimate.low).abs() < 1e-12);
    }

    /// Variances add: w1^2 p1 q1 / n1 + w2^2 p2 q2 / n2, here with many battles.
    #[test]
    fn the_interval_is_as_wide_as_the_variances_say() {
        let estimate =
            stratified([part(0.5, 300_000, 1_000_000), part(0.5, 70_000, 100_000)], Level::P95);
        let variance: f64 = 0.25 * 0.21 / 1e6 + 0.25 * 0.21 / 1e5;
        let half = 1.959_963_984_540_054 * variance.sqrt();
        assert!((estimate.high - estimate.value - half).abs() < 1e-5, "{estimate:?}");
    }

    #[test]
    fn a_stratum_with_weight_that_was_never_played_leaves_nothing_known() {
        let parts = [part(0.9, 5, 10), part(0.1, 0, 0)];
        assert!(stratified(parts, Level::P95).value.is_nan());
        let without = [part(0.9, 5, 10), part(0.0, 0, 0)];
        assert_eq!(stratified(without, Level::P95).value, 0.5);
        assert!(stratified([], Level::P95).value.is_nan());
    }

    #[test]
    fn all_or_nothing_still_has_an_interval() {
        let never = stratified([part(0.5, 0, 400), part(0.5, 0, 400)], Level::P95);
        assert_eq!((never.value, never.low), (0.0, 0.0));
        assert!(never.high > 0.0 && never.high < 0.03, "{never:?}");
    }

    #[test]
    fn neyman_gives_more_to_what_weighs_more_and_varies_more() {
        let parts = [part(0.5, 500, 1000), part(0.5, 10, 1000), part(0.0, 5, 10)];
        let shares = neyman(&parts, 1000);
        assert_eq!(shares.iter().sum::<u64>(), 1000);
        assert!(shares[0] > 4 * shares[1] && shares[1] > 0 && shares[2] == 0, "{shares:?}");
    }

    proptest! {
        #[test]
        fn shares_add_up(
            scores in prop::collection::vec(0.0..10.0_f64, 1..30),
            battles in 0..100_000_u64
        ) {
            let shares = share_out(&scores, battles);
            let any = scores.iter().any(|&score| score > 0.0);
            prop_assert_eq!(shares.iter().sum::<u64>(), if any { battles } else { 0 });
        }

        /// Splitting the battles of one population into strata at random changes nothing but rounding.
        #[test]
        fn strata_in_their_natural_shares_are_the_whole(
            parts in prop::collection::vec((0..400_u64, 400..1000_u64), 1..8)
        ) {
            let strata = parts.iter().map(|&(won, played)| part(played as f64, won, played));
            let whole = stratified(strata, Level::P95);
            let (won, played) =
                parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
            prop_assert!((whole.value - proportion(won, played, Level::P95).value).abs() < 1e-12);
            prop_assert!(whole.low <= whole.value && whole.value <= whole.high);
        }
    }
}
