//! Scenarios that are made up at random and sound: each must be accepted, end, keep what holds for every battle, and be told,
//! walked and sampled alike.

use std::path::PathBuf;

use evens::batch::{Detail, Plan, run_whole};
use evens::scenario::Folder;
use evens::table::Values;
use evens::walk::Budget;
use evens::{Document, Outcome, Scenario, Side};
use num_traits::ToPrimitive;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::targets::plays;

/// The names in the first column of a list, and those of another column.
fn listed(game: &str, list: &str, column: &str) -> Vec<(String, String)> {
    let table = evens::engine::rules(game).unwrap().shelf(list).unwrap();
    let texts = |name: &str| {
        let column = table.columns.iter().find(|column| column.name == name).unwrap();
        match &column.values {
            Values::Text(texts) => texts.clone(),
            other => panic!("{other:?}"),
        }
    };
    texts(&table.columns[0].name).into_iter().zip(texts(column)).collect()
}

fn names(game: &str, list: &str) -> Vec<String> {
    let table = evens::engine::rules(game).unwrap().shelf(list).unwrap();
    match &table.columns[0].values {
        Values::Text(texts) => texts.clone(),
        other => panic!("{other:?}"),
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

fn splinterlands() -> impl Strategy<Value = String> {
    let rulesets = names("splinterlands", "rulesets");
    let drawn = prop_oneof![
        subsequence(rulesets.clone(), 1..12)
            .prop_map(|only| format!("only = [{}]\ntwo = 0\n", quoted(&only))),
        select(rulesets).prop_map(|one| format!("fixed = [{one:?}]\n")),
        Just(String::new()),
    ];
    let pool = (
        select(&["uniform", "weighted", "fill"][..]),
        select(&["roles", "random"][..]),
        subsequence(vec!["Fire", "Water", "Earth", "Life", "Death", "Dragon"], 1..=6),
    );
    let pools = (pool.clone(), pool).prop_map(|pools| {
        let told = |(policy, positions, factions): (&str, &str, Vec<&str>), name: &str| {
            let factions: Vec<String> = factions.into_iter().map(str::to_owned).collect();
            format!(
                "[[pools]]\nname = \"{name}\"\npolicy = \"{policy}\"\npositions = \"{positions}\"\nfactions = [{}]\n",
                quoted(&factions)
            )
        };
        format!("{}{}", told(pools.0, "one"), told(pools.1, "other"))
    });
    let leagues = select(&["novice", "bronze", "silver", "gold", "diamond"][..]);
    // With less mana some factions cannot field a team under some rulesets.
    (prop::collection::vec(24..99_u8, 1..4), leagues, drawn, pools).prop_map(
        |(caps, league, rulesets, pools)| {
            let mut caps = caps;
            caps.sort_unstable();
            caps.dedup();
            format!(
                "game = \"splinterlands\"\nedition = \"2022\"\nbattles = 64\nmana_caps = {caps:?}\nleague = \"{league}\"\n[rulesets]\n\
                 {rulesets}{pools}[sides]\na = [\"one\", \"other\"]\nb = [\"one\"]\n"
            )
        },
    )
}

fn solforge() -> impl Strategy<Value = String> {
    let cards = listed("solforge", "cards", "faction");
    let factions = ["Alloyin", "Nekrium", "Tempys", "Uterra"];
    let deck = select(factions.to_vec()).prop_flat_map(move |faction| {
        let of: Vec<String> =
            cards.iter().filter(|(_, of)| of == faction).map(|(name, _)| name.clone()).collect();
        (subsequence(of, 10), select(&["random", "greedy"][..]))
    });
    (deck.clone(), deck).prop_map(|decks| {
        let told = |(cards, policy): (Vec<String>, &str), name: &str| {
            let cards: String = cards.iter().map(|card| format!("{card:?} = 3\n")).collect();
            format!("[[decks]]\nname = \"{name}\"\npolicy = \"{policy}\"\n[decks.cards]\n{cards}")
        };
        format!(
            "game = \"solforge\"\nbattles = 16\n[sides]\na = [\"one\"]\nb = [\"other\"]\n{}{}",
            told(decks.0, "one"),
            told(decks.1, "other")
        )
    })
}

fn sanctum() -> impl Strategy<Value = String> {
    let minions = names("sanctum", "minions");
    let minion = (select(minions), 1..=3_u8, 1..=2_usize);
    let group = prop::collection::vec(minion, 1..=4).prop_map(|minions| {
        minions
            .into_iter()
            .map(|(name, level, number)| format!("{number} {name}@{level}"))
            .collect::<Vec<_>>()
    });
    (group.clone(), group).prop_map(|(one, other)| {
        format!(
            "game = \"sanctum\"\nbattles = 64\n[[groups]]\nname = \"one\"\nminions = [{}]\n[[groups]]\nname = \"other\"\n\
             minions = [{}]\n[sides]\na = [\"one\"]\nb = [\"other\", \"one\"]\n",
            quoted(&one),
            quoted(&other)
        )
    })
}

fn eldertale() -> impl Strategy<Value = String> {
    let classes = names("eldertale", "classes");
    let character = (
        subsequence(classes, 1..=2),
        1..120_u16,
        select(&["random", "greedy"][..]),
        prop::option::of((1..6_u8, 1..40_u16)),
    );
    prop::collection::vec(character, 2..=4).prop_map(|characters| {
        let (mut text, mut sides) = (String::new(), String::from("[sides]\n"));
        for (at, (classes, hp, policy, memory)) in characters.iter().enumerate() {
            let memory = memory.map_or_else(String::new, |(level, at)| {
                format!("memory = {level}\nall_in_at = {}\n", at.min(*hp))
            });
            text += &format!(
                "[[characters]]\nname = \"{at}\"\nclasses = [{}]\nhp = {hp}\npolicy = \"{policy}\"\n{memory}",
                quoted(classes)
            );
            sides += &format!("{} = [\"{at}\"]\n", char::from(b'a' + at as u8));
        }
        format!("game = \"eldertale\"\nbattles = 64\n{text}{sides}")
    })
}

/// Accepted, ended, the same told and counted, and within what a short exact walk leaves open.
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
        // Seven standard deviations, and one battle.
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
