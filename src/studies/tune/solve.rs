//! Minimisation of a smooth function under box constraints, given its gradient.

/// A function of several numbers.
pub(super) trait Function {
    /// Its value at `x`; its gradient is left in `gradient`.
    fn value(&self, x: &[f64], gradient: &mut [f64]) -> f64;
}

/// The most steps before giving up on the last digits.
const STEPS: usize = 2_000;
/// How many earlier values the nonmonotone line search compares a step with.
const MEMORY: usize = 10;
/// The tolerance of convergence: how near to a stationary point is near enough.
const TOLERANCE: f64 = 1e-9;

/// Moves `x` to a local minimum of `function` in the box between `low` and `high`: the spectral projected gradient method (E. Birgin, J. Martinez, M. Raydan: "Nonmonotone
/// spectral projected gradient methods on convex sets", 2000).
pub(super) fn minimise(function: &impl Function, x: &mut [f64], low: &[f64], high: &[f64]) {
    let size = x.len();
    let project = |at: usize, value: f64| value.clamp(low[at], high[at]);
    for (at, x) in x.iter_mut().enumerate() {
        *x = project(at, *x);
    }
    let mut gradient = vec![0.0; size];
    let mut value = function.value(x, &mut gradient);
    let mut recent = vec![value];
    let mut length = 1.0;
    let (mut tried, mut tried_gradient) = (vec![0.0; size], vec![0.0; size]);
    for _ in 0..STEPS {
        let direction: Vec<f64> =
            (0..size).map(|at| project(at, x[at] - length * gradient[at]) - x[at]).collect();
        let stationary = (0..size)
            .map(|at| (project(at, x[at] - gradient[at]) - x[at]).abs())
            .fold(0.0, f64::max);
        if stationary < TOLERANCE {
            return;
        }
        let slope: f64 = direction.iter().zip(&gradient).map(|(step, slope)| step * slope).sum();
        let worst = recent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut share = 1.0;
        let tried_value = loop {
            for at in 0..size {
                tried[at] = x[at] + share * direction[at];
            }
            let tried_value = function.value(&tried, &mut tried_gradient);
            if tried_value <= worst + 1e-4 * share * slope {
                break tried_value;
            }
            share /= 2.0;
            if share < 1e-12 {
                return;
            }
        };
        let (mut moved, mut turned) = (0.0, 0.0);
        for at in 0..size {
            let step = tried[at] - x[at];
            moved += step * step;
            turned += step * (tried_gradient[at] - gradient[at]);
        }
        length = if turned > 0.0 { (moved / turned).clamp(1e-10, 1e10) } else { 1e10 };
        x.copy_from_slice(&tried);
        gradient.copy_from_slice(&tried_gradient);
        value = tried_value;
        if recent.len() == MEMORY {
            recent.remove(0);
        }
        recent.push(value);
    }
    debug_assert!(value.is_finite());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A stretched bowl around `centre`.
    struct Bowl {
        centre: Vec<f64>,
    }

    impl Function for Bowl {
        fn value(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
            let mut sum = 0.0;
            for at in 0..x.len() {
                let stretch = 10.0_f64.powi(at as i32);
                let off = x[at] - self.centre[at];
                gradient[at] = 2.0 * stretch * off;
                sum += stretch * off * off;
            }
            sum
        }
    }

    /// Rosenbrock's valley, whose bottom is at (1, 1).
    struct Valley;

    impl Function for Valley {
        fn value(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            gradient[0] = -2.0 * a - 400.0 * x[0] * b;
            gradient[1] = 200.0 * b;
            a * a + 100.0 * b * b
        }
    }

    #[test]
    fn it_finds_the_bottom_of_a_bent_valley() {
        let mut x = [-1.2, 1.0];
        minimise(&Valley, &mut x, &[-5.0; 2], &[5.0; 2]);
        assert!((x[0] - 1.0).abs() < 1e-5 && (x[1] - 1.0).abs() < 1e-5, "{x:?}");
    }

    proptest! {
        #[test]
        fn in_a_bowl_it_ends_as_near_to_the_centre_as_the_box_allows(
            centre in prop::collection::vec(-3.0..3.0_f64, 1..5)
        ) {
            let size = centre.len();
            let mut x = vec![0.0; size];
            let bowl = Bowl { centre: centre.clone() };
            minimise(&bowl, &mut x, &vec![-1.0; size], &vec![1.0; size]);
            for (found, centre) in x.iter().zip(centre) {
                prop_assert!((found - centre.clamp(-1.0, 1.0)).abs() < 1e-6);
            }
        }
    }
}
