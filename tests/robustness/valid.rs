//! Sound scenarios that are made up at random: each must be accepted, end, keep what holds for every battle, and give
//! the same battle when it is told, walked and sampled.

use std::path::PathBuf;

use evens::batch::{Detail, Plan, run_whole};
use evens::scenario::Folder;
use evens::walk::Budget;
use evens::{Document, Outcome, Scenario, Side};
use num_traits::ToPrimitive;
use proptest::prelude::*;

use super::targets::plays;
use crate::made_up::{eldertale, sanctum, solforge, splinterlands};

/// Checks that a scenario is accepted, that its battles end and are told as they are counted, and that their outcomes
/// lie within the bounds of a short exact walk.
fn is_sound(text: &str) {
    let document =
        Document::new("made up.toml", text.to_owned(), Folder::Disk(PathBuf::from("nowhere")));
    let scenario = Scenario::of(&document).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    let engine = scenario.engine();
    plays(engine);
    let layout = engine.layout();
    let battles = scenario.common.battles();
    let plan = Plan { seed: 3, battles, threads: 1, detail: Detail::default() };
    let finished = run_whole(engine, plan, &mut |_| true);
    assert_eq!(finished.played, battles.get());
    let walked = engine.walk(0, Budget { states: 300, ways: 3_000, rounds: 6 }, &mut |_| true);
    let count = finished.tally.count(layout, |matchup, _| matchup == 0);
    let n = count.battles as f64;
    let open = walked.open().to_f64().unwrap();
    let sides = (0..layout.sides).map(|side| (Outcome::Win(Side(side as u8)), count.wins[side]));
    for (outcome, times) in
        sides.chain([(Outcome::Draw, count.draws), (Outcome::Undecided, count.undecided)])
    {
        let least = walked.of(outcome).to_f64().unwrap();
        let found = times as f64 / n;
        // Seven standard deviations, and one battle more.
        let slack = |p: f64| 7.0 * (p * (1.0 - p) / n).max(0.0).sqrt() + 1.0 / n;
        assert!(found >= least - slack(least), "{outcome:?}: {found} below {least}\n{text}");
        let most = (least + open).min(1.0);
        assert!(found <= most + slack(most), "{outcome:?}: {found} above {most}\n{text}");
    }
}

fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(usual),
        failure_persistence: None,
        ..Default::default()
    }
}

#[test]
fn made_up_scenarios_of_splinterlands_are_sound() {
    proptest!(cases(12), |(text in splinterlands())| is_sound(&text));
}

#[test]
fn made_up_scenarios_of_solforge_are_sound() {
    proptest!(cases(6), |(text in solforge())| is_sound(&text));
}

#[test]
fn made_up_scenarios_of_sanctum_are_sound() {
    proptest!(cases(24), |(text in sanctum())| is_sound(&text));
}

#[test]
fn made_up_scenarios_of_elder_tale_are_sound() {
    proptest!(cases(24), |(text in eldertale())| is_sound(&text));
}
