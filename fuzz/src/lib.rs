//! What is fuzzed: every kind of file that the program reads. Each target takes bytes, however faulty, and panics only
//! where the program has a fault: it panics itself, or a battle breaks what holds for all battles.
//!
//! `fuzz_targets` hands the targets to libFuzzer; the test suite runs them on every file under `regressions`, on the
//! bundled files and on many broken copies of these.

use std::path::PathBuf;
use std::sync::Arc;

use evens::engine::{Battle, Dice, Look, Place};
use evens::games::splinterlands::cards::Catalogue;
use evens::games::splinterlands::import::import_all;
use evens::games::splinterlands::record::{self, CardFile};
use evens::games::{eldertale, splinterlands};
use evens::partial::format::{of_bytes, to_bytes};
use evens::scenario::Folder;
use evens::studies::nightly::Baseline;
use evens::studies::tune::read_targets;
use evens::tally::{Assignment, Breakdown, Kept, Record, Tally, TallyForm};
use evens::{Document, Engine, Outcome, Scenario};
use miette::NamedSource;
use sha2::{Digest, Sha256};

/// A target: its name, and the function that is given the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets. The target of a game's scenarios also plays those that are accepted.
pub const TARGETS: [Target; 10] = [
    ("splinterlands", |data| scenario("splinterlands", data)),
    ("solforge", |data| scenario("solforge", data)),
    ("sanctum", |data| scenario("sanctum", data)),
    ("eldertale", |data| scenario("eldertale", data)),
    ("cards", cards),
    ("official", official),
    ("records", records),
    ("baselines", baselines),
    ("targets", targets),
    ("partials", partials),
];

fn text(data: &[u8]) -> Option<String> {
    std::str::from_utf8(data).ok().map(str::to_owned)
}

fn source(name: &str, text: String) -> Arc<NamedSource<String>> {
    Arc::new(NamedSource::new(name, text))
}

/// A scenario file of a game.
fn scenario(game: &str, data: &[u8]) {
    let Some(text) = text(data) else { return };
    // Files that the scenario names are looked for in a folder that does not exist.
    let document =
        Document::new("fuzzed.toml", text, Folder::Disk(PathBuf::from("no such folder")));
    match Scenario::of(&document) {
        Ok(scenario) if scenario.engine().game() == game => plays(scenario.engine()),
        Ok(_) => {}
        Err(faults) => told(&faults.faults),
    }
}

/// Checks that there are faults, and that each has a message and a remedy.
fn told(faults: &[evens::Fault]) {
    assert!(!faults.is_empty(), "a refusal without a reason");
    for fault in faults {
        assert!(!fault.to_string().is_empty() && !fault.remedy.is_empty(), "{fault:?}");
    }
}

/// Plays a few battles of a scenario that was accepted, told and counted.
///
/// # Panics
/// When a battle breaks what holds for all battles.
pub fn plays(engine: &dyn Engine) {
    let layout = engine.layout();
    let assignment = Assignment::new(layout);
    let mut record = Record::new(layout);
    for (index, dice) in [(0, Dice::Seeded), (1, Dice::Seeded), (2, Dice::Keyed)] {
        let battle = Battle { seed: 5, index, dice, place: Place::Assigned(&assignment) };
        engine.play(battle, Look { events: true, fighters: true }, &mut record);
        holds(engine, &record);
        let told = engine.tell(battle);
        let watched = (record.stratum, record.outcome, record.rounds);
        assert_eq!((told.stratum, told.outcome, told.rounds), watched, "a story of another battle");
        let metrics = record.metrics.clone();
        engine.play(battle, Look::default(), &mut record);
        let unwatched = (record.stratum, record.outcome, record.rounds);
        assert_eq!(unwatched, watched, "watching changes the battle");
        assert_eq!(record.metrics, metrics, "watching changes what is measured");
    }
}

/// Checks what holds for the record of every battle.
///
/// # Panics
/// When it does not hold.
pub fn holds(engine: &dyn Engine, record: &Record) {
    let layout = engine.layout();
    assert!((record.stratum.matchup as usize) < layout.matchups.len());
    let condition = &layout.conditions[record.stratum.condition as usize];
    assert!(condition.probability > 0.0, "a condition that cannot be drawn");
    assert!(record.rounds <= layout.longest, "{} rounds of {}", record.rounds, layout.longest);
    assert_eq!(record.metrics.len(), layout.metrics.len());
    if let Outcome::Win(side) = record.outcome {
        assert!(side.index() < layout.sides, "{side} wins");
        assert!(record.forfeits >> side.0 & 1 == 0 || record.forfeits.count_ones() > 1);
    }
    for fighter in &record.fighters {
        assert!(usize::from(fighter.unit) < layout.units.len());
        assert!(fighter.side.index() < layout.sides);
    }
    for order in record.orders() {
        assert!(usize::from(order.moment()) < layout.moments.len());
        assert!(order.items().iter().all(|&item| usize::from(item) < layout.order_items.len()));
    }
}

/// A list of cards: Splinterlands' as CSV, Elder Tale's as TOML. A list that is written again reads the same.
fn cards(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match Catalogue::from_csv(&source("cards.csv", text.clone())) {
        Ok(catalogue) => {
            let again = Catalogue::from_csv(&source("again.csv", catalogue.to_csv()));
            assert!(again.is_ok_and(|again| again == catalogue), "not the same when written");
        }
        Err(faults) => told(&faults),
    }
    match eldertale::catalogue::read(&source("cards.toml", text)) {
        Ok(cards) => assert!(!cards.is_empty()),
        Err(faults) => told(&faults.faults),
    }
}

/// The official list of Splinterlands' cards, as JSON.
fn official(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match import_all(&source("official.json", text)) {
        Ok((imported, _)) => {
            let csv = imported.catalogue.to_csv();
            let again = Catalogue::from_csv(&source("again.csv", csv));
            assert!(imported.catalogue.cards.is_empty() || again.is_ok(), "{:?}", again.err());
        }
        Err(faults) => told(&faults.faults),
    }
}

/// Recorded battles of Splinterlands.
fn records(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let records = match record::read(&source("battles.json", text)) {
        Ok(records) => records,
        Err(faults) => return told(&faults.faults),
    };
    let cards = CardFile::bundled();
    for record in &records.battles {
        if let Ok(setup) = record.setup(&cards) {
            plays(&*evens::engine::of::<splinterlands::Splinterlands>(setup));
        }
    }
}

/// A nightly baseline. A baseline that is written again reads the same.
fn baselines(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match Baseline::parse("baseline.json", text, "write it again") {
        Ok(baseline) => {
            let again = Baseline::parse("again.json", baseline.to_json(), "write it again");
            assert!(again.is_ok_and(|again| again.to_json() == baseline.to_json()));
        }
        Err(faults) => told(&faults.faults),
    }
}

/// Targets of a tuning.
fn targets(data: &[u8]) {
    let Some(text) = text(data) else { return };
    if let Err(faults) = read_targets(&source("targets.csv", text)) {
        told(&faults.faults);
    }
}

/// A partial result: the bytes as they are, and with the checksum that fits them, which no fuzzer would guess.
fn partials(data: &[u8]) {
    let held = &data[..data.len().saturating_sub(32)];
    let mended = [held, &Sha256::digest(held)[..]].concat();
    assert!(of_bytes(data).is_err() || data == mended, "a checksum that does not fit is taken");
    let Ok((header, tallies)) = of_bytes(&mended) else { return };
    let again = to_bytes(&header, tallies.iter().map(Vec::as_slice));
    assert!(of_bytes(&again).is_ok_and(|again| again == (header, tallies.clone())));
    let scenario = Scenario::read("eldertale/duel").expect("it is bundled");
    let layout = scenario.engine().layout();
    for tally in tallies {
        if let Ok(form) = postcard::from_bytes::<TallyForm>(&tally) {
            // Whatever is accepted has the shape of the job.
            let taken = Tally::new(layout, Breakdown::Whole).of_form(form);
            assert!(
                taken.as_ref().is_none_or(|taken| taken.matchups.len() == layout.matchups.len())
            );
            // Counts of at most 2^16 battles can be added up this many times.
            if let Some(mut sum) = taken.filter(|taken| taken.battles() <= 1 << 16) {
                (0..4).for_each(|_| sum.merge(&sum.clone()));
            }
        }
    }
}
