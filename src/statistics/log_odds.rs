//! Conversions between rates and log odds.

/// The log odds of a rate between 0 and 1.
pub(super) fn log_odds(rate: f64) -> f64 {
    libm::log(rate / (1.0 - rate))
}

/// The rate that has these log odds.
pub(super) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-log_odds))
}

/// The variance of one trial that succeeds at this rate, which is also the derivative of the rate by its log odds.
pub(super) fn variance_of_one(rate: f64) -> f64 {
    rate * (1.0 - rate)
}
