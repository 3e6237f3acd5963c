//! Tests of intervals on simulated battles with known scores.

use super::play::{BLOCKS, Fared};
use crate::chance::Seeded;
use crate::statistics::Level;

/// Simulated battles in two variants with these scores, in which somebody takes part once or twice; a share `alike` of
/// the battles has the same dice in both.
fn planted(random: &mut Seeded, battles: usize, scores: [f64; 2], alike: f64) -> [Fared; 2] {
    let mut of = [vec![[0_u64; 2]; BLOCKS], vec![[0_u64; 2]; BLOCKS]];
    for battle in 0..battles {
        let times = 1 + u64::from(random.unit() < 0.3);
        let (one, other) = (random.unit(), random.unit());
        let shared = random.unit() < alike;
        for (variant, of) in of.iter_mut().enumerate() {
            let die = if variant == 0 || shared { one } else { other };
            let block = &mut of[battle % BLOCKS];
            block[0] += times;
            block[1] += if die < scores[variant] { 2 * times } else { 0 };
        }
    }
    of.map(|of| Fared::planted(of, 2))
}

/// Intervals cover a true score near 0 or 1 even though a sample may not contain a single battle that ended otherwise.
#[test]
fn intervals_of_scores_near_the_ends_hold_the_truth() {
    const REPEATS: u32 = 2_000;
    let mut random = Seeded::from_seed(12);
    for battles in [170, 640, 2_000] {
        for score in [0.0, 0.001, 0.003, 0.01, 0.03, 0.1] {
            for truth in [score, 1.0 - score] {
                let held = (0..REPEATS).filter(|_| {
                    let [_, fared] = planted(&mut random, battles, [truth; 2], 0.5);
                    let found = fared.score(0);
                    (found.value - truth).abs() <= Level::P95.z() * found.error
                });
                let share = held.count() as f64 / f64::from(REPEATS);
                assert!(share > 0.935, "{battles} battles of {truth}: {share}");
            }
        }
    }
}

/// 95 of 100 intervals of a score, and of its gain, cover the truth, with few battles and with many.
#[test]
fn intervals_hold_the_truth() {
    const REPEATS: u32 = 2_000;
    let mut random = Seeded::from_seed(11);
    for (battles, scores, alike) in
        [(200, [0.5, 0.5], 0.9), (640, [0.3, 0.4], 0.5), (2_000, [0.9, 0.85], 0.95)]
    {
        let (mut of_score, mut of_shift) = (0, 0);
        for _ in 0..REPEATS {
            let [before, after] = planted(&mut random, battles, scores, alike);
            let holds = |found: crate::statistics::Deviation, truth: f64| {
                (found.value - truth).abs() <= Level::P95.z() * found.error
            };
            of_score += u32::from(holds(after.score(0), scores[1]));
            of_shift += u32::from(holds(after.shift(&before, 0), scores[1] - scores[0]));
        }
        for held in [of_score, of_shift] {
            let share = f64::from(held) / f64::from(REPEATS);
            assert!((0.93..0.975).contains(&share), "{battles} {share}");
        }
    }
}

/// Battles of one block say nothing about how much they vary: a change of a score in them has no interval, and is not
/// taken for one with the least error.
#[test]
fn what_is_in_one_block_only_has_no_error() {
    let in_one = |points: u64| {
        let mut of = vec![[0; 2]; BLOCKS];
        of[3] = [5, points];
        Fared::planted(of, 2)
    };
    let [before, after] = [in_one(2), in_one(8)];
    assert!(after.score(0).error.is_nan());
    let shift = after.shift(&before, 0);
    assert!((shift.value - 0.6).abs() < 1e-12 && shift.error.is_nan(), "{shift:?}");
}
