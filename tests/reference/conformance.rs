//! Recorded battles of the official game, fought again and compared action by action. The records are not part of the
//! project: without them these tests say so and pass.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evens::games::splinterlands::bundled;
use evens::games::splinterlands::cards::Catalogue;
use evens::games::splinterlands::edition::Edition;
use evens::games::splinterlands::import::{Imported, import};
use evens::games::splinterlands::record::{
    CardFile, Course, Fights, PATIENCE, Record, Refight, Verdict, expect, read, refight,
    refight_from_seed,
};
use evens::games::splinterlands::setup::{Setup, TurnTies};
use evens::scenario::Source;
use evens::studies::score::Scored;
use miette::NamedSource;

/// The text of a data file; None, with a message, when it is not there.
fn data(name: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/splinterlands");
    let text = std::fs::read_to_string(folder.join(name)).ok();
    if text.is_none() {
        eprintln!("SKIPPED: no {name} in ../shared/data/splinterlands");
    }
    text
}

/// A data file as a source; None, with a message, when it is not there.
fn file(name: &str) -> Option<Source> {
    data(name).map(|text| Arc::new(NamedSource::new(name, text)))
}

fn imported(text: &str) -> Imported {
    import(&Arc::new(NamedSource::new("cards", text.to_owned())), Edition::Guide)
        .expect("an official card file")
}

#[test]
fn the_bundled_cards_are_those_of_the_official_file() {
    let Some(text) = data("cards_2020-05.json") else { return };
    let Imported { catalogue, left_out } = imported(&text);
    assert_eq!(left_out, []);
    let beyond = ["Chanseus the Great", "Bila the Radiant"];
    let mut ours = bundled().clone();
    ours.cards.retain(|card| !beyond.contains(&card.name.as_str()));
    assert_eq!(catalogue, ours);
}

#[test]
fn cards_with_abilities_of_a_later_date_are_left_out_and_named() {
    let Some(text) = data("cards_2022-04.json") else { return };
    let Imported { catalogue, left_out } = imported(&text);
    assert_eq!((catalogue.cards.len(), left_out.len()), (335, 115));
    let reason = |name: &str| &left_out.iter().find(|(card, _)| card == name).unwrap().1;
    assert_eq!(reason("Djinn Biljka"), "Camouflage is of the edition of 2022");
    for name in ["Chanseus the Great", "Bila the Radiant"] {
        let of = |cards: &Catalogue| cards.cards[usize::from(cards.find(name).unwrap())].clone();
        assert_eq!(of(&catalogue), of(bundled()));
    }
}

/// Real line-ups with known winners: the simulated win rates must be good probabilities.
///
/// For comparison, a public simulator's figures on the same battles: Brier score 0.034, log loss 0.111.
#[test]
fn real_results_are_predicted() {
    let (Some(cards), Some(results)) = (file("cards_2022-04.json"), file("results_2021.jsonl"))
    else {
        return;
    };
    let cards = CardFile::read(&cards).unwrap();
    let records = read(&results).unwrap().battles;
    let fights = Fights { runs: 400, seed: 7, turn_ties: TurnTies::Even };
    let all: Vec<&Record> = records.iter().collect();
    let expected = expect(&all, &cards, fights, &AtomicBool::new(false)).expect("not stopped");
    let known = |(record, of): (&Record, _)| record.known(record.place(), of);
    let known = records.iter().zip(&expected).map(known);
    let scored = Scored::of(&known.collect::<Vec<_>>());
    let score = scored.decided.expect("somebody won");
    let (brier, log_loss) = (score.brier.value, score.log_loss.value);
    eprintln!(
        "{} battles: Brier score {brier:.4}, log loss {log_loss:.4}, z {:.2}; {} held impossible",
        score.forecasts,
        score.log_loss_z,
        scored.held_impossible.len()
    );
    assert!(brier < 0.034 && log_loss < 0.111 && score.log_loss_z.abs() < 2.0);
    assert!(scored.held_impossible.is_empty());
}

/// Fights every battle of the logs again. Prints those that differ from the record, and returns how many do and how
/// many there are.
fn fought_again(fight: impl Fn(&Setup, &Record, &Course) -> Verdict) -> Option<(usize, usize)> {
    let (Some(cards), Some(logs)) = (file("cards_2022-04.json"), file("logs_2022.jsonl")) else {
        return None;
    };
    let cards = CardFile::read(&cards).unwrap();
    let records = read(&logs).unwrap();
    assert_eq!(records.incomplete, [], "every battle of the logs was fought");
    let records = records.battles;
    let mut reproduced = 0;
    for record in &records {
        let setup = record.setup(&cards).expect("known cards, abilities and rulesets");
        match fight(&setup, record, record.course.as_ref().expect("a log tells the course")) {
            Verdict::Reproduced => reproduced += 1,
            other => eprintln!("{} ({}): {other:?}", record.place(), record.ruleset),
        }
    }
    eprintln!("{reproduced} of {} reproduced", records.len());
    Some((reproduced, records.len()))
}

/// A player's history as the official program gives it: units are named by the `uid` of their cards, and one side of a
/// battle has surrendered.
#[test]
fn an_official_history_is_read_and_its_battles_reproduced() {
    let (Some(cards), Some(history)) =
        (file("cards_2022-04.json"), file("battle_history_official.json"))
    else {
        return;
    };
    let cards = CardFile::read(&cards).unwrap();
    let records = read(&history).unwrap();
    assert_eq!((records.battles.len(), records.incomplete.len()), (2, 1));
    assert_eq!(records.incomplete[0].why, "surrendered, no teams");
    for record in records.battles {
        for from_seed in [false, true] {
            let battle = Refight::of(record.clone(), &cards, from_seed).unwrap();
            assert_eq!(battle.fight(PATIENCE), Verdict::Reproduced, "{}", record.place());
        }
    }
}

#[test]
fn recorded_battles_are_reproduced() {
    let fight =
        |setup: &Setup, record: &Record, course: &Course| refight(setup, record, course, PATIENCE);
    let Some(counts) = fought_again(fight) else { return };
    assert_eq!(counts.0, counts.1);
}

#[test]
fn recorded_battles_follow_from_their_seeds() {
    let fight = |setup: &Setup, record: &Record, course: &Course| {
        let seed = course.seed.as_ref().expect("a log tells the seed");
        refight_from_seed(setup, record, course, seed)
    };
    let Some(counts) = fought_again(fight) else { return };
    assert_eq!(counts.0, counts.1);
}
