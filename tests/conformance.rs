//! Recorded battles of the official game, fought again and compared action for action. The records are not part of the
//! project: without them these tests say so and pass.

use std::path::Path;
use std::sync::Arc;

use evens::chance::Seeded;
use evens::game::{Outcome, Side, Stratum, Unwatched, play};
use evens::games::splinterlands::cards::Catalogue;
use evens::games::splinterlands::edition::Edition;
use evens::games::splinterlands::import::{Imported, import};
use evens::games::splinterlands::record::{
    CardFile, Course, PATIENCE, Record, Verdict, read, refight, refight_from_seed,
};
use evens::games::splinterlands::setup::Setup;
use evens::games::splinterlands::{Splinterlands, bundled};
use evens::scenario::Source;
use miette::NamedSource;

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

/// The text of a data file; none, with a word about it, when it is not there.
fn data(name: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/splinterlands");
    let text = std::fs::read_to_string(folder.join(name)).ok();
    if text.is_none() {
        eprintln!("SKIPPED: no {name} in ../shared/data/splinterlands");
    }
    text
}

/// A data file as a source; none, with a word about it, when it is not there.
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
    const RUNS: u64 = 400;
    let cards = CardFile::read(&cards).unwrap();
    let (mut battles, mut brier, mut log_loss, mut expected, mut variance) =
        (0.0, 0.0, 0.0, 0.0, 0.0);
    for record in read(&results).unwrap() {
        let first_won = match record.winner {
            Outcome::Win(Side::A) => 1.0,
            Outcome::Win(_) => 0.0,
            _ => continue,
        };
        let mut setup = record.setup(&cards).expect("cards, abilities and rulesets of the guide");
        setup.identical_teams_draw = false;
        let (mut won, mut lost) = (0.0, 0.0);
        for run in 0..RUNS {
            let mut luck = Seeded::of_battle(7, run);
            match play::<Splinterlands, _, _>(&setup, STRATUM, &mut luck, &mut Unwatched).outcome {
                Outcome::Win(Side::A) => won += 1.0,
                Outcome::Win(_) => lost += 1.0,
                Outcome::Draw | Outcome::Undecided => (won, lost) = (won + 0.5, lost + 0.5),
            }
        }
        assert!(
            if first_won == 1.0 { won > 0.0 } else { lost > 0.0 },
            "held impossible: line {}",
            record.line
        );
        let p: f64 = (won + 0.5) / (RUNS as f64 + 1.0);
        let [yes, no] = [p.ln(), (1.0 - p).ln()];
        battles += 1.0;
        brier += (p - first_won).powi(2);
        log_loss -= if first_won == 1.0 { yes } else { no };
        expected -= p * yes + (1.0 - p) * no;
        variance += p * (1.0 - p) * (yes - no).powi(2);
    }
    let z = (log_loss - expected) / f64::sqrt(variance);
    let (brier, log_loss) = (brier / battles, log_loss / battles);
    eprintln!("{battles} battles: Brier score {brier:.4}, log loss {log_loss:.4}, z {z:.2}");
    assert!(brier < 0.034 && log_loss < 0.111 && z.abs() < 2.0);
}

/// Fights every battle of the logs again; says which of them are not as recorded, and how many are.
fn fought_again(fight: impl Fn(&Setup, &Record, &Course) -> Verdict) -> Option<(usize, usize)> {
    let (Some(cards), Some(logs)) = (file("cards_2022-04.json"), file("logs_2022.jsonl")) else {
        return None;
    };
    let cards = CardFile::read(&cards).unwrap();
    let records = read(&logs).unwrap();
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

#[test]
fn recorded_battles_are_reproduced() {
    let fight =
        |setup: &Setup, record: &Record, course: &Course| refight(setup, record, course, PATIENCE);
    let Some(counts) = fought_again(fight) else { return };
    assert_eq!(counts, (108, 108));
}

#[test]
fn recorded_battles_follow_from_their_seeds() {
    let fight = |setup: &Setup, record: &Record, course: &Course| {
        let seed = course.seed.as_ref().expect("a log tells the seed");
        refight_from_seed(setup, record, course, seed)
    };
    let Some(counts) = fought_again(fight) else { return };
    assert_eq!(counts, (108, 108));
}
