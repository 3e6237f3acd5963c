//! How often intervals hold the truth: 10,000 repeats of made-up experiments whose truth is known.
//!
//! A 95% interval of something that is counted cannot hold the truth in exactly 95 of 100 cases for every truth: with
//! few battles, counts jump and the share goes up and down around its level. What is promised, and tested, is the level
//! over a spread of truths and sizes, each repeat with its own; and that no single size strays far.

use std::sync::LazyLock;
use std::thread;

use evens::chance::Seeded;
use evens::statistics::{
    Estimate, Joint, Level, Pair, Part, Sample, contrast, difference, lift, mean, mean_difference,
    mean_of_leads, neyman, paired, proportion, reweighted, share_out, stratified,
};

const REPEATS: u64 = 10_000;

/// The share of repeats whose interval holds the truth.
fn share(experiment: impl Fn(&mut Seeded) -> (Estimate, f64) + Sync) -> f64 {
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let held = |thread: u64| {
        let repeats = (0..REPEATS).filter(|repeat| repeat % threads == thread);
        let holds = |repeat: &u64| {
            let (found, truth) = experiment(&mut Seeded::of_battle(95, *repeat));
            assert!(found.low <= found.value && found.value <= found.high, "{found:?}");
            !found.excludes(truth)
        };
        repeats.filter(holds).count()
    };
    let held: usize = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || held(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    held as f64 / REPEATS as f64
}

/// Checks that the share is between 94% and 96%, which allows for the error of 10,000 repeats (0.2 points).
fn holds_its_level(what: &str, experiment: impl Fn(&mut Seeded) -> (Estimate, f64) + Sync) {
    let share = share(experiment);
    println!("{what}: {:.2}%", 100.0 * share);
    assert!((0.94..=0.96).contains(&share), "{what}: {share}");
}

fn between(dice: &mut Seeded, low: f64, high: f64) -> f64 {
    low + (high - low) * dice.unit()
}

/// A number of battles from `low` to `high`, uniform on a logarithmic scale.
fn size(dice: &mut Seeded, low: f64, high: f64) -> u64 {
    libm::exp(between(dice, libm::log(low), libm::log(high))) as u64
}

fn binomial(dice: &mut Seeded, trials: u64, rate: f64) -> u64 {
    (0..trials).filter(|_| dice.unit() < rate).count() as u64
}

#[test]
fn proportions() {
    holds_its_level("proportion", |dice| {
        let (rate, battles) = (between(dice, 0.02, 0.98), size(dice, 20.0, 2_000.0));
        (proportion(binomial(dice, battles, rate), battles, Level::P95), rate)
    });
    // Single truths and sizes: counts are whole numbers, so the share jumps around its level.
    for rate in [0.05, 0.2, 0.5, 0.95] {
        for battles in [100, 700] {
            let share = share(|dice| {
                (proportion(binomial(dice, battles, rate), battles, Level::P95), rate)
            });
            assert!((0.93..=0.97).contains(&share), "{rate} of {battles}: {share}");
        }
    }
}

#[test]
fn differences_of_separate_battles() {
    holds_its_level("difference", |dice| {
        let rates = [between(dice, 0.05, 0.95), between(dice, 0.05, 0.95)];
        let [a, b] = rates.map(|rate| {
            let battles = size(dice, 30.0, 1_000.0);
            (binomial(dice, battles, rate), battles)
        });
        (difference(a, b, Level::P95), rates[0] - rates[1])
    });
}

#[test]
fn win_rates_from_strata() {
    holds_its_level("stratified", |dice| {
        let mut truth = 0.0;
        let parts: Vec<(f64, f64, u64)> = (0..6)
            .map(|_| (between(dice, 0.1, 1.0), between(dice, 0.05, 0.95), size(dice, 10.0, 400.0)))
            .collect();
        let all: f64 = parts.iter().map(|(weight, ..)| weight).sum();
        let parts: Vec<Part> = parts
            .into_iter()
            .map(|(weight, rate, trials)| {
                truth += weight * rate / all;
                Part { weight, successes: binomial(dice, trials, rate), trials }
            })
            .collect();
        (stratified(parts, Level::P95), truth)
    });
}

/// Strata that are played equally often, one of which has 16 times the weight of any other, so that few battles carry
/// nearly half of it. At least 93.5% of the intervals hold the truth, of scores and of their differences from scores
/// with equal weights; with the normal quantile and half a success, as few as 90% did.
#[test]
fn scores_under_weights_that_few_battles_have() {
    for (strata, battles_of_each, rate, rest) in [
        (27, 18, 0.9, 0.9),
        (27, 8, 0.5, 0.5),
        (27, 50, 0.97, 0.97),
        (3, 18, 0.9, 0.5),
        (2, 8, 0.5, 0.9),
        (378, 8, 0.5, 0.5),
    ] {
        let count = f64::from(strata);
        let weight = |at: u32| if at == 0 { 16.0 } else { 1.0 } / (count + 15.0);
        let play = |dice: &mut Seeded| -> Vec<(f64, u64, u64)> {
            let strata = (0..strata).map(|at| (at, if at == 0 { rate } else { rest }));
            let of = |(at, rate)| {
                // Nearly a Poisson number.
                let trials = binomial(dice, 10 * battles_of_each, 0.1).max(1);
                (weight(at), binomial(dice, trials, rate), trials)
            };
            strata.map(of).collect()
        };
        let truth = weight(0) * rate + (1.0 - weight(0)) * rest;
        let score = share(|dice| {
            let of = |(weight, successes, trials)| Part { weight, successes, trials };
            (stratified(play(dice).into_iter().map(of), Level::P95), truth)
        });
        let even = rate / count + (1.0 - 1.0 / count) * rest;
        let change = share(|dice| {
            let of = |(weight, won, battles)| Pair {
                weights: [1.0 / count, weight],
                battles,
                wins: [won; 2],
                both: won,
            };
            (reweighted(play(dice).into_iter().map(of), Level::P95).difference, truth - even)
        });
        println!("{strata} strata of {battles_of_each}, {rate}: {score} {change}");
        assert!(score > 0.935 && change > 0.935, "{strata} {battles_of_each}: {score} {change}");
    }
}

/// Random weights of four strata that add up to 1.
fn shares(dice: &mut Seeded) -> [f64; 4] {
    let weights = [(); 4].map(|()| between(dice, 0.1, 1.0));
    let all: f64 = weights.iter().sum();
    weights.map(|weight| weight / all)
}

#[test]
fn differences_of_the_same_battles() {
    holds_its_level("paired", |dice| {
        let weights = [shares(dice), shares(dice)];
        let mut truth = 0.0;
        let pairs: Vec<Pair> = (0..4)
            .map(|stratum| {
                let both = between(dice, 0.1, 0.6);
                let [first, second] = [(); 2].map(|()| between(dice, 0.02, 0.2));
                let weights = weights.map(|of| of[stratum]);
                truth += weights[1] * (both + second) - weights[0] * (both + first);
                let battles = size(dice, 30.0, 300.0);
                let mut pair = Pair { weights, battles, wins: [0; 2], both: 0 };
                for _ in 0..battles {
                    let unit = dice.unit();
                    pair.both += u64::from(unit < both);
                    pair.wins[0] += u64::from(unit < both + first);
                    let other = both + first..both + first + second;
                    pair.wins[1] += u64::from(unit < both || other.contains(&unit));
                }
                pair
            })
            .collect();
        (paired(pairs, Level::P95).difference, truth)
    });
}

#[test]
fn differences_from_other_odds() {
    holds_its_level("reweighted", |dice| {
        let weights = [shares(dice), shares(dice)];
        let mut truth = 0.0;
        let pairs: Vec<Pair> = (0..4)
            .map(|stratum| {
                let (rate, battles) = (between(dice, 0.05, 0.95), size(dice, 30.0, 600.0));
                let weights = weights.map(|of| of[stratum]);
                truth += (weights[1] - weights[0]) * rate;
                let won = binomial(dice, battles, rate);
                Pair { weights, battles, wins: [won; 2], both: won }
            })
            .collect();
        (reweighted(pairs, Level::P95).difference, truth)
    });
}

/// The probabilities of battles of 1, 2, 3, ... rounds: most are short.
const LENGTHS: [f64; 6] = [0.40, 0.25, 0.15, 0.10, 0.06, 0.04];

static MEAN_LENGTH: LazyLock<f64> =
    LazyLock::new(|| (1..).zip(LENGTHS).map(|(length, odds)| f64::from(length) * odds).sum());

/// The lengths of `count` battles, each `longer` times as long as usual.
fn lengths(dice: &mut Seeded, count: u64, longer: i128) -> Sample {
    let mut sample = Sample { count, sum: 0, squares: 0 };
    for _ in 0..count {
        let mut unit = dice.unit();
        let mut length = 1;
        for odds in &LENGTHS[..LENGTHS.len() - 1] {
            unit -= odds;
            length += i128::from(unit >= 0.0);
        }
        length *= longer;
        sample.sum += length;
        sample.squares += length * length;
    }
    sample
}

#[test]
fn means() {
    holds_its_level("mean", |dice| {
        let count = size(dice, 50.0, 1_500.0);
        let Sample { sum, squares, .. } = lengths(dice, count, 1);
        (mean(count, sum, squares, Level::P95), *MEAN_LENGTH)
    });
    holds_its_level("difference of means", |dice| {
        let [a, b] = [1, 2].map(|longer| {
            let count = size(dice, 50.0, 800.0);
            lengths(dice, count, longer)
        });
        (mean_difference(a, b, Level::P95), -*MEAN_LENGTH)
    });
}

#[test]
fn leads_over_several_opponents() {
    holds_its_level("mean of leads", |dice| {
        let mut truth = 0.0;
        let scores: Vec<(u64, u64, u64)> = (0..5)
            .map(|_| {
                let (wins, draws) = (between(dice, 0.1, 0.8), between(dice, 0.0, 0.1));
                truth += (wins - (1.0 - wins - draws)) / 5.0;
                let battles = size(dice, 40.0, 400.0);
                let (mut won, mut lost) = (0, 0);
                for _ in 0..battles {
                    let unit = dice.unit();
                    won += u64::from(unit < wins);
                    lost += u64::from(unit >= wins + draws);
                }
                (won, lost, battles)
            })
            .collect();
        let opponents: Vec<&[(u64, u64, u64)]> = scores.iter().map(std::slice::from_ref).collect();
        (mean_of_leads(&opponents, Level::P95), truth)
    });
}

/// A card that comes to a side with a probability of its own under each of `N` conditions and wins at a rate of its
/// own, in battles with common random numbers: the interval of the contrast of its win rates, and the true contrast.
fn contrast_of_a_card<const N: usize>(
    dice: &mut Seeded,
    coefficients: [f64; N],
) -> (Estimate, f64) {
    let comes = [(); N].map(|()| between(dice, 0.3, 0.9));
    let rates = [(); N].map(|()| between(dice, 0.2, 0.8));
    let battles = size(dice, 200.0, 1_000.0);
    let mut joint = Joint {
        played: [0; N],
        points: [0; N],
        most: 1,
        played_played: [[0; N]; N],
        points_played: [[0; N]; N],
        points_points: [[0; N]; N],
    };
    for _ in 0..battles {
        let (draw, fight) = (dice.unit(), dice.unit());
        let played: [bool; N] = std::array::from_fn(|at| draw < comes[at]);
        let won: [bool; N] = std::array::from_fn(|at| played[at] && fight < rates[at]);
        for i in 0..N {
            joint.played[i] += u64::from(played[i]);
            joint.points[i] += u64::from(won[i]);
            for j in 0..N {
                joint.played_played[i][j] += u64::from(played[i] && played[j]);
                joint.points_played[i][j] += u64::from(won[i] && played[j]);
                joint.points_points[i][j] += u64::from(won[i] && won[j]);
            }
        }
    }
    let truth = coefficients.iter().zip(&rates).map(|(share, rate)| share * rate).sum();
    (contrast(&joint, &[], coefficients, Level::P95).difference, truth)
}

#[test]
fn effects_on_drawn_cards() {
    holds_its_level("effect", |dice| contrast_of_a_card(dice, [-1.0, 1.0]));
    let interaction = [1.0, -1.0, -1.0, 1.0];
    holds_its_level("interaction", |dice| contrast_of_a_card(dice, interaction));
}

/// Teams that may have each of two cards, which have a worth of their own each, and another one together.
#[test]
fn lifts_of_pairs() {
    holds_its_level("lift", |dice| {
        let [first, second] = [(); 2].map(|()| between(dice, 0.15, 0.5));
        let [base, one, other, together] =
            [0.5, 0.8, 0.8, 0.5].map(|most| between(dice, -most, most));
        let odds = |log: f64| 1.0 / (1.0 + libm::exp(-log));
        // The four cases (neither card, the first, the second, both): how likely each of them is, and how likely it
        // wins.
        let comes = [
            (1.0 - first) * (1.0 - second),
            first * (1.0 - second),
            (1.0 - first) * second,
            first * second,
        ];
        let wins = [base, base + one, base + other, base + one + other + together].map(odds);
        let rate = |cells: &[usize]| {
            let sum = |of: &dyn Fn(usize) -> f64| cells.iter().map(|&cell| of(cell)).sum::<f64>();
            sum(&|cell| comes[cell] * wins[cell]) / sum(&|cell| comes[cell])
        };
        let log = |rate: f64| libm::log(rate / (1.0 - rate));
        let expected = odds(log(rate(&[1, 3])) + log(rate(&[2, 3])) - log(rate(&[0, 1, 2, 3])));
        let mut cells = [(0.0, 0); 4];
        for _ in 0..size(dice, 1_000.0, 4_000.0) {
            let unit = dice.unit();
            let bounds = [comes[0], comes[0] + comes[1], 1.0 - comes[3]];
            let cell = bounds.iter().filter(|&&bound| unit >= bound).count();
            cells[cell].0 += f64::from(u8::from(dice.unit() < wins[cell]));
            cells[cell].1 += 1;
        }
        let sum = |of: &[usize]| {
            of.iter().fold((0.0, 0), |sum, &cell| (sum.0 + cells[cell].0, sum.1 + cells[cell].1))
        };
        let all = sum(&[0, 1, 2, 3]);
        let found = lift(cells[3], sum(&[1, 3]), sum(&[2, 3]), all, Level::P95);
        (found.lift, wins[3] - expected)
    });
}

/// A pilot decides how many battles each stratum gets after it, and its own battles count as well.
#[test]
fn win_rates_from_strata_after_a_pilot() {
    holds_its_level("after a pilot", |dice| {
        let weights = shares(dice);
        let rates = [(); 4].map(|()| between(dice, 0.03, 0.97));
        let truth = weights.iter().zip(rates).map(|(weight, rate)| weight * rate).sum();
        let battles = size(dice, 400.0, 4_000.0);
        let mut parts = weights.map(|weight| Part { weight, successes: 0, trials: 0 });
        let mut play = |parts: &mut [Part], battles: &[u64]| {
            for ((part, &battles), rate) in parts.iter_mut().zip(battles).zip(rates) {
                part.successes += binomial(dice, battles, rate);
                part.trials += battles;
            }
        };
        play(&mut parts, &share_out(&weights, battles / 4));
        let rest = neyman(&parts, battles - battles / 4);
        play(&mut parts, &rest);
        (stratified(parts, Level::P95), truth)
    });
}
