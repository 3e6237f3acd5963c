//! What must be true of exact odds in every game, and of sampled battles compared with them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use evens::chance::{Chance, Every, Seeded};
use evens::game::{Ended, Game, Outcome, Stratum, Unwatched, play};
use evens::tally::{Layout, Measure, Record, Recorder};
use evens::walk::{Budget, Odds, OrderOdds, Stop, matchup};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, DiscreteCDF};

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };
/// A budget small enough to be walked in no time by a build that is not optimised.
const SMALL: Budget = Budget { states: 1_500, ways: 4_000, rounds: u32::MAX };

/// The exact odds of the only stratum; None if they cost more than `SMALL` to walk.
pub fn small_odds<G: Measure>(setup: &G::Setup) -> Option<Odds> {
    let layout = G::layout(setup);
    let odds = matchup::<G>(setup, &layout, 0, &[BigRational::one()], SMALL, &mut |_| true);
    odds.stop.is_none().then_some(odds)
}

/// The exact odds of the only stratum, if they are small and leave something to chance.
fn odds_with_luck<G: Measure>(setup: &G::Setup) -> Option<Odds> {
    let odds = small_odds::<G>(setup)?;
    let is_open = |of: &BigRational| !of.is_zero() && !of.is_one();
    let lucky = odds.lengths.values().any(is_open)
        || odds.outcomes.values().any(is_open)
        || odds.metrics.iter().any(|values| values.len() > 1)
        || odds.orders.values().any(|order| is_open(&order.once));
    lucky.then_some(odds)
}

/// Checks `law` on `cases` set-ups that are small and leave something to chance. They are the same ones in every run of
/// the test.
fn for_small<G: Measure>(
    any: impl Strategy<Value = G::Setup>,
    cases: u32,
    law: impl Fn(&G::Setup, &Layout, &Odds) -> Result<(), TestCaseError>,
) where
    G::Setup: std::fmt::Debug,
{
    let config = ProptestConfig {
        cases,
        max_global_rejects: 100 * cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&any, |setup| {
        let layout = G::layout(&setup);
        match odds_with_luck::<G>(&setup) {
            Some(odds) => law(&setup, &layout, &odds),
            None => Err(TestCaseError::reject("too large, or nothing is left to chance")),
        }
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

/// Plays one whole battle and records it as a run does.
fn whole_battle<G: Measure>(
    setup: &G::Setup,
    dice: &mut impl Chance<G::Roll>,
    record: &mut Record,
) -> Ended<G::State> {
    record.clear(STRATUM);
    let ended = play::<G, _, _>(setup, STRATUM, dice, &mut Recorder::<G>::new(record));
    (record.outcome, record.rounds) = (ended.outcome, ended.rounds);
    record.forfeits = G::forfeits(&ended.state);
    G::metrics(setup, &ended.state, &mut record.metrics);
    G::fighters(setup, &ended.state, record);
    ended
}

/// The orders of a battle, and how often each came up in it.
fn orders_of(record: &Record) -> BTreeMap<(u16, Vec<u16>), u32> {
    let mut orders = BTreeMap::new();
    for order in record.orders() {
        *orders.entry((order.moment(), order.items().to_vec())).or_insert(0) += 1;
    }
    orders
}

/// The odds added up from every whole battle by itself: no states are merged, settled or forgotten. None when there are
/// more battles than `most`.
fn one_by_one<G: Measure>(
    setup: &G::Setup,
    layout: &Layout,
    metrics: usize,
    most: u32,
) -> Option<Odds> {
    let mut odds = Odds {
        outcomes: BTreeMap::new(),
        conditions: Vec::new(),
        forfeited: BigRational::zero(),
        lengths: BTreeMap::new(),
        metrics: vec![BTreeMap::new(); metrics],
        orders: BTreeMap::new(),
        ways: 0,
        states: 0,
        stop: None,
    };
    let mut record = Record::new(layout);
    let mut dice = Every::new();
    for _ in 0..most {
        whole_battle::<G>(setup, &mut dice, &mut record);
        let p = dice.probability();
        *odds.outcomes.entry(record.outcome).or_default() += &p;
        if record.forfeits != 0 {
            odds.forfeited += &p;
            if !dice.advance() {
                return Some(odds);
            }
            continue;
        }
        *odds.lengths.entry(record.rounds).or_default() += &p;
        for (values, &value) in odds.metrics.iter_mut().zip(&record.metrics) {
            *values.entry(value).or_default() += &p;
        }
        for (order, times) in orders_of(&record) {
            let of = odds.orders.entry(order).or_insert_with(|| OrderOdds {
                times: BigRational::zero(),
                once: BigRational::zero(),
                wins: vec![BigRational::zero(); layout.sides],
                metrics: vec![BigRational::zero(); metrics],
            });
            of.times += &p * BigRational::from_integer(times.into());
            of.once += &p;
            if let Outcome::Win(side) = record.outcome {
                of.wins[side.index()] += &p;
            }
            for (sum, &value) in of.metrics.iter_mut().zip(&record.metrics) {
                *sum += &p * BigRational::from_integer(value.into());
            }
        }
        if !dice.advance() {
            return Some(odds);
        }
    }
    None
}

/// Walking round by round, with equal states merged, gives exactly the fractions that all whole battles add up to. At
/// least `at_least` of the set-ups must be small enough to compare.
pub fn merging_changes_nothing<G: Measure>(
    any: impl Strategy<Value = G::Setup>,
    cases: u32,
    at_least: u32,
) where
    G::Setup: std::fmt::Debug,
{
    let compared = RefCell::new(0);
    for_small::<G>(any, cases, |setup, layout, odds| {
        let Some(whole) = one_by_one::<G>(setup, layout, odds.metrics.len(), 2_000) else {
            return Ok(());
        };
        *compared.borrow_mut() += 1;
        prop_assert_eq!(&odds.outcomes, &whole.outcomes);
        prop_assert_eq!(&odds.lengths, &whole.lengths);
        prop_assert_eq!(&odds.metrics, &whole.metrics);
        prop_assert_eq!(&odds.orders, &whole.orders);
        Ok(())
    });
    let compared = compared.into_inner();
    assert!(compared >= at_least, "only {compared} set-ups were small enough");
}

/// A settled state is the same after packing and unpacking, equal states have equal packs, and different states of its
/// battles have different ones. Settling and packing after the state of the round before give the same results as
/// without it.
pub fn packing_loses_nothing<G: Game<State: std::fmt::Debug, Packed: std::fmt::Debug>>(
    any: impl Strategy<Value = G::Setup>,
    cases: u32,
) where
    G::Setup: std::fmt::Debug,
{
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(setup in any, seed: u64)| {
        let mut met: Vec<(G::State, G::Packed)> = Vec::new();
        let mut other: Option<G::State> = None;
        for battle in 0..4 {
            let mut dice = Seeded::of_battle(seed, battle);
            let mut state = G::start(&setup, STRATUM, &mut dice, &mut Unwatched);
            if G::over_at_start(&setup, &state).is_some() {
                continue;
            }
            let mut before: Option<(G::State, G::Packed)> = None;
            loop {
                let mut at_once = state.clone();
                G::settle(&setup, &mut state);
                let packed = G::pack(&state);
                if let Some((before, packed_before)) = &before {
                    G::settle_after(&setup, &mut at_once, before);
                    prop_assert_eq!(&at_once, &state);
                    prop_assert_eq!(&G::pack_after(&state, (before, packed_before)), &packed);
                }
                before = Some((state.clone(), G::pack(&state)));
                prop_assert_eq!(&G::unpack(STRATUM, &packed), &state);
                if let Some(other) = &mut other {
                    G::unpack_into(STRATUM, &packed, other);
                    prop_assert_eq!(&*other, &state);
                }
                other.get_or_insert_with(|| state.clone());
                for (earlier, packed_earlier) in &met {
                    prop_assert_eq!(earlier == &state, packed_earlier == &packed);
                }
                met.push((state.clone(), packed));
                if G::round(&setup, &mut state, &mut dice, &mut Unwatched).is_break() {
                    break;
                }
            }
        }
    });
}

/// All odds of one kind add up to one; and whichever budget ends a walk early, the true odds lie within its bounds.
pub fn bounds_hold<G: Measure>(any: impl Strategy<Value = G::Setup>, cases: u32)
where
    G::Setup: std::fmt::Debug,
{
    let stops = RefCell::new(Vec::new());
    for_small::<G>(any, cases, |setup, layout, odds| {
        let sum = |of: &mut dyn Iterator<Item = &BigRational>| of.sum::<BigRational>();
        prop_assert!(sum(&mut odds.outcomes.values()).is_one());
        prop_assert!(sum(&mut odds.lengths.values()).is_one());
        for values in &odds.metrics {
            prop_assert!(sum(&mut values.values()).is_one());
        }
        for budget in [
            Budget { states: 1, ..SMALL },
            Budget { ways: odds.ways / 2, ..SMALL },
            Budget { rounds: odds.lengths.keys().min().copied().unwrap_or(1), ..SMALL },
        ] {
            let part = matchup::<G>(setup, layout, 0, &[BigRational::one()], budget, |_| true);
            let open = part.open();
            if let Some((_, stop)) = part.stop {
                stops.borrow_mut().push(stop);
            } else {
                prop_assert!(open.is_zero());
            }
            within(&part.outcomes, &odds.outcomes, &open)?;
            within(&part.lengths, &odds.lengths, &open)?;
            for (rounds, truth) in &odds.lengths {
                if part.open_length(*rounds).is_zero() {
                    prop_assert_eq!(part.lengths.get(rounds), Some(truth));
                }
            }
            for (part, whole) in part.metrics.iter().zip(&odds.metrics) {
                within(part, whole, &open)?;
            }
        }
        Ok(())
    });
    let mut stops = stops.into_inner();
    stops.sort_unstable();
    stops.dedup();
    assert_eq!(stops, [Stop::States, Stop::Ways, Stop::Rounds], "every budget was passed");
}

/// The partial odds are lower bounds of the whole ones, and with all that is open added they are upper bounds.
fn within<K: Ord>(
    part: &BTreeMap<K, BigRational>,
    whole: &BTreeMap<K, BigRational>,
    open: &BigRational,
) -> Result<(), TestCaseError> {
    let nothing = BigRational::zero();
    for (key, low) in part {
        prop_assert!(low <= whole.get(key).unwrap_or(&nothing));
    }
    for (key, truth) in whole {
        prop_assert!(*truth <= part.get(key).unwrap_or(&nothing) + open);
    }
    Ok(())
}

/// The probability at which a sampled count is refused as too far from the exact odds. The set-ups are the same in
/// every run, so a test that passes always passes, and among thousands of comparisons no false refusal is expected.
const REFUSED: f64 = 1e-7;
const SAMPLES: u32 = 1_000;

/// Counts of sampled battles, by the value that was read off them.
type Counts<K> = BTreeMap<K, u32>;

/// Every count of sampled battles is within its interval around the exact odds, what is impossible never comes up, and
/// a chi-square test over all set-ups finds no difference.
pub fn sampled_results_lie_around_the_exact_ones<G: Measure>(
    any: impl Strategy<Value = G::Setup>,
    cases: u32,
) where
    G::Setup: std::fmt::Debug,
{
    assert!(cases >= 50, "so many set-ups are promised");
    let sums = RefCell::new((0_u64, 0.0, 0.0));
    for_small::<G>(any, cases, |setup, layout, odds| {
        let mut sums = sums.borrow_mut();
        sums.0 += 1;
        let (mut outcomes, mut lengths) = (Counts::new(), Counts::new());
        let mut metrics = vec![Counts::new(); odds.metrics.len()];
        let mut orders = Counts::new();
        let mut record = Record::new(layout);
        for battle in 0..SAMPLES {
            let mut dice = Seeded::of_battle(sums.0, u64::from(battle));
            whole_battle::<G>(setup, &mut dice, &mut record);
            *outcomes.entry(record.outcome).or_default() += 1;
            *lengths.entry(record.rounds).or_default() += 1;
            for (counts, &value) in metrics.iter_mut().zip(&record.metrics) {
                *counts.entry(value).or_default() += 1;
            }
            for order in orders_of(&record).into_keys() {
                *orders.entry(order).or_default() += 1;
            }
        }
        around("outcome", &outcomes, &odds.outcomes)?;
        around("length", &lengths, &odds.lengths)?;
        let once = odds.orders.iter().map(|(order, odds)| (order.clone(), odds.once.clone()));
        around("order", &orders, &once.collect())?;
        let mut tests =
            vec![chi_square(&outcomes, &odds.outcomes), chi_square(&lengths, &odds.lengths)];
        for (counts, odds) in metrics.iter().zip(&odds.metrics) {
            around("result", counts, odds)?;
            tests.push(chi_square(counts, odds));
        }
        // The results of one battle depend on each other, so one kind of result of each set-up makes the sum
        // independent.
        let (statistic, degrees) =
            tests.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        sums.1 += statistic;
        sums.2 += degrees;
        Ok(())
    });
    let (set_ups, statistic, degrees) = sums.into_inner();
    assert!(set_ups >= 50 && degrees >= 40.0, "{set_ups} set-ups, {degrees} degrees of freedom");
    let p = ChiSquared::new(degrees).unwrap().sf(statistic);
    assert!((1e-4..0.9999).contains(&p), "chi-square {statistic} with {degrees} degrees, p {p}");
}

/// Every count is within its interval.
fn around<K: Ord + std::fmt::Debug>(
    what: &str,
    counts: &Counts<K>,
    odds: &BTreeMap<K, BigRational>,
) -> Result<(), TestCaseError> {
    for key in counts.keys() {
        let possible = odds.get(key).is_some_and(|odds| !odds.is_zero());
        prop_assert!(possible, "{what} {key:?} was sampled and is impossible");
    }
    for (key, odds) in odds {
        let count = u64::from(counts.get(key).copied().unwrap_or(0));
        if odds.is_one() {
            prop_assert_eq!(count, u64::from(SAMPLES), "{} {:?} is certain", what, key);
            continue;
        }
        let binomial = Binomial::new(odds.to_f64().unwrap(), SAMPLES.into()).unwrap();
        let at_most = binomial.cdf(count);
        let at_least = if count == 0 { 1.0 } else { binomial.sf(count - 1) };
        prop_assert!(at_most.min(at_least) > REFUSED, "{what} {key:?}: {count} times, odds {odds}");
    }
    Ok(())
}

/// The chi-square statistic and its degrees of freedom. Rare values are counted together.
fn chi_square<K: Ord>(counts: &Counts<K>, odds: &BTreeMap<K, BigRational>) -> (f64, f64) {
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut rare = (0.0, 0.0);
    for (key, odds) in odds {
        let expected = odds.to_f64().unwrap() * f64::from(SAMPLES);
        let count = f64::from(counts.get(key).copied().unwrap_or(0));
        if expected < 10.0 {
            rare = (rare.0 + count, rare.1 + expected);
        } else {
            cells.push((count, expected));
        }
    }
    if rare.1 >= 10.0 {
        cells.push(rare);
    } else if let Some(first) = cells.first_mut() {
        *first = (first.0 + rare.0, first.1 + rare.1);
    }
    let statistic = cells.iter().map(|(count, expected)| (count - expected).powi(2) / expected);
    (statistic.sum(), cells.len().saturating_sub(1) as f64)
}

/// Whatever ended the walk of earlier conditions, a walk that was interrupted says so, and nothing else is its reason.
#[test]
fn an_interrupted_walk_says_so() {
    let scenario = evens::Scenario::read("splinterlands/archetypes").unwrap();
    let budget = Budget { states: 2_000, ways: 40_000, rounds: u32::MAX };
    let whole = scenario.engine().walk(0, budget, &mut |_| true);
    assert!(matches!(whole.stop, Some((1, Stop::States | Stop::Ways))), "{:?}", whole.stop);
    let mut looked: u32 = 0;
    loop {
        let (mut left, mut ended) = (looked, false);
        let odds = scenario.engine().walk(0, budget, &mut |_| {
            ended |= left == 0;
            left = left.saturating_sub(1);
            !ended
        });
        assert_eq!(matches!(odds.stop, Some((_, Stop::Interrupted))), ended, "{looked}");
        if !ended {
            break;
        }
        looked += 3;
    }
    assert!(looked > 30, "{looked}");
}
