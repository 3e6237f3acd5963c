//! An upper bound on the scores of all line-ups that were examined.

use super::arena::{Arena, Ended, Field, Points, Sharing};
use crate::chance::Stream;
use crate::lineups::LineUp;
use crate::sorting::Sorting;
use crate::statistics::{Estimate, upper_bound};
use crate::table::LEVEL;

/// Battles of a line-up after the first stage, which each further stage doubles; and the number of stages.
const FIRST: u64 = 64;
const STAGES: u32 = 11;

/// The bound on the score of every line-up.
pub(super) struct Bounds {
    pub line_ups: usize,
    /// No line-up scores more than this, at the confidence level of the tables for all of them together.
    pub bound: f64,
    /// The line-up with the highest bound, which is this one.
    pub line_up: LineUp,
    /// Its score in the battles of the bounds, with an interval that is valid whichever line-up it is and whatever
    /// stage it reached.
    pub score: Estimate,
}

/// Plays fresh battles with all of these line-ups, in each stage more of them with those whose bounds are highest,
/// until these are low enough (`enough`), `battles` battles are played, or all stages are. All line-ups play the first
/// stage, however many battles that takes.
///
/// The numbers of battles after which bounds are taken are fixed beforehand, and all bounds of all stages hold
/// simultaneously: so they are valid whichever line-ups go on, for whatever reason.
pub(super) fn bounds(
    arena: &mut Arena<'_>,
    field: &Field,
    line_ups: &[LineUp],
    enough: f64,
    battles: u64,
) -> Result<Bounds, Ended> {
    let alpha = (1.0 - LEVEL.confidence()) / line_ups.len() as f64 / f64::from(STAGES);
    let began = arena.played;
    let mut points: Vec<Points> = vec![Points::new(); line_ups.len()];
    let mut bounds = vec![1.0_f64; line_ups.len()];
    let mut going_on: Vec<usize> = (0..line_ups.len()).collect();
    for stage in 0..STAGES {
        let so_far = if stage == 0 { 0 } else { FIRST << (stage - 1) };
        let total = FIRST << stage;
        let racers: Vec<&LineUp> = going_on.iter().map(|&at| &line_ups[at]).collect();
        let played = arena.play(field, &racers, total - so_far, Stream::Bounds, Sharing::Same)?;
        for (&at, more) in going_on.iter().zip(played) {
            points[at].extend(more);
            bounds[at] = bounds[at].min(upper_bound(mean(&points[at]), total, alpha));
        }
        let left = battles.saturating_sub(arena.played - began);
        let means: Vec<f64> = going_on.iter().map(|&at| mean(&points[at])).collect();
        let target = target(&means, total, alpha, left).max(enough);
        going_on.retain(|&at| bounds[at] > target);
        // If not all can go on, those with the highest bounds do.
        going_on.put_in_order_by(|&a, &b| bounds[b].total_cmp(&bounds[a]).then(a.cmp(&b)));
        going_on.truncate((left / total) as usize);
        if going_on.is_empty() {
            break;
        }
    }
    let highest = bounds.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
    let (at, &bound) = highest.expect("a metagame has members");
    Ok(Bounds {
        line_ups: line_ups.len(),
        bound,
        line_up: line_ups[at].clone(),
        score: score(&points[at], alpha / 2.0),
    })
}

/// A mean score with an interval that misses the true one on either side with a probability of at most `each`, however
/// few battles there are. Nothing less would be valid: the line-up that is reported was selected for scoring high, and
/// played on because of that.
fn score(points: &Points, each: f64) -> Estimate {
    let (value, battles) = (mean(points), points.len() as u64);
    let low = 1.0 - upper_bound(1.0 - value, battles, each);
    Estimate { value, low: low.min(value), high: upper_bound(value, battles, each) }
}

fn mean(points: &Points) -> f64 {
    let sum: u64 = points.iter().map(|&of| u64::from(of)).sum();
    sum as f64 / (2 * points.len()) as f64
}

/// The lowest bound that all line-ups with these mean scores can be brought under with `battles` more battles, if their
/// scores stay as they are. Most scores above even are so by chance: they are taken for even.
fn target(means: &[f64], so_far: u64, alpha: f64, battles: u64) -> f64 {
    let most = FIRST << (STAGES - 1);
    let needed = |under: f64| {
        let each = means.iter().map(|&mean| {
            let gap = under - mean.min(0.5);
            let all = if gap > 0.0 { -libm::log(alpha) / (2.0 * gap * gap) } else { most as f64 };
            all.min(most as f64) - so_far as f64
        });
        each.filter(|more| *more > 0.0).sum::<f64>()
    };
    let (mut low, mut high) = (0.5, 1.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if needed(middle) > battles as f64 { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over all possible results of 64 battles, the probability that the interval misses the score is at most the
    /// stated one at either end; this is required where the highest of many is looked at after every stage.
    #[test]
    fn intervals_of_scores_hold_in_few_battles() {
        let each = 1e-4;
        for odds in [0.02_f64, 0.3, 0.5, 0.55, 0.97] {
            let (mut choose, mut missed) = (1.0_f64, [0.0; 2]);
            for won in 0..=64_usize {
                let points: Points =
                    (0..64).map(|battle| if battle < won { 2 } else { 0 }).collect();
                let Estimate { value, low, high } = score(&points, each);
                assert!(low <= value && value <= high && (0.0..=1.0).contains(&low));
                let share = choose * odds.powi(won as i32) * (1.0 - odds).powi(64 - won as i32);
                missed[0] += if odds < low { share } else { 0.0 };
                missed[1] += if odds > high { share } else { 0.0 };
                choose *= (64 - won) as f64 / (won + 1) as f64;
            }
            assert!(missed.iter().all(|&of| of <= each), "{odds}: {missed:?}");
        }
    }

    /// The target that battles can reach is nearer to even with more of them, and scores that are high by chance do not
    /// move it.
    #[test]
    fn the_target_is_what_the_battles_suffice_for() {
        let alpha = 0.05 / 1_000.0;
        let means = vec![0.3; 900].into_iter().chain(vec![0.5; 100]).collect::<Vec<_>>();
        let few = target(&means, 64, alpha, 100_000);
        let many = target(&means, 64, alpha, 1_000_000);
        assert!(0.5 < many && many < few && few < 0.65, "{few} {many}");
        // The number of battles that Hoeffding's bound needs to bring 100 even line-ups under it.
        let needed = 100.0 * -libm::log(alpha) / (2.0 * (many - 0.5) * (many - 0.5));
        assert!(needed < 1.05e6, "{needed}");
        let by_chance: Vec<f64> =
            means.iter().map(|&mean| if mean == 0.5 { 0.62 } else { mean }).collect();
        assert!((target(&by_chance, 64, alpha, 1_000_000) - many).abs() < 1e-9);
    }
}
