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

/// A card that does what its side does moves nothing beyond it, however far the side moves: of 1,000 samples at most about
/// one in twenty shows something at 5%. Its shift itself is visible in nearly all.
#[test]
fn what_moves_only_with_its_side_is_not_beyond_it() {
    const SAMPLES: u32 = 1_000;
    let mut random = Seeded::from_seed(31);
    for share in [0.1, 0.5] {
        let (mut beyond, mut moved) = (0, 0);
        for _ in 0..SAMPLES {
            // The side first, then a card that is in a share of its battles.
            let mut of = [vec![[0_u64; 2]; 2 * BLOCKS], vec![[0_u64; 2]; 2 * BLOCKS]];
            for battle in 0..4_000 {
                let (die, is_there) = (random.unit(), random.unit() < share);
                for (of, score) in of.iter_mut().zip([0.4, 0.5]) {
                    for goal in 0..=usize::from(is_there) {
                        let cell = &mut of[goal * BLOCKS + battle % BLOCKS];
                        cell[0] += 1;
                        cell[1] += if die < score { 2 } else { 0 };
                    }
                }
            }
            let [before, after] = of.map(|of| Fared::planted(of, 2));
            let is_visible =
                |of: crate::statistics::Deviation| of.value.abs() > Level::P95.z() * of.error;
            beyond += u32::from(is_visible(after.beyond(&before, 1, &[(0, 1.0)])));
            moved += u32::from(is_visible(after.shift(&before, 1)));
        }
        let [beyond, moved] = [beyond, moved].map(|of| f64::from(of) / f64::from(SAMPLES));
        assert!((0.025..0.07).contains(&beyond), "{share}: {beyond}");
        assert!(moved > 0.9, "{share}: {moved}");
    }
}

/// A card that is in all battles of its side is its side under another name.
#[test]
fn its_own_side_under_another_name_moves_nothing_beyond() {
    let mut random = Seeded::from_seed(32);
    let twice = |of: &Vec<[u64; 2]>| Fared::planted([&of[..], &of[..]].concat(), 2);
    let of = [0.4, 0.6].map(|score| {
        let block = |_| [60, (0..60).map(|_| 2 * u64::from(random.unit() < score)).sum()];
        (0..BLOCKS).map(block).collect::<Vec<[u64; 2]>>()
    });
    let [before, after] = [twice(&of[0]), twice(&of[1])];
    assert!(after.shift(&before, 1).value > 0.1);
    let beyond = after.beyond(&before, 1, &[(0, 1.0)]);
    assert!(beyond.value.abs() < 1e-12 && beyond.error > 0.0, "{beyond:?}");
}
