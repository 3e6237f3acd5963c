//! Distribution functions and quantiles, with the same bits on every machine.
//!
//! Nothing here uses the system's mathematical library, whose last digit depends on the processor and the vendor:
//! elementary and error functions come from the crate `libm`, and the rest are sums of finitely many positive terms.
//! The tests compare them with the crate `statrs`.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, PI};

use super::two_sided;

/// The probability that a standard normal is at most `x`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// The probability that a standard normal is above `x`.
pub(crate) fn normal_tail(x: f64) -> f64 {
    normal_cdf(-x)
}

/// The value that a standard normal does not exceed with probability `p`, from 0 to 1.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    if p < 0.5 { -normal_tail_quantile(p) } else { normal_tail_quantile(1.0 - p) }
}

/// The value that a standard normal exceeds with probability `p`, from 0 to a half.
///
/// By Newton's method on the logarithm of the tail. It is concave, so iterates above the root decrease to it; the first
/// one is above, since the tail is at most half of exp(-x²/2).
fn normal_tail_quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::INFINITY;
    }
    let mut at = (-2.0 * libm::log(2.0 * p)).max(0.0).sqrt();
    loop {
        let tail = normal_tail(at);
        let density = libm::exp(-0.5 * at * at) / (2.0 * PI).sqrt();
        let next = at + tail / density * libm::log(tail / p);
        if next.is_nan() || next >= at {
            return at;
        }
        at = next;
    }
}

/// The probability that a chi-square variable with this many degrees of freedom is above `x`. NaN for 0 degrees.
///
/// A finite sum (M. Abramowitz and I. A. Stegun: "Handbook of mathematical functions", 1964, 26.4.4 and 26.4.5).
pub(crate) fn chi_square_tail(x: f64, degrees: u64) -> f64 {
    if degrees == 0 || x.is_nan() {
        return f64::NAN;
    }
    let half = 0.5 * x.max(0.0);
    let is_odd = degrees % 2 == 1;
    let (mut sum, first) = if is_odd { (libm::erfc(half.sqrt()), 0.5) } else { (0.0, 0.0) };
    let powers = (0..degrees / 2).map(|at| first + at as f64);
    // Beyond this the first terms would underflow to 0 and take all others with them.
    if half < 700.0 {
        let mut term = libm::exp(-half) * if is_odd { 2.0 * (half / PI).sqrt() } else { 1.0 };
        for power in powers {
            sum += term;
            term *= half / (power + 1.0);
        }
    } else {
        let log = libm::log(half);
        sum += powers
            .map(|power| libm::exp(power * log - half - libm::lgamma(power + 1.0)))
            .sum::<f64>();
    }
    sum.min(1.0)
}

/// With more degrees of freedom than this, Student's t is approximated from the normal distribution.
const MANY: u32 = 500;

/// The value that Student's t with this many degrees of freedom does not exceed with probability `p`, above a half and
/// below 1.
///
/// # Panics
/// Without a degree of freedom (in debug builds).
pub(crate) fn student_quantile(p: f64, degrees: u32) -> f64 {
    debug_assert!(degrees > 0 && p > 0.5 && p < 1.0, "{p} of {degrees} degrees of freedom");
    if degrees > MANY {
        // The Cornish-Fisher expansion around the normal quantile (the handbook's 26.7.5).
        let (z, n) = (normal_quantile(p), f64::from(degrees));
        let square = z * z;
        let terms = [
            (square + 1.0) / 4.0,
            ((5.0 * square + 16.0) * square + 3.0) / 96.0,
            (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
        ];
        return z * (1.0 + (terms[0] + (terms[1] + terms[2] / n) / n) / n);
    }
    let mut high = 1.0;
    while student_centre(high, degrees) < 2.0 * p - 1.0 {
        high *= 2.0;
    }
    let mut low = 0.0;
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if student_centre(middle, degrees) < 2.0 * p - 1.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The two-sided p-value of Student's t: the probability that it is at least as far from 0 as `t`. NaN stays NaN.
pub(crate) fn student_two_sided(t: f64, degrees: u64) -> f64 {
    match u32::try_from(degrees) {
        Ok(degrees) if degrees <= MANY && !t.is_nan() => {
            match 1.0 - student_centre(t.abs(), degrees) {
                rest if rest > 1e-3 => rest,
                // Subtracting a number near 1 from 1 loses precision.
                _ => student_tails(t, degrees),
            }
        }
        // The handbook's 26.7.8.
        _ => {
            let n = degrees as f64;
            two_sided(t * (1.0 - 1.0 / (4.0 * n)) / (1.0 + t * t / (2.0 * n)).sqrt())
        }
    }
}

/// The probability that Student's t is at least as far from 0 as `t`, for a `t` far from 0: an incomplete beta integral
/// as a series of positive terms (the handbook's 26.5.4 and 26.7.1).
fn student_tails(t: f64, degrees: u32) -> f64 {
    let (half, freedom) = (0.5 * f64::from(degrees), f64::from(degrees));
    let rest = freedom / (freedom + t * t);
    let log_beta = libm::lgamma(half) + libm::lgamma(0.5) - libm::lgamma(half + 0.5);
    let first = libm::exp(half * libm::log(rest) + 0.5 * libm::log1p(-rest) - log_beta) / half;
    let (mut sum, mut term, mut at) = (0.0, 1.0, 0.0);
    while sum + term > sum {
        sum += term;
        term *= rest * (half + 0.5 + at) / (half + 1.0 + at);
        at += 1.0;
    }
    first * sum
}

/// The probability that Student's t is nearer to 0 than `t` (the handbook's 26.7.3 and 26.7.4).
fn student_centre(t: f64, degrees: u32) -> f64 {
    let freedom = f64::from(degrees);
    let squared = freedom / (freedom + t * t);
    let sine = t / (freedom + t * t).sqrt();
    let is_odd = degrees % 2 == 1;
    let mut term = if is_odd { squared.sqrt() } else { 1.0 };
    let mut sum = 0.0;
    for at in 0..degrees / 2 {
        sum += term;
        let next = f64::from(2 * at + 1 + u32::from(is_odd));
        term *= squared * next / (next + 1.0);
    }
    if is_odd { FRAC_2_PI * (libm::atan(t / freedom.sqrt()) + sine * sum) } else { sine * sum }
}

/// The logarithm of the beta function.
pub(crate) fn ln_beta(a: f64, b: f64) -> f64 {
    libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

    fn close(ours: f64, theirs: f64, relative: f64) {
        assert!((ours - theirs).abs() <= relative * theirs.abs() + 1e-300, "{ours} and {theirs}");
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        close(normal_quantile(0.975), 1.959_963_984_540_054, 1e-15);
        close(normal_quantile(0.025), -1.959_963_984_540_054, 1e-14);
        close(normal_quantile(0.5), 0.0, 0.0);
        close(normal_quantile(1e-20), -9.262_340_089_798_408, 1e-14);
        close(student_quantile(0.975, 1), 12.706_204_736_174_7, 1e-12);
        close(student_quantile(0.975, 2), 4.302_652_729_749_46, 1e-12);
        close(student_quantile(0.975, 63), 1.998_340_542_520_74, 1e-12);
        for degrees in [501, 1_000, 100_000] {
            let law = StudentsT::new(0.0, 1.0, f64::from(degrees)).unwrap();
            close(law.cdf(student_quantile(0.975, degrees)), 0.975, 1e-8);
        }
        assert_eq!([0.0, 1.0].map(normal_quantile), [f64::NEG_INFINITY, f64::INFINITY]);
    }

    #[test]
    fn tails_are_those_of_the_tables() {
        close(chi_square_tail(3.841_458_820_694_124, 1), 0.05, 1e-13);
        close(chi_square_tail(5.991_464_547_107_98, 2), 0.05, 1e-13);
        close(chi_square_tail(124.342_113_404_004, 100), 0.05, 1e-11);
        // Where each term is computed from its logarithm.
        close(chi_square_tail(1_500.0, 1_500), ChiSquared::new(1_500.0).unwrap().sf(1_500.0), 1e-9);
        assert!(chi_square_tail(1.0, 0).is_nan() && chi_square_tail(f64::NAN, 3).is_nan());
        assert_eq!(chi_square_tail(0.0, 4), 1.0);
    }

    proptest! {
        #[test]
        fn the_normal_agrees_with_statrs(x in -8.0_f64..8.0, p in 1e-6_f64..0.999_999) {
            let normal = Normal::standard();
            close(normal_cdf(x), normal.cdf(x), 1e-9);
            close(normal_tail(x), normal.sf(x), 1e-9);
            prop_assert!((normal_quantile(p) - normal.inverse_cdf(p)).abs() < 1e-8);
            prop_assert!((normal_cdf(normal_quantile(p)) - p).abs() < 1e-14);
        }

        #[test]
        fn chi_square_agrees_with_statrs(x in 0.0_f64..300.0, degrees in 1_u64..200) {
            let theirs = ChiSquared::new(degrees as f64).unwrap().sf(x);
            prop_assert!((chi_square_tail(x, degrees) - theirs).abs() < 1e-10);
        }

        #[test]
        fn student_agrees_with_statrs(p in 0.51_f64..0.999, degrees in 1_u32..200) {
            let t = student_quantile(p, degrees);
            let student = StudentsT::new(0.0, 1.0, f64::from(degrees)).unwrap();
            prop_assert!((student.cdf(t) - p).abs() < 1e-9);
        }

        #[test]
        fn students_tails_agree_with_statrs(t in -60.0_f64..60.0, degrees in 1_u64..2_000) {
            let student = StudentsT::new(0.0, 1.0, degrees as f64).unwrap();
            let (ours, theirs) = (student_two_sided(t, degrees), 2.0 * student.cdf(-t.abs()));
            // The normal approximation is precise only near 0.
            let relative = if degrees > u64::from(MANY) { 0.02 } else { 1e-8 };
            prop_assert!((ours - theirs).abs() <= relative * theirs + 1e-13, "{ours} {theirs}");
            prop_assert_eq!(ours, student_two_sided(-t, degrees));
        }

        #[test]
        fn ln_beta_agrees_with_statrs(a in 0.5_f64..1e6, b in 0.5_f64..1e6) {
            prop_assert!((ln_beta(a, b) - statrs::function::beta::ln_beta(a, b)).abs() < 1e-7);
        }
    }
}
