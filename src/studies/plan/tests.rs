//! Tests of plans: the numbers from a pilot, and their page.

use super::page::points;
use super::*;
use crate::report::Style;
use crate::statistics::Level;
use crate::tally::fixture::{duel, round_robin, tally, three_sides};

/// A pilot in which every contender brought whatever it may bring.
fn of<'p>(layout: &'p Layout, tally: &'p Tally) -> Pilot<'p> {
    Pilot { layout, tally, may_bring: &|_| Vec::new() }
}

fn planned(layout: &Layout, comparison: PlanComparison, goal: Goal) -> Plan {
    let mut pilot = Provenance::new("splinterlands", "thorns", "0123abcd", 7, 20_000);
    pilot.battles_played = 20_000;
    let power = Power::new(Level::P95, 0.8);
    let tally = tally(layout, 20_000);
    let plan = Plan::new(of(layout, &tally), pilot, comparison, goal, power, [0.95, 0.8]);
    Plan { own_battles: 100_000, speed: 50_000.0, ..plan.expect("something to compare") }
}

/// (1.960 + 0.842)^2 / 0.01^2 = 78,489 times the variance; of a run in which everybody meets everybody each of nine
/// match-ups has a ninth.
#[test]
fn a_score_takes_its_variance_times_a_constant() {
    let layout = duel();
    let plan = planned(&layout, PlanComparison::Score, Goal::Detect(0.01));
    let [of] = &plan.planned[..] else { panic!("{:?}", plan.planned) };
    let count = tally(&layout, 20_000).count(&layout, |_, _| true);
    let results = count.results(Side::A);
    // As often drawn as in the pilot, and nearly even.
    let variance = 0.25 * (1.0 - results.shared as f64 / results.battles() as f64);
    let expected = 78_489.0 * variance;
    let found = plan.battles(of).expect("a number") as f64;
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
    assert_eq!(plan.battles_for_all(), plan.battles(of));
    assert!((plan.seconds(100_000) - 2.0).abs() < 1e-12);

    let plan = planned(&round_robin(3), PlanComparison::Score, Goal::Margin(0.01));
    assert_eq!(plan.planned.len(), 9);
    assert!(plan.planned.iter().all(|of| (of.share - 1.0 / 9.0).abs() < 1e-3));
    let most = plan.battles_for_all().expect("a number");
    assert!((60_000..=9 * 9_604 + 100).contains(&most), "{most}");
}

/// The smallest difference that a number of battles detects takes this number of battles to detect.
#[test]
fn both_directions_agree() {
    for comparison in [PlanComparison::Score, PlanComparison::Rulesets, PlanComparison::Change] {
        let plan = planned(&duel(), comparison, Goal::Battles(50_000));
        for of in &plan.planned {
            let seen = plan.power.effect(&of.design, 50_000.0);
            let back = plan.power.battles_for_effect(&of.design, seen).expect("a number");
            assert!((49_999..=50_001).contains(&back), "{back}");
        }
    }
}

/// A difference between two runs has twice the variance, and its level is shared by all match-ups. Among three every
/// side counts.
#[test]
fn changes_are_adjusted_for_their_number_and_rulesets_have_their_odds() {
    let change = planned(&round_robin(3), PlanComparison::Change, Goal::Detect(0.01));
    let score = planned(&round_robin(3), PlanComparison::Score, Goal::Detect(0.01));
    assert_eq!((change.adjusted_for, score.adjusted_for), (9, 1));
    let ratio = change.planned[0].design.deviation() / score.planned[0].design.deviation();
    assert!((ratio * ratio - 2.0).abs() < 1e-9);
    assert!(change.battles_for_all() > score.battles_for_all().map(|battles| 2 * battles));

    let rulesets = planned(&duel(), PlanComparison::Rulesets, Goal::Detect(0.01));
    let shares: Vec<f64> = rulesets.planned.iter().map(|of| of.share).collect();
    assert_eq!(shares, [0.5, 0.5, 0.2]);
    assert_eq!(rulesets.hardest_first()[0].subject, "Healed Out");

    let three = planned(&three_sides(), PlanComparison::Score, Goal::Detect(0.01));
    assert_eq!(three.planned.len(), 3 * three_sides().matchups.len());
    let contenders = planned(&round_robin(3), PlanComparison::Contenders, Goal::Detect(0.01));
    assert_eq!(contenders.planned.len(), 3);
}

/// Fire brings the first three units and Water the others.
#[test]
fn units_of_all_contenders_are_planned_by_their_scores() {
    let layout = Layout { units_are_drawn: true, ..duel() };
    let units = planned(&layout, PlanComparison::Units, Goal::Detect(0.01));
    assert_eq!((units.planned.len(), units.unseen), (6, 0));
    let score = planned(&layout, PlanComparison::Score, Goal::Detect(0.01));
    let fire = score.planned[0].pilot.value;
    for (at, unit) in units.planned.iter().enumerate() {
        let expected = if at < 3 { fire } else { 1.0 - fire };
        assert!((unit.pilot.value - expected).abs() < 1e-9, "{}", unit.subject);
    }
}

#[test]
fn what_is_not_there_cannot_be_planned() {
    let layout = round_robin(2);
    let pilot = Provenance::new("splinterlands", "thorns", "0123abcd", 7, 100);
    let refused = |layout: &Layout, comparison| {
        let power = Power::new(Level::P95, 0.8);
        let (tally, goal) = (tally(layout, 100), Goal::Detect(0.01));
        Plan::new(of(layout, &tally), pilot.clone(), comparison, goal, power, [0.95, 0.8]).err()
    };
    assert_eq!(refused(&layout, PlanComparison::Rulesets), Some(NothingToCompare::NoFactors));
    assert_eq!(refused(&layout, PlanComparison::Score), None);
    assert_eq!(refused(&duel(), PlanComparison::Units), Some(NothingToCompare::FixedUnits));
    // A contender that meets only itself, and a draw that always gives the same.
    let alone = round_robin(1);
    assert_eq!(refused(&alone, PlanComparison::Contenders), Some(NothingToCompare::OneContender));
    assert_eq!(refused(&duel(), PlanComparison::Contenders), None);
    let mut always = duel();
    for (at, condition) in always.conditions.iter_mut().enumerate() {
        condition.probability = if at == 0 { 1.0 } else { 0.0 };
    }
    assert_eq!(refused(&always, PlanComparison::Rulesets), Some(NothingToCompare::NoFactors));
}

/// Of three sides two can be the same contender's: its battles are those of the two match-ups and not its three seats in
/// them.
#[test]
fn a_battle_counts_once_whatever_its_seats() {
    let layout = three_sides();
    let plan = planned(&layout, PlanComparison::Contenders, Goal::Battles(1_000));
    let of = |name: &str| plan.planned.iter().find(|of| of.subject == name).expect("it is there");
    assert_eq!((of("Elves").share, of("Elves").seen), (1.0, 20_000));
    assert_eq!((of("Humans").share, of("Humans").seen), (1.0, 20_000));
    assert_eq!((of("Orcs").share, of("Orcs").seen), (0.5, 10_000));
}

/// Battles of a pool that meets itself. Of four units it brings the first to half of all teams, the second to one side of
/// each battle by chance, the third to both sides of each, and the last to none.
fn mirrored(battles: u64) -> (Layout, Tally) {
    let mut layout = Layout { units_are_drawn: true, ..round_robin(1) };
    layout.units.truncate(4);
    let mut tally = Tally::new(&layout, crate::tally::Breakdown::Whole);
    let mut dice = crate::chance::Seeded::from_seed(3);
    for _ in 0..battles {
        let mut record = crate::tally::Record::new(&layout);
        let side = Side(dice.below(2) as u8);
        record.outcome = crate::game::Outcome::Win(Side(dice.below(2) as u8));
        let mut bring = |unit, side| {
            record.fighters.push(crate::tally::Fighter {
                unit,
                level: 1,
                side,
                survived: false,
                dealt: 0,
                taken: 0,
            });
        };
        // Teams are listed side by side.
        let halves = [dice.below(2) == 0, dice.below(2) == 0];
        for (at, half) in halves.into_iter().enumerate() {
            let own = Side(at as u8);
            if half {
                bring(0, own);
            }
            if side == own {
                bring(1, own);
            }
            bring(2, own);
        }
        tally.add(&layout, &record);
    }
    (layout, tally)
}

/// A plan for the units of such battles.
fn plan_of_mirrored(pilot_battles: u64, goal: Goal) -> Plan {
    let (layout, tally) = mirrored(pilot_battles);
    let pilot = Provenance::new("splinterlands", "thorns", "0123abcd", 7, pilot_battles);
    let bring = |_: &str| vec![0, 1, 2, 3];
    let played = Pilot { layout: &layout, tally: &tally, may_bring: &bring };
    let power = Power::new(Level::P95, 0.8);
    Plan::new(played, pilot, PlanComparison::Units, goal, power, [0.95, 0.8]).unwrap()
}

/// A battle to which either side brings a unit counts once for it. The interval that is planned is that of the table `units`.
#[test]
fn a_battle_counts_once_whatever_brings_a_unit() {
    const BATTLES: u64 = 4_000;
    let plan = plan_of_mirrored(BATTLES, Goal::Battles(BATTLES));
    assert_eq!((plan.planned.len(), plan.unseen), (3, 1), "unit 3 may be drawn and was not");
    let share = |at: usize| plan.planned[at].share;
    assert!((share(0) - 0.75).abs() < 0.02, "{}", share(0));
    assert_eq!((share(1), share(2)), (1.0, 1.0));
    for of in &plan.planned {
        let half = (of.pilot.high - of.pilot.low) / 2.0;
        let margin = plan.power.margin(&of.design, BATTLES as f64);
        assert!((margin / half - 1.0).abs() < 0.02, "{}: {margin} {half}", of.subject);
    }
    // Both sides of a battle cancel out.
    let deviation = |at: usize| plan.planned[at].design.deviation();
    assert!(deviation(0) < 0.4 && (deviation(1) - 0.5).abs() < 0.01 && deviation(2) < 0.05);
}

/// Where a unit is always on both sides its score is even in every battle, and the interval of a run falls with the number
/// of its battles, not with their root: what is planned from a pilot of 4,000 battles is what runs of any length have.
#[test]
fn a_unit_on_both_sides_has_the_interval_of_its_run() {
    const WIDE: f64 = 0.000_49;
    let plan = plan_of_mirrored(4_000, Goal::Margin(WIDE));
    for battles in [500, 2_000, 20_000, 50_000] {
        let (layout, tally) = mirrored(battles);
        for (unit, of) in plan.planned.iter().enumerate() {
            let known = clustered(&tally.fared(&layout, 0, unit), 2, LEVEL);
            let half = (known.high - known.low) / 2.0;
            let margin = plan.power.margin(&of.design, battles as f64);
            // The variance of the other two comes from the pilot.
            let near = if unit == 2 { 0.005 } else { 0.1 };
            assert!((margin / half - 1.0).abs() < near, "{unit}, {battles}: {margin} {half}");
        }
    }
    let on_both = &plan.planned[2];
    let needed = plan.battles(on_both).expect("a number");
    assert!((1_990..=2_010).contains(&needed), "{needed}");
    let at = |battles: u64| plan.power.margin(&on_both.design, battles as f64);
    assert!(at(needed) <= WIDE && WIDE < at(needed - 1), "{} {}", at(needed), at(needed - 1));
    // A difference is found in both directions alike.
    let seen = plan.power.effect(&on_both.design, 2_000.0);
    let back = plan.power.battles_for_effect(&on_both.design, seen).expect("a number");
    assert!((1_999..=2_001).contains(&back), "{back}");
}

/// Wins are even at half of the battles that somebody wins, so that a lead takes as many battles as by scores.
#[test]
fn wins_are_even_among_the_decided() {
    let layout = duel();
    let plan = |measure: OutcomeMeasure| {
        let mut tally = Tally::new(&layout, crate::tally::Breakdown::Whole).with_measure(measure);
        let count = &mut tally.matchups[0];
        (count.battles, count.draws, count.wins) = (20_000, 16_840, vec![1_580, 1_580]);
        tally.strata[0] = count.clone();
        let pilot = Provenance::new("splinterlands", "thorns", "0123abcd", 7, 20_000);
        let power = Power::new(Level::P95, 0.8);
        let goal = Goal::Detect(0.01);
        let (played, asked) = (of(&layout, &tally), [0.95, 0.8]);
        Plan::new(played, pilot, PlanComparison::Score, goal, power, asked).unwrap()
    };
    let [wins, scores] = [OutcomeMeasure::Wins, OutcomeMeasure::Score].map(plan);
    let battles = wins.battles_for_all().expect("a number");
    assert_eq!(Some(battles), scores.battles_for_all());
    assert!((3_090..=3_120).contains(&battles), "{battles}");
    let page = page(&wins, None, Style::default());
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("Even is half of the battles that somebody wins"), "{page}");
}

#[test]
fn a_plan_on_a_page() {
    let text = |layout: &Layout, comparison, goal| {
        let text = page(&planned(layout, comparison, goal), Some("Is it fair?"), Style::default());
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        text
    };
    insta::assert_snapshot!(text(&duel(), PlanComparison::Rulesets, Goal::Detect(0.01)));
    insta::assert_snapshot!(text(&round_robin(4), PlanComparison::Score, Goal::Battles(200_000)));
    insta::assert_snapshot!(text(&round_robin(3), PlanComparison::Change, Goal::Margin(0.002)));
}

#[test]
fn points_have_the_digits_they_need() {
    let set = [0.01, 0.0025, 0.000_123, 0.123, 0.2].map(points);
    assert_eq!(set, ["1 pp", "0.25 pp", "0.012 pp", "12.3 pp", "20 pp"]);
}

/// In a run with draws fewer battles are decided, and these vary only in who wins.
#[test]
fn what_is_planned_is_what_is_measured() {
    let layout = duel();
    let plan = |measure: OutcomeMeasure| {
        let mut tally = Tally::new(&layout, crate::tally::Breakdown::Whole).with_measure(measure);
        let count = &mut tally.matchups[0];
        (count.battles, count.draws, count.wins) = (10_000, 5_000, vec![2_500, 2_500]);
        tally.strata[0] = count.clone();
        let pilot = Provenance::new("splinterlands", "thorns", "0123abcd", 7, 10_000);
        let power = Power::new(Level::P95, 0.8);
        let goal = Goal::Margin(0.01);
        let (played, asked) = (of(&layout, &tally), [0.95, 0.8]);
        Plan::new(played, pilot, PlanComparison::Score, goal, power, asked).unwrap()
    };
    // Variances 1/8, 3/16, and 1/4 of half the battles.
    for (measure, share, variance) in [
        (OutcomeMeasure::Score, 1.0, 0.125),
        (OutcomeMeasure::Wins, 1.0, 0.1875),
        (OutcomeMeasure::Decided, 0.5, 0.5),
    ] {
        let plan = plan(measure);
        let [of] = &plan.planned[..] else { panic!("{:?}", plan.planned) };
        assert!((of.share - share).abs() < 1e-12);
        assert!((of.design.deviation().powi(2) / variance - 1.0).abs() < 1e-3, "{measure:?}");
        assert!(page(&plan, None, Style::default()).contains(measure.figure()));
    }
}
