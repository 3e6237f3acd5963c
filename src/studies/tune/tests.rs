//! Tests of tunings whose right answers are known beforehand.

use super::*;
use crate::game::{Outcome, Side};
use crate::statistics::{Expectation, Level};
use crate::tally::fixture::duel;
use crate::tally::{Breakdown, Clustered, Condition, Fighter, Record};

mod targets;
mod verdict;

/// A draw model of names, one of which is drawn in proportion to its weight.
struct Urn {
    names: Vec<String>,
    weights: Vec<f64>,
}

impl Urn {
    fn new(weights: &[f64]) -> Self {
        let names = (0..weights.len()).map(|at| format!("Ball {at}")).collect();
        Self { names, weights: weights.to_vec() }
    }
}

impl DrawModel for Urn {
    fn names(&self) -> &[String] {
        &self.names
    }
    fn weights(&self) -> &[f64] {
        &self.weights
    }
    fn conditions(&self) -> usize {
        self.names.len()
    }
    fn parts(&self, condition: usize) -> Vec<usize> {
        vec![condition]
    }
    fn probabilities(&self, weights: &[f64], into: &mut [f64]) {
        let all: f64 = weights.iter().sum();
        for (into, weight) in into.iter_mut().zip(weights) {
            *into = weight / all;
        }
    }
    fn expectation(&self, of: &[f64]) -> Box<dyn Expectation + '_> {
        Box::new(Mean(of.to_vec()))
    }
    fn gradient(&self, weights: &[f64], of: &[f64], into: &mut [f64]) {
        let all: f64 = weights.iter().sum();
        let mean: f64 = weights.iter().zip(of).map(|(weight, of)| weight * of).sum::<f64>() / all;
        for (into, of) in into.iter_mut().zip(of) {
            *into = (of - mean) / all;
        }
    }
}

/// The weighted mean of these numbers.
struct Mean(Vec<f64>);

impl Expectation for Mean {
    fn under(&self, weights: &[f64]) -> f64 {
        let sum: f64 = weights.iter().zip(&self.0).map(|(weight, of)| weight * of).sum();
        sum / weights.iter().sum::<f64>()
    }
}

/// Duels in which side A wins `wins` of 10,000 battles under each condition, and B the rest.
fn played(wins: &[u64]) -> (Layout, Tally) {
    let condition = |at: usize| Condition {
        label: format!("Ball {at}"),
        factors: vec![at as u16],
        probability: 1.0 / wins.len() as f64,
    };
    let layout = Layout { conditions: (0..wins.len()).map(condition).collect(), ..duel() };
    let mut tally = Tally::new(&layout, Breakdown::Whole);
    for (at, &won) in wins.iter().enumerate() {
        let count = &mut tally.strata[at];
        count.battles = 10_000;
        count.wins = vec![won, 10_000 - won];
    }
    (layout, tally)
}

/// Limits that keep weights from a hundredth to a hundred.
fn wide(urn: &Urn) -> Limits {
    Limits { bounds: vec![(0.01, 100.0); urn.weights.len()], ..Limits::none(urn) }
}

/// These battles and contenders, measured by score.
fn about<'t>(
    urn: &'t Urn,
    (layout, tally): &'t (Layout, Tally),
    contenders: &'t [Contender],
) -> Played<'t> {
    Played { model: urn, layout, tally, contenders, measure: OutcomeMeasure::Score }
}

fn spread(played: &Played<'_>, tuned: &Tuned, limits: &Limits) -> Vec<(f64, f64)> {
    played.spread(tuned, limits, Aim::default(), 1, 1, &mut |_, _| true).unwrap()
}

#[test]
fn two_conditions_are_weighed_so_that_both_sides_are_even() {
    // A leads by 10 points under one and trails by 20 under the other: two to one makes them even.
    let battles = played(&[6000, 3000]);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&battles.0);
    let played = about(&urn, &battles, &contenders);
    let tuned = played.tune(&wide(&urn), Aim::default());
    assert!((tuned.weights[0] / tuned.weights[1] - 2.0).abs() < 0.01, "{tuned:?}");
    let lead = played.standings().lead(0, &tuned.probabilities);
    assert!(lead.value.abs() < 1e-3 && lead.low < 0.0 && lead.high > 0.0, "{lead:?}");
    let spread = spread(&played, &tuned, &wide(&urn));
    assert!(spread.iter().zip(&tuned.weights).all(|(of, w)| of.0 < *w && *w < of.1), "{spread:?}");
}

/// The bootstrap interval of a weight ratio agrees with the delta method.
#[test]
fn weights_scatter_as_far_as_their_battles_let_them() {
    let battles = played(&[6000, 3000]);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&battles.0);
    let played = about(&urn, &battles, &contenders);
    let limits = Limits { bounds: vec![(1.0, 1.0), (0.01, 100.0)], ..Limits::none(&urn) };
    let tuned = played.tune(&limits, Aim::default());
    assert_eq!(tuned.weights, [1.0, 0.5]);
    let (low, high) = spread(&played, &tuned, &limits)[1];
    // The weight is a / b with leads of a = 0.1 and b = 0.2, known to sqrt(0.24 / 10,000) and sqrt(0.21 / 10,000).
    let relative = (0.24e-4_f64 / 0.01 + 0.21e-4 / 0.04).sqrt();
    let half = libm::log(high / low) / 2.0;
    assert!((half / (1.96 * relative) - 1.0).abs() < 0.2, "{half} {relative}");
}

#[test]
fn limits_bind() {
    let battles = played(&[6000, 4900]);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&battles.0);
    let played = about(&urn, &battles, &contenders);
    let tune = |limits: &Limits| played.tune(limits, Aim::default());
    let narrow = Limits { bounds: vec![(0.5, 2.0); 2], ..Limits::none(&urn) };
    assert_eq!(tune(&narrow).weights, [0.5, 2.0], "as far as it may go");
    let by_three = Limits { factor: Some(3.0), ..Limits::none(&urn) };
    let weights = tune(&by_three).weights;
    assert!(
        (weights[1] - 3.0).abs() < 1e-9 && (weights[0] - 1.0 / 3.0).abs() < 1e-9,
        "{weights:?}"
    );
    let not_rare = Limits { rarest: 0.3, ..wide(&urn) };
    let tuned = tune(&not_rare);
    let shares = shares(&urn, &tuned.probabilities);
    assert!((0.3..0.3015).contains(&shares[0]), "{shares:?}");
    assert!(not_rare.is_at_rarest(shares[0]) && !not_rare.is_at_rarest(shares[1]));
}

/// Weights far from 1 stay what they are where nothing need change: no bounds cut them off.
#[test]
fn weights_that_need_not_change_stay() {
    let battles = played(&[5000, 5000, 5000]);
    let urn = Urn::new(&[1.0, 30.12345, 0.015]);
    let contenders = contenders(&battles.0);
    let limits = Limits { factor: Some(4.0), ..Limits::none(&urn) };
    let tuned = about(&urn, &battles, &contenders).tune(&limits, Aim::default());
    assert_eq!(tuned.weights, [1.0, 30.12345, 0.015]);
}

#[test]
fn what_has_no_weight_gets_none_and_what_is_pinned_keeps_its_own() {
    let battles = played(&[6000, 3000, 9000, 5500]);
    let urn = Urn::new(&[1.0, 1.0, 0.0, 3.71234]);
    let contenders = contenders(&battles.0);
    let mut limits = wide(&urn);
    limits.bounds[3] = (3.71234, 3.71234);
    let played = about(&urn, &battles, &contenders);
    let tuned = played.tune(&limits, Aim::default());
    assert_eq!((tuned.weights[2], tuned.probabilities[2]), (0.0, 0.0));
    assert_eq!(tuned.weights[3], 3.71234);
    assert!(played.standings().lead(0, &tuned.probabilities).value.abs() < 1e-4, "{tuned:?}");
}

/// A battle without a winner counts as even, drawn or undecided: it moves no weight.
#[test]
fn draws_count_against_nobody() {
    let (layout, mut tally) = played(&[3000, 5000]);
    // Half of the battles under the first condition have no winner, and A and B win equally many of the others.
    tally.strata[0].wins = vec![2500, 2500];
    tally.strata[0].draws = 3000;
    tally.strata[0].undecided = 2000;
    let battles = (layout, tally);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&battles.0);
    let played = about(&urn, &battles, &contenders);
    assert_eq!(played.tune(&wide(&urn), Aim::default()).weights, [1.0, 1.0]);
    assert_eq!(played.standings().deviation(0, &[1.0, 0.0]).value, 0.0);
    let error = played.standings().deviation(0, &[1.0, 0.0]).error;
    assert!((error - (0.125_f64 / 9_999.0).sqrt()).abs() < 1e-12, "{error}");
    let wins = Played { measure: OutcomeMeasure::Wins, ..played };
    assert_eq!(wins.standings().deviation(0, &[1.0, 0.0]).value, -0.25);
    let decided = Played { measure: OutcomeMeasure::Decided, ..played };
    let lead = decided.standings().deviation(0, &[1.0, 0.0]);
    assert_eq!(lead.value, 0.0);
    assert!((lead.error - (0.25_f64 / 5_000.0).sqrt()).abs() < 1e-5, "{lead:?}");
}

/// Where a side won every battle of a few its true score may be lower, and no sample of wins varies.
#[test]
fn leads_of_sides_that_win_everything_have_intervals_as_wide_as_wilsons() {
    let (layout, mut tally) = played(&[5000, 5000]);
    for at in 0..2 {
        let stratum = &mut tally.strata[at];
        (stratum.battles, stratum.wins) = (100, vec![100, 0]);
    }
    let battles = (layout, tally);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&battles.0);
    let standings = about(&urn, &battles, &contenders).standings();
    for (odds, battles) in [([1.0, 0.0], 100.0), ([0.5, 0.5], 200.0)] {
        let z = Level::P95.z();
        let lowest = battles / (battles + z * z) - 0.5;
        let lead = standings.lead(0, &odds);
        assert_eq!((lead.value, lead.high), (0.5, 0.5));
        assert!((lead.low - lowest).abs() < 1e-9, "{lead:?} reaches to {lowest}");
    }
}

#[test]
fn a_price_keeps_weights_nearer() {
    let battles = played(&[6000, 3000]);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&battles.0);
    let played = about(&urn, &battles, &contenders);
    let at = |price: f64| {
        let tuned = played.tune(&wide(&urn), Aim { price, ..Aim::default() });
        (
            tuned.weights[0] / tuned.weights[1],
            played.standings().lead(0, &tuned.probabilities).value.abs(),
        )
    };
    let found: Vec<(f64, f64)> = [0.0, 0.02, 0.1, 10.0].map(at).to_vec();
    assert!(
        found.windows(2).all(|pair| pair[0].0 > pair[1].0 && pair[0].1 < pair[1].1),
        "{found:?}"
    );
    assert!((found[3].0 - 1.0).abs() < 1e-3);
    // At a price of 10 points one doubling is as bad as a lead of 10 points: the weights found minimise that sum.
    let cost = |ratio: f64| {
        let lead = (0.1 * ratio - 0.2) / (1.0 + ratio);
        2.0 * lead * lead + 2.0 * (0.1 * libm::log2(ratio) / 2.0).powi(2)
    };
    let best = found[2].0;
    assert!(cost(best) <= cost(best * 1.01) && cost(best) <= cost(best / 1.01), "{best}");
}

/// Three contenders of a field, as side A against the last one: leads of 10, 2 and -3 points under the first condition,
/// and others under the second.
fn field(first: [f64; 3], second: [f64; 3]) -> (Layout, Tally) {
    let (mut layout, _) = played(&[5000, 5000]);
    let names = ["One", "Two", "Three"];
    layout.matchups = names
        .iter()
        .map(|name| crate::tally::Matchup {
            contenders: vec![(*name).to_owned(), format!("Foe of {name}")],
        })
        .collect();
    let mut tally = Tally::new(&layout, Breakdown::Whole);
    let leads = (0..3).flat_map(|at| [first[at], second[at]]);
    for (at, lead) in leads.enumerate() {
        let count = &mut tally.strata[at];
        let won = ((0.5 + lead) * 1e6).round() as u64;
        count.battles = 1_000_000;
        count.wins = vec![won, 1_000_000 - won];
    }
    (layout, tally)
}

#[test]
fn the_largest_lead_is_as_small_as_a_search_through_all_weights_makes_it() {
    let battles = field([0.10, 0.0, 0.0], [0.0, -0.08, -0.08]);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&battles.0);
    let played = about(&urn, &battles, &contenders);
    let limits = wide(&urn);
    let largest = |weights: &[f64]| {
        let share = weights[0] / (weights[0] + weights[1]);
        let standings = played.standings();
        (0..6)
            .map(|at| standings.deviation(at, &[share, 1.0 - share]).value.abs())
            .fold(0.0, f64::max)
    };
    let best =
        (1..1000).map(|at| largest(&[f64::from(at), f64::from(1000 - at)])).fold(1.0, f64::min);
    let found = played.tune(&limits, Aim { objective: Objective::Largest, price: 0.0 });
    let squares = played.tune(&limits, Aim::default());
    assert!(largest(&found.weights) < best + 1e-4, "{} {best}", largest(&found.weights));
    assert!(largest(&squares.weights) > best + 5e-3, "the squares weigh otherwise");
}

#[test]
fn more_freedom_gives_smaller_leads() {
    let battles = field([0.10, 0.02, -0.03], [-0.02, -0.09, 0.06]);
    let urn = Urn::new(&[1.0, 1.0]);
    let contenders = contenders(&battles.0);
    let played = about(&urn, &battles, &contenders);
    let limits = Limits { factor: Some(3.0), ..Limits::none(&urn) };
    let found = played.trade_off(&limits, Aim { objective: Objective::Largest, price: 0.0 });
    assert_eq!(found.iter().filter(|row| row.chosen).count(), 1);
    assert_eq!(found[0].how, How::AtMost(1.0));
    assert_eq!((found[0].moved, found[0].factor), (0.0, 1.0));
    for pair in found.windows(2) {
        assert!(pair[1].largest <= pair[0].largest + 1e-6 && pair[1].moved >= pair[0].moved - 1e-6);
    }
    let priced = played.trade_off(&limits, Aim { objective: Objective::Largest, price: 0.02 });
    for pair in priced.windows(2) {
        assert!(pair[1].largest <= pair[0].largest + 1e-6 && pair[1].moved >= pair[0].moved - 1e-6);
    }
}

#[test]
fn a_lead_is_known_as_well_as_its_battles_allow() {
    let battles = played(&[5200, 5200]);
    let contenders = contenders(&battles.0);
    let urn = Urn::new(&[1.0, 1.0]);
    let lead = about(&urn, &battles, &contenders).standings().lead(0, &[0.5, 0.5]);
    // 20,000 battles: one standard deviation of a win is 0.5.
    let half = 1.96 * 0.5 * (1.0 - 0.04_f64 * 0.04).sqrt() / 20_000_f64.sqrt();
    assert!((lead.value - 0.02).abs() < 1e-12);
    assert!((lead.high - lead.value - half).abs() < 1e-5, "{lead:?}");
}

/// A contender on two of three sides counts as one: what one of its sides wins the other does not.
#[test]
fn whoever_is_on_several_sides_is_one() {
    let mut layout = crate::tally::fixture::three_sides();
    let names = ["Twin", "Twin", "Other"].map(str::to_owned).to_vec();
    layout.matchups = vec![crate::tally::Matchup { contenders: names }];
    let mut tally = Tally::new(&layout, Breakdown::Whole);
    for at in 0..layout.strata() {
        let count = &mut tally.strata[at];
        count.battles = 900;
        count.wins = vec![400, 200, 300];
    }
    let contenders = contenders(&layout);
    let standings = Standings::new(&layout, &tally, &contenders, OutcomeMeasure::Score);
    let odds: Vec<f64> = layout.conditions.iter().map(|condition| condition.probability).collect();
    let [other, twin] = [0, 1].map(|at| standings.deviation(at, &odds));
    assert!(other.value.abs() < 1e-12 && twin.value.abs() < 1e-12, "a third each");
    assert!((twin.error - other.error / 2.0).abs() < 1e-12, "one trial, seen from both ends");
}

/// The duels of [`played`], in which side A brings the first unit whenever it is drawn: in `present` of 10,000 battles under
/// each condition, `wins` of which it wins.
fn drawn(present: &[u64], wins: &[u64]) -> (Layout, Tally) {
    let (layout, _) = played(wins);
    let mut tally = Tally::new(&layout, Breakdown::Condition);
    for (at, (&present, &won)) in present.iter().zip(wins).enumerate() {
        tally.strata[at].battles = 10_000;
        let fared = Clustered {
            times: present,
            points: 2 * won,
            times_squared: present,
            times_by_points: 2 * won,
            points_squared: 4 * won,
        };
        tally.fared_in_part.put(at * layout.units.len(), &[fared]);
        tally.units[0].played += present;
    }
    (layout, tally)
}

#[test]
fn a_unit_counts_as_often_as_it_is_drawn() {
    // The unit leads by 10 points under the first condition and trails by 20 under the second, but it takes part half
    // as often under the first: weights of four to one make it even.
    let battles = drawn(&[1000, 2000], &[600, 600]);
    let urn = Urn::new(&[1.0, 1.0]);
    let units = units(&battles.0, &battles.1, "summoner");
    assert_eq!(units.len(), 1, "only what was drawn");
    let played = about(&urn, &battles, &units);
    let tuned = played.tune(&wide(&urn), Aim::default());
    assert!((tuned.weights[0] / tuned.weights[1] - 4.0).abs() < 0.02, "{tuned:?}");
    assert!(played.standings().lead(0, &tuned.probabilities).value.abs() < 1e-3);
}

#[test]
fn a_units_lead_is_known_as_well_as_its_appearances_allow() {
    let battles = drawn(&[1000, 3000], &[550, 1650]);
    let units = units(&battles.0, &battles.1, "summoner");
    let urn = Urn::new(&[1.0, 1.0]);
    let lead = about(&urn, &battles, &units).standings().lead(0, &[0.5, 0.5]);
    let half = 1.96 * 0.5 * (1.0 - 0.1_f64 * 0.1).sqrt() / 4000_f64.sqrt();
    assert!((lead.value - 0.05).abs() < 1e-12);
    assert!((lead.high - lead.value - half).abs() < 1e-4, "{lead:?}");
}

/// 2,000 battles in which sides A and B bring these numbers of copies of the first unit; A wins 60% of them.
fn brought(copies: [usize; 2]) -> (Layout, Tally) {
    let (layout, _) = played(&[6000]);
    let mut tally = Tally::new(&layout, Breakdown::Condition);
    for index in 0..2_000 {
        let mut record = Record::new(&layout);
        record.outcome = Outcome::Win(if index % 10 < 6 { Side::A } else { Side::B });
        for (side, copies) in [Side::A, Side::B].into_iter().zip(copies) {
            let one = Fighter { unit: 0, level: 1, side, survived: false, dealt: 0, taken: 0 };
            record.fighters.extend(std::iter::repeat_n(one, copies));
        }
        tally.add(&layout, &record);
    }
    (layout, tally)
}

/// Copies on one side win and lose together, and what one side's copy wins the other side's loses.
#[test]
fn a_unit_that_comes_several_times_a_battle_is_one_trial() {
    let urn = Urn::new(&[1.0]);
    let lead = |copies| {
        let battles = brought(copies);
        let units = units(&battles.0, &battles.1, "summoner");
        let played = about(&urn, &battles, &units);
        let standings = played.standings();
        let tuned = played.tune(&wide(&urn), Aim::default());
        assert_eq!(
            spread(&played, &tuned, &wide(&urn)),
            [(1.0, 1.0)],
            "there is nothing to choose"
        );
        standings.deviation(0, &[1.0])
    };
    let (one, eight, both) = (lead([1, 0]), lead([8, 0]), lead([1, 1]));
    assert!((one.value - 0.1).abs() < 1e-12 && (eight.value - 0.1).abs() < 1e-12);
    assert!((one.error / eight.error - 1.0).abs() < 1e-12, "{one:?} {eight:?}");
    assert!(both.value.abs() < 1e-12 && both.error < one.error / 10.0, "{both:?}");
}

/// Checks the gradient and the curvature of both objectives, with a price and with a share below the limit.
#[test]
fn the_slope_is_that_of_the_value() {
    use problem::Penalised;
    use solve::Function;
    let battles = drawn(&[1000, 2500, 400], &[600, 900, 300]);
    let urn = Urn::new(&[1.0, 1.0, 1.0]);
    let mut units = units(&battles.0, &battles.1, "summoner");
    units[0].target = 0.53;
    let standings = about(&urn, &battles, &units).standings();
    let limits = Limits { rarest: 0.2, ..wide(&urn) };
    let aim = Aim { objective: Objective::Largest, price: 0.03 };
    let problem = Problem::new(&urn, &standings, &limits, aim);
    for sharpness in [None, Some(0.05), Some(0.002)] {
        let penalised = Penalised { problem: &problem, sharpness, patience: 10.0 };
        let at = [0.4, -0.9, 0.2];
        let (mut slope, mut curvature) = ([0.0; 3], [0.0; 9]);
        let value = penalised.slope(&at, &mut slope, &mut curvature);
        assert_eq!(value, penalised.value(&at));
        for which in 0..3 {
            let moved = |by: f64| {
                let mut x = at;
                x[which] += by;
                penalised.value(&x)
            };
            let estimate = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            assert!((estimate - slope[which]).abs() < 1e-6, "{estimate} {slope:?}");
            assert!(curvature[which * 4] > 0.0);
            for other in 0..3 {
                assert!(
                    (curvature[which * 3 + other] - curvature[other * 3 + which]).abs() < 1e-12
                );
            }
        }
    }
}

/// Duels with these results by condition: battles that side A won, and battles played.
fn won_of(results: &[(u64, u64)]) -> (Layout, Tally) {
    let (layout, mut tally) = played(&results.iter().map(|of| of.0).collect::<Vec<_>>());
    for (at, &(won, battles)) in results.iter().enumerate() {
        let count = &mut tally.strata[at];
        (count.battles, count.wins) = (battles, vec![won, battles - won]);
    }
    (layout, tally)
}

/// Duels drawn at random: `battles` under each condition, in which side A wins with the odds of that condition.
fn at_odds(odds: &[f64], battles: u64, random: &mut Seeded) -> (Layout, Tally) {
    let won = |odds: f64, random: &mut Seeded| {
        (0..battles).filter(|_| random.unit() < odds).count() as u64
    };
    let results: Vec<(u64, u64)> = odds.iter().map(|&odds| (won(odds, random), battles)).collect();
    won_of(&results)
}

/// Conditions under which leads are alike are told apart in one of twenty samples at most, however few battles each
/// has; those under which they differ are told apart.
#[test]
fn draws_that_are_alike_are_rarely_told_apart() {
    let share = |odds: &[f64], battles: u64| {
        let urn = Urn::new(&vec![1.0; odds.len()]);
        let (mut same, mut found) = (vec![0.0; odds.len()], 0);
        urn.probabilities(urn.weights(), &mut same);
        for sample in 0..2_000 {
            let mut random = Seeded::of_battle(31, sample);
            let (layout, tally) = at_odds(odds, battles, &mut random);
            let contenders = contenders(&layout);
            let standings = Standings::new(&layout, &tally, &contenders, OutcomeMeasure::Score);
            found += u32::from(standings.alike(0, &same) < 0.05);
        }
        f64::from(found) / 2_000.0
    };
    for (odds, battles) in [(vec![0.5; 27], 4), (vec![0.8; 9], 30), (vec![0.55; 3], 500)] {
        let alarms = share(&odds, battles);
        assert!((0.02..0.065).contains(&alarms), "{alarms} of {odds:?} with {battles}");
    }
    assert!(share(&[0.4, 0.5, 0.6], 300) > 0.99);
    let (layout, tally) = won_of(&[(500, 500), (500, 500)]);
    let contenders = contenders(&layout);
    let standings = Standings::new(&layout, &tally, &contenders, OutcomeMeasure::Score);
    assert_eq!(standings.alike(0, &[0.5, 0.5]), 1.0, "what never varies is alike");
}

/// The lower bound of a lead under every condition is too high in at most one of twenty samples.
#[test]
fn leads_under_every_draw_are_bounded() {
    let (least, battles) = (0.62, 60);
    let odds = [least, 0.9, least, 0.99, least];
    let (mut missed, mut said) = (0, 0);
    for sample in 0..2_000 {
        let mut random = Seeded::of_battle(32, sample);
        let (layout, tally) = at_odds(&odds, battles, &mut random);
        let contenders = contenders(&layout);
        let standings = Standings::new(&layout, &tally, &contenders, OutcomeMeasure::Score);
        let [of_a, of_b] = [0, 1].map(|at| standings.leads_always(at, &[0.2; 5], 0.05));
        assert_eq!(of_a.map(|lead| (lead * 1e9).round()), of_b.map(|lead| (-lead * 1e9).round()));
        said += u32::from(of_a.is_some());
        missed += u32::from(of_a.is_some_and(|lead| lead.abs() > least - 0.5));
    }
    assert!(missed <= 100 && said < 2_000, "{missed} of {said}");
    let (layout, tally) = won_of(&[(3_990, 4_000), (3_400, 4_000)]);
    let contenders = contenders(&layout);
    let standings = Standings::new(&layout, &tally, &contenders, OutcomeMeasure::Score);
    let lead = standings.leads_always(0, &[0.5; 2], 0.05).expect("a lead").abs();
    assert!((0.32..0.35).contains(&lead), "{lead}");
    assert_eq!(standings.leads_always(0, &[1.0, 0.0], 0.05).map(|of| of.abs() > 0.49), Some(true));
}

/// A bound near the margin has enough digits to tell on which side of the margin it is.
#[test]
fn a_bound_is_told_apart_from_the_margin() {
    use super::page::bound;
    let told =
        [(0.010_049, 0.01), (0.009_97, 0.01), (0.0123, 0.01), (0.004_999, 0.005), (0.01, 0.01)];
    assert_eq!(
        told.map(|(of, within)| bound(of, within)),
        ["1.005", "0.997", "1.2", "0.4999", "1.0"]
    );
}
