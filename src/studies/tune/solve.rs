//! Minimisation of a smooth function in a box, given its gradient and its curvature.

/// A smooth function of several variables, to be minimised.
pub(super) trait Function {
    /// Its value at `x`.
    fn value(&self, x: &[f64]) -> f64;

    /// Its value at `x`; its gradient is left in `gradient`, and its curvature, or a positive semidefinite matrix near it,
    /// in `curvature`, row by row.
    fn slope(&self, x: &[f64], gradient: &mut [f64], curvature: &mut [f64]) -> f64;
}

/// The largest number of steps before the search ends.
const STEPS: usize = 300;
/// A point counts as stationary when no variable would move farther than this down the gradient.
const TOLERANCE: f64 = 1e-12;
/// The search ends after this many steps in a row that gain nearly nothing.
const IDLE: usize = 3;

/// How precisely a minimum is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// To the last digits.
    Full,
    /// Well enough for one of many minima that are compared with each other, started from nearby.
    Rough,
}

impl Precision {
    /// The fraction of the value below which a step's gain counts as nearly nothing.
    fn gain(self) -> f64 {
        match self {
            Precision::Full => 1e-9,
            Precision::Rough => 1e-5,
        }
    }
}

/// Moves `x` to a local minimum of `function` in the box between `low` and `high`: the projected Newton method (D. P.
/// Bertsekas: "Projected Newton methods for optimization problems with simple constraints", 1982), damped as D. W.
/// Marquardt does ("An algorithm for least-squares estimation of nonlinear parameters", 1963).
///
/// Variables at a bound that the gradient pushes outwards stay there; the others take the Newton step, clipped to the
/// box. A step that does not go down enough is tried again with more damping, which ends in small steps down the
/// gradient.
pub(super) fn minimise(
    function: &impl Function,
    x: &mut [f64],
    low: &[f64],
    high: &[f64],
    precision: Precision,
) {
    let size = x.len();
    for at in 0..size {
        x[at] = x[at].clamp(low[at], high[at]);
    }
    let (mut gradient, mut curvature) = (vec![0.0; size], vec![0.0; size * size]);
    let mut tried = vec![0.0; size];
    let (mut damping, mut idle) = (1e-6, 0);
    for _ in 0..STEPS {
        let value = function.slope(x, &mut gradient, &mut curvature);
        let downhill = |at: usize| (x[at] - gradient[at]).clamp(low[at], high[at]) - x[at];
        if (0..size).all(|at| downhill(at).abs() < TOLERANCE) {
            return;
        }
        let moves = |&at: &usize| {
            let held =
                x[at] <= low[at] && gradient[at] > 0.0 || x[at] >= high[at] && gradient[at] < 0.0;
            !held
        };
        let free: Vec<usize> = (0..size).filter(moves).collect();
        let gained = loop {
            tried.copy_from_slice(x);
            if let Some(step) = newton_step(&free, &gradient, &curvature, damping) {
                for (&at, step) in free.iter().zip(step) {
                    tried[at] = (x[at] - step).clamp(low[at], high[at]);
                }
                let slope: f64 = free.iter().map(|&at| gradient[at] * (tried[at] - x[at])).sum();
                let gained = value - function.value(&tried);
                if slope < 0.0 && gained >= -1e-4 * slope {
                    damping = (damping / 10.0).max(1e-12);
                    break gained;
                }
            }
            damping *= 10.0;
            if damping > 1e12 {
                return;
            }
        };
        x.copy_from_slice(&tried);
        idle = if gained <= precision.gain() * value.abs() { idle + 1 } else { 0 };
        if idle == IDLE || idle > 0 && precision == Precision::Rough {
            return;
        }
    }
}

/// The Newton step for the free variables, to be subtracted, with `damping` times its diagonal added to the curvature;
/// solved by A.-L. Cholesky's factorisation. None where the matrix is not positive definite.
fn newton_step(
    free: &[usize],
    gradient: &[f64],
    curvature: &[f64],
    damping: f64,
) -> Option<Vec<f64>> {
    let (size, all) = (free.len(), gradient.len());
    let steepest = free.iter().map(|&at| curvature[at * all + at]).fold(0.0, f64::max);
    let mut root = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let mut sum = curvature[free[row] * all + free[column]];
            if row == column {
                sum += damping * (sum + 1e-9 * steepest);
            }
            for at in 0..column {
                sum -= root[row * size + at] * root[column * size + at];
            }
            if row > column {
                root[row * size + column] = sum / root[column * size + column];
            } else if sum > 0.0 {
                root[row * size + row] = sum.sqrt();
            } else {
                return None;
            }
        }
    }
    let mut step: Vec<f64> = free.iter().map(|&at| gradient[at]).collect();
    for row in 0..size {
        for at in 0..row {
            step[row] -= root[row * size + at] * step[at];
        }
        step[row] /= root[row * size + row];
    }
    for row in (0..size).rev() {
        for at in row + 1..size {
            step[row] -= root[at * size + row] * step[at];
        }
        step[row] /= root[row * size + row];
    }
    step.iter().all(|step| step.is_finite()).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A sum of squares around `centre` along directions that are not parallel to the box.
    struct Bowl {
        centre: Vec<f64>,
    }

    impl Bowl {
        /// Row `i` of the matrix whose product with x less the centre is squared.
        fn row(&self, i: usize) -> Vec<f64> {
            let size = self.centre.len();
            let stretch = 10.0_f64.powi(i as i32);
            (0..size)
                .map(|j| stretch * if i == j { 1.0 } else { 0.3 / (1 + i + j) as f64 })
                .collect()
        }
    }

    impl Function for Bowl {
        fn value(&self, x: &[f64]) -> f64 {
            let size = x.len();
            self.slope(x, &mut vec![0.0; size], &mut vec![0.0; size * size])
        }

        fn slope(&self, x: &[f64], gradient: &mut [f64], curvature: &mut [f64]) -> f64 {
            gradient.fill(0.0);
            curvature.fill(0.0);
            let size = x.len();
            let mut sum = 0.0;
            for i in 0..size {
                let row = self.row(i);
                let off: f64 = (0..size).map(|j| row[j] * (x[j] - self.centre[j])).sum();
                sum += off * off;
                for j in 0..size {
                    gradient[j] += 2.0 * off * row[j];
                    for k in 0..size {
                        curvature[j * size + k] += 2.0 * row[j] * row[k];
                    }
                }
            }
            sum
        }
    }

    /// Rosenbrock's valley, whose bottom is at (1, 1), with J. Gauss's approximation of its curvature.
    struct Valley;

    impl Function for Valley {
        fn value(&self, x: &[f64]) -> f64 {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            a * a + 100.0 * b * b
        }

        fn slope(&self, x: &[f64], gradient: &mut [f64], curvature: &mut [f64]) -> f64 {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            gradient[0] = -2.0 * a - 400.0 * x[0] * b;
            gradient[1] = 200.0 * b;
            curvature[0] = 2.0 + 800.0 * x[0] * x[0];
            (curvature[1], curvature[2]) = (-400.0 * x[0], -400.0 * x[0]);
            curvature[3] = 200.0;
            self.value(x)
        }
    }

    #[test]
    fn it_finds_the_bottom_of_a_bent_valley() {
        let mut x = [-1.2, 1.0];
        minimise(&Valley, &mut x, &[-5.0; 2], &[5.0; 2], Precision::Full);
        assert!((x[0] - 1.0).abs() < 1e-6 && (x[1] - 1.0).abs() < 1e-6, "{x:?}");
    }

    proptest! {
        #[test]
        fn it_finds_the_bottom_of_a_bowl_inside_the_box(
            centre in prop::collection::vec(-1.0..1.0_f64, 1..5)
        ) {
            let size = centre.len();
            let mut x = vec![2.0; size];
            minimise(&Bowl { centre: centre.clone() }, &mut x, &vec![-1.0; size], &vec![2.0; size], Precision::Full);
            for (found, centre) in x.iter().zip(centre) {
                prop_assert!((found - centre).abs() < 1e-6, "{found} {centre}");
            }
        }

        /// Where the bottom lies outside the box, no variable can move down the gradient (the conditions of W. Karush,
        /// H. Kuhn and A. Tucker, which are enough in a bowl) and gain more than ends the search: a slope is worth its
        /// square over twice the curvature.
        #[test]
        fn it_ends_where_nothing_moves_down(centre in prop::collection::vec(-3.0..3.0_f64, 1..5)) {
            let size = centre.len();
            let mut x = vec![0.0; size];
            let bowl = Bowl { centre };
            minimise(&bowl, &mut x, &vec![-1.0; size], &vec![1.0; size], Precision::Full);
            let mut gradient = vec![0.0; size];
            let mut curvature = vec![0.0; size * size];
            let value = bowl.slope(&x, &mut gradient, &mut curvature);
            let steepest = curvature.iter().copied().fold(0.0, f64::max);
            let most = (2.0 * steepest * Precision::Full.gain() * (1.0 + value)).sqrt();
            for at in 0..size {
                let moved = (x[at] - gradient[at]).clamp(-1.0, 1.0) - x[at];
                prop_assert!(moved.abs() <= most, "{moved} of {value}, {most}");
            }
        }
    }
}
