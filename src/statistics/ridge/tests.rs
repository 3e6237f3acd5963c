//! Planted truths, textbook data, and the level of every interval and test.

use nalgebra::{DMatrix, DVector};

use super::*;
use crate::chance::Seeded;
use crate::statistics::Level;

/// The sums of these rows of columns and an outcome, with the means of the columns and the outcome taken out.
fn sums(rows: &[(Vec<f64>, f64)], groups: Vec<usize>) -> Sums {
    let (count, columns) = (rows.len() as f64, groups.len());
    type Row = (Vec<f64>, f64);
    let mean = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>() / count;
    let means: Vec<f64> = (0..columns).map(|at| mean(&|row| row.0[at])).collect();
    let outcome = mean(&|row| row.1);
    let mut sums = Sums {
        rows: rows.len() as u64,
        means: 1,
        products: vec![0.0; columns * columns],
        moments: vec![0.0; columns],
        squares: 0.0,
        groups,
        weights: vec![1.0; columns],
        costs: vec![f64::NAN; columns],
    };
    for (row, value) in rows {
        let value = value - outcome;
        sums.squares += value * value;
        for one in 0..columns {
            sums.moments[one] += (row[one] - means[one]) * value;
            for other in 0..columns {
                sums.products[one * columns + other] +=
                    (row[one] - means[one]) * (row[other] - means[other]);
            }
        }
    }
    sums
}

fn middle(rows: &[(Vec<f64>, f64)], ridge: &Ridge) -> Vec<f64> {
    let columns = ridge.sums.columns();
    let coefficients: Vec<f64> = ridge.plain.coefficients.iter().copied().collect();
    let count = rows.len() as f64;
    let means: Vec<f64> =
        (0..columns).map(|at| rows.iter().map(|row| row.0[at]).sum::<f64>() / count).collect();
    let outcome = rows.iter().map(|row| row.1).sum::<f64>() / count;
    let mut squares = vec![0.0; columns * columns];
    for (row, value) in rows {
        let row: Vec<f64> = row.iter().zip(&means).map(|(one, mean)| one - mean).collect();
        let predicted: f64 = row.iter().zip(&coefficients).map(|(a, b)| a * b).sum();
        let error = (value - outcome - predicted).powi(2);
        for one in 0..columns {
            for other in 0..columns {
                squares[one * columns + other] += row[one] * row[other] * error;
            }
        }
    }
    squares
}

/// The stack loss data of K. A. Brownlee ("Statistical Theory and Methodology in Science and Engineering", 1965),
/// as R has them: `coef(lm(stack.loss ~ ., stackloss))` is 0.7156402, 1.2952861, -0.1521225, and
/// `sqrt(diag(vcovHC(., "HC0")))` of the package sandwich follows from the same formula.
#[test]
fn least_squares_are_those_of_the_textbook() {
    let air = [80, 80, 75, 62, 62, 62, 62, 62, 58, 58, 58, 58, 58, 58, 50, 50, 50, 50, 50, 56, 70];
    let water =
        [27, 27, 25, 24, 22, 23, 24, 24, 23, 18, 18, 17, 18, 19, 18, 18, 19, 19, 20, 20, 20];
    let acid = [89, 88, 90, 87, 87, 87, 93, 93, 87, 80, 89, 88, 82, 93, 89, 86, 72, 79, 80, 82, 91];
    let loss = [42, 37, 37, 28, 18, 18, 19, 20, 15, 14, 14, 13, 11, 12, 8, 7, 8, 8, 9, 15, 15];
    let rows: Vec<(Vec<f64>, f64)> = (0..21)
        .map(|at| {
            (
                vec![air[at], water[at], acid[at]].into_iter().map(f64::from).collect(),
                f64::from(loss[at]),
            )
        })
        .collect();
    // Each column is a group of its own without anything to compare it with, so only the coefficients themselves
    // are checked.
    let ridge = Ridge::fit(sums(&rows, vec![0, 1, 2])).unwrap();
    let expected = [0.715_640_2, 1.295_286_1, -0.152_122_5];
    for (found, expected) in ridge.plain.coefficients.iter().zip(expected) {
        assert!((found - expected).abs() < 2e-5, "{found} is not {expected}");
    }
    // The residual standard error of the same output is 3.243 on 17 degrees of freedom.
    let noise = ridge.sums.unexplained(&ridge.plain.coefficients).sqrt();
    assert!((noise - 3.243).abs() < 1e-3, "{noise}");
}

/// Duels of six against six, drawn from twenty things, with an outcome of 0 or 1 whose odds are the sum of their
/// truths.
fn duels(truths: &[f64], battles: usize, random: &mut Seeded) -> Vec<(Vec<f64>, f64)> {
    let count = truths.len();
    (0..battles)
        .map(|_| {
            let mut row = vec![0.0; count];
            for sign in [1.0, -1.0] {
                let mut left: Vec<usize> = (0..count).collect();
                for _ in 0..6 {
                    let at = random.below(left.len() as u32) as usize;
                    row[left.swap_remove(at)] += sign;
                }
            }
            let odds = 0.5 + row.iter().zip(truths).map(|(a, b)| a * b).sum::<f64>();
            (row, f64::from(u8::from(random.unit() < odds)))
        })
        .collect()
}

/// A planted additive truth: 95% of plain and of shrunken intervals cover it, all ranks hold at once in at least 95
/// of 100 sets, and where all are alike one p-value in twenty is below 5%.
#[test]
fn intervals_places_and_tests_hold_their_level() {
    const SETS: u64 = 120;
    for (case, spread) in [0.0, 0.01, 0.03].into_iter().enumerate() {
        let (mut plain, mut shrunken, mut places, mut alarms, mut all) = (0, 0, 0, 0, 0);
        for set in 0..SETS {
            let mut random = Seeded::of_battle(70 + case as u64, set);
            let truths: Vec<f64> =
                (0..20).map(|_| spread * random.normal().clamp(-2.0, 2.0)).collect();
            let mean = truths.iter().sum::<f64>() / 20.0;
            let rows = duels(&truths, 1_500, &mut random);
            let ridge = Ridge::fit(sums(&rows, vec![0; 20])).unwrap();
            let found =
                ridge.contrasts(&ridge.errors(&middle(&rows, &ridge)), Baseline::Mean, Level::P95);
            let mut hold = true;
            for (one, truth) in found.iter().zip(&truths) {
                let place = 1 + truths.iter().filter(|other| *other > truth).count();
                plain += u32::from(!one.plain.excludes(truth - mean));
                shrunken += u32::from(!one.shrunken.excludes(truth - mean));
                alarms += u32::from(one.p_value < 0.05);
                hold &= spread == 0.0 || (one.places[0]..=one.places[1]).contains(&place);
                all += 1;
            }
            places += u32::from(hold);
        }
        let share = |count: u32| f64::from(count) / f64::from(all);
        println!(
            "{spread}: plain {:.3}, shrunken {:.3}, places {places} of {SETS}, alarms {:.3}",
            share(plain),
            share(shrunken),
            share(alarms)
        );
        assert!((0.93..=0.965).contains(&share(plain)), "{}", share(plain));
        assert!((0.93..=1.0).contains(&share(shrunken)), "{}", share(shrunken));
        assert!(places >= 110, "{places} of {SETS}");
        assert!(spread > 0.0 || (0.03..=0.07).contains(&share(alarms)), "{}", share(alarms));
    }
}

/// One thing is worth far more than all others, which are alike: it is shrunken by their spread, which is next to
/// nothing. If the thing that heads the list is visibly worth more, its interval covers its truth.
#[test]
fn what_stands_out_alone_is_within_its_interval() {
    for (case, (extra, battles)) in
        [(0.1, 1_000), (0.1, 3_000), (0.2, 1_000)].into_iter().enumerate()
    {
        let (mut held, mut told) = (0, 0);
        for set in 0..300 {
            let mut random = Seeded::of_battle(120 + case as u64, set);
            let mut truths = vec![0.0; 20];
            truths[7] = extra;
            let rows = duels(&truths, battles, &mut random);
            let ridge = Ridge::fit(sums(&rows, vec![0; 20])).unwrap();
            let errors = ridge.errors(&middle(&rows, &ridge));
            let found = ridge.contrasts(&errors, Baseline::Mean, Level::P95);
            let p_values: Vec<f64> = found.iter().map(|one| one.p_value).collect();
            let adjusted = crate::statistics::benjamini_hochberg(&p_values);
            let value = |at: &usize| found[*at].shrunken.value;
            let first = (0..20).max_by(|a, b| value(a).total_cmp(&value(b))).unwrap();
            if adjusted[first] < 0.05 {
                told += 1;
                let truth = truths[first] - extra / 20.0;
                held += u32::from(!found[first].shrunken.excludes(truth));
            }
        }
        println!("{extra} in {battles}: {held} of {told}");
        assert!(told > 100, "{told}");
        assert!(f64::from(held) > 0.93 * f64::from(told), "{held} of {told}");
    }
}

/// Two things that are always together cannot be told apart, and share their effect; the others can be told apart.
#[test]
fn what_is_always_together_is_not_told_apart() {
    let mut random = Seeded::from_seed(4);
    let row = |random: &mut Seeded| {
        let mut row: Vec<f64> = (0..8).map(|_| f64::from(random.below(2))).collect();
        row.push(row[0]);
        let odds = 0.5 + 0.1 * row[0];
        (row, f64::from(u8::from(random.unit() < odds)))
    };
    let rows: Vec<(Vec<f64>, f64)> = (0..4_000).map(|_| row(&mut random)).collect();
    let ridge = Ridge::fit(sums(&rows, vec![0; 9])).unwrap();
    let found = ridge.contrasts(&ridge.errors(&middle(&rows, &ridge)), Baseline::Mean, Level::P95);
    assert!(found[0].plain.value.is_nan() && found[8].plain.value.is_nan());
    assert!((1..8).all(|at| !found[at].plain.value.is_nan()));
    assert!((found[0].shrunken.value - found[8].shrunken.value).abs() < 1e-9);
    assert_eq!(found[0].places, [1, 9]);
}

/// Things that cost more are worth more, by a planted line. Compared with it, a thing worth its price has a
/// contrast of 0, and one worth more than its price stands out; compared with the mean, the expensive ones are
/// worth most. Intervals cover 95% of the time.
#[test]
fn worth_for_its_cost_is_less_what_its_kind_is_worth_at_that_cost() {
    let costs: Vec<f64> = (0..20).map(|at| f64::from(1 + at % 5)).collect();
    let extra = |at: usize| if at == 7 { 0.08 } else { 0.0 };
    let truths: Vec<f64> = (0..20).map(|at| 0.01 * costs[at] + extra(at)).collect();
    let (mut held, mut all, mut first) = (0, 0, 0);
    for set in 0..60 {
        let mut random = Seeded::of_battle(90, set);
        let rows = duels(&truths, 2_000, &mut random);
        let mut of = sums(&rows, vec![0; 20]);
        of.costs.clone_from(&costs);
        let expected = of.contrasted(
            &DVector::from_column_slice(&truths),
            &DMatrix::zeros(20, 20),
            &of.parts(Baseline::Cost),
        );
        let ridge = Ridge::fit(of).unwrap();
        let errors = ridge.errors(&middle(&rows, &ridge));
        let found = ridge.contrasts(&errors, Baseline::Cost, Level::P95);
        for (one, (truth, _)) in found.iter().zip(&expected) {
            held += u32::from(!one.plain.excludes(*truth));
            all += 1;
        }
        let best = |found: &[Contrast]| {
            let value = |at: &usize| found[*at].shrunken.value;
            (0..20).max_by(|a, b| value(a).total_cmp(&value(b))).unwrap()
        };
        first += u32::from(best(&found) == 7);
        let worth = ridge.worths(Baseline::Cost)[7];
        assert!((worth - found[7].shrunken.value).abs() < 1e-12);
    }
    let share = f64::from(held) / f64::from(all);
    assert!((0.93..=0.97).contains(&share), "{share}");
    assert!(first >= 55, "{first} of 60");
}

#[test]
fn nothing_varies_nothing_is_fitted() {
    let rows = vec![(vec![1.0, 1.0], 0.0), (vec![1.0, 1.0], 1.0)];
    assert!(Ridge::fit(sums(&rows, vec![0, 0])).is_none());
}
