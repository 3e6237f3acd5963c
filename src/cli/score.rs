//! `evens score`: holds forecasts of real line-ups against how their battles ended.

use std::sync::atomic::Ordering;

use super::args::{Score, ScoreTable};
use super::output::Outlet;
use super::progress::Progress;
use super::run::{INTERRUPTED, watch_for_interruption};
use super::terminal::{Terminal, print};
use super::{Exit, Failure, records};
use crate::game::Game;
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::record::{
    Expected, Fights, PassedOver, Record, Tolerance, collect, expect,
};
use crate::scenario::{Output, Source, TableName, fingerprint};
use crate::studies::score::{self as study, Known, Scored};
use crate::table::Provenance;

/// Battles between two looks at the progress.
const STEP: usize = 64;

pub(super) fn run(arguments: &Score, terminal: &Terminal) -> Result<Exit, Failure> {
    let files = records::sources(&arguments.results)?;
    let card_file = arguments.cards.as_deref().map(records::source).transpose()?;
    let cards = records::cards(card_file.as_ref())?;
    let tolerance = Tolerance { known_only: arguments.known_only, strict: arguments.strict };
    let prepare = |record: Record| match record.unknown(&cards) {
        unknown if unknown.is_empty() => Ok(record),
        unknown => Err(unknown),
    };
    let (mut records, mut unknown, mut incomplete) = (Vec::new(), 0, 0);
    for collected in collect(&files, tolerance, prepare).map_err(Failure::Input)? {
        match collected.battle {
            Ok(record) => records.push((collected.file, record)),
            Err(PassedOver::Unknown(_)) => unknown += 1,
            Err(PassedOver::Incomplete(_)) => incomplete += 1,
        }
    }
    let tables = tables_to_write(&arguments.tables);
    let outlet = arguments.output.as_deref();
    let mut outlet = Outlet::open(outlet, arguments.format, &Output::default(), &tables)?;

    watch_for_interruption();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build()
        .expect("the operating system gives threads");
    let silent = arguments.quiet || outlet.on_stdout;
    let runs = arguments.runs.get();
    let fights = Fights { runs, seed: arguments.seed, turn_ties: arguments.turn_ties };
    let asked = records.len() as u64 * runs;
    let mut progress = Progress::new(terminal, silent, asked);
    let mut known: Vec<Known> = Vec::with_capacity(records.len());
    for some in records.chunks(STEP) {
        let fought: Vec<&Record> = some.iter().map(|(_, record)| record).collect();
        let expected = pool.install(|| expect(&fought, &cards, fights, &INTERRUPTED));
        let Some(expected) = expected else { break };
        let pairs = some.iter().zip(&expected);
        known.extend(pairs.map(|((file, record), of)| known_battle(&files, *file, record, of)));
        progress.step(known.len() as u64 * runs, String::new);
    }
    progress.finish();

    let scored = Scored::of(&known);
    let texts = files.iter().chain(&card_file).map(|file| file.inner().as_str());
    let names: Vec<&str> = files.iter().map(|file| file.name()).collect();
    let mut provenance = Provenance::new(
        Splinterlands::NAME,
        &names.join(", "),
        &fingerprint(texts),
        arguments.seed,
        asked,
    );
    provenance.battles_played = known.len() as u64 * runs;
    provenance.partial = INTERRUPTED.load(Ordering::Relaxed) && known.len() < records.len();
    if !silent {
        print(&study::page(&known, &scored, &provenance, runs, terminal.style()))?;
    }
    for (count, what) in [
        (unknown, "with something that is not known"),
        (incomplete, "in which a side surrendered or a team is missing"),
    ] {
        if count > 0 && !arguments.quiet {
            let battles = if count == 1 { "battle" } else { "battles" };
            eprintln!("passed over {count} {battles} {what}");
        }
    }
    for &name in &tables {
        outlet.write(&study::table(name, &known, &scored).expect("a table of scores"))?;
    }
    outlet.finish(&provenance, arguments.quiet)?;
    Ok(if provenance.partial { Exit::Interrupted } else { Exit::Success })
}

fn tables_to_write(asked: &[ScoreTable]) -> Vec<TableName> {
    let all = [ScoreTable::Scores, ScoreTable::Calibration, ScoreTable::Forecasts];
    let mut tables = Vec::new();
    for table in if asked.is_empty() { &all } else { asked } {
        let name = match table {
            ScoreTable::Scores => TableName::Scores,
            ScoreTable::Calibration => TableName::Calibration,
            ScoreTable::Forecasts => TableName::Forecasts,
        };
        if !tables.contains(&name) {
            tables.push(name);
        }
    }
    tables
}

fn known_battle(files: &[Source], file: usize, record: &Record, expected: &Expected) -> Known {
    let place = if files.len() == 1 {
        record.place()
    } else {
        format!("{}, {}", files[file].name(), record.place())
    };
    Known::of(record, place, expected)
}
