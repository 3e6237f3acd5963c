//! An upper confidence bound for a mean that holds for any number of observations, however few.

/// An upper confidence bound for the true mean of observations between 0 and 1, given their observed mean: the true
/// mean is higher with a probability of at most `alpha`, for any distribution and any number of observations (W.
/// Hoeffding: "Probability inequalities for sums of bounded random variables", 1963, theorem 1: the bound by relative
/// entropy).
///
/// ```
/// use evens::statistics::upper_bound;
/// let bound = upper_bound(0.3, 1_000, 0.05);
/// assert!(0.33 < bound && bound < 0.34);
/// assert_eq!(upper_bound(f64::NAN, 0, 0.05), 1.0);
/// ```
#[must_use]
pub fn upper_bound(mean: f64, observations: u64, alpha: f64) -> f64 {
    if observations == 0 || mean >= 1.0 {
        return 1.0;
    }
    let allowed = -libm::log(alpha) / observations as f64;
    let entropy = |of: f64| {
        let part = |p: f64, q: f64| if p > 0.0 { p * libm::log(p / q) } else { 0.0 };
        part(mean, of) + part(1.0 - mean, 1.0 - of)
    };
    let (mut low, mut high) = (mean, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if entropy(middle) > allowed {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability that the bound is below the true mean is at most alpha, summed exactly over all results.
    #[test]
    fn the_bound_is_missed_as_rarely_as_it_says() {
        for (n, p, alpha) in
            [(8_u64, 0.5_f64, 0.05), (20, 0.3, 0.1), (64, 0.55, 0.01), (5, 0.95, 0.05)]
        {
            let mut choose = 1.0_f64;
            let mut missed = 0.0;
            for wins in 0..=n {
                let odds = choose * p.powi(wins as i32) * (1.0 - p).powi((n - wins) as i32);
                if upper_bound(wins as f64 / n as f64, n, alpha) < p {
                    missed += odds;
                }
                choose *= (n - wins) as f64 / (wins + 1) as f64;
            }
            assert!(missed <= alpha, "{n} {p}: {missed}");
        }
    }
}
