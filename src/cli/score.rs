//! `evens score`: scores simulated forecasts of real battles against their results.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::{Args, ValueEnum};

use super::interruption::interruption;
use super::job::named;
use super::keeping::{self, Keep, Keeping, Part, Wanted};
use super::terminal::{Terminal, say};
use super::{Exit, Failure, flags, reading, records};
use crate::batch::{Begun, Keeper};
use crate::digest::fingerprint;
use crate::game::Game;
use crate::games::splinterlands::Splinterlands;
use crate::games::splinterlands::record::{
    Expected, Fights, PassedOver, Record, Tolerance, collect, expect,
};
use crate::games::splinterlands::setup::TurnTies;
use crate::parallel::Pool;
use crate::partial::Asked;
use crate::scenario::{Fault, Output, Source};
use crate::studies::score::{self as study, Known, ScoreTable, Scored};
use crate::table::Provenance;
use crate::tally::{Kept, Sum};

const EXAMPLES: &str = "\
Examples:
  evens score results.jsonl --cards cards.json
  evens score results.jsonl --runs 10000 -o scores --format csv
  evens score results.jsonl --table forecasts -o - | head";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of battles with known winners, in the format of the official `battle/result`: one object, a list, or one
    /// object per line
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// The cards of the time: an official card file, or a catalogue from `evens import` [default: those of May 2020]
    #[arg(long, value_name = "FILE", help_heading = "What to play")]
    cards: Option<PathBuf>,
    /// Skip battles with unknown cards, abilities or rulesets
    #[arg(long, help_heading = "What to play")]
    known_only: bool,
    /// Treat surrendered battles, and others without both teams, as faults instead of skipping them
    #[arg(long, help_heading = "What to play")]
    strict: bool,
    /// How many times to simulate each battle
    #[arg(long, value_parser = flags::count, value_name = "N", default_value = "1000", help_heading = "What to play")]
    runs: NonZeroU64,
    /// How ties in the turn order are broken: every order equally likely, or as the official program sorts them
    #[arg(long, value_name = "HOW", default_value = "even", help_heading = "What to play")]
    turn_ties: TurnTies,
    /// The master seed
    #[arg(long, value_name = "N", value_parser = flags::seed, default_value = "1", help_heading = "What to play")]
    seed: u64,
    #[command(flatten)]
    threads: flags::Threads,
    #[command(flatten)]
    part: Part,

    #[command(flatten)]
    pub(super) output: flags::Output,
    #[command(flatten)]
    pub(super) keep: Keep,
    /// Write only this table instead of all; may be given several times
    #[arg(long = "table", value_name = "TABLE", help_heading = "What to write")]
    tables: Vec<ScoreTable>,

    #[command(flatten)]
    pub(super) quiet: flags::Quiet,
}

/// How often the first record is fought to find out whether the rules are still the same.
const SAMPLE: u64 = 64;
/// Battles between two looks at the progress.
const STEP: usize = 64;

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
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
    let mut tables = ScoreTable::value_variants().to_vec();
    tables.retain(|table| arguments.tables.is_empty() || arguments.tables.contains(table));
    let quiet = arguments.quiet.quiet;
    let keep = &arguments.keep;
    let (job, folder) = keeping::job(
        terminal,
        &arguments.output,
        &Output::default(),
        &named(&tables),
        quiet,
        (keep, arguments.part),
    )?;
    let mut job = job.in_json(arguments.quiet.json, "score")?;

    let pool = Pool::new(arguments.threads.threads);
    let runs = arguments.runs.get();
    let fights = Fights { runs, seed: arguments.seed, turn_ties: arguments.turn_ties };
    let asked = (records.len() as u64).saturating_mul(runs);
    let texts = || files.iter().chain(&card_file).map(|file| file.inner().as_str());
    let names: Vec<&str> = files.iter().map(|file| file.name()).collect();
    let to_play = Asked {
        command: "score".to_owned(),
        scenario: names.join(", "),
        fingerprint: fingerprint(texts()),
        seed: arguments.seed,
        battles: runs,
        settings: keeping::owned(settings(arguments)),
        besides: keeping::owned(besides(arguments)),
    };
    job.identify(&to_play)?;
    let to_keep = Wanted {
        asked: to_play,
        sample: &|| {
            let first = records.iter().take(1).map(|(_, record)| record);
            let few = Fights { runs: SAMPLE, ..fights };
            let ends = expect(&first.collect::<Vec<_>>(), &cards, few, &AtomicBool::new(false));
            fingerprint([format!("{ends:?}").as_str()])
        },
        grows: false,
        has_several_plays: false,
        plays: &["battles"],
        from: None,
        keeps_rows: false,
    };
    let keeping = Keeping::open(keep, arguments.part, folder.as_deref(), quiet, to_keep)?;
    let planned = keeping.planned(records.len() as u64)?.saturating_mul(runs);
    let mut progress = job.progress(planned).besides(keeping.done_before());
    let mut stage = keeping.stage("battles", String::new()).of_each(runs);
    let Begun { sum: mut forecasts, left, .. } =
        stage.begin(records.len() as u64, Forecasts::default());
    let mut at = left.start;
    for some in records[left.start as usize..left.end as usize].chunks(STEP) {
        let fought: Vec<&Record> = some.iter().map(|(_, record)| record).collect();
        let expected = pool.install(|| expect(&fought, &cards, fights, interruption()));
        let Some(expected) = expected else { break };
        let end = at + some.len() as u64;
        forecasts.0.extend((at..end).zip(expected));
        at = end;
        progress.step(forecasts.0.len() as u64 * runs, String::new);
        if at < left.end && Keeper::<Forecasts>::is_due(&mut stage, false) {
            stage.keep(at, &forecasts);
        }
        if keeping.is_lost() {
            break;
        }
    }
    progress.finish();
    if Keeper::<Forecasts>::is_due(&mut stage, true) {
        stage.keep(at, &forecasts);
    }
    keeping.check()?;
    if keeping.is_all() {
        return keeping.finish();
    }
    let known = forecasts.0.iter().filter_map(|(&at, of)| {
        let (file, record) = records.get(at as usize)?;
        Some(known_battle(&files, *file, record, of))
    });
    let known: Vec<Known> = known.collect();
    let played = || forecasts.0.keys().filter_map(|&at| records.get(at as usize));
    let repeated = repeated(played().map(|(_, record)| record));
    if repeated > 0 && !quiet {
        let (line_ups, are) = if repeated == 1 { ("line-up", "is") } else { ("line-ups", "are") };
        let message =
            format!("{repeated} {line_ups} {are} of battles that were there before, by id or seed");
        let remedy = "leave each battle in once: each counts as independent of all others";
        reading::warn(&[Fault::new(message, remedy)], terminal);
    }

    let scored = Scored::of(&known).with_repeated(repeated);
    let mut provenance = Provenance::new(
        Splinterlands::NAME,
        &names.join(", "),
        &fingerprint(texts()),
        arguments.seed,
        asked,
    );
    provenance.battles_played = known.len() as u64 * runs;
    provenance.partial = known.len() < records.len();
    for (count, what) in [
        (unknown, "with something that is not known"),
        (incomplete, "in which a side surrendered or a team is missing"),
    ] {
        if count > 0 && !quiet {
            let battles = if count == 1 { "battle" } else { "battles" };
            say(&format!("skipped {count} {battles} {what}\n"));
        }
    }
    let exit = job.finish(
        &provenance,
        |style| study::page(&known, &scored, &provenance, runs, style),
        tables.iter().map(|&name| study::table(name, &known, &scored)),
        None,
    )?;
    Ok(keeping.close(exit))
}

/// How many of these records are of the same battle as another one before them: they have its name in the official game, or else
/// its seed. Records with neither may be of any battle, and equal line-ups do meet again.
fn repeated<'r>(records: impl Iterator<Item = &'r Record>) -> u64 {
    let identity = |record: &'r Record| match &record.id {
        Some(id) => Some((true, id.as_str())),
        None => Some((false, record.course.as_ref()?.seed.as_deref()?)),
    };
    let mut seen = BTreeSet::new();
    records.filter_map(identity).filter(|&battle| !seen.insert(battle)).count() as u64
}

/// The flags that decide what is fought.
fn settings(arguments: &Arguments) -> Vec<(&'static str, String)> {
    let mut settings = vec![("--turn-ties", flags::name_of(&arguments.turn_ties))];
    settings.extend(arguments.known_only.then(|| ("--known-only", String::new())));
    settings.extend(arguments.strict.then(|| ("--strict", String::new())));
    settings
}

/// The files and flags that the command needs and that do not decide what is fought.
fn besides(arguments: &Arguments) -> Vec<(&'static str, String)> {
    let path = |path: &PathBuf| path.display().to_string();
    let mut besides: Vec<(&str, String)> =
        arguments.results.iter().map(|results| ("", path(results))).collect();
    besides.extend(arguments.cards.iter().map(|cards| ("--cards", path(cards))));
    besides.extend(arguments.tables.iter().map(|table| ("--table", flags::name_of(table))));
    besides
}

/// The forecasts for some records, by the index of each among all records.
#[derive(Clone, Debug, Default)]
struct Forecasts(BTreeMap<u64, Expected>);

impl Sum for Forecasts {
    fn merge(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }
}

impl Kept for Forecasts {
    type Form = Vec<(u64, Expected)>;

    fn form(&self) -> Self::Form {
        self.0.iter().map(|(&at, &of)| (at, of)).collect()
    }

    fn of_form(&self, form: Self::Form) -> Option<Self> {
        Some(Self(form.into_iter().collect()))
    }

    fn battles(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }
}

fn known_battle(files: &[Source], file: usize, record: &Record, expected: &Expected) -> Known {
    let place = if files.len() == 1 {
        record.place()
    } else {
        format!("{}, {}", files[file].name(), record.place())
    };
    record.known(place, expected)
}
