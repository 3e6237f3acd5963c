//! A model of the expected scores of line-ups: a sum over their choices, and over pairs of these.

use rustc_hash::FxHashMap;

use crate::lineups::LineUp;

/// The prior standard deviations of the effects of single choices and of pairs, which determine how far estimates from
/// few battles are shrunk towards 0.
const OF_CHOICES: f64 = 0.05;
const OF_PAIRS: f64 = 0.03;
/// The variance of a battle's score.
const OF_BATTLES: f64 = 0.25;
/// The largest weight of a line-up, in battles: beyond this the model's misfit is not noise.
const MOST_WEIGHT: f64 = 64.0;
/// Steps of the solver; it converges in a few dozen.
const STEPS: usize = 60;

/// The battles of a line-up that a search has seen.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub line_up: LineUp,
    /// The sum of its scores in these battles, each 0 to 1.
    pub score: f64,
    pub battles: f64,
    /// By fixture of the field: points and battles; empty where these are not counted.
    pub against: Vec<(u32, u32)>,
}

impl Seen {
    pub(super) fn new(line_up: LineUp) -> Self {
        Self { line_up, score: 0.0, battles: 0.0, against: Vec::new() }
    }

    pub(super) fn mean(&self) -> f64 {
        if self.battles > 0.0 { self.score / self.battles } else { 0.5 }
    }
}

/// A ridge regression of scores on the number of copies of each choice (A. E. Hoerl and R. W. Kennard, 1970), plus
/// shrunken means of its residuals for pairs of choices.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    mean: f64,
    choices: Vec<f64>,
    pairs: FxHashMap<u32, f64>,
}

fn pair(one: u16, other: u16) -> u32 {
    let (low, high) = (one.min(other), one.max(other));
    u32::from(low) << 16 | u32::from(high)
}

impl Model {
    /// Fits the model to the battles that were seen.
    pub(super) fn fit(seen: &[Seen], choices: usize) -> Self {
        let weight = |of: &Seen| of.battles.min(MOST_WEIGHT);
        let all: f64 = seen.iter().map(weight).sum();
        if all == 0.0 {
            return Self { mean: 0.5, choices: vec![0.0; choices], pairs: FxHashMap::default() };
        }
        let mean = seen.iter().map(|of| weight(of) * of.mean()).sum::<f64>() / all;
        let ridge = OF_BATTLES / (OF_CHOICES * OF_CHOICES);
        let of_line_up = |line_up: &LineUp, by: &[f64]| -> f64 {
            line_up.choices().iter().map(|&choice| by[usize::from(choice)]).sum()
        };
        // (X'WX + ridge) b = X'W (y - mean), by conjugate gradients.
        let apply = |by: &[f64]| {
            let mut image: Vec<f64> = by.iter().map(|of| ridge * of).collect();
            for of in seen {
                let share = weight(of) * of_line_up(&of.line_up, by);
                for &choice in of.line_up.choices() {
                    image[usize::from(choice)] += share;
                }
            }
            image
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut found = vec![0.0; choices];
        let mut rest = vec![0.0; choices];
        for of in seen {
            let share = weight(of) * (of.mean() - mean);
            for &choice in of.line_up.choices() {
                rest[usize::from(choice)] += share;
            }
        }
        let mut direction = rest.clone();
        let mut size = dot(&rest, &rest);
        let enough = 1e-12 * size;
        for _ in 0..STEPS {
            if size <= enough || size == 0.0 {
                break;
            }
            let image = apply(&direction);
            let step = size / dot(&direction, &image);
            for at in 0..choices {
                found[at] += step * direction[at];
                rest[at] -= step * image[at];
            }
            let next = dot(&rest, &rest);
            for at in 0..choices {
                direction[at] = rest[at] + next / size * direction[at];
            }
            size = next;
        }
        let mut sums: FxHashMap<u32, (f64, f64)> = FxHashMap::default();
        for of in seen {
            let left = of.mean() - mean - of_line_up(&of.line_up, &found);
            let distinct: Vec<u16> = of.line_up.counted().map(|(choice, _)| choice).collect();
            for (at, &one) in distinct.iter().enumerate() {
                for &other in &distinct[at + 1..] {
                    let sum = sums.entry(pair(one, other)).or_default();
                    sum.0 += weight(of) * left;
                    sum.1 += weight(of);
                }
            }
        }
        let shrink = OF_BATTLES / (OF_PAIRS * OF_PAIRS);
        let pairs = sums.into_iter().map(|(pair, (sum, weight))| (pair, sum / (weight + shrink)));
        Self { mean, choices: found, pairs: pairs.collect() }
    }

    /// The expected score of a line-up.
    pub(super) fn predict(&self, line_up: &LineUp) -> f64 {
        let own = line_up.choices();
        let mut sum = self.mean;
        for (at, &one) in own.iter().enumerate() {
            sum += self.choices.get(usize::from(one)).copied().unwrap_or(0.0);
            for &other in &own[at + 1..] {
                if one != other {
                    sum += self.pairs.get(&pair(one, other)).copied().unwrap_or(0.0);
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seeded;

    /// Scores that are a sum over choices and one pair are recovered, up to shrinkage.
    #[test]
    fn sums_over_choices_and_pairs_are_found() {
        let mut random = Seeded::from_seed(1);
        let worth = [0.1, 0.05, 0.0, -0.05, -0.1, 0.0];
        let truth = |line_up: &LineUp| {
            let sum: f64 = line_up.choices().iter().map(|&of| worth[usize::from(of)]).sum();
            0.5 + sum + if line_up.has(2) && line_up.has(5) { 0.1 } else { 0.0 }
        };
        let seen: Vec<Seen> = (0..4_000)
            .map(|_| {
                let mut all: Vec<u16> = (0..6).collect();
                let draw = |_| all.swap_remove(random.below(all.len() as u32) as usize);
                let line_up = LineUp::new((0..3).map(draw).collect::<Vec<_>>());
                let wins = (0..8).filter(|_| random.unit() < truth(&line_up)).count();
                Seen { score: wins as f64, battles: 8.0, ..Seen::new(line_up) }
            })
            .collect();
        let model = Model::fit(&seen, 6);
        for line_up in [[0, 1, 2], [3, 4, 5], [0, 2, 5], [1, 3, 5]].map(LineUp::new) {
            let (expected, found) = (truth(&line_up), model.predict(&line_up));
            assert!((expected - found).abs() < 0.04, "{line_up:?}: {found} for {expected}");
        }
        assert_eq!(Model::fit(&[], 6).predict(&LineUp::new([0, 1])), 0.5);
    }
}
