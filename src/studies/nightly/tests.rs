//! What is compared, what counts, and what a file may say.

use proptest::prelude::*;

use super::*;
use crate::game::Side;
use crate::tally::OutcomeMeasure;
use crate::tally::fixture::{duel, round_robin, tally};

const REMEDY: &str = "write it with `evens nightly --write X`";

fn provenance(battles: u64, seed: u64) -> Provenance {
    let mut run = Provenance::new("splinterlands", "thorns", "0123abcd", seed, battles);
    run.battles_played = battles;
    run
}

fn matchup(names: [&str; 2], wins: [u64; 2], draws: u64) -> MatchupCount {
    MatchupCount {
        contenders: names.map(str::to_owned).to_vec(),
        battles: wins[0] + wins[1] + draws,
        wins: wins.to_vec(),
        draws,
        undecided: 0,
        unfought: 0,
        sums: Vec::new(),
        squares: Vec::new(),
        lengths: Vec::new(),
    }
}

fn baseline(matchups: Vec<MatchupCount>) -> Baseline {
    let battles = matchups.iter().map(|count| count.battles).sum();
    Baseline {
        run: provenance(battles, 1),
        metrics: Vec::new(),
        matchups,
        units: Vec::new(),
        paired: None,
        settings: None,
        just_played: None,
    }
}

/// A baseline of one match-up with these wins and losses of side A.
fn single(wins: u64, losses: u64) -> Baseline {
    baseline(vec![matchup(["Fire", "Water"], [wins, losses], 0)])
}

fn compared(old: Baseline, new: Baseline) -> Comparison {
    Comparison::new(&[(old, new)], Limits::default())
}

fn quantities(comparison: &Comparison) -> Vec<Quantity> {
    comparison.changes.iter().map(|change| change.quantity.clone()).collect()
}

/// By hand: 5,600 and 5,000 of 10,000 are 0.06 apart, over the root of 0.53 * 0.47 * 2/10,000, which is 8.5.
#[test]
fn a_change_is_found_with_its_interval() {
    let comparison = compared(single(5_000, 5_000), single(5_600, 4_400));
    let [change] = &comparison.changes[..] else { panic!("{comparison:?}") };
    assert_eq!(change.quantity, Quantity::Score(Side::A));
    assert!((change.difference.value - 0.06).abs() < 1e-12);
    assert!(0.045 < change.difference.low && change.difference.high < 0.075, "{change:?}");
    assert!(1e-18 < change.p_value && change.p_value < 1e-16, "{change:?}");
    assert!(change.counts);
    assert_eq!(comparison.counting().len(), 1);
}

/// Where more battles were drawn before, the few new battles vary more than all battles pooled together.
#[test]
fn a_score_is_not_tested_with_the_spread_of_battles_that_nobody_wins() {
    let mut found = compared(
        baseline(vec![matchup(["A", "B"], [20_000, 20_000], 60_000)]),
        baseline(vec![matchup(["A", "B"], [1_560, 1_440], 0)]),
    );
    found.changes.retain(|change| matches!(change.quantity, Quantity::Score(_)));
    let [change] = &found.changes[..] else { panic!("{:?}", quantities(&found)) };
    assert!((0.02..0.04).contains(&change.p_value), "{}", change.p_value);
    assert!(!change.counts);
}

#[test]
fn a_change_within_the_tolerance_does_not_count_however_sure_it_is() {
    let comparison = compared(single(5_000_000, 5_000_000), single(5_040_000, 4_960_000));
    assert!(comparison.changes[0].adjusted < 1e-9);
    assert_eq!((comparison.counting().len(), comparison.tolerated()), (0, 1));
    let strict = Limits { tolerance: 0.0039, ..Limits::default() };
    let pair = (single(5_000_000, 5_000_000), single(5_040_000, 4_960_000));
    assert_eq!(Comparison::new(&[pair], strict).counting().len(), 1);
}

#[test]
fn a_large_change_that_chance_explains_does_not_count() {
    let comparison = compared(single(50, 50), single(60, 40));
    assert!((comparison.changes[0].p_value - 0.155).abs() < 0.001);
    assert!(!comparison.changes[0].counts);
}

/// A p-value of 0.0047 counts alone but not among three comparisons, wherever the other two stand.
#[test]
fn all_comparisons_of_a_report_are_one_family() {
    let pair = || (single(5_000, 5_000), single(5_200, 4_800));
    let idle = || (single(5_000, 5_000), single(5_000, 5_000));
    let limits = Limits::default();
    let alone = Comparison::new(&[pair()], limits);
    assert!((alone.changes[0].adjusted - 0.0047).abs() < 0.0001 && alone.changes[0].counts);
    let among = Comparison::new(&[idle(), pair(), idle()], limits);
    assert!((among.changes[1].adjusted - 3.0 * alone.changes[0].p_value).abs() < 1e-12);
    assert!(among.counting().is_empty());
    assert_eq!(among.changes[0].p_value, 1.0, "what did not move at all");
    assert_eq!(among.below(0.05), 1);
}

#[test]
fn two_ends_are_one_comparison_and_three_are_three() {
    let two = compared(single(300, 700), single(310, 690));
    assert_eq!(quantities(&two), [Quantity::Score(Side::A)]);
    let three = |wins| baseline(vec![matchup(["Fire", "Water"], wins, 100)]);
    let three = compared(three([300, 600]), three([310, 590]));
    let all = [Quantity::Score(Side::A), Quantity::Draws];
    assert_eq!(quantities(&three), all);
    // Side B never wins: the score already says how often nobody does.
    let drawn = |draws| baseline(vec![matchup(["Fire", "Water"], [1_000 - draws, 0], draws)]);
    assert_eq!(quantities(&compared(drawn(100), drawn(90))), [Quantity::Score(Side::A)]);
}

#[test]
fn what_never_varies_is_not_compared_and_what_turns_around_is() {
    let comparison = compared(single(1_000, 0), single(1_000, 0));
    assert!(comparison.changes.is_empty() && comparison.pairs[0].too_few == 0);
    assert!(compared(single(1_000, 0), single(0, 1_000)).changes[0].counts);
}

/// 9 draws in 2,000 battles are 4.5 expected for each run, 10 are 5.
#[test]
fn what_is_too_rare_is_counted_and_not_compared() {
    let draws = |draws| baseline(vec![matchup(["Fire", "Water"], [500, 500 - draws], draws)]);
    let rare = compared(draws(0), draws(9));
    assert!(!quantities(&rare).contains(&Quantity::Draws));
    assert_eq!((rare.pairs[0].too_few, rare.pairs[0].compared), (1, 1));
    let enough = compared(draws(0), draws(10));
    assert!(quantities(&enough).contains(&Quantity::Draws));
}

/// Fire wins 60 of 100 against Water and 30 of 100 against Earth, 90 of 200; its battles against itself say nothing.
#[test]
fn contenders_are_compared_over_all_their_matchups() {
    let of = |more: u64| {
        baseline(vec![
            matchup(["Fire", "Water"], [60 + more, 40 - more], 0),
            matchup(["Earth", "Fire"], [70 - more, 30 + more], 0),
            matchup(["Fire", "Fire"], [99, 1], 0),
        ])
    };
    let comparison = compared(of(0), of(20));
    let fire: Vec<&Change> =
        comparison.changes.iter().filter(|c| c.quantity == Quantity::ContenderScore).collect();
    assert_eq!(fire.len(), 1, "Water and Earth have one match-up each");
    assert_eq!(fire[0].subject, "Fire");
    assert_eq!((fire[0].baseline.value, fire[0].new.value), (0.45, 0.65));
}

/// Half the battles measure 0 and half 2: the standard deviation is 1, and at 0.5 points a metric may move by 1%.
#[test]
fn metrics_have_their_tolerance_in_standard_deviations() {
    let with = |battles: u64, twos: i128| {
        let mut one = single(battles / 2, battles / 2);
        one.metrics = vec!["life".to_owned()];
        one.matchups[0].sums = vec![2 * twos];
        one.matchups[0].squares = vec![4 * twos];
        one
    };
    let mean = |comparison: Comparison| {
        let is_mean = |change: &Change| change.quantity == Quantity::Mean("life".to_owned());
        comparison.changes.into_iter().find(is_mean).expect("a mean")
    };
    let slight = mean(compared(with(10_000_000, 5_000_000), with(10_000_000, 5_048_000)));
    assert!((slight.tolerance - 0.01).abs() < 1e-5, "{slight:?}");
    assert!((slight.difference.value - 0.0096).abs() < 1e-9);
    assert!(slight.adjusted < 0.001 && !slight.counts);
    let more = mean(compared(with(10_000_000, 5_000_000), with(10_000_000, 5_052_000)));
    assert!(more.counts);
    let few = compared(with(20, 10), with(20, 20));
    assert_eq!(few.pairs[0].too_few, 1, "20 battles are too few for a mean");
}

/// 1 in one of 1,000 battles and 0 in the others: the interval of a count ends at 0, but not that of a number that
/// may be negative.
#[test]
fn no_interval_of_a_count_goes_below_0() {
    let with = |ones: i128, never_negative: bool| {
        let mut one = single(500, 500);
        one.metrics = vec!["life".to_owned()];
        one.matchups[0].sums = vec![ones];
        one.matchups[0].squares = vec![ones];
        one.just_played = never_negative.then(|| JustPlayed {
            never_negative: one.metrics.iter().cloned().collect(),
            units: BTreeSet::new(),
        });
        one
    };
    let now = |never_negative: bool| {
        // A baseline from a file does not know this.
        let changes = compared(with(2, false), with(1, never_negative)).changes;
        let is_mean = |change: &Change| change.quantity == Quantity::Mean("life".to_owned());
        let change = changes.into_iter().find(is_mean).expect("a mean");
        (change.baseline.low, change.new.low)
    };
    assert_eq!(now(true), (0.0, 0.0));
    assert!(now(false).0 < 0.0 && now(false).1 < 0.0);
}

/// A unit that chance left out of one of the two is not reported as being only in the other.
#[test]
fn a_unit_that_was_not_drawn_is_not_missing() {
    let unit = |name: &str| Unit {
        name: name.to_owned(),
        kind: "monster".to_owned(),
        group: String::new(),
    };
    let with = |drawn: &[&str], known: &[&str]| {
        let mut one = single(500, 500);
        one.units = drawn
            .iter()
            .map(|name| UnitCount {
                name: (*name).to_owned(),
                kind: "monster".to_owned(),
                group: String::new(),
                played: 100,
                won: 50,
                shared: 0,
            })
            .collect();
        one.just_played = Some(JustPlayed {
            never_negative: BTreeSet::new(),
            units: known.iter().map(|name| unit(name)).collect(),
        });
        one
    };
    let pair = |old: Baseline, new: Baseline| compared(old, new).pairs.remove(0);
    let same =
        pair(with(&["Kraken", "Imp"], &["Kraken", "Imp"]), with(&["Imp"], &["Kraken", "Imp"]));
    assert_eq!((same.gone, same.only_drawn[0].clone()), (Vec::new(), vec!["Kraken".to_owned()]));
    let other = pair(with(&["Imp"], &["Imp"]), with(&["Imp", "Kraken"], &["Kraken", "Imp"]));
    assert_eq!((other.added, other.only_drawn), (vec!["Kraken".to_owned()], Default::default()));
}

#[test]
fn what_only_one_side_has_is_named() {
    let old = baseline(vec![
        matchup(["Fire", "Water"], [50, 50], 0),
        matchup(["Fire", "Earth"], [50, 50], 0),
    ]);
    let new = baseline(vec![
        matchup(["Fire", "Life"], [50, 50], 0),
        matchup(["Fire", "Water"], [50, 50], 0),
        matchup(["Fire", "Death"], [50, 50], 0),
    ]);
    let pair = &compared(old, new).pairs[0];
    assert_eq!(pair.gone, ["Fire vs Earth"]);
    assert_eq!(pair.added, ["Fire vs Life", "Fire vs Death"]);
}

#[test]
fn a_baseline_holds_what_the_tally_counted() {
    let mut layout = duel();
    let counted = tally(&layout, 2_000);
    let fixed = Baseline::new(provenance(2_000, 1), &layout, &counted);
    assert!(fixed.units.is_empty(), "the units of fixed teams say what their side says");
    layout.units_are_drawn = true;
    let drawn = Baseline::new(provenance(2_000, 1), &layout, &counted);
    assert_eq!(drawn.units.len(), layout.units.len());
    let won: u64 = drawn.units.iter().map(|unit| unit.won).sum();
    assert_eq!(won, counted.units.iter().map(|unit| unit.won).sum::<u64>());
    let all = counted.count(&layout, |_, _| true);
    assert_eq!(drawn.matchups[0].wins, all.wins);
    assert_eq!(drawn.matchups[0].squares, all.squares);
}

#[test]
fn a_file_says_what_was_written() {
    for layout in [Layout { units_are_drawn: true, ..duel() }, round_robin(3)] {
        let written = Baseline::new(provenance(900, 7), &layout, &tally(&layout, 900));
        let text = written.to_json();
        let read = Baseline::parse("x.json", text.clone(), REMEDY).expect("a baseline");
        assert_eq!(read, Baseline { just_played: None, ..written.clone() });
        let rows = written.matchups.len() + written.units.len();
        assert!(text.lines().count() >= rows && text.ends_with("}\n"), "one row a line");
    }
}

#[test]
fn files_are_named_after_game_and_scenario() {
    assert_eq!(file_name("solforge", "solforge/factions"), "solforge-factions.json");
    assert_eq!(file_name("solforge", "decks/my own.toml"), "solforge-my own.json");
}

/// The messages of all faults of a text.
fn faults(text: &str) -> String {
    let faults = Baseline::parse("x.json", text.to_owned(), REMEDY).expect_err("faults");
    assert!(faults.faults.iter().all(|fault| fault.remedy.contains("evens nightly --write X")));
    faults.faults.iter().map(|fault| format!("{fault}\n")).collect()
}

#[test]
fn a_spoilt_file_is_refused() {
    let good = single(30, 70).to_json();
    assert!(faults("").contains("this is no baseline"));
    assert!(faults(&good[..good.len() / 2]).contains("this is no baseline: EOF"));
    assert!(faults("[2]").contains("this is no baseline"));
    assert!(faults("{}").contains("it has no `evens_baseline`"));
    let newer = good.replace("\"evens_baseline\": 3", "\"evens_baseline\": 4");
    assert!(faults(&newer).contains("format 4; this program reads formats 2 to 3"));
    assert!(faults(&good.replace("\"draws\"", "\"drawn\"")).contains("unknown field `drawn`"));
}

#[test]
fn every_count_that_cannot_be_true_is_told() {
    let mut wrong = single(30, 70);
    wrong.metrics = vec!["life".to_owned()];
    wrong.matchups[0].sums = vec![100];
    wrong.matchups[0].squares = vec![99];
    wrong.matchups[0].draws = 3;
    wrong.run.battles_played = 5;
    let (kind, group) = ("monster".to_owned(), String::new());
    wrong.units =
        vec![UnitCount { name: "Imp".to_owned(), kind, group, played: 3, won: 4, shared: 0 }];
    let told = faults(&wrong.to_json());
    for part in [
        "5 battles are said to be played, and the match-ups have 100",
        "Fire vs Water: 103 of 100 battles have an end",
        "no battles have these sums of life",
        "Imp won 4 and shared 0 of 3 battles",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let mut sides = single(30, 70);
    sides.matchups[0].wins.pop();
    assert!(faults(&sides.to_json()).contains("1 sides have wins, and 2 fight"));
    let mut huge = single(30, 70);
    huge.matchups[0].wins[0] = u64::MAX - 70;
    huge.matchups[0].battles = u64::MAX;
    huge.run.battles_played = u64::MAX;
    assert!(faults(&huge.to_json()).contains("nobody plays"));
}

prop_compose! {
    fn counts()(wins in prop::collection::vec((0u64..400, 0u64..400, 0u64..20), 1..5)) -> Baseline {
        let names = ["Fire", "Water", "Earth", "Life", "Death"];
        let matchups = wins.into_iter().enumerate().map(|(at, (a, b, draws))| {
            matchup([names[0], names[at]], [a, b], draws)
        });
        baseline(matchups.collect())
    }
}

proptest! {
    /// Comparing in the opposite direction finds the same changes with opposite signs.
    #[test]
    fn comparing_turns_around(old in counts(), new in counts()) {
        let there = compared(old.clone(), new.clone());
        let back = compared(new, old);
        prop_assert_eq!(there.changes.len(), back.changes.len());
        for (there, back) in there.changes.iter().zip(&back.changes) {
            prop_assert_eq!(there.difference.value, -back.difference.value);
            prop_assert!((there.p_value - back.p_value).abs() < 1e-12);
            prop_assert_eq!(there.counts, back.counts);
        }
    }

    #[test]
    fn nothing_changed_against_oneself(same in counts()) {
        let comparison = compared(same.clone(), same);
        prop_assert!(comparison.changes.iter().all(|c| c.p_value == 1.0 && !c.counts));
        prop_assert!(comparison.pairs[0].same_dice() && !comparison.pairs[0].scenario_changed());
    }

    #[test]
    fn what_is_written_is_read(counts in counts()) {
        let read = Baseline::parse("x.json", counts.to_json(), REMEDY);
        prop_assert_eq!(read.expect("a baseline"), counts);
    }
}

/// Fewer wins on both sides and as many more draws change neither the score nor the share of decided battles, but
/// they do change the wins.
#[test]
fn what_is_compared_is_what_is_measured() {
    let old = || baseline(vec![matchup(["Fire", "Water"], [5_000, 5_000], 0)]);
    let new = || baseline(vec![matchup(["Fire", "Water"], [4_000, 4_000], 2_000)]);
    let counting = |measure: OutcomeMeasure| {
        let limits = Limits { measure, ..Limits::default() };
        let comparison = Comparison::new(&[(old(), new())], limits);
        comparison.counting().iter().map(|change| change.quantity.clone()).collect::<Vec<_>>()
    };
    assert_eq!(counting(OutcomeMeasure::Score), [Quantity::Draws]);
    assert_eq!(counting(OutcomeMeasure::Decided), [Quantity::Draws]);
    assert_eq!(counting(OutcomeMeasure::Wins), [Quantity::Draws, Quantity::Score(Side::A)]);
    // Where nothing is decided, there is nothing to compare.
    let drawn = baseline(vec![matchup(["Fire", "Water"], [0, 0], 10_000)]);
    let limits = Limits { measure: OutcomeMeasure::Decided, ..Limits::default() };
    let comparison = Comparison::new(&[(old(), drawn)], limits);
    assert_eq!(comparison.pairs[0].too_few, 1);
}
