//! Stratified estimates: scores from strata whose probabilities are known exactly.

use super::{Estimate, Level, Sample, intervals::wilson, score_sample};
use crate::sorting::Sorting;
use crate::tally::{OutcomeMeasure, Results};

/// The counts of one stratum's battles, each won or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The probability of the stratum. The weights of all parts need not add up to 1; only their ratios matter.
    pub weight: f64,
    /// The number of battles won.
    pub successes: u64,
    /// The number of battles.
    pub trials: u64,
}

/// The points of one stratum's battles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScorePart {
    /// The probability of the stratum. The weights of all parts need not add up to 1; only their ratios matter.
    pub weight: f64,
    /// The points of its battles, each between 0 and `most`.
    pub sample: Sample,
    /// The largest number of points of a battle.
    pub most: u32,
}

impl From<Part> for ScorePart {
    fn from(part: Part) -> Self {
        let sample = Sample::of_trials(part.successes, part.trials);
        Self { weight: part.weight, sample, most: 1 }
    }
}

impl ScorePart {
    /// A stratum's results, as counted by a measure.
    #[must_use]
    pub fn of_results(weight: f64, results: Results, measure: OutcomeMeasure) -> Self {
        Self { weight, sample: score_sample(results, measure), most: results.sides }
    }

    /// The number of battles, and the sums of their scores and of the squared scores, scaled to 0 to 1.
    fn moments(&self) -> (f64, f64, f64) {
        let most = f64::from(self.most);
        let Sample { count, sum, squares } = self.sample;
        (count as f64, sum as f64 / most, squares as f64 / (most * most))
    }

    /// The smoothed mean of its battles, and the variance of their mean.
    fn mean_and_variance(&self, more: f64) -> (f64, f64) {
        let (n, sum, squares) = self.moments();
        (smoothed(n, sum, squares, more).0, variance_of_mean(n, sum, squares, more))
    }
}

/// The number of successes, and of failures, added to smooth each of several strata; a single stratum, whose interval
/// is Wilson's, gets half as many.
pub(super) const SMOOTHED_BY: f64 = 1.0;

/// The mean and the variance of a battle's score (0 to 1), from `n` battles with this sum and sum of squares plus
/// `more` successes and `more` failures.
fn smoothed(n: f64, sum: f64, squares: f64, more: f64) -> (f64, f64) {
    let mean = (sum + more) / (n + 2.0 * more);
    (mean, ((squares + more) / (n + 2.0 * more) - mean * mean).max(0.0))
}

/// The variance of the mean of a stratum's battles: the unbiased one, with n - 1; but not less than that of smoothed
/// battles, because battles that all ended alike so far need not always do so.
pub(super) fn variance_of_mean(n: f64, sum: f64, squares: f64, more: f64) -> f64 {
    let mean = sum / n;
    let unbiased = if n > 1.0 { (squares / n - mean * mean).max(0.0) / (n - 1.0) } else { 0.0 };
    unbiased.max(smoothed(n, sum, squares, more).1 / n)
}

/// The degrees of freedom, rounded down, of a sum of variances, each given with the number of battles that it comes
/// from (F. E. Satterthwaite: "An approximate distribution of estimates of variance components", 1946). One battle
/// alone counts as two.
pub(super) fn freedom(variances: impl IntoIterator<Item = (f64, f64)>) -> u64 {
    let (mut sum, mut shares) = (0.0, 0.0);
    for (variance, battles) in variances {
        sum += variance;
        shares += variance * variance / (battles - 1.0).max(1.0);
    }
    // Without variance the number of degrees does not matter.
    if shares > 0.0 { (sum * sum / shares).floor().max(1.0) as u64 } else { 1 }
}

/// The stratified estimate of a score (or a win rate): the sum over strata of weight times rate.
///
/// The interval is Wilson's at the effective sample size, the number of unstratified battles that would have the same
/// variance. With several strata it uses Student's quantile instead of the normal one: where few battles have much of
/// the weight, their variance is not known well. A stratum's variance is the unbiased one, or that of all battles if it
/// has a single battle, but not less than with one success and one failure added. [`Estimate::UNKNOWN`] when a stratum
/// that has weight was never played.
#[must_use]
pub fn stratified<P: Into<ScorePart>>(
    parts: impl IntoIterator<Item = P>,
    level: Level,
) -> Estimate {
    let parts = parts.into_iter().map(Into::into);
    let parts: Vec<ScorePart> = parts.filter(|part| part.weight > 0.0).collect();
    if parts.is_empty() || parts.iter().any(|part| part.sample.count == 0) {
        return Estimate::UNKNOWN;
    }
    let total: f64 = parts.iter().map(|part| part.weight).sum();
    let is_alone = parts.len() == 1;
    let more = if is_alone { SMOOTHED_BY / 2.0 } else { SMOOTHED_BY };
    let (mut value, mut centre) = (0.0, 0.0);
    for part in &parts {
        let (n, sum, _) = part.moments();
        value += part.weight / total * sum / n;
        centre += part.weight / total * part.mean_and_variance(more).0;
    }
    let spread_of_all = centre * (1.0 - centre);
    let variances = parts.iter().map(|part| {
        let of_single = if part.sample.count == 1 { spread_of_all } else { 0.0 };
        let weight = part.weight / total;
        let variance = part.mean_and_variance(more).1.max(of_single);
        (weight * weight * variance, part.sample.count as f64)
    });
    let level = if is_alone { level } else { level.with_freedom(freedom(variances.clone())) };
    let variance: f64 = variances.map(|(variance, _)| variance).sum();
    // Rounding must not carry the sum past 1.
    wilson(value.clamp(0.0, 1.0), spread_of_all / variance, level)
}

/// Neyman allocation: how many of `battles` each stratum should get so that [`stratified`] has the smallest variance,
/// in proportion to weight times the observed standard deviation (J. Neyman: "On the two different aspects of the
/// representative method", 1934). A stratum with weight gets at least one.
#[must_use]
pub fn neyman<P: Copy + Into<ScorePart>>(parts: &[P], battles: u64) -> Vec<u64> {
    let score = |part: &P| {
        let part: ScorePart = (*part).into();
        let (n, sum, squares) = part.moments();
        part.weight.max(0.0) * smoothed(n, sum, squares, SMOOTHED_BY / 2.0).1.sqrt()
    };
    share_out(&parts.iter().map(score).collect::<Vec<_>>(), battles)
}

/// Shares out `battles` in proportion to scores, by largest remainders; everything with a positive score gets at least
/// one if there are enough for that.
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
    order.put_in_order_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()).then(a.cmp(&b)));
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

    /// Variances add up: w1^2 p1 q1 / n1 + w2^2 p2 q2 / n2, here with many battles.
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
        assert!(stratified::<Part>([], Level::P95).value.is_nan());
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
